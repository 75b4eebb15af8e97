// edges.cu - edges of a graph that are added by themselves, and told: 0 * 3 + 1, then 1 * 2 + 1.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(int *a, int n)
{
    a[threadIdx.x] = a[threadIdx.x] * n + 1;
}

int main()
{
    int *a, h[32], two = 2, three = 3;
    void *by_two[] = {&a, &two}, *by_three[] = {&a, &three};
    cudaMalloc(&a, sizeof h);
    cudaMemset(a, 0, sizeof h);

    cudaGraph_t graph;
    cudaGraphNode_t last, first, from[4], to[4];
    cudaKernelNodeParams call = {};
    call.func = (void *)step;
    call.gridDim = dim3(1);
    call.blockDim = dim3(32);
    call.kernelParams = by_two;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&last, graph, nullptr, 0, &call);
    call.kernelParams = by_three;
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &call);

    size_t n = 4;
    printf("%d", cudaGraphAddDependencies(graph, &first, &last, nullptr, 1));
    printf(" %d", cudaGraphGetEdges(graph, from, to, nullptr, &n));
    printf(" %zu %d %d %d\n", n, from[0] == first, to[0] == last, from[1] == nullptr);
#ifdef __clang__ // the forms of before CUDA 13, which its headers have, too
    n = 4;
    printf("%d\n", cudaGraphGetEdges(graph, from, to, &n) + (from[0] != first) + (n != 1));
#else
    printf("0\n");
#endif

    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    return 0;
}
