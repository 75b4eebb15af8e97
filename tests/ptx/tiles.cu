/* tiles.cu - a tile that TMA loads, box by box, and wgmma reads by a descriptor of the launch's.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o tiles.ptx tiles.cu      nvcc 13.0
 */
#include <cuda.h>
#include <stdint.h>

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* Of the launch: how many boxes lie behind each other from byte `start` on, each `step` elements on in the tensor; the
 * descriptor's fields in bytes; whether threads store what is there once more. */
struct plan {
    int start, boxes, step, bytes, lbo, sbo, swizzle, base, stores;
};

template <bool TURNED> __device__ void multiply(float (&d)[4], uint64_t a)
{
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %4, 1, 1, 1, %5, %5;\n"
                 "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "n"(TURNED)
                 : "memory");
}

template <bool TURNED> __device__ void read(const CUtensorMap *map, float *out, plan p)
{
    extern __shared__ __align__(1024) char tiles[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(at(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(p.boxes * p.bytes) : "memory");
        for (int i = 0; i < p.boxes; i++)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                             at(tiles + p.start + i * p.bytes)),
                         "l"(map), "r"(i * p.step), "r"(0), "r"(at(&full))
                         : "memory");
    }
    __syncthreads();
    asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra WAIT;\n}" ::"r"(at(&full)) : "memory");
    for (int i = threadIdx.x; i < p.stores; i += 128)
        asm volatile("st.shared.v4.b32 [%0], {%1, %1, %1, %1};" ::"r"(at(tiles + p.start + 16 * i)), "r"(0) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {0, 0, 0, 0};
    multiply<TURNED>(d, (uint64_t)(at(tiles + p.start) >> 4) | (uint64_t)(p.lbo >> 4) << 16 | (uint64_t)(p.sbo >> 4) << 32 |
                            (uint64_t)p.base << 49 | (uint64_t)p.swizzle << 62);
    for (int i = 0; i < 4; i++) out[4 * threadIdx.x + i] = d[i];
}

extern "C" __global__ void tile(const __grid_constant__ CUtensorMap map, float *out, plan p)
{
    read<false>(&map, out, p);
}

extern "C" __global__ void turned(const __grid_constant__ CUtensorMap map, float *out, plan p)
{
    read<true>(&map, out, p);
}
