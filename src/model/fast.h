/* fast.h - the counts of a request without its schedule: what fast.c, affine.c and the dealers
 * share. fast.c says how it works.
 *
 * The functions are here to be built into each dealer's file, with that file's instructions.
 */
#ifndef BSIM_MODEL_FAST_H
#define BSIM_MODEL_FAST_H

#include "base/bits.h"
#include "model/atomic.h"
#include "model/family.h"

#include <banksim/model.h>

/* The counts of a request by way of its schedule: what bsim_request_count has to answer. In
 * count.c. */
void bsim_plain_count(const struct bsim_device *device, const struct bsim_request *request,
                      struct bsim_counts *counts);

/* ---- the parts ------------------------------------------------------------------------------ */

/* A request in the one form that all are brought into: each lane, in one of equal groups of lanes
 * (of 32, two of 16 or four of 8), wants one row of one bank. Where an access is wider than a
 * bank's word, the neighbouring banks that it covers stand for one. */
struct bsim_deal_ask {
    uint32_t lanes; /* that take part */
    /* Two lanes want the same row of the same bank if these bits of their addresses are equal. The
     * lowest 2 + split bits are 0, which leaves room for a group's number. */
    uint32_t row_bits;
    uint32_t bank_from; /* (address >> bank_from) & last_bank is the bank */
    uint32_t last_bank; /* a power of two less 1; at most 31 >> split */
    uint32_t split;     /* 0, 1, 2: one group, two, four */
    bool shares;        /* lanes that want the same row take one turn together */
};

/* The answer. A group's ways are the turns of its busiest bank. */
struct bsim_deal {
    uint32_t turns;  /* the groups' ways, summed up */
    uint32_t groups; /* with a lane that takes part */
    uint32_t ways;   /* of the group that has most */
    uint32_t firsts; /* lanes, but those that share the turn of a lower one */
};

typedef struct bsim_deal bsim_dealer(const struct bsim_deal_ask *ask,
                                     const uint32_t address[BSIM_WARP_LANES]);

/* Whether every lane of mask has the address of its neighbour lane ^ 1, or every one that of
 * lane ^ 2, where that neighbour is in mask too. */
typedef bool bsim_pairer(uint32_t mask, const uint32_t address[BSIM_WARP_LANES]);

/* The counts of a request at these addresses. False, and nothing else, if no dealer can say: a
 * number of banks that is not a power of two or is more than 32, or an opcode that is no access, a
 * loop or cp.async.cg. */
typedef bool bsim_fast_counter(const struct bsim_device *device, const struct bsim_opcode *opcode,
                               uint32_t mask, const uint32_t address[BSIM_WARP_LANES],
                               struct bsim_counts *counts);

/* An event's addresses, modulo 2^32, to be counted next: written in pieces as large as those that
 * the dealer of that processor reads, which otherwise waits for the last of them. */
typedef void bsim_fast_lister(const struct bsim_event *event, uint32_t address[BSIM_WARP_LANES]);

/* ---- sums of many requests ------------------------------------------------------------------ */

/* What follows from a device and an opcode alone. */
struct bsim_fast_plan {
    struct bsim_deal_ask ask; /* but for the lanes and the pair rule */
    uint32_t rows;            /* of a matrix form: the lanes that take part; else 0 */
    bool may_pair;            /* a wide load, */
    bool has_pair_rule;       /* and then fewer groups */
};

/* What requests with one plan come to; zeroed, of none. */
struct bsim_fast_sums {
    uint64_t n;
    uint64_t turns, groups, words, lanes;
    uint64_t some, all; /* requests in which lanes share a turn, all lanes of every group do */
    uint64_t pairs;     /* in which the pair rule's condition holds */
    uint32_t ways_min, ways_max;
};

/* False where bsim_fast_counter is, and for an opcode that asks for nothing. */
bool bsim_fast_plan(const struct bsim_device *device, const struct bsim_opcode *opcode,
                    struct bsim_fast_plan *plan);

/* Adds n requests at these addresses, of which mask has one at least. */
typedef void bsim_fast_summer(const struct bsim_fast_plan *plan, uint32_t mask,
                              const uint32_t address[BSIM_WARP_LANES], uint64_t n,
                              struct bsim_fast_sums *sums);

/* The one that suits this processor best. */
bsim_fast_summer *bsim_fast_best_summer(void);

bsim_fast_summer bsim_fast_sum_portable;
bsim_fast_counter bsim_fast_count_portable;
bsim_fast_lister bsim_fast_list_portable;

#if defined(__x86_64__) && defined(__GNUC__)
#define BSIM_HAS_X86 1
bsim_fast_counter bsim_fast_count_avx2;
bsim_fast_lister bsim_fast_list_avx2;
bsim_fast_summer bsim_fast_sum_avx2;
bsim_fast_counter bsim_fast_count_avx512;
bsim_fast_lister bsim_fast_list_avx512;
bsim_fast_summer bsim_fast_sum_avx512;
bool bsim_fast_has_avx2(void);
bool bsim_fast_has_avx512(void);
#endif

/* Built into their callers, so that a dealer's answer never leaves the registers. */
#ifdef __GNUC__
#define BSIM_FAST_INLINE inline __attribute__((always_inline))
#else
#define BSIM_FAST_INLINE inline
#endif

/* The counts of an event's lanes in step, if there is a closed form; see affine.c. */
bool bsim_affine_count(const struct bsim_device *device, const struct bsim_event *event,
                       struct bsim_counts *counts);

/* ---- bits ----------------------------------------------------------------------------------- */

/* A file whose processor has an instruction for it says so before it includes this one; without,
 * compilers call a function that is slower than this. */
static BSIM_FAST_INLINE uint32_t bsim_fast_population(uint32_t lanes)
{
#ifdef BSIM_FAST_HAS_POPCNT
    return (uint32_t)__builtin_popcount(lanes);
#else
    if (lanes == BSIM_FULL_MASK) {
        return BSIM_WARP_LANES;
    }
    return bsim_bits_population(lanes);
#endif
}

/* n is not 0. */
static BSIM_FAST_INLINE uint32_t bsim_fast_trailing_zeros(uint32_t n)
{
#ifdef __GNUC__
    return (uint32_t)__builtin_ctz(n);
#else
    return bsim_fast_population(~n & (n - 1));
#endif
}

/* ---- what follows from the opcode ----------------------------------------------------------- */

enum { BSIM_FAST_MAX_BYTES = 16, BSIM_FAST_NO_LOG2 = 0xff };

/* Of the powers of two from 1 to 16; BSIM_FAST_NO_LOG2 for anything else. */
static BSIM_FAST_INLINE uint32_t bsim_fast_log2(uint32_t bytes)
{
    enum { NO = BSIM_FAST_NO_LOG2 };
    static const uint8_t log2_of[BSIM_FAST_MAX_BYTES + 1] = {NO, 0,  1,  NO, 2,  NO, NO, NO, 3,
                                                             NO, NO, NO, NO, NO, NO, NO, 4};
    return bytes <= BSIM_FAST_MAX_BYTES ? log2_of[bytes] : BSIM_FAST_NO_LOG2;
}

/* How a device's banks lie: their number, and the bytes from one to the next and of one, all as
 * powers of two. */
struct bsim_fast_banks {
    uint32_t n_log2, stride_log2, width_log2;
};

/* False if they do not: see bsim_fast_counter. */
static inline bool bsim_fast_banks(const struct bsim_device *device, struct bsim_fast_banks *banks)
{
    banks->n_log2 = device->n_banks != 0 ? bsim_fast_trailing_zeros(device->n_banks) : 0;
    banks->stride_log2 = bsim_fast_log2(device->stride_bytes);
    banks->width_log2 = bsim_fast_log2(device->bank_bytes);
    return device->n_banks == UINT32_C(1) << banks->n_log2 && banks->n_log2 <= 5 &&
           banks->stride_log2 != BSIM_FAST_NO_LOG2 && banks->width_log2 != BSIM_FAST_NO_LOG2;
}

/* Whether they are those of nearly every device, for which most of an ask is known when it is
 * compiled. */
static BSIM_FAST_INLINE bool bsim_fast_usual(const struct bsim_device *device,
                                             struct bsim_fast_banks *banks)
{
    *banks = (struct bsim_fast_banks){5, 2, 2};
    return device->n_banks == 32 && device->stride_bytes == 4 && device->bank_bytes == 4;
}

/* The ask, but for the pair rule. False if there is none. */
static BSIM_FAST_INLINE bool bsim_fast_ask(struct bsim_fast_banks banks,
                                           const struct bsim_device *device,
                                           const struct bsim_opcode *opcode, uint32_t mask,
                                           struct bsim_deal_ask *ask)
{
    uint32_t bytes_log2 = bsim_fast_log2(opcode->bytes);
    if (bytes_log2 == BSIM_FAST_NO_LOG2 || !bsim_opcode_is_access(opcode) ||
        opcode->path == BSIM_BYPASS) {
        return false;
    }
    if (bsim_opcode_is_atomic(opcode) && bsim_atomic_rule(opcode) == BSIM_RULE_LOOP) {
        return false;
    }
    uint32_t around_log2 = banks.n_log2 + banks.stride_log2; /* bytes until bank 0 comes again */
    uint32_t wide = bytes_log2 > banks.width_log2 ? bytes_log2 - banks.width_log2 : 0;
    ask->lanes = mask;
    ask->shares = bsim_family_row(opcode)->shares;
    ask->split = wide;
    if (bsim_opcode_is_matrix(opcode)) {
        ask->lanes = bsim_opcode_lanes(opcode, mask);
        ask->split = 2;
    } else if (bsim_opcode_is_atomic(opcode)) {
        ask->shares = bsim_atomic_shares(device, opcode);
    }
    ask->bank_from = bytes_log2 > banks.stride_log2 ? bytes_log2 : banks.stride_log2;
    ask->row_bits = BSIM_FULL_MASK << ask->bank_from;
    if (banks.width_log2 != banks.stride_log2) {
        ask->row_bits &= ~(UINT32_C(1) << around_log2);
    }
    if (ask->bank_from > around_log2 || ask->bank_from < 2 + ask->split ||
        around_log2 - ask->bank_from + ask->split > 5) {
        return false;
    }
    ask->last_bank = (UINT32_C(1) << (around_log2 - ask->bank_from)) - 1;
    return true;
}

/* The lowest lane of each group. */
static BSIM_FAST_INLINE uint32_t bsim_fast_lowest(const struct bsim_deal_ask *ask)
{
    uint32_t size = BSIM_WARP_LANES >> ask->split;
    uint32_t lowest = 0;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        uint32_t group = ask->lanes & BSIM_FULL_MASK >> (BSIM_WARP_LANES - size) << first;
        lowest |= group & (0 - group);
    }
    return lowest;
}

/* The bytes that one turn of a lane has served, of the words of the banks that it covers. */
static BSIM_FAST_INLINE uint32_t bsim_fast_word_bytes(const struct bsim_device *device,
                                                      const struct bsim_opcode *opcode)
{
    uint32_t stride = device->stride_bytes;
    uint32_t bytes = opcode->bytes > stride ? opcode->bytes : stride;
    return bsim_opcode_is_atomic(opcode) ? bytes * bsim_atomic_passes(opcode) : bytes;
}

/* How many turns have words of their own. That is one for each of the firsts, unless a row has
 * several words, of which a turn that lanes share may have served more than one. */
static BSIM_FAST_INLINE uint32_t bsim_fast_words(bsim_dealer *deal, const struct bsim_deal_ask *ask,
                                                 const uint32_t address[BSIM_WARP_LANES],
                                                 uint32_t firsts)
{
    struct bsim_deal_ask by_word = *ask;
    by_word.row_bits = BSIM_FULL_MASK << ask->bank_from;
    return by_word.row_bits == ask->row_bits ? firsts
                                             : bsim_fast_population(deal(&by_word, address).firsts);
}

/* ---- what follows from the deal ------------------------------------------------------------- */

static BSIM_FAST_INLINE void bsim_fast_fill(const struct bsim_device *device,
                                            const struct bsim_opcode *opcode,
                                            const struct bsim_deal_ask *ask, bool pairs,
                                            struct bsim_deal deal, uint32_t words,
                                            struct bsim_counts *counts)
{
    const struct bsim_family_row *family = bsim_family_row(opcode);
    bool reads = bsim_family_reads(opcode);
    bool some = deal.firsts != ask->lanes;
    uint32_t firsts = bsim_fast_population(deal.firsts);
    bool all = some && firsts == deal.groups;
    counts->wavefronts = deal.turns;
    counts->ideal = deal.groups;
    counts->rules = family->rules[opcode->bytes > 4] | (some ? family->some_rules : 0) |
                    (pairs ? bsim_rule_bit(BSIM_RULE_PAIR) : 0);
    if (bsim_opcode_is_atomic(opcode)) {
        counts->wavefronts *= bsim_atomic_passes(opcode);
        counts->ideal *= bsim_atomic_passes(opcode);
        counts->rules |= UINT32_C(1) << bsim_atomic_rule(opcode);
    }
    counts->conflicts = deal.turns - deal.groups;
    counts->ways = deal.ways;
    counts->bytes_asked = bsim_fast_population(ask->lanes) * opcode->bytes;
    counts->bytes_served = words * bsim_fast_word_bytes(device, opcode);
    counts->bytes_moved = counts->wavefronts * device->n_banks * device->bank_bytes;
    counts->broadcast = reads && all;
    counts->multicast = reads && some && !all;
}

static BSIM_FAST_INLINE bool bsim_fast_count_on(struct bsim_fast_banks banks, bsim_dealer *deal,
                                                bsim_pairer *pair, const struct bsim_device *device,
                                                const struct bsim_opcode *opcode, uint32_t mask,
                                                const uint32_t address[BSIM_WARP_LANES],
                                                struct bsim_counts *counts)
{
    struct bsim_deal_ask ask;
    if (!bsim_fast_ask(banks, device, opcode, mask, &ask)) {
        return false;
    }
    bool pairs = opcode->family == BSIM_LD && ask.split > 0 && pair(mask, address);
    ask.split -= pairs && device->has_pair_rule;
    struct bsim_deal its = deal(&ask, address);
    uint32_t words = bsim_fast_words(deal, &ask, address, bsim_fast_population(its.firsts));
    bsim_fast_fill(device, opcode, &ask, pairs, its, words, counts);
    return true;
}

/* A bsim_fast_counter, made of a dealer and a pairer. */
static BSIM_FAST_INLINE bool bsim_fast_count(bsim_dealer *deal, bsim_pairer *pair,
                                             const struct bsim_device *device,
                                             const struct bsim_opcode *opcode, uint32_t mask,
                                             const uint32_t address[BSIM_WARP_LANES],
                                             struct bsim_counts *counts)
{
    struct bsim_fast_banks banks;
    if (bsim_fast_usual(device, &banks)) {
        return bsim_fast_count_on(banks, deal, pair, device, opcode, mask, address, counts);
    }
    return bsim_fast_banks(device, &banks) &&
           bsim_fast_count_on(banks, deal, pair, device, opcode, mask, address, counts);
}

/* A bsim_fast_summer, made of the same. */
static BSIM_FAST_INLINE void bsim_fast_sum(bsim_dealer *deal, bsim_pairer *pair,
                                           const struct bsim_fast_plan *plan, uint32_t mask,
                                           const uint32_t address[BSIM_WARP_LANES], uint64_t n,
                                           struct bsim_fast_sums *sums)
{
    struct bsim_deal_ask ask = plan->ask;
    bool pairs = plan->may_pair && pair(mask, address);
    ask.lanes = plan->rows != 0 ? plan->rows : mask;
    ask.split -= pairs && plan->has_pair_rule;
    struct bsim_deal its = deal(&ask, address);
    bool some = its.firsts != ask.lanes;
    uint32_t firsts = bsim_fast_population(its.firsts);
    bool all = some && firsts == its.groups;
    sums->n += n;
    sums->turns += n * its.turns;
    sums->groups += n * its.groups;
    sums->words += n * bsim_fast_words(deal, &ask, address, firsts);
    sums->lanes += n * bsim_fast_population(ask.lanes);
    sums->some += some ? n : 0;
    sums->all += all ? n : 0;
    sums->pairs += pairs ? n : 0;
    sums->ways_min = sums->ways_min == 0 || its.ways < sums->ways_min ? its.ways : sums->ways_min;
    sums->ways_max = its.ways > sums->ways_max ? its.ways : sums->ways_max;
}

#endif
