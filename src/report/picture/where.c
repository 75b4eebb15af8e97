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
#include "report/element.h"
#include "report/json.h"
#include "report/picture/array.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHOWN_ACCESS = 60 };
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
    struct bsim_buffer element;
    char thread[BSIM_CELL_SIZE];
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
    bsim_buffer_clear(&texts->element);
    bsim_element_text(array, request->offset[lane], &texts->element);
    (void)snprintf(texts->thread, sizeof texts->thread, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                   thread.x, thread.y, thread.z);
    row->n = 0;
    bsim_row_text(row, "access", contents->access[request->access].text);
    bsim_row_known(row, "lane", is_known, lane);
    bsim_row_text(row, "thread", is_known ? texts->thread : "");
    bsim_row_text(row, "array", array->name);
    bsim_row_text(row, "element", texts->element.data);
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
    struct texts texts = {.element = BSIM_BUFFER_EMPTY};
    bsim_document_table(doc, "places", columns, sizeof columns / sizeof columns[0]);
    doc->table.shows = shown_columns(where);
    for (size_t i = 0; i < where->n; i++) {
        const struct bsim_check_request *request = &where->request[i];
        bool is_one = is_uniform(request);
        for (uint32_t lane = 0, n = 0; lane < BSIM_WARP_LANES; lane++) {
            struct bsim_row row;
            if (is_active(request, lane) && !(is_one && n++ > 0)) {
                make_row(where, request, lane, &texts, &row);
                bsim_document_row(doc, &row);
            }
        }
    }
    bsim_document_table_end(doc);
    doc->out->failed = doc->out->failed || texts.element.failed;
    bsim_buffer_free(&texts.element);
}

/* ---- arrays -------------------------------------------------------------------------------- */

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
            bsim_buffer_text(doc->out, separator);
            if (bank >= 0) {
                bsim_json_number((uint64_t)bank, doc->out);
            } else {
                bsim_buffer_text(doc->out, "null");
            }
            separator = ", ";
        }
    }
    bsim_buffer_text(doc->out, "]");
    bsim_document_close(doc);
}

/* Of each array that is asked about, the part with the first element asked for. */
static void add_arrays(const struct bsim_asked *asked, struct bsim_document *doc)
{
    for (size_t i = 0; i < bsim_check_contents(asked->check)->n_arrays; i++) {
        struct bsim_tile tile;
        if (bsim_asked_tile(asked, i, DATA_CELLS, DATA_CELLS, &tile)) {
            add_cells(&tile, doc);
        }
    }
}

void bsim_report_where(const struct bsim_check *check, const struct bsim_device *device,
                       const struct bsim_check_request *request, size_t n,
                       const struct bsim_report_options *options, struct bsim_buffer *out)
{
    const struct where where = {check, device, request, n};
    const struct bsim_asked asked = {check, device, request, n, false};
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_row_text(&head, "device", device->name);
    bsim_row_number(&head, "n_banks", device->n_banks);
    bsim_row_number(&head, "bank_bytes", device->stride_bytes);
    bsim_document_begin(&doc, options, &head, out);
    add_table(&where, &doc);
    if (bsim_document_speaks(&doc)) {
        bsim_arrays_text(&asked, doc.colour, options->columns, out);
    } else if (bsim_document_nests(&doc)) {
        bsim_document_new_line(&doc);
        bsim_document_table(&doc, "arrays", NULL, 0);
        add_arrays(&asked, &doc);
        bsim_document_table_end(&doc);
    }
    bsim_document_end(&doc);
}
