/* terms.h - a matrix over GF(2) as few operations; see terms.c. */
#ifndef BSIM_ADVISE_TERMS_H
#define BSIM_ADVISE_TERMS_H

#include <banksim/advise.h>

/* (v >> shift & mask) * factor, or with v << -shift; mask 0: none is needed. */
struct bsim_term {
    int shift;
    uint32_t mask, factor;
    uint32_t n_operations; /* one for the exclusive or included */
};

enum { BSIM_MOST_TERMS = BSIM_LAYOUT_MAX_BITS * BSIM_LAYOUT_MAX_BITS };

/* Finds terms whose exclusive or is that of flip[j] over the bits j of v, a number of n_bits bits;
 * answers how many. Clears flip. */
size_t bsim_terms_find(uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t n_bits,
                       struct bsim_term term[BSIM_MOST_TERMS]);

/* Appends " ^ (v >> 5 & 1) * 31" and the like for each. */
void bsim_terms_spell(const struct bsim_term *term, size_t n, const char *v,
                      struct bsim_buffer *out);

#endif
