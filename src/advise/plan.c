/* plan.c - choices for all arrays put together:
 *
 * - the best of every array,
 * - for each kind of remedy, that kind for every array where it helps, and the best for the others:
 *   who wants to pad, or to swizzle, will want to do it everywhere.
 *
 * Each is counted as a whole, and that is what is reported: where arrays meet in a request, or one
 * that grows moves the next by less than a word, the counts of the single arrays do not add up. And
 * each is proved (prove.c), or it is not told.
 *
 * A hint is such a plan for one access: it changes only what the access touches, and is told only
 * if it makes that better and no other worse.
 */
#include "advise/plan.h"

#include "advise/flat.h"
#include "advise/prove.h"

#include "base/memory.h"

#include <string.h>

/* One of each kind, the best of every array, and what is best for all together. */
enum { MOST_PLANS = BSIM_N_REMEDIES + 2, MOST_ROUNDS = 2 };

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
    bsim_buffer_free(&plan->written);
    bsim_mem_free(plan->layout);
    bsim_mem_free(plan->alignment);
    bsim_mem_free(plan->n_elements);
    bsim_mem_free(plan->declares);
    bsim_mem_free(plan->access);
}

/* False when memory is short. */
static bool count_operations(const struct bsim_search *search, struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < search->n_arrays; i++) {
        uint32_t n;
        if (!bsim_flat_operations(&search->subjects[i], &plan->layout[i], &n)) {
            return false;
        }
        plan->n_operations += n;
    }
    return true;
}

bool bsim_plan_fill(struct bsim_search *search, struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < search->n_arrays; i++) {
        const struct bsim_subject *subject = &search->subjects[i];
        plan->layout[i] = search->layout[i];
        bsim_layout_of_declared(subject, &plan->layout[i]);
        plan->alignment[i] = bsim_layout_alignment(subject, &search->layout[i]);
        plan->n_elements[i] = (uint32_t)bsim_layout_elements(subject, &search->layout[i]);
    }
    if (!bsim_search_count(search, plan)) {
        return false;
    }
    memcpy(plan->declares, search->declares, search->n_arrays * sizeof *plan->declares);
    plan->occupancy = bsim_device_occupancy(search->device, search->n_threads, plan->shared_bytes,
                                            search->registers);
    return true;
}

static bool is_better(const struct bsim_advice_plan *a, const struct bsim_advice_plan *b)
{
    if (a->total.wavefronts != b->total.wavefronts) {
        return a->total.wavefronts < b->total.wavefronts;
    }
    return a->shared_bytes != b->shared_bytes ? a->shared_bytes < b->shared_bytes
                                              : a->n_operations < b->n_operations;
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

/* ---- several plans, the best first --------------------------------------------------------- */

/* What is looked for: the best for all accesses together, or for one of them. */
struct goal {
    size_t access; /* or EVERY_ACCESS */
    size_t n_plans;
    struct bsim_advice_plan *plan; /* MOST_PLANS of them */
};
#define EVERY_ACCESS SIZE_MAX

/* Better for the goal's access and worse for none. */
static bool helps(const struct bsim_advice *advice, const struct goal *goal,
                  const struct bsim_advice_plan *plan)
{
    const struct bsim_advice_cost *before = advice->before.access;
    for (size_t i = 0; i < advice->n_accesses && goal->access != EVERY_ACCESS; i++) {
        if (plan->access[i].wavefronts > before[i].wavefronts) {
            return false;
        }
    }
    return goal->access == EVERY_ACCESS
               ? plan->total.wavefronts < advice->before.total.wavefronts
               : plan->access[goal->access].wavefronts < before[goal->access].wavefronts;
}

/* Whether a counted plan is worth telling. */
static bool is_news(const struct bsim_advice *advice, const struct goal *goal,
                    const struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < goal->n_plans; i++) {
        if (is_same(advice, &goal->plan[i], plan)) {
            return false;
        }
    }
    return helps(advice, goal, plan);
}

/* Behind those that are as good. */
static void insert(struct goal *goal, const struct bsim_advice_plan *plan)
{
    size_t k = goal->n_plans++;
    for (; k > 0 && is_better(plan, &goal->plan[k - 1]); k--) {
        goal->plan[k] = goal->plan[k - 1];
    }
    goal->plan[k] = *plan;
}

static bool may_change(const struct bsim_advice *advice, const struct goal *goal, size_t array)
{
    return goal->access == EVERY_ACCESS || advice->touches[goal->access * advice->n_arrays + array];
}

/* False if there is none of that kind for any array that may change. */
static bool set_layouts(struct bsim_search *search, const struct goal *goal,
                        enum bsim_remedy_kind kind)
{
    bool any = false;
    for (size_t i = 0; i < search->n_arrays; i++) {
        const struct bsim_choices *choices = &search->choices[i];
        search->layout[i] = (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
        if (choices->n == 0 || !may_change(search->advice, goal, i)) {
            continue;
        }
        search->layout[i] = choices->item[0].layout;
        for (size_t k = 0; k < choices->n; k++) {
            if (choices->item[k].kind == kind) {
                search->layout[i] = choices->item[k].layout;
                any = true;
            }
        }
    }
    return any;
}

/* Of the search's present layouts. False when memory is short. */
static bool add_plan(struct bsim_search *search, struct goal *goal)
{
    struct bsim_advice_plan plan;
    bool holds = false;
    bool fine = bsim_plan_begin(search->advice, &plan);
    if (fine && bsim_plan_fill(search, &plan) && is_news(search->advice, goal, &plan)) {
        fine = count_operations(search, &plan) && bsim_plan_prove(search, &plan, &holds);
    }
    if (fine && holds) {
        insert(goal, &plan);
    } else {
        bsim_plan_free(&plan);
    }
    return fine;
}

static bool reach(struct bsim_search *search, struct goal *goal)
{
    (void)set_layouts(search, goal, BSIM_N_REMEDIES);
    bool fine = add_plan(search, goal);
    for (int kind = 0; kind < BSIM_N_REMEDIES && fine; kind++) {
        if (set_layouts(search, goal, (enum bsim_remedy_kind)kind)) {
            fine = add_plan(search, goal);
        }
    }
    return fine;
}

static bool leaves_out_columns(const struct bsim_advice *advice,
                               const struct bsim_advice_plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < advice->n_arrays; i++) {
        any = any || plan->layout[i].columns > 0;
    }
    return any;
}

/* Whether it leaves columns out where a plan that does not is as good. */
static bool is_narrow_for_nothing(const struct bsim_advice *advice, const struct goal *goal,
                                  const struct bsim_advice_plan *plan)
{
    bool is_beaten = false;
    for (size_t i = 0; i < goal->n_plans && leaves_out_columns(advice, plan); i++) {
        const struct bsim_advice_plan *other = &goal->plan[i];
        is_beaten = is_beaten || (!leaves_out_columns(advice, other) &&
                                  other->total.wavefronts <= plan->total.wavefronts &&
                                  other->shared_bytes <= plan->shared_bytes);
    }
    return is_beaten;
}

/* Nobody has to know then that no access may come to them. */
static void drop_narrow(const struct bsim_advice *advice, struct goal *goal)
{
    for (size_t i = 0; i < goal->n_plans;) {
        if (!is_narrow_for_nothing(advice, goal, &goal->plan[i])) {
            i++;
            continue;
        }
        bsim_plan_free(&goal->plan[i]);
        goal->n_plans--;
        memmove(&goal->plan[i], &goal->plan[i + 1], (goal->n_plans - i) * sizeof *goal->plan);
    }
}

bool bsim_plans_make(struct bsim_search *search)
{
    struct bsim_advice *advice = search->advice;
    struct goal goal = {EVERY_ACCESS, advice->n_plans, advice->plan};
    if (goal.plan == NULL) {
        goal.plan = bsim_mem_zeroed(MOST_ROUNDS * MOST_PLANS, sizeof *goal.plan);
    }
    bool fine = goal.plan != NULL && reach(search, &goal);
    memcpy(search->layout, search->joint, search->n_arrays * sizeof *search->layout);
    fine = fine && add_plan(search, &goal);
    drop_narrow(advice, &goal);
    advice->plan = goal.plan;
    advice->n_plans = goal.n_plans;
    return fine;
}

const struct bsim_advice_plan *bsim_advice_least(const struct bsim_advice *advice)
{
    const struct bsim_advice_plan *least = advice->n_plans > 0 ? advice->plan : &advice->before;
    for (size_t i = 1; i < advice->n_plans; i++) {
        if (advice->plan[i].total.wavefronts < least->total.wavefronts) {
            least = &advice->plan[i];
        }
    }
    return least;
}

/* What is proven is proven of the one with the fewest wavefronts, so it takes the place of the last. One
 * plan alone is the fastest. */
void bsim_plans_keep(struct bsim_advice *advice, size_t n_plans)
{
    if (advice->n_plans <= n_plans) {
        return;
    }
    uint64_t least = bsim_advice_least(advice)->total.wavefronts;
    size_t at = (size_t)(bsim_advice_least(advice) - advice->plan);
    if (at >= n_plans && n_plans > 1) {
        struct bsim_advice_plan last = advice->plan[n_plans - 1];
        advice->plan[n_plans - 1] = advice->plan[at];
        advice->plan[at] = last;
    }
    while (advice->n_plans > n_plans) {
        bsim_plan_free(&advice->plan[--advice->n_plans]);
    }
    advice->is_least_apart = bsim_advice_least(advice)->total.wavefronts > least;
    advice->is_best_linear = advice->is_best_linear && !advice->is_least_apart;
}

/* ---- hints --------------------------------------------------------------------------------- */

static bool wants_hint(const struct bsim_advice *advice, size_t access)
{
    return advice->before.access[access].conflicts > 0 && !advice->shape[access].is_irregular &&
           advice->shape[access].twin == BSIM_ADVISE_NO_TWIN;
}

/* What is best for the arrays may not help each of their accesses; then what helps this one the
 * most. */
static bool reach_access(struct bsim_search *search, struct goal *goal)
{
    const struct bsim_aid *aid = &search->aid[goal->access];
    bool fine = reach(search, goal);
    if (!fine || goal->n_plans > 0 || !aid->is_there) {
        return fine;
    }
    for (size_t i = 0; i < search->n_arrays; i++) {
        search->layout[i] = (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS};
    }
    search->layout[aid->array] = aid->choice.layout;
    return add_plan(search, goal);
}

bool bsim_hints_make(struct bsim_search *search)
{
    struct bsim_advice *advice = search->advice;
    bool fine = true;
    advice->hint = bsim_mem_zeroed(advice->n_accesses + 1, sizeof *advice->hint);
    if (advice->hint == NULL) {
        return false;
    }
    for (size_t i = 0; i < advice->n_accesses && fine; i++) {
        struct goal goal = {.access = i};
        if (!wants_hint(advice, i)) {
            continue;
        }
        goal.plan = bsim_mem_zeroed(MOST_PLANS, sizeof *goal.plan);
        fine = goal.plan != NULL && reach_access(search, &goal);
        advice->hint[i] = (struct bsim_advice_hint){.n_plans = goal.n_plans, .plan = goal.plan};
    }
    return fine;
}
