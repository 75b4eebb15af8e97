/* name.c - a layout in a few words, which the declaration of an array in a check may have behind it:
 *
 *     pad 1 every 32 pad 1 every 1056      row-xor 5,0,0      xor 5:1,6:2      rotate 3 rotate 4 every 8
 *
 * Members apart and structs of other sizes are other arrays, and have no such words.
 */
#include "advise/name.h"

#include "advise/cute.h"

#include <inttypes.h>

static bool is_unpadded(const struct bsim_layout *layout)
{
    return (layout->kind == BSIM_LAYOUT_PAD || layout->kind == BSIM_LAYOUT_PAD_TWICE) &&
           layout->pad == 0 && layout->plane_pad == 0 && layout->block_pad == 0;
}

/* "pad 1", "pad 1 every 32", "pad 1 every 32 pad 1 every 1056": the second counts what the first
 * gave. */
static void add_pad_name(const struct bsim_check_array *array, const struct bsim_layout *layout,
                         struct bsim_buffer *out)
{
    if (is_unpadded(layout)) {
        bsim_buffer_text(out, layout->behind > 0 ? "" : "no layout");
        return;
    }
    uint32_t row = layout->row + layout->pad;
    const char *separator = "";
    if (layout->pad > 0) {
        bsim_buffer_printf(out, "pad %" PRIu32, layout->pad);
        if (array->n_dimensions < 2 || layout->row != array->dimension[array->n_dimensions - 1]) {
            bsim_buffer_printf(out, " every %" PRIu32, layout->row);
        }
        separator = " ";
    }
    if (layout->block_pad > 0) {
        bsim_buffer_printf(out, "%spad %" PRIu32 " every %" PRIu32, separator, layout->block_pad,
                           layout->block_rows * row);
    }
    if (layout->plane_pad > 0) {
        bsim_buffer_printf(out, "%spad %" PRIu32 " every %" PRIu32, separator,
                           layout->plane_pad * row, bsim_layout_plane_rows(array) * row);
    }
}

/* "xor 4:5,5:10", or what CuTe has a name for */
static void add_xor_name(const struct bsim_layout *layout, struct bsim_buffer *out)
{
    struct bsim_cute swizzle[BSIM_CUTE_SWIZZLES];
    const char *separator = "xor ";
    if (bsim_cute_find(layout->flip, swizzle) == 1 && swizzle[0].shift > 0) {
        bsim_buffer_printf(out, "swizzle<%" PRIu32 ",%" PRIu32 ",%d>", swizzle[0].bits,
                           swizzle[0].base, swizzle[0].shift);
        return;
    }
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        if (layout->flip[bit] != 0) {
            bsim_buffer_printf(out, "%s%" PRIu32 ":%" PRIu32, separator, bit, layout->flip[bit]);
            separator = ",";
        }
    }
}

/* " of 32", of rows that are not the declared ones */
static void add_other_rows(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           struct bsim_buffer *out)
{
    if (array->n_dimensions < 2 || layout->row != array->dimension[array->n_dimensions - 1]) {
        bsim_buffer_printf(out, " of %" PRIu32, layout->row);
    }
}

/* "rotate 3", "rotate 3 rotate 4 every 8": the second by so many rows; "rotate 3 of 32 xor 7:1" */
static void add_rotation_name(const struct bsim_check_array *array,
                              const struct bsim_layout *layout, struct bsim_buffer *out)
{
    if (layout->turn > 0) {
        bsim_buffer_printf(out, "rotate %" PRIu32, layout->turn);
        add_other_rows(array, layout, out);
    }
    if (layout->block_turn > 0) {
        bsim_buffer_printf(out, "%srotate %" PRIu32, layout->turn > 0 ? " " : "",
                           layout->block_turn);
        add_other_rows(array, layout, out);
        bsim_buffer_printf(out, " every %" PRIu32, layout->block_rows);
    }
    if (layout->pad > 0) {
        bsim_buffer_printf(out, " pad %" PRIu32, layout->pad);
    }
    if (layout->bits > 0) {
        bsim_buffer_text(out, " ");
        add_xor_name(layout, out);
    }
}

/* "members apart", "structs of 20 bytes"; and what else there is. */
static void add_members_name(const struct bsim_check_array *array, const struct bsim_layout *layout,
                             struct bsim_buffer *out)
{
    if (layout->apart) {
        bsim_buffer_text(out, "members apart");
    } else {
        bsim_buffer_printf(out, "structs of %" PRIu32 " bytes",
                           array->element_bytes + layout->more_bytes);
    }
}

/* "[32][32]", of an array that is declared with more columns. */
static void add_dimensions(const struct bsim_check_array *array, struct bsim_buffer *out)
{
    for (uint32_t i = 0; i < array->n_dimensions; i++) {
        bsim_buffer_printf(out, "[%" PRIu32 "]", array->dimension[i]);
    }
}

void bsim_layout_add_name(const struct bsim_check_array *declared, const struct bsim_layout *layout,
                          struct bsim_buffer *out)
{
    struct bsim_check_array narrowed;
    const struct bsim_check_array *array = bsim_layout_narrowed(declared, layout, &narrowed);
    if (array != declared) {
        add_dimensions(array, out);
        if (is_unpadded(layout) && layout->behind == 0 && !layout->apart &&
            layout->more_bytes == 0) {
            return;
        }
        bsim_buffer_text(out, " ");
    }
    if (layout->apart || layout->more_bytes > 0) {
        add_members_name(array, layout, out);
        if (layout->kind == BSIM_LAYOUT_PAD && layout->pad == 0 && layout->plane_pad == 0) {
            return;
        }
        bsim_buffer_text(out, ", ");
    }
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        bsim_buffer_text(out, "as is");
        break;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        add_pad_name(array, layout, out);
        break;
    case BSIM_LAYOUT_ROW_XOR:
        bsim_buffer_printf(out, "row-xor %" PRIu32 ",%" PRIu32 ",%" PRIu32, layout->bits,
                           layout->base, layout->shift);
        break;
    case BSIM_LAYOUT_SWIZZLE:
        bsim_buffer_printf(out, "swizzle<%" PRIu32 ",%" PRIu32 ",%" PRIu32 ">", layout->bits,
                           layout->base, layout->shift);
        break;
    case BSIM_LAYOUT_TMA:
        bsim_buffer_printf(out, "swizzle %" PRIu32 "B", UINT32_C(16) << layout->bits);
        break;
    case BSIM_LAYOUT_PAD_XOR:
        add_pad_name(array, layout, out);
        bsim_buffer_text(out, " ");
        add_xor_name(layout, out);
        break;
    case BSIM_LAYOUT_XOR:
        add_xor_name(layout, out);
        break;
    case BSIM_LAYOUT_ROTATE:
        add_rotation_name(array, layout, out);
        break;
    }
    if (layout->behind > 0) {
        bsim_buffer_printf(out, "%s%" PRIu32 " more behind", is_unpadded(layout) ? "" : " ",
                           layout->behind);
    }
}
