/* rates.h - the numbers of a device and what follows from them; see rates.c. */
#ifndef BSIM_REPORT_RATES_H
#define BSIM_REPORT_RATES_H

#include <banksim/buffer.h>
#include <banksim/timing.h>

/* Appends the bandwidth of the device's shared memory, its latency and how many requests hide it, each
 * with its formula, as lines of the list of devices. */
void bsim_rates_text(const struct bsim_device *device, struct bsim_buffer *out);

/* A number of a device, number / divisor. Texts are static. */
struct bsim_fact {
    const char *name;
    uint64_t number, divisor;
    const char *unit;
    struct bsim_basis basis; /* a product's source is its formula */
};

typedef void bsim_fact_sink(void *context, const struct bsim_fact *fact);

/* Tells the same, and what it is made of, one by one. */
void bsim_rates_tell(const struct bsim_device *device, bsim_fact_sink *sink, void *context);

#endif
