/* choices.cu - branches that are choices, as little is computed on their ways, and some that are not; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o choices.ptx choices.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[512];                                                                         \
    int t = threadIdx.x, v = 0;                                                                    \
    s[t] = in[t], s[t + 256] = in[t + 256];                                                        \
    __syncthreads()

/* largest<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void largest(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) if (s[i] > v) v = s[i];
    out[t] = v;
}

/* larger<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void larger(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) v = s[i] > v ? s[i] : v;
    out[t] = v;
}

/* count<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void count(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) if (s[i] < t) v++;
    out[t] = v;
}

/* distance<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void distance(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        int d = s[i] - t;
        if (d > 0) v += d;
        else v -= d;
    }
    out[t] = v;
}

/* one_turn<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void one_turn(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        if (i == n) v++;
        v ^= s[i];
    }
    out[t] = v;
}

/* three_values<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void three_values(const int *in, int *out, int n)
{
    BEGIN;
    int at = 0, b = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] > v) {
            b = v;
            v = s[i];
            at = i;
        }
    }
    v += at + b;
    out[t] = v;
}

/* five<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void five(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        int d = s[i] - t;
        if (d > 0) v += ((((d * n) ^ t) * v) ^ n);
    }
    out[t] = v;
}

/* six<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void six(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        int d = s[i] - t;
        if (d > 0) v += (((((d * n) ^ t) * v) ^ n) * t);
    }
    out[t] = v;
}

/* both_ways<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void both_ways(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        int d = s[i] - t;
        if (d > 0) v += ((d * n) ^ t);
        else v -= (((d^n) * n) ^ t);
    }
    out[t] = v;
}

/* two_of_three<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void two_of_three(const int *in, int *out, int n)
{
    BEGIN;
    int w0 = 0, w1 = 1, w2 = 2;
    for (int i = 0; i < n; i++) {
        int d = s[i];
        if (d > t) {
            w2 = w1 + d;
            w1 = w0 + d;
            w0 = d;
        }
    }
    v = w0 ^ w1 ^ w2;
    out[t] = v;
}

/* values_alone<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void values_alone(const int *in, int *out, int n)
{
    BEGIN;
    int w0 = 0, w1 = 1, w2 = 2, w3 = 3, w4 = 4, w5 = 5, w6 = 6, w7 = 7;
    for (int i = 0; i < n; i++) {
        int d = s[i];
        if (d > t) {
            w7 = w6;
            w6 = w5;
            w5 = w4;
            w4 = w3;
            w3 = w2;
            w2 = w1;
            w1 = w0;
            w0 = d;
        }
    }
    v = w0 ^ w1 ^ w2 ^ w3 ^ w4 ^ w5 ^ w6 ^ w7;
    out[t] = v;
}

/* reals<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void reals(const int *in, int *out, int n)
{
    BEGIN;
    float w = 0;
    for (int i = 0; i < n; i++) {
        float d = s[i];
        if (d > 3) w += d * d * w;
    }
    v = w;
    out[t] = v;
}

/* roots<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void roots(const int *in, int *out, int n)
{
    BEGIN;
    float w = 0;
    for (int i = 0; i < n; i++) {
        float d = s[i];
        if (d > 3) w += sqrtf(d);
    }
    v = w;
    out[t] = v;
}

/* quotients<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void quotients(const int *in, int *out, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) {
        int d = s[i];
        if (d > 3) v += d / n;
    }
    out[t] = v;
}

/* again<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void again(const int *in, int *out, int n)
{
    BEGIN;
    if (t > 0) v = s[t];
    v += s[t] * 3;
    out[t] = v;
}

/* four_values<<<1, 256>>>(int[512] = random(3), int[256], 103) */
__global__ void four_values(const int *in, int *out, int n)
{
    BEGIN;
    int w0 = 0, w1 = 1, w2 = 2, w3 = 3;
    for (int i = 0; i < n; i++) {
        int d = s[i];
        if (d > t) {
            w3 = w2 + d;
            w2 = w1 + d;
            w1 = w0 + d;
            w0 = d;
        }
    }
    v = w0 ^ w1 ^ w2 ^ w3;
    out[t] = v;
}

/* of_two_arrays<<<1, 64>>>(float[1024] = random(1), float[64], 9) */
__global__ void of_two_arrays(const float *in, float *out, int n)
{
    __shared__ float a[64 * 4], b[64 * 4];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 4; i++) a[t * 4 + i] = in[t * 4 + i];
    for (int r = 0; r < n; r++) {
        float *from = r & 1 ? b : a, *to = r & 1 ? a : b;
        __syncthreads();
        for (int i = 0; i < 4; i++) to[t * 4 + i] = from[(t ^ 1) * 4 + i] + r;
        sum += from[63 - t];
    }
    out[t] = sum;
}
