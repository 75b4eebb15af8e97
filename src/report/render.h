/* render.h - rows and results into a buffer, one pair of functions per format. */
#ifndef BSIM_REPORT_RENDER_H
#define BSIM_REPORT_RENDER_H

#include "report/row.h"

#include <banksim/report.h>

/* The names, the values, the values without the line's end. */
void bsim_csv_head(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_csv_cells(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_csv_row(const struct bsim_row *row, struct bsim_buffer *out);

/* A json object {"name": value, ...} on one line, without its closing brace and line end, so that
 * members can follow; and text as a json string with its quotes. */
void bsim_json_members(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_json_row(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_json_string(const char *text, struct bsim_buffer *out);
/* The member "rests_on" of one kernel, with a leading comma: its rules but for the hidden ones. */
void bsim_json_rests_on(const struct bsim_kernel_result *kernel, uint32_t hidden,
                        struct bsim_buffer *out);

void bsim_metrics_report(const struct bsim_result *result,
                         const struct bsim_report_options *options, struct bsim_buffer *out);

#endif
