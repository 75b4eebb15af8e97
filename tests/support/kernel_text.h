/* kernel_text.h - files of CUDA C whose kernels have their launches in comments above them. */
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include <banksim/ptx.h>
#include <banksim/result.h>

enum { KERNEL_MAX_LAUNCH = 256 };

/* The next comment of the text that has a launch, which goes into launch[0..KERNEL_MAX_LAUNCH): where the text
 * goes on behind it; NULL: there is none. */
const char *kernel_text_launch(const char *text, char *launch);

/* Appends what banksim makes of the launch's kernel in the text of the file; fails the test where it refuses it. */
void kernel_text_translate(const char *path, const char *text, const char *launch,
                           struct bsim_buffer *ptx);

/* Runs the launch of the PTX text, as options say (NULL: as they are by default), with cycles if they have work; fails the
 * test where it does not run. The caller frees *result and *call. */
void kernel_text_run(const char *ptx, const char *launch, const struct bsim_ptx_options *options,
                     struct bsim_ptx_call **call, struct bsim_result *result);

#endif
