/* basis.h - what a result rests on, and what is wrong with it, in words; see basis.c. */
#ifndef BSIM_REPORT_BASIS_H
#define BSIM_REPORT_BASIS_H

#include <banksim/buffer.h>
#include <banksim/sim.h>
#include <banksim/timing.h>

/* The worst grade among the device's rules that take part (bit r: rule r). */
enum bsim_grade bsim_basis_grade(const struct bsim_device *device, uint32_t rules);

/* The rules whose numbers a report may leave out. */
enum {
    BSIM_SECTORS_BIT = 1 << BSIM_RULE_SECTORS,
    BSIM_NVPROF_BIT = 1 << BSIM_RULE_NVPROF,
    BSIM_CONSTANT_BIT = 1 << BSIM_RULE_CONSTANT,
};

/* Appends sentences, each on its own line: for each device of the result the grade that its counts
 * rest on, and every assumed rule that took part with its source. Rules whose bit is in `hidden`
 * have no number in the report, and are passed over. */
void bsim_basis_text(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out);

/* The same for those devices alone where an assumed rule took part. */
void bsim_basis_assumed(const struct bsim_result *result, uint32_t hidden, struct bsim_buffer *out);

/* Appends which site's conflicts cost most and, if they cost anything, which command looks for a
 * remedy. cycles may be NULL. */
void bsim_verdict_text(const struct bsim_result *result, const struct bsim_cycles *cycles,
                       struct bsim_buffer *out);

#endif
