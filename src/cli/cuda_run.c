/* cuda_run.c - a CUDA program that has been compiled, at work: what its kernels access comes through a
 * pipe, and is simulated here meanwhile as any trace.
 */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct program {
    struct options *options;
    char **words;       /* its file and its arguments, NULL behind the last */
    void (*started)(void *context);
    void *context;
    FILE *remarks;
    enum { IS_WHOLE, HAS_FAILED, HAS_LEFT } end; /* a launch failed, or the program left early, */
    uint64_t n_whole;                            /* behind so many */
};

/* ---- what the runtime remarks ---------------------------------------------------------------- */

/* The runtime writes its remarks, one a line, into a file that has no name: what was found, which goes to
 * standard error; and whether the program failed. */
enum remark { REMARK_WARNING, REMARK_FAILED };

static enum remark kind_of(const char *line)
{
    return strcmp(line, "failed\n") == 0 ? REMARK_FAILED : REMARK_WARNING;
}

/* Appends the lines of that kind. */
static void read_remarks(const struct program *program, enum remark kind, struct bsim_buffer *out)
{
    char *line = NULL;
    size_t room = 0;
    rewind(program->remarks);
    while (getline(&line, &room, program->remarks) > 0) {
        if (kind_of(line) == kind) {
            bsim_buffer_text(out, line);
        }
    }
    free(line);
}

static bool program_failed(const struct program *program)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    read_remarks(program, REMARK_FAILED, &text);
    bool has_failed = text.size_bytes > 0;
    bsim_buffer_free(&text);
    return has_failed;
}

/* "the launch before it", "the 3 launches before it" */
static void put_launches(const struct program *program, struct bsim_buffer *out)
{
    if (program->n_whole == 1) {
        bsim_buffer_printf(out, "launch");
    } else {
        bsim_buffer_printf(out, "%" PRIu64 " launches", program->n_whole);
    }
}

static void add_remarks(void *context, struct bsim_buffer *out)
{
    const struct program *program = context;
    if (program->end == HAS_FAILED) {
        bsim_buffer_printf(out, "A launch failed: this is the report of the ");
        put_launches(program, out);
        bsim_buffer_printf(out, " before it.\n");
    } else if (program->end == HAS_LEFT) {
        bsim_buffer_printf(out, "The program ended before its trace did: this is the report of its first ");
        put_launches(program, out);
        bsim_buffer_printf(out, ".\n");
    }
}

static void say_nothing_is_told(const struct program *program)
{
    const struct options *options = program->options;
    bool needs_all = bsim_cli_wants_trace(options) || options->n_shards > 0 ||
                     options->report.per == BSIM_PER_REQUEST;
    bsim_cli_say(needs_all ? "banksim: a trace, a part and --per request have all launches or none: --per "
                             "site has those before it\n"
                 : program->end == HAS_FAILED ? "banksim: no launch had ended before it\n"
                                              : "banksim: the program ended before its trace did, and no "
                                                "launch is sure to have ended\n");
}

/* Of a launch that failed, the runtime has told the fault. Else the trace is cut short where the program
 * did not get to its end, as by a signal or _exit. */
static bool has_failed(void *context, uint64_t n, const struct bsim_error *err)
{
    struct program *program = context;
    bool is_short = strstr(err->message, "the trace was cut short") != NULL;
    program->end = program_failed(program) ? HAS_FAILED : is_short ? HAS_LEFT : IS_WHOLE;
    program->n_whole = n;
    if (program->end != IS_WHOLE && n == 0) {
        say_nothing_is_told(program);
    }
    return program->end != IS_WHOLE;
}

static void say_warnings(const struct program *program)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    read_remarks(program, REMARK_WARNING, &text);
    bsim_buffer_add(&text, "", 1);
    bsim_cli_say_lines(text.failed ? "" : text.data);
    bsim_buffer_free(&text);
}

/* ---- the process ----------------------------------------------------------------------------- */

/* Whether the report needs the counts of each launch alone: of one that does what another did they are
 * known. Shards have to push the same, and which launches are left out is a matter of their time. */
static bool needs_counts_alone(const struct options *options)
{
    return !bsim_cli_wants_trace(options) && !options->hazards && options->n_shards == 0 &&
           options->report.per != BSIM_PER_REQUEST && !bsim_cli_shows(options, BSIM_PAGES);
}

static bool set_switch(const char *name, bool is_on)
{
    return (is_on ? setenv(name, "1", 1) : unsetenv(name)) == 0;
}

/* The runtime's settings are in the program's environment. */
static bool set_environment(const struct program *program, int write_end)
{
    const struct options *options = program->options;
    char output[64], remarks[64], jobs[16], blocks[16];
    snprintf(output, sizeof output, "/dev/fd/%d", write_end);
    snprintf(remarks, sizeof remarks, "/dev/fd/%d", fileno(program->remarks));
    snprintf(jobs, sizeof jobs, "%u", (unsigned)options->jobs);
    snprintf(blocks, sizeof blocks, "%u", (unsigned)options->blocks);
    const char *const setting[][2] = {
        {"BANKSIM_OUTPUT", output},
        {"BANKSIM_REMARKS", remarks},
        {"BANKSIM_JOBS", jobs},
        {"BANKSIM_BLOCKS", blocks},
        {"BANKSIM_MERGE", options->bare ? "none" : "ptxas"},
        {"BANKSIM_LIBRARIES", options->skips_libraries ? "skip" : ""},
    };
    bool is_set = true;
    for (size_t i = 0; i < sizeof setting / sizeof *setting && is_set; i++) {
        is_set = setenv(setting[i][0], setting[i][1], 1) == 0;
    }
    return is_set && set_switch("BANKSIM_WORK", bsim_cli_wants_work(options)) &&
           set_switch("BANKSIM_AGAIN", needs_counts_alone(options));
}

static pid_t start(struct program *program, int write_end, int read_end)
{
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    if (!set_environment(program, write_end) || posix_spawn_file_actions_init(&actions) != 0) {
        return 0;
    }
    posix_spawn_file_actions_addclose(&actions, read_end);
    if (posix_spawn(&child, program->words[0], &actions, NULL, program->words, environ) != 0) {
        child = 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/* has_gone: nobody read its trace to the end, and it ends by writing that. */
static int end_of(pid_t child, bool has_gone)
{
    int status = bsim_cli_cuda_wait(child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE && has_gone) {
        return EXIT_INPUT;
    }
    if (WIFSIGNALED(status)) {
        bsim_cli_say("banksim: the program was ended by signal %d (%s)\n", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        return EXIT_INPUT;
    }
    if (WEXITSTATUS(status) != 0) {
        bsim_cli_say("banksim: the program's exit code is %d\n", WEXITSTATUS(status));
    }
    return EXIT_FINE;
}

static enum bsim_status push_pipe(void *context, const struct bsim_sink *sink,
                                  struct bsim_error *err)
{
    return bsim_trace_read(context, sink, err);
}

static int write_trace(struct program *program, struct bsim_input *input)
{
    struct bsim_error err;
    struct bsim_source source = {.push = push_pipe, .context = input};
    if (bsim_cli_write_launches(program->options, &source, &err) == BSIM_OK) {
        return EXIT_FINE;
    }
    return has_failed(program, 0, &err) ? EXIT_INPUT : bsim_cli_fail(&err);
}

static int simulate(struct program *program, FILE *file)
{
    struct bsim_input input = bsim_cli_input(file, program->options->words[0]);
    input.restart = NULL; /* a pipe is read once */
    struct bsim_source source = {.input = &input};
    struct remarks remarks = {add_remarks, has_failed, program};
    program->options->remarks = &remarks;
    if (bsim_cli_wants_trace(program->options)) {
        return write_trace(program, &input);
    }
    return bsim_cli_simulate(program->options, program->options->words[0], &source);
}

static int run(struct program *program)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) {
        bsim_cli_say("banksim: no pipe: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    pid_t child = start(program, ends[1], ends[0]);
    close(ends[1]);
    bsim_cli_cuda_started(child);
    if (child == 0) {
        close(ends[0]);
        bsim_cli_say("banksim: the program cannot be started: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    program->started(program->context); /* who runs needs its file no more */
    FILE *file = fdopen(ends[0], "rb");
    int first = getc(file), code = EXIT_INPUT;
    if (first == EOF) {
        bsim_cli_say("banksim: the program has launched no kernel\n");
    } else {
        ungetc(first, file);
        code = simulate(program, file);
    }
    fclose(file);
    int ended = end_of(child, code != EXIT_FINE);
    say_warnings(program);
    code = code == EXIT_FINE && program_failed(program) ? EXIT_INPUT : code;
    return code == EXIT_FINE ? ended : code;
}

int bsim_cli_cuda_run(struct options *options, char **words,
                      void (*started)(void *context), void *context)
{
    struct program program = {.options = options,
                              .words = words,
                              .started = started,
                              .context = context};
    program.remarks = tmpfile();
    if (program.remarks == NULL) {
        bsim_cli_say("banksim: no temporary file: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    int code = run(&program);
    fclose(program.remarks);
    return code;
}
