/* source.h - source text, a line or several, and the places in it. */
#ifndef BSIM_EXPR_SOURCE_H
#define BSIM_EXPR_SOURCE_H

#include <banksim/status.h>

struct bsim_source {
    const char *name; /* of the file, or what stands for a place without one: "--load" */
    uint64_t line;    /* of the text's begin, 1-based; 0: not from a file */
    const char *text; /* terminated; whole lines, so that messages can show the one at fault */
    size_t length;
};

/* The number of the line that byte `at` lies in; 0 if the text is not from a file. */
uint64_t bsim_source_line(const struct bsim_source *source, size_t at);

/* Where that line begins, as an offset in the text. */
size_t bsim_source_line_begin(const struct bsim_source *source, size_t at);

/* BSIM_E_INPUT with a message, placed at byte `at` of the text; its line is shown. */
enum bsim_status bsim_source_error(const struct bsim_source *source, size_t at,
                                   struct bsim_error *err, const char *format, ...)
    BSIM_PRINTF(4, 5);

#endif
