/* bank.h - where a byte lies; see bank.c. */
#ifndef BSIM_MODEL_BANK_H
#define BSIM_MODEL_BANK_H

#include <banksim/device.h>

/* A place that one bank can serve in one pass, as far as one word of an access goes. */
struct bsim_cell {
    uint32_t row;
    uint8_t bank;
    uint8_t halves; /* which 4-byte words of the row: bit 0, bit 1 */
};

/* How many words of device->stride_bytes an access of `bytes` (1 to 16) touches. */
uint32_t bsim_bank_words(const struct bsim_device *device, uint32_t bytes);

/* The cell of the i-th of these words, for an access at address, which counts as aligned down to
 * its size: the sources refuse others, and no opcode can make one. */
struct bsim_cell bsim_bank_cell(const struct bsim_device *device, uint32_t address, uint32_t bytes,
                                uint32_t i);

#endif
