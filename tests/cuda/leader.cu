// A warp's leader makes room for all of its lanes, and hands the place on: the other lanes' `base` is not set
// before the shuffle. Numbers below 512 that 3 divides: 171, 11 or 10 in each warp.
#include <cstdio>

__global__ void filter(const int *in, int *out, int *n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = in[i];
    unsigned found = __ballot_sync(~0u, v % 3 == 0);
    int base;
    if (lane == 0)
        base = atomicAdd(n, __popc(found));
    base = __shfl_sync(~0u, base, 0);
    if (v % 3 == 0)
        out[base + __popc(found & ((1u << lane) - 1))] = v;
}

int main()
{
    int host[512], *in, *out, *n, count, sum = 0;
    for (int i = 0; i < 512; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&n, sizeof *n);
    cudaMemset(n, 0, sizeof *n);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    filter<<<2, 256>>>(in, out, n);
    cudaMemcpy(&count, n, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        sum += host[i];
    printf("%d numbers, sum %d\n", count, sum);
    return 0;
}
