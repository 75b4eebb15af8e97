// Times instructions at mbarriers: 256 in a loop of so many warps and lanes, or two warps that hand a phase to each other, a
// hand-over each. Prints tests/measured/h200/mainloop/mbarriers.csv.
//
//     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o mbarriers mbarriers.cu && ./mbarriers
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { auto e = (x); if (e) { printf("error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
__device__ inline uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ inline void bar_init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ inline void bar_arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ inline uint64_t bar_come(uint64_t *b) { uint64_t s; asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(s) : "r"(at(b)) : "memory"); return s; }
__device__ inline void bar_wait(uint64_t *b, int p) { asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(b)), "r"(p) : "memory"); }
__device__ inline void bar_test(uint64_t *b, int p) { asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(b)), "r"(p) : "memory"); }
__device__ inline void bar_wait_for(uint64_t *b, uint64_t s) { asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(b)), "l"(s) : "memory"); }
enum { TURNS = 256, ARRIVE, STATE, LOOK, TEST, MEET, HAND };
template <int KIND> __global__ void turns(int lanes, long long *clocks, uint64_t *sink)
{
    __shared__ uint64_t bar, ended, hand[2];
    uint64_t sum = 0;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        bar_init(&bar, KIND == MEET ? lanes * blockDim.x / 32 : (1 << 20) - 1);
        bar_init(&ended, 1); bar_arrive(&ended); bar_init(&hand[0], lanes); bar_init(&hand[1], lanes);
    }
    __syncthreads();
    if (threadIdx.x % 32 >= lanes) return;
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < TURNS; i++) {
        if (KIND == ARRIVE) bar_arrive(&bar);
        if (KIND == STATE) sum ^= bar_come(&bar);
        if (KIND == LOOK) bar_wait(&ended, 0);
        if (KIND == TEST) bar_test(&ended, 0);
        if (KIND == MEET) bar_wait_for(&bar, bar_come(&bar));
        if (KIND == HAND) { if (warp == 0) bar_arrive(&hand[0]); bar_wait(&hand[warp == 0], i & 1); if (warp == 1) bar_arrive(&hand[1]); }
    }
    if (threadIdx.x == 0) clocks[0] = clock64() - begin;
    if (sum == 12345) sink[0] = sum;
}
template <int KIND> static void sweep(const char *name)
{
    long long *clocks, v; uint64_t *sink;
    CHECK(cudaMalloc(&clocks, 64)); CHECK(cudaMalloc(&sink, 64));
    for (int warps : {1, 2, 4, 8}) for (int lanes : {1, 32}) {
        if (KIND == HAND && warps != 2) continue;
        for (int i = 0; i < 3; i++) turns<KIND><<<1, warps * 32>>>(lanes, clocks, sink);
        CHECK(cudaMemcpy(&v, clocks, sizeof v, cudaMemcpyDeviceToHost));
        printf("%s,%d,%d,%.2f\n", name, warps, lanes, v / (double)TURNS / (KIND == HAND ? 2 : 1));
    }
}
int main()
{
    printf("what,warps,lanes,clocks\n");
    sweep<ARRIVE>("arrive"); sweep<STATE>("arrive with state"); sweep<LOOK>("try_wait"); sweep<TEST>("test_wait");
    sweep<MEET>("arrive and wait for it"); sweep<HAND>("hand over");
    return 0;
}
