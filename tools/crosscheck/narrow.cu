/* narrow.cu - clocks of a wgmma among many back to back, with A in registers and in shared memory, of every N up to 64, by
 * one and two warpgroups of a block. Prints rows of tests/measured/h100/async/wgmma_narrow.csv.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o narrow narrow.cu && ./narrow
 *
 * A time is the difference of a long run and a short one over what the long one has more, the least of five.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(x) do { auto e = (x); if (e) { fprintf(stderr, "error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
enum { REPEATS = 5, EACH = 16 };
enum type { F16, TF32, E4M3, S8 };
static const char *const names[] = {"f16", "tf32", "e4m3", "s8"};

#define N4 "%0, %1, %2, %3"
#define N8 N4 ", %4, %5, %6, %7"
#define N12 N8 ", %8, %9, %10, %11"
#define N16 N12 ", %12, %13, %14, %15"
#define N20 N16 ", %16, %17, %18, %19"
#define N24 N20 ", %20, %21, %22, %23"
#define N28 N24 ", %24, %25, %26, %27"
#define N32 N28 ", %28, %29, %30, %31"
#define R4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define R8 R4(0), R4(4)
#define R12 R8, R4(8)
#define R16 R12, R4(12)
#define R20 R16, R4(16)
#define R24 R20, R4(20)
#define R28 R24, R4(24)
#define R32 R28, R4(28)

template <int TYPE, int N, bool REGISTERS> struct mma;
/* a0 and on are the numbers of the operands behind the accumulators. */
#define ONE(TYPE, N, FORM, NAMES, a0, a1, a2, a3, a4, TAIL_R, TAIL_S, ...)                                              \
    template <> struct mma<TYPE, N, true> {                                                                                      \
        static __device__ __forceinline__ void go(uint32_t *d, const uint32_t *r, uint64_t, uint64_t b)                          \
        {                                                                                                                        \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #N FORM " {" NAMES "}, {%" #a0 ", %" #a1 ", %" #a2 ", %" #a3 "}, %" \
                         #a4 ", 1" TAIL_R ";" : __VA_ARGS__ : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(b));                  \
        }                                                                                                                        \
    };                                                                                                                           \
    template <> struct mma<TYPE, N, false> {                                                                                     \
        static __device__ __forceinline__ void go(uint32_t *d, const uint32_t *, uint64_t a, uint64_t b)                         \
        {                                                                                                                        \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #N FORM " {" NAMES "}, %" #a0 ", %" #a1 ", 1" TAIL_S ";"            \
                         : __VA_ARGS__ : "l"(a), "l"(b));                                                                           \
        }                                                                                                                        \
    };
#define FLOATS(N, NAMES, a0, a1, a2, a3, a4, ...)                                                            \
    ONE(F16, N, "k16.f32.f16.f16", NAMES, a0, a1, a2, a3, a4, ", 1, 1, 0", ", 1, 1, 0, 0", __VA_ARGS__)               \
    ONE(TF32, N, "k8.f32.tf32.tf32", NAMES, a0, a1, a2, a3, a4, ", 1, 1", ", 1, 1", __VA_ARGS__)                       \
    ONE(E4M3, N, "k32.f32.e4m3.e4m3", NAMES, a0, a1, a2, a3, a4, ", 1, 1", ", 1, 1", __VA_ARGS__)
#define WHOLE(N, NAMES, a0, a1, a2, a3, a4, ...) \
    ONE(S8, N, "k32.s32.s8.s8", NAMES, a0, a1, a2, a3, a4, "", "", __VA_ARGS__)
#define ALL(...) FLOATS(__VA_ARGS__) WHOLE(__VA_ARGS__)
ALL(8, N4, 4, 5, 6, 7, 8, R4(0))
ALL(16, N8, 8, 9, 10, 11, 12, R8)
ALL(24, N12, 12, 13, 14, 15, 16, R12)
ALL(32, N16, 16, 17, 18, 19, 20, R16)
FLOATS(40, N20, 20, 21, 22, 23, 24, R20)
ALL(48, N24, 24, 25, 26, 27, 28, R24)
FLOATS(56, N28, 28, 29, 30, 31, 32, R28)
ALL(64, N32, 32, 33, 34, 35, 36, R32)

/* Rows of 128 bytes, swizzled. */
__device__ __forceinline__ uint64_t descriptor(uint32_t at) { return (uint64_t)(at >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62; }

template <int TYPE, int N, bool REGISTERS> __global__ void __launch_bounds__(256) run(int turns, int *clocks, uint32_t *sink)
{
    extern __shared__ uint8_t raw[];
    uint32_t base = ((uint32_t)__cvta_generic_to_shared(raw) + 1023) & ~1023u, d[N / 2] = {}, r[4], x = 0;
    for (uint32_t &a : r) asm volatile("mov.u32 %0, 0;" : "=r"(a));
    __syncthreads();
    int begin = (int)clock();
    for (int i = 0; i < turns; i++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < EACH; k++) mma<TYPE, N, REGISTERS>::go(d, r, descriptor(base), descriptor(base + 16384));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < N / 2; i++) x ^= d[i];
    __syncthreads();
    if (threadIdx.x == 0) *clocks = (int)clock() - begin;
    if (x == 1) *sink = x;
}

static int *T;
static uint32_t *sink;
template <int TYPE, int N, bool REGISTERS> static int least(int groups, int turns)
{
    int best = 1 << 30;
    for (int i = 0; i < REPEATS; i++) {
        run<TYPE, N, REGISTERS><<<1, 128 * groups, 65536>>>(turns, T, sink);
        CHECK(cudaDeviceSynchronize());
        best = std::min(best, *T);
    }
    return best;
}

template <int TYPE, int N, bool REGISTERS> static void row()
{
    CHECK(cudaFuncSetAttribute(run<TYPE, N, REGISTERS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    printf("%s,%d,%c", names[TYPE], N, REGISTERS ? 'R' : 'S');
    for (int groups = 1; groups <= 2; groups++)
        printf(",%.3f", (double)(least<TYPE, N, REGISTERS>(groups, 80) - least<TYPE, N, REGISTERS>(groups, 16)) / (64 * EACH * groups));
    printf("\n");
    fflush(stdout);
}
template <int TYPE, int N> static void both() { row<TYPE, N, true>(); row<TYPE, N, false>(); }
template <int N> static void floats() { both<F16, N>(); both<TF32, N>(); both<E4M3, N>(); }
template <int N> static void all() { floats<N>(); both<S8, N>(); }

int main()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaMallocHost(&T, 4));
    CHECK(cudaMalloc(&sink, 4));
    printf("# GPU: %s, compute capability %d.%d\n", p.name, p.major, p.minor);
    printf("type,N,A_from,cycles_1wg,cycles_2wg\n");
    all<8>(); all<16>(); all<24>(); all<32>(); floats<40>(); all<48>(); floats<56>(); all<64>();
    return 0;
}
