/* candidates.h - the layouts that are tried for an array; see candidates.c. */
#ifndef BSIM_ADVISE_CANDIDATES_H
#define BSIM_ADVISE_CANDIDATES_H

#include "advise/layout.h"
#include "advise/pattern.h"

/* Kinds of remedy, the simpler first. */
enum bsim_remedy_kind {
    BSIM_REMEDY_ROW_PAD,   /* the declaration alone */
    BSIM_REMEDY_PLANE_PAD, /* the same, of three dimensions */
    BSIM_REMEDY_BEHIND,    /* the same, for the arrays behind it */
    BSIM_REMEDY_ROW_XOR,
    BSIM_REMEDY_ROTATE,
    BSIM_REMEDY_INDEX_PAD, /* declaration and index */
    BSIM_REMEDY_SWIZZLE,
    BSIM_REMEDY_TMA,
    BSIM_REMEDY_XOR, /* fitted, not listed (fit.c) */
    BSIM_REMEDY_PAD_XOR,
    BSIM_REMEDY_APART, /* of structs and vectors: each member has an array */
    BSIM_REMEDY_MORE,  /* structs with unused bytes, perhaps in padded rows */
    BSIM_REMEDY_SLIM,  /* of what grows, the best that grows by an eighth at most (trial.c) */
    BSIM_N_REMEDIES,
};

enum {
    BSIM_MOST_PADDINGS = 24,
    BSIM_MOST_PITCHES = 24,
};

struct bsim_candidate {
    struct bsim_layout layout;
    enum bsim_remedy_kind kind;
};

/* Kind by kind, within a kind the simpler first. */
struct bsim_candidates {
    struct bsim_candidate *item;
    size_t n;
    bool failed; /* memory was short */
};

/* Lists what could help array number `index`; the caller frees *candidates. False when memory is
 * short. */
bool bsim_candidates_list(const struct bsim_device *device, const struct bsim_patterns *patterns,
                          const struct bsim_subject *subject, uint32_t index,
                          struct bsim_candidates *candidates);
/* Paddings of rows and planes after which bits of the place are worth flipping. */
size_t bsim_candidates_paddings(const struct bsim_device *device,
                                const struct bsim_subject *subject,
                                struct bsim_layout padding[BSIM_MOST_PADDINGS]);

/* Distances of lanes in the array, in its elements, that are no powers of two: the first that are seen,
 * of neighbouring lanes before others; 0 behind the last. */
void bsim_candidates_pitches(const struct bsim_patterns *patterns, uint32_t index, uint32_t each,
                             uint32_t pitches[BSIM_MOST_PITCHES]);

void bsim_candidates_free(struct bsim_candidates *candidates);

#endif
