/* copied.h - what a cp.async takes wherever its bytes lie in shared memory; see copied.c. */
#ifndef BSIM_ADVISE_COPIED_H
#define BSIM_ADVISE_COPIED_H

#include <banksim/expr.h>
#include <banksim/model.h>

/* Wavefronts that no layout can undercut, of a copy whose other side has a say. */
uint32_t bsim_copied_least(const struct bsim_check_request *request);

#endif
