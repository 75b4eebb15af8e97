/* builtins.h - where a thread is, barriers, fences, votes, shuffles, and what kernels call of the
 * system: printf, assert, malloc. */
#ifndef BANKSIM_CUDA_BUILTINS_H
#define BANKSIM_CUDA_BUILTINS_H

__BANKSIM_CALLERS_LINES
/* ---- threadIdx, blockIdx, blockDim, gridDim -------------------------------------------------- */

/* A member is the special register itself, of type unsigned: no object stands behind it. */
#define __BANKSIM_REGISTER(member, name)                        \
    __declspec(property(get = __get_##member)) unsigned member; \
    static __device__ __forceinline__ unsigned __get_##member() \
    {                                                           \
        return __nvvm_read_ptx_sreg_##name();                   \
    }

#define __BANKSIM_PLACE(variable, name)   \
    struct __banksim_##variable {         \
        __BANKSIM_REGISTER(x, name##_x)   \
        __BANKSIM_REGISTER(y, name##_y)   \
        __BANKSIM_REGISTER(z, name##_z)   \
        __device__ operator uint3() const \
        {                                 \
            return {x, y, z};             \
        }                                 \
        __device__ operator dim3() const  \
        {                                 \
            return dim3(x, y, z);         \
        }                                 \
    };                                    \
    extern const __device__ __attribute__((weak)) __banksim_##variable variable;

__BANKSIM_PLACE(threadIdx, tid)
__BANKSIM_PLACE(blockIdx, ctaid)
__BANKSIM_PLACE(blockDim, ntid)
__BANKSIM_PLACE(gridDim, nctaid)

static constexpr int warpSize = 32;

/* ---- barriers and fences --------------------------------------------------------------------- */

/* Written out, for what the compiler's own barrier is known to do leaves it free to keep a value that
 * a thread wrote to shared memory in a register until it reads it: nvcc does not. */
__BANKSIM_DEVICE void __banksim_barrier()
{
    asm volatile("bar.sync 0;" : : : "memory");
}
#define __syncthreads() __banksim_barrier()

__BANKSIM_DEVICE int __syncthreads_count(int is)
{
    return __nvvm_bar0_popc(is);
}
__BANKSIM_DEVICE int __syncthreads_and(int is)
{
    return __nvvm_bar0_and(is);
}
__BANKSIM_DEVICE int __syncthreads_or(int is)
{
    return __nvvm_bar0_or(is);
}
__BANKSIM_DEVICE void __syncwarp(unsigned mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
__BANKSIM_DEVICE void __threadfence_block()
{
    __nvvm_membar_cta();
}
__BANKSIM_DEVICE void __threadfence()
{
    __nvvm_membar_gl();
}
__BANKSIM_DEVICE void __threadfence_system()
{
    __nvvm_membar_sys();
}

/* ---- votes ----------------------------------------------------------------------------------- */

__BANKSIM_DEVICE int __all_sync(unsigned mask, int is)
{
    return __nvvm_vote_all_sync(mask, is);
}
__BANKSIM_DEVICE int __any_sync(unsigned mask, int is)
{
    return __nvvm_vote_any_sync(mask, is);
}
__BANKSIM_DEVICE unsigned __ballot_sync(unsigned mask, int is)
{
    return __nvvm_vote_ballot_sync(mask, is);
}
__BANKSIM_DEVICE unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
__BANKSIM_DEVICE unsigned __lane_id()
{
    return __nvvm_read_ptx_sreg_laneid();
}

/* ---- shuffles -------------------------------------------------------------------------------- */

/* A part of the warp of `width` lanes as the instruction has it: which bits of a lane's number name
 * the part, and the last lane that may be asked for. */
__BANKSIM_DEVICE int __banksim_part(int width, int last)
{
    return (32 - width) << 8 | last;
}

/* Word by word, the last as the 32 bits it is in. */
#define __BANKSIM_SHUFFLE(name, instruction, lane, last)                                 \
    template <typename T>                                                                \
    __BANKSIM_DEVICE T name(unsigned mask, T value, lane delta, int width = 32)          \
    {                                                                                    \
        constexpr int words = (sizeof(T) + 3) / 4;                                       \
        int word[words] = {};                                                            \
        __builtin_memcpy(word, &value, sizeof value);                                    \
        for (int i = 0; i < words; i++) {                                                \
            word[i] = __nvvm_shfl_sync_##instruction##_i32(mask, word[i], (int)delta,    \
                                                           __banksim_part(width, last)); \
        }                                                                                \
        __builtin_memcpy(&value, word, sizeof value);                                    \
        return value;                                                                    \
    }

__BANKSIM_SHUFFLE(__shfl_sync, idx, int, 31)
__BANKSIM_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
__BANKSIM_SHUFFLE(__shfl_down_sync, down, unsigned, 31)
__BANKSIM_SHUFFLE(__shfl_xor_sync, bfly, int, 31)

/* ---- matches and reductions ------------------------------------------------------------------ */

template <typename T> __BANKSIM_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return sizeof value <= 4 ? __nvvm_match_any_sync_i32(mask, (int)bits)
                             : __nvvm_match_any_sync_i64(mask, (long long)bits);
}
template <typename T> __BANKSIM_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *is)
{
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return sizeof value <= 4 ? __nvvm_match_all_sync_i32p(mask, (int)bits, is)
                             : __nvvm_match_all_sync_i64p(mask, (long long)bits, is);
}

__BANKSIM_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_add((int)value, (int)mask);
}
__BANKSIM_DEVICE int __reduce_add_sync(unsigned mask, int value)
{
    return __nvvm_redux_sync_add(value, (int)mask);
}
__BANKSIM_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_umin(value, (int)mask);
}
__BANKSIM_DEVICE int __reduce_min_sync(unsigned mask, int value)
{
    return __nvvm_redux_sync_min(value, (int)mask);
}
__BANKSIM_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_umax(value, (int)mask);
}
__BANKSIM_DEVICE int __reduce_max_sync(unsigned mask, int value)
{
    return __nvvm_redux_sync_max(value, (int)mask);
}
__BANKSIM_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_and((int)value, (int)mask);
}
__BANKSIM_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_or((int)value, (int)mask);
}
__BANKSIM_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value)
{
    return __nvvm_redux_sync_xor((int)value, (int)mask);
}

/* ---- the system, from a kernel --------------------------------------------------------------- */

extern "C" {
__device__ int printf(const char *, ...);
__device__ inline void *memcpy(void *to, const void *from, __SIZE_TYPE__ size)
{
    return __builtin_memcpy(to, from, size);
}
__device__ inline void *memset(void *p, int value, __SIZE_TYPE__ size)
{
    return __builtin_memset(p, value, size);
}
__device__ void *malloc(__SIZE_TYPE__);
__device__ void free(void *);
__device__ void __assertfail(const char *text, const char *file, unsigned line,
                             const char *function, __SIZE_TYPE__ char_bytes);
/* What the C library's assert calls. */
__device__ inline void __assert_fail(const char *text, const char *file, unsigned line,
                                     const char *function)
{
    __assertfail(text, file, line, function, 1);
}
}

__BANKSIM_DEVICE long long clock64()
{
    return __nvvm_read_ptx_sreg_clock64();
}
__BANKSIM_DEVICE long clock()
{
    return __nvvm_read_ptx_sreg_clock();
}
__BANKSIM_DEVICE void __nanosleep(unsigned ns)
{
    asm volatile("nanosleep.u32 %0;" : : "r"(ns));
}
__BANKSIM_DEVICE void __trap()
{
    asm volatile("trap;");
}
__BANKSIM_DEVICE void __brkpt()
{
    asm volatile("brkpt;");
}

__BANKSIM_OWN_LINES
#endif
