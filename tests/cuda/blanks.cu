/* Launches with blanks in <<< and >>>, as editors that do not know CUDA write them, and what looks alike. */
#include <cuda_runtime.h>

#include <cstdio>

// clang-format off
__global__ void add(int *sum, int n)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    atomicAdd(sum, tile[threadIdx.x] * n);
}

template <typename T> struct held;
template <typename T> int operator<< (const held<T> &, int);
template <typename T> struct held {
    friend int operator<< <T>(const held<T> &, int);
};
template <typename T> int operator<< (const held<T> &, int n) { return n; }

int main()
{
    int *sum, is = 0;
    const char *text = "add<< <1, 32 >> >"; // add<< <1, 32 >> >(sum)
    char quote = '"'; /* add<< <1, 32 >> >(sum, 1); */
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    add<< <1, 32 >> >(sum, 1);
    add << <dim3(1 << 1, (8 >> 3)), 32, sizeof(int) > 2 ? 0 : 4 >>	> (sum, held<int>() << 10);
    add <<<1, 32>>>(sum, 100);
    add<< < 1,
            32 >> > (sum, 1000);
    cudaMemcpy(&is, sum, sizeof is, cudaMemcpyDeviceToHost);
    std::printf("%d %s %c line %d\n", is / (31 * 16), text, quote, __LINE__);
}
