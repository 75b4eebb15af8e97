/* hazard.h - races on shared and global memory, and barriers that a part of a block never reaches.
 *
 * A race: two accesses to one byte, at least one of them a write (st, stmatrix) and neither an
 * atomic, that nothing orders:
 *
 * - of different warps of one block, between the same two barriers: bar.sync orders what stands
 *   before it and after it, and a meeting of some warps (BSIM_ARRIVE) what stands before an arrival and
 *   behind the await. In a block with such meetings each byte that warps race on is found, but not each
 *   pair of instructions;
 * - of different lanes of one warp, in different instructions. From compute capability 7.0 on lanes
 *   need not run in step (CUDA C++ Programming Guide, "Independent Thread Scheduling"): bar.sync
 *   and a bar.warp.sync that names both order them, directly or by way of other lanes. Before, the
 *   order of the instructions holds if the compiler keeps to it: it does between volatile accesses,
 *   at a bar.warp.sync or fence, and from a load to the store that needs it: one that stands behind
 *   it on the same source line. (It need not otherwise: of the reduction of the last 64 elements
 *   without volatile nvcc 13.0 leaves seven loads and one store.)
 *
 * - of different blocks, in global memory, wherever in the kernel: nothing orders blocks before it
 *   ends, and what depends on them belongs into the next one. Atomics and fences may order them,
 *   which is not looked at: a block that finishes the others' work behind a counter is reported. Of
 *   each byte the first write and the first reads of two blocks are held against what comes later;
 *   so each byte that blocks race on is found, but not each pair of instructions. Bytes beyond some
 *   32 MiB that a kernel touches are not looked at (bsim_hazard_counts.n_partial says so).
 *
 * Several lanes of one store that write one byte are no race but a note: one of them wins, the
 * guide does not say which.
 *
 * Not checked:
 * - the lanes of a warp in machine code (Accel-Sim's traces): __syncwarp() of a warp that is
 *   together is a NOP there (nvcc 13.0, sm_75 to sm_100);
 * - atomics: not against each other, nor against plain accesses to the same byte; cp.async;
 * - order made by other means: a flag in memory, volatile or with fences. What it orders is reported as a race;
 * - values: two stores of the same value are a race as well.
 *
 * Findings do not depend on how a stream interleaves its warps. What they cover is what the stream
 * shows: other data or another launch shape may race where this one does not.
 */
#ifndef BANKSIM_HAZARD_H
#define BANKSIM_HAZARD_H

#include <banksim/device.h>
#include <banksim/event.h>

enum bsim_race_kind {
    BSIM_RACE_WARPS,   /* two warps of a block */
    BSIM_RACE_LANES,   /* two lanes of a warp */
    BSIM_RACE_REQUEST, /* two lanes of one store: a note */
    BSIM_RACE_BLOCKS,  /* two blocks of a kernel, in global memory */
};

/* One side of a race. */
struct bsim_race_access {
    uint32_t warp, lane;
    struct bsim_opcode opcode;
    const struct bsim_site *site; /* or NULL */
    uint64_t line;                /* in the trace; 0 if it has none */
};

/* Two static accesses that race, with the first place where they do: in the first block the first
 * interval, there the lowest address (of shared memory first), there the lowest warp. A static
 * access is a site or, without one, an opcode and a line of the trace. */
struct bsim_race {
    enum bsim_race_kind kind;
    const char *kernel;
    size_t kernel_index;          /* in the stream, from 0 */
    struct bsim_dim3 block;       /* of access[0], and of access[1] but for BSIM_RACE_BLOCKS */
    struct bsim_dim3 other_block; /* BSIM_RACE_BLOCKS: that of access[1]; else 0 */
    uint64_t barriers;            /* that the warps had passed in the block; between blocks 0 */
    uint64_t address;             /* of a byte that both access; its space is their opcode's */
    struct bsim_race_access
        access[2]; /* [0] is of the lower warp, the earlier in a warp, or of the block
                                          that came first */
    uint64_t
        n_bytes; /* bytes that the two race on, summed over intervals and blocks, within warps also
                         over warps and what lies between their barriers, of a note over requests,
                         between blocks over the requests of later blocks; a repeat counts as the few
                         turns that stand for all of them */
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
    const struct bsim_device *device; /* whose lanes they are; NULL: as bsim_run_options has it.
                                         Borrowed until bsim_hazards_new returns */
    void *context;                    /* for the callbacks */
    /* Called when a kernel is over (at the next KERNEL or END), once for each of its findings in
     * the order in which they were found, the fault last. May be NULL. All of it is borrowed until
     * the callback returns. */
    void (*on_race)(void *context, const struct bsim_race *race);
    void (*on_barrier_fault)(void *context, const struct bsim_barrier_fault *fault);
};

/* A new checker, or NULL when memory is short. *options is copied. Memory grows with the accesses
 * of a block that some warp has not yet left behind a barrier (one interval's, where the warps go
 * from barrier to barrier together), with the bodies of repeats, and with the global memory that a
 * kernel of several blocks touches, three bytes for each up to some 200 MiB. Its sink fails with
 * BSIM_E_USAGE for a stream out of order, BSIM_E_MEMORY, and BSIM_E_INPUT for more than 2^47
 * barriers and for a repeat of more than some millions of events whose warps are not at the same
 * barrier in each turn: such a repeat has to be run turn by turn. */
struct bsim_hazards;
BSIM_API struct bsim_hazards *bsim_hazards_new(const struct bsim_hazard_options *options);
BSIM_API struct bsim_sink bsim_hazards_sink(struct bsim_hazards *hazards);
BSIM_API void bsim_hazards_free(struct bsim_hazards *hazards);

struct bsim_hazard_counts {
    uint64_t kernels;
    uint64_t accesses;       /* events that were looked at; a repeat's body once */
    uint64_t races;          /* findings: calls of on_race but the notes */
    uint64_t notes;          /* calls of on_race for BSIM_RACE_REQUEST */
    uint64_t barrier_faults; /* kernels at fault: calls of on_barrier_fault */
    uint64_t passed_over;    /* events that were not looked at: atomics, cp.async, TMA and wgmma */
    uint64_t cut_short;      /* kernels whose search ended at max_races: there may be more */
    uint64_t
        n_partial; /* kernels of which not all global memory was looked at for races of blocks */
};

/* The findings of the kernels that are over: all of them after END. */
BSIM_API struct bsim_hazard_counts bsim_hazards_count(const struct bsim_hazards *hazards);

#endif
