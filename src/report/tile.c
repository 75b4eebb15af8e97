/* tile.c - the part of a shared array that a picture has room for, and the bank of each cell. A cell
 * is an element, or as many narrow ones as fill a bank's word, if they lie in it together. */
#include "report/tile.h"

#include "layout/place.h"
#include "model/bank.h"

/* The bank of so many elements from i on, or -1: they do not lie in one together. */
static int32_t bank_of(const struct bsim_tile *tile, uint32_t i, uint32_t n)
{
    const struct bsim_check_array *array = tile->array;
    uint32_t place;
    if (!bsim_array_map(array, i * array->element_bytes, n * array->element_bytes, &place)) {
        return -1;
    }
    uint32_t begin = array->offset_bytes + place;
    uint32_t end = begin + n * array->element_bytes - 1;
    return n > 1 && begin / tile->device->stride_bytes != end / tile->device->stride_bytes
               ? -1
               : bsim_bank_cell(tile->device, begin, 1, 0).bank;
}

/* Elements that one cell stands for: a power of two. */
static uint32_t unit_of(const struct bsim_tile *tile)
{
    uint32_t unit = 1;
    while (2 * unit * tile->array->element_bytes <= tile->device->stride_bytes &&
           tile->columns % (2 * unit) == 0) {
        unit *= 2;
    }
    for (uint32_t i = 0; i < tile->rows * tile->columns && unit > 1; i += unit) {
        while (bank_of(tile, tile->first + i, unit) < 0) {
            unit /= 2;
        }
    }
    return unit;
}

/* At most `most` of n, among them `wanted`: the first one. */
static uint32_t window(uint32_t n, uint32_t most, uint32_t wanted, uint32_t *size)
{
    *size = n < most ? n : most;
    uint32_t from = wanted / most * most;
    return from + *size > n ? n - *size : from;
}

struct bsim_tile bsim_tile_of(const struct bsim_check_array *array,
                              const struct bsim_device *device, uint32_t wanted, uint32_t end,
                              uint32_t most_rows, uint32_t most_cells)
{
    struct bsim_tile tile = {.array = array, .device = device};
    uint32_t all_banks = device->n_banks * device->stride_bytes / array->element_bytes;
    tile.n = array->is_extern ? end : array->size_bytes / array->element_bytes;
    if (array->n_dimensions >= 2) {
        tile.columns = array->dimension[array->n_dimensions - 1];
        tile.rows = array->dimension[array->n_dimensions - 2];
    } else {
        tile.columns = all_banks > 0 && all_banks < tile.n ? all_banks : tile.n;
    }
    if (array->n_dimensions < 2 || tile.rows == 0) {
        tile.rows = (tile.n + tile.columns - 1) / tile.columns;
    }
    tile.first = wanted / (tile.rows * tile.columns) * (tile.rows * tile.columns);
    tile.unit = unit_of(&tile);
    wanted -= tile.first;
    tile.from_row = window(tile.rows, most_rows, wanted / tile.columns, &tile.n_rows);
    tile.from =
        window(tile.columns, most_cells * tile.unit, wanted % tile.columns, &tile.n_columns);
    return tile;
}

uint32_t bsim_tile_element(const struct bsim_tile *tile, uint32_t row, uint32_t column)
{
    return tile->first + row * tile->columns + column;
}

int32_t bsim_tile_bank(const struct bsim_tile *tile, uint32_t element)
{
    return element < tile->n || tile->array->is_extern ? bank_of(tile, element, tile->unit) : -1;
}
