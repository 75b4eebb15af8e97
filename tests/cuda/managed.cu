/* Memory that host and device share, constants, symbols, a kernel by its address, dynamic shared
 * memory beyond 48 KiB, printf and assert in kernels, functions that are not inlined, time. */
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__constant__ int factor[2] = {3, 4};
__device__ int calls = 5;

struct pair {
    int *p;
    short n;
};

__device__ __noinline__ int scaled(const pair &in, int i)
{
    assert(i < in.n);
    return in.p[i] * factor[i % 2];
}

__global__ void scale(pair in, int *out)
{
    extern __shared__ int line[];
    int i = threadIdx.x;
    line[i * 256] = scaled(in, i);
    __syncthreads();
    out[i] = line[(in.n - 1 - i) * 256];
    atomicAdd(&calls, 1);
    if (i == 7) {
        printf("thread %d of %u has %d, %s, %.2f\n", i, blockDim.x, out[i], "a text", out[i] / 4.0);
    }
}

int main()
{
    constexpr int N = 50, BYTES = N * 256 * 4;
    int *in, *out, constants[2] = {10, 100}, n;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N; i++) {
        in[i] = i;
    }
    pair argument = {in, N};
    void *arguments[] = {&argument, &out};
    cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    scale<<<1, N, BYTES>>>(argument, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[N - 1]);
    cudaMemcpyToSymbol(factor, constants, sizeof constants);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    cudaLaunchKernel((const void *)scale, dim3(1), dim3(N), arguments, BYTES, 0);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpyFromSymbol(&n, calls, sizeof n);
    printf("%d %d %d, %d calls, time %s\n", out[0], out[1], out[N - 1], n,
           ms >= 0 ? "goes on" : "?");
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}
