/* pads.c - paddings of two levels, the finer within the rows of an array.
 *
 * A padding behind each row gives all columns the same step from row to row. What goes along the rows by steps
 * of its own, or comes from columns of a few rows only, wants other steps within the row as well:
 *
 *     unsigned h[256][37]      h[y][x + x / 16]          one word behind 16 columns, three more behind the row
 *     half (&t[0][0])[i + i / 13 * 7 + i / 208 * 10]     rows of 52: behind quarters of them, and behind four
 *
 * For each part of a row and each few rows all pairs of the two paddings are looked through:
 *
 *     lanes of one block of rows    move by the first padding alone, so what these take of each request
 *                                   bounds it for all second paddings: most first ones end there
 *     second paddings               are given up at the request that takes too much
 *
 * Where no conflict is left, what is looked for is fewer bytes.
 *
 * The lanes of a group stand in the order of their elements, which paddings keep: those that meet in a word
 * are neighbours. What is found is counted by the model before it is taken.
 */
#include "advise/pads.h"

#include "advise/fit.h"
#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

enum {
    MOST_LOOKS = 5 << 17, /* at groups: some fifty milliseconds at most, seldom a tenth of that */
    ROOM_LOOKS = 5 << 14, /* at those, for bytes alone */
    ALLOWANCE = 16,       /* groups */
    LANES = BSIM_LINEAR_MAX_LANES,
    MOST_BANKS = 1 << 6,
    MOST_CUTS = 128,
};

/* Rows whose padding is the second one. */
static const uint32_t blocks[] = {1, 2, 4, 8, 3, 6, 5, 16};
enum { N_BLOCKS = sizeof blocks / sizeof blocks[0], N_FEW = 6 };

/* Parts of rows, and how many of them make a block. */
struct cut {
    uint32_t row, rows;
};

struct cuts {
    uint32_t n;
    struct cut item[MOST_CUTS];
};

/* A group of lanes, the rows being cut: all in grains, which are words or parts of them. */
struct lanes {
    uint64_t weight;
    uint32_t n, bound; /* lanes; turns that they take at least */
    uint8_t at[LANES]; /* what of a place is more than 8 bits chooses no bank */
    uint8_t row[LANES];
    uint8_t block[LANES];
    uint8_t is_apart[LANES]; /* 1: has no word in common with the lane before, wherever that is */
    uint32_t n_blocks;
    uint8_t end[LANES]; /* of each block's lanes */
};

struct pads {
    struct bsim_search *search;
    const struct bsim_counted *as_is;
    size_t array, order;
    struct bsim_linear linear; /* has the groups */
    struct lanes *lanes;
    uint16_t *first;  /* of the groups: those that cost most come first */
    uint32_t unit;    /* elements that stay together */
    uint32_t grains;  /* of an element */
    uint32_t in_word; /* grains of a word, log2 */
    uint32_t period;  /* elements after which the banks begin again */
    uint64_t rest;    /* the least that all groups take */
    uint64_t looks, end;
    uint64_t least, elements; /* what is looked for takes less, or as much in fewer elements */
    uint64_t slim, most_slim; /* or less than that in no more than so many of them */
    bool is_for_room;         /* nothing else is left: fewer elements are looked for */
    struct cut cut;
};

/* ---- what it costs ------------------------------------------------------------------------- */

/* Elements up to the last one. */
static uint64_t extent(const struct pads *pads, uint32_t pad, uint32_t second)
{
    uint32_t last = pads->search->subjects[pads->array].n_elements - 1;
    uint32_t row = last / pads->cut.row;
    return (uint64_t)last + 1 + (uint64_t)row * pad + (uint64_t)(row / pads->cut.rows) * second;
}

/* Plain loops over all lanes, there or not, so that a compiler does several at once. */
static void place(const struct pads *pads, const struct lanes *lanes, uint32_t pad, uint32_t second,
                  uint8_t bank[LANES], uint8_t is_new[LANES])
{
    uint8_t word[LANES + 1] = {0};
    uint8_t by_row = (uint8_t)(pad * pads->grains);
    uint8_t by_block = (uint8_t)(second * pads->grains);
    uint8_t banks = (uint8_t)(pads->search->device->n_banks - 1);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint8_t at =
            (uint8_t)(lanes->at[lane] + lanes->row[lane] * by_row + lanes->block[lane] * by_block);
        word[lane + 1] = (uint8_t)(at >> pads->in_word);
        bank[lane] = word[lane + 1] & banks;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint8_t differs = word[lane + 1] ^ word[lane];
        is_new[lane] = (differs | lanes->is_apart[lane]) != 0;
    }
}

/* The most words in one bank, of all lanes or of those of one block; no less than the bound. */
static uint32_t busiest(const struct pads *pads, const struct lanes *lanes, uint32_t pad,
                        uint32_t second, bool by_block)
{
    uint8_t bank[LANES];
    uint8_t is_new[LANES];
    uint32_t most = lanes->bound;
    uint32_t n_blocks = by_block ? lanes->n_blocks : 1;
    uint32_t lane = 0;
    place(pads, lanes, pad, second, bank, is_new);
    for (uint32_t block = 0; block < n_blocks; block++) {
        uint8_t times[MOST_BANKS] = {0};
        uint32_t end = by_block ? lanes->end[block] : lanes->n;
        for (; lane < end; lane++) {
            uint32_t n = times[bank[lane]] += is_new[lane];
            most = n > most ? n : most;
        }
    }
    return most;
}

/* Whether so much more than the least, of the first groups, is likely to be too much in the end: with some
 * allowance for these, which are those that cost most. */
static bool is_hopeless(uint64_t more, uint64_t most, uint64_t n_looks, uint64_t n_groups)
{
    return more > 1 && more * n_groups > most * (n_looks + n_looks / 4 + ALLOWANCE);
}

/* Whether the groups take no more than the limit, with these paddings or, by block, with any second one. */
static bool is_within(struct pads *pads, uint32_t pad, uint32_t second, bool by_block,
                      uint64_t limit)
{
    uint64_t most = limit - pads->rest;
    uint64_t more = 0;
    for (size_t k = 0; k < pads->linear.n_groups; k++) {
        uint16_t i = pads->first[k];
        const struct lanes *lanes = &pads->lanes[i];
        pads->looks++;
        more += lanes->weight * (busiest(pads, lanes, pad, second, by_block) - lanes->bound);
        if (more > most || is_hopeless(more, most, k, pads->linear.n_groups)) {
            pads->first[k] = pads->first[k / 2];
            pads->first[k / 2] = i;
            return false;
        }
    }
    return true;
}

/* ---- groups ------------------------------------------------------------------------------------ */

static void take_group(const struct pads *pads, const struct bsim_linear_group *group,
                       struct lanes *lanes)
{
    *lanes = (struct lanes){
        .weight = group->weight, .n = group->n, .bound = bsim_linear_alike(group)};
    for (uint32_t lane = 0; lane < group->n; lane++) {
        uint32_t behind = lane > 0 ? group->at[lane] - group->at[lane - 1] : 0;
        lanes->at[lane] = (uint8_t)group->at[lane];
        lanes->is_apart[lane] = behind == 0 || behind >> pads->in_word != 0;
    }
}

static void take_groups(struct pads *pads)
{
    for (size_t i = 0; i < pads->linear.n_groups; i++) {
        take_group(pads, &pads->linear.group[i], &pads->lanes[i]);
        pads->first[i] = (uint16_t)i;
        pads->rest += pads->lanes[i].weight * pads->lanes[i].bound;
    }
}

static void cut_lanes(const struct cut *cut, uint32_t grains, const struct bsim_linear_group *group,
                      struct lanes *lanes)
{
    uint32_t last = UINT32_MAX;
    lanes->n_blocks = 0;
    for (uint32_t lane = 0; lane < group->n; lane++) {
        uint32_t row = group->at[lane] / (cut->row * grains);
        uint32_t block = row / cut->rows;
        lanes->row[lane] = (uint8_t)row;
        lanes->block[lane] = (uint8_t)block;
        lanes->n_blocks += block != last;
        lanes->end[lanes->n_blocks - 1] = (uint8_t)(lane + 1);
        last = block;
    }
}

static void cut_rows(struct pads *pads, const struct cut *cut)
{
    pads->cut = *cut;
    for (size_t i = 0; i < pads->linear.n_groups; i++) {
        cut_lanes(cut, pads->grains, &pads->linear.group[i], &pads->lanes[i]);
    }
}

/* ---- what is looked for ---------------------------------------------------------------------- */

static uint64_t elements_to(const struct pads *pads, uint64_t end)
{
    const struct bsim_subject *subject = &pads->search->subjects[pads->array];
    uint64_t each = subject->array->element_bytes;
    uint64_t others = pads->as_is->end - subject->n_elements * each;
    return end < others || each == 0 ? 0 : (end - others) / each;
}

static void set_limits(struct pads *pads)
{
    const struct bsim_choices *choices = &pads->search->choices[pads->array];
    pads->least = choices->n > 0 ? choices->item[0].wavefronts : pads->as_is->chosen_by;
    pads->elements = elements_to(pads, choices->n > 0 ? choices->item[0].end : pads->as_is->end);
    pads->most_slim =
        elements_to(pads, bsim_trial_slim_end(pads->search, pads->array, pads->as_is));
    pads->slim = pads->as_is->chosen_by;
    for (size_t i = 0; i < choices->n; i++) {
        const struct bsim_choice *choice = &choices->item[i];
        if (elements_to(pads, choice->end) <= pads->most_slim && choice->wavefronts < pads->slim) {
            pads->slim = choice->wavefronts;
        }
    }
}

/* What so many elements may take; 0: they are too many, or cannot take less. */
static uint64_t limit_of(const struct pads *pads, uint64_t elements)
{
    uint64_t limit = elements < pads->elements ? pads->least : pads->least - 1;
    limit = elements <= pads->most_slim && pads->slim - 1 > limit ? pads->slim - 1 : limit;
    return elements * pads->search->subjects[pads->array].array->element_bytes >
                       pads->search->advice->most_bytes ||
                   limit < pads->rest
               ? 0
               : limit;
}

/* False when memory is short. */
static bool tell(struct pads *pads, uint32_t pad, uint32_t second)
{
    const struct bsim_layout layout = {.kind = BSIM_LAYOUT_PAD_TWICE,
                                       .row = pads->cut.row,
                                       .pad = pad,
                                       .block_rows = pads->cut.rows,
                                       .block_pad = second};
    const struct bsim_layout simple =
        bsim_layout_simplified(&pads->search->subjects[pads->array], &layout);
    bool fine = bsim_trial_layout(pads->search, pads->array, &simple, BSIM_REMEDY_INDEX_PAD,
                                  pads->order, pads->as_is);
    set_limits(pads);
    return fine;
}

/* ---- what is tried ------------------------------------------------------------------------------ */

static bool try_seconds(struct pads *pads, uint32_t pad)
{
    bool fine = true;
    for (uint32_t second = 0; second < pads->period && fine && pads->looks < pads->end;
         second += pads->unit) {
        uint64_t limit = limit_of(pads, extent(pads, pad, second));
        if (limit == 0) {
            break;
        }
        pads->search->advice->n_tried++;
        pads->search->advice->tried[pads->array].n_layouts++;
        if (is_within(pads, pad, second, false, limit)) {
            fine = tell(pads, pad, second);
        }
    }
    return fine;
}

/* Behind each word an even number of them makes odd steps, which number the banks anew and part no lanes. */
static bool does_nothing(const struct pads *pads, uint32_t pad)
{
    return pads->cut.row == 1 && pads->in_word == 0 && pads->grains == 1 && pad % 2 == 0;
}

/* Paddings behind each row that are `step` apart; but none of those that are `done` apart. */
static bool try_firsts(struct pads *pads, uint32_t step, uint32_t done)
{
    bool fine = true;
    for (uint32_t pad = 0; pad < pads->period && fine && pads->looks < pads->end; pad += step) {
        uint64_t limit = limit_of(pads, extent(pads, pad, 0));
        if (limit == 0) {
            break;
        }
        if ((done == 0 || pad % done != 0) && !does_nothing(pads, pad) &&
            is_within(pads, pad, 0, true, limit)) {
            fine = try_seconds(pads, pad);
        }
    }
    return fine;
}

/* By whole words first, which leave as they are the elements that share one. */
static bool try_cut(struct pads *pads, const struct cut *cut)
{
    uint32_t word = UINT32_C(1) << pads->in_word;
    cut_rows(pads, cut);
    if (pads->unit >= word) {
        return try_firsts(pads, pads->unit, 0);
    }
    return try_firsts(pads, word, 0) && try_firsts(pads, pads->unit, word);
}

static void add_cut(const struct pads *pads, uint32_t row, uint32_t rows, struct cuts *cuts)
{
    const struct bsim_subject *subject = &pads->search->subjects[pads->array];
    for (uint32_t i = 0; i < cuts->n; i++) {
        if (cuts->item[i].row == row && cuts->item[i].rows == rows) {
            return;
        }
    }
    if (cuts->n < MOST_CUTS && row % pads->unit == 0 && rows > 1 &&
        row * rows < subject->n_elements) {
        cuts->item[cuts->n++] = (struct cut){row, rows};
    }
}

/* Rows of 24 floats repeat in the banks after four of them, or 96: pads behind each 96 leave what goes through
 * the array in order without conflicts, and columns find other banks in each four rows. */
static void list_wholes(const struct pads *pads, struct cuts *cuts)
{
    uint32_t columns = pads->search->subjects[pads->array].columns;
    uint32_t whole = columns * (pads->period >> bsim_bits_lowest(columns | pads->period));
    for (size_t k = 1; k < N_BLOCKS && whole > columns; k++) {
        add_cut(pads, whole, blocks[k], cuts);
    }
}

/* Behind each row, or few rows, and behind few of these; and halves, thirds and fourths of all rows. */
static void list_rows(const struct pads *pads, uint32_t few, struct cuts *cuts)
{
    const struct bsim_subject *subject = &pads->search->subjects[pads->array];
    for (size_t k = 1; k < (few == 1 ? N_BLOCKS : N_FEW); k++) {
        add_cut(pads, subject->columns * few, blocks[k], cuts);
    }
    for (uint32_t n = 2; n <= 4 && few == 1; n++) {
        add_cut(pads, subject->columns, subject->rows / n, cuts);
    }
}

/* Halves, thirds and so on of each row, with paddings behind each one, two, four rows. */
static void list_parts(const struct pads *pads, struct cuts *cuts)
{
    uint32_t columns = pads->search->subjects[pads->array].columns;
    for (size_t k = 0; k < N_BLOCKS; k++) {
        for (uint32_t parts = 2; parts <= columns / pads->unit; parts++) {
            if (columns % parts == 0) {
                add_cut(pads, columns / parts, parts * blocks[k], cuts);
            }
        }
    }
}

/* Whether fewer wavefronts may be found, or as few in fewer bytes. */
static bool is_wanting(const struct pads *pads)
{
    return pads->least > pads->rest || pads->slim > pads->rest || pads->is_for_room;
}

/* Each has its share of the work that is left until `end`. */
static bool try_cuts(struct pads *pads, const struct cuts *cuts, uint64_t end)
{
    bool fine = true;
    for (uint32_t i = 0; i < cuts->n && fine && is_wanting(pads); i++) {
        pads->end = pads->looks + (end - pads->looks) / (cuts->n - i);
        fine = try_cut(pads, &cuts->item[i]);
    }
    return fine;
}

/* Few are of whole periods, or of rows as they are: these have more of the work. */
static bool try_all(struct pads *pads)
{
    struct cuts whole = {.n = 0};
    struct cuts rows = {.n = 0};
    struct cuts more = {.n = 0};
    list_wholes(pads, &whole);
    list_rows(pads, 1, &rows);
    list_parts(pads, &more);
    for (size_t k = 1; k < N_FEW; k++) {
        list_rows(pads, blocks[k], &more);
    }
    uint64_t most = pads->is_for_room ? ROOM_LOOKS : MOST_LOOKS;
    return try_cuts(pads, &whole, most / 4) && try_cuts(pads, &rows, most / 2) &&
           try_cuts(pads, &more, most);
}

static bool begin(struct pads *pads)
{
    const struct bsim_search *search = pads->search;
    const struct bsim_subject *subject = &search->subjects[pads->array];
    struct bsim_linear *linear = &pads->linear;
    uint32_t grain;
    if (!bsim_fit_grains(search, pads->array, linear, &pads->unit, &grain)) {
        return false;
    }
    pads->lanes = bsim_mem_zeroed(linear->n_groups + 1, sizeof *pads->lanes);
    pads->first = bsim_mem_zeroed(linear->n_groups + 1, sizeof *pads->first);
    if (pads->lanes == NULL || pads->first == NULL || linear->n_groups == 0) {
        return linear->n_groups == 0;
    }
    pads->grains = subject->array->element_bytes / grain;
    pads->in_word = bsim_bits_lowest(search->device->stride_bytes / grain);
    pads->period = bsim_trial_period(search) / subject->array->element_bytes;
    take_groups(pads);
    set_limits(pads);
    return true;
}

bool bsim_pads_array(struct bsim_search *search, size_t array, size_t order,
                     const struct bsim_counted *as_is)
{
    struct pads pads = {.search = search, .as_is = as_is, .array = array, .order = order};
    search->has_padded = false;
    if (!search->subjects[array].has_rows || search->advice->is_joint) {
        return true; /* arrays that meet are searched several times */
    }
    bool fine = begin(&pads);
    search->has_padded = fine && pads.linear.n_groups > 0;
    pads.is_for_room = !bsim_trial_is_wanting(search, array);
    if (search->has_padded) {
        fine = try_all(&pads);
    }
    bsim_linear_end(&pads.linear);
    bsim_mem_free(pads.lanes);
    bsim_mem_free(pads.first);
    return fine;
}
