/* timing.cuh - the frame of the timed programs; timing_cases.c writes their bodies.
 *
 * Every SM has the same number of blocks. Those of one SM wait for a clock that the last of them to
 * come has set; then the warps of each meet at a barrier (twice: a clock read behind a single one is
 * issued in its shadow, whenever the warp arrives), read the clock, run the loop, use what they have
 * loaded, and read the clock again; posted stores are not waited for before that.
 * The kernel does so RUNS times, with the pipe empty in between; the first run brings the code into
 * the instruction cache. A program's time on an SM is from its first warp's first reading to its
 * last warp's last.
 */
#ifndef CROSSCHECK_TIMING_CUH
#define CROSSCHECK_TIMING_CUH

#include <stdint.h>

#ifndef TURNS
#define TURNS 128 /* a constant, so that the loop's counter is compared with an immediate */
#endif

enum {
    TIMED_RUNS = 4,
    MAX_WARPS = 32,
    MAX_SMS = 256,
    SHARED_BYTES = 17 * 1024, /* that programs access */
    START = SHARED_BYTES / 4, /* the word behind: the clock that the block waits for */
};

struct timed_warp {
    uint32_t first, last; /* clocks */
    uint32_t place;       /* of the warp in its SM */
};

/* The blocks of an SM in a run: how many are there, and the clock that they wait for. */
struct meeting_place {
    uint32_t n, clock; /* 0: not known yet */
};

struct timing_job {
    uint32_t n_blocks;           /* of an SM */
    struct meeting_place *place; /* [run][SM], zeros */
    struct timed_warp *warp;     /* [run][block][warp] */
    uint32_t *sm;                /* [block] */
    uint32_t *sink;              /* zeros, which the compiler does not know */
};

extern __shared__ __align__(1024) uint32_t window[];

static __device__ __forceinline__ uint32_t read_clock()
{
    uint32_t clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    return clock;
}

static __device__ __forceinline__ uint32_t read_sm()
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

static __device__ __forceinline__ uint32_t read_place()
{
    uint32_t warp;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    return warp;
}

/* Waits until the SM has all of its blocks, then for a clock some time later. A block has come when its last warp has:
 * where older blocks go first, those of the last one end far apart, and would be in one run while the others begin the
 * next. */
static __device__ __noinline__ void meet(const struct timing_job &job, uint32_t run)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        struct meeting_place *place = &job.place[run * MAX_SMS + read_sm()];
        uint32_t clock = 0;
        int patience = 1 << 16; /* blocks that are not there all at once must not wait for ever */
        if (atomicAdd(&place->n, 1) + 1 == job.n_blocks) {
            atomicExch(&place->clock, (read_clock() + 8192) | 1);
        }
        while (clock == 0 && --patience > 0) {
            clock = atomicAdd(&place->clock, 0);
        }
        window[START] = clock;
    }
    __syncthreads();
    uint32_t clock = *(volatile uint32_t *)&window[START];
    while ((int32_t)(read_clock() - clock) < 0) {
    }
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

/* ---- arithmetic ------------------------------------------------------------------------------- */

/* What a lane has loaded last: operands of 32 bits. Before that, and at the start of a chain, what the
 * compiler knows nothing of, not even that it is the same in all lanes. */
#define LOADED                                                                                     \
    uint32_t v0 = job.sink[lane + 0], v1 = job.sink[lane + 1], v2 = job.sink[lane + 2], v3 = job.sink[lane + 3];               \
    uint32_t v4 = v3, v5 = v2, v6 = v1, v7 = v0, v8 = v1, v9 = v0, v10 = v3, v11 = v2;             \
    uint32_t v12 = v0, v13 = v1, v14 = v2, v15 = v3;                                               \
    double one = (double)job.sink[lane + 4] + 1;
#define MIX_ld4(AT) { uint32_t x; LOAD_1("ld.volatile.shared.u32", AT); v0 = x; }
#define MIX_ld8(AT) { uint32_t x, y; LOAD_2("ld.volatile.shared.v2.u32", AT); v0 = x; v1 = y; }
#define MIX_GIVE(PTX, AT)                                                                          \
    v12 = v8; v13 = v9; v14 = v10; v15 = v11; v8 = v4; v9 = v5; v10 = v6; v11 = v7;                \
    v4 = v0; v5 = v1; v6 = v2; v7 = v3;                                                            \
    { uint32_t x, y, z, w; LOAD_4(PTX, AT); v0 = x; v1 = y; v2 = z; v3 = w; }
#define MIX_ld16(AT) MIX_GIVE("ld.volatile.shared.v4.u32", AT)
#define MIX_ldsm4(AT) MIX_GIVE(LDSM, AT)
#define MIX_atom4(AT) { uint32_t x; OR(AT, 0); v0 = x; }
#define MIX_st4(AT) STORE_1(AT, 0)
#define MIX_st8(AT) STORE_2(AT, 0, 0)
#define MIX_st16(AT) STORE_4(AT, 0, 0, 0, 0)
#define MIX_red4(AT) REDUCE(AT, 0)

/* Eight chains of one kind of arithmetic: kind##n_K. */
#define CHAINS(TYPE, K) EIGHT(CHAIN_##TYPE, K)
#define USE_CHAINS(TYPE, K) EIGHT(USE_##TYPE, K)
#define EIGHT(M, K) M(K, 0) M(K, 1) M(K, 2) M(K, 3) M(K, 4) M(K, 5) M(K, 6) M(K, 7)
#define CHAIN_32(K, N) uint32_t K##N = job.sink[lane + N];
#define CHAIN_64(K, N) uint64_t K##N = job.sink[lane + N];
#define CHAIN_F64(K, N) double K##N = (double)job.sink[lane + N];
#define USE_32(K, N) use(job.sink, K##N);
#define USE_64(K, N) use(job.sink, (uint32_t)K##N ^ (uint32_t)(K##N >> 32));
#define USE_F64(K, N) use(job.sink, (uint32_t)(__double_as_longlong(K##N) >> 7));

/* One operand, the chain's; and two more. */
#define DO_1(PTX, K) asm volatile(PTX : "+r"(K));
#define DO_3(PTX, K, X, Y) asm volatile(PTX : "+r"(K) : "r"(X), "r"(Y));

#define DO_ffma(N, X, Y) DO_3("fma.rn.f32 %0, %0, %1, %2;", ffma##N, X, Y)
#define DO_fadd(N, X, Y) DO_3("add.rn.f32 %0, %0, %1;", fadd##N, X, Y)
#define DO_fmul(N, X, Y) DO_3("mul.rn.f32 %0, %0, %1;", fmul##N, X, Y)
#define DO_fmax(N, X, Y) DO_3("max.f32 %0, %0, %1;", fmax##N, X, Y)
#define DO_hfma(N, X, Y) DO_3("fma.rn.f16x2 %0, %0, %1, %2;", hfma##N, X, Y)
#define DO_bfma(N, X, Y) DO_3("fma.rn.bf16x2 %0, %0, %1, %2;", bfma##N, X, Y)
#define DO_hadd(N, X, Y) DO_3("add.rn.f16x2 %0, %0, %1;", hadd##N, X, Y)
#define DO_iadd(N, X, Y)                                                                           \
    DO_3("{.reg .b32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}", iadd##N, X, Y)
#define DO_lop(N, X, Y) DO_3("lop3.b32 %0, %0, %1, %2, 0xb4;", lop##N, X, Y)
#define DO_imad(N, X, Y) DO_3("mad.lo.s32 %0, %0, %1, %2;", imad##N, X, Y)
#define DO_imadhi(N, X, Y) DO_3("mad.hi.u32 %0, %0, %1, %2;", imadhi##N, X, Y)
#define DO_dp4a(N, X, Y) DO_3("dp4a.s32.s32 %0, %1, %2, %0;", dp4a##N, X, Y)
#define DO_shf(N, X, Y) DO_3("shf.l.wrap.b32 %0, %0, %1, %2;", shf##N, X, Y)
#define DO_prmt(N, X, Y) DO_3("prmt.b32 %0, %0, %1, %2;", prmt##N, X, Y)
#define DO_min(N, X, Y) DO_3("min.s32 %0, %0, %1; max.u32 %0, %0, %2;", min##N, X, Y)
#define DO_sel(N, X, Y)                                                                            \
    DO_3("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %2, %0, p;}", sel##N, X, Y)
#define DO_lea(N, X, Y)                                                                            \
    DO_3("{.reg .b32 t; shl.b32 t, %0, 4; add.s32 %0, t, %1;}", lea##N, X, Y)
#define DO_i2f(N, X, Y) DO_1("cvt.rn.f32.s32 %0, %0;", i2f##N)
#define DO_f2i(N, X, Y) DO_1("cvt.rzi.s32.f32 %0, %0;", f2i##N)
#define DO_pack(N, X, Y) DO_3("cvt.rn.f16x2.f32 %0, %0, %1;", pack##N, X, Y)
#define DO_ex2(N, X, Y) DO_1("ex2.approx.ftz.f32 %0, %0;", ex2##N)
#define DO_rsq(N, X, Y) DO_1("rsqrt.approx.ftz.f32 %0, %0;", rsq##N)
#define DO_rcp(N, X, Y) DO_1("rcp.approx.ftz.f32 %0, %0;", rcp##N)
#define DO_sin(N, X, Y) DO_1("sin.approx.ftz.f32 %0, %0;", sin##N)
#define DO_popc(N, X, Y) DO_1("popc.b32 %0, %0;", popc##N)
#define DO_brev(N, X, Y) DO_3("brev.b32 %0, %0; xor.b32 %0, %0, %1;", brev##N, X, Y)
#define DO_flo(N, X, Y) DO_1("bfind.u32 %0, %0;", flo##N)
#define DO_vote(N, X, Y)                                                                           \
    DO_3("{.reg .pred p; setp.lt.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}",         \
         vote##N, X, Y)
#define DO_mulwide(N, X, Y)                                                                        \
    asm volatile("{.reg .b32 l, h; mov.b64 {l, h}, %0; mad.wide.u32 %0, l, %1, %0;}"               \
                 : "+l"(mulwide##N)                                                                \
                 : "r"(X));
#define DO_add64(N, X, Y)                                                                          \
    asm volatile("{.reg .b64 t; mov.b64 t, {%1, %2}; add.s64 %0, %0, t;}"                          \
                 : "+l"(add64##N)                                                                  \
                 : "r"(X), "r"(Y));
#define DO_dadd(N, X, Y) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(dadd##N) : "d"(one));
#define DO_dfma(N, X, Y) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(dfma##N) : "d"(one));
#define DO_f2d(N, X, Y)                                                                            \
    asm volatile("{.reg .f64 t; cvt.f64.f32 t, %0; mov.b64 {%0, _}, t;}" : "+r"(f2d##N));
#define DO_i2d(N, X, Y)                                                                            \
    asm volatile("{.reg .f64 t; cvt.rn.f64.s32 t, %0; mov.b64 {_, %0}, t;}" : "+r"(i2d##N));
#define DO_d2f(N, X, Y)                                                                            \
    asm volatile("{.reg .f64 t; mov.b64 t, {%0, %1}; cvt.rn.f32.f64 %0, t;}"                       \
                 : "+r"(d2f##N)                                                                    \
                 : "r"(X));

/* Rows of an 8 by 8 product: N is one of what was loaded before the last eight. */
#define OUTER_0 v12
#define OUTER_1 v13
#define OUTER_2 v14
#define OUTER_3 v15
#define OUTER_4 v8
#define OUTER_5 v9
#define OUTER_6 v10
#define OUTER_7 v11
#define CHAIN_ROW(K, N)                                                                            \
    float K##N[8];                                                                                 \
    _Pragma("unroll") for (int k = 0; k < 8; k++) K##N[k] = (float)job.sink[lane + N * 8 + k];
#define USE_ROW(K, N)                                                                              \
    _Pragma("unroll") for (int k = 0; k < 8; k++) use(job.sink, __float_as_uint(K##N[k]));
#define ROW_STEP(R, K, X, Y)                                                                       \
    R[K] = fmaf(__uint_as_float(X), __uint_as_float(Y), R[K]);
#define ROW(R, X)                                                                                  \
    ROW_STEP(R, 0, X, v4) ROW_STEP(R, 1, X, v5) ROW_STEP(R, 2, X, v6) ROW_STEP(R, 3, X, v7)        \
    ROW_STEP(R, 4, X, v0) ROW_STEP(R, 5, X, v1) ROW_STEP(R, 6, X, v2) ROW_STEP(R, 7, X, v3)
#define DO_outer(N, X, Y) ROW(outer##N, OUTER_##N)

/* Matrix products: four words of the chain's are the sum, the loaded ones the factors. */
#define CHAIN_MATRIX(K, N)                                                                         \
    uint32_t K##N = job.sink[lane + N], K##N##b = job.sink[lane + N + 1], K##N##c = K##N, K##N##d = K##N##b;
#define USE_MATRIX(K, N) use(job.sink, K##N ^ K##N##b ^ K##N##c ^ K##N##d);
#define MATRIX_4(PTX, K)                                                                           \
    asm volatile(PTX " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%4, %5}, {%0, %1, %2, %3};"            \
                 : "+r"(K), "+r"(K##b), "+r"(K##c), "+r"(K##d)                                     \
                 : "r"(v0), "r"(v1), "r"(v2), "r"(v3));
#define MATRIX_2(PTX, K)                                                                           \
    asm volatile(PTX " {%0, %1, %2, %3}, {%4, %5}, {%4}, {%0, %1, %2, %3};"                        \
                 : "+r"(K), "+r"(K##b), "+r"(K##c), "+r"(K##d)                                     \
                 : "r"(v0), "r"(v1));
#define DO_mma(N, X, Y) MATRIX_4("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", mma##N)
#define DO_mma8(N, X, Y) MATRIX_2("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", mma8##N)
#define DO_imma(N, X, Y) MATRIX_4("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", imma##N)
#define DO_mmatf(N, X, Y) MATRIX_4("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", mmatf##N)
#define DO_dmma(N, X, Y)                                                                           \
    asm volatile("{.reg .f64 t; mov.f64 t, %0;"                                                    \
                 "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, t}, {%1}, {%1}, {%0, t};}"  \
                 : "+d"(dmma##N)                                                                   \
                 : "d"(one));

/* ---- the frame -------------------------------------------------------------------------------- */

/* The clock is read after the store has issued, and that needs the value. */
static __device__ __forceinline__ void use(uint32_t *sink, uint32_t value)
{
    asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 0x5bd1e995; @p st.global.u32 [%0], %1;}" ::"l"(
                     sink),
                 "r"(value)
                 : "memory");
}

#define PROGRAM(ID, BODY, ADDRESSES, AFTER)                                                            \
    extern "C" __global__ void ID(struct timing_job job)                                                    \
    {                                                                                              \
        uint32_t start = (uint32_t)__cvta_generic_to_shared(window) + ORIGIN;                      \
        uint32_t lane = threadIdx.x % 32, value = 0, sum = 0;                             \
        ADDRESSES                                                                                  \
        for (uint32_t i = threadIdx.x; i < SHARED_BYTES / 4; i += blockDim.x) {                    \
            window[i] = 0;                                                                         \
        }                                                                                          \
        if (threadIdx.x == 0) {                                                                    \
            job.sm[blockIdx.x] = read_sm();                                                        \
        }                                                                                          \
        _Pragma("unroll 1") for (uint32_t run = 0; run < TIMED_RUNS; run++)                        \
        {                                                                                          \
            uint32_t x;                                                                            \
            OR(start + lane * 4, 0);                                                                    \
            use(job.sink, x);                                                                                \
            meet(job, run);                                                                        \
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
            AFTER                                                                                  \
            if (lane == 0) {                                                                       \
                uint32_t block = run * gridDim.x + blockIdx.x;                                     \
                job.warp[block * MAX_WARPS + threadIdx.x / 32] = {first, last, read_place()};      \
            }                                                                                      \
        }                                                                                          \
    }

/* Each file of kernels adds its programs to the list before main begins. */
struct program {
    const char *name;
    uint32_t n_warps;
    void (*kernel)(struct timing_job);
    const struct program *next;

    program(const char *its_name, uint32_t n, void (*its_kernel)(struct timing_job));
};

#endif
