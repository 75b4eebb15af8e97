/* histogram.cu - a row of 64 counters for each thread: all of a thread's lie in two banks. */
typedef unsigned char Byte;

__global__ void histogram(const Byte *data, unsigned *sums, int each)
{
    __shared__ unsigned count[64][64];
    for (int i = 0; i < 64; i++)
        count[threadIdx.x][i] = 0;
    for (int i = 0; i < each; i++)
        count[threadIdx.x][data[i * 64 + threadIdx.x] % 64]++;
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum += count[i][threadIdx.x];
    sums[threadIdx.x] = sum;
}
