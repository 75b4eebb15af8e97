/* line.h - whether a warp's addresses lie on a line, base + lane * stride: traces are shorter for
 * it, and such a request's counts mostly need no addresses.
 */
#ifndef BSIM_LANES_LINE_H
#define BSIM_LANES_LINE_H

#include <banksim/event.h>

/* Sets the event's base, stride and `affine`, from the addresses of its lanes (bsim_opcode_lanes),
 * of which there is one at least. A base below zero, which lanes that sit out would have, does not
 * count: a trace could not say it. One lane alone has stride 0. */
void bsim_event_find_line(struct bsim_event *event);

#endif
