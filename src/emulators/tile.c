/* tile.c - launches and checks the kernels of square.c and rect.c: each thread stores its number in
 * a tile of shared memory, and out[] gets what the threads read back. */
#include "emulators/emulators.h"

#include <string.h>

/* A tile of n_rows by n_columns that was filled with 0, 1, 2, ... row by row, read column by
 * column. */
static void read_by_columns(unsigned *out, uint32_t n_rows, uint32_t n_columns)
{
    for (uint32_t column = 0; column < n_columns; column++) {
        for (uint32_t row = 0; row < n_rows; row++) {
            *out++ = row * n_columns + column;
        }
    }
}

/* Filled column by column, read row by row. */
static void read_by_rows(unsigned *out, uint32_t n_rows, uint32_t n_columns)
{
    for (uint32_t row = 0; row < n_rows; row++) {
        for (uint32_t column = 0; column < n_columns; column++) {
            *out++ = column * n_rows + row;
        }
    }
}

static void expect(unsigned *expected, enum bsim_tile_order order, uint32_t bdimx, uint32_t bdimy)
{
    switch (order) {
    case BSIM_TILE_SAME:
        for (uint32_t i = 0; i < bdimx * bdimy; i++) {
            expected[i] = i;
        }
        break;
    case BSIM_TILE_ROWS_TO_COLUMNS:
        read_by_columns(expected, bdimy, bdimx);
        break;
    case BSIM_TILE_COLUMNS_TO_ROWS:
        read_by_rows(expected, bdimy, bdimx);
        break;
    }
}

static uint32_t tile_bytes(const struct bsim_tile_kernel *kernel,
                           const struct bsim_tile_arguments *a)
{
    uint32_t n_rows = kernel->is_turned ? a->bdimx : a->bdimy;
    uint32_t n_columns = kernel->is_turned ? a->bdimy : a->bdimx;
    return n_rows * (n_columns + a->ipad) * (uint32_t)sizeof(unsigned);
}

enum bsim_status bsim_tile_run(const struct bsim_emulator *self,
                               const struct bsim_tile_kernel *kernel, const uint32_t *value,
                               const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned out[BSIM_BLOCK_MAX_THREADS] = {0};
    unsigned expected[BSIM_BLOCK_MAX_THREADS];
    struct bsim_tile_arguments a = {
        .out = out,
        .ipad = self->n_parameters > 2 ? value[2] : 0,
        .bdimx = value[0],
        .bdimy = value[1],
    };
    size_t n = (size_t)a.bdimx * a.bdimy;
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {a.bdimx, a.bdimy, 1},
        .dynamic_shared_bytes = kernel->is_dynamic ? tile_bytes(kernel, &a) : 0,
        .body = kernel->body,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, n * sizeof out[0], BSIM_GLOBAL}},
    };
    expect(expected, kernel->order, a.bdimx, a.bdimy);
    return bsim_launch_check(&launch, out, expected, n, sink, err);
}
