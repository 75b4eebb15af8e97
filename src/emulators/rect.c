/* rect.c - one block, one tile that is wider than high: square.c's kernels for any shape.
 *
 * The kernels stand in document 002, for 32 x 16 threads. There the column of the tile that a warp
 * reads is found from the thread's number, counted in steps of the tile's height:
 *
 *     irow = idx / blockDim.y, icol = idx % blockDim.y:  tile[icol][irow]
 *
 * as [threadIdx.x][threadIdx.y] would leave the tile. The other way is to turn the tile: it is
 * declared with bdimx rows of bdimy, and [threadIdx.x][threadIdx.y] fits. Without padding the two
 * count the same, with it they do not, so it matters which program has which:
 *
 *     the tile               000's program                          the book's, 002's
 *     bdimy rows of bdimx    writeColReadCol, writeColReadColPad,   setColReadCol2
 *                            ...Dynamic, ...DynamicPad,
 *                            writeColReadRow
 *     bdimx rows of bdimy    writeColReadColT                       setColReadCol, and in the
 *                                                                   solutions setColReadRowPad
 *
 * The kernels of the turned tile have `turned` in their names, but for set_col_read_col, of which
 * set_col_read_col2 is the wide form. Combinations that no program has are made after the same
 * pattern: a store by columns and load by rows has the two places of the opposite swapped. `int`
 * there is `unsigned` here; IPAD is the parameter ipad, 0 in the kernels without padding.
 *
 * The wavefronts per warp on 32 banks of 4 bytes, at 32 x 16: by rows 1; tile[icol][irow] 16, and 1
 * with ipad=2; tile[threadIdx.x][threadIdx.y] 16, 2 with ipad=2, and 1 with ipad=1.
 */
#include "emulators/emulators.h"

#include <banksim/kernel.h>

/* ---- static shared memory ------------------------------------------------------------------- */

KERNEL(set_row_read_row)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimy, a->bdimx + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
    }
    STORE(tile[threadIdx.y][threadIdx.x], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.y][threadIdx.x]);
    STORE(a->out[idx[t]], v[t]);
}

KERNEL(set_col_read_col)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimx, a->bdimy + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
    }
    STORE(tile[threadIdx.x][threadIdx.y], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.x][threadIdx.y]);
    STORE(a->out[idx[t]], v[t]);
}

KERNEL(set_row_read_col)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimy, a->bdimx + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = idx[t] / blockDim.y;
        icol[t] = idx[t] % blockDim.y;
    }
    STORE(tile[threadIdx.y][threadIdx.x], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[icol[t]][irow[t]]);
    STORE(a->out[idx[t]], v[t]);
}

/* The wide tile, by the columns that irow and icol count. */
KERNEL(set_col_read_col2)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimy, a->bdimx + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = idx[t] / blockDim.y;
        icol[t] = idx[t] % blockDim.y;
    }
    STORE(tile[icol[t]][irow[t]], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[icol[t]][irow[t]]);
    STORE(a->out[idx[t]], v[t]);
}

KERNEL(set_col_read_row)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimy, a->bdimx + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = idx[t] / blockDim.y;
        icol[t] = idx[t] % blockDim.y;
    }
    STORE(tile[icol[t]][irow[t]], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.y][threadIdx.x]);
    STORE(a->out[idx[t]], v[t]);
}

/* A row of the turned tile has bdimy words: irow and icol count along it. */
KERNEL(set_col_read_row_turned)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimx, a->bdimy + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = idx[t] / blockDim.y;
        icol[t] = idx[t] % blockDim.y;
    }
    STORE(tile[threadIdx.x][threadIdx.y], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[irow[t]][icol[t]]);
    STORE(a->out[idx[t]], v[t]);
}

/* ---- dynamic shared memory ------------------------------------------------------------------ */

KERNEL(set_row_read_row_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
    }
    STORE(tile[row_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[row_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

KERNEL(set_col_read_col_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = g_idx[t] / blockDim.y;
        icol[t] = g_idx[t] % blockDim.y;
        col_idx[t] = icol[t] * (blockDim.x + a->ipad) + irow[t];
    }
    STORE(tile[col_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[col_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

KERNEL(set_col_read_col_turned_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        col_idx[t] = threadIdx.x * (blockDim.y + a->ipad) + threadIdx.y;
    }
    STORE(tile[col_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[col_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

KERNEL(set_row_read_col_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = g_idx[t] / blockDim.y;
        icol[t] = g_idx[t] % blockDim.y;
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        col_idx[t] = icol[t] * (blockDim.x + a->ipad) + irow[t];
    }
    STORE(tile[row_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[col_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

KERNEL(set_col_read_row_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, irow);
    PER_THREAD(unsigned, icol);
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
        irow[t] = g_idx[t] / blockDim.y;
        icol[t] = g_idx[t] % blockDim.y;
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        col_idx[t] = icol[t] * (blockDim.x + a->ipad) + irow[t];
    }
    STORE(tile[col_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[row_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

/* ---- the table ------------------------------------------------------------------------------ */

enum {
    ROW_ROW,
    ROW_COL,
    COL_COL,
    COL_COL2,
    COL_ROW,
    COL_ROW_TURNED,
    ROW_ROW_DYN,
    ROW_COL_DYN,
    COL_COL_DYN,
    COL_COL_TURNED_DYN,
    COL_ROW_DYN
};

static const struct bsim_tile_kernel rect_kernel[] = {
    [ROW_ROW] = {set_row_read_row, BSIM_TILE_SAME, false, false},
    [ROW_COL] = {set_row_read_col, BSIM_TILE_ROWS_TO_COLUMNS, false, false},
    [COL_COL] = {set_col_read_col, BSIM_TILE_SAME, false, true},
    [COL_ROW] = {set_col_read_row, BSIM_TILE_COLUMNS_TO_ROWS, false, false},
    [ROW_ROW_DYN] = {set_row_read_row_dyn, BSIM_TILE_SAME, true, false},
    [ROW_COL_DYN] = {set_row_read_col_dyn, BSIM_TILE_ROWS_TO_COLUMNS, true, false},
    [COL_COL2] = {set_col_read_col2, BSIM_TILE_SAME, false, false},
    [COL_ROW_TURNED] = {set_col_read_row_turned, BSIM_TILE_ROWS_TO_COLUMNS, false, true},
    [COL_COL_DYN] = {set_col_read_col_dyn, BSIM_TILE_SAME, true, false},
    [COL_COL_TURNED_DYN] = {set_col_read_col_turned_dyn, BSIM_TILE_SAME, true, true},
    [COL_ROW_DYN] = {set_col_read_row_dyn, BSIM_TILE_COLUMNS_TO_ROWS, true, false},
};

static enum bsim_status run_rect(const struct bsim_emulator *self, const uint32_t *value,
                                 const struct bsim_sink *sink, struct bsim_error *err)
{
    if (value[0] * value[1] > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(
            err, BSIM_E_USAGE, "%s: bdimx=%u times bdimy=%u is more than a block's %d threads",
            self->name, (unsigned)value[0], (unsigned)value[1], BSIM_BLOCK_MAX_THREADS);
    }
    return bsim_tile_run(self, &rect_kernel[self->variant], value, sink, err);
}

static const struct bsim_parameter rect_parameters[] = {
    {"bdimx", "width of the block and the tile", 32, 1, 1024},
    {"bdimy", "height of the block and the tile", 16, 1, 1024},
    {"ipad", "padding columns of the tile", 2, 0, 32},
};

#define RECT(id, ORIGINAL, DOCUMENTS, SHOWS, VARIANT, N_PARAMETERS)                       \
    {                                                                                     \
        .name = "rect_" id, .original = ORIGINAL, .documents = DOCUMENTS, .shows = SHOWS, \
        .n_parameters = N_PARAMETERS, .parameters = rect_parameters, .run = run_rect,     \
        .variant = VARIANT                                                                \
    }

const struct bsim_emulator bsim_rect_emulators[] = {
    RECT("set_row_read_row", "setRowReadRow writeRowReadRow", "000 002",
         "store and load by rows: no conflict", ROW_ROW, 2),
    RECT("set_row_read_row_pad", "setRowReadRowPad", "",
         "store and load by rows, padded: no conflict either", ROW_ROW, 3),
    RECT("set_row_read_row_dyn", "setRowReadRowDyn writeRowReadRowDynamic", "000",
         "store and load by rows, dynamic shared memory", ROW_ROW_DYN, 2),
    RECT("set_row_read_row_dyn_pad", "setRowReadRowDynPad", "",
         "store and load by rows, dynamic shared memory, padded", ROW_ROW_DYN, 3),
    RECT("set_row_read_col", "setRowReadCol writeRowReadCol", "000 002",
         "store by rows, load by columns: the load conflicts", ROW_COL, 2),
    RECT("set_row_read_col_pad", "setRowReadColPad", "002",
         "store by rows, load by columns, padded: no conflict", ROW_COL, 3),
    RECT("set_row_read_col_dyn", "setRowReadColDyn", "002",
         "store by rows, load by columns, dynamic shared memory: the load conflicts", ROW_COL_DYN,
         2),
    RECT("set_row_read_col_dyn_pad", "setRowReadColDynPad", "002",
         "store by rows, load by columns, dynamic shared memory, padded: no conflict", ROW_COL_DYN,
         3),
    RECT("set_col_read_col", "setColReadCol writeColReadColT", "000 002",
         "store and load by columns, the tile turned to 32 x 16: both conflict", COL_COL, 2),
    RECT("set_col_read_col2", "setColReadCol2 writeColReadCol", "000 002",
         "store and load by columns, the tile 16 x 32: both conflict", COL_COL2, 2),
    RECT("set_col_read_col_pad", "setColReadColPad writeColReadColPad", "000",
         "store and load by columns, the tile 16 x 32, padded: no conflict", COL_COL2, 3),
    RECT("set_col_read_col_dyn", "setColReadColDyn writeColReadColDynamic", "000",
         "store and load by columns, the tile 16 x 32, dynamic shared memory: both conflict",
         COL_COL_DYN, 2),
    RECT("set_col_read_col_dyn_pad", "setColReadColDynPad writeColReadColDynamicPad", "000",
         "store and load by columns, the tile 16 x 32, dynamic shared memory, padded: no conflict",
         COL_COL_DYN, 3),
    RECT("set_col_read_col_turned_pad", "", "",
         "store and load by columns, the tile turned to 32 x 16, padded: 2-way conflicts, none "
         "with ipad=1",
         COL_COL, 3),
    RECT("set_col_read_col_turned_dyn_pad", "", "",
         "store and load by columns, the tile turned to 32 x 16, dynamic shared memory, padded: "
         "2-way conflicts, none with ipad=1",
         COL_COL_TURNED_DYN, 3),
    RECT("set_col_read_row", "setColReadRow writeColReadRow", "000",
         "store by columns, load by rows: the store conflicts", COL_ROW, 2),
    RECT("set_col_read_row_pad", "", "", "store by columns, load by rows, padded: no conflict",
         COL_ROW, 3),
    RECT("set_col_read_row_turned_pad", "setColReadRowPad", "",
         "store by columns, load by rows, the tile turned to 32 x 16, padded: 2-way conflicts",
         COL_ROW_TURNED, 3),
    RECT("set_col_read_row_dyn", "setColReadRowDyn", "",
         "store by columns, load by rows, dynamic shared memory: the store conflicts", COL_ROW_DYN,
         2),
    RECT("set_col_read_row_dyn_pad", "setColReadRowDynPad", "",
         "store by columns, load by rows, dynamic shared memory, padded: no conflict", COL_ROW_DYN,
         3),
    {0},
};
