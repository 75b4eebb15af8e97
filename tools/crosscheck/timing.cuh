/* timing.cuh - the frame of the timed programs; timing_cases.c writes their bodies.
 *
 * One block on an otherwise idle GPU. Warps meet at a barrier (twice: a clock read behind a single
 * one is issued in its shadow, whenever the warp arrives), read the clock, run the loop, use what
 * they have loaded, and read the clock again; posted stores are not waited for before that.
 * The kernel does so RUNS times, with the pipe empty in between; the first run brings the code into
 * the instruction cache. A program's time is from the first warp's first reading to the last warp's
 * last, in the fastest run.
 */
#ifndef CROSSCHECK_TIMING_CUH
#define CROSSCHECK_TIMING_CUH

#include <stdint.h>

#ifndef TURNS
#define TURNS 128 /* a constant, so that the loop's counter is compared with an immediate */
#endif

enum { TIMED_RUNS = 4, MAX_WARPS = 32, SHARED_BYTES = 33000 };

struct timing_job {
    uint32_t warps;         /* those that take part, a bit each */
    uint32_t *first, *last; /* [run][warp] */
    uint32_t *sink;         /* zeros, which the compiler does not know */
};

extern __shared__ __align__(1024) uint32_t window[];

static __device__ __forceinline__ uint32_t read_clock()
{
    uint32_t clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    return clock;
}

/* ---- accesses: x, y, z, w are what a lane loads ----------------------------------------------- */

#define LOAD_1(PTX, AT) asm volatile(PTX " %0, [%1];" : "=r"(x) : "r"(AT) : "memory")
#define LOAD_2(PTX, AT)                                                                            \
    asm volatile(PTX " {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(AT) : "memory")
#define LOAD_4(PTX, AT)                                                                            \
    asm volatile(PTX " {%0, %1, %2, %3}, [%4];"                                                    \
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)                                              \
                 : "r"(AT)                                                                         \
                 : "memory")
#define LDSM "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
#define OR(AT, OPERAND)                                                                            \
    asm volatile("atom.shared.or.b32 %0, [%1], %2;"                                                \
                 : "=r"(x)                                                                         \
                 : "r"(AT), "r"(OPERAND)                                                           \
                 : "memory")

#define IND_ld4(AT) { uint32_t x; LOAD_1("ld.volatile.shared.u32", AT); sum += x; }
#define IND_ld8(AT) { uint32_t x, y; LOAD_2("ld.volatile.shared.v2.u32", AT); sum += x + y; }
#define IND_ld16(AT)                                                                               \
    { uint32_t x, y, z, w; LOAD_4("ld.volatile.shared.v4.u32", AT); sum += x + y + z + w; }
#define IND_ldsm4(AT) { uint32_t x, y, z, w; LOAD_4(LDSM, AT); sum += x + y + z + w; }
#define IND_atom4(AT) { uint32_t x; OR(AT, 0); sum += x; }
#define DEP_ld4(AT) { uint32_t x; LOAD_1("ld.volatile.shared.u32", AT); value = x; }
#define DEP_ld8(AT) { uint32_t x, y; LOAD_2("ld.volatile.shared.v2.u32", AT); value = x; }
#define DEP_ld16(AT)                                                                               \
    { uint32_t x, y, z, w; LOAD_4("ld.volatile.shared.v4.u32", AT); value = x; }
#define DEP_ldsm4(AT) { uint32_t x, y, z, w; LOAD_4(LDSM, AT); value = x; }
#define DEP_atom4(AT) { uint32_t x; OR(AT, value); value = x; }

#define STORE_1(AT, X) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(AT), "r"(X) : "memory");
#define STORE_2(AT, X, Y)                                                                          \
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(AT), "r"(X), "r"(Y) : "memory");
#define STORE_4(AT, X, Y, Z, W)                                                                    \
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(AT), "r"(X), "r"(Y),    \
                 "r"(Z), "r"(W)                                                                    \
                 : "memory");
#define REDUCE(AT, V) asm volatile("red.shared.or.b32 [%0], %1;" ::"r"(AT), "r"(V) : "memory");

#define IND_st4(AT) STORE_1(AT, 0)
#define IND_st8(AT) STORE_2(AT, 0, 0)
#define IND_st16(AT) STORE_4(AT, 0, 0, 0, 0)
#define IND_red4(AT) REDUCE(AT, 0)
#define DEP_st4(AT) STORE_1(AT, value)
#define DEP_st8(AT) STORE_2(AT, value, value)
#define DEP_st16(AT) STORE_4(AT, value, value, value, value)
#define DEP_red4(AT) REDUCE(AT, value)

#ifdef OPAQUE
#define ORIGIN job.sink[0]
#else
#define ORIGIN 0
#endif

/* ---- the frame -------------------------------------------------------------------------------- */

/* The clock is read after the store has issued, and that needs the value. */
static __device__ __forceinline__ void use(uint32_t *sink, uint32_t value)
{
    asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 0x5bd1e995; @p st.global.u32 [%0], %1;}" ::"l"(
                     sink),
                 "r"(value)
                 : "memory");
}

#define PROGRAM(ID, BODY, ADDRESSES)                                                               \
    extern "C" __global__ void ID(struct timing_job job)                                                    \
    {                                                                                              \
        uint32_t start = (uint32_t)__cvta_generic_to_shared(window) + ORIGIN;                      \
        uint32_t lane = threadIdx.x % 32, value = 0, sum = 0;                             \
        ADDRESSES                                                                                  \
        for (uint32_t i = threadIdx.x; i < SHARED_BYTES / 4; i += blockDim.x) {                    \
            window[i] = 0;                                                                         \
        }                                                                                          \
        _Pragma("unroll 1") for (uint32_t run = 0; run < TIMED_RUNS; run++)                        \
        {                                                                                          \
            uint32_t x;                                                                            \
            OR(start + lane * 4, 0);                                                                    \
            use(job.sink, x);                                                                                \
            __syncthreads();                                                                       \
            __syncthreads();                                                                       \
            uint32_t first = read_clock();                                                         \
            _Pragma("unroll 1") for (uint32_t turn = 0; turn < TURNS; turn++)                      \
            {                                                                                      \
                BODY                                                                               \
            }                                                                                      \
            use(job.sink, value);                                                                            \
            use(job.sink, sum);                                                                              \
            uint32_t last = read_clock();                                                          \
            if (lane == 0) {                                                                       \
                job.first[run * MAX_WARPS + threadIdx.x / 32] = first;                             \
                job.last[run * MAX_WARPS + threadIdx.x / 32] = last;                               \
            }                                                                                      \
        }                                                                                          \
    }

/* Each file of kernels adds its programs to the list before main begins. */
struct program {
    const char *name;
    uint32_t warps; /* those that take part, a bit each */
    void (*kernel)(struct timing_job);
    const struct program *next;

    program(const char *its_name, uint32_t its_warps, void (*its_kernel)(struct timing_job));
};

#endif
