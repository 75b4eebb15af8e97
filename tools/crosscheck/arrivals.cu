// Times products like those of products.cu that count their stage along, their sums not stored; and the same whose threads all come
// to the mbarriers. Prints rows of tests/measured/h200/mainloop/arrivals.csv; arrivals.ptx there is this source by
// `nvcc -O3 -std=c++17 -arch=compute_90a -ptx`. Sizes aside are drawn by chance.
//
//     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o arrivals arrivals.cu && ./arrivals
#include <cuda.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { auto e = (x); if (e) { printf("error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
#define MAP const __grid_constant__ CUtensorMap
enum { KT = 64 };
__device__ inline uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ inline void bar_init(uint64_t *b, int n = 1) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ inline void bar_expect(uint64_t *b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ inline void bar_arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ inline void bar_wait(uint64_t *b, int p) { asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(b)), "r"(p) : "memory"); }
__device__ inline uint64_t bar_come(uint64_t *b) { uint64_t s; asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(at(b)) : "memory"); return s; }
__device__ inline void bar_wait_for(uint64_t *b, uint64_t s) { asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(b)), "l"(s) : "memory"); }
__device__ inline void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline uint64_t desc(const void *p) { return (uint64_t)(at(p) & 0x3ffff) >> 4 | 1ull << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62; }
__device__ inline void load(void *to, const CUtensorMap *m, int x, int y, uint64_t *b) { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(at(to)), "l"(m), "r"(at(b)), "r"(x), "r"(y) : "memory"); }

#define NAMES_0 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
    "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_1 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
    "%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_2 \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, " \
    "%81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define NAMES_3 \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, " \
    "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, " \
    "%125, %126, %127"
#define F4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define F32(i) F16(i), F16(i + 16)
#define MMA(N, NAMES, A, B, ...)                                                                                      \
    template <> struct mma<N> {                                                                                       \
        static __device__ inline void go(float (&d)[N / 2], uint64_t a, uint64_t b)                                   \
        {                                                                                                             \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" NAMES "}, " A ", " B              \
                         ", 1, 1, 1, 0, 0;" : __VA_ARGS__ : "l"(a), "l"(b) : "memory");                               \
        }                                                                                                             \
    };
template <int N> struct mma;
MMA(64, NAMES_0, "%32", "%33", F32(0))
MMA(192, NAMES_0 ", " NAMES_1 ", " NAMES_2, "%96", "%97", F32(0), F32(32), F32(64))
MMA(128, NAMES_0 ", " NAMES_1, "%64", "%65", F32(0), F32(32))
MMA(256, NAMES_0 ", " NAMES_1 ", " NAMES_2 ", " NAMES_3, "%128", "%129", F32(0), F32(32), F32(64), F32(96))


// EVERY: each thread comes to the mbarriers, of full ones with the phase that it waits for, as barriers of libcu++ have it;
// else one of each warpgroup comes to the empty ones, and full ones are waited for by parity.
template <int G, int N, int S, bool EVERY>
__global__ void __launch_bounds__(G * 128 + 128) gemm(MAP a, MAP b, float *c, int turns, long long *clocks)
{
    extern __shared__ __align__(1024) uint16_t tiles[];
    __shared__ uint64_t full[S], empty[S];
    const int asz = 64 * G * KT, bsz = N * KT, sz = asz + bsz;
    long long begin = clock64();
    if (threadIdx.x == 0) {
        for (int s = 0; s < S; s++) { bar_init(&full[s], EVERY ? G * 128 + 1 : 1); bar_init(&empty[s], EVERY ? G * 128 + 1 : G); }
        fence_async();
    }
    __syncthreads();
    if (threadIdx.x >= 128 * G) {
        if (threadIdx.x == 128 * G) for (int i = 0, s = 0, round = 1; i < turns; i++) {
            uint16_t *t = tiles + s * sz;
            if (EVERY) bar_wait_for(&empty[s], bar_come(&empty[s]));
            else bar_wait(&empty[s], round);
            if (!EVERY) bar_expect(&full[s], sz * 2);
            load(t, &a, i * KT, 0, &full[s]);
            load(t + asz, &b, i * KT, 0, &full[s]);
            if (EVERY) bar_expect(&full[s], sz * 2);
            if (++s == S) { s = 0; round ^= 1; }
        }
        return;
    }
    float d[N / 2];
    for (int i = 0; i < N / 2; i++) d[i] = 0;
    int g = threadIdx.x / 128, t = threadIdx.x % 128;
    if (EVERY) for (int i = 0; i < S; i++) bar_arrive(&empty[i]);
    for (int i = 0, s = 0, round = 0; i < turns; i++) {
        const uint16_t *tile = tiles + s * sz;
        if (EVERY) bar_wait_for(&full[s], bar_come(&full[s]));
        else bar_wait(&full[s], round);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < KT; k += 16) mma<N>::go(d, desc(tile + g * 64 * KT + k), desc(tile + asz + k));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (EVERY || t == 0) bar_arrive(&empty[s]);
        if (++s == S) { s = 0; round ^= 1; }
    }
    if (t == 0) clocks[g] = clock64() - begin;
    float x = 0;
    for (int r = 0; r < N / 2; r++) x += d[r];
    if (x == 1.25f) c[0] = x;
}

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static CUtensorMap make(void *p, uint64_t inner, uint64_t rows)
{
    CUtensorMap m;
    cuuint64_t dim[2] = {inner, rows}, stride[1] = {inner * 2};
    cuuint32_t box[2] = {KT, (cuuint32_t)rows}, es[2] = {1, 1};
    CHECK(encode(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, dim, stride, box, es, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return m;
}

template <int G, int N, int S, bool EVERY> static void sweep(bool is_aside)
{
    static uint16_t *a, *b;
    static float *c;
    static long long *clocks;
    if (a == NULL) {
        CHECK(cudaMalloc(&a, 1 << 22)); CHECK(cudaMalloc(&b, 1 << 22)); CHECK(cudaMalloc(&c, 64)); CHECK(cudaMalloc(&clocks, 64));
        CHECK(cudaMemset(a, 0, 1 << 22)); CHECK(cudaMemset(b, 0, 1 << 22));
    }
    for (int turns : is_aside ? std::array<int, 2>{11, 35} : std::array<int, 2>{8, 40}) {
        long long v[2], best = 1ll << 60;
        int bytes = S * (64 * G + N) * 128;
        CUtensorMap ma = make(a, turns * KT, 64 * G), mb = make(b, turns * KT, N);
        CHECK(cudaFuncSetAttribute(gemm<G, N, S, EVERY>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
        for (int i = 0; i < 5; i++) {
            gemm<G, N, S, EVERY><<<1, G * 128 + 128, bytes>>>(ma, mb, c, turns, clocks);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(v, clocks, sizeof v, cudaMemcpyDeviceToHost));
            long long most = G == 1 ? v[0] : std::max(v[0], v[1]);
            if (i > 0) best = std::min(best, most);
        }
        printf("%d,%d,%d,%d,%d,%d,%lld\n", is_aside, EVERY, G, N, S, turns, best);
    }
}

int main()
{
    cudaDriverEntryPointQueryResult q;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &q));
    printf("aside,every,warpgroups,n,stages,turns,main\n");
    sweep<1, 64, 1, false>(false); sweep<1, 64, 1, true>(false);
    sweep<1, 64, 3, false>(false); sweep<1, 64, 3, true>(false);
    sweep<1, 128, 2, false>(false); sweep<1, 128, 2, true>(false);
    sweep<1, 128, 4, false>(false); sweep<1, 128, 4, true>(false);
    sweep<1, 256, 3, false>(false); sweep<1, 256, 3, true>(false);
    sweep<2, 64, 3, false>(false); sweep<2, 64, 3, true>(false);
    sweep<2, 128, 3, false>(false); sweep<2, 128, 3, true>(false);
    sweep<2, 128, 4, false>(false); sweep<2, 128, 4, true>(false);
    sweep<2, 256, 2, false>(false); sweep<2, 256, 2, true>(false);
    sweep<1, 64, 2, false>(true);
    sweep<1, 64, 5, true>(true);
    sweep<1, 128, 3, true>(true);
    sweep<1, 192, 3, false>(true);
    sweep<1, 192, 5, false>(true);
    sweep<2, 64, 1, true>(true);
    sweep<2, 64, 5, true>(true);
    sweep<2, 128, 2, true>(true);
    sweep<2, 128, 6, true>(true);
    sweep<2, 192, 1, false>(true);
    sweep<2, 192, 2, false>(true);
    sweep<2, 192, 3, true>(true);
    sweep<2, 256, 1, false>(true);
    sweep<2, 256, 3, true>(true);
    return 0;
}
