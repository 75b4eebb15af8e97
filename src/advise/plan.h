/* plan.h - choices for all arrays put together; see plan.c. */
#ifndef BSIM_ADVISE_PLAN_H
#define BSIM_ADVISE_PLAN_H

#include "advise/search.h"

/* An empty plan for the advice's arrays and accesses; false when memory is short. */
bool bsim_plan_begin(const struct bsim_advice *advice, struct bsim_advice_plan *plan);
void bsim_plan_free(struct bsim_advice_plan *plan);

/* Counts the search's present layouts into an empty plan; false if they do not do. */
bool bsim_plan_fill(struct bsim_search *search, struct bsim_advice_plan *plan);

/* Makes plans of the search's choices, in advice->plan. False when memory is short. */
bool bsim_plans_make(struct bsim_search *search);

/* Keeps the first n_plans of them. */
void bsim_plans_keep(struct bsim_advice *advice, size_t n_plans);

/* Makes hints of them, in advice->hint. False when memory is short. */
bool bsim_hints_make(struct bsim_search *search);

/* The cycles of `before` and of each plan, where the check has something between its accesses; the
 * plan with the fewest is then the first (cycles.c). */
enum bsim_status bsim_plans_time(struct bsim_search *search, struct bsim_error *err);

#endif
