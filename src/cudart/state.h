/* state.h - the device that a CUDA program sees: modules, memory, launches.
 *
 *     state.c     the modules and their kernels, the trace that launches write
 *     memory.c    the memory
 *     error.c     what calls return
 *     again.c     launches that need not be run
 *     register.c  what the compiler's start-up code calls: modules, kernels, variables; launches
 *     runtime.c   devices, settings, cudaMalloc and its like
 *     copy.c      cudaMemcpy, cudaMemset and their like
 *     array.c     arrays, textures, surfaces
 *     stream.c    streams and events
 *     graph.c     what is captured in streams, or put together by hand, and done later
 *     tensor.c    maps of tensors for copies by TMA
 *     curand.c    random numbers
 *     absent.c    what programs call of NVIDIA's libraries that is not here
 *     kernel.c    what there is to know of a kernel, and launches with more than a shape
 *     cublas.c    the part of cuBLAS that programs check their own kernels with
 *
 * Device memory lies at addresses of its own in the program, so that a device's pointer is the
 * host's, and is the same in each run: traces do not depend on where the system put the heap. One
 * lock guards everything: a program may call from several threads.
 */
#ifndef BSIM_CUDART_STATE_H
#define BSIM_CUDART_STATE_H

#include "ptx/launch.h"

/* The numbers of cudaError_t that are given here. */
enum bsim_cuda_error {
    BSIM_CUDA_SUCCESS = 0,
    BSIM_CUDA_INVALID_VALUE = 1,
    BSIM_CUDA_MEMORY = 2,
    BSIM_CUDA_INVALID_PITCH = 12,
    BSIM_CUDA_INVALID_SYMBOL = 13,
    BSIM_CUDA_INVALID_CHANNELS = 20,
    BSIM_CUDA_INVALID_DIRECTION = 21,
    BSIM_CUDA_UNAVAILABLE = 46,
    BSIM_CUDA_INVALID_FUNCTION = 98,
    BSIM_CUDA_INVALID_DEVICE = 101,
    BSIM_CUDA_INVALID_IMAGE = 200,
    BSIM_CUDA_UNSUPPORTED_LIMIT = 215,
    BSIM_CUDA_NO_PEER_ACCESS = 217,
    BSIM_CUDA_INVALID_HANDLE = 400,
    BSIM_CUDA_ILLEGAL_STATE = 401,
    BSIM_CUDA_ILLEGAL_ADDRESS = 700,
    BSIM_CUDA_TIMEOUT = 702,
    BSIM_CUDA_PEER_NOT_ENABLED = 705,
    BSIM_CUDA_ASSERT = 710,
    BSIM_CUDA_REGISTERED = 712,
    BSIM_CUDA_NOT_REGISTERED = 713,
    BSIM_CUDA_ILLEGAL_INSTRUCTION = 715,
    BSIM_CUDA_MISALIGNED = 716,
    BSIM_CUDA_LAUNCH_FAILURE = 719,
    BSIM_CUDA_GRID_TOO_LARGE = 720,
    BSIM_CUDA_NOT_SUPPORTED = 801,
    BSIM_CUDA_INVALID_CLUSTER = 912,
    BSIM_CUDA_CAPTURE_UNSUPPORTED = 900,
    BSIM_CUDA_CAPTURE_INVALIDATED = 901,
    BSIM_CUDA_CAPTURE_MERGE = 902,
    BSIM_CUDA_CAPTURE_UNJOINED = 904,
    BSIM_CUDA_CAPTURE_ISOLATION = 905,
    BSIM_CUDA_CAPTURE_IMPLICIT = 906,
    BSIM_CUDA_CAPTURED_EVENT = 907,
    BSIM_CUDA_CAPTURE_THREAD = 908,
};

/* The device: an H200, as NVIDIA lists it. */
enum {
    BSIM_CUDA_SMS = 132,
    BSIM_CUDA_SHARED_BYTES = 49152,   /* of a block */
    BSIM_CUDA_SHARED_OPT_IN = 232448, /* of one whose kernel has asked for more */
    BSIM_CUDA_SHARED_PER_SM = 233472,
};

/* The lock that guards everything. Who has it may take it again. */
void bsim_cuda_enter(void);
void bsim_cuda_leave(void);

/* The error that a call returns: kept for the thread's cudaGetLastError unless it is success. */
int bsim_cuda_return(int error);

/* A kernel's fault, which everything returns that waits for kernels or needs the device; or success. */
int bsim_cuda_fault(void);
void bsim_cuda_set_fault(int error);

/* After a fault the device is unavailable; the last error stays as it is. */
void bsim_cuda_reset_fault(void);

/* cudaDeviceReset: arrays are freed, variables hold what they held at first. */
void bsim_cuda_reset(void);

/* ---- memory ---------------------------------------------------------------------------------- */

/* cudaMemoryType: whose an allocation is said to be. All of them are the host's and the device's. */
enum bsim_cuda_kind { BSIM_CUDA_NOBODYS, BSIM_CUDA_HOSTS, BSIM_CUDA_DEVICES, BSIM_CUDA_MANAGED };

/* All of it, for who has the lock; NULL after a message where the process has no room for it. */
struct bsim_ptx_memory *bsim_cuda_memory(void);

/* size zero bytes of device memory, aligned to 512 as cudaMalloc's; NULL if there are none. In what is told they
 * are counted from 1 on, unless they are nobody's. */
void *bsim_cuda_allocate(size_t size, enum bsim_cuda_kind kind);

/* The device sees the host's memory, or sees it no more; false if it does so, or does not. */
bool bsim_cuda_show(void *p, size_t size);
bool bsim_cuda_hide(void *p);

enum bsim_cuda_kind bsim_cuda_kind_of(const void *p);

/* False if nothing begins there that was allocated. */
bool bsim_cuda_release(void *p);

/* Everything that was allocated, except what `keeps` says. */
void bsim_cuda_release_all(bool (*keeps)(const void *p));

#define BSIM_CUDA_BYTES (UINT64_C(1) << 36) /* that the device has */

size_t bsim_cuda_free_bytes(void);

/* Of a thread, for functions that call themselves; 1024 at first. */
void bsim_cuda_set_stack(uint32_t bytes);
uint32_t bsim_cuda_stack(void);

/* cudaLimitMallocHeapSize: bytes of all that kernels allocate, at most. */
void bsim_cuda_set_heap(uint64_t bytes);
uint64_t bsim_cuda_heap(void);

/* Whether `call` may copy or set so many bytes at p. What is wrong is told on standard error: p is null; they
 * are not all in the array or variable that p leads to, or that was freed; nothing of the device's is there,
 * and that is_device, or in what the heap has not given. Other memory is the host's, of which nothing is
 * known. No bytes may be anywhere. */
bool bsim_cuda_may_use(const char *call, const void *p, size_t size, bool is_device);

/* Bytes from the first to the last of `depth` slices of `height` rows of `width` bytes; SIZE_MAX for more than
 * that. */
size_t bsim_cuda_span(size_t width, size_t height, size_t depth, size_t pitch, size_t slice);

/* So many bytes there are no longer what they hold by chance, if they are the device's. */
void bsim_cuda_wrote(const void *p, size_t size);

/* Where the host finds what an address leads to: a variable of a module's, or p itself. */
void *bsim_cuda_host_address(const void *p);

/* The same for who may write there, nobody knows how much: all of it counts as written. */
void *bsim_cuda_hand_out(const void *p);

/* ---- textures and surfaces ------------------------------------------------------------------- */

struct bsim_ptx_texture;

/* Its handle, or 0 when memory is short. */
uint64_t bsim_cuda_add_texture(const struct bsim_ptx_texture *texture);

/* False if there is none of that handle. */
bool bsim_cuda_drop_texture(uint64_t handle);

/* All that see the data. */
void bsim_cuda_drop_textures(const unsigned char *data);

/* ---- modules --------------------------------------------------------------------------------- */

struct bsim_cuda_module;

/* A module's image as the compiler embeds it; it is read when it is first used. */
struct bsim_cuda_module *bsim_cuda_add_module(const void *image);
void bsim_cuda_add_kernel(struct bsim_cuda_module *module, const void *host, const char *name);
void bsim_cuda_add_variable(struct bsim_cuda_module *module, const void *host, const char *name,
                            void **managed);

/* The device's variable behind the host's; NULL if there is none. */
void *bsim_cuda_find_variable(const void *host, size_t *size_bytes);

/* Gives managed variables their memory, which host code reads by pointers of its own. */
void bsim_cuda_init_managed(void);

/* Makes the managed variables of a module that clang has compiled one with the host's. */
void bsim_cuda_share_managed(const struct bsim_cuda_module *module);

/* What a kernel's arguments hold now, in one piece that bsim_mem_free frees; NULL if host names no
 * kernel, or memory is short. */
void **bsim_cuda_copy_arguments(const void *host, void **arguments);

/* What is known of a kernel before it is launched. */
struct bsim_cuda_facts {
    const char *name; /* as the source has it, not ended by a NUL; borrowed */
    int name_length;
    uint32_t shared_bytes, local_bytes; /* that it declares, of a block and of a thread */
    int max_threads;                    /* of a block: 1024, or what it was compiled for */
};

/* False if there is no such kernel. */
bool bsim_cuda_find_facts(const void *host, struct bsim_cuda_facts *facts);

/* Whether a launch of the kernel may have so much dynamic shared memory; if not, that is told on standard
 * error. */
bool bsim_cuda_may_take(const void *host, size_t dynamic_bytes);

/* The program ends early: its trace is of what it launched before. */
void bsim_cuda_give_up(void);

/* Whether it may be launched so; what is wrong is told on standard error. */
int bsim_cuda_check_launch(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                           size_t dynamic_bytes);

/* Launches the kernel behind the host's function; what is wrong is told on standard error. */
int bsim_cuda_launch(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                     void **arguments, size_t dynamic_bytes);

/* The same in clusters of so many blocks. */
int bsim_cuda_launch_clusters(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                              struct bsim_dim3 cluster, void **arguments, size_t dynamic_bytes);

/* The same with all blocks at the same time, which may wait for each other. */
int bsim_cuda_launch_together(const void *host, struct bsim_dim3 grid, struct bsim_dim3 block,
                              void **arguments, size_t dynamic_bytes);

#endif
