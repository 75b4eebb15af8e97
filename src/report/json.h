/* json.h - values as json; see json_text.c. */
#ifndef BSIM_REPORT_JSON_H
#define BSIM_REPORT_JSON_H

#include "report/row.h"

#include <banksim/status.h>

/* The values of a row, "name": value, ..., on one line; the same behind the brace of an object,
 * which is not closed, so that members can follow; text as a string with its quotes. */
void bsim_json_members(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_json_row(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_json_string(const char *text, struct bsim_buffer *out);

/* A number in decimal. A page's answer has thousands, for which printf takes most of its time. */
void bsim_json_number(uint64_t number, struct bsim_buffer *out);

#endif
