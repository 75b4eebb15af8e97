/* remains.cu - quotients and remainders of the same numbers, and what turns weigh with them, with float2s, and with loops
 * inside that are straight code; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o remains.ptx remains.cu
 */
#define DIVIDED(name, first, second)                                                               \
    __global__ void name(int *out, int n)                                                          \
    {                                                                                              \
        int t = threadIdx.x, d = t / n;                                                            \
        out[t] = first;                                                                            \
        out[t + 64] = second;                                                                      \
    }

/* back<<<1, 64>>>(int[128], 7) */
DIVIDED(back, t / n * n, 0)

/* back_and_rest<<<1, 64>>>(int[128], 7) */
DIVIDED(back_and_rest, t / n * n * 2 + t % n, 0)

/* rest_and_back<<<1, 64>>>(int[128], 7) */
DIVIDED(rest_and_back, t % n, n * (t / n))

/* both<<<1, 64>>>(int[128], 7) */
DIVIDED(both, t / n, t % n)

/* rest_and_quotient<<<1, 64>>>(int[128], -7) */
DIVIDED(rest_and_quotient, t % n, t / n)

/* quotient_is_wanted<<<1, 64>>>(int[128], 7) */
DIVIDED(quotient_is_wanted, d * n, d + 1)

/* all_of_them<<<1, 64>>>(int[128], -7) */
DIVIDED(all_of_them, d * n + t % n, d + 1)

/* another_divisor<<<1, 64>>>(int[128], 7) */
DIVIDED(another_divisor, d * (n + 1), t % n)

/* unsigned_and_signed<<<1, 64>>>(int[128], -7) */
DIVIDED(unsigned_and_signed, (t - 32) / n, (unsigned)(t - 32) % (unsigned)n)

#define TURNS(name, loop, ...)                                                                     \
    __global__ void name(float *out, const float *in, int m)                                       \
    {                                                                                              \
        __shared__ float s[512];                                                                   \
        __shared__ float2 v[512];                                                                  \
        int t = threadIdx.x;                                                                       \
        for (int i = t; i < 512; i += 64) {                                                        \
            s[i] = in[i];                                                                          \
            v[i] = make_float2(i, in[511 - i]);                                                    \
        }                                                                                          \
        __syncthreads();                                                                           \
        float x = in[t];                                                                           \
        for loop __VA_ARGS__                                                                       \
        out[t] = x + s[t];                                                                              \
    }

/* of_pairs<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(of_pairs, (int n = 1; n < 256; n *= 2), {
    float2 a = v[t ^ n], b = v[t + n];
    x = a.x * b.y - a.y * b.x + s[t ^ n] * x - s[t + n] * 0.5f;
    x = x * s[(t & n) + 3] + x * s[(t | n) & 15] - x * s[n] + s[t / n & 7] * s[n + 5];
    __syncthreads();
    s[t ^ n] = x * 0.25f;
    s[t + 2 * n & 255] = x * s[n + 9];
    __syncthreads();
})

/* of_copies<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(of_copies, (int n = 1; n < 256; n *= 2), {
    v[t ^ n] = v[t + n];
    x = x * in[(t & n) + 103] + x * in[(t | n) & 31] - x * in[n + 9] + m * in[n + 90];
    x = x * x + 3;
    x = x * x + m;
    x = x * x + 5;
    x = x * x + 7;
    x = x * x + 9;
    x = x * x + 11;
    __syncthreads();
    s[t ^ n] = x * 0.25f;
    __syncthreads();
})

/* of_remainders<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(of_remainders, (int n = 1; n < 256; n *= 2), {
    int i = t / n * n * 2 + t % n;
    x = x * s[i] + s[i + n] * 0.5f - x * s[(t & n) + 6] + s[n + 6] * x - s[t + n] + x * s[(t ^ n) & 15];
    x = x * s[(t ^ n) + 1] - s[(t | n) + 2] * x + s[n * 2] - x * x + s[(t + n * 3) & 255] * 0.125f;
    __syncthreads();
    s[t ^ n] = x * 0.25f;
    __syncthreads();
})

/* with_a_loop_inside<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(with_a_loop_inside, (int n = 0; n < 14; n++), {
    for (int k = 0; k < 4; k++) x += s[t + 64 * k] * v[t + 64 * k].x;
    __syncthreads();
    s[t] = x * 0.25f;
    v[t].x = x * 0.5f;
    __syncthreads();
})

/* with_one_at_the_counter<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(with_one_at_the_counter, (int n = 0; n < 14; n++), {
    for (int k = 0; k < 4; k++) x += s[t * 4 + k] * s[n * 4 + k];
    __syncthreads();
    s[t] = x * 0.25f;
    __syncthreads();
})

/* four_by_four<<<1, 64>>>(float[64], float[512] = random(1), 3) */
TURNS(four_by_four, (int n = 1; n < 256; n *= 4), {
    float a[4];
    for (int k = 0; k < 4; k++) a[k] = s[t + 64 * k] * v[t + 64 * k].x + s[t + 64 * k] * v[t + 64 * k].y * n;
    int to = t / n * n * 4 + t % n;
    __syncthreads();
    s[to] = a[0] + a[1] + a[2] + a[3] * 0.5f - x;
    s[to + n] = a[0] - a[1] + a[2] - a[3] * 0.5f + x;
    s[to + 2 * n] = a[0] + a[1] - a[2] - a[3] * 0.25f * x;
    s[to + 3 * n] = a[0] - a[1] - a[2] + a[3] * 0.25f - x * x;
    x = x * 0.5f + a[0] * a[1] - a[2] * a[3];
    x = x * x + 3;
    x = x * x + m;
    x = x * x + 5;
    x = x * x + 7;
    x = x * x + 9;
    x = x * x + 11;
    x = x * x + 13;
    x = x * x + 15;
    x = x * x + 17;
    x = x * x + 19;
    x = x * x + 21;
    x = x * x + 23;
    x = x * x + 25;
    __syncthreads();
})
