/* tensors.cu - boxes that TMA copies and products of wgmma: what an H200 leaves in memory, to hold banksim's to
 * (tests/measured/h200/async/tensors.txt). Rows are launches as banksim writes them, and a checksum
 * (64 bits, FNV-1a) of the array of the argument behind it.
 *
 *     nvcc -O2 -gencode arch=compute_90a,code=sm_90a -std=c++17 -o tensors tensors.cu
 *     nvcc -O2 -arch=sm_90a -std=c++17 -ptx -o tensors.ptx tensors.cu
 *     : >rows; until ./tensors $(wc -l <rows) >>rows; do :; done
 *
 * A launch that faults ends the program, which begins again behind that one. It runs by `banksim cuda`, too.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

#define MAP const __grid_constant__ CUtensorMap
#define WORDS 4096 /* of a tile, and of what is stored of it */

struct corner {
    int at[5];
};

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__host__ __device__ uint32_t mix(uint32_t n)
{
    n = (n ^ n >> 16) * 0x85ebca6bu;
    n = (n ^ n >> 13) * 0xc2b2ae35u;
    return n ^ n >> 16;
}

__device__ void fence_proxy()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* ---- boxes ----------------------------------------------------------------------------------- */

#define C1 "{%3}"
#define C2 "{%3, %4}"
#define C3 "{%3, %4, %5}"
#define C4 "{%3, %4, %5, %6}"
#define C5 "{%3, %4, %5, %6, %7}"
#define CORNER "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4])
#define LOAD(d)                                                                                                       \
    asm volatile("cp.async.bulk.tensor." #d "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, " C##d  \
                 "], [%2];" ::"r"(to), "l"(&map), "r"(barrier), CORNER : "memory")
#define STORE(d)                                                                                                      \
    asm volatile("cp.async.bulk.tensor." #d "d.global.shared::cta.bulk_group [%0, " C##d "], [%1];" ::"l"(&map),      \
                 "r"(from), "r"(0), CORNER : "memory")
#define ADD(d)                                                                                                        \
    asm volatile("cp.reduce.async.bulk.tensor." #d "d.global.shared::cta.add.bulk_group [%0, " C##d "], [%1];" ::"l"( \
                     &map), "r"(from), "r"(0), CORNER : "memory")
#define BY_DIMENSIONS(DO)                                                                                             \
    switch (n_dims) {                                                                                                 \
    case 1: DO(1); break;                                                                                             \
    case 2: DO(2); break;                                                                                             \
    case 3: DO(3); break;                                                                                             \
    case 4: DO(4); break;                                                                                             \
    default: DO(5);                                                                                                   \
    }

/* What lies in shared memory behind a load of a box; what nobody wrote is 0xa5. */
extern "C" __global__ void loaded(MAP map, uint32_t *out, int n_dims, corner c, int bytes, int offset)
{
    __shared__ alignas(1024) uint32_t tile[WORDS];
    __shared__ uint64_t full;
    uint32_t barrier = at(&full), to = at(tile) + offset;
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        tile[i] = 0xa5a5a5a5;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
    fence_proxy();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
        BY_DIMENSIONS(LOAD)
    }
    asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra WAIT;\n}" ::"r"(barrier) : "memory");
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        out[i] = tile[i];
}

/* Drawn words are stored, or added. */
extern "C" __global__ void stored(MAP map, int n_dims, corner c, int offset, int adds)
{
    __shared__ alignas(1024) uint32_t tile[WORDS];
    uint32_t from = at(tile) + offset;
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        tile[i] = mix(i);
    fence_proxy();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (adds)
            BY_DIMENSIONS(ADD)
        else
            BY_DIMENSIONS(STORE)
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

/* ---- products -------------------------------------------------------------------------------- */

enum kind { F16, BF16, TF32, E4M3, E5M2, WHOLE };

/* A word of numbers of the kind, finite and not too far from 1. */
__device__ uint32_t numbers(kind k, uint32_t w)
{
    uint32_t to = 0;
    switch (k) {
    case F16:
        for (int i = 0; i < 32; i += 16)
            to |= ((w >> i & 0x83ff) | (9 + (w >> i >> 10 & 31) % 13) << 10) << i;
        return to;
    case BF16:
        for (int i = 0; i < 32; i += 16)
            to |= ((w >> i & 0x807f) | (121 + (w >> i >> 7 & 255) % 13) << 7) << i;
        return to;
    case TF32:
        return (w & 0x807fffff) | (118 + (w >> 23 & 255) % 17) << 23;
    case E4M3:
        for (int i = 0; i < 32; i += 8)
            to |= ((w >> i & 0x7f) == 0x7f ? w >> i & 0xfe : w >> i & 0xff) << i;
        return to;
    case E5M2:
        for (int i = 0; i < 32; i += 8)
            to |= ((w >> i & 0x7c) == 0x7c ? w >> i & 0xfb : w >> i & 0xff) << i;
        return to;
    default:
        return w;
    }
}

struct operand {
    int start, lbo, sbo, swizzle; /* bytes; 0 none, 1 128B, 2 64B, 3 32B */
};

__device__ uint64_t descriptor(const void *p, operand o)
{
    return (uint64_t)(at(p) + o.start & 0x3ffff) >> 4 | (uint64_t)(o.lbo >> 4) << 16 | (uint64_t)(o.sbo >> 4) << 32 |
           (uint64_t)o.swizzle << 62;
}

#define A_BYTES 8192 /* and B lies behind */
#define PRODUCT(name, form, operands, ka, kb, kd, nd)                                                                 \
    extern "C" __global__ void name(uint32_t *out, operand a, operand b, int adds)                                    \
    {                                                                                                                 \
        __shared__ alignas(1024) uint32_t tile[(A_BYTES + 4096) / 4];                                                 \
        uint32_t t = threadIdx.x, d[8];                                                                               \
        for (uint32_t i = t; i < sizeof tile / 4; i += blockDim.x)                                                    \
            tile[i] = numbers(i < A_BYTES / 4 ? ka : kb, mix(i + 4096 * blockIdx.x));                                 \
        fence_proxy();                                                                                                \
        __syncthreads();                                                                                              \
        uint32_t r0 = tile[t], r1 = tile[t + 128], r2 = tile[t + 256], r3 = tile[t + 384];                            \
        for (uint32_t i = 0; i < nd; i++)                                                                             \
            d[i] = numbers(kd, mix(~(i * 128 + t + 4096 * blockIdx.x)));                                              \
        for (uint32_t i = nd; i < 8; i++)                                                                             \
            d[i] = 0;                                                                                                 \
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                       \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %14, 0;\nwgmma.mma_async.sync.aligned.m64n16" form             \
                     ", " operands ";\n}"                                                                             \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]) \
                     : "l"(descriptor(tile, a)), "l"(descriptor(tile + A_BYTES / 4, b)), "r"(r0), "r"(r1), "r"(r2),   \
                       "r"(r3), "r"(adds));                                                                           \
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");              \
        for (uint32_t i = 0; i < 8; i++)                                                                              \
            out[(8 * blockIdx.x + i) * 128 + t] = d[i];                                                               \
    }

#define D4 " {%0, %1, %2, %3}"
#define D8 " {%0, %1, %2, %3, %4, %5, %6, %7}"
#define SHARED "%8, %9, p"
#define REGISTERS "{%10, %11, %12, %13}, %9, p"

PRODUCT(f16_f32, "k16.f32.f16.f16" D8, SHARED ", 1, 1, 0, 0", F16, F16, TF32, 8)
PRODUCT(f16_f32_registers, "k16.f32.f16.f16" D8, REGISTERS ", 1, 1, 0", F16, F16, TF32, 8)
PRODUCT(f16_f32_negative, "k16.f32.f16.f16" D8, SHARED ", -1, 1, 0, 0", F16, F16, TF32, 8)
PRODUCT(f16_f32_turned_a, "k16.f32.f16.f16" D8, SHARED ", 1, 1, 1, 0", F16, F16, TF32, 8)
PRODUCT(f16_f32_turned_b, "k16.f32.f16.f16" D8, SHARED ", 1, 1, 0, 1", F16, F16, TF32, 8)
PRODUCT(f16_f32_turned, "k16.f32.f16.f16" D8, SHARED ", 1, 1, 1, 1", F16, F16, TF32, 8)
PRODUCT(f16_f16, "k16.f16.f16.f16" D4, SHARED ", 1, 1, 0, 0", F16, F16, F16, 4)
PRODUCT(f16_f16_registers, "k16.f16.f16.f16" D4, REGISTERS ", 1, 1, 0", F16, F16, F16, 4)
PRODUCT(bf16, "k16.f32.bf16.bf16" D8, SHARED ", 1, 1, 0, 0", BF16, BF16, TF32, 8)
PRODUCT(bf16_registers, "k16.f32.bf16.bf16" D8, REGISTERS ", 1, -1, 0", BF16, BF16, TF32, 8)
PRODUCT(tf32, "k8.f32.tf32.tf32" D8, SHARED ", 1, 1", TF32, TF32, TF32, 8)
PRODUCT(tf32_registers, "k8.f32.tf32.tf32" D8, REGISTERS ", 1, 1", TF32, TF32, TF32, 8)
PRODUCT(e4m3, "k32.f32.e4m3.e4m3" D8, SHARED ", 1, 1", E4M3, E4M3, TF32, 8)
PRODUCT(e4m3_registers, "k32.f32.e4m3.e4m3" D8, REGISTERS ", 1, 1", E4M3, E4M3, TF32, 8)
PRODUCT(e5m2, "k32.f32.e5m2.e5m2" D8, SHARED ", 1, 1", E5M2, E5M2, TF32, 8)
PRODUCT(e5m2_registers, "k32.f32.e5m2.e5m2" D8, REGISTERS ", 1, 1", E5M2, E5M2, TF32, 8)
PRODUCT(e4m3_e5m2, "k32.f32.e4m3.e5m2" D8, SHARED ", 1, 1", E4M3, E5M2, TF32, 8)
PRODUCT(e5m2_e4m3, "k32.f32.e5m2.e4m3" D8, SHARED ", 1, 1", E5M2, E4M3, TF32, 8)
PRODUCT(e4m3_f16, "k32.f16.e4m3.e4m3" D4, SHARED ", 1, 1", E4M3, E4M3, F16, 4)
PRODUCT(e5m2_f16, "k32.f16.e5m2.e5m2" D4, SHARED ", 1, 1", E5M2, E5M2, F16, 4)
PRODUCT(s8, "k32.s32.s8.s8" D8, SHARED, WHOLE, WHOLE, WHOLE, 8)
PRODUCT(u8_s8, "k32.s32.u8.s8" D8, SHARED, WHOLE, WHOLE, WHOLE, 8)
PRODUCT(s8_u8_registers, "k32.s32.s8.u8" D8, REGISTERS, WHOLE, WHOLE, WHOLE, 8)
PRODUCT(u8_saturated, "k32.satfinite.s32.u8.u8" D8, SHARED, WHOLE, WHOLE, WHOLE, 8)

/* ---- the rows -------------------------------------------------------------------------------- */

typedef CUresult (*encode_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                             const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                             CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static encode_t encode;
static int first, number;

static unsigned long long checksum(const void *p, size_t n)
{
    unsigned long long h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 0x100000001b3ull;
    return h;
}

/* What is behind the launch: the argument that is looked at, and what it has. */
static void end_row(const void *array, size_t bytes, int argument)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf(" %s\n", error == cudaErrorIllegalInstruction  ? "illegal"
                        : error == cudaErrorMisalignedAddress ? "misaligned"
                                                              : cudaGetErrorString(error));
        exit(1);
    }
    void *host = malloc(bytes);
    cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
    printf(" %d %016llx\n", argument, checksum(host, bytes));
    free(host);
}

struct type {
    const char *name;
    int number, bytes;
};

static const struct type types[] = {{"uchar", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1}, {"ushort", CU_TENSOR_MAP_DATA_TYPE_UINT16, 2},
                                    {"int", CU_TENSOR_MAP_DATA_TYPE_INT32, 4},   {"long", CU_TENSOR_MAP_DATA_TYPE_INT64, 8},
                                    {"uint", CU_TENSOR_MAP_DATA_TYPE_UINT32, 4}, {"ulong", CU_TENSOR_MAP_DATA_TYPE_UINT64, 8}};
static const char *const swizzles[] = {"none", "32B", "64B", "128B"};
static const int spans[] = {0, 32, 64, 128};

struct box {
    int type, n, side[5], box[5], corner[5], swizzle, pitch, offset;
};

static size_t reach(const struct box *b, cuuint64_t stride[5])
{
    size_t bytes = types[b->type].bytes, sum = bytes;
    for (int d = 0; d < b->n; d++) {
        stride[d] = d == 0 ? bytes : d == 1 && b->pitch ? b->pitch : stride[d - 1] * b->side[d - 1];
        sum += (b->side[d] - 1) * stride[d];
    }
    return sum;
}

static void print_sides(const char *word, const int *side, int n)
{
    printf("%s", word);
    for (int d = 0; d < n; d++)
        printf("%s%d", d ? "x" : "", side[d]);
}

/* way: 0 load, 1 store, 2 add */
static void copy(struct box b, int way)
{
    cuuint64_t side[5], stride[5];
    cuuint32_t box[5], step[] = {1, 1, 1, 1, 1};
    const struct type *type = &types[b.type];
    size_t size = reach(&b, stride), bytes = type->bytes;
    corner c;
    if (number++ < first)
        return;
    for (int d = 0; d < 5; d++) {
        side[d] = b.side[d];
        box[d] = b.box[d];
        c.at[d] = b.corner[d];
        bytes *= d < b.n ? b.box[d] : 1;
    }
    unsigned char *host = (unsigned char *)calloc(1, size), *p;
    uint32_t *out;
    for (size_t i = 0; i < size / type->bytes; i++) {
        long long x = i;
        memcpy(host + i * type->bytes, &x, type->bytes);
    }
    cudaMalloc(&p, size);
    cudaMalloc(&out, WORDS * 4);
    cudaMemcpy(p, host, size, cudaMemcpyHostToDevice);
    CUtensorMap map;
    int error = encode(&map, (CUtensorMapDataType)type->number, b.n, p, side, stride + 1, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                       (CUtensorMapSwizzle)b.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    printf("%s<<<1, 64>>>(tensormap %s", way ? "stored" : "loaded", type->name);
    print_sides(" ", b.side, b.n);
    print_sides(" box=", b.box, b.n);
    printf(" swizzle=%s", swizzles[b.swizzle]);
    if (b.pitch)
        printf(" pitch=%d", b.pitch);
    printf(" = iota, %s%d, {%d, %d, %d, %d, %d}, ", way ? "" : "uint[4096], ", b.n, c.at[0], c.at[1], c.at[2], c.at[3], c.at[4]);
    if (way)
        printf("%d, %d)", b.offset, way - 1);
    else
        printf("%d, %d)", (int)bytes, b.offset);
    if (error)
        printf(" refused\n");
    else if (way) {
        stored<<<1, 64>>>(map, b.n, c, b.offset, way - 1);
        end_row(p, size, 0);
    } else {
        loaded<<<1, 64>>>(map, out, b.n, c, (int)bytes, b.offset);
        end_row(out, WORDS * 4, 1);
    }
    cudaFree(p);
    cudaFree(out);
    free(host);
}

static void copies()
{
    for (int s = 0; s < 4; s++) {
        int w = s ? spans[s] : 96;
        for (int way = 0; way < 3; way++) {
            int whole = way == 2 ? 4 : 0; /* of what can be added */
            copy({whole ? 4 : 1, 2, {256, 200}, {whole ? w / 4 : w / 2, 16}, {8, 3}, s, 0, 128}, way);
            copy({whole ? 4 : 0, 2, {whole ? 52 : 208, 64}, {whole ? w / 4 : w, 20}, {whole ? 8 : 32, 50}, s, 0, 256}, way);
            copy({whole ? 5 : 3, 2, {32, 20}, {w / 8, 12}, {30, 5}, s, 0, 0}, way);
            copy({2, 3, {36, 6, 5}, {4, 6, 5}, {0, 0, 0}, s, 160, 512}, way);
            copy({2, 3, {32, 6, 5}, {8, 3, 2}, {4, 5, 4}, s, 0, 512}, way);
            copy({whole ? 4 : 1, 4, {64, 5, 4, 3}, {8, 2, 3, 2}, {8, 4, 1, 2}, s, 0, 128}, way);
            copy({2, 5, {64, 5, 4, 3, 3}, {4, 3, 2, 3, 2}, {60, 1, 3, 1, 1}, s, 0, 0}, way);
            copy({2, 1, {1000}, {8}, {992}, s, 0, 0}, way);
            copy({2, 3, {32, 6, 5}, {8, 3, 2}, {4, 5, -1}, s, 0, 512}, way);
        }
        copy({1, 2, {256, 200}, {8, 9}, {-8, -4}, s, 0, 384}, 0);
        copy({1, 4, {64, 5, 4, 3}, {8, 2, 3, 2}, {8, 4, -1, 2}, s, 0, 128}, 0);
        copy({2, 5, {64, 5, 4, 3, 3}, {4, 3, 2, 3, 2}, {60, -1, 3, -1, 1}, s, 0, 0}, 0);
    }
    /* sides that are no multiple of 16 bytes */
    for (int way = 0; way < 3; way++)
        for (int side = 61; side <= 64; side++) {
            copy({2, 2, {side, 40}, {8, 9}, {56, 35}, 0, 256, 0}, way);
            copy({2, 2, {side, 40}, {32, 9}, {40, 35}, 3, 256, 0}, way);
        }
    for (int side = 33; side < 48; side += 3)
        copy({0, 2, {side, 20}, {32, 4}, {16, 2}, 1, 64, 0}, 1);
    copy({2, 1, {999}, {16}, {992}, 0, 0, 0}, 1);
    copy({2, 1, {999}, {256}, {-100}, 0, 0, 0}, 0);
    /* outside, below 0, and off 16 bytes */
    copy({2, 2, {64, 40}, {8, 8}, {64, 4}, 0, 0, 0}, 1);
    copy({2, 2, {64, 40}, {8, 8}, {400, 40}, 0, 0, 0}, 0);
    for (int way = 0; way < 3; way++) {
        copy({2, 2, {64, 40}, {8, 8}, {-4, 0}, 0, 0, 0}, way);
        copy({2, 2, {64, 40}, {8, 8}, {0, -8}, 0, 0, 0}, way);
        copy({2, 1, {999}, {16}, {-400}, 0, 0, 0}, way);
        for (int x = 1; x < 4; x++)
            copy({2, 2, {64, 40}, {8, 8}, {x, 0}, 0, 0, 0}, way);
    }
    copy({0, 2, {64, 40}, {32, 8}, {8, 0}, 1, 0, 0}, 0);
    copy({2, 2, {64, 40}, {8, 8}, {4, 0}, 0, 0, 64}, 0);
}

#define BLOCKS 4

static void multiply(const char *name, void (*kernel)(uint32_t *, operand, operand, int), operand a, operand b)
{
    for (int adds = 0; adds < 2; adds++) {
        uint32_t *out;
        if (number++ < first)
            continue;
        cudaMalloc(&out, BLOCKS * 4096);
        printf("%s<<<%d, 128>>>(uint[%d], {%d, %d, %d, %d}, {%d, %d, %d, %d}, %d)", name, BLOCKS, BLOCKS * 1024, a.start, a.lbo, a.sbo,
               a.swizzle, b.start, b.lbo, b.sbo, b.swizzle, adds);
        kernel<<<BLOCKS, 128>>>(out, a, b, adds);
        end_row(out, BLOCKS * 4096, 0);
        cudaFree(out);
    }
}

#define ROWS(name)                                                                                                    \
    multiply(#name, name, {0, 128, 256, 0}, {0, 128, 256, 0});                                                        \
    multiply(#name, name, {0, 16, 1024, 1}, {0, 16, 256, 3})
#define TURNED(name, a, b)                                                                                            \
    multiply(#name, name, {0, a ? 1024 : 128, a ? 128 : 256, 0}, {0, b ? 256 : 128, b ? 128 : 256, 0});               \
    multiply(#name, name, {0, a ? 2048 : 16, 1024, 1}, {0, b ? 512 : 16, 256, 3})

static void products()
{
    ROWS(f16_f32);
    multiply("f16_f32", f16_f32, {32, 16, 512, 2}, {32, 16, 512, 2});
    ROWS(f16_f32_registers);
    ROWS(f16_f32_negative);
    TURNED(f16_f32_turned_a, 1, 0);
    TURNED(f16_f32_turned_b, 0, 1);
    TURNED(f16_f32_turned, 1, 1);
    ROWS(f16_f16);
    ROWS(f16_f16_registers);
    ROWS(bf16);
    ROWS(bf16_registers);
    ROWS(tf32);
    ROWS(tf32_registers);
    ROWS(e4m3);
    ROWS(e4m3_registers);
    ROWS(e5m2);
    ROWS(e5m2_registers);
    ROWS(e4m3_e5m2);
    ROWS(e5m2_e4m3);
    ROWS(e4m3_f16);
    ROWS(e5m2_f16);
    ROWS(s8);
    ROWS(u8_s8);
    ROWS(s8_u8_registers);
    ROWS(u8_saturated);
}

int main(int argc, char **argv)
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult result;
    first = argc > 1 ? atoi(argv[1]) : 0;
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result) !=
            cudaSuccess || entry == nullptr)
        return 2;
    encode = (encode_t)entry;
    products();
    copies();
    return 0;
}
