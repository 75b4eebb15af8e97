/* grids.cu - loops that move by blockDim and its kin; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o grids.ptx grids.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[256];                                                                       \
    int t = threadIdx.x;                                                                           \
    float r = 0;                                                                                   \
    for (int i = t; i < 256; i += 32) s[i] = in[i];                                                \
    __syncthreads()

/* by_block<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_block(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += blockDim.x) out[i] = s[4 * i] + s[4 * i + 1] + s[4 * i + 2] + s[4 * i + 3];
}

/* by_block_unsigned<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_block_unsigned(float *out, const float *in, int n)
{
    BEGIN;
    for (unsigned i = t; i < n; i += blockDim.x) out[i] = s[4 * i] + s[4 * i + 1] + s[4 * i + 2];
}

/* by_grid<<<2, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_grid(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = s[4 * i] + s[4 * i + 1];
}

/* by_known_block<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_known_block(float *out, const float *in, int n)
{
    BEGIN;
    int d = blockDim.x;
    for (int i = t; i < n; i += d) out[i] = s[4 * i] + s[4 * i + 1];
}

/* by_rows<<<1, dim3(32, 2)>>>(float[64], float[256] = random(1), 64) */
__global__ void by_rows(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = threadIdx.y * blockDim.x + t; i < n; i += blockDim.x * blockDim.y) out[i] = s[2 * i] + s[2 * i + 1];
}

/* by_twos<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_twos(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = 2 * t; i < n; i += 2 * blockDim.x) out[i] = s[i] + s[i + 1];
}

/* by_thread<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_thread(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += threadIdx.x + 1) out[i] = s[2 * i] + s[2 * i + 1];
}

/* by_index_of_block<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_index_of_block(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += blockIdx.x + 32) out[i] = s[2 * i] + s[2 * i + 1];
}

/* from_block_on<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void from_block_on(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t + blockDim.x; i < n; i += blockDim.x) out[i] = s[2 * i] + s[2 * i + 1];
}

/* again<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void again(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < 3; k++) {
        for (int i = t; i < n; i += blockDim.x) out[i] += s[2 * i] + s[2 * i + 1];
        __syncthreads();
    }
}

/* two_counters<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void two_counters(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t, k = 0; i < n; i += blockDim.x, k += 2) r += s[2 * i] + s[2 * i + 1] + s[k] * s[k + 1];
    out[t] = r;
}

/* counted_otherwise<<<1, 32>>>(float[64], float[256] = random(1), 2) */
__global__ void counted_otherwise(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t, k = 0; k < n; i += blockDim.x, k++) {
        r += s[2 * i] + s[2 * i + 1];
        r *= s[2 * k + t] * s[2 * k + t + 1];
        if (r > 100) break;
    }
    out[t] = r;
}

/* four_turns<<<1, 32>>>(float[64], float[256] = random(1), 2) */
__global__ void four_turns(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t, k = 0; k < n; i += blockDim.x, k++) {
        r += s[2 * i] + s[2 * i + 1];
        r *= s[2 * k + t] * s[2 * k + t + 1];
    }
    out[t] = r;
}

/* at_the_end<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void at_the_end(float *out, const float *in, int n)
{
    BEGIN;
    int i = t;
    do {
        r += s[2 * i] + s[2 * i + 1];
        i += blockDim.x;
    } while (i < n);
    out[t] = r;
}

__device__ int width()
{
    return blockDim.x;
}

/* by_function<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void by_function(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += width()) out[i] = s[2 * i] + s[2 * i + 1];
}

template <class F> __device__ void for_each(int n, F f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
    __syncthreads();
}

/* for_each_of_all<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void for_each_of_all(float *out, const float *in, int n)
{
    BEGIN;
    for_each(n, [&](int i) { out[i] = s[2 * i] + s[2 * i + 1]; });
}

/* stores<<<1, 32>>>(float[64], float[256] = random(1), 64) */
__global__ void stores(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += blockDim.x) {
        s[2 * i] = in[i];
        s[2 * i + 1] = 1;
    }
    __syncthreads();
    out[t] = s[63 - t];
}
