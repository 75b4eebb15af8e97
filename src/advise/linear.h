/* linear.h - the best of all layouts that are linear over GF(2); see linear.c. */
#ifndef BSIM_ADVISE_LINEAR_H
#define BSIM_ADVISE_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BSIM_LINEAR_MAX_BITS = 18,        /* of a word's index: 256 KB of single bytes, and more */
    BSIM_LINEAR_MAX_LANES = 32,       /* of a group */
    BSIM_LINEAR_MAX_GROUPS = 1 << 12, /* different ones */
};

/* Lanes that are served together; weight: what each turn of a bank costs, over all times. */
struct bsim_linear_group {
    uint64_t weight;
    uint32_t n;
    uint32_t bound;                     /* found: of its turns, whatever the columns */
    uint32_t at[BSIM_LINEAR_MAX_LANES]; /* words of the array */
};

struct bsim_linear {
    /* Given: 2^bank_bits banks; the lowest fixed_bits of a word's index choose among 2^fixed_bits
     * of them and stay as they are; the indices have n_bits bits. */
    uint32_t bank_bits, fixed_bits, n_bits;
    uint64_t most_work; /* looks at eight lanes, after which the search gives up */
    bool stays; /* groups are kept where they lie, not up to an exclusive or: not to be solved */

    struct bsim_linear_group *group;
    size_t n_groups;
    bool is_full;    /* there were too many groups, and not all are here */
    uint16_t *table; /* of groups, by hash: number + 1 */

    /* Found: */
    bool is_found;      /* columns that cost less than the limit */
    bool is_exhausted;  /* and none cost less than these, or than the limit */
    uint64_t least;     /* what they cost */
    uint64_t root;      /* what the bounds of the groups add up to */
    uint64_t work;      /* looks at eight lanes */
    uint32_t effective; /* bits of the index in which lanes of some group differ */
    uint32_t column[BSIM_LINEAR_MAX_BITS]; /* by bit: what it adds to the bank's number */
};

/* Ready for groups, with what is given. False when memory is short; end it all the same. */
bool bsim_linear_begin(struct bsim_linear *linear);
void bsim_linear_end(struct bsim_linear *linear);

/* Adds a group of n lanes. shares: lanes that want one word are served together. */
void bsim_linear_add(struct bsim_linear *linear, const uint32_t *at, uint32_t n, uint64_t weight,
                     bool shares);

/* The most lanes of the group, which are in order, that want one word: of atomics, which take turns there. */
uint32_t bsim_linear_alike(const struct bsim_linear_group *group);

/* Looks for the columns that cost least, and less than `limit`. False when memory is short. */
bool bsim_linear_solve(struct bsim_linear *linear, uint64_t limit);

/* The columns as a map of units of 2^fixed_bits words: unit i goes to i, exclusive or flip[j] for
 * each bit j of i. It is one to one among each 2^*block units. */
void bsim_linear_flips(const struct bsim_linear *linear, uint32_t flip[BSIM_LINEAR_MAX_BITS],
                       uint32_t *block);

#endif
