/* input.h - the beginning of a trace, which tells its format. */
#ifndef BSIM_TRACE_INPUT_H
#define BSIM_TRACE_INPUT_H

#include <banksim/trace.h>

struct bsim_format;

/* An input whose first bytes have been read already, to see what it holds. */
struct bsim_ahead {
    const struct bsim_input *input;
    struct bsim_input whole; /* read this: it has the first bytes too */
    const struct bsim_format *format;
    char head[16]; /* as many as a format may want to see */
    size_t n;      /* bytes of head */
    size_t given;  /* and how many of them have been given again */
};

/* Looks at the input's first bytes and chooses its format. *ahead must stay in place while `whole`
 * is read. Fails with BSIM_E_IO, and with BSIM_E_INPUT for a format that is not read. */
enum bsim_status bsim_input_look(struct bsim_ahead *ahead, const struct bsim_input *input,
                                 struct bsim_error *err) BSIM_MUST_USE;

#endif
