/* products.cu - indices that nvcc makes of another product of the same number, which is there already, so that ptxas
 * does not see what a loop's accesses are multiples of, and merges none; and such as stay what they are. Above each
 * kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o products.ptx products.cu
 */

/* bytes<<<1, 64>>>(int[64], 3) */
__global__ void bytes(int *out, int rounds)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = t * 0x01020304 + k;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 8
        for (int k = 0; k < 32; k++)
            sum = __dp4a(s[t * 32 + k], 0x01010101, sum);
        __syncthreads();
        s[t * 32 + (r & 31)] = sum;
        __syncthreads();
    }
    out[t] = sum;
}

/* as_many_as_said<<<2, 64>>>(float[128], 29) */
__global__ void as_many_as_said(float *out, int n)
{
    __shared__ float s[64 * 32];
    int t = threadIdx.x;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = t + k;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 0.5f + s[t * 32 + k];
    out[blockIdx.x * 64 + t] = sum;
}

/* from_four<<<1, 64>>>(int[64]) */
__global__ void from_four(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = t * 3 + k;
    __syncthreads();
#pragma unroll 8
    for (int k = 4; k < 28; k++)
        sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* by_fours<<<1, 64>>>(int[64]) */
__global__ void by_fours(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = t * 128 + k;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 32; k += 4)
        sum += s[t * 32 + k] * s[t * 32 + k + 1] - s[t * 32 + k + 2] * s[t * 32 + k + 3];
    out[t] = sum;
}

/* doubles<<<1, 64>>>(double[64]) */
__global__ void doubles(double *out)
{
    __shared__ double s[64 * 16];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++)
        s[t * 16 + k] = t + k;
    __syncthreads();
    double sum = 0;
#pragma unroll 4
    for (int k = 0; k < 16; k++)
        sum = sum * 7 + s[t * 16 + k];
    out[t] = sum;
}

/* indices<<<1, 64>>>(int[256] = random(1), int[64]) */
__global__ void indices(const int *in, int *out)
{
    __shared__ int s[64 * 16];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 16; k++)
        s[t * 16 + k] = in[t * 3 + k];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 16; k++)
        sum = sum * 7 ^ s[t * 16 + k];
    out[t] = sum;
}

/* before<<<1, 64>>>(int[164]) */
__global__ void before(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    out[t + 100] = t * 3 + 3;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = k;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* beyond<<<1, 64>>>(int[164]) */
__global__ void beyond(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    out[t + 100] = t * 3 + 9;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = k;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* behind<<<1, 64>>>(int[164]) */
__global__ void behind(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = k;
    out[t + 100] = t * 3 + 7;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* guarded<<<1, 64>>>(int[64], 50) */
__global__ void guarded(int *out, int n)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    if (t < n)
        for (int k = 0; k < 32; k++)
            s[t * 32 + k] = t * 3 + k;
    __syncthreads();
    if (t < n)
#pragma unroll 8
        for (int k = 0; k < 32; k++)
            sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* by_less<<<1, 64>>>(int[64]) */
__global__ void by_less(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t * 32 + k] = t * 48 + k;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t * 32 + k];
    out[t] = sum;
}

/* rows<<<1, 64>>>(int[64]) */
__global__ void rows(int *out)
{
    __shared__ int s[64][32];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 32; k++)
        s[t][k] = t * 3 + k;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t][k];
    out[t] = sum;
}

/* seven_first<<<1, 64>>>(int[64]) */
__global__ void seven_first(int *out)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x, sum = 0;
    s[t * 32 + 7] = t * 3 + 7;
    s[t * 32 + 1] = 5;
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        sum = sum * 7 ^ s[t * 32 + k] & 63;
    out[t] = sum;
}

/* second<<<1, 64>>>(int[64], 2) */
__global__ void second(int *out, int rounds)
{
    __shared__ int s[64 * 16];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 16; k++)
        s[t * 16 + k] = t + k;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 16; k++)
            sum = sum * 7 + s[t * 16 + k];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 16; k++)
            sum = sum * 5 ^ s[t * 16 + k];
    }
    out[t] = sum;
}

#define TWO                                                                                        \
    __shared__ float x[32 * 24], l[40 * 24];                                                       \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 40 * 24; i += 32) l[i] = in[i];                                            \
    for (int i = 0; i < 24; i++) x[t * 24 + i] = i + t;                                            \
    __syncthreads();                                                                               \
    float y = 0

/* rows_by_rows<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_by_rows(float *out, const float *in, int n, int m)
{
    TWO;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) y += l[i * 24 + k] * x[t * 24 + k];
    out[t] = y;
}

/* rows_below<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_below(float *out, const float *in, int n, int m)
{
    TWO;
    for (int i = 0; i < n; i++) {
        y = x[t * 24 + i];
        for (int k = 0; k < i; k++) y -= l[i * 24 + k] * x[t * 24 + k];
        x[t * 24 + i] = y / l[i * 25];
    }
    out[t] = y;
}

/* rows_by_columns<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_by_columns(float *out, const float *in, int n, int m)
{
    TWO;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) y += l[k * 24 + i] * x[t * 24 + k];
    out[t] = y;
}

/* rows_by_one<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_by_one(float *out, const float *in, int n, int m)
{
    TWO;
    for (int k = 0; k < n; k++) y += l[m * 25 + k] * x[t * 24 + k];
    out[t] = y;
}

/* rows_by_a_line<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_by_a_line(float *out, const float *in, int n, int m)
{
    TWO;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) y += l[k] * x[t * 24 + k] + i;
    out[t] = y;
}

/* rows_by_own<<<1, 32>>>(float[32], float[960] = random(1), 22, 5) */
__global__ void rows_by_own(float *out, const float *in, int n, int m)
{
    TWO;
    for (int k = 0; k < n; k++) y += l[t * 22 + k] * x[t * 24 + k];
    out[t] = y;
}
