/* clusters.cu - a launch that says how many blocks a cluster has: each cluster's first block adds up what the
 * others have in their shared memory. An H200 prints the same (2026-11-23), but that it captures such a launch. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

enum { BLOCKS = 32, THREADS = 128 };

__global__ void sums(const int *in, int *out)
{
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        part = 0;
    }
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * blockDim.x + threadIdx.x]);
    cluster.sync();
    for (unsigned r = 0; r < cluster.num_blocks() && cluster.thread_rank() == 0; r++) {
        out[blockIdx.x / cluster.num_blocks()] += *cluster.map_shared_rank(&part, r);
    }
    cluster.sync();
}

static cudaError_t launch(unsigned x, unsigned y, cudaStream_t stream, const int *in, int *out)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attribute[1];
    how.gridDim = BLOCKS;
    how.blockDim = THREADS;
    how.stream = stream;
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = x;
    attribute[0].val.clusterDim.y = y;
    attribute[0].val.clusterDim.z = 1;
    how.attrs = attribute;
    how.numAttrs = 1;
    return cudaLaunchKernelEx(&how, sums, in, out);
}

int main()
{
    int *in, *out;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaMallocManaged(&in, BLOCKS * THREADS * sizeof *in);
    cudaMallocManaged(&out, BLOCKS * sizeof *out);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        in[i] = i % 7 + i / 1000;
    }
    for (int size = 1; size <= 8; size *= 2) {
        int wrong = 0;
        for (int i = 0; i < BLOCKS; i++) {
            out[i] = 0;
        }
        cudaError_t error = launch(size, 1, 0, in, out);
        cudaDeviceSynchronize();
        for (int c = 0; c < BLOCKS / size; c++) {
            int sum = 0;
            for (int i = 0; i < size * THREADS; i++) {
                sum += in[c * size * THREADS + i];
            }
            wrong += sum != out[c];
        }
        printf("clusters of %d: %s, %d sums wrong\n", size, cudaGetErrorName(error), wrong);
    }
    /* 227 KiB of shared memory are one block on each of 132 SMs, in pairs. */
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute pair[1];
    int most = 0;
    how.gridDim = BLOCKS;
    how.blockDim = THREADS;
    how.dynamicSmemBytes = 226 * 1024;
    pair[0].id = cudaLaunchAttributeClusterDimension;
    pair[0].val.clusterDim.x = 2;
    pair[0].val.clusterDim.y = pair[0].val.clusterDim.z = 1;
    how.attrs = pair;
    how.numAttrs = 1;
    cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 * 1024);
    cudaError_t error = cudaOccupancyMaxActiveClusters(&most, sums, &how);
    printf("at the same time: %s, %d\n", cudaGetErrorName(error), most);
    printf("clusters of 16: %s, ", cudaGetErrorName(launch(16, 1, 0, in, out)));
    cudaFuncSetAttribute(sums, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    printf("%s\n", cudaGetErrorName(launch(16, 1, 0, in, out)));
    printf("clusters of 5: %s\n", cudaGetErrorString(launch(5, 1, 0, in, out)));
    printf("clusters of 1,2: %s\n", cudaGetErrorString(launch(1, 2, 0, in, out)));
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    printf("in a graph: %s\n", cudaGetErrorString(launch(2, 1, stream, in, out)));
    cudaStreamEndCapture(stream, &graph);
    return 0;
}
