/* element.h - numbers, types of elements and what fills arrays, as a launch by hand writes them. */
#ifndef BSIM_PTX_ELEMENT_H
#define BSIM_PTX_ELEMENT_H

#include "ptx/token.h"

/* A number as it was written. */
struct bsim_ptx_number {
    bool is_float, is_negative, is_single; /* single: an f stands behind it */
    uint32_t bytes; /* of a whole one by what stands behind it, as in 1u and 1ll; 0: nothing does */
    double real;
    uint64_t whole; /* two's complement */
    struct bsim_ptx_token from;
};

/* A type of elements. */
struct bsim_ptx_element {
    const char *name;
    char kind; /* 'i', 'f'; 'b': the number says */
    uint32_t bytes;
    bool is_bfloat, is_unsigned;
};

struct bsim_ptx_array {
    unsigned char *data;
    size_t size_bytes;
};

/* Takes a number, or fails. */
struct bsim_ptx_number bsim_ptx_read_number(struct bsim_ptx_scanner *scan);

/* Fails at the number if no element of the type can be it. */
void bsim_ptx_check_number(struct bsim_ptx_scanner *scan, const struct bsim_ptx_element *type,
                           const struct bsim_ptx_number *number);

/* Puts the number down as an element of the type, which can be it. */
void bsim_ptx_put_number(unsigned char *at, const struct bsim_ptx_element *type,
                         const struct bsim_ptx_number *number);

/* Takes the name of a type, after unsigned or signed, which change nothing of how it is filled, and the
 * number of elements of a vector; NULL after a failure. */
const struct bsim_ptx_element *bsim_ptx_read_element(struct bsim_ptx_scanner *scan,
                                                     uint32_t *n_vector);

/* Takes what stands behind an array's `=` and fills the array, which is zeros. */
void bsim_ptx_read_fill(struct bsim_ptx_scanner *scan, struct bsim_ptx_array *array,
                        const struct bsim_ptx_element *type);

#endif
