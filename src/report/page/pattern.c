/* pattern.c - a request and its passes in few bytes, for a page's script to take apart again.
 *
 * A pattern is a json array:
 *
 *     [count, mask, wavefronts, ideal, excessive, ways, sharing, "block", warp, index, line,
 *      first row, "why", "addresses", "schedule"]
 *
 * sharing is 1 for a broadcast, 2 for a multicast, else 0; the row is what was subtracted from the
 * rows of the schedule to make equal requests equal. The last two strings are numbers in letters of
 * base64, five bits in each, the lowest first; a letter from 32 up says that more follow. Numbers
 * that may be negative are zigzagged (0, -1, 1, -2, ...).
 *
 *     addresses  lane by lane (those whose addresses count): how much the step from the lane before
 *                differs from the step before that. A steady stride is a row of A's.
 *     schedule   the number of groups and each one's lanes; then, pass by pass: its group, how many
 *                banks work, and for each the distance from the bank before, the zigzagged distance
 *                of its row from the row before, its lanes, its halves where banks are 8 bytes
 *                wide, and the receivers where they are others than the lanes (matrix forms).
 *     lanes      0 to 31 is that lane alone, 32 the whole group, 33 says that a mask follows.
 *
 * 32 lanes in 32 banks take some 150 bytes.
 */
#include "report/page/survey.h"

#include <banksim/report.h>

#include <inttypes.h>

enum { LETTER_BITS = 5, WHOLE_GROUP = 32, MASK_FOLLOWS = 33 };

void bsim_pack_number(uint64_t number, struct bsim_buffer *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char text[16];
    size_t n = 0;
    do {
        uint32_t low = (uint32_t)(number & ((1 << LETTER_BITS) - 1));
        number >>= LETTER_BITS;
        text[n++] = letters[low | (number > 0 ? 1u << LETTER_BITS : 0)];
    } while (number > 0);
    bsim_buffer_add(out, text, n);
}

void bsim_pack_signed(int64_t number, struct bsim_buffer *out)
{
    bsim_pack_number(number < 0 ? 2 * (uint64_t) - (number + 1) + 1 : 2 * (uint64_t)number, out);
}

static void add_lanes(uint32_t lanes, uint32_t group, struct bsim_buffer *out)
{
    if (lanes == group) {
        bsim_pack_number(WHOLE_GROUP, out);
    } else if (lanes != 0 && (lanes & (lanes - 1)) == 0) {
        uint32_t lane = 0;
        while (lanes >> lane != 1) {
            lane++;
        }
        bsim_pack_number(lane, out);
    } else {
        bsim_pack_number(MASK_FOLLOWS, out);
        bsim_pack_number(lanes, out);
    }
}

static void add_addresses(const struct bsim_request *request, struct bsim_buffer *out)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    int64_t address = 0;
    int64_t step = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            int64_t next = (int64_t)request->address[lane] - address;
            bsim_pack_signed(next - step, out);
            address = request->address[lane];
            step = next;
        }
    }
}

static void add_pass(const struct bsim_request *request, const struct bsim_device *device,
                     const struct bsim_schedule *schedule, const struct bsim_pass *pass,
                     struct bsim_buffer *out)
{
    uint32_t group = schedule->group_lanes[pass->group];
    int64_t row = 0;
    uint32_t bank = 0;
    bsim_pack_number(pass->group, out);
    bsim_pack_number(pass->n_grants, out);
    for (uint32_t i = 0; i < pass->n_grants; i++) {
        const struct bsim_grant *grant = &schedule->grant[pass->first_grant + i];
        bsim_pack_number(grant->bank - bank, out);
        bsim_pack_signed((int64_t)grant->row - row, out);
        add_lanes(grant->lanes, group, out);
        if (device->bank_bytes > 4) {
            bsim_pack_number(grant->halves, out);
        }
        if (bsim_opcode_is_matrix(&request->opcode)) {
            add_lanes(grant->receivers, group, out);
        }
        bank = grant->bank;
        row = grant->row;
    }
}

static void add_schedule(const struct bsim_request *request, const struct bsim_device *device,
                         const struct bsim_schedule *schedule, struct bsim_buffer *out)
{
    bsim_pack_number(schedule->n_groups, out);
    for (uint32_t i = 0; i < schedule->n_groups; i++) {
        bsim_pack_number(schedule->group_lanes[i], out);
    }
    for (uint32_t i = 0; i < schedule->n_passes; i++) {
        add_pass(request, device, schedule, &schedule->pass[i], out);
    }
}

void bsim_survey_pattern_json(const struct bsim_survey_pattern *pattern,
                              const struct bsim_device *device, struct bsim_buffer *out)
{
    const struct bsim_counts *counts = &pattern->counts;
    struct bsim_schedule schedule;
    bsim_request_schedule(device, &pattern->request, &schedule);
    bsim_buffer_printf(
        out,
        "[%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%d,\"%" PRIu32
        ",%" PRIu32 ",%" PRIu32 "\",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",\"",
        pattern->n, pattern->request.mask, counts->wavefronts, counts->ideal,
        bsim_counts_excessive(counts), counts->ways,
        counts->broadcast   ? 1
        : counts->multicast ? 2
                            : 0,
        pattern->block.x, pattern->block.y, pattern->block.z, pattern->warp, pattern->index,
        pattern->line, pattern->base / (device->n_banks * device->bank_bytes));
    bsim_request_why(device, &pattern->request, &schedule, out);
    bsim_buffer_text(out, "\",\"");
    add_addresses(&pattern->request, out);
    bsim_buffer_text(out, "\",\"");
    add_schedule(&pattern->request, device, &schedule, out);
    bsim_buffer_text(out, "\"]");
}
