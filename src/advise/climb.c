/* climb.c - layouts that are found step by step, by simulation alone.
 *
 * What is listed (candidates.c) or solved (linear.c) leaves out paddings of two levels, rotations of two
 * levels, flips within a bank's word, and arrays that only together suit a request of both. There are
 * too many to try all, but one parameter after the other can be set to its best value, over and
 * over, until none gets better. t[20][20], stored by rows and read by columns, in wavefronts:
 *
 *     pad P every 160 pad Q every 320 more        P = Q = 0    49
 *                                                 P = 2        39    the best of 32
 *                                                 Q = 15       35    the best of 32
 *
 * The end depends on the start, so there are several: a row of each likely length, and with flips some
 * that are drawn. The draws are the same in each run, and the work is limited by a count and not by
 * a clock, so that the answer is always the same. Nothing is claimed of what is not found.
 */
#include "advise/climb.h"

#include "advise/pads.h"
#include "base/bits.h"

#include <string.h>

enum {
    PAIR_WORK = 1 << 16, /* patterns counted: some ten milliseconds */
    PAD_WORK = 1 << 16,
    FLAT_WORK = 3 << 15, /* has more rows to choose from */
    TURN_WORK = 1 << 14,
    ROOM_WORK = 1 << 16,
    PADDED_TURN_WORK = 1 << 15,
    FLIP_WORK = 1 << 15,
    FLIP_STARTS = 6,
    JOINT_WORK = 1 << 18,
    JOINT_STARTS = 256,
    MOST_ROWS = 64,
    MOST_PARTS = 16, /* of an array, that are rows */
};

/* Rows that are padded or turned together. */
static const uint32_t blocks[] = {2, 8, 4, 3, 6, 5, 7, 9, 12, 16, 24, 32, 48};
enum { N_BLOCKS = sizeof blocks / sizeof blocks[0], FEW_BLOCKS = 5 };

/* Of pairs of paddings all are tried, which seldom fits the work: those of two rows leave a third of it to
 * those of four. */
static const uint32_t pair_blocks[FEW_BLOCKS] = {2, 4, 8, 3, 6};
enum { PAIR_REST = PAIR_WORK / 3 };

struct climb {
    struct bsim_search *search;
    uint64_t end;   /* of the work */
    uint64_t found; /* wavefronts with the layouts at hand */
    uint64_t draws;
};

static bool is_over(const struct climb *climb)
{
    return climb->search->work >= climb->end || climb->found <= climb->search->least;
}

/* Takes the layout if it takes no more than `limit`. */
static bool take_within(struct climb *climb, size_t array, const struct bsim_layout *layout,
                        uint64_t limit)
{
    struct bsim_layout old = climb->search->layout[array];
    struct bsim_counted total;
    climb->search->layout[array] = *layout;
    climb->search->advice->n_tried++;
    climb->search->advice->tried[array].n_layouts++;
    if (bsim_trial_count(climb->search, limit, &total)) {
        climb->found = total.chosen_by;
        return true;
    }
    climb->search->layout[array] = old;
    return false;
}

/* Takes the layout if it is better than what the array has. */
static bool take(struct climb *climb, size_t array, const struct bsim_layout *layout)
{
    return take_within(climb, array, layout, climb->found - 1);
}

/* Sets one value of the layout, 0 to most by `step`, to the best for the others. */
static void walk(struct climb *climb, size_t array, struct bsim_layout *layout, uint32_t *value,
                 uint32_t step, uint32_t most)
{
    uint32_t best = *value;
    for (uint32_t i = 0; i <= most && !is_over(climb); i += step) {
        *value = i;
        if (i != best && take(climb, array, layout)) {
            best = i;
        }
    }
    *value = best;
}

/* The same of the rows of a block, where they count. */
static void walk_blocks(struct climb *climb, size_t array, struct bsim_layout *layout, uint32_t by)
{
    uint32_t best = layout->block_rows;
    for (size_t i = 0; i < N_BLOCKS && by > 0 && !is_over(climb); i++) {
        layout->block_rows = blocks[i];
        best = blocks[i] != best && take(climb, array, layout) ? blocks[i] : best;
    }
    layout->block_rows = best;
}

/* A value of each row, another of each block of them, and how large that is, until none gets better. */
static void walk_levels(struct climb *climb, size_t array, struct bsim_layout *layout,
                        uint32_t *by_row, uint32_t *by_block, uint32_t step, uint32_t most)
{
    uint64_t before;
    do {
        before = climb->found;
        walk(climb, array, layout, by_row, step, most);
        walk(climb, array, layout, by_block, step, most);
        walk_blocks(climb, array, layout, *by_block);
    } while (climb->found < before && !is_over(climb));
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static const struct bsim_subject *subject_of(const struct climb *climb, size_t array)
{
    return &climb->search->subjects[array];
}

/* Elements that stay together, at least so many bytes; 0 if they fill no whole number of elements, or
 * the banks no whole number of them. */
static uint32_t unit_of(const struct climb *climb, size_t array, uint32_t bytes)
{
    const struct bsim_subject *subject = subject_of(climb, array);
    uint32_t period = bsim_trial_period(climb->search);
    uint32_t each = subject->array->element_bytes;
    bytes = each > bytes ? each : bytes;
    bytes = subject->widest > bytes ? subject->widest : bytes;
    return each > 0 && bytes % each == 0 && period % bytes == 0 ? bytes / each : 0;
}

/* Elements after which the banks begin again. */
static uint32_t period_of(const struct climb *climb, size_t array)
{
    return bsim_trial_period(climb->search) / subject_of(climb, array)->array->element_bytes;
}

/* ---- paddings of two levels ------------------------------------------------------------------ */

struct rows {
    uint32_t n, row[MOST_ROWS];
};

/* Rows of whole units, of which the array has two at least; each once. */
static void add_row(struct rows *rows, const struct bsim_subject *subject, uint32_t unit,
                    uint32_t row)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->row[i] == row) {
            return;
        }
    }
    if (rows->n < MOST_ROWS && row > 0 && row % unit == 0 && row < subject->n_elements) {
        rows->row[rows->n++] = row;
    }
}

/* Rows of 24 floats repeat in the banks after four of them, or 96: pads behind each 96 leave what goes
 * through the array in order without conflicts, and columns find other banks in each four rows. Then
 * rows as they are declared, or as lanes step over them, and powers of two. */
static void find_rows(const struct climb *climb, size_t array, uint32_t unit, struct rows *rows)
{
    const struct bsim_subject *subject = subject_of(climb, array);
    uint32_t period = period_of(climb, array);
    uint32_t pitches[BSIM_MOST_PITCHES];
    rows->n = 0;
    if (subject->has_rows) {
        uint32_t whole = subject->columns * (period >> bsim_bits_lowest(subject->columns | period));
        add_row(rows, subject, unit, whole);
        add_row(rows, subject, unit, subject->columns);
        add_row(rows, subject, unit, whole / 2);
        for (size_t i = 0; i < FEW_BLOCKS; i++) {
            add_row(rows, subject, unit, subject->columns * blocks[i]);
        }
    }
    bsim_candidates_pitches(climb->search->patterns, (uint32_t)array, subject->array->element_bytes,
                            pitches);
    for (uint32_t i = 0; i < BSIM_MOST_PITCHES; i++) {
        add_row(rows, subject, unit, pitches[i]);
    }
    for (uint32_t i = 2; i <= MOST_PARTS; i++) {
        add_row(rows, subject, unit, subject->n_elements % i == 0 ? subject->n_elements / i : 0);
    }
    for (uint32_t row = period; row >= unit && row > 0; row /= 2) {
        add_row(rows, subject, unit, row);
    }
    add_row(rows, subject, unit, 3 * unit);
    add_row(rows, subject, unit, 5 * unit);
    bool is_alone = !subject->has_rows && !climb->search->advice->is_joint;
    for (uint32_t half = 3; is_alone && half <= MOST_PARTS; half++) {
        add_row(rows, subject, unit, half * period / 2);
    }
}

/* All pairs of paddings behind each row and behind each few of them, as long as there is work. */
static bool try_pairs(struct climb *climb, size_t array, uint32_t unit, struct bsim_layout layout,
                      size_t order, const struct bsim_counted *as_is)
{
    struct bsim_search *search = climb->search;
    uint32_t n = period_of(climb, array) / unit;
    for (uint32_t i = 0; i < n * n && search->work < climb->end; i++) {
        layout.pad = i / n * unit;
        layout.block_pad = i % n * unit;
        if (!bsim_trial_is_wanting(search, array)) {
            break;
        }
        struct bsim_layout simple = bsim_layout_simplified(subject_of(climb, array), &layout);
        if (!bsim_trial_layout(search, array, &simple, BSIM_REMEDY_INDEX_PAD, order, as_is)) {
            return false;
        }
    }
    return true;
}

static void walk_pads(struct climb *climb, size_t array, uint32_t unit, struct bsim_layout *layout)
{
    walk_levels(climb, array, layout, &layout->pad, &layout->block_pad, unit,
                period_of(climb, array) - unit);
}

/* ---- rotations ------------------------------------------------------------------------------- */

static bool may_rotate(const struct climb *climb, size_t array, uint32_t unit)
{
    const struct bsim_subject *subject = subject_of(climb, array);
    return subject->has_rows && unit > 0 && subject->columns % unit == 0 && subject->columns > unit;
}

/* Turns that differ for the banks: rows of whole periods turn like these. */
static uint32_t n_turns(const struct climb *climb, size_t array, const struct bsim_layout *layout)
{
    uint32_t period = period_of(climb, array);
    return layout->row % period == 0 ? period : layout->row;
}

static void walk_turns(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    uint32_t unit = unit_of(climb, array, 0);
    walk_levels(climb, array, layout, &layout->turn, &layout->block_turn, unit,
                n_turns(climb, array, layout) - unit);
}

/* All pairs of turns by units, of one element at least, as long as there is work. */
static void try_turns(struct climb *climb, size_t array, uint32_t unit, struct bsim_layout layout)
{
    uint32_t n = unit > 0 ? n_turns(climb, array, &layout) / unit : 0;
    for (size_t k = 0; k < N_BLOCKS; k++) {
        layout.block_rows = blocks[k];
        for (uint32_t i = 0; i < n * n && !is_over(climb); i++) {
            layout.turn = i / n * unit;
            layout.block_turn = i % n * unit;
            (void)take(climb, array, &layout);
        }
    }
}

/* ---- flips ----------------------------------------------------------------------------------- */

static uint32_t log2_down(uint32_t n)
{
    return bsim_bits_highest(n);
}

/* Bits of the index from layout->base up, so many that they choose the bank; the array consists of
 * whole groups of them. False if there are none. */
static bool find_bits(const struct climb *climb, size_t array, struct bsim_layout *layout)
{
    const struct bsim_subject *subject = subject_of(climb, array);
    uint32_t unit = unit_of(climb, array, 0);
    uint32_t period = period_of(climb, array);
    if (unit == 0 || (unit & (unit - 1)) != 0 || (period & (period - 1)) != 0) {
        return false;
    }
    uint32_t end = log2_down(period);
    *layout = (struct bsim_layout){.kind = BSIM_LAYOUT_XOR, .base = log2_down(unit)};
    layout->bits = end > layout->base ? end - layout->base : 0;
    return layout->bits > 0 && subject->n_elements >> end > 0;
}

/* What bit `bit` may flip: bits of the bank below itself. */
static uint32_t most_flips(const struct bsim_layout *layout, uint32_t bit)
{
    uint32_t end = layout->base + layout->bits;
    end = bit < end ? bit : end;
    return end > layout->base ? (UINT32_C(1) << end) - (UINT32_C(1) << layout->base) : 0;
}

static void walk_flips(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    uint32_t n_bits = log2_down(subject_of(climb, array)->n_elements - 1) + 1;
    uint64_t before;
    do {
        before = climb->found;
        for (uint32_t bit = layout->base + 1; bit < n_bits; bit++) {
            walk(climb, array, layout, &layout->flip[bit], UINT32_C(1) << layout->base,
                 most_flips(layout, bit));
        }
    } while (climb->found < before && !is_over(climb));
}

static uint32_t draw(struct climb *climb, uint32_t below)
{
    climb->draws = climb->draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((climb->draws >> 33) % below);
}

static void draw_flips(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    uint32_t n_bits = log2_down(subject_of(climb, array)->n_elements - 1) + 1;
    for (uint32_t bit = layout->base + 1; bit < n_bits; bit++) {
        layout->flip[bit] = draw(climb, UINT32_MAX) & most_flips(layout, bit);
    }
}

/* ---- one array ------------------------------------------------------------------------------- */

/* Back to the array as it is, or whatever `layout` makes of it. False if that is none. */
static bool start(struct climb *climb, size_t array, const struct bsim_layout *layout)
{
    struct bsim_counted total;
    climb->search->layout[array] = *layout;
    if (!bsim_trial_count(climb->search, UINT64_MAX, &total)) {
        return false;
    }
    climb->found = total.chosen_by;
    return true;
}

/* Whether the best so far takes more bytes than the array as it is: a rotation takes none. */
static bool is_larger(const struct bsim_search *search, size_t array,
                      const struct bsim_counted *as_is)
{
    const struct bsim_choices *choices = &search->choices[array];
    return choices->n > 0 && choices->item[0].end > as_is->end;
}

/* Tells of what was found, if it is the best so far, or as good in fewer bytes. */
static bool tell(struct climb *climb, size_t array, enum bsim_remedy_kind kind, size_t order,
                 const struct bsim_counted *as_is)
{
    const struct bsim_choices *choices = &climb->search->choices[array];
    uint64_t best = choices->n > 0 ? choices->item[0].wavefronts : as_is->chosen_by;
    struct bsim_layout found = climb->search->layout[array];
    if (found.kind == BSIM_LAYOUT_PAD_TWICE) {
        found = bsim_layout_simplified(subject_of(climb, array), &found);
    }
    bool is_smaller =
        kind == BSIM_REMEDY_ROTATE && found.pad == 0 && is_larger(climb->search, array, as_is);
    return climb->found >= best + is_smaller ||
           bsim_trial_layout(climb->search, array, &found, kind, order, as_is);
}

static void begin(struct climb *climb, struct bsim_search *search, uint64_t work)
{
    *climb = (struct climb){.search = search, .end = search->work + work};
}

/* In rows of no power of two, in which flips often cannot do it. */
static bool climb_pairs_of(struct bsim_search *search, size_t array, uint32_t unit, size_t order,
                           const struct bsim_counted *as_is)
{
    const struct bsim_subject *subject = &search->subjects[array];
    struct climb climb;
    struct rows rows;
    bool fine = true;
    begin(&climb, search, PAIR_WORK);
    if (!subject->has_rows || unit == 0 || (subject->columns & (subject->columns - 1)) == 0) {
        return true;
    }
    find_rows(&climb, array, unit, &rows);
    uint64_t end = climb.end;
    struct bsim_layout layout = {.kind = BSIM_LAYOUT_PAD_TWICE,
                                 .row = rows.n > 0 ? rows.row[0] : 0};
    for (size_t k = 0; k < FEW_BLOCKS && layout.row > 0 && fine; k++) {
        layout.block_rows = pair_blocks[k];
        if (k == 0 || layout.row * pair_blocks[k] < subject->n_elements) {
            climb.end = k == 0 ? end - PAIR_REST : end;
            fine = try_pairs(&climb, array, unit, layout, order, as_is);
        }
    }
    return fine;
}

/* A row and the padding that is best behind it. */
struct padded {
    struct bsim_layout layout;
    uint64_t found;
};

/* The best first; of equals as they were. */
static void sort(struct padded *padded, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct padded moved = padded[i];
        uint32_t k = i;
        for (; k > 0 && moved.found < padded[k - 1].found; k--) {
            padded[k] = padded[k - 1];
        }
        padded[k] = moved;
    }
}

/* From the array as it is. */
static void pad_rows(struct climb *climb, size_t array, uint32_t unit,
                     const struct bsim_counted *as_is, struct padded *padded)
{
    struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    climb->search->layout[array] = none;
    climb->found = as_is->chosen_by;
    walk(climb, array, &padded->layout, &padded->layout.pad, unit, period_of(climb, array) - unit);
    padded->found = climb->found;
}

/* A part of a declared row: what two levels of these take depends on who declares it. */
static bool is_within_row(const struct bsim_subject *subject, uint32_t row)
{
    return subject->has_rows && row < subject->columns && subject->columns % row == 0;
}

/* One padding behind each row, and from there on, from the best first, a second one. */
static bool climb_pads_of(struct bsim_search *search, size_t array, uint32_t unit, size_t order,
                          const struct bsim_counted *as_is)
{
    struct padded padded[MOST_ROWS];
    struct climb climb;
    struct rows rows;
    begin(&climb, search, unit == 0 ? 0 : search->subjects[array].has_rows ? PAD_WORK : FLAT_WORK);
    rows.n = 0;
    if (unit > 0) {
        find_rows(&climb, array, unit, &rows);
    }
    for (uint32_t i = 0; i < rows.n; i++) {
        padded[i].layout = (struct bsim_layout){
            .kind = BSIM_LAYOUT_PAD_TWICE, .row = rows.row[i], .block_rows = blocks[0]};
        pad_rows(&climb, array, unit, as_is, &padded[i]);
        if (!tell(&climb, array, BSIM_REMEDY_INDEX_PAD, order, as_is)) {
            return false;
        }
    }
    sort(padded, rows.n);
    for (uint32_t i = 0; i < rows.n && bsim_trial_is_wanting(search, array); i++) {
        if (is_within_row(&search->subjects[array], padded[i].layout.row)) {
            continue;
        }
        search->layout[array] = padded[i].layout;
        climb.found = padded[i].found;
        walk_pads(&climb, array, unit, &padded[i].layout);
        if (climb.found == padded[i].found && !search->subjects[array].has_rows) {
            padded[i].layout.block_rows = blocks[3]; /* of an odd number, where an even one stays */
            walk_pads(&climb, array, unit, &padded[i].layout);
        }
        if (!tell(&climb, array, BSIM_REMEDY_INDEX_PAD, order, as_is)) {
            return false;
        }
    }
    return true;
}

/* By whole words, and then by elements that are smaller; what pads.c looks through, all pairs and what is
 * smaller, not again. */
static bool climb_pads(struct bsim_search *search, size_t array, size_t order,
                       const struct bsim_counted *as_is)
{
    struct climb climb = {.search = search};
    uint32_t words = unit_of(&climb, array, search->device->stride_bytes);
    uint32_t parts = unit_of(&climb, array, 0);
    bool fine = (search->has_padded || climb_pairs_of(search, array, words, order, as_is)) &&
                climb_pads_of(search, array, words, order, as_is);
    return fine && (search->has_padded || parts == words ||
                    (climb_pairs_of(search, array, parts, order, as_is) &&
                     climb_pads_of(search, array, parts, order, as_is)));
}

static bool climb_turns_within(struct bsim_search *search, size_t array, size_t order,
                               const struct bsim_counted *as_is, uint64_t work)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    struct climb climb;
    begin(&climb, search, work);
    struct bsim_layout layout = {
        .kind = BSIM_LAYOUT_ROTATE, .row = subject_of(&climb, array)->columns, .block_rows = 2};
    uint32_t unit = unit_of(&climb, array, 0);
    if (!may_rotate(&climb, array, unit) || !start(&climb, array, &none)) {
        return true;
    }
    walk_turns(&climb, array, &layout);
    try_turns(&climb, array, unit, layout);
    return tell(&climb, array, BSIM_REMEDY_ROTATE, order, as_is);
}

static bool climb_turns(struct bsim_search *search, size_t array, size_t order,
                        const struct bsim_counted *as_is)
{
    return climb_turns_within(search, array, order, as_is, TURN_WORK);
}

/* Each number of rows that turn together with its best turn, the first of the best. */
static void walk_blocks_of_turns(struct climb *climb, size_t array,
                                 const struct bsim_layout *padded)
{
    uint32_t unit = unit_of(climb, array, 0);
    struct bsim_layout layout = *padded;
    for (size_t k = 0; k < N_BLOCKS && !is_over(climb); k++) {
        layout = *padded;
        layout.block_rows = blocks[k];
        walk(climb, array, &layout, &layout.block_turn, unit, layout.row - unit);
    }
    layout = climb->search->layout[array];
    walk(climb, array, &layout, &layout.turn, unit, layout.row - unit);
}

/* Turns of rows that are padded, from each padding on; those first that are good alone. */
static bool climb_padded_turns(struct bsim_search *search, size_t array, size_t order,
                               const struct bsim_counted *as_is)
{
    struct padded padded[MOST_ROWS];
    struct climb climb;
    uint32_t n = 0;
    begin(&climb, search, PADDED_TURN_WORK);
    uint32_t unit = unit_of(&climb, array, 0);
    if (!may_rotate(&climb, array, unit) || search->advice->is_joint) {
        return true; /* arrays that meet are searched several times */
    }
    struct bsim_layout layout = {
        .kind = BSIM_LAYOUT_ROTATE, .row = subject_of(&climb, array)->columns, .block_rows = 2};
    for (layout.pad = unit; layout.pad < period_of(&climb, array) && n < MOST_ROWS;
         layout.pad += unit) {
        if (start(&climb, array, &layout)) {
            padded[n++] = (struct padded){layout, climb.found};
        }
    }
    sort(padded, n);
    for (uint32_t i = 0; i < n && bsim_trial_is_wanting(search, array); i++) {
        search->layout[array] = padded[i].layout;
        climb.found = padded[i].found;
        walk_blocks_of_turns(&climb, array, &padded[i].layout);
        if (!tell(&climb, array, BSIM_REMEDY_ROTATE, order, as_is)) {
            return false;
        }
    }
    return true;
}

/* Unless the best of all are known. */
static bool climb_flips(struct bsim_search *search, size_t array, size_t order,
                        const struct bsim_counted *as_is)
{
    struct bsim_layout layout;
    struct climb climb;
    begin(&climb, search, FLIP_WORK);
    if (search->is_best[array] || !find_bits(&climb, array, &layout)) {
        return true;
    }
    for (uint32_t i = 0; i < FLIP_STARTS && bsim_trial_is_wanting(search, array); i++) {
        if (!start(&climb, array, &layout)) {
            return true;
        }
        walk_flips(&climb, array, &layout);
        if (!tell(&climb, array, BSIM_REMEDY_XOR, order, as_is)) {
            return false;
        }
        draw_flips(&climb, array, &layout);
    }
    return true;
}

/* No conflict is left, but bytes are taken for that: perhaps by more than has to be. */
static bool seek_room(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is)
{
    return climb_turns_within(search, array, order, as_is, ROOM_WORK) &&
           (!is_larger(search, array, as_is) || bsim_pads_array(search, array, order + 1, as_is));
}

bool bsim_climb_array(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is)
{
    static bool (*const climbs[])(struct bsim_search * search, size_t array, size_t order,
                                  const struct bsim_counted *as_is) = {
        climb_turns, bsim_pads_array, climb_pads, climb_flips, climb_padded_turns};
    bool is_limited = search->advice->is_limited;
    bool climbs_on = !search->careful && bsim_trial_is_wanting(search, array);
    bool fine =
        !climbs_on || search->advice->is_joint || bsim_quick_begin(search, array, &search->quick);
    search->reorders = true;
    for (size_t i = 0; i < sizeof climbs / sizeof climbs[0] && fine; i++) {
        fine = !climbs_on || !bsim_trial_is_wanting(search, array) ||
               climbs[i](search, array, order + i, as_is);
    }
    if (fine && !search->careful && !bsim_trial_is_wanting(search, array) &&
        is_larger(search, array, as_is)) {
        fine = seek_room(search, array, order, as_is);
    }
    search->reorders = false;
    bsim_quick_end(&search->quick);
    search->advice->is_limited = is_limited; /* nobody asks for 31 elements behind each */
    return fine;
}

/* ---- arrays together --------------------------------------------------------------------------- */

/* One padding, behind rows that are drawn. False if there are no rows. */
static bool draw_pad(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    uint32_t words = unit_of(climb, array, climb->search->device->stride_bytes);
    uint32_t unit = words > 0 && draw(climb, 2) == 0 ? words : unit_of(climb, array, 0);
    struct rows rows;
    if (unit == 0) {
        return false;
    }
    find_rows(climb, array, unit, &rows);
    *layout = (struct bsim_layout){.kind = BSIM_LAYOUT_PAD_TWICE, .block_rows = blocks[0]};
    layout->row = rows.n > 0 ? rows.row[draw(climb, rows.n)] : 0;
    layout->pad = draw(climb, period_of(climb, array) / unit) * unit;
    return rows.n > 0;
}

/* What the array has been found to be good with alone, flips, a padding, or nothing. */
static void draw_layout(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    const struct bsim_choices *choices = &climb->search->choices[array];
    uint32_t way = draw(climb, 8);
    struct bsim_layout drawn;
    *layout = bsim_layout_plain();
    if (way < 3 && choices->n > 0) {
        *layout = choices->item[draw(climb, (uint32_t)choices->n)].layout;
    } else if (way < 5 && find_bits(climb, array, &drawn)) {
        draw_flips(climb, array, &drawn);
        *layout = drawn;
    } else if (way < 7 && draw_pad(climb, array, &drawn)) {
        *layout = drawn;
    }
}

static bool may_change(const struct climb *climb, size_t array)
{
    const struct bsim_subject *subject = subject_of(climb, array);
    return bsim_subject_may_change(subject) && subject->n_elements > 1;
}

/* Unused elements at the end, which move the arrays behind it: whole steps of the first dimension. */
static void walk_behind(struct climb *climb, size_t array, struct bsim_layout *layout)
{
    const struct bsim_check_array *about = subject_of(climb, array)->array;
    uint32_t unit = bsim_layout_first(about);
    bool is_declared = about->n_dimensions > 1 && (layout->pad > 0 || layout->plane_pad > 0);
    bool can = layout->kind == BSIM_LAYOUT_XOR || layout->kind == BSIM_LAYOUT_PAD_TWICE ||
               (layout->kind == BSIM_LAYOUT_PAD && !is_declared);
    if (can && !about->is_extern && about->n_dimensions > 0 && !layout->apart &&
        layout->more_bytes == 0) {
        walk(climb, array, layout, &layout->behind, unit, period_of(climb, array) - 1);
    }
}

/* Each array in turn, over and over. */
static void walk_arrays(struct climb *climb)
{
    struct bsim_search *search = climb->search;
    uint64_t before;
    do {
        before = climb->found;
        for (size_t i = 0; i < search->n_arrays; i++) {
            struct bsim_layout layout = search->layout[i];
            if (!may_change(climb, i)) {
                continue;
            }
            if (layout.kind == BSIM_LAYOUT_XOR) {
                walk_flips(climb, i, &layout);
            } else if (layout.kind == BSIM_LAYOUT_PAD_TWICE) {
                walk_pads(climb, i, unit_of(climb, i, 0), &layout);
            }
            walk_behind(climb, i, &layout);
        }
    } while (climb->found < before && !is_over(climb));
}

/* Layouts that are drawn for all. False if they do not do. */
static bool draw_all(struct climb *climb)
{
    struct bsim_search *search = climb->search;
    struct bsim_counted total;
    for (size_t i = 0; i < search->n_arrays; i++) {
        search->layout[i] = (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
        if (may_change(climb, i)) {
            draw_layout(climb, i, &search->layout[i]);
        }
    }
    bool does = bsim_trial_count(search, UINT64_MAX, &total);
    climb->found = total.chosen_by;
    return does;
}

/* The least of a value, of an equal count. */
static void lower(struct climb *climb, size_t array, struct bsim_layout *layout, uint32_t *value)
{
    uint32_t old = *value;
    for (*value = 0; *value < old; (*value)++) {
        if (take_within(climb, array, layout, climb->found)) {
            return;
        }
    }
}

/* Without what does nothing, and as small as it will. */
static void prune(struct climb *climb, size_t array)
{
    const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    struct bsim_layout layout = climb->search->layout[array];
    if (layout.kind == BSIM_LAYOUT_AS_IS || take_within(climb, array, &none, climb->found)) {
        return;
    }
    lower(climb, array, &layout, &layout.behind);
    if (layout.kind == BSIM_LAYOUT_PAD_TWICE) {
        lower(climb, array, &layout, &layout.block_pad);
        lower(climb, array, &layout, &layout.pad);
    }
    for (size_t i = 0; i < BSIM_LAYOUT_MAX_BITS && layout.kind == BSIM_LAYOUT_XOR; i++) {
        lower(climb, array, &layout, &layout.flip[i]);
    }
    if (layout.kind == BSIM_LAYOUT_PAD_TWICE && layout.behind == 0) {
        layout = bsim_layout_simplified(subject_of(climb, array), &layout);
        (void)take_within(climb, array, &layout, climb->found);
    }
}

/* Keeps what is at hand if it takes less than `least`. */
static uint64_t keep(struct climb *climb, uint64_t least)
{
    struct bsim_search *search = climb->search;
    if (climb->found >= least) {
        return least;
    }
    for (size_t i = 0; i < search->n_arrays; i++) {
        prune(climb, i);
    }
    memcpy(search->joint, search->layout, search->n_arrays * sizeof *search->joint);
    return climb->found;
}

void bsim_climb_arrays(struct bsim_search *search, uint64_t least)
{
    bool is_limited = search->advice->is_limited;
    struct climb climb;
    begin(&climb, search, JOINT_WORK);
    climb.found = least;
    search->reorders = true;
    for (uint32_t i = 0; i < JOINT_STARTS && search->work < climb.end && least > search->least;
         i++) {
        if (i == 0 || draw_all(&climb)) {
            walk_arrays(&climb);
            least = keep(&climb, least);
        }
    }
    search->reorders = false;
    search->advice->is_limited = is_limited;
}
