/* cmd_cuda.c - banksim cuda: a whole CUDA program, without a GPU.
 *
 * The program is compiled by nvcc, or by clang with the headers of src/cudart/include, and linked
 * with libbanksim_cudart in the place of CUDA's runtime.
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
    "nvcc, which is looked for in PATH and /usr/local/cuda, or else by clang++ with banksim's own\n"
    "headers, without NVIDIA's toolkit, and linked with banksim's runtime.\n"
    "\n"
    "  --compiler NAME    nvcc or clang, where both are there\n"
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
    size_t n_sources;           /* that clang has made files of, in the folder */
    char home[MAX_PATH];        /* where libbanksim_cudart.a and include-cuda/ are */
    char *flags[MAX_WORDS];     /* --flags, cut up; NULL behind the last */
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

/* Blanks part flags; there is no way to have one within a flag. text is cut up and kept. */
static void cut_flags(struct job *job, char *text)
{
    size_t n = 0;
    for (char *word = text == NULL ? NULL : strtok(text, " "); word != NULL && n < MAX_WORDS - 1;
         word = strtok(NULL, " ")) {
        job->flags[n++] = word;
    }
}

static void add_all(struct words *words, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(words, list[i]);
    }
}

static void add_flags(struct words *words, const struct job *job)
{
    for (size_t i = 0; job->flags[i] != NULL; i++) {
        add(words, job->flags[i]);
    }
}

static void add_sources(struct words *words, const struct options *options)
{
    for (int i = 0; i < options->n_words; i++) {
        add(words, options->words[i]);
    }
}

/* Ends a link's command: the program from its parts and the library. */
static int link_program(struct job *job, struct words *words)
{
    char library[MAX_PATH + 32];
    snprintf(library, sizeof library, "%s/libbanksim_cudart.a", job->home);
    add(words, library);
    add(words, "-o");
    add(words, job->program);
    add(words, "-lpthread");
    add(words, "-lm");
    return call(words->word);
}

static int compile_by_nvcc(struct job *job, const char *nvcc)
{
    static const char *const own[] = {"-arch=compute_90", "-cudart",    "none", "--no-compress",
                                      "-lineinfo",        "-std=c++17", "-w"};
    struct words words = {.n = 0};
    char older[MAX_PATH + 64];
    snprintf(older, sizeof older, "%s/include-cuda/banksim_older.h", job->home);
    add(&words, nvcc);
    add_all(&words, own, sizeof own / sizeof *own);
    add(&words, "-include");
    add(&words, older);
    add_flags(&words, job);
    add_sources(&words, job->options);
    return link_program(job, &words);
}

/* ---- compiling by clang: kernels to PTX, then the host's part with the PTX in it ------------- */

/* What both steps are called with. No toolkit is looked for, so that a machine that has one gives
 * what any other gives; the SDK's version chooses the way of launching, that of CUDA 9.2 on. */
static void add_clang(struct words *words, const struct job *job, const char *headers)
{
    static const char *const own[] = {"clang++",
                                      "-x",
                                      "cuda",
                                      "-nocudainc",
                                      "-nocudalib",
                                      "--cuda-path=/nonexistent",
                                      "--cuda-gpu-arch=sm_80",
                                      "-Xclang",
                                      "-target-sdk-version=11.0",
                                      "-w",
                                      "-std=c++17",
                                      "-g1",
                                      "-O3",
                                      "-include",
                                      "banksim_cuda.h",
                                      "-isystem"};
    add_all(words, own, sizeof own / sizeof *own);
    add(words, headers);
    add_flags(words, job);
}

static void name_file(char name[96], const struct job *job, size_t i, const char *ending)
{
    snprintf(name, 96, "%s/%zu.%s", job->folder, i, ending);
}

static int compile_source(const struct job *job, size_t i, const char *headers)
{
    char ptx[96], object[96];
    const char *source = job->options->words[i];
    const char *const device[] = {"--cuda-device-only",
                                  "-Xclang",
                                  "-target-feature",
                                  "-Xclang",
                                  "+ptx70",
                                  "-S",
                                  "-o",
                                  ptx,
                                  source};
    const char *const host[] = {"--cuda-host-only",
                                "-Xclang",
                                "-fcuda-include-gpubinary",
                                "-Xclang",
                                ptx,
                                "-c",
                                "-o",
                                object,
                                source};
    struct words first = {.n = 0}, second = {.n = 0};
    name_file(ptx, job, i, "ptx");
    name_file(object, job, i, "o");
    add_clang(&first, job, headers);
    add_clang(&second, job, headers);
    add_all(&first, device, sizeof device / sizeof *device);
    add_all(&second, host, sizeof host / sizeof *host);
    int code = call(first.word);
    return code == 0 ? call(second.word) : code;
}

static int compile_by_clang(struct job *job)
{
    struct words words = {.n = 0};
    char headers[MAX_PATH + 32], objects[MAX_WORDS][96];
    int code = 0;
    snprintf(headers, sizeof headers, "%s/include-cuda", job->home);
    add(&words, "clang++");
    while (code == 0 && job->n_sources < (size_t)job->options->n_words &&
           job->n_sources < MAX_WORDS) {
        size_t i = job->n_sources++;
        name_file(objects[i], job, i, "o");
        add(&words, objects[i]);
        code = compile_source(job, i, headers);
    }
    return code == 0 ? link_program(job, &words) : code;
}

/* ---- which compiler, and where what it needs is ---------------------------------------------- */

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

static const char usual_nvcc[] = "/usr/local/cuda/bin/nvcc";

/* As asked for by --compiler, or what there is. */
static enum compiler choose_compiler(const struct job *job)
{
    bool has_nvcc = is_in_path("nvcc") || is_program(usual_nvcc);
    enum compiler asked = job->options->compiler;
    if (asked != COMPILER_CLANG && has_nvcc) {
        return COMPILER_NVCC;
    }
    return asked != COMPILER_NVCC && is_in_path("clang++") ? COMPILER_CLANG : COMPILER_NONE;
}

static int compile(struct job *job)
{
    if (!find_home(job)) {
        bsim_cli_say("banksim: libbanksim_cudart.a is not beside this program: run make, or set "
                     "BANKSIM_CUDA to its folder\n");
        return EXIT_SYSTEM;
    }
    enum compiler compiler = choose_compiler(job);
    if (compiler == COMPILER_NONE) {
        bsim_cli_say("banksim: %s to compile with: 'make deps-cuda' installs clang\n",
                     job->options->compiler == COMPILER_NVCC ? "there is no nvcc"
                     : job->options->compiler == COMPILER_CLANG
                         ? "there is no clang++"
                         : "there is no nvcc and no clang++");
        return EXIT_SYSTEM;
    }
    char *flags = job->options->flags == NULL ? NULL : strdup(job->options->flags);
    cut_flags(job, flags);
    int code = compiler == COMPILER_CLANG
                   ? compile_by_clang(job)
                   : compile_by_nvcc(job, is_in_path("nvcc") ? "nvcc" : usual_nvcc);
    free(flags);
    if (code != 0) {
        bsim_cli_say(
            "banksim: the program does not compile or link; what links with banksim is the CUDA "
            "runtime's common part, and cuBLAS's, no other library\n");
    }
    return code != 0 ? EXIT_INPUT : EXIT_FINE;
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
    char name[96];
    for (size_t i = 0; i < job->n_sources; i++) {
        name_file(name, job, i, "ptx");
        unlink(name);
        name_file(name, job, i, "o");
        unlink(name);
    }
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
