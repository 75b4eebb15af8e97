/* square.c - one block, one square tile: the CUDA book's setRowReadCol and its relatives.
 *
 * The kernels stand in documents 000 (writeRowReadRow, ...) and 002 (setRowReadRow, ...), for 32 x
 * 32 threads; those that neither spells out are made after the same pattern. A tile that is written
 * by rows and read by columns is a matrix transpose. `int` there is `unsigned` here; IPAD is the
 * parameter ipad, 0 in the kernels without padding.
 *
 * The wavefronts per warp on 32 banks of 4 bytes, at 32 x 32: by rows 1; by columns 32; by columns
 * with an odd ipad 1.
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
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
    }
    STORE(tile[threadIdx.y][threadIdx.x], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.x][threadIdx.y]);
    STORE(a->out[idx[t]], v[t]);
}

KERNEL(set_col_read_row)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, a->bdimy, a->bdimx + a->ipad);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
    }
    STORE(tile[threadIdx.x][threadIdx.y], idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.y][threadIdx.x]);
    STORE(a->out[idx[t]], v[t]);
}

/* ---- dynamic shared memory ------------------------------------------------------------------ */

KERNEL(set_row_read_row_dyn)
{
    const struct bsim_tile_arguments *a = ARGUMENTS;
    SHARED_DYNAMIC(unsigned, tile);
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
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
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        col_idx[t] = threadIdx.x * (blockDim.y + a->ipad) + threadIdx.y;
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
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
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        col_idx[t] = threadIdx.x * (blockDim.x + a->ipad) + threadIdx.y;
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
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
    PER_THREAD(unsigned, row_idx);
    PER_THREAD(unsigned, col_idx);
    PER_THREAD(unsigned, g_idx);
    PER_THREAD(unsigned, v);

    EACH_THREAD {
        row_idx[t] = threadIdx.y * (blockDim.x + a->ipad) + threadIdx.x;
        col_idx[t] = threadIdx.x * (blockDim.x + a->ipad) + threadIdx.y;
        g_idx[t] = threadIdx.y * blockDim.x + threadIdx.x;
    }
    STORE(tile[col_idx[t]], g_idx[t]);
    SYNCTHREADS();
    LOAD(v[t], tile[row_idx[t]]);
    STORE(a->out[g_idx[t]], v[t]);
}

/* ---- the table ------------------------------------------------------------------------------ */

enum { ROW_ROW, ROW_COL, COL_COL, COL_ROW, ROW_ROW_DYN, ROW_COL_DYN, COL_COL_DYN, COL_ROW_DYN };

static const struct bsim_tile_kernel square_kernel[] = {
    [ROW_ROW] = {set_row_read_row, BSIM_TILE_SAME, false, false},
    [ROW_COL] = {set_row_read_col, BSIM_TILE_ROWS_TO_COLUMNS, false, false},
    [COL_COL] = {set_col_read_col, BSIM_TILE_SAME, false, true},
    [COL_ROW] = {set_col_read_row, BSIM_TILE_COLUMNS_TO_ROWS, false, false},
    [ROW_ROW_DYN] = {set_row_read_row_dyn, BSIM_TILE_SAME, true, false},
    [ROW_COL_DYN] = {set_row_read_col_dyn, BSIM_TILE_ROWS_TO_COLUMNS, true, false},
    [COL_COL_DYN] = {set_col_read_col_dyn, BSIM_TILE_SAME, true, true},
    [COL_ROW_DYN] = {set_col_read_row_dyn, BSIM_TILE_COLUMNS_TO_ROWS, true, false},
};

static enum bsim_status run_square(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    if (value[0] != value[1]) {
        return bsim_error_set(
            err, BSIM_E_USAGE, "%s: bdimx=%u and bdimy=%u must be equal; rect_%s takes others",
            self->name, (unsigned)value[0], (unsigned)value[1], self->name + sizeof "square_" - 1);
    }
    return bsim_tile_run(self, &square_kernel[self->variant], value, sink, err);
}

static const struct bsim_parameter square_parameters[] = {
    {"bdimx", "width of the block and the tile", 32, 1, 32},
    {"bdimy", "height of the block and the tile; as bdimx", 32, 1, 32},
    {"ipad", "padding columns of the tile", 1, 0, 32},
};

#define SQUARE(id, ORIGINAL, DOCUMENTS, SHOWS, VARIANT, N_PARAMETERS)                       \
    {                                                                                       \
        .name = "square_" id, .original = ORIGINAL, .documents = DOCUMENTS, .shows = SHOWS, \
        .n_parameters = N_PARAMETERS, .parameters = square_parameters, .run = run_square,   \
        .variant = VARIANT                                                                  \
    }

const struct bsim_emulator bsim_square_emulators[] = {
    SQUARE("set_row_read_row", "setRowReadRow writeRowReadRow", "000 002",
           "store and load by rows: no conflict", ROW_ROW, 2),
    SQUARE("set_row_read_row_pad", "setRowReadRowPad", "",
           "store and load by rows, padded: no conflict either", ROW_ROW, 3),
    SQUARE("set_row_read_row_dyn", "setRowReadRowDyn writeRowReadRowDynamic", "000",
           "store and load by rows, dynamic shared memory", ROW_ROW_DYN, 2),
    SQUARE("set_row_read_row_dyn_pad", "setRowReadRowDynPad", "",
           "store and load by rows, dynamic shared memory, padded", ROW_ROW_DYN, 3),
    SQUARE("set_row_read_col", "setRowReadCol", "002",
           "store by rows, load by columns: the load conflicts", ROW_COL, 2),
    SQUARE("set_row_read_col_pad", "setRowReadColPad", "002",
           "store by rows, load by columns, padded: no conflict", ROW_COL, 3),
    SQUARE("set_row_read_col_dyn", "setRowReadColDyn", "002",
           "store by rows, load by columns, dynamic shared memory: the load conflicts", ROW_COL_DYN,
           2),
    SQUARE("set_row_read_col_dyn_pad", "setRowReadColDynPad", "002",
           "store by rows, load by columns, dynamic shared memory, padded: no conflict",
           ROW_COL_DYN, 3),
    SQUARE("set_col_read_col", "setColReadCol writeColReadCol", "000 002",
           "store and load by columns: both conflict", COL_COL, 2),
    SQUARE("set_col_read_col_pad", "setColReadColPad writeColReadColPad", "000",
           "store and load by columns, padded: no conflict", COL_COL, 3),
    SQUARE("set_col_read_col_dyn", "setColReadColDyn writeColReadColDynamic", "000",
           "store and load by columns, dynamic shared memory: both conflict", COL_COL_DYN, 2),
    SQUARE("set_col_read_col_dyn_pad", "setColReadColDynPad writeColReadColDynamicPad", "000",
           "store and load by columns, dynamic shared memory, padded: no conflict", COL_COL_DYN, 3),
    SQUARE("set_col_read_row", "setColReadRow", "",
           "store by columns, load by rows: the store conflicts", COL_ROW, 2),
    SQUARE("set_col_read_row_pad", "setColReadRowPad", "",
           "store by columns, load by rows, padded: no conflict", COL_ROW, 3),
    SQUARE("set_col_read_row_dyn", "setColReadRowDyn", "",
           "store by columns, load by rows, dynamic shared memory: the store conflicts",
           COL_ROW_DYN, 2),
    SQUARE("set_col_read_row_dyn_pad", "setColReadRowDynPad", "",
           "store by columns, load by rows, dynamic shared memory, padded: no conflict",
           COL_ROW_DYN, 3),
    {0},
};
