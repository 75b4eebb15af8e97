/* bulk.h - copies by TMA. */
#ifndef BSIM_PTX_BULK_H
#define BSIM_PTX_BULK_H

#include "ptx/machine.h"

/* The service of a cp.async.bulk or cp.reduce.async.bulk, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_bulk(const struct bsim_ptx_instruction *from);

#endif
