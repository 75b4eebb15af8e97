/* multicast.cu - bulk copies to all blocks of a cluster (.multicast::cluster), timed: clocks of a turn, in which each block of the cluster
 * gets `bytes`. Prints rows of tests/measured/h100/async/multicast.csv.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o multicast multicast.cu && ./multicast
 *
 * how: own: each block loads all of its bytes; slices: each loads its part, for all; first: the first one loads all, for all.
 * beside: what four warps of each block do meanwhile in that half of shared memory: clocks of 4,096 requests each of st.shared or ld.shared
 * of 128 bytes; copies go to the lower half.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <stdint.h>

enum { OWN, SLICES, FIRST };
enum { NONE, ST_LOW, ST_HIGH, LD_LOW, LD_HIGH };
enum { DEPTH = 6, TILES = 8, REQUESTS = 4096, LOW = 100 << 10, HIGH = 132 << 10, ALL = 200 << 10 };

__device__ __forceinline__ void wait(uint32_t barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(barrier), "r"(parity) : "memory");
}

__global__ void kernel(const char *in, int how, int beside, int n, uint32_t bytes, int turns, long long *t, long long *m, unsigned *out)
{
    extern __shared__ __align__(1024) char smem[];
    __shared__ __align__(8) unsigned long long full[DEPTH], empty[DEPTH];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(smem), f = (uint32_t)__cvta_generic_to_shared(full), e = (uint32_t)__cvta_generic_to_shared(empty), rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        for (int s = 0; s < DEPTH; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(f + 8 * s) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(e + 8 * s), "r"(n) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncwarp();
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        long long begin = 0;
        const char *from = in + (size_t)(blockIdx.x / n) * TILES * bytes;
        int s = 0, p = 0;
        for (int k = 0; k < turns + DEPTH; k++) {
            if (k >= DEPTH) {
                wait(f + 8 * s, p ^ 1);
                for (int r = 0; r < n; r++)
                    asm volatile("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }" ::"r"(e + 8 * s), "r"(r) : "memory");
                if (k == 2 * DEPTH) begin = clock64();
            }
            if (k < turns) {
                if (k >= DEPTH) wait(e + 8 * s, p ^ 1);
                uint32_t part = how == SLICES ? bytes / n : bytes, at = base + s * bytes + (how == SLICES ? rank * part : 0);
                const char *src = from + (size_t)(k % TILES) * bytes + (how == SLICES ? rank * part : 0);
                asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(f + 8 * s), "r"(bytes) : "memory");
                if (how == OWN)
                    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at), "l"(src), "r"(part), "r"(f + 8 * s) : "memory");
                else if (how == SLICES || rank == 0)
                    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at), "l"(src), "r"(part), "r"(f + 8 * s), "h"((uint16_t)((1 << n) - 1)) : "memory");
            }
            if (++s == DEPTH) { s = 0; p ^= 1; }
        }
        t[blockIdx.x] = clock64() - begin;
    } else if (threadIdx.x >= 32 && beside != NONE) {
        uint32_t at = base + (beside == ST_LOW || beside == LD_LOW ? LOW : HIGH) + (threadIdx.x - 32) * 4, v = threadIdx.x, got = 0;
        long long begin = clock64();
        if (beside == ST_LOW || beside == ST_HIGH)
            for (int i = 0; i < REQUESTS / 8; i++) {
                #pragma unroll
                for (int j = 0; j < 8; j++) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at + j * 512), "r"(v) : "memory");
            }
        else
            for (int i = 0; i < REQUESTS / 8; i++) {
                #pragma unroll
                for (int j = 0; j < 8; j++) { asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + j * 512) : "memory"); got ^= v; }
            }
        if (threadIdx.x == 32) m[blockIdx.x] = clock64() - begin;
        out[threadIdx.x] = got;
    }
    __syncwarp();
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

int main()
{
    char *in; long long *t, *m; unsigned *out;
    const char *hows[] = {"own", "slices", "first"}, *besides[] = {"none", "st_low", "st_high", "ld_low", "ld_high"};
    cudaMalloc(&in, 64 << 20); cudaMemset(in, 0, 64 << 20); cudaMallocHost(&t, 1024 * 8); cudaMallocHost(&m, 1024 * 8); cudaMalloc(&out, 4096);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ALL);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    printf("cluster,clusters,how,bytes,beside,turns,clocks,beside_clocks\n");
    for (int n : {1, 2, 4, 8})
        for (int clusters : {1, 120 / n})
            for (int how : {OWN, SLICES, FIRST})
                for (int bytes : {1024, 2048, 4096, 8192, 16384})
                    for (int beside = 0; beside < 5; beside++) {
                        if (beside != NONE && bytes != 16384) continue;
                        if (n == 1 && how == FIRST) continue;
                        int turns = beside != NONE ? 200 : 100;
                        long long best = 1ll << 60, with = 1ll << 60;
                        cudaLaunchConfig_t c = {};
                        cudaLaunchAttribute a[1];
                        a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = n; a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
                        c.gridDim = dim3(clusters * n); c.blockDim = dim3(160); c.dynamicSmemBytes = ALL; c.attrs = a; c.numAttrs = 1;
                        for (int r = 0; r < 5; r++) {
                            for (int b = 0; b < clusters * n; b++) m[b] = 0;
                            cudaError_t err = cudaLaunchKernelEx(&c, kernel, (const char *)in, how, beside, n, (uint32_t)bytes, turns, t, m, out);
                            if (err == cudaSuccess) err = cudaDeviceSynchronize();
                            if (err != cudaSuccess) { printf("error %s\n", cudaGetErrorString(err)); return 1; }
                            long long most = 0, beside_most = 0;
                            for (int b = 0; b < clusters * n; b++) { most = std::max(most, t[b]); beside_most = std::max(beside_most, m[b]); }
                            best = std::min(best, most); with = std::min(with, beside_most);
                        }
                        printf("%d,%d,%s,%d,%s,%d,%lld,%lld\n", n, clusters, hows[how], bytes, besides[beside], turns - DEPTH - 1, best, with);
                    }
    return 0;
}
