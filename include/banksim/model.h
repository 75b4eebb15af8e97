/* model.h - one warp request on the banks: how many passes, and what happens in each.
 *
 * Pure arithmetic: no allocation, no I/O, no state, no failure. Any mask and any addresses give a
 * defined answer. Thread-safe. The rules, their sources and what is not modelled stand at the head
 * of each file of src/model.
 */
#ifndef BANKSIM_MODEL_H
#define BANKSIM_MODEL_H

#include <banksim/device.h>
#include <banksim/event.h>

enum {
    /* 32 lanes of 16 bytes on a single 4-byte bank: 128 words, one per pass. atom.cas counts twice
     * but has at most 64 words. */
    BSIM_MAX_PASSES = 128,
    BSIM_MAX_GRANTS = 128,
    BSIM_MAX_GROUPS = 4,
};

/* One warp instruction on shared memory. address[l] is lane l's first byte, as an offset in the
 * block's window; only the lanes of bsim_opcode_lanes(opcode, mask) are looked at. Of a copy from[l]
 * is where lane l has its bytes from in global memory, if that is known; otherwise lane l is taken to
 * copy from the l-th of 32 accesses in a row, at the beginning of a line. */
struct bsim_request {
    struct bsim_opcode opcode; /* an access to BSIM_SHARED */
    uint32_t mask;
    bool has_from; /* looked at of BSIM_CP_ASYNC alone */
    uint32_t address[BSIM_WARP_LANES];
    uint64_t from[BSIM_WARP_LANES];
};

/* In one pass, one bank serves one of its rows. */
struct bsim_grant {
    uint32_t row;       /* the row within the bank; see struct bsim_device */
    uint32_t lanes;     /* the lanes whose address asks for it (matrix forms: the row addresses) */
    uint32_t receivers; /* the lanes the data goes to or, in a store, may come from; as `lanes`
                           but for matrix forms, where a row's words go to other lanes */
    uint8_t pass;
    uint8_t bank;
    uint8_t halves; /* the 4-byte words of the row that are touched: bit 0, and bit 1 if the
                       bank is 8 bytes wide */
};

struct bsim_pass {
    uint32_t lanes;      /* lanes with an address served in this pass, in some bank */
    uint8_t group;       /* 0 to BSIM_MAX_GROUPS - 1: the lane group it belongs to */
    uint8_t first_grant; /* its grants are grant[first_grant .. first_grant + n_grants) */
    uint8_t n_grants;    /* one per bank at work, in order of banks */
};

/* A request's passes in order, group after group. */
struct bsim_schedule {
    uint32_t n_passes; /* the request's wavefronts; 0 if no lane takes part */
    uint32_t n_groups; /* groups with at least one lane */
    uint32_t n_grants;
    uint32_t group_lanes[BSIM_MAX_GROUPS]; /* who is in it (active lanes only) */
    uint32_t group_ways[BSIM_MAX_GROUPS];  /* most rows (atomics: turns) that one bank serves; of
                                              copies by both sides the group's passes */
    uint32_t rules;                        /* bit r: enum bsim_rule r took part in the outcome */
    struct bsim_pass pass[BSIM_MAX_PASSES];
    struct bsim_grant grant[BSIM_MAX_GRANTS];
};

/* What is reported of a request; all derived from its schedule. */
struct bsim_counts {
    uint32_t wavefronts; /* passes */
    uint32_t ideal;      /* wavefronts without any conflict: non-empty groups, twice them for cas; of
                            copies what their side in global memory takes in any layout */
    uint32_t conflicts; /* sum over groups of (ways - 1): the profilers' bank conflicts, which count
                             a cas's two wavefronts once, and are 0 for cp.async.cg; excessive ones
                             are wavefronts - ideal */
    uint32_t ways;      /* largest ways of its groups; 1: no conflict; of copies by both sides
                           wavefronts of a group / its ideal, rounded up */
    uint32_t bytes_asked;  /* active lanes (matrix forms: rows) times bytes */
    uint32_t bytes_served; /* of the banks' words that are served, each once per pass, however many
                              lanes want it */
    uint32_t bytes_moved;  /* what the passes could carry: wavefronts * banks * bank width */
    uint32_t rules;        /* as in the schedule */
    bool broadcast;        /* a load: each row served goes to every lane of its group, and some
                             group has two or more */
    bool multicast;        /* a load, not a broadcast: some row goes to two or more lanes at once */
};

/* The wavefronts that conflicts add. */
static inline uint32_t bsim_counts_excessive(const struct bsim_counts *counts)
{
    return counts->wavefronts - counts->ideal;
}

/* Whether wavefronts, ideal and excessive ones are the least that there can be; `rules` are those
 * of counts, of a schedule or of a tally. */
static inline bool bsim_rules_are_least(uint32_t rules)
{
    return (rules >> BSIM_RULE_LOOP & 1) != 0;
}

/* The passes of request on device. device as from bsim_device_find. An atomic that the compiler
 * makes a loop of (an addition of floats, or one of 8 bytes but exch and cas) has one pass for each
 * turn of a bank, a round of the loop; its wavefronts below are what the loop takes at least
 * (src/model/loop.c says when exactly). */
BSIM_API void bsim_request_schedule(const struct bsim_device *device,
                                    const struct bsim_request *request,
                                    struct bsim_schedule *schedule);

/* The counts of request on device. */
BSIM_API void bsim_request_count(const struct bsim_device *device,
                                 const struct bsim_request *request, struct bsim_counts *counts);

/* The counts of a schedule already made. */
BSIM_API void bsim_schedule_count(const struct bsim_device *device,
                                  const struct bsim_request *request,
                                  const struct bsim_schedule *schedule, struct bsim_counts *counts);

/* ---- global, local and constant memory, textures, peers --------------------------------------- */

/* nvprof's gld_transactions of a kernel with global loads has this many more than its requests, on
 * devices that count by quarter-warps (BSIM_COUNTS_QUARTERS). */
enum { BSIM_NVPROF_KERNEL_LOADS = 2 };

struct bsim_global_counts {
    uint32_t sectors; /* different 32-byte sectors that the active lanes touch; of a texture for
                              each group of lanes */
    uint32_t lines;   /* different 128-byte lines */
    uint32_t transactions; /* as nvprof counted them on the device; of global memory alone */
    uint32_t bytes_asked;  /* active lanes times bytes */
    uint32_t wavefronts;   /* in the data banks of L1, at least (src/model/l1.c); likewise */
    uint32_t packets;      /* between SMs, of a peer's shared memory alone; of its atomics the least */
};

/* The counts of one request to global or local memory, a texture or a peer (bsim_opcode_has_sectors), lane
 * l at address[l]; only active lanes are looked at. Total, pure, thread-safe. Sources at the head
 * of src/model/sector.c. */
BSIM_API void bsim_global_count(const struct bsim_device *device, const struct bsim_opcode *opcode,
                                uint32_t mask, const uint64_t address[BSIM_WARP_LANES],
                                struct bsim_global_counts *counts);

/* Of __constant__ variables, on every device. */
enum { BSIM_CONSTANT_BYTES = 64 * 1024 };

/* What a cp.async.cg fetches from L2: sectors and lines; transactions and wavefronts are 0. False, and
 * nothing else, for any other request, one whose global side is not known, and banks other than 32 of 4
 * bytes. Total, pure, thread-safe. The rule and its source stand at the head of src/model/copy.c. */
BSIM_API bool bsim_copy_count(const struct bsim_device *device, const struct bsim_request *request,
                              struct bsim_global_counts *counts);

/* The passes of one request to constant memory: how many different words the active lanes want. */
BSIM_API uint32_t bsim_constant_passes(const struct bsim_opcode *opcode, uint32_t mask,
                                       const uint64_t address[BSIM_WARP_LANES]);

/* True if device executes opcode at all (shuffles from compute capability 3.0, ld.global.nc from
 * 3.5, ldmatrix from 7.5, cp.async from 8.0, stmatrix from 9.0). */
BSIM_API bool bsim_device_executes(const struct bsim_device *device,
                                   const struct bsim_opcode *opcode);

/* ---- shuffles ------------------------------------------------------------------------------- */

enum { BSIM_BAD_WIDTH = BSIM_WARP_LANES + 1 };

/* The lane whose value `lane` (0 to 31) gets: operation is BSIM_IDX, UP, DOWN or BFLY, operand the
 * source lane, delta or mask, width that of the segments that shuffle apart. BSIM_BAD_WIDTH if
 * width is not 1, 2, 4, 8, 16 or 32. Whether that lane takes part is not asked. Rules in
 * src/model/shuffle.c. */
BSIM_API uint32_t bsim_shuffle_source(enum bsim_operation operation, uint32_t lane,
                                      uint32_t operand, uint32_t width);

#endif
