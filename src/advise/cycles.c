/* cycles.c - how long the block takes as it is and with each plan, for checks that say what stands
 * between their accesses: barriers, other instructions.
 *
 * The check's stream is played by the timer with its arrays laid out as the plan has them. Layouts are
 * looked for by wavefronts, whose counts are exact; of all kinds that were found, the one whose block takes
 * the fewest cycles is told first: conflicts that hide behind other work cost nothing, and one at which
 * all warps wait costs more than one in a stretch of work. The operations that a plan's index has more
 * stand in front of its accesses, each waiting for the one before, but where the warp has the index from
 * another access or turn (src/expr/computed.c): a compiler may place them better. Without barriers and work,
 * cycles would say what wavefronts say, and are left out; so they are where playing takes more than a
 * moment.
 */
#include "advise/plan.h"

#include "base/memory.h"
#include "timing/timer.h"

enum { TIMED_REQUESTS = 1 << 16 };

/* *cycles is 0 where the timer does not tell. */
static enum bsim_status play(const struct bsim_search *search, const struct bsim_laid *laid,
                             uint64_t *cycles, struct bsim_error *err)
{
    struct bsim_timer_options options = {.device = search->device, .max_events = BSIM_TIMER_EVENTS};
    struct bsim_result timed = {.n_kernels = 0};
    struct bsim_timer *timer = bsim_timer_new(&options);
    if (timer == NULL) {
        return bsim_mem_short(err);
    }
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = bsim_check_push_laid(search->check, laid, &sink, err);
    if (status == BSIM_OK) {
        status = bsim_timer_result(timer, &timed, err);
    }
    if (status == BSIM_OK && timed.n_kernels == 1) {
        *cycles = timed.kernels[0].timed.cycles;
    }
    bsim_result_free(&timed);
    bsim_timer_free(timer);
    return status == BSIM_E_MEMORY ? status : BSIM_OK;
}

/* False when memory is short. */
static bool count_operations(const struct bsim_search *search, const struct bsim_advice_plan *plan,
                             uint32_t *operations)
{
    bool fine = true;
    for (size_t i = 0; i < search->n_arrays && fine; i++) {
        fine = bsim_layout_operations(search->subjects[i].array, &plan->layout[i], &operations[i]);
    }
    return fine;
}

static enum bsim_status time_plan(const struct bsim_search *search, struct bsim_advice_plan *plan,
                                  struct bsim_error *err)
{
    uint32_t *begin = bsim_mem_zeroed(2 * search->n_arrays + 1, sizeof *begin);
    struct bsim_laid laid = {.layout = plan->layout, .begin = begin};
    if (begin == NULL || !count_operations(search, plan, begin + search->n_arrays)) {
        bsim_mem_free(begin);
        return bsim_mem_short(err);
    }
    laid.operations = begin + search->n_arrays;
    (void)bsim_layout_place(search->subjects, search->n_arrays, plan->layout, begin, NULL);
    enum bsim_status status = play(search, &laid, &plan->cycles, err);
    bsim_mem_free(begin);
    return status;
}

/* Stable: of plans that take as long, the one with the fewest wavefronts stays first. */
static void sort(struct bsim_advice *advice)
{
    for (size_t i = 1; i < advice->n_plans; i++) {
        struct bsim_advice_plan plan = advice->plan[i];
        size_t at = i;
        for (; at > 0 && advice->plan[at - 1].cycles > plan.cycles; at--) {
            advice->plan[at] = advice->plan[at - 1];
        }
        advice->plan[at] = plan;
    }
}

/* What stands between accesses is known, and few events enough to be played for each plan. */
static bool is_played(const struct bsim_search *search)
{
    const struct bsim_check_contents *contents = bsim_check_contents(search->check);
    const struct bsim_recorded *recorded = contents->recorded;
    return contents->has_between &&
           (recorded == NULL || recorded->n_events <= BSIM_TIMER_EVENTS) &&
           search->advice->total.requests <= TIMED_REQUESTS;
}

enum bsim_status bsim_plans_time(struct bsim_search *search, struct bsim_error *err)
{
    struct bsim_advice *advice = search->advice;
    bool is_known = true;
    if (advice->n_plans == 0 || !is_played(search)) {
        return BSIM_OK;
    }
    enum bsim_status status = time_plan(search, &advice->before, err);
    for (size_t i = 0; i < advice->n_plans && status == BSIM_OK; i++) {
        status = time_plan(search, &advice->plan[i], err);
        is_known = is_known && advice->plan[i].cycles > 0;
    }
    if (status == BSIM_OK && is_known) {
        sort(advice);
    }
    return status;
}
