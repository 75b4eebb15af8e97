/* setting.h - how a program's launches are to run: see setting.c. */
#ifndef BSIM_CUDART_SETTING_H
#define BSIM_CUDART_SETTING_H

#include <stdbool.h>
#include <stdint.h>

bool bsim_cuda_has_work(void);
bool bsim_cuda_is_bare(void);
bool bsim_cuda_repeats(void);

/* Blocks of each launch; 0: all. */
uint64_t bsim_cuda_sample(void);

uint32_t bsim_cuda_jobs(void);

#endif
