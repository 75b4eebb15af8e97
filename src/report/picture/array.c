/* array.c - shared arrays with the bank in each cell, for `where` and for pictures of requests.
 *
 *     tile[32][32] swizzle<5,0,5>: bank of each element
 *           x  0           4           8
 *     y    0    0  1  2  3  4  5  6  7  8 ...
 *     y    1  > 1  0  3  2 ...
 *
 * What lanes ask for stands behind a '>'; with colours each bank has a hue, and what is asked for is
 * bold and underlined. Hues are light: black on them reads at 4.9:1 and more. What does not fit is
 * left out, which the line above says.
 */
#include "report/picture/array.h"

#include "report/element.h"
#include "report/lanes.h"
#include "base/xml.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>

enum {
    LABEL = 7, /* columns of text in front of the cells */
    CELL = 3,
    LABEL_EVERY = 4, /* cells */
    MOST_CELLS = 64, /* in a terminal, however wide */
    CUBE = 16,       /* the first of 6 * 6 * 6 colours of a terminal */
    ROW = 17,        /* of a figure */
    HEAD = 44,       /* title and numbers of columns */
};

/* ---- who asks -------------------------------------------------------------------------------- */

bool bsim_asked_of(const struct bsim_picture *picture, struct bsim_asked *asked)
{
    *asked = (struct bsim_asked){picture->check, &picture->device, &picture->asked, 1, true};
    return picture->check != NULL && picture->request.opcode.space == BSIM_SHARED;
}

uint32_t bsim_asked_lanes(const struct bsim_asked *asked, const struct bsim_tile *tile,
                          uint32_t element)
{
    uint32_t each = tile->array->element_bytes;
    uint32_t begin = element * each;
    uint32_t end = begin + tile->unit * each;
    size_t array = (size_t)(tile->array - bsim_check_contents(asked->check)->array);
    uint32_t lanes = 0;
    for (size_t i = 0; i < asked->n; i++) {
        const struct bsim_check_request *request = &asked->request[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            bool is_its = (request->lanes >> lane & 1) != 0 && request->array[lane] == array;
            if (is_its && request->offset[lane] < end &&
                request->offset[lane] + request->opcode.bytes > begin) {
                lanes |= UINT32_C(1) << lane;
            }
        }
    }
    return lanes;
}

/* Leaves out the rows in front of the first element and behind the last. */
static void trim(struct bsim_tile *tile, uint32_t first, uint32_t end)
{
    uint32_t first_row = first / tile->columns;
    uint32_t end_row = (end - 1) / tile->columns + 1;
    uint32_t drawn_end = tile->from_row + tile->n_rows;
    tile->from_row = first_row > tile->from_row ? first_row : tile->from_row;
    tile->n_rows = (end_row < drawn_end ? end_row : drawn_end) - tile->from_row;
}

bool bsim_asked_tile(const struct bsim_asked *asked, size_t i, uint32_t most_rows,
                     uint32_t most_cells, struct bsim_tile *tile)
{
    const struct bsim_check_array *array = &bsim_check_contents(asked->check)->array[i];
    uint32_t first = UINT32_MAX;
    uint32_t end = 0;
    for (size_t k = 0; k < asked->n * BSIM_WARP_LANES; k++) {
        const struct bsim_check_request *request = &asked->request[k / BSIM_WARP_LANES];
        uint32_t lane = k % BSIM_WARP_LANES;
        if ((request->lanes >> lane & 1) != 0 && request->array[lane] == i) {
            uint32_t element = request->offset[lane] / array->element_bytes;
            first = element < first ? element : first;
            end = element + 1 > end ? element + 1 : end;
        }
    }
    if (end > 0) {
        *tile = bsim_tile_of(array, asked->device, first, end, most_rows, most_cells);
    }
    if (end > 0 && asked->is_picture && array->n_dimensions < 2) {
        trim(tile, first, end);
    }
    return end > 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* "; rows 0-31 of 64, columns 0-31 of 64": nothing if all of it is drawn. */
static void add_window(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    const char *separator = ";";
    if (tile->n_rows == 1 && tile->rows > 1) {
        bsim_buffer_printf(out, "; row %" PRIu32 " of %" PRIu32, tile->from_row, tile->rows);
        separator = ",";
    } else if (tile->n_rows < tile->rows) {
        bsim_buffer_printf(out, "; rows %" PRIu32 "-%" PRIu32 " of %" PRIu32, tile->from_row,
                           tile->from_row + tile->n_rows - 1, tile->rows);
        separator = ",";
    }
    if (tile->n_columns < tile->columns) {
        bsim_buffer_printf(out, "%s columns %" PRIu32 "-%" PRIu32 " of %" PRIu32, separator,
                           tile->from, tile->from + tile->n_columns - 1, tile->columns);
    }
}

void bsim_array_title(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    char plane[sizeof ", plane 4294967295"] = "";
    if (tile->array->n_dimensions > 2) {
        (void)snprintf(plane, sizeof plane, ", plane %" PRIu32,
                       tile->first / (tile->rows * tile->columns));
    }
    bsim_array_text(tile->array, plane, out);
    bsim_buffer_text(out, ": bank of each ");
    if (tile->unit > 1) {
        bsim_buffer_printf(out, "%" PRIu32 " %s", tile->unit,
                           tile->array->element != NULL ? "elements" : "bytes");
    } else {
        bsim_buffer_printf(out, "element%s",
                           tile->array->element_bytes > tile->device->stride_bytes
                               ? ", the first of its banks"
                               : "");
    }
    add_window(tile, out);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Red, green and blue of the bank's hue, 0 to 60: one of them full, none below 24. */
static void mix_hue(const struct bsim_device *device, uint32_t bank, uint32_t rgb[3])
{
    uint32_t at = bank * 6 * 36 / device->n_banks; /* six edges of 36 steps */
    uint32_t rise = 24 + at % 36;
    uint32_t fall = 60 - at % 36;
    const uint32_t edge[6][3] = {{60, rise, 24}, {fall, 60, 24}, {24, 60, rise},
                                 {24, fall, 60}, {rise, 24, 60}, {60, 24, fall}};
    for (uint32_t i = 0; i < 3; i++) {
        rgb[i] = edge[at / 36][i];
    }
}

static void add_cell(const struct bsim_asked *asked, const struct bsim_tile *tile, uint32_t element,
                     bool colour, struct bsim_buffer *out)
{
    uint32_t bank = (uint32_t)bsim_tile_bank(tile, element);
    bool is_asked = bsim_asked_lanes(asked, tile, element) != 0;
    if (colour) {
        uint32_t rgb[3];
        mix_hue(tile->device, bank, rgb);
        bsim_buffer_printf(out, "\x1b[%s38;5;16;48;5;%" PRIu32 "m", is_asked ? "1;4;" : "",
                           CUBE + (rgb[0] + 6) / 12 * 36 + (rgb[1] + 6) / 12 * 6 +
                               (rgb[2] + 6) / 12);
    }
    bsim_buffer_printf(out, "%c%2" PRIu32 "%s", is_asked ? '>' : ' ', bank,
                       colour ? "\x1b[0m" : "");
}

static void add_columns(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "\n       x");
    for (uint32_t x = 0; x < tile->n_columns; x += LABEL_EVERY * tile->unit) {
        bool is_last = x + LABEL_EVERY * tile->unit >= tile->n_columns;
        bsim_buffer_printf(out, is_last ? " %2" PRIu32 : " %2" PRIu32 "         ", tile->from + x);
    }
    bsim_buffer_text(out, "\n");
}

static void add_row(const struct bsim_asked *asked, const struct bsim_tile *tile, uint32_t y,
                    bool colour, struct bsim_buffer *out)
{
    bool has_rows = tile->array->n_dimensions >= 2;
    bsim_buffer_printf(out, "%c %4" PRIu32 "  ", has_rows ? 'y' : 'i',
                       has_rows ? y : y * tile->columns);
    for (uint32_t x = tile->from; x < tile->from + tile->n_columns; x += tile->unit) {
        uint32_t element = bsim_tile_element(tile, y, x);
        if (bsim_tile_bank(tile, element) >= 0) {
            add_cell(asked, tile, element, colour, out);
        }
    }
    bsim_buffer_text(out, "\n");
}

/* A multiple of the labels' distance. */
static uint32_t cells_in(uint32_t columns)
{
    uint32_t n = columns > LABEL + 1 ? (columns - LABEL - 1) / CELL / LABEL_EVERY * LABEL_EVERY : 0;
    return columns == 0      ? BSIM_ARRAY_CELLS
           : n < LABEL_EVERY ? LABEL_EVERY
           : n > MOST_CELLS  ? MOST_CELLS
                             : n;
}

void bsim_arrays_text(const struct bsim_asked *asked, bool colour, uint32_t columns,
                      struct bsim_buffer *out)
{
    for (size_t i = 0; i < bsim_check_contents(asked->check)->n_arrays; i++) {
        struct bsim_tile tile;
        if (bsim_asked_tile(asked, i, BSIM_ARRAY_ROWS, cells_in(columns), &tile)) {
            bsim_buffer_text(out, "\n");
            bsim_array_title(&tile, out);
            add_columns(&tile, out);
            for (uint32_t y = tile.from_row; y < tile.from_row + tile.n_rows; y++) {
                add_row(asked, &tile, y, colour, out);
            }
        }
    }
}

/* ---- a figure -------------------------------------------------------------------------------- */

static void add_box(const struct bsim_asked *asked, const struct bsim_tile *tile, uint32_t element,
                    const int at[3], struct bsim_buffer *out)
{
    uint32_t bank = (uint32_t)bsim_tile_bank(tile, element);
    uint32_t lanes = bsim_asked_lanes(asked, tile, element);
    uint32_t rgb[3];
    mix_hue(tile->device, bank, rgb);
    bsim_buffer_printf(out,
                       "<g><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                       "fill=\"#%02x%02x%02x\" stroke=\"%s\" stroke-width=\"%s\"/>"
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"10\"%s>%" PRIu32
                       "</text>",
                       at[0] + 1, at[1] + 1, at[2] - 2, ROW - 2, (unsigned)rgb[0] * 17 / 4,
                       (unsigned)rgb[1] * 17 / 4, (unsigned)rgb[2] * 17 / 4,
                       lanes != 0 ? "#111" : "none", lanes != 0 ? "2" : "0", at[0] + at[2] / 2,
                       at[1] + 12, lanes != 0 ? " font-weight=\"bold\"" : "", bank);
    if (lanes != 0) {
        bsim_buffer_text(out, "<title>");
        bsim_lanes_text(lanes, out);
        bsim_buffer_printf(out, ", bank %" PRIu32 "</title>", bank);
    }
    bsim_buffer_text(out, "</g>\n");
}

static void add_number(int x, int y, const char *anchor, uint32_t number, struct bsim_buffer *out)
{
    bsim_buffer_printf(out,
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"11\" "
                       "fill=\"#555\">%" PRIu32 "</text>\n",
                       x, y, anchor, number);
}

static void add_grid(const struct bsim_asked *asked, const struct bsim_tile *tile, int left,
                     int step, int top, struct bsim_buffer *out)
{
    struct bsim_buffer title = BSIM_BUFFER_EMPTY;
    bool has_rows = tile->array->n_dimensions >= 2;
    bsim_array_title(tile, &title);
    bsim_buffer_printf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", left, top + 18);
    bsim_xml_text(title.data != NULL ? title.data : "", out);
    bsim_buffer_text(out, "</text>\n");
    out->failed = out->failed || title.failed;
    bsim_buffer_free(&title);
    for (uint32_t x = 0; x < tile->n_columns; x += LABEL_EVERY * tile->unit) {
        add_number(left + step * (int)(x / tile->unit) + step / 2, top + HEAD - 6, "middle",
                   tile->from + x, out);
    }
    for (uint32_t row = 0; row < tile->n_rows; row++) {
        uint32_t y = tile->from_row + row;
        int at[3] = {left, top + HEAD + ROW * (int)row, step};
        add_number(left - 10, at[1] + 12, "end", has_rows ? y : y * tile->columns, out);
        for (uint32_t x = 0; x < tile->n_columns; x += tile->unit, at[0] += step) {
            uint32_t element = bsim_tile_element(tile, y, tile->from + x);
            if (bsim_tile_bank(tile, element) >= 0) {
                add_box(asked, tile, element, at, out);
            }
        }
    }
}

int bsim_arrays_svg(const struct bsim_asked *asked, int left, int step, int top,
                    struct bsim_buffer *out)
{
    for (size_t i = 0; i < bsim_check_contents(asked->check)->n_arrays; i++) {
        struct bsim_tile tile;
        if (bsim_asked_tile(asked, i, BSIM_ARRAY_ROWS, BSIM_ARRAY_CELLS, &tile)) {
            if (out != NULL) {
                add_grid(asked, &tile, left, step, top, out);
            }
            top += HEAD + ROW * (int)tile.n_rows + 10;
        }
    }
    return top;
}
