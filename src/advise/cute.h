/* cute.h - a matrix over GF(2) as swizzles of CuTe, one after the other; see cute.c. */
#ifndef BSIM_ADVISE_CUTE_H
#define BSIM_ADVISE_CUTE_H

#include <banksim/layout.h>

#include <stddef.h>

enum { BSIM_CUTE_SWIZZLES = 3 };

/* Swizzle<bits, base, shift>: i ^ (i >> shift & mask << base), or, where the shift is negative, i ^
 * (i << -shift & mask << base - shift). */
struct bsim_cute {
    uint32_t bits, base;
    int shift;
};

/* Answers how many swizzles make i of all bits j exclusive or flip[j]; the last of them acts first.
 * 0: none, or no few. */
size_t bsim_cute_find(const uint32_t flip[BSIM_LAYOUT_MAX_BITS],
                      struct bsim_cute swizzle[BSIM_CUTE_SWIZZLES]);

#endif
