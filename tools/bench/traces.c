/* traces.c - reading text and binary traces, and whole runs, beside this machine's limits: the same
 * bytes read from memory, and `LC_ALL=C wc -w` on the same file. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 512, SAMPLE_BLOCKS = 8 };

struct trace {
    char path[PATH_SIZE];
    const char *banksim;
    uint64_t size_bytes;
    uint64_t *data; /* its bytes */
    uint64_t sum;   /* of them, so that they are read */
};

/* ---- contenders: each returns the bytes it went through ------------------------------------- */

static enum bsim_status swallow(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    uint64_t *n_records = context;
    (void)record;
    (void)err;
    ++*n_records;
    return BSIM_OK;
}

static bool read_into(const struct trace *trace, const struct bsim_sink *sink)
{
    FILE *file = fopen(trace->path, "rb");
    bool is_read = file != NULL && bsim_trace_read_file(file, trace->path, sink, NULL) == BSIM_OK;
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read;
}

static double run_reader(void *context)
{
    struct trace *trace = context;
    struct bsim_sink sink = {.push = swallow, .context = &trace->sum};
    return read_into(trace, &sink) ? (double)trace->size_bytes : 0;
}

static double run_memory(void *context)
{
    struct trace *trace = context;
    uint64_t sum[4] = {0};
    for (size_t i = 0; i + 4 <= trace->size_bytes / sizeof *trace->data; i += 4) {
        sum[0] += trace->data[i];
        sum[1] += trace->data[i + 1];
        sum[2] += trace->data[i + 2];
        sum[3] += trace->data[i + 3];
    }
    trace->sum += sum[0] + sum[1] + sum[2] + sum[3];
    return (double)trace->size_bytes;
}

static double run_program(const struct trace *trace, const char *const *arguments)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)setenv("LC_ALL", "C", 1);
        (void)execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? (double)trace->size_bytes : 0;
}

static double run_wc(void *context)
{
    const struct trace *trace = context;
    const char *const arguments[] = {"wc", "-w", trace->path, NULL};
    return run_program(trace, arguments);
}

static double run_banksim(void *context)
{
    const struct trace *trace = context;
    const char *const arguments[] = {trace->banksim, "run", trace->path, NULL};
    return run_program(trace, arguments);
}

/* ---- the traces ----------------------------------------------------------------------------- */

static bool write_trace(const struct bench_stream *stream, uint32_t n_blocks, bool is_text,
                        const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    struct bsim_output output = bsim_output_file(file);
    struct bsim_trace_writer *text = is_text ? bsim_trace_writer_new(&output) : NULL;
    struct bsim_binary_writer *binary = is_text ? NULL : bsim_binary_writer_new(&output);
    bool is_written = text != NULL || binary != NULL;
    if (is_written) {
        struct bsim_sink sink =
            is_text ? bsim_trace_writer_sink(text) : bsim_binary_writer_sink(binary);
        is_written = bench_stream_push(stream, n_blocks, &sink, NULL) == BSIM_OK;
    }
    bsim_trace_writer_free(text);
    bsim_binary_writer_free(binary);
    return fclose(file) == 0 && is_written;
}

static bool load_trace(struct trace *trace)
{
    FILE *file = fopen(trace->path, "rb");
    bool is_loaded = file != NULL && fseek(file, 0, SEEK_END) == 0;
    long size = is_loaded ? ftell(file) : -1;
    if (size > 0 && fseek(file, 0, SEEK_SET) == 0) {
        trace->size_bytes = (uint64_t)size;
        trace->data = malloc((size_t)size + sizeof *trace->data);
        is_loaded =
            trace->data != NULL && fread(trace->data, 1, (size_t)size, file) == (size_t)size;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_loaded && size > 0;
}

/* The size of a short trace of this kind says how many blocks a long one needs. */
static bool make_trace(const struct bench_stream *stream, bool is_text, unsigned megabytes,
                       struct trace *trace)
{
    if (!write_trace(stream, SAMPLE_BLOCKS, is_text, trace->path) || !load_trace(trace)) {
        return false;
    }
    uint64_t n_blocks = (uint64_t)megabytes * 1000000 * SAMPLE_BLOCKS / trace->size_bytes;
    free(trace->data);
    trace->data = NULL;
    return write_trace(stream, (uint32_t)n_blocks + 1, is_text, trace->path) && load_trace(trace);
}

static void time_trace(struct table *table, const char *kind, bool is_text, struct trace *trace)
{
    char name[64];
    struct contender contenders[] = {
        {"", run_reader, trace}, {"memory", run_memory, trace}, {"wc -w", run_wc, trace}};
    size_t n = is_text ? 3 : 2;
    (void)snprintf(name, sizeof name, "read %s", kind);
    table_row(table, is_text ? "text" : "binary", name, "bytes", contenders, n);
    (void)snprintf(name, sizeof name, "run %s", kind);
    contenders[0].run = run_banksim;
    table_row(table, is_text ? "text" : "binary", name, "bytes", contenders, n);
}

void bench_traces(struct table *table, const char *banksim, const char *folder, unsigned megabytes)
{
    static struct bench_stream stream;
    static const char *const forms[] = {"bin", "trace"};
    for (int is_text = 1; is_text >= 0; is_text--) {
        for (int kind = 0; kind < BENCH_N_KINDS; kind++) {
            struct trace trace = {.banksim = banksim};
            (void)snprintf(trace.path, sizeof trace.path, "%s/%d.%s", folder, kind, forms[is_text]);
            bench_stream_make((enum bench_kind)kind, &stream);
            if (make_trace(&stream, is_text != 0, megabytes, &trace)) {
                time_trace(table, bench_kind_name((enum bench_kind)kind), is_text != 0, &trace);
            } else {
                (void)fprintf(stderr, "bench: cannot make %s\n", trace.path);
                table->failed = true;
            }
            free(trace.data);
            (void)remove(trace.path);
        }
    }
}
