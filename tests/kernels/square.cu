/* square.cu - a tile of 32 x 32 that is stored and loaded by rows or by columns, and strides.
 *
 * What must come out follows from 32 banks of 4 bytes: a warp's row lies in 32 banks, its column, 32
 * words apart, in one: 32 wavefronts for each of the 32 requests, 1024 in all; a row of 33 words puts
 * columns into 32 banks. With a stride of two words two lanes share a bank, with 33 none do.
 */
#define SIZE 32

__global__ void rows(int *out)
{
    __shared__ int tile[SIZE][SIZE];
    int index = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = index;
    __syncthreads();
    out[index] = tile[threadIdx.y][threadIdx.x];
}

__global__ void columns(int *out)
{
    __shared__ int tile[SIZE][SIZE];
    int index = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.x][threadIdx.y] = index;
    __syncthreads();
    out[index] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(int *out)
{
    __shared__ int tile[SIZE][SIZE + 1];
    int index = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = index;
    __syncthreads();
    out[index] = tile[threadIdx.x][threadIdx.y];
}

__global__ void dynamic(int *out)
{
    extern __shared__ int tile[];
    int index = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.x * (blockDim.y + 1) + threadIdx.y] = index;
    __syncthreads();
    out[index] = tile[threadIdx.x * (blockDim.y + 1) + threadIdx.y];
}

__global__ void strided(float *out, int stride)
{
    __shared__ float s[32 * 33];
    s[threadIdx.x * stride] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x * stride];
}
