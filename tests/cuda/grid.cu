/* grid.cu - blocks that wait for the whole grid: partial sums are added up by one block in the same
 * launch, and each block then sees the total. And threads of all blocks that take a lock, each for itself. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { BLOCKS = 24, THREADS = 128 };

__global__ void total(const int *in, int *sums, int *out, int n_times)
{
    __shared__ int s[THREADS];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    int scale = 1;
    for (int i = 0; i < n_times; i++) {
        s[threadIdx.x] = in[grid.thread_rank()] * scale;
        block.sync();
        for (int half = THREADS / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                s[threadIdx.x] += s[threadIdx.x + half];
            }
            block.sync();
        }
        if (threadIdx.x == 0) {
            sums[blockIdx.x] = s[0];
        }
        grid.sync();
        if (grid.thread_rank() == 0) {
            for (int b = 1; b < gridDim.x; b++) {
                sums[0] += sums[b];
            }
        }
        grid.sync();
        scale = sums[0] % 7 + 1;
        out[blockIdx.x * n_times + i] = sums[0];
        grid.sync();
    }
}

__global__ void count(int *lock, int *n)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *(volatile int *)n += 1;
    __threadfence();
    atomicExch(lock, 0);
}

int main()
{
    int *in, *sums, *out, n_times = 3, can = 0;
    cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0);
    cudaMallocManaged(&in, BLOCKS * THREADS * sizeof *in);
    cudaMallocManaged(&sums, BLOCKS * sizeof *sums);
    cudaMallocManaged(&out, BLOCKS * n_times * sizeof *out);
    int plain = 0, scale = 1;
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        in[i] = i % 13;
        plain += in[i];
    }
    void *arguments[] = {&in, &sums, &out, &n_times};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)total, dim3(BLOCKS), dim3(THREADS),
                                                    arguments, 0, 0);
    cudaDeviceSynchronize();
    bool is_right = true;
    for (int i = 0; i < n_times; i++) {
        for (int b = 0; b < BLOCKS; b++) {
            is_right = is_right && out[b * n_times + i] == plain * scale;
        }
        scale = plain * scale % 7 + 1;
    }
    printf("%d %s %s\n", can, cudaGetErrorName(error), is_right ? "right" : "wrong");
    error = cudaLaunchCooperativeKernel((void *)total, dim3(132 * 16 + 1), dim3(THREADS), arguments,
                                        0, 0);
    printf("%s\n", cudaGetErrorName(error));
    sums[0] = sums[1] = 0;
    int *n = &sums[1];
    void *lock_and_n[] = {&sums, &n};
    error = cudaLaunchCooperativeKernel((void *)count, dim3(8), dim3(64), lock_and_n, 0, 0);
    cudaDeviceSynchronize();
    printf("%s %d\n", cudaGetErrorName(error), *n);
    return 0;
}
