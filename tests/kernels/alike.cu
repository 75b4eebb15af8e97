/* Kernels of which banksim makes the instructions that nvcc makes. Above each a launch; test_cuda_instructions holds them to
 * nvcc's PTX, instruction by instruction, and test_cuda_kernels what they access and leave.
 *
 *     nvcc 13.0.88, 2026-11-28: nvcc -arch=compute_90 -lineinfo -ptx -o alike.ptx alike.cu
 */

/* One way of a branch only copies: k is i in front of the branch. */

/* led_past<<<2, 64>>>(unsigned[128] = iota, 1000) */
extern "C" __global__ void led_past(unsigned *p, unsigned n)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = p[at] * 5;
    __syncthreads();
    unsigned k = t;
    if (t + 7 < n) k = s[63 - t] * s[t ^ 1];
    p[at] = k;
}

/* led_past_two<<<2, 64>>>(unsigned[128] = iota, 7) */
extern "C" __global__ void led_past_two(unsigned *p, unsigned n)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, at = blockIdx.x * 64 + t, x = p[at], y = x + 1;
    s[t] = x * 5;
    __syncthreads();
    if (x > n) {
        unsigned z = s[63 - t];
        x = z * s[t ^ 1];
        y = z * s[t ^ 2];
    }
    p[at] = x ^ y;
}

/* x >> n << m is one shift and a mask, where nobody else wants x >> n. */

/* shift_alone<<<2, 64>>>(float[128], unsigned[128] = random(1)) */
extern "C" __global__ void shift_alone(float *out, const unsigned *in)
{
    __shared__ float s[256];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    for (int i = 0; i < 4; i++) s[t + 64 * i] = t;
    __syncthreads();
    out[at] = s[in[at] >> 24];
}

/* shift_beside<<<2, 64>>>(float[128], unsigned[128] = random(2)) */
extern "C" __global__ void shift_beside(float *out, const unsigned *in)
{
    __shared__ float s[4096];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    for (int i = 0; i < 4; i++) s[t + 64 * i] = t;
    __syncthreads();
    unsigned i = in[at] >> 20;
    out[at] = s[i] + i;
}

/* shift_twice<<<2, 64>>>(float[128], unsigned[128] = random(3)) */
extern "C" __global__ void shift_twice(float *out, const unsigned *in)
{
    __shared__ float s[4096];
    __shared__ double d[2048];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    for (int i = 0; i < 4; i++) s[t + 64 * i] = t, d[t + 64 * i] = t;
    __syncthreads();
    unsigned i = in[at] >> 21;
    out[at] = s[i] + d[i];
}

/* shift_masked<<<2, 64>>>(float[128], unsigned[128] = random(4)) */
extern "C" __global__ void shift_masked(float *out, const unsigned *in)
{
    __shared__ float s[256];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    for (int i = 0; i < 4; i++) s[t + 64 * i] = t;
    __syncthreads();
    unsigned i = in[at] >> 8 & 255;
    out[at] = s[i] + i;
}

/* shift_signed<<<2, 64>>>(float[128], int[128] = random(5)) */
extern "C" __global__ void shift_signed(float *out, const int *in)
{
    __shared__ float s[256];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    for (int i = 0; i < 4; i++) s[t + 64 * i] = t;
    __syncthreads();
    out[at] = s[(in[at] >> 25) + 128] + s[(t >> 3) + 2];
}

/* shift_numbers<<<2, 64>>>(int[256] = random(6), unsigned[640]) */
extern "C" __global__ void shift_numbers(int *in, unsigned *out)
{
    int t = threadIdx.x, at = blockIdx.x * 64 + t, x = in[at];
    unsigned u = in[at + 64];
    out[at] = (x >> 2) * 16;
    out[at + 128] = x >> 5 << 2;
    out[at + 256] = u >> 2 << 2;
    out[at + 384] = (u >> 3) * 16;
}

/* What compares is computed where it is asked, in each turn of a loop, too. */

/* asked_in_turns<<<2, 64>>>(float[128], 7, 3) */
extern "C" __global__ void asked_in_turns(float *out, int n, int rounds)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        s[t] = sum + t;
        __syncthreads();
        if (t < n) s[t] += s[t + 8];
        __syncthreads();
        if (t == n) s[t] += s[t ^ 1];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

/* asked_twice<<<2, 64>>>(float[128], 7) */
extern "C" __global__ void asked_twice(float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < n) s[t] = s[t + 8] * 3;
    __syncthreads();
    if (t < n) s[t] += s[t + 24] * 5;
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

/* What a loop hands on is one register, on its ways out, too. */

/* handed_on<<<2, 64>>>(int[128], 31) */
extern "C" __global__ void handed_on(int *p, int n)
{
    __shared__ int next[64 * 33];
    int t = threadIdx.x, *own = next + t * 33;
    for (int i = 0; i < 4; i++) own[i * 8] = i * 9 + t;
    int i = 0;
    while (i < n) {
        int k = own[i];
        if (k < 40) break;
        own[i] = k + 1;
        i = (k & 7) * 8;
    }
    p[blockIdx.x * 64 + t] = i;
}

/* What turns hand on comes first in a sum, then what is computed in fewest steps. */

/* ranked<<<2, 64>>>(int[128] = random(8), 20) */
extern "C" __global__ void ranked(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t, sum = 0;
    s[t] = p[at];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        unsigned w = s[t ^ i], u = s[t ^ i ^ 3];
        sum += (w >> 4 & 255) * 7 + (u & 15) * 3;
    }
    p[at] = sum;
}

/* ranked_apart<<<2, 64>>>(int[128] = random(9), 20) */
extern "C" __global__ void ranked_apart(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t, sum = 0, all = 0;
    s[t] = p[at];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        int w = s[t ^ i], v = w * 7 + (w & 15) * 3;
        sum += v;
        all ^= v;
    }
    p[at] = sum ^ all;
}

/* Whether two comparisons say the same is no comparison. */

/* same_answer<<<2, 64>>>(int[128] = random(7), 4) */
extern "C" __global__ void same_answer(int *p, int k)
{
    __shared__ int s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = p[at];
    __syncthreads();
    int a = s[t], b = s[t ^ 1];
    if ((a > b) == ((t & k) == 0)) p[at] = s[63 - t] * a;
}

/* A number lies between limits. */

/* within_limits<<<1, 64>>>(int[64]) */
extern "C" __global__ void within_limits(int *p)
{
    int t = threadIdx.x, lane = t % 32, warp = t >> 27;
    if (lane < 40) p[1] = 1;
    if (lane > -40) p[2] = 1;
    if (warp < 40) p[3] = 1;
    if ((t & 63) < 64) p[4] = 1;
    if ((t & 62) * 4 > 250) p[5] = 1;
    if (lane > 30) p[t] = lane;
}
