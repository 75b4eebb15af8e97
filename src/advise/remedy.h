/* remedy.h - the hints of an advice as sentences. */
#ifndef BSIM_ADVISE_REMEDY_H
#define BSIM_ADVISE_REMEDY_H

#include <banksim/advise.h>

/* Writes those of all accesses into the advice's hints. Fails with what bsim_check_each answers,
 * BSIM_E_MEMORY. */
enum bsim_status bsim_remedies_write(const struct bsim_check *check, struct bsim_advice *advice,
                                     struct bsim_error *err);

/* For an array of structs, appends what its accesses would take otherwise. */
enum bsim_status bsim_structs_write(const struct bsim_check *check,
                                    const struct bsim_device *device, size_t array,
                                    struct bsim_buffer *out, struct bsim_error *err);

#endif
