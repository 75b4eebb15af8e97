/* hazard.h - races on shared memory, and barriers that a part of a block never reaches.
 *
 * A race: two accesses of different warps of one block to one shared byte between the same two
 * barriers, at least one of them a write (st, stmatrix) and neither an atomic. bar.sync orders what
 * stands before it and after it; nothing else orders two warps.
 *
 * Not checked:
 * - the order of lanes within a warp: a warp's accesses never race with each other here, as if it
 *   ran in lockstep. Under independent thread scheduling (compute capability 7.0 on) code that
 *   relies on this needs __syncwarp(), and banksim does not see whether it is there;
 * - global memory, and anything between blocks;
 * - atomics: not against each other, nor against plain accesses to the same byte;
 * - order made by other means: a flag in memory, fences, barriers of a part of the block (bar.sync
 *   with a number or a thread count, mbarrier). What they order is reported as a race;
 * - values: two stores of the same value are a race as well.
 *
 * Findings do not depend on how a stream interleaves its warps. What they cover is what the stream
 * shows: other data or another launch shape may race where this one does not.
 */
#ifndef BANKSIM_HAZARD_H
#define BANKSIM_HAZARD_H

#include <banksim/event.h>

/* One side of a race. */
struct bsim_race_access {
    uint32_t warp, lane;
    struct bsim_opcode opcode;
    const struct bsim_site *site; /* or NULL */
    uint64_t line;                /* in the trace; 0 if it has none */
};

/* Two static accesses that race, with the first place where they do: in the first block the first
 * interval, there the lowest address, there the lowest warp. A static access is a site or, without
 * one, an opcode and a line of the trace. */
struct bsim_race {
    const char *kernel;
    size_t kernel_index; /* in the stream, from 0 */
    struct bsim_dim3 block;
    uint64_t barriers;                 /* that the two warps had passed in the block */
    uint32_t address;                  /* of a byte that both access, in the block's window */
    struct bsim_race_access access[2]; /* [0] is of the lower warp */
    uint64_t n_bytes; /* bytes that the two race on, summed over intervals and blocks; a repeat
                         counts as the one or two turns that stand for all of them */
};

/* Blocks whose warps do not all reach the same number of barriers, with the first of them. */
struct bsim_barrier_fault {
    const char *kernel;
    size_t kernel_index;
    struct bsim_dim3 block;
    uint32_t short_warps; /* bit w: warp w reaches fewer barriers than others */
    uint32_t warp[2];     /* the first warp of those that reach the most, of those with the least */
    uint64_t barriers[2]; /* that they reach */
    const struct bsim_site *site[2]; /* of each one's last barrier, or NULL */
    uint64_t line[2];                /* of each one's last barrier in the trace; 0 if none */
    uint64_t n_blocks;               /* of the kernel that are at fault */
};

struct bsim_hazard_options {
    uint32_t max_races; /* the search of a kernel ends with this many findings; 0: 1000 */
    void *context;      /* for the callbacks */
    /* Called when a kernel is over (at the next KERNEL or END), once for each of its findings in
     * the order in which they were found, the fault last. May be NULL. All of it is borrowed until
     * the callback returns. */
    void (*on_race)(void *context, const struct bsim_race *race);
    void (*on_barrier_fault)(void *context, const struct bsim_barrier_fault *fault);
};

/* A new checker, or NULL when memory is short. *options is copied. Memory grows with the accesses
 * of a block that some warp has not yet left behind a barrier (one interval's, where the warps go
 * from barrier to barrier together) and with the bodies of repeats. Its sink fails with
 * BSIM_E_USAGE for a stream out of order, BSIM_E_MEMORY, and BSIM_E_INPUT for more than 2^47
 * barriers and for a repeat of more than some millions of events whose warps are not at the same
 * barrier in each turn: such a repeat has to be run turn by turn. */
struct bsim_hazards;
BSIM_API struct bsim_hazards *bsim_hazards_new(const struct bsim_hazard_options *options);
BSIM_API struct bsim_sink bsim_hazards_sink(struct bsim_hazards *hazards);
BSIM_API void bsim_hazards_free(struct bsim_hazards *hazards);

struct bsim_hazard_counts {
    uint64_t races;          /* findings: calls of on_race */
    uint64_t barrier_faults; /* kernels at fault: calls of on_barrier_fault */
    uint64_t cut_short;      /* kernels whose search ended at max_races: there may be more */
};

/* The findings of the kernels that are over: all of them after END. */
BSIM_API struct bsim_hazard_counts bsim_hazards_count(const struct bsim_hazards *hazards);

#endif
