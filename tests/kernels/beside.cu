/* beside.cu - stores that never meet what was loaded, as their addresses differ by no multiple of what the indices count;
 * and some that may; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o beside.ptx beside.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[1024];                                                                        \
    int t = threadIdx.x;                                                                           \
    unsigned un = n, um = m;                                                                       \
    for (int i = t; i < 1024; i += 32) s[i] = in[i];                                               \
    __syncthreads()
#define KERNEL(name, loaded, stored)                                                               \
    __global__ void name(int *out, const int *in, int n, int m)                                    \
    {                                                                                              \
        BEGIN;                                                                                     \
        int x = s[loaded];                                                                         \
        s[stored] = t;                                                                             \
        out[t] = x;                                                                                \
        out[t + 32] = s[loaded] + un + um;                                                         \
    }

/* rows<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows, n * 17 + 1, t * 17)

/* rows_below<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows_below, t * 17 - 1 + 4, m * 17 + 2)

/* rows_backwards<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows_backwards, 100 - n * 17, m * 17)

/* one_row<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(one_row, n * 17, t * 17)

/* rows_apart<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows_apart, n * 12 + 9, m * 18)

/* rows_beside<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows_beside, n * 12 + 8, m * 18 + 1)

/* rows_that_meet<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(rows_that_meet, n * 17 + 1, m * 9)

/* unsigned_rows<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(unsigned_rows, un * 17 + 1, um * 17)

/* sum_of_rows<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(sum_of_rows, (n + m) * 17 + 1, m * 17)

/* sum_in_row<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(sum_in_row, n * 17 + m * 34 + 1, m * 17)

/* sum_of_even<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(sum_of_even, n * 16 + m * 32 + 1, m * 16)

/* columns<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(columns, n * 16 + m + 1, t * 16 + m)

/* even<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(even, (n & ~1) + 1, m & ~1)

/* neighbours<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(neighbours, n + 1, m)

/* twofold<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
KERNEL(twofold, 2 * n + 1, n)

/* grid<<<1, 32>>>(int[64], int[1024] = random(1), 3, 4) */
__global__ void grid(int *out, const int *in, int n, int m)
{
    __shared__ int s[32][33];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++) s[i][t] = in[i * 32 + t];
    __syncthreads();
    int x = s[n][m + 1];
    s[t][m] = t;
    out[t] = x;
    out[t + 32] = s[n][m + 1];
}

/* axpy<<<1, dim3(32)>>>(int[64], int[1024] = random(1), 3, 4) */
__global__ void axpy(int *out, const int *in, int n, int m)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 32) s[i] = in[i];
    __syncthreads();
    int *own = s + t * 17, dot = 0;
    const int *row = s + n * 17;
    for (int i = 0; i < 4; i++) dot += own[i] * row[i];
    for (int i = 0; i < 4; i++) own[i] -= dot * row[i];
    __syncthreads();
    out[t] = s[t * 31];
    out[t + 32] = dot + m;
}

/* in_global<<<1, 32>>>(int[1024] = random(1), 3) */
__global__ void in_global(int *s, int n)
{
    int t = threadIdx.x, x = s[n * 17 + 1];
    s[t * 17] = x;
    s[t * 17 + 2] = s[n * 17 + 1];
}

/* A base of addresses that a loop takes to go on from: the two words beside each other are one access still. */

/* goes_on<<<1, 64>>>(int[64], int[64] = iota, 3) */
extern "C" __global__ void goes_on(int *out, const int *in, int n)
{
    __shared__ int words[64];
    int t = threadIdx.x, v = t * 8;
    words[t] = in[t];
    __syncthreads();
    if (t < 32) words[2 * t] = (words[2 * t] + words[2 * t + 1]) & 0xffffff;
    __syncthreads();
    for (int i = 0; i < n; i++) v = v * 3 + i;
    out[t] = v;
}
