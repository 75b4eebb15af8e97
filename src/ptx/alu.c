/* alu.c - the common instructions for any processor. */
#define BSIM_PTX_FIND_COMMON bsim_ptx_find_common
#include "ptx/alu_body.h"
