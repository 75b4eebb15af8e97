// unwritten.cu - memory that nobody wrote: it is told where a count hangs on it, and nowhere else.
#include <cstdio>
#include <cstdlib>

// Told: what is in `in` is an index into shared memory.
__global__ void by_array(const int *in, int *out)
{
    __shared__ int s[512];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[in[threadIdx.x] & 511];
}

// Nothing: what out holds goes into sums alone.
__global__ void by_value(const float *in, float *out, float beta)
{
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x] + beta * out[threadIdx.x];
}

// Nothing: a branch under which nothing is accessed.
__global__ void largest(const int *in, int *out)
{
    int most = 0;
    for (int i = 0; i < 8; i++) {
        if (in[threadIdx.x] + i > most) {
            most = in[threadIdx.x] + i;
        }
    }
    out[threadIdx.x] = most;
}

// Told from flag 32 on: behind the bytes that were set.
__global__ void by_branch(const int *flags, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (flags[threadIdx.x % 64] > 0) {
        s[threadIdx.x * 2 & 255] += 2;
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// Told of the 12 of 32 elements that no turn writes.
__global__ void own(int *out, int n)
{
    int a[32];
    __shared__ int s[1024];
    for (int i = 0; i < n; i++) {
        a[i * 7 & 31] = i;
    }
    for (int i = threadIdx.x; i < 1024; i += 32) {
        s[i] = i;
    }
    __syncwarp();
    out[threadIdx.x] = s[a[threadIdx.x & 31] & 1023];
}

// Told of the element that is not written, by the even threads.
__global__ void heap(int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int *p = (int *)malloc(64);
    p[0] = 4;
    out[threadIdx.x] = s[p[threadIdx.x & 1 ? 0 : 3] % 256];
    free(p);
}

// Nothing: a sum whose result nobody takes. What it makes of what was there is as much chance ...
__global__ void count(int *counts)
{
    atomicAdd(&counts[threadIdx.x], 1);
}

// ... and told here.
__global__ void spread(const int *counts, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[counts[threadIdx.x] * 32 & 255];
}

__global__ void fill(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] = i * 5;
    }
}

// Nothing behind fill, nor of scratch: each block reads what it wrote itself, also ahead of its turn.
__global__ void by_own_scratch(const int *p, int *scratch, int *out)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = threadIdx.x;
    scratch[i] = p[i] & 255;
    __syncthreads();
    int at = scratch[i ^ 1], sum = 0;
    for (int k = 0; k < 16; k++) {
        sum += s[(at + k) & 255];
    }
    out[i] = sum;
}

// Told: all but the last block's part was written.
__global__ void by_most(const int *p, int *out)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        sum += s[(p[i] + k) & 255];
    }
    out[i] = sum;
}

int main()
{
    enum { N = 1 << 16 };
    int *a, *flags, *counts, *p, *scratch, *out, *part;
    float *x, *y;
    cudaMalloc(&a, 2048);
    cudaMalloc(&flags, 1024);
    cudaMalloc(&counts, 1024);
    cudaMalloc(&p, N * 4);
    cudaMalloc(&scratch, N * 4);
    cudaMalloc(&out, N * 4);
    cudaMalloc(&part, N * 4);
    cudaMalloc(&x, 1024);
    cudaMalloc(&y, 1024);
    by_array<<<1, 512>>>(a, out);
    cudaMemset(x, 0, 1024);
    by_value<<<1, 256>>>(x, y, 0);
    largest<<<1, 256>>>(flags, out);
    cudaMemset(flags, 0, 128);
    by_branch<<<1, 256>>>(flags, out);
    own<<<1, 32>>>(out, 20);
    heap<<<1, 256>>>(out);
    count<<<1, 256>>>(counts);
    spread<<<1, 256>>>(counts, out);
    fill<<<N / 256, 256>>>(p, N);
    by_own_scratch<<<N / 256, 256>>>(p, scratch, out);
    fill<<<N / 256, 256>>>(part, N - 256);
    by_most<<<N / 256, 256>>>(part, out);
    cudaMemcpy(part + N - 256, p, 1024, cudaMemcpyDeviceToDevice);
    by_own_scratch<<<N / 256, 256>>>(part, scratch, out);
    by_array<<<1, 512>>>(p, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
