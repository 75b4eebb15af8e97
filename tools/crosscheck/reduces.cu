/* reduces.cu - reductions of boxes by TMA (cp.reduce.async.bulk.tensor), every operation and type: what a GPU leaves in memory, to hold
 * banksim's to (tests/measured/h100/async/reduces.txt). Rows are launches as banksim writes them, and a checksum (64 bits, FNV-1a) of the
 * array that was reduced into; or the error that ended the launch.
 *
 *     nvcc -O2 -gencode arch=compute_90a,code=sm_90a -std=c++17 -o reduces reduces.cu
 *     nvcc -O2 -arch=sm_90a -std=c++17 -ptx -o reduces.ptx reduces.cu
 *     : >rows; until ./reduces $(wc -l <rows) >>rows; do :; done
 *
 * A launch that faults ends the program, which begins again behind that one.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

#define MAP const __grid_constant__ CUtensorMap
#define WORDS 4096 /* of a tile */

struct corner {
    int at[5];
};

enum what { DRAWN, FEW, EDGES }; /* all bits, small whole numbers, and those at which numbers of a type are special */
enum kind { WHOLE, HALF, BFLOAT, FLOAT, DOUBLE };

__device__ uint32_t mix(uint32_t n)
{
    n = (n ^ n >> 16) * 0x85ebca6bu;
    n = (n ^ n >> 13) * 0xc2b2ae35u;
    return n ^ n >> 16;
}

/* 0, -0, NaN, -infinity, the least above and below 0, 1, -2; of whole numbers 0 to 3, -1, -2 and the ends. */
__device__ uint32_t edge(kind k, uint32_t n)
{
    const uint32_t halves[8] = {0, 0x8000, 0x7e01, 0xfc00, 1, 0x8001, 0x3c00, 0xc000}, bfloats[8] = {0, 0x8000, 0x7fc1, 0xff80, 1, 0x8001, 0x3f80, 0xc000},
                   words[8] = {0, 0x80000000, 0x7fc00123, 0xff800000, 1, 0x80000001, 0x3f800000, 0xc0000000}, whole[8] = {0, 1, 2, 3, 0xffffffff, 0xfffffffe, 0x80000000, 0x7fffffff};
    return k == HALF ? halves[n % 8] | halves[n / 8 % 8] << 16 : k == BFLOAT ? bfloats[n % 8] | bfloats[n / 8 % 8] << 16 : k == WHOLE ? whole[n % 8] : words[n % 8];
}

/* Word i of an array of numbers of the kind. Doubles are only those that are floats. */
__device__ uint32_t word(kind k, what w, uint32_t i, uint32_t seed)
{
    uint32_t n = mix(i + seed);
    if (w == DRAWN)
        return n;
    if (k == DOUBLE) {
        uint64_t d = __double_as_longlong((double)__uint_as_float(w == FEW ? __float_as_uint((float)(int)(mix(i / 2 + seed) % 9) - 4) : edge(FLOAT, mix(i / 2 + seed))));
        return (uint32_t)(i % 2 ? d >> 32 : d);
    }
    if (w == EDGES)
        return edge(k, n);
    uint32_t few = n % 9, more = n / 9 % 9;
    const uint32_t halves[9] = {0xc400, 0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200, 0x4400}, bfloats[9] = {0xc080, 0xc040, 0xc000, 0xbf80, 0, 0x3f80, 0x4000, 0x4040, 0x4080};
    return k == HALF ? halves[few] | halves[more] << 16 : k == BFLOAT ? bfloats[few] | bfloats[more] << 16 : k == FLOAT ? __float_as_uint((float)few - 4) : few;
}

#define C1 "{%2}"
#define C2 "{%2, %3}"
#define C3 "{%2, %3, %4}"
#define C4 "{%2, %3, %4, %5}"
#define C5 "{%2, %3, %4, %5, %6}"
#define CORNER "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4])
#define REDUCE(d, op)                                                                                                     \
    asm volatile("cp.reduce.async.bulk.tensor." #d "d.global.shared::cta." op ".bulk_group [%1, " C##d "], [%0];" ::"r"(from), \
                 "l"(&map), CORNER : "memory")
#define BY_DIMENSIONS(op)                                                                                                 \
    switch (n_dims) {                                                                                                     \
    case 1: REDUCE(1, op); break;                                                                                         \
    case 2: REDUCE(2, op); break;                                                                                         \
    case 3: REDUCE(3, op); break;                                                                                         \
    case 4: REDUCE(4, op); break;                                                                                         \
    default: REDUCE(5, op);                                                                                               \
    }                                                                                                                     \
    break;

/* The array gets `words` words, the tile others; one copy reduces a box of it into the array. */
extern "C" __global__ void reduced(uint32_t *array, int words, MAP map, int op, int n_dims, corner c, int k, int w)
{
    __shared__ alignas(1024) uint32_t tile[WORDS];
    uint32_t from = (uint32_t)__cvta_generic_to_shared(tile);
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        array[i] = word((kind)k, (what)w, i, 0x10000);
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        tile[i] = word((kind)k, (what)w, i, 0);
    __threadfence();
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        switch (op) {
        case 0: BY_DIMENSIONS("add")
        case 1: BY_DIMENSIONS("min")
        case 2: BY_DIMENSIONS("max")
        case 3: BY_DIMENSIONS("inc")
        case 4: BY_DIMENSIONS("dec")
        case 5: BY_DIMENSIONS("and")
        case 6: BY_DIMENSIONS("or")
        default: BY_DIMENSIONS("xor")
        }
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

/* ---- the rows -------------------------------------------------------------------------------- */

typedef CUresult (*encode_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                             const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encode_t encode;
static int first, number;

static unsigned long long checksum(const unsigned char *p, size_t n)
{
    unsigned long long h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

struct type {
    const char *name;
    CUtensorMapDataType type;
    int bytes;
    kind k;
};
static const type types[] = {{"uint", CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, WHOLE}, {"int", CU_TENSOR_MAP_DATA_TYPE_INT32, 4, WHOLE},
                             {"ulong", CU_TENSOR_MAP_DATA_TYPE_UINT64, 8, WHOLE}, {"long", CU_TENSOR_MAP_DATA_TYPE_INT64, 8, WHOLE},
                             {"half", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, HALF}, {"__nv_bfloat16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, BFLOAT},
                             {"float", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, FLOAT}, {"double", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, DOUBLE},
                             {"uchar", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, WHOLE}, {"ushort", CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, WHOLE}};
static const char *const swizzles[] = {"none", "32B", "64B", "128B"};

/* Sides and boxes of the first dimension in bytes. */
struct shape {
    int n, side[5], box[5], corner[5], swizzle;
};

static void row(const type &t, int op, shape s, what w)
{
    cuuint64_t side[5], stride[5];
    cuuint32_t box[5], step[] = {1, 1, 1, 1, 1};
    size_t bytes = t.bytes;
    corner c;
    if (number++ < first)
        return;
    s.side[0] /= t.bytes, s.box[0] /= t.bytes, s.corner[0] /= t.bytes;
    for (int d = 0; d < 5; d++) {
        side[d] = s.side[d], box[d] = s.box[d], c.at[d] = s.corner[d];
        stride[d] = bytes;
        bytes *= d < s.n ? s.side[d] : 1;
    }
    uint32_t *array;
    CUtensorMap map;
    cudaMalloc(&array, bytes);
    int error = encode(&map, t.type, s.n, array, side, stride + 1, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)s.swizzle,
                       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    printf("reduced<<<1, 64>>>(uint[%zu], %zu, tensormap %s", bytes / 4, bytes / 4, t.name);
    for (int d = 0; d < s.n; d++)
        printf("%s%d", d ? "x" : " ", s.side[d]);
    for (int d = 0; d < s.n; d++)
        printf("%s%d", d ? "x" : " box=", s.box[d]);
    printf(" swizzle=%s of 0, %d, %d, {%d, %d, %d, %d, %d}, %d, %d)", swizzles[s.swizzle], op, s.n, c.at[0], c.at[1], c.at[2], c.at[3], c.at[4], t.k, w);
    if (error) {
        printf(" refused\n");
        cudaFree(array);
        return;
    }
    reduced<<<1, 64>>>(array, (int)(bytes / 4), map, op, s.n, c, t.k, w);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf(" %s\n", e == cudaErrorIllegalInstruction ? "illegal" : e == cudaErrorMisalignedAddress ? "misaligned" : cudaGetErrorString(e));
        exit(1);
    }
    unsigned char *host = (unsigned char *)malloc(bytes);
    cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
    printf(" 0 %016llx\n", checksum(host, bytes));
    free(host);
    cudaFree(array);
}

int main(int argc, char **argv)
{
    static const shape shapes[] = {{2, {256, 40}, {128, 24}, {64, 5}, 3}, {2, {272, 40}, {16, 24}, {48, 20}, 0}, {1, {4096}, {256}, {3968}, 0},
                                   {3, {160, 6, 5}, {32, 3, 2}, {144, 2, 4}, 1}, {4, {128, 5, 4, 3}, {64, 2, 3, 2}, {64, 4, 1, 2}, 2}, {5, {64, 5, 4, 3, 3}, {32, 3, 2, 3, 2}, {16, 1, 3, 1, 1}, 0}};
    first = argc > 1 ? atoi(argv[1]) : 0;
    cudaDriverEntryPointQueryResult q;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &q);
    for (int op = 0; op < 8; op++)
        for (int t = 0; t < 10; t++) {
            bool whole = types[t].k == WHOLE, wide = t < 8;
            bool takes = wide && (op == 0 || (op < 3 ? t < 6 : op < 5 ? t == 0 : whole));
            if (!takes) {
                row(types[t], op, shapes[0], FEW);
                continue;
            }
            for (int w = 0; w < 3; w++)
                row(types[t], op, shapes[0], (what)w);
            for (int s = 1; s < 6; s++)
                row(types[t], op, shapes[s], (what)(s % 3));
        }
    return 0;
}
