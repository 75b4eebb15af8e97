/* shuffle.cu - twins of src/emulators/shuffle.c: warp shuffles. */
#include "twin.cuh"

enum { SEGM = 4, MOST_WARPS = 32 };

/* The lanes of the warp that exist. */
static __device__ __forceinline__ unsigned lanes()
{
    return __ballot_sync(__activemask(), 1);
}

/* ---- one value per thread ------------------------------------------------------------------- */

__global__ void shfl_broadcast(const unsigned *in, unsigned *out, unsigned src_lane, unsigned width)
{
    unsigned value = in[threadIdx.x];
    value = __shfl_sync(lanes(), value, src_lane, width);
    out[threadIdx.x] = value;
}

__global__ void shfl_up(const unsigned *in, unsigned *out, unsigned delta, unsigned width)
{
    unsigned value = in[threadIdx.x];
    value = __shfl_up_sync(lanes(), value, delta, width);
    out[threadIdx.x] = value;
}

__global__ void shfl_down(const unsigned *in, unsigned *out, unsigned delta, unsigned width)
{
    unsigned value = in[threadIdx.x];
    value = __shfl_down_sync(lanes(), value, delta, width);
    out[threadIdx.x] = value;
}

__global__ void shfl_around(const unsigned *in, unsigned *out, unsigned offset, unsigned width)
{
    unsigned value = in[threadIdx.x];
    value = __shfl_sync(lanes(), value, threadIdx.x + offset, width);
    out[threadIdx.x] = value;
}

__global__ void shfl_xor(const unsigned *in, unsigned *out, unsigned mask, unsigned width)
{
    unsigned value = in[threadIdx.x];
    value = __shfl_xor_sync(lanes(), value, mask, width);
    out[threadIdx.x] = value;
}

/* ---- an array per thread -------------------------------------------------------------------- */

__global__ void shfl_xor_array(const unsigned *in, unsigned *out, unsigned mask, unsigned width)
{
    unsigned value[SEGM];

    for (unsigned i = 0; i < SEGM; i++) {
        value[i] = in[threadIdx.x * SEGM + i];
    }
    value[0] = __shfl_xor_sync(lanes(), value[0], mask, width);
    value[1] = __shfl_xor_sync(lanes(), value[1], mask, width);
    value[2] = __shfl_xor_sync(lanes(), value[2], mask, width);
    value[3] = __shfl_xor_sync(lanes(), value[3], mask, width);
    for (unsigned i = 0; i < SEGM; i++) {
        out[threadIdx.x * SEGM + i] = value[i];
    }
}

static __device__ __forceinline__ void exchange(unsigned *value, unsigned first, unsigned second)
{
    unsigned held = value[first];
    value[first] = value[second];
    value[second] = held;
}

/* first and second are known here, so that value[] stays in registers: in local memory it would
 * be counted. */
template <unsigned first, unsigned second>
static __device__ void swap(const unsigned *in, unsigned *out, unsigned mask, unsigned width)
{
    unsigned value[SEGM];
    unsigned laneid = threadIdx.x % warpSize;
    bool pred = laneid < (laneid ^ mask);

    for (unsigned i = 0; i < SEGM; i++) {
        value[i] = in[threadIdx.x * SEGM + i];
    }
    if (pred) {
        exchange(value, first, second);
    }
    value[second] = __shfl_xor_sync(lanes(), value[second], mask, width);
    if (pred) {
        exchange(value, first, second);
    }
    for (unsigned i = 0; i < SEGM; i++) {
        out[threadIdx.x * SEGM + i] = value[i];
    }
}

__global__ void shfl_swap(const unsigned *in, unsigned *out, unsigned mask, unsigned width)
{
    swap<0, 3>(in, out, mask, width);
}

/* ---- reduction ------------------------------------------------------------------------------ */

static __device__ __forceinline__ unsigned warp_reduce(unsigned my_sum)
{
    for (unsigned mask = 16; mask >= 1; mask /= 2) {
        my_sum += __shfl_xor_sync(0xffffffff, my_sum, mask, warpSize);
    }
    return my_sum;
}

__global__ void shfl_reduce(const unsigned *g_idata, unsigned *g_odata, unsigned n)
{
    __shared__ unsigned smem[MOST_WARPS];
    unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned laneid = threadIdx.x % warpSize;
    unsigned warpid = threadIdx.x / warpSize;

    if (idx >= n) {
        return;
    }
    unsigned local_sum = warp_reduce(g_idata[idx]);
    if (laneid == 0) {
        smem[warpid] = local_sum;
    }
    __syncthreads();
    if (threadIdx.x < warpSize) {
        local_sum = 0;
        if (threadIdx.x < blockDim.x / warpSize) {
            local_sum = smem[laneid];
        }
        __syncwarp();
        local_sum = warp_reduce(local_sum);
    }
    if (threadIdx.x == 0) {
        g_odata[blockIdx.x] = local_sum;
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW(NAME, BY, WIDTH)                                                                       \
    TWIN(NAME, c.array<const unsigned>(0), c.array<unsigned>(1), c.setting(BY), c.setting(WIDTH))

const struct twin shuffle_twins[] = {
    ROW(shfl_broadcast, "src_lane", "width"),
    ROW(shfl_up, "delta", "width"),
    ROW(shfl_down, "delta", "width"),
    ROW(shfl_around, "offset", "width"),
    ROW(shfl_xor, "mask", "width"),
    ROW(shfl_xor_array, "mask", "bdimx"),
    ROW(shfl_swap, "mask", "bdimx"),
    TWIN(shfl_reduce, c.array<const unsigned>(0), c.array<unsigned>(1), c.setting("n")),
    {NULL, NULL},
};
