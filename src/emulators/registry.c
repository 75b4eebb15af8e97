/* registry.c - finds and runs the kernels of the families. A new family is one file and one entry
 * in `family`. */
#include "emulators/emulators.h"

#include "base/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct bsim_emulator *const family[] = {
    bsim_square_emulators,    bsim_rect_emulators,    bsim_reduce_emulators,
    bsim_transpose_emulators, bsim_lecture_emulators, bsim_coalescing_emulators,
    bsim_loads_emulators,     bsim_shuffle_emulators, bsim_constant_emulators,
    bsim_figure_emulators,
};

enum { N_FAMILIES = sizeof family / sizeof family[0] };

const struct bsim_emulator *bsim_emulator_at(size_t index)
{
    for (size_t f = 0; f < N_FAMILIES; f++) {
        for (const struct bsim_emulator *row = family[f]; row->name != NULL; row++) {
            if (index-- == 0) {
                return row;
            }
        }
    }
    return NULL;
}

/* ---- by name -------------------------------------------------------------------------------- */

/* Steps through the blank-separated words of *text: the next one's length, and *text at its start;
 * 0 at the end. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

static bool has_original(const struct bsim_emulator *emulator, const char *name)
{
    size_t length = strlen(name);
    const char *word = emulator->original;
    for (size_t n; (n = next_word(&word)) > 0; word += n) {
        if (n == length && memcmp(word, name, n) == 0) {
            return true;
        }
    }
    return false;
}

/* An original name that is close stands for the emulator's own name. */
static void try_originals(struct bsim_nearest *nearest, const struct bsim_emulator *emulator)
{
    char copy[64];
    const char *word = emulator->original;
    for (size_t n; (n = next_word(&word)) > 0; word += n) {
        struct bsim_nearest probe = {nearest->word, NULL, nearest->distance};
        (void)snprintf(copy, sizeof copy, "%.*s", (int)n, word);
        bsim_nearest_try(&probe, copy);
        if (probe.best != NULL) {
            nearest->best = emulator->name;
            nearest->distance = probe.distance;
        }
    }
}

static enum bsim_status not_found(const char *name, struct bsim_error *err)
{
    struct bsim_nearest nearest = bsim_nearest_start(name);
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        bsim_nearest_try(&nearest, emulator->name);
        try_originals(&nearest, emulator);
    }
    if (nearest.best == NULL) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "no kernel is named '%s'; 'banksim list kernels' names them", name);
    }
    return bsim_error_set(err, BSIM_E_USAGE, "no kernel is named '%s'; did you mean '%s'?", name,
                          nearest.best);
}

static enum bsim_status ambiguous(const char *name, struct bsim_error *err)
{
    char list[BSIM_ERROR_MESSAGE_SIZE] = "";
    size_t length = 0;
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (has_original(emulator, name) && length < sizeof list) {
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length > 0 ? " or " : "", emulator->name);
        }
    }
    return bsim_error_set(err, BSIM_E_USAGE, "%s is %s: say which", name, list);
}

enum bsim_status bsim_emulator_find(const char *name, const struct bsim_emulator **found,
                                    struct bsim_error *err)
{
    const struct bsim_emulator *original = NULL;
    size_t n_originals = 0;
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (strcmp(emulator->name, name) == 0) {
            *found = emulator;
            return BSIM_OK;
        }
        if (has_original(emulator, name)) {
            original = emulator;
            n_originals++;
        }
    }
    if (n_originals == 0) {
        return not_found(name, err);
    }
    if (n_originals > 1) {
        return ambiguous(name, err);
    }
    *found = original;
    return BSIM_OK;
}

/* ---- settings ------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint32_t *number)
{
    uint64_t n = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9' && n <= UINT32_MAX; p++) {
        n = n * 10 + (uint64_t)(*p - '0');
    }
    *number = (uint32_t)n;
    return p != text && *p == '\0' && n <= UINT32_MAX;
}

static enum bsim_status unknown_key(const struct bsim_emulator *emulator, const char *setting,
                                    size_t key_length, struct bsim_error *err)
{
    char key[64];
    char list[256] = "";
    size_t length = 0;
    (void)snprintf(key, sizeof key, "%.*s", (int)(key_length < sizeof key ? key_length : 63),
                   setting);
    struct bsim_nearest nearest = bsim_nearest_start(key);
    for (size_t i = 0; i < emulator->n_parameters && length < sizeof list; i++) {
        bsim_nearest_try(&nearest, emulator->parameters[i].key);
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                                   emulator->parameters[i].key);
    }
    if (nearest.best != NULL) {
        return bsim_error_set(err, BSIM_E_USAGE, "%s has no setting '%s'; did you mean '%s'?",
                              emulator->name, key, nearest.best);
    }
    return bsim_error_set(err, BSIM_E_USAGE, "%s has no setting '%s'; it has %s", emulator->name,
                          key, emulator->n_parameters > 0 ? list : "none");
}

/* Takes "key=value" into value[]. */
static enum bsim_status set(const struct bsim_emulator *emulator, const char *setting,
                            uint32_t *value, struct bsim_error *err)
{
    size_t key_length = strcspn(setting, "=");
    const struct bsim_parameter *parameter = NULL;
    size_t i = 0;
    for (; i < emulator->n_parameters && parameter == NULL; i++) {
        const char *key = emulator->parameters[i].key;
        if (strlen(key) == key_length && memcmp(key, setting, key_length) == 0) {
            parameter = &emulator->parameters[i];
        }
    }
    if (setting[key_length] != '=') {
        return bsim_error_set(err, BSIM_E_USAGE, "'%s' is not a setting; write key=value", setting);
    }
    if (parameter == NULL) {
        return unknown_key(emulator, setting, key_length, err);
    }
    uint32_t number;
    if (!parse_number(setting + key_length + 1, &number) || number < parameter->least ||
        number > parameter->most) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "'%s': %s must be a number from %" PRIu32 " to %" PRIu32, setting,
                              parameter->key, parameter->least, parameter->most);
    }
    value[i - 1] = number;
    return BSIM_OK;
}

enum bsim_status bsim_emulator_run(const struct bsim_emulator *emulator,
                                   const char *const *settings, size_t n_settings,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t value[BSIM_EMULATOR_MAX_PARAMETERS] = {0};
    for (size_t i = 0; i < emulator->n_parameters; i++) {
        value[i] = emulator->parameters[i].initial;
    }
    for (size_t i = 0; i < n_settings; i++) {
        enum bsim_status status = set(emulator, settings[i], value, err);
        if (status != BSIM_OK) {
            return status;
        }
    }
    enum bsim_status status = emulator->run(emulator, value, sink, err);
    return status == BSIM_OK ? bsim_push_end(sink, err) : status;
}
