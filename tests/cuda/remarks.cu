// remarks.cu - what is found in launches of a program is told once: 3 launches of 2 blocks each read 12
// elements that nobody wrote.
#include <cstdio>

__global__ void tile(float *a, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = a[t];
    __syncthreads();
    a[t] = s[t];
}

int main()
{
    float *a;
    cudaMalloc(&a, 32 * sizeof *a);
    cudaMemset(a, 0, 32 * sizeof *a);
    for (int i = 0; i < 3; i++)
        tile<<<2, 32>>>(a, 20);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
