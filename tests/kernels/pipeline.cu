/* pipeline.cu - copies by cp.async as <cuda_pipeline.h> has them; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o pipeline.ptx pipeline.cu
 */
#include <cuda_pipeline.h>
/* sizes<<<2, 128>>>(int[256], int[2048] = iota) */
__global__ void sizes(int *out, const int *in)
{
    __shared__ int4 fours[128];
    __shared__ int2 twos[128];
    __shared__ int ones[128];
    int t = threadIdx.x, at = blockIdx.x * 1024;
    __pipeline_memcpy_async(&ones[t], &in[at + t], 4);
    __pipeline_memcpy_async(&twos[t], &in[at + 128 + 2 * t], sizeof(int2));
    __pipeline_memcpy_async(&fours[t], &in[at + 384 + 4 * t], sizeof fours[t]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    t ^= 5;
    out[blockIdx.x * 128 + threadIdx.x] = ones[t] + 3 * twos[t].y + 7 * fours[t].z;
}
/* zeros<<<1, 128>>>(int[512], int[512] = iota, 99) */
__global__ void zeros(int4 *out, const int4 *in, int n)
{
    __shared__ int4 edge[128];
    __shared__ int2 part[128];
    __shared__ int last[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&edge[t], &in[t], 16, t < n ? 0 : 16);
    __pipeline_memcpy_async(&part[t], &in[t], 8, 4);
    __pipeline_memcpy_async(&last[t], &in[t], 4, 3);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    int4 v = edge[t ^ 1];
    v.x += part[t ^ 1].x + part[t ^ 1].y;
    v.y += last[t ^ 1];
    out[t] = v;
}
template <int STAGES> __device__ float stages(float (*tile)[64], const float *in, int turns)
{
    float sum = 0;
    for (int i = 0; i < turns + STAGES - 1; i++) {
        if (i < turns) __pipeline_memcpy_async(&tile[i % STAGES][threadIdx.x], &in[i * 64 + threadIdx.x], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        if (i >= STAGES - 1) sum += tile[(i + 1) % STAGES][threadIdx.x ^ 3];
        __syncthreads();
    }
    return sum;
}
/* staged<<<2, 64>>>(float[128], float[2048] = random, 8) */
__global__ void staged(float *out, const float *in, int turns)
{
    __shared__ float tile[3][64];
    out[blockIdx.x * 64 + threadIdx.x] = stages<3>(tile, in + blockIdx.x * 1024, turns);
}
