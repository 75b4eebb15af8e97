/* atomic.h - atomics on shared memory; see atomic.c. */
#ifndef BSIM_MODEL_ATOMIC_H
#define BSIM_MODEL_ATOMIC_H

#include <banksim/model.h>

/* True if lanes that want the same word share a pass all the same: a merged increment. */
bool bsim_atomic_shares(const struct bsim_device *device, const struct bsim_opcode *opcode);

/* Passes per turn of a bank: 2 for a compare-and-swap, otherwise 1. */
uint32_t bsim_atomic_passes(const struct bsim_opcode *opcode);

/* The rule that an atomic's counts rest on. */
enum bsim_rule bsim_atomic_rule(const struct bsim_opcode *opcode);

/* True for an atomic on shared memory that the compiler makes a loop of: an addition of floats, or
 * one of 8 bytes but exch and cas. Its wavefronts are what the loop takes at least
 * (src/model/loop.c says when exactly); its schedule has one pass for each turn of a bank, a round
 * of the loop. */
bool bsim_opcode_loops(const struct bsim_opcode *opcode);

#endif
