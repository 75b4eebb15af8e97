/* What there is of half and bfloat16 beyond half.cu and bfloat.cu: arithmetic that saturates, comparisons of what
 * is no number, conversions of integers, atomics. What is printed of each, a sum over all 16 bits, is NVIDIA's
 * own headers', which nvcc has compiled. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

#define BINARY(X)                                                                               \
    X(__hadd_sat(x, y))                                                                         \
    X(__hsub_sat(x, y))                                                                         \
    X(__hmul_sat(x, y)) X(__hmul_rn(x, y)) X(__hmax_nan(x, y)) X(__hmin_nan(x, y))              \
        X(__hfma_sat(x, y, y)) X(__hfma_relu(x, y, x)) X(hrint(+x)) X(htrunc(x)) X(__heq(x, y)) \
            X(__hequ(x, y)) X(__hltu(x, y)) X(__hgeu(x, x)) X(__hneu(x, y)) X(__hisinf(x))
#define CONVERSIONS(X, T)                                                                        \
    X(__##T##2int_rn(x))                                                                         \
    X(__##T##2uint_rz(x))                                                                        \
    X(__##T##2short_rd(x)) X(__##T##2ushort_ru(x)) X(__##T##2ll_rn(x)) X(__##T##2ull_rz(x))      \
        X(__int2##T##_rn(i * 65521)) X(__uint2##T##_rn(i * 65521)) X(__short2##T##_rn((short)i)) \
            X(__ushort2##T##_rn((unsigned short)i)) X(__ll2##T##_rn((long long)i *i * -65521))   \
                X(__ull2##T##_rn((unsigned long long)i *i *i * 65521))

/* Any NaN is as good as another. */
template <typename T> __device__ unsigned long long bits_of(T value)
{
    return (unsigned long long)value;
}
template <> __device__ unsigned long long bits_of(__half x)
{
    return (__half_as_ushort(x) & 0x7fff) > 0x7c00 ? 1 : __half_as_ushort(x);
}
template <> __device__ unsigned long long bits_of(__nv_bfloat16 x)
{
    return (__bfloat16_as_ushort(x) & 0x7fff) > 0x7f80 ? 1 : __bfloat16_as_ushort(x);
}

enum { MOST = 40 };
#define SUM(expression) atomicAdd(&sums[n++], (i % 1021 + 1) * bits_of(expression));
#define KERNEL(T)                                                    \
    __global__ void compute_##T(unsigned long long *sums)            \
    {                                                                \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;          \
        auto x = __ushort_as_##T((unsigned short)i);                 \
        auto y = __ushort_as_##T((unsigned short)(i * 40503u >> 3)); \
        int n = 0;                                                   \
        BINARY(SUM) CONVERSIONS(SUM, T)                              \
    }
KERNEL(half)
KERNEL(bfloat16)

__global__ void add(__half *half, __half2 *pair, __nv_bfloat16 *brain, __nv_bfloat162 *brains,
                    float2 *two)
{
    atomicAdd(half, __half(1.f));
    atomicAdd(pair, __half2(1.f, 2.f));
    atomicAdd(brain, __nv_bfloat16(1.f));
    atomicAdd(brains, __nv_bfloat162(0.5f, 2.f));
    atomicAdd(two, make_float2(3, 4));
}

template <int n> void print(const char *type, const char *const (&names)[n], unsigned long long *on)
{
    unsigned long long sums[MOST];
    cudaMemcpy(sums, on, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemset(on, 0, sizeof sums);
    for (int i = 0; i < n; i++) {
        printf("%s %s %llu\n", type, names[i], sums[i]);
    }
}

#define NAME(expression) #expression,
static const char *const of_half[] = {BINARY(NAME) CONVERSIONS(NAME, half)};
static const char *const of_bfloat[] = {BINARY(NAME) CONVERSIONS(NAME, bfloat16)};

int main()
{
    unsigned long long *sums;
    float2 *sum, two;
    cudaMalloc(&sums, sizeof *sums * MOST);
    cudaMemset(sums, 0, sizeof *sums * MOST);
    compute_half<<<256, 256>>>(sums);
    print("half", of_half, sums);
    compute_bfloat16<<<256, 256>>>(sums);
    print("bfloat16", of_bfloat, sums);

    unsigned short added[8];
    cudaMalloc(&sum, 32);
    cudaMemset(sum, 0, 32);
    add<<<1, 32>>>((__half *)sum, (__half2 *)sum + 1, (__nv_bfloat16 *)sum + 4,
                   (__nv_bfloat162 *)sum + 3, sum + 2);
    cudaMemcpy(added, sum, sizeof added, cudaMemcpyDeviceToHost);
    cudaMemcpy(&two, sum + 2, sizeof two, cudaMemcpyDeviceToHost);
    printf("%s: added %g, %g and %g, %g, %g and %g, %g and %g\n",
           cudaGetErrorString(cudaGetLastError()), __half2float(__ushort_as_half(added[0])),
           __half2float(__ushort_as_half(added[2])), __half2float(__ushort_as_half(added[3])),
           __bfloat162float(__ushort_as_bfloat16(added[4])),
           __bfloat162float(__ushort_as_bfloat16(added[6])),
           __bfloat162float(__ushort_as_bfloat16(added[7])), two.x, two.y);
}
