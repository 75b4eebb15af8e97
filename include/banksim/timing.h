/* timing.h - the cycle model: how long a block's shared-memory traffic takes, and why.
 *
 * bsim_run gives the events to a timer, too, if cycles are wanted. It plays each block alone on one
 * SM, by the pipe that src/timing/README.md draws, and answers in SM clocks. What it needs from a
 * trace beyond addresses is `wait`, `work` and `repeat work=`; without any of these in a kernel,
 * requests are independent and in order. Memory grows with the events of one block, a repeat's body
 * once, not with turns: a loop's steady state is found and extended exactly.
 *
 * Global and constant accesses and shuffles are not modelled beyond the instruction itself, whose
 * result is there at once; what the first two take at least, bsim_cycles_memory says.
 *
 * Results of parts of a launch (other blocks) merge, see run.h. Whether a kernel has more
 * events than it is allowed depends on its own number alone, so the merged result is the same
 * however the blocks were split.
 */
#ifndef BANKSIM_TIMING_H
#define BANKSIM_TIMING_H

#include <banksim/device.h>
#include <banksim/event.h>

/* ---- the constants of a device --------------------------------------------------------------- */

enum {
    BSIM_MAX_PARTITIONS = 4,
    BSIM_MAX_SLOTS = 32,   /* queue_slots + pool_slots */
    BSIM_MAX_LATENCY = 26, /* result_latency */
};

/* In SM clocks unless it says otherwise. README.md has the experiment behind each. */
struct bsim_timing {
    uint32_t n_partitions;       /* the device's, 1 to 4; warp w belongs to w mod n_partitions */
    uint32_t work_interval;      /* between two `work` instructions of a partition */
    uint32_t chain_latency;      /* between two instructions of one `work` */
    uint32_t work_latency;       /* from the last of them to what follows */
    uint32_t memory_interval;    /* between two memory instructions of a warp */
    uint32_t branch_delay;       /* from a memory instruction to the branch behind it */
    uint32_t queue_slots;        /* requests that wait in a partition, at least 1 */
    uint32_t pool_slots;         /* requests that wait in the SM, at least 1 */
    uint32_t queue_latency;      /* from issue to the pool, which takes one request per clock */
    uint32_t pool_latency;       /* from the pool to the first wavefront */
    uint32_t turn_interval;      /* between two wavefronts of the SM */
    uint32_t partition_turn;     /* between two wavefronts of a partition */
    uint32_t result_latency;     /* from a request's last wavefront to its result */
    uint32_t group_latency;      /* more for each lane group of a wide load after the first */
    uint32_t atomic_latency;     /* more for an atomic's result */
    uint32_t store_delay;        /* more before the first wavefront of a conflicting store */
    uint32_t arrival_interval;   /* between two arrivals of warps at a barrier */
    uint32_t release_latency;    /* from the last arrival to the next memory instruction */
    uint32_t rejoin_delay;       /* more to the next barrier or branch */
    uint32_t edge_cycles;        /* clock reads at both ends of a block, part of every total */
    uint32_t edge_result_cycles; /* more in a block that waits for results */
    bool replays;                /* a request issues once for each of its turns */
    struct bsim_basis basis;     /* what they rest on as a whole */
    /* Global and constant memory: for bsim_cycles_memory alone. */
    uint32_t l2_latency;       /* from a global load's issue to its result, when L2 has the data */
    uint32_t tag_lines;        /* lines of global requests that an SM looks up per clock */
    uint32_t constant_turn;    /* of the SM, for each further address of a constant request */
    uint32_t constant_latency; /* the same of a warp alone that waits for each */
    bool one_pipe;             /* global requests go through the data pipe of shared memory */
    struct bsim_basis memory_basis;
};

/* The constants for device, which are never better graded than they were measured on it. */
BSIM_API void bsim_timing_find(const struct bsim_device *device, struct bsim_timing *timing);

/* A latency as it was published or timed, in SM clocks, apart from the cycle model. */
struct bsim_latency {
    uint32_t least, most; /* 0: not known */
    struct bsim_basis basis;
};

struct bsim_latencies {
    struct bsim_latency registers; /* of arithmetic whose result the next instruction needs */
    uint32_t issue_interval; /* clocks in which a scheduler begins one such instruction at best */
    struct bsim_latency shared; /* of a load without conflicts: the cycle model's */
    struct bsim_latency global; /* of a load that DRAM answers */
};

BSIM_API void bsim_latencies_find(const struct bsim_device *device,
                                  struct bsim_latencies *latencies);

/* ---- global and constant memory -------------------------------------------------------------- */

struct bsim_kernel_result; /* result.h has it */
struct bsim_result;

/* Clocks, summed over the blocks of the trace, each alone on an SM, which are taken to be alike. */
struct bsim_memory_cycles {
    uint64_t wavefronts; /* the global requests alone: in the data pipe, or looking up lines */
    uint64_t latency;    /* L2's, for each of the kernel's waits */
    uint64_t constant;   /* passes of constant requests beyond the first */
    uint64_t
        at_least; /* with shared memory's: what is busiest, or the first wait of each block, whose
                            L1 is empty */
    uint64_t in_turn; /* all of these after shared memory's cycles, as if nothing overlapped */
};

/* What a kernel takes with its traffic: a lower bound, and what it would be one after another.
 * Neither knows L1's misses beyond the first, DRAM, instructions that are not in the trace, or the
 * launch. On an H200 no launch of a twin of the emulated kernels was shorter than the first; the
 * second is some 200 clocks below most that meet in few phases, and far below those that wait for
 * one load after another (src/timing/README.md). Total, pure; zeroes but for shared memory's cycles
 * if the kernel's were left out. */
BSIM_API void bsim_cycles_memory(const struct bsim_kernel_result *kernel,
                                 struct bsim_memory_cycles *memory);

/* ---- the timer ------------------------------------------------------------------------------- */

/* The events that a kernel may have for its cycles to come without being asked for: a timer then
 * stays under 64 MB, and under a second. */
enum { BSIM_TIMER_EVENTS = 262144 };

/* So many instructions of work weigh as much as an event: playing one takes 30 to 40 ns, and the
 * largest `work` has four thousand million. */
enum { BSIM_TIMER_WORK = 32 };

/* The instructions that playing a kernel's blocks, as they are and without conflicts, may take for
 * its cycles to come without being asked for: a second or two. Looks for a steady state count, too,
 * and blocks that are like one before as if they were played again. A loop usually repeats itself
 * after some tens of turns, whatever their number, but where warps drift apart it may take all of
 * them: the programs of tests/measured take up to 178,000. One block may take half of that; as much
 * work as BSIM_TIMER_EVENTS allows takes a quarter. */
enum { BSIM_TIMER_STEPS = 1 << 25 };

/* And those that a single block may take even if the cycles are asked for: seconds, and more for a
 * block of many events. */
enum { BSIM_TIMER_BLOCK_STEPS = 1 << 26 };

/* The sites whose conflicts are removed in turn in one block: those with the most turns beyond the
 * ideal ones there, the first of equals. A site with conflicts that is not among them in some block
 * has its cycles_ideal left out, whatever it is in other blocks; the kernel's is there all the
 * same. So has a site without whose conflicts a block takes more than all the steps that it took
 * before. */
enum { BSIM_TIMER_SITES = 32 };

struct bsim_timer_options {
    const struct bsim_device *device; /* NULL: what a kernel's device= names, or the default */
    struct bsim_device_options device_options; /* for such a looked-up device */
    const struct bsim_timing *timing;          /* NULL: the device's */
    uint64_t max_events; /* see struct bsim_kernel_cycles; memory does not grow beyond it */
    uint64_t max_steps;  /* likewise */
    uint32_t registers;  /* of each thread, for blocks_per_sm; 0: not known */
    bool every_turn; /* play loops turn by turn: the same results, slowly, in any number of steps */
    bool clocked;    /* a block's cycles are those between clock readings at its ends: up to its
                            last instruction or result, not until its posted stores have drained */
    bool ideal;      /* also cycles_ideal of each kernel: plays each block twice */
    bool ideal_sites; /* and of sites with conflicts: once more for each, see BSIM_TIMER_SITES */
};

#endif
