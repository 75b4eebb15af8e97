/* launch.c - a kernel in CUDA C: what of it is launched, and what the launch does to shared memory, kept in memory
 * for whoever asks several times. */
#include "web/launch.h"

#include "base/memory.h"
#include "base/scan.h"
#include "report/json.h"

#include <banksim/trace.h>

#include <string.h>

/* ---- the launch ------------------------------------------------------------------------------ */

/* The kernel that a launch names, with a template's arguments; and the launch without these, as the PTX has
 * what they make of the template and nothing else. */
static enum bsim_status split(const char *launch, struct bsim_buffer *name,
                              struct bsim_buffer *plain, struct bsim_error *err)
{
    launch = bsim_skip_blanks(launch);
    const char *end = strstr(launch, "<<<");
    size_t length = end != NULL ? (size_t)(end - launch) : strcspn(launch, " \t<(");
    while (length > 0 && (launch[length - 1] == ' ' || launch[length - 1] == '\t')) {
        length--;
    }
    bsim_buffer_add(name, launch, length);
    if (end != NULL && memchr(launch, '<', length) != NULL) {
        bsim_buffer_add(plain, launch, strcspn(launch, " \t<"));
        bsim_buffer_text(plain, end);
    } else {
        bsim_buffer_text(plain, launch);
    }
    enum bsim_status status = bsim_buffer_status(name, err);
    return status == BSIM_OK ? bsim_buffer_status(plain, err) : status;
}

enum bsim_status bsim_web_launch(const char *name, const char *text, size_t length,
                                 const struct bsim_cuda_headers *headers, const char *launch,
                                 struct bsim_buffer *ptx, struct bsim_ptx_call **call,
                                 struct bsim_error *err)
{
    struct bsim_buffer kernel = BSIM_BUFFER_EMPTY, plain = BSIM_BUFFER_EMPTY,
                       file = BSIM_BUFFER_EMPTY; /* for messages with the PTX's lines */
    enum bsim_status status = split(launch, &kernel, &plain, err);
    if (status == BSIM_OK) {
        status = bsim_cuda_ptx(name, text, length, headers,
                               kernel.size_bytes > 0 ? kernel.data : NULL, ptx, err);
    }
    bsim_buffer_printf(&file, "PTX of %s", name);
    status = status == BSIM_OK ? bsim_buffer_status(&file, err) : status;
    if (status == BSIM_OK) {
        status = bsim_ptx_call_new(file.data, ptx->data, ptx->size_bytes,
                                   plain.data != NULL ? plain.data : "", call, err);
    }
    if (status == BSIM_OK) {
        bsim_ptx_call_source(*call, name, text);
    }
    bsim_buffer_free(&kernel);
    bsim_buffer_free(&plain);
    bsim_buffer_free(&file);
    return status;
}

/* ---- its trace, in memory -------------------------------------------------------------------- */

static enum bsim_status keep(void *context, const void *data, size_t size_bytes,
                             struct bsim_error *err)
{
    struct bsim_buffer *trace = context;
    bsim_buffer_add(trace, data, size_bytes);
    return bsim_buffer_status(trace, err);
}

static enum bsim_status run(struct bsim_ptx_call *call, struct bsim_buffer *trace,
                            struct bsim_error *err)
{
    struct bsim_output output = {.write = keep, .context = trace};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    if (writer == NULL) {
        return bsim_mem_short(err);
    }
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    enum bsim_status status = bsim_ptx_call_run(call, &sink, err);
    bsim_trace_writer_free(writer);
    return status;
}

/* How far a trace was read. */
struct reading {
    const struct bsim_buffer *trace;
    size_t at;
};

static size_t read_more(void *context, void *data, size_t size_bytes)
{
    struct reading *reading = context;
    size_t left = reading->trace->size_bytes - reading->at;
    size_t n = left < size_bytes ? left : size_bytes;
    memcpy(data, reading->trace->data + reading->at, n);
    reading->at += n;
    return n;
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    struct reading reading = {.trace = context, .at = 0};
    struct bsim_input input = {.read = read_more, .context = &reading, .name = "-"};
    return bsim_trace_read(&input, sink, err);
}

/* ---- the check ------------------------------------------------------------------------------- */

static bool is_answered(const struct bsim_recorded *recorded, bool of_any_memory)
{
    return recorded != NULL && (recorded->n_requests + recorded->n_async > 0 ||
                                (of_any_memory && recorded->n_beside > 0));
}

/* Takes the recorder, whose one kernel the check is of. */
static enum bsim_status adopt(struct bsim_check *check, const char *name, bool of_any_memory,
                              struct bsim_recorder *recorder, struct bsim_buffer *trace,
                              struct bsim_error *err)
{
    const struct bsim_recorded *recorded = bsim_recorder_kernel(recorder, 0);
    struct bsim_replay replay = {.push = push, .context = trace};
    if (!is_answered(recorded, of_any_memory)) {
        bsim_recorder_free(recorder);
        return bsim_error_set(err, BSIM_E_INPUT, "%s: no kernel of it accesses shared memory",
                              name);
    }
    return bsim_check_record(check, recorder, 0, &replay, err);
}

static enum bsim_status record(const char *name, bool of_any_memory,
                               struct bsim_web_recording *recording, struct bsim_check *check,
                               struct bsim_error *err)
{
    struct bsim_recorder *recorder = bsim_recorder_new(0);
    if (recorder == NULL) {
        return bsim_mem_short(err);
    }
    struct bsim_sink sink = bsim_recorder_sink(recorder);
    enum bsim_status status = push(&recording->trace, &sink, err);
    if (status == BSIM_OK) {
        return adopt(check, name, of_any_memory, recorder, &recording->trace, err);
    }
    bsim_recorder_free(recorder);
    return status;
}

enum bsim_status bsim_web_record(const char *name, const char *text, size_t length,
                                 const char *launch, bool of_any_memory,
                                 struct bsim_web_recording *recording, struct bsim_check *check,
                                 struct bsim_error *err)
{
    static const struct bsim_ptx_options options = {.has_work = true,
                                                    .most_of_warp = BSIM_PTX_MOST_OF_WARP};
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    enum bsim_status status = bsim_web_launch(name, text, length, NULL, launch, &ptx, &call, err);
    if (status == BSIM_OK) {
        bsim_ptx_call_set(call, &options);
        status = run(call, &recording->trace, err);
    }
    if (call != NULL) {
        bsim_buffer_text(&recording->findings, bsim_ptx_call_findings(call));
    }
    if (status == BSIM_OK) {
        status = record(name, of_any_memory, recording, check, err);
    }
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    return status;
}

void bsim_web_recording_free(struct bsim_web_recording *recording)
{
    bsim_buffer_free(&recording->trace);
    bsim_buffer_free(&recording->findings);
}

/* ---- a trial ------------------------------------------------------------------------------- */

static enum bsim_status forget(void *context, const struct bsim_record *record, struct bsim_error *err)
{
    (void)context;
    (void)record;
    (void)err;
    return BSIM_OK;
}

enum bsim_status bsim_web_try(void *context, const char *launch, const char *text, size_t length,
                              struct bsim_error *why)
{
    static const struct bsim_ptx_options options = {.n_blocks = 1, .most_steps = 100000};
    static const struct bsim_sink sink = {.push = forget, .context = NULL};
    struct bsim_buffer kernel = BSIM_BUFFER_EMPTY, plain = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    (void)context;
    enum bsim_status status = split(launch, &kernel, &plain, why);
    if (status == BSIM_OK) {
        status = bsim_ptx_call_new("PTX", text, length, plain.data, &call, why);
    }
    if (status == BSIM_OK) {
        bsim_ptx_call_set(call, &options);
        status = bsim_ptx_call_run(call, &sink, why);
    }
    bsim_ptx_call_free(call);
    bsim_buffer_free(&kernel);
    bsim_buffer_free(&plain);
    return status;
}

/* ---- which launch ---------------------------------------------------------------------------- */

static void add_launch(void *context, const char *launch, const char *chosen)
{
    struct bsim_buffer *out = context;
    bsim_buffer_text(out, out->data[out->size_bytes - 1] == '[' ? "{\"launch\": " : ",\n{\"launch\": ");
    bsim_json_string(launch, out);
    bsim_buffer_text(out, ", \"chosen\": ");
    bsim_json_string(chosen, out);
    bsim_buffer_text(out, "}");
}

/* It is there all the same: whoever looks at it is told why. */
static void add_faulty(void *context, const char *launch, const char *chosen, const struct bsim_error *why)
{
    (void)why;
    add_launch(context, launch, chosen);
}

enum bsim_status bsim_web_launches(const char *name, const char *text, size_t length,
                                   struct bsim_buffer *out, struct bsim_error *err)
{
    enum { MOST_TRIED = 1 << 14 }; /* bytes of text, that a page waits for */
    bool is_tried = length <= MOST_TRIED;
    const struct bsim_cuda_listener listener = {.tell = add_launch,
                                                .refuse = is_tried ? add_faulty : NULL,
                                                .run = is_tried ? bsim_web_try : NULL,
                                                .context = out};
    bsim_buffer_text(out, "[");
    enum bsim_status status = bsim_buffer_status(out, err);
    if (status == BSIM_OK) {
        status = bsim_cuda_propose(name, text, length, NULL, &listener, err);
    }
    bsim_buffer_text(out, "]\n");
    return status;
}
