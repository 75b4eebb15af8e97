/* rates.h - the numbers of a device and what follows from them; see rates.c. */
#ifndef BSIM_REPORT_RATES_H
#define BSIM_REPORT_RATES_H

#include "report/format.h"

#include <banksim/result.h>

/* Appends the bandwidth of the device's shared memory, its latency and how many requests hide it,
 * each with its formula, as lines of the list of devices. */
void bsim_rates_text(const struct bsim_device *device, struct bsim_buffer *out);

/* A number of a device, number / divisor. Texts are static. */
struct bsim_fact {
    const char *name;
    uint64_t number, divisor;
    const char *unit;
    struct bsim_basis basis; /* a product's source is its formula */
};

/* A row of the list of devices, with the number unless the divisor is 0. */
void bsim_rates_row(const struct bsim_device *device, const struct bsim_fact *fact,
                    struct bsim_document *doc);

/* A row of each, and of what it is made of. */
void bsim_rates_list(const struct bsim_device *device, struct bsim_document *doc);

#endif
