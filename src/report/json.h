/* json.h - what is written as json by hand; see json.c. */
#ifndef BSIM_REPORT_JSON_H
#define BSIM_REPORT_JSON_H

#include "report/row.h"

#include <banksim/status.h>

/* A json object {"name": value, ...} on one line, without its closing brace, so that members can
 * follow; text as a json string with its quotes. */
void bsim_json_row(const struct bsim_row *row, struct bsim_buffer *out);
void bsim_json_string(const char *text, struct bsim_buffer *out);

#endif
