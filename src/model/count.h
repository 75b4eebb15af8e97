/* count.h - the counts of an event, an access. */
#ifndef BSIM_MODEL_COUNT_H
#define BSIM_MODEL_COUNT_H

#include <banksim/model.h>

/* The counts of an event's request, an access to BSIM_SHARED: as bsim_request_count, for a list of
 * addresses or for lanes in step, whose counts mostly need no addresses. Addresses count modulo
 * 2^32. */
void bsim_event_count(const struct bsim_device *device, const struct bsim_event *event,
                      struct bsim_counts *counts);

/* The same of an event to memory that is counted in sectors: as bsim_global_count. */
void bsim_event_global_count(const struct bsim_device *device, const struct bsim_event *event,
                             struct bsim_global_counts *counts);

/* What an event that copies fetches: as bsim_copy_count. */
bool bsim_event_copy_count(const struct bsim_device *device, const struct bsim_event *event,
                           struct bsim_global_counts *counts);

/* Turns of the data pipe of a cp.async.ca that says where it is from (copy.h), and the least that any layout of
 * shared memory has. */
uint32_t bsim_event_copy_turns(const struct bsim_event *event, uint32_t *least);

#endif
