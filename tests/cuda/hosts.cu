/* hosts.cu - a kernel that waits for the host, by a flag in memory of both. Here a launch has ended before the
 * host goes on, so it waits for ever, and that is told. */
#include <cstdio>

__global__ void wait(volatile int *flag, int *out)
{
    while (*flag == 0) {
    }
    *out = *flag;
}

int main()
{
    int *flag, *out;
    cudaMallocManaged(&flag, sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    *flag = 0;
    wait<<<1, 32>>>(flag, out);
    *flag = 1;
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
