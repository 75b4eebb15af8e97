/* tile.cu - kernels to try `banksim launch` on: a transposition through a tile, a sum over blocks.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o tile.ptx tile.cu
 */
__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) {
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) {
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
    }
}

__global__ void sum(const int *in, int *out)
{
    extern __shared__ int part[];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) {
            part[t] += part[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(out, part[0]);
    }
}
