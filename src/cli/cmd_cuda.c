/* cmd_cuda.c - banksim cuda: a whole CUDA program, without a GPU.
 *
 * The program is compiled by nvcc, or by clang with the headers of src/cudart/include, and linked
 * with libbanksim_cudart in the place of CUDA's runtime.
 * It runs as the process that it is: its main() natively, its kernels from the PTX within it
 * (cuda_run.c).
 */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: banksim cuda PROGRAM.cu... [options] [-- the program's arguments]\n"
    "\n"
    "Compiles a CUDA program, runs it without a GPU, and reports what its kernels' accesses cost,\n"
    "by source line. Its main() runs natively, each launch is interpreted: give it small sizes.\n"
    "\n"
    "  --compiler NAME    nvcc or clang; else nvcc, where it is in PATH or /usr/local/cuda, or\n"
    "                     clang++, 14 or newer ('make deps-cuda'), which needs no NVIDIA toolkit\n"
    "  --flags FLAGS      goes to the compiler: --flags '-I inc -DN=64 -arch=sm_80'; clang gets what it\n"
    "                     has of nvcc's, and those left out that change results are named\n"
    "  --libraries skip   calls of cuFFT, cuSPARSE and other libraries that are not here are passed "
    "over\n"
    "                     with a warning; else such a call ends the program\n"
    "  --merge none       accesses as they stand in the PTX; else neighbours are one access, as ptxas\n"
    "                     makes them\n"
    "  --blocks N         runs N blocks of each launch alone, spread over its grid: the program goes on\n"
    "                     with what these computed, and may find it wrong; cooperative launches are run\n"
    "                     whole\n"
    "  --jobs N           threads that run a launch's blocks, and that count (the machine's "
    "processors);\n"
    "                     the result is the same whatever N\n"
    "  --shard K/N        runs the program, counts the K-th of N parts of all blocks, and writes that for\n"
    "                     'banksim merge'; a program that does something else each time has no parts\n"
    "  --device, --banks, --bank-width, --carveout, --per, --format, --metrics, --cycles,\n"
    "  --registers, --hazards, -o FILE\n"
    "                     as 'banksim run' has them; -o FILE.trace: the trace instead, with launches\n"
    "                     that repeat others in full\n"
    "\n"
    "CUDA's runtime is here and, computed on the host and not counted, what programs check\n"
    "themselves with of cuBLAS; no call of the driver (cuInit), no kernels that launch kernels.\n"
    "Thrust and CUB are compiled by nvcc alone, but for cub::BlockReduce and cub::WarpReduce. What\n"
    "CUDA 13 has no more, such as __shfl_down and cudaThreadSynchronize, compiles as it did; nvcc\n"
    "needs --flags -DBANKSIM_OLDER for __any, __all and __ballot.\n"
    "\n"
    "What the program prints goes where it always goes, in front of the report; an exit code that\n"
    "is not 0 is told. A launch that fails is told with its place, the launches before it are\n"
    "reported, and the exit code is 3; a trace, a part and --per request have all launches or none.\n"
    "\n"
    "A program that one links oneself with libbanksim_cudart.a is told so by its environment:\n"
    "BANKSIM_OUTPUT=FILE for its trace, BANKSIM_MERGE=none, BANKSIM_BLOCKS=N, and others (man banksim).\n"
    "\n"
    "Mistakes of kernels are told as by 'banksim launch', once for all launches of a kernel.\n"
    "\n"
    "examples:\n"
    "  banksim cuda transpose.cu --per site\n"
    "  banksim cuda main.cu kernels.cu --flags '-I inc' -- 4096 256\n"
    "  banksim cuda reduce.cu --format html -o reduce.html\n";

enum { MAX_WORDS = 256, MAX_PATH = 4096, MAX_OWN = 256 }; /* words, paths, those of our folder */

/* One command. */
struct job {
    struct options *options;
    char folder[MAX_OWN - 32]; /* for what is made on the way; gone at the end */
    char program[MAX_OWN];
    char home[MAX_PATH]; /* where libbanksim_cudart.a and include-cuda/ are */
    char headers[MAX_PATH + 32];
    const char *clang; /* its name, if it compiles, */
    int version;       /* and its main version */
    struct cuda_flags flags;
    char *arguments[MAX_WORDS]; /* the program's own, from [1] on; NULL behind the last */
};

/* ---- programs ------------------------------------------------------------------------------ */

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

static void add_all(struct words *words, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(words, list[i]);
    }
}

static void add_flags(struct words *words, const struct job *job)
{
    add_all(words, (const char *const *)job->flags.word, job->flags.n);
}

static void print_file(const char *path)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        fputs(line, stderr);
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* What the compiler called last has said. */
static void name_said(char name[MAX_OWN], const struct job *job)
{
    snprintf(name, MAX_OWN, "%s/said.txt", job->folder);
}

static int call(const struct job *job, char *const *words)
{
    char said[MAX_OWN];
    name_said(said, job);
    int code = bsim_cli_cuda_call(words, said);
    print_file(said);
    return code;
}

/* Ends a link's command: the program from its parts and the library. Functions of other libraries that it
 * misses are written, and it is linked again. */
static int link_program(struct job *job, struct words *words)
{
    char library[MAX_PATH + 32], said[MAX_OWN], absent[MAX_OWN];
    snprintf(library, sizeof library, "%s/libbanksim_cudart.a", job->home);
    name_said(said, job);
    snprintf(absent, sizeof absent, "%s/absent.cc", job->folder);
    size_t n = words->n;
    const char *const end[] = {absent, library, "-o", job->program, "-lpthread", "-lm"};
    enum { N_END = sizeof end / sizeof *end };
    add_all(words, end + 1, N_END - 1);
    int code = bsim_cli_cuda_call(words->word, said);
    if (code != 0 && !bsim_cli_cuda_is_ending() &&
        bsim_cli_cuda_absent(said, absent, job->options->skips_libraries)) {
        words->n = n;
        add_all(words, end, N_END);
        code = bsim_cli_cuda_call(words->word, said);
    }
    print_file(said);
    return code;
}

static void name_file(char name[MAX_OWN], const struct job *job, size_t i, const char *end)
{
    snprintf(name, MAX_OWN, "%s/%zu.%s", job->folder, i, end);
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static bool is_object(const char *path)
{
    return ends_in(path, ".o") || ends_in(path, ".a");
}

/* ---- compiling by nvcc ----------------------------------------------------------------------- */

static void add_nvcc(struct words *words, const struct job *job, const char *nvcc,
                     const char *older)
{
    static const char *const own[] = {"-cudart", "none", "--no-compress", "-lineinfo", "-w"};
    add(words, nvcc);
    add(words, job->flags.arch);
    add_all(words, own, sizeof own / sizeof *own);
    if (!job->flags.has_standard) { /* said twice, it warns */
        add(words, "-std=c++17");
    }
    add(words, "-include");
    add(words, older);
    add_flags(words, job);
}

/* Each source by itself, so that what the linker says is the linker's. */
static int compile_by_nvcc(struct job *job, const char *nvcc)
{
    struct words link = {.n = 0};
    char older[MAX_PATH + 64], objects[MAX_WORDS][MAX_OWN];
    int code = 0;
    snprintf(older, sizeof older, "%s/include-cuda/banksim_older.h", job->home);
    add_nvcc(&link, job, nvcc, older);
    for (size_t i = 0; i < (size_t)job->options->n_words && i < MAX_WORDS && code == 0; i++) {
        const char *source = job->options->words[i];
        struct words words = {.n = 0};
        name_file(objects[i], job, i, "o");
        const char *const end[] = {"-c", "-o", objects[i], source};
        add_nvcc(&words, job, nvcc, older);
        add_all(&words, end, sizeof end / sizeof *end);
        add(&link, is_object(source) ? source : objects[i]);
        code = is_object(source) ? 0 : call(job, words.word);
    }
    return code == 0 ? link_program(job, &link) : code;
}

/* ---- compiling by clang: kernels to PTX, then the host's part with the PTX in it ------------- */

enum { OLDEST_CLANG = 14, FIRST_TO_CALL_IT_ENABLED = 15, FIRST_TO_TELL_LINES = 17 };

/* What both steps are called with. No toolkit is looked for, so that a machine that has one gives
 * what any other gives; the SDK's version chooses the way of launching, that of CUDA 9.2 on. */
static void add_cuda(struct words *words)
{
    static const char *const own[] = {"-x",
                                      "cuda",
                                      "-nocudainc",
                                      "-nocudalib",
                                      "--cuda-path=/nonexistent",
                                      "--cuda-gpu-arch=sm_80",
                                      "-Xclang",
                                      "-target-sdk-version=11.0",
                                      "-include",
                                      "banksim_cuda.h"};
    add_all(words, own, sizeof own / sizeof *own);
}

/* Plain C and C++ are compiled as what they are. overlay: NULL, or what has the source as it is to be. */
static void add_clang(struct words *words, const struct job *job, const char *source,
                      const char *overlay)
{
    static const char *const own[] = {"-w", "-Wno-register", "-g1", "-O3", "-isystem"};
    add(words, job->clang);
    if (ends_in(source, ".cu")) {
        add_cuda(words);
    }
    add(words, ends_in(source, ".c") ? "-xc" : "-std=c++17");
    add_all(words, own, sizeof own / sizeof *own);
    add(words, job->headers);
    /* `int base; if (lane == 0) base = atomicAdd(...); base = __shfl_sync(~0u, base, 0);` hands a function what only
     * one lane has set. A clang that takes arguments for set lets all lanes add; nvcc does not. */
    add(words, "-Xclang");
    add(words, job->version < FIRST_TO_CALL_IT_ENABLED ? "-disable-noundef-analysis"
                                                       : "-no-enable-noundef-analysis");
    if (job->version < FIRST_TO_TELL_LINES) { /* stores that it joins get the next line: ptxas joins them */
        add(words, "-mllvm");
        add(words, "-disable-nvptx-load-store-vectorizer");
    }
    if (overlay != NULL) {
        add(words, "-ivfsoverlay");
        add(words, overlay);
    }
    add_flags(words, job);
}

/* The program is to find the text's end, and not every clang puts a NUL behind what it includes. */
static bool end_text(const char *path)
{
    FILE *file = fopen(path, "ab");
    bool is_written = file != NULL && fputc('\0', file) != EOF;
    return file != NULL && fclose(file) == 0 && is_written;
}

static int compile_kernels(const struct job *job, const char *source, const char *overlay,
                           const char *ptx)
{
    const char *const end[] = {"--cuda-device-only",
                               "-Xclang",
                               "-target-feature",
                               "-Xclang",
                               "+ptx70",
                               "-S",
                               "-o",
                               ptx,
                               source};
    struct words words = {.n = 0};
    add_clang(&words, job, source, overlay);
    add_all(&words, end, sizeof end / sizeof *end);
    int code = call(job, words.word);
    return code == 0 && !end_text(ptx) ? 127 : code;
}

static int compile_host(const struct job *job, const char *source, const char *overlay,
                        const char *ptx, const char *object)
{
    const char *const with[] = {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary",
                                "-Xclang", ptx};
    const char *const end[] = {"-c", "-o", object, source};
    struct words words = {.n = 0};
    add_clang(&words, job, source, overlay);
    if (ends_in(source, ".cu")) {
        add_all(&words, with, sizeof with / sizeof *with);
    }
    add_all(&words, end, sizeof end / sizeof *end);
    return call(job, words.word);
}

/* A file's kernels, and its host's part with them. */
static int compile_file(const struct job *job, size_t i, const char *source, const char *object)
{
    char ptx[MAX_OWN], copy[MAX_OWN], overlay[MAX_OWN];
    if (!ends_in(source, ".cu")) {
        return compile_host(job, source, NULL, NULL, object);
    }
    name_file(ptx, job, i, "ptx");
    name_file(copy, job, i, "cu");
    name_file(overlay, job, i, "json");
    bool has_blanks =
        bsim_cli_cuda_closed(source, copy) && bsim_cli_cuda_overlay(overlay, source, copy);
    const char *with = has_blanks ? overlay : NULL;
    int code = compile_kernels(job, source, with, ptx);
    return code == 0 ? compile_host(job, source, with, ptx, object) : code;
}

static int compile_by_clang(struct job *job)
{
    struct words words = {.n = 0};
    char objects[MAX_WORDS][MAX_OWN];
    int code = 0;
    add(&words, job->clang);
    add(&words, "-w");
    for (size_t i = 0; i < (size_t)job->options->n_words && i < MAX_WORDS && code == 0; i++) {
        const char *source = job->options->words[i];
        name_file(objects[i], job, i, "o");
        add(&words, is_object(source) ? source : objects[i]);
        code = is_object(source) ? 0 : compile_file(job, i, source, objects[i]);
    }
    add_flags(&words, job);
    return code == 0 ? link_program(job, &words) : code;
}

/* ---- which compiler, and where what it needs is ---------------------------------------------- */

/* Where the library lies: BANKSIM_CUDA, beside the program, or where `make install` puts it. */
static bool find_home(struct job *job)
{
    static const char *const places[] = {"", "/../lib", "/../lib/banksim", NULL};
    const char *own = getenv("BANKSIM_CUDA");
    if (own != NULL) {
        snprintf(job->home, sizeof job->home, "%s", own);
        return true;
    }
    return bsim_cli_beside(places, "libbanksim_cudart.a", job->home, sizeof job->home);
}

static const char usual_nvcc[] = "/usr/local/cuda/bin/nvcc";

static const char *find_nvcc(void)
{
    return is_in_path("nvcc") ? "nvcc" : is_program(usual_nvcc) ? usual_nvcc : NULL;
}

/* A clang's main version, 0 if it does not say. */
static int version_of(const char *clang)
{
    char command[64];
    int version = 0;
    snprintf(command, sizeof command, "%s -dumpversion", clang);
    FILE *output = popen(command, "r");
    if (output != NULL) {
        version = fscanf(output, "%d", &version) == 1 ? version : 0;
        pclose(output);
    }
    return version;
}

/* Debian has others than its usual one under names with their versions. If all are too old, the version is
 * one of theirs. */
static void find_clang(struct job *job)
{
    static const char *const names[] = {"clang++",    "clang++-21", "clang++-20",
                                        "clang++-19", "clang++-18", "clang++-17",
                                        "clang++-16", "clang++-15", "clang++-14"};
    for (size_t i = 0; i < sizeof names / sizeof *names && job->clang == NULL; i++) {
        if (is_in_path(names[i])) {
            job->version = version_of(names[i]);
            job->clang = job->version >= OLDEST_CLANG ? names[i] : NULL;
        }
    }
}

static int say_no_compiler(const struct job *job, enum compiler asked)
{
    if (job->version > 0) {
        bsim_cli_say("banksim: clang++ is version %d: %d or newer is needed ('make deps-cuda')\n",
                     job->version, OLDEST_CLANG);
        return EXIT_SYSTEM;
    }
    bsim_cli_say("banksim: %s to compile with: 'make deps-cuda' installs clang\n",
                 asked == COMPILER_NVCC    ? "there is no nvcc"
                 : asked == COMPILER_CLANG ? "there is no clang++"
                                           : "there is no nvcc and no clang++");
    return EXIT_SYSTEM;
}

/* By the compiler that is asked for by --compiler, or by what there is. */
static int compile(struct job *job)
{
    enum compiler asked = job->options->compiler;
    const char *nvcc = asked != COMPILER_CLANG ? find_nvcc() : NULL;
    if (asked != COMPILER_NVCC && nvcc == NULL) {
        find_clang(job);
    }
    if (!find_home(job)) {
        bsim_cli_say("banksim: libbanksim_cudart.a is not beside this program: run make, or set "
                     "BANKSIM_CUDA to its folder\n");
        return EXIT_SYSTEM;
    }
    if (nvcc == NULL && job->clang == NULL) {
        return say_no_compiler(job, asked);
    }
    char said[MAX_OWN];
    if (!bsim_cli_cuda_flags(&job->flags, job->options->flags, nvcc == NULL)) {
        bsim_cli_say("banksim: no memory for the flags\n");
        return EXIT_SYSTEM;
    }
    name_said(said, job);
    snprintf(job->headers, sizeof job->headers, "%s/include-cuda", job->home);
    int code = nvcc != NULL ? compile_by_nvcc(job, nvcc) : compile_by_clang(job);
    free(job->flags.text);
    if (code != 0 && !bsim_cli_cuda_is_ending()) {
        bsim_cli_cuda_answer(said, nvcc == NULL);
    }
    return code != 0 ? EXIT_INPUT : EXIT_FINE;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* In TMPDIR, or in /tmp. */
static bool make_folder(struct job *job)
{
    static const char name[] = "banksim-cuda-XXXXXX";
    const char *place = getenv("TMPDIR");
    bool has_room =
        place != NULL && *place != '\0' && strlen(place) + 1 + sizeof name <= sizeof job->folder;
    snprintf(job->folder, sizeof job->folder, "%s/%s", has_room ? place : "/tmp", name);
    return mkdtemp(job->folder) != NULL;
}

/* With all that compilers have left in it, too. */
static void remove_folder(const struct job *job)
{
    DIR *folder = opendir(job->folder);
    for (struct dirent *file; folder != NULL && (file = readdir(folder)) != NULL;) {
        if (file->d_name[0] != '.') {
            unlinkat(dirfd(folder), file->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(job->folder);
}

/* Who runs needs it no more: not even SIGKILL leaves it behind. */
static void forget_folder(void *context)
{
    remove_folder(context);
}

/* ---- the command ----------------------------------------------------------------------------- */

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

/* What can be wrong is told before a program is compiled and runs. */
static int check(const struct options *options)
{
    struct bsim_device device;
    const struct bsim_device *chosen;
    struct bsim_error err;
    if (options->n_words == 0) {
        return bsim_cli_usage("cuda", "which program? banksim cuda PROGRAM.cu");
    }
    return bsim_cli_device(options, &device, &chosen, &err) == BSIM_OK ? EXIT_FINE
                                                                       : bsim_cli_fail(&err);
}

static int cuda(int argc, char **argv)
{
    struct options options;
    struct job job = {.options = &options};
    argc = split_arguments(&job, argc, argv);
    int code = bsim_cli_options("cuda", argc, argv, &options);
    if (code != EXIT_FINE) {
        return code;
    }
    if (options.help) {
        return bsim_cli_help(help);
    }
    code = check(&options);
    if (code != EXIT_FINE) {
        return code;
    }
    bsim_cli_cuda_catch_signals();
    if (!make_folder(&job)) {
        bsim_cli_say("banksim: no folder for what is compiled, %s: %s\n", job.folder,
                     strerror(errno));
        return EXIT_SYSTEM;
    }
    snprintf(job.program, sizeof job.program, "%s/program", job.folder);
    options.report.colour = options.output == NULL && bsim_cli_colours(stdout);
    code = compile(&job);
    if (code == EXIT_FINE && !bsim_cli_cuda_is_ending()) {
        job.arguments[0] = job.program;
        code = bsim_cli_cuda_run(&options, job.arguments, forget_folder, &job);
    }
    remove_folder(&job);
    bsim_cli_cuda_die_if_asked();
    return code;
}

const struct command bsim_cli_cuda = {
    "cuda", "run a whole CUDA program without a GPU and report by source line", help, .read = cuda};
