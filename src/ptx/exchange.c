/* exchange.c - what lanes of a warp tell each other: shuffles, votes, matches, sums over a warp.
 *
 *     shfl.sync.down.b32 d|p, a, b, c, mask    lane l's d is lane l + b's a, within its segment
 *
 * All lanes are here that the instruction's mask names and that have not left (wait.c). What a lane
 * gets from one that is not here is its own value, where PTX leaves it open; this is told, and so is
 * one that is here but not in the mask.
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "ptx/push.h"

#include <string.h>

enum { LANES = BSIM_WARP_LANES };

static bool is_on(const struct bsim_ptx_warp *warp, uint32_t lane)
{
    return warp->mask >> lane & 1;
}

/* ---- shuffles -------------------------------------------------------------------------------- */

/* The lane that lane l gets its value from, and whether it is within l's segment. As PTX puts it: c
 * has the last lane of a segment in its bits 0 to 4, which lane bits choose the segment in 8 to 12.
 */
static uint32_t source_of(enum bsim_operation operation, uint32_t l, uint32_t b, uint32_t c,
                          bool *is_within)
{
    uint32_t segment = c >> 8 & 31, clamp = c & 31;
    uint32_t last = (l & segment) | (clamp & ~segment);
    uint32_t from = l;
    b &= 31;
    switch (operation) {
    case BSIM_UP:
        from = l - b;
        *is_within = l >= b + last;
        break;
    case BSIM_DOWN:
        from = l + b;
        *is_within = from <= last;
        break;
    case BSIM_BFLY:
        from = l ^ b;
        *is_within = from <= last;
        break;
    default:
        from = (l & segment) | (b & ~segment);
        *is_within = from <= last;
        break;
    }
    return *is_within ? from & 31 : l;
}

/* Whether lane l's mask names the lane; without .sync there is none. */
static bool is_named(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t l,
                     uint32_t lane)
{
    return step->e == 0 || (bsim_ptx_at32(warp, step->e)[l].u >> lane & 1) != 0;
}

/* a, b, c; more[0]: the place of p, or nowhere. */
static void run_shuffle(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const union bsim_w32 *b = bsim_ptx_at32(warp, step->b), *c = bsim_ptx_at32(warp, step->c);
    union bsim_w32 a[LANES];
    memcpy(a, bsim_ptx_at32(warp, step->a), sizeof a);
    uint32_t within = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        if (is_on(warp, l)) {
            bool is_within = false;
            uint32_t from = source_of(step->access->operation, l, b[l].u, c[l].u, &is_within);
            within |= (uint32_t)is_within << l;
            if (!is_on(warp, from) || !is_named(warp, step, l, from)) {
                bsim_ptx_find_no_source(warp, step, l, from);
            }
            bsim_ptx_at32(warp, step->d)[l] = a[is_on(warp, from) ? from : l];
        }
    }
    bsim_ptx_put_predicate(warp, step->more[0], within);
    bsim_ptx_push_event(warp, step, BSIM_NO_SPACE, NULL);
}

/* ---- members --------------------------------------------------------------------------------- */

/* Lanes that name the same members are a party of their own: a kernel whose tiles vote may run the
 * instruction for several tiles at once. Forms without .sync name nobody and are one party. */
static void by_members(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                       void (*run)(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step))
{
    const uint32_t all = warp->mask;
    if (!bsim_ptx_has(step->from, BSIM_PTX_SYNC)) {
        run(warp, step);
        return;
    }
    union bsim_w32 members[LANES];
    memcpy(members, bsim_ptx_at32(warp, step->e), sizeof members);
    for (uint32_t left = all; left != 0; left &= ~warp->mask) {
        uint32_t first = bsim_bits_lowest(left);
        warp->mask = 0;
        for (uint32_t l = first; l < LANES; l++) {
            bool is_member = (left >> l & 1) != 0 && members[l].u == members[first].u;
            warp->mask |= (uint32_t)is_member << l;
        }
        run(warp, step);
    }
    warp->mask = all;
}

/* ---- votes ----------------------------------------------------------------------------------- */

static uint32_t votes(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_negated = step->from->operand[1].is_negated;
    uint32_t yes = warp->file[step->a];
    return (is_negated ? ~yes : yes) & warp->mask;
}

static void vote_of_party(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t yes = votes(warp, step);
    bool is_all = yes == warp->mask, is_any = yes != 0;
    bool result = bsim_ptx_has(step->from, BSIM_PTX_ALL)   ? is_all
                  : bsim_ptx_has(step->from, BSIM_PTX_ANY) ? is_any
                                                           : is_all || !is_any;
    bsim_ptx_put_predicate(warp, step->d, result ? UINT32_MAX : 0);
}

static void run_vote(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    by_members(warp, step, vote_of_party);
}

static void put_everywhere(struct bsim_ptx_warp *warp, uint32_t place, uint32_t value)
{
    for (uint32_t l = 0; l < LANES; l++) {
        if (is_on(warp, l)) {
            bsim_ptx_at32(warp, place)[l].u = value;
        }
    }
}

static void ballot_of_party(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    put_everywhere(warp, step->d, votes(warp, step));
}

static void run_ballot(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    by_members(warp, step, ballot_of_party);
}

static void run_activemask(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    put_everywhere(warp, step->d, warp->mask);
}

/* ---- over a warp ----------------------------------------------------------------------------- */

static uint32_t combine(const struct bsim_ptx_instruction *from, uint32_t x, uint32_t y)
{
    bool is_signed = from->type[0] == BSIM_PTX_S32;
    bool is_below = is_signed ? (int32_t)y < (int32_t)x : y < x;
    return bsim_ptx_has(from, BSIM_PTX_ADD)   ? x + y
           : bsim_ptx_has(from, BSIM_PTX_AND) ? x & y
           : bsim_ptx_has(from, BSIM_PTX_OR)  ? x | y
           : bsim_ptx_has(from, BSIM_PTX_XOR) ? x ^ y
           : bsim_ptx_has(from, BSIM_PTX_MIN) ? (is_below ? y : x)
                                              : (is_below ? x : y);
}

static void redux_of_party(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const union bsim_w32 *a = bsim_ptx_at32(warp, step->a);
    uint32_t first = bsim_bits_lowest(warp->mask), result = a[first].u;
    for (uint32_t l = first + 1; l < LANES; l++) {
        result = is_on(warp, l) ? combine(step->from, result, a[l].u) : result;
    }
    put_everywhere(warp, step->d, result);
}

static void run_redux(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    by_members(warp, step, redux_of_party);
}

static uint64_t value_in(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         uint32_t lane)
{
    return bsim_ptx_take(warp, step->a, step->from->type[0] == BSIM_PTX_B64, lane);
}

static uint32_t lanes_like(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t lane)
{
    uint32_t same = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        bool is_same = is_on(warp, l) && value_in(warp, step, l) == value_in(warp, step, lane);
        same |= (uint32_t)is_same << l;
    }
    return same;
}

static void match_any_of_party(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t same[LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        same[l] = is_on(warp, l) ? lanes_like(warp, step, l) : 0;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (is_on(warp, l)) {
            bsim_ptx_at32(warp, step->d)[l].u = same[l];
        }
    }
}

static void run_match_any(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    by_members(warp, step, match_any_of_party);
}

static void match_all_of_party(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_all = lanes_like(warp, step, bsim_bits_lowest(warp->mask)) == warp->mask;
    put_everywhere(warp, step->d, is_all ? warp->mask : 0);
    bsim_ptx_put_predicate(warp, step->more[0], is_all ? UINT32_MAX : 0);
}

static void run_match_all(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    by_members(warp, step, match_all_of_party);
}

/* ---- bar.warp.sync --------------------------------------------------------------------------- */

void bsim_ptx_run_warp_sync(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bsim_ptx_push_event(warp, step, BSIM_NO_SPACE, NULL);
}

/* ---- which ----------------------------------------------------------------------------------- */

const struct bsim_ptx_exchange *bsim_ptx_find_exchange(
    const struct bsim_ptx_instruction *instruction)
{
    static const struct row {
        const char *mnemonic;
        uint8_t word;
        struct bsim_ptx_exchange exchange;
    } rows[] = {
        {"shfl", BSIM_PTX_UP, {run_shuffle, 4, 4, 4, 4, BSIM_UP}},
        {"shfl", BSIM_PTX_DOWN, {run_shuffle, 4, 4, 4, 4, BSIM_DOWN}},
        {"shfl", BSIM_PTX_BFLY, {run_shuffle, 4, 4, 4, 4, BSIM_BFLY}},
        {"shfl", BSIM_PTX_IDX, {run_shuffle, 4, 4, 4, 4, BSIM_IDX}},
        {"vote", BSIM_PTX_BALLOT, {run_ballot, 4, 1, 4, 0, BSIM_NO_OPERATION}},
        {"vote", 0, {run_vote, 1, 1, 4, 0, BSIM_NO_OPERATION}},
        {"activemask", 0, {run_activemask, 4, 0, 0, 0, BSIM_NO_OPERATION}},
        {"redux", 0, {run_redux, 4, 4, 4, 0, BSIM_NO_OPERATION}},
        {"match", BSIM_PTX_ANY, {run_match_any, 4, 4, 4, 0, BSIM_NO_OPERATION}},
        {"match", BSIM_PTX_ALL, {run_match_all, 4, 4, 4, 0, BSIM_NO_OPERATION}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].mnemonic, instruction->mnemonic) == 0 &&
            (rows[i].word == 0 || bsim_ptx_has(instruction, rows[i].word))) {
            return &rows[i].exchange;
        }
    }
    return NULL;
}
