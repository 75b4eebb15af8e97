/* kernel.c - what there is to know of a kernel, and launches with more than a shape. */
#include "cudart/graph.h"
#include "cudart/state.h"

#include "base/memory.h"
#include "ptx/machine.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

enum { SM_THREADS = 2048, SM_BLOCKS = 32, BLOCK_RESERVED = 1024 };

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
    struct bsim_cuda_facts facts;
    uint32_t asked_bytes;
    bool has_large_clusters;
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
        struct limit *next = kept->next;
        *kept = *limit;
        kept->next = next;
    }
    pthread_mutex_unlock(&lock);
    return kept != NULL;
}

/* False for no kernel, and when memory is short. Sizes are found without the lock, since who launches has the
 * device's. */
static bool limit_of(const void *host, struct limit *limit)
{
    *limit = (struct limit){.host = host};
    pthread_mutex_lock(&lock);
    const struct limit *kept = find_limit(host);
    if (kept != NULL) {
        *limit = *kept;
    }
    pthread_mutex_unlock(&lock);
    return kept != NULL || (bsim_cuda_find_facts(host, &limit->facts) && keep_limit(limit));
}

static uint32_t most_dynamic(const struct limit *limit)
{
    uint32_t usual = limit->facts.shared_bytes < BSIM_CUDA_SHARED_BYTES
                         ? BSIM_CUDA_SHARED_BYTES - limit->facts.shared_bytes
                         : 0;
    return limit->asked_bytes > usual ? limit->asked_bytes : usual;
}

EXPORT int cudaFuncSetAttribute(const void *function, int attribute, int value)
{
    enum { MOST_DYNAMIC = 8, CARVEOUT = 9, NON_PORTABLE = 14, LAST = 15 };
    struct limit limit;
    if (!limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    if (attribute == NON_PORTABLE) {
        limit.has_large_clusters = value != 0;
        return keep_limit(&limit) ? BSIM_CUDA_SUCCESS : bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    if (attribute != MOST_DYNAMIC) {
        bool is_known = attribute > MOST_DYNAMIC && attribute <= LAST;
        bool may_be = attribute != CARVEOUT || (value >= -1 && value <= 100);
        return bsim_cuda_return(is_known && may_be ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_VALUE);
    }
    if (value < 0 || limit.facts.shared_bytes + (int64_t)value > BSIM_CUDA_SHARED_OPT_IN) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    limit.asked_bytes = (uint32_t)value;
    return keep_limit(&limit) ? BSIM_CUDA_SUCCESS : bsim_cuda_return(BSIM_CUDA_MEMORY);
}

bool bsim_cuda_may_take(const void *host, size_t dynamic_bytes)
{
    struct limit limit;
    if (!limit_of(host, &limit) || dynamic_bytes <= most_dynamic(&limit)) {
        return true;
    }
    fflush(stdout);
    fprintf(stderr,
            "banksim: %.*s: a launch with %zu bytes of dynamic shared memory, which may have %u; "
            "cudaFuncSetAttribute raises that to %u at most\n",
            limit.facts.name_length, limit.facts.name, dynamic_bytes,
            (unsigned)most_dynamic(&limit),
            (unsigned)(BSIM_CUDA_SHARED_OPT_IN - limit.facts.shared_bytes));
    return false;
}

/* ---- attributes ------------------------------------------------------------------------------ */

EXPORT int cudaFuncGetAttributes(struct attributes *attributes, const void *function)
{
    struct limit limit;
    if (!limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    *attributes = (struct attributes){.shared_bytes = limit.facts.shared_bytes,
                                      .local_bytes = limit.facts.local_bytes,
                                      .max_threads = limit.facts.max_threads,
                                      .registers = REGISTERS,
                                      .ptx_version = 90,
                                      .binary_version = 90,
                                      .max_dynamic_bytes = (int)most_dynamic(&limit),
                                      .carveout = -1};
    return BSIM_CUDA_SUCCESS;
}

/* Blocks that fit on an SM by their threads and their shared memory; 0 of those that cannot be launched. */
static int count_on_sm(const struct limit *limit, int threads, size_t dynamic_bytes)
{
    if (threads > limit->facts.max_threads || dynamic_bytes > most_dynamic(limit)) {
        return 0;
    }
    size_t each = limit->facts.shared_bytes + dynamic_bytes + BLOCK_RESERVED;
    int by_threads = SM_THREADS / ((threads + 31) / 32 * 32);
    int by_shared = (int)(BSIM_CUDA_SHARED_PER_SM / each);
    int n = by_threads < by_shared ? by_threads : by_shared;
    return n > SM_BLOCKS ? SM_BLOCKS : n;
}

EXPORT int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *function,
                                                                  int threads, size_t dynamic_bytes,
                                                                  unsigned flags)
{
    struct limit limit;
    (void)flags;
    if (!limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    if (threads <= 0) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    *n = count_on_sm(&limit, threads, dynamic_bytes);
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
    struct limit limit;
    (void)threads;
    if (n_blocks <= 0 || !limit_of(function, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    size_t each = BSIM_CUDA_SHARED_PER_SM / (size_t)n_blocks;
    size_t taken = limit.facts.shared_bytes + BLOCK_RESERVED;
    *bytes = each > taken ? each - taken : 0;
    return BSIM_CUDA_SUCCESS;
}

/* All blocks have to find room on the device; false after a message if they do not. */
static bool fit_together(const struct limit *limit, uint64_t n_blocks, int threads,
                         size_t dynamic_bytes)
{
    int each = count_on_sm(limit, threads, dynamic_bytes);
    if (n_blocks <= (uint64_t)each * BSIM_CUDA_SMS) {
        return true;
    }
    fflush(stdout);
    fprintf(stderr,
            "banksim: %.*s: a cooperative launch of %" PRIu64
            " blocks, of which %d fit on the device "
            "at a time, %d on each of %d SMs\n",
            limit->facts.name_length, limit->facts.name, n_blocks, each * BSIM_CUDA_SMS, each,
            BSIM_CUDA_SMS);
    return false;
}

EXPORT int cudaLaunchCooperativeKernel(const void *host, struct bsim_dim3 grid,
                                       struct bsim_dim3 block, void **arguments,
                                       size_t dynamic_bytes, void *stream)
{
    struct limit limit;
    uint64_t n = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (!limit_of(host, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    if (threads > 0 && threads <= (uint64_t)limit.facts.max_threads &&
        !fit_together(&limit, n, (int)threads, dynamic_bytes)) {
        return bsim_cuda_return(BSIM_CUDA_GRID_TOO_LARGE);
    }
    struct bsim_cuda_graph *graph;
    struct bsim_cuda_call call = {host, grid, block, (unsigned)dynamic_bytes, arguments, NULL};
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph == NULL) {
        return bsim_cuda_return(
            error != BSIM_CUDA_SUCCESS
                ? error
                : bsim_cuda_launch_together(host, grid, block, arguments, dynamic_bytes));
    }
    error = bsim_cuda_check_launch(host, grid, block, dynamic_bytes);
    return error != BSIM_CUDA_SUCCESS ? bsim_cuda_breach(stream, error)
                                      : bsim_cuda_graph_launch_together(graph, &call);
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

/* Of more than 8 blocks only where the program allows it; what is wrong is told on standard error. */
static int check_size(const struct limit *limit, uint64_t size)
{
    enum { PORTABLE = 8 };
    if (size <= PORTABLE || limit->has_large_clusters) {
        return BSIM_CUDA_SUCCESS;
    }
    fflush(stdout);
    fprintf(stderr,
            "banksim: %.*s: a cluster of %" PRIu64 " blocks: more than %d take "
            "cudaFuncSetAttribute with cudaFuncAttributeNonPortableClusterSizeAllowed\n",
            limit->facts.name_length, limit->facts.name, size, PORTABLE);
    return BSIM_CUDA_INVALID_CLUSTER;
}

static uint64_t size_of(struct bsim_dim3 cluster)
{
    return (uint64_t)cluster.x * cluster.y * cluster.z;
}

/* In clusters, which a graph does not keep here. */
static int launch_clusters(const struct configuration *how, const void *host,
                           struct bsim_dim3 cluster, void **arguments)
{
    struct limit limit;
    struct bsim_cuda_graph *graph;
    if (!limit_of(host, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    int error = check_size(&limit, size_of(cluster));
    if (error != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_return(error);
    }
    error = bsim_cuda_find_capture(how->stream, &graph);
    if (error == BSIM_CUDA_SUCCESS && graph != NULL) {
        error = bsim_cuda_breach(how->stream, BSIM_CUDA_NOT_SUPPORTED);
    } else if (error == BSIM_CUDA_SUCCESS) {
        error = bsim_cuda_launch_clusters(host, how->grid, how->block, cluster, arguments,
                                          how->dynamic_bytes);
    }
    return bsim_cuda_return(error);
}

/* The cluster that the launch asks for; zeros: none. */
static struct bsim_dim3 find_cluster(const struct configuration *how)
{
    enum { CLUSTER = 4 };
    struct bsim_dim3 cluster = {0, 0, 0};
    for (unsigned i = 0; i < how->n_attributes; i++) {
        const int *value = how->attributes[i].value;
        if (how->attributes[i].id == CLUSTER) {
            cluster =
                (struct bsim_dim3){(uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]};
        }
    }
    return cluster;
}

/* Assumed: as many as all SMs together have room for. With one block on an SM an H200 has 66, 39, 30, 22, 15 and 7
 * clusters of 2, 3, 4, 5, 8 and 16 (2026-11-23), and here these are 66, 44, 33, 26, 16 and 8: a cluster lies in one
 * GPC, whose SMs differ from chip to chip. */
EXPORT int cudaOccupancyMaxActiveClusters(int *n, const void *host, const struct configuration *how)
{
    struct limit limit;
    struct bsim_dim3 cluster = find_cluster(how);
    uint64_t size = cluster.x != 0 ? size_of(cluster) : 1;
    uint64_t threads = (uint64_t)how->block.x * how->block.y * how->block.z;
    if (!limit_of(host, &limit)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    if (size == 0 || size > BSIM_PTX_CLUSTER_MOST || threads == 0 ||
        threads > (uint64_t)limit.facts.max_threads) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    int error = check_size(&limit, size);
    if (error != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_return(error);
    }
    *n = count_on_sm(&limit, (int)threads, how->dynamic_bytes) * BSIM_CUDA_SMS / (int)size;
    return BSIM_CUDA_SUCCESS;
}

/* A cooperative launch of clusters is not known here. */
EXPORT int cudaLaunchKernelExC(const struct configuration *how, const void *host, void **arguments)
{
    enum { COOPERATIVE = 2 };
    bool is_together = false;
    struct bsim_dim3 cluster = find_cluster(how);
    for (unsigned i = 0; i < how->n_attributes; i++) {
        is_together = is_together ||
                      (how->attributes[i].id == COOPERATIVE && how->attributes[i].value[0] != 0);
    }
    if (cluster.x != 0) {
        return is_together ? bsim_cuda_return(BSIM_CUDA_NOT_SUPPORTED)
                           : launch_clusters(how, host, cluster, arguments);
    }
    return (is_together ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        host, how->grid, how->block, arguments, how->dynamic_bytes, how->stream);
}
