/* atomics.h - atomic functions, and their forms of a block and of the system. */
#ifndef BANKSIM_CUDA_ATOMICS_H
#define BANKSIM_CUDA_ATOMICS_H

__BANKSIM_CALLERS_LINES
/* The instruction's type and cast: signed ones stand for unsigned values of the same bits. */
#define __BANKSIM_ATOMIC(function, type, scope, name, as)             \
    __BANKSIM_DEVICE type function(type *p, type value)               \
    {                                                                 \
        return (type)__nvvm_atom##scope##_##name((as *)p, (as)value); \
    }
#define __BANKSIM_ATOMIC_CAS(function, type, scope, name, as)                  \
    __BANKSIM_DEVICE type function(type *p, type old, type value)              \
    {                                                                          \
        return (type)__nvvm_atom##scope##_##name((as *)p, (as)old, (as)value); \
    }

#define __BANKSIM_ATOMICS_BITS(function, scope, name)          \
    __BANKSIM_ATOMIC(function, int, scope, name##_i, int)      \
    __BANKSIM_ATOMIC(function, unsigned, scope, name##_i, int) \
    __BANKSIM_ATOMIC(function, unsigned long long, scope, name##_ll, long long)

#define __BANKSIM_ATOMICS_ORDER(function, scope, name)                 \
    __BANKSIM_ATOMIC(function, int, scope, name##_i, int)              \
    __BANKSIM_ATOMIC(function, unsigned, scope, name##_ui, unsigned)   \
    __BANKSIM_ATOMIC(function, long long, scope, name##_ll, long long) \
    __BANKSIM_ATOMIC(function, unsigned long long, scope, name##_ull, unsigned long long)

#define __BANKSIM_ATOMICS(suffix, scope)                                                      \
    __BANKSIM_ATOMICS_BITS(atomicAdd##suffix, scope, add_gen)                                 \
    __BANKSIM_ATOMIC(atomicAdd##suffix, float, scope, add_gen_f, float)                       \
    __BANKSIM_ATOMIC(atomicAdd##suffix, double, scope, add_gen_d, double)                     \
    __BANKSIM_ATOMICS_BITS(atomicExch##suffix, scope, xchg_gen)                               \
    __BANKSIM_ATOMICS_BITS(atomicAnd##suffix, scope, and_gen)                                 \
    __BANKSIM_ATOMICS_BITS(atomicOr##suffix, scope, or_gen)                                   \
    __BANKSIM_ATOMICS_BITS(atomicXor##suffix, scope, xor_gen)                                 \
    __BANKSIM_ATOMICS_ORDER(atomicMin##suffix, scope, min_gen)                                \
    __BANKSIM_ATOMICS_ORDER(atomicMax##suffix, scope, max_gen)                                \
    __BANKSIM_ATOMIC(atomicInc##suffix, unsigned, scope, inc_gen_ui, unsigned)                \
    __BANKSIM_ATOMIC(atomicDec##suffix, unsigned, scope, dec_gen_ui, unsigned)                \
    __BANKSIM_ATOMIC_CAS(atomicCAS##suffix, int, scope, cas_gen_i, int)                       \
    __BANKSIM_ATOMIC_CAS(atomicCAS##suffix, unsigned, scope, cas_gen_i, int)                  \
    __BANKSIM_ATOMIC_CAS(atomicCAS##suffix, unsigned long long, scope, cas_gen_ll, long long) \
    __BANKSIM_DEVICE float atomicExch##suffix(float *p, float value)                          \
    {                                                                                         \
        return __nvvm_bitcast_i2f(atomicExch##suffix((int *)p, __nvvm_bitcast_f2i(value)));   \
    }                                                                                         \
    __BANKSIM_DEVICE int atomicSub##suffix(int *p, int value)                                 \
    {                                                                                         \
        return atomicAdd##suffix(p, -value);                                                  \
    }                                                                                         \
    __BANKSIM_DEVICE unsigned atomicSub##suffix(unsigned *p, unsigned value)                  \
    {                                                                                         \
        return atomicAdd##suffix(p, -value);                                                  \
    }

__BANKSIM_ATOMICS(, )
__BANKSIM_ATOMICS(_block, _cta)
__BANKSIM_ATOMICS(_system, _sys)

__BANKSIM_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old,
                                          unsigned short value)
{
    unsigned short was;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(was)
                 : "l"(p), "h"(old), "h"(value)
                 : "memory");
    return was;
}

/* In global memory alone. */
__BANKSIM_DEVICE float2 atomicAdd(float2 *p, float2 value)
{
    float2 old;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                 : "=f"(old.x), "=f"(old.y)
                 : "l"(__cvta_generic_to_global(p)), "f"(value.x), "f"(value.y)
                 : "memory");
    return old;
}
__BANKSIM_DEVICE float4 atomicAdd(float4 *p, float4 value)
{
    float4 old;
    asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
                 : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)
                 : "l"(__cvta_generic_to_global(p)), "f"(value.x), "f"(value.y), "f"(value.z),
                   "f"(value.w)
                 : "memory");
    return old;
}

__BANKSIM_OWN_LINES
#endif
