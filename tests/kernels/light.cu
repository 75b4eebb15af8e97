/* light.cu - built-in functions that are computed before it is known whether to; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o light.ptx light.cu
 */
#define BEGIN                                                                                      \
    __shared__ int b[2];                                                                           \
    __shared__ float f[2];                                                                         \
    __shared__ unsigned long long q[2];                                                            \
    int t = threadIdx.x;                                                                           \
    if (t < 2) b[t] = in[t], f[t] = in[t], q[t] = in[t];                                           \
    __syncthreads()

/* counts_ones<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void counts_ones(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __popc(b[0]) : 0;
}

/* counts_ones_of_long<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void counts_ones_of_long(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __popcll(q[0]) + __clzll(q[1]) : 0;
}

/* counts_zeros<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void counts_zeros(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __clz(b[0]) : 0;
}

/* finds_first<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void finds_first(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __ffs(b[0]) : 0;
}

/* finds_first_and_adds<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void finds_first_and_adds(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __ffs(b[0]) + m : 0;
}

/* finds_first_and_multiplies<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void finds_first_and_multiplies(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __ffs(b[0]) * m + 3 : 0;
}

/* turns<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void turns(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __brev(b[0]) : 0;
}

/* five_instructions<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void five_instructions(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? (__popc(b[0]) * m + 3) ^ m : 0;
}

/* six_instructions<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void six_instructions(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? ((__popc(b[0]) * m + 3) ^ m) * 5 : 0;
}

/* absolute<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void absolute(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? abs(b[0]) + m : 0;
}

/* absolute_and_two<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void absolute_and_two(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? abs(b[0]) * m + 3 : 0;
}

/* bits_of_float<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void bits_of_float(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? (__float_as_int(f[0]) * m + 3) ^ m : 0;
}

/* product_of_24<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void product_of_24(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __umul24(b[0], b[1]) : 0;
}

/* product_of_24_and_sum<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void product_of_24_and_sum(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __umul24(b[0], b[1]) + m : 0;
}

/* upper_half<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void upper_half(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __mulhi(b[0], b[1]) : 0;
}

/* least_of_floats<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void least_of_floats(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? fminf(f[0], f[1]) : 0;
}

/* two_of_them<<<1, 64>>>(int[64], int[64] = random(1), 3) */
__global__ void two_of_them(int *out, const int *in, int m)
{
    BEGIN;
    out[t] = t >= 32 ? __popc(b[0]) + __popc(b[1]) : 0;
}
