/* library.cu - what CUDA's headers declare: cooperative groups, half, bfloat16; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o library.ptx library.cu
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
namespace cg = cooperative_groups;
/* groups<<<2, 64>>>(int[128] = random(4), float[128] = random) */
__global__ void groups(int *p, float *q)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[64];
    s[block.thread_rank()] = p[blockIdx.x * 64 + threadIdx.x];
    block.sync();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    int v = s[63 - threadIdx.x];
    for (int i = warp.size() / 2; i > 0; i /= 2) v += warp.shfl_down(v, i);
    float f = q[blockIdx.x * 64 + threadIdx.x];
    f = cg::reduce(tile, f, cg::plus<float>());
    int w = tile.shfl(v, 3) + tile.shfl_xor(v, 1) + tile.ballot(v & 1) + tile.any(v > 3) * 1000;
    cg::sync(block);
    if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = v;
    __syncthreads();
    p[blockIdx.x * 64 + threadIdx.x] = w + s[0] + s[1] + cg::reduce(warp, v, cg::greater<int>());
    q[blockIdx.x * 64 + threadIdx.x] = f;
}
/* halves<<<1, 64>>>(half[64] = iota, half[64] = random(3), short[64], float[64]) */
__global__ void halves(__half *a, const half *b, __nv_bfloat16 *c, float *f)
{
    __shared__ half tile[64];
    __shared__ half2 pairs[32];
    int i = threadIdx.x;
    half x = a[i], y = b[63 - i];
    tile[i] = __hadd(x, y) * x - y;
    __syncthreads();
    if (i < 32) {
        const half2 *h = reinterpret_cast<const half2 *>(tile);
        half2 t = __hfma2(h[i], h[31 - i], __float2half2_rn(0.5f));
        pairs[i] = __hadd2(t, __halves2half2(x, y));
        f[i] = __low2float(t) + __half2float(t.y) + __high2float(pairs[i]);
    }
    half z = tile[63 - i];
    z += __float2half(2.0f);
    z = z > y ? z / (y + half(3.0f)) : -z;
    a[i] = __hmax(z, x);
    c[i] = __float2bfloat16(__bfloat162float(c[i]) * 1.5f) + __nv_bfloat16(1.0f);
}
