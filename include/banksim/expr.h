/* expr.h - shared-memory accesses written as C index expressions: no trace, no kernel, just
 *
 *     block 32,32
 *     shared float tile[32][33]
 *     for (int j = 0; j < 32; j += 8) {
 *         tile[threadIdx.y + j][threadIdx.x] = in[j];
 *     }
 *     sync
 *     load tile[threadIdx.x][threadIdx.y]
 *
 * A check is built from such statements, one call each or all of a text; sealed, which finds every
 * mistake that does not depend on a thread; and then played by each warp, in their order, as events
 * for a sink or as requests with the array that each address lies in. The language is described in
 * src/expr/README.md.
 *
 * Failures: BSIM_E_INPUT with the place of the statement, the column and what is wrong;
 * BSIM_E_USAGE for calls out of order; BSIM_E_MEMORY. Everything that the functions below return is
 * borrowed and lives as long as the check. A sealed check is not changed by being evaluated:
 * threads may share it.
 */
#ifndef BANKSIM_EXPR_H
#define BANKSIM_EXPR_H

#include <banksim/event.h>
#include <banksim/layout.h>
#include <banksim/result.h>

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    BSIM_CHECK_MAX_REQUESTS = 1 << 10, /* a fuzzer finds endless loops at once */
#else
    BSIM_CHECK_MAX_REQUESTS = 1 << 24, /* that one evaluation may make, and turns of its loops */
#endif
    BSIM_CHECK_MAX_SHARED_BYTES = 232448, /* the largest window of any block so far (227 KiB) */
    BSIM_CHECK_MAX_DIMENSIONS = 8,
};

struct bsim_check;

/* ---- building -------------------------------------------------------------------------------- */

/* A check without statements, or NULL when memory is short; and its end (NULL is fine). */
BSIM_API struct bsim_check *bsim_check_new(void);
BSIM_API void bsim_check_free(struct bsim_check *check);

/* Adds one statement: its word ("shared", "load", "for", ...) and what follows it, both copied.
 * `origin` stands for the place in messages, e.g. "--load". Declarations may come in any order. The
 * rest happens in the order in which it is added; a "for" or "if" that is added so holds for what
 * follows it, up to its "end" or the end. "code" has statements of C, as a text. */
BSIM_API enum bsim_status bsim_check_add(struct bsim_check *check, const char *word,
                                         const char *text, const char *origin,
                                         struct bsim_error *err) BSIM_MUST_USE;

/* Adds the statements of text[0..size); # and // begin a comment. `name` stands for the place in
 * messages, with line and column. */
BSIM_API enum bsim_status bsim_check_add_text(struct bsim_check *check, const char *name,
                                              const char *text, size_t size,
                                              struct bsim_error *err) BSIM_MUST_USE;

/* The words that bsim_check_add knows, by index 0, 1, ..., until NULL. Static. */
BSIM_API const char *bsim_check_word(size_t index);

/* No more statements: parses and lays out everything. What follows wants a sealed check. A check
 * whose sealing failed can only be freed. */
BSIM_API enum bsim_status bsim_check_seal(struct bsim_check *check,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* ---- what was recorded ----------------------------------------------------------------------- */

/* Keeps what the kernels of a stream do to shared memory: each different request once, with how often
 * it was made. One recorder belongs to one thread. */
struct bsim_recorder;

/* Launches of one kernel, with one block shape and window. Borrowed from the recorder. */
struct bsim_recorded {
    const struct bsim_kernel *kernel; /* of the first launch */
    uint64_t n_launches;
    uint64_t n_events;   /* of all kinds, a repeat's body once */
    uint64_t n_requests; /* to shared memory, over all warps and turns */
    uint64_t n_async;    /* likewise copies by TMA and wgmmas, which are no requests of lanes */
    uint64_t n_beside;   /* requests to global or constant memory, a repeat's body once */
};

/* A recorder, or NULL when memory is short; its end (NULL is fine); and where the stream goes, which
 * fails with BSIM_E_USAGE for records out of order and with BSIM_E_MEMORY. Of a kernel with more than
 * `most` different requests (0: 65,536) a sample is kept. */
BSIM_API struct bsim_recorder *bsim_recorder_new(size_t most);
BSIM_API void bsim_recorder_free(struct bsim_recorder *recorder);
BSIM_API struct bsim_sink bsim_recorder_sink(struct bsim_recorder *recorder);

/* Its kernels, in the order in which they came first: i is 0, 1, ... until NULL. */
BSIM_API const struct bsim_recorded *bsim_recorder_kernel(const struct bsim_recorder *recorder,
                                                          size_t i);

/* The wavefronts that kernel i loses to conflicts on the device, those of a sample estimated. */
BSIM_API uint64_t bsim_recorder_excessive(const struct bsim_recorder *recorder, size_t i,
                                          const struct bsim_device *device);

/* Pushes the stream that was recorded once more. */
struct bsim_replay {
    enum bsim_status (*push)(void *context, const struct bsim_sink *sink, struct bsim_error *err);
    void *context;
};

/* What happens in a check, not sealed yet, is what kernel i did; its statements declare shared arrays,
 * what their types and sizes are made of, what is expected, and nothing else. Without such a declaration the arrays are
 * those that the kernel's x-shared= declares; or, without that, the parts of the window which no site
 * reaches out of. Where nothing tells their elements these are as large as the narrowest access. The recorder is the check's
 * from then on, also after a failure, and freed with it; with replay NULL cycles of other layouts are
 * not known. Fails with BSIM_E_USAGE for a stream that has not ended or has no such kernel, sealing with
 * BSIM_E_INPUT for other statements, for a layout in a declaration, for an access that lies in no
 * array and for a kernel without accesses. What it expects is of all accesses. Such a check answers
 * bsim_check_each, with its requests in no order and of no warp, and bsim_check_push and
 * bsim_check_push_laid, which push the first launch, with its own sites, if there is a replay. */
BSIM_API enum bsim_status bsim_check_record(struct bsim_check *check,
                                            struct bsim_recorder *recorder, size_t i,
                                            const struct bsim_replay *replay,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* ---- what it consists of --------------------------------------------------------------------- */

/* A member of the structs or vectors that an array has: where it begins in each, and its size. */
struct bsim_check_member {
    const char *name, *type; /* "v", "float"; the name is "" of an anonymous struct */
    const char *dimensions;  /* "[3]", or "" */
    uint32_t alignment;      /* of its type */
    uint32_t offset_bytes, size_bytes;
};

/* One array (or scalar: no dimensions), in the order of declaration. */
struct bsim_check_array {
    enum bsim_space space;
    uint64_t begin; /* address of its first byte, as in a trace */
    const char *name;
    const char *element;        /* its type as CUDA spells it: "float", "float4", "__half" */
    uint32_t element_bytes;     /* size of an element; 12 for float3 */
    uint32_t element_alignment; /* that its type needs; 4 for float3 */
    uint32_t alignment;         /* of the array: element_alignment, or what __align__ asks for */
    uint32_t n_dimensions;
    uint32_t dimension[BSIM_CHECK_MAX_DIMENSIONS]; /* in elements; [0] is 0 for `extern s[]` */
    uint32_t offset_bytes; /* of its first byte in the block's window; 0 outside of it */
    uint32_t size_bytes;   /* 0 for an extern array: as large as the launch makes it; and for a
                            global one of unknown size */
    uint32_t laid_bytes; /* that it takes in the window: size_bytes and the padding of its layout */
    size_t n_layouts;    /* that its declaration asks for: each takes the place that the one before
                            it gave an element */
    const struct bsim_layout *layout;
    const char *layout_text; /* as they were declared: "pad 8 every 64"; NULL: elements lie in
                                their order */
    bool is_extern;
    bool is_tile;      /* TMA copies to or from it, or wgmma reads it: its layout is their map's or descriptor's */
    bool is_joined;    /* several variables, which some access of a recording takes together: they stay */
    bool is_read_only; /* a kernel's parameter that is const and __restrict__ */
    bool is_const;     /* its elements are, as declared; in other than shared memory */
    const struct bsim_check_member *member; /* of structs and vectors, in their order; else NULL */
    uint32_t n_members;
    bool is_struct; /* its members are those of a struct */
    bool is_untold; /* a recording has the bytes of its elements alone, which are a struct's or a union's: the type is a guess */
};

/* One access statement. Site index + 1 stands for it in the stream. */
struct bsim_check_access {
    const char *text; /* the expression, control characters as blanks */
    const char *op;   /* "load", "store", "atomic add", "atomic add 1", "ldmatrix x4.trans" */
    struct bsim_opcode opcode;
    uint32_t bytes;   /* per lane: size of what the expression names; 16 for a matrix row */
    uint32_t parts;   /* requests that one execution makes: 3 of 4 bytes for float3; mostly 1 */
    bool is_operand;  /* a load of constant memory at a place that the compiler knows, loops being
                         unrolled: it makes no request, but an operand; counted all the same */
    bool assumes_one; /* an atomic addition that says no value, taken for one of the constant 1 */
    const char *file; /* of a text, or NULL */
    uint32_t line;
    uint32_t site;           /* of a recording: the trace's number of it; else 0 */
    size_t n_loops;          /* around it that have a variable, outermost first */
    const char *const *loop; /* the variables' names */
    uint32_t one_in;         /* of a recording: of its different requests one of so many is kept,
                                which stands for all; mostly 1. Else 0 */
};

/* `expect 'conflicts == 0'`. */
struct bsim_check_expectation {
    const char *text;
    size_t first_access, n_accesses; /* those since the expectation before it, or all */
    uint32_t uses;                   /* bit v: value v is named in it; see bsim_check_value */
    const char *file;                /* of a text, or NULL */
    uint32_t line;
};

/* All of it. */
struct bsim_check_contents {
    const struct bsim_kernel *kernel;     /* what KERNEL says: "check", without a device */
    size_t n_arrays;                      /* that are shared: the first ones */
    const struct bsim_check_array *array; /* behind those, the ones in other memory, as far as
                                             requests have their numbers */
    size_t n_accesses;
    const struct bsim_check_access *access;
    size_t n_expectations;
    const struct bsim_check_expectation *expectation;
    size_t n_strangers;
    /* Names in statements of C that nothing declares, which were taken for registers or other
     * memory: what they stand for is not counted. */
    const char *const *stranger;
    size_t n_locals;
    /* Arrays of a thread's own that lie in local memory, since an index of them is no constant:
     * what they cost is not counted. */
    const char *const *local;
    /* That data decide (`index` statements that something uses): no layout should be fitted to
     * what they happen to be. */
    size_t n_indices;
    bool is_drawn;    /* some of them at random, so that counts differ from draw to draw */
    bool has_between; /* barriers, fences, shuffles or work: cycles say more than wavefronts */
    const struct bsim_recorded *recorded; /* what it was made of by bsim_check_record; or NULL */
};

BSIM_API const struct bsim_check_contents *bsim_check_contents(const struct bsim_check *check);

/* Loads of arrays that are read-only go through the read-only cache (ld.global.nc) where the device
 * has one for them, from compute capability 3.5 on, and are plain loads elsewhere. Before this is
 * called a check is for a device that has. */
BSIM_API void bsim_check_for(struct bsim_check *check, const struct bsim_device *device);

/* ---- evaluation ------------------------------------------------------------------------------ */

/* One request of one warp. Lane l of `lanes` accesses opcode.bytes bytes at byte offset[l] of array
 * number array[l], as its indices count; where they lie, by the array's layout, is address[l] in the
 * window; other entries are 0. All of them lie within their array, in one piece, and are aligned.
 * The layout of an array may be changed from the offsets alone: what part of the expression was an
 * index is not needed. */
struct bsim_check_request {
    size_t access; /* index */
    uint32_t part; /* 0 to parts - 1 */
    uint32_t warp;
    uint64_t times;      /* that it is made, one after the other: of a `times`; mostly 1 */
    const int64_t *loop; /* the values of the variables of the loops around the access, n_loops of
                            them, in the first active lane */
    struct bsim_opcode opcode;
    bool leaves_row; /* some index is past its dimension, as in t[0][40] of 32 columns: laid out
                        anew, t[y][x] does not stand for what was asked */
    uint32_t mask;   /* active lanes, never 0 */
    uint32_t lanes;  /* whose addresses count: bsim_opcode_lanes(&opcode, mask) */
    uint32_t array[BSIM_WARP_LANES];
    uint32_t offset[BSIM_WARP_LANES];
    uint32_t address[BSIM_WARP_LANES]; /* of shared memory; else see bsim_check_addresses */
    bool has_from;                     /* a copy that says where it is from, */
    uint64_t from[BSIM_WARP_LANES];    /* as in a trace */
};

/* Who is told of requests: of those to shared memory, of those to global and constant memory. NULL:
 * they are passed over. A failure ends the visit. */
struct bsim_check_visitor {
    enum bsim_status (*shared)(void *context, const struct bsim_check_request *request,
                               struct bsim_error *err);
    enum bsim_status (*other)(void *context, const struct bsim_check_request *request,
                              struct bsim_error *err);
    void *context;
    uint64_t draw; /* of the indices that are drawn: 0 is what bsim_check_push has. Draws are the
                      same on every machine */
};

/* Visits every request: warp after warp, in it the accesses as the warp comes to them, in them the
 * parts. An access that no lane of a warp comes to makes none. Fails, naming thread, loop values
 * and column, at the first address that is outside of its array or misaligned, at the first
 * undefined value that is used, at a barrier that not all threads reach, and when loops make more
 * turns or requests than BSIM_CHECK_MAX_REQUESTS; or with what the visitor answers. */
BSIM_API enum bsim_status bsim_check_each(const struct bsim_check *check,
                                          const struct bsim_check_visitor *visitor,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* The addresses of a request as in a trace: 0 in lanes that have none. */
BSIM_API void bsim_check_addresses(const struct bsim_check *check,
                                   const struct bsim_check_request *request,
                                   uint64_t address[BSIM_WARP_LANES]);

/* The shared arrays that a kernel's x-shared= declares (traces/FORMAT.md), as a sealed check that has
 * nothing else: for bsim_check_contents and bsim_check_locate. *check, which the caller frees, is NULL
 * if there is no such key. An array whose elements the trace does not tell has the element NULL, and
 * bytes as if it had such elements; one that has the size of an element alone, "". Fails with
 * BSIM_E_INPUT, without a place, for what cannot be read, for arrays that overlap or end behind the
 * kernel's window, and with BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_check_declared(const struct bsim_kernel *kernel,
                                              struct bsim_check **check,
                                              struct bsim_error *err) BSIM_MUST_USE;

/* A request as bsim_check_each would have it, of access 0: its lanes' arrays and offsets, by the
 * check's declarations. False if it is not to shared memory, or a lane lies in no array as a whole; what is
 * then in *asked is of no use. */
BSIM_API bool bsim_check_locate(const struct bsim_check *check, const struct bsim_request *request,
                                struct bsim_check_request *asked);

/* Pushes the same as a whole stream, KERNEL to END, with a SITE for each access. `device` is what
 * the KERNEL says it was recorded for, or NULL. */
BSIM_API enum bsim_status bsim_check_push(const struct bsim_check *check, const char *device,
                                          const struct bsim_sink *sink,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* What wgmma and copies by TMA may not see: appends a line, "warning: tma store ...", of each access by them that reads bytes of
 * shared memory which lanes have stored, with no fence.proxy.async behind. A fence of whichever thread counts for all that was
 * stored before it: what is told is wrong, not all that is wrong is told. Fails as bsim_check_push does. */
BSIM_API enum bsim_status bsim_check_unfenced(const struct bsim_check *check, struct bsim_buffer *lines,
                                              struct bsim_error *err) BSIM_MUST_USE;

/* Shared arrays otherwise: array i has layout[i] in place of what it is declared with, and begins at
 * byte begin[i] of the window; each access to it has operations[i] more instructions in front of it,
 * unless the warp has just computed that index, or is in a repeat (operations NULL: none). */
struct bsim_laid {
    const struct bsim_layout *layout;
    const uint32_t *begin;
    const uint32_t *operations;
};

/* The same, for the default device, with the arrays laid otherwise. Fails with BSIM_E_INPUT where a
 * layout takes an access apart. */
BSIM_API enum bsim_status bsim_check_push_laid(const struct bsim_check *check,
                                               const struct bsim_laid *laid,
                                               const struct bsim_sink *sink,
                                               struct bsim_error *err) BSIM_MUST_USE;

/* ---- expectations ---------------------------------------------------------------------------- */

enum { BSIM_CHECK_N_VALUES = 11 };

/* Evaluates expectation `index` for the counts of an access, of the result that bsim_answer or a run
 * of the check has. Fails for a division by zero and the like. */
BSIM_API enum bsim_status bsim_check_expect(const struct bsim_check *check, size_t index,
                                            const struct bsim_kernel_result *kernel, size_t access,
                                            bool *holds, struct bsim_error *err) BSIM_MUST_USE;

/* What an expectation may name ("requests", "wavefronts", "ideal", "excessive", which "conflicts"
 * means too, "ways_min", "ways_max"; of global memory "sectors" and "lines", of constant memory
 * "passes"; "shared_bytes" of a block), by v from 0 to BSIM_CHECK_N_VALUES - 1: its name, which is
 * static, and in *value what it is for the access. */
BSIM_API const char *bsim_check_value(const struct bsim_kernel_result *kernel, size_t access,
                                      uint32_t v, uint64_t *value);

/* ---- the same work --------------------------------------------------------------------------- */

/* Whether a check does the same work as one of wanted[0..n), n >= 1, each sealed and none a recording:
 * each thread reads, writes and adds to as many bytes and as many different ones; the threads that come
 * to one element of shared memory come to one element there too, wherever it lies; elements of global
 * and constant memory have their places; and the block comes to as many barriers or more. Otherwise
 * *lacks gets a sentence about what the nearest has and it has not, without a full stop: "thread (0,0,0)
 * has to read 8 bytes of shared memory, not 4". Fails as bsim_check_each does, with BSIM_E_INPUT where a
 * check makes more than 2^20 accesses of lanes, and with BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_check_does_work(const struct bsim_check *check,
                                               const struct bsim_check *const *wanted, size_t n,
                                               bool *does, struct bsim_buffer *lacks,
                                               struct bsim_error *err) BSIM_MUST_USE;

#endif
