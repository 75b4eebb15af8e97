/* report.h - results as text, csv and json. Renderers only append to a buffer; they cannot fail
 * but for memory (bsim_buffer_status). Thread-safe for different buffers.
 */
#ifndef BANKSIM_REPORT_H
#define BANKSIM_REPORT_H

#include <banksim/buffer.h>
#include <banksim/emulator.h>
#include <banksim/sim.h>

enum bsim_format { BSIM_TEXT, BSIM_CSV, BSIM_JSON };
enum bsim_per { BSIM_PER_KERNEL, BSIM_PER_SITE, BSIM_PER_REQUEST };
enum bsim_metrics { BSIM_METRICS_BANKSIM, BSIM_METRICS_NCU, BSIM_METRICS_NVPROF };

struct bsim_report_options {
    enum bsim_format format;
    enum bsim_per per;         /* BSIM_PER_KERNEL or BSIM_PER_SITE for bsim_report_result */
    enum bsim_metrics metrics; /* other than BSIM_METRICS_BANKSIM: per kernel only */
    bool colour;               /* text: ANSI colours */
};

/* A whole result, per kernel or per site. */
BSIM_API void bsim_report_result(const struct bsim_result *result,
                                 const struct bsim_report_options *options,
                                 struct bsim_buffer *out);

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

/* What banksim knows: devices with the grade and source of each of their rules (name NULL: all of
 * them; it must be one that bsim_device_find knows), emulators, the opcodes of the trace format. */
BSIM_API void bsim_report_devices(const char *name, enum bsim_format format,
                                  struct bsim_buffer *out);
BSIM_API void bsim_report_emulators(enum bsim_format format, struct bsim_buffer *out);
BSIM_API void bsim_report_opcodes(enum bsim_format format, struct bsim_buffer *out);

#endif
