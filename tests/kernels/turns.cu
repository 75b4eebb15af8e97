/* turns.cu - loops of as many turns as nobody knows, of which nvcc makes several turns one; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -std=c++17 -lineinfo -ptx -o turns.ptx turns.cu
 */
/* four<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void four(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
        v = v * x + 4.5f;
        v = v * x + 5.5f;
        v = v * x + 6.5f;
        v = v * x + 7.5f;
        v = v * x + 8.5f;
        v = v * x + 9.5f;
        v = v * x + 10.5f;
        v = v * x + 11.5f;
        v = v * x + 12.5f;
        v = v * x + 13.5f;
        v = v * x + 14.5f;
        v = v * x + 15.5f;
    }
    p[t] = v;
}
/* two<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void two(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
        v = v * x + 4.5f;
        v = v * x + 5.5f;
        v = v * x + 6.5f;
        v = v * x + 7.5f;
        v = v * x + 8.5f;
        v = v * x + 9.5f;
        v = v * x + 10.5f;
        v = v * x + 11.5f;
        v = v * x + 12.5f;
        v = v * x + 13.5f;
        v = v * x + 14.5f;
        v = v * x + 15.5f;
        v = v * x + 16.5f;
        v = v * x + 17.5f;
        v = v * x + 18.5f;
        v = v * x + 19.5f;
        v = v * x + 20.5f;
        v = v * x + 21.5f;
        v = v * x + 22.5f;
        v = v * x + 23.5f;
        v = v * x + 24.5f;
        v = v * x + 25.5f;
        v = v * x + 26.5f;
        v = v * x + 27.5f;
    }
    p[t] = v;
}
/* as_it_is<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void as_it_is(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
        v = v * x + 4.5f;
        v = v * x + 5.5f;
        v = v * x + 6.5f;
        v = v * x + 7.5f;
        v = v * x + 8.5f;
        v = v * x + 9.5f;
        v = v * x + 10.5f;
        v = v * x + 11.5f;
        v = v * x + 12.5f;
        v = v * x + 13.5f;
        v = v * x + 14.5f;
        v = v * x + 15.5f;
        v = v * x + 16.5f;
        v = v * x + 17.5f;
        v = v * x + 18.5f;
        v = v * x + 19.5f;
        v = v * x + 20.5f;
        v = v * x + 21.5f;
        v = v * x + 22.5f;
        v = v * x + 23.5f;
        v = v * x + 24.5f;
        v = v * x + 25.5f;
        v = v * x + 26.5f;
        v = v * x + 27.5f;
        v = v * x + 28.5f;
        v = v * x + 29.5f;
        v = v * x + 30.5f;
        v = v * x + 31.5f;
        v = v * x + 32.5f;
        v = v * x + 33.5f;
        v = v * x + 34.5f;
        v = v * x + 35.5f;
        v = v * x + 36.5f;
        v = v * x + 37.5f;
        v = v * x + 38.5f;
        v = v * x + 39.5f;
        v = v * x + 40.5f;
        v = v * x + 41.5f;
        v = v * x + 42.5f;
        v = v * x + 43.5f;
        v = v * x + 44.5f;
        v = v * x + 45.5f;
        v = v * x + 46.5f;
        v = v * x + 47.5f;
        v = v * x + 48.5f;
        v = v * x + 49.5f;
        v = v * x + 50.5f;
        v = v * x + 51.5f;
        v = v * x + 52.5f;
        v = v * x + 53.5f;
        v = v * x + 54.5f;
        v = v * x + 55.5f;
    }
    p[t] = v;
}
/* nobody<<<1, 64>>>(float[1024], float[1024] = iota, 0) */
__global__ void nobody(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
    }
    p[t] = v;
}
/* once<<<1, 64>>>(float[1024], float[1024] = iota, 1) */
__global__ void once(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
    }
    p[t] = v;
}
/* whole<<<1, 64>>>(float[1024], float[1024] = iota, 24) */
__global__ void whole(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        v = v * x + 0.5f;
        v = v * x + 1.5f;
        v = v * x + 2.5f;
        v = v * x + 3.5f;
    }
    p[t] = v;
}
/* by_two<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void by_two(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    int i = 0;
    while (i < n) {
        v += s[t + i] * s[t + i + 1];
        i += 2;
    }
    p[t] = v;
}
/* by_three<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void by_three(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 1; i <= n; i += 3)
        v += s[t + i];
    p[t] = v;
}
/* not_counted<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void not_counted(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = t; i <= n; i += 3)
        v += s[i];
    p[t] = v;
}
/* rows<<<1, 64>>>(float[1024], float[1024] = iota, 300) */
__global__ void rows(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = t; i < n; i += 16)
        v += s[i];
    p[t] = v;
}
/* down<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void down(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = n - 1; i >= 0; --i)
        v += s[t + i];
    p[t] = v;
}
/* down_by_two<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void down_by_two(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = n; i > 1; i -= 2)
        v += s[t + i];
    p[t] = v;
}
/* other<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void other(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i != n; i++)
        v += s[t + i];
    p[t] = v;
}
/* turned<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void turned(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (unsigned i = 0; n / 2u > i; i++)
        v += s[t + i];
    p[t] = v;
}
/* wide<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void wide(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < (long long)n; i++)
        v += s[t + i];
    p[t] = v;
}
/* together<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void together(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++)
        v += s[i];
    p[t] = v;
}
/* doubled<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void doubled(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i <<= 1, i++)
        v += s[t + i];
    p[t] = v;
}
/* left<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void left(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (q[i] < 0)
            break;
        v += s[t + i];
    }
    p[t] = v;
}
/* skipped<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void skipped(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (s[i] > 7)
            continue;
        v += s[t + i];
    }
    p[t] = v;
}
/* inner<<<1, 64>>>(float[1024], float[1024] = iota, 8) */
__global__ void inner(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++)
            v += s[t + i * (j + 1)];
    }
    p[t] = v;
}
/* in_inner<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void in_inner(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++)
            v += s[t + i + j];
    }
    p[t] = v;
}
/* waits<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void waits(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        v += s[(t + i) & 127];
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    p[t] = v;
}
/* votes<<<1, 64>>>(float[1024], float[1024] = iota, 13) */
__global__ void votes(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++)
        v += __shfl_xor_sync(~0u, v + s[t ^ i], i);
    p[t] = v;
}
/* eight<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void eight(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    #pragma unroll 8
    for (int i = 0; i < n; i++)
        v += s[t + i];
    p[t] = v;
}
/* three<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void three(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    #pragma unroll 3
    for (int i = 0; i < n; i++)
        v += s[t + i];
    p[t] = v;
}
/* none<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void none(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    #pragma unroll 1
    for (int i = 0; i < n; i++)
        v += s[t + i];
    p[t] = v;
}
/* known<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void known(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < 1003; i++)
        v += s[(t * i) & 127];
    p[t] = v;
}
/* shares<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void shares(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++)
        v += s[t + i] * s[t + i + 1] * s[t + i + 2];
    p[t] = v;
}
/* keeps<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void keeps(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[t] += q[i];
        v += s[t ^ i];
    }
    p[t] = v;
}
/* sums<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void sums(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++)
        p[t] += s[t + i];
    p[t] = v;
}
/* stores<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void stores(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 0; i < n; i++)
        s[t + i] = v + i;
    v = s[n];
    p[t] = v;
}
/* triangle<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void triangle(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 2; i < 16; i++)
        s[i * 64 + t] = q[i * 64 + t];
    __syncthreads();
    for (int i = 1; i < 16; i++)
        for (int j = 0; j < i; j++)
            s[i * 64 + t] -= s[i * 64 + j] * s[j * 64 + t] * 1e-6f;
    v = s[15 * 64 + t];
    p[t] = v;
}
/* small_triangle<<<1, 64>>>(float[1024], float[1024] = iota, 21) */
__global__ void small_triangle(float *p, const float *q, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    float v = 0;
    s[t] = q[t];
    s[t + 64] = q[t + 64];
    __syncthreads();
    for (int i = 2; i < 16; i++)
        s[i * 64 + t] = q[i * 64 + t];
    __syncthreads();
    for (int i = 1; i < 6; i++)
        for (int j = 0; j < i; j++)
            s[i * 64 + t] -= s[i * 64 + j] * s[j * 64 + t] * 1e-6f;
    v = s[5 * 64 + t];
    p[t] = v;
}
#define ENDS(name, counter, goes_on, step, first)                                                  \
    __global__ void name(int *p, const unsigned *q, unsigned n)                                    \
    {                                                                                              \
        int t = threadIdx.x, sum = 0;                                                              \
        unsigned end = q[t] + n, few = end & 1023;                                                 \
        for (counter i = first; goes_on; i += step)                                                \
            sum += q[i & 255];                                                                     \
        p[t] = sum + few;                                                                          \
    }
/* at_end<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(at_end, unsigned, i <= end, 1, 0)
/* at_few<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(at_few, unsigned, few >= i, 1, 0)
/* in_twos<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(in_twos, unsigned, i < end, 2, 0)
/* in_twos_of_few<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(in_twos_of_few, unsigned, i < few, 2, 0)
/* whole_in_twos<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(whole_in_twos, int, i < end, 2, 0)
/* whole_from_t<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(whole_from_t, int, i <= end, 1, t)
/* down_in_twos<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(down_in_twos, unsigned, i > end, -2, 98u)
/* down_in_ones<<<1, 64>>>(int[64], uint[256] = iota, 3) */
ENDS(down_in_ones, unsigned, i > end, -1, 98u)

/* halves_warp<<<2, 64>>>(float[128], float[128] = random(5)) */
__global__ void halves_warp(float *out, const float *in)
{
    __shared__ float s[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int o = warpSize / 2; o > 0; o >>= 1)
        v += __shfl_down_sync(~0u, v, o);
    if (lane == 0)
        s[warp] = v;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[warp];
}

/* doubles_to_warp<<<1, 64>>>(float[64], float[64] = random(5)) */
__global__ void doubles_to_warp(float *out, const float *in)
{
    float v = in[threadIdx.x];
    for (int o = 1; o < warpSize; o *= 2)
        v += __shfl_xor_sync(~0u, v, o);
    out[threadIdx.x] = v;
}

/* strides_by_warp<<<1, 64>>>(float[64], float[256] = random(5)) */
__global__ void strides_by_warp(float *out, const float *in)
{
    __shared__ float s[256];
    for (int i = threadIdx.x; i < 256; i += 64)
        s[i] = in[i];
    __syncthreads();
    float v = 0;
    for (int i = threadIdx.x; i < 256; i += warpSize)
        v += s[i];
    out[threadIdx.x] = v;
}
