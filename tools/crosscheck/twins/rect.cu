/* rect.cu - twins of src/emulators/rect.c: one block, one tile of 32 x 16. */
#include "twin.cuh"

enum { BDIMX = 32, BDIMY = 16, IPAD = 2 };

/* ---- static shared memory ------------------------------------------------------------------- */

template <unsigned ipad> static __device__ void set_row_read_row(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.y][threadIdx.x];
}

template <unsigned ipad> static __device__ void set_col_read_col_turned(unsigned *out)
{
    __shared__ unsigned tile[BDIMX][BDIMY + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;

    tile[threadIdx.x][threadIdx.y] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}

template <unsigned ipad> static __device__ void set_col_read_col2(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;

    tile[icol][irow] = idx;
    __syncthreads();
    out[idx] = tile[icol][irow];
}

template <unsigned ipad> static __device__ void set_row_read_col(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;

    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[icol][irow];
}

template <unsigned ipad> static __device__ void set_col_read_row(unsigned *out)
{
    __shared__ unsigned tile[BDIMY][BDIMX + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;

    tile[icol][irow] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.y][threadIdx.x];
}

template <unsigned ipad> static __device__ void set_col_read_row_turned(unsigned *out)
{
    __shared__ unsigned tile[BDIMX][BDIMY + ipad];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;

    tile[threadIdx.x][threadIdx.y] = idx;
    __syncthreads();
    out[idx] = tile[irow][icol];
}

/* ---- dynamic shared memory ------------------------------------------------------------------ */

static __device__ void set_row_read_row_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;

    tile[row_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[row_idx];
}

static __device__ void set_col_read_col_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = g_idx / blockDim.y;
    unsigned icol = g_idx % blockDim.y;
    unsigned col_idx = icol * (blockDim.x + ipad) + irow;

    tile[col_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[col_idx];
}

static __device__ void set_col_read_col_turned_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned col_idx = threadIdx.x * (blockDim.y + ipad) + threadIdx.y;

    tile[col_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[col_idx];
}

static __device__ void set_row_read_col_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = g_idx / blockDim.y;
    unsigned icol = g_idx % blockDim.y;
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;
    unsigned col_idx = icol * (blockDim.x + ipad) + irow;

    tile[row_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[col_idx];
}

static __device__ void set_col_read_row_dyn(unsigned *out, unsigned ipad)
{
    extern __shared__ unsigned tile[];
    unsigned g_idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = g_idx / blockDim.y;
    unsigned icol = g_idx % blockDim.y;
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x;
    unsigned col_idx = icol * (blockDim.x + ipad) + irow;

    tile[col_idx] = g_idx;
    __syncthreads();
    out[g_idx] = tile[row_idx];
}

/* ---- the kernels ---------------------------------------------------------------------------- */

#define STATIC(BODY)                                                                               \
    __global__ void rect_##BODY(unsigned *out) { BODY<0>(out); }                                   \
    __global__ void rect_##BODY##_pad(unsigned *out) { BODY<IPAD>(out); }
#define DYNAMIC(BODY)                                                                              \
    __global__ void rect_##BODY(unsigned *out) { BODY(out, 0); }                                   \
    __global__ void rect_##BODY##_pad(unsigned *out, unsigned ipad) { BODY(out, ipad); }

STATIC(set_row_read_row)
STATIC(set_row_read_col)
STATIC(set_col_read_row)
DYNAMIC(set_row_read_row_dyn)
DYNAMIC(set_row_read_col_dyn)
DYNAMIC(set_col_read_col_dyn)
DYNAMIC(set_col_read_row_dyn)

__global__ void rect_set_col_read_col(unsigned *out) { set_col_read_col_turned<0>(out); }
__global__ void rect_set_col_read_col2(unsigned *out) { set_col_read_col2<0>(out); }
__global__ void rect_set_col_read_col_pad(unsigned *out) { set_col_read_col2<IPAD>(out); }
__global__ void rect_set_col_read_col_turned_pad(unsigned *out)
{
    set_col_read_col_turned<IPAD>(out);
}
__global__ void rect_set_col_read_col_turned_dyn_pad(unsigned *out, unsigned ipad)
{
    set_col_read_col_turned_dyn(out, ipad);
}
__global__ void rect_set_col_read_row_turned_pad(unsigned *out)
{
    set_col_read_row_turned<IPAD>(out);
}

#define OUT c.array<unsigned>(0)
#define STATIC_ROWS(BODY) TWIN(rect_##BODY, OUT), TWIN(rect_##BODY##_pad, OUT)
#define DYNAMIC_ROWS(BODY)                                                                         \
    TWIN(rect_##BODY, OUT), TWIN(rect_##BODY##_pad, OUT, c.setting("ipad"))

const struct twin rect_twins[] = {
    STATIC_ROWS(set_row_read_row),
    STATIC_ROWS(set_row_read_col),
    STATIC_ROWS(set_col_read_row),
    DYNAMIC_ROWS(set_row_read_row_dyn),
    DYNAMIC_ROWS(set_row_read_col_dyn),
    DYNAMIC_ROWS(set_col_read_col_dyn),
    DYNAMIC_ROWS(set_col_read_row_dyn),
    TWIN(rect_set_col_read_col, OUT),
    TWIN(rect_set_col_read_col2, OUT),
    TWIN(rect_set_col_read_col_pad, OUT),
    TWIN(rect_set_col_read_col_turned_pad, OUT),
    TWIN(rect_set_col_read_col_turned_dyn_pad, OUT, c.setting("ipad")),
    TWIN(rect_set_col_read_row_turned_pad, OUT),
    {NULL, NULL},
};
