/* loads.h - what a kernel loads from a parameter, beside what a launch by hand wrote for it. */
#ifndef BSIM_PTX_LOADS_H
#define BSIM_PTX_LOADS_H

#include "ptx/module.h"

/* What a byte of an argument is: the first one of a value, another, or nobody's. A whole number without a
 * type before it may be meant for a float: OPEN, and of one below 0 OPEN_NEGATIVE. */
enum bsim_ptx_part {
    BSIM_PTX_PADDING,
    BSIM_PTX_BEHIND,
    BSIM_PTX_WHOLE, /* or a pointer */
    BSIM_PTX_REAL,
    BSIM_PTX_OPEN,
    BSIM_PTX_OPEN_NEGATIVE,
};

/* An argument as it was written. */
struct bsim_ptx_written {
    const struct bsim_ptx_module *module;
    const struct bsim_ptx_function *kernel;
    const struct bsim_ptx_symbol *parameter;
    unsigned char *room, *part; /* parameter->size_bytes each: values; enum bsim_ptx_part */
};

/* Open numbers become floats where the kernel loads such. False, and a sentence that says why, where the
 * kernel loads what was not written so. */
bool bsim_ptx_fit_loads(struct bsim_ptx_written *written, char *why, size_t size);

/* Appends where the kernel loads what of the parameter: "; the kernel loads 8 bytes at 0, 4 at 8". */
void bsim_ptx_tell_loads(const struct bsim_ptx_function *kernel,
                         const struct bsim_ptx_symbol *parameter, char *text, size_t size);

#endif
