/* search.c - the best layouts of each array.
 *
 * The lanes of a request nearly always access one array, and then what is best for an array does
 * not depend on the others: each is searched once, against the patterns that touch it, and the best
 * of each kind of remedy is kept. Where a request mixes arrays, they are searched in turn, each
 * with the others at their best so far, until nothing changes any more. Pairs of layouts that only help
 * together are looked for from there on (climb.c).
 *
 * Accesses that follow no formula (regular.c) do not take part in the choice where they are a sample,
 * recorded or to be hinted at, or the layout would be fitted to what chance gave; but their requests,
 * too, must stay whole and aligned. Who writes a check to be advised on writes all requests there are.
 *
 * A careful search, for hints beside a check's answer, has to be done in some ten milliseconds.
 * Where patterns times candidates are too many it chooses on a sample of the patterns. That can
 * miss the best layout, not spoil a count: plans are counted on all patterns.
 */
#include "advise/search.h"

#include "advise/climb.h"
#include "advise/fit.h"
#include "advise/sweep.h"
#include "advise/trial.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROUNDS = 4,
    MOST_WORK = 1 << 16, /* patterns times candidates of a careful search: some ten milliseconds */
    PLAIN_COST = 8,      /* of a request, where the model counts it by its schedule */
    FAST_BANKS = 32,
};

bool bsim_search_count(struct bsim_search *search, struct bsim_advice_plan *plan)
{
    uint64_t end;
    bsim_trial_put(search, &end);
    if (!bsim_trial_has_room(search, end)) {
        return false;
    }
    plan->shared_bytes = (uint32_t)end;
    for (size_t i = 0; i < search->patterns->n; i++) {
        const struct bsim_pattern *pattern = &search->patterns->item[i];
        struct bsim_advice_cost count;
        if (!bsim_cost_count(&search->cost, pattern, &count)) {
            return false;
        }
        plan->access[pattern->access].wavefronts += pattern->times * count.wavefronts;
        plan->access[pattern->access].conflicts += pattern->times * count.conflicts;
        plan->total.wavefronts += pattern->times * count.wavefronts;
        plan->total.conflicts += pattern->times * count.conflicts;
    }
    return true;
}

/* ---- one array ----------------------------------------------------------------------------- */

static int compare(const void *first, const void *second)
{
    const struct bsim_advice_candidate *a = first;
    const struct bsim_advice_candidate *b = second;
    if (a->array != b->array) {
        return a->array < b->array ? -1 : 1;
    }
    if (a->total.wavefronts != b->total.wavefronts) {
        return a->total.wavefronts < b->total.wavefronts ? -1 : 1;
    }
    if (a->shared_bytes != b->shared_bytes) {
        return a->shared_bytes < b->shared_bytes ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static void find_touching(struct bsim_search *search, size_t array)
{
    search->n_touching = 0;
    for (size_t i = 0; i < search->patterns->n; i++) {
        if (bsim_pattern_touches(&search->patterns->item[i], (uint32_t)array)) {
            search->touching[search->n_touching++] = (uint32_t)i;
        }
    }
}

/* The model is fast on banks whose number is a power of two up to 32. */
static size_t most_work(const struct bsim_device *device)
{
    uint32_t n = device->n_banks;
    return n <= FAST_BANKS && (n & (n - 1)) == 0 ? MOST_WORK : MOST_WORK / PLAIN_COST;
}

/* Of patterns that touch the array at hand, so many that the work is bounded: one of each few that
 * follow one another, now this, now that, since loops make every other one alike. */
static void take_sample(struct bsim_search *search, size_t n_candidates)
{
    size_t most = most_work(search->device);
    size_t each = (search->n_touching * n_candidates + most - 1) / most;
    size_t n = 0;
    uint32_t chance = 1;
    for (size_t i = 0; each > 1 && i < search->n_touching; i += each, n++) {
        size_t rest = search->n_touching - i;
        chance = chance * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        search->touching[n] = search->touching[i + (chance >> 16) % (rest < each ? rest : each)];
    }
    search->n_touching = each > 1 ? n : search->n_touching;
}

/* Tries every candidate for an array and leaves its layout as it is, in the sense of none. */
/* What a linear layout has to take less than: what the best choice does, or one more if that has a
 * larger window. A hint is to be short, and wants fewer. */
static uint64_t limit_of_fit(const struct bsim_search *search, const struct bsim_choices *choices,
                             const struct bsim_counted *as_is)
{
    const struct bsim_choice *best = &choices->item[0];
    return choices->n == 0 ? as_is->chosen_by
                           : best->wavefronts + (best->end > as_is->end && !search->careful);
}

/* Tries the linear layout that fits best, where that is better than all that were listed: `order`
 * is behind them. */
static bool try_fit(struct bsim_search *search, size_t array, size_t order, bool recording,
                    const struct bsim_counted *as_is)
{
    struct bsim_choices *choices = &search->choices[array];
    struct bsim_fit fit;
    bsim_trial_sort(choices);
    const struct bsim_choice *best =
        choices->n > 0 && choices->item[0].end == as_is->end ? &choices->item[0] : NULL;
    search->layout[array] = (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
    if (!bsim_fit_linear(search, array, &search->layout[array],
                         limit_of_fit(search, choices, as_is), best, &fit)) {
        return false;
    }
    const struct bsim_candidate candidate = {fit.layout, BSIM_REMEDY_XOR};
    bool fine =
        !fit.is_there || bsim_trial_candidate(search, array, &candidate, order, recording, as_is);
    bsim_trial_sort(choices);
    uint64_t least = choices->n > 0 ? choices->item[0].wavefronts : as_is->chosen_by;
    search->is_best[array] = fit.is_exhausted && (!fit.is_there || least <= fit.wavefronts);
    for (size_t i = 1; i < choices->n; i++) {
        if (choices->item[i].kind == BSIM_REMEDY_XOR) {
            choices->item[i] = choices->item[--choices->n]; /* a simpler one is as good */
            bsim_trial_sort(choices);
        }
    }
    return fine;
}

/* One padding, and the bits flipped that fit best then. */
static bool try_padding(struct bsim_search *search, size_t array, const struct bsim_layout *padding,
                        size_t order, const struct bsim_counted *as_is)
{
    struct bsim_choices *choices = &search->choices[array];
    const struct bsim_choice *best = choices->n > 0 ? &choices->item[0] : NULL;
    uint64_t least = search->least;
    uint64_t found = best != NULL ? best->wavefronts : as_is->chosen_by;
    uint64_t end;
    struct bsim_fit fit;
    search->layout[array] = *padding;
    bsim_trial_put(search, &end);
    bool is_smaller = best != NULL && end < best->end;
    if (!bsim_trial_has_room(search, end) || (found <= least && !is_smaller)) {
        return true;
    }
    if (!bsim_fit_linear(search, array, padding, found + is_smaller, NULL, &fit)) {
        return false;
    }
    const struct bsim_candidate candidate = {fit.layout, BSIM_REMEDY_PAD_XOR};
    if (fit.is_there && !bsim_trial_candidate(search, array, &candidate, order, false, as_is)) {
        return false;
    }
    bsim_trial_sort(choices);
    return true;
}

/* Where something is left to gain, wavefronts or the bytes of a padding. */
static bool try_paddings(struct bsim_search *search, size_t array, size_t order,
                         const struct bsim_counted *as_is)
{
    struct bsim_layout padding[BSIM_MOST_PADDINGS];
    size_t n = bsim_candidates_paddings(search->device, &search->subjects[array], padding);
    for (size_t i = 0; i < n; i++) {
        if (!try_padding(search, array, &padding[i], order + i, as_is)) {
            return false;
        }
    }
    return true;
}

/* ---- more, where that is not enough ---------------------------------------------------------- */

static bool is_left(const struct bsim_search *search, size_t array,
                    const struct bsim_counted *as_is)
{
    return bsim_trial_is_wanting(search, array) || search->choices[array].item[0].end > as_is->end;
}

/* ---- arrays that meet in a request --------------------------------------------------------------- */

/* Unused elements behind the array, so that those behind it begin in other banks. */
static bool try_behind(struct bsim_search *search, size_t array, size_t order,
                       const struct bsim_counted *as_is)
{
    const struct bsim_check_array *about = search->subjects[array].array;
    uint32_t n = bsim_trial_period(search) / about->element_bytes;
    uint32_t unit = bsim_layout_first(about);
    struct bsim_layout layout = bsim_layout_plain();
    if (search->careful || !search->advice->is_joint || about->is_extern ||
        about->n_dimensions == 0) {
        return true;
    }
    for (layout.behind = unit; layout.behind < n && bsim_trial_is_wanting(search, array);
         layout.behind += unit) {
        if (!bsim_trial_layout(search, array, &layout, BSIM_REMEDY_BEHIND, order, as_is)) {
            return false;
        }
    }
    return true;
}

/* ---- structs ------------------------------------------------------------------------------- */

/* All that would be tried for an array of members, were it one; the simplest first. */
static bool try_parted(struct bsim_search *search, size_t array, size_t order,
                       const struct bsim_counted *as_is)
{
    struct bsim_check_array members = *search->subjects[array].array;
    struct bsim_subject subject = search->subjects[array];
    struct bsim_candidates candidates = {NULL, 0, false};
    subject.array = &members;
    members.element_bytes = members.member[0].size_bytes;
    bool fine = bsim_candidates_list(search->device, search->patterns, &subject, (uint32_t)array,
                                     &candidates);
    for (size_t i = 0; i < candidates.n && fine; i++) {
        candidates.item[i].layout.apart = true;
        fine = bsim_trial_layout(search, array, &candidates.item[i].layout, BSIM_REMEDY_APART,
                                 order + i, as_is);
    }
    bsim_candidates_free(&candidates);
    return fine;
}

/* Each member in an array of its own: in the order of the elements, or in one that is better. */
static bool try_apart(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is)
{
    struct bsim_choices *choices = &search->choices[array];
    struct bsim_layout plain = bsim_layout_plain();
    struct bsim_fit fit;
    plain.apart = true;
    if (!bsim_trial_layout(search, array, &plain, BSIM_REMEDY_APART, order, as_is)) {
        return false;
    }
    bool is_whole = is_left(search, array, as_is);
    if (is_whole && !try_parted(search, array, order + 1, as_is)) {
        return false;
    }
    uint64_t found = choices->n > 0 ? choices->item[0].wavefronts : as_is->chosen_by;
    bsim_trial_set(search, array, &plain);
    if (!bsim_fit_linear(search, array, &search->layout[array], found, NULL, &fit)) {
        return false;
    }
    search->is_best[array] = fit.is_exhausted;
    return !fit.is_there ||
           bsim_trial_layout(search, array, &fit.layout, BSIM_REMEDY_APART, SIZE_MAX, as_is);
}

/* Unused bytes in each struct, and where that is not enough, behind each row too. */
static bool try_more(struct bsim_search *search, size_t array, size_t order,
                     const struct bsim_counted *as_is)
{
    const struct bsim_subject *subject = &search->subjects[array];
    uint32_t unit = subject->array->element_alignment;
    uint32_t period = bsim_trial_period(search);
    uint32_t n_pads = subject->has_rows ? period / unit : 1;
    struct bsim_layout layout = bsim_layout_plain();
    for (uint32_t pad = 0; pad < n_pads && subject->array->is_struct; pad++) {
        layout.pad = pad;
        layout.row = pad > 0 ? subject->columns : layout.row;
        for (uint32_t more = unit; more < period && is_left(search, array, as_is); more += unit) {
            layout.more_bytes = more;
            if (!bsim_trial_layout(search, array, &layout, BSIM_REMEDY_MORE, order++, as_is)) {
                return false;
            }
        }
    }
    return true;
}

/* Elements whose parts are accessed by themselves need not stay whole. */
static bool try_structs(struct bsim_search *search, size_t array, size_t order,
                        const struct bsim_counted *as_is)
{
    const struct bsim_subject *subject = &search->subjects[array];
    uint32_t word = search->device->stride_bytes;
    uint32_t widest = subject->widest > word ? subject->widest : word;
    if (search->careful || subject->array->element_bytes <= widest) {
        return true;
    }
    bool may_part = bsim_layout_may_part(subject);
    search->is_best[array] = search->is_best[array] && may_part;
    return !is_left(search, array, as_is) ||
           (try_more(search, array, order, as_is) &&
            (!may_part || try_apart(search, array, order, as_is)));
}

/* Of the sorted choices, drops those that another beats in everything: wavefronts, bytes and
 * simplicity. */
static void drop_beaten(struct bsim_choices *choices)
{
    size_t n = 0;
    for (size_t i = 0; i < choices->n; i++) {
        const struct bsim_choice *choice = &choices->item[i];
        bool beaten = false;
        for (size_t k = 0; k < n; k++) {
            const struct bsim_choice *other = &choices->item[k];
            beaten = beaten || (other->wavefronts < choice->wavefronts &&
                                other->end <= choice->end && other->order < choice->order);
        }
        if (!beaten) {
            choices->item[n++] = *choice;
        }
    }
    choices->n = n;
}

static bool try_sweep(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is)
{
    return search->careful || !bsim_trial_is_wanting(search, array) ||
           bsim_sweep_array(search, array, order, as_is);
}

/* Without rows of its own an array is swept first, which is quick; else what is spelled by its rows comes
 * first. */
static bool try_climbs(struct bsim_search *search, size_t array, size_t order,
                       const struct bsim_counted *as_is)
{
    bool is_first = !search->subjects[array].has_rows;
    return (!is_first || try_sweep(search, array, order, as_is)) &&
           bsim_climb_array(search, array, order, as_is) &&
           (is_first || try_sweep(search, array, order + 5, as_is));
}

static bool try_array(struct bsim_search *search, size_t array, bool recording)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    struct bsim_candidates candidates = {NULL, 0, false};
    struct bsim_counted as_is;
    search->choices[array].n = 0;
    search->layout[array] = none;
    find_touching(search, array);
    search->advice->tried[array] =
        (struct bsim_advice_tried){0, search->n_touching, search->n_touching};
    search->gain[array] = 0;
    search->is_best[array] = true;
    if (!bsim_trial_begin(search, recording, &as_is)) {
        return true;
    }
    bool fine = bsim_candidates_list(search->device, search->patterns, &search->subjects[array],
                                     (uint32_t)array, &candidates);
    if (search->careful) {
        take_sample(search, candidates.n);
        search->advice->tried[array].n_sampled = search->n_touching;
        (void)bsim_trial_begin(search, true, &as_is);
    }
    for (size_t i = 0; i < candidates.n && fine; i++) {
        fine = bsim_trial_candidate(search, array, &candidates.item[i], i, recording, &as_is);
    }
    size_t order = candidates.n + 1 + BSIM_MOST_PADDINGS;
    bsim_trial_sort(&search->choices[array]);
    fine = fine && try_fit(search, array, candidates.n, recording, &as_is) &&
           (search->careful || try_paddings(search, array, candidates.n + 1, &as_is)) &&
           try_behind(search, array, order + 1, &as_is) &&
           try_climbs(search, array, order + 2, &as_is) &&
           try_structs(search, array, order + 8, &as_is);
    search->gain[array] =
        as_is.chosen_by - (search->choices[array].n > 0 ? search->choices[array].item[0].wavefronts
                                                        : as_is.chosen_by);
    search->layout[array] = none;
    drop_beaten(&search->choices[array]);
    bsim_candidates_free(&candidates);
    return fine;
}

/* ---- all arrays ---------------------------------------------------------------------------- */

/* Each array at its best while the others stay, over and over. */
static bool settle(struct bsim_search *search)
{
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        for (size_t i = 0; i < search->n_arrays; i++) {
            struct bsim_layout old = search->layout[i];
            if (bsim_subject_may_change(&search->subjects[i]) && !try_array(search, i, false)) {
                return false;
            }
            if (search->choices[i].n > 0) {
                search->layout[i] = search->choices[i].item[0].layout;
            }
            changed = changed || !bsim_layout_is_same(&old, &search->layout[i]);
        }
    }
    return true;
}

/* Arrays that meet in a request, or that one of them moves by less than a word. */
static bool depend_on_others(const struct bsim_search *search)
{
    bool depends = search->advice->is_joint;
    for (size_t i = 1; i < search->n_arrays; i++) {
        depends = depends || (search->subjects[i].widest > 0 &&
                              search->subjects[i].alignment < search->device->stride_bytes);
    }
    return depends && !search->careful;
}

/* From the best of each array on, all at once. */
static void search_together(struct bsim_search *search)
{
    struct bsim_counted settled;
    for (size_t i = 0; i < search->n_arrays; i++) {
        const struct bsim_choices *choices = &search->choices[i];
        search->layout[i] = choices->n > 0 ? choices->item[0].layout
                                           : (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
    }
    for (size_t i = 0; i < search->patterns->n; i++) {
        search->touching[i] = (uint32_t)i;
    }
    search->n_touching = search->patterns->n;
    memcpy(search->joint, search->layout, search->n_arrays * sizeof *search->joint);
    if (depend_on_others(search) && bsim_trial_begin(search, false, &settled)) {
        bsim_climb_arrays(search, settled.chosen_by);
    }
}

bool bsim_search_run(struct bsim_search *search)
{
    search->records = search->all;
    for (size_t i = 0; i < search->n_arrays; i++) {
        if (bsim_subject_may_change(&search->subjects[i]) && !try_array(search, i, search->all)) {
            return false;
        }
    }
    search->records = false;
    struct bsim_advice *advice = search->advice;
    if (advice->n_candidates > 0) {
        qsort(advice->candidate, advice->n_candidates, sizeof *advice->candidate, compare);
    }
    if (advice->is_joint && !settle(search)) {
        return false;
    }
    search_together(search);
    return true;
}

bool bsim_search_begin(struct bsim_search *search)
{
    size_t n = search->n_arrays + 1;
    search->layout = bsim_mem_zeroed(n, sizeof *search->layout);
    search->base = bsim_mem_zeroed(n, sizeof *search->base);
    search->declares = bsim_mem_zeroed(n, sizeof *search->declares);
    search->spent = bsim_mem_zeroed(search->advice->n_accesses + 1, sizeof *search->spent);
    search->most = bsim_mem_zeroed(search->advice->n_accesses + 1, sizeof *search->most);
    search->aid = bsim_mem_zeroed(search->advice->n_accesses + 1, sizeof *search->aid);
    search->choices = bsim_mem_zeroed(n, sizeof *search->choices);
    search->joint = bsim_mem_zeroed(n, sizeof *search->joint);
    search->gain = bsim_mem_zeroed(n, sizeof *search->gain);
    search->is_best = bsim_mem_zeroed(n, sizeof *search->is_best);
    search->touching = bsim_mem_zeroed(search->patterns->n + 1, sizeof *search->touching);
    bool has_cost = bsim_cost_begin(&search->cost, search->n_arrays);
    return has_cost && search->layout != NULL && search->base != NULL && search->declares != NULL &&
           search->choices != NULL && search->touching != NULL && search->spent != NULL &&
           search->most != NULL && search->aid != NULL && search->is_best != NULL &&
           search->gain != NULL && search->joint != NULL;
}

void bsim_search_end(struct bsim_search *search)
{
    bsim_cost_end(&search->cost);
    bsim_mem_free(search->layout);
    bsim_mem_free(search->base);
    bsim_mem_free(search->declares);
    bsim_mem_free(search->spent);
    bsim_mem_free(search->most);
    bsim_mem_free(search->aid);
    bsim_mem_free(search->choices);
    bsim_mem_free(search->is_best);
    bsim_mem_free(search->gain);
    bsim_mem_free(search->joint);
    bsim_mem_free(search->touching);
}
