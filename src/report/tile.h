/* tile.h - the part of a shared array that a picture has room for, and the bank of each cell. */
#ifndef BSIM_REPORT_TILE_H
#define BSIM_REPORT_TILE_H

#include <banksim/expr.h>

/* Rows of so many elements, of which those from `from_row` and `from` on are drawn, in cells of
 * `unit` elements. Of an array of one dimension a row goes once through all banks; of one of three
 * or more the rows are those of one plane. */
struct bsim_tile {
    const struct bsim_check_array *array;
    const struct bsim_device *device;
    uint32_t first;             /* element, of the plane */
    uint32_t n;                 /* elements of the array; of an extern one as far as is known */
    uint32_t rows, columns;     /* of the plane */
    uint32_t from_row, from;    /* the first row and column that are drawn */
    uint32_t n_rows, n_columns; /* that are drawn */
    uint32_t unit;
};

/* At most so many rows and cells a row of the plane with element `wanted`, which is among them. end:
 * elements of an extern array, as far as is known. */
struct bsim_tile bsim_tile_of(const struct bsim_check_array *array,
                              const struct bsim_device *device, uint32_t wanted, uint32_t end,
                              uint32_t most_rows, uint32_t most_cells);

/* The element that a cell begins with. */
uint32_t bsim_tile_element(const struct bsim_tile *tile, uint32_t row, uint32_t column);

/* The bank of the cell that begins with this element; of an element of several words the first one's.
 * -1: the array ends before it. */
int32_t bsim_tile_bank(const struct bsim_tile *tile, uint32_t element);

#endif
