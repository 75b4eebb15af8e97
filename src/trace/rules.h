/* rules.h - the rules of a trace that do not depend on how it is written down: every reader asks
 * here, so a trace means the same, and is refused for the same reason, in each format.
 *
 * What fails here sets status and message and leaves the place to the caller, which knows it; only
 * barriers have a place of their own. */
#ifndef BSIM_TRACE_RULES_H
#define BSIM_TRACE_RULES_H

#include "event/stream.h"
#include "trace/barriers.h"

/* Sane limits of version 1, for numbers that nobody needs; they keep sums within 64 bits. */
enum {
    BSIM_SHARED_MAX_BYTES = 1 << 24,
    BSIM_GRID_MAX_X = INT32_MAX, /* CUDA's own */
    BSIM_GRID_MAX_YZ = 65535,
    BSIM_EXTRAS_MAX = 64,
    BSIM_LINE_MAX_BYTES = 65536, /* of a text line without its end; of a record's names and texts */
};

/* The stream that a reader makes: what every sink asks of it (stream.h), and what only a trace has.
 * All zeroes is its start. */
struct bsim_rules {
    struct bsim_stream stream;
    struct bsim_barriers barriers;               /* of the block at hand */
    uint64_t repeat_line[BSIM_REPEAT_MAX_DEPTH]; /* of those that are open */
};

/* The largest size of a grid and of a block in each direction; the least is 1. */
extern const struct bsim_dim3 bsim_grid_most;
extern const struct bsim_dim3 bsim_block_most;

/* ---- the stream ----------------------------------------------------------------------------- */

/* Fails for a record that may not stand where the stream stands, whatever is in it. */
enum bsim_status bsim_rules_may(const struct bsim_rules *rules, enum bsim_record_kind kind,
                                struct bsim_error *err) BSIM_MUST_USE;

/* Ends the block at hand, if there is one: its repeats must be closed and its barriers reached,
 * whose error gets its place in `file`. */
enum bsim_status bsim_rules_close_block(struct bsim_rules *rules, const char *file,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* The sink has taken the record, or refused it with that status. */
enum bsim_status bsim_rules_pass(struct bsim_rules *rules, const struct bsim_record *record,
                                 enum bsim_status status) BSIM_MUST_USE;

/* Hands a record whose values have been checked to the sink. */
static inline enum bsim_status bsim_rules_push(struct bsim_rules *rules,
                                               const struct bsim_sink *sink,
                                               const struct bsim_record *record,
                                               struct bsim_error *err)
{
    enum bsim_status status = sink->push(sink->context, record, err);
    return record->kind == BSIM_RECORD_EVENT ? status : bsim_rules_pass(rules, record, status);
}

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

/* A record as it is to be written: its names and texts, or all of a line. BSIM_E_USAGE, for a
 * writer. */
enum bsim_status bsim_rules_length(size_t size_bytes, struct bsim_error *err) BSIM_MUST_USE;

/* The site's number stands for another site of the kernel already; no site has that number. */
enum bsim_status bsim_rules_site_twice(uint32_t number, struct bsim_error *err);

/* The trips of one more repeat around what follows. */
enum bsim_status bsim_rules_trips(const struct bsim_rules *rules, uint64_t trips,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* A block's place in the kernel's grid. */
enum bsim_status bsim_rules_place(const struct bsim_rules *rules, const struct bsim_dim3 *block,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* ---- events --------------------------------------------------------------------------------- */

/* A warp's number. */
enum bsim_status bsim_rules_warp(const struct bsim_rules *rules, uint64_t warp,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* A barrier of `warp` at `where`; see bsim_barriers_add. */
enum bsim_status bsim_rules_barrier(struct bsim_rules *rules, uint32_t warp,
                                    const struct bsim_scan *scan, const char *where,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* One who comes to a meeting or waits for it, where the stream stands. */
enum bsim_status bsim_rules_meeting(const struct bsim_rules *rules,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* The mask of an opcode that has one. */
enum bsim_status bsim_rules_mask(const struct bsim_opcode *opcode, uint32_t mask,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* `key` is an expectation on an event of that opcode. */
enum bsim_status bsim_rules_expects(const struct bsim_opcode *opcode, const char *key,
                                    struct bsim_error *err) BSIM_MUST_USE;

/* An event of that opcode tells where its lanes copy from. */
enum bsim_status bsim_rules_from(const struct bsim_opcode *opcode,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* An event of that opcode tells what it reads of the banks of registers. */
enum bsim_status bsim_rules_reads(const struct bsim_opcode *opcode, struct bsim_error *err) BSIM_MUST_USE;

/* It tells that. */
enum bsim_status bsim_rules_read(const struct bsim_reads *reads, struct bsim_error *err) BSIM_MUST_USE;

/* Where an access of an opcode may begin: at multiples of bytes, up to `last`. */
struct bsim_window {
    uint64_t last;
    uint32_t bytes;
    bool is_empty; /* shared= is smaller than one access */
};

/* Of a wgmma or a bulk copy, whose event.async is there: descriptors, box, places and warps. */
enum bsim_status bsim_rules_async(const struct bsim_rules *rules, const struct bsim_event *event,
                                  struct bsim_error *err) BSIM_MUST_USE;

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

/* True if an event is affine and can be written so: it wraps around at no active lane. What a
 * reader reads never does; an emulator's arithmetic modulo 2^64 may. */
bool bsim_rules_is_plain(const struct bsim_event *event, uint32_t lanes);

/* The addresses of an affine event's `lanes`, of which there is one at least. */
enum bsim_status bsim_rules_affine(const struct bsim_kernel *kernel, const struct bsim_event *event,
                                   uint32_t lanes, const struct bsim_window *window,
                                   struct bsim_error *err) BSIM_MUST_USE;

#endif
