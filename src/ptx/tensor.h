/* tensor.h - copies by TMA of boxes of tensors. */
#ifndef BSIM_PTX_TENSOR_H
#define BSIM_PTX_TENSOR_H

#include "ptx/machine.h"

/* The service of a cp.async.bulk.tensor or cp.reduce.async.bulk.tensor, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_tensor(const struct bsim_ptx_instruction *from);

#endif
