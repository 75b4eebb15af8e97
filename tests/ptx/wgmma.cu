/* wgmma.cu - products of matrices by four warps, as Hopper's kernels write them.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o wgmma.ptx wgmma.cu      nvcc 13.0
 */
#include <cuda.h>
#include <stdint.h>

#define MAP const __grid_constant__ CUtensorMap
#define STAGES 2
#define KT 64 /* halves of a row of a tile: 128 bytes, the swizzle's span */

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(barrier)) : "memory");
}

__device__ void barrier_expect(uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes) : "memory");
}

__device__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(barrier)) : "memory");
}

__device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred p;\nWAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void load_2d(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(barrier)) : "memory");
}

/* start, LBO, SBO in bytes; swizzle: 0 none, 1 128B, 2 64B, 3 32B */
__device__ uint64_t descriptor(const void *p, int lbo, int sbo, int swizzle)
{
    return (uint64_t)(at(p) & 0x3ffff) >> 4 | (uint64_t)(lbo >> 4) << 16 | (uint64_t)(sbo >> 4) << 32 |
           (uint64_t)swizzle << 62;
}

__device__ void fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int left> __device__ void wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

#define D8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])

__device__ void multiply_n64(float (&d)[32], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;" : D8(d, 0), D8(d, 8), D8(d, 16), D8(d, 24) : "l"(a), "l"(b));
}

/* c = a b^T, of rows of halves: tiles of 64 x 64 come by TMA, a warp loads them for four that multiply. */
__global__ void gemm(MAP a, MAP b, float *c, int n, int turns)
{
    extern __shared__ __align__(1024) uint16_t tiles[]; /* of A and B, for each stage */
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const int size = 64 * KT;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s]);
            barrier_init(&empty[s]);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        for (int i = 0; i < turns && threadIdx.x == 128; i++) {
            int s = i % STAGES;
            uint16_t *tile = tiles + 2 * s * size;
            barrier_wait(&empty[s], i / STAGES % 2 ^ 1);
            barrier_expect(&full[s], 2 * size * sizeof *tile);
            load_2d(tile, &a, i * KT, 64 * blockIdx.y, &full[s]);
            load_2d(tile + size, &b, i * KT, 64 * blockIdx.x, &full[s]);
        }
        return;
    }
    float d[32] = {};
    for (int i = 0; i < turns; i++) {
        int s = i % STAGES;
        const uint16_t *tile = tiles + 2 * s * size;
        barrier_wait(&full[s], i / STAGES % 2);
        fence();
        for (int k = 0; k < KT; k += 16)
            multiply_n64(d, descriptor(tile + k, 16, 1024, 1), descriptor(tile + size + k, 16, 1024, 1));
        commit();
        wait<0>();
        if (threadIdx.x == 0)
            barrier_arrive(&empty[s]);
    }
    int row = 64 * blockIdx.y + threadIdx.x / 4 % 8 + threadIdx.x / 32 * 16, column = 64 * blockIdx.x + threadIdx.x % 4 * 2;
    for (int r = 0; r < 32; r++)
        c[(row + r / 2 % 2 * 8) * n + column + r / 4 * 8 + r % 2] = d[r];
}

/* ---- one wgmma of each kind: rows of 32 bytes in core matrices, D as its registers ---- */

#define ONE(name, form, operands)                                                                                     \
    __global__ void name(const uint4 *a, const uint4 *b, float *d, int adds)                                          \
    {                                                                                                                 \
        __shared__ alignas(128) uint4 as[128], bs[16];                                                                \
        int t = threadIdx.x;                                                                                          \
        as[t] = a[128 * blockIdx.x + t];                                                                              \
        if (t < 16)                                                                                                   \
            bs[t] = b[16 * blockIdx.x + t];                                                                           \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                  \
        __syncthreads();                                                                                              \
        const uint32_t *words = (const uint32_t *)as;                                                                 \
        int w = t / 32 * 128 + t % 32;                                                                                \
        uint32_t a0 = words[w], a1 = words[w + 64], a2 = words[w + 32], a3 = words[w + 96];                           \
        float e[4];                                                                                                   \
        for (int r = 0; r < 4; r++)                                                                                   \
            e[r] = d[512 * blockIdx.x + 4 * t + r];                                                                   \
        fence();                                                                                                      \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"                                                     \
                     "wgmma.mma_async.sync.aligned.m64n8" form " {%0, %1, %2, %3}, " operands ";\n}"                  \
                     : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])                                                 \
                     : "l"(descriptor(as, 128, 256, 0)), "l"(descriptor(bs, 128, 256, 0)), "r"(a0), "r"(a1), "r"(a2), \
                       "r"(a3), "r"(adds));                                                                           \
        commit();                                                                                                     \
        wait<0>();                                                                                                    \
        for (int r = 0; r < 4; r++)                                                                                   \
            d[512 * blockIdx.x + 4 * t + r] = e[r];                                                                   \
    }

#define SHARED "%4, %5, p"
#define REGISTERS "{%6, %7, %8, %9}, %5, p"

ONE(of_f16, "k16.f32.f16.f16", SHARED ", 1, 1, 0, 0")
ONE(of_f16_registers, "k16.f32.f16.f16", REGISTERS ", 1, 1, 0")
ONE(of_f16_negative, "k16.f32.f16.f16", SHARED ", -1, 1, 0, 0")
ONE(of_bf16, "k16.f32.bf16.bf16", SHARED ", 1, 1, 0, 0")
ONE(of_tf32, "k8.f32.tf32.tf32", SHARED ", 1, 1")
ONE(of_tf32_registers, "k8.f32.tf32.tf32", REGISTERS ", 1, 1")
ONE(of_e4m3, "k32.f32.e4m3.e4m3", SHARED ", 1, 1")
ONE(of_e5m2, "k32.f32.e5m2.e4m3", SHARED ", 1, 1")
ONE(of_e4m3_registers, "k32.f32.e4m3.e5m2", REGISTERS ", 1, 1")

/* Rows of A, or columns of B, side by side: 8 of k follow each other at LBO, 8 of rows at SBO. */
ONE(of_f16_turned, "k16.f32.f16.f16", SHARED ", 1, 1, 1, 1")

/* D of halves: two registers are used. */
__global__ void of_f16_halves(const uint4 *a, const uint4 *b, uint32_t *d, int adds)
{
    __shared__ alignas(128) uint4 as[128], bs[16];
    int t = threadIdx.x;
    as[t] = a[128 * blockIdx.x + t];
    if (t < 16)
        bs[t] = b[16 * blockIdx.x + t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    uint32_t e[2];
    for (int r = 0; r < 2; r++)
        e[r] = d[512 * blockIdx.x + 4 * t + r];
    fence();
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, 1, 0, 0;\n}"
                 : "+r"(e[0]), "+r"(e[1])
                 : "l"(descriptor(as, 128, 256, 0)), "l"(descriptor(bs, 128, 256, 0)), "r"(adds));
    commit();
    wait<0>();
    for (int r = 0; r < 2; r++)
        d[512 * blockIdx.x + 4 * t + r] = e[r];
}

#define WHOLE(name, form, operands)                                                                                   \
    __global__ void name(const uint4 *a, const uint4 *b, int *d, int adds)                                            \
    {                                                                                                                 \
        __shared__ alignas(128) uint4 as[128], bs[16];                                                                \
        int t = threadIdx.x;                                                                                          \
        as[t] = a[128 * blockIdx.x + t];                                                                              \
        if (t < 16)                                                                                                   \
            bs[t] = b[16 * blockIdx.x + t];                                                                           \
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                  \
        __syncthreads();                                                                                              \
        int e[4];                                                                                                     \
        for (int r = 0; r < 4; r++)                                                                                   \
            e[r] = d[512 * blockIdx.x + 4 * t + r];                                                                   \
        fence();                                                                                                      \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"                                                      \
                     "wgmma.mma_async.sync.aligned.m64n8" form " {%0, %1, %2, %3}, " operands ";\n}"                  \
                     : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3])                                                 \
                     : "l"(descriptor(as, 128, 256, 0)), "l"(descriptor(bs, 128, 256, 0)), "r"(adds));                \
        commit();                                                                                                     \
        wait<0>();                                                                                                    \
        for (int r = 0; r < 4; r++)                                                                                   \
            d[512 * blockIdx.x + 4 * t + r] = e[r];                                                                   \
    }

WHOLE(of_s8, "k32.s32.s8.s8", "%4, %5, p")
WHOLE(of_u8, "k32.s32.u8.s8", "%4, %5, p")
WHOLE(of_s8_saturated, "k32.satfinite.s32.s8.s8", "%4, %5, p")
