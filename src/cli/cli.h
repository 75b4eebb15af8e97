/* cli.h - what the commands share.
 *
 * Exit codes: 0 fine, 1 an expectation did not hold or a hazard was found, 2 usage, 3 bad input,
 * 4 system. Results go to standard output, everything else to standard error.
 */
#ifndef BSIM_CLI_CLI_H
#define BSIM_CLI_CLI_H

#include <banksim/banksim.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { EXIT_FINE = 0, EXIT_EXPECTATION = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_SYSTEM = 4 };

struct options;

/* A command: its name, one line of what it does, its --help, and itself: with its words as they are,
 * argv[0] being its name; or with its options, which say where colours go; or with the check that its
 * arguments describe. */
struct command {
    const char *name;
    const char *summary;
    const char *help;
    int (*run)(struct options *options);
    int (*read)(int argc, char **argv);                            /* if run is NULL */
    int (*ask)(struct options *options, struct bsim_check *check); /* if both are */
};

/* Runs it and returns the exit code; and its `ask`, for one that reads its words first (command.c). */
int bsim_cli_command(const struct command *command, int argc, char **argv);
int bsim_cli_ask(const struct command *command, int argc, char **argv);

extern const struct command bsim_cli_run;
extern const struct command bsim_cli_merge;
extern const struct command bsim_cli_emulate;
extern const struct command bsim_cli_launch;
extern const struct command bsim_cli_cuda;
extern const struct command bsim_cli_list;
extern const struct command bsim_cli_check;
extern const struct command bsim_cli_advise;
extern const struct command bsim_cli_where;
extern const struct command bsim_cli_compare;
extern const struct command bsim_cli_show;
extern const struct command bsim_cli_lesson;
extern const struct command bsim_cli_pack;
extern const struct command bsim_cli_unpack;
extern const struct command bsim_cli_convert;

/* ---- messages (message.c) -------------------------------------------------------------------- */

/* Room for bsim_error_text, whatever the error. */
enum {
    BSIM_CLI_ERROR_SIZE =
        BSIM_ERROR_FILE_SIZE + BSIM_ERROR_MESSAGE_SIZE + 2 * BSIM_ERROR_EXCERPT_SIZE + 128
};

/* Prints to standard error, like printf, what files and arguments say made fit for a terminal:
 * whatever the text holds, a line ends only where the format does, in a '\n'. At most 8 KiB. */
void bsim_cli_say(const char *format, ...) BSIM_PRINTF(1, 2);

/* Each line of the text, which may be longer than a format takes. */
void bsim_cli_say_lines(const char *text);

/* Standard input is a launch's trace from now on: what fails there names no file. */
void bsim_cli_input_is_made(void);

/* Prints err to standard error and returns the exit code for its status. */
int bsim_cli_fail(const struct bsim_error *err);

/* Prints "banksim: message" and a pointer to the command's --help; returns EXIT_USAGE. */
int bsim_cli_usage(const char *command, const char *format, ...) BSIM_PRINTF(2, 3);

/* Prints text to standard output; returns EXIT_FINE, or EXIT_SYSTEM after a message. */
int bsim_cli_print(const char *text);

/* The same with a command's help, in which "@hopper@" stands for BSIM_CLI_HOPPER, "@tables@" and "@pictures@" stand for the names of the
 * formats that show these. */
int bsim_cli_help(const char *text);

/* True if stream is a terminal that takes colours (NO_COLOR is not set). */
bool bsim_cli_colours(FILE *stream);

/* How wide standard output is: COLUMNS, if it is a number; else what the terminal says; 0: there is
 * none, or it does not say. */
uint32_t bsim_cli_columns(void);

/* ---- options (options.c) --------------------------------------------------------------------- */

/* What `show` takes besides; NULL: not given. */
struct show_options {
    const char *op;   /* by hand: "load", "store", "atomic", "ldmatrix", "opcode", "shfl", ... */
    const char *type; /* and its value: "b32" */
    const char *stride, *strides, *offset, *addresses, *mask;
    const char *width;                /* of a shuffle's segments */
    const char *wgmma, *a, *b;        /* its shape, and its operands' descriptors */
    const char *tma;                  /* a copy */
    bool peer;                        /* of another block of the cluster */
    const char *event, *site, *worst; /* which request of a trace */
    const char *style;                /* "plain", "utf8", "colour" */
};

/* When cycles are estimated: for kernels of at most BSIM_TIMER_EVENTS events, or for all or
 * none. */
enum cycles_choice { CYCLES_AUTO, CYCLES_ALWAYS, CYCLES_NEVER };

enum { MAX_DUMPS = 16 };

enum compiler { COMPILER_ANY, COMPILER_NVCC, COMPILER_CLANG, COMPILER_NONE };

/* What a command has to say of its source's counts. */
struct remarks {
    void (*add)(void *context, struct bsim_buffer *out); /* appends lines that belong below them */
    /* Whether a source that failed with that error, of which n kernels had ended, is reported as far as
     * that; if so, the reason has been told. NULL: never. */
    bool (*has_failed)(void *context, uint64_t n, const struct bsim_error *err);
    void *context;
};

/* What `run` and `emulate --run` take, and what is left. */
struct options {
    const char *device; /* NULL: not given */
    struct bsim_device_options device_options;
    struct bsim_report_options report;
    bool per_given;
    const char *output;        /* -o; NULL: standard output */
    const char *emit_trace;    /* --emit-trace; NULL: not given */
    const char *flags;           /* --flags; NULL: not given */
    enum compiler compiler;      /* --compiler */
    uint32_t skips_libraries;    /* --libraries skip */
    const char *dump[MAX_DUMPS]; /* --dump */
    uint32_t n_dumps;
    const struct remarks *remarks; /* the command's own, or NULL */
    uint32_t bare;   /* --merge none */
    uint32_t blocks; /* --blocks; 0: all */
    uint32_t steps;  /* --steps, millions of a warp; 0: BSIM_PTX_MOST_OF_WARP */
    bool run;                  /* --run */
    bool hazards;              /* --hazards */
    enum cycles_choice cycles; /* --cycles */
    uint32_t registers;        /* --registers; 0: not given */
    uint32_t jobs;             /* --jobs; 1 to BSIM_MAX_JOBS */
    uint32_t shard, n_shards;  /* --shard; n_shards 0: not given */
    bool names;                /* --names */
    uint32_t best;             /* --best; 0: not given */
    bool all;                  /* --all */
    const char *ncu;           /* --ncu; NULL: not given */
    double tolerance;          /* --tolerance, in per cent */
    struct show_options show;
    struct bsim_buffer statements; /* as a file has them, if a page shows them; freed by bsim_cli_ask */
    bool simulates; /* an option was given that only a simulation has */
    bool help;
    bool reads_files; /* the command does: its words */
    bool reads_stdin; /* and if there are none, standard input */
    const char *launch_file, *launch; /* of a file with kernels, or NULL (describe.c) */
    int n_words;      /* the arguments that are no options, in order, at the front of argv */
    char **words;
};

/* Sorts argv (behind argv[0]) into options and words. On a mistake prints it and returns
 * EXIT_USAGE. */
int bsim_cli_options(const char *command, int argc, char **argv, struct options *options);

/* Refuses to write what is read too (same_file.c): prints that and returns EXIT_USAGE. */
int bsim_cli_check_files(const char *command, const struct options *options);

/* Whether the format that was chosen shows one of `what`, such as BSIM_PAGES. */
bool bsim_cli_shows(const struct options *options, uint32_t what);

/* The device that the options name: *chosen points to *device, or is NULL where the trace decides
 * and options->device_options hold for what it names. Fails as bsim_device_find does. */
enum bsim_status bsim_cli_device(const struct options *options, struct bsim_device *device,
                                 const struct bsim_device **chosen, struct bsim_error *err);

/* The same for a question without a trace, which has the default then. */
enum bsim_status bsim_cli_device_or_default(const struct options *options,
                                            struct bsim_device *device, struct bsim_error *err);

/* ---- expectations (judge.c) ------------------------------------------------------------------ */

/* Whether what the check expects holds of its answer: *failures counts where it does not, and told gets
 * a line for each, with the place (`lead` stands for the command line; "": no places), the access and its
 * counts. Fails with BSIM_E_INPUT for an expectation
 * of what differs from draw to draw and for one that divides by zero. */
enum bsim_status bsim_cli_judge(const struct bsim_check *check, const struct bsim_answer *answer,
                                const char *lead, struct bsim_buffer *told, uint64_t *failures,
                                struct bsim_error *err);

/* ---- files to read (trace_file.c) ------------------------------------------------------------ */

/* Opens a file, "-" being standard input; fails with BSIM_E_INPUT, BSIM_E_MEMORY or BSIM_E_IO.
 * bsim_cli_close closes it. */
enum bsim_status bsim_cli_open(const char *path, FILE **file, struct bsim_error *err);
void bsim_cli_close(FILE *file);

/* What a text file is to be. One that is too long, that begins otherwise or that has a NUL byte is
 * refused before more of it is read: it may have no end. */
struct text_kind {
    const char *what;   /* "a part of a result", for messages */
    const char *begins; /* "": with anything */
    size_t most_bytes;
};

/* Puts at most so many bytes back in front of standard input, for bsim_cli_read_text, once. */
enum { BSIM_CLI_HEAD_BYTES = 1 << 12 };
void bsim_cli_put_back(const char *head, size_t n);

/* Reads a whole text, "-" being standard input, into an empty buffer, which the caller frees in any
 * case. Fails with BSIM_E_INPUT, BSIM_E_IO, BSIM_E_MEMORY. */
enum bsim_status bsim_cli_read_text(const char *path, const struct text_kind *kind,
                                    struct bsim_buffer *text, struct bsim_error *err);

/* The traces that a command line names, by index, until NULL: without any, standard input. How many
 * of them are that, which can be read once. */
char *bsim_cli_trace_at(const struct options *options, int i);
int bsim_cli_reads_input(const struct options *options);

/* Whether path leads to a file that can be opened again and read anew. */
bool bsim_cli_is_file(const char *path);

/* The trace in an open file, whose remarks are printed; path stays. */
struct bsim_input bsim_cli_input(FILE *file, char *path);

/* Runs the trace at the path, as bsim_run does. */
enum bsim_status bsim_cli_run_trace(char *path, const struct bsim_run_options *options,
                                    struct bsim_result *result, struct bsim_error *err);

/* Pushes the trace at the path that context points to. */
enum bsim_status bsim_cli_push_trace(void *context, const struct bsim_sink *sink,
                                     struct bsim_error *err);

/* ---- output (output.c) ----------------------------------------------------------------------- */

/* Where results go. A named file is written apart and put in its place on success, with the owner
 * and mode of what stood there; one with several names, or one that cannot be replaced, is filled
 * on success; a device or a pipe is written to directly. What is spooled reaches standard output on
 * success alone. So nobody sees half a result, unless the copying itself is cut short. */
struct output {
    FILE *file;       /* write here */
    const char *path; /* NULL: standard output */
    FILE *receiver;   /* file is a temporary one, to be copied to here; NULL: it is not */
    struct replacement *replacement; /* what file belongs to, or NULL */
};

/* Opens for writing; spool: hold everything back until bsim_cli_output_commit. */
enum bsim_status bsim_cli_output_open(struct output *output, const char *path, bool spool,
                                      struct bsim_error *err);

/* Where path leads, behind symbolic links, be it there or not: a new string, or NULL. */
char *bsim_cli_resolve(const char *path);

/* Hands over what was written; fails with BSIM_E_IO if not all of it got there. */
enum bsim_status bsim_cli_output_commit(struct output *output, struct bsim_error *err);

/* Throws away what was written. Also fine after a commit. */
void bsim_cli_output_abort(struct output *output);

/* Writes and empties buffer. */
enum bsim_status bsim_cli_output_write(struct output *output, struct bsim_buffer *buffer,
                                       struct bsim_error *err);

/* Whether -o names a trace; whether what stands between accesses is wanted of a kernel in PTX, for
 * cycles or for whoever runs the trace. */
bool bsim_cli_wants_trace(const struct options *options);
bool bsim_cli_wants_work(const struct options *options);

/* All of it, where path says (NULL: standard output): the buffer, which is freed; or as a trace
 * what the source pushes. */
enum bsim_status bsim_cli_write_out(const char *path, struct bsim_buffer *buffer,
                                    struct bsim_error *err);
/* The device's name as a trace has it; NULL of NULL, which is the default. */
const char *bsim_cli_device_word(const struct options *options, const struct bsim_device *chosen);
enum bsim_status bsim_cli_write_trace(const char *path, bool is_binary,
                                      const struct bsim_source *source, struct bsim_error *err);
/* The same of launches, where -o says: the options' device and registers go into it, so that it is played as they were. */
enum bsim_status bsim_cli_write_launches(const struct options *options, const struct bsim_source *source,
                                         struct bsim_error *err);
enum bsim_status bsim_cli_write_binary(FILE *file, const struct bsim_source *source,
                                       struct bsim_error *err);

/* ---- what belongs to the program (beside.c, page.c) ------------------------------------------ */

/* The first of the folders, up to NULL, that has the file; as paths from the program's own folder: "",
 * "/../lib". false: none has, or this system does not say where the program is. */
bool bsim_cli_beside(const char *const *places, const char *file, char *folder, size_t size);

/* Writes the page that has the library in it (src/web), which shows options->statements. Fails with
 * BSIM_E_IO where there is no such page, with BSIM_E_INPUT where it is of another version, and as
 * bsim_cli_write_out does. */
enum bsim_status bsim_cli_write_page(const struct options *options, struct bsim_error *err);

/* ---- progress (progress.c) ------------------------------------------------------------------ */

/* A line on a terminal's standard error: blocks of a launch, events so far, their rate, and the time left
 * where the size of what is read or the grid is known. */
struct progress {
    const char *name;
    FILE *file; /* what is read, or NULL */
    bool is_wanted;
    time_t started;
    time_t drawn; /* 0: the line is not there */
};

void bsim_cli_progress_start(struct progress *progress, const char *name, FILE *file);

/* So far: may draw the line. */
void bsim_cli_progress(struct progress *progress, const struct bsim_progress *far);

/* Takes the line away, before something else is printed. */
void bsim_cli_progress_clear(struct progress *progress);

/* ---- simulation (simulate.c) ----------------------------------------------------------------- */

/* Simulates the source, called `name`, or the traces that the options name, reports them together
 * as the options say, and returns the exit code. */
int bsim_cli_simulate(const struct options *options, const char *name,
                      const struct bsim_source *source);
/* Whether such a report has cycles. */
bool bsim_cli_wants_cycles(const struct options *options);

int bsim_cli_simulate_traces(const struct options *options);

/* Says on standard error what counts rest on of the kernels that rests has and of the result's, if the
 * report's format has no place for it, and frees rests. */
void bsim_cli_say_rests(const struct options *options, const struct bsim_result *result,
                        struct bsim_rests *rests);

/* ---- descriptions of accesses (describe.c) --------------------------------------------------- */

/* Makes a sealed check of the command line: the statements of the file that it names, if it names
 * one, and then its own, each as an option (--shared DECL, --load EXPR, ...); the rest becomes
 * *options. *check is NULL after --help and after a failure, which has been printed; the exit code
 * is returned. The caller frees *check. */
int bsim_cli_describe(const char *command, int argc, char **argv, struct options *options,
                      struct bsim_check **check);

/* ---- launches of kernels (call.c) ------------------------------------------------------------ */

/* Whether the file is CUDA C, by its name; or there, with kernels in it, by its name, PTX too; whether a word
 * is a launch. */
bool bsim_cli_is_cuda(const char *path);
bool bsim_cli_has_kernels(const char *path);
bool bsim_cli_is_launch(const char *word);

#define BSIM_CLI_OF_LAUNCH "--merge, --blocks and --steps are of a launch, behind a file of CUDA C or PTX"

/* A launch of a kernel; text is the file's at first, and then the module's. */
struct call {
    struct bsim_buffer text, ptx_text; /* the file's; what CUDA C becomes */
    struct bsim_ptx_call *ptx;
    bool is_machine_code; /* the file is */
    bool is_refused; /* something at a place of the text, which nvcc may read */
    bool is_ordered; /* --hazards was asked */
};

/* The text of a file with kernels, into an empty buffer, which the caller frees in any case. */
enum bsim_status bsim_cli_read_kernels(const char *path, struct bsim_buffer *text,
                                       struct bsim_error *err);

/* Makes the launch of the text of the file at the path, as the options say; has_work: with what stands between
 * accesses, for cycles. The caller frees the call in any
 * case. bsim_cli_call_say says on standard error what a GPU would have let pass, and, of CUDA C that is not
 * read, what reads it. */
enum bsim_status bsim_cli_call_open(const struct options *options, const char *path,
                                    const char *launch, bool has_work, struct call *call,
                                    struct bsim_error *err);
void bsim_cli_call_free(struct call *call);
void bsim_cli_call_say(const char *path, const struct call *call, int code);

/* Runs the launch: its trace is standard input from then on. What is wrong is printed; the exit code. */
int bsim_cli_call_record(const struct options *options, const char *path, const char *launch);

/* What is said of a file of CUDA C, by its name or by what stands in it, in which no kernel is. */
#define BSIM_CLI_NO_KERNEL                                                                         \
    "no __global__ kernel in %s: name the file that defines it; of what that includes, \"quoted\" "   \
    "headers beside it are read"
int bsim_cli_no_kernel(const char *command, const char *path);

/* A word that stands where a launch of the file's kernels is due, and is none: says so, and which there are. */
int bsim_cli_no_launch(const char *command, const char *path, const char *word);

/* Appends a line to type: "banksim advise k.cu 'k<<<1, 32>>>(int[32])'", its words as a shell takes them. */
void bsim_cli_call_line(const char *command, const char *path, const char *launch,
                        struct bsim_buffer *out);

/* Says which launches of the file's kernels the command may be about, each as a line to type, and returns
 * the exit code of that; EXIT_FINE, and *is_without, for a text without kernels that may be statements. */
int bsim_cli_call_propose(const char *command, const char *path, bool *is_without);

/* ---- plans as patches (patch.c) -------------------------------------------------------------- */

/* Writes the plans into the source of the launch that the options name, runs each, and says in each what it gave
 * there or why it was not written; appends the best that leaves the same bytes in all arrays, as a unified diff. */
enum bsim_status bsim_cli_patch(const struct options *options, const struct bsim_check *check,
                                struct bsim_advice *advice, struct bsim_buffer *out,
                                struct bsim_error *err);

/* ---- hints tried in the file (prove.c) ------------------------------------------------------- */

/* What a check's answer has tell its remedies (struct bsim_ask's prove; context: the options): hints for accesses of a
 * launch of CUDA C are tried on the kernel in its file, as bsim_cli_patch does, and told where they help. */
enum bsim_status bsim_cli_prove(void *context, const struct bsim_check *check,
                                const struct bsim_kernel_result *kernel, struct bsim_advice *advice,
                                struct bsim_error *err);

/* ---- traces in their place (recorded.c) ------------------------------------------------------ */

/* Whether there is a trace at the path, which can be read from its beginning afterwards: also standard
 * input, "-". */
enum bsim_status bsim_cli_is_trace(const char *path, bool *is_trace, struct bsim_error *err);

/* What the source pushes is kept as a trace, which standard input is from then on. */
enum bsim_status bsim_cli_trace_as_input(const struct bsim_source *source, struct bsim_error *err);

/* What happens in the check, before it is sealed, is what a kernel of the trace did: that of the name,
 * or any (NULL); of several the one that loses most to conflicts, which is said. It has accesses to shared memory, unless
 * of_any_memory says that others will do where no kernel has. path stays; it is shown as
 * `shown`. */
enum bsim_status bsim_cli_record(const struct options *options, char *path, const char *shown,
                                 const char *kernel, bool of_any_memory, struct bsim_check *check,
                                 struct bsim_error *err);

/* The device that the options name, or else the recorded kernel (NULL: none), or else the default. */
enum bsim_status bsim_cli_device_of(const struct options *options,
                                    const struct bsim_recorded *recorded,
                                    struct bsim_device *device, struct bsim_error *err);

/* Hopper's options of show, apart as C's strings have 4095 bytes at least and its help has more. */
#define BSIM_CLI_HOPPER                                                                            \
    "wgmma and TMA, of sm_90:\n" \
    "  --wgmma SHAPE      'm64n128k16 f16': what it takes of shared memory's time\n" \
    "  --a D, --b D       a descriptor, in bytes: 'start=1024 lbo=16 sbo=1024 swizzle=128B major=K'\n" \
    "                     (and base=N), or its bits, 0x..., of which the elements' places are drawn;\n" \
    "                     --a registers; with --tma: held against the box that lies there, and\n" \
    "                     without --a and --b the descriptors that read it\n" \
    "  --tma COPY         'half box=64x64 swizzle=128B start=1024', the box as cuTensorMapEncodeTiled\n" \
    "                     has it: elements along a row, rows, ...; in front load (the default), store\n" \
    "                     or reduce; behind, of the global side, from=N and pitch=N (bytes),\n" \
    "                     and inside=N, the elements of a row that the tensor has to store to;\n" \
    "                     'bulk bytes=4096 start=16': bytes in a row, cp.async.bulk\n"

/* The statement options, for help texts. */
#define BSIM_CLI_STATEMENTS                                                                       \
    "  --shared DECL      'float tile[32][33]', '__align__(16) half a[N]', 'extern float s[]';\n" \
    "                     several are placed one behind the other; a layout may follow:\n"        \
    "                     'half a[64][64] swizzle 128B', swizzle<3,3,3>, pad 8 every 64\n"        \
    "  --global DECL      'const float *in, float *out', as a kernel has them, or 'float t[512]';\n" \
    "                     --const 'float c[64]': counted in sectors and lines, or in passes\n"       \
    "  --struct DEF       'P { float x, y, z; int id; }', a type; --union, --typedef likewise\n"  \
    "  --block X[,Y[,Z]]  threads of the block (32), also 32x8; --grid and --blockidx likewise\n" \
    "  --define N=32      a constant; 'AT(r,c) ((r)*N+(c))': a macro\n"                           \
    "  --index 'h: zipf(1.1, 256)'\n"                                                             \
    "                     'check' alone: what data decide, by a name; random(N), table(V, V, ...)\n" \
    "  --warp W           look at one warp alone\n"                                               \
    "\n"                                                                                          \
    "What follows happens in its order; a --for or --if holds for what stands behind it:\n"       \
    "  --load EXPR        an access: 'tile[threadIdx.y][threadIdx.x]'; also --store EXPR,\n"      \
    "                     --atomic add EXPR, --ldmatrix x4[.trans] EXPR, --stmatrix x4 EXPR,\n"   \
    "                     --cp-async ca[:16] EXPR, the shared side of a copy; of copies also\n"    \
    "                     commit_group, 'wait_group N' and wait_all, and 'arrive [noinc] M'\n"     \
    "                     at an mbarrier, for cycles and reads that come too soon\n"                \
    "  --tma load 'A[s], a[0][64*k], full[s]'\n"                                                   \
    "                     'check' alone: a tile by TMA, from an element of a global array, to an\n" \
    "                     --mbarrier 'full[4]: 1'; also --tma store 'C[g], c[m][0]', reduce\n"   \
    "  --wgmma m64n128k16 'A[s][0][16*i], B[s][0][16*i]'\n"                                        \
    "                     the elements at which A (64 rows) and B (n rows) begin; 'registers, B'\n" \
    "  --wgmma commit_group, --wgmma 'wait_group 1'; --tma likewise, of stores\n"                  \
    "  --arrive 'full[s], BYTES', --wait 'full[s], PARITY'\n"                                      \
    "                     at an mbarrier, which expects BYTES of its loads\n"                     \
    "  --code 'C'         lines of a kernel: 'sum += As[ty][k] * Bs[k][tx];'\n"                   \
    "  --for 'i=0:16:2'   a loop: start, end (not reached), step; or a list 'i=0,4,9'; or as C\n" \
    "                     has it: 'int s = 16; s > 0; s >>= 1'\n"                                 \
    "  --times N          N turns that are all alike: played once, counted N times\n"              \
    "  --if COND          only the threads for which it holds; --else: the others\n"              \
    "  --end              closes the --for, --times or --if that was opened last\n"               \
    "  --let 'r = EXPR'   a value of each thread; 'int r = EXPR' converts it\n"                   \
    "  --sync             __syncthreads(): what stands behind it comes later\n"                   \
    "  --syncwarp         __syncwarp(), of the threads that come to it\n"                         \
    "  --fence proxy.async.shared::cta\n"                                                           \
    "                     in front of what wgmma or TMA reads, for cycles; also proxy.async\n"     \
    "  --work 'K[:L] [C]' K instructions in L cycles, of class C: fp32, int (cycles only)\n"

/* ---- hazards (hazards.c) --------------------------------------------------------------------- */

/* A search of one stream for races and barrier faults, which prints what it finds, in place of the
 * progress line. */
struct hazard;

struct hazard_search {
    struct progress *progress;
    struct bsim_hazards *hazards;
    const char *source_name;
    struct hazard *hazard; /* that differ, of several launches as of one */
    size_t n_hazards;
    uint64_t n_left_out; /* further ones */
    bool in_warp; /* a race between the lanes of a warp is among them */
};

/* Starts one, whose progress is set; *sink is where the stream goes. device: NULL, or in place of
 * the kernels' own. search must stay in place until the end. */
enum bsim_status bsim_cli_hazards_begin(struct hazard_search *search, const char *source_name,
                                        const struct bsim_device *device, struct bsim_sink *sink,
                                        struct bsim_error *err);

/* Ends it and returns how many there were; prints that, and up to where the stream went if it was not
 * whole. up_to: NULL, of a stream of which nothing is to be said. */
uint64_t bsim_cli_hazards_end(struct hazard_search *search, const char *up_to);

#endif
