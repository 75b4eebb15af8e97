/* block.h - the running block: what each of its warps has done since the oldest open interval. */
#ifndef BSIM_HAZARD_BLOCK_H
#define BSIM_HAZARD_BLOCK_H

#include "hazard/findings.h"
#include "hazard/grid.h"
#include "hazard/lanes.h"
#include "hazard/order.h"
#include "hazard/pairs.h"
#include "hazard/shadow.h"
#include "hazard/steps.h"

/* A warp of the block. */
struct bsim_warp {
    struct bsim_steps steps; /* its accesses and barriers from the oldest open interval on */
    uint32_t lanes;          /* that it has */
    uint64_t pending;        /* barriers among its steps */
    const struct bsim_site *last_site; /* of its last barrier */
    uint64_t last_line;
};

struct bsim_block {
    uint32_t n_warps; /* 0: no block is running */
    struct bsim_dim3 place;
    uint64_t closed;  /* intervals of the block that are checked and gone */
    uint64_t skipped; /* barriers of the turns that were not run, the same for all warps */
    uint32_t n_ahead; /* warps with a pending barrier */
    struct bsim_warp warp[BSIM_BLOCK_MAX_WARPS];
    uint64_t intervals; /* of the stream */
    struct bsim_shadow shadow;
    struct bsim_touches touches;
    struct bsim_lanes lanes;
    struct bsim_order order;
    bool has_meetings; /* of some warps, in this block so far */
    struct bsim_grid grid;
    bool is_alone; /* the kernel has no other block */
    struct bsim_findings *findings;
};

/* A new block; the last one has been finished. */
void bsim_block_start(struct bsim_block *block, struct bsim_dim3 place, uint32_t n_threads);

/* The warps of step execute it. */
enum bsim_status bsim_block_step(struct bsim_block *block, const struct bsim_step *step,
                                 const uint64_t *address, struct bsim_error *err) BSIM_MUST_USE;

/* Are all warps in one interval? */
bool bsim_block_is_aligned(const struct bsim_block *block);

/* Every warp passes n barriers unseen. Fails with BSIM_E_INPUT for a sum past 2^47. */
enum bsim_status bsim_block_skip(struct bsim_block *block, uint64_t n,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* The end of the block, if one is running: checks what is open and the number of barriers. */
enum bsim_status bsim_block_finish(struct bsim_block *block, struct bsim_error *err) BSIM_MUST_USE;

void bsim_block_free(struct bsim_block *block);

/* Fails with BSIM_E_MEMORY unless ok. */
enum bsim_status bsim_hazard_memory(bool ok, struct bsim_error *err) BSIM_MUST_USE;

#endif
