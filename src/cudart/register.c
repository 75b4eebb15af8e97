/* register.c - what compilers' own code calls: before main() modules, kernels and variables make
 * themselves known; at <<< >>> the configuration is pushed, and the kernel's stub pops it and
 * launches.
 */
#include "cudart/graph.h"
#include "cudart/state.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct bsim_dim3 dim3;

/* The wrapper around a fat binary that compilers emit. */
struct wrapper {
    int magic, version;
    const void *image;
    void *names;
};

EXPORT void **__cudaRegisterFatBinary(void *wrapper)
{
    return (void **)bsim_cuda_add_module(((const struct wrapper *)wrapper)->image);
}

EXPORT void __cudaRegisterFatBinaryEnd(void **handle)
{
    bsim_cuda_share_managed((struct bsim_cuda_module *)handle);
}

EXPORT void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

EXPORT char __cudaInitModule(void **handle)
{
    (void)handle;
    bsim_cuda_init_managed();
    return 1;
}

EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int limit, void *tid, void *bid, void *block, void *grid,
                                   int *warp)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    bsim_cuda_add_kernel((struct bsim_cuda_module *)handle, host, name);
}

EXPORT void __cudaRegisterVar(void **handle, char *host, char *address, const char *name,
                              int external, size_t size, int constant, int global)
{
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    bsim_cuda_add_variable((struct bsim_cuda_module *)handle, host, name, NULL);
}

EXPORT void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name,
                                     int external, size_t size, int constant, int global)
{
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    bsim_cuda_add_variable((struct bsim_cuda_module *)handle, host, name, host);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Between <<< >>> and the stub, in one thread. */
static _Thread_local struct {
    dim3 grid, block;
    size_t dynamic_bytes;
    void *stream;
} pushed;

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_bytes,
                                            void *stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.dynamic_bytes = dynamic_bytes;
    pushed.stream = stream;
    return 0;
}

EXPORT int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_bytes, void *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *dynamic_bytes = pushed.dynamic_bytes;
    *(void **)stream = pushed.stream;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                            size_t dynamic_bytes, void *stream)
{
    struct bsim_cuda_graph *graph;
    struct bsim_cuda_call call = {host, grid, block, (unsigned)dynamic_bytes, arguments, NULL};
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph == NULL) {
        return bsim_cuda_return(error != BSIM_CUDA_SUCCESS
                                    ? error
                                    : bsim_cuda_launch(host, grid, block, arguments, dynamic_bytes));
    }
    error = bsim_cuda_check_launch(host, grid, block, dynamic_bytes);
    return error != BSIM_CUDA_SUCCESS ? bsim_cuda_breach(stream, error)
                                      : bsim_cuda_graph_launch(graph, &call);
}

/* From CUDA 12.8 on stubs launch by a handle, which here is the host's function. */
EXPORT int __cudaGetKernel(const void **kernel, const void *host)
{
    *kernel = host;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                              size_t dynamic_bytes, void *stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_bytes, stream);
}
