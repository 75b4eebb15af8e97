/* coalescing.cu - twins of src/emulators/coalescing.c: lines of global memory, vector loads. */
#include "twin.cuh"

enum { MOST_THREADS = 1024 };

/* ---- cache lines ---------------------------------------------------------------------------- */

__global__ void global_coalesced(const unsigned *in, unsigned *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void global_misaligned(const unsigned *in, unsigned *out, unsigned offset)
{
    out[threadIdx.x] = in[threadIdx.x + offset];
}

__global__ void global_two_lines(const unsigned *in, unsigned *out)
{
    out[threadIdx.x] = in[2 * threadIdx.x];
}

__global__ void global_three_lines(const unsigned *in, unsigned *out)
{
    out[threadIdx.x] = in[3 * threadIdx.x];
}

/* ---- vector loads --------------------------------------------------------------------------- */

template <class T> static __device__ __forceinline__ void mirror(T *s, const T *in, T *out)
{
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void vector_load_64(const float2 *in, float2 *out)
{
    __shared__ float2 s[MOST_THREADS];
    mirror(s, in, out);
}

__global__ void vector_load_128(const float4 *in, float4 *out)
{
    __shared__ float4 s[MOST_THREADS];
    mirror(s, in, out);
}

__global__ void vector_load_double(const double *in, double *out)
{
    __shared__ double s[MOST_THREADS];
    mirror(s, in, out);
}

/* ---- the alignment rule; offset is a multiple of 4 here ------------------------------------- */

enum { N_FLOATS = 128, MOST_OFFSET = 32 };

__global__ void vector_load_misaligned(float4 *out, unsigned offset)
{
    __shared__ __align__(16) float s[N_FLOATS + MOST_OFFSET];
    const float4 *vector = (const float4 *)(s + offset);

    for (unsigned i = 0; i < N_FLOATS + MOST_OFFSET; i += blockDim.x) {
        s[i + threadIdx.x] = (float)(i + threadIdx.x);
    }
    __syncthreads();
    out[threadIdx.x] = vector[threadIdx.x];
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ARRAYS(TYPE) c.array<const TYPE>(0), c.array<TYPE>(1)

const struct twin coalescing_twins[] = {
    TWIN(global_coalesced, ARRAYS(unsigned)),
    TWIN(global_misaligned, ARRAYS(unsigned), c.setting("offset")),
    TWIN(global_two_lines, ARRAYS(unsigned)),
    TWIN(global_three_lines, ARRAYS(unsigned)),
    TWIN(vector_load_64, ARRAYS(float2)),
    TWIN(vector_load_128, ARRAYS(float4)),
    TWIN(vector_load_double, ARRAYS(double)),
    TWIN(vector_load_misaligned, c.array<float4>(0), c.setting("offset")),
    {NULL, NULL},
};
