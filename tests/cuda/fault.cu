// fault.cu - a launch that leads out of its array: those before it are told, those after it fail, and the program
// goes as it likes.
#include <cstdio>
#include <cstdlib>

__global__ void turn(int *a, int wanted)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    int value = s[63 - threadIdx.x];
    a[threadIdx.x + (value == wanted ? 1024 : 0)] = value + 1;
}

int main()
{
    int *a;
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemset(a, 0, 64 * sizeof *a);
    for (int i = 0; i < 4; i++)
        turn<<<1, 64>>>(a, 2);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    // What is made now is none, and is not looked at.
    cudaEvent_t event = (cudaEvent_t)16, end = (cudaEvent_t)32;
    cudaStream_t stream = (cudaStream_t)48;
    float ms;
    printf("%d %d %d %d %d\n", cudaEventCreate(&event), cudaEventRecord(event, stream),
           cudaEventElapsedTime(&ms, event, end), cudaEventDestroy(event), cudaStreamCreate(&stream));
    printf("%d %d\n", cudaMemcpyAsync(a, a, 4, cudaMemcpyDeviceToDevice, stream),
           cudaStreamWaitEvent(stream, event, 0));
    fflush(stdout);
    abort();
}
