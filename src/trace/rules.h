/* rules.h - the rules of a trace that do not depend on how it is written down: every reader asks
 * here, so a trace means the same, and is refused for the same reason, in each format.
 *
 * What fails here sets status and message and leaves the place to the caller, which knows it; only
 * barriers have a place of their own. */
#ifndef BSIM_TRACE_RULES_H
#define BSIM_TRACE_RULES_H

#include "base/stream.h"
#include "trace/barriers.h"

/* Sane limits of version 1, for numbers that nobody needs; they keep sums within 64 bits. */
enum {
    BSIM_SHARED_MAX_BYTES = 1 << 24,
    BSIM_GRID_MAX_X = INT32_MAX, /* CUDA's own */
    BSIM_GRID_MAX_YZ = 65535,
    BSIM_EXTRAS_MAX = 64,
    BSIM_LINE_MAX_BYTES = 65536, /* of a text line without its end; of a record's names and texts */
};

struct bsim_open_repeat {
    uint64_t line;
    uint64_t turns_outside; /* of the repeats around it */
};

/* Where a stream stands. All zeroes is its start. */
struct bsim_rules {
    const struct bsim_kernel *kernel; /* NULL before the first */
    uint32_t n_warps;                 /* of a block of it */
    bool in_block;
    struct bsim_barriers barriers;
    uint32_t depth; /* repeats that are open */
    uint64_t turns; /* their product */
    struct bsim_open_repeat repeat[BSIM_REPEAT_MAX_DEPTH];
};

/* The largest size of a grid and of a block in each direction; the least is 1. */
extern const struct bsim_dim3 bsim_grid_most;
extern const struct bsim_dim3 bsim_block_most;

/* ---- the stream ----------------------------------------------------------------------------- */

/* A kernel begins, whose values have been checked. The block before must have been closed. */
void bsim_rules_kernel(struct bsim_rules *rules, const struct bsim_kernel *kernel);

/* Each fails for a record that may not stand where the stream stands. */
enum bsim_status bsim_rules_may_site(const struct bsim_rules *rules,
                                     struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_rules_may_block(const struct bsim_rules *rules,
                                      struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_rules_may_event(const struct bsim_rules *rules,
                                      struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_rules_may_repeat(const struct bsim_rules *rules,
                                       struct bsim_error *err) BSIM_MUST_USE;

/* A block begins; the one before must have been closed. */
void bsim_rules_block(struct bsim_rules *rules);

/* Ends the block at hand, if there is one: its repeats must be closed and its barriers reached,
 * whose error gets its place in `file`. */
enum bsim_status bsim_rules_close_block(struct bsim_rules *rules, const char *file,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* One more repeat, of the record in `line`, around what follows; and the end of the last one. */
enum bsim_status bsim_rules_repeat(struct bsim_rules *rules, uint64_t turns, uint64_t line,
                                   struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_rules_done(struct bsim_rules *rules, struct bsim_error *err) BSIM_MUST_USE;

/* ---- values --------------------------------------------------------------------------------- */

/* Threads of a block, whose sizes are within bsim_block_most. */
enum bsim_status bsim_rules_threads(const struct bsim_dim3 *block,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* A kernel's numbers, names and extras; a site's names, and its number, whatever it is called
 * elsewhere in the kernel. */
enum bsim_status bsim_rules_kernel_values(const struct bsim_kernel *kernel,
                                          struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_rules_site_values(const struct bsim_site *site,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* The status of a writer for values that it refuses: its caller's mistake, not an input's. */
enum bsim_status bsim_rules_misuse(enum bsim_status status, struct bsim_error *err) BSIM_MUST_USE;

/* The site's number stands for another site of the kernel already; no site has that number. */
enum bsim_status bsim_rules_site_twice(uint32_t number, struct bsim_error *err);

/* A block's place in the kernel's grid. */
enum bsim_status bsim_rules_place(const struct bsim_rules *rules, const struct bsim_dim3 *block,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* ---- events --------------------------------------------------------------------------------- */

/* A warp's number. */
enum bsim_status bsim_rules_warp(const struct bsim_rules *rules, uint64_t warp,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* The mask of an opcode that has one. */
enum bsim_status bsim_rules_mask(const struct bsim_opcode *opcode, uint32_t mask,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* `key` is an expectation on an event of that opcode. */
enum bsim_status bsim_rules_expects(const struct bsim_opcode *opcode, const char *key,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* Where an access of an opcode may begin: at multiples of bytes, up to `last`. */
struct bsim_window {
    uint64_t last;
    uint32_t bytes;
    bool is_empty; /* shared= is smaller than one access */
};

struct bsim_window bsim_window_of(const struct bsim_kernel *kernel,
                                  const struct bsim_opcode *opcode);

static inline bool bsim_window_allows(const struct bsim_window *window, uint64_t address)
{
    return address <= window->last && (address & (window->bytes - 1)) == 0 && !window->is_empty;
}

/* True if all 32 lanes of base + lane * stride lie in the window, which is the usual thing and seen
 * at once; if not, the active ones may still. */
static inline bool bsim_window_holds(const struct bsim_window *window, uint64_t base,
                                     int64_t stride)
{
    const uint64_t far = UINT64_C(1) << 56; /* sums of such numbers do not overflow */
    if (base >= far || (uint64_t)stride + far >= 2 * far) {
        return false;
    }
    int64_t end = (int64_t)base + (BSIM_WARP_LANES - 1) * stride;
    return end >= 0 && (uint64_t)end <= window->last && base <= window->last && !window->is_empty &&
           ((base | (uint64_t)stride) & (window->bytes - 1)) == 0;
}

/* The error for an address that the window does not allow; `lane` is a row for matrix forms. */
enum bsim_status bsim_window_refuse(const struct bsim_kernel *kernel,
                                    const struct bsim_opcode *opcode, uint32_t lane,
                                    uint64_t address, struct bsim_error *err);

/* True if an event is affine and can be written so: it wraps around at no active lane. What a reader
 * reads never does; an emulator's arithmetic modulo 2^64 may. */
bool bsim_rules_is_plain(const struct bsim_event *event, uint32_t lanes);

/* The addresses of an affine event's `lanes`, of which there is one at least. */
enum bsim_status bsim_rules_affine(const struct bsim_kernel *kernel, const struct bsim_event *event,
                                   uint32_t lanes, const struct bsim_window *window,
                                   struct bsim_error *err) BSIM_MUST_USE;

#endif
