/* spell.c - a layout as what to write in CUDA.
 *
 *     PAD        float tile[32][33]; tile[y][x]              half s[1055]; s[i + i / 32]
 *     PAD_TWICE  h[256][37]; h[y][x + x / 16]                s[i + i / 32 + i / 1024]
 *     ROW_XOR    tile[y][x ^ y]          tile[y][x ^ (y << 2 & 56)]
 *     ROTATE     tile[y][(x + y * 3) % 24]    s[(i - i % 32 + (i + i / 32 * 4) % 32) ^ (i >> 7 & 3)]
 *     SWIZZLE    s[i ^ (i >> 5 & 31)]    (&tile[0][0])[i ^ (i >> 3 & 56)] with i = y * 64 + x
 *     XOR        s[i ^ (i >> 5 & 1) * 31]    t[z][y ^ (z & 3)][x ^ (y & 4) ^ (z & 3)]
 *
 * x, y, z stand for the indices of the last, the last but one and the one before. They count
 * elements of the array as it is declared, for a vector access those of its first.
 */
#include "advise/cute.h"
#include "advise/layout.h"
#include "advise/name.h"
#include "advise/terms.h"

#include <inttypes.h>
#include <string.h>

/* Of the last dimension, the last but one, ... */
static const char *const names[BSIM_CHECK_MAX_DIMENSIONS] = {"x", "y", "z", "w",
                                                             "v", "u", "t", "s"};

static uint32_t columns_of(const struct bsim_check_array *array)
{
    return array->dimension[array->n_dimensions - 1];
}

/* The least k with 2^k >= n, and whether 2^k is n. */
static uint32_t log2_of(uint32_t n, bool *exact)
{
    uint32_t k = 0;
    while (k < 31 && UINT32_C(1) << k < n) {
        k++;
    }
    *exact = UINT32_C(1) << k == n;
    return k;
}

/* ---- declarations -------------------------------------------------------------------------- */

static bool has_member(const struct bsim_check_array *array, const char *name)
{
    for (uint32_t i = 0; i < array->n_members; i++) {
        if (strcmp(array->member[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_nameless(const struct bsim_check_array *array)
{
    return array->is_struct && array->n_members > 0 && strcmp(array->element, "struct") == 0;
}

/* "struct P { float x, y, z, w; char pad[4]; }" */
static void add_struct(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       struct bsim_buffer *out)
{
    uint32_t strictest = 1;
    for (uint32_t i = 0; i < array->n_members; i++) {
        uint32_t alignment = array->member[i].alignment;
        strictest = alignment > strictest ? alignment : strictest;
    }
    bsim_buffer_text(out, "struct ");
    if (array->element_alignment > strictest) {
        bsim_buffer_printf(out, "__align__(%" PRIu32 ") ", array->element_alignment);
    }
    bsim_buffer_printf(out, "%s%s{", is_nameless(array) ? "" : array->element,
                       is_nameless(array) ? "" : " ");
    for (uint32_t i = 0; i < array->n_members; i++) {
        const struct bsim_check_member *member = &array->member[i];
        bool joins = i > 0 && strcmp(member->type, member[-1].type) == 0;
        bsim_buffer_printf(out, "%s%s %s%s",
                           joins   ? ","
                           : i > 0 ? "; "
                                   : " ",
                           joins ? "" : member->type, member->name, member->dimensions);
    }
    if (layout->more_bytes > 0) {
        bsim_buffer_printf(out, "; char %s[%" PRIu32 "]", has_member(array, "pad") ? "pad_" : "pad",
                           layout->more_bytes);
    }
    bsim_buffer_text(out, "; }");
}

static void add_element_type(const struct bsim_check_array *array, const struct bsim_layout *layout,
                             uint32_t alignment, struct bsim_buffer *out)
{
    bsim_buffer_text(out, array->is_extern ? "extern __shared__ " : "__shared__ ");
    if (alignment > array->element_alignment) {
        bsim_buffer_printf(out, "__align__(%" PRIu32 ") ", alignment);
    }
    if (layout->more_bytes > 0 || is_nameless(array)) {
        add_struct(array, layout, out);
    } else {
        bsim_buffer_text(out, array->is_untold ? "TYPE" : array->element);
    }
    bsim_buffer_printf(out, " %s", array->name);
}

/* By steps of the first dimension. */
static bool grows(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return (layout->kind == BSIM_LAYOUT_PAD_TWICE && !bsim_layout_is_in_rows(array, layout)) ||
           layout->kind == BSIM_LAYOUT_XOR || layout->kind == BSIM_LAYOUT_PAD_XOR ||
           layout->behind > 0;
}

/* A rotation of rows that no dimension has. */
static bool turns_other_rows(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_ROTATE &&
           (array->n_dimensions < 2 || layout->row != columns_of(array) || layout->bits > 0);
}

uint32_t bsim_layout_dimension(const struct bsim_check_array *declared,
                               const struct bsim_layout *layout, uint32_t n_elements, uint32_t i)
{
    struct bsim_check_array narrowed;
    const struct bsim_check_array *array = bsim_layout_narrowed(declared, layout, &narrowed);
    uint32_t size = array->dimension[i];
    if (array->n_dimensions == 1 && !array->is_extern) {
        return n_elements;
    }
    if ((grows(array, layout) || turns_other_rows(array, layout)) && i == 0 && !array->is_extern &&
        n_elements > 0) {
        uint32_t first = 1;
        for (uint32_t k = 1; k < array->n_dimensions; k++) {
            first *= bsim_layout_dimension(array, layout, 0, k);
        }
        return n_elements / first;
    }
    if (bsim_layout_is_in_rows(array, layout) && i + 1 == array->n_dimensions) {
        return size + layout->block_rows * layout->pad + layout->block_pad;
    }
    if ((layout->kind != BSIM_LAYOUT_PAD && layout->kind != BSIM_LAYOUT_PAD_XOR &&
         layout->kind != BSIM_LAYOUT_ROTATE) ||
        size == 0) {
        return size;
    }
    if (i + 1 == array->n_dimensions) {
        return size + size / layout->row * layout->pad;
    }
    return i + 2 == array->n_dimensions ? size + layout->plane_pad : size;
}

void bsim_layout_pad_array(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           struct bsim_check_array *padded)
{
    *padded = *array;
    for (uint32_t i = 0; i < array->n_dimensions; i++) {
        padded->dimension[i] = bsim_layout_dimension(array, layout, 0, i);
    }
}

static void add_dimensions(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint32_t n_elements, struct bsim_buffer *out)
{
    if (array->is_extern) {
        bsim_buffer_text(out, "[]");
    }
    for (uint32_t i = array->is_extern ? 1 : 0; i < array->n_dimensions; i++) {
        bsim_buffer_printf(out, "[%" PRIu32 "]",
                           bsim_layout_dimension(array, layout, n_elements, i));
    }
}

/* "__shared__ float p_x[128], p_y[128]; __shared__ int p_id[128];" */
static void add_apart(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      uint32_t n_elements, struct bsim_buffer *out)
{
    for (uint32_t i = 0; i < array->n_members; i++) {
        const struct bsim_check_member *member = &array->member[i];
        if (i > 0 && strcmp(member->type, member[-1].type) == 0) {
            bsim_buffer_text(out, ", ");
        } else {
            bsim_buffer_text(out, i > 0 ? "; __shared__ " : "__shared__ ");
            if (array->alignment > member->alignment) {
                bsim_buffer_printf(out, "__align__(%" PRIu32 ") ", array->alignment);
            }
            bsim_buffer_printf(out, "%s ", member->type);
        }
        bsim_buffer_printf(out, "%s_%s", array->name, member->name);
        add_dimensions(array, layout, n_elements, out);
        bsim_buffer_text(out, member->dimensions);
    }
    bsim_buffer_text(out, ";");
}

void bsim_layout_declaration(const struct bsim_check_array *array, const struct bsim_layout *layout,
                             uint32_t alignment, uint32_t n_elements, struct bsim_buffer *out)
{
    if (layout->apart) {
        add_apart(array, layout, n_elements, out);
        return;
    }
    add_element_type(array, layout, alignment, out);
    add_dimensions(array, layout, n_elements, out);
    if (layout->kind == BSIM_LAYOUT_AS_IS && array->layout_text != NULL) {
        bsim_buffer_printf(out, " /* %s */", array->layout_text);
    }
    bsim_buffer_text(out, ";");
    if (array->is_extern && n_elements > 0) {
        bsim_buffer_printf(out, " // %" PRIu32 " elements, %" PRIu64 " bytes", n_elements,
                           (uint64_t)n_elements * array->element_bytes);
    }
}

/* ---- the row's number ---------------------------------------------------------------------- */

/* "y" or, where the rows of a plane do not fill whole periods, "(z * 6 + y)". */
static void add_row(const struct bsim_check_array *array, uint32_t period, struct bsim_buffer *out)
{
    uint32_t n = array->n_dimensions;
    uint32_t used = 1; /* dimensions before the last that matter */
    uint32_t rows = array->dimension[n - 2];
    while (used < n - 1 && rows % period != 0) {
        used++;
        rows *= array->dimension[n - 1 - used];
    }
    for (uint32_t i = 1; i < used; i++) {
        bsim_buffer_text(out, "(");
    }
    bsim_buffer_text(out, names[used]);
    for (uint32_t i = used; i-- > 1;) {
        bsim_buffer_printf(out, " * %" PRIu32 " + %s)", array->dimension[n - 1 - i], names[i]);
    }
}

/* Rows after which a rotation begins again. */
static uint32_t cycle_of(uint32_t row, uint32_t turn)
{
    uint32_t n = 1;
    while (n * turn % row != 0) {
        n++;
    }
    return n;
}

/* True if row numbers stay below `period` all by themselves. */
static bool rows_end_before(const struct bsim_check_array *array, uint32_t period)
{
    uint32_t n = array->n_dimensions;
    return array->dimension[n - 2] > 0 && array->dimension[n - 2] <= period &&
           (n == 2 || array->dimension[n - 2] == period);
}

/* " >> 2", " << 2" for -2 */
static void add_shift(int shift, struct bsim_buffer *out)
{
    if (shift != 0) {
        bsim_buffer_printf(out, shift > 0 ? " >> %d" : " << %d", shift > 0 ? shift : -shift);
    }
}

/* "x ^ y", "x ^ y % 8 * 8", "x ^ y / 2 % 8", "x ^ (y << 2 & 56)" */
static void add_row_xor(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        struct bsim_buffer *out)
{
    uint32_t period = UINT32_C(1) << (layout->bits + layout->shift);
    uint32_t mask = ((UINT32_C(1) << layout->bits) - 1) << layout->base;
    if (layout->shift > 0 && layout->base > 0) { /* one operation for two */
        bsim_buffer_text(out, "x ^ (");
        add_row(array, period, out);
        add_shift((int)layout->shift - (int)layout->base, out);
        bsim_buffer_printf(out, " & %" PRIu32 ")", mask);
        return;
    }
    bsim_buffer_text(out, "x ^ ");
    add_row(array, period, out);
    if (layout->shift > 0) {
        bsim_buffer_printf(out, " / %" PRIu32, UINT32_C(1) << layout->shift);
    }
    if (!rows_end_before(array, period)) {
        bsim_buffer_printf(out, " %% %" PRIu32, UINT32_C(1) << layout->bits);
    }
    if (layout->base > 0) {
        bsim_buffer_printf(out, " * %" PRIu32, UINT32_C(1) << layout->base);
    }
}

/* "(x + y * 3) % 24", "(x + y * 3 + z * 4) % 24" */
static void add_rotation(const struct bsim_check_array *array, const struct bsim_layout *layout,
                         struct bsim_buffer *out)
{
    const struct {
        uint32_t turn, rows;
    } part[] = {{layout->turn, 1}, {layout->block_turn, layout->block_rows}};
    bsim_buffer_text(out, "(x");
    for (size_t i = 0; i < 2; i++) {
        if (part[i].turn == 0) {
            continue;
        }
        bsim_buffer_text(out, " + ");
        add_row(array, part[i].rows * cycle_of(layout->row, part[i].turn), out);
        if (part[i].rows > 1) {
            bsim_buffer_printf(out, " / %" PRIu32, part[i].rows);
        }
        if (part[i].turn > 1) {
            bsim_buffer_printf(out, " * %" PRIu32, part[i].turn);
        }
    }
    bsim_buffer_printf(out, ") %% %" PRIu32, layout->row);
}

/* ---- indices ------------------------------------------------------------------------------- */

static void add_plain(const struct bsim_check_array *array, struct bsim_buffer *out)
{
    if (array->n_dimensions == 1) {
        bsim_buffer_text(out, "i");
        return;
    }
    bsim_buffer_text(out, "x");
}

/* " + i / 32", " + i / 32 * 2", " + i * 2" */
static void add_pad(const char *i, uint32_t row, uint32_t pad, struct bsim_buffer *out)
{
    if (pad > 0) {
        bsim_buffer_printf(out, " + %s", i);
    }
    if (pad > 0 && row > 1) {
        bsim_buffer_printf(out, " / %" PRIu32, row);
    }
    if (pad > 1) {
        bsim_buffer_printf(out, " * %" PRIu32, pad);
    }
}

/* "i + i / 32 + i / 1024", "i * 3 + i / 32" */
static void add_pads(const char *i, const struct bsim_layout *layout, struct bsim_buffer *out)
{
    bsim_buffer_text(out, i);
    if (layout->row == 1 && layout->pad > 0) {
        bsim_buffer_printf(out, " * %" PRIu32, layout->pad + 1);
    } else {
        add_pad(i, layout->row, layout->pad, out);
    }
    add_pad(i, layout->row * layout->block_rows, layout->block_pad, out);
}

/* What the bits of one field flip in another. */
static void add_flips(const struct bsim_layout *layout, uint32_t from, uint32_t n_from, uint32_t to,
                      uint32_t n_to, const char *v, struct bsim_buffer *out)
{
    uint32_t flip[BSIM_LAYOUT_MAX_BITS] = {0};
    struct bsim_term term[BSIM_MOST_TERMS];
    for (uint32_t bit = 0; bit < n_from && from + bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        flip[bit] = layout->flip[from + bit] >> to & ((UINT32_C(1) << n_to) - 1);
    }
    bsim_terms_spell(term, bsim_terms_find(flip, n_from, term), v, out);
}

/* "i - i % 32 + (i + i / 32 * 4) % 32", and what bits from there on flip in it */
static void add_turned(const struct bsim_layout *layout, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%si - i %% %" PRIu32 " + (i", layout->bits > 0 ? "(" : "",
                       layout->row);
    add_pad("i", layout->row, layout->turn, out);
    add_pad("i", layout->row * layout->block_rows, layout->block_turn, out);
    bsim_buffer_printf(out, ") %% %" PRIu32 "%s", layout->row, layout->bits > 0 ? ")" : "");
    if (layout->bits > 0) {
        add_flips(layout, 0, BSIM_LAYOUT_MAX_BITS, 0, BSIM_LAYOUT_MAX_BITS, "i", out);
    }
}

static void add_padding(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        struct bsim_buffer *out)
{
    bool is_none = layout->pad == 0 && layout->block_pad == 0;
    if (is_none || (array->n_dimensions > 1 && layout->row == columns_of(array))) {
        add_plain(array, out); /* the declaration does it */
        return;
    }
    struct bsim_layout pads = *layout;
    pads.block_pad = bsim_layout_is_in_rows(array, layout) ? 0 : layout->block_pad;
    add_pads(array->n_dimensions == 1 ? "i" : "x", &pads, out);
}

/* "i ^ (i >> 5 & 31)", or "i ^ (i >> 5)" of an i below `end` that has no more bits; end 0: it may
 * have any. */
static void add_swizzle(const char *i, const struct bsim_layout *layout, uint32_t end,
                        struct bsim_buffer *out)
{
    uint32_t mask = ((UINT32_C(1) << layout->bits) - 1) << layout->base;
    bsim_buffer_printf(out, "%s ^ (%s >> %" PRIu32, i, i, layout->shift);
    if (end == 0 || layout->base > 0 || (end - 1) >> layout->shift > mask) {
        bsim_buffer_printf(out, " & %" PRIu32, mask);
    }
    bsim_buffer_text(out, ")");
}

static bool is_swizzle(const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_SWIZZLE || layout->kind == BSIM_LAYOUT_TMA;
}

/* A swizzle of rows of a power of two that changes columns by bits of the row, as a row-xor. */
static bool as_row_xor(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       struct bsim_layout *same)
{
    bool exact;
    if (array->n_dimensions < 2) {
        return false;
    }
    uint32_t column_bits = log2_of(columns_of(array), &exact);
    *same = *layout;
    if (!is_swizzle(layout) || !exact || layout->base + layout->bits > column_bits ||
        layout->base + layout->shift < column_bits) {
        return false;
    }
    same->kind = BSIM_LAYOUT_ROW_XOR;
    same->row = columns_of(array);
    same->shift = layout->base + layout->shift - column_bits;
    return true;
}

/* A swizzle within the columns alone. */
static bool is_within_row(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    bool exact;
    uint32_t column_bits = log2_of(columns_of(array), &exact);
    return exact && layout->base + layout->shift + layout->bits <= column_bits;
}

bool bsim_layout_has_fields(const struct bsim_check_array *array)
{
    for (uint32_t i = 1; i < array->n_dimensions; i++) {
        bool exact;
        (void)log2_of(array->dimension[i], &exact);
        if (!exact) {
            return false;
        }
    }
    return true;
}

static bool is_linear(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    struct bsim_layout same;
    if (layout->kind == BSIM_LAYOUT_XOR) {
        return array->n_dimensions > 1 && !bsim_layout_has_fields(array);
    }
    if (layout->kind == BSIM_LAYOUT_PAD_TWICE || turns_other_rows(array, layout)) {
        return array->n_dimensions > 1 && !bsim_layout_is_in_rows(array, layout);
    }
    return is_swizzle(layout) && array->n_dimensions > 1 && !as_row_xor(array, layout, &same) &&
           !is_within_row(array, layout);
}

static void add_last(const struct bsim_check_array *array, const struct bsim_layout *layout,
                     struct bsim_buffer *out)
{
    struct bsim_layout same = *layout;
    if (layout->kind == BSIM_LAYOUT_ROW_XOR || as_row_xor(array, layout, &same)) {
        add_row_xor(array, &same, out);
    } else if (turns_other_rows(array, layout)) {
        add_turned(layout, out);
    } else if (layout->kind == BSIM_LAYOUT_ROTATE) {
        add_rotation(array, layout, out);
    } else if (is_swizzle(layout)) {
        add_swizzle(array->n_dimensions == 1 ? "i" : "x", layout, columns_of(array), out);
    } else if (layout->kind == BSIM_LAYOUT_AS_IS) {
        add_plain(array, out);
    } else {
        add_padding(array, layout, out);
    }
}

uint32_t bsim_layout_field(const struct bsim_check_array *array, uint32_t i, uint32_t *first)
{
    bool exact;
    *first = 0;
    for (uint32_t k = i + 1; k < array->n_dimensions; k++) {
        *first += log2_of(array->dimension[k], &exact);
    }
    return i == 0 && array->is_extern ? BSIM_LAYOUT_MAX_BITS - *first
                                      : log2_of(array->dimension[i], &exact);
}

/* "y ^ (z & 3)": the index of dimension i. */
static void add_field(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      uint32_t i, struct bsim_buffer *out)
{
    uint32_t n = array->n_dimensions;
    uint32_t to;
    uint32_t n_to = bsim_layout_field(array, i, &to);
    bsim_buffer_text(out, n == 1 ? "i" : names[n - 1 - i]);
    for (uint32_t k = n; k-- > 0;) {
        uint32_t from;
        uint32_t n_from = bsim_layout_field(array, k, &from);
        add_flips(layout, from, n_from, to, n_to, n == 1 ? "i" : names[n - 1 - k], out);
    }
}

/* "[z][y ^ (z & 3)][x ^ (y & 4) ^ (z & 3)]" */
static void add_fields(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       struct bsim_buffer *out)
{
    bsim_buffer_text(out, array->name);
    for (uint32_t i = 0; i < array->n_dimensions; i++) {
        bsim_buffer_text(out, "[");
        add_field(array, layout, i, out);
        bsim_buffer_text(out, "]");
    }
}

static void add_whole(const struct bsim_layout *layout, struct bsim_buffer *out)
{
    if (layout->kind == BSIM_LAYOUT_XOR) {
        bsim_buffer_text(out, "i");
        add_flips(layout, 0, BSIM_LAYOUT_MAX_BITS, 0, BSIM_LAYOUT_MAX_BITS, "i", out);
    } else if (layout->kind == BSIM_LAYOUT_PAD_TWICE) {
        add_pads("i", layout, out);
    } else if (layout->kind == BSIM_LAYOUT_ROTATE) {
        add_turned(layout, out);
    } else {
        add_swizzle("i", layout, 0, out);
    }
}

/* A padded array of which bits are flipped is spelled as one that is declared so. */
static const struct bsim_check_array *as_flipped(const struct bsim_check_array *array,
                                                 const struct bsim_layout *layout,
                                                 struct bsim_check_array *padded,
                                                 struct bsim_layout *flips)
{
    *flips = *layout;
    if (layout->kind != BSIM_LAYOUT_PAD_XOR) {
        return array;
    }
    flips->kind = BSIM_LAYOUT_XOR;
    bsim_layout_pad_array(array, layout, padded);
    return padded;
}

static void add_index_of(const struct bsim_check_array *declared, const struct bsim_layout *told,
                         struct bsim_buffer *out)
{
    struct bsim_check_array padded;
    struct bsim_layout flips;
    const struct bsim_check_array *array = as_flipped(declared, told, &padded, &flips);
    const struct bsim_layout *layout = &flips;
    uint32_t n = array->n_dimensions;
    if (is_linear(array, layout)) {
        bsim_buffer_printf(out, "(&%s", array->name);
        for (uint32_t i = 0; i < n; i++) {
            bsim_buffer_text(out, "[0]");
        }
        bsim_buffer_text(out, ")[");
        add_whole(layout, out);
        bsim_buffer_text(out, "]");
        return;
    }
    if (layout->kind == BSIM_LAYOUT_XOR) {
        add_fields(array, layout, out);
        return;
    }
    bsim_buffer_text(out, array->name);
    for (uint32_t i = 0; i + 1 < n; i++) {
        bsim_buffer_printf(out, "[%s]", names[n - 1 - i]);
    }
    if (n > 0) {
        bsim_buffer_text(out, "[");
        add_last(array, layout, out);
        bsim_buffer_text(out, "]");
    }
}

/* Of members that lie apart, the first one's. */
static void add_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      struct bsim_buffer *out)
{
    struct bsim_check_array member = *array;
    struct bsim_buffer name = BSIM_BUFFER_EMPTY;
    if (!layout->apart) {
        add_index_of(array, layout, out);
        return;
    }
    bsim_buffer_printf(&name, "%s_%s", array->name, array->member[0].name);
    member.name = name.data != NULL ? name.data : "";
    add_index_of(&member, layout, out);
    out->failed = out->failed || name.failed;
    bsim_buffer_free(&name);
}

/* What that stands for. */
static void add_element(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        struct bsim_buffer *out)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    add_index_of(array, &none, out);
    if (layout->apart) {
        bsim_buffer_printf(out, ".%s", array->member[0].name);
    }
}

static void add_linear(const struct bsim_check_array *declared, const struct bsim_layout *layout,
                       struct bsim_buffer *out)
{
    struct bsim_check_array padded;
    struct bsim_layout flips;
    const struct bsim_check_array *array = as_flipped(declared, layout, &padded, &flips);
    uint32_t n = array->n_dimensions;
    if (!is_linear(array, &flips)) {
        return;
    }
    bsim_buffer_text(out, "i = ");
    for (uint32_t i = 2; i < n; i++) {
        bsim_buffer_text(out, "(");
    }
    bsim_buffer_text(out, names[n - 1]);
    for (uint32_t i = 1; i < n; i++) {
        bsim_buffer_printf(out, " * %" PRIu32 " + %s%s", array->dimension[i], names[n - 1 - i],
                           i + 1 < n ? ")" : "");
    }
}

/* ---- CuTe -------------------------------------------------------------------------------------- */

/* Several compose, the last first: "Swizzle<3,3,3> o Swizzle<3,0,3>". */
static void add_swizzles(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], struct bsim_buffer *out)
{
    struct bsim_cute swizzle[BSIM_CUTE_SWIZZLES];
    size_t n = bsim_cute_find(flip, swizzle);
    for (size_t i = 0; i < n; i++) {
        bsim_buffer_printf(out, "%sSwizzle<%" PRIu32 ",%" PRIu32 ",%d>", i > 0 ? " o " : "",
                           swizzle[i].bits, swizzle[i].base, swizzle[i].shift);
    }
}

/* "(18,18):(33,1)" */
static void add_strides(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        struct bsim_buffer *out)
{
    uint32_t n = array->n_dimensions;
    for (uint32_t i = 0; i < n; i++) {
        bsim_buffer_printf(out, "%s%" PRIu32, i == 0 ? "(" : ",", array->dimension[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t stride = 1;
        for (uint32_t k = i + 1; k < n; k++) {
            stride *= bsim_layout_dimension(array, layout, 0, k);
        }
        bsim_buffer_printf(out, "%s%" PRIu32, i == 0 ? "):(" : ",", stride);
    }
    bsim_buffer_text(out, ")");
}

/* What is done to the place that the strides give. */
static void add_padded_cute(const struct bsim_check_array *array, const struct bsim_layout *layout,
                            struct bsim_buffer *out)
{
    size_t size = out->size_bytes;
    if (array->is_extern) {
        return;
    }
    add_swizzles(layout->flip, out);
    if (out->size_bytes > size) {
        bsim_buffer_text(out, " o ");
        add_strides(array, layout, out);
    }
}

static void add_cute(const struct bsim_check_array *array, const struct bsim_layout *layout,
                     struct bsim_buffer *out)
{
    uint32_t shift = layout->shift;
    bool exact = true;
    if (layout->kind == BSIM_LAYOUT_PAD_XOR) {
        add_padded_cute(array, layout, out);
        return;
    }
    if (layout->kind == BSIM_LAYOUT_XOR) {
        add_swizzles(layout->flip, out);
        return;
    }
    if (layout->kind == BSIM_LAYOUT_ROW_XOR) {
        shift += log2_of(layout->row, &exact) - layout->base;
    } else if (!is_swizzle(layout)) {
        return;
    }
    if (exact && shift >= layout->bits) {
        bsim_buffer_printf(out, "Swizzle<%" PRIu32 ",%" PRIu32 ",%" PRIu32 ">", layout->bits,
                           layout->base, shift);
    }
}

/* ---- what it takes ------------------------------------------------------------------------- */

uint32_t bsim_layout_operators(const struct bsim_buffer *index)
{
    uint32_t n = 0;
    for (size_t i = 0; i + 1 < index->size_bytes; i++) {
        /* a binary operator has a blank on either side, ">>" and "<<" on one */
        n += index->data[i] == ' ' && strchr("^&|+-*/%><", index->data[i + 1]) != NULL;
    }
    return n;
}

bool bsim_layout_operations(const struct bsim_check_array *declared,
                            const struct bsim_layout *layout, uint32_t *n)
{
    struct bsim_check_array narrowed;
    const struct bsim_check_array *array = bsim_layout_narrowed(declared, layout, &narrowed);
    struct bsim_buffer index = BSIM_BUFFER_EMPTY;
    add_index(array, layout, &index);
    add_linear(array, layout, &index);
    *n = bsim_layout_operators(&index);
    bool fine = !index.failed;
    bsim_buffer_free(&index);
    return fine;
}

void bsim_layout_spell(enum bsim_layout_word word, const struct bsim_check_array *array,
                       const struct bsim_layout *layout, struct bsim_buffer *out)
{
    struct bsim_check_array narrowed;
    static void (*const add[])(const struct bsim_check_array *array,
                               const struct bsim_layout *layout, struct bsim_buffer *out) = {
        [BSIM_LAYOUT_NAME] = bsim_layout_add_name,
        [BSIM_LAYOUT_INDEX] = add_index,
        [BSIM_LAYOUT_ELEMENT] = add_element,
        [BSIM_LAYOUT_LINEAR] = add_linear,
        [BSIM_LAYOUT_CUTE] = add_cute,
    };
    add[word](word == BSIM_LAYOUT_NAME ? array : bsim_layout_narrowed(array, layout, &narrowed),
              layout, out);
}
