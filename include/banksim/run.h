/* run.h - a run: a source's events through the simulator into a result, with cycles if they are
 * wanted, by several threads if the source is a trace; and a part of it, to be put together with
 * others.
 *
 *     FILE *file = fopen("a.trace", "r");
 *     struct bsim_input input = bsim_input_file(file, "a.trace");
 *     struct bsim_source source = {.input = &input};
 *     struct bsim_run_options options = {.jobs = 4};
 *     struct bsim_result result = {0};
 *     struct bsim_error err;
 *     if (bsim_run(&source, &options, &result, &err) == BSIM_OK) { ... }
 *     bsim_result_free(&result);
 *
 * A source is a trace, or a function that pushes events: an emulated kernel, a check's statements.
 * What comes out is the same whatever `jobs` is, to the last number and the first error. Nothing
 * here keeps state between calls; calls with different results may go on at the same time.
 */
#ifndef BANKSIM_RUN_H
#define BANKSIM_RUN_H

#include <banksim/expr.h>
#include <banksim/result.h>
#include <banksim/trace.h>

enum {
    BSIM_MAX_JOBS = 64,
    BSIM_RUN_EXPECTATIONS = 20, /* that fail, of a source, are told */
};

/* Where events come from: a trace, or what push pushes. Borrowed. */
struct bsim_source {
    const struct bsim_input *input; /* a trace, at its first byte; or NULL */
    /* Pushes one whole stream, with END; its failure, with its place in err, ends the run. */
    enum bsim_status (*push)(void *context, const struct bsim_sink *sink, struct bsim_error *err);
    void *context; /* of push */
};

/* How far a run is. */
struct bsim_progress {
    uint64_t events;       /* of the source so far, a repeat's body once */
    uint64_t blocks, grid; /* of what push pushes: the running kernel's so far, and its grid's; else 0 */
};

struct bsim_run_options {
    const struct bsim_device *device; /* NULL: what a kernel's device= names, or the default */
    struct bsim_device_options device_options; /* for such a looked-up device */
    /* How cycles are estimated, on the same device: its own device and device_options are not
     * looked at. NULL: there are none. */
    const struct bsim_timer_options *timing;
    /* Threads that share the blocks of a trace, at most; 0: one. What needs the whole stream in its
     * order, `also` and on_request, is done by one, and so is what push pushes. Where the system
     * has no threads the caller's does all. */
    uint32_t jobs;
    bool keeps_ended; /* of a source that fails, the kernels that had ended before are kept: they are
                         in the result, or on_kernel has had them, whatever is returned */
    const struct bsim_sink *also; /* gets the whole stream too, behind the simulator; or NULL */

    /* For the callbacks, each of which may be NULL. They are called by one thread at a time, which
     * with several jobs need not be the caller's. */
    void *context;
    /* Called for each access event and warp, in the trace's order; kernel_index counts the source's
     * own kernels. Its failure ends the run. */
    enum bsim_status (*on_request)(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err);
    /* The first BSIM_RUN_EXPECTATIONS that fail, in the order of the trace. */
    void (*on_expectation)(void *context, const struct bsim_expectation *expectation);
    /* Takes each kernel when it has ended, in the order of the trace, and the result has none: so
     * memory does not grow with their number. The kernel is freed behind it. A trace may turn out
     * to be broken afterwards. Its failure ends the run. */
    enum bsim_status (*on_kernel)(void *context, const struct bsim_kernel_result *kernel,
                                  struct bsim_error *err);
    /* Now and then. */
    void (*on_progress)(void *context, const struct bsim_progress *progress);
};

/* Runs the source and puts its kernels behind those of *result, which is zeroed at first and the
 * caller's to free. What all results together may have (result.h) holds for both. Fails with what
 * the source, `also` and the callbacks fail with; with BSIM_E_INPUT for an unknown device=,
 * registers= that no block of the kernel fits with, an opcode that the device does not execute, a request or a kernel whose constants lie further apart
 * than BSIM_CONSTANT_BYTES, more than BSIM_MAX_EXECUTED warp instructions and a kernel that takes
 * 2^56 clocks or more; with BSIM_E_USAGE for device options that the device has not, constants of
 * timing out of range, registers that no block of a kernel fits with, and a stream out of order or
 * without END; and with BSIM_E_MEMORY. *result is as before then, but for what keeps_ended adds. */
BSIM_API enum bsim_status bsim_run(const struct bsim_source *source,
                                   const struct bsim_run_options *options,
                                   struct bsim_result *result,
                                   struct bsim_error *err) BSIM_MUST_USE;

/* ---- one source on many machines ------------------------------------------------------------- */

/* What was counted in the shard-th of n_shards parts of one or more traces. */
struct bsim_part {
    uint32_t shard, n_shards; /* shard from 1 to n_shards */
    uint64_t identity; /* of the traces as a whole and of what was asked: parts that are to be
                                 put together have the same */
    struct bsim_result result;
};

/* Counts the blocks of one of several shards of a source alone, and puts what comes of them behind
 * what *part has: part->shard and part->n_shards say which, and are the caller's to set, the rest
 * is zeroed at first. For several traces, call it once for each, in the same order in every shard.
 * Of a trace the other blocks are passed over unread; what push pushes comes whole, and is not counted.
 * Fails as bsim_run does, *part being as before then, and with BSIM_E_USAGE for what wants the whole: also, on_request, on_kernel. What is wrong with kernels as a
 * whole bsim_merge's to say. */
BSIM_API enum bsim_status bsim_run_shard(const struct bsim_source *source,
                                         const struct bsim_run_options *options,
                                         struct bsim_part *part,
                                         struct bsim_error *err) BSIM_MUST_USE;

/* Appends the part as text, for bsim_merge. */
BSIM_API void bsim_part_write(const struct bsim_part *part, struct bsim_buffer *out);

/* All parts of a run, in any order. */
struct bsim_parts {
    size_t n;
    const char *const *name; /* of each, for messages */
    /* Puts what bsim_part_write wrote of part i into the empty *text, which is freed in any
     * case. */
    enum bsim_status (*read)(void *context, size_t i, struct bsim_buffer *text,
                             struct bsim_error *err);
    void *context;
};

/* Puts parts together into the empty *result, as one run of the whole has it, which the caller then
 * frees; one part at a time is in memory. Fails with BSIM_E_INPUT for a part that is damaged,
 * missing, there twice, or of another trace, question or version of banksim, and for what is wrong
 * with the whole, with BSIM_E_USAGE for no parts, with BSIM_E_MEMORY, and as read does. */
BSIM_API enum bsim_status bsim_merge(const struct bsim_parts *parts, struct bsim_result *result,
                                     struct bsim_error *err) BSIM_MUST_USE;

/* ---- a check, answered ----------------------------------------------------------------------- */

/* What an access whose index is drawn takes, over the requests of many draws. */
struct bsim_check_spread {
    uint64_t requests;            /* 0: nothing of the access is drawn */
    uint64_t wavefronts, ways;    /* of all of them together */
    uint32_t ways_low, ways_high; /* at most 5 % of them have fewer, and more */
};

/* The request of one access that loses the most to conflicts, of other memory than shared the one
 * that takes the most sectors or passes: the first of equals. */
struct bsim_check_worst {
    bool is_known;                     /* false: the access makes no request */
    struct bsim_check_request request; /* its `loop` is the next member */
    int64_t *loop;
    uint32_t cost; /* excessive wavefronts; sectors, passes */
    struct bsim_check_spread spread;
    struct bsim_buffer remedy; /* a sentence without its full stop; empty: none was looked for */
};

struct bsim_advice;

/* What is asked of a check. */
struct bsim_ask {
    const struct bsim_device *device;          /* NULL: the default */
    struct bsim_device_options device_options; /* for that */
    bool cycles;                               /* too, where they take a moment */
    bool remedies;
    /* NULL, or who tries hints on the kernel that the check was recorded of, before they are told, and changes what
     * they say: the advice is for the check, and kernel what was counted. */
    enum bsim_status (*prove)(void *context, const struct bsim_check *check,
                              const struct bsim_kernel_result *kernel, struct bsim_advice *advice,
                              struct bsim_error *err);
    void *context; /* of that */
};

struct bsim_answer {
    struct bsim_result result; /* of one kernel; an extern array as large as it is accessed */
    size_t n_accesses;
    struct bsim_check_worst *worst; /* by access */
    int64_t *loops;                 /* of all of them */
    double tried_share;             /* of the advice that `prove` changed (advise.h); 0: nothing was tried */
};

/* Answers for a sealed check, which is not changed, in the zeroed *answer, which the caller frees
 * in any case. Fails as bsim_run and bsim_check_each do, and with BSIM_E_INPUT for accesses to more
 * shared memory than the device gives a block. */
BSIM_API enum bsim_status bsim_answer(struct bsim_check *check, const struct bsim_ask *ask,
                                      struct bsim_answer *answer,
                                      struct bsim_error *err) BSIM_MUST_USE;
BSIM_API void bsim_answer_free(struct bsim_answer *answer);

#endif
