/* search.h - the best layouts of each array; see search.c. */
#ifndef BSIM_ADVISE_SEARCH_H
#define BSIM_ADVISE_SEARCH_H

#include "advise/candidates.h"
#include "advise/cost.h"
#include "advise/quick.h"

/* A layout of one array that is better than none. */
struct bsim_choice {
    struct bsim_layout layout;
    enum bsim_remedy_kind kind;
    uint64_t wavefronts; /* of the patterns that touch the array */
    uint64_t end;        /* of the window */
    uint32_t n_operations;
    size_t order; /* among its candidates: the simpler first */
};

/* The best of each kind, best first. */
struct bsim_choices {
    size_t n;
    struct bsim_choice item[BSIM_N_REMEDIES];
};

/* The layout of one array that helps an access the most. */
struct bsim_aid {
    bool is_there;
    size_t array;
    struct bsim_choice choice; /* its wavefronts are the access's */
};

struct bsim_search {
    const struct bsim_check *check;
    const struct bsim_device *device;
    const struct bsim_patterns *patterns;
    const struct bsim_subject *subjects;
    size_t n_arrays;
    uint32_t n_threads; /* of the block */
    uint32_t registers; /* of each thread; 0: not known */
    bool all;
    bool records; /* what is tried goes into the advice: of each array, while the others stay */
    uint64_t slim_end, slim_limit; /* a layout that ends there may take so many (trial.c) */
    bool careful;                  /* no access may get worse; and the work is bounded */
    struct bsim_cost cost;
    struct bsim_advice *advice;   /* `before` is there; takes the candidates, if all are wanted */
    struct bsim_layout *layout;   /* by array: the present one */
    uint32_t *base;               /* by array */
    bool *declares;               /* by array: with the present layouts */
    struct bsim_choices *choices; /* by array */
    struct bsim_layout *joint;    /* by array: the best found for all together */
    bool *is_best;                /* by array: no linear layout takes less than its best choice */
    uint64_t *gain;               /* by array: wavefronts that its best choice saves */
    uint32_t *touching;           /* the patterns that touch the array at hand, or a sample */
    size_t n_touching;
    uint64_t least;          /* wavefronts of these that no layout can undercut */
    bool reorders;           /* those that make a layout fail are counted earlier from then on */
    uint64_t work;           /* patterns that were counted */
    bool has_padded;         /* rows, and parts of them, of the array at hand: in two levels (pads.c) */
    struct bsim_quick quick; /* of an array that is climbed: what need not be counted */
    uint64_t *spent;         /* by access: what they take with the present layouts */
    uint64_t *most;          /* by access: what they may take */
    struct bsim_aid *aid;    /* by access, of a careful search */
};

/* Made with all but the memory. False when memory is short; end it all the same. */
bool bsim_search_begin(struct bsim_search *search);
void bsim_search_end(struct bsim_search *search);

/* Fills choices. False when memory is short. */
bool bsim_search_run(struct bsim_search *search);

/* Counts all patterns with the present layouts, into plan and its accesses; false if a layout does
 * not do. */
bool bsim_search_count(struct bsim_search *search, struct bsim_advice_plan *plan);

#endif
