/* next.h - what a partition issues next: the clock, and which of its warps. */
#ifndef BSIM_TIMING_NEXT_H
#define BSIM_TIMING_NEXT_H

#include "timing/machine.h"

/* When the warp can issue an instruction, as its partition allows: of its op, or of its loop's
 * control. */
BSIM_HOT uint64_t op_time(const struct bsim_partition *p, size_t local)
{
    return later(p->wake[local], p->gate[p->kind[local]]);
}

BSIM_HOT uint64_t control_time(const struct bsim_partition *p, size_t local)
{
    return later(p->control[local], p->control_ready);
}

/* When the first of the partition's warps can issue its op; of four at a time, as there are, if need be such as never do.
 * Here and below there are choices rather than branches, as is the choice among partitions: who is next changes all the
 * time, and a processor that guesses is wrong half the time. */
BSIM_HOT uint64_t first_of_four(const struct bsim_partition *p, size_t i)
{
    return sooner_clock(sooner_clock(op_time(p, i), op_time(p, i + 1)), sooner_clock(op_time(p, i + 2), op_time(p, i + 3)));
}

BSIM_HOT uint64_t first_op(const struct bsim_partition *p)
{
    uint64_t first = first_of_four(p, 0);
    for (size_t i = 4; i < p->n_warps; i += 4) {
        first = sooner_clock(first, first_of_four(p, i));
    }
    return first;
}

static inline uint64_t first_control(const struct bsim_partition *p)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < p->n_warps; i++) {
        first = sooner(first, control_time(p, i));
    }
    return first;
}

/* Who goes first of those that can issue in that clock: the least key. */
BSIM_HOT uint64_t key_if(uint64_t key, bool can)
{
    return key | (0 - (uint64_t)!can);
}

BSIM_HOT uint64_t op_key(const struct bsim_partition *p, size_t i, uint64_t clock)
{
    return key_if(p->order[i], op_time(p, i) <= clock);
}

BSIM_HOT uint64_t key_of_four(const struct bsim_partition *p, size_t i, uint64_t clock)
{
    return sooner(sooner(op_key(p, i, clock), op_key(p, i + 1, clock)),
                  sooner(op_key(p, i + 2, clock), op_key(p, i + 3, clock)));
}

/* The key of those whose ops can issue in that clock. Of several warps it is one of the older block, which came to the
 * SM before, and of a block's the one that has waited longest:
 *
 *      block 0  |==========|                      four blocks with nothing but arithmetic: each takes what
 *      block 1  |  =  =  =  ==========|           the older ones leave
 *      block 2  |           =  =  =  ==========|
 */
BSIM_HOT uint64_t least_key(const struct bsim_partition *p, uint64_t clock)
{
    uint64_t least = key_of_four(p, 0, clock);
    for (size_t i = 4; i < p->n_warps; i += 4) {
        least = sooner(least, key_of_four(p, i, clock));
    }
    return least;
}

/* The same, their loops' control among them. */
static inline uint64_t least_of_both(const struct bsim_partition *p, uint64_t clock)
{
    uint64_t least = least_key(p, clock);
    for (size_t i = 0; i < p->n_warps; i++) {
        uint64_t key = p->rank[i] + (p->control[i] << BSIM_WARP_BITS);
        least = sooner(least, key_if(key, control_time(p, i) <= clock));
    }
    return least;
}

/* Whether the warp that issued last goes on in that clock: with a request, or with anything else that
 * follows within BSIM_GOES_ON clocks, if it has not yielded.
 *
 *      clock                     10  11  12  13  14  15  16      a pipe of 2 clocks
 *      warp 0, three sums in turn A       B       C                goes on with B, and with C
 *      warp 1, since 11                                  D         has waited longer than
 *      warp 2, since 12                                            this one
 */
BSIM_HOT bool goes_on(const struct bsim_partition *p, bool is_op, bool is_control, uint64_t clock)
{
    bool is_soon = clock < p->issue_ready + p->goes_on;
    return (is_op | is_control) & (is_soon | (is_op & (p->kind[p->last] == BSIM_OP_MEMORY)));
}

/* Which instruction of the partition issues next, from clock `from` on: its clock and warp. */
BSIM_HOT uint64_t next_op(const struct bsim_partition *p, uint64_t from, uint32_t last)
{
    uint64_t clock = sooner_clock(later(first_op(p), later(p->issue_ready, from)), BSIM_NEVER);
    bool again = goes_on(p, op_time(p, last) <= clock, false, clock);
    uint64_t local = choose(again, last, least_key(p, clock) % BSIM_BLOCK_MAX_WARPS);
    return clock << BSIM_KEY_BITS | local;
}

/* The same where a loop has control. */
static inline uint64_t next_of_both(const struct bsim_partition *p, uint64_t from)
{
    uint64_t first = sooner(first_op(p), first_control(p));
    uint64_t clock = sooner(later(first, later(p->issue_ready, from)), BSIM_NEVER);
    bool again = goes_on(p, op_time(p, p->last) <= clock, control_time(p, p->last) <= clock, clock);
    uint64_t local = again ? p->last : least_of_both(p, clock) % BSIM_BLOCK_MAX_WARPS;
    return clock << BSIM_KEY_BITS | local;
}

BSIM_HOT uint64_t next_in(const struct bsim_partition *p, uint64_t from)
{
    return p->controls ? next_of_both(p, from) : next_op(p, from, p->last);
}

static inline void look_ahead(struct bsim_machine *m, uint32_t partition, uint64_t from)
{
    m->at[partition] = next_in(&m->partition[partition], from) | partition << BSIM_WARP_BITS;
}

/* Which instruction issues next of all. Known as soon as the one before has issued, so that what another machine does
 * meanwhile hides the way to it. */
static inline void bsim_choose_next(struct bsim_machine *m)
{
    uint64_t key = sooner_clock(sooner_clock(m->at[0], m->at[1]), sooner_clock(m->at[2], m->at[3]));
    m->next_warp = m->by_key[key % (1 << BSIM_KEY_BITS)];
    m->next = key;
    if (key >> BSIM_KEY_BITS < BSIM_NEVER) {
        m->next_kind = m->next_warp->op->kind;
    }
}

#endif
