/* result.h - results: what was counted and timed, by kernel and site, and how results are put
 * together. They are plain data.
 */
#ifndef BANKSIM_RESULT_H
#define BANKSIM_RESULT_H

#include <banksim/model.h>

/* Requests that are counted apart: ldmatrix with the loads, stmatrix and cp.async with the stores,
 * atom and red as atomics. */
enum bsim_class { BSIM_LOADS, BSIM_STORES, BSIM_ATOMICS, BSIM_N_CLASSES };

/* Sums over shared-memory requests. */
struct bsim_tally {
    uint64_t requests;
    uint64_t wavefronts;
    uint64_t ideal;
    uint64_t conflicts; /* the profilers' bank conflicts; see bsim_tally_excessive */
    uint64_t replays;   /* further issues of conflicting requests; 0 unless device.replays */
    uint64_t broadcasts;
    uint64_t multicasts;
    uint64_t bytes_asked;
    uint64_t bytes_served;
    uint64_t bytes_moved;
    uint32_t ways_min; /* 0 while there is no request */
    uint32_t ways_max;
    uint32_t rules; /* bit r: enum bsim_rule r took part */
};

/* The wavefronts that conflicts add. Those of a compare-and-swap are two for each of the profilers'
 * conflicts. */
static inline uint64_t bsim_tally_excessive(const struct bsim_tally *tally)
{
    return tally->wavefronts - tally->ideal;
}

/* Sums over requests to global or local memory, textures or peers. */
struct bsim_global_tally {
    uint64_t requests;
    uint64_t sectors;      /* of 32 bytes */
    uint64_t lines;        /* of 128 bytes */
    uint64_t transactions; /* as nvprof counted them; without BSIM_NVPROF_KERNEL_LOADS; of global
                              memory alone */
    uint64_t bytes_asked;
    uint64_t wavefronts; /* in the data banks of L1, at least */
    uint64_t packets;    /* between SMs, of peers' shared memory; of atomics the least */
};

/* ---- cycles ---------------------------------------------------------------------------------- */

/* bsim_run gives the events to a timer, too, if cycles are wanted: how long a block's shared-memory
 * traffic takes, and why. It plays each block alone on one SM, by the pipe that
 * src/timing/README.md draws, and answers in SM clocks. What it needs from a trace beyond addresses
 * is `wait`, `work` and `repeat work=`; without any of these in a kernel, requests are independent
 * and in order. Memory grows with the events of one block, a repeat's body once, not with turns: a
 * loop's steady state is found and extended exactly.
 *
 * Global and constant accesses and shuffles are not modelled beyond the instruction itself, whose
 * result is there at once; what the first two take at least, bsim_cycles_memory says.
 *
 * Results of parts of a launch (other blocks) merge, see run.h. Whether a kernel has more events
 * than it is allowed depends on its own number alone, so the merged result is the same however the
 * blocks were split. */

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

/* Every so many blocks of a launch one is played with as many like it as an SM has at a time, but at
 * most so many in all: which these are follows from their numbers, so parts of a launch agree. */
enum { BSIM_TIMER_TOGETHER = 64, BSIM_TIMER_SAMPLES = 16 };

struct bsim_timer_options {
    const struct bsim_device *device; /* NULL: what a kernel's device= names, or the default */
    struct bsim_device_options device_options; /* for such a looked-up device */
    const struct bsim_timing *timing;          /* NULL: the device's */
    uint64_t max_events; /* see struct bsim_kernel_cycles; memory does not grow beyond it */
    uint64_t max_steps;  /* likewise */
    uint32_t registers;  /* of each thread, for blocks_per_sm; 0: as many as a kernel says */
    bool every_turn; /* play loops turn by turn: the same results, slowly, in any number of steps */
    bool clocked;    /* a block's cycles are those between clock readings at its ends: up to its
                            last instruction or result, not until its posted stores have drained */
    bool ideal;      /* also cycles_ideal of each kernel: plays each block twice */
    bool ideal_sites; /* and of sites with conflicts: once more for each, see BSIM_TIMER_SITES */
};

/* Where the warps' time goes: sums of clocks over all warps, which add up to the time the warps
 * were under way. Divide by bsim_kernel_cycles.warps_run to get clocks of an average warp. */
struct bsim_stalls {
    uint64_t issue;   /* issuing, dependences between instructions, loop control */
    uint64_t pipe;    /* held up by the data pipe: queues full, or a result late because of them, or
                         at its end stores that have not drained */
    uint64_t latency; /* waiting for results beyond that: the latency that nothing hides */
    uint64_t barrier; /* waiting at barriers */
};

/* What a timer says of a site; all 0 if the kernel's cycles are left out. */
struct bsim_site_cycles {
    uint64_t requests;
    uint64_t turns;            /* clocks of the data pipe that its requests take */
    uint64_t turns_ideal;      /* the same without conflicts */
    struct bsim_stalls stalls; /* pipe: its instructions held up, its results late; latency: its
                                  results waited for; issue and barrier: 0 */
    uint64_t cycles_ideal;     /* of the kernel, this site's conflicts alone removed; 0: not asked
                                  for, or left out */
    bool left_out;             /* cycles_ideal was, see BSIM_TIMER_SITES */
};

struct bsim_site_result {
    uint32_t number; /* 0: all accesses of that opcode without a site */
    struct bsim_opcode opcode;
    char *file; /* or NULL */
    uint32_t line;
    char *text;                      /* or NULL */
    uint64_t requests;               /* of any space; a shuffle's: how many */
    struct bsim_tally tally;         /* of shared requests */
    struct bsim_global_tally global; /* of global, local, texture or peers' requests */
    uint64_t constant_passes;        /* of constant requests */
    struct bsim_site_cycles timed;
};

/* Whether its sectors and lines are counted, be it as 0; if not they are not known, and 0 as well. */
static inline bool bsim_site_knows_sectors(const struct bsim_site_result *site)
{
    return bsim_opcode_knows_sectors(&site->opcode, site->requests == site->global.requests);
}

/* What a timer says of a kernel. */
struct bsim_kernel_cycles {
    bool is_timed;      /* false: no timer was asked, and nothing else is set */
    uint32_t registers; /* per thread; 0: not known */
    struct bsim_timing timing;
    uint64_t events;     /* those of each warp; a repeat is one and its body counts once */
    uint64_t work;       /* instructions of `work` and of loops' control, counted like events; of a
                              kernel that is left out: 0 */
    uint64_t max_events; /* that it may have, BSIM_TIMER_WORK of work being one; 0: any number */
    uint64_t steps;      /* instructions that playing its blocks took, see BSIM_TIMER_STEPS; of a
                              kernel that is left out: 0 */
    uint64_t max_steps;  /* that it may take; 0: BSIM_TIMER_BLOCK_STEPS */
    bool left_out;       /* it has or takes more: every sum below is 0 */
    bool ideal;          /* cycles_ideal was asked for */
    bool ideal_sites;    /* and that of each site */
    uint64_t cycles; /* sum over the blocks, each alone on an SM, until its stores have drained */
    uint64_t cycles_ideal; /* the same without any conflict; 0: not asked for */
    uint64_t cycles_bound; /* the data pipe alone: no schedule is shorter */
    uint64_t cycles_longest;       /* of the block that takes most: no launch is shorter */
    uint64_t cycles_longest_ideal; /* the same without any conflict; 0: not asked for */
    uint64_t requests;     /* executed warp requests to shared memory */
    uint64_t warps_run;    /* warps of all blocks */
    uint64_t waits; /* for global memory: stretches between barriers in which a warp loads from
                              it, of each block's warp with most */
    uint64_t tensor; /* clocks of the tensor cores under wgmma, over the blocks */
    uint64_t copies; /* of TMA */
    uint64_t copy_waits; /* for cp.async: of each block's warps */
    uint64_t stores_met; /* TMA's stores out of the half of shared memory where wgmma's operands have
                            been before */
    struct bsim_stalls stalls;
    /* Of the first BSIM_TIMER_SAMPLES blocks whose number is a multiple of BSIM_TIMER_TOGETHER: as many
     * of each as an SM has at a time, played side by side; 0 where that is one, or took too long. */
    uint64_t cycles_sampled;        /* sum of these blocks' cycles, each alone */
    uint64_t cycles_together;       /* until all of them have ended, each time: the median of seven plays where they begin by chance */
    uint64_t cycles_together_ideal; /* the same without any conflict; 0: not asked for */
    /* An estimate for the whole launch. */
    uint32_t blocks_per_sm; /* that fit by shared memory, warps, blocks and registers if known */
    uint64_t waves; /* of blocks_per_sm blocks on each SM; 0: the number of SMs is not known, or
                       launch_cycles pass 64 bits */
    uint64_t
        launch_cycles; /* waves times what blocks_per_sm average blocks take together, but no less than
                          cycles_longest; 0 as well */
    uint64_t launch_ideal; /* the same without any conflict; 0: not known */
    enum bsim_grade grade; /* the worst of the constants and of the model rules used */
};

struct bsim_kernel_result {
    char *name;
    char *extras; /* its "x-key=value" words; NULL: none */
    struct bsim_dim3 grid, block;
    uint32_t shared_bytes;
    uint32_t registers;  /* as the kernel says it, 0: it does not; timed.registers is what cycles rest on */
    uint32_t again;      /* as in event.h; its counts are those of the launch that it repeats */
    uint64_t trace_line; /* of its record; 0: it had none, or was read from a part */
    struct bsim_device device; /* that it was simulated on */
    uint64_t blocks;           /* in the trace */
    uint64_t barriers;         /* bar.sync, per warp */
    uint64_t warp_barriers;    /* bar.warp.sync, per warp */
    uint64_t fences;           /* membar and fence, per warp */
    uint64_t shuffles;         /* shfl, per warp */
    uint64_t other_requests;   /* accesses to other memory than shared */
    struct bsim_tally tally[BSIM_N_CLASSES];
    struct bsim_global_tally global[BSIM_N_CLASSES];
    uint64_t constant_requests;
    uint64_t constant_passes;
    uint64_t constant_first,
        constant_end; /* the bytes of constant memory that it reads lie within; 0, 0:
                                              none */
    uint32_t rules;   /* of all counts above; a tally's own are those of its shared requests */
    size_t n_sites;   /* in order of number, those without one last */
    struct bsim_site_result *sites;
    struct bsim_kernel_cycles timed;
};

struct bsim_result {
    size_t n_kernels; /* in the trace's order */
    struct bsim_kernel_result *kernels;
    uint64_t expectations;        /* assertions checked */
    uint64_t expectations_failed; /* and those that did not hold */
    uint64_t executed;            /* warp instructions: at most BSIM_MAX_EXECUTED */
};

struct bsim_check;

/* One access event of one warp, with its counts: `counts` in shared memory, `global` where it is
 * counted in sectors, `constant_passes` in constant memory; the others are zero. All of it is
 * borrowed until the callback returns. */
struct bsim_request_result {
    size_t kernel_index;
    const struct bsim_kernel *kernel;
    const struct bsim_check *arrays;  /* that the kernel declares, for bsim_check_locate; or NULL */
    const struct bsim_device *device; /* that it is simulated on */
    struct bsim_dim3 block;
    uint32_t warp;
    uint64_t index; /* of the event among the warp's events in the block, from 0; the events of a
                       repeat's body count once */
    uint64_t trips; /* how often the repeats around it execute it */
    uint64_t line;  /* in the trace; 0 if it has none */
    const struct bsim_event *event;
    struct bsim_counts counts;
    struct bsim_global_counts global;
    uint32_t constant_passes;
};

/* An `expect.` attribute that did not hold. */
struct bsim_expectation {
    const struct bsim_kernel *kernel;
    struct bsim_dim3 block;
    uint32_t warp; /* or BSIM_ALL_WARPS */
    uint64_t line;
    const char *key; /* "expect.wavefronts" or "expect.conflicts" */
    uint32_t expected, actual;
};

/* How many warp instructions a whole stream may have, and all streams whose results are put
 * together: what keeps all sums within 64 bits, also those over kernels, since one of them moves at
 * most 64 passes * 64 banks * 8 bytes = 2^15 bytes. */
#define BSIM_MAX_EXECUTED (UINT64_C(1) << 47)

/* Frees what a result holds and empties it. */
BSIM_API void bsim_result_free(struct bsim_result *result);

/* The sum of a kernel's sites of one space that is counted in sectors, and one class. */
BSIM_API struct bsim_global_tally bsim_kernel_space(const struct bsim_kernel_result *kernel,
                                                    enum bsim_space space, enum bsim_class c);

/* The packets of a kernel's accesses to other blocks' shared memory, in all classes; those of
 * atomics are the least (src/model/sector.c). */
BSIM_API uint64_t bsim_kernel_packets(const struct bsim_kernel_result *kernel);

/* What a kernel's wgmma and copies by TMA come to, which are in none of its classes. */
struct bsim_async_tally {
    uint64_t wgmmas, wavefronts;     /* of the data pipe; a wgmma has no bank conflict */
    uint64_t loads, stores, reduces; /* copies by TMA */
    uint64_t bytes, sectors;         /* of all of them; of 32 bytes, from or to L2 */
};
BSIM_API struct bsim_async_tally bsim_kernel_async(const struct bsim_kernel_result *kernel);

/* The sum of a kernel's three classes. */
BSIM_API struct bsim_tally bsim_kernel_total(const struct bsim_kernel_result *kernel);

/* ---- global and constant memory -------------------------------------------------------------- */

/* Clocks, summed over the blocks of the trace, each alone on an SM, which are taken to be alike. */
struct bsim_memory_cycles {
    uint64_t wavefronts; /* the global requests alone: in the data pipe, or looking up lines */
    uint64_t played;     /* of these, what the kernel's cycles have already: lanes' stores beside
                            wgmma and TMA */
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

/* Between which clocks a launch lies: warps and blocks have several rhythms on a GPU, of which launch_cycles is
 * the one that was played, and the model is off by more for some kinds of kernels than for others. 49 of 50
 * launches do on an H200 and an H100; other devices are taken to be the same. Where the
 * blocks of an SM took too long to play side by side the range has them one behind the other. False, with
 * launch_cycles twice: there is no estimate of the launch. Pure. */
struct bsim_spread {
    uint64_t least, most;
};
BSIM_API bool bsim_cycles_spread(const struct bsim_kernel_result *kernel,
                                 struct bsim_spread *spread);

/* What may hold a launch up. */
enum bsim_holds {
    BSIM_HOLDS_SHARED, /* shared memory as it was played: launch_cycles */
    BSIM_HOLDS_PIPE,   /* the data pipe, by the wavefronts of shared and global requests */
    BSIM_HOLDS_L2,     /* loads that wait for L2, so many at a time as blocks fit */
    BSIM_HOLDS_CONSTANT, /* further addresses of constant requests */
    BSIM_HOLDS_PEERS,    /* packets from and to other blocks of the cluster */
    BSIM_HOLDS_DRAM,     /* the sectors, over the memory's bandwidth, if no cache has them */
    BSIM_N_HOLDS
};

/* Each in SM clocks of the launch, as if it were alone; 0: none, or not known. */
struct bsim_holdup {
    uint64_t clocks[BSIM_N_HOLDS];
    uint64_t requests;       /* the global requests alone, in the data pipe or looking up lines */
    uint64_t anyway_clocks;  /* the longest that has nothing to do with conflicts */
    enum bsim_holds by, anyway; /* the longest; which one that is, the pipe being `requests` */
};

/* What holds the kernel's launch up; shared memory if nothing takes longer. False, with zeroes: there
 * is no estimate for the launch. Pure. */
BSIM_API bool bsim_cycles_holdup(const struct bsim_kernel_result *kernel,
                                 struct bsim_holdup *holdup);

/* How many times as fast the launch would be, at most, if shared memory took only `share` of its
 * clocks, from 0 to 1: the more of two, that all of it overlaps and that nothing does. */
BSIM_API double bsim_holdup_gain(const struct bsim_holdup *holdup, double share);

/* ---- under the profiler's names -------------------------------------------------------------- */

enum { BSIM_NCU_MAX_METRICS = 56 };

/* A counter of Nsight Compute's and a kernel's number for it. */
struct bsim_ncu_metric {
    const char *name; /* static, as all texts here */
    uint64_t value;
    bool is_listed;    /* among --metrics ncu: no other name for another metric's number */
    bool is_shared;    /* of shared memory, not of global or constant memory */
    const char *also;  /* NULL, or what the profiler's number may have in it on top of this one */
    const char *exact; /* and the metric that has not: the same, counted by instruction */
    const char *apart; /* NULL, or why the profiler's number is not comparable with this one */
    const char *minus[2]; /* or NULL: this is the difference of two metrics */
};

/* All of them, always the same ones in the same order. kernel NULL: their names alone. Returns how
 * many. */
BSIM_API size_t bsim_ncu_metrics(const struct bsim_kernel_result *kernel,
                                 struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS]);

#endif
