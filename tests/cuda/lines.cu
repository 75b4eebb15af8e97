/* What functions of CUDA's headers do is told at the line of the program that calls them, whatever they
 * call in turn: the comment behind a line has what it does to shared memory. */
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

enum { N = 64 };

__global__ void atomics(const unsigned *in, unsigned *out)
{
    __shared__ unsigned counts[N];
    __shared__ float sums[N];
    unsigned i = threadIdx.x, at = in[i];
    counts[i] = 0; // st.shared
    sums[i] = 0;   // st.shared
    __syncthreads();
    atomicAdd(&counts[at], 1u);             // red.shared
    atomicAdd(&counts[at], i);              // red.shared
    atomicMax(&counts[i], at);              // red.shared
    atomicAdd_block(&sums[at], 2.f);        // red.shared
    out[i] = atomicCAS(&counts[i], i, 7u) + // atom.shared
             atomicExch(&counts[at], i);    // atom.shared
    __syncthreads();
    out[N + i] = sums[i] + counts[i]; // ld.shared
}

/* A function of the program has lines of its own. */
__device__ __half2 doubled(__half2 *pairs, unsigned i)
{
    pairs[i] += pairs[N - 1 - i]; // ld.shared st.shared
    return __hmul2(pairs[i ^ 1],  // ld.shared
                   pairs[i]);
}

__global__ void types(const float4 *in, float *out)
{
    __shared__ __half2 pairs[N];
    __shared__ __nv_bfloat16 brains[N];
    __shared__ float4 fours[N];
    unsigned i = threadIdx.x;
    pairs[i] = __floats2half2_rn(out[i], 2.f); // st.shared
    brains[i] = __float2bfloat16(out[i]);      // st.shared
    fours[i] = in[i];                          // st.shared
    __syncthreads();
    out[i] = __bfloat162float(brains[N - 1 - i]); // ld.shared
    __syncwarp();
    out[i + N] = __high2float(doubled(pairs, i));
    __syncthreads();
    out[i + 2 * N] = fours[N - 1 - i].y; // ld.shared
}

__global__ void copies(const float4 *in, float *out)
{
    __shared__ float4 fours[N];
    __shared__ float2 twos[N];
    unsigned i = threadIdx.x;
    float one = out[i], other = out[i + N];
    twos[i].x = one;
    twos[i].y = other; // st.shared
    __syncthreads();
    out[i + 2 * N] = twos[i ^ 1].x; // ld.shared
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    __pipeline_memcpy_async(&fours[i], &in[i], 16); // cp.async
    __pipeline_commit();
    __pipeline_wait_prior(0);
    warp.sync();
    out[i] = warp.shfl_down(fours[i ^ 1].y, 1); // ld.shared
}

int main()
{
    unsigned *in;
    float *out;
    cudaMalloc(&in, 16 * N);
    cudaMalloc(&out, 12 * N);
    cudaMemset(in, 0, 16 * N);
    cudaMemset(out, 0, 12 * N);
    atomics<<<1, N>>>(in, (unsigned *)out);
    types<<<1, N>>>((float4 *)in, out);
    copies<<<1, N>>>((float4 *)in, out);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
