/* narrow.c - arrays without the columns that no access comes to.
 *
 *     float tile[32][34]     accesses come to columns 0 to 31     [32][32] pad 2
 *
 * Who padded a tile by hand, and by too much, is told of layouts of the rows that there are: [32][33]
 * and not [32][35]. The array is taken for one of fewer columns that is declared with a padding, and
 * the requests count its elements, for as long as layouts are looked for.
 *
 * What is left out must be a padding, not what a sketch of a part of the kernel has no access to, as
 * the last column of a stencil's halo: all columns before it are used, are twice as many, and fill rows
 * of whole 16 bytes. An access that is not given may need it all the same, so the report says what is
 * left out.
 *
 * Not narrowed: an array with an access that does not go by its rows, one that has a layout already,
 * and extern ones, whose declarations take nothing.
 */
#include "advise/narrow.h"

#include "base/memory.h"

#include <string.h>

enum {
    LEAST_USED = 2, /* columns for each one that is padding */
    ROW_BYTES = 16, /* what rows are whole multiples of before they are padded */
};

/* Notes the columns that lanes of the pattern come to. */
static void note_columns(const struct bsim_pattern *pattern, const struct bsim_subject *subject,
                         uint32_t index, uint8_t *is_used)
{
    uint32_t each = subject->array->element_bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t at = pattern->offset[lane] / each % subject->columns;
        uint32_t n = (pattern->offset[lane] % each + pattern->opcode.bytes + each - 1) / each;
        if ((pattern->lanes >> lane & 1) != 0 && pattern->array[lane] == index) {
            memset(&is_used[at], 1, at + n < subject->columns ? n : subject->columns - at);
        }
    }
}

/* Columns that are needed: those that are used, if all of these stand in front, and are most. */
static uint32_t needed_columns(const struct bsim_subject *subject, const uint8_t *is_used)
{
    const uint8_t *unused = memchr(is_used, 0, subject->columns);
    uint32_t n = unused != NULL ? (uint32_t)(unused - is_used) : subject->columns;
    uint32_t each = subject->array->element_bytes;
    uint32_t unit = subject->widest > each ? (subject->widest + each - 1) / each : 1;
    bool is_padding = memchr(&is_used[n], 1, subject->columns - n) == NULL &&
                      subject->columns - n <= n / LEAST_USED;
    return is_padding && n % unit == 0 && n * each % ROW_BYTES == 0 ? n : subject->columns;
}

/* False when memory is short. */
static bool find_columns(const struct bsim_patterns *patterns, const struct bsim_subject *subject,
                         uint32_t index, uint32_t *columns)
{
    uint8_t *is_used = bsim_mem_zeroed(subject->columns + 1, sizeof *is_used);
    if (is_used == NULL) {
        return false;
    }
    for (size_t i = 0; i < patterns->n; i++) {
        note_columns(&patterns->item[i], subject, index, is_used);
    }
    *columns = needed_columns(subject, is_used);
    bsim_mem_free(is_used);
    return true;
}

static bool may_be_narrower(const struct bsim_subject *subject)
{
    return subject->has_rows && bsim_subject_may_change(subject) && !subject->is_flat &&
           !subject->array->is_extern && subject->array->n_layouts == 0;
}

static void narrow(struct bsim_narrowing *narrowing, size_t i, uint32_t columns,
                   struct bsim_subject *subject)
{
    struct bsim_check_array *array = &narrowing->array[i];
    *array = *subject->array;
    narrowing->pad[i] = (struct bsim_layout){
        .kind = BSIM_LAYOUT_PAD, .row = columns, .pad = subject->columns - columns};
    array->layout = &narrowing->pad[i];
    array->n_layouts = 1;
    array->dimension[array->n_dimensions - 1] = columns;
    array->size_bytes = subject->rows * columns * array->element_bytes;
    subject->array = array;
    subject->columns = subject->narrower = columns;
    subject->n_elements = subject->rows * columns;
    narrowing->is_narrower = true;
}

/* From rows of the one number of columns to rows of the other. */
static void move(struct bsim_patterns *patterns, uint32_t index, uint32_t each, uint32_t from,
                 uint32_t to)
{
    for (size_t i = 0; i < patterns->n && from != to; i++) {
        struct bsim_pattern *pattern = &patterns->item[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((pattern->lanes >> lane & 1) != 0 && pattern->array[lane] == index) {
                uint32_t row = pattern->offset[lane] / (from * each);
                pattern->offset[lane] -= row * from * each;
                pattern->offset[lane] += row * to * each;
            }
        }
    }
}

bool bsim_narrow_begin(struct bsim_narrowing *narrowing, struct bsim_patterns *patterns,
                       struct bsim_subject *subjects, size_t n_arrays)
{
    narrowing->n_arrays = n_arrays;
    narrowing->declared = bsim_mem_zeroed(n_arrays + 1, sizeof *narrowing->declared);
    narrowing->array = bsim_mem_zeroed(n_arrays + 1, sizeof *narrowing->array);
    narrowing->pad = bsim_mem_zeroed(n_arrays + 1, sizeof *narrowing->pad);
    if (narrowing->declared == NULL || narrowing->array == NULL || narrowing->pad == NULL) {
        narrowing->n_arrays = 0;
        return false;
    }
    memcpy(narrowing->declared, subjects, n_arrays * sizeof *subjects);
    for (size_t i = 0; i < n_arrays; i++) {
        uint32_t columns = subjects[i].columns;
        if (may_be_narrower(&subjects[i]) &&
            !find_columns(patterns, &subjects[i], (uint32_t)i, &columns)) {
            return false;
        }
        if (columns < subjects[i].columns) {
            narrow(narrowing, i, columns, &subjects[i]);
            move(patterns, (uint32_t)i, subjects[i].array->element_bytes,
                 narrowing->declared[i].columns, columns);
        }
    }
    return true;
}

void bsim_narrow_end(struct bsim_narrowing *narrowing, struct bsim_patterns *patterns,
                     struct bsim_subject *subjects)
{
    for (size_t i = 0; i < narrowing->n_arrays; i++) {
        uint32_t columns = subjects[i].columns;
        subjects[i] = narrowing->declared[i];
        move(patterns, (uint32_t)i, subjects[i].array->element_bytes, columns, subjects[i].columns);
    }
    bsim_mem_free(narrowing->declared);
    bsim_mem_free(narrowing->array);
    bsim_mem_free(narrowing->pad);
}
