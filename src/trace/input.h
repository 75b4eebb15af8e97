/* input.h - what the readers of all formats share. */
#ifndef BSIM_TRACE_INPUT_H
#define BSIM_TRACE_INPUT_H

#include <banksim/trace.h>

/* BSIM_E_IO for an input whose read has failed, with the reason that errno tells. */
enum bsim_status bsim_input_error(const struct bsim_input *input, struct bsim_error *err);

/* A reader of one format, from the input's first byte. */
typedef enum bsim_status bsim_read_function(const struct bsim_input *input,
                                            const struct bsim_sink *sink, struct bsim_error *err);

/* One for each row of input.c's table. */
bsim_read_function bsim_text_read BSIM_MUST_USE;
bsim_read_function bsim_binary_read BSIM_MUST_USE;
bsim_read_function bsim_traceg_read BSIM_MUST_USE;

/* An input whose first bytes have been read already, to see what it holds. */
struct bsim_ahead {
    const struct bsim_input *input;
    struct bsim_input whole; /* read this: it has the first bytes too */
    bsim_read_function *read;
    char head[16]; /* as many as a format may want to see */
    size_t n;      /* bytes of head */
    size_t given;  /* and how many of them have been given again */
};

/* Looks at the input's first bytes and chooses its reader. *ahead must stay in place while `whole` is
 * read. Fails with BSIM_E_IO. */
enum bsim_status bsim_input_look(struct bsim_ahead *ahead, const struct bsim_input *input,
                                 struct bsim_error *err) BSIM_MUST_USE;

#endif
