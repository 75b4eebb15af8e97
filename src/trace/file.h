/* file.h - what the system says of a trace that cannot be read. */
#ifndef BSIM_TRACE_FILE_H
#define BSIM_TRACE_FILE_H

#include <banksim/trace.h>

/* BSIM_E_IO for an input whose read has failed, with the reason that errno tells. */
enum bsim_status bsim_input_error(const struct bsim_input *input, struct bsim_error *err);

#endif
