/* cmd_cuda.c - banksim cuda: a whole CUDA program, without a GPU.
 *
 * The program is compiled by nvcc and linked with libbanksim_cudart in the place of CUDA's runtime.
 * It runs as the process that it is: its main() natively, its kernels from the PTX within it. What
 * they access comes through a pipe, and is simulated here meanwhile as any trace.
 */
#define _GNU_SOURCE

#include "cli/cli.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char help[] =
    "usage: banksim cuda PROGRAM.cu... [options] [-- the program's arguments]\n"
    "\n"
    "Compiles a CUDA program, runs it without a GPU, and reports what its kernels' accesses cost "
    "by\n"
    "source line. Its main() runs natively; each launch is interpreted from PTX. It is compiled "
    "by\n"
    "nvcc, which is looked for in PATH and /usr/local/cuda, and linked with banksim's runtime.\n"
    "\n"
    "  --flags FLAGS      goes to the compiler: --flags '-I inc -DN=64'\n"
    "  --device, --banks, --bank-width, --carveout, --per, --format, --metrics, --cycles,\n"
    "  --registers, --hazards, -o FILE\n"
    "                     as 'banksim run' has them\n"
    "\n"
    "What the program prints goes where it always goes, in front of the report; its exit code is "
    "told if\n"
    "it is not 0.\n"
    "\n"
    "examples:\n"
    "  banksim cuda transpose.cu --per site\n"
    "  banksim cuda reduce.cu --per site --format csv -o reduce.csv -- 4096 256\n";

enum { MAX_WORDS = 256, MAX_PATH = 4096 };

/* One command. */
struct job {
    const struct options *options;
    char folder[64]; /* for what is made on the way; gone at the end */
    char program[96];
    char home[MAX_PATH];        /* where libbanksim_cudart.a and the headers are */
    char *arguments[MAX_WORDS]; /* the program's own, from [1] on; NULL behind the last */
};

/* ---- programs that are called ---------------------------------------------------------------- */

/* Runs it to its end; returns its exit code, 128 + the signal's number if one ended it, 127 if it
 * cannot be run. */
static int call(char *const *words)
{
    pid_t child;
    int status = 0;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) != 0) {
        return 127;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return 127;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

/* Whether a program of that name is in PATH. */
static bool is_in_path(const char *name)
{
    char path[MAX_PATH];
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        size_t n = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)n, at, name);
        if (is_program(path)) {
            return true;
        }
        at += n + (at[n] == ':');
    }
    return false;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* Words of a command line, which hold as long as the texts they were made from. */
struct words {
    char *word[MAX_WORDS + 1];
    size_t n;
};

static void add(struct words *words, const char *word)
{
    if (words->n < MAX_WORDS) {
        words->word[words->n++] = (char *)word; /* posix_spawn changes none */
    }
}

/* Blanks part words; there is no way to have one within a word. text is cut up. */
static void add_flags(struct words *words, char *text)
{
    for (char *word = text == NULL ? NULL : strtok(text, " "); word != NULL;
         word = strtok(NULL, " ")) {
        add(words, word);
    }
}

static void add_sources(struct words *words, const struct options *options)
{
    for (int i = 0; i < options->n_words; i++) {
        add(words, options->words[i]);
    }
}

static int compile_by_nvcc(struct job *job, const char *nvcc, char *flags)
{
    static const char *const own[] = {"-arch=compute_90", "-cudart",    "none", "--no-compress",
                                      "-lineinfo",        "-std=c++17", "-w"};
    struct words words = {.n = 0};
    char library[MAX_PATH + 32];
    snprintf(library, sizeof library, "%s/libbanksim_cudart.a", job->home);
    add(&words, nvcc);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        add(&words, own[i]);
    }
    add_flags(&words, flags);
    add_sources(&words, job->options);
    add(&words, library);
    add(&words, "-o");
    add(&words, job->program);
    add(&words, "-lpthread");
    add(&words, "-lm");
    return call(words.word);
}

/* Where the library lies: BANKSIM_CUDA, beside the program, or where `make install` puts it. */
static bool find_home(struct job *job)
{
    static const char *const places[] = {"", "/../lib", "/../lib/banksim"};
    char self[MAX_PATH] = "", library[2 * MAX_PATH];
    const char *own = getenv("BANKSIM_CUDA");
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = n > 0 ? strrchr(self, '/') : NULL;
    if (own != NULL) {
        snprintf(job->home, sizeof job->home, "%s", own);
        return true;
    }
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(library, sizeof library, "%s%s/libbanksim_cudart.a", self, places[i]);
        if (access(library, R_OK) == 0) {
            snprintf(job->home, sizeof job->home, "%s%s", self, places[i]);
            return true;
        }
    }
    return false;
}

static int compile(struct job *job)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    bool has_nvcc = is_in_path("nvcc") || is_program(usual);
    char *flags = job->options->flags == NULL ? NULL : strdup(job->options->flags);
    int code = EXIT_SYSTEM;
    if (!find_home(job)) {
        bsim_cli_say("banksim: libbanksim_cudart.a is not beside this program: run make, or set "
                     "BANKSIM_CUDA "
                     "to its folder\n");
    } else if (!has_nvcc) {
        bsim_cli_say(
            "banksim: there is no nvcc to compile with, neither in PATH nor in /usr/local/cuda\n");
    } else if (compile_by_nvcc(job, is_in_path("nvcc") ? "nvcc" : usual, flags) != 0) {
        bsim_cli_say(
            "banksim: the program does not compile or link; what links with banksim is the CUDA "
            "runtime's common part, no cuBLAS or other library\n");
        code = EXIT_INPUT;
    } else {
        code = EXIT_FINE;
    }
    free(flags);
    return code;
}

/* ---- running --------------------------------------------------------------------------------- */

/* The program's environment: this one's, with the pipe's name. */
static pid_t start(struct job *job, int write_end, int read_end)
{
    char name[64];
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    snprintf(name, sizeof name, "/dev/fd/%d", write_end);
    job->arguments[0] = job->program;
    if (setenv("BANKSIM_OUTPUT", name, 1) != 0 || posix_spawn_file_actions_init(&actions) != 0) {
        return 0;
    }
    posix_spawn_file_actions_addclose(&actions, read_end);
    if (posix_spawn(&child, job->program, &actions, NULL, job->arguments, environ) != 0) {
        child = 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        bsim_cli_say("banksim: the program was ended by signal %d\n", WTERMSIG(status));
        return EXIT_INPUT;
    }
    if (WEXITSTATUS(status) != 0) {
        bsim_cli_say("banksim: the program's exit code is %d\n", WEXITSTATUS(status));
    }
    return EXIT_FINE;
}

static int simulate(struct job *job, FILE *file)
{
    struct bsim_input input = bsim_cli_input(file, job->program);
    input.restart = NULL; /* a pipe is read once */
    struct bsim_source source = {.input = &input};
    return bsim_cli_simulate(job->options, job->options->words[0], &source);
}

static int run_program(struct job *job)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) {
        bsim_cli_say("banksim: no pipe: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    pid_t child = start(job, ends[1], ends[0]);
    close(ends[1]);
    if (child == 0) {
        close(ends[0]);
        bsim_cli_say("banksim: the program cannot be started: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    FILE *file = fdopen(ends[0], "rb");
    int first = getc(file), code = EXIT_INPUT;
    if (first == EOF) {
        bsim_cli_say("banksim: the program has launched no kernel\n");
    } else {
        ungetc(first, file);
        code = simulate(job, file);
    }
    fclose(file);
    int ended = wait_for(child);
    return code != EXIT_FINE ? code : ended;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void remove_folder(const struct job *job)
{
    unlink(job->program);
    rmdir(job->folder);
}

/* Cuts argv at "--": what stands behind is the program's. */
static int split_arguments(struct job *job, int argc, char **argv)
{
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    for (int i = own + 1; i < argc && i - own < MAX_WORDS; i++) {
        job->arguments[i - own] = argv[i];
    }
    return own;
}

static int cuda(int argc, char **argv)
{
    struct options options;
    struct job job = {.options = &options, .folder = "/tmp/banksim-cuda-XXXXXX"};
    argc = split_arguments(&job, argc, argv);
    int code = bsim_cli_options("cuda", argc, argv, &options);
    if (code != EXIT_FINE) {
        return code;
    }
    if (options.help) {
        return bsim_cli_help(help);
    }
    if (options.n_words == 0) {
        return bsim_cli_usage("cuda", "which program? banksim cuda PROGRAM.cu");
    }
    if (mkdtemp(job.folder) == NULL) {
        bsim_cli_say("banksim: no folder in /tmp: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    snprintf(job.program, sizeof job.program, "%s/program", job.folder);
    options.report.colour = options.output == NULL && bsim_cli_colours(stdout);
    code = compile(&job);
    code = code == EXIT_FINE ? run_program(&job) : code;
    remove_folder(&job);
    return code;
}

const struct command bsim_cli_cuda = {
    "cuda", "run a whole CUDA program without a GPU and report by source line", help,
    .read = cuda};
