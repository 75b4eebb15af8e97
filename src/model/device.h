/* device.h - the device that a kernel of a stream runs on, and what a device's name and numbers
 * tell. */
#ifndef BSIM_MODEL_DEVICE_H
#define BSIM_MODEL_DEVICE_H

#include <banksim/device.h>
#include <banksim/event.h>

/* asked, unless it is NULL; else the one that the kernel names, or the default one if it names
 * none, in the mode of options. A name that is not known is the trace's mistake, BSIM_E_INPUT; a
 * mode that the named device has not is the caller's, BSIM_E_USAGE. */
enum bsim_status bsim_device_of_kernel(const struct bsim_kernel *kernel,
                                       const struct bsim_device *asked,
                                       const struct bsim_device_options *options,
                                       struct bsim_device *device, struct bsim_error *err);

/* Whether its carve-out is preferred in per cent: from compute capability 7.0 on, and generic. */
bool bsim_device_takes_percent(const struct bsim_device *device);

/* The name of the device of a compute capability times 10 ("sm_90" for 90), or NULL for one that
 * banksim does not know. */
const char *bsim_device_of_compute(uint32_t compute);

/* True if both count alike: of the same name, with the same banks. Two GPUs of one name may still
 * differ in their number of SMs and their clock. */
bool bsim_device_same(const struct bsim_device *a, const struct bsim_device *b);

#endif
