/* input.h - what the readers of all formats share. */
#ifndef BSIM_TRACE_INPUT_H
#define BSIM_TRACE_INPUT_H

#include <banksim/trace.h>

/* BSIM_E_IO for an input whose read has failed, with the reason that errno tells. */
enum bsim_status bsim_input_error(const struct bsim_input *input, struct bsim_error *err);

/* The readers, one for each row of input.c's table. Each reads from the input's first byte. */
enum bsim_status bsim_text_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_binary_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                  struct bsim_error *err) BSIM_MUST_USE;

enum bsim_status bsim_traceg_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                  struct bsim_error *err) BSIM_MUST_USE;

#endif
