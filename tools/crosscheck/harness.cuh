/* harness.cuh - runs single warp requests on a GPU: counted under the profiler, or timed.
 *
 * A program lists its operations with the macro X(ID, NAME, KIND, ISSUE): NAME is the opcode as the
 * case file spells it, ISSUE the body of a function that issues one such request for one lane:
 *
 *     uint32_t issue(uint32_t at, uint64_t far, uint32_t value)
 *
 * at is the shared (or constant) address, far the global one, value anything to store. What it
 * returns is folded into a result that the compiler believes to be needed.
 *
 * count: one launch per case, one block of one warp, which issues the request `trips` times. The
 * kernel touches no other shared memory, so a profiler's shared-memory counters divided by trips
 * are those of one request.
 *
 * time: blocks on all SMs take cases in turn. All warps of a block issue the same request back to
 * back, first few, then many times; the difference is free of what it costs to start and to stop,
 * and of stores that are still queued when the clock is read.
 *
 * Requests must not be merged, hoisted or dropped by the compiler: each stands in an asm volatile,
 * which stops nvcc, and adds a kernel argument that is always 0 to its address, which stops ptxas.
 * sass.awk checks what came out.
 */
#ifndef CROSSCHECK_HARNESS_CUH
#define CROSSCHECK_HARNESS_CUH

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LANES = 32,
    SHARED_WINDOW = 131072, /* more than half an SM's: one block at a time */
    GLOBAL_WINDOW = 65536,  /* per block */
    FAR_WINDOW = 1 << 24,   /* that a case can reach beyond it */
    UNROLL = 8,             /* requests of one warp in flight, with UNROLL results */
    FEW_TURNS = 4,
    MANY_TURNS = 20,
    RUNS = 5, /* the fastest counts; the first also fills the instruction cache */
    MAX_WARPS = 16,
    MAX_LINE = 2048,
};

enum kind {
    SHARED,      /* one instruction on shared memory */
    SHARED_LOOP, /* the compiler makes a loop of it: counted, not timed */
    ASYNC,       /* copies from global to shared memory */
    GLOBAL,
    CONSTANT,
};

struct warp_case {
    uint32_t mask;
    uint32_t address[LANES];
    uint32_t far[LANES]; /* ASYNC: where the data comes from */
};

/* Kernel arguments. */
struct job {
    struct warp_case item; /* count: the case, so that reading it takes no load from memory */
    const struct warp_case *cases;
    uint32_t n_cases;
    uint32_t trips;
    uint32_t zero;  /* 0, which the compiler does not know */
    uint32_t value; /* 1, likewise */
    char *global;
    uint32_t *first; /* clocks, [case][run][few, many] */
    uint32_t *last;
    uint32_t *sink;
};

/* ---- on the GPU ----------------------------------------------------------------------------- */

extern __shared__ __align__(1024) char window[];

static __device__ uint32_t window_start()
{
    return (uint32_t)__cvta_generic_to_shared(window);
}

template <class Op, enum kind KIND> struct lane_request {
    uint32_t at;
    uint64_t far;

    __device__ lane_request(const struct job &job, const struct warp_case *item, uint32_t lane)
    {
        bool is_shared = KIND != GLOBAL && KIND != CONSTANT;
        char *mine = job.global + (uint64_t)GLOBAL_WINDOW * blockIdx.x;
        at = item->address[lane] + (is_shared ? window_start() : 0);
        far = (uint64_t)(mine + (KIND == GLOBAL ? item->address[lane] : item->far[lane]));
    }

    __device__ __forceinline__ uint32_t issue(const struct job &job)
    {
        at += job.zero;
        far += job.zero;
        return Op::issue(at, far, job.value);
    }
};

static __device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;");
}

template <class Op, enum kind KIND> static __device__ void count_requests(const struct job &job)
{
    uint32_t lane = threadIdx.x;
    uint32_t result = 0;
    const struct warp_case *item = KIND == CONSTANT ? job.cases : &job.item;
    lane_request<Op, KIND> request(job, item, lane);
    if (!(item->mask >> lane & 1)) {
        return;
    }
#pragma unroll 1
    for (uint32_t i = 0; i < job.trips; i++) {
        result ^= request.issue(job);
    }
    if (KIND == ASYNC) {
        wait_for_copies();
    }
    if (result == 0x9e3779b9) {
        *job.sink = result;
    }
}

template <class Op, enum kind KIND>
static __device__ __forceinline__ uint32_t issue_many(const struct job &job,
                                                      lane_request<Op, KIND> &request,
                                                      uint32_t turns)
{
    uint32_t result = 0;
#pragma unroll 1
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint32_t part[UNROLL];
#pragma unroll
        for (uint32_t i = 0; i < UNROLL; i++) {
            part[i] = request.issue(job);
        }
#pragma unroll
        for (uint32_t i = 0; i < UNROLL; i++) {
            result ^= part[i];
        }
    }
    if (KIND == ASYNC) {
        wait_for_copies();
    }
    return result;
}

template <class Op, enum kind KIND> static __device__ void time_requests(const struct job &job)
{
    uint32_t lane = threadIdx.x % LANES;
    uint32_t result = 0;
    for (uint32_t which = blockIdx.x; which < job.n_cases; which += gridDim.x) {
        const struct warp_case *item = job.cases + which;
        bool active = item->mask >> lane & 1;
        lane_request<Op, KIND> request(job, item, lane);
        for (uint32_t run = 0; run < 2 * RUNS; run++) {
            uint32_t slot = which * 2 * RUNS + run;
            __syncthreads();
            uint32_t start = (uint32_t)clock64();
            if (active) {
                result ^= issue_many<Op, KIND>(job, request, run & 1 ? MANY_TURNS : FEW_TURNS);
            }
            __syncwarp();
            uint32_t stop = (uint32_t)clock64();
            if (lane == 0) {
                atomicMin(job.first + slot, start);
                atomicMax(job.last + slot, stop);
            }
        }
    }
    if (result == 0x9e3779b9) {
        *job.sink = result;
    }
}

/* ---- the table of operations ---------------------------------------------------------------- */

typedef void kernel(const struct job job);

struct operation {
    const char *name;
    enum kind kind;
    kernel *count;
    kernel *time;
};

#define DEFINE_OPERATION(ID, NAME, KIND, ISSUE)                                                    \
    struct op_##ID {                                                                               \
        static __device__ __forceinline__ uint32_t issue(uint32_t at, uint64_t far,                \
                                                         uint32_t value)                           \
        {                                                                                          \
            (void)at, (void)far, (void)value;                                                      \
            ISSUE                                                                                  \
        }                                                                                          \
    };                                                                                             \
    static __global__ void count_##ID(const __grid_constant__ struct job job)                      \
    {                                                                                              \
        count_requests<op_##ID, KIND>(job);                                                        \
    }                                                                                              \
    static __global__ void time_##ID(const __grid_constant__ struct job job)                       \
    {                                                                                              \
        time_requests<op_##ID, KIND>(job);                                                         \
    }

#define OPERATION_ROW(ID, NAME, KIND, ISSUE) {NAME, KIND, count_##ID, time_##ID},

/* Bodies of issue. AT is SHARED_AT or FAR_AT. */
#define SHARED_AT "r"(at)
#define FAR_AT "l"(far)

#define LOAD_32(PTX, AT)                                                                           \
    uint32_t a;                                                                                    \
    asm volatile(PTX " %0, [%1];" : "=r"(a) : AT);                                                 \
    return a;

#define LOAD_64(PTX, AT)                                                                           \
    uint64_t a;                                                                                    \
    asm volatile(PTX " %0, [%1];" : "=l"(a) : AT);                                                 \
    return (uint32_t)a ^ (uint32_t)(a >> 32);

#define LOAD_X1(PTX, AT)                                                                           \
    uint32_t a;                                                                                    \
    asm volatile(PTX " {%0}, [%1];" : "=r"(a) : AT);                                               \
    return a;

#define LOAD_V2(PTX, AT)                                                                           \
    uint32_t a, b;                                                                                 \
    asm volatile(PTX " {%0, %1}, [%2];" : "=r"(a), "=r"(b) : AT);                                  \
    return a ^ b;

#define LOAD_V4(PTX, AT)                                                                           \
    uint32_t a, b, c, d;                                                                           \
    asm volatile(PTX " {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : AT);        \
    return a ^ b ^ c ^ d;

#define LOAD_V2_64(PTX, AT)                                                                        \
    uint64_t a, b;                                                                                 \
    asm volatile(PTX " {%0, %1}, [%2];" : "=l"(a), "=l"(b) : AT);                                  \
    return (uint32_t)(a ^ b) ^ (uint32_t)((a ^ b) >> 32);

#define STORE_32(PTX, AT)                                                                          \
    asm volatile(PTX " [%0], %1;" ::AT, "r"(value));                                               \
    return 0;

#define STORE_64(PTX, AT)                                                                          \
    asm volatile(PTX " [%0], %1;" ::AT, "l"((uint64_t)value));                                     \
    return 0;

#define STORE_X1(PTX, AT)                                                                          \
    asm volatile(PTX " [%0], {%1};" ::AT, "r"(value));                                             \
    return 0;

#define STORE_V2(PTX, AT)                                                                          \
    asm volatile(PTX " [%0], {%1, %1};" ::AT, "r"(value));                                         \
    return 0;

#define STORE_V4(PTX, AT)                                                                          \
    asm volatile(PTX " [%0], {%1, %1, %1, %1};" ::AT, "r"(value));                                 \
    return 0;

#define STORE_V2_64(PTX, AT)                                                                       \
    asm volatile(PTX " [%0], {%1, %1};" ::AT, "l"((uint64_t)value));                               \
    return 0;

#define ATOM_32(PTX, AT)                                                                           \
    uint32_t a;                                                                                    \
    asm volatile(PTX " %0, [%1], %2;" : "=r"(a) : AT, "r"(value));                                 \
    return a;

#define ATOM_64(PTX, AT)                                                                           \
    uint64_t a;                                                                                    \
    asm volatile(PTX " %0, [%1], %2;" : "=l"(a) : AT, "l"((uint64_t)value));                       \
    return (uint32_t)a ^ (uint32_t)(a >> 32);

#define ATOM_F32(PTX, AT)                                                                          \
    float a;                                                                                       \
    asm volatile(PTX " %0, [%1], %2;" : "=f"(a) : AT, "f"(__uint_as_float(value)));                \
    return __float_as_uint(a);

#define ATOM_F64(PTX, AT)                                                                          \
    double a;                                                                                      \
    asm volatile(PTX " %0, [%1], %2;" : "=d"(a) : AT, "d"(__hiloint2double(0, (int)value)));       \
    return (uint32_t)__double2loint(a) ^ (uint32_t)__double2hiint(a);

#define CAS_32(PTX, AT)                                                                            \
    uint32_t a;                                                                                    \
    asm volatile(PTX " %0, [%1], %2, %2;" : "=r"(a) : AT, "r"(value));                             \
    return a;

#define CAS_64(PTX, AT)                                                                            \
    uint64_t a;                                                                                    \
    asm volatile(PTX " %0, [%1], %2, %2;" : "=l"(a) : AT, "l"((uint64_t)value));                   \
    return (uint32_t)a ^ (uint32_t)(a >> 32);

#define RED_32(PTX, AT)                                                                            \
    asm volatile(PTX " [%0], %1;" ::AT, "r"(value));                                               \
    return 0;

#define RED_64(PTX, AT)                                                                            \
    asm volatile(PTX " [%0], %1;" ::AT, "l"((uint64_t)value));                                     \
    return 0;

#define RED_F32(PTX, AT)                                                                           \
    asm volatile(PTX " [%0], %1;" ::AT, "f"(__uint_as_float(value)));                              \
    return 0;

#define RED_F64(PTX, AT)                                                                           \
    asm volatile(PTX " [%0], %1;" ::AT, "d"(__hiloint2double(0, (int)value)));                     \
    return 0;

/* ---- on the host ---------------------------------------------------------------------------- */

#define CUDA(call) cuda_check((call), #call)

static void cuda_check(cudaError_t status, const char *call)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
        exit(1);
    }
}

static void *device_memory(size_t size)
{
    void *memory;
    CUDA(cudaMalloc(&memory, size));
    CUDA(cudaMemset(memory, 0, size));
    return memory;
}

struct case_list {
    char **line; /* as in the file */
    struct warp_case *cases;
    uint32_t *operation; /* index in the table */
    uint32_t n;
};

/* Up to 32 numbers separated by blanks; the rest stay 0. Returns what follows. */
static char *read_addresses(char *text, uint32_t address[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        char *end;
        uint32_t number = (uint32_t)strtoul(text, &end, 10);
        if (end == text) {
            break;
        }
        address[lane] = number;
        text = end;
    }
    return text;
}

/* opcode,mask,addresses[,far addresses[,label]]; false if the opcode is not in the table. */
static bool read_case(char *line, const struct operation *table, uint32_t n_operations,
                      struct warp_case *item, uint32_t *operation)
{
    size_t length = strcspn(line, ",");
    for (uint32_t i = 0; i < n_operations; i++) {
        if (strlen(table[i].name) == length && memcmp(table[i].name, line, length) == 0) {
            char *rest;
            *operation = i;
            memset(item, 0, sizeof *item);
            item->mask = (uint32_t)strtoul(line + length + 1, &rest, 16);
            rest = read_addresses(rest + 1, item->address);
            if (*rest == ',') {
                read_addresses(rest + 1, item->far);
            }
            return true;
        }
    }
    return false;
}

/* The first `most` cases of the file. */
static void read_cases(const char *path, uint32_t most, const struct operation *table,
                       uint32_t n_operations, struct case_list *list)
{
    FILE *file = fopen(path, "r");
    char line[MAX_LINE];
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    memset(list, 0, sizeof *list);
    list->line = (char **)calloc(most, sizeof *list->line);
    list->cases = (struct warp_case *)calloc(most, sizeof *list->cases);
    list->operation = (uint32_t *)calloc(most, sizeof *list->operation);
    while (list->n < most && fgets(line, sizeof line, file) != NULL) {
        uint32_t n = list->n;
        line[strcspn(line, "\r\n")] = '\0';
        if (!read_case(line, table, n_operations, list->cases + n, list->operation + n)) {
            fprintf(stderr, "%s: not a case: %s\n", path, line);
            exit(1);
        }
        list->line[list->n++] = strdup(line);
    }
    fclose(file);
}

static struct job make_job(uint32_t n_blocks)
{
    struct job job = {};
    job.value = 1;
    /* The bits of an address in the window are then those of the offset. */
    uint64_t there = (uint64_t)device_memory((size_t)GLOBAL_WINDOW * n_blocks + 2 * FAR_WINDOW);
    job.global = (char *)((there + FAR_WINDOW - 1) / FAR_WINDOW * FAR_WINDOW);
    job.sink = (uint32_t *)device_memory(sizeof *job.sink);
    return job;
}

static void allow_window(kernel *function)
{
    CUDA(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_WINDOW));
}

/* Launches the cases in the order of the list until the seconds are used up, and prints a row for
 * each: kernel,trips and the case. The profiler's n-th launch is the n-th row. */
static void count_cases(const struct operation *table, const struct case_list *list,
                        uint32_t trips, double seconds)
{
    struct job job = make_job(1);
    struct warp_case *cases = (struct warp_case *)device_memory(list->n * sizeof *cases);
    time_t start = time(NULL);
    CUDA(cudaMemcpy(cases, list->cases, list->n * sizeof *cases, cudaMemcpyHostToDevice));
    job.trips = trips;
    for (uint32_t i = 0; i < list->n && difftime(time(NULL), start) < seconds; i++) {
        const struct operation *operation = table + list->operation[i];
        job.item = list->cases[i];
        job.cases = cases + i;
        allow_window(operation->count);
        operation->count<<<1, LANES, SHARED_WINDOW>>>(job);
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        printf("%s,%lu,%s\n", operation->kind == SHARED_LOOP ? "loop" : "single",
               (unsigned long)trips, list->line[i]);
    }
}

/* Cycles for one request: the slope between few and many, each at its fastest. */
static double slope(const uint32_t *first, const uint32_t *last, uint32_t n_warps)
{
    uint32_t best[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t run = 0; run < 2 * RUNS; run++) {
        uint32_t cycles = last[run] - first[run];
        best[run & 1] = cycles < best[run & 1] ? cycles : best[run & 1];
    }
    return ((double)best[1] - best[0]) / (n_warps * (MANY_TURNS - FEW_TURNS) * UNROLL);
}

/* Times the n cases given; cycles[i] is set for each. */
static void time_some(const struct operation *operation, const struct warp_case *cases, uint32_t n,
                      uint32_t n_warps, uint32_t n_blocks, double *cycles)
{
    struct job job = make_job(n_blocks);
    size_t size = (size_t)n * 2 * RUNS * sizeof(uint32_t);
    struct warp_case *there = (struct warp_case *)device_memory(n * sizeof *there);
    uint32_t *first = (uint32_t *)malloc(size), *last = (uint32_t *)malloc(size);
    job.first = (uint32_t *)device_memory(size);
    job.last = (uint32_t *)device_memory(size);
    job.cases = there;
    job.n_cases = n;
    CUDA(cudaMemset(job.first, 0xff, size));
    CUDA(cudaMemcpy(there, cases, n * sizeof *there, cudaMemcpyHostToDevice));
    allow_window(operation->time);
    operation->time<<<n_blocks, n_warps * LANES, SHARED_WINDOW>>>(job);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(first, job.first, size, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(last, job.last, size, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < n; i++) {
        cycles[i] = slope(first + i * 2 * RUNS, last + i * 2 * RUNS, n_warps);
    }
    CUDA(cudaFree(there));
    CUDA(cudaFree(job.first));
    CUDA(cudaFree(job.last));
    CUDA(cudaFree(job.global));
    CUDA(cudaFree(job.sink));
    free(first);
    free(last);
}

/* Times all cases of one operation, into cycles[their index in the list]. */
static void time_operation(const struct operation *table, uint32_t which,
                           const struct case_list *list, uint32_t n_warps, uint32_t n_blocks,
                           double *cycles)
{
    struct warp_case *cases = (struct warp_case *)malloc(list->n * sizeof *cases);
    double *found = (double *)malloc(list->n * sizeof *found);
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->operation[i] == which) {
            cases[n++] = list->cases[i];
        }
    }
    if (n != 0) {
        time_some(table + which, cases, n, n_warps, n_blocks, found);
    }
    for (uint32_t i = list->n; i-- > 0;) {
        if (list->operation[i] == which) {
            cycles[i] = found[--n];
        }
    }
    free(cases);
    free(found);
}

/* Prints each case with its cycles for 16 warps and for one. */
static void time_cases(const struct operation *table, uint32_t n_operations,
                       const struct case_list *list)
{
    cudaDeviceProp device;
    double *many = (double *)calloc(list->n, sizeof *many);
    double *one = (double *)calloc(list->n, sizeof *one);
    CUDA(cudaGetDeviceProperties(&device, 0));
    for (uint32_t i = 0; i < n_operations; i++) {
        if (table[i].kind != SHARED_LOOP) {
            uint32_t n_blocks = (uint32_t)device.multiProcessorCount;
            time_operation(table, i, list, MAX_WARPS, n_blocks, many);
            time_operation(table, i, list, 1, n_blocks, one);
        }
    }
    for (uint32_t i = 0; i < list->n; i++) {
        if (table[list->operation[i]].kind != SHARED_LOOP) {
            printf("%s,%.3f,%.3f\n", list->line[i], many[i], one[i]);
        }
    }
}

static __global__ void tell_window(uint32_t *start)
{
    *start = window_start();
}

/* Where the shared window begins: its banks are those of offset 0 if the low bits are 0. */
static void print_window(void)
{
    uint32_t start;
    uint32_t *there = (uint32_t *)device_memory(sizeof *there);
    tell_window<<<1, 1, 1024>>>(there);
    CUDA(cudaMemcpy(&start, there, sizeof start, cudaMemcpyDeviceToHost));
    printf("shared window starts at %lu: %s\n", (unsigned long)start,
           start % 1024 == 0 ? "a multiple of 1024" : "NOT a multiple of 1024");
}

/* window | count CASES MOST TRIPS SECONDS | time CASES MOST */
static int run_program(int argc, char **argv, const struct operation *table,
                       uint32_t n_operations)
{
    struct case_list list;
    if (argc == 2 && strcmp(argv[1], "window") == 0) {
        print_window();
        return 0;
    }
    if ((argc != 6 || strcmp(argv[1], "count") != 0) &&
        (argc != 4 || strcmp(argv[1], "time") != 0)) {
        fprintf(stderr, "usage: %s window | count CASES MOST TRIPS SECONDS | time CASES MOST\n",
                argv[0]);
        return 2;
    }
    read_cases(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), table, n_operations, &list);
    if (argc == 6) {
        count_cases(table, &list, (uint32_t)strtoul(argv[4], NULL, 10), strtod(argv[5], NULL));
    } else {
        time_cases(table, n_operations, &list);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

#endif
