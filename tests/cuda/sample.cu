// sample.cu - two of the four blocks of each launch are run, without what ptxas merges.
#include <cstdio>

__global__ void pairs(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    s[threadIdx.x + 32] = 32;
    __syncthreads();
    a[32 * blockIdx.x + threadIdx.x] = s[2 * threadIdx.x] + s[2 * threadIdx.x + 1];
}

int main()
{
    float *a;
    int written = 0;
    cudaMallocManaged(&a, 128 * sizeof *a);
    cudaMemset(a, 0, 128 * sizeof *a);
    pairs<<<4, 32>>>(a);
    pairs<<<4, 32>>>(a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 128; i++)
        written += a[i] != 0;
    printf("%d elements\n", written);
}
