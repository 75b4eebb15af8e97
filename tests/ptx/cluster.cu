/* cluster.cu - blocks of a cluster that use each other's shared memory.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o cluster.ptx cluster.cu      nvcc 13.0
 */
#include <cooperative_groups.h>
#include <stdint.h>

namespace cg = cooperative_groups;

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ uint32_t at_rank(const void *p, uint32_t rank)
{
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(p)), "r"(rank));
    return there;
}

__device__ void barrier_init(uint64_t *barrier, uint32_t n)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(barrier)), "r"(n) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes) : "memory");
}

__device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred p;\nWAIT:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(barrier)),
                 "r"(parity)
                 : "memory");
}

/* Each block reads what the next one wrote. */
extern "C" __global__ void __cluster_dims__(4) ring(int *out)
{
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = 1000 * (int)blockIdx.x + (int)threadIdx.x;
    cluster.sync();
    const int *next = cluster.map_shared_rank(s, (cluster.block_rank() + 1) % cluster.num_blocks());
    out[blockIdx.x * 64 + threadIdx.x] = next[threadIdx.x];
    cluster.sync();
}

/* Half of the bins lie in each of the two blocks; a lane's may be in either. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) histogram(const int *in, int *out, int n)
{
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) {
        bins[threadIdx.x] = 0;
    }
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = in[i] & 31;
        atomicAdd(cluster.map_shared_rank(&bins[bin & 15], bin >> 4), 1);
    }
    cluster.sync();
    if (threadIdx.x < 16) {
        atomicAdd(&out[16 * cluster.block_rank() + threadIdx.x], bins[threadIdx.x]);
    }
}

/* What a block is in its cluster, and that in the grid. */
extern "C" __global__ void __cluster_dims__(2, 2, 1) places(int *out)
{
    uint32_t r[9];
    asm("mov.u32 %0, %clusterid.x;" : "=r"(r[0]));
    asm("mov.u32 %0, %clusterid.y;" : "=r"(r[1]));
    asm("mov.u32 %0, %nclusterid.x;" : "=r"(r[2]));
    asm("mov.u32 %0, %nclusterid.y;" : "=r"(r[3]));
    asm("mov.u32 %0, %cluster_ctaid.x;" : "=r"(r[4]));
    asm("mov.u32 %0, %cluster_ctaid.y;" : "=r"(r[5]));
    asm("mov.u32 %0, %cluster_ctarank;" : "=r"(r[6]));
    asm("mov.u32 %0, %cluster_nctarank;" : "=r"(r[7]));
    asm("mov.u32 %0, %cluster_nctaid.y;" : "=r"(r[8]));
    for (int i = 0; i < 9 && threadIdx.x == 0; i++) {
        out[9 * (blockIdx.y * gridDim.x + blockIdx.x) + i] = (int)r[i];
    }
}

/* Rank 0 brings a row to itself and to the other blocks whose bits are in the mask, which wait for it alone. */
extern "C" __global__ void __cluster_dims__(4) multicast(const int *in, int *out, int mask)
{
    __shared__ alignas(128) int row[64];
    __shared__ alignas(8) uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t rank = cluster.block_rank();
    row[threadIdx.x] = -1;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
    }
    cluster.sync();
    if (threadIdx.x == 0 && (mask >> rank & 1) != 0) {
        barrier_expect(&full, sizeof row);
    }
    cluster.sync();
    if (threadIdx.x == 0 && rank == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1], %2, [%3], %4;" ::"r"(at(row)),
                     "l"(in + blockIdx.x / 4 * 64), "r"((uint32_t)sizeof row), "r"(at(&full)), "h"((uint16_t)mask)
                     : "memory");
    }
    if ((mask >> rank & 1) != 0) {
        barrier_wait(&full, 0);
    }
    out[blockIdx.x * 64 + threadIdx.x] = row[threadIdx.x];
    cluster.sync();
}

/* Each thread sends four words to the next block, which waits until their bytes have come, then tells it. */
extern "C" __global__ void __cluster_dims__(2) push(int *out)
{
    __shared__ alignas(16) int4 box[32];
    __shared__ alignas(8) uint64_t full, read;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t rank = cluster.block_rank(), other = 1 - rank;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barrier_init(&read, 32);
    }
    cluster.sync();
    for (int turn = 0; turn < 3; turn++) {
        int v = 10000 * turn + 1000 * (int)rank + (int)threadIdx.x;
        if (threadIdx.x == 0) {
            barrier_expect(&full, sizeof box);
        }
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                         at_rank(&box[threadIdx.x], other)),
                     "r"(v), "r"(v + 100), "r"(v + 200), "r"(v + 300), "r"(at_rank(&full, other))
                     : "memory");
        barrier_wait(&full, turn & 1);
        int4 got = box[threadIdx.x];
        out[(turn * 2 + rank) * 32 + threadIdx.x] = got.x + got.y + got.z + got.w;
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&read, other)) : "memory");
        barrier_wait(&read, turn & 1);
    }
    cluster.sync();
}

/* red.async.OP of a word of the other block's, whose mbarrier counts its bytes. */
#define REDUCE(op, i, value)                                                                                           \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." op " [%0], %1, [%2];" ::"r"( \
                     at_rank(&word[i], other)),                                                                        \
                 "r"(value), "r"(at_rank(&full, other))                                                                \
                 : "memory")

/* A word for each operation, and the sum of 8 bytes in the last two. */
extern "C" __global__ void __cluster_dims__(2) reduce(int *out)
{
    __shared__ alignas(8) int word[12];
    __shared__ alignas(8) uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t rank = cluster.block_rank(), other = 1 - rank;
    int lane = (int)threadIdx.x;
    if (lane < 12) {
        word[lane] = lane == 11 ? 0 : 100 * (int)rank + 7;
    }
    if (lane == 0) {
        barrier_init(&full, 1);
        barrier_expect(&full, 32 * (10 * 4 + 8));
    }
    cluster.sync();
    REDUCE("add.u32", 0, lane);
    REDUCE("add.s32", 1, -lane);
    REDUCE("min.s32", 2, lane - 20);
    REDUCE("max.s32", 3, lane - 20);
    REDUCE("min.u32", 4, lane - 20);
    REDUCE("max.u32", 5, lane - 20);
    REDUCE("inc.u32", 6, 20);
    REDUCE("dec.u32", 7, 20);
    REDUCE("and.b32", 8, ~(1 << lane % 4));
    REDUCE("xor.b32", 9, lane * 256);
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(
                     at_rank(&word[10], other)),
                 "l"(0x80000000ull + (uint64_t)lane), "r"(at_rank(&full, other))
                 : "memory");
    barrier_wait(&full, 0);
    if (lane < 12) {
        out[12 * blockIdx.x + lane] = word[lane];
    }
    cluster.sync();
}

/* From one block's shared memory to the other's, in a row. */
extern "C" __global__ void __cluster_dims__(2) copy(int *out)
{
    __shared__ alignas(128) int from[64], to[64];
    __shared__ alignas(8) uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t other = 1 - cluster.block_rank();
    from[threadIdx.x] = 100 * (int)cluster.block_rank() + (int)threadIdx.x;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barrier_expect(&full, sizeof to);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    cluster.sync();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         at_rank(to, other)),
                     "r"(at(from)), "r"((uint32_t)sizeof to), "r"(at_rank(&full, other))
                     : "memory");
    }
    barrier_wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = to[threadIdx.x];
    cluster.sync();
}

/* What may go wrong: 1 a rank that is not there; 2 a block that has ended; 3 a barrier to which one never comes; 4 too
 * far; 5 bytes that never come. */
extern "C" __global__ void __cluster_dims__(2) wrong(int *out, int what)
{
    __shared__ int s[32];
    __shared__ alignas(8) uint64_t full;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t rank = cluster.block_rank();
    s[threadIdx.x] = (int)threadIdx.x;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
    }
    cluster.sync();
    if (rank == 1 && what == 2) {
        return;
    }
    if (rank == 1 && what == 3) {
        barrier_wait(&full, 0);
    }
    if (what == 5) {
        barrier_expect(&full, 16);
        barrier_wait(&full, 0);
    }
    for (int i = 0; i < 5000 && what == 2; i++) {
        out[i % 32] += i; /* meanwhile the other one ends */
    }
    const int *other = cluster.map_shared_rank(s, what == 1 ? 2 : 1 - rank);
    out[threadIdx.x] = other[what == 4 ? 100 * threadIdx.x : threadIdx.x];
    cluster.sync();
}
