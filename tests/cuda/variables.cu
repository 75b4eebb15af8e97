/* Managed variables: read and written by host and kernels, by name and by address. */
#include <cuda_runtime.h>

#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float numbers[4] = {1, 2, 3, 4};
static __managed__ double *where;

__global__ void change(float *by_address)
{
    atomicAdd(&counter, 1);
    numbers[threadIdx.x] *= 2;
    by_address[threadIdx.x] += 100;
    if (threadIdx.x == 0) {
        *where = 0.5;
    }
}

int main()
{
    double *number;
    cudaMallocManaged(&number, sizeof *number);
    where = number;
    printf("%d %g\n", counter, numbers[2]);
    counter = 7;
    change<<<1, 4>>>(numbers);
    cudaDeviceSynchronize();
    printf("%d %g %g %g\n", counter, numbers[0], numbers[3], *number);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
