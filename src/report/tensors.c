/* tensors.c - a copy by TMA and a wgmma for programs: what each takes, and where the elements lie.
 *
 *     csv   a row
 *     json  its members, and lists: "readers" and "chunks" of a copy, "operands" of a wgmma, each with its "chunks"
 *
 * A chunk is 16 bytes: the first byte's place, which is that of four banks from bank byte / 4 % 32 on.
 */
#include "report/format.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHUNK = 16 };

/* ---- what both have -------------------------------------------------------------------------- */

/* Begins the document with these members: where it does not nest they are its only row. */
static void begin(struct bsim_document *doc, const struct bsim_row *row, const struct bsim_report_options *options,
                  struct bsim_buffer *out)
{
    struct bsim_row head;
    bsim_row_head(&head);
    for (size_t i = 0; i < row->n; i++) {
        head.value[head.n++] = row->value[i];
    }
    bsim_document_begin(doc, options, &head, out);
    if (!bsim_document_nests(doc)) {
        bsim_document_names(doc, row);
        bsim_document_row(doc, row);
    }
}

static void add_device(const struct bsim_device *device, struct bsim_row *row)
{
    bsim_row_text(row, "device", device->name);
    bsim_row_text(row, "grade", device->compute == 90 ? "measured" : "assumed");
}

/* ---- TMA ------------------------------------------------------------------------------------- */

static void add_box(const struct bsim_tma *tma, char text[64], struct bsim_row *row)
{
    static const char *const ways[] = {"load", "store", "reduce"};
    int used = 0;
    for (uint32_t d = 0; d < tma->n_dims; d++) {
        used += snprintf(text + used, 64 - (size_t)used, "%s%" PRIu32, d > 0 ? "x" : "", tma->box[d]);
    }
    bsim_row_text(row, "way", ways[tma->way]);
    bsim_row_text(row, "box", tma->n_dims > 0 ? text : "bulk");
    bsim_row_number(row, "element_bytes", tma->element_bytes);
    bsim_row_text(row, "swizzle", bsim_tma_swizzle_name(tma->swizzle));
    bsim_row_number(row, "start", tma->start);
    bsim_row_number(row, "from", tma->from);
    bsim_row_known(row, "pitch", tma->pitch_bytes > 0, tma->pitch_bytes);
    bsim_row_known(row, "inside", tma->inside > 0, tma->inside);
    bsim_row_number(row, "rows", bsim_tma_rows(tma));
    bsim_row_number(row, "row_bytes", bsim_tma_row_bytes(tma));
    bsim_row_number(row, "span", bsim_tma_span(tma));
}

static void add_costs(const struct bsim_tma *tma, struct bsim_row *row)
{
    struct bsim_tma_counts counts;
    bool of_loads = tma->way != BSIM_TMA_LOAD;
    uint32_t found = bsim_tma_warnings(tma);
    bsim_tma_count(tma, &counts);
    bsim_row_number(row, "bytes", counts.bytes);
    bsim_row_number(row, "words", counts.words);
    bsim_row_number(row, "sectors", counts.sectors);
    bsim_row_number(row, "pieces", counts.pieces);
    bsim_row_real(row, "clocks", counts.cycles);
    bsim_row_boolean(row, "clocks_are_least", !counts.is_timed);
    bsim_row_text(row, "taken_from", of_loads ? "ld.shared" : "st.shared");
    bsim_row_real(row, "taken_lower", bsim_tma_taken_cycles(tma, of_loads, 0));
    bsim_row_real(row, "taken_upper", bsim_tma_taken_cycles(tma, of_loads, BSIM_TMA_HALF_BYTES));
    bsim_row_boolean(row, "off_pattern", (found & BSIM_TMA_OFF_PATTERN) != 0);
    bsim_row_boolean(row, "short_rows", (found & BSIM_TMA_SHORT_ROWS) != 0);
    bsim_row_boolean(row, "sides_apart", (found & BSIM_TMA_SIDES_APART) != 0);
    bsim_row_boolean(row, "gaps", (found & BSIM_TMA_GAPS) != 0);
    bsim_row_boolean(row, "across_lines", (found & BSIM_TMA_ACROSS_LINES) != 0);
}

static void add_readers(const struct bsim_tma_reader *readers, size_t n, struct bsim_document *doc)
{
    static const char *const names[] = {"wavefronts_none", "wavefronts_32B", "wavefronts_64B", "wavefronts_128B"};
    struct bsim_row row;
    bsim_document_table(doc, "readers", NULL, 0);
    for (size_t i = 0; i < n; i++) {
        row.n = 0;
        bsim_row_text(&row, "what", readers[i].what);
        bsim_row_number(&row, "ideal", readers[i].ideal);
        for (int s = BSIM_TMA_NO_SWIZZLE; s <= BSIM_TMA_128B; s++) {
            bsim_row_known(&row, names[s], readers[i].wavefronts[s] > 0, readers[i].wavefronts[s]);
        }
        bsim_document_row(doc, &row);
    }
    bsim_document_table_end(doc);
}

static void add_box_chunks(const struct bsim_tma *tma, struct bsim_document *doc)
{
    struct bsim_row row;
    bsim_document_table(doc, "chunks", NULL, 0);
    for (uint32_t r = 0; tma->n_dims > 0 && r < bsim_tma_rows(tma); r++) {
        for (uint32_t byte = 0; byte < bsim_tma_row_bytes(tma); byte += CHUNK) {
            row.n = 0;
            bsim_row_number(&row, "row", r);
            bsim_row_number(&row, "element", byte / tma->element_bytes);
            bsim_row_number(&row, "byte", bsim_tma_address(tma, r, byte));
            bsim_document_row(doc, &row);
        }
    }
    bsim_document_table_end(doc);
}

void bsim_report_tma(const struct bsim_device *device, const struct bsim_tma *tma, const struct bsim_tma_reader *readers,
                     size_t n, const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct bsim_document doc;
    struct bsim_row row = {.n = 0};
    char box[64];
    add_device(device, &row);
    add_box(tma, box, &row);
    add_costs(tma, &row);
    begin(&doc, &row, options, out);
    if (bsim_document_nests(&doc)) {
        add_readers(readers, n, &doc);
        add_box_chunks(tma, &doc);
    }
    bsim_document_end(&doc);
}

/* ---- wgmma ----------------------------------------------------------------------------------- */

static void add_operand_chunks(const struct bsim_wgmma *wgmma, const struct bsim_wgmma_operand *operand,
                               struct bsim_document *doc)
{
    uint32_t bytes = wgmma->element_bytes, each = CHUNK / bytes;
    uint32_t k_step = operand->at.is_mn_major ? 1 : each, i_step = operand->at.is_mn_major ? each : 1;
    struct bsim_row row;
    bsim_document_list(doc, "chunks");
    for (uint32_t k = 0; operand->has_chunks && k < BSIM_WGMMA_K_BYTES / bytes; k += k_step) {
        for (uint32_t i = 0; i < operand->n_rows; i += i_step) {
            row.n = 0;
            bsim_row_number(&row, "k", k);
            bsim_row_number(&row, operand->name == 'a' ? "m" : "n", i);
            bsim_row_number(&row, "byte", bsim_wgmma_address(&operand->at, bytes, k, i));
            bsim_document_row(doc, &row);
        }
    }
    bsim_document_table_end(doc);
}

static void add_operand(const struct bsim_wgmma *wgmma, const struct bsim_wgmma_operand *operand,
                        struct bsim_document *doc)
{
    const char name[2] = {operand->name, '\0'};
    char bits[24];
    struct bsim_row row = {.n = 0};
    (void)snprintf(bits, sizeof bits, "0x%016" PRIx64, bsim_wgmma_encode(&operand->at));
    bsim_row_text(&row, "operand", name);
    bsim_row_number(&row, "k", operand->k);
    bsim_row_number(&row, "start", operand->at.start);
    bsim_row_number(&row, "lbo", operand->at.leading_bytes);
    bsim_row_number(&row, "sbo", operand->at.stride_bytes);
    bsim_row_number(&row, "base", operand->at.base_offset);
    bsim_row_text(&row, "swizzle", bsim_wgmma_swizzle_name(operand->at.swizzle));
    bsim_row_text(&row, "major", operand->at.is_mn_major ? "MN" : "K");
    bsim_row_text(&row, "descriptor", bits);
    bsim_document_open(doc, NULL, &row);
    add_operand_chunks(wgmma, operand, doc);
    bsim_document_close(doc);
}

void bsim_report_wgmma(const struct bsim_device *device, const char *shape, const struct bsim_wgmma *wgmma,
                       const struct bsim_wgmma_operand *operands, size_t n, const struct bsim_report_options *options,
                       struct bsim_buffer *out)
{
    struct bsim_document doc;
    struct bsim_row row = {.n = 0};
    add_device(device, &row);
    bsim_row_text(&row, "wgmma", shape);
    bsim_row_number(&row, "n", wgmma->n);
    bsim_row_number(&row, "element_bytes", wgmma->element_bytes);
    bsim_row_boolean(&row, "a_in_registers", wgmma->a_in_registers);
    bsim_row_number(&row, "wavefronts", bsim_wgmma_wavefronts(wgmma));
    bsim_row_number(&row, "conflicts", 0);
    bsim_row_number(&row, "tensor_clocks", wgmma->n / 2);
    bsim_row_real(&row, "clocks", bsim_wgmma_cycles(wgmma, 1));
    bsim_row_real(&row, "clocks_of_two_warpgroups", bsim_wgmma_cycles(wgmma, 2));
    begin(&doc, &row, options, out);
    if (bsim_document_nests(&doc)) {
        bsim_document_table(&doc, "operands", NULL, 0);
        for (size_t i = 0; i < n; i++) {
            add_operand(wgmma, &operands[i], &doc);
        }
        bsim_document_table_end(&doc);
    }
    bsim_document_end(&doc);
}
