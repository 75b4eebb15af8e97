/* place.c - the arithmetic of layouts. In elements of the array, counted through all dimensions:
 *
 *     PAD        rows of 4 and 1 element of padding     0 1 2 3 . 4 5 6 7 . 8 9 ...
 *     PAD_TWICE  and 2 more behind 2 rows               0 1 2 3 . 4 5 6 7 . . . 8 9 ...
 *     ROW_XOR    rows of 4, 2 bits                      0 1 2 3 | 5 4 7 6 | 10 11 8 9 | ...
 *     SWIZZLE    Swizzle<2, 0, 2>                       the same, without knowing of rows
 *     XOR        bit 2 flips 1, bit 3 flips 2           the same again: any swizzle is such a one
 *     PAD_XOR    rows of 3 and 1 element, bit 2 flips 0 0 1 2 . | 5 4 . 6 | 8 9 10 . | ...
 *     ROTATE     rows of 4, by 1                        0 1 2 3 | 7 4 5 6 | 10 11 8 9 | ...
 *                and 1 element of padding               0 1 2 3 . 7 4 5 6 . 10 11 8 9 . ...
 *                and bit 3 flips 2                      0 1 2 3 | 7 4 5 6 | 8 9 10 11 | ...
 *
 * A struct may have unused bytes at its end, or its members apart, each in an array of its own: the
 * same layout then holds for these.
 *
 * An access of several elements stays in one piece in a padded array if it lies within a row, and
 * in a swizzled one if it lies within 2^base elements that begin at a multiple of that, which are
 * moved as a whole; in a rotated one if its row does not end within. Whether it is aligned then depends on where the array begins; that is for those
 * who place it to find out.
 */
#include "layout/place.h"

static uint32_t mask_of(const struct bsim_layout *layout)
{
    return (UINT32_C(1) << layout->bits) - 1;
}

uint32_t bsim_layout_plane_rows(const struct bsim_check_array *array)
{
    return array->dimension[array->n_dimensions - 2];
}

bool bsim_layout_is_in_rows(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_PAD_TWICE && array->n_dimensions > 1 &&
           layout->behind == 0 &&
           layout->row * layout->block_rows == array->dimension[array->n_dimensions - 1];
}

struct bsim_layout bsim_layout_plain(void)
{
    return (struct bsim_layout){.kind = BSIM_LAYOUT_PAD,
                                .row = UINT32_C(1) << BSIM_LAYOUT_MAX_BITS};
}

static uint32_t padded(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       uint32_t i)
{
    uint32_t row = i / layout->row;
    i += row * layout->pad;
    if (layout->plane_pad > 0) {
        i += row / bsim_layout_plane_rows(array) * layout->plane_pad * (layout->row + layout->pad);
    }
    return i;
}

static uint32_t flipped(const struct bsim_layout *layout, uint32_t i)
{
    uint32_t place = i;
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        place ^= (i >> bit & 1) != 0 ? layout->flip[bit] : 0;
    }
    return place;
}

static uint32_t rotated(const struct bsim_layout *layout, uint32_t i)
{
    uint32_t row = i / layout->row;
    uint32_t block = layout->block_rows > 0 ? row / layout->block_rows : 0;
    uint32_t by = row * layout->turn + block * layout->block_turn;
    uint32_t flips =
        layout->bits > 0 ? flipped(layout, i) ^ i : 0; /* by bits of the row's number */
    return (row * (layout->row + layout->pad) + (i + by) % layout->row) ^ flips;
}

uint32_t bsim_layout_index(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint32_t i)
{
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        break;
    case BSIM_LAYOUT_PAD:
        return padded(array, layout, i);
    case BSIM_LAYOUT_PAD_TWICE:
        return i + i / layout->row * layout->pad +
               i / layout->row / layout->block_rows * layout->block_pad;
    case BSIM_LAYOUT_ROW_XOR: {
        uint32_t row = i / layout->row;
        uint32_t column = i % layout->row;
        return row * layout->row +
               (column ^ (row >> layout->shift & mask_of(layout)) << layout->base);
    }
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
        return i ^ (i >> layout->shift & mask_of(layout) << layout->base);
    case BSIM_LAYOUT_XOR:
        return flipped(layout, i);
    case BSIM_LAYOUT_PAD_XOR:
        return flipped(layout, padded(array, layout, i));
    case BSIM_LAYOUT_ROTATE:
        return rotated(layout, i);
    }
    return i;
}

/* Elements from first to last keep lying behind one another. */
static bool stays_whole(const struct bsim_check_array *array, const struct bsim_layout *layout,
                        uint32_t first, uint32_t last)
{
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        return true;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return first / layout->row == last / layout->row;
    case BSIM_LAYOUT_ROW_XOR:
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
    case BSIM_LAYOUT_XOR:
        return first >> layout->base == last >> layout->base;
    case BSIM_LAYOUT_PAD_XOR:
        return first / layout->row == last / layout->row &&
               padded(array, layout, first) >> layout->base ==
                   padded(array, layout, last) >> layout->base;
    case BSIM_LAYOUT_ROTATE:
        return first / layout->row == last / layout->row &&
               rotated(layout, last) == rotated(layout, first) + (last - first);
    }
    return false;
}

/* ---- members ------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

const struct bsim_check_member *bsim_layout_member(const struct bsim_check_array *array,
                                                   uint32_t within, uint32_t bytes)
{
    for (uint32_t i = 0; i < array->n_members; i++) {
        const struct bsim_check_member *member = &array->member[i];
        if (within >= member->offset_bytes &&
            within + bytes <= member->offset_bytes + member->size_bytes) {
            return member;
        }
    }
    return NULL;
}

/* Where the arrays of the members before number `member` end, and the next one may begin. */
static uint64_t end_of_members(const struct bsim_check_array *array, uint64_t n, uint32_t member)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < member; i++) {
        end = round_up(end, array->alignment) + n * array->member[i].size_bytes;
    }
    return end;
}

uint64_t bsim_layout_bytes(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           uint64_t n)
{
    return layout->apart ? end_of_members(array, n, array->n_members)
                         : n * (array->element_bytes + layout->more_bytes);
}

bool bsim_layout_byte(const struct bsim_check_array *array, const struct bsim_layout *layout,
                      uint32_t place, uint32_t within, uint32_t bytes, uint32_t *at)
{
    if (!layout->apart) {
        *at = place * (array->element_bytes + layout->more_bytes) + within;
        return layout->more_bytes == 0 || within + bytes <= array->element_bytes;
    }
    const struct bsim_check_member *member = bsim_layout_member(array, within, bytes);
    if (member == NULL) {
        return false;
    }
    uint64_t begin = end_of_members(array, layout->n_places, (uint32_t)(member - array->member));
    *at = (uint32_t)round_up(begin, array->alignment) + place * member->size_bytes + within -
          member->offset_bytes;
    return true;
}

/* ---- bytes --------------------------------------------------------------------------------- */

const struct bsim_check_array *bsim_layout_narrowed(const struct bsim_check_array *array,
                                                    const struct bsim_layout *layout,
                                                    struct bsim_check_array *narrowed)
{
    uint32_t n = array->n_dimensions;
    if (layout->columns == 0 || layout->columns == array->dimension[n - 1]) {
        return array;
    }
    *narrowed = *array;
    narrowed->dimension[n - 1] = layout->columns;
    return narrowed;
}

/* The byte in rows that are narrower. False if they have no such bytes. */
static bool narrow(const struct bsim_check_array *array, uint32_t columns, uint32_t bytes,
                   uint32_t *offset)
{
    uint32_t row = array->dimension[array->n_dimensions - 1] * array->element_bytes;
    uint32_t narrower = columns * array->element_bytes;
    uint32_t within = *offset % row;
    *offset = *offset / row * narrower + within;
    return within + bytes <= narrower;
}

bool bsim_layout_map(const struct bsim_check_array *declared, const struct bsim_layout *layout,
                     uint32_t offset, uint32_t bytes, uint32_t *mapped)
{
    struct bsim_check_array narrowed;
    const struct bsim_check_array *array = bsim_layout_narrowed(declared, layout, &narrowed);
    if (layout->kind == BSIM_LAYOUT_AS_IS) {
        return bsim_array_map(array, offset, bytes, mapped);
    }
    if (array != declared && !narrow(declared, layout->columns, bytes, &offset)) {
        return false;
    }
    uint32_t each = array->element_bytes;
    uint32_t first = offset / each;
    uint32_t last = (offset + bytes - 1) / each;
    if (first != last && !stays_whole(array, layout, first, last)) {
        return false;
    }
    return bsim_layout_byte(array, layout, bsim_layout_index(array, layout, first), offset % each,
                            bytes, mapped);
}

bool bsim_array_map(const struct bsim_check_array *array, uint32_t offset, uint32_t bytes,
                    uint32_t *mapped)
{
    bool is_whole = true;
    *mapped = offset;
    for (size_t i = 0; i < array->n_layouts && is_whole; i++) {
        is_whole = bsim_layout_map(array, &array->layout[i], *mapped, bytes, mapped);
    }
    return is_whole;
}

/* Whether element i lies around byte `at`; where the access there begins is then its offset. */
static bool lies_at(const struct bsim_check_array *array, uint32_t i, uint32_t at, uint32_t bytes,
                    uint32_t *offset)
{
    uint32_t each = array->element_bytes;
    uint32_t begin, mapped;
    if (!bsim_array_map(array, i * each, each, &begin) || at < begin || at - begin >= each) {
        return false;
    }
    *offset = i * each + (at - begin);
    return bsim_array_map(array, *offset, bytes, &mapped) && mapped == at;
}

/* Layouts move elements by little: those next to the place are asked first. */
bool bsim_array_unmap(const struct bsim_check_array *array, uint32_t at, uint32_t bytes,
                      uint32_t *offset)
{
    uint32_t near = at / array->element_bytes;
    uint32_t n = array->size_bytes / array->element_bytes;
    *offset = at;
    if (array->n_layouts == 0) {
        return true;
    }
    uint32_t end = array->is_extern ? 2 * near + 1 : n;
    for (uint32_t away = 0; away <= near || near + away < end; away++) {
        if ((away <= near && near - away < end && lies_at(array, near - away, at, bytes, offset)) ||
            (near + away < end && lies_at(array, near + away, at, bytes, offset))) {
            return true;
        }
    }
    return false;
}

uint32_t bsim_layout_first(const struct bsim_check_array *array)
{
    uint32_t n = 1;
    for (uint32_t i = 1; i < array->n_dimensions; i++) {
        n *= array->dimension[i];
    }
    return n;
}

struct bsim_extent bsim_extent_of(const struct bsim_check_array *array, uint64_t n)
{
    uint32_t d = array->n_dimensions;
    uint32_t columns = d > 1 ? array->dimension[d - 1] : 0;
    return (struct bsim_extent){.end = n,
                                .whole = n,
                                .columns = columns,
                                .plane = d > 2 ? columns * bsim_layout_plane_rows(array) : 0};
}

/* A padding that only makes rows longer, or puts rows between planes. */
static bool is_declared(const struct bsim_extent *extent, const struct bsim_layout *pad)
{
    return extent->columns > 0 && (extent->columns % pad->row == 0 ||
                                   (extent->plane == pad->row && pad->pad % extent->columns == 0));
}

static struct bsim_extent extend_by_pad(const struct bsim_check_array *array,
                                        const struct bsim_layout *pad,
                                        const struct bsim_extent *before)
{
    struct bsim_extent extent = *before;
    if (pad->behind > 0) {
        uint64_t end = before->whole + pad->behind;
        return (struct bsim_extent){.end = end, .whole = end};
    }
    extent.end += (before->end - 1) / pad->row * pad->pad;
    if (is_declared(before, pad)) {
        extent.whole += before->whole / pad->row * pad->pad;
        extent.columns += before->columns / pad->row * pad->pad;
        extent.plane += before->plane / pad->row * pad->pad;
        return extent;
    }
    extent.columns = 0;
    extent.whole = round_up(extent.end, bsim_layout_first(array));
    return extent;
}

/* Elements of one step in the first dimension, in the rows that there are now. */
static uint32_t first_of(const struct bsim_check_array *array, const struct bsim_extent *extent)
{
    uint32_t d = array->n_dimensions;
    uint32_t n = d > 2 ? extent->plane : extent->columns;
    for (uint32_t i = 1; i + 2 < d; i++) {
        n *= array->dimension[i];
    }
    return extent->columns == 0 ? bsim_layout_first(array) : n;
}

uint32_t bsim_layout_group(const struct bsim_layout *layout)
{
    uint32_t group = UINT32_C(1) << (layout->base + layout->bits);
    return layout->kind == BSIM_LAYOUT_ROTATE && layout->row > group ? layout->row : group;
}

struct bsim_extent bsim_extent_with(const struct bsim_check_array *array,
                                    const struct bsim_layout *layout,
                                    const struct bsim_extent *before)
{
    struct bsim_extent extent = *before;
    if (before->end == 0) {
        return extent; /* as far as it is accessed: who knows that? */
    }
    if (layout->kind == BSIM_LAYOUT_PAD) {
        return extend_by_pad(array, layout, before);
    }
    extent.end = round_up(before->whole, bsim_layout_group(layout));
    extent.whole = round_up(extent.end, first_of(array, before));
    return extent;
}

uint64_t bsim_array_extent(const struct bsim_check_array *array, uint64_t n)
{
    struct bsim_extent extent = bsim_extent_of(array, n);
    for (size_t i = 0; i < array->n_layouts; i++) {
        extent = bsim_extent_with(array, &array->layout[i], &extent);
    }
    return extent.whole;
}
