/* where.c - where elements lie: byte, word and bank of what each lane asks for, and their tile drawn
 * with the bank in each cell.
 *
 *     element      bytes  byte  address  word  bank
 *     tile[5][25]      4   752      752   188    28
 *
 *     tile[32][32] swizzle<5,0,5>: bank of each element [y][x]
 *           x 0           4           8
 *     y 0     0   1   2   3   4   5   6   7   8 ...
 *
 * What does not fit is left out, which the line above says; what was asked for is in the picture.
 * Json has the banks of more cells, for programs that draw them.
 */
#include "report/format.h"

#include "model/bank.h"
#include "report/plain.h"
#include "report/tile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define YELLOW "\x1b[33m"
#define PLAIN "\x1b[0m"

enum { MOST_CELLS = 32, MOST_ROWS = 32, LABEL_EVERY = 4, SHOWN_ACCESS = 60 };
enum { DATA_CELLS = 128 }; /* a row, and rows, of json: 60 kB at most */

enum { SHOWS_ACCESS = 1, SHOWS_LANE = 2 };

struct where {
    const struct bsim_check *check;
    const struct bsim_device *device;
    const struct bsim_check_request *request;
    size_t n;
};

static const struct bsim_check_array *array_of(const struct where *where,
                                               const struct bsim_check_request *request,
                                               uint32_t lane)
{
    return &bsim_check_contents(where->check)->array[request->array[lane]];
}

static bool is_active(const struct bsim_check_request *request, uint32_t lane)
{
    return (request->lanes >> lane & 1) != 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct bsim_column columns[] = {
    {"access", .name = "access", .left = true, .most = SHOWN_ACCESS, .only = SHOWS_ACCESS},
    {"lane", .name = "lane", .only = SHOWS_LANE},
    {"thread", .name = "thread", .left = true, .only = SHOWS_LANE},
    {"element", .name = "element", .left = true},
    {"bytes", .name = "bytes"},
    {"byte", .name = "byte"},
    {"address", .name = "address"},
    {"word", .name = "word"},
    {"bank", .name = "bank", .as = BSIM_AS_RANGE, .with = "last_bank"},
};

/* "tile[5][25]", and "+4" if it begins within an element. */
static void put_element(const struct bsim_check_array *array, uint32_t offset, char *out,
                        size_t size)
{
    uint32_t i = offset / array->element_bytes;
    uint32_t within = offset % array->element_bytes;
    uint32_t each = 1;
    size_t used = (size_t)snprintf(out, size, "%.80s", array->name);
    for (uint32_t d = 1; d < array->n_dimensions; d++) {
        each *= array->dimension[d];
    }
    for (uint32_t d = 0; d < array->n_dimensions && used < size; d++) {
        used += (size_t)snprintf(out + used, size - used, "[%" PRIu32 "]", i / each);
        i %= each;
        each /= d + 1 < array->n_dimensions ? array->dimension[d + 1] : 1;
    }
    if (within > 0 && used < size) {
        (void)snprintf(out + used, size - used, "+%" PRIu32, within);
    }
}

/* Whether all lanes that are active have one place. */
static bool is_uniform(const struct bsim_check_request *request)
{
    uint32_t first = 0;
    while (!is_active(request, first)) {
        first++;
    }
    for (uint32_t lane = first; lane < BSIM_WARP_LANES; lane++) {
        if (is_active(request, lane) && request->address[lane] != request->address[first]) {
            return false;
        }
    }
    return true;
}

/* The texts of a row, which borrows them. */
struct texts {
    char element[BSIM_CELL_SIZE], thread[BSIM_CELL_SIZE];
};

static void make_row(const struct where *where, const struct bsim_check_request *request,
                     uint32_t lane, struct texts *texts, struct bsim_row *row)
{
    const struct bsim_check_contents *contents = bsim_check_contents(where->check);
    const struct bsim_check_array *array = array_of(where, request, lane);
    const struct bsim_device *device = where->device;
    uint32_t address = request->address[lane];
    uint32_t bytes = request->opcode.bytes;
    struct bsim_dim3 thread =
        bsim_dim3_thread(contents->kernel->block, request->warp * BSIM_WARP_LANES + lane);
    bool is_known = !is_uniform(request);
    put_element(array, request->offset[lane], texts->element, sizeof texts->element);
    (void)snprintf(texts->thread, sizeof texts->thread, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                   thread.x, thread.y, thread.z);
    row->n = 0;
    bsim_row_text(row, "access", contents->access[request->access].text);
    bsim_row_known(row, "lane", is_known, lane);
    bsim_row_text(row, "thread", is_known ? texts->thread : "");
    bsim_row_text(row, "array", array->name);
    bsim_row_text(row, "element", texts->element);
    bsim_row_number(row, "bytes", bytes);
    bsim_row_number(row, "byte", address - array->offset_bytes);
    bsim_row_number(row, "address", address);
    bsim_row_number(row, "word", address / device->stride_bytes);
    uint32_t words = bsim_bank_words(device, bytes);
    bsim_row_number(row, "bank", bsim_bank_cell(device, address, bytes, 0).bank);
    bsim_row_number(row, "last_bank", bsim_bank_cell(device, address, bytes, words - 1).bank);
}

/* Which columns tell something. */
static uint32_t shown_columns(const struct where *where)
{
    uint32_t shows = where->n > 1 ? SHOWS_ACCESS : 0;
    for (size_t i = 0; i < where->n; i++) {
        shows |= is_uniform(&where->request[i]) ? 0 : SHOWS_ACCESS | SHOWS_LANE;
    }
    return shows;
}

static void add_table(const struct where *where, struct bsim_document *doc)
{
    bsim_document_table(doc, "places", columns, sizeof columns / sizeof columns[0]);
    doc->table.shows = shown_columns(where);
    for (size_t i = 0; i < where->n; i++) {
        const struct bsim_check_request *request = &where->request[i];
        bool is_one = is_uniform(request);
        for (uint32_t lane = 0, n = 0; lane < BSIM_WARP_LANES; lane++) {
            struct bsim_row row;
            struct texts texts;
            if (is_active(request, lane) && !(is_one && n++ > 0)) {
                make_row(where, request, lane, &texts, &row);
                bsim_document_row(doc, &row);
            }
        }
    }
    bsim_document_table_end(doc);
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* Whether some lane asks for one of the cell's elements. */
static bool is_asked(const struct where *where, const struct bsim_tile *tile, uint32_t element)
{
    uint32_t each = tile->array->element_bytes;
    uint32_t begin = element * each;
    uint32_t end = begin + tile->unit * each;
    for (size_t i = 0; i < where->n; i++) {
        const struct bsim_check_request *request = &where->request[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if (is_active(request, lane) && array_of(where, request, lane) == tile->array &&
                request->offset[lane] < end &&
                request->offset[lane] + request->opcode.bytes > begin) {
                return true;
            }
        }
    }
    return false;
}

static void add_dimensions(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    const struct bsim_check_array *array = tile->array;
    uint32_t plane = tile->first / (tile->rows * tile->columns);
    for (uint32_t d = 0; d < array->n_dimensions; d++) {
        if (array->dimension[d] > 0) {
            bsim_buffer_printf(out, "[%" PRIu32 "]", array->dimension[d]);
        } else {
            bsim_buffer_text(out, "[]");
        }
    }
    if (array->n_dimensions > 2) {
        bsim_buffer_printf(out, ", plane %" PRIu32, plane);
    }
    if (array->layout_text != NULL) {
        bsim_buffer_printf(out, " %s", array->layout_text);
    }
}

/* "; rows 0-31 of 64, columns 0-31 of 64": nothing if all of it is drawn. */
static void add_window(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    if (tile->n_rows < tile->rows) {
        bsim_buffer_printf(out, "; rows %" PRIu32 "-%" PRIu32 " of %" PRIu32, tile->from_row,
                           tile->from_row + tile->n_rows - 1, tile->rows);
    }
    if (tile->n_columns < tile->columns) {
        bsim_buffer_printf(out, "; columns %" PRIu32 "-%" PRIu32 " of %" PRIu32, tile->from,
                           tile->from + tile->n_columns - 1, tile->columns);
    }
}

static void add_title(const struct bsim_tile *tile, struct bsim_buffer *out)
{
    char name[SHOWN_ACCESS * 4];
    bsim_buffer_printf(out, "\n%s", bsim_plain(tile->array->name, SHOWN_ACCESS, name, sizeof name));
    add_dimensions(tile, out);
    bsim_buffer_text(out, ": bank of each ");
    if (tile->unit > 1) {
        bsim_buffer_printf(out, "%" PRIu32 " elements", tile->unit);
    } else {
        bsim_buffer_printf(out, "element%s",
                           tile->array->element_bytes > tile->device->stride_bytes
                               ? ", the first of its banks"
                               : "");
    }
    add_window(tile, out);
    bsim_buffer_text(out, "\n       x");
    for (uint32_t x = 0; x < tile->n_columns; x += LABEL_EVERY * tile->unit) {
        bool is_last = x + LABEL_EVERY * tile->unit >= tile->n_columns;
        bsim_buffer_printf(out, is_last ? " %2" PRIu32 : " %2" PRIu32 "         ", tile->from + x);
    }
    bsim_buffer_text(out, "\n");
}

/* What was asked for stands behind a '>', and is coloured. */
static void add_cell(const struct where *where, const struct bsim_tile *tile, uint32_t element,
                     bool colours, struct bsim_buffer *out)
{
    bool asked = is_asked(where, tile, element);
    bool colour = asked && colours;
    bsim_buffer_printf(out, "%s%c%2" PRId32 "%s", colour ? YELLOW : "", asked ? '>' : ' ',
                       bsim_tile_bank(tile, element), colour ? PLAIN : "");
}

static void add_picture(const struct where *where, const struct bsim_tile *tile, bool colours,
                        struct bsim_buffer *out)
{
    add_title(tile, out);
    for (uint32_t y = tile->from_row; y < tile->from_row + tile->n_rows; y++) {
        bool has_rows = tile->array->n_dimensions >= 2;
        bsim_buffer_printf(out, "%c %4" PRIu32 "  ", has_rows ? 'y' : 'i',
                           has_rows ? y : y * tile->columns);
        for (uint32_t x = tile->from; x < tile->from + tile->n_columns; x += tile->unit) {
            uint32_t element = bsim_tile_element(tile, y, x);
            if (bsim_tile_bank(tile, element) >= 0) {
                add_cell(where, tile, element, colours, out);
            }
        }
        bsim_buffer_text(out, "\n");
    }
}

/* The banks of the cells, row after row; null where the array ends before. */
static void add_cells(const struct bsim_tile *tile, struct bsim_document *doc)
{
    const char *separator = "";
    struct bsim_row row = {.n = 0};
    bsim_row_text(&row, "array", tile->array->name);
    bsim_row_number(&row, "element_bytes", tile->array->element_bytes);
    bsim_row_number(&row, "first_element", bsim_tile_element(tile, tile->from_row, tile->from));
    bsim_row_number(&row, "row_elements", tile->columns);
    bsim_row_number(&row, "rows", tile->n_rows);
    bsim_row_number(&row, "columns", tile->n_columns);
    bsim_row_number(&row, "cell_elements", tile->unit);
    bsim_document_open(doc, NULL, &row);
    bsim_buffer_text(doc->out, ", \"banks\": [");
    for (uint32_t y = tile->from_row; y < tile->from_row + tile->n_rows; y++) {
        for (uint32_t x = tile->from; x < tile->from + tile->n_columns; x += tile->unit) {
            int32_t bank = bsim_tile_bank(tile, bsim_tile_element(tile, y, x));
            bsim_buffer_printf(doc->out, bank >= 0 ? "%s%" PRId32 : "%snull", separator, bank);
            separator = ", ";
        }
    }
    bsim_buffer_text(doc->out, "]");
    bsim_document_close(doc);
}

/* What the requests ask for of an array: the first element, and the one behind the last. */
static uint32_t asked_of(const struct where *where, const struct bsim_check_array *array,
                         uint32_t *first)
{
    uint32_t end = 0;
    *first = UINT32_MAX;
    for (size_t i = 0; i < where->n * BSIM_WARP_LANES; i++) {
        const struct bsim_check_request *request = &where->request[i / BSIM_WARP_LANES];
        uint32_t lane = i % BSIM_WARP_LANES;
        if (is_active(request, lane) && array_of(where, request, lane) == array) {
            uint32_t element = request->offset[lane] / array->element_bytes;
            *first = element < *first ? element : *first;
            end = element + 1 > end ? element + 1 : end;
        }
    }
    return end;
}

/* Of each array that is asked about, the part with the first element asked for. */
static void add_pictures(const struct where *where, struct bsim_document *doc)
{
    const struct bsim_check_contents *contents = bsim_check_contents(where->check);
    bool speaks = bsim_document_speaks(doc);
    uint32_t most_cells = speaks ? MOST_CELLS : DATA_CELLS;
    uint32_t most_rows = speaks ? MOST_ROWS : DATA_CELLS;
    for (size_t i = 0; i < contents->n_arrays; i++) {
        uint32_t first;
        uint32_t end = asked_of(where, &contents->array[i], &first);
        if (end > 0) {
            struct bsim_tile tile =
                bsim_tile_of(&contents->array[i], where->device, first, end, most_rows, most_cells);
            if (speaks) {
                add_picture(where, &tile, doc->colour, doc->out);
            } else {
                add_cells(&tile, doc);
            }
        }
    }
}

void bsim_report_where(const struct bsim_check *check, const struct bsim_device *device,
                       const struct bsim_check_request *request, size_t n,
                       const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct where where = {check, device, request, n};
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_row_text(&head, "device", device->name);
    bsim_row_number(&head, "n_banks", device->n_banks);
    bsim_row_number(&head, "bank_bytes", device->stride_bytes);
    bsim_document_begin(&doc, options, &head, out);
    add_table(&where, &doc);
    if (bsim_document_speaks(&doc)) {
        add_pictures(&where, &doc);
    } else if (bsim_document_nests(&doc)) {
        bsim_document_new_line(&doc);
        bsim_document_table(&doc, "arrays", NULL, 0);
        add_pictures(&where, &doc);
        bsim_document_table_end(&doc);
    }
    bsim_document_end(&doc);
}
