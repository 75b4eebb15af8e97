/* count_both.h - the counts of a request in both ways that the model has: by its schedule and
 * without. A test of the model asks for both, so that neither hides a fault of the other.
 */
#ifndef BSIM_TESTS_COUNT_BOTH_H
#define BSIM_TESTS_COUNT_BOTH_H

#include <banksim/model.h>

enum { COUNTS_TEXT_SIZE = 192 };

/* *counts are those by way of the schedule. Fails the test if the others differ in anything. */
void count_both(const struct bsim_device *device, const struct bsim_request *request,
                struct bsim_counts *counts);

bool counts_equal(const struct bsim_counts *a, const struct bsim_counts *b);

/* "wavefronts 2 ideal 1 ..."; returns text. */
const char *counts_format(const struct bsim_counts *counts, char text[COUNTS_TEXT_SIZE]);

/* Fails the test: `name` counted `request` differently from its schedule. */
void counts_differ(const char *name, const struct bsim_device *device,
                   const struct bsim_request *request, const struct bsim_counts *counts,
                   const struct bsim_counts *plain);

#endif
