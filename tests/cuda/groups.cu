/* Cooperative groups: what each of 64 threads finds, against what its number says. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

enum { N = 64 };

#define QUESTIONS(X)                                                       \
    X(block_rank, block.thread_rank(), i)                                  \
    X(block_size, block.size(), N)                                         \
    X(warp_sum, cg::reduce(warp, i, cg::plus<int>()), i < 32 ? 496 : 1520) \
    X(four_most, cg::reduce(four, i, cg::greater<int>()), i / 4 * 4 + 3)   \
    X(four_least, cg::reduce(four, i, cg::less<int>()), i / 4 * 4)         \
    X(four_ballot, (int)four.ballot(i % 4 == 1 || i < 4), i < 4 ? 15 : 2)  \
    X(four_any, four.any(i == 5), i / 4 == 1)                              \
    X(four_all, four.all(i >= 6), i / 4 >= 2)                              \
    X(four_rank, (int)four.thread_rank(), i % 4)                           \
    X(eight_rank, (int)eight.thread_rank(), i % 8)                         \
    X(eight_size, (int)eight.size(), 8)                                    \
    X(four_number, (int)four.meta_group_rank(), i / 4)                     \
    X(four_numbers, (int)four.meta_group_size(), N / 4)                    \
    X(down, four.shfl_down(i, 1), i % 4 == 3 ? i : i + 1)                  \
    X(swapped, warp.shfl_xor(i, 16), i ^ 16)                               \
    X(scanned, cg::inclusive_scan(four, 1), i % 4 + 1)                     \
    X(before, cg::exclusive_scan(four, 2), i % 4 * 2)                      \
    X(third_size, size, i % 3 == 0 ? (i < 32 ? 11 : 11) : -1)              \
    X(third_sum, sum, i % 3 == 0 ? (i < 32 ? 165 : 528) : -1)              \
    X(third_first, first, i % 3 == 0 ? (i < 32 ? 0 : 33) : -1)             \
    X(labelled, alike, i % 5 == 0 || i % 5 == 1 ? (i < 32 ? 7 : 6) : -2)

#define NAME(name, is, should) name,
enum { QUESTIONS(NAME) COUNT };

__global__ void ask(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(block);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    int i = threadIdx.x, size = -1, sum = -1, first = -1, alike = -2;
    if (i % 3 == 0) {
        auto active = cg::coalesced_threads();
        size = active.size();
        sum = cg::reduce(active, i, cg::plus<int>());
        first = active.shfl(i, 0);
    }
    cg::sync(block);
    auto label = cg::labeled_partition(warp, i % 5);
    alike = i % 5 < 2 ? (int)label.size() : -2;
    eight.sync();
#define ASK(name, is, should) out[name * N + i] = is;
    QUESTIONS(ASK)
}

int main()
{
    static int out[COUNT * N];
    int *on;
    cudaMalloc(&on, sizeof out);
    ask<<<1, N>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    int wrong;
#define CHECK(name, is, should)                      \
    wrong = 0;                                       \
    for (int i = 0; i < N; i++) {                    \
        wrong += out[name * N + i] != (int)(should); \
    }                                                \
    printf("%s: %d wrong\n", #name, wrong);
    QUESTIONS(CHECK)
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
