// captures.cu - what calls return while a stream is captured, and what becomes of the capture: a line for each call,
// in it a group for each mode of the capture (global, the thread's, relaxed), by the thread that captures and by
// another one. A group: what the call returned; then the stream's status, what a launch into it, and the capture's
// end returned, and how many nodes the graph has (-: none came of it).
//
// captures.out is what an H200 printed (driver 580.159.04, CUDA 13.0.88, 2026-11-23):
//     nvcc -std=c++17 -arch=sm_90 -cudart static -o captures captures.cu && ./captures 2>/dev/null
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

enum { N = 64, BYTES = N * sizeof(int) };
enum { TO = cudaMemcpyHostToDevice, BACK = cudaMemcpyDeviceToHost, ON = cudaMemcpyDeviceToDevice };

__device__ int variable[N];

__global__ void plain(int *a)
{
    a[threadIdx.x] += 1;
}

// What there is in each case: the captured stream, two others, events that were recorded before and in the
// capture, memory, a graph that can be launched.
static cudaStream_t s, t, u;
static cudaEvent_t before, later, within;
static int *a, *b, *pinned, host[N], more[4096];
static void *made;
static cudaGraph_t graph;
static cudaGraphExec_t exec;

static int launch(cudaStream_t stream)
{
    plain<<<1, N, 0, stream>>>(a);
    return cudaGetLastError();
}

static void call_back(cudaStream_t, cudaError_t, void *)
{
}

static void function(void *)
{
}

static int together(cudaStream_t stream)
{
    void *arguments[] = {&a};
    return cudaLaunchCooperativeKernel((const void *)plain, dim3(1), dim3(N), arguments, 0, stream);
}

static int attributes()
{
    cudaFuncAttributes all;
    return cudaFuncGetAttributes(&all, (const void *)plain);
}

static int pointer()
{
    cudaPointerAttributes all;
    return cudaPointerGetAttributes(&all, a);
}

static int time_of(cudaEvent_t from, cudaEvent_t to)
{
    float ms;
    return cudaEventElapsedTime(&ms, from, to);
}

static int new_stream(unsigned flags)
{
    cudaStream_t one;
    return cudaStreamCreateWithFlags(&one, flags);
}

static int new_event()
{
    cudaEvent_t one;
    return cudaEventCreate(&one);
}

static int new_graph()
{
    cudaGraph_t one;
    return cudaGraphCreate(&one, 0);
}

static int instantiate()
{
    cudaGraphExec_t one;
    return cudaGraphInstantiate(&one, graph, 0);
}

static int array()
{
    cudaChannelFormatDesc form = cudaCreateChannelDesc<float>();
    cudaArray_t one;
    return cudaMallocArray(&one, &form, 16, 16);
}

static int pitched()
{
    size_t pitch;
    return cudaMallocPitch(&made, &pitch, 100, 4);
}

static int size_of_free()
{
    size_t all, some;
    return cudaMemGetInfo(&some, &all);
}

static int symbol()
{
    return cudaGetSymbolAddress(&made, variable);
}

static int blocks()
{
    int n;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, plain, N, 0);
}

static int number()
{
    int n;
    return cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0);
}

static int properties()
{
    cudaDeviceProp all;
    return cudaGetDeviceProperties(&all, 0);
}

static int limit()
{
    size_t n;
    return cudaDeviceGetLimit(&n, cudaLimitMallocHeapSize);
}

static int flags_of()
{
    unsigned flags;
    return cudaStreamGetFlags(s, &flags);
}

static int end_of(cudaStream_t stream)
{
    cudaGraph_t one;
    return cudaStreamEndCapture(stream, &one);
}

static int status_of(cudaStream_t stream)
{
    cudaStreamCaptureStatus status;
    int error = cudaStreamIsCapturing(stream, &status);
    return error != 0 ? error : (int)status;
}

static int relax_and(int (*call)())
{
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    int error = call();
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
}

static const struct {
    const char *name;
    int (*run)();
} calls[] = {
    {"nothing", [] { return 0; }},
    {"malloc", [] { return (int)cudaMalloc(&made, BYTES); }},
    {"malloc, relaxed", [] { return relax_and([] { return (int)cudaMalloc(&made, BYTES); }); }},
    {"malloc pitch", pitched},
    {"malloc array", array},
    {"malloc managed", [] { return (int)cudaMallocManaged(&made, BYTES); }},
    {"malloc host", [] { return (int)cudaMallocHost(&made, BYTES); }},
    {"host alloc", [] { return (int)cudaHostAlloc(&made, BYTES, 0); }},
    {"host register", [] { return (int)cudaHostRegister(more, sizeof more, 0); }},
    {"host unregister", [] { return (int)cudaHostUnregister(more); }},
    {"malloc async, captured", [] { return (int)cudaMallocAsync(&made, BYTES, s); }},
    {"malloc async, other", [] { return (int)cudaMallocAsync(&made, BYTES, t); }},
    {"malloc async, 0", [] { return (int)cudaMallocAsync(&made, BYTES, 0); }},
    {"free", [] { return (int)cudaFree(b); }},
    {"free nothing", [] { return (int)cudaFree(nullptr); }},
    {"free host", [] { return (int)cudaFreeHost(pinned); }},
    {"copy to", [] { return (int)cudaMemcpy(a, host, BYTES, (cudaMemcpyKind)TO); }},
    {"copy back", [] { return (int)cudaMemcpy(host, a, BYTES, (cudaMemcpyKind)BACK); }},
    {"copy on", [] { return (int)cudaMemcpy(a, b, BYTES, (cudaMemcpyKind)ON); }},
    {"copy at home", [] { return (int)cudaMemcpy(host, more, BYTES, cudaMemcpyHostToHost); }},
    {"copy nothing", [] { return (int)cudaMemcpy(a, host, 0, (cudaMemcpyKind)TO); }},
    {"copy 2d", [] { return (int)cudaMemcpy2D(a, 16, host, 16, 16, 4, (cudaMemcpyKind)TO); }},
    {"copy to symbol", [] { return (int)cudaMemcpyToSymbol(variable, host, BYTES); }},
    {"copy from symbol", [] { return (int)cudaMemcpyFromSymbol(host, variable, BYTES); }},
    {"copy async, captured", [] { return (int)cudaMemcpyAsync(a, host, BYTES, (cudaMemcpyKind)TO, s); }},
    {"copy async, other", [] { return (int)cudaMemcpyAsync(a, host, BYTES, (cudaMemcpyKind)TO, t); }},
    {"copy async, blocking", [] { return (int)cudaMemcpyAsync(a, host, BYTES, (cudaMemcpyKind)TO, u); }},
    {"copy async, 0", [] { return (int)cudaMemcpyAsync(a, host, BYTES, (cudaMemcpyKind)TO, 0); }},
    {"symbol async, captured", [] { return (int)cudaMemcpyToSymbolAsync(variable, host, BYTES, 0, (cudaMemcpyKind)TO, s); }},
    {"set", [] { return (int)cudaMemset(a, 0, BYTES); }},
    {"set 2d", [] { return (int)cudaMemset2D(a, 16, 0, 16, 4); }},
    {"set async, captured", [] { return (int)cudaMemsetAsync(a, 0, BYTES, s); }},
    {"set async, other", [] { return (int)cudaMemsetAsync(a, 0, BYTES, t); }},
    {"set async, 0", [] { return (int)cudaMemsetAsync(a, 0, BYTES, 0); }},
    {"wait for all", [] { return (int)cudaDeviceSynchronize(); }},
    {"wait, captured", [] { return (int)cudaStreamSynchronize(s); }},
    {"wait, other", [] { return (int)cudaStreamSynchronize(t); }},
    {"wait, blocking", [] { return (int)cudaStreamSynchronize(u); }},
    {"wait, 0", [] { return (int)cudaStreamSynchronize(0); }},
    {"query, captured", [] { return (int)cudaStreamQuery(s); }},
    {"query, other", [] { return (int)cudaStreamQuery(t); }},
    {"query, 0", [] { return (int)cudaStreamQuery(0); }},
    {"launch, other", [] { return launch(t); }},
    {"launch, blocking", [] { return launch(u); }},
    {"launch, 0", [] { return launch(0); }},
    {"launch of 1025", [] { plain<<<1, 1025, 0, s>>>(a); return (int)cudaGetLastError(); }},
    {"together, captured", [] { return together(s); }},
    {"together, other", [] { return together(t); }},
    {"function, captured", [] { return (int)cudaLaunchHostFunc(s, function, nullptr); }},
    {"function, other", [] { return (int)cudaLaunchHostFunc(t, function, nullptr); }},
    {"function, 0", [] { return (int)cudaLaunchHostFunc(0, function, nullptr); }},
    {"call back, captured", [] { return (int)cudaStreamAddCallback(s, call_back, nullptr, 0); }},
    {"call back, other", [] { return (int)cudaStreamAddCallback(t, call_back, nullptr, 0); }},
    {"event", new_event},
    {"event destroyed", [] { return (int)cudaEventDestroy(later); }},
    {"event destroyed, within", [] { return (int)cudaEventDestroy(within); }},
    {"record, captured", [] { return (int)cudaEventRecord(later, s); }},
    {"record, other", [] { return (int)cudaEventRecord(later, t); }},
    {"record, 0", [] { return (int)cudaEventRecord(later, 0); }},
    {"event query", [] { return (int)cudaEventQuery(before); }},
    {"event query, within", [] { return (int)cudaEventQuery(within); }},
    {"event wait", [] { return (int)cudaEventSynchronize(before); }},
    {"event wait, within", [] { return (int)cudaEventSynchronize(within); }},
    {"time", [] { return time_of(before, later); }},
    {"time, within", [] { return time_of(before, within); }},
    {"captured waits for event", [] { return (int)cudaStreamWaitEvent(s, before, 0); }},
    {"captured waits for its event", [] { return (int)cudaStreamWaitEvent(s, within, 0); }},
    {"other waits for event", [] { return (int)cudaStreamWaitEvent(t, before, 0); }},
    {"other joins", [] { return (int)cudaStreamWaitEvent(t, within, 0); }},
    {"0 joins", [] { return (int)cudaStreamWaitEvent(0, within, 0); }},
    {"other joins, comes back", [] {
         int error = cudaStreamWaitEvent(t, within, 0);
         error = error != 0 ? error : launch(t);
         error = error != 0 ? error : (int)cudaEventRecord(later, t);
         return error != 0 ? error : (int)cudaStreamWaitEvent(s, later, 0);
     }},
    {"stream", [] { return new_stream(0); }},
    {"stream, non-blocking", [] { return new_stream(cudaStreamNonBlocking); }},
    {"stream destroyed", [] { cudaStream_t one = u; u = nullptr; return (int)cudaStreamDestroy(one); }},
    {"graph", new_graph},
    {"instantiate", instantiate},
    {"upload, other", [] { return (int)cudaGraphUpload(exec, t); }},
    {"graph launched, captured", [] { return (int)cudaGraphLaunch(exec, s); }},
    {"graph launched, other", [] { return (int)cudaGraphLaunch(exec, t); }},
    {"graph launched, 0", [] { return (int)cudaGraphLaunch(exec, 0); }},
    {"graph destroyed", [] { cudaGraphExec_t one = exec; exec = nullptr; return (int)cudaGraphExecDestroy(one); }},
    {"begin again", [] { return (int)cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }},
    {"begin other, end it", [] {
         int error = cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
         return error != 0 ? error : end_of(t);
     }},
    {"begin other", [] { return (int)cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed); }},
    {"begin 0", [] { return (int)cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed); }},
    {"end", [] { return end_of(s); }},
    {"end other", [] { return end_of(t); }},
    {"status, other", [] { return status_of(t); }},
    {"status, 0", [] { return status_of(0); }},
    {"flags", flags_of},
    {"device set", [] { return (int)cudaSetDevice(0); }},
    {"device properties", properties},
    {"device attribute", number},
    {"device limit", limit},
    {"device limit set", [] { return (int)cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24); }},
    {"memory", size_of_free},
    {"kernel attributes", attributes},
    {"kernel attribute set", [] { return (int)cudaFuncSetAttribute((const void *)plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50); }},
    {"kernel cache", [] { return (int)cudaFuncSetCacheConfig((const void *)plain, cudaFuncCachePreferL1); }},
    {"occupancy", blocks},
    {"pointer", pointer},
    {"symbol", symbol},
    {"last error", [] { return (int)cudaGetLastError(); }},
};

static void prepare()
{
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaStreamCreate(&u);
    cudaEventCreate(&before);
    cudaEventCreate(&later);
    cudaEventCreate(&within);
    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMemset(a, 0, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaHostUnregister(more);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    launch(s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaEventRecord(before, 0);
    cudaEventRecord(later, 0);
    cudaDeviceSynchronize();
    cudaGetLastError();
}

static void clean()
{
    cudaGraph_t one;
    cudaStreamEndCapture(t, &one);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    if (u != nullptr) {
        cudaStreamDestroy(u);
    }
    cudaEventDestroy(before);
    if (exec != nullptr) {
        cudaGraphExecDestroy(exec);
    }
    cudaGraphDestroy(graph);
    cudaDeviceSynchronize();
    cudaGetLastError();
}

static void run(int (*call)(), int mode, bool is_other)
{
    int error = 0;
    prepare();
    if (cudaStreamBeginCapture(s, (cudaStreamCaptureMode)mode) != 0 || launch(s) != 0 || cudaEventRecord(within, s) != 0) {
        printf("no capture\n");
        exit(1);
    }
    if (is_other) {
        std::thread([&] { error = call(); cudaGetLastError(); }).join();
    } else {
        error = call();
    }
    cudaGetLastError();
    int status = status_of(s), launched = launch(s);
    cudaGraph_t one = nullptr;
    int ended = cudaStreamEndCapture(s, &one);
    size_t n = 0;
    if (one != nullptr) {
        cudaGraphGetNodes(one, nullptr, &n);
        cudaGraphDestroy(one);
    }
    printf("%s %d %d %d %d ", mode == 0 && !is_other ? ":" : " |", error, status, launched, ended);
    printf(one != nullptr ? "%d" : "-", (int)n);
    clean();
}

int main()
{
    prepare();
    launch(0);
    together(0);
    clean();
    for (const auto &call : calls) {
        printf("%s", call.name);
        for (int k = 0; k < 6; k++) {
            run(call.run, k / 2, k % 2 != 0);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
