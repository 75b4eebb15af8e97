/* traces.c - reading traces in each form, and whole runs, with one job and two, beside this machine's limits: the same
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
    struct bsim_input input = bsim_input_file(file, trace->path);
    bool is_read = file != NULL && bsim_trace_read(&input, sink, NULL) == BSIM_OK;
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

static double run_one_job(void *context)
{
    const struct trace *trace = context;
    const char *const arguments[] = {trace->banksim, "run", "--jobs", "1", trace->path, NULL};
    return run_program(trace, arguments);
}

static double run_two_jobs(void *context)
{
    const struct trace *trace = context;
    const char *const arguments[] = {trace->banksim, "run", "--jobs", "2", trace->path, NULL};
    return run_program(trace, arguments);
}

/* ---- the traces ----------------------------------------------------------------------------- */

enum form { TEXT, BINARY, TRACEG, N_FORMS };

static const struct {
    const char *name, *ending;
} forms[N_FORMS] = {{"text", "trace"}, {"binary", "bin"}, {"traceg", "traceg"}};

static bool write_own(const struct bench_stream *stream, uint32_t n_blocks, enum form form,
                      FILE *file)
{
    struct bsim_output output = bsim_output_file(file);
    struct bsim_trace_writer *writer =
        bsim_trace_writer_new(form == TEXT ? BSIM_TRACE_TEXT : BSIM_TRACE_BINARY, &output);
    bool is_written = writer != NULL;
    if (is_written) {
        struct bsim_sink sink = bsim_trace_writer_sink(writer);
        is_written = bench_stream_push(stream, n_blocks, &sink, NULL) == BSIM_OK;
    }
    bsim_trace_writer_free(writer);
    return is_written;
}

static bool write_trace(const struct bench_stream *stream, uint32_t n_blocks, enum form form,
                        const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    bool is_written = form == TRACEG ? bench_stream_traceg(stream, n_blocks, file)
                                     : write_own(stream, n_blocks, form, file);
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
static bool make_trace(const struct bench_stream *stream, enum form form, unsigned megabytes,
                       struct trace *trace)
{
    if (!write_trace(stream, SAMPLE_BLOCKS, form, trace->path) || !load_trace(trace)) {
        return false;
    }
    uint64_t n_blocks = (uint64_t)megabytes * 1000000 * SAMPLE_BLOCKS / trace->size_bytes;
    free(trace->data);
    trace->data = NULL;
    return write_trace(stream, (uint32_t)n_blocks + 1, form, trace->path) && load_trace(trace);
}

/* Two jobs beside one, by the clock on the wall and by what both take from the processors. */
static void time_jobs(struct table *table, const char *kind, enum form form, struct trace *trace)
{
    char name[64];
    const struct contender contenders[] = {{"", run_two_jobs, trace},
                                           {"--jobs 1", run_one_job, trace}};
    for (int by_wall = 1; by_wall >= 0; by_wall--) {
        table->by_wall = by_wall != 0;
        (void)snprintf(name, sizeof name, "jobs 2 %s%s", kind, by_wall != 0 ? " (wall)" : "");
        table_row(table, forms[form].name, name, "bytes", contenders, 2);
    }
}

static void time_trace(struct table *table, const char *kind, enum form form, struct trace *trace)
{
    char name[64];
    struct contender contenders[] = {
        {"", run_reader, trace}, {"memory", run_memory, trace}, {"wc -w", run_wc, trace}};
    size_t n = form == BINARY ? 2 : 3;
    (void)snprintf(name, sizeof name, "read %s", kind);
    table_row(table, forms[form].name, name, "bytes", contenders, n);
    (void)snprintf(name, sizeof name, "run %s", kind);
    contenders[0].run = run_banksim;
    table_row(table, forms[form].name, name, "bytes", contenders, n);
    time_jobs(table, kind, form, trace);
}

void bench_traces(struct table *table, const char *banksim, const char *folder, unsigned megabytes)
{
    static struct bench_stream stream;
    for (int form = 0; form < N_FORMS; form++) {
        for (int kind = 0; kind < BENCH_N_KINDS; kind++) {
            struct trace trace = {.banksim = banksim};
            (void)snprintf(trace.path, sizeof trace.path, "%s/%d.%s", folder, kind,
                           forms[form].ending);
            bench_stream_make((enum bench_kind)kind, &stream);
            if (make_trace(&stream, (enum form)form, megabytes, &trace)) {
                time_trace(table, bench_kind_name((enum bench_kind)kind), (enum form)form, &trace);
            } else {
                (void)fprintf(stderr, "bench: cannot make %s\n", trace.path);
                table->failed = true;
            }
            free(trace.data);
            (void)remove(trace.path);
        }
    }
}
