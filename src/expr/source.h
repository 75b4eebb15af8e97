/* source.h - a line of source text and the places in it. */
#ifndef BSIM_EXPR_SOURCE_H
#define BSIM_EXPR_SOURCE_H

#include <banksim/status.h>

struct bsim_source {
    const char *name; /* of the file, or what stands for a place without one: "--load" */
    uint64_t line;    /* 1-based; 0: not from a file */
    const char *text; /* terminated; the whole line, so that messages can show it */
    size_t length;
};

/* BSIM_E_INPUT with a message, placed at byte `at` of the line. */
enum bsim_status bsim_source_error(const struct bsim_source *source, size_t at,
                                   struct bsim_error *err, const char *format, ...)
    BSIM_PRINTF(4, 5);

#endif
