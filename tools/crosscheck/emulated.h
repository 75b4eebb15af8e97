/* emulated.h - an emulator's launch, seen from outside: its shape and arrays before it runs, and
 * what it left in them. */
#ifndef CROSSCHECK_EMULATED_H
#define CROSSCHECK_EMULATED_H

#ifdef __cplusplus
extern "C" {
#endif

#include <banksim/emulator.h>

enum { EMULATED_MAX_SETTINGS = 8, EMULATED_LINE_SIZE = 256 };

/* A run as one line of text, "kernel key=value ...", taken apart. */
struct emulated_run {
    char line[EMULATED_LINE_SIZE]; /* the words below, each terminated */
    const char *kernel;
    const char *settings[EMULATED_MAX_SETTINGS];
    size_t n_settings;
    const struct bsim_emulator *emulator;
};

/* Whom the launch is shown to; either may be NULL, and a failure ends the run. */
struct emulated_watch {
    void *context;
    enum bsim_status (*before)(void *context, const struct bsim_launch *launch,
                               struct bsim_error *err);
    enum bsim_status (*after)(void *context, const struct bsim_launch *launch,
                              struct bsim_error *err);
};

/* Takes text apart. Fails with BSIM_E_USAGE for an unknown kernel or too long a text. */
enum bsim_status emulated_parse(const char *text, struct emulated_run *run, struct bsim_error *err);

/* The value of one of the emulator's parameters, given or initial; 0 if there is none. */
uint32_t emulated_setting(const struct emulated_run *run, const char *key);

/* Runs the emulator into sink. One run at a time. */
enum bsim_status emulated_go(const struct emulated_run *run, const struct emulated_watch *watch,
                             const struct bsim_sink *sink, struct bsim_error *err);

/* FNV-1a, 64 bits, over n more bytes; start with EMULATED_HASH. */
#define EMULATED_HASH UINT64_C(0xcbf29ce484222325)
uint64_t emulated_hash(uint64_t hash, const void *data, size_t n);

/* That of all arrays in global memory, one after another. */
uint64_t emulated_hash_arrays(const struct bsim_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
