/* tensor.cu - copies by TMA of boxes of tensors, as Hopper's kernels write them.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o tensor.ptx tensor.cu      nvcc 13.0
 */
#include <cuda.h>
#include <stdint.h>

#define MAP const __grid_constant__ CUtensorMap

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void barrier_expect(uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes) : "memory");
}

__device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred p;\nWAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void load_1d(void *to, const CUtensorMap *map, int x, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(at(to)), "l"(map), "r"(x), "r"(at(barrier)) : "memory");
}

__device__ void load_2d(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(barrier)) : "memory");
}

__device__ void load_3d(void *to, const CUtensorMap *map, int x, int y, int z, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(z), "r"(at(barrier)) : "memory");
}

__device__ void load_5d(void *to, const CUtensorMap *map, int a, int b, int c, int d, int e, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(at(to)), "l"(map), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(at(barrier)) : "memory");
}

__device__ void store_2d(const CUtensorMap *map, int x, int y, const void *from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(at(from)) : "memory");
}

__device__ void add_2d(const CUtensorMap *map, int x, int y, const void *from)
{
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(at(from)) : "memory");
}

__device__ void wait_stored()
{
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

/* What lies in shared memory behind a load of a box, as words; what nobody wrote is ~0. */
__device__ void load_and_tell(const CUtensorMap *map, int n_dims, int x, int y, int z, int bytes, int offset, int *out)
{
    __shared__ alignas(1024) int tile[2048];
    __shared__ uint64_t full;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        tile[i] = -1;
    if (threadIdx.x == 0)
        barrier_init(&full);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier_expect(&full, bytes);
        if (n_dims == 1)
            load_1d((char *)tile + offset, map, x, &full);
        if (n_dims == 2)
            load_2d((char *)tile + offset, map, x, y, &full);
        if (n_dims == 3)
            load_3d((char *)tile + offset, map, x, y, z, &full);
        if (n_dims == 5)
            load_5d((char *)tile + offset, map, x, y, z, 0, 1, &full);
    }
    barrier_wait(&full, 0);
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        out[i] = tile[i];
}

__global__ void loaded(MAP map, int *out, int n_dims, int x, int y, int z, int bytes, int offset)
{
    load_and_tell(&map, n_dims, x, y, z, bytes, offset, out);
}

/* A box of halves goes by a tile that is swizzled to where it belongs in the transposed tensor: 64 x 64. */
__global__ void transpose(MAP in, MAP out)
{
    __shared__ alignas(1024) uint16_t rows[64][64], columns[64][64];
    __shared__ uint64_t full;
    int x = 64 * blockIdx.x, y = 64 * blockIdx.y;
    if (threadIdx.x == 0) {
        barrier_init(&full);
        barrier_expect(&full, sizeof rows);
        load_2d(rows, &in, x, y, &full);
    }
    __syncthreads();
    barrier_wait(&full, 0);
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x) {
        int r = i / 64, c = i % 64;
        columns[c][(r / 8 ^ c % 8) * 8 + r % 8] = rows[r][(c / 8 ^ r % 8) * 8 + c % 8];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store_2d(&out, y, x, columns);
        wait_stored();
    }
}

/* A box of what threads count is stored, or added, at a place that may reach over the tensor's edges. */
__global__ void stored(MAP out, int x, int y, int n, int adds)
{
    __shared__ alignas(1024) int tile[2048];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        tile[i] = i + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (adds)
            add_2d(&out, x, y, tile);
        else
            store_2d(&out, x, y, tile);
        wait_stored();
    }
}
