/* transpose.cu - a matrix by tiles of 32 x 32, in blocks of 32 x 8; and one whose tile is no square. */
#include <cstdio>

#define TILE 32
#define ROWS 8

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A block of 32 x 16 threads turns 16 rows of 32 into 32 rows of 16.
__global__ void turn(int *out, const int *in)
{
    __shared__ int tile[16][32];
    unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned row = i / 16, column = i % 16;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[column][row];
}

int main()
{
    const int n = 128;
    dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
    size_t bytes = n * n * sizeof(float);
    float *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc((void **)&out, bytes);
    transpose<<<grid, block>>>(out, in, n, n);
    cudaDeviceSynchronize();
    printf("done\n");
}
