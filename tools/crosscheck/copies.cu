/* copies.cu - clocks of what copies into shared memory, and what it shares there: cp.async by both of its sides, boxes by
 * TMA of one to five dimensions and with rows off a sector, reductions, multicast in clusters, the ways between the blocks
 * of a cluster, and the two halves of shared memory under other carve-outs and in the second block of an SM. Prints rows
 * of tests/measured/h100/async.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o copies copies.cu
 *     for part in cpasync waits boxes beyond multicast ways halves; do ./copies $part >$part.csv; done
 *     ./copies reduces >reduces.csv; for n in $(seq 0 81); do ./copies reduces $n >>reduces.csv; done
 *
 * A clock is an SM's. Each time is the difference of a long run and a short one over what the long one has more, the least
 * of five, so no start is in it.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(x) do { auto e = (x); if (e) { fprintf(stderr, "error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
namespace cg = cooperative_groups;
typedef long long clocks;
enum { REPEATS = 5 };

__device__ __forceinline__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(uint32_t b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n)); }
__device__ __forceinline__ void bar_expect(uint32_t b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void bar_wait(uint32_t b, int phase)
{
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}\n" ::"r"(b), "r"(phase) : "memory");
}
__device__ __forceinline__ uint32_t peer_of(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}
__device__ __forceinline__ void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory"); }

static clocks *T; /* what a launch leaves, in memory of the host */
static uint8_t *G;
enum { G_BYTES = 512 << 20 };

template <class LAUNCH> static clocks least(LAUNCH launch, int n)
{
    clocks best = 1ll << 60;
    for (int r = 0; r < REPEATS; r++) {
        memset(T, 0, 4096 * sizeof *T);
        launch(n);
        CHECK(cudaDeviceSynchronize());
        clocks most = 0;
        for (int i = 0; i < 4096; i++) most = std::max(most, T[i]);
        best = std::min(best, most);
    }
    return best;
}
template <class LAUNCH> static double each(LAUNCH launch, int few, int many)
{
    return (double)(least(launch, many) - least(launch, few)) / (many - few);
}

/* ---- cp.async -------------------------------------------------------------------------------- */

struct sides { uint32_t mask; uint32_t shared[32], global[32]; };

template <int BYTES, bool PAST> __device__ __forceinline__ void copy(uint32_t to, const void *from)
{
    if (PAST) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
}

/* Each warp copies `turns` times four requests, all from the same places, or on by `step` bytes each turn. */
template <int BYTES, bool PAST>
__global__ void __launch_bounds__(1024) copies(const sides s, const uint8_t *g, uint32_t step, int turns, clocks *t)
{
    extern __shared__ __align__(1024) uint8_t window[];
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, to = at(window) + s.shared[lane];
    const uint8_t *from = g + s.global[lane] + (step ? warp * 16384 : 0);
    bool in = s.mask >> lane & 1;
    if (in) copy<BYTES, PAST>(to, from);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    clocks begin = clock64();
    if (in)
        for (int i = 0; i < turns; i++, from += step) {
            copy<BYTES, PAST>(to, from);
            copy<BYTES, PAST>(to, from + step / 4);
            copy<BYTES, PAST>(to, from + step / 2);
            copy<BYTES, PAST>(to, from + step / 4 * 3);
        }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) t[blockIdx.x] = clock64() - begin;
}

static uint32_t seed = 20;
static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

/* Where lane `lane` of a warp goes, in accesses, by the name of a pattern. */
static uint32_t place(int pattern, int lane, int bytes, const uint32_t *drawn)
{
    int line = 128 / bytes;
    switch (pattern) {
    case 0: return lane;                           /* in a row */
    case 1: return 2 * lane;                       /* every second */
    case 2: return 4 * lane;
    case 3: return lane * line;                    /* a line each: one bank */
    case 4: return lane ^ 1;
    case 5: return 0;                              /* one place */
    case 6: return lane / 4 * line + lane % 4;     /* 8 rows of four */
    case 7: return lane / 8 * 2 * line + lane % 8; /* four rows of eight, two lines apart */
    case 8: return drawn[lane] % 32;
    case 9: return drawn[lane] % (8 * line);
    default: return drawn[lane] % (64 * line);
    }
}

template <int BYTES, bool PAST> static void time_copies(const char *op)
{
    CHECK(cudaFuncSetAttribute(copies<BYTES, PAST>, cudaFuncAttributeMaxDynamicSharedMemorySize, 131072));
    static const int counts[] = {1, 4, 16};
    for (int k = 0; k < 11 * 11 + 60; k++) {
        sides s;
        uint32_t drawn[2][32];
        bool is_drawn = k >= 11 * 11;
        int a = is_drawn ? 8 + draw(3) : k / 11, b = is_drawn ? 8 + draw(3) : k % 11, off = k % 3 == 2 ? BYTES * (k % 4) : 0;
        for (int i = 0; i < 32; i++) { drawn[0][i] = draw(1 << 20); drawn[1][i] = draw(1 << 20); }
        s.mask = is_drawn && k % 2 ? draw(1 << 16) << 16 | draw(1 << 16) | 1 : 0xffffffff;
        for (int i = 0; i < 32; i++) {
            s.shared[i] = place(a, i, BYTES, drawn[0]) * BYTES + 1024;
            s.global[i] = place(b, i, BYTES, drawn[1]) * BYTES + off;
        }
        for (int w : counts)
            for (int mode = 0; mode < 2; mode++) {
                if (mode == 1 && (b > 3 || a % 2)) continue; /* other lines each time: of some */
                auto launch = [&](int turns) { copies<BYTES, PAST><<<1, 32 * w, 131072>>>(s, G, mode ? 1 << 20 : 0, turns, T); };
                double c = each(launch, 8, mode ? 24 : 40) / 4 / w;
                printf("%s,%08x,%d,%s,%.3f,", op, s.mask, w, mode ? "L2" : "same", c);
                for (int i = 0; i < 32; i++) printf("%s%u", i ? " " : "", s.shared[i]);
                printf(",");
                for (int i = 0; i < 32; i++) printf("%s%u", i ? " " : "", s.global[i]);
                printf("\n");
            }
    }
}

/* A copy and its wait, and several of them: how long a warp's data are on their way. */
template <int BYTES, bool PAST> __global__ void waits(const uint8_t *g, int n, int cold, clocks *t)
{
    extern __shared__ __align__(1024) uint8_t window[];
    uint32_t to = at(window) + threadIdx.x * BYTES;
    clocks sum = 0;
    for (int turn = 0; turn < 9; turn++) {
        const uint8_t *from = g + threadIdx.x * BYTES + (cold ? (turn + 1) * (1 << 20) : 0);
        __syncthreads();
        clocks begin = clock64();
        for (int i = 0; i < n; i++) copy<BYTES, PAST>(to + i * BYTES * blockDim.x, from + i * BYTES * blockDim.x);
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
        sum += turn > 0 ? clock64() - begin : 0;
    }
    if (threadIdx.x == 0) t[0] = sum / 8;
}

template <int BYTES, bool PAST> static void time_waits(const char *op)
{
    CHECK(cudaFuncSetAttribute((waits<BYTES, PAST>), cudaFuncAttributeMaxDynamicSharedMemorySize, 131072));
    for (int w = 1; w <= 16; w *= 4)
        for (int n = 1; n <= 8; n *= 2)
            for (int cold = 0; cold < 2; cold++) {
                auto launch = [&](int) { waits<BYTES, PAST><<<1, 32 * w, 131072>>>(G, n, cold, T); };
                launch(0); /* so that L2 has it */
                CHECK(cudaDeviceSynchronize());
                printf("wait,%s,%d,%d,%s,%lld\n", op, w, n, cold ? "L2" : "same", least(launch, 0));
            }
}

static void part_cpasync()
{
    printf("op,mask,warps,data,clocks,shared,global\n");
    time_copies<4, false>("ca4"); time_copies<8, false>("ca8"); time_copies<16, false>("ca16"); time_copies<16, true>("cg16");
}

static void part_waits()
{
    printf("kind,op,warps,requests,data,clocks\n");
    time_waits<4, false>("ca4"); time_waits<16, false>("ca16"); time_waits<16, true>("cg16");
}

/* ---- boxes ----------------------------------------------------------------------------------- */

struct corner { int at[5]; };
#define C1 "{%2}"
#define C2 "{%2, %3}"
#define C3 "{%2, %3, %4}"
#define C4 "{%2, %3, %4, %5}"
#define C5 "{%2, %3, %4, %5, %6}"
#define CORNER "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4])
#define LOAD(d) asm volatile("cp.async.bulk.tensor." #d "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, " C##d "], [%7];" ::"r"(tile), "l"(&map), CORNER, "r"(bar) : "memory")
#define STORE(d) asm volatile("cp.async.bulk.tensor." #d "d.global.shared::cta.bulk_group [%1, " C##d "], [%0];" ::"r"(tile), "l"(&map), CORNER : "memory")
#define REDUCE(d, op) asm volatile("cp.reduce.async.bulk.tensor." #d "d.global.shared::cta." op ".bulk_group [%1, " C##d "], [%0];" ::"r"(tile), "l"(&map), CORNER : "memory")
#define ADD(d) REDUCE(d, "add")

#define BY_DIMENSIONS(DO) if (D == 1) { DO(1); } else if (D == 2) { DO(2); } else if (D == 3) { DO(3); } else if (D == 4) { DO(4); } else { DO(5); }

/* WAY: 0 load, 1 store, 2 add, 3 and on the other reductions, of two dimensions. */
template <int D, int WAY> __device__ __forceinline__ void one(const CUtensorMap &map, const corner &c, uint32_t tile, uint32_t bar)
{
    if (WAY == 0) { BY_DIMENSIONS(LOAD) }
    else if (WAY == 1) { BY_DIMENSIONS(STORE) }
    else if (WAY == 2) { BY_DIMENSIONS(ADD) }
    else if (WAY == 3) REDUCE(2, "min");
    else if (WAY == 4) REDUCE(2, "max");
    else if (WAY == 5) REDUCE(2, "inc");
    else if (WAY == 6) REDUCE(2, "dec");
    else if (WAY == 7) REDUCE(2, "and");
    else if (WAY == 8) REDUCE(2, "or");
    else REDUCE(2, "xor");
}

/* n is a multiple of 4. */
template <int D, int WAY> __global__ void boxes(const __grid_constant__ CUtensorMap map, corner c, int last, int bytes, int n, clocks *t)
{
    extern __shared__ uint8_t raw[];
    uint32_t bar = (at(raw) + 1023) & ~1023u, tile = bar + 1024;
    if (threadIdx.x == 0) { bar_init(bar, 1); fence_init(); }
    __syncthreads();
    if (threadIdx.x > 0) return;
    c.at[D - 1] += last * blockIdx.x;
    for (int turn = 0; turn < 2; turn++) {
        int copies = turn == 0 ? 4 : n;
        clocks begin = clock64();
        if (WAY == 0) bar_expect(bar, bytes * copies);
        for (int i = 0; i < copies; i += 4) {
            one<D, WAY>(map, c, tile, bar);
            one<D, WAY>(map, c, tile, bar);
            one<D, WAY>(map, c, tile, bar);
            one<D, WAY>(map, c, tile, bar);
        }
        if (WAY == 0) bar_wait(bar, turn);
        else asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
        t[blockIdx.x] = clock64() - begin;
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

typedef void (*box_kernel)(const CUtensorMap, corner, int, int, int, clocks *);
static box_kernel kernel_of(int d, int way)
{
    static const box_kernel all[5][3] = {{boxes<1, 0>, boxes<1, 1>, boxes<1, 2>}, {boxes<2, 0>, boxes<2, 1>, boxes<2, 2>}, {boxes<3, 0>, boxes<3, 1>, boxes<3, 2>}, {boxes<4, 0>, boxes<4, 1>, boxes<4, 2>}, {boxes<5, 0>, boxes<5, 1>, boxes<5, 2>}};
    static const box_kernel others[] = {boxes<2, 3>, boxes<2, 4>, boxes<2, 5>, boxes<2, 6>, boxes<2, 7>, boxes<2, 8>, boxes<2, 9>};
    box_kernel k = way < 3 ? all[d - 1][way] : others[way - 3];
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    return k;
}

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
struct type { const char *name; CUtensorMapDataType type; int bytes; };
static const type u8 = {"u8", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1}, u16 = {"u16", CU_TENSOR_MAP_DATA_TYPE_UINT16, 2}, u32 = {"u32", CU_TENSOR_MAP_DATA_TYPE_UINT32, 4},
                  s32 = {"s32", CU_TENSOR_MAP_DATA_TYPE_INT32, 4}, u64 = {"u64", CU_TENSOR_MAP_DATA_TYPE_UINT64, 8}, s64 = {"s64", CU_TENSOR_MAP_DATA_TYPE_INT64, 8},
                  f16 = {"f16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2}, bf16 = {"bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2}, f32 = {"f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
                  f64 = {"f64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8};

/* A box of `box` elements in a tensor whose rows lie `pitch` bytes apart, whose higher dimensions follow one another with
 * `apart` boxes' sides between; from `first` on; every `step`-th element of the second dimension. */
struct shape { int n; int box[5]; int pitch; int first, swizzle, step; };
static const char *const swizzles[] = {"none", "32B", "64B", "128B"};

static void time_box(const type &ty, const shape &s, int way, const char *name)
{
    cuuint64_t side[5], stride[5];
    cuuint32_t box[5], step[5] = {1, (cuuint32_t)s.step, 1, 1, 1};
    corner c = {{s.first, 0, 0, 0, 0}};
    int rows = 1, bytes = s.box[0] * ty.bytes;
    for (int d = 0; d < s.n; d++) {
        side[d] = (d == 0 ? (cuuint64_t)s.pitch / ty.bytes : (cuuint64_t)s.box[d]) * (d == s.n - 1 ? 132 : 1);
        stride[d] = d == 0 ? ty.bytes : d == 1 ? s.pitch : stride[d - 1] * side[d - 1];
        box[d] = s.box[d];
        rows *= d == 0 ? 1 : d == 1 ? (s.box[d] + s.step - 1) / s.step : s.box[d];
    }
    CUtensorMap map;
    int error = encode(&map, ty.type, s.n, G, side, stride + 1, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)s.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    printf("%s,%s,%s,", name, ty.name, swizzles[s.swizzle]);
    for (int d = 0; d < s.n; d++) printf("%s%d", d ? "x" : "", s.box[d]);
    printf(",%d,%d,%d,", s.pitch, s.first * ty.bytes, s.step);
    if (error) { printf("refused\n"); return; }
    int many = std::min(60, 1000000 / (rows * bytes)) / 4 * 4, few = many > 16 ? many / 8 * 4 : 4;
    box_kernel k0 = kernel_of(s.n, way);
    double c1[2];
    for (int k = 0; k < 2; k++) {
        int grid = k == 0 ? 1 : 132;
        auto launch = [&](int n) { k0<<<grid, 32, 200000>>>(map, c, s.box[s.n - 1], rows * bytes, n, T); };
        c1[k] = each(launch, few, many);
    }
    printf("%.2f,%.2f\n", c1[0], c1[1]);
    fflush(stdout);
}

static void part_boxes()
{
    printf("way,type,swizzle,box,pitch,first,step,clocks,clocks_132\n");
    static const char *const ways[] = {"load", "store", "reduce"};
    for (int way = 0; way < 3; way++) {
        const type &ty = u32;
        for (int inner = 4; inner <= 64; inner *= 2) { /* 16 to 256 bytes */
            int sw = inner == 8 ? 1 : inner == 16 ? 2 : inner == 32 ? 3 : 0;
            shape some[] = {{1, {256}, 4096, 0, 0, 1}, {2, {inner, 64}, 1024, 0, sw, 1}, {3, {inner, 8, 8}, 1024, 0, sw, 1}, {3, {inner, 2, 32}, 1024, 0, sw, 1}, {3, {inner, 32, 2}, 1024, 0, sw, 1},
                            {4, {inner, 4, 4, 4}, 1024, 0, sw, 1}, {4, {inner, 8, 2, 4}, 1024, 0, sw, 1}, {4, {inner, 1, 8, 8}, 1024, 0, sw, 1}, {5, {inner, 4, 4, 2, 2}, 1024, 0, sw, 1}, {5, {inner, 2, 2, 4, 4}, 1024, 0, sw, 1},
                            {5, {inner, 2, 2, 2, 2}, 1024, 0, sw, 1}, {5, {inner, 1, 1, 1, 64}, 1024, 0, sw, 1}, {4, {inner, 3, 5, 7}, 1024, 0, sw, 1}, {3, {inner, 7, 11}, 2048, 0, sw, 1}};
            for (const shape &s : some) time_box(ty, s, way, ways[way]);
        }
        /* rows off a sector, by the first element and by the pitch */
        for (int inner : {4, 8, 12, 16, 20, 28, 32, 36, 60, 64})
            for (int rows : {16, 64})
                for (int pitch : {1024, 1040, 1056, 1072, 1136})
                    for (int first : {0, 4, 8, 12}) {
                        if (pitch != 1024 && (first > 4 || rows == 16)) continue;
                        time_box(ty, {2, {inner, rows}, pitch, first, 0, 1}, way, ways[way]);
                    }
        for (int first : {0, 4, 8, 12, 28}) time_box(ty, {2, {32, 64}, 1024, first, 3, 1}, way, ways[way]);
        /* tight tensors: rows in a row */
        for (int inner : {4, 8, 12, 16, 20, 24, 32, 48}) time_box(ty, {2, {inner, 64}, inner * 4, 0, 0, 1}, way, ways[way]);
        /* every second row, and so on; more than the tensor has */
        for (int step : {2, 3, 4, 8}) { time_box(ty, {2, {32, 64}, 1024, 0, 3, step}, way, ways[way]); time_box(ty, {2, {8, 64}, 1024, 0, 0, step}, way, ways[way]); }
        for (int out : {16, 128, 248}) time_box(ty, {2, {32, 64}, 1024, out + 4 - (out == 16 ? 4 : 0), 3, 1}, way, ways[way]);
        for (int rows : {4, 8, 16, 32, 128, 256}) { time_box(ty, {2, {32, rows}, 1024, 0, 3, 1}, way, ways[way]); time_box(ty, {2, {8, rows}, 1024, 0, 1, 1}, way, ways[way]); time_box(ty, {2, {4, rows}, 1024, 0, 0, 1}, way, ways[way]); }
    }
    for (const type *ty : {&u8, &u16, &u64}) /* the element's size */
        for (int way = 0; way < 2; way++) { time_box(*ty, {2, {128 / ty->bytes, 64}, 1024, 0, 3, 1}, way, ways[way]); time_box(*ty, {3, {32 / ty->bytes, 4, 16}, 1024, 0, 1, 1}, way, ways[way]); }
}

/* ---- beyond the tensor ----------------------------------------------------------------------- */

/* A box of u32 that begins `before` columns and rows in front of the tensor, or ends so many behind it; once: of 16 copies
 * alone, for a profiler. The first column is at 16 bytes: others are an illegal instruction. */
static void time_beyond(int way, int swizzle, int inner, int rows, int columns_out, int rows_out, bool is_before, bool once)
{
    static const char *const ways[] = {"load", "store", "reduce"};
    enum { COLUMNS = 256, ROWS = 1024 };
    cuuint64_t side[] = {COLUMNS, ROWS}, stride[] = {COLUMNS * 4};
    cuuint32_t box[] = {(cuuint32_t)inner, (cuuint32_t)rows}, step[] = {1, 1};
    corner c = {{is_before ? -columns_out : COLUMNS - inner + columns_out, is_before ? -rows_out : ROWS - rows + rows_out, 0, 0, 0}};
    CUtensorMap map;
    CHECK(encode(&map, u32.type, 2, G, side, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    box_kernel k = kernel_of(2, way);
    auto launch = [&](int n) { k<<<1, 32, 200000>>>(map, c, 0, rows * inner * 4, n, T); };
    printf("%s,%s,%dx%d,%d,%d,%s", ways[way], swizzles[swizzle], inner, rows, columns_out, rows_out, is_before ? "before" : "behind");
    if (once) { launch(12); CHECK(cudaDeviceSynchronize()); printf("\n"); }
    else printf(",%.2f\n", each(launch, 8, 60));
    fflush(stdout);
}

static void part_beyond(bool once)
{
    struct { int swizzle, inner, rows; } some[] = {{3, 32, 64}, {0, 32, 64}, {1, 8, 64}, {0, 4, 64}, {0, 64, 32}, {3, 32, 256}};
    printf("way,swizzle,box,columns_beyond,rows_beyond,where%s\n", once ? "" : ",clocks");
    for (int way = 0; way < 3; way++)
        for (auto &s : some)
            for (int is_before = 0; is_before < (way == 0 ? 2 : 1); is_before++) { /* a store in front is an illegal instruction */
                for (int out : {0, 1, s.rows / 4, s.rows / 2, s.rows - 1, s.rows}) if (out > 0 || is_before == 0) time_beyond(way, s.swizzle, s.inner, s.rows, 0, out, is_before, once);
                for (int out : {4, 8, 12, 16, 20, 24, 28, 32, 60, 64}) if (out <= s.inner) time_beyond(way, s.swizzle, s.inner, s.rows, out, 0, is_before, once);
                if (s.inner / 2 % 4 == 0) time_beyond(way, s.swizzle, s.inner, s.rows, s.inner / 2, s.rows / 2, is_before, once);
            }
}

/* Bytes in a row. */

#define BULK(n, op, ty) if (KIND == n) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." op "." ty " [%0], [%1], %2;" ::"l"(g), "r"(tile), "r"(bytes) : "memory");
static const char *const bulk_names[] = {"add.u32", "add.s32", "add.u64", "inc.u32", "dec.u32", "min.u32", "max.s32", "min.u64", "max.s64", "and.b32", "or.b64", "xor.b32", "add.f16", "add.bf16", "add.f32", "add.f64", "min.f16", "max.bf16"};
template <int KIND> __global__ void bulks(uint8_t *g, int bytes, int n, clocks *t)
{
    extern __shared__ uint8_t raw[];
    uint32_t tile = (at(raw) + 1023) & ~1023u;
    g += blockIdx.x * bytes;
    for (int turn = 0; turn < 2; turn++) {
        clocks begin = clock64();
        #pragma unroll 4
        for (int i = 0; i < (turn == 0 ? 4 : n); i++) {
            BULK(0, "add", "u32") BULK(1, "add", "s32") BULK(2, "add", "u64") BULK(3, "inc", "u32") BULK(4, "dec", "u32") BULK(5, "min", "u32") BULK(6, "max", "s32")
            BULK(7, "min", "u64") BULK(8, "max", "s64") BULK(9, "and", "b32") BULK(10, "or", "b64") BULK(11, "xor", "b32") BULK(12, "add.noftz", "f16") BULK(13, "add.noftz", "bf16")
            BULK(14, "add", "f32") BULK(15, "add", "f64") BULK(16, "min", "f16") BULK(17, "max", "bf16")
        }
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
        t[blockIdx.x] = clock64() - begin;
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
template <int KIND> static void time_bulk()
{
    CHECK(cudaFuncSetAttribute(bulks<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    for (int bytes : {16, 32, 48, 64, 128, 2048, 8192}) {
        auto launch = [&](int n) { bulks<KIND><<<1, 1, 200000>>>(G, bytes, n, T); };
        auto wide = [&](int n) { bulks<KIND><<<132, 1, 200000>>>(G, bytes, n, T); };
        printf("%s,bulk,none,%d,0,0,1,%.2f,", bulk_names[KIND], bytes, each(launch, 8, 40));
        printf("%.2f\n", each(wide, 8, 40));
    }
}


/* One of them: the others follow in other processes, as what is not to be had ends one. */
static void part_reduces(int which)
{
    static const char *const ways[] = {"", "", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
    int n = 0;
    if (which < 0) printf("op,type,swizzle,box,pitch,first,step,clocks,clocks_132\n");
    for (int way = 2; way < 10; way++)
        for (const type *ty : {&u32, &s32, &u64, &s64, &f16, &bf16, &f32, &f64}) {
            if (n++ != which) continue;
            time_box(*ty, {2, {128 / ty->bytes, 64}, 1024, 0, 3, 1}, way, ways[way]);
            time_box(*ty, {2, {32 / ty->bytes, 64}, 1024, 0, 1, 1}, way, ways[way]);
            time_box(*ty, {2, {16 / ty->bytes, 64}, 1024, 0, 0, 1}, way, ways[way]);
        }
    void (*const bulk[])() = {time_bulk<0>, time_bulk<1>, time_bulk<2>, time_bulk<3>, time_bulk<4>, time_bulk<5>, time_bulk<6>, time_bulk<7>, time_bulk<8>, time_bulk<9>, time_bulk<10>, time_bulk<11>, time_bulk<12>, time_bulk<13>, time_bulk<14>, time_bulk<15>, time_bulk<16>, time_bulk<17>};
    if (which >= n && which < n + 18) bulk[which - n]();
}

/* ---- multicast ------------------------------------------------------------------------------- */


/* HOW: 0 each block loads the whole tile; 1 each a part, for all blocks of the cluster; 2 the first block for all. n is a
 * multiple of 4. */
template <int HOW> __global__ void spread(const __grid_constant__ CUtensorMap map, int rows, int row_bytes, int apart, int n, clocks *t)
{
    extern __shared__ uint8_t raw[];
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t bar = (at(raw) + 1023) & ~1023u, tile = bar + 1024, rank = cluster.block_rank(), ranks = cluster.num_blocks();
    if (threadIdx.x == 0) { bar_init(bar, 1); fence_init(); }
    __syncthreads();
    for (int turn = 0; turn < 2; turn++) {
        int copies = turn == 0 ? 4 : n, y = blockIdx.x / ranks * apart;
        int box = HOW == 1 ? rows / ranks : rows;
        if (threadIdx.x == 0) bar_expect(bar, copies * rows * row_bytes);
        cluster.sync();
        clocks begin = clock64();
        if (threadIdx.x == 0) {
            uint16_t all = (uint16_t)((1 << ranks) - 1);
            uint32_t to = HOW == 1 ? tile + rank * box * row_bytes : tile;
            if (HOW == 1) y += rank * box;
            if (HOW != 2 || rank == 0)
                for (int i = 0; i < copies; i += 4) {
                    #pragma unroll
                    for (int j = 0; j < 4; j++)
                        if (HOW == 0) asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(&map), "r"(0), "r"(y), "r"(bar) : "memory");
                        else asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to), "l"(&map), "r"(0), "r"(y), "r"(bar), "h"(all) : "memory");
                }
            bar_wait(bar, turn);
            t[blockIdx.x] = clock64() - begin;
        }
        cluster.sync();
    }
}

static void part_multicast()
{
    printf("cluster,how,grid,swizzle,inner_bytes,rows,clocks,one\n");
    void (*const kernels[])(const CUtensorMap, int, int, int, int, clocks *) = {spread<0>, spread<1>, spread<2>};
    for (auto k : kernels) CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000));
    for (int size : {2, 4, 8})
        for (int clusters : {1, size == 8 ? 8 : 128 / size})
            for (int inner : {16, 32, 64, 128})
                for (int rows : {8, 32, 64, 128, 256})
                    for (int how = 0; how < 3; how++) {
                        int box = how == 1 ? rows / size : rows, bytes = rows * inner;
                        if (box < 1 || (how == 1 && box * inner % 128 != 0) || (clusters > 1 && inner < 64)) continue;
                        int swizzle = inner == 16 ? 0 : inner == 32 ? 1 : inner == 64 ? 2 : 3;
                        cuuint64_t side[2] = {256, 65536}, stride[1] = {256};
                        cuuint32_t b[2] = {(cuuint32_t)inner, (cuuint32_t)box}, es[2] = {1, 1};
                        CUtensorMap map;
                        CHECK(encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, G, side, stride, b, es, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
                        cudaLaunchConfig_t config = {};
                        cudaLaunchAttribute attribute;
                        attribute.id = cudaLaunchAttributeClusterDimension;
                        attribute.val.clusterDim.x = size; attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
                        config.gridDim = dim3(size * clusters); config.blockDim = dim3(32); config.dynamicSmemBytes = 120000; config.attrs = &attribute; config.numAttrs = 1;
                        auto launch = [&](int n) { CHECK(cudaLaunchKernelEx(&config, kernels[how], map, rows, inner, 256, n, T)); };
                        int many = std::min(60, 1000000 / bytes) / 4 * 4;
                        double c = each(launch, many > 16 ? many / 8 * 4 : 4, many);
                        printf("%d,%s,%d,%s,%d,%d,%.2f,%lld\n", size, how == 0 ? "each" : how == 1 ? "parts" : "first", size * clusters, swizzles[swizzle], inner, rows, c, least(launch, 4));
                        fflush(stdout);
                    }
}

/* ---- ways between blocks --------------------------------------------------------------------- */


#define ARRIVE(b) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory")
#define WAIT_CLUSTER(b, i) asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}\n" ::"r"(b), "r"((i) & 1) : "memory")
/* WHAT: 0 remote arrive, 1 st.async, 2 red.async, 3 bulk copy of `bytes`, 4 the cluster's barrier: two blocks by turns. 10 and on:
 * back to back; both: both blocks. */
template <int WHAT> __device__ __forceinline__ void send(uint32_t word, uint32_t to, uint32_t data, uint32_t there, int bytes, int i)
{
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = 0;
    switch (WHAT) {
    case 0: ARRIVE(there); break;
    case 1: asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to), "r"(i), "r"(there) : "memory"); break;
    case 2: asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];" ::"r"(to), "r"(i), "r"(there) : "memory"); break;
    case 3: asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "r"(data), "r"(bytes), "r"(there) : "memory"); break;
    case 10: asm volatile("ld.volatile.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(word) : "memory"); break;
    case 11: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(word), "r"(i) : "memory"); break;
    case 12: asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to + 16 * lane + 512 * warp), "r"(i) : "memory"); break;
    case 13: asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(word), "r"(i) : "memory"); break;
    case 14: asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(word), "r"(i) : "memory"); break;
    case 15: asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(word), "r"(i), "r"(there + 8) : "memory"); break;
    case 16: asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(word), "r"(i), "r"(there + 8) : "memory"); break;
    case 17: if (lane == 0) ARRIVE(there + 8); break;
    case 18: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to + 128 * lane + 4 * warp), "r"(i) : "memory"); break;
    case 19: asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(to + 128 * lane + 4 * warp), "r"(i) : "memory"); break;
    case 20: asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to + 144 * lane + 16 * warp), "r"(i) : "memory"); break;
    case 21: asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "r"(data), "r"(bytes), "r"(there + 8) : "memory"); break;
    }
}
template <int WHAT> __global__ void ways(int bytes, int both, int n, clocks *t)
{
    extern __shared__ __align__(1024) uint8_t raw[];
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t bar = at(raw), data = bar + 1024, rank = cluster.block_rank(), there = peer_of(bar, 1 - rank), to = peer_of(data + 65536, 1 - rank);
    uint32_t word = to + 4 * (threadIdx.x % 32) + 512 * (threadIdx.x / 32);
    if (threadIdx.x == 0) { bar_init(bar, 1); bar_init(bar + 8, 32); fence_init(); }
    for (int i = threadIdx.x; i < 40000; i += blockDim.x) ((uint32_t *)(raw + 1024))[i] = 0;
    cluster.sync();
    clocks begin = clock64();
    if (WHAT == 4)
        for (int i = 0; i < n; i++) { asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory"); }
    else if (WHAT < 4) {
        if (threadIdx.x == 0 && rank == 0)
            for (int i = 0; i < n; i++) {
                if (WHAT != 0) bar_expect(bar, WHAT == 3 ? bytes : 4);
                send<WHAT>(word, to, data, there, bytes, i);
                WAIT_CLUSTER(bar, i);
            }
        if (threadIdx.x == 0 && rank == 1)
            for (int i = 0; i < n; i++) {
                if (WHAT != 0) bar_expect(bar, WHAT == 3 ? bytes : 4);
                WAIT_CLUSTER(bar, i);
                send<WHAT>(word, to, data, there, bytes, i);
            }
    } else if ((rank == 0 || both) && (WHAT != 21 || threadIdx.x == 0)) {
        #pragma unroll 8
        for (int i = 0; i < n; i++) send<WHAT>(word, to, data, there, bytes, i);
    }
    if (WHAT == 21 && (both || rank == 1) && threadIdx.x == 0) {
        bar_expect(bar + 8, bytes * n); /* of 32 arrivals */
        for (int i = 0; i < 31; i++) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar + 8) : "memory");
        WAIT_CLUSTER(bar + 8, 0);
    }
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) t[blockIdx.x] = clock64() - begin;
    cluster.sync();
}


template <int WHAT> static void way(const char *name, int warps, int bytes, int both, int few, int many, int per)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2; attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(2); config.blockDim = dim3(32 * warps); config.dynamicSmemBytes = 200000; config.attrs = &attribute; config.numAttrs = 1;
    CHECK(cudaFuncSetAttribute(ways<WHAT>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    auto launch = [&](int n) { CHECK(cudaLaunchKernelEx(&config, ways<WHAT>, bytes, both, n, T)); };
    printf("%s,%d,%d,%s,%.2f\n", name, warps, bytes, both ? "both" : "one", each(launch, few, many) / per);
    fflush(stdout);
}

static void part_ways()
{
    printf("what,warps,bytes,ways,clocks\n");
    way<0>("round of arrive", 1, 0, 0, 10, 50, 1);
    way<1>("round of st.async", 1, 0, 0, 10, 50, 1);
    way<2>("round of red.async", 1, 0, 0, 10, 50, 1);
    for (int bytes : {16, 128, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}) way<3>("round of bulk", 1, bytes, 0, 10, 50, 1);
    for (int w : {1, 4, 16}) way<4>("barrier.cluster", w, 0, 0, 10, 50, 1);
    for (int both = 0; both < 2; both++)
        for (int w : {1, 2, 4, 8, 16}) {
            way<10>("ld", w, 0, both, 40, 200, w);
            way<11>("st", w, 0, both, 40, 200, w);
            way<12>("st.v4", w, 0, both, 40, 200, w);
            way<13>("red.add", w, 0, both, 40, 200, w);
            way<14>("atom.add", w, 0, both, 40, 200, w);
            way<15>("st.async", w, 0, both, 40, 200, w);
            way<16>("red.async", w, 0, both, 40, 200, w);
            way<17>("arrive", w, 0, both, 40, 200, w);
            way<18>("st, a line a lane", w, 0, both, 40, 200, w);
            way<19>("red, a line a lane", w, 0, both, 40, 200, w);
            way<20>("st.v4, rows of 144", w, 0, both, 40, 200, w);
        }
    for (int both = 0; both < 2; both++)
        for (int bytes : {16, 64, 128, 512, 2048, 8192, 16384}) way<21>("bulk", 1, bytes, both, 8, 40, 1);
}

/* ---- halves ---------------------------------------------------------------------------------- */

enum { COPIES = 256 };

/* Sixteen warps load a line of shared memory while bulk copies leave from a tile: the clocks that 128 bytes of them take, of each
 * tile. Of several blocks of an SM one works, by `turn`. */
__global__ void __launch_bounds__(544, 1) halves(uint8_t *g, int tiles, int line, int turn, int blocks, volatile int *order, float *ratio)
{
    extern __shared__ __align__(1024) uint8_t raw[];
    __shared__ volatile int mine;
    uint32_t sm, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    if (threadIdx.x == 0) { mine = sm == 0 ? atomicAdd((int *)order, 1) : -1; ratio[1023] = at(raw);
        for (int i = 0; i < 1000000 && order[0] < blocks; i++) { } }
    __syncthreads();
    if (mine < 0) return;
    if (mine != turn) { /* stays, so that the other keeps its place */
        if (threadIdx.x == 0) for (int i = 0; i < 10000000 && order[1] == 0; i++) { }
        return;
    }
    clocks alone = 0;
    for (int tile = -2; tile < tiles; tile++) {
        __syncthreads();
        if (warp == 16) {
            if (lane == 0 && tile >= 0)
                for (int k = 0; k < COPIES / 4; k++) {
                    #pragma unroll
                    for (int i = 0; i < 4; i++) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 2048;" ::"l"(g), "r"(at(raw) + tile * 2048) : "memory");
                    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 2;" ::: "memory");
                }
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        } else {
            uint32_t from = at(raw) + line + lane % 8 * 128 + lane / 8 * 4, v, sum = 0; /* eight ways */
            clocks begin = clock64();
            for (int i = 0; i < 100; i++) { asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(from)); sum += v;
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(from)); sum += v;
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(from)); sum += v;
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(from)); sum += v; }
            asm volatile("" ::"r"(sum));
            asm volatile("bar.sync 1, 512;");
            if (threadIdx.x == 0) {
                clocks c = clock64() - begin;
                if (tile < 0) alone = c; else ratio[tile] = (float)(c - alone) / (COPIES * 2048 / 128);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) { __threadfence(); order[1] = 1; }
}

static void part_halves()
{
    printf("blocks_per_sm,block,carveout_kib,shared_bytes,begins_at,line_at,clocks_taken_by_128_bytes_of_each_2048\n");
    int *order; float *ratio;
    CHECK(cudaMallocHost(&ratio, 4096)); CHECK(cudaMalloc(&order, 8));
    struct { int blocks, carveout, kib; } cases[] = {{1, 228, 226}, {1, 228, 100}, {1, 228, 32}, {1, 196, 194}, {1, 164, 162}, {1, 132, 130}, {1, 132, 64}, {1, 100, 98}, {1, 64, 62}, {1, 32, 30}, {1, 16, 14}, {2, 228, 110}, {2, 228, 90}, {2, 164, 80}, {2, 132, 64}, {3, 228, 72}, {3, 228, 50}};
    for (auto &c : cases)
        for (int turn = 0; turn < c.blocks; turn++)
            for (int where = 0; where < 2; where++) {
                int bytes = c.kib * 1024 - 64, tiles = bytes / 2048, line = where == 0 ? 0 : bytes / 128 * 128 - 1024;
                CHECK(cudaFuncSetAttribute(halves, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
                CHECK(cudaFuncSetAttribute(halves, cudaFuncAttributePreferredSharedMemoryCarveout, (c.carveout * 100 + 227) / 228));
                CHECK(cudaMemset(order, 0, 8));
                memset(ratio, 0, 4096);
                halves<<<132 * c.blocks, 544, bytes>>>(G, tiles, line, turn, c.blocks, order, ratio);
                CHECK(cudaDeviceSynchronize());
                printf("%d,%d,%d,%d,%.0f,%d,", c.blocks, turn, c.carveout, bytes, ratio[1023], line);
                for (int i = 0; i < tiles; i++) printf("%s%.2f", i ? " " : "", ratio[i]);
                printf("\n");
                fflush(stdout);
            }
}

int main(int argc, char **argv)
{
    cudaDriverEntryPointQueryResult q;
    cudaDeviceProp p;
    std::string part = argc > 1 ? argv[1] : "";
    CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &q));
    CHECK(cudaMalloc(&G, G_BYTES));
    CHECK(cudaMemset(G, 0, G_BYTES));
    CHECK(cudaMallocHost(&T, 4096 * sizeof *T));
    CHECK(cudaGetDeviceProperties(&p, 0));
    if (argc < 3) printf("# GPU: %s, compute capability %d.%d\n", p.name, p.major, p.minor);
    if (part == "cpasync") part_cpasync();
    if (part == "waits") part_waits();
    if (part == "boxes") part_boxes();
    if (part == "reduces") part_reduces(argc > 2 ? atoi(argv[2]) : -1);
    if (part == "beyond") part_beyond(argc > 2);
    if (part == "multicast") part_multicast();
    if (part == "ways") part_ways();
    if (part == "halves") part_halves();
    return 0;
}
