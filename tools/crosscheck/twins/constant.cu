/* constant.cu - twins of src/emulators/constant.c: constant memory that the lanes of a warp agree
 * on or not, and the stencil.
 *
 * What idc__requests counts is LDC, the load by an address in a register; the stencil's coefficients
 * are where the compiler knows, and become operands or ULDC, which it does not count. `zero`, a
 * kernel argument of 0, keeps constant_uniform a load by lanes that agree.
 */
#include "twin.cuh"

enum { FOO_SIZE = 1024, MOST_THREADS = 1024, RADIUS = 4, MOST_SETS = 32 };

/* ---- one address and many ------------------------------------------------------------------- */

__constant__ unsigned foo[FOO_SIZE];

__global__ void constant_uniform(unsigned *out, unsigned index, unsigned zero)
{
    out[threadIdx.x] = foo[index + threadIdx.x * zero];
}

__global__ void constant_divergent(unsigned *out, unsigned distinct)
{
    out[threadIdx.x] = foo[threadIdx.x % distinct];
}

static void launch_uniform(const struct twin_call &c)
{
    cudaMemcpyToSymbol(foo, c.constants, c.constants_bytes);
    constant_uniform<<<c.grid, c.block>>>(c.array<unsigned>(1), c.setting("index"), 0);
}

static void launch_divergent(const struct twin_call &c)
{
    cudaMemcpyToSymbol(foo, c.constants, c.constants_bytes);
    constant_divergent<<<c.grid, c.block>>>(c.array<unsigned>(1), c.setting("distinct"));
}

/* ---- the stencil ---------------------------------------------------------------------------- */

__constant__ float coef[MOST_SETS][RADIUS + 1];

static __device__ __forceinline__ void load_tile(const float *in, float *smem)
{
    int bdim = blockDim.x;
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int sidx = threadIdx.x + RADIUS;

    smem[sidx] = in[idx];
    if (threadIdx.x < RADIUS) {
        smem[sidx - RADIUS] = in[idx - RADIUS];
        smem[sidx + bdim] = in[idx + bdim];
    }
    __syncthreads();
}

__global__ void stencil_constant(const float *in, float *out)
{
    __shared__ float smem[MOST_THREADS + 2 * RADIUS];
    float tmp = 0;

    load_tile(in, smem);
    for (int i = 1; i <= RADIUS; i++) {
        tmp += coef[0][i] * (smem[threadIdx.x + RADIUS + i] - smem[threadIdx.x + RADIUS - i]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tmp;
}

__global__ void stencil_readonly(const float *in, float *out, const float *__restrict__ dcoef)
{
    __shared__ float smem[MOST_THREADS + 2 * RADIUS];
    float tmp = 0;

    load_tile(in, smem);
    for (int i = 1; i <= RADIUS; i++) {
        tmp += dcoef[i] * (smem[threadIdx.x + RADIUS + i] - smem[threadIdx.x + RADIUS - i]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tmp;
}

__global__ void stencil_divergent(const float *in, float *out, unsigned sets)
{
    __shared__ float smem[MOST_THREADS + 2 * RADIUS];
    float tmp = 0;

    load_tile(in, smem);
    for (int i = 1; i <= RADIUS; i++) {
        tmp += coef[threadIdx.x % sets][i] *
               (smem[threadIdx.x + RADIUS + i] - smem[threadIdx.x + RADIUS - i]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tmp;
}

/* Both arrays begin RADIUS elements before element 0. */
#define IN_OUT c.array<const float>(0) + RADIUS, c.array<float>(1) + RADIUS

static void launch_stencil_constant(const struct twin_call &c)
{
    cudaMemcpyToSymbol(coef, c.constants, c.constants_bytes);
    stencil_constant<<<c.grid, c.block>>>(IN_OUT);
}

static void launch_stencil_divergent(const struct twin_call &c)
{
    cudaMemcpyToSymbol(coef, c.constants, c.constants_bytes);
    stencil_divergent<<<c.grid, c.block>>>(IN_OUT, c.setting("sets"));
}

/* ---- the table ------------------------------------------------------------------------------ */

const struct twin constant_twins[] = {
    {"constant_uniform", launch_uniform},
    {"constant_divergent", launch_divergent},
    {"stencil_constant", launch_stencil_constant},
    TWIN(stencil_readonly, IN_OUT, c.array<const float>(2)),
    {"stencil_divergent", launch_stencil_divergent},
    {NULL, NULL},
};
