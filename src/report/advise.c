/* advise.c - what padding or swizzle to choose: the plans side by side, then each in CUDA's words.
 *
 *     op     access                             requests  ideal   now   1   2
 *     store  tile[threadIdx.y][threadIdx.x]           32     32    32  32  32
 *     load   tile[threadIdx.x][threadIdx.y]           32     32  1024  32  32
 *     total                                           64     64  1056  64  64
 *
 *     1. tile: row-xor 5,0,0
 *        __shared__ float tile[32][32];
 *        tile[y][x ^ y] for tile[y][x]
 *        wavefronts 64 (now 1056), excessive 0 (now 992), shared bytes 4096 (now 4096)
 */
#include "report/advise_reach.h"
#include "report/advise_recorded.h"
#include "report/capacity.h"
#include "report/basis.h"
#include "report/format.h"
#include "report/plain.h"
#include "report/words.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ACCESS = 60, SHOWN_ARRAYS = 24 };

enum { OF_ARRAYS = 1 << 9 }; /* behind those of plans */

/* ---- the table: accesses down, plans across ------------------------------------------------ */

/* A plan's column, if there are so many. */
#define PLAN(number)                                        \
    {                                                       \
        " " #number, .name = #number, .only = 1 << (number) \
    }

/* There is room for "total" and for numbers of two digits. */
static const struct bsim_column columns[] = {
    {"op   ", .name = "op", .left = true},
    {"access", .name = "access", .left = true, .most = SHOWN_ACCESS},
    {"array", .name = "array", .left = true, .most = SHOWN_ARRAYS, .only = OF_ARRAYS},
    {"requests", .name = "requests"},
    {"ideal", .name = "ideal"},
    {"now", .name = "now"},
    PLAN(1),
    PLAN(2),
    PLAN(3),
    PLAN(4),
    PLAN(5),
    PLAN(6),
    PLAN(7),
    PLAN(8),
};

_Static_assert(BSIM_ADVISE_MAX_PLANS == 8, "each plan has a column");

/* The row of an access, or of all together; arrays is room for a text. */
static void make_load_row(const struct bsim_check *check, const struct bsim_advice *advice,
                          size_t access, char arrays[BSIM_CELL_SIZE], struct bsim_row *row)
{
    bool is_total = access == advice->n_accesses;
    const struct bsim_check_access *about = &bsim_check_contents(check)->access[access];
    const struct bsim_advice_load *load = is_total ? &advice->total : &advice->access[access];
    row->n = 0;
    bsim_row_text(row, "op", is_total ? "total" : about->op);
    bsim_row_text(row, "access", is_total ? "" : about->text);
    arrays[0] = '\0';
    if (!is_total) {
        bsim_advice_arrays(check, advice, access, arrays);
    }
    bsim_row_text(row, "array", arrays);
    bsim_row_number(row, "requests", load->requests);
    bsim_row_number(row, "ideal", load->ideal);
    for (size_t i = 0; i <= advice->n_plans; i++) {
        const struct bsim_advice_plan *plan = i == 0 ? &advice->before : &advice->plan[i - 1];
        bsim_row_number(row, i == 0 ? "now" : columns[5 + i].name,
                        is_total ? plan->total.wavefronts : plan->access[access].wavefronts);
    }
}

static bool is_written(const struct bsim_advice *advice)
{
    for (size_t i = 0; i < advice->n_plans; i++) {
        if (advice->plan[i].written_wavefronts > 0) {
            return true;
        }
    }
    return false;
}

/* "in the file": what the kernel takes with the plans in its source, where other accesses may be merged. */
static void make_written_row(const struct bsim_advice *advice, struct bsim_row *row)
{
    row->n = 0;
    bsim_row_text(row, "op", "in the file");
    bsim_row_text(row, "access", "");
    bsim_row_text(row, "array", "");
    bsim_row_text(row, "requests", "");
    bsim_row_text(row, "ideal", "");
    bsim_row_number(row, "now", advice->before.total.wavefronts);
    for (size_t i = 0; i < advice->n_plans; i++) {
        uint64_t wavefronts = advice->plan[i].written_wavefronts;
        bsim_row_known(row, columns[6 + i].name, wavefronts > 0, wavefronts);
    }
}

/* Layouts are of shared memory; accesses to other memory have no row. */
static void add_table(const struct bsim_check *check, const struct bsim_advice *advice,
                      struct bsim_document *doc)
{
    size_t n = advice->n_accesses;
    bsim_document_table(doc, "accesses", columns, sizeof columns / sizeof columns[0]);
    bool names_arrays = bsim_check_contents(check)->recorded != NULL && advice->n_arrays > 1;
    doc->table.shows = ((2u << advice->n_plans) - 1) | (names_arrays ? OF_ARRAYS : 0);
    for (size_t i = 0; i < (n > 1 ? n + 1 : n); i++) {
        char arrays[BSIM_CELL_SIZE];
        struct bsim_row row;
        if (i == n || bsim_check_contents(check)->access[i].opcode.space == BSIM_SHARED) {
            make_load_row(check, advice, i, arrays, &row);
            bsim_document_row(doc, &row);
        }
    }
    if (is_written(advice)) {
        struct bsim_row row;
        make_written_row(advice, &row);
        bsim_document_row(doc, &row);
    }
    bsim_document_table_end(doc);
}

/* ---- a layout in words --------------------------------------------------------------------- */

/* The texts of one array's layout. */
struct words {
    struct bsim_buffer name, declaration, index, linear, flat, cute;
    uint32_t n_operations;
};

static void find_words(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       uint32_t alignment, uint32_t n_elements, bool is_flat, struct words *words)
{
    static const struct bsim_buffer empty = BSIM_BUFFER_EMPTY;
    *words = (struct words){empty, empty, empty, empty, empty, empty, 0};
    bsim_layout_spell(BSIM_LAYOUT_NAME, array, layout, &words->name);
    bsim_layout_declaration(array, layout, alignment, n_elements, &words->declaration);
    bsim_layout_spell(BSIM_LAYOUT_INDEX, array, layout, &words->index);
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, array, layout, &words->linear);
    bsim_layout_spell(BSIM_LAYOUT_CUTE, array, layout, &words->cute);
    if (is_flat) {
        bsim_layout_flat(array, layout, &words->flat);
    }
    words->name.failed =
        !bsim_layout_operations(array, layout, &words->n_operations) || words->name.failed;
}

/* A failed allocation in a word is one in what is made of it. */
static void forget_words(struct words *words, struct bsim_buffer *out)
{
    struct bsim_buffer *all[] = {&words->name,   &words->declaration, &words->index,
                                 &words->linear, &words->flat,        &words->cute};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        out->failed = out->failed || all[i]->failed;
        bsim_buffer_free(all[i]);
    }
}

static const char *text_of(const struct bsim_buffer *buffer)
{
    return buffer->data != NULL ? buffer->data : "";
}

/* ---- a plan in words ----------------------------------------------------------------------- */

/* What went, and that TMA cannot write what came. */
static void add_replaced(const struct bsim_check_array *array, const struct bsim_layout *layout,
                         struct bsim_buffer *out)
{
    if (layout->kind == BSIM_LAYOUT_AS_IS || array->layout_text == NULL) {
        return;
    }
    bool was_tma = array->n_layouts > 0 && array->layout[0].kind == BSIM_LAYOUT_TMA;
    bsim_buffer_printf(out, "   in place of %s%s\n", array->layout_text,
                       was_tma && layout->kind != BSIM_LAYOUT_TMA
                           ? ", which TMA writes: this one it does not"
                           : "");
}

/* "   t[y][x ^ y] for t[y][x]": what i is, is of the rows that the array then has. */
static void add_index(const struct words *words, const char *before,
                      const struct bsim_layout *layout, struct bsim_buffer *out)
{
    bool has_where = words->linear.size_bytes > 0;
    bool has_other_rows =
        layout->columns > 0 || (layout->kind == BSIM_LAYOUT_PAD_XOR && layout->pad > 0);
    bsim_buffer_printf(out, "   %s for %s%s%s%s%s\n", text_of(&words->index), before,
                       has_where ? ", where " : "", text_of(&words->linear),
                       has_where && has_other_rows ? ", of the new rows" : "",
                       layout->apart ? "; the other members likewise" : "");
}

/* "   without columns 16 and 17, to which no access that is given comes, and then none may" */
static void add_left_out(const struct bsim_check *check, const struct bsim_check_array *array,
                         const struct bsim_layout *layout, struct bsim_buffer *out)
{
    const char *known = bsim_check_contents(check)->recorded != NULL ? "recorded" : "given";
    uint32_t left = layout->columns;
    uint32_t last = left > 0 ? array->dimension[array->n_dimensions - 1] - 1 : 0;
    if (left == 0 || last < left) {
        return;
    }
    bsim_buffer_printf(out, "   without column%s %" PRIu32, last > left ? "s" : "", left);
    if (last > left) {
        bsim_buffer_printf(out, " %s %" PRIu32, last > left + 1 ? "to" : "and", last);
    }
    bsim_buffer_printf(out, ", to which no access that is %s comes, and then none may\n", known);
}

/* A second padding counts what the first gave, and an index counts elements. */
static void add_second_padding(const struct bsim_layout *layout, struct bsim_buffer *out)
{
    uint32_t rows = layout->kind == BSIM_LAYOUT_PAD_TWICE ? layout->block_rows : 0;
    if (rows > 0 && layout->pad > 0 && layout->block_pad > 0) {
        bsim_buffer_printf(out,
                           "   every %" PRIu32 " is of places: %" PRIu32
                           " elements and the padding between them\n",
                           rows * (layout->row + layout->pad), rows * layout->row);
    }
}

/* "   t[e / 32][e % 32] for (&t[0][0])[e], as load ((float *)t)[i] counts" */
static void add_flat_index(const struct bsim_check *check, const struct words *words, size_t access,
                           struct bsim_buffer *out)
{
    if (words->flat.size_bytes > 0) {
        bsim_buffer_printf(out, "   %s, as ", text_of(&words->flat));
        bsim_advice_op(check, access, out);
        bsim_buffer_text(out, " counts\n");
    }
}

static void add_array(const struct bsim_check *check, const struct bsim_advice *advice,
                      const struct bsim_advice_plan *plan, size_t array, struct bsim_buffer *out)
{
    const struct bsim_check_array *about = &bsim_check_contents(check)->array[array];
    const struct bsim_layout *layout = &plan->layout[array];
    struct bsim_buffer before = BSIM_BUFFER_EMPTY;
    struct words words;
    find_words(about, layout, plan->alignment[array], plan->n_elements[array],
               advice->flat[array] != BSIM_ADVISE_NO_FLAT, &words);
    bsim_layout_spell(BSIM_LAYOUT_ELEMENT, about, layout, &before);
    bsim_buffer_printf(out, "   %s\n", text_of(&words.declaration));
    add_replaced(about, layout, out);
    if (strcmp(text_of(&before), text_of(&words.index)) != 0) {
        add_index(&words, text_of(&before), layout, out);
    }
    add_flat_index(check, &words, advice->flat[array], out);
    add_left_out(check, about, layout, out);
    add_second_padding(layout, out);
    if (bsim_advice_pads_rows(check, about, layout)) {
        bsim_buffer_printf(out, "   if its rows have %" PRIu32 ": declare them with %" PRIu32 "\n",
                           layout->row, layout->row + layout->pad);
    }
    if (words.cute.size_bytes > 0) {
        bsim_buffer_printf(
            out, "   CuTe's %s%s\n", text_of(&words.cute),
            layout->pad > 0 || layout->plane_pad > 0 ? "" : " on the index of the element");
    }
    if (layout->kind == BSIM_LAYOUT_TMA) {
        bsim_buffer_printf(out, "   as TMA writes it with CU_TENSOR_MAP_SWIZZLE_%" PRIu32 "B\n",
                           UINT32_C(16) << layout->bits);
    }
    out->failed = out->failed || before.failed;
    bsim_buffer_free(&before);
    forget_words(&words, out);
}

/* "1. tile: row-xor 5,0,0; b: align 16" */
static void add_heading(const struct bsim_check *check, const struct bsim_advice *advice,
                        const struct bsim_advice_plan *plan, size_t number, struct bsim_buffer *out)
{
    const char *separator = "";
    bsim_buffer_printf(out, "\n%zu. ", number);
    for (size_t i = 0; i < advice->n_arrays; i++) {
        const struct bsim_check_array *array = &bsim_check_contents(check)->array[i];
        if (plan->declares[i]) {
            bsim_buffer_printf(out, "%s%s: ", separator, array->name);
            if (plan->layout[i].kind == BSIM_LAYOUT_AS_IS) {
                bsim_buffer_printf(out, "align %" PRIu32, plan->alignment[i]);
            } else {
                bsim_layout_spell(BSIM_LAYOUT_NAME, array, &plan->layout[i], out);
            }
            separator = "; ";
        }
    }
    bsim_buffer_text(out, "\n");
}

static void add_blocks(const struct bsim_advice *advice, const struct bsim_advice_plan *plan,
                       struct bsim_buffer *out)
{
    const struct bsim_occupancy *before = &advice->before.occupancy;
    const struct bsim_occupancy *after = &plan->occupancy;
    bsim_buffer_printf(out, "   blocks per SM by shared memory %" PRIu32 " (now %" PRIu32 ")",
                       after->by_shared, before->by_shared);
    if (after->sm_bytes < advice->device.shared_per_sm_bytes) {
        bsim_buffer_printf(out, " of a carve-out of %" PRIu32 " KB", after->sm_bytes / 1024);
    }
    if (after->by_registers < UINT32_MAX) {
        bsim_buffer_printf(out, ", by registers %" PRIu32, after->by_registers);
    }
    if (after->blocks < after->by_shared || before->blocks < before->by_shared) {
        bsim_buffer_printf(out, ", by all limits %" PRIu32 " (now %" PRIu32 ")", after->blocks,
                           before->blocks);
    }
    bsim_buffer_text(out, "\n");
}

static void add_plan(const struct bsim_check *check, const struct bsim_advice *advice,
                     size_t number, struct bsim_buffer *out)
{
    const struct bsim_advice_plan *plan = &advice->plan[number - 1];
    add_heading(check, advice, plan, number, out);
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (plan->declares[i]) {
            add_array(check, advice, plan, i, out);
        }
    }
    bsim_buffer_printf(
        out,
        "   %s %" PRIu64 " (now %" PRIu64 "), excessive %" PRIu64 " (now %" PRIu64
        "), shared bytes %" PRIu32 " (now %" PRIu32 "), index operations %" PRIu32 "%s\n",
        bsim_word_wavefronts(&advice->device), plan->total.wavefronts, advice->before.total.wavefronts,
        plan->total.conflicts, advice->before.total.conflicts, plan->shared_bytes,
        advice->before.shared_bytes, plan->n_operations,
        plan->written_wavefronts > 0 && plan->written_wavefronts != plan->total.wavefronts
            ? ", if each access stays as it is"
            : "");
    if (plan->cycles > 0 && plan->written_wavefronts == 0) {
        bool is_recorded = bsim_check_contents(check)->recorded != NULL;
        bsim_buffer_printf(out, "   cycles of %s %" PRIu64 " (now %" PRIu64 ")%s\n",
                           is_recorded ? "a launch, block after block" : "the block", plan->cycles,
                           advice->before.cycles,
                           plan->n_operations > 0 ? ", its index operations included" : "");
    }
    add_blocks(advice, plan, out);
    if (plan->written.size_bytes > 0) {
        bsim_buffer_printf(out, "   %s\n", text_of(&plan->written));
    }
}

/* ---- what it does not rest on -------------------------------------------------------------- */

/* "load t[i * 33] is load t[i * 32] with pad 1 every 32 of t. ..." */
static void add_twin(const struct bsim_check *check, const struct bsim_advice *advice, size_t after,
                     struct bsim_buffer *out)
{
    const struct bsim_advice_shape *shape = &advice->shape[after];
    size_t array = 0;
    while (!advice->touches[after * advice->n_arrays + array]) {
        array++;
    }
    const struct bsim_check_array *about = &bsim_check_contents(check)->array[array];
    bsim_advice_op(check, after, out);
    bsim_buffer_text(out, " is ");
    bsim_advice_op(check, shape->twin, out);
    bsim_buffer_text(out, " with ");
    bsim_layout_spell(BSIM_LAYOUT_NAME, about, &shape->remedy, out);
    bsim_buffer_printf(out, " of %s: if it is to replace that, ask about one of them alone.\n",
                       about->name);
}

static void add_shapes(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    for (size_t i = 0; i < advice->n_accesses; i++) {
        const struct bsim_advice_shape *shape = &advice->shape[i];
        if (shape->twin != BSIM_ADVISE_NO_TWIN && shape->is_after) {
            add_twin(check, advice, i, out);
        }
        if (shape->is_irregular && advice->before.access[i].conflicts > 0) {
            bsim_advice_op(check, i, out);
            bsim_buffer_text(out, " is irregular, as a hash or a table is: what it takes with "
                                  "another layout is chance for all data but these.\n");
        }
    }
}

/* Of what is there and of every plan. */
static uint64_t most_bytes(const struct bsim_advice *advice)
{
    uint64_t most = advice->before.shared_bytes;
    for (size_t i = 0; i < advice->n_plans; i++) {
        most = advice->plan[i].shared_bytes > most ? advice->plan[i].shared_bytes : most;
    }
    return most;
}

static void add_text(const struct bsim_check *check, const struct bsim_advice *advice,
                     struct bsim_document *doc)
{
    struct bsim_kernel_result kernel = {.device = advice->device, .rules = advice->rules};
    struct bsim_result result = {.n_kernels = 1, .kernels = &kernel};
    struct bsim_buffer *out = doc->out;
    bool is_recorded = bsim_check_contents(check)->recorded != NULL;
    if (is_recorded) {
        bsim_advice_kernel(check, out);
    }
    if (advice->total.requests > 0) {
        add_table(check, advice, doc);
    }
    for (size_t i = 1; i <= advice->n_plans; i++) {
        add_plan(check, advice, i, out);
    }
    bsim_buffer_text(out, advice->total.requests > 0 ? "\n" : "");
    bsim_advice_reach(check, advice, out);
    add_shapes(check, advice, out);
    if (is_recorded) {
        bsim_advice_recorded(check, advice, out);
    }
    bsim_capacity_opt_in(most_bytes(advice), out);
    if (advice->is_joint && bsim_advice_least(advice)->total.wavefronts > advice->total.least) {
        bsim_buffer_text(out, "Some requests access several arrays at once: layouts of these were "
                              "searched together, but not in all combinations.\n");
    }
    bsim_basis_text(&result, 0, out);
    if (is_recorded) {
        bsim_advice_rests(check, advice, out);
    }
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_cost(const struct bsim_advice_cost *total, uint32_t bytes,
                     const struct bsim_occupancy *occupancy, struct bsim_row *row)
{
    bsim_row_number(row, "wavefronts", total->wavefronts);
    bsim_row_number(row, "excessive", total->conflicts);
    bsim_row_number(row, "shared_bytes", bytes);
    bsim_row_known(row, "blocks_by_shared", occupancy->by_shared < UINT32_MAX,
                   occupancy->by_shared);
    bsim_row_number(row, "blocks_per_sm", occupancy->blocks);
}

static void put_layout(const struct bsim_check_array *array, const struct words *words,
                       struct bsim_row *row)
{
    bsim_row_text(row, "array", array != NULL ? array->name : "");
    bsim_row_text(row, "layout", text_of(&words->name));
    bsim_row_text(row, "declaration", text_of(&words->declaration));
    bsim_row_text(row, "index", text_of(&words->index));
    bsim_row_text(row, "where", text_of(&words->linear));
    bsim_row_text(row, "flat", text_of(&words->flat));
    bsim_row_text(row, "cute", text_of(&words->cute));
    bsim_row_known(row, "operations", array != NULL, words->n_operations);
}

static void put_opt_in(uint32_t bytes, struct bsim_row *row)
{
    bsim_row_boolean(row, "opt_in", bsim_capacity_is_opt_in(bytes));
}

/* What cannot beat so many wavefronts: any layout, or any linear one. */
static const char *proof_of(const struct bsim_advice *advice, uint64_t wavefronts)
{
    uint64_t best = bsim_advice_least(advice)->total.wavefronts;
    return advice->is_sample                              ? "none"
           : wavefronts == advice->total.least            ? "any"
           : wavefronts == best && advice->is_best_linear ? "linear"
                                                          : "none";
}

/* A layout of one array, in a row with what all costs then. */
struct entry {
    bool has_number;
    size_t number;                        /* of the plan, 0: what is there */
    const struct bsim_advice_cost *total; /* NULL: the row has the layout alone */
    uint32_t shared_bytes;
    const struct bsim_occupancy *occupancy;
    const struct bsim_check_array *array; /* NULL: what is there */
    const struct bsim_layout *layout;
    uint32_t alignment, n_elements;
    bool is_flat;    /* the array has an access that counts through its dimensions by itself */
    uint64_t cycles; /* 0: not known */
};

static void add_entry(const struct bsim_advice *advice, const struct entry *entry,
                      struct bsim_document *doc)
{
    struct words words = {.name = BSIM_BUFFER_EMPTY};
    struct bsim_row row;
    row.n = 0;
    if (entry->array != NULL) {
        find_words(entry->array, entry->layout, entry->alignment, entry->n_elements, entry->is_flat,
                   &words);
    }
    if (entry->has_number) {
        bsim_row_number(&row, "plan", entry->number);
    }
    if (entry->total != NULL) {
        put_cost(entry->total, entry->shared_bytes, entry->occupancy, &row);
    }
    put_layout(entry->array, &words, &row);
    if (entry->total != NULL) {
        put_opt_in(entry->shared_bytes, &row);
    }
    if (entry->has_number) {
        bsim_row_number(&row, "least", advice->total.least);
        bsim_row_text(&row, "proof", proof_of(advice, entry->total->wavefronts));
        bsim_row_known(&row, "cycles", entry->cycles > 0, entry->cycles);
    }
    bsim_document_row(doc, &row);
    forget_words(&words, doc->out);
}

/* The arrays that a plan declares; entry has what else is told of each. */
static void add_layouts(const struct bsim_check *check, const struct bsim_advice *advice,
                        const struct bsim_advice_plan *plan, struct entry entry,
                        struct bsim_document *doc)
{
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (plan->declares[i]) {
            entry.array = &bsim_check_contents(check)->array[i];
            entry.layout = &plan->layout[i];
            entry.alignment = plan->alignment[i];
            entry.n_elements = plan->n_elements[i];
            entry.is_flat = advice->flat[i] != BSIM_ADVISE_NO_FLAT;
            add_entry(advice, &entry, doc);
        }
    }
}

/* Numbered array by array, if they are numbered. */
static void add_candidates(const struct bsim_check *check, const struct bsim_advice *advice,
                           bool has_number, struct bsim_document *doc)
{
    size_t number = 0;
    for (size_t i = 0; i < advice->n_candidates; i++) {
        const struct bsim_advice_candidate *candidate = &advice->candidate[i];
        number = i > 0 && candidate[-1].array == candidate->array ? number + 1 : 1;
        const struct entry entry = {has_number,
                                    number,
                                    &candidate->total,
                                    candidate->shared_bytes,
                                    &candidate->occupancy,
                                    &bsim_check_contents(check)->array[candidate->array],
                                    &candidate->layout,
                                    candidate->alignment,
                                    candidate->n_elements,
                                    advice->flat[candidate->array] != BSIM_ADVISE_NO_FLAT,
                                    0};
        add_entry(advice, &entry, doc);
    }
}

/* A row for what is there, and one for each array of each plan, or for each candidate. */
static void add_rows(const struct bsim_check *check, const struct bsim_advice *advice,
                     struct bsim_document *doc)
{
    bsim_document_table(doc, "plans", NULL, 0);
    for (size_t i = 0; i <= (advice->n_candidates > 0 ? 0 : advice->n_plans); i++) {
        const struct bsim_advice_plan *plan = i == 0 ? &advice->before : &advice->plan[i - 1];
        const struct entry entry = {.has_number = true,
                                    .number = i,
                                    .total = &plan->total,
                                    .shared_bytes = plan->shared_bytes,
                                    .occupancy = &plan->occupancy,
                                    .cycles = plan->cycles};
        if (i == 0) {
            add_entry(advice, &entry, doc);
        } else {
            add_layouts(check, advice, plan, entry, doc);
        }
    }
    add_candidates(check, advice, true, doc);
    bsim_document_table_end(doc);
}

/* A plan as a row, or as the member `name`. */
static void add_plan_members(const struct bsim_check *check, const struct bsim_advice *advice,
                             const struct bsim_advice_plan *plan, const char *name,
                             struct bsim_document *doc)
{
    static const struct entry layout_alone = {.has_number = false};
    struct bsim_row row;
    row.n = 0;
    put_cost(&plan->total, plan->shared_bytes, &plan->occupancy, &row);
    put_opt_in(plan->shared_bytes, &row);
    bsim_row_known(&row, "cycles", plan->cycles > 0, plan->cycles);
    bsim_document_open(doc, name, &row);
    bsim_document_list(doc, "accesses");
    for (size_t i = 0; i < advice->n_accesses; i++) {
        row.n = 0;
        bsim_row_number(&row, "wavefronts", plan->access[i].wavefronts);
        bsim_row_number(&row, "excessive", plan->access[i].conflicts);
        bsim_document_row(doc, &row);
    }
    bsim_document_table_end(doc);
    bsim_document_table(doc, "arrays", NULL, 0);
    add_layouts(check, advice, plan, layout_alone, doc);
    bsim_document_table_end(doc);
    bsim_document_close(doc);
}

static void add_accesses(const struct bsim_check *check, const struct bsim_advice *advice,
                         struct bsim_document *doc)
{
    struct bsim_row row;
    bsim_document_table(doc, "accesses", NULL, 0);
    for (size_t i = 0; i < advice->n_accesses; i++) {
        row.n = 0;
        bsim_row_text(&row, "access", bsim_check_contents(check)->access[i].text);
        bsim_row_text(&row, "op", bsim_check_contents(check)->access[i].op);
        bsim_row_number(&row, "requests", advice->access[i].requests);
        bsim_row_number(&row, "ideal", advice->access[i].ideal);
        bsim_row_number(&row, "least", advice->access[i].least);
        if (bsim_check_contents(check)->recorded != NULL) {
            bsim_row_number(&row, "one_in", bsim_check_contents(check)->access[i].one_in);
        }
        bsim_document_row(doc, &row);
    }
    bsim_document_table_end(doc);
}

/* Why vectors that stay whole make the least more than the ideal: numbers of accesses, from 0. */
static void add_bound_member(const struct bsim_advice *advice, struct bsim_document *doc)
{
    const struct bsim_advice_bound *bound = &advice->bound;
    struct bsim_row row = {.n = 0};
    bsim_row_number(&row, "access", bound->access);
    bsim_row_mask(&row, bound->lanes);
    bsim_row_number(&row, "words", bound->words);
    bsim_row_number(&row, "whole", bound->whole);
    bsim_row_number(&row, "whole_bytes", bound->bytes);
    bsim_row_number(&row, "banks", bound->banks);
    bsim_document_new_line(doc);
    bsim_document_open(doc, "bound", &row);
    bsim_document_close(doc);
}

static void add_members(const struct bsim_check *check, const struct bsim_advice *advice,
                        struct bsim_document *doc)
{
    const struct bsim_kernel_result kernel = {.device = advice->device, .rules = advice->rules};
    bsim_document_new_line(doc);
    add_accesses(check, advice, doc);
    if (advice->bound.bytes > 0) {
        add_bound_member(advice, doc);
    }
    bsim_document_new_line(doc);
    add_plan_members(check, advice, &advice->before, "before", doc);
    bsim_document_new_line(doc);
    bsim_document_table(doc, "plans", NULL, 0);
    for (size_t i = 0; i < advice->n_plans; i++) {
        add_plan_members(check, advice, &advice->plan[i], NULL, doc);
    }
    bsim_document_table_end(doc);
    if (advice->n_candidates > 0) {
        bsim_document_new_line(doc);
        bsim_document_table(doc, "candidates", NULL, 0);
        add_candidates(check, advice, false, doc);
        bsim_document_table_end(doc);
    }
    bsim_document_rests_on(doc, &kernel, 0);
}

void bsim_report_advice(const struct bsim_check *check, const struct bsim_advice *advice,
                        const struct bsim_report_options *options, struct bsim_buffer *out)
{
    const struct bsim_recorded *recorded = bsim_check_contents(check)->recorded;
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_row_text(&head, "device", advice->device.name);
    if (recorded != NULL) {
        bsim_row_text(&head, "kernel", recorded->kernel->name);
        bsim_row_number(&head, "launches", recorded->n_launches);
    }
    bsim_row_number(&head, "requests", advice->total.requests);
    bsim_row_number(&head, "ideal", advice->total.ideal);
    bsim_row_number(&head, "least", advice->total.least);
    bsim_row_text(&head, "proof", proof_of(advice, bsim_advice_least(advice)->total.wavefronts));
    bsim_document_begin(&doc, options, &head, out);
    if (bsim_document_speaks(&doc)) {
        add_text(check, advice, &doc);
    } else if (bsim_document_nests(&doc)) {
        add_members(check, advice, &doc);
    } else {
        add_rows(check, advice, &doc);
    }
    bsim_document_end(&doc);
}
