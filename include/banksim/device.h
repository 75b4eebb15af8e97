/* device.h - the GPUs that banksim knows, and what each of their rules rests on.
 *
 * A device is plain data: look one up, or make a `generic` one, then hand it to the model. What a
 * lookup returns has been checked, and every model function is total for it. All of this is
 * read-only and thread-safe.
 */
#ifndef BANKSIM_DEVICE_H
#define BANKSIM_DEVICE_H

#include <banksim/event.h>

#include <stdbool.h>

enum {
    BSIM_MAX_BANKS = 64,
    BSIM_MAX_BANK_BYTES = 8,
};

/* How sure a rule is on a device. Ordered: a result has the worst grade of what it used. */
enum bsim_grade {
    BSIM_MEASURED,   /* counted or timed on that compute capability, numbers kept */
    BSIM_DOCUMENTED, /* the vendor's text says so */
    BSIM_ASSUMED,    /* neither: the nearest known device's rule */
};

/* The rules of the model, each one decision that a device answers. */
enum bsim_rule {
    BSIM_RULE_BANKS,      /* which bank a byte lies in, one row of a bank per pass */
    BSIM_RULE_MULTICAST,  /* loads of one word (row of a bank) by several lanes share a pass */
    BSIM_RULE_SAME_STORE, /* stores to one word by several lanes share a pass */
    BSIM_RULE_WIDE,       /* 8- and 16-byte requests go in groups of lanes */
    BSIM_RULE_PAIR,       /* which wide loads go in half as many groups */
    BSIM_RULE_ATOMIC,     /* 4-byte atomics: each active lane takes a turn of its bank */
    BSIM_RULE_CAS,        /* atom.cas: every turn twice */
    BSIM_RULE_ATOMIC64,   /* atom.exch of 8 bytes */
    BSIM_RULE_LOOP,       /* atomics that the compiler makes a loop of: counted as one request */
    BSIM_RULE_INCREMENT,  /* red.popc.inc: lanes that increment one word share a pass */
    BSIM_RULE_CP_ASYNC,   /* cp.async.ca: lane groups as for stores, a turn per lane */
    BSIM_RULE_BYPASS,     /* cp.async.cg: written by pieces, as they arrive from L2 */
    BSIM_RULE_LDMATRIX,
    BSIM_RULE_STMATRIX,
    BSIM_RULE_REPLAY,   /* a conflicting request is issued again, or not */
    BSIM_RULE_SECTORS,  /* global memory: 32-byte sectors and 128-byte lines per request */
    BSIM_RULE_NVPROF,   /* global memory: what nvprof counted as transactions */
    BSIM_RULE_CONSTANT, /* constant memory: one different word per pass */
    BSIM_RULE_LOCAL,    /* local memory: the same word of all lanes side by side */
    BSIM_RULE_TEXTURE,  /* textures: sectors for each 8 lanes, or 4 of 16 bytes */
    BSIM_RULE_WGMMA,    /* wgmma: wavefronts by N and A's place, no conflicts */
    BSIM_RULE_TMA,      /* TMA: sectors by rows, no conflicts */
    BSIM_RULE_PEER,     /* another block's shared memory: sectors, and packets between the SMs */
    BSIM_N_RULES,
};

/* How much of the memory that an SM has for both goes to shared memory; the L1 cache has the rest.
 * Only a preference: a block that needs more gets more. */
enum bsim_carveout {
    BSIM_CARVEOUT_LARGEST, /* as much as there is, as where nobody asks for less */
    BSIM_CARVEOUT_L1,      /* cudaFuncCachePreferL1: as little as there is */
    BSIM_CARVEOUT_EQUAL,   /* cudaFuncCachePreferEqual */
    BSIM_CARVEOUT_SHARED,  /* cudaFuncCachePreferShared */
    BSIM_CARVEOUT_PERCENT, /* plus n, 0 to 100: cudaFuncAttributePreferredSharedMemoryCarveout */
};

/* What nvprof counted as a transaction of global memory; see src/model/sector.c. */
enum bsim_global_counting {
    BSIM_COUNTS_SECTORS,
    BSIM_COUNTS_LINES,
    BSIM_COUNTS_QUARTERS,
};

struct bsim_basis {
    enum bsim_grade grade;
    const char *source; /* where the rule is from, in a few words; static */
};

struct bsim_device {
    const char *name;        /* "sm_90", "generic" */
    const char *description; /* "Hopper: H100, H200" */
    const char *gpu;         /* whose clock, SMs and memory these are: "h200"; NULL: nobody's. Static */
    uint32_t compute;        /* compute capability times 10: 90; 0 for generic */
    /* The banks. Byte a lies in bank (a / stride_bytes) mod n_banks and in that bank's row
     * a / (n_banks * bank_bytes); a bank delivers one row, bank_bytes wide, per pass. stride and
     * width differ in Kepler's 4-byte mode alone. */
    uint32_t n_banks;      /* 1 to BSIM_MAX_BANKS */
    uint32_t stride_bytes; /* 4 or 8: successive words of this size lie in successive banks */
    uint32_t bank_bytes;   /* 4 or 8 */
    uint32_t widths;       /* the selectable bank widths, as a sum: 4, or 4 + 8 */
    bool has_pair_rule;
    bool has_popc_inc; /* otherwise a merged increment counts as any red.add */
    bool replays;      /* a conflicting request is issued once per pass */
    enum bsim_global_counting global_counting;
    struct bsim_basis basis[BSIM_N_RULES];
    /* Capacity, for occupancy. */
    uint32_t shared_per_sm_bytes;    /* the largest carve-out */
    const uint16_t *carveouts_kib;   /* static: what an SM can have, ascending */
    uint32_t n_carveouts;            /* 1: shared memory is apart from L1 */
    uint32_t carveout_bytes;         /* the preferred one */
    uint32_t shared_per_block_bytes; /* the largest a block may ask for (opt-in) */
    uint32_t shared_reserved_bytes;  /* taken from each block by the system */
    uint32_t shared_unit_bytes;      /* allocation granularity */
    uint32_t warps_per_sm;
    uint32_t blocks_per_sm;
    uint32_t registers_per_sm;     /* of 4 bytes */
    uint32_t registers_per_block;  /* at most: an SM's, or fewer */
    uint32_t registers_per_thread; /* at most */
    uint32_t register_unit;        /* allocation granularity of a warp's registers */
    uint32_t n_partitions;         /* of the registers and schedulers of an SM */
    uint32_t fp32_lanes;           /* 32-bit multiply-adds that an SM begins per clock */
    uint32_t n_sms;                /* of the named GPU; 0: not known */
    uint32_t clock_mhz;            /* highest SM clock of the named GPU; 0: not known */
    uint32_t memory_gb_per_s;      /* of its own memory, at most, 10^9 bytes; 0: not known */
    struct bsim_basis capacity_basis;
    struct bsim_basis clock_basis;
    struct bsim_basis memory_basis;
};

/* Choices on top of a name. Zeroes: the device's own. */
struct bsim_device_options {
    uint32_t n_banks;    /* generic only: 1 to BSIM_MAX_BANKS */
    uint32_t bank_width; /* 4 or 8; must be among the device's widths */
    uint32_t carveout;   /* enum bsim_carveout, or BSIM_CARVEOUT_PERCENT + 0 to 100 */
};

/* Looks up `name` (NULL: the device of those who name none, "sm_90", the one that was measured):
 * sm_XX, a GPU's name ("h200", "GeForce RTX 4090", "4090": case, gaps, the series
 * and a brand in front do not matter) or "generic", and applies options (NULL: none). Fails with
 * BSIM_E_USAGE, naming the known devices or the devices that have the mode asked for. *device is a
 * copy of the caller's; its strings are static. */
BSIM_API enum bsim_status bsim_device_find(const char *name,
                                           const struct bsim_device_options *options,
                                           struct bsim_device *device,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* The devices by index 0, 1, ... (without options), until false. */
BSIM_API bool bsim_device_at(size_t index, struct bsim_device *device);

/* The GPU names of device `name` by index 0, 1, ..., until NULL: "h100", "h200". */
BSIM_API const char *bsim_device_alias(const char *name, size_t index);

/* Blocks that one SM holds at a time. */
struct bsim_occupancy {
    uint32_t by_shared; /* UINT32_MAX: it needs none; 0: more than a block may have */
    uint32_t by_warps;
    uint32_t by_blocks;
    uint32_t by_registers; /* UINT32_MAX: not known; 0: no block can run */
    uint32_t blocks;       /* the least of them */
    uint32_t sm_bytes;     /* what an SM gives to shared memory: the preferred carve-out, or what a
                             block needs */
};

/* For blocks of n_threads (from 1) threads with so many registers each (0: not known) and
 * shared_bytes of shared memory. Total. */
BSIM_API struct bsim_occupancy bsim_device_occupancy(const struct bsim_device *device,
                                                     uint32_t n_threads, uint32_t shared_bytes,
                                                     uint32_t registers);

enum { BSIM_STATIC_SHARED_BYTES = 48 * 1024 }; /* of arrays that are not extern, on every device */

/* BSIM_E_INPUT, with the limit, if a block of the device cannot have shared_bytes of shared memory,
 * not even where the kernel asks for more than BSIM_STATIC_SHARED_BYTES. */
BSIM_API enum bsim_status bsim_device_check_shared(const struct bsim_device *device,
                                                   uint64_t shared_bytes,
                                                   struct bsim_error *err) BSIM_MUST_USE;

/* "measured", "documented", "assumed". */
BSIM_API const char *bsim_grade_name(enum bsim_grade grade);

/* A few words for a rule, e.g. "wide requests in lane groups". */
BSIM_API const char *bsim_rule_name(enum bsim_rule rule);

/* ---- the constants of a device --------------------------------------------------------------- */

enum {
    BSIM_MAX_PARTITIONS = 4,
    BSIM_MAX_SLOTS = 32,   /* queue_slots + pool_slots */
    BSIM_MAX_LATENCY = 26, /* result_latency */
};

/* Work of a class, in clocks. */
struct bsim_work_rate {
    uint8_t interval; /* between two instructions in a partition, at least 1 */
    uint8_t latency;  /* from one to another that wants its result, at least 1 */
    uint8_t issue;    /* in which the partition issues nothing behind one, itself included */
    uint8_t pipe;     /* 1 to BSIM_WORK_TENSOR; classes that have it in common take turns */
};

/* In SM clocks unless it says otherwise. src/timing/README.md has the experiment behind each. */
struct bsim_timing {
    uint32_t n_partitions;  /* the device's, 1 to 4; warp w belongs to w mod n_partitions */
    uint32_t work_interval; /* between two `work` instructions of a partition */
    uint32_t chain_latency; /* between two instructions of one `work` */
    uint32_t work_latency;  /* from the last of them to what follows */
    struct bsim_work_rate work[BSIM_N_WORK_CLASSES]; /* by class; that of none is not used */
    bool fp32_pair; /* fp32 has two pipes, of half its rate each: its own and that of imad */
    struct bsim_basis work_basis;                    /* what these rest on */
    uint32_t memory_interval;                        /* between two memory instructions of a warp */
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
    uint32_t arrival_slots;      /* arrivals that wait for that in a partition, 1 to BSIM_MAX_SLOTS */
    uint32_t release_latency;    /* from the last arrival to the next memory instruction */
    uint32_t rejoin_delay;       /* more to a branch, if no work of the program has a class, or a meeting */
    uint32_t barrier_latency;    /* from the last arrival until a request issues behind the barrier, at most release_latency */
    uint32_t barrier_turns;      /* of a partition, from the last wavefront in front of it to the first behind; 0: no order */
    uint32_t block_interval;     /* between the beginnings of two blocks of an SM, of a launch of one wave */
    uint32_t block_jitter;       /* as much later at most a block of it begins, by chance, so that several are played several times; 0: none */
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

#endif
