/* What a warp's lanes and a block's threads do together: shuffles of all widths, votes, matches,
 * atomics of every type. The numbers expected follow from 32 lanes 0 to 31. */
#include <cstdio>
#include <cuda_runtime.h>

__device__ double sum_of_lanes(double value)
{
    for (int delta = 16; delta > 0; delta /= 2) {
        value += __shfl_down_sync(0xffffffff, value, delta);
    }
    return __shfl_sync(0xffffffff, value, 0);
}

__global__ void lanes(double *out)
{
    int lane = threadIdx.x;
    int rotated = __shfl_sync(0xffffffff, lane, (lane + 1) % 32);
    int pair = __shfl_xor_sync(0xffffffff, lane, 1);
    int below = __shfl_up_sync(0xffffffff, lane, 1, 8);
    short half = __shfl_down_sync(0xffffffff, (short)lane, 4);
    double sum = sum_of_lanes(lane + 0.5);
    unsigned even = __ballot_sync(0xffffffff, lane % 2 == 0);
    if (lane == 9) {
        double values[] = {sum,          (double)rotated, (double)pair,        (double)below,
                           (double)half, (double)even,    (double)__popc(even)};
        for (int i = 0; i < 7; i++) {
            out[i] = values[i];
        }
    }
    int all = __all_sync(0xffffffff, lane < 32), any = __any_sync(0xffffffff, lane == 40);
    unsigned same = __match_any_sync(0xffffffff, lane / 4);
    int total = __reduce_add_sync(0xffffffff, lane), most = __reduce_max_sync(0xffffffff, -lane);
    if (lane == 9) {
        double values[] = {(double)all, (double)any, (double)same, (double)total, (double)most};
        for (int i = 0; i < 5; i++) {
            out[7 + i] = values[i];
        }
    }
}

struct cell {
    int i;
    unsigned u, wrapped, swapped, bits;
    float f;
    unsigned long long ull;
    double d;
    int low, high;
};

__global__ void atomics(cell *p, int *counts)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    __shared__ unsigned histogram[4];
    if (threadIdx.x < 4) {
        histogram[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&histogram[i % 4], 1u);
    atomicAdd(&p->i, i);
    atomicSub(&p->u, 1u);
    atomicInc(&p->wrapped, 9u);
    atomicCAS(&p->swapped, 0u, 77u);
    atomicOr(&p->bits, 1u << (i % 32));
    atomicAdd(&p->f, 0.5f);
    atomicAdd(&p->ull, 1ull << 32);
    atomicAdd(&p->d, 0.25);
    atomicMin(&p->low, -i);
    atomicMax(&p->high, i);
    __syncthreads();
    if (threadIdx.x < 4) {
        atomicAdd(&counts[threadIdx.x], (int)histogram[threadIdx.x]);
    }
}

int main()
{
    double *out, host[12];
    cell *p, c = {};
    int *counts, four[4];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&p, sizeof c);
    cudaMalloc(&counts, sizeof four);
    cudaMemset(counts, 0, sizeof four);
    cudaMemcpy(p, &c, sizeof c, cudaMemcpyHostToDevice);
    lanes<<<1, 32>>>(out);
    atomics<<<2, 64>>>(p, counts);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&c, p, sizeof c, cudaMemcpyDeviceToHost);
    cudaMemcpy(four, counts, sizeof four, cudaMemcpyDeviceToHost);
    for (double value : host) {
        printf("%g ", value);
    }
    printf("\n%d %u %u %u %x %g %llu %g %d %d\n", c.i, c.u, c.wrapped, c.swapped, c.bits, c.f,
           c.ull >> 32, c.d, c.low, c.high);
    printf("%d %d %d %d\n", four[0], four[1], four[2], four[3]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
