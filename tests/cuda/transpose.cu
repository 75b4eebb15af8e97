/* A transposition through a padded and a plain tile, in dynamic and static shared memory. */
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int N = 64, TILE = 32;

template <int padding> __global__ void transpose(float *out, const float *in)
{
    __shared__ float tile[TILE][TILE + padding];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += blockDim.y) {
        tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * N + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += blockDim.y) {
        out[(y + row) * N + x] = tile[threadIdx.x][threadIdx.y + row];
    }
}

__global__ void reverse(float *out, const float *in)
{
    extern __shared__ float line[];
    line[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

static int count_wrong(const float *device, int (*expected)(int x, int y))
{
    std::vector<float> out(N * N);
    int wrong = 0;
    cudaMemcpy(out.data(), device, N * N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; i++) {
        wrong += out[i] != (float)expected(i % N, i / N);
    }
    return wrong;
}

static int transposed(int x, int y)
{
    return x * N + y;
}

static int reversed(int x, int y)
{
    return y * N + N - 1 - x;
}

int main()
{
    std::vector<float> in(N * N);
    float *from, *to;
    dim3 grid(N / TILE, N / TILE), block(TILE, 8);
    for (int i = 0; i < N * N; i++) {
        in[i] = (float)i;
    }
    cudaMalloc(&from, N * N * sizeof(float));
    cudaMalloc(&to, N * N * sizeof(float));
    cudaMemcpy(from, in.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    transpose<0><<<grid, block>>>(to, from);
    printf("plain: %d wrong\n", count_wrong(to, transposed));
    transpose<1><<<grid, block>>>(to, from);
    printf("padded: %d wrong\n", count_wrong(to, transposed));
    reverse<<<N, N, N * sizeof(float)>>>(to, from);
    printf("reversed: %d wrong\n", count_wrong(to, reversed));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(from);
    cudaFree(to);
    return 0;
}
