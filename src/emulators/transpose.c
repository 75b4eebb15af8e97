/* transpose.c - matrix transposes of many blocks, in global memory and through shared memory.
 *
 * transposeShared stands in document 000, for blocks of 32 x 16 threads; the document says that
 * padding and dynamic shared memory apply to it too. Those forms, the unrolled ones and the kernels
 * without shared memory follow chapter 5 of "Professional CUDA C Programming"
 * (transposeRectangle.cu) and github.com/Luca-Dalmasso/matrixTransposeCUDA, which has published
 * counts for them. Both number a warp's threads down the columns of the tile:
 *
 *     idx = threadIdx.y * blockDim.x + threadIdx.x,  row idx % blockDim.y,  column idx / blockDim.y
 *
 * so that the transposed tile is stored by rows. (000 calls that row irow; the book calls it icol.)
 * transposeCoalesced is NVIDIA's sample: a square tile, each thread moves several elements.
 *
 * A block at the edge of a matrix that its size does not divide makes some threads miss the barrier
 * inside `if (ix < nx && iy < ny)`, which is undefined in CUDA and a fault here. The book's test is
 * of the transposed coordinates and loses elements unless nx = ny; the one here is 000's.
 *
 * The wavefronts per warp on 32 banks of 4 bytes, load and store: blocks of 32 x 16: 16 and 1, with
 * ipad=2 1 and 1; 16 x 16: 8 and 1, with ipad=2 1 and 2, as a warp stores two rows that overlap in
 * the banks; the square tile: 32 and 1, padded 1 and 1.
 */
#include "emulators/emulators.h"

#include "base/memory.h"

#include <banksim/kernel.h>

struct transpose_arguments {
    float *in;  /* ny rows of nx */
    float *out; /* nx rows of ny */
    unsigned nx;
    unsigned ny;
    uint32_t ipad; /* padding columns of the tile */
};

/* ---- global memory alone -------------------------------------------------------------------- */

KERNEL(copy_row)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[iy[t] * a->nx + ix[t]]);
        STORE(a->out[iy[t] * a->nx + ix[t]], v[t]);
    }
}

KERNEL(copy_col)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[ix[t] * a->ny + iy[t]]);
        STORE(a->out[ix[t] * a->ny + iy[t]], v[t]);
    }
}

KERNEL(transpose_naive_row)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[iy[t] * a->nx + ix[t]]);
        STORE(a->out[ix[t] * a->ny + iy[t]], v[t]);
    }
}

/* Here ix counts the rows of in[], so the grid covers nx by ny the other way round. */
KERNEL(transpose_naive_col)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[ix[t] * a->ny + iy[t]]);
        STORE(a->out[iy[t] * a->nx + ix[t]], v[t]);
    }
}

KERNEL(transpose_unroll4_row)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(unsigned, ti); /* access in rows */
    PER_THREAD(unsigned, to); /* access in columns */
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x * 4 + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
        ti[t] = iy[t] * a->nx + ix[t];
        to[t] = ix[t] * a->ny + iy[t];
    }
    WHERE (ix[t] + 3 * blockDim.x < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[ti[t]]);
        STORE(a->out[to[t]], v[t]);
        LOAD(v[t], a->in[ti[t] + blockDim.x]);
        STORE(a->out[to[t] + a->ny * blockDim.x], v[t]);
        LOAD(v[t], a->in[ti[t] + 2 * blockDim.x]);
        STORE(a->out[to[t] + a->ny * 2 * blockDim.x], v[t]);
        LOAD(v[t], a->in[ti[t] + 3 * blockDim.x]);
        STORE(a->out[to[t] + a->ny * 3 * blockDim.x], v[t]);
    }
}

KERNEL(transpose_unroll4_col)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(unsigned, ti); /* access in rows */
    PER_THREAD(unsigned, to); /* access in columns */
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x * 4 + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
        ti[t] = iy[t] * a->nx + ix[t];
        to[t] = ix[t] * a->ny + iy[t];
    }
    WHERE (ix[t] + 3 * blockDim.x < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[to[t]]);
        STORE(a->out[ti[t]], v[t]);
        LOAD(v[t], a->in[to[t] + blockDim.x * a->ny]);
        STORE(a->out[ti[t] + blockDim.x], v[t]);
        LOAD(v[t], a->in[to[t] + 2 * blockDim.x * a->ny]);
        STORE(a->out[ti[t] + 2 * blockDim.x], v[t]);
        LOAD(v[t], a->in[to[t] + 3 * blockDim.x * a->ny]);
        STORE(a->out[ti[t] + 3 * blockDim.x], v[t]);
    }
}

/* Successive blocks work along a diagonal; there are as many rows of blocks as columns. */
KERNEL(transpose_diagonal_row)
{
    const struct transpose_arguments *a = ARGUMENTS;
    unsigned blk_y = blockIdx.x;
    unsigned blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blk_x + threadIdx.x;
        iy[t] = blockDim.y * blk_y + threadIdx.y;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[iy[t] * a->nx + ix[t]]);
        STORE(a->out[ix[t] * a->ny + iy[t]], v[t]);
    }
}

/* ---- through shared memory ------------------------------------------------------------------ */

KERNEL(transpose_shared)
{
    const struct transpose_arguments *a = ARGUMENTS;
    SHARED_2D(float, smem, blockDim.y, blockDim.x + a->ipad);
    PER_THREAD(unsigned, ix); /* in the matrix */
    PER_THREAD(unsigned, iy);
    PER_THREAD(unsigned, irow); /* in the transposed tile */
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, ox); /* in the transposed matrix */
    PER_THREAD(unsigned, oy);
    PER_THREAD(float, v);

    EACH_THREAD {
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
        irow[t] = (threadIdx.y * blockDim.x + threadIdx.x) % blockDim.y;
        icol[t] = (threadIdx.y * blockDim.x + threadIdx.x) / blockDim.y;
        ox[t] = blockDim.y * blockIdx.y + irow[t];
        oy[t] = blockDim.x * blockIdx.x + icol[t];
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[iy[t] * a->nx + ix[t]]);
        STORE(smem[threadIdx.y][threadIdx.x], v[t]);
        SYNCTHREADS();
        LOAD(v[t], smem[irow[t]][icol[t]]);
        STORE(a->out[oy[t] * a->ny + ox[t]], v[t]);
    }
}

KERNEL(transpose_shared_dyn)
{
    const struct transpose_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(float, tile);
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(unsigned, row_idx); /* in the tile */
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, to); /* in the transposed matrix */
    PER_THREAD(float, v);

    EACH_THREAD {
        unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
        unsigned irow = idx / blockDim.y;
        unsigned icol = idx % blockDim.y;
        ix[t] = blockDim.x * blockIdx.x + threadIdx.x;
        iy[t] = blockDim.y * blockIdx.y + threadIdx.y;
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        col_idx[t] = icol * (blockDim.x + a->ipad) + irow;
        to[t] = (blockDim.x * blockIdx.x + irow) * a->ny + blockDim.y * blockIdx.y + icol;
    }
    WHERE (ix[t] < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[iy[t] * a->nx + ix[t]]);
        STORE(tile[row_idx[t]], v[t]);
        SYNCTHREADS();
        LOAD(v[t], tile[col_idx[t]]);
        STORE(a->out[to[t]], v[t]);
    }
}

/* Two tiles side by side, in rows of 2 * blockDim.x + ipad words: two elements per thread. */
static void transpose_two_tiles(struct bsim_cta *cta, float *tile)
{
    const struct transpose_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, ix);
    PER_THREAD(unsigned, iy);
    PER_THREAD(unsigned, row_idx); /* in the tiles */
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, ti); /* in the matrix, and the transposed one */
    PER_THREAD(unsigned, to);
    PER_THREAD(float, v);

    EACH_THREAD {
        unsigned idx = threadIdx.y * blockDim.x + threadIdx.x;
        unsigned irow = idx / blockDim.y;
        unsigned icol = idx % blockDim.y;
        ix[t] = 2 * blockIdx.x * blockDim.x + threadIdx.x;
        iy[t] = blockIdx.y * blockDim.y + threadIdx.y;
        ti[t] = iy[t] * a->nx + ix[t];
        to[t] = (2 * blockIdx.x * blockDim.x + irow) * a->ny + blockIdx.y * blockDim.y + icol;
        row_idx[t] = threadIdx.y * (blockDim.x * 2 + a->ipad) + threadIdx.x;
        col_idx[t] = icol * (blockDim.x * 2 + a->ipad) + irow;
    }
    WHERE (ix[t] + blockDim.x < a->nx && iy[t] < a->ny) {
        LOAD(v[t], a->in[ti[t]]);
        STORE(tile[row_idx[t]], v[t]);
        LOAD(v[t], a->in[ti[t] + blockDim.x]);
        STORE(tile[row_idx[t] + blockDim.x], v[t]);
        SYNCTHREADS();
        LOAD(v[t], tile[col_idx[t]]);
        STORE(a->out[to[t]], v[t]);
        LOAD(v[t], tile[col_idx[t] + blockDim.x]);
        STORE(a->out[to[t] + a->ny * blockDim.x], v[t]);
    }
}

KERNEL(transpose_shared_unroll)
{
    const struct transpose_arguments *a = ARGUMENTS;
    SHARED_1D(float, tile, blockDim.y *(blockDim.x * 2 + a->ipad));
    transpose_two_tiles(cta, tile);
}

KERNEL(transpose_shared_unroll_dyn)
{
    SHARED_DYNAMIC(float, tile);
    transpose_two_tiles(cta, tile);
}

/* A block of bdimx x bdimy threads moves a tile of bdimx x bdimx, bdimy rows at a time. */
KERNEL(transpose_coalesced)
{
    const struct transpose_arguments *a = ARGUMENTS;
    const unsigned tile_dim = blockDim.x;
    SHARED_2D(float, tile, tile_dim, tile_dim + a->ipad);
    PER_THREAD(unsigned, index_in);
    PER_THREAD(unsigned, index_out);
    PER_THREAD(float, v);

    EACH_THREAD {
        unsigned x = blockIdx.x * tile_dim + threadIdx.x;
        unsigned y = blockIdx.y * tile_dim + threadIdx.y;
        index_in[t] = x + y * a->nx;
        x = blockIdx.y * tile_dim + threadIdx.x;
        y = blockIdx.x * tile_dim + threadIdx.y;
        index_out[t] = x + y * a->ny;
    }
    for (unsigned i = 0; i < tile_dim; i += blockDim.y) {
        LOAD(v[t], a->in[index_in[t] + i * a->nx]);
        STORE(tile[threadIdx.y + i][threadIdx.x], v[t]);
    }
    SYNCTHREADS();
    for (unsigned i = 0; i < tile_dim; i += blockDim.y) {
        LOAD(v[t], tile[threadIdx.x][threadIdx.y + i]);
        STORE(a->out[index_out[t] + i * a->ny], v[t]);
    }
}

/* ---- running them --------------------------------------------------------------------------- */

/* What a kernel leaves in out[], of an in[] that has ny rows of nx, or nx rows of ny. */
enum order { COPIED, BY_ROWS, BY_COLUMNS };

enum shape { PLAIN, DYNAMIC, DIAGONAL, SQUARE };

struct transpose_kernel {
    void (*body)(struct bsim_cta *cta);
    enum order order;
    enum shape shape;
    uint32_t unroll; /* blocks' widths that a block moves */
};

enum {
    COPY_ROW,
    COPY_COL,
    NAIVE_ROW,
    NAIVE_COL,
    UNROLL4_ROW,
    UNROLL4_COL,
    DIAGONAL_ROW,
    SHARED,
    SHARED_DYN,
    SHARED_UNROLL,
    SHARED_UNROLL_DYN,
    COALESCED,
};

static const struct transpose_kernel transpose_kernel[] = {
    [COPY_ROW] = {copy_row, COPIED, PLAIN, 1},
    [COPY_COL] = {copy_col, COPIED, PLAIN, 1},
    [NAIVE_ROW] = {transpose_naive_row, BY_ROWS, PLAIN, 1},
    [NAIVE_COL] = {transpose_naive_col, BY_COLUMNS, PLAIN, 1},
    [UNROLL4_ROW] = {transpose_unroll4_row, BY_ROWS, PLAIN, 4},
    [UNROLL4_COL] = {transpose_unroll4_col, BY_COLUMNS, PLAIN, 4},
    [DIAGONAL_ROW] = {transpose_diagonal_row, BY_ROWS, DIAGONAL, 1},
    [SHARED] = {transpose_shared, BY_ROWS, PLAIN, 1},
    [SHARED_DYN] = {transpose_shared_dyn, BY_ROWS, DYNAMIC, 1},
    [SHARED_UNROLL] = {transpose_shared_unroll, BY_ROWS, PLAIN, 2},
    [SHARED_UNROLL_DYN] = {transpose_shared_unroll_dyn, BY_ROWS, DYNAMIC, 2},
    [COALESCED] = {transpose_coalesced, BY_ROWS, SQUARE, 1},
};

/* The values of the parameters, and what follows from them. */
struct sizes {
    uint32_t nx, ny, bdimx, bdimy, ipad;
    uint32_t width, height; /* of the part of the matrix that a block moves */
    struct bsim_dim3 grid;
};

static struct sizes take_sizes(const struct bsim_emulator *self, const uint32_t *value)
{
    const struct transpose_kernel *kernel = &transpose_kernel[self->variant];
    struct sizes s = {.nx = value[0], .ny = value[1], .bdimx = value[2], .bdimy = value[3]};
    s.ipad = self->n_parameters > 4 ? value[4] : 0;
    s.width = s.bdimx * kernel->unroll;
    s.height = kernel->shape == SQUARE ? s.bdimx : s.bdimy;
    s.grid =
        (struct bsim_dim3){(s.nx + s.width - 1) / s.width, (s.ny + s.height - 1) / s.height, 1};
    return s;
}

/* What the kernel's own bounds test does not see, or has not. */
static enum bsim_status check_sizes(const struct bsim_emulator *self, const struct sizes *s,
                                    struct bsim_error *err)
{
    const struct transpose_kernel *kernel = &transpose_kernel[self->variant];
    if (s->bdimx * s->bdimy > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(
            err, BSIM_E_USAGE, "%s: bdimx=%u times bdimy=%u is more than a block's %d threads",
            self->name, (unsigned)s->bdimx, (unsigned)s->bdimy, BSIM_BLOCK_MAX_THREADS);
    }
    if ((kernel->unroll > 1 || kernel->shape == SQUARE) && s->nx % s->width != 0) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: nx=%u must be a multiple of the %u columns that a block moves",
                              self->name, (unsigned)s->nx, (unsigned)s->width);
    }
    if (kernel->shape == SQUARE && (s->ny % s->height != 0 || s->bdimx % s->bdimy != 0)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: bdimx=%u must divide ny=%u and be a multiple of bdimy=%u",
                              self->name, (unsigned)s->bdimx, (unsigned)s->ny, (unsigned)s->bdimy);
    }
    if (kernel->shape == DIAGONAL && s->grid.x != s->grid.y) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: nx=%u and ny=%u make %u x %u blocks; the kernel needs as many "
                              "rows as columns",
                              self->name, (unsigned)s->nx, (unsigned)s->ny, (unsigned)s->grid.x,
                              (unsigned)s->grid.y);
    }
    return BSIM_OK;
}

/* in[i]: never 0, and different for 16 million elements in a row, which is all that a float can
 * tell apart. */
static float element(uint32_t i)
{
    return (float)(i % (1 << 24) + 1);
}

/* out[] has n_rows of n_columns, and row y has what was column y of in[]; or what was in row y. */
static enum bsim_status check_output(const char *name, enum order order, const float *out,
                                     uint32_t n_rows, uint32_t n_columns, struct bsim_error *err)
{
    for (uint32_t y = 0; y < n_rows; y++) {
        for (uint32_t x = 0; x < n_columns; x++) {
            uint32_t i = y * n_columns + x;
            float expected = element(order == COPIED ? i : x * n_rows + y);
            if (out[i] != expected) {
                return bsim_error_set(err, BSIM_E_KERNEL, "%s: out[%u] is %.0f, expected %.0f",
                                      name, (unsigned)i, (double)out[i], (double)expected);
            }
        }
    }
    return BSIM_OK;
}

static enum bsim_status launch_kernel(const struct bsim_emulator *self, const struct sizes *s,
                                      float *in, float *out, const struct bsim_sink *sink,
                                      struct bsim_error *err)
{
    const struct transpose_kernel *kernel = &transpose_kernel[self->variant];
    struct transpose_arguments a = {in, out, s->nx, s->ny, s->ipad};
    size_t bytes = (size_t)s->nx * s->ny * sizeof(float);
    struct bsim_launch launch = {
        .name = self->name,
        .grid = s->grid,
        .block = {s->bdimx, s->bdimy, 1},
        .body = kernel->body,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, bytes, BSIM_GLOBAL}, {out, bytes, BSIM_GLOBAL}},
    };
    if (kernel->shape == DYNAMIC) {
        launch.dynamic_shared_bytes = s->height * (s->width + s->ipad) * (uint32_t)sizeof(float);
    }
    return bsim_launch_run(&launch, sink, err);
}

static enum bsim_status run_on(const struct bsim_emulator *self, const struct sizes *s, float *in,
                               float *out, const struct bsim_sink *sink, struct bsim_error *err)
{
    enum order order = transpose_kernel[self->variant].order;
    for (uint32_t i = 0; i < s->nx * s->ny; i++) {
        in[i] = element(i);
    }
    enum bsim_status status = launch_kernel(self, s, in, out, sink, err);
    if (status != BSIM_OK) {
        return status;
    }
    return order == BY_COLUMNS ? check_output(self->name, order, out, s->ny, s->nx, err)
                               : check_output(self->name, order, out, s->nx, s->ny, err);
}

static enum bsim_status run_transpose(const struct bsim_emulator *self, const uint32_t *value,
                                      const struct bsim_sink *sink, struct bsim_error *err)
{
    struct sizes s = take_sizes(self, value);
    enum bsim_status status = check_sizes(self, &s, err);
    if (status != BSIM_OK) {
        return status;
    }
    float *in = bsim_mem_resize(NULL, (size_t)s.nx * s.ny, sizeof *in);
    float *out = bsim_mem_zeroed((size_t)s.nx * s.ny, sizeof *out);
    if (in != NULL && out != NULL) {
        status = run_on(self, &s, in, out, sink, err);
    } else {
        status = bsim_error_set(err, BSIM_E_MEMORY, "no memory for the matrices of %s", self->name);
    }
    bsim_mem_free(in);
    bsim_mem_free(out);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define NX_HELP "columns of the matrix"
#define NY_HELP "rows of the matrix"

/* The padding is the fifth: kernels without it take four. */
static const struct bsim_parameter parameters[] = {
    {"nx", NX_HELP, 1024, 1, 8192},
    {"ny", NY_HELP, 1024, 1, 8192},
    {"bdimx", "width of the block", 32, 1, 1024},
    {"bdimy", "height of the block", 16, 1, 1024},
    {"ipad", "padding columns of the tile", 2, 0, 32},
};
static const struct bsim_parameter diagonal_parameters[] = {
    {"nx", NX_HELP, 1024, 1, 8192},
    {"ny", NY_HELP, 1024, 1, 8192},
    {"bdimx", "width of the block", 16, 1, 1024},
    {"bdimy", "height of the block; as many blocks as in a row", 16, 1, 1024},
};
static const struct bsim_parameter square_parameters[] = {
    {"nx", NX_HELP, 1024, 1, 8192},
    {"ny", NY_HELP, 1024, 1, 8192},
    {"bdimx", "width of the block; width and height of the tile", 32, 1, 128},
    {"bdimy", "height of the block; divides bdimx", 8, 1, 128},
    {"ipad", "padding columns of the tile", 1, 0, 32},
};

#define TRANSPOSE(id, ORIGINAL, DOCUMENTS, SHOWS, VARIANT, N, PARAMETERS)                     \
    {                                                                                         \
        .name = id, .original = ORIGINAL, .documents = DOCUMENTS, .shows = SHOWS,             \
        .n_parameters = N, .parameters = PARAMETERS, .run = run_transpose, .variant = VARIANT \
    }

const struct bsim_emulator bsim_transpose_emulators[] = {
    TRANSPOSE("copy_row", "copyRow copyGmem", "", "copy a matrix, loads and stores by rows",
              COPY_ROW, 4, parameters),
    TRANSPOSE("copy_col", "copyCol", "", "copy a matrix, loads and stores by columns", COPY_COL, 4,
              parameters),
    TRANSPOSE("transpose_naive_row", "transposeNaiveRow naiveGmem", "",
              "transpose without shared memory, stores by columns", NAIVE_ROW, 4, parameters),
    TRANSPOSE("transpose_naive_col", "transposeNaiveCol", "",
              "transpose without shared memory, loads by columns", NAIVE_COL, 4, parameters),
    TRANSPOSE("transpose_unroll4_row", "transposeUnroll4Row", "",
              "transpose without shared memory, four elements per thread, stores by columns",
              UNROLL4_ROW, 4, parameters),
    TRANSPOSE("transpose_unroll4_col", "transposeUnroll4Col", "",
              "transpose without shared memory, four elements per thread, loads by columns",
              UNROLL4_COL, 4, parameters),
    TRANSPOSE("transpose_diagonal_row", "transposeDiagonalRow", "",
              "transpose without shared memory, blocks along diagonals, stores by columns",
              DIAGONAL_ROW, 4, diagonal_parameters),
    TRANSPOSE("transpose_shared", "transposeShared transposeSmem", "000",
              "transpose through a tile: the load by columns conflicts", SHARED, 4, parameters),
    TRANSPOSE("transpose_shared_pad", "transposeSharedPad transposeSmemPad", "000",
              "transpose through a padded tile: no conflict", SHARED, 5, parameters),
    TRANSPOSE("transpose_shared_dyn", "transposeSmemDyn", "000",
              "transpose through dynamic shared memory: the load by columns conflicts", SHARED_DYN,
              4, parameters),
    TRANSPOSE("transpose_shared_dyn_pad", "transposeSmemPadDyn", "000",
              "transpose through padded dynamic shared memory: no conflict", SHARED_DYN, 5,
              parameters),
    TRANSPOSE("transpose_shared_unroll", "transposeSmemUnroll", "",
              "two tiles side by side: the loads by columns conflict", SHARED_UNROLL, 4,
              parameters),
    TRANSPOSE("transpose_shared_unroll_pad", "transposeSmemUnrollPad", "",
              "two tiles side by side, padded: no conflict", SHARED_UNROLL, 5, parameters),
    TRANSPOSE("transpose_shared_unroll_dyn_pad", "transposeSmemUnrollPadDyn", "",
              "two tiles side by side, dynamic shared memory, padded: no conflict",
              SHARED_UNROLL_DYN, 5, parameters),
    TRANSPOSE("transpose_coalesced", "transposeCoalesced", "",
              "NVIDIA's sample, a square tile: the load by columns conflicts", COALESCED, 4,
              square_parameters),
    TRANSPOSE("transpose_no_bank_conflicts", "transposeNoBankConflicts", "",
              "NVIDIA's sample, a square tile, padded: no conflict", COALESCED, 5,
              square_parameters),
    {0},
};
