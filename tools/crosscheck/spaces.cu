/* spaces.cu - the sectors of local memory, of textures and of loads through the read-only cache: one
 * launch of one warp for each request, to be counted by Nsight Compute. Built and run alone:
 *
 *     nvcc -O2 -arch=sm_90 -o spaces spaces.cu
 *     ncu --csv --page raw --metrics "$(./spaces metrics)" ./spaces >counted.csv 2>cases.csv
 *     awk -f spaces.awk cases.csv counted.csv >spaces.csv
 *
 * A request's addresses come by way of what its counters do not see: those of local memory are loaded
 * from global memory, the others are arguments (which the compiler may copy to local memory).
 */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum space { LOCAL_LOAD, LOCAL_STORE, READ_ONLY, UNIFORM, TEXTURE };
enum { LANES = 32, RANGE = 2048, CASES = 24, PATTERNS = 6 };

struct addresses {
    uint32_t lane[LANES];
};

#define IN_LOCAL(code) \
    "{ .local .align 16 .b8 words[2048]; .reg .u64 p; mov.u64 p, words; " code " }"

template <int BYTES> __device__ unsigned load_local(uint64_t at)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (BYTES == 1) {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; ld.local.u8 %0, [p];") : "=r"(a) : "l"(at));
    } else if (BYTES == 4) {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; ld.local.u32 %0, [p];") : "=r"(a) : "l"(at));
    } else if (BYTES == 8) {
        asm volatile(IN_LOCAL("add.u64 p, p, %2; ld.local.v2.u32 {%0, %1}, [p];")
                     : "=r"(a), "=r"(b)
                     : "l"(at));
    } else {
        asm volatile(IN_LOCAL("add.u64 p, p, %4; ld.local.v4.u32 {%0, %1, %2, %3}, [p];")
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(at));
    }
    return a + b + c + d;
}

template <int BYTES> __device__ void store_local(uint64_t at, unsigned value)
{
    if (BYTES == 1) {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; st.local.u8 [p], %0;") ::"r"(value), "l"(at));
    } else if (BYTES == 4) {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; st.local.u32 [p], %0;") ::"r"(value), "l"(at));
    } else if (BYTES == 8) {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; st.local.v2.u32 [p], {%0, %0};") ::"r"(value),
                     "l"(at));
    } else {
        asm volatile(IN_LOCAL("add.u64 p, p, %1; st.local.v4.u32 [p], {%0, %0, %0, %0};") ::"r"(
                         value),
                     "l"(at));
    }
}

/* HOW: "ld.global.nc" or "ldu.global". */
#define LOAD_GLOBAL(HOW, BYTES, at)                                                         \
    do {                                                                                    \
        if (BYTES == 1) {                                                                   \
            asm volatile(HOW ".u8 %0, [%1];" : "=r"(a) : "l"(at));                          \
        } else if (BYTES == 4) {                                                            \
            asm volatile(HOW ".u32 %0, [%1];" : "=r"(a) : "l"(at));                         \
        } else if (BYTES == 8) {                                                            \
            asm volatile(HOW ".v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));       \
        } else {                                                                            \
            asm volatile(HOW ".v4.u32 {%0, %1, %2, %3}, [%4];"                              \
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                               \
                         : "l"(at));                                                        \
        }                                                                                   \
    } while (0)

template <int BYTES> __device__ unsigned fetch(cudaTextureObject_t texture, uint32_t at)
{
    int texel = (int)(at / BYTES);
    if (BYTES == 1) {
        return tex1Dfetch<unsigned char>(texture, texel);
    }
    if (BYTES == 4) {
        return tex1Dfetch<unsigned>(texture, texel);
    }
    if (BYTES == 8) {
        uint2 v = tex1Dfetch<uint2>(texture, texel);
        return v.x + v.y;
    }
    uint4 v = tex1Dfetch<uint4>(texture, texel);
    return v.x + v.y + v.z + v.w;
}

template <int SPACE, int BYTES>
__global__ void request(addresses by_value, const addresses *by_address, uint32_t mask,
                        const char *memory, cudaTextureObject_t texture, unsigned *out)
{
    unsigned lane = threadIdx.x, a = 0, b = 0, c = 0, d = 0;
    bool is_local = SPACE == LOCAL_LOAD || SPACE == LOCAL_STORE;
    if ((mask >> lane & 1) == 0) {
        return;
    }
    uint64_t at = is_local ? by_address->lane[lane] : by_value.lane[lane];
    if (SPACE == LOCAL_LOAD) {
        a = load_local<BYTES>(at);
    } else if (SPACE == LOCAL_STORE) {
        store_local<BYTES>(at, lane);
    } else if (SPACE == READ_ONLY) {
        LOAD_GLOBAL("ld.global.nc", BYTES, memory + at);
    } else if (SPACE == UNIFORM) {
        LOAD_GLOBAL("ldu.global", BYTES, memory + at);
    } else {
        a = fetch<BYTES>(texture, (uint32_t)at);
    }
    out[lane] = a + b + c + d;
}

/* ---- the cases: the same ones everywhere ----------------------------------------------------- */

static uint64_t state = UINT64_C(88172645463325252); /* xorshift64 */

static uint32_t draw(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % n);
}

static uint32_t draw_mask(void)
{
    switch (draw(3)) {
    case 0:
        return 0xffffffff;
    case 1:
        return 0xffffu << draw(17);
    default:
        return draw(65536) << 16 | draw(65536) | 1u << draw(32);
    }
}

/* Element that lane wants: the first patterns as they stand, then drawn ones. */
static uint32_t element(uint32_t pattern, uint32_t lane, uint32_t start, uint32_t few, uint32_t step)
{
    switch (pattern) {
    case 0:
        return 0;
    case 1:
        return lane;
    case 2:
        return 2 * lane;
    case 3:
        return lane % 2;
    case 4:
        return start;
    case 5:
        return start + lane;
    case 6:
        return draw(RANGE);
    case 7:
        return start + draw(few);
    case 8:
        return start + lane / 4 * step;
    default:
        return start + lane % few * step;
    }
}

static const char *const space_name[] = {"ld.local", "st.local", "ld.global.nc", "ldu.global",
                                         "tex.1d"};

struct memory {
    char *bytes;
    unsigned *out;
    addresses *addresses_there;
};

static cudaTextureObject_t texture_of(char *bytes, int texel_bytes)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = bytes;
    resource.res.linear.sizeInBytes = RANGE;
    resource.res.linear.desc = texel_bytes == 1   ? cudaCreateChannelDesc<unsigned char>()
                               : texel_bytes == 4 ? cudaCreateChannelDesc<unsigned>()
                               : texel_bytes == 8 ? cudaCreateChannelDesc<uint2>()
                                                  : cudaCreateChannelDesc<uint4>();
    how.readMode = cudaReadModeElementType;
    if (cudaCreateTextureObject(&texture, &resource, &how, NULL) != cudaSuccess) {
        fprintf(stderr, "# no texture\n");
        exit(1);
    }
    return texture;
}

template <int SPACE, int BYTES> static void run(const struct memory *memory)
{
    static const char *const type[] = {"", "u8", "", "", "u32", "", "", "", "v2.u32",
                                       "", "",   "", "", "",    "", "", "v4.u32"};
    cudaTextureObject_t texture = texture_of(memory->bytes, BYTES);
    for (uint32_t i = 0; i < CASES; i++) {
        struct addresses at;
        uint32_t pattern = i < PATTERNS ? i : PATTERNS + draw(4);
        uint32_t mask = i < PATTERNS ? 0xffffffff : draw_mask();
        uint32_t start = draw(RANGE / BYTES), few = 1 + draw(8), step = 1 + draw(8);
        fprintf(stderr, "%s.%s,%08x,", space_name[SPACE], type[BYTES], mask);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            at.lane[lane] = element(pattern, lane, start, few, step) % (RANGE / BYTES) * BYTES;
            fprintf(stderr, "%s%u", lane > 0 ? " " : "", at.lane[lane]);
        }
        fprintf(stderr, "\n");
        cudaMemcpy(memory->addresses_there, &at, sizeof at, cudaMemcpyHostToDevice);
        request<SPACE, BYTES><<<1, LANES>>>(at, memory->addresses_there, mask, memory->bytes,
                                            texture, memory->out);
    }
    cudaDestroyTextureObject(texture);
}

template <int SPACE> static void run_widths(const struct memory *memory)
{
    run<SPACE, 1>(memory);
    run<SPACE, 4>(memory);
    run<SPACE, 8>(memory);
    run<SPACE, 16>(memory);
}

int main(int argc, char **argv)
{
    struct memory memory;
    if (argc > 1 && strcmp(argv[1], "metrics") == 0) {
        printf("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum,"
               "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum,"
               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
               "l1tex__t_sectors_pipe_tex_mem_texture.sum,"
               "smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum,"
               "smsp__inst_executed_op_texture.sum\n");
        return 0;
    }
    if (cudaMalloc(&memory.bytes, RANGE) != cudaSuccess ||
        cudaMalloc(&memory.out, LANES * sizeof *memory.out) != cudaSuccess ||
        cudaMalloc(&memory.addresses_there, sizeof *memory.addresses_there) != cudaSuccess) {
        fprintf(stderr, "# no memory\n");
        return 1;
    }
    run_widths<LOCAL_LOAD>(&memory);
    run_widths<LOCAL_STORE>(&memory);
    run_widths<READ_ONLY>(&memory);
    run_widths<UNIFORM>(&memory);
    run_widths<TEXTURE>(&memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
