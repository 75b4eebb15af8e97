/* nearest.h - "did you mean ...?": the candidate that a mistyped word comes closest to.
 *
 *     struct bsim_nearest nearest = bsim_nearest_start("squrae");
 *     for (...) bsim_nearest_try(&nearest, candidate[i]);
 *     nearest.best is the first of the closest candidates, or NULL if none is close.
 *
 * Nothing here fails; searches of their own are thread-safe.
 */
#ifndef BSIM_BASE_NEAREST_H
#define BSIM_BASE_NEAREST_H

#include <stddef.h>

struct bsim_nearest {
    const char *word;
    const char *best; /* a candidate that was tried (borrowed), or NULL */
    size_t distance;  /* of best; a candidate must come closer than this */
};

/* A search that no candidate has been tried in. A candidate is close if at most a third of the
 * word's letters, and at least one, would have to change. */
struct bsim_nearest bsim_nearest_start(const char *word);

/* Tries candidate, which must live as long as nearest->best is used. */
void bsim_nearest_try(struct bsim_nearest *nearest, const char *candidate);

/* The least number of letters to insert, delete, replace or exchange with the next that makes b of
 * a, no letter being changed twice (optimal string alignment); ASCII case does not matter. Words
 * over 63 bytes are at distance SIZE_MAX from all. */
size_t bsim_edit_distance(const char *a, const char *b);

#endif
