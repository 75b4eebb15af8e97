/* barriers.h - does every warp of a block reach the same number of barriers? Flat memory: a count
 * per warp, and where its last barrier stands. */
#ifndef BSIM_TRACE_BARRIERS_H
#define BSIM_TRACE_BARRIERS_H

#include <banksim/event.h>

#include "base/scan.h"

struct bsim_barrier_place {
    uint64_t line;
    uint32_t column; /* 0: the trace is no text, and caret, length and text are empty */
    uint32_t caret;  /* the column's place in text */
    size_t length;
    char text[BSIM_ERROR_EXCERPT_SIZE - 1]; /* the line, or the part of it around column */
};

struct bsim_barriers {
    uint32_t n_warps; /* of the block */
    uint64_t count[BSIM_BLOCK_MAX_WARPS];
    uint8_t last[BSIM_BLOCK_MAX_WARPS]; /* index in place of each warp's last barrier */
    struct bsim_barrier_place place[BSIM_BLOCK_MAX_WARPS + 1]; /* a warp's own; of all: the last */
};

/* A new block. */
void bsim_barriers_start(struct bsim_barriers *barriers, uint32_t n_warps);

/* `warp`, or BSIM_ALL_WARPS, executes the barrier at `where` of the line, `trips` times over. Fails
 * with BSIM_E_INPUT for sums past 2^62. `where` NULL: the trace is no text; scan has file and
 * number alone, and the error has no place. */
enum bsim_status bsim_barriers_add(struct bsim_barriers *barriers, uint32_t warp, uint64_t trips,
                                   const struct bsim_scan *scan, const char *where,
                                   struct bsim_error *err) BSIM_MUST_USE;

/* The end of the block. Fails with BSIM_E_INPUT, placed at the last barrier of a warp that reaches
 * the most, if another reaches fewer. */
enum bsim_status bsim_barriers_check(const struct bsim_barriers *barriers, const char *file,
                                     struct bsim_error *err) BSIM_MUST_USE;

#endif
