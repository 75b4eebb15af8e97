/* cost.c - the wavefronts of a pattern under given layouts: what a search spends its time on.
 *
 * The model counts a request in some ten nanoseconds, so little may be lost in finding where a
 * layout puts its lanes. What layout.c divides by stands in a mapper as a factor: of numbers below
 * 2^18, which all bytes of a window are, i / d is i * ceil(2^40 / d) >> 40, since the error of the
 * factor times i stays below 2^40 / d. layout.c says the same plainly, and no plan is told that it
 * does not agree to (prove.c).
 */
#include "advise/cost.h"

#include "advise/layout.h"
#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

enum { FACTOR_SHIFT = 40 };

bool bsim_cost_begin(struct bsim_cost *cost, size_t n_arrays)
{
    cost->mapper = bsim_mem_zeroed(n_arrays + 1, sizeof *cost->mapper);
    return cost->mapper != NULL;
}

void bsim_cost_end(struct bsim_cost *cost)
{
    bsim_mem_free(cost->mapper);
    cost->mapper = NULL;
}

/* ---- mappers ------------------------------------------------------------------------------- */

static uint64_t factor(uint32_t divisor)
{
    return divisor == 0 ? 0 : ((UINT64_C(1) << FACTOR_SHIFT) + divisor - 1) / divisor;
}

static uint32_t divide(uint32_t n, uint64_t by)
{
    return (uint32_t)(n * by >> FACTOR_SHIFT);
}

static float part(uint32_t n)
{
    return n == 0 ? 0 : 1 / (float)n;
}

static bool is_simple(const struct bsim_layout *layout)
{
    return !layout->apart && layout->more_bytes == 0 && layout->plane_pad == 0 &&
           (layout->kind == BSIM_LAYOUT_AS_IS || layout->kind == BSIM_LAYOUT_PAD ||
            layout->kind == BSIM_LAYOUT_PAD_TWICE || layout->kind == BSIM_LAYOUT_XOR ||
            layout->kind == BSIM_LAYOUT_ROTATE);
}

void bsim_cost_prepare(struct bsim_cost *cost, size_t array, const struct bsim_layout *layout,
                       uint32_t base)
{
    const struct bsim_check_array *about = cost->subjects[array].array;
    struct bsim_mapper *mapper = &cost->mapper[array];
    uint32_t rows = about->n_dimensions >= 2 ? about->dimension[about->n_dimensions - 2] : 0;
    bool is_declared = layout->kind == BSIM_LAYOUT_AS_IS && about->n_layouts > 0;
    *mapper =
        (struct bsim_mapper){.layout = *layout,
                             .declared = is_declared ? about : NULL,
                             .structs = layout->apart || layout->more_bytes > 0 ? about : NULL,
                             .base = base,
                             .each = about->element_bytes,
                             .by_each = factor(about->element_bytes),
                             .by_row = factor(layout->row),
                             .by_plane = factor(rows),
                             .by_block = factor(layout->block_rows),
                             .mask = (UINT32_C(1) << layout->bits) - 1,
                             .is_simple = is_simple(layout) && !is_declared,
                             .each_part = part(about->element_bytes),
                             .row_part = part(layout->row),
                             .block_part = part(layout->block_rows)};
}

static uint32_t pad(const struct bsim_mapper *mapper, uint32_t i)
{
    const struct bsim_layout *layout = &mapper->layout;
    uint32_t row = divide(i, mapper->by_row);
    uint32_t at = i + row * layout->pad;
    if (layout->kind == BSIM_LAYOUT_PAD_TWICE) {
        return at + divide(row, mapper->by_block) * layout->block_pad;
    }
    return layout->plane_pad == 0 ? at
                                  : at + divide(row, mapper->by_plane) * layout->plane_pad *
                                             (layout->row + layout->pad);
}

static uint32_t flip(const struct bsim_layout *layout, uint32_t i)
{
    uint32_t place = i;
    for (uint32_t rest = i; rest != 0; rest &= rest - 1) {
        place ^= layout->flip[bsim_bits_lowest(rest)];
    }
    return place;
}

static uint32_t rotate(const struct bsim_mapper *mapper, uint32_t i)
{
    const struct bsim_layout *layout = &mapper->layout;
    uint32_t row = divide(i, mapper->by_row);
    uint32_t by = row * layout->turn + divide(row, mapper->by_block) * layout->block_turn;
    uint32_t column = i - row * layout->row + by;
    uint32_t flips = layout->bits > 0 ? flip(layout, i) ^ i : 0;
    return (row * (layout->row + layout->pad) + column % layout->row) ^
           flips; /* too large for a factor */
}

/* Where element i goes. */
static uint32_t place_of(const struct bsim_mapper *mapper, uint32_t i)
{
    const struct bsim_layout *layout = &mapper->layout;
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        break;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return pad(mapper, i);
    case BSIM_LAYOUT_ROW_XOR: {
        uint32_t row = divide(i, mapper->by_row);
        uint32_t column = i - row * layout->row;
        return row * layout->row + (column ^ (row >> layout->shift & mapper->mask) << layout->base);
    }
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
        return i ^ (i >> layout->shift & mapper->mask << layout->base);
    case BSIM_LAYOUT_XOR:
        return flip(layout, i);
    case BSIM_LAYOUT_PAD_XOR:
        return flip(layout, pad(mapper, i));
    case BSIM_LAYOUT_ROTATE:
        return rotate(mapper, i);
    }
    return i;
}

/* As bsim_layout_map, for an access of several elements: they have to stay behind one another. */
static bool stays_whole(const struct bsim_mapper *mapper, uint32_t first, uint32_t last)
{
    const struct bsim_layout *layout = &mapper->layout;
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        break;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return divide(first, mapper->by_row) == divide(last, mapper->by_row);
    case BSIM_LAYOUT_ROW_XOR:
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
    case BSIM_LAYOUT_XOR:
        return first >> layout->base == last >> layout->base;
    case BSIM_LAYOUT_PAD_XOR:
        return divide(first, mapper->by_row) == divide(last, mapper->by_row) &&
               pad(mapper, first) >> layout->base == pad(mapper, last) >> layout->base;
    case BSIM_LAYOUT_ROTATE:
        return divide(first, mapper->by_row) == divide(last, mapper->by_row) &&
               rotate(mapper, last) == rotate(mapper, first) + (last - first);
    }
    return true;
}

static bool address_of(const struct bsim_mapper *mapper, uint32_t offset, uint32_t bytes,
                       uint32_t *address)
{
    if (mapper->declared != NULL) {
        bool is_whole = bsim_array_map(mapper->declared, offset, bytes, address);
        *address += mapper->base;
        return is_whole && (*address & (bytes - 1)) == 0;
    }
    uint32_t i = divide(offset, mapper->by_each);
    uint32_t within = offset - i * mapper->each;
    if (within + bytes > mapper->each &&
        !stays_whole(mapper, i, divide(offset + bytes - 1, mapper->by_each))) {
        return false;
    }
    uint32_t place = place_of(mapper, i);
    if (mapper->structs == NULL) {
        *address = mapper->base + place * mapper->each + within;
        return (*address & (bytes - 1)) == 0;
    }
    bool is_whole =
        bsim_layout_byte(mapper->structs, &mapper->layout, place, within, bytes, address);
    *address += mapper->base;
    return is_whole && (*address & (bytes - 1)) == 0;
}

/* ---- all lanes at once ----------------------------------------------------------------------- */

/* n / d for d up to 2^18 and n up to 2^20, of 1 / d: what is rounded, 2^-22 of n / d, is less than the half
 * that is added. Plain loops over arrays, so that a compiler does several lanes at once. */
static void divide_lanes(const uint32_t n[BSIM_WARP_LANES], float by, uint32_t q[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        q[lane] = (uint32_t)(int32_t)(((float)(int32_t)n[lane] + 0.5f) * by);
    }
}

static void pad_lanes(const struct bsim_mapper *mapper, const uint32_t element[BSIM_WARP_LANES],
                      uint32_t place[BSIM_WARP_LANES])
{
    uint32_t row[BSIM_WARP_LANES];
    uint32_t block[BSIM_WARP_LANES];
    uint32_t pad = mapper->layout.pad;
    uint32_t block_pad =
        mapper->layout.kind == BSIM_LAYOUT_PAD_TWICE ? mapper->layout.block_pad : 0;
    divide_lanes(element, mapper->row_part, row);
    divide_lanes(row, mapper->block_part, block);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        place[lane] = element[lane] + row[lane] * pad + block[lane] * block_pad;
    }
}

static void flip_by_lanes(const struct bsim_layout *layout, const uint32_t element[BSIM_WARP_LANES],
                          uint32_t place[BSIM_WARP_LANES])
{
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        uint32_t flips = layout->flip[bit];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES && flips != 0; lane++) {
            place[lane] ^= (0 - (element[lane] >> bit & 1)) & flips;
        }
    }
}

static void flip_lanes(const struct bsim_layout *layout, const uint32_t element[BSIM_WARP_LANES],
                       uint32_t place[BSIM_WARP_LANES])
{
    memcpy(place, element, BSIM_WARP_LANES * sizeof *place);
    flip_by_lanes(layout, element, place);
}

/* A row turns by less than itself for each row before it: by no more than there are elements. */
static void rotate_lanes(const struct bsim_mapper *mapper, const uint32_t element[BSIM_WARP_LANES],
                         uint32_t place[BSIM_WARP_LANES])
{
    const struct bsim_layout *layout = &mapper->layout;
    uint32_t row[BSIM_WARP_LANES];
    uint32_t block[BSIM_WARP_LANES];
    uint32_t turned[BSIM_WARP_LANES];
    uint32_t times[BSIM_WARP_LANES];
    divide_lanes(element, mapper->row_part, row);
    divide_lanes(row, mapper->block_part, block);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        turned[lane] = element[lane] - row[lane] * layout->row + row[lane] * layout->turn +
                       block[lane] * layout->block_turn;
    }
    divide_lanes(turned, mapper->row_part, times);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        place[lane] =
            row[lane] * (layout->row + layout->pad) + turned[lane] - times[lane] * layout->row;
    }
    if (layout->bits > 0) {
        flip_by_lanes(layout, element, place);
    }
}

/* Of a simple pattern, whose accesses each lie in one element. False if one is not aligned. */
static bool find_all(const struct bsim_mapper *mapper, const struct bsim_pattern *pattern,
                     uint32_t address[BSIM_WARP_LANES])
{
    uint32_t element[BSIM_WARP_LANES];
    uint32_t place[BSIM_WARP_LANES];
    uint32_t each = mapper->each;
    uint32_t all = 0;
    divide_lanes(pattern->offset, mapper->each_part, element);
    if (mapper->layout.kind == BSIM_LAYOUT_XOR) {
        flip_lanes(&mapper->layout, element, place);
    } else if (mapper->layout.kind == BSIM_LAYOUT_ROTATE) {
        rotate_lanes(mapper, element, place);
    } else if (mapper->layout.kind == BSIM_LAYOUT_AS_IS) {
        memcpy(place, element, sizeof place);
    } else {
        pad_lanes(mapper, element, place);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t moved = (place[lane] - element[lane]) * each;
        address[lane] = mapper->base + pattern->offset[lane] + moved;
        all |= address[lane];
    }
    return (all & (pattern->opcode.bytes - 1)) == 0;
}

/* ---- counting ------------------------------------------------------------------------------ */

/* One by one. */
static bool find_each(const struct bsim_cost *cost, const struct bsim_pattern *pattern,
                      uint32_t address[BSIM_WARP_LANES])
{
    for (uint32_t lanes = pattern->lanes, lane = 0; lanes != 0; lanes >>= 1, lane++) {
        if ((lanes & 1) != 0 &&
            !address_of(&cost->mapper[pattern->array[lane]], pattern->offset[lane],
                        pattern->opcode.bytes, &address[lane])) {
            return false;
        }
    }
    return true;
}

bool bsim_cost_count(const struct bsim_cost *cost, const struct bsim_pattern *pattern,
                     struct bsim_advice_cost *count)
{
    struct bsim_request request = bsim_pattern_request(pattern);
    struct bsim_counts counts;
    const struct bsim_mapper *mapper = &cost->mapper[pattern->array[0]];
    bool at_once = pattern->is_simple && mapper->is_simple &&
                   (mapper->each & (pattern->opcode.bytes - 1)) == 0;
    if (at_once ? !find_all(mapper, pattern, request.address)
                : !find_each(cost, pattern, request.address)) {
        return false;
    }
    bsim_request_count(cost->device, &request, &counts);
    *count = (struct bsim_advice_cost){counts.wavefronts, bsim_counts_excessive(&counts)};
    return true;
}
