/* square.cu - twins of src/emulators/square.c: one block, one tile of 32 x 32. */
#include "twin.cuh"

enum { BDIMX = 32, BDIMY = 32, IPAD = 1 };

/* ---- static shared memory ------------------------------------------------------------------- */

template <unsigned ipad> static __device__ void set_row_read_row(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.y][threadIdx.x];
}

template <unsigned ipad> static __device__ void set_col_read_col(unsigned *out)
{
    __shared__ unsigned tile[BDIMX][BDIMY + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.x][threadIdx.y] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}

template <unsigned ipad> static __device__ void set_row_read_col(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}

template <unsigned ipad> static __device__ void set_col_read_row(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.x][threadIdx.y] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.y][threadIdx.x];
}

/* ---- dynamic shared memory ------------------------------------------------------------------ */

static __device__ void set_row_read_row_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[row_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[row_idx];
}

static __device__ void set_col_read_col_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned col_idx = threadIdx.x * (blockDim.y + ipad) + threadIdx.y;
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[col_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[col_idx];
}

static __device__ void set_row_read_col_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;
    unsigned col_idx = threadIdx.x * (blockDim.x + ipad) + threadIdx.y;
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[row_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[col_idx];
}

static __device__ void set_col_read_row_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;
    unsigned col_idx = threadIdx.x * (blockDim.x + ipad) + threadIdx.y;
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[col_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[row_idx];
}

/* ---- the kernels ---------------------------------------------------------------------------- */

#define STATIC(BODY)                                                                               \
    __global__ void square_##BODY(unsigned *out) { BODY<0>(out); }                                 \
    __global__ void square_##BODY##_pad(unsigned *out) { BODY<IPAD>(out); }
#define DYNAMIC(BODY)                                                                              \
    __global__ void square_##BODY(unsigned *out) { BODY(out, 0); }                                 \
    __global__ void square_##BODY##_pad(unsigned *out, unsigned ipad) { BODY(out, ipad); }

STATIC(set_row_read_row)
STATIC(set_row_read_col)
STATIC(set_col_read_col)
STATIC(set_col_read_row)
DYNAMIC(set_row_read_row_dyn)
DYNAMIC(set_row_read_col_dyn)
DYNAMIC(set_col_read_col_dyn)
DYNAMIC(set_col_read_row_dyn)

#define OUT c.array<unsigned>(0)
#define STATIC_ROWS(BODY) TWIN(square_##BODY, OUT), TWIN(square_##BODY##_pad, OUT)
#define DYNAMIC_ROWS(BODY)                                                                         \
    TWIN(square_##BODY, OUT), TWIN(square_##BODY##_pad, OUT, c.setting("ipad"))

const struct twin square_twins[] = {
    STATIC_ROWS(set_row_read_row),      STATIC_ROWS(set_row_read_col),
    STATIC_ROWS(set_col_read_col),      STATIC_ROWS(set_col_read_row),
    DYNAMIC_ROWS(set_row_read_row_dyn), DYNAMIC_ROWS(set_row_read_col_dyn),
    DYNAMIC_ROWS(set_col_read_col_dyn), DYNAMIC_ROWS(set_col_read_row_dyn),
    {NULL, NULL},
};
