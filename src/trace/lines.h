/* lines.h - the lines of an input, one at a time, in memory of a fixed size. */
#ifndef BSIM_TRACE_LINES_H
#define BSIM_TRACE_LINES_H

#include <banksim/trace.h>

#include "base/scan.h"
#include "trace/rules.h" /* BSIM_LINE_MAX_BYTES */

/* Bytes behind a line that can be read, whatever they are. */
enum { BSIM_LINES_SLACK = 128 };

struct bsim_lines {
    const struct bsim_input *input;
    char *data; /* the own buffer, or what bsim_lines_over was given */
    char *own;
    size_t last;     /* where the line given last starts; it stays until the next one is given */
    size_t from, to; /* what has been read and not given yet */
    size_t searched; /* up to here there is no line end */
    bool at_end;
    uint64_t number; /* of the line given last */
};

/* Starts at the input's first byte. Fails with BSIM_E_MEMORY. */
enum bsim_status bsim_lines_open(struct bsim_lines *lines, const struct bsim_input *input,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* Starts anew at the input's first byte, in the line behind the number-th. */
void bsim_lines_restart(struct bsim_lines *lines, const struct bsim_input *input, uint64_t number);

/* Starts anew with data[0..n), in the line behind the number-th, and ends behind it. data[n] is
 * written, BSIM_LINES_SLACK bytes behind it can be read, and all of it stays where it is until the
 * next start or the close; input has the name. */
void bsim_lines_over(struct bsim_lines *lines, const struct bsim_input *input, char *data, size_t n,
                     uint64_t number);

/* Gives the next line, which lives until the next call. False at the end of the input, where *scan
 * stands behind the last line (line 1, empty, if there was none), and after a failure: with
 * BSIM_E_IO, and with BSIM_E_INPUT for a line that is too long. */
bool bsim_lines_next(struct bsim_lines *lines, struct bsim_scan *scan);

void bsim_lines_close(struct bsim_lines *lines);

#endif
