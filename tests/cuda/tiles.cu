/* Tiles of several warps, and a group's asynchronous copies, against what threads' numbers say. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

enum { N = 256, TILE = 64 };

__global__ void sum(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<N> scratch;
    alignas(16) __shared__ int copy[N];
    __shared__ short odd[3];
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<TILE>(block);
    int i = threadIdx.x;
    cg::memcpy_async(block, copy, in, sizeof copy);
    cg::memcpy_async(block, odd, (const short *)in + 2, sizeof odd);
    cg::wait(block);
    out[i] = cg::reduce(tile, copy[N - 1 - i], cg::plus<int>());
    out[N + i] = tile.thread_rank() + 1000 * tile.meta_group_rank() + odd[2] * 100000;
}

int main()
{
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, 2 * N * sizeof *out);
    for (int i = 0; i < N; i++) {
        in[i] = i;
    }
    sum<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        int last = N - 1 - i / TILE * TILE; /* of the tile's 64 numbers, which go down */
        wrong += out[i] != TILE * last - TILE * (TILE - 1) / 2;
        wrong += out[N + i] != i % TILE + 1000 * (i / TILE) + 2 * 100000;
    }
    printf("%d wrong\n%s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
