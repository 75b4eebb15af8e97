/* bulk.cu - copies by TMA of bytes in a row, as Hopper's kernels write them.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o bulk.ptx bulk.cu      nvcc 13.0
 */
#include <stdint.h>

#define STAGES 2
#define TILE 256 /* ints */

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void barrier_init(uint64_t *barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(barrier)), "r"(count) : "memory");
}

__device__ void barrier_expect(uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(barrier)), "r"(bytes)
                 : "memory");
}

__device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred p;\nWAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra WAIT;\n}" ::"r"(at(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ void load(void *to, const void *from, int bytes, uint64_t *barrier)
{
    uint32_t s = at(to), b = at(barrier);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s), "l"(from), "r"(bytes), "r"(b) : "memory");
}

__device__ void store(void *to, const void *from, int bytes)
{
    uint32_t s = at(from);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(s), "r"(bytes) : "memory");
}

/* y[i] = a x[i] + y[i], tile by tile: while one is computed the next one comes. A tile is loaded where the one before
 * the last has been stored from. */
__global__ void scale(const int *x, int *y, int a, int n_tiles)
{
    __shared__ alignas(128) int xs[STAGES][TILE], ys[STAGES][TILE];
    __shared__ uint64_t full[STAGES];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    for (int i = 0; i < n_tiles + 1; i++) {
        if (t == 0 && i < n_tiles) {
            int s = i % STAGES;
            asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(STAGES - 2) : "memory");
            barrier_expect(&full[s], 2 * sizeof xs[0]);
            load(xs[s], x + i * TILE, sizeof xs[0], &full[s]);
            load(ys[s], y + i * TILE, sizeof ys[0], &full[s]);
        }
        if (i > 0) {
            int s = (i - 1) % STAGES;
            barrier_wait(&full[s], (i - 1) / STAGES % 2);
            ys[s][t] += a * xs[s][t];
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            __syncthreads();
            if (t == 0) {
                store(y + (i - 1) * TILE, ys[s], sizeof ys[0]);
                asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            }
        }
    }
    if (t == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* ---- with one mistake each ---- */

/* It reads what has not come: nobody waits for the barrier. */
__global__ void impatient(const int *x, int *y)
{
    __shared__ alignas(128) int xs[TILE];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barrier_expect(&full, sizeof xs);
        load(xs, x, sizeof xs, &full);
    }
    __syncthreads();
    y[threadIdx.x] = xs[threadIdx.x];
}

/* The barrier expects more bytes, or fewer, than come, or phase 1 is waited for and nobody comes to it; or the
 * address or the size is none of TMA's. */
__global__ void mistaken(const int *x, int *y, int expected, int parity, int offset, int bytes)
{
    __shared__ alignas(128) int xs[TILE];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        barrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier_expect(&full, expected);
        load(xs + offset, x, bytes, &full);
    }
    barrier_wait(&full, parity);
    y[threadIdx.x] = xs[threadIdx.x];
}
