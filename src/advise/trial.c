/* trial.c - one layout of an array tried: counted, and kept if it is the best of its kind.
 *
 * A candidate is given up as soon as its wavefronts, with the least that the patterns still to come
 * can take, exceed the best of its kind.
 */
#include "advise/trial.h"

#include "advise/flat.h"
#include "base/memory.h"

#include <string.h>

/* ---- one layout ---------------------------------------------------------------------------- */

void bsim_trial_put(struct bsim_search *search, uint64_t *end)
{
    *end = bsim_layout_place(search->subjects, search->n_arrays, search->layout, search->base,
                             search->declares);
    for (size_t i = 0; i < search->n_arrays; i++) {
        bsim_cost_prepare(&search->cost, i, &search->layout[i], search->base[i]);
    }
}

bool bsim_trial_has_room(const struct bsim_search *search, uint64_t end)
{
    bool fits = end <= search->advice->most_bytes;
    search->advice->is_limited = search->advice->is_limited || !fits;
    return fits;
}

static uint64_t sum_least(const struct bsim_search *search)
{
    uint64_t least = 0;
    for (size_t i = 0; i < search->n_touching; i++) {
        const struct bsim_pattern *pattern = &search->patterns->item[search->touching[i]];
        least += pattern->weight * pattern->least;
    }
    return least;
}

/* The next layout is likely to fail at the same pattern. */
static void ask_earlier(struct bsim_search *search, size_t i)
{
    uint32_t pattern = search->touching[i];
    if (search->reorders) {
        search->touching[i] = search->touching[i / 2];
        search->touching[i / 2] = pattern;
    }
}

/* A careful search, whose work is bounded, counts on: why a layout is none is told, too. */
bool bsim_trial_count(struct bsim_search *search, uint64_t limit, struct bsim_counted *total)
{
    uint64_t rest = search->least;
    bool is_fine = true;
    *total = (struct bsim_counted){.chosen_by = 0};
    memset(search->spent, 0, search->advice->n_accesses * sizeof *search->spent);
    bsim_trial_put(search, &total->end);
    if (!bsim_trial_has_room(search, total->end)) {
        return false;
    }
    if (total->end <= search->slim_end && limit < search->slim_limit) {
        limit = search->slim_limit;
    }
    if (bsim_quick_exceeds(&search->quick, &search->layout[search->quick.array], limit,
                           &search->work)) {
        return false;
    }
    for (size_t i = 0; i < search->n_touching; i++) {
        const struct bsim_pattern *pattern = &search->patterns->item[search->touching[i]];
        struct bsim_advice_cost count;
        if (!bsim_cost_count(&search->cost, pattern, &count)) {
            return false;
        }
        search->work++;
        rest -= pattern->weight * pattern->least;
        total->chosen_by += pattern->weight * count.wavefronts;
        total->all.wavefronts += pattern->times * count.wavefronts;
        total->all.conflicts += pattern->times * count.conflicts;
        search->spent[pattern->access] += pattern->times * count.wavefronts;
        is_fine = is_fine && total->chosen_by + rest <= limit &&
                  search->spent[pattern->access] <= search->most[pattern->access];
        if (!is_fine && !search->careful) {
            ask_earlier(search, i);
            return false;
        }
    }
    total->is_whole = true;
    return is_fine;
}

/* ---- choices ------------------------------------------------------------------------------- */

static bool is_better(const struct bsim_choice *a, const struct bsim_choice *b)
{
    if (a->wavefronts != b->wavefronts) {
        return a->wavefronts < b->wavefronts;
    }
    if (a->end != b->end) {
        return a->end < b->end;
    }
    return a->n_operations != b->n_operations ? a->n_operations < b->n_operations
                                              : a->order < b->order;
}

static struct bsim_choice *choice_of_kind(struct bsim_choices *choices, enum bsim_remedy_kind kind)
{
    for (size_t i = 0; i < choices->n; i++) {
        if (choices->item[i].kind == kind) {
            return &choices->item[i];
        }
    }
    return NULL;
}

static void keep(struct bsim_choices *choices, const struct bsim_choice *choice)
{
    struct bsim_choice *same = choice_of_kind(choices, choice->kind);
    if (same == NULL) {
        choices->item[choices->n++] = *choice;
    } else if (is_better(choice, same)) {
        *same = *choice;
    }
}

void bsim_trial_sort(struct bsim_choices *choices)
{
    for (size_t i = 1; i < choices->n; i++) {
        struct bsim_choice choice = choices->item[i];
        size_t k = i;
        for (; k > 0 && is_better(&choice, &choices->item[k - 1]); k--) {
            choices->item[k] = choices->item[k - 1];
        }
        choices->item[k] = choice;
    }
}

/* ---- candidates --------------------------------------------------------------------------- */

/* For `all`: what a candidate makes of everything, the other arrays being as they are. */
static bool record(struct bsim_search *search, size_t array, size_t order,
                   const struct bsim_counted *as_is, const struct bsim_counted *total)
{
    struct bsim_advice *advice = search->advice;
    const struct bsim_layout *layout = &search->layout[array];
    struct bsim_advice_candidate *more =
        bsim_mem_grow(advice->candidate, advice->n_candidates, sizeof *more);
    if (more == NULL) {
        return false;
    }
    advice->candidate = more;
    struct bsim_advice_cost all = advice->before.total;
    all.wavefronts += total->all.wavefronts - as_is->all.wavefronts;
    all.conflicts += total->all.conflicts - as_is->all.conflicts;
    advice->candidate[advice->n_candidates++] = (struct bsim_advice_candidate){
        .array = array,
        .order = order,
        .layout = *layout,
        .alignment = bsim_layout_alignment(&search->subjects[array], layout),
        .n_elements = (uint32_t)bsim_layout_elements(&search->subjects[array], layout),
        .total = all,
        .shared_bytes = (uint32_t)total->end,
        .occupancy = bsim_device_occupancy(search->device, search->n_threads, (uint32_t)total->end,
                                           search->registers)};
    bsim_layout_of_declared(&search->subjects[array],
                            &advice->candidate[advice->n_candidates - 1].layout);
    return true;
}

/* The accesses that the choice helps. */
static void keep_aids(struct bsim_search *search, size_t array, const struct bsim_choice *choice)
{
    for (size_t i = 0; i < search->advice->n_accesses; i++) {
        struct bsim_aid *aid = &search->aid[i];
        struct bsim_aid better = {true, array, *choice};
        better.choice.wavefronts = search->spent[i];
        if (search->spent[i] < search->most[i] &&
            (!aid->is_there || is_better(&better.choice, &aid->choice))) {
            *aid = better;
        }
    }
}

/* The accesses that the layouts help, whatever they do to others. */
static void note_helped(struct bsim_search *search)
{
    for (size_t i = 0; i < search->advice->n_accesses; i++) {
        search->advice->shape[i].is_helped =
            search->advice->shape[i].is_helped || search->spent[i] < search->most[i];
    }
}

/* A candidate has to beat what there is, and not to lose against the best of its kind. */
static uint64_t limit_of(struct bsim_choices *choices, enum bsim_remedy_kind kind, uint64_t as_is)
{
    const struct bsim_choice *same = choice_of_kind(choices, kind);
    return same != NULL ? same->wavefronts : as_is - 1;
}

/* Up to an eighth more bytes, and what whole rows make of that, are seldom missed, and twice as many cost
 * blocks: of the kinds that grow, the best of those that grow by no more is kept too, once the best of all
 * does. */
enum { SLIM_PARTS = 8 };

uint64_t bsim_trial_slim_end(const struct bsim_search *search, size_t array,
                             const struct bsim_counted *as_is)
{
    const struct bsim_check_array *about = search->subjects[array].array;
    uint64_t row = (uint64_t)bsim_layout_first(about) * about->element_bytes;
    return as_is->end + as_is->end / SLIM_PARTS + row;
}

static void set_slim(struct bsim_search *search, size_t array, enum bsim_remedy_kind kind,
                     bool is_wanted, const struct bsim_counted *as_is)
{
    struct bsim_choices *choices = &search->choices[array];
    const struct bsim_choice *same = choice_of_kind(choices, kind);
    search->slim_end = bsim_trial_slim_end(search, array, as_is);
    search->slim_limit = is_wanted && same != NULL && same->end > search->slim_end
                             ? limit_of(choices, BSIM_REMEDY_SLIM, as_is->chosen_by)
                             : 0;
}

static bool grows(enum bsim_remedy_kind kind)
{
    return kind == BSIM_REMEDY_ROW_PAD || kind == BSIM_REMEDY_PLANE_PAD ||
           kind == BSIM_REMEDY_INDEX_PAD || kind == BSIM_REMEDY_PAD_XOR;
}

void bsim_trial_set(struct bsim_search *search, size_t array, const struct bsim_layout *layout)
{
    search->layout[array] = *layout;
    if (layout->apart) {
        search->layout[array].n_places =
            (uint32_t)bsim_layout_elements(&search->subjects[array], layout);
    }
}

bool bsim_trial_candidate(struct bsim_search *search, size_t array,
                          const struct bsim_candidate *candidate, size_t order, bool recording,
                          const struct bsim_counted *as_is)
{
    struct bsim_choices *choices = &search->choices[array];
    struct bsim_counted total;
    uint64_t limit = recording         ? UINT64_MAX
                     : search->careful ? as_is->chosen_by - 1
                                       : limit_of(choices, candidate->kind, as_is->chosen_by);
    bsim_trial_set(search, array, &candidate->layout);
    search->advice->n_tried++;
    search->advice->tried[array].n_layouts++;
    set_slim(search, array, candidate->kind,
             grows(candidate->kind) && !recording && !search->careful, as_is);
    bool is_fine = bsim_trial_count(search, limit, &total);
    search->slim_limit = 0;
    if (search->careful && total.is_whole) {
        note_helped(search);
    }
    if (!is_fine) {
        return true;
    }
    if (total.chosen_by < as_is->chosen_by) {
        struct bsim_choice choice = {.layout = search->layout[array],
                                     .kind = candidate->kind,
                                     .wavefronts = total.chosen_by,
                                     .end = total.end,
                                     .order = order};
        if (!bsim_flat_operations(&search->subjects[array], &choice.layout, &choice.n_operations)) {
            return false;
        }
        keep(choices, &choice);
        if (grows(choice.kind) && choice.end <= search->slim_end && !search->careful) {
            choice.kind = BSIM_REMEDY_SLIM;
            keep(choices, &choice);
        }
        if (search->careful) {
            keep_aids(search, array, &choice);
        }
    }
    return !search->records || record(search, array, order, as_is, &total);
}

/* What the patterns of the array at hand take as things are, and so what each access may take.
 * False if there is nothing to gain. */
bool bsim_trial_begin(struct bsim_search *search, bool recording, struct bsim_counted *as_is)
{
    size_t n = search->advice->n_accesses;
    search->least = sum_least(search);
    memset(search->most, 0xff, n * sizeof *search->most);
    if (!bsim_trial_count(search, UINT64_MAX, as_is)) {
        return false;
    }
    if (search->careful) {
        memcpy(search->most, search->spent, n * sizeof *search->most);
    }
    return recording || as_is->chosen_by > search->least;
}

uint32_t bsim_trial_period(const struct bsim_search *search)
{
    return search->device->n_banks * search->device->bank_bytes;
}

/* Whether the best choice so far leaves something to gain: wavefronts; or these or bytes. */
bool bsim_trial_is_wanting(const struct bsim_search *search, size_t array)
{
    const struct bsim_choices *choices = &search->choices[array];
    return choices->n == 0 || choices->item[0].wavefronts > search->least;
}

bool bsim_trial_layout(struct bsim_search *search, size_t array, const struct bsim_layout *layout,
                       enum bsim_remedy_kind kind, size_t order, const struct bsim_counted *as_is)
{
    const struct bsim_candidate candidate = {*layout, kind};
    bool fine = bsim_trial_candidate(search, array, &candidate, order, false, as_is);
    bsim_trial_sort(&search->choices[array]);
    return fine;
}
