/* emulated.c - see emulated.h. The emulators keep their arrays to themselves and hand them to
 * bsim_launch_run, which is therefore defined here, around the library's own. */
#define bsim_launch_run launch_unwatched
#include "lanes/launch.c"
#undef bsim_launch_run

#include "emulated.h"

#include <stdlib.h>
#include <string.h>

static const struct emulated_watch *watch_now;

enum bsim_status bsim_launch_run(const struct bsim_launch *launch, const struct bsim_sink *sink,
                                 struct bsim_error *err);

enum bsim_status bsim_launch_run(const struct bsim_launch *launch, const struct bsim_sink *sink,
                                 struct bsim_error *err)
{
    const struct emulated_watch *watch = watch_now;
    enum bsim_status status = BSIM_OK;
    if (watch != NULL && watch->before != NULL) {
        status = watch->before(watch->context, launch, err);
    }
    if (status == BSIM_OK) {
        status = launch_unwatched(launch, sink, err);
    }
    if (status == BSIM_OK && watch != NULL && watch->after != NULL) {
        status = watch->after(watch->context, launch, err);
    }
    return status;
}

enum bsim_status emulated_parse(const char *text, struct emulated_run *run, struct bsim_error *err)
{
    memset(run, 0, sizeof *run);
    if (strlen(text) >= sizeof run->line) {
        return bsim_error_set(err, BSIM_E_USAGE, "too long: %s", text);
    }
    memcpy(run->line, text, strlen(text));
    run->kernel = strtok(run->line, " ");
    for (char *word; run->kernel != NULL && (word = strtok(NULL, " ")) != NULL;) {
        if (run->n_settings == EMULATED_MAX_SETTINGS) {
            return bsim_error_set(err, BSIM_E_USAGE, "too many settings: %s", text);
        }
        run->settings[run->n_settings++] = word;
    }
    return bsim_emulator_find(run->kernel != NULL ? run->kernel : "", &run->emulator, err);
}

uint32_t emulated_setting(const struct emulated_run *run, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < run->n_settings; i++) {
        if (strncmp(run->settings[i], key, length) == 0 && run->settings[i][length] == '=') {
            return (uint32_t)strtoul(run->settings[i] + length + 1, NULL, 10);
        }
    }
    for (size_t i = 0; i < run->emulator->n_parameters; i++) {
        if (strcmp(run->emulator->parameters[i].key, key) == 0) {
            return run->emulator->parameters[i].initial;
        }
    }
    return 0;
}

enum bsim_status emulated_go(const struct emulated_run *run, const struct emulated_watch *watch,
                             const struct bsim_sink *sink, struct bsim_error *err)
{
    watch_now = watch;
    enum bsim_status status =
        bsim_emulator_run(run->emulator, run->settings, run->n_settings, sink, err);
    watch_now = NULL;
    return status;
}

uint64_t emulated_hash(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t emulated_hash_arrays(const struct bsim_launch *launch)
{
    uint64_t hash = EMULATED_HASH;
    for (size_t i = 0; i < launch->n_arrays; i++) {
        if (launch->arrays[i].space == BSIM_GLOBAL) {
            hash = emulated_hash(hash, launch->arrays[i].data, launch->arrays[i].size_bytes);
        }
    }
    return hash;
}
