/* copy.h - cp.async by both of its sides; see copy.c. */
#ifndef BSIM_MODEL_COPY_H
#define BSIM_MODEL_COPY_H

#include <banksim/model.h>

enum { BSIM_NO_PASS = 0xff };

/* Whether a copy's wavefronts depend on where its bytes come from, as far as that is known: every
 * cp.async.cg, and a cp.async.ca whose global side is told. Not where banks were chosen other than
 * 32 of 4 bytes: there each copy counts as one from addresses in a row, a turn per lane. */
static inline bool bsim_copy_has_sides(const struct bsim_device *device,
                                       const struct bsim_request *request)
{
    const struct bsim_opcode *opcode = &request->opcode;
    return opcode->family == BSIM_CP_ASYNC && (opcode->path == BSIM_BYPASS || request->has_from) &&
           device->n_banks == 32 && device->bank_bytes == 4;
}

/* The wavefront, from 0, that each lane's bytes are written in; BSIM_NO_PASS for a lane that takes
 * no part or whose bytes are never written. Returns the number of wavefronts. The request is one of
 * bsim_copy_has_sides. */
uint32_t bsim_copy_passes(const struct bsim_request *request, uint8_t pass[BSIM_WARP_LANES]);

/* Turns of the data pipe that a cp.async.ca takes, many back to back with their data in L1: fewer than its wavefronts
 * where lanes that meet others go beside them. */
uint32_t bsim_copy_turns(const struct bsim_request *request);

/* Puts what a copy through L1 writes into as many banks as its lanes have bytes for. */
void bsim_copy_spread(struct bsim_request *request);

/* Wavefronts that these of its lanes take wherever in shared memory they write, if no two write one place: what their
 * side in global memory asks for. `lanes` are writers of cp.async.cg, a group of cp.async.ca. */
uint32_t bsim_copy_least(const struct bsim_request *request, uint32_t lanes);

/* The lanes that write: all that take part, but of those of cp.async.cg that write one place. */
uint32_t bsim_copy_writers(const struct bsim_request *request);

#endif
