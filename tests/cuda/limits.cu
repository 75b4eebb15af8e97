// limits.cu - dynamic shared memory: 48 KiB of a block with the static, or up to 227 KiB once the kernel has asked
// for it; a launch with more fails, and the next one does not.
#include <cstdio>

enum { STATIC = 40000, USUAL = 49152, MOST = 232448 };

__global__ void dynamic(int *out)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void both(int *out)
{
    __shared__ int fixed[STATIC / 4];
    extern __shared__ int s[];
    fixed[threadIdx.x * 300] = s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x] + fixed[(31 - threadIdx.x) * 300];
}

static void launch(void (*kernel)(int *), int *out, int bytes)
{
    kernel<<<1, 32, bytes>>>(out);
    printf(" %s", cudaGetErrorName(cudaGetLastError()));
}

static void ask(void (*kernel)(int *), int bytes)
{
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    printf(" %s", cudaGetErrorName(error));
    cudaGetLastError();
}

static void try_limits(const char *name, void (*kernel)(int *), int *out, int bytes)
{
    cudaFuncAttributes attributes;
    printf("%s:", name);
    launch(kernel, out, USUAL - bytes);
    launch(kernel, out, USUAL - bytes + 1);
    ask(kernel, 65536);
    launch(kernel, out, 65536);
    launch(kernel, out, 65537);
    ask(kernel, MOST - bytes + 1);
    ask(kernel, -1);
    ask(kernel, MOST - bytes);
    launch(kernel, out, MOST - bytes);
    launch(kernel, out, 300000);
    cudaFuncGetAttributes(&attributes, kernel);
    printf(" %d %d\n", (int)attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 32 * sizeof *out);
    try_limits("dynamic", dynamic, out, 0);
    try_limits("both", both, out, STATIC);
    printf("%s, %d\n", cudaGetErrorName(cudaDeviceSynchronize()), out[0]);
}
