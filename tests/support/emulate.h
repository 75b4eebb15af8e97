/* emulate.h - the documents' kernels by name: what they push, and what the simulator counts. */
#ifndef EMULATE_H
#define EMULATE_H

#include "collect.h"

#include <banksim/emulator.h>
#include <banksim/result.h>

/* Runs kernel `name` into sink; settings are "key=value" words, separated by one blank, "" for
 * none. The test fails if there is no such kernel. */
enum bsim_status emulate(const char *name, const char *settings, const struct bsim_sink *sink,
                         struct bsim_error *err);

/* The stream; the test fails if the kernel does. */
struct collect emulate_collected(const char *name, const char *settings);

/* The counts on a device; n_banks for "generic", else 0. */
struct bsim_result emulate_counted(const char *name, const char *settings, const char *device,
                                   uint32_t n_banks);

/* The counts of the one site whose text begins with `text`; the test fails if there is none. */
const struct bsim_site_result *emulate_site(const struct bsim_result *result, const char *text);

/* What one site of a kernel must count. */
struct emulate_case {
    const char *name, *settings;
    const char *text; /* how the site's text begins */
    uint64_t requests, wavefronts;
};

void emulate_check(const struct emulate_case *cases, size_t n_cases, const char *device,
                   uint32_t n_banks);

/* Settings that must be refused with this message, before anything is pushed. */
struct emulate_refusal {
    const char *name, *settings, *message;
};

void emulate_check_refused(const struct emulate_refusal *cases, size_t n_cases);

/* Runs the kernel with the first, the second, ... allocation failing: each time BSIM_E_MEMORY and
 * nothing left behind, until one goes through. */
void emulate_without_memory(const char *name, const char *settings);

#endif
