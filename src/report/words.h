/* words.h - what reports call an access and what it takes. */
#ifndef BSIM_REPORT_WORDS_H
#define BSIM_REPORT_WORDS_H

#include "report/table.h"

#include <banksim/device.h>
#include <banksim/event.h>

/* The statement's words for an opcode: "load", "atomic add", "ldmatrix x4". */
void bsim_word_op(const struct bsim_opcode *opcode, char out[BSIM_CELL_SIZE]);

/* "wavefronts"; on Kepler, where a request in conflict is issued once per pass, "passes". */
const char *bsim_word_wavefronts(const struct bsim_device *device);

#endif
