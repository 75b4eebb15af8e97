/* transpose.cu - twins of src/emulators/transpose.c: matrix transposes of many blocks. */
#include "twin.cuh"

enum { BDIMX = 32, BDIMY = 16, IPAD = 2, TILE_DIM = 32, BLOCK_ROWS = 8 };

#define MATRICES float *in, float *out, unsigned nx, unsigned ny

/* ---- global memory alone -------------------------------------------------------------------- */

__global__ void copy_row(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;

    if (ix < nx && iy < ny) {
        out[iy * nx + ix] = in[iy * nx + ix];
    }
}

__global__ void copy_col(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;

    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[ix * ny + iy];
    }
}

__global__ void transpose_naive_row(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;

    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[iy * nx + ix];
    }
}

__global__ void transpose_naive_col(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;

    if (ix < nx && iy < ny) {
        out[iy * nx + ix] = in[ix * ny + iy];
    }
}

__global__ void transpose_unroll4_row(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x * 4 + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned ti = iy * nx + ix; /* access in rows */
    unsigned to = ix * ny + iy; /* access in columns */

    if (ix + 3 * blockDim.x < nx && iy < ny) {
        out[to] = in[ti];
        out[to + ny * blockDim.x] = in[ti + blockDim.x];
        out[to + ny * 2 * blockDim.x] = in[ti + 2 * blockDim.x];
        out[to + ny * 3 * blockDim.x] = in[ti + 3 * blockDim.x];
    }
}

__global__ void transpose_unroll4_col(MATRICES)
{
    unsigned ix = blockDim.x * blockIdx.x * 4 + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned ti = iy * nx + ix; /* access in rows */
    unsigned to = ix * ny + iy; /* access in columns */

    if (ix + 3 * blockDim.x < nx && iy < ny) {
        out[ti] = in[to];
        out[ti + blockDim.x] = in[to + blockDim.x * ny];
        out[ti + 2 * blockDim.x] = in[to + 2 * blockDim.x * ny];
        out[ti + 3 * blockDim.x] = in[to + 3 * blockDim.x * ny];
    }
}

__global__ void transpose_diagonal_row(MATRICES)
{
    unsigned blk_y = blockIdx.x;
    unsigned blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    unsigned ix = blockDim.x * blk_x + threadIdx.x;
    unsigned iy = blockDim.y * blk_y + threadIdx.y;

    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[iy * nx + ix];
    }
}

/* ---- through shared memory ------------------------------------------------------------------ */

template <unsigned ipad> static __device__ void through_tile(MATRICES)
{
    __shared__ float smem[BDIMY][BDIMX + ipad];
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x; /* in the matrix */
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned irow = (threadIdx.y * blockDim.x + threadIdx.x) % blockDim.y; /* transposed tile */
    unsigned icol = (threadIdx.y * blockDim.x + threadIdx.x) / blockDim.y;
    unsigned ox = blockDim.y * blockIdx.y + irow; /* transposed matrix */
    unsigned oy = blockDim.x * blockIdx.x + icol;

    if (ix < nx && iy < ny) {
        smem[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
        __syncthreads();
        out[oy * ny + ox] = smem[irow][icol];
    }
}

__global__ void transpose_shared(MATRICES) { through_tile<0>(in, out, nx, ny); }
__global__ void transpose_shared_pad(MATRICES) { through_tile<IPAD>(in, out, nx, ny); }

static __device__ void through_dynamic_tile(MATRICES, unsigned ipad)
{
    extern __shared__ float tile[];
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;
    unsigned ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned row_idx = threadIdx.y * (blockDim.x + ipad) + threadIdx.x; /* in the tile */
    unsigned col_idx = icol * (blockDim.x + ipad) + irow;
    unsigned to = (blockDim.x * blockIdx.x + irow) * ny + blockDim.y * blockIdx.y + icol;

    if (ix < nx && iy < ny) {
        tile[row_idx] = in[iy * nx + ix];
        __syncthreads();
        out[to] = tile[col_idx];
    }
}

__global__ void transpose_shared_dyn(MATRICES) { through_dynamic_tile(in, out, nx, ny, 0); }
__global__ void transpose_shared_dyn_pad(MATRICES, unsigned ipad)
{
    through_dynamic_tile(in, out, nx, ny, ipad);
}

/* Two tiles side by side, in rows of 2 * blockDim.x + ipad words: two elements per thread. */
static __device__ __forceinline__ void through_two_tiles(float *tile, MATRICES, unsigned ipad)
{
    unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned irow = idx / blockDim.y;
    unsigned icol = idx % blockDim.y;
    unsigned ix = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    unsigned iy = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned ti = iy * nx + ix;
    unsigned to = (2 * blockIdx.x * blockDim.x + irow) * ny + blockIdx.y * blockDim.y + icol;
    unsigned row_idx = threadIdx.y * (blockDim.x * 2 + ipad) + threadIdx.x;
    unsigned col_idx = icol * (blockDim.x * 2 + ipad) + irow;

    if (ix + blockDim.x < nx && iy < ny) {
        tile[row_idx] = in[ti];
        tile[row_idx + blockDim.x] = in[ti + blockDim.x];
        __syncthreads();
        out[to] = tile[col_idx];
        out[to + ny * blockDim.x] = tile[col_idx + blockDim.x];
    }
}

__global__ void transpose_shared_unroll(MATRICES)
{
    __shared__ float tile[BDIMY * (BDIMX * 2)];
    through_two_tiles(tile, in, out, nx, ny, 0);
}

__global__ void transpose_shared_unroll_pad(MATRICES)
{
    __shared__ float tile[BDIMY * (BDIMX * 2 + IPAD)];
    through_two_tiles(tile, in, out, nx, ny, IPAD);
}

__global__ void transpose_shared_unroll_dyn_pad(MATRICES, unsigned ipad)
{
    extern __shared__ float tile[];
    through_two_tiles(tile, in, out, nx, ny, ipad);
}

/* A block of TILE_DIM x BLOCK_ROWS threads moves a tile of TILE_DIM x TILE_DIM. */
template <unsigned ipad> static __device__ void coalesced(MATRICES)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + ipad];
    unsigned x = blockIdx.x * TILE_DIM + threadIdx.x;
    unsigned y = blockIdx.y * TILE_DIM + threadIdx.y;
    unsigned index_in = x + y * nx;
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    unsigned index_out = x + y * ny;

    for (unsigned i = 0; i < TILE_DIM; i += BLOCK_ROWS) {
        tile[threadIdx.y + i][threadIdx.x] = in[index_in + i * nx];
    }
    __syncthreads();
    for (unsigned i = 0; i < TILE_DIM; i += BLOCK_ROWS) {
        out[index_out + i * ny] = tile[threadIdx.x][threadIdx.y + i];
    }
}

__global__ void transpose_coalesced(MATRICES) { coalesced<0>(in, out, nx, ny); }
__global__ void transpose_no_bank_conflicts(MATRICES) { coalesced<1>(in, out, nx, ny); }

/* ---- the table ------------------------------------------------------------------------------ */

#define ARGUMENTS c.array<float>(0), c.array<float>(1), c.setting("nx"), c.setting("ny")
#define ROW(NAME) TWIN(NAME, ARGUMENTS)
#define PADDED_ROW(NAME) TWIN(NAME, ARGUMENTS, c.setting("ipad"))

const struct twin transpose_twins[] = {
    ROW(copy_row),
    ROW(copy_col),
    ROW(transpose_naive_row),
    ROW(transpose_naive_col),
    ROW(transpose_unroll4_row),
    ROW(transpose_unroll4_col),
    ROW(transpose_diagonal_row),
    ROW(transpose_shared),
    ROW(transpose_shared_pad),
    ROW(transpose_shared_dyn),
    PADDED_ROW(transpose_shared_dyn_pad),
    ROW(transpose_shared_unroll),
    ROW(transpose_shared_unroll_pad),
    PADDED_ROW(transpose_shared_unroll_dyn_pad),
    ROW(transpose_coalesced),
    ROW(transpose_no_bank_conflicts),
    {NULL, NULL},
};
