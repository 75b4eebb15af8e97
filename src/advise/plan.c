/* plan.c - choices for all arrays put together: at most n_plans of
 *
 * - the best of every array,
 * - for each kind of remedy, that kind for every array where it helps, and the best for the others:
 *   who wants to pad, or to swizzle, will want to do it everywhere.
 *
 * Each is counted as a whole, and that is what is reported: where arrays meet in a request, or one
 * that grows moves the next by less than a word, the counts of the single arrays do not add up. And
 * each is proved (prove.c), or it is not told.
 */
#include "advise/plan.h"

#include "advise/prove.h"

#include "base/memory.h"

#include <string.h>

bool bsim_plan_begin(const struct bsim_advice *advice, struct bsim_advice_plan *plan)
{
    *plan = (struct bsim_advice_plan){
        .layout = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *plan->layout),
        .alignment = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *plan->alignment),
        .n_elements = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *plan->n_elements),
        .declares = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *plan->declares),
        .access = bsim_mem_zeroed(advice->n_accesses + 1, sizeof *plan->access)};
    return plan->layout != NULL && plan->alignment != NULL && plan->n_elements != NULL &&
           plan->declares != NULL && plan->access != NULL;
}

void bsim_plan_free(struct bsim_advice_plan *plan)
{
    bsim_mem_free(plan->layout);
    bsim_mem_free(plan->alignment);
    bsim_mem_free(plan->n_elements);
    bsim_mem_free(plan->declares);
    bsim_mem_free(plan->access);
}

bool bsim_plan_fill(struct bsim_search *search, struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < search->n_arrays; i++) {
        const struct bsim_subject *subject = &search->subjects[i];
        plan->layout[i] = search->layout[i];
        plan->alignment[i] = bsim_layout_alignment(subject, &search->layout[i]);
        plan->n_elements[i] = (uint32_t)bsim_layout_elements(subject, &search->layout[i]);
    }
    if (!bsim_search_count(search, plan)) {
        return false;
    }
    memcpy(plan->declares, search->declares, search->n_arrays * sizeof *plan->declares);
    plan->occupancy = bsim_device_occupancy(search->device, search->n_threads, plan->shared_bytes);
    return true;
}

static bool is_better(const struct bsim_advice_plan *a, const struct bsim_advice_plan *b)
{
    return a->total.wavefronts != b->total.wavefronts ? a->total.wavefronts < b->total.wavefronts
                                                      : a->shared_bytes < b->shared_bytes;
}

static bool is_same(const struct bsim_advice *advice, const struct bsim_advice_plan *a,
                    const struct bsim_advice_plan *b)
{
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (!bsim_layout_is_same(&a->layout[i], &b->layout[i])) {
            return false;
        }
    }
    return true;
}

/* Whether a counted plan is worth telling. */
static bool is_news(const struct bsim_advice *advice, const struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < advice->n_plans; i++) {
        if (is_same(advice, &advice->plan[i], plan)) {
            return false;
        }
    }
    return plan->total.wavefronts < advice->before.total.wavefronts;
}

/* Behind those that are as good. */
static void insert(struct bsim_advice *advice, const struct bsim_advice_plan *plan)
{
    size_t k = advice->n_plans++;
    for (; k > 0 && is_better(plan, &advice->plan[k - 1]); k--) {
        advice->plan[k] = advice->plan[k - 1];
    }
    advice->plan[k] = *plan;
}

/* False if there is none of that kind for any array. */
static bool set_layouts(struct bsim_search *search, enum bsim_remedy_kind kind)
{
    bool any = false;
    for (size_t i = 0; i < search->n_arrays; i++) {
        const struct bsim_choices *choices = &search->choices[i];
        const struct bsim_choice *choice = choices->n > 0 ? &choices->item[0] : NULL;
        for (size_t k = 0; k < choices->n; k++) {
            if (choices->item[k].kind == kind) {
                choice = &choices->item[k];
                any = true;
            }
        }
        search->layout[i] =
            choice != NULL ? choice->layout : (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
    }
    return any;
}

/* Of the search's present layouts. False when memory is short. */
static bool add_plan(struct bsim_search *search)
{
    struct bsim_advice_plan plan;
    bool holds = false;
    bool fine = bsim_plan_begin(search->advice, &plan);
    if (fine && bsim_plan_fill(search, &plan) && is_news(search->advice, &plan)) {
        fine = bsim_plan_prove(search, &plan, &holds);
    }
    if (fine && holds) {
        insert(search->advice, &plan);
    } else {
        bsim_plan_free(&plan);
    }
    return fine;
}

bool bsim_plans_make(struct bsim_search *search, size_t n_plans)
{
    struct bsim_advice *advice = search->advice;
    advice->plan = bsim_mem_zeroed(BSIM_ADVISE_MAX_PLANS, sizeof *advice->plan);
    if (advice->plan == NULL) {
        return false;
    }
    (void)set_layouts(search, BSIM_N_REMEDIES);
    bool fine = add_plan(search);
    for (int kind = 0; kind < BSIM_N_REMEDIES && fine; kind++) {
        if (set_layouts(search, (enum bsim_remedy_kind)kind)) {
            fine = add_plan(search);
        }
    }
    while (advice->n_plans > n_plans) {
        bsim_plan_free(&advice->plan[--advice->n_plans]);
    }
    return fine;
}
