/* report.h - results as text, csv, json and a page of HTML. Renderers only append to a buffer; they
 * cannot fail but for memory (bsim_buffer_status). Thread-safe for different buffers.
 */
#ifndef BANKSIM_REPORT_H
#define BANKSIM_REPORT_H

#include <banksim/advise.h>
#include <banksim/emulator.h>
#include <banksim/expr.h>
#include <banksim/run.h>
#include <banksim/survey.h>

enum bsim_format { BSIM_TEXT, BSIM_CSV, BSIM_JSON, BSIM_SVG, BSIM_HTML };

/* What a format can show. */
enum {
    BSIM_PICTURES = 1 << 0,  /* of requests; see picture.h */
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
};

/* A whole result, per kernel or per site. The profilers' metrics have no cycles. */
BSIM_API void bsim_report_result(const struct bsim_result *result,
                                 const struct bsim_report_options *options,
                                 struct bsim_buffer *out);

/* The same of kernels that come one by one and need not stay, in memory that does not grow with them:
 * rows go to a temporary file when there are many. Only where bsim_report_has_parts: as text, csv and
 * json, under banksim's own names. */
struct bsim_report;
BSIM_API bool bsim_report_has_parts(const struct bsim_report_options *options);

/* NULL when memory is short. The caller frees it with bsim_report_free. */
BSIM_API struct bsim_report *bsim_report_new(const struct bsim_report_options *options);

/* A failure is told by bsim_report_status. */
BSIM_API void bsim_report_kernel(struct bsim_report *report,
                                 const struct bsim_kernel_result *kernel);

/* Behind the last kernel: appends the next part of the report, some 64 KB. False: nothing is left, or
 * something failed. */
BSIM_API bool bsim_report_next(struct bsim_report *report, struct bsim_buffer *out);

/* BSIM_OK, BSIM_E_MEMORY, or BSIM_E_IO if the temporary file failed. */
BSIM_API enum bsim_status bsim_report_status(const struct bsim_report *report,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
BSIM_API void bsim_report_free(struct bsim_report *report);

/* Per request: the head, a row for each request as it comes, the foot with the totals. `row`
 * counts the rows from 0. */
BSIM_API void bsim_report_requests_begin(const struct bsim_report_options *options,
                                         struct bsim_buffer *out);
BSIM_API void bsim_report_request(const struct bsim_request_result *request, uint64_t row,
                                  const struct bsim_report_options *options,
                                  struct bsim_buffer *out);
BSIM_API void bsim_report_requests_end(const struct bsim_result *result, uint64_t rows,
                                       const struct bsim_report_options *options,
                                       struct bsim_buffer *out);

/* A whole result as one HTML file that needs nothing but itself: what was counted, per kernel and
 * site, and the passes of the requests that survey holds; it was given every request of the result
 * and takes no more afterwards. No string of the result acts as anything but text. Fails with
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_report_page(const struct bsim_result *result,
                                           struct bsim_survey *survey, struct bsim_buffer *out,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* What a check's accesses cost, as bsim_answer found it. */
BSIM_API void bsim_report_check(const struct bsim_check *check, const struct bsim_answer *answer,
                                const struct bsim_report_options *options, struct bsim_buffer *out);

/* The plans of an advice for a check. Csv has a row for what is there and one for each array that a
 * plan changes or, if the advice has all candidates, one for each of those. */
BSIM_API void bsim_report_advice(const struct bsim_check *check, const struct bsim_advice *advice,
                                 const struct bsim_report_options *options,
                                 struct bsim_buffer *out);

/* What banksim knows: devices with the grade and source of each of their rules (name NULL: all of
 * them; it must be one that bsim_device_find knows), emulators, the opcodes of the trace format. */
BSIM_API void bsim_report_devices(const char *name, enum bsim_format format,
                                  struct bsim_buffer *out);
BSIM_API void bsim_report_emulators(enum bsim_format format, struct bsim_buffer *out);
BSIM_API void bsim_report_opcodes(enum bsim_format format, struct bsim_buffer *out);

#endif
