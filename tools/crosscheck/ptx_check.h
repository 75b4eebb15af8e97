/* ptx_check.h - what a GPU made of instructions of PTX (ptx.cu) against what banksim makes of them.
 * */
#ifndef CROSSCHECK_PTX_CHECK_H
#define CROSSCHECK_PTX_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct ptx_counts {
    size_t forms, chains, samples; /* compared; samples are of approximations */
    size_t n_wrong, n_wrong_chains;
};

/* Compares every row of the file, as ptx.cu writes it; says in `log` what differs, and if `tells`,
 * how far off approximations are at most. False, and says so, if the file is none of that kind. */
bool ptx_check(FILE *file, FILE *log, bool tells, struct ptx_counts *counts);

#endif
