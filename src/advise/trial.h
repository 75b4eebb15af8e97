/* trial.h - one layout of an array tried; see trial.c. */
#ifndef BSIM_ADVISE_TRIAL_H
#define BSIM_ADVISE_TRIAL_H

#include "advise/search.h"

/* Of the patterns of the array at hand, which are `touching`. */
struct bsim_counted {
    struct bsim_advice_cost all;
    uint64_t chosen_by; /* wavefronts of those with a weight */
    uint64_t end;       /* of the window */
    bool is_whole;      /* all have been counted */
};

/* Puts the arrays into the window, with the present layouts; whether it is large enough. */
void bsim_trial_put(struct bsim_search *search, uint64_t *end);
bool bsim_trial_has_room(const struct bsim_search *search, uint64_t end);

/* Counts the patterns with the present layouts; false if these do not do, or those that are chosen by
 * take more than `limit` wavefronts, or an access more than it may. */
bool bsim_trial_count(struct bsim_search *search, uint64_t limit, struct bsim_counted *total);

/* What they take as things are, and so what each access may take. False if there is nothing to gain. */
bool bsim_trial_begin(struct bsim_search *search, bool recording, struct bsim_counted *as_is);

/* Gives the array a layout. */
void bsim_trial_set(struct bsim_search *search, size_t array, const struct bsim_layout *layout);

/* Adds a candidate, or a layout, to the array's choices if it is better than none and than those of
 * its kind; the second leaves them sorted. False when memory is short. */
bool bsim_trial_candidate(struct bsim_search *search, size_t array,
                          const struct bsim_candidate *candidate, size_t order, bool recording,
                          const struct bsim_counted *as_is);
bool bsim_trial_layout(struct bsim_search *search, size_t array, const struct bsim_layout *layout,
                       enum bsim_remedy_kind kind, size_t order, const struct bsim_counted *as_is);

/* The best first. */
void bsim_trial_sort(struct bsim_choices *choices);

/* Whether the best choice of the array at hand leaves wavefronts to gain. */
bool bsim_trial_is_wanting(const struct bsim_search *search, size_t array);

/* Where the window ends at most of layouts that are kept besides the best for their few bytes. */
uint64_t bsim_trial_slim_end(const struct bsim_search *search, size_t array,
                             const struct bsim_counted *as_is);

/* Bytes after which the banks begin again. */
uint32_t bsim_trial_period(const struct bsim_search *search);

#endif
