/* cuda::barrier, and a thread's cuda::pipeline: two stages of copies, and a block that passes numbers on. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_runtime.h>

#include <cstdio>

enum { N = 64, STAGES = 4 };

__global__ void pass(const float4 *in, float4 *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float4 line[N];
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(&line[threadIdx.x], &in[threadIdx.x],
                       cuda::aligned_size_t<sizeof(float4)>(sizeof(float4)), barrier);
    barrier.arrive_and_wait();
    float4 next = line[(threadIdx.x + 1) % N];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    line[threadIdx.x] = next;
    barrier.arrive_and_wait();
    out[threadIdx.x] = line[(threadIdx.x + 1) % N];
}

__global__ void sum(const int *in, int *out)
{
    __shared__ int stage[2][N];
    auto pipe = cuda::make_pipeline();
    int total = 0;
    for (int i = 0; i <= STAGES; i++) {
        if (i < STAGES) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[i % 2][threadIdx.x], &in[i * N + threadIdx.x],
                               cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (i > 0) {
            pipe.consumer_wait();
            total += stage[(i - 1) % 2][threadIdx.x];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = total;
}

int main()
{
    float *in, *out;
    int *numbers, *sums, wrong = 0;
    cudaMallocManaged(&in, N * sizeof(float4));
    cudaMallocManaged(&out, N * sizeof(float4));
    cudaMallocManaged(&numbers, STAGES * N * sizeof *numbers);
    cudaMallocManaged(&sums, N * sizeof *sums);
    for (int i = 0; i < 4 * N; i++) {
        in[i] = (float)i;
        numbers[i] = i * i;
    }
    pass<<<1, N>>>((const float4 *)in, (float4 *)out);
    sum<<<1, N>>>(numbers, sums);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * N; i++) {
        wrong += out[i] != (float)((i + 8) % (4 * N));
    }
    for (int i = 0; i < N; i++) {
        int squares = 0;
        for (int k = i; k < STAGES * N; k += N) {
            squares += k * k;
        }
        wrong += sums[i] != squares;
    }
    printf("%d wrong\n%s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
