/* why.c - why a request takes as many passes as it does, in one sentence.
 *
 *     2 passes because lanes 0 and 16 want different words of bank 0.
 *     4 passes because 16 bytes per lane go by quarter-warps; no two lanes of one meet in a bank.
 *     32 passes because lanes 0, 1, 2, ... 31 want the same word of bank 0, and atomics take turns.
 *     12 passes because cp.async.cg writes pieces of 16 bytes as they arrive from L2, ...
 *
 * All of it is read off the schedule: the lanes named are those of the bank that serves the most
 * in one group, one lane for each of its turns. Of copies by both sides it is asked of copy.c.
 */
#include "base/bits.h"
#include "model/atomic.h"
#include "report/lanes.h"

#include <banksim/report.h>

#include <inttypes.h>
#include <string.h>

enum { NAMED_LANES = 5, FIRST_LANES = 3 }; /* more than five are "0, 1, 2, ... 31" */
enum { CARRIED_BYTES = 128 };              /* by a wavefront, at most */

/* What the sentence is about. */
struct why {
    const struct bsim_device *device;
    const struct bsim_request *request;
    const struct bsim_opcode *opcode;
    const struct bsim_schedule *schedule;
    struct bsim_counts counts;
    struct bsim_buffer *out;
};

/* The bank that serves the most in one group of lanes, and its turns there. */
struct meeting {
    uint32_t bank;
    uint32_t n_turns;
    const struct bsim_grant *turn[BSIM_MAX_GRANTS];
};

/* The turns of one bank in one group. A compare-and-swap's second pass of a turn is not another
 * turn. */
static uint32_t find_turns(const struct why *why, uint32_t group, uint32_t bank,
                           const struct bsim_grant *turn[BSIM_MAX_GRANTS])
{
    const struct bsim_schedule *schedule = why->schedule;
    uint32_t step =
        bsim_opcode_is_atomic(why->opcode) && why->opcode->operation == BSIM_CAS ? 2 : 1;
    uint32_t n = 0;
    for (uint32_t p = 0; p < schedule->n_passes; p += step) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; pass->group == group && g < pass->n_grants; g++) {
            const struct bsim_grant *grant = &schedule->grant[pass->first_grant + g];
            if (grant->bank == bank) {
                turn[n++] = grant;
            }
        }
    }
    return n;
}

/* Of two banks with as many turns, the one of the lower lane: people count from lane 0. */
static bool comes_first(const struct bsim_grant *a, const struct bsim_grant *b)
{
    return bsim_bits_lowest(a->lanes) < bsim_bits_lowest(b->lanes);
}

static void find_meeting(const struct why *why, struct meeting *meeting)
{
    const struct bsim_grant *turn[BSIM_MAX_GRANTS];
    meeting->bank = meeting->n_turns = 0;
    for (uint32_t group = 0; group < why->schedule->n_groups; group++) {
        for (uint32_t bank = 0; bank < why->device->n_banks; bank++) {
            uint32_t n = find_turns(why, group, bank, turn);
            if (n > meeting->n_turns ||
                (n > 0 && n == meeting->n_turns && comes_first(turn[0], meeting->turn[0]))) {
                meeting->bank = bank;
                meeting->n_turns = n;
                memcpy(meeting->turn, turn, n * sizeof turn[0]);
            }
        }
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* What a bank serves in a pass. In Kepler's 4-byte mode that is two words that do not follow one
 * another. */
static const char *noun(const struct bsim_device *device)
{
    if (device->bank_bytes == 4) {
        return "word";
    }
    return device->stride_bytes == 8 ? "8-byte word" : "8-byte row";
}

/* "lanes 0 and 16", "lanes 0, 1, 2, ... 31", "the rows of lanes 0 and 2". */
static void add_lane_list(const struct why *why, uint32_t lanes)
{
    uint32_t n = bsim_bits_population(lanes);
    bsim_buffer_printf(why->out, "%slane%s ",
                       bsim_opcode_is_matrix(why->opcode) ? "the rows of " : "", n == 1 ? "" : "s");
    for (uint32_t i = 0; i < n; i++, lanes &= lanes - 1) {
        uint32_t lane = bsim_bits_lowest(lanes);
        if (n > NAMED_LANES && i >= FIRST_LANES && i + 1 < n) {
            continue;
        }
        const char *before = i == 0                          ? ""
                             : n > NAMED_LANES && i + 1 == n ? ", ... "
                             : i + 1 == n                    ? " and "
                                                             : ", ";
        bsim_buffer_printf(why->out, "%s%" PRIu32, before, lane);
    }
}

/* One lane for each turn, if there are as many. */
static uint32_t lane_of_each_turn(const struct meeting *meeting)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < meeting->n_turns; i++) {
        uint32_t fresh = meeting->turn[i]->lanes & ~named;
        named |= fresh & (~fresh + 1);
    }
    return named;
}

static uint32_t count_rows(const struct meeting *meeting)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < meeting->n_turns; i++) {
        uint32_t k = 0;
        while (meeting->turn[k]->row != meeting->turn[i]->row) {
            k++;
        }
        n += k == i;
    }
    return n;
}

/* "lanes 0 and 16 want different words of bank 0" */
static void add_meeting(const struct why *why, const struct meeting *meeting)
{
    uint32_t lanes = lane_of_each_turn(meeting);
    uint32_t rows = count_rows(meeting);
    const char *wants =
        bsim_bits_population(lanes) == 1 && !bsim_opcode_is_matrix(why->opcode) ? "wants" : "want";
    add_lane_list(why, lanes);
    if (rows == 1) {
        bsim_buffer_printf(why->out, " %s the same %s of bank %" PRIu32, wants, noun(why->device),
                           meeting->bank);
    } else if (rows == 2) {
        bsim_buffer_printf(why->out, " %s different %ss of bank %" PRIu32, wants, noun(why->device),
                           meeting->bank);
    } else {
        bsim_buffer_printf(why->out, " %s %" PRIu32 " different %ss of bank %" PRIu32, wants, rows,
                           noun(why->device), meeting->bank);
    }
    if (rows < meeting->n_turns) {
        bsim_buffer_printf(why->out, ", and %s take turns",
                           bsim_opcode_is_atomic(why->opcode) ? "atomics" : "copies");
    }
}

/* ---- reasons --------------------------------------------------------------------------------- */

static bool has_rule(const struct why *why, enum bsim_rule rule)
{
    return (why->schedule->rules >> rule & 1) != 0;
}

/* "16 bytes per lane go by quarter-warps". Returns false, with nothing said, if all lanes meet
 * anyway. */
static bool add_groups(const struct why *why)
{
    const struct bsim_opcode *opcode = why->opcode;
    uint32_t per_pass = BSIM_WARP_LANES * why->device->bank_bytes / opcode->bytes;
    bool paired = has_rule(why, BSIM_RULE_PAIR) && why->device->has_pair_rule;
    if (bsim_opcode_is_matrix(opcode) && opcode->count > 1) {
        bsim_buffer_printf(why->out, "%" PRIu8 " matrices go one after another", opcode->count);
        return true;
    }
    if (bsim_opcode_is_matrix(opcode) || per_pass >= BSIM_WARP_LANES) {
        return false;
    }
    if (paired && per_pass * 2 >= BSIM_WARP_LANES) {
        bsim_buffer_printf(
            why->out, "lanes agree in pairs, so that %" PRIu8 " bytes per lane go as a whole warp",
            opcode->bytes);
        return true;
    }
    per_pass *= paired ? 2 : 1;
    bsim_buffer_printf(why->out, "%s%" PRIu8 " bytes per lane go by ",
                       paired ? "lanes agree in pairs, so that " : "", opcode->bytes);
    if (per_pass == 16 || per_pass == 8) {
        bsim_buffer_text(why->out, per_pass == 16 ? "half-warps" : "quarter-warps");
    } else {
        bsim_buffer_printf(why->out, "groups of %" PRIu32 " lanes", per_pass);
    }
    return true;
}

static bool some_share(const struct bsim_schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        if (bsim_bits_population(schedule->grant[i].lanes) > 1) {
            return true;
        }
    }
    return false;
}

/* Why there is no conflict. */
static void add_peace(const struct why *why, uint32_t active)
{
    const char *what = noun(why->device);
    if (active == 1) {
        bsim_buffer_text(why->out, "a single lane is active");
    } else if (why->counts.broadcast && why->schedule->n_groups == 1) {
        bsim_buffer_printf(why->out, "all %" PRIu32 " lanes want the same %s: a broadcast", active,
                           why->opcode->bytes > why->device->bank_bytes ? "address" : what);
    } else if (why->counts.broadcast) {
        bsim_buffer_text(why->out, "the lanes of each group want the same address: a broadcast");
    } else if (why->counts.multicast) {
        bsim_buffer_printf(why->out,
                           "lanes that meet in a bank want the same %s of it: a multicast", what);
    } else if (some_share(why->schedule) && bsim_opcode_is_atomic(why->opcode)) {
        bsim_buffer_printf(why->out, "increments of the same %s are added up first", what);
    } else if (some_share(why->schedule)) {
        bsim_buffer_printf(why->out,
                           "lanes that meet in a bank write the same %s of it (where they write "
                           "the same byte, one of them wins)",
                           what);
    } else {
        bsim_buffer_printf(why->out, "no two %s%s meet in a bank",
                           bsim_opcode_is_matrix(why->opcode) ? "rows" : "lanes",
                           why->schedule->n_groups > 1 ? " of one" : "");
    }
}

static bool is_cas(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_atomic(opcode) && opcode->operation == BSIM_CAS;
}

static void add_reasons(const struct why *why, uint32_t active)
{
    struct bsim_buffer *out = why->out;
    bool grouped = add_groups(why);
    if (why->counts.conflicts > 0) {
        struct meeting meeting;
        find_meeting(why, &meeting);
        bsim_buffer_text(out, grouped ? ", and " : "");
        add_meeting(why, &meeting);
    } else {
        bsim_buffer_text(out, grouped ? "; " : "");
        add_peace(why, active);
    }
    if (is_cas(why->opcode)) {
        bsim_buffer_text(out, "; a compare-and-swap takes two passes per turn");
    } else if (bsim_opcode_loops(why->opcode)) {
        bsim_buffer_text(out,
                         "; each is a round of a loop, which loads what is left and swaps it in "
                         "two wavefronts");
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* That a load of the same bytes would fetch. */
static uint32_t different_sectors(const struct why *why)
{
    struct bsim_global_counts counts;
    struct bsim_opcode load = *why->opcode;
    load.family = BSIM_LD;
    load.space = BSIM_GLOBAL;
    load.path = BSIM_USUAL_PATH;
    bsim_global_count(why->device, &load, why->request->mask, why->request->from, &counts);
    return counts.sectors;
}

static void add_fetched(const struct why *why)
{
    struct bsim_global_counts fetched;
    if (!bsim_copy_count(why->device, why->request, &fetched)) {
        return;
    }
    uint32_t n = different_sectors(why);
    bsim_buffer_printf(why->out, "; L2 sends %" PRIu32 " sector%s", fetched.sectors,
                       fetched.sectors == 1 ? "" : "s");
    if (fetched.sectors > n) {
        bsim_buffer_printf(why->out,
                           " where the bytes lie in %" PRIu32
                           ": one whose two halves go to different sectors of shared memory comes "
                           "twice, as it does where the sides are 16 bytes apart, modulo 32",
                           n);
    }
}

/* Whatever the layout: where what it is from takes more than the bytes would. */
static void add_least(const struct why *why)
{
    uint32_t lanes = bsim_bits_population(why->request->mask);
    uint32_t carried = (lanes * why->opcode->bytes + CARRIED_BYTES - 1) / CARRIED_BYTES;
    if (why->counts.wavefronts == why->counts.ideal && why->counts.ideal > carried) {
        bsim_buffer_text(why->out, "; no layout of shared memory takes fewer");
    }
}

static void add_pieces(const struct why *why)
{
    bsim_buffer_text(
        why->out, "cp.async.cg writes pieces of 16 bytes as they arrive from L2, in a pass those "
                  "that one line of global memory has for one of shared memory");
    if (why->counts.wavefronts > why->counts.ideal) {
        bsim_buffer_printf(
            why->out,
            " and that keep their place in it or move alike; both sides alike, %" PRIu32
            " would do",
            why->counts.ideal);
    }
    add_least(why);
    add_fetched(why);
}

static void add_sides(const struct why *why)
{
    bool grouped = add_groups(why);
    bsim_buffer_text(why->out, grouped ? "; " : "");
    uint32_t most = 0;
    for (uint32_t i = 0; i < why->schedule->n_groups; i++) {
        most = why->schedule->group_ways[i] > most ? why->schedule->group_ways[i] : most;
    }
    if (most == 1) {
        bsim_buffer_text(why->out, "no two lanes meet in a bank, of shared memory or of L1");
    } else {
        bsim_buffer_printf(why->out,
                           "a lane meets %" PRIu32
                           " other%s in a bank of shared memory, or of L1 that its bytes come "
                           "through, and copies take turns",
                           most - 1, most == 2 ? "" : "s");
    }
    add_least(why);
}

void bsim_request_why(const struct bsim_device *device, const struct bsim_request *request,
                      const struct bsim_schedule *schedule, struct bsim_buffer *out)
{
    struct why why = {.device = device,
                      .request = request,
                      .opcode = &request->opcode,
                      .schedule = schedule,
                      .out = out};
    bsim_schedule_count(device, request, schedule, &why.counts);
    bool is_one = schedule->n_passes == 1;
    const char *word = bsim_opcode_loops(&request->opcode) ? is_one ? "turn" : "turns"
                       : is_one                            ? "pass"
                                                           : "passes";
    bsim_buffer_printf(out, "%" PRIu32 " %s because ", schedule->n_passes, word);
    uint32_t active = bsim_bits_population(bsim_opcode_lanes(&request->opcode, request->mask));
    if (active == 0) {
        bsim_buffer_text(out, "no lane is active");
    } else if (request->opcode.path == BSIM_BYPASS) {
        add_pieces(&why);
    } else if (request->opcode.family == BSIM_CP_ASYNC && request->has_from) {
        add_sides(&why);
    } else {
        add_reasons(&why, active);
    }
    bsim_buffer_text(out, ".");
}
