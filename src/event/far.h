/* far.h - the other side of a copy. */
#ifndef BSIM_EVENT_FAR_H
#define BSIM_EVENT_FAR_H

#include <banksim/event.h>

/* The event that loads what the copy stores: the same lanes, in global memory, at event->from if that
 * is there. *far has no site, wait or expectation. */
void bsim_event_far(const struct bsim_event *event, struct bsim_event *far);

/* Keeps a far event's addresses. */
void bsim_from_of(const struct bsim_event *far, struct bsim_from *from);

#endif
