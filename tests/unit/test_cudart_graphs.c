/* test_cudart_graphs.c - graphs, captured and put together, and what there is to know of kernels and
 * pointers: the runtime's calls, with a kernel in PTX. */
#define _XOPEN_SOURCE 700 /* setenv */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* ---- what CUDA's headers declare ------------------------------------------------------------- */

struct dim3 {
    unsigned x, y, z;
};
struct launch {
    const void *host;
    struct dim3 grid, block;
    unsigned dynamic_bytes;
    void **arguments, **extra;
};
struct fill {
    void *p;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
};
struct host_call {
    void (*call)(void *data);
    void *data;
};
struct attributes {
    size_t shared_bytes, constant_bytes, local_bytes;
    int max_threads, registers, rest[27];
};
struct pointer {
    int type, device;
    void *on_device, *on_host;
    long reserved[8];
};
struct update {
    int result;
    void *node, *from;
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp);
int cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t bytes, void *stream);
int cudaMalloc(void **p, size_t size);
int cudaMallocManaged(void **p, size_t size, unsigned flags);
int cudaHostRegister(void *p, size_t size, unsigned flags);
int cudaHostUnregister(void *p);
int cudaPointerGetAttributes(struct pointer *attributes, const void *p);
int cudaFuncGetAttributes(struct attributes *attributes, const void *function);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *function, int threads,
                                                  size_t dynamic_bytes);
int cudaMemsetAsync(void *p, int value, size_t size, void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int cudaLaunchHostFunc(void *stream, void (*call)(void *data), void *data);
int cudaStreamCreate(void **stream);
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamSynchronize(void *stream);
int cudaDeviceSynchronize(void);
int cudaEventQuery(void *event);
int cudaMemset(void *p, int value, size_t size);
int cudaEventDestroy(void *event);
int cudaStreamDestroy(void *stream);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
int cudaStreamIsCapturing(void *stream, int *status);
int cudaThreadExchangeStreamCaptureMode(int *mode);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaGraphCreate(void **graph, unsigned flags);
int cudaGraphDestroy(void *graph);
int cudaGraphGetNodes(void *graph, void **nodes, size_t *n);
int cudaGraphAddKernelNode(void **node, void *graph, void *const *after, size_t n,
                           const struct launch *launch);
int cudaGraphAddMemsetNode(void **node, void *graph, void *const *after, size_t n,
                           const struct fill *fill);
int cudaGraphAddHostNode(void **node, void *graph, void *const *after, size_t n,
                         const struct host_call *call);
int cudaGraphAddChildGraphNode(void **node, void *graph, void *const *after, size_t n, void *child);
int cudaGraphAddDependencies(void *graph, void *const *from, void *const *to, const void *data,
                             size_t n);
int cudaGraphGetEdges(void *graph, void **from, void **to, void *data, size_t *n);
int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags);
int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const struct launch *launch);
int cudaGraphExecUpdate(void *exec, void *graph, struct update *update);
int cudaGraphLaunch(void *exec, void *stream);
int cudaGraphExecDestroy(void *exec);
int cudaGetLastError(void);

/* ---- the kernel ------------------------------------------------------------------------------ */

/* p[t] = p[t] * n + t; 400 bytes of shared memory and 96 of local are named alone */
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry step(.param .u64 p, .param .u32 n) {\n"
                           " .reg .b32 %r<4>;\n .reg .b64 %rd<4>;\n .shared .align 8 .b8 s[400];\n"
                           " .local .align 8 .b8 l[96];\n"
                           " ld.param.u64 %rd1, [p];\n ld.param.u32 %r1, [n];\n"
                           " mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"
                           " add.s64 %rd0, %rd1, %rd2;\n ld.global.u32 %r2, [%rd0];\n"
                           " mad.lo.u32 %r3, %r2, %r1, %r0;\n st.global.u32 [%rd0], %r3;\n"
                           " mov.u32 %r1, s;\n mov.u64 %rd1, l;\n ret;\n}\n";

static char step;

static int start(void **state)
{
    static struct {
        int magic, version;
        const void *image;
        void *names;
    } wrapper = {0x466243b1, 1, text, NULL};
    (void)state;
    setenv("BANKSIM_OUTPUT", "/dev/null", 1);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &step, &step, "step", -1, NULL, NULL, NULL, NULL, NULL);
    return 0;
}

static const struct dim3 one = {1, 1, 1}, warp = {32, 1, 1};

static void expect_elements(const uint32_t *p, uint32_t factor, uint32_t addend)
{
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(p[t], factor * t + addend);
    }
}

static void count(void *data)
{
    ++*(uint32_t *)data;
}

/* ---- captures -------------------------------------------------------------------------------- */

/* A second stream joins by an event. Nothing is done before the graph is launched, and then each time. */
static void captured_calls_are_done_later(void **state)
{
    uint32_t *p, n = 10, n_calls = 0, copy[32] = {0};
    void *first, *second, *event, *graph, *exec;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&p, sizeof copy), 0);
    assert_int_equal(cudaStreamCreate(&first) + cudaStreamCreate(&second), 0);
    assert_int_equal(cudaEventCreate(&event), 0);
    assert_int_equal(cudaStreamBeginCapture(NULL, 0), 900); /* the legacy stream */
    assert_int_equal(cudaStreamBeginCapture(first, 0), 0);
    assert_int_equal(cudaMemsetAsync(p, 1, sizeof copy, first), 0);
    assert_int_equal(cudaEventRecord(event, first), 0);
    assert_int_equal(cudaStreamWaitEvent(second, event, 0), 0);
    assert_int_equal(cudaLaunchKernel(&step, one, warp, (void *[]){&p, &n}, 0, second), 0);
    n = 99; /* arguments are those of the call */
    assert_int_equal(cudaMemcpyAsync(copy, p, sizeof copy, 2, second), 0);
    assert_int_equal(cudaLaunchHostFunc(second, count, &n_calls), 0);
    assert_int_equal(cudaEventRecord(event, second) + cudaStreamWaitEvent(first, event, 0), 0);
    assert_int_equal(cudaStreamEndCapture(first, &graph), 0);
    expect_elements(p, 0, 0);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
    assert_int_equal(cudaGraphDestroy(graph), 0);
    for (uint32_t i = 1; i <= 2; i++) {
        assert_int_equal(cudaGraphLaunch(exec, first), 0);
        expect_elements(copy, 1, 0x01010101u * 10);
        assert_int_equal(n_calls, i);
    }
    assert_int_equal(cudaGraphExecDestroy(exec), 0);
    assert_int_equal(cudaEventDestroy(event), 0);
    assert_int_equal(cudaMemsetAsync(p, 0, sizeof copy, second), 0); /* at once again */
    expect_elements(p, 0, 0);
    assert_int_equal(cudaGetLastError(), 900);
    assert_int_equal(cudaStreamDestroy(first) + cudaStreamDestroy(second), 0);
}

/* A fill, two calls behind it in two streams, and a fill behind both: unless the streams do not meet again,
 * which CUDA has an error for. */
static void streams_that_part_meet_again(void **state)
{
    (void)state;
    for (int meets = 0; meets < 2; meets++) {
        uint32_t *p, n_calls = 0;
        void *first, *second, *event, *graph, *from[9], *to[9], *node[4];
        size_t n_edges = 9, n_nodes = 4;
        assert_int_equal(cudaMalloc((void **)&p, 128), 0);
        assert_int_equal(cudaStreamCreate(&first) + cudaStreamCreate(&second), 0);
        assert_int_equal(cudaEventCreate(&event), 0);
        assert_int_equal(cudaStreamBeginCapture(first, 0), 0);
        assert_int_equal(cudaMemsetAsync(p, 1, 128, first), 0);
        assert_int_equal(cudaEventRecord(event, first) + cudaStreamWaitEvent(second, event, 0), 0);
        assert_int_equal(cudaLaunchHostFunc(second, count, &n_calls), 0);
        assert_int_equal(cudaLaunchHostFunc(first, count, &n_calls), 0);
        assert_int_equal(cudaEventRecord(event, second), 0);
        assert_int_equal(meets ? cudaStreamWaitEvent(first, event, 0) : 0, 0);
        assert_int_equal(cudaMemsetAsync(p, 2, 128, first), 0);
        assert_int_equal(cudaStreamEndCapture(first, &graph), meets ? 0 : 904);
        assert_int_equal(graph != NULL, meets);
        assert_int_equal(cudaGetLastError(), meets ? 0 : 904);
        if (meets) {
            assert_int_equal(cudaGraphGetNodes(graph, node, &n_nodes), 0);
            assert_int_equal(cudaGraphGetEdges(graph, from, to, NULL, &n_edges), 0);
            assert_int_equal(n_nodes, 4);
            assert_int_equal(n_edges, 4);
            assert_true(from[0] == node[0] && to[0] == node[1]);
            assert_true(from[1] == node[0] && to[1] == node[2]);
            assert_true(from[2] == node[2] && to[2] == node[3]);
            assert_true(from[3] == node[1] && to[3] == node[3]);
        }
        assert_int_equal(cudaGraphDestroy(graph) + cudaEventDestroy(event), 0);
        assert_int_equal(cudaStreamDestroy(first) + cudaStreamDestroy(second), 0);
    }
}

enum { GLOBAL, OF_THREAD, RELAXED, NON_BLOCKING = 1 };

enum call { ALLOCATE, ALLOCATE_RELAXED, WAIT, WAIT_OTHER, WAIT_FOR_ALL, QUERY_WITHIN, SET_AT_0 };

/* A captured stream, another one, and an event that was recorded in the capture. */
static int call_while(enum call call, void *captured, void *other, void *event)
{
    void *p;
    int mode = RELAXED, error;
    switch (call) {
    case ALLOCATE:
        return cudaMalloc(&p, 4);
    case ALLOCATE_RELAXED:
        assert_int_equal(cudaThreadExchangeStreamCaptureMode(&mode), 0);
        error = cudaMalloc(&p, 4);
        assert_int_equal(cudaThreadExchangeStreamCaptureMode(&mode), 0);
        return error;
    case WAIT:
        return cudaStreamSynchronize(captured);
    case WAIT_OTHER:
        return cudaStreamSynchronize(other);
    case WAIT_FOR_ALL:
        return cudaDeviceSynchronize();
    case QUERY_WITHIN:
        return cudaEventQuery(event);
    case SET_AT_0:
        return cudaMemset(NULL, 0, 0);
    }
    return -1;
}

/* As an H200 does, in tests/cuda/captures.out, and of stream 0 beside a blocking one's capture in codes.h200. */
static void captures_forbid_what_may_wait(void **state)
{
    static const struct {
        enum call call;
        int mode;
        unsigned flags;
        int error; /* other than 0: the capture is then invalid */
    } cases[] = {
        {ALLOCATE, GLOBAL, NON_BLOCKING, 900},      {ALLOCATE, OF_THREAD, NON_BLOCKING, 900},
        {ALLOCATE, RELAXED, NON_BLOCKING, 0},       {ALLOCATE_RELAXED, GLOBAL, NON_BLOCKING, 0},
        {WAIT, RELAXED, NON_BLOCKING, 900},         {WAIT_OTHER, GLOBAL, NON_BLOCKING, 900},
        {WAIT_OTHER, RELAXED, NON_BLOCKING, 0},     {WAIT_FOR_ALL, RELAXED, NON_BLOCKING, 900},
        {QUERY_WITHIN, RELAXED, NON_BLOCKING, 907}, {SET_AT_0, GLOBAL, NON_BLOCKING, 0},
        {SET_AT_0, GLOBAL, 0, 906},
    };
    void *captured, *other, *event, *graph;
    (void)state;
    assert_int_equal(cudaStreamCreateWithFlags(&other, NON_BLOCKING) + cudaEventCreate(&event), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = -1;
        assert_int_equal(cudaStreamCreateWithFlags(&captured, cases[i].flags), 0);
        assert_int_equal(cudaStreamBeginCapture(captured, cases[i].mode), 0);
        assert_int_equal(cudaEventRecord(event, captured), 0);
        if (call_while(cases[i].call, captured, other, event) != cases[i].error) {
            fail_msg("case %zu", i);
        }
        assert_int_equal(cudaStreamIsCapturing(captured, &status), 0);
        assert_int_equal(status, cases[i].error != 0 ? 2 : 1);
        assert_int_equal(cudaStreamEndCapture(captured, &graph), cases[i].error != 0 ? 901 : 0);
        assert_int_equal(graph != NULL, cases[i].error == 0);
        assert_int_equal(cudaGetLastError(), cases[i].error != 0 ? 901 : 0);
        assert_int_equal(cudaGraphDestroy(graph) + cudaStreamDestroy(captured), 0);
    }
    assert_int_equal(cudaEventDestroy(event) + cudaStreamDestroy(other), 0);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* The kernel is there before what it comes after; the graph is a part of another. */
static void edges_order_nodes(void **state)
{
    uint32_t *p, n = 3, n_calls = 0;
    size_t n_nodes = 0;
    void *graph, *outer, *exec, *kernel, *fill, *call, *child;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&p, 128), 0);
    struct launch launch = {&step, one, warp, 0, (void *[]){&p, &n}, NULL};
    struct fill sevens = {p, 128, 7, 4, 32, 1};
    struct host_call counts = {count, &n_calls};
    assert_int_equal(cudaGraphCreate(&graph, 0), 0);
    assert_int_equal(cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &launch), 0);
    assert_int_equal(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &sevens), 0);
    assert_int_equal(cudaGraphAddDependencies(graph, &fill, &kernel, NULL, 1), 0);
    assert_int_equal(cudaGraphAddHostNode(&call, graph, &kernel, 1, &counts), 0);
    assert_int_equal(cudaGraphGetNodes(graph, NULL, &n_nodes), 0);
    assert_int_equal(n_nodes, 3);
    void *from[3], *to[3];
    size_t n_edges = 3;
    assert_int_equal(cudaGraphGetEdges(graph, from, to, NULL, &n_edges), 0);
    assert_int_equal(n_edges, 2);
    assert_true(from[0] == fill && to[0] == kernel && from[1] == kernel && to[1] == call);
    assert_true(from[2] == NULL && to[2] == NULL);
    assert_int_equal(cudaGraphCreate(&outer, 0), 0);
    assert_int_equal(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph), 0);
    assert_int_equal(cudaGraphInstantiate(&exec, outer, 0), 0);
    assert_int_equal(cudaGraphLaunch(exec, NULL), 0);
    expect_elements(p, 1, 7 * 3);
    assert_int_equal(n_calls, 1);
    assert_int_equal(cudaGraphExecDestroy(exec) + cudaGraphDestroy(outer), 0);
    assert_int_equal(cudaGraphAddDependencies(graph, &call, &fill, NULL, 1), 0); /* a circle */
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
    assert_int_equal(cudaGraphLaunch(exec, NULL), 1);
    assert_int_equal(cudaGetLastError(), 1);
    assert_int_equal(cudaGraphExecDestroy(exec) + cudaGraphDestroy(graph), 0);
}

static void launched_graphs_change(void **state)
{
    uint32_t *p, n = 3;
    void *graph, *other, *exec, *kernel, *fill;
    struct update update;
    (void)state;
    assert_int_equal(cudaMalloc((void **)&p, 128), 0);
    struct launch launch = {&step, one, warp, 0, (void *[]){&p, &n}, NULL};
    struct fill ones = {p, 128, 1, 4, 32, 1};
    assert_int_equal(cudaGraphCreate(&graph, 0), 0);
    assert_int_equal(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &ones), 0);
    assert_int_equal(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch), 0);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
    n = 5;
    assert_int_equal(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch), 0);
    assert_int_equal(cudaGraphLaunch(exec, NULL), 0);
    expect_elements(p, 1, 5);
    assert_int_equal(cudaGraphExecKernelNodeSetParams(exec, fill, &launch), 1);
    assert_int_equal(cudaGraphExecUpdate(exec, graph, &update), 0); /* n is 3 again */
    assert_int_equal(cudaGraphLaunch(exec, NULL), 0);
    expect_elements(p, 1, 3);
    assert_int_equal(cudaGraphCreate(&other, 0), 0);
    assert_int_equal(cudaGraphExecUpdate(exec, other, &update), 910);
    assert_int_equal(update.result, 2);
    assert_int_equal(cudaGetLastError(), 910);
    assert_int_equal(cudaGraphExecDestroy(exec) + cudaGraphDestroy(graph) + cudaGraphDestroy(other),
                     0);
}

/* ---- kernels and pointers -------------------------------------------------------------------- */

static void kernels_say_what_they_take(void **state)
{
    struct attributes attributes;
    int n = 0;
    (void)state;
    assert_int_equal(cudaFuncGetAttributes(&attributes, &step), 0);
    assert_int_equal(attributes.shared_bytes, 400);
    assert_int_equal(attributes.local_bytes, 96);
    assert_int_equal(attributes.max_threads, 1024);
    assert_int_equal(cudaFuncGetAttributes(&attributes, &one), 400);
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &step, 96, 0), 0);
    assert_int_equal(n, 21); /* 2048 threads / 96 */
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &step, 96, 32768), 0);
    assert_int_equal(n, 6); /* 228 KiB / (32 KiB + 400 + 1024) */
    assert_int_equal(cudaGetLastError(), 400);
}

static void pointers_say_whose_they_are(void **state)
{
    static uint32_t host[32];
    uint32_t *managed, *p = host, n = 2;
    struct pointer attributes;
    (void)state;
    assert_int_equal(cudaMallocManaged((void **)&managed, 128, 1), 0);
    assert_int_equal(cudaPointerGetAttributes(&attributes, managed + 5), 0);
    assert_int_equal(attributes.type, 3);
    assert_int_equal(cudaPointerGetAttributes(&attributes, host), 0);
    assert_int_equal(attributes.type, 0);
    assert_int_equal(cudaHostRegister(host, sizeof host, 0), 0);
    assert_int_equal(cudaHostRegister(host, sizeof host, 0), 712);
    assert_int_equal(cudaPointerGetAttributes(&attributes, host), 0);
    assert_int_equal(attributes.type, 1);
    assert_int_equal(cudaLaunchKernel(&step, one, warp, (void *[]){&p, &n}, 0, NULL), 0);
    expect_elements(host, 1, 0);
    assert_int_equal(cudaHostUnregister(host), 0);
    assert_int_equal(cudaHostUnregister(host), 713);
    assert_int_equal(cudaHostRegister(host, sizeof host, 0), 0);
    assert_int_equal(cudaGetLastError(), 713);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_calls_are_done_later),
        cmocka_unit_test(streams_that_part_meet_again),
        cmocka_unit_test(captures_forbid_what_may_wait),
        cmocka_unit_test(edges_order_nodes),
        cmocka_unit_test(launched_graphs_change),
        cmocka_unit_test(kernels_say_what_they_take),
        cmocka_unit_test(pointers_say_whose_they_are),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
