/* figures.cu - twins of src/emulators/figures.c; the barrier with diverge=0 alone, as a GPU may
 * hang in the other. */
#include "twin.cuh"

enum { N_BANKS = 5, N_THREADS = 64 };

__global__ void five_banks(unsigned *out)
{
    __shared__ unsigned tile[N_BANKS][N_BANKS];

    for (unsigned row = 0; row < N_BANKS; row++) {
        tile[row][threadIdx.x] = 10 * row + threadIdx.x;
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][0];
}

__global__ void divergent_barrier(unsigned *out, bool diverges)
{
    __shared__ unsigned s[N_THREADS];

    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % 2 == 0 || !diverges) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = s[N_THREADS - 1 - threadIdx.x];
}

#define OUT c.array<unsigned>(0)

const struct twin figure_twins[] = {
    TWIN(five_banks, OUT),
    TWIN(divergent_barrier, OUT, c.setting("diverge")),
    {NULL, NULL},
};
