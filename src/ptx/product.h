/* product.h - numbers of matrices, and sums of products of them as tensor cores make them; see product.c. */
#ifndef BSIM_PTX_PRODUCT_H
#define BSIM_PTX_PRODUCT_H

#include "ptx/machine.h"

/* The number that the bits of a type are; of whole ones, too. */
double bsim_ptx_number(uint64_t bits, uint32_t type);

/* The bits of the type that the number is rounded to. */
uint64_t bsim_ptx_number_bits(double x, uint32_t type, bool saturates);

/* How numbers of A and B, and one of C, make one of D. */
enum bsim_ptx_product {
    BSIM_PTX_EXACT,
    BSIM_PTX_CUT_OFF,
    BSIM_PTX_FUSED,
    BSIM_PTX_XOR_BITS,
};

/* The exponent of a number, of 0 less than any, of one too small for its type the type's least. */
int bsim_ptx_exponent(double x, int least);
int bsim_ptx_least_exponent(uint32_t type);

/* A row of A, a column of B, which are as long. */
struct bsim_ptx_line {
    const double *a, *b;
    const int *a_exponent, *b_exponent;
    uint32_t n;
    /* Of what is cut off: */
    bool is_finite; /* all numbers are */
    bool rounds;    /* the sum is rounded next, and not cut off before */
    int kept;       /* bits behind the first of the largest number's */
};

/* What tensor cores keep of numbers of 16 and more bits, and wgmma of those of 8. */
enum { BSIM_PTX_KEPT = 25, BSIM_PTX_KEPT_OF_8_BITS = 13 };

/* c and the products of the line. */
double bsim_ptx_add_line(double c, const struct bsim_ptx_line *line, enum bsim_ptx_product product);

#endif
