/* merge.h - what the results of parts of a launch have in common, be they counts or cycles: that it
 * is the same launch, and sites in order; see merge.c.
 */
#ifndef BSIM_RESULT_MERGE_H
#define BSIM_RESULT_MERGE_H

#include <banksim/model.h>

#include <stddef.h>

/* What every struct of a site's results begins with: BSIM_IS_SITE checks it. */
struct bsim_site_head {
    uint32_t number; /* 0: none, then there is one site for each opcode */
    struct bsim_opcode opcode;
};

#define BSIM_IS_SITE(type)                                                                \
    _Static_assert(offsetof(type, number) == offsetof(struct bsim_site_head, number) &&   \
                       offsetof(type, opcode) == offsetof(struct bsim_site_head, opcode), \
                   "begins with what a site begins with")

/* The order of sites in a result, for qsort: by number, then those without one by the spelling of
 * the opcode. */
int bsim_site_order(const void *left, const void *right);

/* The site of that number and opcode among n in order, of `each` bytes; NULL if there is none. */
const void *bsim_site_find(const void *sites, size_t n, size_t each, uint32_t number,
                           const struct bsim_opcode *opcode);

/* A walk through two lists of sites together. */
struct bsim_site_walk {
    const char *next[2], *end[2];
    size_t each;
    const void *site[2]; /* the same one in both lists, or NULL in the one that has it not */
    const void *either;  /* of them, one that is there */
};

/* Before the first of two lists of sites in order, of `each` bytes. */
struct bsim_site_walk bsim_site_walk(const void *a, size_t n_a, const void *b, size_t n_b,
                                     size_t each);

/* To the next site that either list has; false when there are no more. */
bool bsim_site_next(struct bsim_site_walk *walk);

/* A kernel's launch, as its result tells it. All of it borrowed. */
struct bsim_merge_launch {
    const char *name;
    struct bsim_dim3 grid, block;
    uint32_t shared_bytes;
    const struct bsim_device *device;
    const void *sites; /* in order */
    size_t n_sites;
};

/* What is to be known of a kind of results. */
struct bsim_merge_kind {
    size_t site_bytes;
    struct bsim_merge_launch (*launch)(const void *result, size_t kernel);
    bool (*is_same)(const void *a, const void *b, size_t kernel); /* or NULL: the launch is all */
    bool (*is_same_site)(const void *a, const void *b);           /* or NULL: the head is all */
    const char *or_else; /* what, besides their names, may differ between two kernels */
};

/* Whether a and b, with n_a and n_b kernels, are of the same launches and agree on what each site's
 * number stands for. Fails with BSIM_E_USAGE if not. */
enum bsim_status bsim_merge_check(const struct bsim_merge_kind *kind, const void *a, size_t n_a,
                                  const void *b, size_t n_b, struct bsim_error *err) BSIM_MUST_USE;

#endif
