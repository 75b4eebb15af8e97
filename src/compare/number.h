/* number.h - numbers as Nsight Compute writes them; see number.c. */
#ifndef BSIM_COMPARE_NUMBER_H
#define BSIM_COMPARE_NUMBER_H

#include <banksim/report.h>

/* Reads a count at *at and moves behind its digits; false if there is none or it passes 64 bits. */
bool bsim_ncu_count(const char **at, uint64_t *count);

/* Reads a whole field: "1,024", "2.11", "1.5e+06", "1,024 (8; 16)" with the values of instances;
 * nothing, "n/a" and "nan" are no known number. False if it is something else. */
bool bsim_ncu_number(const char *text, struct bsim_ncu_value *value);

#endif
