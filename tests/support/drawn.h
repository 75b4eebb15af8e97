/* drawn.h - what holds for everything that is drawn into a buffer. */
#ifndef BSIM_TESTS_DRAWN_H
#define BSIM_TESTS_DRAWN_H

#include <banksim/status.h>

/* Draws with memory that ends after each number of allocations in turn, until it suffices: the
 * buffer says so exactly if memory failed, and nothing stays behind. Fails the test otherwise. */
void drawn_wherever_memory_ends(void (*draw)(struct bsim_buffer *out));

#endif
