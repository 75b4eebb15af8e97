__global__ void library(float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = expf((float)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void plain(float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = sqrtf((float)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
