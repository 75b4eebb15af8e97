/* support.c - bytes in and out, simulation, reports. */
#include "support.h"

#include "trace/binary/binary.h"
#include "result/result.h"
#include "sim/sim.h"
#include "timing/timer.h"

void fuzz_fail(const char *file, int line, const char *condition, const char *data, size_t size)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    (void)fwrite(data, 1, size, stderr);
    abort();
}

/* ---- bytes in and out ------------------------------------------------------------------------ */

static size_t read_bytes(void *context, void *data, size_t size_bytes)
{
    struct fuzz_bytes *bytes = context;
    static const size_t piece[] = {1, 7, 4096, 3, 70000, 64};
    size_t n = piece[bytes->calls++ % (sizeof piece / sizeof piece[0])];
    n = n < size_bytes ? n : size_bytes;
    n = n < bytes->size - bytes->at ? n : bytes->size - bytes->at;
    if (n > 0) {
        memcpy(data, bytes->data + bytes->at, n);
    }
    bytes->at += n;
    return n;
}

struct bsim_input fuzz_input(struct fuzz_bytes *bytes)
{
    return (struct bsim_input){.read = read_bytes, .context = bytes, .name = "fuzz"};
}

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

struct bsim_output fuzz_output(struct bsim_buffer *buffer)
{
    return (struct bsim_output){add_bytes, buffer};
}

struct bsim_buffer fuzz_repaired(const uint8_t *data, size_t size)
{
    struct bsim_buffer copy = BSIM_BUFFER_EMPTY;
    bsim_buffer_add(&copy, size > 0 ? data : (const uint8_t *)"", size);
    unsigned char *bytes = (unsigned char *)copy.data;
    REQUIRE(!copy.failed);
    if (size < BSIM_BINARY_HEAD_BYTES || size % 2 == 1 ||
        memcmp(data, BSIM_BINARY_MAGIC, BSIM_BINARY_MAGIC_BYTES) != 0) {
        return copy;
    }
    bsim_put64(bytes + BSIM_BINARY_SUM_AT, bsim_checksum(bytes, NULL, 0));
    for (size_t at = BSIM_BINARY_HEAD_BYTES; size - at >= BSIM_BINARY_HEAD_BYTES;) {
        unsigned char *head = bytes + at;
        size_t payload = bsim_get32(head + 4);
        if (payload % 8 != 0 || payload > size - at - BSIM_BINARY_HEAD_BYTES) {
            break;
        }
        bsim_put64(head + BSIM_BINARY_SUM_AT,
                   bsim_checksum(head, head + BSIM_BINARY_HEAD_BYTES, payload));
        at += BSIM_BINARY_HEAD_BYTES + payload;
    }
    return copy;
}

/* FNV-1a. */
uint64_t fuzz_hash(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    }
    return hash ^ hash >> 32;
}

void fuzz_require_message(const struct bsim_error *err)
{
    char out[2048];
    REQUIRE(err->status != BSIM_OK && err->message[0] != '\0');
    REQUIRE(err->status != BSIM_E_MEMORY && err->status != BSIM_E_IO);
    REQUIRE(err->caret <= strlen(err->excerpt));
    REQUIRE(strlen(bsim_error_text(err, out, sizeof out)) > 0);
}

/* ---- simulation ------------------------------------------------------------------------------ */

/* Few, so that some traces of a fuzzer's have more of them. */
enum { MAX_EVENTS = 400, MAX_STEPS = 20000 };

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    struct fuzz_run *run = context;
    struct bsim_request_result told = *request;
    told.arrays = run->arrays;
    if (run->requests != NULL) {
        bsim_report_request(&run->rows, &told, run->requests);
    }
    return run->survey == NULL ? BSIM_OK
                               : bsim_survey_add(run->survey, request->kernel_index, request, err);
}

void fuzz_run_open(struct fuzz_run *run, const struct bsim_device *device)
{
    struct bsim_sim_options sim = {.device = device, .context = run};
    struct bsim_timer_options timer = {.device = device,
                                       .max_events = MAX_EVENTS,
                                       .max_steps = MAX_STEPS,
                                       .ideal = true,
                                       .ideal_sites = true};
    sim.on_request = run->requests != NULL || run->survey != NULL ? on_request : NULL;
    run->sim = bsim_sim_new(&sim);
    run->timer = bsim_timer_new(&timer);
    REQUIRE(run->sim != NULL && run->timer != NULL);
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct fuzz_run *run = context;
    struct bsim_sink sim = bsim_sim_sink(run->sim);
    struct bsim_sink timer = bsim_timer_sink(run->timer);
    enum bsim_status status = BSIM_OK;
    if (record->kind == BSIM_RECORD_KERNEL) {
        bsim_check_free(run->arrays);
        status = bsim_check_declared(record->u.kernel, &run->arrays, err);
    }
    status = status == BSIM_OK ? sim.push(sim.context, record, err) : status;
    return status == BSIM_OK ? timer.push(timer.context, record, err) : status;
}

struct bsim_sink fuzz_run_sink(struct fuzz_run *run)
{
    return (struct bsim_sink){.push = push, .context = run};
}

void fuzz_run_result(struct fuzz_run *run, struct bsim_result *result)
{
    struct bsim_result cycles = {0};
    REQUIRE(bsim_sim_result(run->sim, result, NULL) == BSIM_OK);
    if (run->timer != NULL) {
        REQUIRE(bsim_timer_result(run->timer, &cycles, NULL) == BSIM_OK);
        REQUIRE(bsim_result_add_cycles(result, &cycles, NULL) == BSIM_OK);
    }
}

void fuzz_run_close(struct fuzz_run *run)
{
    bsim_check_free(run->arrays);
    bsim_timer_free(run->timer);
    bsim_sim_free(run->sim);
}

void fuzz_result_text(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_part part = {.shard = 1, .n_shards = 1, .result = *result};
    bsim_part_write(&part, out);
    REQUIRE(!out->failed);
}

void fuzz_require_reports(const struct bsim_result *result)
{
    static const struct bsim_report_options asked[] = {
        {.per = BSIM_PER_KERNEL},
        {.per = BSIM_PER_SITE},
        {.metrics = BSIM_METRICS_NCU},
        {.metrics = BSIM_METRICS_NVPROF},
    };
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    for (size_t i = 0; i < 3 * sizeof asked / sizeof asked[0]; i++) {
        struct bsim_report_options options = asked[i / 3];
        options.format = (enum bsim_format)(i % 3);
        bsim_buffer_clear(&out);
        bsim_report_result(result, &options, &out);
        fuzz_require_form(options.format, &out);
    }
    bsim_buffer_free(&out);
}
