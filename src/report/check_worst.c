/* check_worst.c - where the lanes of an access's worst request meet.
 *
 *     load tile[threadIdx.x][threadIdx.y]: at worst 32-way, 32 wavefronts where 1 would do
 *         warp 0 is threads (0..31,0)
 *         bank 0 has 32 passes: lane 0 at tile[0][0], lane 1 at tile[1][0], ...
 *         bank    0  1  2  3 ...
 *         passes 32  .  .  . ...
 */
#include "report/check_worst.h"

#include "base/bits.h"
#include "report/element.h"
#include "report/lanes.h"
#include "report/plain.h"
#include "report/words.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <string.h>

enum { SHOWN_TEXT = 72, SHOWN_LANES = 4, MAP_COLUMNS = 32 };

/* ---- a warp in words ------------------------------------------------------------------------- */

/* "3" or "0..7" */
static void add_range(const char *separator, uint32_t first, uint32_t last, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s%" PRIu32, separator, first);
    if (first != last) {
        bsim_buffer_printf(out, "..%" PRIu32, last);
    }
}

/* As many coordinates as the block has dimensions. */
static uint32_t n_coordinates(const struct bsim_dim3 *block)
{
    return block->z > 1 ? 3 : block->y > 1 ? 2 : 1;
}

static void add_box(const struct bsim_dim3 *block, struct bsim_dim3 from, struct bsim_dim3 to,
                    struct bsim_buffer *out)
{
    bsim_buffer_text(out, "(");
    add_range("", from.x, to.x, out);
    if (n_coordinates(block) > 1) {
        add_range(",", from.y, to.y, out);
    }
    if (n_coordinates(block) > 2) {
        add_range(",", from.z, to.z, out);
    }
    bsim_buffer_text(out, ")");
}

/* Whether the threads from one to another, in their order, are just those of a box. */
static bool is_box(const struct bsim_dim3 *block, struct bsim_dim3 from, struct bsim_dim3 to)
{
    bool whole_rows = from.x == 0 && to.x == block->x - 1;
    bool whole_planes = whole_rows && from.y == 0 && to.y == block->y - 1;
    return from.z == to.z ? from.y == to.y || whole_rows : whole_planes;
}

/* "threads (0..15,0..1)": the warp's, of which people think wrongly where a row of the block is not
 * 32 wide. */
static void add_threads(const struct bsim_check *check, uint32_t warp, struct bsim_buffer *out)
{
    const struct bsim_dim3 *block = &bsim_check_contents(check)->kernel->block;
    uint32_t n = block->x * block->y * block->z - warp * BSIM_WARP_LANES;
    uint32_t first = warp * BSIM_WARP_LANES;
    struct bsim_dim3 from = bsim_dim3_thread(*block, first);
    struct bsim_dim3 to =
        bsim_dim3_thread(*block, first + (n < BSIM_WARP_LANES ? n : BSIM_WARP_LANES) - 1);
    bsim_buffer_text(out, "threads ");
    if (is_box(block, from, to)) {
        add_box(block, from, to, out);
        return;
    }
    add_box(block, from, from, out);
    bsim_buffer_text(out, " to ");
    add_box(block, to, to, out);
}

static void add_whose(const struct bsim_check *check, const struct bsim_check_request *request,
                      struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "    warp %" PRIu32 " is ", request->warp);
    add_threads(check, request->warp, out);
    for (size_t i = 0; i < bsim_check_contents(check)->access[request->access].n_loops; i++) {
        bsim_buffer_printf(out, "%s %s = %" PRId64, i == 0 ? "; with" : ",",
                           bsim_check_contents(check)->access[request->access].loop[i],
                           request->loop[i]);
    }
    if (request->mask != BSIM_FULL_MASK) {
        bsim_buffer_text(out, "; active are ");
        bsim_lanes_text(request->mask, out);
    }
    bsim_buffer_text(out, "\n");
}

/* ---- where its lanes meet -------------------------------------------------------------------- */

/* How often each bank serves, in the whole request and at most in one group of lanes. */
struct load {
    uint32_t turns[BSIM_MAX_BANKS];
    uint32_t most;
    uint32_t bank; /* the first that serves the most in one group */
    uint32_t group;
};

static void find_load(const struct bsim_schedule *schedule, struct load *load)
{
    uint32_t of_group[BSIM_MAX_GROUPS][BSIM_MAX_BANKS] = {{0}};
    memset(load, 0, sizeof *load);
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            uint32_t bank = schedule->grant[pass->first_grant + g].bank;
            load->turns[bank]++;
            uint32_t n = ++of_group[pass->group][bank];
            if (n > load->most) {
                load->most = n;
                load->bank = bank;
                load->group = pass->group;
            }
        }
    }
}

/* "tile[1][0]": where the lane's address lies. */
static void add_place(const struct bsim_check *check, const struct bsim_check_request *request,
                      uint32_t lanes, struct bsim_buffer *out)
{
    uint32_t lane = bsim_bits_lowest(lanes);
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[request->array[lane]];
    bsim_element_text(array, request->offset[lane], out);
    if (array->layout_text != NULL) {
        bsim_buffer_printf(out, " (laid at byte %" PRIu32 ")",
                           request->address[lane] - array->offset_bytes);
    }
}

/* A compare-and-swap has two turns, one after the other. */
static bool is_second_turn(const struct bsim_grant *grant, const struct bsim_grant *before)
{
    return before != NULL && grant->lanes == before->lanes && grant->row == before->row;
}

/* " bank 0 has 32 passes: lane 0 at tile[0][0], lane 1 at tile[1][0], ..."; with several groups of lanes
 * " bank 0 has 8 of its 16 passes for lanes 0-7: ..." */
static void add_meeting(const struct bsim_check *check, const struct bsim_check_request *request,
                        const struct bsim_schedule *schedule, const struct load *load,
                        struct bsim_buffer *out)
{
    uint32_t shown = 0;
    const struct bsim_grant *before = NULL;
    bsim_buffer_printf(out, "    bank %" PRIu32 " has %" PRIu32, load->bank, load->most);
    if (load->turns[load->bank] > load->most) {
        bsim_buffer_printf(out, " of its %" PRIu32, load->turns[load->bank]);
    }
    bsim_buffer_text(out, " passes");
    if (schedule->n_groups > 1) {
        bsim_buffer_text(out, " for ");
        bsim_lanes_text(schedule->group_lanes[load->group], out);
    }
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; g < pass->n_grants && pass->group == load->group; g++) {
            const struct bsim_grant *grant = &schedule->grant[pass->first_grant + g];
            if (grant->bank != load->bank || is_second_turn(grant, before)) {
                continue;
            }
            before = grant;
            if (++shown > SHOWN_LANES) {
                continue;
            }
            bsim_buffer_text(out, shown == 1 ? ": " : ", ");
            bsim_lanes_text(grant->lanes, out);
            bsim_buffer_text(out, " at ");
            add_place(check, request, grant->lanes, out);
        }
    }
    bsim_buffer_text(out, shown > SHOWN_LANES ? ", ...\n" : "\n");
}

/* Two lines for each 32 banks: their numbers, and how many passes each has; "." for none. */
static void add_map(const struct bsim_device *device, const struct load *load,
                    struct bsim_buffer *out)
{
    for (uint32_t first = 0; first < device->n_banks; first += MAP_COLUMNS) {
        uint32_t end =
            first + MAP_COLUMNS < device->n_banks ? first + MAP_COLUMNS : device->n_banks;
        bsim_buffer_text(out, "    bank  ");
        for (uint32_t bank = first; bank < end; bank++) {
            bsim_buffer_printf(out, " %2" PRIu32, bank);
        }
        bsim_buffer_text(out, "\n    passes");
        for (uint32_t bank = first; bank < end; bank++) {
            if (load->turns[bank] == 0) {
                bsim_buffer_text(out, "  .");
            } else {
                bsim_buffer_printf(out, " %2" PRIu32, load->turns[bank]);
            }
        }
        bsim_buffer_text(out, "\n");
    }
}

static void add_why(const struct bsim_device *device, const struct bsim_request *request,
                    const struct bsim_schedule *schedule, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "    ");
    bsim_request_why(device, request, schedule, out);
    bsim_buffer_text(out, "\n");
}

/* Whether ptxas may have one lane make the atomic for all (src/ptx/uniform.c): it decides that by code, which a
 * description does not have. */
static bool may_be_gathered(const struct bsim_check *check, const struct bsim_check_request *request)
{
    const struct bsim_opcode *opcode = &request->opcode;
    bool is_redux = opcode->operation == BSIM_MIN || opcode->operation == BSIM_MAX ||
                    (opcode->operation >= BSIM_AND && opcode->operation <= BSIM_XOR);
    bool is = bsim_check_contents(check)->recorded == NULL && bsim_opcode_is_atomic(opcode) &&
              opcode->bits == 32 && opcode->type != 'f' &&
              (opcode->operation == BSIM_ADD || (is_redux && opcode->family == BSIM_RED));
    uint32_t first = bsim_bits_lowest(request->mask);
    for (uint32_t left = request->mask; left != 0 && is; left &= left - 1) {
        is = request->address[bsim_bits_lowest(left)] == request->address[first];
    }
    return is;
}

void bsim_check_worst_text(const struct bsim_check *check, const struct bsim_device *device,
                           const struct bsim_check_worst *worst, struct bsim_buffer *out)
{
    struct bsim_request request = {.opcode = worst->request.opcode,
                                   .mask = worst->request.mask,
                                   .has_from = worst->request.has_from};
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    struct load load;
    char op[BSIM_CELL_SIZE];
    char text[SHOWN_TEXT * 4];
    const struct bsim_check_access *access =
        &bsim_check_contents(check)->access[worst->request.access];
    memcpy(request.address, worst->request.address, sizeof request.address);
    memcpy(request.from, worst->request.from, sizeof request.from);
    bsim_request_schedule(device, &request, &schedule);
    bsim_schedule_count(device, &request, &schedule, &counts);
    bsim_word_op(&request.opcode, op);
    bsim_plain(access->text, SHOWN_TEXT, text, sizeof text);
    bool has_sides = request.opcode.path == BSIM_BYPASS || request.has_from;
    if (bsim_counts_excessive(&counts) == 0) {
        uint32_t idle = counts.bytes_moved - counts.bytes_asked;
        if (has_sides && idle >= counts.bytes_moved / counts.wavefronts) { /* fewer would carry them */
            bsim_buffer_printf(out, "\n%s %s: %" PRIu32 " %s, none excessive\n", op, text, counts.wavefronts,
                               bsim_word_wavefronts(device));
            add_why(device, &request, &schedule, out);
        }
        return;
    }
    find_load(&schedule, &load);
    bsim_buffer_printf(
        out, "\n%s %s: at worst %" PRIu32 "-way, %s%" PRIu32 " %s where %" PRIu32 " would do\n", op,
        text, counts.ways, bsim_rules_are_least(counts.rules) ? "at least " : "", counts.wavefronts,
        bsim_word_wavefronts(device), counts.ideal);
    if (bsim_check_contents(check)->recorded == NULL) { /* of which any warp's is kept */
        add_whose(check, &worst->request, out);
    }
    if (has_sides) {
        add_why(device, &request, &schedule, out);
        return; /* no bank says it, and no layout of the array alone mends it */
    }
    add_meeting(check, &worst->request, &schedule, &load, out);
    add_map(device, &load, out);
    if (worst->remedy.size_bytes > 0) {
        bsim_buffer_printf(out, "    %s.\n", worst->remedy.data);
    }
    if (may_be_gathered(check, &worst->request)) {
        bsim_buffer_text(out, "    Where nvcc sees that all lanes have one address, one lane makes it for "
                              "all, in 1 wavefront: 'banksim check k.cu' tells.\n");
    }
}
