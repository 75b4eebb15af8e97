/* schedule.c - a request's passes: who is served when, by which bank.
 *
 * A request becomes groups of lanes (wide.c, matrix.c), and each group is dealt to the banks on its
 * own. Every bank keeps a queue of the rows asked of it, in order of the lowest lane that asks; in
 * each pass every bank serves the head of its queue. Lanes 0 to 3 ask for words 0, 32, 1 and 0:
 *
 *     bank 0:  row 0 (lanes 0, 3)   row 1 (lane 1)        pass 0:  bank 0 row 0, bank 1 row 0
 *     bank 1:  row 0 (lane 2)                             pass 1:  bank 0 row 1
 *
 * The longest queue gives the group's passes, which are its ways. For atomics (atomic.c) and for
 * cp.async each lane is an entry of its own: of two stores to one word either may win, but a copy's
 * data come lane by lane, so that an H200 writes the word once for each. No schedule has fewer
 * passes, since a bank serves one row a pass; which row first is not known of real hardware and
 * does not change any count. A copy whose global side has a say is dealt by copy.c.
 *
 * The counts (count.c) are read off the schedule; there is no second idea of them.
 */
#include "model/atomic.h"
#include "model/bank.h"
#include "model/copy.h"
#include "model/family.h"
#include "model/matrix.h"
#include "model/wide.h"

#include <string.h>

/* One row that a bank has to serve to a group: an entry of that bank's queue. */
struct entry {
    struct bsim_grant grant; /* pass counts from 0 within the group */
    uint8_t next;            /* the bank's next entry, or NO_ENTRY */
};

enum { NO_ENTRY = 0xff };

/* The banks' queues for one group. */
struct queues {
    uint32_t n_entries;
    uint32_t longest;
    uint8_t head[BSIM_MAX_BANKS];
    uint8_t tail[BSIM_MAX_BANKS];
    uint8_t length[BSIM_MAX_BANKS];
    struct entry entry[BSIM_MAX_GRANTS];
};

/* The queue entry that already asks for this row, or NULL. */
static struct entry *find_row(struct queues *queues, struct bsim_cell cell)
{
    uint8_t i = queues->head[cell.bank];
    while (i != NO_ENTRY && queues->entry[i].grant.row != cell.row) {
        i = queues->entry[i].next;
    }
    return i == NO_ENTRY ? NULL : &queues->entry[i];
}

static struct entry *append_row(struct queues *queues, struct bsim_cell cell)
{
    uint8_t i = (uint8_t)queues->n_entries++;
    uint8_t pass = queues->length[cell.bank]++;
    if (pass == 0) {
        queues->head[cell.bank] = i;
    } else {
        queues->entry[queues->tail[cell.bank]].next = i;
    }
    queues->tail[cell.bank] = i;
    queues->longest = pass + 1u > queues->longest ? pass + 1u : queues->longest;
    queues->entry[i] = (struct entry){.grant = {.row = cell.row, .pass = pass, .bank = cell.bank},
                                      .next = NO_ENTRY};
    return &queues->entry[i];
}

/* Asks for one word of one lane's access. */
static void ask(struct queues *queues, struct bsim_cell cell, uint32_t lane, uint32_t receivers,
                bool shares)
{
    struct entry *entry = shares ? find_row(queues, cell) : NULL;
    if (entry == NULL) {
        entry = append_row(queues, cell);
    }
    entry->grant.lanes |= UINT32_C(1) << lane;
    entry->grant.receivers |= receivers;
    entry->grant.halves |= cell.halves;
}

/* The lanes that one word of lane's access goes to. */
static uint32_t receivers_of(const struct bsim_device *device, const struct bsim_opcode *opcode,
                             uint32_t lane, uint32_t word)
{
    if (!bsim_opcode_is_matrix(opcode)) {
        return UINT32_C(1) << lane;
    }
    uint32_t n_words = device->stride_bytes / 4;
    return bsim_matrix_receivers(opcode, lane % BSIM_MATRIX_ROWS, word * n_words, n_words);
}

/* True if lanes that want the same row are served in one pass. */
static bool may_share(const struct bsim_device *device, const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_atomic(opcode) ? bsim_atomic_shares(device, opcode)
                                         : bsim_family_row(opcode)->shares;
}

static void ask_for_lane(const struct bsim_device *device, const struct bsim_request *request,
                         uint32_t lane, struct queues *queues)
{
    const struct bsim_opcode *opcode = &request->opcode;
    uint32_t n_words = bsim_bank_words(device, opcode->bytes);
    for (uint32_t word = 0; word < n_words; word++) {
        struct bsim_cell cell = bsim_bank_cell(device, request->address[lane], opcode->bytes, word);
        ask(queues, cell, lane, receivers_of(device, opcode, lane, word),
            may_share(device, opcode));
    }
}

static void fill_queues(const struct bsim_device *device, const struct bsim_request *request,
                        uint32_t lanes, struct queues *queues)
{
    queues->n_entries = 0;
    queues->longest = 0;
    memset(queues->head, NO_ENTRY, device->n_banks);
    memset(queues->length, 0, device->n_banks);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            ask_for_lane(device, request, lane, queues);
        }
    }
}

/* Writes one pass: the heads of all queues, banks in order, which it takes off. */
static void add_pass(const struct bsim_device *device, struct queues *queues, uint32_t group,
                     struct bsim_schedule *schedule)
{
    struct bsim_pass *pass = &schedule->pass[schedule->n_passes];
    *pass = (struct bsim_pass){.group = (uint8_t)group, .first_grant = (uint8_t)schedule->n_grants};
    for (uint32_t bank = 0; bank < device->n_banks; bank++) {
        uint8_t i = queues->head[bank];
        if (i == NO_ENTRY) {
            continue;
        }
        queues->head[bank] = queues->entry[i].next;
        struct bsim_grant grant = queues->entry[i].grant;
        grant.pass = (uint8_t)schedule->n_passes;
        schedule->grant[schedule->n_grants++] = grant;
        pass->lanes |= grant.lanes;
        pass->n_grants++;
    }
    schedule->n_passes++;
}

/* The pass just written once more: the second half of a compare-and-swap. */
static void repeat_pass(struct bsim_schedule *schedule)
{
    struct bsim_pass again = schedule->pass[schedule->n_passes - 1];
    uint32_t from = again.first_grant;
    again.first_grant = (uint8_t)schedule->n_grants;
    for (uint32_t i = 0; i < again.n_grants; i++) {
        struct bsim_grant grant = schedule->grant[from + i];
        grant.pass = (uint8_t)schedule->n_passes;
        schedule->grant[schedule->n_grants++] = grant;
    }
    schedule->pass[schedule->n_passes++] = again;
}

static void deal_group(const struct bsim_device *device, const struct bsim_request *request,
                       uint32_t lanes, struct bsim_schedule *schedule)
{
    struct queues queues;
    fill_queues(device, request, lanes, &queues);
    uint32_t group = schedule->n_groups++;
    schedule->group_lanes[group] = lanes;
    schedule->group_ways[group] = queues.longest;
    for (uint32_t turn = 0; turn < queues.longest; turn++) {
        add_pass(device, &queues, group, schedule);
        if (bsim_atomic_passes(&request->opcode) == 2) {
            repeat_pass(schedule);
        }
    }
}

/* The lanes of a group whose bytes are written pass by pass. In a pass each bank has one row. */
static void deal_copied(const struct bsim_device *device, const struct bsim_request *request,
                        uint32_t lanes, const uint8_t pass[BSIM_WARP_LANES], uint32_t n_passes,
                        struct bsim_schedule *schedule)
{
    uint32_t group = schedule->n_groups++;
    schedule->group_lanes[group] = lanes;
    schedule->group_ways[group] = 0;
    for (uint32_t i = 0; i < n_passes; i++) {
        struct queues queues;
        uint32_t together = 0;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            together |= (uint32_t)(pass[lane] == i) << lane;
        }
        if ((together & lanes) != 0) {
            fill_queues(device, request, together, &queues);
            add_pass(device, &queues, group, schedule);
            schedule->group_ways[group]++;
        }
    }
}

/* Lanes per group, and the rules that this rests on. */
static uint32_t group_size(const struct bsim_device *device, const struct bsim_request *request,
                           uint32_t *rules)
{
    const struct bsim_opcode *opcode = &request->opcode;
    if (opcode->path == BSIM_BYPASS) {
        *rules |= bsim_rule_bit(BSIM_RULE_BYPASS);
        return bsim_copy_has_sides(device, request) ? BSIM_WARP_LANES
                                                    : bsim_wide_lanes(device, opcode->bytes);
    }
    *rules |= bsim_family_row(opcode)->rules[opcode->bytes > 4];
    if (bsim_opcode_is_matrix(opcode)) {
        return BSIM_MATRIX_ROWS;
    }
    uint32_t size = bsim_wide_lanes(device, opcode->bytes);
    if (bsim_opcode_is_atomic(opcode)) {
        *rules |= bsim_rule_bit(bsim_atomic_rule(opcode));
        return size;
    }
    if (size < BSIM_WARP_LANES && bsim_wide_pairs(request)) {
        *rules |= bsim_rule_bit(BSIM_RULE_PAIR);
        size = device->has_pair_rule ? 2 * size : size;
    }
    return size;
}

/* The rules of sharing that took part: some row of some grant was asked for by several lanes. */
static uint32_t sharing_rules(const struct bsim_opcode *opcode,
                              const struct bsim_schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        uint32_t lanes = schedule->grant[i].lanes;
        if ((lanes & (lanes - 1)) != 0) {
            return bsim_family_row(opcode)->some_rules;
        }
    }
    return 0;
}

void bsim_request_schedule(const struct bsim_device *device, const struct bsim_request *request,
                           struct bsim_schedule *schedule)
{
    uint8_t pass[BSIM_WARP_LANES];
    schedule->n_passes = schedule->n_groups = schedule->n_grants = 0;
    schedule->rules = bsim_rule_bit(BSIM_RULE_BANKS);
    uint32_t size = group_size(device, request, &schedule->rules);
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    uint32_t group = size == BSIM_WARP_LANES ? BSIM_FULL_MASK : (UINT32_C(1) << size) - 1;
    bool has_sides = bsim_copy_has_sides(device, request);
    uint32_t n_passes = has_sides ? bsim_copy_passes(request, pass) : 0;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        uint32_t those = lanes & group << first;
        if (those != 0 && has_sides) {
            deal_copied(device, request, those, pass, n_passes, schedule);
        } else if (those != 0) {
            deal_group(device, request, those, schedule);
        }
    }
    schedule->rules |= sharing_rules(&request->opcode, schedule);
}
