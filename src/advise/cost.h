/* cost.h - the wavefronts of a pattern under given layouts; see cost.c. */
#ifndef BSIM_ADVISE_COST_H
#define BSIM_ADVISE_COST_H

#include "advise/layout.h"
#include "advise/pattern.h"

/* A layout of an array, ready for many elements. */
struct bsim_mapper {
    struct bsim_layout layout;
    const struct bsim_check_array *declared; /* as it is, with layouts of its own; else NULL */
    const struct bsim_check_array *structs;  /* whose members are moved; else NULL */
    uint32_t base;                           /* the array's first byte in the window */
    uint32_t each;                           /* bytes of an element */
    uint64_t by_each, by_row, by_plane, by_block;
    bool is_simple;                        /* places can be found for all lanes at once */
    float each_part, row_part, block_part; /* 1 of so many */
    uint32_t mask;                         /* of the layout's bits */
};

struct bsim_cost {
    const struct bsim_device *device;
    const struct bsim_subject *subjects;
    struct bsim_mapper *mapper; /* by array */
};

/* Made with a device and subjects; false when memory is short. */
bool bsim_cost_begin(struct bsim_cost *cost, size_t n_arrays);
void bsim_cost_end(struct bsim_cost *cost);

/* From here on the array has that layout, and begins at `base`. Each array needs one. */
void bsim_cost_prepare(struct bsim_cost *cost, size_t array, const struct bsim_layout *layout,
                       uint32_t base);

/* Counts one execution of pattern; false if an access is torn apart or not aligned. */
bool bsim_cost_count(const struct bsim_cost *cost, const struct bsim_pattern *pattern,
                     struct bsim_advice_cost *count);

#endif
