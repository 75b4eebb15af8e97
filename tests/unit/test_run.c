/* test_run.c - bsim_run: sources into results, as run.h says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "failing_memory.h"
#include "sealed.h"

#include <stdio.h>
#include <string.h>

/* ---- a source that makes its events ---------------------------------------------------------- */

/* Two kernels of n blocks, each of whose warps loads with a stride in bytes. */
struct strided {
    uint32_t n_blocks;
    int64_t stride;
    enum bsim_status fails; /* with this, instead of END */
};

static enum bsim_status push_strided_kernel(const struct strided *strided, const char *name,
                                            const struct bsim_sink *sink, struct bsim_error *err)
{
    struct bsim_kernel kernel = {
        .name = name, .grid = {strided->n_blocks, 1, 1}, .block = {64, 1, 1}, .extras = ""};
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    struct bsim_event event;
    struct bsim_opcode load;
    enum bsim_status status = bsim_opcode_parse("ld.shared.u32", 13, &load, err);
    bsim_event_init(&event, &load);
    event.warp = BSIM_ALL_WARPS;
    event.affine = true;
    event.stride = strided->stride;
    status = status == BSIM_OK ? sink->push(sink->context, &record, err) : status;
    for (uint32_t b = 0; b < strided->n_blocks && status == BSIM_OK; b++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = {b, 0, 0}};
        status = sink->push(sink->context, &record, err);
        record = (struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = &event};
        status = status == BSIM_OK ? sink->push(sink->context, &record, err) : status;
    }
    return status;
}

static enum bsim_status push_strided(void *context, const struct bsim_sink *sink,
                                     struct bsim_error *err)
{
    const struct strided *strided = context;
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    enum bsim_status status = push_strided_kernel(strided, "first", sink, err);
    if (status == BSIM_OK) {
        status = push_strided_kernel(strided, "second", sink, err);
    }
    if (status == BSIM_OK && strided->fails != BSIM_OK) {
        return bsim_error_set(err, strided->fails, "it broke");
    }
    return status == BSIM_OK ? sink->push(sink->context, &end, err) : status;
}

static void what_is_pushed_is_counted(void **state)
{
    struct strided strided = {.n_blocks = 3, .stride = 8};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct bsim_timer_options timing = {.ideal = true};
    struct bsim_run_options options = {.timing = &timing};
    struct bsim_result result = {0};
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_int_equal(result.n_kernels, 2);
    for (size_t k = 0; k < 2; k++) {
        struct bsim_tally total = bsim_kernel_total(&result.kernels[k]);
        assert_int_equal(total.requests, 6); /* two warps in each of three blocks */
        assert_int_equal(total.wavefronts, 12);
        assert_true(result.kernels[k].timed.is_timed);
        assert_true(result.kernels[k].timed.cycles > result.kernels[k].timed.cycles_ideal);
    }
    assert_int_equal(result.executed, 12);
    bsim_result_free(&result);
}

static void kernels_come_behind_those_before(void **state)
{
    struct strided strided = {.n_blocks = 1, .stride = 4};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    struct bsim_error err;
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    strided.stride = 128;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_int_equal(result.n_kernels, 4);
    assert_int_equal(result.kernels[1].tally[BSIM_LOADS].wavefronts, 2);
    assert_int_equal(result.kernels[2].tally[BSIM_LOADS].wavefronts, 64);
    strided.fails = BSIM_E_KERNEL;
    assert_int_equal(bsim_run(&source, &options, &result, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message, "it broke");
    assert_int_equal(result.n_kernels, 4);
    assert_int_equal(result.executed, 8);
    bsim_result_free(&result);
}

/* The limit of warp instructions holds for all sources of a result. */
static void the_limit_is_for_all_sources(void **state)
{
    struct strided strided = {.n_blocks = 1, .stride = 4};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {.executed = BSIM_MAX_EXECUTED - 4};
    struct bsim_error err;
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_int_equal(bsim_run(&source, &options, &result, &err), BSIM_E_INPUT);
    assert_int_equal(result.n_kernels, 2);
    bsim_result_free(&result);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

struct heard {
    struct bsim_buffer log;
    size_t requests, kernels, also, fail_at;
    uint64_t events;
};

static enum bsim_status hear_request(void *context, const struct bsim_request_result *request,
                                     struct bsim_error *err)
{
    struct heard *heard = context;
    (void)err;
    bsim_buffer_printf(&heard->log, " %zu.%u.%u", request->kernel_index, (unsigned)request->block.x,
                       (unsigned)request->warp);
    heard->requests++;
    return BSIM_OK;
}

static enum bsim_status hear_kernel(void *context, const struct bsim_kernel_result *kernel,
                                    struct bsim_error *err)
{
    struct heard *heard = context;
    bsim_buffer_printf(&heard->log, " %s", kernel->name);
    return ++heard->kernels == heard->fail_at ? bsim_error_set(err, BSIM_E_IO, "enough") : BSIM_OK;
}

static enum bsim_status hear_record(void *context, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct heard *heard = context;
    (void)err;
    heard->also++;
    if (record->kind == BSIM_RECORD_END) {
        bsim_buffer_text(&heard->log, " END");
    }
    return BSIM_OK;
}

static void hear_progress(void *context, const struct bsim_progress *progress)
{
    struct heard *heard = context;
    assert_true(progress->events >= heard->events);
    assert_int_equal(progress->grid, 200000);
    assert_int_equal(progress->blocks, progress->events % 200000); /* an event in each */
    heard->events = progress->events;
}

static void requests_and_kernels_are_told_in_order(void **state)
{
    struct strided strided = {.n_blocks = 2, .stride = 4};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct heard heard = {.log = BSIM_BUFFER_EMPTY};
    struct bsim_sink also = {.push = hear_record, .context = &heard};
    struct bsim_run_options options = {
        .also = &also, .context = &heard, .on_request = hear_request, .on_kernel = hear_kernel};
    struct bsim_result result = {0};
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_string_equal(heard.log.data, " 0.0.0 0.0.1 0.1.0 0.1.1 first"
                                        " 1.0.0 1.0.1 1.1.0 1.1.1 END second");
    assert_int_equal(heard.also, 11);
    assert_int_equal(result.n_kernels, 0); /* they were handed over */
    assert_int_equal(result.executed, 8);
    bsim_result_free(&result);
    bsim_buffer_free(&heard.log);
}

static void a_callback_that_fails_ends_the_run(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 2; fail_at++) {
        struct strided strided = {.n_blocks = 2, .stride = 4};
        struct bsim_source source = {.push = push_strided, .context = &strided};
        struct heard heard = {.log = BSIM_BUFFER_EMPTY, .fail_at = fail_at};
        struct bsim_run_options options = {.context = &heard, .on_kernel = hear_kernel};
        struct bsim_result result = {0};
        struct bsim_error err;
        assert_int_equal(bsim_run(&source, &options, &result, &err), BSIM_E_IO);
        assert_string_equal(err.message, "enough");
        assert_int_equal(heard.kernels, fail_at);
        assert_int_equal(result.executed, 0);
        bsim_buffer_free(&heard.log);
    }
}

static void progress_is_told_now_and_then(void **state)
{
    struct strided strided = {.n_blocks = 200000, .stride = 4};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct heard heard = {.log = BSIM_BUFFER_EMPTY};
    struct bsim_run_options options = {.context = &heard, .on_progress = hear_progress};
    struct bsim_result result = {0};
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_int_equal(heard.events, 2 * 200000 - 1);
    bsim_result_free(&result);
}

/* ---- traces, by several threads and in shards ------------------------------------------------ */

/* A trace in memory. */
struct memory {
    struct bsim_buffer text;
    size_t given;
    size_t n_restarts;
};

static size_t read_memory(void *context, void *data, size_t size_bytes)
{
    struct memory *memory = context;
    size_t left = memory->text.size_bytes - memory->given;
    size_t n = left < size_bytes ? left : size_bytes;
    memcpy(data, memory->text.data + memory->given, n);
    memory->given += n;
    return n;
}

static bool restart_memory(void *context)
{
    struct memory *memory = context;
    memory->given = 0;
    memory->n_restarts++;
    return true;
}

/* Kernels of some hundred kilobytes, so that there are pieces for all; every 500th block has an
 * expectation that fails. `last`: its last line but one. */
static void make_trace(struct memory *memory, const char *last)
{
    *memory = (struct memory){.text = BSIM_BUFFER_EMPTY};
    bsim_buffer_text(&memory->text, "banksim-trace 1\n");
    for (unsigned k = 0; k < 3; k++) {
        bsim_buffer_printf(&memory->text, "kernel k%u grid=9 block=64\nsite 1 ld.shared.u32\n", k);
        for (unsigned b = 0; b < 6000; b++) {
            bsim_buffer_printf(&memory->text,
                               "block %u\nw0 @1 ffffffff 0+%u\nw1 @1 ffffffff 0+4%s\n", b % 9,
                               b % 33 * 4, b % 500 == 7 ? " expect.wavefronts=9" : "");
        }
    }
    bsim_buffer_printf(&memory->text, "%s\nend\n", last);
    assert_false(memory->text.failed);
}

struct missed {
    size_t n;
    uint64_t line;
};

static void miss(void *context, const struct bsim_expectation *failed)
{
    struct missed *missed = context;
    assert_true(failed->line > missed->line); /* in the order of the trace */
    missed->line = failed->line;
    missed->n++;
}

static enum bsim_status run_memory(struct memory *memory, uint32_t jobs, struct bsim_result *result,
                                   struct bsim_error *err)
{
    static const struct bsim_timer_options timing = {.max_events = 20000, .ideal = true};
    struct bsim_input input = {
        .read = read_memory, .restart = restart_memory, .context = memory, .name = "t.trace"};
    struct bsim_source source = {.input = &input};
    struct missed missed = {0};
    struct bsim_run_options options = {
        .timing = &timing, .jobs = jobs, .context = &missed, .on_expectation = miss};
    memory->given = 0;
    enum bsim_status status = bsim_run(&source, &options, result, err);
    assert_int_equal(missed.n, BSIM_RUN_EXPECTATIONS);
    return status;
}

/* All of a result as text: that of a part. */
static struct bsim_buffer result_text(const struct bsim_result *result)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_part part = {.shard = 1, .n_shards = 1, .result = *result};
    bsim_part_write(&part, &text);
    assert_false(text.failed);
    return text;
}

static void jobs_change_nothing(void **state)
{
    static const uint32_t jobs[] = {0, 2, 5, BSIM_MAX_JOBS, UINT32_MAX};
    struct memory memory;
    struct bsim_result alone = {0};
    (void)state;
    make_trace(&memory, "");
    assert_int_equal(run_memory(&memory, 1, &alone, NULL), BSIM_OK);
    assert_int_equal(alone.expectations_failed, 36);
    struct bsim_buffer expected = result_text(&alone);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct bsim_result result = {0};
        assert_int_equal(run_memory(&memory, jobs[i], &result, NULL), BSIM_OK);
        struct bsim_buffer text = result_text(&result);
        assert_string_equal(text.data, expected.data);
        bsim_buffer_free(&text);
        bsim_result_free(&result);
    }
    bsim_buffer_free(&expected);
    bsim_result_free(&alone);
    bsim_buffer_free(&memory.text);
}

/* One that no thread alone would notice: an input that can be read again has its line. */
static void errors_are_those_of_one_thread(void **state)
{
    static const char *const last[] = {
        "w0 @2 ffffffff 0+4",
        "block 5\nrepeat 1000000000\nrepeat 1000000\nw0 @1 1 0\ndone\ndone",
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct memory memory;
        make_trace(&memory, last[i]);
        struct bsim_result result = {0};
        struct bsim_error alone, err;
        assert_int_not_equal(run_memory(&memory, 1, &result, &alone), BSIM_OK);
        assert_int_not_equal(run_memory(&memory, 4, &result, &err), BSIM_OK);
        assert_string_equal(err.message, alone.message);
        assert_int_equal(err.status, alone.status);
        assert_int_equal(err.line, alone.line);
        assert_int_equal(result.n_kernels, 0);
        bsim_buffer_free(&memory.text);
    }
}

/* Where the k-th of the trace's kernels begins. */
static size_t start_of(const struct memory *memory, unsigned k)
{
    char name[16];
    snprintf(name, sizeof name, "kernel k%u", k);
    return (size_t)(strstr(memory->text.data, name) - memory->text.data);
}

/* A trace of so many bytes alone: what comes of it are the first n kernels of the whole. */
static void keep_of(struct memory *memory, size_t size, const struct bsim_result *whole, size_t n)
{
    static const struct bsim_timer_options timing = {.max_events = 20000, .ideal = true};
    static const char *const told[] = {"", " k0", " k0 k1"};
    size_t all = memory->text.size_bytes;
    struct bsim_result first = {.n_kernels = n, .kernels = whole->kernels};
    struct bsim_buffer expected = result_text(&first);
    memory->text.size_bytes = size;
    for (uint32_t jobs = 1; jobs <= 5; jobs += 2) {
        struct bsim_input input = {.read = read_memory, .context = memory, .name = "t.trace"};
        struct bsim_source source = {.input = &input};
        struct heard heard = {.log = BSIM_BUFFER_EMPTY};
        struct bsim_run_options options = {
            .timing = &timing, .jobs = jobs, .keeps_ended = true, .context = &heard};
        struct bsim_result result = {0};
        memory->given = 0;
        assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_E_INPUT);
        assert_int_equal(result.n_kernels, n);
        struct bsim_buffer text = result_text(&result);
        assert_string_equal(text.data, expected.data);
        bsim_buffer_free(&text);
        bsim_result_free(&result);
        options.on_kernel = hear_kernel;
        memory->given = 0;
        assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_E_INPUT);
        assert_int_equal(result.n_kernels, 0);
        assert_string_equal(n > 0 ? heard.log.data : "", told[n]);
        bsim_buffer_free(&heard.log);
    }
    memory->text.size_bytes = all;
    bsim_buffer_free(&expected);
}

static void kernels_that_had_ended_are_kept(void **state)
{
    struct memory memory;
    struct bsim_result whole = {0};
    (void)state;
    make_trace(&memory, "");
    assert_int_equal(run_memory(&memory, 1, &whole, NULL), BSIM_OK);
    size_t second = start_of(&memory, 1), third = start_of(&memory, 2);
    keep_of(&memory, second / 3, &whole, 0);
    keep_of(&memory, second - 1, &whole, 0);
    keep_of(&memory, second + 100, &whole, 1);
    keep_of(&memory, second + (third - second) / 2, &whole, 1);
    keep_of(&memory, third - 20, &whole, 1);
    keep_of(&memory, third + 100, &whole, 2);
    keep_of(&memory, memory.text.size_bytes - 5, &whole, 2); /* END is not there */
    bsim_result_free(&whole);
    bsim_buffer_free(&memory.text);
}

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

/* The first lines of the trace in the binary form, as a runtime leaves it when a launch fails: the same
 * kernels are kept of it. */
static void keep_of_binary(struct memory *memory, size_t size, const struct bsim_result *whole,
                           size_t n)
{
    struct memory packed = {.text = BSIM_BUFFER_EMPTY};
    size_t all = memory->text.size_bytes;
    struct bsim_input input = {.read = read_memory, .context = memory, .name = "t.trace"};
    struct bsim_output output = {add_bytes, &packed.text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    memory->given = 0;
    memory->text.size_bytes = size;
    assert_int_equal(bsim_trace_read(&input, &sink, NULL), BSIM_E_INPUT);
    assert_int_equal(bsim_trace_writer_cut(writer, NULL), BSIM_OK);
    memory->text.size_bytes = all;
    bsim_trace_writer_free(writer);
    keep_of(&packed, packed.text.size_bytes, whole, n);
    bsim_buffer_free(&packed.text);
}

static void kernels_of_a_cut_trace_are_kept(void **state)
{
    enum { KERNEL_LINE = sizeof "kernel k0 grid=9 block=64\n" - 1 };
    struct memory memory;
    struct bsim_result whole = {0};
    (void)state;
    make_trace(&memory, "");
    assert_int_equal(run_memory(&memory, 1, &whole, NULL), BSIM_OK);
    size_t second = start_of(&memory, 1), third = start_of(&memory, 2);
    keep_of_binary(&memory, second, &whole, 0);
    keep_of_binary(&memory, second + KERNEL_LINE, &whole, 1); /* has begun, and no more */
    keep_of_binary(&memory, second + 200, &whole, 1);
    keep_of_binary(&memory, third, &whole, 1);
    keep_of_binary(&memory, third + KERNEL_LINE, &whole, 2);
    keep_of_binary(&memory, memory.text.size_bytes - 5, &whole, 2);
    bsim_result_free(&whole);
    bsim_buffer_free(&memory.text);
}

/* A mistake in the middle of a kernel: others may have read what stands behind it. */
static void nothing_behind_a_mistake_is_kept(void **state)
{
    struct memory memory;
    struct bsim_result whole = {0};
    (void)state;
    make_trace(&memory, "");
    assert_int_equal(run_memory(&memory, 1, &whole, NULL), BSIM_OK);
    size_t second = start_of(&memory, 1), third = start_of(&memory, 2);
    char *mistake = strstr(memory.text.data + second + (third - second) / 2, "block");
    *mistake = 'B';
    keep_of(&memory, memory.text.size_bytes, &whole, 1);
    bsim_result_free(&whole);
    bsim_buffer_free(&memory.text);
}

enum { N_SHARDS = 3 };

struct texts {
    struct bsim_buffer of[N_SHARDS];
};

static enum bsim_status read_text(void *context, size_t i, struct bsim_buffer *text,
                                  struct bsim_error *err)
{
    const struct texts *texts = context;
    bsim_buffer_add(text, texts->of[i].data, texts->of[i].size_bytes);
    return bsim_buffer_status(text, err);
}

static void shards_make_up_the_whole(void **state)
{
    static const char *const names[] = {"a", "b", "c"};
    struct memory memory;
    struct bsim_result whole = {0}, sum = {0};
    struct bsim_error err;
    struct texts texts = {.of = {BSIM_BUFFER_EMPTY}};
    struct bsim_parts parts = {N_SHARDS, names, read_text, &texts};
    (void)state;
    make_trace(&memory, "");
    assert_int_equal(run_memory(&memory, 1, &whole, NULL), BSIM_OK);
    for (uint32_t k = 1; k <= N_SHARDS; k++) {
        static const struct bsim_timer_options timing = {.max_events = 20000, .ideal = true};
        struct bsim_input input = {.read = read_memory, .context = &memory, .name = "t.trace"};
        struct bsim_source source = {.input = &input};
        struct bsim_run_options options = {.timing = &timing, .jobs = k};
        struct bsim_part part = {.shard = k, .n_shards = N_SHARDS};
        memory.given = 0;
        assert_int_equal(bsim_run_shard(&source, &options, &part, NULL), BSIM_OK);
        bsim_part_write(&part, &texts.of[N_SHARDS - k]);
        bsim_result_free(&part.result);
    }
    assert_int_equal(bsim_merge(&parts, &sum, NULL), BSIM_OK);
    struct bsim_buffer expected = result_text(&whole), text = result_text(&sum);
    assert_string_equal(text.data, expected.data);
    bsim_buffer_free(&expected);
    bsim_buffer_free(&text);
    bsim_result_free(&sum);
    parts.n = N_SHARDS - 1;
    assert_int_equal(bsim_merge(&parts, &sum, &err), BSIM_E_INPUT);
    assert_string_equal(err.message, "part 1 of 3 is missing: the others' command with "
                                     "--shard 1/3 writes it");
    parts.n = 0;
    assert_int_equal(bsim_merge(&parts, &sum, &err), BSIM_E_USAGE);
    for (size_t i = 0; i < N_SHARDS; i++) {
        bsim_buffer_free(&texts.of[i]);
    }
    bsim_result_free(&whole);
    bsim_buffer_free(&memory.text);
}

/* Of 7 blocks in two kernels each, by 3 shards; another stream's part is told from them. */
static void what_is_pushed_has_shards(void **state)
{
    static const char *const names[] = {"a", "b", "c"};
    static const struct bsim_timer_options timing = {.ideal = true};
    struct strided strided = {.n_blocks = 7, .stride = 8};
    struct bsim_source source = {.push = push_strided, .context = &strided};
    struct bsim_run_options options = {.timing = &timing};
    struct texts texts = {.of = {BSIM_BUFFER_EMPTY}};
    struct bsim_parts parts = {N_SHARDS, names, read_text, &texts};
    struct bsim_result whole = {0}, sum = {0};
    struct bsim_error err;
    (void)state;
    assert_int_equal(bsim_run(&source, &options, &whole, NULL), BSIM_OK);
    for (uint32_t k = 1; k <= N_SHARDS + 1; k++) {
        struct bsim_part part = {.shard = k <= N_SHARDS ? k : 1, .n_shards = N_SHARDS};
        strided.stride = k <= N_SHARDS ? 8 : 16;
        assert_int_equal(bsim_run_shard(&source, &options, &part, NULL), BSIM_OK);
        bsim_buffer_clear(&texts.of[part.shard - 1]);
        bsim_part_write(&part, &texts.of[part.shard - 1]);
        assert_int_equal(part.result.kernels[0].blocks, part.shard == 1 ? 3 : 2);
        bsim_result_free(&part.result);
        if (k == N_SHARDS) {
            assert_int_equal(bsim_merge(&parts, &sum, NULL), BSIM_OK);
            struct bsim_buffer expected = result_text(&whole), text = result_text(&sum);
            assert_string_equal(text.data, expected.data);
            bsim_buffer_free(&expected);
            bsim_buffer_free(&text);
            bsim_result_free(&sum);
        }
    }
    assert_int_equal(bsim_merge(&parts, &sum, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "a part of another trace"));
    for (size_t i = 0; i < N_SHARDS; i++) {
        bsim_buffer_free(&texts.of[i]);
    }
    bsim_result_free(&whole);
}

static void what_is_no_shard_is_refused(void **state)
{
    struct bsim_input input = {.read = read_memory, .name = "t.trace"};
    struct bsim_source trace = {.input = &input};
    struct bsim_run_options plain = {.jobs = 1};
    struct bsim_run_options ordered = {.on_request = hear_request};
    struct bsim_part part = {.shard = 1, .n_shards = 2}, none = {.shard = 3, .n_shards = 2};
    (void)state;
    assert_int_equal(bsim_run_shard(&trace, &ordered, &part, NULL), BSIM_E_USAGE);
    assert_int_equal(bsim_run_shard(&trace, &plain, &none, NULL), BSIM_E_USAGE);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const char tile[] = "block 32,32\nshared float tile[32][32]\nglobal float *out\n"
                           "for k=0:2 {\nload tile[threadIdx.x][threadIdx.y + k * 0]\n}\n"
                           "store out[33 * threadIdx.x]\n";

static void a_check_is_answered(void **state)
{
    struct bsim_ask ask = {.cycles = true, .remedies = true};
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_check *check = sealed_check(tile);
    (void)state;
    assert_int_equal(bsim_answer(check, &ask, &answer, NULL), BSIM_OK);
    assert_int_equal(answer.n_accesses, 2);
    const struct bsim_check_worst *load = &answer.worst[0], *store = &answer.worst[1];
    assert_true(load->is_known && store->is_known);
    assert_int_equal(load->cost, 31); /* the first of equals: warp 0 in the first turn */
    assert_int_equal(load->request.warp, 0);
    assert_int_equal(load->request.loop[0], 0);
    assert_int_equal(store->cost, 32); /* sectors */
    assert_non_null(strstr(load->remedy.data, "tile[32][33]"));
    assert_true(answer.result.kernels[0].timed.cycles > 0);
    bsim_answer_free(&answer);
    ask = (struct bsim_ask){.cycles = false};
    assert_int_equal(bsim_answer(check, &ask, &answer, NULL), BSIM_OK);
    assert_false(answer.result.kernels[0].timed.is_timed);
    assert_int_equal(answer.worst[0].remedy.size_bytes, 0);
    bsim_answer_free(&answer);
    bsim_check_free(check);
}

/* Takes the words of the second plan for those of the hint. */
static enum bsim_status prove(void *context, const struct bsim_check *check,
                              const struct bsim_kernel_result *kernel, struct bsim_advice *advice,
                              struct bsim_error *err)
{
    struct bsim_buffer *remedy = &advice->hint[0].remedy;
    (void)err;
    *(uint64_t *)context = kernel->sites[0].requests;
    assert_true(advice->hint[0].n_plans > 1);
    bsim_buffer_clear(remedy);
    bsim_advice_changes(check, advice, &advice->hint[0].plan[1], false, remedy);
    return BSIM_OK;
}

static void hints_are_proven_before_they_are_told(void **state)
{
    uint64_t requests = 0;
    struct bsim_ask ask = {.remedies = true, .prove = prove, .context = &requests};
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_check *check = sealed_check(tile);
    (void)state;
    assert_int_equal(bsim_answer(check, &ask, &answer, NULL), BSIM_OK);
    assert_int_equal(requests, 64); /* 32 warps, two turns */
    assert_string_equal(answer.worst[0].remedy.data, "declare __shared__ float tile[32][33]");
    bsim_answer_free(&answer);
    bsim_check_free(check);
}

static void an_answer_survives_short_memory(void **state)
{
    struct bsim_ask ask = {.cycles = true, .remedies = true};
    struct bsim_check *check = sealed_check(tile);
    enum bsim_status status = BSIM_E_MEMORY;
    (void)state;
    for (size_t n = 0; status != BSIM_OK; n += 7) {
        struct bsim_answer answer = {.n_accesses = 0};
        struct bsim_error err;
        failing_memory_fail_after(n);
        status = bsim_answer(check, &ask, &answer, &err);
        failing_memory_heal();
        assert_true(status == BSIM_OK || status == BSIM_E_MEMORY);
        bsim_answer_free(&answer);
    }
    bsim_check_free(check);
}

/* ---- the example of run.h -------------------------------------------------------------------- */

static void the_example_runs(void **state)
{
    (void)state;
    FILE *file = fopen("traces/square_set_row_read_col.trace", "r");
    assert_non_null(file);
    struct bsim_input input = bsim_input_file(file, "a.trace");
    struct bsim_source source = {.input = &input};
    struct bsim_run_options options = {.jobs = 4};
    struct bsim_result result = {0};
    struct bsim_error err;
    assert_int_equal(bsim_run(&source, &options, &result, &err), BSIM_OK);
    assert_int_equal(bsim_kernel_total(&result.kernels[0]).conflicts, 992);
    bsim_result_free(&result);
    (void)fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pushed_is_counted),
        cmocka_unit_test(kernels_come_behind_those_before),
        cmocka_unit_test(the_limit_is_for_all_sources),
        cmocka_unit_test(requests_and_kernels_are_told_in_order),
        cmocka_unit_test(a_callback_that_fails_ends_the_run),
        cmocka_unit_test(progress_is_told_now_and_then),
        cmocka_unit_test(jobs_change_nothing),
        cmocka_unit_test(errors_are_those_of_one_thread),
        cmocka_unit_test(kernels_that_had_ended_are_kept),
        cmocka_unit_test(kernels_of_a_cut_trace_are_kept),
        cmocka_unit_test(nothing_behind_a_mistake_is_kept),
        cmocka_unit_test(shards_make_up_the_whole),
        cmocka_unit_test(what_is_pushed_has_shards),
        cmocka_unit_test(what_is_no_shard_is_refused),
        cmocka_unit_test(a_check_is_answered),
        cmocka_unit_test(hints_are_proven_before_they_are_told),
        cmocka_unit_test(an_answer_survives_short_memory),
        cmocka_unit_test(the_example_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
