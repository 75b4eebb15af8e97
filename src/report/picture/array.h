/* array.h - shared arrays with the bank in each cell, and who asks for which; see array.c. */
#ifndef BSIM_REPORT_PICTURE_ARRAY_H
#define BSIM_REPORT_PICTURE_ARRAY_H

#include "report/tile.h"

#include <banksim/report.h>

/* Requests to shared memory of a check, whose arrays are drawn. */
struct bsim_asked {
    const struct bsim_check *check;
    const struct bsim_device *device;
    const struct bsim_check_request *request;
    size_t n;
    bool
        is_picture; /* of arrays of one dimension, all of whose rows are alike, those asked for alone */
};

/* What a picture asks for; false where it has no check, or the request is to other memory. */
bool bsim_asked_of(const struct bsim_picture *picture, struct bsim_asked *asked);

/* The part of array i that is drawn, with the first element that is asked for, in at most so many
 * rows and cells. False if nobody asks for any. */
bool bsim_asked_tile(const struct bsim_asked *asked, size_t i, uint32_t most_rows,
                     uint32_t most_cells, struct bsim_tile *tile);

/* The lanes that ask for the cell that begins with this element. */
uint32_t bsim_asked_lanes(const struct bsim_asked *asked, const struct bsim_tile *tile,
                          uint32_t element);

/* "tile[32][32] swizzle<5,0,5>: bank of each element; rows 0-31 of 64" */
void bsim_array_title(const struct bsim_tile *tile, struct bsim_buffer *out);

enum { BSIM_ARRAY_ROWS = 32, BSIM_ARRAY_CELLS = 32 };

/* Each array that is asked about, below an empty line, in so many columns of a terminal (0: it is
 * none). */
void bsim_arrays_text(const struct bsim_asked *asked, bool colour, uint32_t columns,
                      struct bsim_buffer *out);

/* The same in a figure, from y = top on, in the columns from x = left, a cell `step` wide; returns
 * where it ends. out NULL: that alone. */
int bsim_arrays_svg(const struct bsim_asked *asked, int left, int step, int top,
                    struct bsim_buffer *out);

#endif
