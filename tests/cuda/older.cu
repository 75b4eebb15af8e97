/* What CUDA 13 has no more: shuffles and votes without a mask, calls of threads, members of a
 * device's properties, prefetches by a device's number. */
#include <cuda_runtime.h>

#include <cstdio>

__global__ void ask(int *out)
{
    int i = threadIdx.x, sum = i;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        sum += __shfl_xor(sum, lanes);
    }
    out[i] = sum;
    out[32 + i] = __shfl_down(i, 3, 8) + 100 * __shfl_up(i, 2) + 10000 * __shfl(i, 7);
    double half = __shfl_down(i / 2.0, 1);
    if (i < 20) { /* of the lanes that run */
        unsigned odd = __ballot(i % 2);
        out[64 + i] =
            __any(i == 19) + 2 * __any(i == 20) + 4 * __all(i < 20) + 8 * (odd == 0xaaaaa);
        out[64 + i] += half == (i + 1) / 2.0 ? 16 : 0;
    }
}

int main()
{
    constexpr int N = 96;
    struct cudaDeviceProp properties;
    int *out, device = 0;
    cudaGetDeviceProperties(&properties, device);
    cudaThreadSetCacheConfig(cudaFuncCachePreferShared);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMemAdvise(out, N * sizeof *out, cudaMemAdviseSetReadMostly, device);
    cudaMemPrefetchAsync(out, N * sizeof *out, device);
    ask<<<1, 32>>>(out);
    cudaThreadSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%d %d\n", properties.clockRate > 0, properties.memoryClockRate > 0);
    printf("%d %d\n", out[0], out[31]);
    for (int i : {0, 6, 7, 31}) {
        printf("%d ", out[32 + i]);
    }
    printf("\n%d %d %d\n", out[64], out[64 + 19], out[64 + 20]);
    cudaThreadExit();
    return 0;
}
