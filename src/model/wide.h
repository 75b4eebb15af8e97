/* wide.h - which lanes of a request are served together; see wide.c. */
#ifndef BSIM_MODEL_WIDE_H
#define BSIM_MODEL_WIDE_H

#include <banksim/model.h>

/* Lanes per group of a request of `bytes` per lane, without the pair rule: 32, 16, 8, ... */
uint32_t bsim_wide_lanes(const struct bsim_device *device, uint32_t bytes);

/* True if the request fulfils the pair rule's condition: a load of more than 4 bytes whose active
 * lanes agree with their neighbours. Whether that halves its groups is the device's. */
bool bsim_wide_pairs(const struct bsim_request *request);

#endif
