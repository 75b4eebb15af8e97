/* access_avx2.c - loads, stores and atomics for x86 processors with AVX2: 8 lanes at once, and what is
 * moved is stored as alu_avx2.c loads it. */
#include "ptx/machine.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include "base/bits.h"

#define BSIM_PTX_ACCESSES bsim_ptx_accesses_avx2

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))), \
                             apply_to = function)
#include "ptx/access_body.h"
#pragma clang attribute pop
#else
#pragma GCC optimize("O3")
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")
#include "ptx/access_body.h"
#endif

#else

/* Never chosen. */
const struct bsim_ptx_accesses bsim_ptx_accesses_avx2 = {0};

#endif
