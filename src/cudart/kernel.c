/* kernel.c - what there is to know of a kernel, and launches with more than a shape. */
#include "cudart/graph.h"
#include "cudart/state.h"

#include "base/memory.h"
#include "ptx/machine.h"

#include <pthread.h>
#include <stdio.h>

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

/* ---- dynamic shared memory ------------------------------------------------------------------- */

/* What launches of a kernel may take beside its static arrays: as much as makes 48 KiB in all, or more once
 * the program has asked for it. */
struct limit {
    const void *host;
    uint32_t shared_bytes, asked_bytes;
    struct limit *next;
};

static struct limit *limits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct limit *find_limit(const void *host)
{
    struct limit *limit = limits;
    while (limit != NULL && limit->host != host) {
        limit = limit->next;
    }
    return limit;
}

static bool keep_limit(const struct limit *limit)
{
    pthread_mutex_lock(&lock);
    struct limit *kept = find_limit(limit->host);
    if (kept == NULL) {
        kept = bsim_mem_zeroed(1, sizeof *kept);
        if (kept != NULL) {
            kept->next = limits;
            limits = kept;
        }
    }
    if (kept != NULL) {
        *kept = (struct limit){limit->host, limit->shared_bytes, limit->asked_bytes, kept->next};
    }
    pthread_mutex_unlock(&lock);
    return kept != NULL;
}

/* False for no kernel, and when memory is short. Sizes are found without the lock, since who launches has the
 * device's. */
static bool limit_of(const void *host, struct limit *limit)
{
    uint32_t local;
    *limit = (struct limit){.host = host};
    pthread_mutex_lock(&lock);
    const struct limit *kept = find_limit(host);
    if (kept != NULL) {
        *limit = *kept;
    }
    pthread_mutex_unlock(&lock);
    return kept != NULL ||
           (bsim_cuda_find_sizes(host, &limit->shared_bytes, &local) && keep_limit(limit));
}

static uint32_t most_dynamic(const struct limit *limit)
{
    uint32_t usual = limit->shared_bytes < BSIM_CUDA_SHARED_BYTES
                         ? BSIM_CUDA_SHARED_BYTES - limit->shared_bytes
                         : 0;
    return limit->asked_bytes > usual ? limit->asked_bytes : usual;
}

EXPORT int cudaFuncSetAttribute(const void *function, int attribute, int value)
{
    enum { MOST_DYNAMIC = 8 };
    struct limit limit;
    if (!limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_FUNCTION);
    }
    if (attribute != MOST_DYNAMIC) {
        return BSIM_CUDA_SUCCESS;
    }
    if (value < 0 || limit.shared_bytes + (int64_t)value > BSIM_CUDA_SHARED_OPT_IN) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    limit.asked_bytes = (uint32_t)value;
    return keep_limit(&limit) ? BSIM_CUDA_SUCCESS : bsim_cuda_return(BSIM_CUDA_MEMORY);
}

bool bsim_cuda_may_take(const void *host, const char *name, size_t dynamic_bytes)
{
    struct limit limit;
    size_t length;
    if (!limit_of(host, &limit) || dynamic_bytes <= most_dynamic(&limit)) {
        return true;
    }
    const char *plain = bsim_ptx_plain_name(name, &length);
    fflush(stdout);
    fprintf(stderr,
            "banksim: %.*s: a launch with %zu bytes of dynamic shared memory, which may have %u; "
            "cudaFuncSetAttribute raises that to %u at most\n",
            (int)length, plain, dynamic_bytes, (unsigned)most_dynamic(&limit),
            (unsigned)(BSIM_CUDA_SHARED_OPT_IN - limit.shared_bytes));
    return false;
}

/* ---- attributes ------------------------------------------------------------------------------ */

EXPORT int cudaFuncGetAttributes(struct attributes *attributes, const void *function)
{
    uint32_t shared = 0, local = 0;
    struct limit limit;
    if (!bsim_cuda_find_sizes(function, &shared, &local) || !limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_FUNCTION);
    }
    *attributes = (struct attributes){.shared_bytes = shared,
                                      .local_bytes = local,
                                      .max_threads = BLOCK_THREADS,
                                      .registers = REGISTERS,
                                      .ptx_version = 90,
                                      .binary_version = 90,
                                      .max_dynamic_bytes = (int)most_dynamic(&limit),
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
