/* system.h - functions that the device's runtime has, and no module: vprintf, __assertfail, malloc,
 * free. */
#ifndef BSIM_PTX_SYSTEM_H
#define BSIM_PTX_SYSTEM_H

#include "ptx/machine.h"

/* What calls the function of that name, or NULL. The step's `more` is {where its result goes, or
 * BSIM_PTX_NOWHERE; its parameters' places ...}, in the thread's own memory. */
bsim_ptx_run *bsim_ptx_find_system(const char *name);

#endif
