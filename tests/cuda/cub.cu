/* CUB's reductions of blocks and warps: values, and what they do to shared memory, by both compilers. */
#include <cub/cub.cuh>
#include <cuda_runtime.h>

#include <cstdio>

enum { N = 256 };

template <typename T, int x, int y> __global__ void sum(T *out)
{
    typedef cub::BlockReduce<T, x, cub::BLOCK_REDUCE_WARP_REDUCTIONS, y> reduction;
    __shared__ typename reduction::TempStorage memory;
    T value = (T)(threadIdx.y * x + threadIdx.x + blockIdx.x);
    T all = reduction(memory).Sum(value);
    if (threadIdx.x + threadIdx.y == 0) {
        out[blockIdx.x] = all;
    }
}

struct most {
    __device__ float operator()(float x, float y) const
    {
        return fmaxf(x, y);
    }
};

__global__ void others(float *out)
{
    typedef cub::BlockReduce<float, N> reduction;
    typedef cub::BlockReduce<cub::KeyValuePair<int, float>, N> pairs;
    typedef cub::WarpReduce<float> warps;
    typedef cub::WarpReduce<float, 8> eights;
    __shared__ union {
        reduction::TempStorage memory;
        pairs::TempStorage of_pairs;
    } shared;
    __shared__ warps::TempStorage of_warps[N / 32];
    __shared__ eights::TempStorage of_eights[N / 8];
    int i = threadIdx.x;
    float value = (float)(i * 37 % 101), both[] = {value, value + 1};
    float greatest = reduction(shared.memory).Reduce(value, most());
    __syncthreads();
    float first = reduction(shared.memory).Sum(value, 70);
    __syncthreads();
    float twice = reduction(shared.memory).Sum(both);
    __syncthreads();
    cub::KeyValuePair<int, float> own;
    own.key = i;
    own.value = value;
    auto best = pairs(shared.of_pairs).Reduce(own, cub::ArgMax());
    float of_warp = warps(of_warps[i / 32]).Sum(value);
    float of_eight = eights(of_eights[i / 8]).Reduce(value, most());
    if (i == 0) {
        out[0] = greatest;
        out[1] = first;
        out[2] = twice;
        out[3] = best.key;
        out[4] = best.value;
    }
    if (i == 32) {
        out[5] = of_warp;
        out[6] = of_eight;
    }
}

template <typename T, int x, int y> void ask(const char *what)
{
    T *on, out[2];
    cudaMalloc(&on, sizeof out);
    sum<T, x, y><<<2, dim3(x, y)>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    int should = x * y * (x * y - 1) / 2;
    printf("%s: %s\n", what, out[0] == should && out[1] == should + x * y ? "right" : "wrong");
    cudaFree(on);
}

int main()
{
    ask<int, N, 1>("int 256");
    ask<float, N, 1>("float 256");
    ask<double, 100, 1>("double 100");
    ask<float, 16, 8>("float 16 x 8");
    float *on, out[7];
    cudaMalloc(&on, sizeof out);
    others<<<1, N>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    float greatest = 0, first = 0, twice = 0, of_warp = 0;
    int key = 0;
    for (int i = 0; i < N; i++) {
        float value = (float)(i * 37 % 101);
        key = value > greatest ? i : key;
        greatest = fmaxf(greatest, value);
        first += i < 70 ? value : 0;
        twice += 2 * value + 1;
        of_warp += i >= 32 && i < 64 ? value : 0;
    }
    float of_eight = 0;
    for (int i = 32; i < 40; i++) {
        of_eight = fmaxf(of_eight, (float)(i * 37 % 101));
    }
    printf("%d wrong, %s\n",
           (out[0] != greatest) + (out[1] != first) + (out[2] != twice) + (out[3] != key) +
               (out[4] != greatest) + (out[5] != of_warp) + (out[6] != of_eight),
           cudaGetErrorString(cudaGetLastError()));
}
