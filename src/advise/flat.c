/* flat.c - the index of a layout for who counts through all dimensions of an array by himself:
 *
 *     t[32][32], pad 1            t[e / 32][e % 32] for (&t[0][0])[e]
 *     t[32][32], row-xor 5,0,0    (&t[0][0])[e ^ (e >> 5 & 31)] for (&t[0][0])[e]
 *     t[18][20], rotate 3         t[e / 20][(e % 20 + e / 20 * 3) % 20] for (&t[0][0])[e]
 *
 * Element e is where t[y][x] is with x and y counted from e: what bsim_layout_spell tells of these, with e's
 * parts in their place. A part ends in a division or a remainder, and operators in front of it in what is
 * spelled bind less. Where bits of the index flip others, and rows are a power of two, the element's number has
 * all of them, and the formula of one dimension is shorter.
 */
#include "advise/flat.h"

#include "base/bits.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- rows and columns, counted from e ------------------------------------------------------------ */

/* "e / 32 % 8": the index of the dimension that is `back` before the last. */
static void add_part(const struct bsim_check_array *array, uint32_t back, struct bsim_buffer *out)
{
    uint32_t i = array->n_dimensions - 1 - back;
    uint32_t below = 1;
    for (uint32_t k = i + 1; k < array->n_dimensions; k++) {
        below *= array->dimension[k];
    }
    bsim_buffer_text(out, "e");
    if (below > 1) {
        bsim_buffer_printf(out, " / %" PRIu32, below);
    }
    if (i > 0) {
        bsim_buffer_printf(out, " %% %" PRIu32, array->dimension[i]);
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Appends the text with the letters of dimensions as parts of e, and with i as e, if that is what it is. */
static void add_parts(const struct bsim_check_array *array, const char *text, bool is_e,
                      struct bsim_buffer *out)
{
    static const char letters[] = "xyzwvuts"; /* as in spell.c */
    for (const char *c = text; *c != '\0'; c++) {
        bool is_alone = (c == text || !is_word(c[-1])) && !is_word(c[1]);
        const char *letter = is_alone ? strchr(letters, *c) : NULL;
        if (letter != NULL && (uint32_t)(letter - letters) < array->n_dimensions) {
            add_part(array, (uint32_t)(letter - letters), out);
        } else if (is_alone && is_e && *c == 'i') {
            bsim_buffer_text(out, "e");
        } else {
            bsim_buffer_add(out, c, 1);
        }
    }
}

/* ---- one dimension --------------------------------------------------------------------------------- */

static bool is_power(uint32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* The layout as one of the elements' numbers. */
static bool as_swizzle(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       struct bsim_layout *same)
{
    *same = *layout;
    if (layout->kind == BSIM_LAYOUT_XOR) {
        return bsim_layout_has_fields(array);
    }
    if (layout->kind == BSIM_LAYOUT_ROW_XOR && is_power(layout->row)) {
        same->kind = BSIM_LAYOUT_SWIZZLE;
        same->shift += bsim_bits_lowest(layout->row) - layout->base;
    }
    return same->kind == BSIM_LAYOUT_SWIZZLE || same->kind == BSIM_LAYOUT_TMA;
}

/* "(&t[0][0])" of "t[...", and what follows the name; all of it where it has that already. */
static void add_whole(const struct bsim_check_array *array, const char *index,
                      struct bsim_buffer *out)
{
    size_t size = strcspn(index, "[");
    bsim_buffer_printf(out, "(&%.*s", (int)size, index);
    for (uint32_t i = 0; i < array->n_dimensions; i++) {
        bsim_buffer_text(out, "[0]");
    }
    bsim_buffer_text(out, ")");
    add_parts(array, index + size, true, out);
}

/* By one index, as of an array of one dimension. */
static void add_number(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       struct bsim_buffer *out)
{
    struct bsim_check_array line = *array;
    struct bsim_buffer index = BSIM_BUFFER_EMPTY;
    line.n_dimensions = 1;
    line.dimension[0] = array->dimension[0] * bsim_layout_first(array);
    bsim_layout_spell(BSIM_LAYOUT_INDEX, &line, layout, &index);
    if (index.data != NULL) {
        add_whole(array, index.data, out);
    }
    out->failed = out->failed || index.failed;
    bsim_buffer_free(&index);
}

/* ---- what to write --------------------------------------------------------------------------------- */

/* "(&t[0][0])[e]", of members that lie apart the first one's. */
static void add_element(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        struct bsim_buffer *out)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    add_number(array, &none, out);
    if (layout->apart) {
        bsim_buffer_printf(out, ".%s", array->member[0].name);
    }
}

static bool stays(const struct bsim_layout *layout)
{
    return !layout->apart &&
           (layout->kind == BSIM_LAYOUT_AS_IS ||
            (layout->kind == BSIM_LAYOUT_PAD && layout->pad == 0 && layout->plane_pad == 0));
}

/* By rows and columns, or by what is told where the layout has no rows of the array. */
static void add_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      const struct bsim_buffer *linear, struct bsim_buffer *out)
{
    struct bsim_buffer index = BSIM_BUFFER_EMPTY;
    bool has_other_rows = layout->kind == BSIM_LAYOUT_PAD_XOR;
    bsim_layout_spell(BSIM_LAYOUT_INDEX, array, layout, &index);
    if (index.data != NULL) {
        size_t name = strcspn(index.data, "[");
        bsim_buffer_add(out, index.data, name);
        add_parts(array, index.data + name, !has_other_rows, out);
    }
    bsim_buffer_text(out, " for ");
    add_element(array, layout, out);
    if (linear->size_bytes > 0 && has_other_rows) {
        bsim_buffer_text(out, ", where ");
        add_parts(array, linear->data, false, out);
    }
    out->failed = out->failed || index.failed;
    bsim_buffer_free(&index);
}

void bsim_layout_flat(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      struct bsim_buffer *out)
{
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    struct bsim_layout same;
    if (array->n_dimensions < 2 || stays(layout)) {
        return;
    }
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, array, layout, &linear);
    if (linear.size_bytes == 0 && !layout->apart && as_swizzle(array, layout, &same)) {
        add_number(array, &same, out);
        bsim_buffer_text(out, " for ");
        add_element(array, layout, out);
    } else {
        add_index(array, layout, &linear, out);
    }
    out->failed = out->failed || linear.failed;
    bsim_buffer_free(&linear);
}

/* ---- what it takes --------------------------------------------------------------------------------- */

bool bsim_flat_operations(const struct bsim_subject *subject, const struct bsim_layout *layout,
                          uint32_t *n)
{
    struct bsim_buffer index = BSIM_BUFFER_EMPTY;
    bool fine = bsim_layout_operations(subject->array, layout, n);
    if (subject->is_flat) {
        bsim_layout_flat(subject->array, layout, &index);
        *n += bsim_layout_operators(&index);
    }
    fine = fine && !index.failed;
    bsim_buffer_free(&index);
    return fine;
}
