/* numbers.cu - divisions by constants, reciprocals and expf, whose instructions and bits are nvcc's. Above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o numbers.ptx numbers.cu
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* exponential<<<4, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void exponential(const float *in, float *x)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    x[i] = expf(((int)i - 512) * 0.21f + in[i]);
}

/* saturated<<<4, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void saturated(const float *in, float *x)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    x[i] = __saturatef(in[i] * 3 - 1);
}

/* reciprocal<<<1, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void reciprocal(const float *in, float *x)
{
    x[threadIdx.x] = 1 / in[threadIdx.x];
}

/* reciprocal_of_double<<<1, 256>>>(float[1024] = random(3), double[1024]) */
__global__ void reciprocal_of_double(const float *in, double *x)
{
    x[threadIdx.x] = 1 / (double)in[threadIdx.x];
}

/* divided<<<1, 64>>>(int[64] = random(3), int[256]) */
__global__ void divided(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x] - 40;
    __syncthreads();
    int x = s[63 - threadIdx.x];
    out[threadIdx.x] = x / 7;
    out[threadIdx.x + 64] = x % 7;
    out[threadIdx.x + 128] = s[threadIdx.x / 3] + s[threadIdx.x % 28];
    out[threadIdx.x + 192] = x / -5 + x % 1000;
}

__device__ void add(unsigned &sum, long long x)
{
    sum = sum * 31 + (unsigned)x + (unsigned)(x >> 32);
}

/* halves<<<256, 256>>>(int[65536]) */
__global__ void halves(unsigned *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x, sum = 0;
    const __half h = __ushort_as_half((unsigned short)i);
    add(sum, __half2int_rn(h));
    add(sum, __half2int_rz(h));
    add(sum, __half2int_rd(h));
    add(sum, __half2int_ru(h));
    add(sum, __half2uint_rn(h));
    add(sum, __half2uint_rz(h));
    add(sum, __half2uint_rd(h));
    add(sum, __half2uint_ru(h));
    add(sum, __half2short_rn(h));
    add(sum, __half2short_rz(h));
    add(sum, __half2short_rd(h));
    add(sum, __half2short_ru(h));
    add(sum, __half2ushort_rn(h));
    add(sum, __half2ushort_rz(h));
    add(sum, __half2ushort_rd(h));
    add(sum, __half2ushort_ru(h));
    add(sum, __half2ll_rn(h));
    add(sum, __half2ll_rz(h));
    add(sum, __half2ll_rd(h));
    add(sum, __half2ll_ru(h));
    add(sum, __half2ull_rn(h));
    add(sum, __half2ull_rz(h));
    add(sum, __half2ull_rd(h));
    add(sum, __half2ull_ru(h));
    add(sum, __half2char_rz(h));
    add(sum, __half2uchar_rz(h));
    add(sum, __half_as_short(h));
    add(sum, __half_as_ushort(h));
    add(sum, __half_as_ushort(__short_as_half((short)i)));
    add(sum, __half_as_ushort(__uint2half_rn(i * 5)));
    add(sum, __half_as_ushort(__short2half_rn((short)i)));
    add(sum, __half_as_ushort(__ushort2half_rn((unsigned short)i)));
    add(sum, __half_as_ushort(__int2half_rn((int)i - 32768)));
    add(sum, __half_as_ushort(__ll2half_rn((long long)i - 32768)));
    add(sum, __half_as_ushort(__ull2half_rn((unsigned long long)i)));
    out[i] = sum;
}

/* bfloats<<<256, 256>>>(int[65536]) */
__global__ void bfloats(unsigned *out)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x, sum = 0;
    const __nv_bfloat16 h = __ushort_as_bfloat16((unsigned short)i);
    add(sum, __bfloat162int_rn(h));
    add(sum, __bfloat162int_rz(h));
    add(sum, __bfloat162int_rd(h));
    add(sum, __bfloat162int_ru(h));
    add(sum, __bfloat162uint_rn(h));
    add(sum, __bfloat162uint_rz(h));
    add(sum, __bfloat162uint_rd(h));
    add(sum, __bfloat162uint_ru(h));
    add(sum, __bfloat162short_rn(h));
    add(sum, __bfloat162short_rz(h));
    add(sum, __bfloat162short_rd(h));
    add(sum, __bfloat162short_ru(h));
    add(sum, __bfloat162ushort_rn(h));
    add(sum, __bfloat162ushort_rz(h));
    add(sum, __bfloat162ushort_rd(h));
    add(sum, __bfloat162ushort_ru(h));
    add(sum, __bfloat162ll_rn(h));
    add(sum, __bfloat162ll_rz(h));
    add(sum, __bfloat162ll_rd(h));
    add(sum, __bfloat162ll_ru(h));
    add(sum, __bfloat162ull_rn(h));
    add(sum, __bfloat162ull_rz(h));
    add(sum, __bfloat162ull_rd(h));
    add(sum, __bfloat162ull_ru(h));
    add(sum, __bfloat162char_rz(h));
    add(sum, __bfloat162uchar_rz(h));
    add(sum, __bfloat16_as_short(h));
    add(sum, __bfloat16_as_ushort(h));
    add(sum, __bfloat16_as_ushort(__short_as_bfloat16((short)i)));
    add(sum, __bfloat16_as_ushort(__uint2bfloat16_rn(i * 5)));
    add(sum, __bfloat16_as_ushort(__short2bfloat16_rn((short)i)));
    add(sum, __bfloat16_as_ushort(__ushort2bfloat16_rn((unsigned short)i)));
    add(sum, __bfloat16_as_ushort(__int2bfloat16_rn((int)i - 32768)));
    add(sum, __bfloat16_as_ushort(__ll2bfloat16_rn((long long)i - 32768)));
    add(sum, __bfloat16_as_ushort(__ull2bfloat16_rn((unsigned long long)i)));
    out[i] = sum;
}
