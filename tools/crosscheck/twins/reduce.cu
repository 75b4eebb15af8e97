/* reduce.cu - twins of src/emulators/reduce.c: each block adds up its part of an array.
 *
 * The blocks have the size that they are launched with, up to MOST_THREADS. The last 64 elements
 * are added in one warp without barriers, on volatile data, as in the documents.
 */
#include "twin.cuh"

enum { MOST_THREADS = 1024 };

/* ---- what all of them end with -------------------------------------------------------------- */

static __device__ __forceinline__ void add_in_last_warp(int *data, unsigned tid)
{
    if (tid < 32) {
        volatile int *vmem = data;
        vmem[tid] += vmem[tid + 32];
        vmem[tid] += vmem[tid + 16];
        vmem[tid] += vmem[tid + 8];
        vmem[tid] += vmem[tid + 4];
        vmem[tid] += vmem[tid + 2];
        vmem[tid] += vmem[tid + 1];
    }
}

/* The sum of data[0..blockDim.x) into data[0], and from there into g_odata. */
static __device__ __forceinline__ void reduce_in_place(int *data, int *g_odata)
{
    unsigned tid = threadIdx.x;

    if (blockDim.x >= 1024 && tid < 512) {
        data[tid] += data[tid + 512];
    }
    __syncthreads();
    if (blockDim.x >= 512 && tid < 256) {
        data[tid] += data[tid + 256];
    }
    __syncthreads();
    if (blockDim.x >= 256 && tid < 128) {
        data[tid] += data[tid + 128];
    }
    __syncthreads();
    if (blockDim.x >= 128 && tid < 64) {
        data[tid] += data[tid + 64];
    }
    __syncthreads();
    add_in_last_warp(data, tid);
    if (tid == 0) {
        g_odata[blockIdx.x] = data[0];
    }
}

/* ---- one element per thread ----------------------------------------------------------------- */

__global__ void reduce_global_mem(int *g_idata, int *g_odata, unsigned n)
{
    unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;

    if (idx >= n) {
        return;
    }
    reduce_in_place(g_idata + (size_t)blockIdx.x * blockDim.x, g_odata);
}

/* What the static and the dynamic form share. */
static __device__ __forceinline__ void reduce_in_smem(int *smem, int *g_idata, int *g_odata,
                                                      unsigned n)
{
    unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned tid = threadIdx.x;

    if (idx >= n) {
        return;
    }
    int *idata = g_idata + (size_t)blockIdx.x * blockDim.x;
    smem[tid] = idata[tid];
    __syncthreads();
    reduce_in_place(smem, g_odata);
}

__global__ void reduce_shared_mem(int *g_idata, int *g_odata, unsigned n)
{
    __shared__ int smem[MOST_THREADS];
    reduce_in_smem(smem, g_idata, g_odata, n);
}

__global__ void reduce_shared_mem_dyn(int *g_idata, int *g_odata, unsigned n)
{
    extern __shared__ int dynamic_smem[];
    reduce_in_smem(dynamic_smem, g_idata, g_odata, n);
}

/* ---- four elements per thread --------------------------------------------------------------- */

static __device__ __forceinline__ void reduce_in_smem_unroll4(int *smem, int *g_idata,
                                                              int *g_odata, unsigned n)
{
    unsigned idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    unsigned tid = threadIdx.x;
    int temp_sum = 0;

    if (tid >= n) {
        return;
    }
    if (idx + 3 * blockDim.x <= n) {
        int a1 = g_idata[idx];
        int a2 = g_idata[idx + blockDim.x];
        int a3 = g_idata[idx + 2 * blockDim.x];
        int a4 = g_idata[idx + 3 * blockDim.x];
        temp_sum = a1 + a2 + a3 + a4;
    }
    smem[tid] = temp_sum;
    __syncthreads();
    reduce_in_place(smem, g_odata);
}

__global__ void reduce_shared_mem_unroll4(int *g_idata, int *g_odata, unsigned n)
{
    __shared__ int smem[MOST_THREADS];
    reduce_in_smem_unroll4(smem, g_idata, g_odata, n);
}

__global__ void reduce_shared_mem_unroll4_dyn(int *g_idata, int *g_odata, unsigned n)
{
    extern __shared__ int dynamic_smem[];
    reduce_in_smem_unroll4(dynamic_smem, g_idata, g_odata, n);
}

/* ---- eight elements per thread -------------------------------------------------------------- */

static __device__ __forceinline__ int add_eight(const int *g_idata, unsigned idx)
{
    int a1 = g_idata[idx];
    int a2 = g_idata[idx + blockDim.x];
    int a3 = g_idata[idx + 2 * blockDim.x];
    int a4 = g_idata[idx + 3 * blockDim.x];
    int a5 = g_idata[idx + 4 * blockDim.x];
    int a6 = g_idata[idx + 5 * blockDim.x];
    int a7 = g_idata[idx + 6 * blockDim.x];
    int a8 = g_idata[idx + 7 * blockDim.x];
    return a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8;
}

__global__ void reduce_global_mem_unroll8(int *g_idata, int *g_odata, unsigned n)
{
    unsigned idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;

    if (idx >= n) {
        return;
    }
    if (idx + 7 * blockDim.x < n) {
        g_idata[idx] = add_eight(g_idata, idx);
    }
    __syncthreads();
    reduce_in_place(g_idata + (size_t)blockIdx.x * blockDim.x * 8, g_odata);
}

__global__ void reduce_shared_mem_unroll8(int *g_idata, int *g_odata, unsigned n)
{
    __shared__ int smem[MOST_THREADS];
    unsigned idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    unsigned tid = threadIdx.x;
    int temp = 0;

    if (idx >= n) {
        return;
    }
    if (idx + 7 * blockDim.x < n) {
        temp = add_eight(g_idata, idx);
    }
    smem[tid] = temp;
    __syncthreads();
    reduce_in_place(smem, g_odata);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW(NAME) TWIN(NAME, c.array<int>(0), c.array<int>(1), c.setting("n"))

const struct twin reduce_twins[] = {
    ROW(reduce_global_mem),
    ROW(reduce_shared_mem),
    ROW(reduce_shared_mem_dyn),
    ROW(reduce_global_mem_unroll8),
    ROW(reduce_shared_mem_unroll8),
    ROW(reduce_shared_mem_unroll4),
    ROW(reduce_shared_mem_unroll4_dyn),
    {NULL, NULL},
};
