/* kernel.c - what there is to know of a kernel, and launches with more than a shape. */
#include "cudart/graph.h"
#include "cudart/state.h"

#include "base/memory.h"

#define EXPORT __attribute__((visibility("default")))

enum { SM_THREADS = 2048, SM_BLOCKS = 32, BLOCK_THREADS = 1024, BLOCK_RESERVED = 1024 };

/* Of a thread: ptxas alone knows. With so many, 2048 threads fit on an SM. */
enum { REGISTERS = 32 };

/* cudaFuncAttributes. */
struct attributes {
    size_t shared_bytes, constant_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, caches_all, max_dynamic_bytes,
        carveout, cluster[5], reserved[17];
};

EXPORT int cudaFuncGetAttributes(struct attributes *attributes, const void *function)
{
    uint32_t shared = 0, local = 0;
    if (!bsim_cuda_find_sizes(function, &shared, &local)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_FUNCTION);
    }
    *attributes = (struct attributes){.shared_bytes = shared,
                                      .local_bytes = local,
                                      .max_threads = BLOCK_THREADS,
                                      .registers = REGISTERS,
                                      .ptx_version = 90,
                                      .binary_version = 90,
                                      .max_dynamic_bytes = BSIM_CUDA_SHARED_OPT_IN - (int)shared,
                                      .carveout = -1};
    return BSIM_CUDA_SUCCESS;
}

/* Blocks that fit on an SM by their threads and their shared memory. */
EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *function,
                                                                  int threads, size_t dynamic_bytes,
                                                                  unsigned flags)
{
    uint32_t shared = 0, local = 0;
    (void)flags;
    if (!bsim_cuda_find_sizes(function, &shared, &local)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_FUNCTION);
    }
    int by_threads = threads > 0 ? SM_THREADS / ((threads + 31) / 32 * 32) : 0;
    int by_shared = (int)(BSIM_CUDA_SHARED_PER_SM / (shared + dynamic_bytes + BLOCK_RESERVED));
    *n = by_threads < by_shared ? by_threads : by_shared;
    *n = *n > SM_BLOCKS ? SM_BLOCKS : *n;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *function, int threads,
                                                         size_t dynamic_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, function, threads,
                                                                  dynamic_bytes, 0);
}

EXPORT int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                     int n_blocks, int threads)
{
    uint32_t shared = 0, local = 0;
    (void)threads;
    if (n_blocks <= 0 || !bsim_cuda_find_sizes(function, &shared, &local)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    size_t each = BSIM_CUDA_SHARED_PER_SM / (size_t)n_blocks, taken = shared + BLOCK_RESERVED;
    *bytes = each > taken ? each - taken : 0;
    return BSIM_CUDA_SUCCESS;
}

/* All blocks have to find room on the device. */
EXPORT int cudaLaunchCooperativeKernel(const void *host, struct bsim_dim3 grid,
                                       struct bsim_dim3 block, void **arguments,
                                       size_t dynamic_bytes, void *stream)
{
    int each = 0, threads = (int)(block.x * block.y * block.z);
    int error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, host, threads, dynamic_bytes);
    uint64_t n = (uint64_t)grid.x * grid.y * grid.z;
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (n > (uint64_t)each * BSIM_CUDA_SMS) {
        return bsim_cuda_return(BSIM_CUDA_GRID_TOO_LARGE);
    }
    if (bsim_cuda_capturing(stream) != NULL) {
        return bsim_cuda_return(BSIM_CUDA_CAPTURE_UNSUPPORTED);
    }
    return bsim_cuda_return(bsim_cuda_launch_together(host, grid, block, arguments, dynamic_bytes));
}

/* cudaLaunchConfig_t. */
struct configuration {
    struct bsim_dim3 grid, block;
    size_t dynamic_bytes;
    void *stream;
    const struct {
        int id, unused, value[16];
    } * attributes;
    unsigned n_attributes;
};

int cudaLaunchKernel(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                     void **arguments, size_t dynamic_bytes, void *stream);

/* Clusters are not known here: they would share memory. */
EXPORT int cudaLaunchKernelExC(const struct configuration *how, const void *host, void **arguments)
{
    enum { COOPERATIVE = 2, CLUSTER = 4 };
    bool is_together = false;
    for (unsigned i = 0; i < how->n_attributes; i++) {
        if (how->attributes[i].id == CLUSTER) {
            return bsim_cuda_return(BSIM_CUDA_NOT_SUPPORTED);
        }
        is_together = is_together ||
                      (how->attributes[i].id == COOPERATIVE && how->attributes[i].value[0] != 0);
    }
    return (is_together ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        host, how->grid, how->block, arguments, how->dynamic_bytes, how->stream);
}
