/* report.h - results as text, csv, json and a page of HTML, requests drawn, and comparisons with a
 * GPU.
 *
 * Renderers only append to a buffer; they cannot fail but for memory (bsim_buffer_status). All of
 * this is thread-safe for different objects.
 */
#ifndef BANKSIM_REPORT_H
#define BANKSIM_REPORT_H

#include <banksim/advise.h>
#include <banksim/emulator.h>
#include <banksim/expr.h>
#include <banksim/run.h>
#include <banksim/tma.h>
#include <banksim/trace.h>
#include <banksim/wgmma.h>

enum bsim_format { BSIM_TEXT, BSIM_CSV, BSIM_JSON, BSIM_SVG, BSIM_HTML };

/* What a format can show. */
enum {
    BSIM_PICTURES = 1 << 0,  /* of requests */
    BSIM_TABLES = 1 << 1,    /* whatever is reported here */
    BSIM_PAGES = 1 << 2,     /* bsim_report_page */
    BSIM_SENTENCES = 1 << 3, /* what a table means, for people */
};

/* The name of format i of enum bsim_format, such as "csv", and the bits of what it shows (shows may
 * be NULL). NULL: there are no more. Static. */
BSIM_API const char *bsim_format_name(size_t i, uint32_t *shows);

enum bsim_per { BSIM_PER_KERNEL, BSIM_PER_SITE, BSIM_PER_REQUEST };
enum bsim_metrics { BSIM_METRICS_BANKSIM, BSIM_METRICS_NCU, BSIM_METRICS_NVPROF };

struct bsim_report_options {
    enum bsim_format format;
    enum bsim_per per;         /* BSIM_PER_KERNEL or BSIM_PER_SITE for bsim_report_result */
    enum bsim_metrics metrics; /* other than BSIM_METRICS_BANKSIM: per kernel only */
    bool colour;               /* text: ANSI colours */
    uint32_t columns;          /* of the terminal, for arrays that bsim_report_where draws; 0: none */
};

/* A whole result, per kernel or per site. The profilers' metrics have no cycles. */
BSIM_API void bsim_report_result(const struct bsim_result *result,
                                 const struct bsim_report_options *options,
                                 struct bsim_buffer *out);

/* The same of kernels that come one by one and need not stay, in memory that does not grow with
 * them: rows go to a temporary file when there are many. */
struct bsim_report;

/* In a format that shows tables (BSIM_TABLES), per kernel or site, under banksim's own names.
 * NULL when memory is short. The caller frees it with bsim_report_free. */
BSIM_API struct bsim_report *bsim_report_new(const struct bsim_report_options *options);

/* Takes a kernel. Fails with BSIM_E_MEMORY, and with BSIM_E_IO if the temporary file does; the
 * report is then of no use but to be freed. */
BSIM_API enum bsim_status bsim_report_kernel(struct bsim_report *report,
                                             const struct bsim_kernel_result *kernel,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* Behind the last kernel: appends the next part of the report, some 64 KB; nothing, if none is
 * left. Fails likewise. */
BSIM_API enum bsim_status bsim_report_next(struct bsim_report *report, struct bsim_buffer *out,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_report_free(struct bsim_report *report);

/* A report per request, whose rows are written as they come; *out may be emptied between them. */
struct bsim_request_rows {
    struct bsim_report_options options;
    bool has_begun; /* its head is written */
    bool has_elements; /* its first row's kernel declares arrays: people get a column of elements */
    uint64_t n;     /* rows so far */
};

/* Appends a row. */
BSIM_API void bsim_report_request(struct bsim_request_rows *rows,
                                  const struct bsim_request_result *request,
                                  struct bsim_buffer *out);

/* Behind the last row: appends what stands below them, with the totals of result. */
BSIM_API void bsim_report_requests_end(struct bsim_request_rows *rows,
                                       const struct bsim_result *result, struct bsim_buffer *out);

/* What counts of kernels in PTX rest on, as their launches put it into their x-ptx= key: formats for
 * people say it below the counts, others have no place for it. Zeroed at first, gets kernels one by
 * one, is told, and freed. */
struct bsim_rests {
    struct bsim_buffer known, first; /* its own */
    bool has_several, has_cycles;
};

BSIM_API void bsim_rests_add(struct bsim_rests *rests, const struct bsim_kernel_result *kernel);

/* Appends a sentence a line, each once; nothing if the kernels are of no PTX. If memory was short, out
 * fails. */
BSIM_API void bsim_rests_tell(const struct bsim_rests *rests, struct bsim_buffer *out);
BSIM_API void bsim_rests_free(struct bsim_rests *rests);

/* ---- a page ---------------------------------------------------------------------------------- */

/* What a page shows of a run's shared-memory requests, gathered while the run goes by. Per site it
 * counts, over all requests, which banks served how many rows and which of them held their group
 * up; and it keeps the requests themselves, equal ones once with a count, so that their passes can
 * be drawn. Those are bounded: memory grows with kernels and sites, not with events. One survey
 * belongs to one thread. */
struct bsim_survey;

/* What the kept requests may weigh in a page, in bytes, if the caller names no other budget.
 * A choice: with the page itself, its tables and this, a report stays below 2 MB. */
enum { BSIM_SURVEY_BUDGET_BYTES = 1200000 };

/* A new survey, or NULL when memory is short. budget_bytes 0: BSIM_SURVEY_BUDGET_BYTES. The caller
 * frees it; free(NULL) is fine. */
BSIM_API struct bsim_survey *bsim_survey_new(size_t budget_bytes);
BSIM_API void bsim_survey_free(struct bsim_survey *survey);

/* Takes one request, as bsim_run_options.on_request gives it; requests to other memories than the
 * shared one are passed over. kernel is the index of its kernel in the result that the page will
 * show, which differs from request->kernel_index where several results are appended.
 *
 * Requests are equal if they have the same site, opcode, mask and addresses, but for a common
 * distance that leaves every address in its bank. Where the budget does not hold all different
 * ones, the worst one of every site is kept first, then the second of every site, and so on: those
 * with the most excessive wavefronts. What is kept has its full count. Fails with BSIM_E_MEMORY;
 * the survey is then of no use but to be freed. */
BSIM_API enum bsim_status bsim_survey_add(struct bsim_survey *survey, size_t kernel,
                                          const struct bsim_request_result *request,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* A whole result as one HTML file that needs nothing but itself: what was counted, per kernel and
 * site, and the passes of the requests that survey holds; it was given every request of the result
 * and takes no more afterwards. No string of the result acts as anything but text. Fails with
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_report_page(const struct bsim_result *result,
                                           struct bsim_survey *survey, struct bsim_buffer *out,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* ---- checks and lists ------------------------------------------------------------------------ */

/* What a check's accesses cost, as bsim_answer found it. */
BSIM_API void bsim_report_check(const struct bsim_check *check, const struct bsim_answer *answer,
                                const struct bsim_report_options *options, struct bsim_buffer *out);

/* The plans of an advice for a check. Csv has a row for what is there and one for each array that a
 * plan changes or, if the advice has all candidates, one for each of those. */
BSIM_API void bsim_report_advice(const struct bsim_check *check, const struct bsim_advice *advice,
                                 const struct bsim_report_options *options,
                                 struct bsim_buffer *out);

/* Where n requests of a check lie, as bsim_check_each gives them: for each lane, or once for all if
 * they have one place, element, byte of the array and of the window, word and bank; and the arrays
 * with the bank in each cell: for people as far as 32 rows and columns go, in json 128. Nothing of
 * the requests is looked at but what stands in them: not their loops. */
BSIM_API void bsim_report_where(const struct bsim_check *check, const struct bsim_device *device,
                                const struct bsim_check_request *request, size_t n,
                                const struct bsim_report_options *options, struct bsim_buffer *out);

/* What banksim knows: devices with the grade and source of each of their rules, emulators, the
 * opcodes of the trace format. */
enum bsim_list { BSIM_LIST_DEVICES, BSIM_LIST_EMULATORS, BSIM_LIST_OPCODES };

/* Lists it. name: the only device that is listed, one that bsim_device_find knows; or NULL. */
BSIM_API void bsim_report_list(enum bsim_list list, const char *name, enum bsim_format format,
                               struct bsim_buffer *out);

/* ---- pictures -------------------------------------------------------------------------------- */

/* One request drawn: which lane is served by which bank in which pass, or which lines, sectors and
 * words of other memory it touches. A picture is the request's own schedule (bsim_request_schedule)
 * made visible; nothing in it is worked out a second time. The texts may hold anything: each
 * renderer escapes them. */
struct bsim_picture {
    const char *title; /* what it is, in the user's words: "stride 2"; or NULL */
    const char *place; /* where it stands: "kernel k, block (0,0,0), warp 3"; or NULL */
    struct bsim_device device;
    struct bsim_request request;       /* to shared memory; to other memory: its opcode and mask */
    uint64_t address[BSIM_WARP_LANES]; /* of other memory, as in the request of shared memory */
    const struct bsim_check *check;    /* whose arrays are drawn below the request; or NULL */
    struct bsim_check_request asked;   /* the request as the check has it, but for its loops */
};

/* The picture of a request of a check, as bsim_check_each gives it: its title is the access,
 * "load tile[lane][0]", its place the warp's and the turn's, "warp 3, from thread (0,3,0), i = 2".
 * Both texts lie in *texts, an empty buffer that the caller frees behind the picture. Fails with
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_picture_of(const struct bsim_check *check,
                                          const struct bsim_device *device,
                                          const struct bsim_check_request *request,
                                          struct bsim_buffer *texts, struct bsim_picture *picture,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* Why the request takes as many passes as it does, one sentence with its full stop: "2 passes
 * because lanes 0 and 16 want different words of bank 0." schedule is the request's on device. */
BSIM_API void bsim_request_why(const struct bsim_device *device, const struct bsim_request *request,
                               const struct bsim_schedule *schedule, struct bsim_buffer *out);

/* How a picture is drawn on a terminal; zeroed: plain ASCII. */
struct bsim_picture_style {
    bool utf8;
    bool colour;      /* ANSI colours */
    bool all;         /* every pass, not only the first and the last of many */
    uint32_t columns; /* of the terminal, from 40; 0: 80 */
};

/* n pictures (1 or more) in a format that shows some (BSIM_PICTURES).
 *
 * Text: one below the other, as wide as the style says: the banks at work across, the passes down, in
 * each cell the lanes that are served and the word; then the sentence above. style is for this
 * and, its `all`, for svg; it may be NULL, for plain ASCII. Below a request of a check its arrays, with
 * the bank in each cell and a mark at what the lanes ask for, in 103 columns if the style says none.
 *
 * Json: one document, {"banksim": VERSION, "requests": [...]}. Of each request: its title, place,
 * device, opcode, mask, the byte address of each lane (null: it has none), counts, the sentence
 * above, its groups, and its passes in order: the group, the lanes, and a grant for each bank at
 * work with row, byte address, words (the byte address of each 4-byte word that is touched), lanes
 * and receivers.
 *
 * Svg: one figure, one panel below the other: lanes above, banks below, arrows by pass, and what
 * each bank serves, and the arrays. A whole XML document, text as text. */
BSIM_API void bsim_report_pictures(const struct bsim_picture *pictures, size_t n,
                                   enum bsim_format format, const struct bsim_picture_style *style,
                                   struct bsim_buffer *out);

/* A row of a table of strides: lane l accesses element stride * l. */
struct bsim_stride {
    uint32_t stride;
    struct bsim_request request;
};

/* What each of n strides costs on device, one row each. */
BSIM_API void bsim_report_strides(const struct bsim_device *device,
                                  const struct bsim_stride *strides, size_t n,
                                  const struct bsim_report_options *options,
                                  struct bsim_buffer *out);

/* Who reads a tile that TMA has written: its wavefronts in each swizzle, 0 where none has such rows. */
struct bsim_tma_reader {
    const char *what; /* "ldmatrix, 16 bytes of each row" */
    uint32_t ideal;
    uint32_t wavefronts[BSIM_TMA_128B + 1];
};

/* A copy by TMA, one that passes bsim_tma_check: as csv one row, as json the same members, a row of "readers" for each
 * of the n, and, of a box, one of "chunks" for each 16 bytes, with the byte where they lie. It has no text. */
BSIM_API void bsim_report_tma(const struct bsim_device *device, const struct bsim_tma *tma,
                              const struct bsim_tma_reader *readers, size_t n,
                              const struct bsim_report_options *options, struct bsim_buffer *out);

/* An operand of a wgmma in shared memory, and where in its rows it begins. */
struct bsim_wgmma_operand {
    char name; /* 'a' or 'b' */
    uint32_t n_rows;
    struct bsim_wgmma_descriptor at;
    uint32_t k;      /* the element of the tile's k that it begins with */
    bool has_chunks; /* the place of each 16 bytes is told */
};

/* A wgmma: as csv one row, as json the same members and a row of "operands" for each of the n. It has no text. */
BSIM_API void bsim_report_wgmma(const struct bsim_device *device, const char *shape,
                                const struct bsim_wgmma *wgmma,
                                const struct bsim_wgmma_operand *operands, size_t n,
                                const struct bsim_report_options *options, struct bsim_buffer *out);

/* A shuffle of one warp, as bsim_shuffle_source has it. width: 1, 2, 4, 8, 16 or 32. */
struct bsim_shuffle_ask {
    enum bsim_operation operation;
    uint32_t operand, width;
    uint32_t mask; /* the lanes that take part */
};

/* Which lane each active lane gets its value from, who keeps its own and who gets anything; as
 * text, csv or json. */
BSIM_API void bsim_report_shuffle(const struct bsim_shuffle_ask *ask,
                                  const struct bsim_report_options *options,
                                  struct bsim_buffer *out);

/* ---- a comparison with a GPU ----------------------------------------------------------------- */

/* What Nsight Compute counted on a GPU against what the simulator counts: reads the profiler's own
 * csv (`ncu --csv`, with or without `--page raw`), finds the launches of the simulated kernels by
 * name and puts their counters side by side. Reports and comparisons are plain data. */
struct bsim_ncu_value {
    bool is_known; /* the report has a number there, not "nan", "n/a" or nothing */
    double number;
};

/* One launch of one kernel. */
struct bsim_ncu_launch {
    char *kernel; /* as the profiler writes it: demangled with its arguments, or mangled */
    uint64_t id;
    uint64_t process_id;          /* 0: not told */
    struct bsim_dim3 grid, block; /* zeroes: not told */
    uint32_t compute;             /* compute capability times 10; 0: not told */
    struct bsim_ncu_value value[BSIM_NCU_MAX_METRICS]; /* by index of bsim_ncu_metrics */
};

struct bsim_ncu_report {
    size_t n_launches; /* in the report's order */
    struct bsim_ncu_launch *launches;
};

/* Reads a report: the raw page, a launch per row and a metric per column, with or without a row of
 * units; or the long form, a metric per row. Lines before its head row, and those that begin with
 * "==" anywhere, are not looked at. Keeps the metrics that bsim_ncu_metrics names. Fails with
 * BSIM_E_INPUT and the place for what is no such report, for one without a launch or without any of
 * these metrics; with BSIM_E_IO, BSIM_E_MEMORY. The caller frees *report. */
BSIM_API enum bsim_status bsim_ncu_read(const struct bsim_input *input,
                                        struct bsim_ncu_report **report,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_ncu_free(struct bsim_ncu_report *report);

enum bsim_outcome {
    BSIM_EQUAL,
    BSIM_WITHIN, /* the tolerance */
    BSIM_DIFFERS,
    BSIM_APART, /* the profiler's counter counts something else as well, here or always */
};

/* One metric of one launch. */
struct bsim_compared {
    size_t kernel, launch;         /* indices into the result and the report */
    struct bsim_ncu_metric metric; /* of the simulation; `apart` says why it is BSIM_APART */
    double measured;
    enum bsim_outcome outcome;
    bool decides; /* whether the two agree: its metric is of shared memory, or all decide */
};

enum { BSIM_NO_PARTNER = -1 };

struct bsim_compare_options {
    double tolerance; /* per cent of what was measured, 0 or more */
    bool all;         /* metrics of global and constant memory decide, too */
};

struct bsim_comparison {
    struct bsim_compare_options options;
    size_t n_launches;    /* of the report */
    ptrdiff_t *kernel_of; /* by launch: its kernel, or BSIM_NO_PARTNER */
    size_t n_kernels;     /* of the result */
    bool *is_launched;    /* by kernel */
    size_t n_rows;        /* launch by launch, in the order of bsim_ncu_metrics */
    struct bsim_compared *row;
    size_t n_matched;               /* kernels that have a launch */
    size_t n_of[BSIM_APART + 1];    /* rows of each outcome that decide */
    size_t n_aside[BSIM_APART + 1]; /* and of those that do not */
};

/* Compares. Launches are matched by name; a kernel that has the name of an emulator also goes by
 * its original names, if no kernel has the launch's own. If a name has as many launches as kernels
 * in the result, they belong together in order; otherwise each launch belongs to the first kernel
 * of its name that has its grid and block, or to the first one. Of several emulators of one
 * original name the launch's grid and block decide. A counter that is more than the simulation's is
 * not comparable if it may count something else as well and the one that does not is in the report,
 * and equal.
 *
 * Fails with BSIM_E_INPUT if no launch has a kernel, if one may be of several emulators, or if none
 * of the metrics that decide is comparable, and with BSIM_E_MEMORY. Borrows nothing; the caller
 * frees *comparison. */
BSIM_API enum bsim_status bsim_compare(const struct bsim_result *result,
                                       const struct bsim_ncu_report *report,
                                       const struct bsim_compare_options *options,
                                       struct bsim_comparison **comparison,
                                       struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_comparison_free(struct bsim_comparison *comparison);

/* The comparison of this result with this report: text, csv or json as options->format says. */
BSIM_API void bsim_report_comparison(const struct bsim_comparison *comparison,
                                     const struct bsim_result *result,
                                     const struct bsim_ncu_report *report,
                                     const struct bsim_report_options *options,
                                     struct bsim_buffer *out);

#endif
