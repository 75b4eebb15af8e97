/* async.h - what wgmma and copies by TMA add to their sites; see async.c. */
#ifndef BSIM_SIM_ASYNC_H
#define BSIM_SIM_ASYNC_H

#include <banksim/result.h>

/* Whether the bytes of n more such copies stay below what sums over sites and launches have room for. */
bool bsim_async_fits(const struct bsim_event *event, uint64_t n,
                     const struct bsim_site_result *site);

/* Adds n events like that one to their site. Returns the wavefronts of each in the data pipe. */
uint32_t bsim_async_add(const struct bsim_event *event, uint64_t n, struct bsim_site_result *site);

#endif
