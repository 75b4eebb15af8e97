/* faults.cu - kernels with one mistake each, and at the end correct ones that look like theirs.
 *
 *     nvcc -ptx -arch=compute_90 -lineinfo -std=c++17 -o faults.ptx faults.cu      nvcc 13.0
 *
 * Above each stands how it is launched, and which tools of compute-sanitizer 2025.3 find something in it on
 * an H200; its initcheck looks at global memory alone. The deadlocks were stopped there after
 * some seconds. What is out of bounds by so little that it is in the next allocation it does not see.
 */
#include <assert.h>

#define FULL 0xffffffffu

/* ---- addresses ---- */

// launch: read_past_end<<<3, 128>>>(int[256], int[256], 256)
// finds: nothing
__global__ void read_past_end(int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        b[i % n] = a[i];
}

// launch: write_past_end<<<3, 128>>>(int[256], 256)
// finds: nothing
__global__ void write_past_end(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = n;
}

// launch: read_before_start<<<1, 32>>>(int[256], int[256])
// finds: memcheck
__global__ void read_before_start(int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i - 1];
}

// launch: misaligned_global<<<1, 32>>>(int[256], int[256])
// finds: memcheck
__global__ void misaligned_global(char *a, int *b)
{
    b[threadIdx.x] = *(int *)(a + 4 * threadIdx.x + 2);
}

// launch: misaligned_vector<<<1, 32>>>(float[256], float4[64])
// finds: memcheck
__global__ void misaligned_vector(float *a, float4 *b)
{
    b[threadIdx.x] = *(float4 *)(a + 4 * threadIdx.x + 1);
}

// launch: null_pointer<<<1, 32>>>(0)
// finds: memcheck
__global__ void null_pointer(int *a)
{
    a[threadIdx.x] = 1;
}

// launch: host_pointer<<<1, 32>>>(93937612345920, int[256])
// finds: memcheck
__global__ void host_pointer(int *a, int *b)
{
    b[threadIdx.x] = a[threadIdx.x];
}

// launch: shared_past_end<<<1, 64>>>(int[256], 16384)
// finds: memcheck
__global__ void shared_past_end(int *b, int n)
{
    __shared__ int s[64];
    s[threadIdx.x + n] = threadIdx.x;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}

// launch: dynamic_past_end<<<1, 32, 64>>>(int[256])
// finds: memcheck
__global__ void dynamic_past_end(int *b)
{
    extern __shared__ int d[];
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    b[threadIdx.x] = d[31 - threadIdx.x];
}

// launch: misaligned_shared<<<1, 32>>>(double[256], 4)
// finds: memcheck
__global__ void misaligned_shared(double *b, int n)
{
    __shared__ __align__(8) char s[512];
    s[threadIdx.x] = 1;
    __syncthreads();
    b[threadIdx.x] = *(double *)(s + threadIdx.x * 8 + n);
}

// launch: local_past_end<<<1, 32>>>(int[256], 200)
// finds: memcheck
__global__ void local_past_end(int *b, int n)
{
    int l[8];
    for (int i = 0; i < n; i++)
        l[i] = b[i];
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += l[(i * 7) % n];
    b[threadIdx.x] = sum;
}

// launch: atomic_past_end<<<1, 32>>>(int[256], 64)
// finds: memcheck
__global__ void atomic_past_end(int *a, int n)
{
    atomicAdd(&a[threadIdx.x * n], 1);
}

// launch: shared_atomic_past_end<<<1, 32>>>(int[256], 1024)
// finds: memcheck
__global__ void shared_atomic_past_end(int *b, int n)
{
    __shared__ int s[32];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x * n], 1);
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}
__device__ int table[16];

// launch: variable_past_end<<<1, 32>>>(int[256], 1048576)
// finds: memcheck
__global__ void variable_past_end(int *b, int n)
{
    b[threadIdx.x] = table[threadIdx.x + n];
}
__device__ int *kept;

// launch: keep_shared<<<1, 32>>>(int[256], 1)
// finds: memcheck
__global__ void keep_shared(int *b, int pass)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (pass == 0) {
        if (threadIdx.x == 0)
            kept = (int *)__cvta_generic_to_shared(s);
    } else
        b[threadIdx.x] = kept[threadIdx.x] + s[31 - threadIdx.x];
}

// launch: heap_past_end<<<1, 32>>>(int[256])
// finds: memcheck
__global__ void heap_past_end(int *b)
{
    int *p = (int *)malloc(64);
    p[threadIdx.x] = 1;
    b[threadIdx.x] = p[threadIdx.x];
}

// launch: heap_double_free<<<1, 1>>>(int[256])
// finds: memcheck
__global__ void heap_double_free(int *b)
{
    int *p = (int *)malloc(64);
    p[0] = 3;
    b[threadIdx.x] = p[0];
    free(p);
    free(p);
}

// launch: traps<<<1, 32>>>(int[256])
// finds: memcheck
__global__ void traps(int *b)
{
    if (threadIdx.x == 3)
        __trap();
    b[threadIdx.x] = 1;
}

// launch: asserts<<<1, 32>>>(int[256], 16)
// finds: memcheck
__global__ void asserts(int *b, int n)
{
    assert(threadIdx.x < n);
    b[threadIdx.x] = 1;
}

/* ---- memory that nobody wrote ---- */

// launch: uninitialised_shared<<<1, 64>>>(int[256], 40)
// finds: nothing
__global__ void uninitialised_shared(int *b, int n)
{
    __shared__ int s[64];
    if (threadIdx.x < n)
        s[threadIdx.x] = 1;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}

/* ---- races ---- */

// launch: race_no_barrier<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_no_barrier(int *b)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = s[127 - threadIdx.x];
}

// launch: race_war<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_war(int *b)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int v = s[127 - threadIdx.x];
    s[threadIdx.x] = v;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}

// launch: race_waw<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_waw(int *b)
{
    __shared__ int s[4];
    s[threadIdx.x & 3] = threadIdx.x;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x & 3];
}

// launch: race_in_warp<<<1, 32>>>(int[256])
// finds: racecheck
__global__ void race_in_warp(int *b)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = s[threadIdx.x ^ 1];
}

// launch: race_reduction<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_reduction(int *b)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    for (int h = 64; h > 0; h /= 2) {
        if (threadIdx.x < h)
            s[threadIdx.x] += s[threadIdx.x + h];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        b[0] = s[0];
}

// launch: race_counter<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_counter(int *b)
{
    __shared__ int c;
    if (threadIdx.x == 0)
        c = 0;
    __syncthreads();
    c++;
    __syncthreads();
    if (threadIdx.x == 0)
        b[0] = c;
}

// launch: race_broken_scan<<<1, 128>>>(int[256])
// finds: racecheck
__global__ void race_broken_scan(int *b)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d)
            s[t] += s[t - d];
        __syncthreads();
    }
    b[t] = s[t];
}

/* ---- barriers and masks ---- */

// launch: barrier_in_branch<<<1, 32>>>(int[256])
// finds: synccheck
__global__ void barrier_in_branch(int *b)
{
    if (threadIdx.x < 16)
        __syncthreads();
    b[threadIdx.x] = 1;
}

// launch: barrier_of_other_threads<<<1, 32>>>(int[256])
// finds: synccheck
__global__ void barrier_of_other_threads(int *b)
{
    if (threadIdx.x & 1) {
        b[0] = 1;
        __syncthreads();
    } else {
        b[1] = 2;
        __syncthreads();
    }
    b[threadIdx.x] = 1;
}

// launch: barrier_after_return<<<1, 64>>>(int[256], 48)
// finds: nothing
__global__ void barrier_after_return(int *b, int n)
{
    if (threadIdx.x >= n)
        return;
    __syncthreads();
    b[threadIdx.x] = 1;
}

// launch: barrier_missed_by_warp<<<1, 64>>>(int[256])
// finds: nothing
__global__ void barrier_missed_by_warp(int *b)
{
    __shared__ int s;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            s = 1;
        asm volatile("bar.sync 1, 64;");
    }
    b[threadIdx.x] = s;
}

// launch: syncwarp_wrong_mask<<<1, 32>>>(int[256])
// finds: memcheck, synccheck
__global__ void syncwarp_wrong_mask(int *b)
{
    if (threadIdx.x < 16)
        __syncwarp(0xffff0000u);
    b[threadIdx.x] = 1;
}

// launch: syncwarp_exited<<<1, 32>>>(int[256])
// finds: nothing
__global__ void syncwarp_exited(int *b)
{
    if (threadIdx.x >= 16)
        return;
    __syncwarp(FULL);
    b[threadIdx.x] = 1;
}

// launch: syncwarp_divergent<<<1, 32>>>(int[256])
// finds: nothing
__global__ void syncwarp_divergent(int *b)
{
    if (threadIdx.x < 16) {
        __syncwarp(FULL);
        b[threadIdx.x] = 1;
    } else {
        b[threadIdx.x] = 2;
    }
}

// launch: shfl_wrong_mask<<<1, 32>>>(int[256])
// finds: memcheck, synccheck
__global__ void shfl_wrong_mask(int *b)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_sync(0xff00u, v, 3);
    b[threadIdx.x] = v;
}

// launch: shfl_divergent<<<1, 32>>>(int[256])
// finds: nothing
__global__ void shfl_divergent(int *b)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_down_sync(FULL, v, 8);
    else
        v = 7;
    b[threadIdx.x] = v;
}

// launch: shfl_exited<<<1, 32>>>(int[256])
// finds: nothing
__global__ void shfl_exited(int *b)
{
    if (threadIdx.x >= 16)
        return;
    int v = threadIdx.x;
    v = __shfl_down_sync(FULL, v, 8);
    b[threadIdx.x] = v;
}

// launch: vote_exited<<<1, 32>>>(int[256])
// finds: nothing
__global__ void vote_exited(int *b)
{
    if (threadIdx.x >= 16)
        return;
    b[threadIdx.x] = __ballot_sync(FULL, threadIdx.x & 1);
}

/* ---- deadlocks ---- */

// launch: spin_on_shared<<<1, 64>>>(int[256])
// finds: nothing
__global__ void spin_on_shared(int *b)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x >= 32)
        while (flag == 0) {
        }
    b[threadIdx.x] = 1;
}

// launch: spin_on_later_block<<<4, 32>>>(int[256], int[256])
// finds: nothing
__global__ void spin_on_later_block(volatile int *flag, int *b)
{
    if (blockIdx.x == 0) {
        while (*flag == 0) {
        }
        b[threadIdx.x] = 1;
    } else if (blockIdx.x == gridDim.x)
        *flag = 1;
}

// launch: spin_lock_never_freed<<<1, 32>>>(int[256], int[256])
// finds: nothing
__global__ void spin_lock_never_freed(int *lock, int *b)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    b[threadIdx.x] += 1;
    __threadfence();
}

/* ---- correct ones ---- */

// launch: ok_barrier_after_return<<<1, 64>>>(int[256], 32)
// finds: nothing
__global__ void ok_barrier_after_return(int *b, int n)
{
    if (threadIdx.x >= n)
        return;
    __syncthreads();
    b[threadIdx.x] = 1;
}

// launch: ok_lock<<<8, 32>>>(int[256], int[256])
// finds: nothing
__global__ void ok_lock(int *lock, int *b)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *(volatile int *)b += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// launch: ok_shfl_half<<<1, 32>>>(int[256])
// finds: nothing
__global__ void ok_shfl_half(int *b)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_down_sync(0xffffu, v, 8, 16);
    b[threadIdx.x] = v;
}

// launch: ok_shfl_two_ways<<<1, 32>>>(int[256])
// finds: nothing
__global__ void ok_shfl_two_ways(int *b)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(FULL, v * 2, 1);
    else
        v = __shfl_xor_sync(FULL, v * 3, 1);
    b[threadIdx.x] = v;
}

// launch: ok_spin_in_warp<<<1, 32>>>(int[256])
// finds: racecheck
__global__ void ok_spin_in_warp(int *b)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncwarp();
    if (threadIdx.x == 31)
        flag = 1;
    else
        while (flag == 0) {
        }
    b[threadIdx.x] = 1;
}

// launch: ok_named<<<1, 64>>>(int[256])
// finds: nothing
__global__ void ok_named(int *b)
{
    __shared__ int s[32];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = threadIdx.x;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[threadIdx.x] = s[threadIdx.x - 32];
    }
}
