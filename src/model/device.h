/* device.h - the device that a kernel of a stream runs on. */
#ifndef BSIM_MODEL_DEVICE_H
#define BSIM_MODEL_DEVICE_H

#include <banksim/device.h>
#include <banksim/event.h>

/* asked, unless it is NULL; else the one that the kernel names, or the default one if it names none,
 * in the mode of options. A name that is not known is the trace's mistake, BSIM_E_INPUT; a mode that the
 * named device has not is the caller's, BSIM_E_USAGE. */
enum bsim_status bsim_device_of_kernel(const struct bsim_kernel *kernel,
                                       const struct bsim_device *asked,
                                       const struct bsim_device_options *options,
                                       struct bsim_device *device, struct bsim_error *err);

#endif
