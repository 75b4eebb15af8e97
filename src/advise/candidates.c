/* candidates.c - the layouts that are tried for an array.
 *
 * Padding: the banks repeat after `period` bytes, so a row need not grow by more than that. Arrays
 * of three and more dimensions may also get rows between their planes. Within long rows, and in
 * arrays of one dimension, whose rows only the index knows of, a pad follows every 2^k elements
 * (k from 3), or as many as lie between two lanes of some request whose numbers differ in one bit:
 * s[i + i / 32], which the scans of GPU Gems 3 call CONFLICT_FREE_OFFSET, and its form of two
 * levels.
 *
 * Swizzles: `bits` higher bits of the index are added, without carry, to those from `base` up.
 * Only bits that choose the bank are worth changing, and no bit within the widest access may be.
 * Where the higher bits are the row's number it is a row-xor, which does without the whole index;
 * where they are not, CuTe's Swizzle. TMA knows three, for rows of 32, 64 and 128 bytes.
 *
 * Not tried: transposed or blocked orders, whose columns and rows flips and paddings move as well.
 * Members of structs apart are search.c's, rotations ((x + y) % 24) and what a climb finds climb.c's and sweep.c's,
 * where these leave something.
 *
 * Row-xors in rows of a power of two and swizzles are linear over GF(2): each bit of the place is
 * an exclusive or of bits of the index. There are too many such layouts to list: linear.c finds the
 * best of them.
 */
#include "advise/candidates.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST_PADS = 256, /* per row: bytes, on banks that repeat after 256 of them */
    INDEX_PADS = 8,  /* elements, and widest accesses, per 2^k elements */
    LEAST_INDEX_ROW = 8,
    MOST_INDEX_ROW = 4096,
    MOST_PLANE_PADS = 4,
    MOST_BITS = 5,         /* 32 banks */
    MOST_SHIFTED_ROWS = 5, /* rows that may go unswizzled together: 2^this */
    TMA_COMPUTE = 90,      /* the first to have it */
    TMA_BASE_LOG2 = 4,     /* it moves pieces of 16 bytes */
    TMA_SHIFT = 3,
    TMA_MODES = 3,
};

static void add(struct bsim_candidates *list, enum bsim_remedy_kind kind, struct bsim_layout layout)
{
    struct bsim_candidate *more =
        list->failed ? NULL : bsim_mem_grow(list->item, list->n, sizeof *more);
    list->failed = more == NULL;
    if (more != NULL) {
        list->item = more;
        list->item[list->n++] = (struct bsim_candidate){layout, kind};
    }
}

void bsim_candidates_free(struct bsim_candidates *candidates)
{
    bsim_mem_free(candidates->item);
    *candidates = (struct bsim_candidates){NULL, 0, false};
}

/* ---- numbers ------------------------------------------------------------------------------- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* The least k with 2^k >= n. */
static uint32_t log2_up(uint32_t n)
{
    uint32_t k = 0;
    while (k < 31 && UINT32_C(1) << k < n) {
        k++;
    }
    return k;
}

static bool is_power(uint32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static uint32_t period_bytes(const struct bsim_device *device)
{
    return device->n_banks * device->bank_bytes;
}

/* What is tried, and for what. */
struct making {
    const struct bsim_device *device;
    const struct bsim_subject *subject;
    struct bsim_candidates *list;
    uint32_t each; /* bytes of an element */
    uint32_t unit; /* elements of the widest access, at least 1 */
};

/* ---- padding ------------------------------------------------------------------------------- */

static void add_pad(const struct making *making, enum bsim_remedy_kind kind, uint32_t row,
                    uint32_t pad, uint32_t plane_pad)
{
    add(making->list, kind,
        (struct bsim_layout){
            .kind = BSIM_LAYOUT_PAD, .row = row, .pad = pad, .plane_pad = plane_pad});
}

/* Paddings of a row that differ for the banks. */
static uint32_t n_row_pads(const struct making *making)
{
    uint32_t period = period_bytes(making->device);
    uint32_t n = period / common_divisor(period, making->each);
    return n < MOST_PADS ? n : MOST_PADS;
}

static void list_row_pads(const struct making *making)
{
    for (uint32_t pad = 1; pad < n_row_pads(making); pad++) {
        add_pad(making, BSIM_REMEDY_ROW_PAD, making->subject->columns, pad, 0);
    }
}

static void list_plane_pads(const struct making *making)
{
    for (uint32_t planes = 1; planes <= MOST_PLANE_PADS; planes++) {
        for (uint32_t pad = 0; pad < n_row_pads(making); pad++) {
            add_pad(making, BSIM_REMEDY_PLANE_PAD, making->subject->columns, pad, planes);
        }
    }
}

/* Behind every `row` elements. */
static void list_index_pads_of(const struct making *making, uint32_t row)
{
    for (uint32_t pad = 1; pad <= INDEX_PADS; pad++) {
        add_pad(making, BSIM_REMEDY_INDEX_PAD, row, pad, 0);
    }
    for (uint32_t n = 1; n <= INDEX_PADS && making->unit > 1; n++) {
        if (n * making->unit > INDEX_PADS) {
            add_pad(making, BSIM_REMEDY_INDEX_PAD, row, n * making->unit, 0);
        }
    }
}

static bool may_be_row(const struct making *making, uint32_t row)
{
    uint32_t columns = making->subject->columns;
    return row < columns && (!making->subject->has_rows || columns % row == 0);
}

static void list_index_pads(const struct making *making)
{
    for (uint32_t row = LEAST_INDEX_ROW; row <= MOST_INDEX_ROW; row *= 2) {
        if (may_be_row(making, row)) {
            list_index_pads_of(making, row);
        }
    }
    for (uint32_t row = LEAST_INDEX_ROW; row <= MOST_INDEX_ROW; row *= 2) {
        if (!making->subject->has_rows && making->subject->n_elements / row > row) {
            add(making->list, BSIM_REMEDY_INDEX_PAD,
                (struct bsim_layout){.kind = BSIM_LAYOUT_PAD_TWICE,
                                     .row = row,
                                     .pad = making->unit,
                                     .block_rows = row,
                                     .block_pad = making->unit});
        }
    }
}

/* ---- pitches: the rows of an array of one dimension ---------------------------------------- */

/* Whether two lanes lie a whole number of elements apart, and how many. */
static bool pitch_at(const struct bsim_pattern *pattern, uint32_t index, uint32_t each,
                     uint32_t lane, uint32_t other, uint32_t *pitch)
{
    if ((pattern->lanes >> lane & pattern->lanes >> other & 1) == 0 ||
        pattern->array[lane] != index || pattern->array[other] != index ||
        pattern->offset[other] <= pattern->offset[lane]) {
        return false;
    }
    uint32_t bytes = pattern->offset[other] - pattern->offset[lane];
    *pitch = bytes / each;
    return bytes % each == 0 && *pitch <= MOST_INDEX_ROW && !is_power(*pitch);
}

static void note(uint32_t pitch, uint32_t pitches[BSIM_MOST_PITCHES])
{
    for (uint32_t i = 0; i < BSIM_MOST_PITCHES; i++) {
        if (pitches[i] == 0) {
            pitches[i] = pitch;
        }
        if (pitches[i] == pitch) {
            return;
        }
    }
}

/* Distances of lanes whose numbers differ in one bit, `step`. */
static void note_pitches(const struct bsim_pattern *pattern, uint32_t index, uint32_t each,
                         uint32_t step, uint32_t pitches[BSIM_MOST_PITCHES])
{
    for (uint32_t lane = 0; lane + step < BSIM_WARP_LANES; lane++) {
        uint32_t pitch;
        if ((lane & step) == 0 && pitch_at(pattern, index, each, lane, lane + step, &pitch)) {
            note(pitch, pitches);
        }
    }
}

void bsim_candidates_pitches(const struct bsim_patterns *patterns, uint32_t index, uint32_t each,
                             uint32_t pitches[BSIM_MOST_PITCHES])
{
    memset(pitches, 0, BSIM_MOST_PITCHES * sizeof *pitches);
    for (uint32_t step = 1; step < BSIM_WARP_LANES; step *= 2) {
        for (size_t i = 0; i < patterns->n; i++) {
            note_pitches(&patterns->item[i], index, each, step, pitches);
        }
    }
}

/* Powers of two are tried anyway. */
static void list_pitch_pads(const struct making *making, const struct bsim_patterns *patterns,
                            uint32_t index)
{
    uint32_t pitches[BSIM_MOST_PITCHES];
    bsim_candidates_pitches(patterns, index, making->each, pitches);
    for (uint32_t i = 0; i < BSIM_MOST_PITCHES && pitches[i] > 0; i++) {
        if (pitches[i] >= LEAST_INDEX_ROW && may_be_row(making, pitches[i])) {
            list_index_pads_of(making, pitches[i]);
        }
    }
}

/* ---- swizzles ------------------------------------------------------------------------------ */

/* The first bit of the index that may change: neither within an access nor within a bank. */
static uint32_t least_base(const struct making *making)
{
    uint32_t word = (making->device->stride_bytes + making->each - 1) / making->each;
    return log2_up(making->unit > word ? making->unit : word);
}

/* Bits of the index from there on choose no bank. */
static uint32_t end_of_banks(const struct making *making)
{
    return log2_up((period_bytes(making->device) + making->each - 1) / making->each);
}

static void list_row_xors(const struct making *making)
{
    uint32_t row_bits = log2_up(making->subject->rows);
    uint32_t columns = making->subject->columns;
    for (uint32_t shift = 0; shift <= MOST_SHIFTED_ROWS; shift++) {
        for (uint32_t base = least_base(making); base < end_of_banks(making); base++) {
            for (uint32_t bits = 1; bits <= MOST_BITS; bits++) {
                if (shift + bits <= row_bits && base + bits <= end_of_banks(making) &&
                    columns % (UINT32_C(1) << (base + bits)) == 0) {
                    add(making->list, BSIM_REMEDY_ROW_XOR,
                        (struct bsim_layout){.kind = BSIM_LAYOUT_ROW_XOR,
                                             .row = columns,
                                             .bits = bits,
                                             .base = base,
                                             .shift = shift});
                }
            }
        }
    }
}

/* The same as a row-xor: rows are a power of two long, and the higher bits are the row's. */
static bool is_row_xor(const struct making *making, uint32_t bits, uint32_t base, uint32_t shift)
{
    uint32_t columns = making->subject->columns;
    return making->subject->has_rows && is_power(columns) && base + bits <= log2_up(columns) &&
           base + shift >= log2_up(columns);
}

/* A declared array keeps its size. */
static bool fits(const struct making *making, uint32_t bits, uint32_t base)
{
    return !making->subject->has_rows ||
           making->subject->n_elements % (UINT32_C(1) << (base + bits)) == 0;
}

static void list_swizzles(const struct making *making)
{
    uint32_t end = log2_up(making->subject->n_elements);
    for (uint32_t base = least_base(making); base < end_of_banks(making); base++) {
        for (uint32_t bits = 1; bits <= MOST_BITS && base + bits <= end_of_banks(making); bits++) {
            for (uint32_t shift = bits; base + shift + bits <= end; shift++) {
                if (fits(making, bits, base) && !is_row_xor(making, bits, base, shift)) {
                    add(making->list, BSIM_REMEDY_SWIZZLE,
                        (struct bsim_layout){.kind = BSIM_LAYOUT_SWIZZLE,
                                             .bits = bits,
                                             .base = base,
                                             .shift = shift});
                }
            }
        }
    }
}

static void list_tma(const struct making *making)
{
    const struct bsim_subject *subject = making->subject;
    if (making->device->compute < TMA_COMPUTE || !is_power(making->each) ||
        making->each > 1u << TMA_BASE_LOG2) {
        return;
    }
    for (uint32_t bits = 1; bits <= TMA_MODES; bits++) {
        if (subject->columns * making->each == 1u << (TMA_BASE_LOG2 + bits)) {
            add(making->list, BSIM_REMEDY_TMA,
                (struct bsim_layout){.kind = BSIM_LAYOUT_TMA,
                                     .bits = bits,
                                     .base = TMA_BASE_LOG2 - log2_up(making->each),
                                     .shift = TMA_SHIFT});
        }
    }
}

/* The order of the elements, for an array that is declared with another: padded by nothing. */
static void list_none(const struct making *making)
{
    if (making->subject->array->n_layouts > 0) {
        add(making->list, BSIM_REMEDY_ROW_PAD, bsim_layout_plain());
    }
}

/* ---- paddings to be swizzled ---------------------------------------------------------------- */

static uint32_t round_up(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Keeps one of each. */
static size_t add_padding(struct bsim_layout padding[BSIM_MOST_PADDINGS], size_t n, uint32_t row,
                          uint32_t pad, uint32_t plane_pad)
{
    for (size_t i = 0; i < n; i++) {
        if (padding[i].pad == pad && padding[i].plane_pad == plane_pad) {
            return n;
        }
    }
    if (n == BSIM_MOST_PADDINGS || (pad == 0 && plane_pad == 0)) {
        return n;
    }
    padding[n] = (struct bsim_layout){
        .kind = BSIM_LAYOUT_PAD, .row = row, .pad = pad, .plane_pad = plane_pad};
    return n + 1;
}

/* Rows of whole blocks, 2^k units of them, up to all banks, or a power of two; planes likewise. */
size_t bsim_candidates_paddings(const struct bsim_device *device,
                                const struct bsim_subject *subject,
                                struct bsim_layout padding[BSIM_MOST_PADDINGS])
{
    const struct bsim_check_array *array = subject->array;
    struct making making = {
        .device = device, .subject = subject, .each = array->element_bytes, .unit = 1};
    uint32_t columns = subject->columns;
    uint32_t plane = array->n_dimensions >= 3 ? bsim_layout_plane_rows(array) : 0;
    size_t n = 0;
    if (!subject->has_rows || columns == 0 || making.each == 0) {
        return 0;
    }
    making.unit = subject->widest > making.each ? subject->widest / making.each : 1;
    for (uint32_t planes = 1; planes <= (plane > 0 ? 8u : 1u); planes *= 2) {
        uint32_t plane_pad = plane > 0 ? round_up(plane, planes) - plane : 0;
        for (uint32_t bits = least_base(&making) + 1; bits <= end_of_banks(&making); bits++) {
            n = add_padding(padding, n, columns, round_up(columns, UINT32_C(1) << bits) - columns,
                            plane_pad);
        }
        n = add_padding(padding, n, columns, (UINT32_C(1) << log2_up(columns)) - columns,
                        plane_pad);
    }
    return n;
}

/* ---- all ----------------------------------------------------------------------------------- */

bool bsim_candidates_list(const struct bsim_device *device, const struct bsim_patterns *patterns,
                          const struct bsim_subject *subject, uint32_t index,
                          struct bsim_candidates *candidates)
{
    struct making making = {.device = device,
                            .subject = subject,
                            .list = candidates,
                            .each = subject->array->element_bytes,
                            .unit = 1};
    if (subject->widest > making.each) {
        making.unit = (subject->widest + making.each - 1) / making.each;
    }
    list_none(&making);
    if (subject->has_rows) {
        list_row_pads(&making);
        list_row_xors(&making);
    } else {
        list_pitch_pads(&making, patterns, index);
    }
    if (subject->array->n_dimensions >= 3) {
        list_plane_pads(&making);
    }
    list_index_pads(&making);
    list_swizzles(&making);
    if (subject->has_rows) {
        list_tma(&making);
    }
    return !candidates->failed;
}
