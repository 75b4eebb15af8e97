// codes.cu - what calls return when a program is wrong: a line for each case, each in a process of its own, since
// what a kernel does wrong stays with its process.
//
// codes.h200 is what an H200 printed (driver 580.159.04, CUDA 13.0.88, 2026-11-22):
//     nvcc -std=c++17 -arch=sm_90 -cudart static -o codes codes.cu && ./codes 2>/dev/null
// (launched() then launched another kernel where it now launches empty). codes.apart says where banksim differs.
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

struct test {
    const char *name;
    void (*run)();
};

static void say(int code)
{
    printf(" %d", code);
    fflush(stdout);
}

enum { N = 64, BYTES = N * sizeof(int) };

// ---- kernels -----------------------------------------------------------------------------------

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int variable[4] = {1, 2, 3, 4};

__global__ void empty()
{
}
__global__ void plain(int *a)
{
    a[threadIdx.x] = threadIdx.x + table[0];
}
__global__ void write_at(int *a, long at)
{
    *(int *)((char *)a + at) = 1;
}
__global__ void trap()
{
    asm volatile("trap;");
}
__global__ void fail(int a)
{
    assert(a == 1);
}
__global__ void write_shared(unsigned at)
{
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    *(volatile int *)((char *)s + at) = 1;
}
__device__ __noinline__ int deep(int n, int *a)
{
    volatile int kept[16];
    kept[n & 15] = n;
    return n == 0 ? 0 : deep(n - 1, a) + kept[n & 15] + a[n & 3];
}
__global__ void recurse(int *a, int n)
{
    *a = deep(n, a);
}
__global__ void dynamic(int *a)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    a[threadIdx.x] = s[threadIdx.x];
}
__global__ void meet(int *a)
{
    cooperative_groups::this_grid().sync();
    a[0] = 1;
}
__global__ void __launch_bounds__(128) bounded(int *a)
{
    a[threadIdx.x] = 1;
}

static int *array()
{
    int *a;
    say(cudaMalloc(&a, BYTES));
    return a;
}

// What calls return behind a launch, and whether a reset mends it.
static void launched()
{
    static int h[N];
    int *a = nullptr;
    cudaEvent_t event;
    say(cudaPeekAtLastError());
    say(cudaDeviceSynchronize());
    say(cudaGetLastError());
    say(cudaGetLastError());
    say(cudaMalloc(&a, BYTES));
    say(cudaMemcpy(h, variable, 0, cudaMemcpyDeviceToHost));
    say(cudaMemcpy(h, a, BYTES, cudaMemcpyDeviceToHost));
    say(cudaMemset(a, 0, BYTES));
    say(cudaEventCreate(&event));
    say(cudaStreamSynchronize(0));
    say(cudaFree(a));
    empty<<<1, 1>>>();
    say(cudaGetLastError());
    say(cudaGetDevice(h));
    say(cudaDeviceReset());
    say(cudaGetLastError());
    say(cudaMalloc(&a, BYTES));
    plain<<<1, N>>>(a);
    say(cudaGetLastError());
    say(cudaDeviceSynchronize());
}

static test kernels[] = {
    {"nothing wrong",
     [] {
         plain<<<1, N>>>(array());
         launched();
     }},
    {"trap",
     [] {
         trap<<<1, 1>>>();
         launched();
     }},
    {"assert",
     [] {
         fail<<<1, 1>>>(0);
         launched();
     }},
    {"global misaligned",
     [] {
         write_at<<<1, 1>>>(array(), 2);
         launched();
     }},
    {"global at null",
     [] {
         write_at<<<1, 1>>>(nullptr, 0);
         launched();
     }},
    {"global right behind",
     [] {
         write_at<<<1, 1>>>(array(), BYTES);
         launched();
     }},
    {"global freed",
     [] {
         int *a = array();
         say(cudaFree(a));
         write_at<<<1, 1>>>(a, 0);
         launched();
     }},
    {"host's",
     [] {
         write_at<<<1, 1>>>((int *)malloc(BYTES), 0);
         launched();
     }},
    {"shared misaligned",
     [] {
         write_shared<<<1, 1>>>(2);
         launched();
     }},
    {"shared far off",
     [] {
         write_shared<<<1, 1>>>(1u << 20);
         launched();
     }},
    {"shared right behind",
     [] {
         write_shared<<<1, 1>>>(128);
         launched();
     }},
    {"stack",
     [] {
         recurse<<<1, 1>>>(array(), 100000);
         launched();
     }},
};

// ---- launches ----------------------------------------------------------------------------------

// A refused launch is told once, and the next one is none the worse.
static void refused()
{
    say(cudaPeekAtLastError());
    say(cudaDeviceSynchronize());
    say(cudaGetLastError());
    say(cudaGetLastError());
    plain<<<1, N>>>(array());
    say(cudaGetLastError());
    say(cudaDeviceSynchronize());
}

static int together(int blocks, size_t dynamic_bytes = 0)
{
    int *a = array();
    void *arguments[] = {&a};
    return cudaLaunchCooperativeKernel((const void *)meet, blocks, 256, arguments, dynamic_bytes);
}

static test launches[] = {
    {"1025 threads",
     [] {
         plain<<<1, 1025>>>(nullptr);
         refused();
     }},
    {"no thread",
     [] {
         plain<<<1, 0>>>(nullptr);
         refused();
     }},
    {"no block",
     [] {
         plain<<<0, 1>>>(nullptr);
         refused();
     }},
    {"65 threads deep",
     [] {
         plain<<<1, dim3(1, 1, 65)>>>(nullptr);
         refused();
     }},
    {"65536 blocks high",
     [] {
         plain<<<dim3(1, 65536), 1>>>(nullptr);
         refused();
     }},
    {"2^31 blocks",
     [] {
         plain<<<1u << 31, 1>>>(nullptr);
         refused();
     }},
    {"more than launch bounds",
     [] {
         bounded<<<1, 256>>>(array());
         refused();
     }},
    {"48 KiB and a byte",
     [] {
         dynamic<<<1, 32, 49153>>>(array());
         refused();
     }},
    {"300 KB",
     [] {
         dynamic<<<1, 32, 300000>>>(array());
         refused();
     }},
    {"64 KiB asked for",
     [] {
         say(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
         dynamic<<<1, 32, 65536>>>(array());
         refused();
     }},
    {"228 KiB asked for",
     [] {
         say(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  228 * 1024));
         refused();
     }},
    {"-1 byte asked for",
     [] {
         say(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
         refused();
     }},
    {"unknown attribute",
     [] {
         say(cudaFuncSetAttribute(dynamic, (cudaFuncAttribute)99, 1));
         refused();
     }},
    {"carveout of 101",
     [] {
         say(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
         refused();
     }},
    {"no kernel",
     [] {
         void *arguments[] = {nullptr};
         say(cudaLaunchKernel((const void *)&refused, 1, 1, arguments, 0, 0));
         refused();
     }},
    {"no kernel's attributes",
     [] {
         cudaFuncAttributes attributes;
         say(cudaFuncGetAttributes(&attributes, (const void *)&refused));
         refused();
     }},
    {"together",
     [] {
         say(together(132 * 8));
         refused();
     }},
    {"too many together",
     [] {
         say(together(132 * 8 + 1));
         refused();
     }},
    {"too many bytes together",
     [] {
         say(together(132, 65536));
         refused();
     }},
    {"together without saying so",
     [] {
         meet<<<2, 32>>>(array());
         launched();
     }},
    {"occupancy",
     [] {
         int n = -1;
         for (int threads : {0, -1, 1, 32, 96, 1024, 1025}) {
             n = -1;
             say(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, plain, threads, 0));
             say(n);
         }
         for (size_t bytes : {1024, 49152, 49153, 300000}) {
             n = -1;
             say(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, dynamic, 64, bytes));
             say(n);
         }
     }},
    {"best block",
     [] {
         int grid = -1, block = -1;
         say(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
         say(grid), say(block);
         say(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
         say(grid), say(block);
         say(cudaOccupancyMaxPotentialBlockSize(&grid, &block, dynamic, 40000, 0));
         say(grid), say(block);
     }},
};

// ---- memory ------------------------------------------------------------------------------------

static int host[1 << 20];

static void copied(int *to, const int *from, size_t size, cudaMemcpyKind kind)
{
    say(cudaMemcpy(to, from, size, kind));
    say(cudaPeekAtLastError());
    say(cudaGetLastError());
    say(cudaGetLastError());
}

static int *freed()
{
    int *a = array();
    say(cudaFree(a));
    return a;
}

#define H2D cudaMemcpyHostToDevice
#define D2H cudaMemcpyDeviceToHost
#define D2D cudaMemcpyDeviceToDevice
#define H2H cudaMemcpyHostToHost

static int *pinned()
{
    int *a;
    say(cudaMallocHost(&a, BYTES));
    return a;
}

static int *managed()
{
    int *a;
    say(cudaMallocManaged(&a, BYTES));
    return a;
}

static void reset_with(int *a)
{
    say(cudaDeviceReset()), say(cudaMemset(a, 0, BYTES)), say(cudaFree(a)), say(cudaGetLastError());
}

static void attributes(const void *p)
{
    cudaPointerAttributes its = {};
    say(cudaPointerGetAttributes(&its, p));
    say(its.type), say(its.device), say(its.devicePointer == p), say(its.hostPointer == p);
}

static test memory[] = {
    {"copy to the end", [] { copied(array(), host, BYTES, H2D); }},
    {"copy 1 byte beyond", [] { copied(array(), host, BYTES + 1, H2D); }},
    {"copy 512 bytes beyond", [] { copied(array(), host, BYTES + 512, H2D); }},
    {"copy 4 MiB", [] { copied(array(), host, sizeof host, H2D); }},
    {"copy back 1 byte beyond", [] { copied(host, array(), BYTES + 1, D2H); }},
    {"copy back 4 MiB", [] { copied(host, array(), sizeof host, D2H); }},
    {"copy within 1 byte beyond", [] { copied(array(), array(), BYTES + 1, D2D); }},
    {"copy from before", [] { copied(host, array() - 1, 4, D2H); }},
    {"copy to far off", [] { copied(array() + (1l << 38), host, 4, H2D); }},
    {"copy to freed", [] { copied(freed(), host, BYTES, H2D); }},
    {"copy from freed", [] { copied(host, freed(), BYTES, D2H); }},
    {"copy to null", [] { copied(nullptr, host, BYTES, H2D); }},
    {"copy from null", [] { copied(array(), nullptr, BYTES, H2D); }},
    {"copy nothing to null", [] { copied(nullptr, host, 0, H2D); }},
    {"copy nothing to freed", [] { copied(freed(), host, 0, H2D); }},
    {"copy in no direction", [] { copied(array(), host, BYTES, (cudaMemcpyKind)7); }},
    {"copy as default", [] { copied(array(), host, BYTES, cudaMemcpyDefault); }},
    {"copy as default beyond", [] { copied(array(), host, BYTES + 1, cudaMemcpyDefault); }},
    {"copy back from the host", [] { copied(host, host + N, BYTES, D2H); }},
    {"copy back to the device", [] { copied(array(), array(), BYTES, D2H); }},
    {"copy to the device from it", [] { copied(array(), array(), BYTES, H2D); }},
    {"copy to the host as the device", [] { copied(host, array(), BYTES, H2D); }},
    {"copy to the device as back", [] { copied(array(), host, BYTES, D2H); }},
    {"copy within from the host", [] { copied(array(), host, BYTES, D2D); }},
    {"copy at the host of the device", [] { copied(array(), array(), BYTES, H2H); }},
    {"copy at the host to the device", [] { copied(array(), host, BYTES, H2H); }},
    {"copy pinned as the device's", [] { copied(array(), pinned(), BYTES, D2D); }},
    {"copy pinned beyond", [] { copied(array(), pinned(), BYTES + 1, H2D); }},
    {"copy managed back", [] { copied(host, managed(), BYTES, D2H); }},
    {"copy managed to device", [] { copied(array(), managed(), BYTES, H2D); }},
    {"copy managed beyond", [] { copied(managed(), host, BYTES + 1, H2D); }},
    {"copy async beyond",
     [] { say(cudaMemcpyAsync(array(), host, BYTES + 1, H2D, 0)), say(cudaDeviceSynchronize()); }},
    {"copy async to freed",
     [] { say(cudaMemcpyAsync(freed(), host, BYTES, H2D, 0)), say(cudaDeviceSynchronize()); }},
    {"copy of variable unnamed", [] { copied(host, variable, 16, D2H); }},
    {"copy to device 1",
     [] { say(cudaMemcpyPeer(array(), 1, array(), 0, BYTES)), say(cudaGetLastError()); }},
    {"copy to device 0",
     [] { say(cudaMemcpyPeer(array(), 0, array(), 0, BYTES)), say(cudaGetLastError()); }},
    {"copy to device 0 beyond",
     [] { say(cudaMemcpyPeer(array(), 0, array(), 0, BYTES + 1)), say(cudaGetLastError()); }},
    {"set 1 byte beyond", [] { say(cudaMemset(array(), 0, BYTES + 1)), say(cudaGetLastError()); }},
    {"set 4 MiB", [] { say(cudaMemset(array(), 0, 4 << 20)), say(cudaGetLastError()); }},
    {"set freed", [] { say(cudaMemset(freed(), 0, BYTES)), say(cudaGetLastError()); }},
    {"set null", [] { say(cudaMemset(nullptr, 0, BYTES)), say(cudaGetLastError()); }},
    {"set nothing at null", [] { say(cudaMemset(nullptr, 0, 0)), say(cudaGetLastError()); }},
    {"set the host's", [] { say(cudaMemset(host, 0, BYTES)), say(cudaGetLastError()); }},
    {"set pinned", [] { say(cudaMemset(pinned(), 0, BYTES)), say(cudaGetLastError()); }},
    {"set managed", [] { say(cudaMemset(managed(), 0, BYTES)), say(cudaGetLastError()); }},
    {"2D", [] { say(cudaMemcpy2D(array(), 32, host, 64, 32, 8, H2D)); }},
    {"2D last row short", [] { say(cudaMemcpy2D(array(), 60, host, 60, 16, 5, H2D)); }},
    {"2D wider than to",
     [] { say(cudaMemcpy2D(array(), 16, host, 64, 32, 8, H2D)), say(cudaGetLastError()); }},
    {"2D wider than from",
     [] { say(cudaMemcpy2D(array(), 32, host, 16, 32, 8, H2D)), say(cudaGetLastError()); }},
    {"2D a row beyond",
     [] { say(cudaMemcpy2D(array(), 32, host, 32, 32, 9, H2D)), say(cudaGetLastError()); }},
    {"2D a byte beyond",
     [] { say(cudaMemcpy2D(array() + 1, 32, host, 32, 32, 8, H2D)), say(cudaGetLastError()); }},
    {"2D far beyond",
     [] {
         say(cudaMemcpy2D(array(), 1024, host, 1024, 1024, 4096, H2D)), say(cudaGetLastError());
     }},
    {"2D nothing",
     [] { say(cudaMemcpy2D(nullptr, 32, nullptr, 32, 0, 9, H2D)), say(cudaGetLastError()); }},
    {"2D set wider than pitch",
     [] { say(cudaMemset2D(array(), 16, 0, 32, 8)), say(cudaGetLastError()); }},
    {"2D set a row beyond",
     [] { say(cudaMemset2D(array(), 32, 0, 32, 9)), say(cudaGetLastError()); }},
    {"3D",
     [] {
         cudaPitchedPtr p;
         say(cudaMalloc3D(&p, make_cudaExtent(64, 8, 4)));
         say((int)p.pitch), say((int)p.xsize), say((int)p.ysize);
         say(cudaMemset3D(p, 0, make_cudaExtent(64, 8, 4)));
         say(cudaMemset3D(p, 0, make_cudaExtent(64, 8, 5)));
         say(cudaMemset3D(p, 0, make_cudaExtent(64, 9, 4)));
         say(cudaMemset3D(p, 0, make_cudaExtent(p.pitch + 1, 8, 4)));
         say(cudaGetLastError());
         cudaMemcpy3DParms copy = {};
         copy.srcPtr = make_cudaPitchedPtr(host, 64, 64, 8);
         copy.dstPtr = p;
         copy.kind = H2D;
         copy.extent = make_cudaExtent(64, 8, 4);
         say(cudaMemcpy3D(&copy));
         copy.extent = make_cudaExtent(64, 8, 5);
         say(cudaMemcpy3D(&copy));
         copy.extent = make_cudaExtent(64, 9, 4);
         say(cudaMemcpy3D(&copy));
         copy.extent = make_cudaExtent(65, 8, 4);
         say(cudaMemcpy3D(&copy));
         say(cudaGetLastError());
     }},
    {"symbol",
     [] {
         say(cudaMemcpyToSymbol(table, host, 16)), say(cudaMemcpyFromSymbol(host, variable, 16));
     }},
    {"symbol 1 byte beyond",
     [] {
         say(cudaMemcpyToSymbol(table, host, 17)), say(cudaMemcpyFromSymbol(host, variable, 17)),
             say(cudaGetLastError());
     }},
    {"symbol from beyond",
     [] {
         say(cudaMemcpyToSymbol(table, host, 4, 16)),
             say(cudaMemcpyFromSymbol(host, variable, 4, 13)), say(cudaGetLastError());
     }},
    {"symbol that is none",
     [] { say(cudaMemcpyToSymbol(host, host, 4)), say(cudaGetLastError()); }},
    {"symbol in the wrong direction",
     [] {
         say(cudaMemcpyToSymbol(table, host, 4, 0, D2H)),
             say(cudaMemcpyFromSymbol(host, variable, 4, 0, H2D)), say(cudaGetLastError());
     }},
    {"symbol from freed",
     [] { say(cudaMemcpyToSymbol(variable, freed(), 4, 0, D2D)), say(cudaGetLastError()); }},
    {"free twice",
     [] {
         int *a = freed();
         say(cudaFree(a)), say(cudaGetLastError());
     }},
    {"free the middle", [] { say(cudaFree(array() + 1)), say(cudaGetLastError()); }},
    {"free the host's", [] { say(cudaFree(host)), say(cudaGetLastError()); }},
    {"free null",
     [] { say(cudaFree(nullptr)), say(cudaFreeHost(nullptr)), say(cudaGetLastError()); }},
    {"free pinned", [] { say(cudaFree(pinned())), say(cudaGetLastError()); }},
    {"free device's as pinned", [] { say(cudaFreeHost(array())), say(cudaGetLastError()); }},
    {"free host's as pinned", [] { say(cudaFreeHost(host)), say(cudaGetLastError()); }},
    {"free pinned twice",
     [] {
         int *a = pinned();
         say(cudaFreeHost(a)), say(cudaFreeHost(a)), say(cudaGetLastError());
     }},
    {"free managed", [] { say(cudaFree(managed())); }},
    {"free async",
     [] {
         int *a;
         say(cudaMallocAsync(&a, BYTES, 0)), say(cudaFreeAsync(a, 0)), say(cudaFreeAsync(a, 0)),
             say(cudaGetLastError());
     }},
    {"free async what is not", [] { say(cudaFreeAsync(array(), 0)), say(cudaGetLastError()); }},
    {"allocate nothing",
     [] {
         int *a = host;
         say(cudaMalloc(&a, 0)), say(a == nullptr), say(cudaMallocHost(&a, 0)), say(a == nullptr);
     }},
    {"allocate managed nothing",
     [] {
         int *a = host;
         say(cudaMallocManaged(&a, 0)), say(cudaGetLastError());
     }},
    {"allocate managed wrongly",
     [] {
         int *a;
         say(cudaMallocManaged(&a, 4, 7)), say(cudaGetLastError());
     }},
    {"allocate too much",
     [] {
         int *a;
         say(cudaMalloc(&a, 1ul << 50)), say(cudaGetLastError()), say(cudaGetLastError()),
             say(cudaMalloc(&a, 4));
     }},
    {"allocate to null", [] { say(cudaMalloc((void **)nullptr, 4)), say(cudaGetLastError()); }},
    {"allocate by row",
     [] {
         int *a;
         size_t pitch = 0;
         say(cudaMallocPitch(&a, &pitch, 100, 4)), say((int)pitch),
             say(cudaMallocPitch(&a, &pitch, 513, 4)), say((int)pitch),
             say(cudaMallocPitch(&a, &pitch, 0, 4)), say(a == nullptr);
     }},
    {"register",
     [] {
         say(cudaHostRegister(host, 4096, 0)), say(cudaHostRegister(host, 4096, 0)),
             say(cudaGetLastError()), say(cudaHostUnregister(host)), say(cudaHostUnregister(host)),
             say(cudaGetLastError());
     }},
    {"register null",
     [] {
         say(cudaHostRegister(nullptr, 4096, 0)), say(cudaHostRegister(host, 0, 0)),
             say(cudaGetLastError());
     }},
    {"pinned at the device",
     [] {
         int *a = nullptr;
         say(cudaHostGetDevicePointer(&a, pinned(), 0)), say(a != nullptr),
             say(cudaHostGetDevicePointer(&a, host, 0)), say(cudaGetLastError());
     }},
    {"pointer of device", [] { attributes(array()); }},
    {"pointer into device", [] { attributes(array() + 3); }},
    {"pointer freed", [] { attributes(freed()); }},
    {"pointer of host", [] { attributes(host); }},
    {"pointer null", [] { attributes(nullptr); }},
    {"pointer pinned", [] { attributes(pinned()); }},
    {"pointer managed", [] { attributes(managed()); }},
    {"advise",
     [] {
         cudaMemLocation place = {};
         place.type = cudaMemLocationTypeDevice;
         say(cudaMemAdvise(managed(), BYTES, cudaMemAdviseSetReadMostly, place));
         say(cudaMemAdvise(array(), BYTES, cudaMemAdviseSetReadMostly, place));
         say(cudaMemPrefetchAsync(managed(), BYTES, place, 0));
         say(cudaMemPrefetchAsync(array(), BYTES, place, 0));
         say(cudaMemPrefetchAsync(managed(), 4 * BYTES, place, 0));
         say(cudaGetLastError());
     }},
    {"reset", [] { reset_with(array()); }},
    {"reset pinned",
     [] {
         int *a = pinned();
         say(cudaDeviceReset()), say(cudaFreeHost(a)), say(cudaGetLastError());
     }},
    {"reset managed", [] { reset_with(managed()); }},
    {"reset, then launch",
     [] {
         int *a = array();
         say(cudaDeviceReset());
         plain<<<1, N>>>(a);
         launched();
     }},
    {"reset of variables",
     [] {
         int h[4] = {9, 9, 9, 9};
         say(cudaMemcpyToSymbol(variable, h, 16)), say(cudaMemcpyToSymbol(table, h, 16));
         say(cudaDeviceReset());
         say(cudaMemcpyFromSymbol(h, variable, 16)), say(h[1]);
         say(cudaMemcpyFromSymbol(h, table, 16)), say(h[1]);
     }},
    {"reset of errors",
     [] { say(cudaMemset(nullptr, 0, 1)), say(cudaDeviceReset()), say(cudaGetLastError()); }},
};

// ---- devices, streams, events, graphs ----------------------------------------------------------

static cudaStream_t capturing()
{
    cudaStream_t stream;
    say(cudaStreamCreate(&stream));
    say(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    return stream;
}

static void end(cudaStream_t stream)
{
    cudaGraph_t graph = nullptr;
    say(cudaStreamEndCapture(stream, &graph));
    say(graph != nullptr);
    say(cudaGetLastError());
    say(cudaGetLastError());
}

static test others[] = {
    {"errors once",
     [] {
         say(cudaSetDevice(7)), say(cudaMemset(nullptr, 0, 1)), say(cudaDeviceSynchronize()),
             say(cudaPeekAtLastError()), say(cudaGetLastError()), say(cudaGetLastError());
     }},
    {"device 7",
     [] {
         cudaDeviceProp p;
         int n;
         say(cudaGetDeviceProperties(&p, 7)),
             say(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 7)), say(cudaSetDevice(-1)),
             say(cudaGetDevice(&n)), say(n);
     }},
    {"attribute 9999",
     [] {
         int n = 5;
         say(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0)), say(n);
     }},
    {"peers",
     [] {
         int n = 5;
         say(cudaDeviceCanAccessPeer(&n, 0, 0)), say(n), say(cudaDeviceCanAccessPeer(&n, 0, 1)),
             say(cudaDeviceEnablePeerAccess(0, 0)), say(cudaDeviceEnablePeerAccess(1, 0)),
             say(cudaDeviceDisablePeerAccess(0)), say(cudaGetLastError());
     }},
    {"limits",
     [] {
         size_t n = 0;
         for (int i = 0; i < 8; i++)
             say(cudaDeviceGetLimit(&n, (cudaLimit)i)), say((int)n);
         say(cudaDeviceSetLimit((cudaLimit)42, 1)),
             say(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30)), say(cudaGetLastError());
     }},
    {"limit odd",
     [] {
         size_t n = 0;
         say(cudaDeviceSetLimit(cudaLimitStackSize, 1000)),
             say(cudaDeviceGetLimit(&n, cudaLimitStackSize)), say((int)n),
             say(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000)),
             say(cudaDeviceGetLimit(&n, cudaLimitMallocHeapSize)), say((int)n);
     }},
    {"flags",
     [] {
         unsigned n = 99;
         say(cudaSetDeviceFlags(0x4000)), say(cudaSetDeviceFlags(cudaDeviceMapHost)),
             say(cudaGetDeviceFlags(&n)), say(n);
     }},
    {"time without a record",
     [] {
         cudaEvent_t a, b;
         float ms = -1;
         say(cudaEventCreate(&a)), say(cudaEventCreate(&b)), say(cudaEventElapsedTime(&ms, a, b)),
             say(cudaGetLastError()), say(cudaEventQuery(a)), say(cudaEventSynchronize(a)),
             say(cudaEventRecord(a)), say(cudaEventElapsedTime(&ms, a, b));
     }},
    {"time without timing",
     [] {
         cudaEvent_t a, b;
         float ms;
         say(cudaEventCreateWithFlags(&a, cudaEventDisableTiming)), say(cudaEventCreate(&b)),
             say(cudaEventRecord(a)), say(cudaEventRecord(b)), say(cudaDeviceSynchronize()),
             say(cudaEventElapsedTime(&ms, a, b)), say(cudaGetLastError());
     }},
    {"event's flags",
     [] {
         cudaEvent_t a;
         say(cudaEventCreateWithFlags(&a, 0x100)), say(cudaGetLastError());
     }},
    {"event null",
     [] {
         say(cudaEventRecord(nullptr)), say(cudaEventSynchronize(nullptr)),
             say(cudaEventDestroy(nullptr)), say(cudaGetLastError());
     }},
    {"stream's flags",
     [] {
         cudaStream_t a;
         say(cudaStreamCreateWithFlags(&a, 6)), say(cudaGetLastError()), say(cudaStreamDestroy(0)),
             say(cudaGetLastError());
     }},
    {"end without a begin",
     [] {
         cudaStream_t a;
         say(cudaStreamCreate(&a)), end(a);
     }},
    {"capture of stream 0",
     [] { say(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)), say(cudaGetLastError()); }},
    {"capture twice",
     [] {
         cudaStream_t a = capturing();
         say(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal)), end(a);
     }},
    {"capture nothing", [] { end(capturing()); }},
    {"capture, then copy at once",
     [] {
         int *p = array();
         cudaStream_t a = capturing();
         say(cudaMemcpy(p, host, BYTES, H2D)), end(a);
     }},
    {"capture, then wait",
     [] {
         cudaStream_t a = capturing();
         say(cudaStreamSynchronize(a)), end(a);
     }},
    {"capture, then wait for all",
     [] {
         cudaStream_t a = capturing();
         say(cudaDeviceSynchronize()), end(a);
     }},
    {"capture, then query",
     [] {
         cudaStream_t a = capturing();
         say(cudaStreamQuery(a)), end(a);
     }},
    {"capture, then allocate",
     [] {
         cudaStream_t a = capturing();
         int *p;
         say(cudaMalloc(&p, BYTES)), end(a);
     }},
    {"capture, then launch at 0",
     [] {
         int *p = array();
         cudaStream_t a = capturing();
         plain<<<1, N>>>(p);
         end(a);
     }},
    {"capture a copy beyond",
     [] {
         int *p = array();
         cudaStream_t a = capturing();
         say(cudaMemcpyAsync(p, host, BYTES + 1, H2D, a)), end(a);
     }},
    {"capture a launch of 1025",
     [] {
         int *p = array();
         cudaStream_t a = capturing();
         plain<<<1, 1025, 0, a>>>(p);
         end(a);
     }},
    {"graph of a freed array",
     [] {
         int *p = array();
         cudaStream_t a = capturing();
         cudaGraph_t graph;
         cudaGraphExec_t ready;
         say(cudaMemcpyAsync(p, host, BYTES, H2D, a));
         say(cudaStreamEndCapture(a, &graph));
         say(cudaGraphInstantiate(&ready, graph, 0));
         say(cudaGraphLaunch(ready, a)), say(cudaStreamSynchronize(a));
         say(cudaFree(p)), say(cudaGraphLaunch(ready, a)), say(cudaStreamSynchronize(a)),
             say(cudaGetLastError());
     }},
    {"array",
     [] {
         cudaArray_t a;
         cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
         say(cudaMallocArray(&a, &format, 8, 4));
         say(cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 4, H2D));
         say(cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 5, H2D));
         say(cudaMemcpy2DToArray(a, 4, 0, host, 32, 32, 4, H2D));
         say(cudaMemcpy2DToArray(a, 0, 0, host, 16, 32, 4, H2D));
         say(cudaFreeArray(a)), say(cudaFreeArray(nullptr)), say(cudaGetLastError());
     }},
    {"array of nothing",
     [] {
         cudaArray_t a;
         cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
         say(cudaMallocArray(&a, &format, 0, 4)), say(cudaGetLastError());
     }},
    {"array of 3 channels",
     [] {
         cudaArray_t a;
         cudaChannelFormatDesc format =
             cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
         say(cudaMallocArray(&a, &format, 8, 4)), say(cudaGetLastError());
     }},
    {"texture of a freed array",
     [] {
         cudaResourceDesc resource = {};
         cudaTextureDesc sampler = {};
         cudaTextureObject_t texture = 0;
         resource.resType = cudaResourceTypeLinear;
         resource.res.linear.devPtr = freed();
         resource.res.linear.desc = cudaCreateChannelDesc<float>();
         resource.res.linear.sizeInBytes = BYTES;
         say(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));
         say(cudaGetLastError());
     }},
    {"texture beyond",
     [] {
         cudaResourceDesc resource = {};
         cudaTextureDesc sampler = {};
         cudaTextureObject_t texture = 0;
         resource.resType = cudaResourceTypeLinear;
         resource.res.linear.devPtr = array() + 1;
         resource.res.linear.desc = cudaCreateChannelDesc<float>();
         resource.res.linear.sizeInBytes = BYTES;
         say(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));
         say(cudaGetLastError());
     }},
};

// ---- main --------------------------------------------------------------------------------------

static void run(const test &test)
{
    printf("%s:", test.name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("BANKSIM_OUTPUT", "", 1);
        if (freopen("/dev/null", "w", stderr) == nullptr)
            _exit(1);
        test.run();
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf(" signal %d", WTERMSIG(status));
    putchar('\n');
    fflush(stdout);
}

template <int n> static void run(const test (&tests)[n], int part, int parts)
{
    for (int i = part; i < n; i += parts)
        run(tests[i]);
}

int main(int n, char **words)
{
    // Parts are for who has many processors.
    int part = n > 2 ? atoi(words[1]) : 0, parts = n > 2 ? atoi(words[2]) : 1;
    run(kernels, part, parts);
    run(launches, part, parts);
    run(memory, part, parts);
    run(others, part, parts);
}
