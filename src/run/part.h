/* part.h - results of a part of a trace read back from disk. The format is in traces/FORMAT.md. */
#ifndef BSIM_RUN_PART_H
#define BSIM_RUN_PART_H

#include <banksim/run.h>

/* Reads what bsim_part_write wrote into *part, whose results the caller then frees. Fails with
 * BSIM_E_INPUT, and the place `name`, for anything else than a whole part that this version of
 * banksim wrote, and with BSIM_E_MEMORY. */
enum bsim_status bsim_part_read(const char *data, size_t size_bytes, const char *name,
                                struct bsim_part *part, struct bsim_error *err) BSIM_MUST_USE;

#endif
