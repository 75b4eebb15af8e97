/* ledger.c - what requests cost, added up at their sites.
 *
 * A kernel does the same thing over and over: most events are lanes in step, in a stride and with a
 * mask that their site had before. Such a pattern is counted once and entered here with its counts;
 * what it adds to its site's dozen sums is multiplied out when another pattern needs the entry, or
 * when the kernel ends. A pattern that came before so costs a look at one cache line.
 *
 *     site  stride  mask      place   counts   n
 *     0     4       ffffffff  0       1 of 1   + 1 for each such event
 *     1     128     ffffffff  0       32 of 1  + 1
 *
 * Where the first lane is has a part in the pattern only as far as it has one in the counts:
 *
 *     shared    modulo an access or a bank, whichever is wider: whether two lanes want one bank, and
 *               one row of it, is a matter of the difference of their addresses. Not so for Kepler's
 *               4-byte mode, where words 32 apart share a row, nor, for lanes that run around
 *               2^32, for a number of banks that does not divide it: no entry
 *     global    modulo a line of 128 bytes: the same pattern some lines further on touches as many
 *               lines and sectors. Not so for atomics, where all address bits have a say: no entry
 *     local     modulo an access: the same pattern some words further on touches as many lines
 *     texture   as global
 *     constant  no entry
 *     copies    of cp.async.cg modulo a line too: lines of shared memory have a say. One whose global
 *               side is told has no entry: both sides would have to be the same
 *
 * A pattern has two neighbouring entries where it can be, given by its hash. If others are there,
 * the one that came less often gives way every eighth time: of patterns that come once, then, few
 * are entered, and what comes often still is soon. Events that never come twice pay a seventh for
 * the look. Lists of addresses are not entered: to tell that 32 are the same costs much of what it
 * costs to count them.
 */
#include "sim/ledger.h"

#include "model/atomic.h"
#include "model/count.h"
#include "model/family.h"
#include "result/result.h"

#include <string.h>

enum { WORD_BITS = 32, REFUSALS = 8 };

void bsim_access_count(const struct bsim_device *device, const struct bsim_event *event,
                       struct bsim_access_counts *counts)
{
    uint64_t address[BSIM_WARP_LANES];
    memset(counts, 0, sizeof *counts);
    switch (event->opcode.space) {
    case BSIM_SHARED:
        bsim_event_count(device, event, &counts->shared);
        counts->has_from = event->from != NULL;
        if (counts->has_from) {
            (void)bsim_event_copy_count(device, event, &counts->global);
        }
        break;
    case BSIM_GLOBAL:
    case BSIM_LOCAL:
    case BSIM_TEXTURE:
    case BSIM_PEER:
        bsim_event_global_count(device, event, &counts->global);
        break;
    default:
        bsim_event_addresses(event, address);
        counts->constant_passes = bsim_constant_passes(&event->opcode, event->mask, address);
        break;
    }
}

/* Adds n equal requests. They are not made a tally first: what is written in small pieces and read
 * at once in large ones holds the processor up. */
static void add_shared(const struct bsim_device *device, const struct bsim_counts *counts,
                       uint64_t n, struct bsim_tally *tally)
{
    uint64_t replays = device->replays && counts->wavefronts > 0 ? counts->wavefronts - 1 : 0;
    uint32_t ways = counts->ways;
    tally->requests += n;
    tally->wavefronts += n * counts->wavefronts;
    tally->ideal += n * counts->ideal;
    tally->conflicts += n * counts->conflicts;
    tally->replays += n * replays;
    tally->broadcasts += counts->broadcast ? n : 0;
    tally->multicasts += counts->multicast ? n : 0;
    tally->bytes_asked += n * counts->bytes_asked;
    tally->bytes_served += n * counts->bytes_served;
    tally->bytes_moved += n * counts->bytes_moved;
    tally->ways_min = tally->ways_min == 0 || ways < tally->ways_min ? ways : tally->ways_min;
    tally->ways_max = ways > tally->ways_max ? ways : tally->ways_max;
    tally->rules |= counts->rules | (replays > 0 ? bsim_rule_bit(BSIM_RULE_REPLAY) : 0);
}

static void add_global(const struct bsim_global_counts *counts, uint64_t n,
                       struct bsim_global_tally *tally)
{
    tally->requests += n;
    tally->sectors += n * counts->sectors;
    tally->lines += n * counts->lines;
    tally->transactions += n * counts->transactions;
    tally->bytes_asked += n * counts->bytes_asked;
    tally->wavefronts += n * counts->wavefronts;
    tally->packets += n * counts->packets;
}

void bsim_access_add(const struct bsim_device *device, const struct bsim_access_counts *counts,
                     uint64_t n, struct bsim_site_result *site)
{
    site->requests += n;
    switch (site->opcode.space) {
    case BSIM_SHARED:
        add_shared(device, &counts->shared, n, &site->tally);
        if (counts->has_from) {
            add_global(&counts->global, n, &site->global);
        }
        break;
    case BSIM_GLOBAL:
    case BSIM_LOCAL:
    case BSIM_TEXTURE:
    case BSIM_PEER:
        add_global(&counts->global, n, &site->global);
        break;
    default:
        site->constant_passes += n * counts->constant_passes;
        break;
    }
}

/* As bsim_fast_fill does for one of them. */
static uint32_t rules_of(const struct bsim_opcode *opcode, const struct bsim_fast_sums *sums)
{
    const struct bsim_family_row *family = bsim_family_row(opcode);
    return family->rules[opcode->bytes > 4] | (sums->some > 0 ? family->some_rules : 0) |
           (sums->pairs > 0 ? bsim_rule_bit(BSIM_RULE_PAIR) : 0) |
           (bsim_opcode_is_atomic(opcode) ? bsim_rule_bit(bsim_atomic_rule(opcode)) : 0);
}

void bsim_access_add_sums(const struct bsim_device *device, const struct bsim_fast_sums *sums,
                          struct bsim_site_result *site)
{
    const struct bsim_opcode *opcode = &site->opcode;
    bool reads = bsim_family_reads(opcode);
    uint64_t passes = bsim_opcode_is_atomic(opcode) ? bsim_atomic_passes(opcode) : 1;
    uint64_t wavefronts = sums->turns * passes;
    struct bsim_tally tally = {
        .requests = sums->n,
        .wavefronts = wavefronts,
        .ideal = sums->groups * passes,
        .conflicts = sums->turns - sums->groups,
        .replays = device->replays ? wavefronts - sums->n : 0,
        .broadcasts = reads ? sums->all : 0,
        .multicasts = reads ? sums->some - sums->all : 0,
        .bytes_asked = sums->lanes * opcode->bytes,
        .bytes_served = sums->words * bsim_fast_word_bytes(device, opcode),
        .bytes_moved = wavefronts * device->n_banks * device->bank_bytes,
        .ways_min = sums->ways_min,
        .ways_max = sums->ways_max,
        .rules = rules_of(opcode, sums),
    };
    tally.rules |= tally.replays > 0 ? bsim_rule_bit(BSIM_RULE_REPLAY) : 0;
    site->requests += sums->n;
    bsim_tally_add(&site->tally, &tally);
}

/* ---- entries -------------------------------------------------------------------------------- */

/* Leaves the slot empty. */
static void settle(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel, uint32_t slot)
{
    struct bsim_ledger_entry *entry = &ledger->entry[slot];
    if (entry->pattern.owner == 0) {
        return;
    }
    struct bsim_site_result *site = &kernel->sites[entry->pattern.owner - 1];
    site->requests += entry->n;
    if (site->opcode.space == BSIM_SHARED) {
        add_shared(&kernel->device, &ledger->counts[slot].shared, entry->n, &site->tally);
    } else {
        add_global(&ledger->counts[slot].global, entry->n, &site->global);
    }
    entry->pattern.owner = 0;
}

void bsim_ledger_settle(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel)
{
    for (uint32_t i = 0; i < BSIM_LEDGER_ENTRIES / WORD_BITS; i++) {
        for (; ledger->used[i] != 0; ledger->used[i] &= ledger->used[i] - 1) {
            settle(ledger, kernel, i * WORD_BITS + bsim_fast_trailing_zeros(ledger->used[i]));
        }
    }
}

/* Counts a pattern; false if it is none that can be entered. */
static bool count_pattern(const struct bsim_device *device, const struct bsim_event *event,
                          union bsim_ledger_counts *counts)
{
    uint32_t n_banks = device->n_banks;
    if (event->opcode.space == BSIM_SHARED && (n_banks & (n_banks - 1)) == 0 &&
        device->stride_bytes == device->bank_bytes) {
        bsim_event_count(device, event, &counts->shared);
        return true;
    }
    if (bsim_opcode_has_sectors(&event->opcode) && !bsim_opcode_is_atomic(&event->opcode)) {
        bsim_event_global_count(device, event, &counts->global);
        return true;
    }
    return false;
}

/* Gives the slot to the event's pattern, with no request yet; false if that cannot be entered. */
static bool enter(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel, uint32_t slot,
                  const struct bsim_ledger_key *pattern, const struct bsim_event *event)
{
    union bsim_ledger_counts counts;
    if (!count_pattern(&kernel->device, event, &counts)) {
        return false;
    }
    settle(ledger, kernel, slot);
    ledger->used[slot / WORD_BITS] |= UINT32_C(1) << slot % WORD_BITS;
    ledger->entry[slot] = (struct bsim_ledger_entry){*pattern, 0};
    ledger->counts[slot] = counts;
    return true;
}

/* The slot for a pattern that has none, in *slot; false if none is to give way to it. */
static bool find_room(struct bsim_ledger *ledger, const struct bsim_ledger_key *pattern,
                      uint32_t *slot)
{
    *slot = bsim_ledger_slot(pattern);
    const struct bsim_ledger_entry *two = &ledger->entry[*slot];
    bool is_full = two[0].pattern.owner != 0 && two[1].pattern.owner != 0;
    *slot += is_full ? two[1].n < two[0].n : two[0].pattern.owner != 0;
    return !is_full || ledger->n_refused++ % REFUSALS == 0;
}

/* Only the counts of the event's own space: clearing the others takes its time. */
static void add_now(const struct bsim_device *device, const struct bsim_event *event, uint64_t n,
                    struct bsim_site_result *site)
{
    struct bsim_access_counts counts;
    if (event->opcode.space == BSIM_SHARED && event->from == NULL) {
        bsim_event_count(device, event, &counts.shared);
        counts.has_from = false;
    } else if (bsim_opcode_has_sectors(&event->opcode)) {
        bsim_event_global_count(device, event, &counts.global);
    } else {
        bsim_access_count(device, event, &counts);
    }
    bsim_access_add(device, &counts, n, site);
}

void bsim_ledger_add(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel, uint32_t site,
                     const struct bsim_event *event, uint64_t n)
{
    if (event->affine && event->from == NULL) {
        struct bsim_ledger_key pattern = bsim_ledger_key_of(&kernel->device, event, site);
        struct bsim_ledger_entry *entry = bsim_ledger_find(ledger, &pattern);
        uint32_t slot;
        if (entry == NULL && find_room(ledger, &pattern, &slot) &&
            enter(ledger, kernel, slot, &pattern, event)) {
            entry = &ledger->entry[slot];
        }
        if (entry != NULL) {
            entry->n += n;
            return;
        }
    }
    add_now(&kernel->device, event, n, &kernel->sites[site]);
}
