// Times the block of a warp-specialised product (a producer warp, one or two consumer warpgroups, an epilogue
// by TMA) on one SM and on all, and its parts, with the SM's clock. Prints rows of
// tests/measured/h200/mainloop/gemm.csv, and of parts; with a word behind it those of other shapes, more.csv, with two those
// of shapes drawn by chance, drawn.csv.
//
//     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o mainloop mainloop.cu && ./mainloop
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#define CHECK(x) do { auto e = (x); if (e) { printf("error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
template <int N> __device__ __forceinline__ void mma(float *d, uint64_t a, uint64_t b, int scale);
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
#define MMA(N, NAMES, A, B, SCALE, ...)                                                             \
    template <> __device__ __forceinline__ void mma<N>(float *d, uint64_t a, uint64_t b, int scale) \
    {                                                                                               \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " SCALE ", 0;\n"                             \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" NAMES "}, " A ", " B \
                     ", p, 1, 1, 0, 0;\n}\n"                                                        \
                     : __VA_ARGS__                                                                  \
                     : "l"(a), "l"(b), "r"(scale));                                                 \
    }
MMA(64, NAMES_0, "%32", "%33", "%34", F32(0))
MMA(128, NAMES_0 ", " NAMES_1, "%64", "%65", "%66", F32(0), F32(32))
MMA(192, NAMES_0 ", " NAMES_1 ", " NAMES_2, "%96", "%97", "%98", F32(0), F32(32), F32(64))
MMA(256, NAMES_0 ", " NAMES_1 ", " NAMES_2 ", " NAMES_3, "%128", "%129", "%130", F32(0), F32(32), F32(64), F32(96))
__device__ __forceinline__ uint32_t sptr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ uint64_t desc(uint32_t a) { return (uint64_t)((a & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)64 << 32 | (uint64_t)1 << 62; }
__device__ __forceinline__ void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wg_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ __forceinline__ void bar_init(uint32_t b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n)); }
__device__ __forceinline__ void bar_expect(uint32_t b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void bar_arrive(uint32_t b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory"); }
__device__ __forceinline__ void bar_wait(uint32_t b, int phase)
{
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}\n" ::"r"(b), "r"(phase) : "memory");
}
__device__ __forceinline__ void load(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory");
}
__device__ __forceinline__ void store(const CUtensorMap *map, uint32_t from, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(from), "r"(x), "r"(y) : "memory");
}
__device__ __forceinline__ void st_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ __forceinline__ void st_wait() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ __forceinline__ void st_wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

template <int N> __device__ __forceinline__ void keep(float *d)
{
    #pragma unroll
    for (int i = 0; i < N / 2; i++) asm volatile("" : "+f"(d[i])::"memory");
}
struct times { long long begin, first, main, stored, end; };

// The buffer of a turn and the phase of its barriers: by division, or counted along, which takes a warp less time
// where STAGES is no power of two.
template <int STAGES, bool COUNTS> struct place {
    int k = 0, s = 0, round = 0, last = 0;
    __device__ __forceinline__ void next()
    {
        last = s;
        k++;
        if (COUNTS) { if (++s == STAGES) { s = 0; round ^= 1; } }
        else { s = k % STAGES; round = k / STAGES & 1; }
    }
};

template <int BN, int STAGES, int WGS, bool COUNTS>
__global__ void __launch_bounds__(128 * WGS + 128, 1)
gemm(const __grid_constant__ CUtensorMap ma, const __grid_constant__ CUtensorMap mb, const __grid_constant__ CUtensorMap mc, int kiters, int n_tiles, int epilogue_at, times *t)
{
    extern __shared__ uint8_t raw[];
    constexpr int ABYTES = 64 * WGS * 128, BBYTES = BN * 128, SBYTES = ABYTES + BBYTES;
    uint32_t base = (sptr(raw) + 1023) & ~1023u;
    uint32_t full = base, empty = base + 64, tiles = base + 1024;
    int warp = threadIdx.x / 32, wg = threadIdx.x / 128;
    int bm = blockIdx.x / n_tiles, bn = blockIdx.x % n_tiles;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) { bar_init(full + 8 * i, 1); bar_init(empty + 8 * i, WGS); }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    long long begin = clock64(), first = 0, mid = 0, stored = 0, end = 0;
    if (wg == WGS) {
        if (warp == 4 * WGS && threadIdx.x % 32 == 0) {
            place<STAGES, COUNTS> at;
            for (int k = 0; k < kiters; k++, at.next()) {
                int s = at.s;
                if (k >= STAGES) bar_wait(empty + 8 * s, at.round ^ 1);
                bar_expect(full + 8 * s, SBYTES);
                load(tiles + s * SBYTES, &ma, k * 64, bm * 64 * WGS, full + 8 * s);
                load(tiles + s * SBYTES + ABYTES, &mb, k * 64, bn * BN, full + 8 * s);
            }
        }
    } else {
        float d[BN / 2];
        for (int i = 0; i < BN / 2; i++) d[i] = 0;
        keep<BN>(d);
        place<STAGES, COUNTS> at;
        #pragma unroll 1
        for (int k = 0; k < kiters; k++, at.next()) {
            int s = at.s;
            bar_wait(full + 8 * s, at.round);
            if (k == 0) first = clock64();
            wg_fence();
            #pragma unroll
            for (int kk = 0; kk < 4; kk++)
                mma<BN>(d, desc(tiles + s * SBYTES + wg * 8192 + kk * 32), desc(tiles + s * SBYTES + ABYTES + kk * 32), 1);
            wg_commit();
            wg_wait<1>();
            if (k > 0 && threadIdx.x % 128 == 0) bar_arrive(empty + 8 * at.last);
        }
        wg_wait<0>();
        keep<BN>(d);
        mid = clock64();
        uint32_t tile = (epilogue_at > 0 ? base + epilogue_at : tiles + STAGES * SBYTES) + wg * 128 * BN;
        int lane = threadIdx.x % 32, w = warp % 4;
        for (int j = 0; j < BN / 8; j++) {
            for (int h = 0; h < 2; h++) {
                int row = w * 16 + lane / 4 + 8 * h;
                __half2 v = __floats2half2_rn(d[j * 4 + 2 * h], d[j * 4 + 2 * h + 1]);
                uint32_t at = tile + (j / 8) * 8192 + row * 128 + ((((j % 8) ^ (row & 7)) << 4) | (lane % 4 * 4));
                asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(*(uint32_t *)&v) : "memory");
            }
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync %0, 128;" ::"r"(wg + 1) : "memory");
        stored = clock64();
        if (threadIdx.x % 128 == 0) {
            for (int j = 0; j < BN / 64; j++) store(&mc, tile + j * 8192, bn * BN + j * 64, (bm * WGS + wg) * 64);
            st_commit();
            st_wait();
        }
        end = clock64();
        if (threadIdx.x % 128 == 0) t[blockIdx.x * 2 + wg] = {begin, first - begin, mid - begin, stored - begin, end - begin};
    }
}

// Parts: a load's, a store's and a wgmma's way.
template <int BN>
__global__ void __launch_bounds__(128, 1) parts(const __grid_constant__ CUtensorMap m, int rows, long long *out)
{
    extern __shared__ uint8_t raw[];
    uint32_t base = (sptr(raw) + 1023) & ~1023u, tile = base + 1024;
    if (threadIdx.x == 0) { bar_init(base, 1); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 6; i++) {
            long long t0 = clock64();
            bar_expect(base, rows * 128);
            load(tile, &m, 0, 0, base);
            bar_wait(base, i & 1);
            out[i] = clock64() - t0;
        }
        for (int i = 0; i < 4; i++) {
            long long t0 = clock64();
            store(&m, tile, 0, 0); st_commit(); st_wait_read();
            long long t1 = clock64(); st_wait();
            out[6 + 2 * i] = t1 - t0; out[7 + 2 * i] = clock64() - t0;
        }
    }
    __syncthreads();
    float d[BN / 2];
    for (int i = 0; i < BN / 2; i++) d[i] = 0;
    #pragma unroll
    for (int n = 1; n <= 8; n *= 2) {
        for (int i = 0; i < 2; i++) {
            __syncwarp();
            long long t0 = clock64();
            wg_fence();
            #pragma unroll
            for (int k = 0; k < n; k++) mma<BN>(d, desc(tile + (k % 4) * 32), desc(tile + 32768 + (k % 4) * 32), 1);
            wg_commit();
            wg_wait<0>();
            long long t1 = clock64();
            if (threadIdx.x == 0) out[14 + (n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : 3)] = t1 - t0;
        }
    }
    float s = 0;
    for (int i = 0; i < BN / 2; i++) s += d[i];
    if (s == 1.2345f) out[31] = 1;
}

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static CUtensorMap make(void *p, uint64_t inner, uint64_t rows, uint32_t box_rows)
{
    CUtensorMap m;
    cuuint64_t dim[2] = {inner, rows}, stride[1] = {inner * 2};
    cuuint32_t box[2] = {64, box_rows}, es[2] = {1, 1};
    CHECK(encode(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, dim, stride, box, es, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return m;
}
static __half *A, *B, *C;
static times *T;
enum { KMAX = 8192, ROWS = 2304, CN = 8192 };
static long long median(std::vector<long long> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }

template <int BN, int STAGES, int WGS, bool COUNTS>
static void run(int grid, int n_tiles, int kiters, int epilogue_at)
{
    int bytes = 2048 + STAGES * (64 * WGS + BN) * 128 + WGS * BN * 128;
    if (epilogue_at > 0) bytes = std::max(bytes, epilogue_at + 1024 + WGS * BN * 128);
    if (bytes > 232448) return;
    auto k = gemm<BN, STAGES, WGS, COUNTS>;
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUtensorMap ma = make(A, KMAX, ROWS * 8, 64 * WGS), mb = make(B, KMAX, ROWS * 2, BN), mc = make(C, CN, ROWS * 8, 64);
    std::vector<long long> end, main, first, stored, mx;
    for (int r = 0; r < 7; r++) {
        k<<<grid, 128 * WGS + 128, bytes>>>(ma, mb, mc, kiters, n_tiles, epilogue_at, T);
        CHECK(cudaDeviceSynchronize());
        if (r < 2) continue;
        long long most = 0;
        for (int b = 0; b < grid; b++) {
            long long e = 0, m = 0, f = 0, s = 0;
            for (int w = 0; w < WGS; w++) {
                times &x = T[2 * b + w];
                e = std::max(e, x.end); m = std::max(m, x.main); f = std::max(f, x.first); s = std::max(s, x.stored);
            }
            end.push_back(e); main.push_back(m); first.push_back(f); stored.push_back(s); most = std::max(most, e);
        }
        mx.push_back(most);
    }
    printf("gemm,%d,%d,%d,%d,%d,%d,%d,%lld,%lld,%lld,%lld,%lld\n", WGS, BN, STAGES, kiters, grid, n_tiles, epilogue_at, median(first), median(main), median(stored), median(end), median(mx));
    fflush(stdout);
}
template <int BN, int STAGES, int WGS, bool COUNTS = false> static void sweep()
{
    static const int ks[] = {1, 4, 8, 12, 16, 24, 32, 48, 64, 100, 128};
    for (int k : ks) {
        run<BN, STAGES, WGS, COUNTS>(1, 1, k, 0);
        run<BN, STAGES, WGS, COUNTS>(132, 12, k, 0);
    }
    run<BN, STAGES, WGS, COUNTS>(132, 1, 32, 0);
    run<BN, STAGES, WGS, COUNTS>(132, 4, 32, 0);
    run<BN, STAGES, WGS, COUNTS>(132, 12, 32, 140 * 1024);
    run<BN, STAGES, WGS, COUNTS>(1, 1, 32, 140 * 1024);
}
template <int BN> static void part(int rows)
{
    auto k = parts<BN>;
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    CUtensorMap m = make(A, KMAX, ROWS * 8, rows);
    long long *out; CHECK(cudaMallocManaged(&out, 32 * 8));
    for (int r = 0; r < 3; r++) { k<<<1, 128, 100000>>>(m, rows, out); CHECK(cudaDeviceSynchronize()); }
    printf("part,%d,%d", BN, rows);
    for (int i = 0; i < 18; i++) printf(",%lld", out[i]);
    printf("\n");
}
int main(int argc, char **)
{
    cudaDriverEntryPointQueryResult q;
    CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &q));
    CHECK(cudaMalloc(&A, (size_t)KMAX * ROWS * 8 * 2)); CHECK(cudaMalloc(&B, (size_t)KMAX * ROWS * 2 * 2)); CHECK(cudaMalloc(&C, (size_t)CN * ROWS * 8 * 2));
    CHECK(cudaMemset(A, 0, (size_t)KMAX * ROWS * 8 * 2)); CHECK(cudaMemset(B, 0, (size_t)KMAX * ROWS * 2 * 2));
    CHECK(cudaMallocHost(&T, sizeof(times) * 2 * 132));
    if (argc > 2) {
        sweep<64, 6, 1, true>(); sweep<64, 7, 2, true>(); sweep<64, 8, 1, true>(); sweep<128, 6, 1, true>();
        sweep<128, 7, 1, true>(); sweep<192, 4, 2, true>(); sweep<256, 2, 2, true>(); sweep<256, 4, 1, true>();
        return 0;
    }
    if (argc > 1) {
        sweep<64, 3, 1, true>(); sweep<64, 5, 2, true>(); sweep<64, 8, 2, true>();
        sweep<128, 3, 1, true>(); sweep<128, 5, 2, true>(); sweep<128, 8, 1, true>();
        sweep<192, 2, 1, true>(); sweep<192, 3, 1, true>(); sweep<192, 3, 2, true>();
        sweep<256, 2, 1, true>(); sweep<256, 3, 1, true>();
        sweep<64, 4, 2, true>(); sweep<64, 6, 2, true>(); sweep<128, 3, 2, true>(); sweep<256, 3, 2, true>();
        return 0;
    }
    part<64>(8); part<64>(64); part<64>(128); part<128>(128); part<192>(192); part<256>(256);
    sweep<64, 2, 2>(); sweep<64, 4, 2>(); sweep<64, 6, 2>();
    sweep<128, 2, 2>(); sweep<128, 3, 2>(); sweep<128, 4, 2>();
    sweep<192, 2, 2>(); sweep<192, 4, 2>();
    sweep<256, 2, 2>(); sweep<256, 3, 2>();
    sweep<64, 4, 1>(); sweep<128, 4, 1>(); sweep<256, 4, 1>(); sweep<128, 2, 1>(); sweep<64, 8, 1>();
    return 0;
}
