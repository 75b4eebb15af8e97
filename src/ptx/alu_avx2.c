/* alu_avx2.c - the common instructions for x86 processors with AVX2 and FMA: more lanes at once,
 * and a fused multiply-add that is one instruction. */
#include "ptx/tables.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include "base/bits.h"
#include "ptx/compute.h"

#include <math.h>

#define BSIM_PTX_FIND_COMMON bsim_ptx_find_common_avx2

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,popcnt,lzcnt"))), \
                             apply_to = function)
#include "ptx/alu_body.h"
#pragma clang attribute pop
#else
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt,lzcnt")
#include "ptx/alu_body.h"
#endif

bool bsim_ptx_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

#else

bool bsim_ptx_has_avx2(void)
{
    return false;
}

const struct bsim_ptx_alu *bsim_ptx_find_common_avx2(const struct bsim_ptx_instruction *instruction)
{
    return bsim_ptx_find_common(instruction);
}

#endif
