/* runtime.c - the CUDA runtime that programs call, as far as a device that runs at once needs it.
 *
 * Launches and copies are done when they return, in the order of the calls: streams and events are
 * names alone, and an event's time is the host's clock. The device is an H200 as NVIDIA lists it,
 * compute capability 9.0. What is not here is not linked: a program learns at its build what is
 * missing.
 */
#define _GNU_SOURCE

#include "cudart/graph.h"
#include "cudart/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- devices --------------------------------------------------------------------------------- */

enum {
    SMS = BSIM_CUDA_SMS,
    SHARED_BYTES = BSIM_CUDA_SHARED_BYTES,
    SHARED_OPT_IN = BSIM_CUDA_SHARED_OPT_IN,
    SHARED_PER_SM = BSIM_CUDA_SHARED_PER_SM,
    L2_BYTES = 62914560,
};

/* cudaDeviceProp as CUDA 13 lays it out: where each member stands. */
struct properties {
    char name[256];
    char uuid_luid[28];
    unsigned node_mask;
    uint64_t global_bytes, shared_bytes;
    int registers_per_block, warp_size;
    uint64_t pitch;
    int threads_per_block, threads_dim[3], grid_size[3];
    uint64_t constant_bytes;
    int major, minor;
    uint64_t texture_alignment, texture_pitch_alignment;
    int n_sms, is_integrated, can_map_host;
    char textures[164];
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc;
    int n_copy_engines, unified_addresses, memory_bus_bits, l2_bytes, persisting_l2_bytes,
        threads_per_sm;
    int stream_priorities, global_l1, local_l1;
    uint64_t shared_per_sm;
    int registers_per_sm, managed, multi_gpu, multi_gpu_group, native_atomics;
    int pageable, concurrent_managed, preemption, host_pointer, cooperative;
    uint64_t shared_opt_in;
    int page_tables, direct_managed, blocks_per_sm, window_bytes;
    uint64_t reserved_shared;
    char rest[304];
};

_Static_assert(offsetof(struct properties, global_bytes) == 288 &&
                   offsetof(struct properties, major) == 360 &&
                   offsetof(struct properties, n_sms) == 384 &&
                   offsetof(struct properties, concurrent_kernels) == 560 &&
                   offsetof(struct properties, threads_per_sm) == 604 &&
                   offsetof(struct properties, shared_per_sm) == 624 &&
                   offsetof(struct properties, shared_opt_in) == 672 &&
                   offsetof(struct properties, reserved_shared) == 696 &&
                   sizeof(struct properties) == 1008,
               "the layout of CUDA 13's cudaDeviceProp");

EXPORT int cudaGetDeviceProperties(void *properties, int number)
{
    if (number != 0) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_DEVICE);
    }
    struct properties *p = properties;
    *p = (struct properties){.name = "banksim H200",
                             .global_bytes = BSIM_CUDA_BYTES,
                             .shared_bytes = SHARED_BYTES,
                             .registers_per_block = 65536,
                             .warp_size = 32,
                             .pitch = INT32_MAX,
                             .threads_per_block = 1024,
                             .threads_dim = {1024, 1024, 64},
                             .grid_size = {INT32_MAX, 65535, 65535},
                             .constant_bytes = 65536,
                             .major = 9,
                             .texture_alignment = 512,
                             .texture_pitch_alignment = 32,
                             .n_sms = SMS,
                             .can_map_host = 1,
                             .concurrent_kernels = 1,
                             .n_copy_engines = 3,
                             .unified_addresses = 1,
                             .memory_bus_bits = 6016,
                             .l2_bytes = L2_BYTES,
                             .threads_per_sm = 2048,
                             .stream_priorities = 1,
                             .global_l1 = 1,
                             .local_l1 = 1,
                             .shared_per_sm = SHARED_PER_SM,
                             .registers_per_sm = 65536,
                             .managed = 1,
                             .concurrent_managed = 1,
                             .cooperative = 1,
                             .shared_opt_in = SHARED_OPT_IN,
                             .blocks_per_sm = 32,
                             .reserved_shared = 1024};
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGetDeviceProperties_v2(void *properties, int number)
{
    return cudaGetDeviceProperties(properties, number);
}

EXPORT int cudaDeviceGetAttribute(int *value, int attribute, int number)
{
    enum { LAST = 147 }; /* that CUDA 13.0 knows */
    static const struct {
        int attribute, value;
    } known[] = {{1, 1024},
                 {2, 1024},
                 {3, 1024},
                 {4, 64},
                 {5, INT32_MAX},
                 {6, 65535},
                 {7, 65535},
                 {8, SHARED_BYTES},
                 {9, 65536},
                 {10, 32},
                 {11, INT32_MAX},
                 {12, 65536},
                 {13, 1980000},
                 {14, 512},
                 {16, SMS},
                 {31, 1},
                 {36, 3201000},
                 {37, 6016},
                 {38, L2_BYTES},
                 {39, 2048},
                 {40, 3},
                 {41, 1},
                 {75, 9},
                 {76, 0},
                 {78, 1},
                 {79, 1},
                 {80, 1},
                 {81, SHARED_PER_SM},
                 {82, 65536},
                 {83, 1},
                 {89, 1},
                 {95, 1},
                 {97, SHARED_OPT_IN},
                 {106, 32},
                 {111, 1024},
                 {115, 1}};
    if (attribute < 1 || attribute > LAST) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *value = known[i].attribute == attribute ? known[i].value : *value;
    }
    return bsim_cuda_return(number == 0 ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_DEVICE);
}

EXPORT int cudaGetDeviceCount(int *n)
{
    *n = 1;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGetDevice(int *number)
{
    *number = 0;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaSetDevice(int number)
{
    return bsim_cuda_return(number == 0 ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_DEVICE);
}

EXPORT int cudaDeviceReset(void)
{
    bsim_cuda_reset();
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

EXPORT int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = bsim_cuda_free_bytes();
    *total_bytes = BSIM_CUDA_BYTES;
    return BSIM_CUDA_SUCCESS;
}

/* Hints and settings that change nothing of what is computed or counted. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#define ACCEPTED(name, ...)       \
    EXPORT int name(__VA_ARGS__)  \
    {                             \
        return BSIM_CUDA_SUCCESS; \
    }

struct place { /* cudaMemLocation */
    int type, number;
};

ACCEPTED(cudaDeviceSetCacheConfig, int config)
ACCEPTED(cudaDeviceSetSharedMemConfig, int config)
ACCEPTED(cudaInitDevice, int device, unsigned device_flags, unsigned flags)
ACCEPTED(cudaSetValidDevices, const int *devices, int n)
ACCEPTED(cudaFuncSetCacheConfig, const void *function, int config)
ACCEPTED(cudaFuncSetSharedMemConfig, const void *function, int config)
ACCEPTED(cudaProfilerStart, void)
ACCEPTED(cudaProfilerStop, void)
ACCEPTED(cudaMemAdvise, const void *p, size_t n, int advice, struct place place)
ACCEPTED(cudaMemPrefetchAsync, const void *p, size_t n, struct place place, unsigned flags,
         void *stream)

/* There is one device, whose memory is its own. */
EXPORT int cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    return bsim_cuda_return(peer == 0 ? BSIM_CUDA_NO_PEER_ACCESS : BSIM_CUDA_INVALID_DEVICE);
}

EXPORT int cudaDeviceDisablePeerAccess(int peer)
{
    return bsim_cuda_return(peer == 0 ? BSIM_CUDA_PEER_NOT_ENABLED : BSIM_CUDA_INVALID_DEVICE);
}

enum { STACK, PRINTF, MALLOC, DEPTH, LIMITS = 8, MOST_STACK = 1 << 19, LEAST_HEAP = 1 << 22 };

/* As an H200 has them at first; all but the stack's and the heap's are accepted, and not enforced. */
static size_t limits[LIMITS] = {0, 8650752, 0, 0, 2048, 64, 11796480, BSIM_CUDA_SHARED_OPT_IN};

EXPORT int cudaDeviceSetLimit(int limit, size_t value)
{
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (limit < 0 || limit >= LIMITS || (limit == STACK && value > MOST_STACK)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    if (limit == STACK) {
        bsim_cuda_set_stack((uint32_t)(value + 15) / 16 * 16);
    } else if (limit == DEPTH) {
        return bsim_cuda_return(BSIM_CUDA_UNSUPPORTED_LIMIT);
    } else if (limit == MALLOC) {
        bsim_cuda_set_heap(value < LEAST_HEAP ? LEAST_HEAP : value);
    }
    limits[limit] = value;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetLimit(size_t *value, int limit)
{
    if (limit < 0 || limit >= LIMITS || limit == DEPTH) {
        return bsim_cuda_return(limit == DEPTH ? BSIM_CUDA_UNSUPPORTED_LIMIT
                                               : BSIM_CUDA_INVALID_VALUE);
    }
    *value = limit == STACK    ? bsim_cuda_stack()
             : limit == MALLOC ? bsim_cuda_heap()
                               : limits[limit];
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    snprintf(id, (size_t)length, "0000:00:00.0");
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to)
{
    *value = 0;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaChooseDevice(int *number, const void *properties)
{
    *number = 0;
    return BSIM_CUDA_SUCCESS;
}

static unsigned device_flags = 8; /* cudaDeviceMapHost: always so */

EXPORT int cudaSetDeviceFlags(unsigned flags)
{
    enum { SCHEDULES = 7, MAP_HOST = 8, ALL = 0x9f };
    if (flags & ~(unsigned)ALL || (flags & SCHEDULES) > 4) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    device_flags = flags | MAP_HOST;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGetDeviceFlags(unsigned *flags)
{
    *flags = device_flags;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetSharedMemConfig(int *config)
{
    *config = 1; /* cudaSharedMemBankSizeFourByte: the only one since compute capability 5.0 */
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (device != 0 || peer != 0) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_DEVICE);
    }
    *can = 0;
    return BSIM_CUDA_SUCCESS;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int allocate(void **p, size_t size, enum bsim_cuda_kind kind)
{
    if (p == NULL) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    *p = size == 0 ? NULL : bsim_cuda_allocate(size, kind);
    return bsim_cuda_return(size == 0 || *p != NULL ? BSIM_CUDA_SUCCESS : BSIM_CUDA_MEMORY);
}

static int allocate_now(void **p, size_t size, enum bsim_cuda_kind kind)
{
    int error = bsim_cuda_unsafe();
    return error != BSIM_CUDA_SUCCESS ? error : allocate(p, size, kind);
}

EXPORT int cudaMalloc(void **p, size_t size)
{
    return allocate_now(p, size, BSIM_CUDA_DEVICES);
}

/* Each kind of memory has its own call. */
static int release(const char *call, void *p, bool is_hosts)
{
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (p == NULL ||
        ((bsim_cuda_kind_of(p) == BSIM_CUDA_HOSTS) == is_hosts && bsim_cuda_release(p))) {
        return BSIM_CUDA_SUCCESS;
    }
    fflush(stdout);
    fprintf(stderr, "banksim: %s: nothing that it frees begins at the address\n", call);
    return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
}

EXPORT int cudaFree(void *p)
{
    return release("cudaFree", p, false);
}

EXPORT int cudaMallocManaged(void **p, size_t size, unsigned flags)
{
    enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };
    if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    return allocate_now(p, size, BSIM_CUDA_MANAGED);
}

EXPORT int cudaMallocHost(void **p, size_t size)
{
    return allocate_now(p, size, BSIM_CUDA_HOSTS);
}

EXPORT int cudaHostAlloc(void **p, size_t size, unsigned flags)
{
    (void)flags;
    return cudaMallocHost(p, size);
}

EXPORT int cudaHostRegister(void *p, size_t size, unsigned flags)
{
    if (p == NULL || size == 0) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    return bsim_cuda_return(bsim_cuda_show(p, size) ? BSIM_CUDA_SUCCESS : BSIM_CUDA_REGISTERED);
}

EXPORT int cudaHostUnregister(void *p)
{
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    return bsim_cuda_return(bsim_cuda_hide(p) ? BSIM_CUDA_SUCCESS : BSIM_CUDA_NOT_REGISTERED);
}

EXPORT int cudaHostGetFlags(unsigned *flags, void *p)
{
    *flags = 0;
    return BSIM_CUDA_SUCCESS;
}

/* cudaPointerAttributes. */
struct pointer {
    int type, device;
    void *on_device, *on_host;
    long reserved[8];
};

EXPORT int cudaPointerGetAttributes(struct pointer *attributes, const void *p)
{
    enum bsim_cuda_kind kind = bsim_cuda_kind_of(p);
    void *self = (void *)(uintptr_t)p;
    *attributes = (struct pointer){.type = (int)kind,
                                   .device = kind == BSIM_CUDA_NOBODYS ? -2 : 0,
                                   .on_device = kind == BSIM_CUDA_NOBODYS ? NULL : self,
                                   .on_host = kind == BSIM_CUDA_DEVICES ? NULL : self};
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaFreeHost(void *p)
{
    return release("cudaFreeHost", p, true);
}

EXPORT int cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    enum bsim_cuda_kind kind = bsim_cuda_kind_of(host);
    if (kind != BSIM_CUDA_HOSTS && kind != BSIM_CUDA_MANAGED) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    *device = host;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaMallocAsync(void **p, size_t size, void *stream)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph == NULL) {
        return error != BSIM_CUDA_SUCCESS ? error : cudaMalloc(p, size);
    }
    error = allocate(p, size, BSIM_CUDA_DEVICES);
    return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_graph_memory(graph, false);
}

EXPORT int cudaFreeAsync(void *p, void *stream)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    return error != BSIM_CUDA_SUCCESS ? error
           : graph != NULL            ? bsim_cuda_graph_memory(graph, true)
                                      : cudaFree(p);
}

/* There is one pool, which nobody looks at. */
ACCEPTED(cudaMemPoolDestroy, void *pool)
ACCEPTED(cudaMemPoolTrimTo, void *pool, size_t kept)
ACCEPTED(cudaMemPoolSetAttribute, void *pool, int attribute, void *value)
ACCEPTED(cudaMemPoolSetAccess, void *pool, const void *list, size_t n)
ACCEPTED(cudaDeviceSetMemPool, int device, void *pool)

EXPORT int cudaDeviceGetDefaultMemPool(void **pool, int device)
{
    static char one;
    *pool = &one;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetMemPool(void **pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

EXPORT int cudaMemPoolCreate(void **pool, const void *properties)
{
    return cudaDeviceGetDefaultMemPool(pool, 0);
}

EXPORT int cudaMallocFromPoolAsync(void **p, size_t size, void *pool, void *stream)
{
    return cudaMallocAsync(p, size, stream);
}

EXPORT int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}
