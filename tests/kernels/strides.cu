/* strides.cu - loops that step by what is no constant; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o strides.ptx strides.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[512];                                                                       \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 512; i += 64)                                                              \
        s[i] = in[i];                                                                              \
    __syncthreads();                                                                               \
    float a = 0

/* by_argument<<<1, 64>>>(float[64], float[512] = random(1), 509, 64) */
__global__ void by_argument(float *out, const float *in, int n, int step)
{
    BEGIN;
    for (int i = t; i < n; i += step)
        a += s[i];
    out[t] = a;
}

/* by_block<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void by_block(float *out, const float *in, int n)
{
    BEGIN;
    int step = blockDim.x;
    for (int i = t; i < n; i += step)
        a += s[i];
    out[t] = a;
}

/* by_grid<<<2, 64>>>(float[128], float[512] = random(1), 509) */
__global__ void by_grid(float *out, const float *in, int n)
{
    BEGIN;
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += step)
        a += s[i];
    out[blockIdx.x * blockDim.x + t] = a;
}

/* by_warp<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void by_warp(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += warpSize)
        a += s[i];
    out[t] = a;
}

/* by_own_sum<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void by_own_sum(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i = i + warpSize)
        a += s[i];
    out[t] = a;
}

/* by_unsigned<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void by_unsigned(float *out, const float *in, int n)
{
    BEGIN;
    unsigned step = blockDim.x;
    for (unsigned i = t; i < n; i += step)
        a += s[i];
    out[t] = a;
}

/* by_size<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void by_size(float *out, const float *in, int n)
{
    BEGIN;
    size_t step = blockDim.x;
    for (size_t i = t; i < n; i += step)
        a += s[i];
    out[t] = a;
}

/* while_below<<<1, 64>>>(float[64], float[512] = random(1), 509) */
__global__ void while_below(float *out, const float *in, int n)
{
    BEGIN;
    int step = blockDim.x, i = t;
    while (i < n) {
        a += s[i];
        i += step;
    }
    out[t] = a;
}

/* pairs<<<1, 64>>>(float[64], float[512] = random(1), 256) */
__global__ void pairs(float *out, const float *in, int n)
{
    BEGIN;
    int step = blockDim.x;
    for (int i = t; i < n; i += step)
        a += s[2 * i] + s[2 * i + 1];
    out[t] = a;
}

/* pairs_by_argument<<<1, 64>>>(float[64], float[512] = random(1), 256, 64) */
__global__ void pairs_by_argument(float *out, const float *in, int n, int step)
{
    BEGIN;
    for (int i = t; i < n; i += step)
        a += s[2 * i] + s[2 * i + 1];
    out[t] = a;
}

/* pairs_stored<<<1, 64>>>(float[512], float[512] = random(1), 256) */
__global__ void pairs_stored(float *out, const float *in, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x, step = blockDim.x;
    for (int i = t; i < n; i += step) {
        s[2 * i] = in[i];
        s[2 * i + 1] = -in[i];
    }
    __syncthreads();
    for (int i = t; i < 512; i += 64)
        out[i] = s[i];
}

/* each_warp<<<1, 64>>>(float[64], float[512] = random(1), 8) */
__global__ void each_warp(float *out, const float *in, int n)
{
    BEGIN;
    int warps = blockDim.x / 32;
    for (int row = t / 32; row < n; row += warps)
        a += s[32 * row + t % 32];
    out[t] = a;
}

/* bits<<<1, 64>>>(float[64], float[512] = random(1), 32) */
__global__ void bits(float *out, const float *in, int n)
{
    BEGIN;
    unsigned m = 0;
    for (int i = 0; i < n; i++)
        if (s[i] * s[i + 32] > 0.1f)
            m |= 1u << i;
    out[t] = m + a;
}
