/* access.c - loads, stores and atomics for any processor. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define BSIM_PTX_ACCESSES bsim_ptx_accesses
#include "ptx/access_body.h"
