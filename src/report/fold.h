/* fold.h - launches that a report would tell the same of: once, with how many; see fold.c. */
#ifndef BSIM_REPORT_FOLD_H
#define BSIM_REPORT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bsim_fold;

/* NULL when memory is short: then nothing is folded. NULL is fine for all below. */
struct bsim_fold *bsim_fold_new(void);
void bsim_fold_free(struct bsim_fold *fold);

/* Whether the same text was put before, which is then counted and need not be kept. */
bool bsim_fold_put(struct bsim_fold *fold, const char *text, size_t size);

/* How often text n of those that were kept, from 0 on, came; whether one did more than once. */
uint64_t bsim_fold_count(const struct bsim_fold *fold, size_t n);
bool bsim_fold_has(const struct bsim_fold *fold);

#endif
