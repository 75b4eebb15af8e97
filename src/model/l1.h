/* l1.h - the wavefronts of a request to global memory in L1; see l1.c. */
#ifndef BSIM_MODEL_L1_H
#define BSIM_MODEL_L1_H

#include <banksim/event.h>

/* Of lanes that each access `bytes` (1 to 16, a power of two) at their address; they touch so many
 * lines. Lanes 2^32 bytes apart are taken for one, which makes it fewer. */
uint32_t bsim_l1_wavefronts(uint32_t bytes, uint32_t lanes, const uint64_t address[BSIM_WARP_LANES],
                            uint32_t lines);

#endif
