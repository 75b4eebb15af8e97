/* library.cu - what CUDA's headers declare: cooperative groups, half, bfloat16; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o library.ptx library.cu
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <cufft.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cassert>
#include <cstdio>
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
__device__ int sum(cg::thread_group g, int *s, int v)
{
    unsigned lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        s[lane] = v;
        g.sync();
        if (lane < i) v += s[lane + i];
        g.sync();
    }
    return v;
}
/* gathers<<<1, 64>>>(int[64] = random(5), int[64]) */
__global__ void gathers(int *p, int *q)
{
    __shared__ int s[64];
    int i = threadIdx.x, v = p[i];
    if (v & 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        q[i] = odd.thread_rank() * 100 + odd.size() + odd.shfl(v, 2);
    }
    __syncthreads();
    v = sum(cg::this_thread_block(), s, v);
    cg::thread_group eight = cg::tiled_partition(cg::this_thread_block(), 8);
    q[63 - i] += v + sum(eight, s + 8 * (i / 8), q[i]);
}
/* speaks<<<1, 64>>>(float4[64] = iota, float[64]) */
__global__ void speaks(const float4 *p, float *q)
{
    __shared__ float4 s[64];
    s[threadIdx.x] = __ldg(p + threadIdx.x);
    __syncthreads();
    assert(p[0].x < 1.0f);
    float4 v = s[63 - threadIdx.x];
    if (threadIdx.x == 3) printf("%d: %f %c%s\n", threadIdx.x, v.y, 'a', "bc");
    q[threadIdx.x] = v.x + s[threadIdx.x].w;
}
struct packed {
    float value[4];
    packed() = default;
    __device__ explicit packed(int4 bits) { memcpy(&value, &bits, sizeof(bits)); }
    __device__ int4 bits() const
    {
        int4 all;
        memcpy(&all, value, sizeof value);
        return all;
    }
};
/* copies<<<1, 64>>>(int4[64] = random(8), int4[64], unsigned[64]) */
__global__ void copies(const int4 *p, int4 *q, unsigned *r)
{
    __shared__ float s[64];
    unsigned u;
    packed two, one(p[threadIdx.x]); for (int k = 0; k < 4; k++) two.value[k] = one.value[3 - k] + (int(k) * 2);
    q[threadIdx.x] = two.bits();
    s[threadIdx.x] = two.value[1];
    __syncthreads();
    memcpy(&u, &s[63 - threadIdx.x], sizeof u);
    r[threadIdx.x] = u;
}
/* complex<<<1, 64>>>(float2[64] = random, float2[64], double2[64]) */
__global__ void complex(const cufftComplex *p, cuComplex *q, cuDoubleComplex *r)
{
    __shared__ cuFloatComplex s[64];
    int t = threadIdx.x;
    cufftComplex v = p[t];
    cufftReal x = std::nearbyint(v.x * 100);
    s[t] = cuCmulf(v, make_cuComplex(x, 2));
    __syncthreads();
    q[t] = cuCaddf(cuConjf(s[63 - t]), make_cuFloatComplex(cuCrealf(s[t]), cuCimagf(p[t])));
    r[t] = cuCsub(cuCmul(make_cuDoubleComplex(x, 1), make_cuDoubleComplex(2, x)), make_cuDoubleComplex(0, nearbyint(p[t].y * 10.0)));
}
/* tags<<<1, 64>>>(int[64] = random, int[64]) */
__device__ int picked(const int *s, std::true_type)
{
    return s[63 - threadIdx.x];
}
__device__ int picked(const int *s, std::false_type)
{
    return s[threadIdx.x ^ 1];
}
__global__ void tags(const int *p, int *q)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    q[t] = picked(s, std::bool_constant<sizeof(int) == 4>()) + picked(s, std::false_type{}) + std::integral_constant<int, 3>::value;
}
