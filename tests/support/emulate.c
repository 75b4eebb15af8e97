/* emulate.c - see emulate.h. */
#include "emulate.h"

#include "failing_memory.h"

#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SETTINGS = 8, SETTING_SIZE = 40 };

/* The words of text, each copied; how many. */
static size_t split(const char *text, char word[MAX_SETTINGS][SETTING_SIZE])
{
    size_t n = 0;
    for (; *text != '\0'; text += *text == ' ') {
        size_t length = strcspn(text, " ");
        assert_true(n < MAX_SETTINGS && length < SETTING_SIZE);
        memcpy(word[n], text, length);
        word[n++][length] = '\0';
        text += length;
    }
    return n;
}

enum bsim_status emulate(const char *name, const char *settings, const struct bsim_sink *sink,
                         struct bsim_error *err)
{
    char word[MAX_SETTINGS][SETTING_SIZE];
    const char *pointer[MAX_SETTINGS];
    const struct bsim_emulator *emulator;
    size_t n = split(settings, word);
    for (size_t i = 0; i < n; i++) {
        pointer[i] = word[i];
    }
    if (bsim_emulator_find(name, &emulator, err) != BSIM_OK) {
        fail_msg("%s: %s", name, err->message);
    }
    return bsim_emulator_run(emulator, pointer, n, sink, err);
}

struct collect emulate_collected(const char *name, const char *settings)
{
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    if (emulate(name, settings, &sink, &err) != BSIM_OK) {
        fail_msg("%s %s: %s", name, settings, err.message);
    }
    return collect;
}

struct bsim_result emulate_counted(const char *name, const char *settings, const char *device,
                                   uint32_t n_banks)
{
    struct bsim_device_options device_options = {.n_banks = n_banks};
    struct bsim_sim_options options = {0};
    struct bsim_device found;
    struct bsim_result result = {0};
    struct bsim_error err = {0};
    assert_int_equal(bsim_device_find(device, &device_options, &found, &err), BSIM_OK);
    options.device = &found;
    struct bsim_sim *sim = bsim_sim_new(&options);
    assert_non_null(sim);
    struct bsim_sink sink = bsim_sim_sink(sim);
    if (emulate(name, settings, &sink, &err) != BSIM_OK ||
        bsim_sim_result(sim, &result, &err) != BSIM_OK) {
        fail_msg("%s %s: %s", name, settings, err.message);
    }
    bsim_sim_free(sim);
    assert_int_equal(result.n_kernels, 1);
    return result;
}

const struct bsim_site_result *emulate_site(const struct bsim_result *result, const char *text)
{
    const struct bsim_kernel_result *kernel = &result->kernels[0];
    const struct bsim_site_result *found = NULL;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const char *has = kernel->sites[i].text;
        if (has != NULL && strncmp(has, text, strlen(text)) == 0) {
            assert_null(found);
            found = &kernel->sites[i];
        }
    }
    if (found == NULL) {
        fail_msg("%s has no site '%s'", kernel->name, text);
    }
    return found;
}

void emulate_check(const struct emulate_case *cases, size_t n_cases, const char *device,
                   uint32_t n_banks)
{
    for (size_t i = 0; i < n_cases; i++) {
        const struct emulate_case *c = &cases[i];
        struct bsim_result result = emulate_counted(c->name, c->settings, device, n_banks);
        const struct bsim_site_result *site = emulate_site(&result, c->text);
        if (site->requests != c->requests || site->tally.wavefronts != c->wavefronts) {
            fail_msg("%s %s on %s: '%s' has %" PRIu64 " requests, %" PRIu64
                     " wavefronts, expected %" PRIu64 ", %" PRIu64,
                     c->name, c->settings, device, c->text, site->requests, site->tally.wavefronts,
                     c->requests, c->wavefronts);
        }
        bsim_result_free(&result);
    }
}

void emulate_check_refused(const struct emulate_refusal *cases, size_t n_cases)
{
    for (size_t i = 0; i < n_cases; i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        enum bsim_status status = emulate(cases[i].name, cases[i].settings, &sink, &err);
        if (status != BSIM_E_USAGE || strcmp(err.message, cases[i].message) != 0 ||
            collect.n != 0) {
            fail_msg("%s %s: status %d, %zu records, '%s'", cases[i].name, cases[i].settings,
                     (int)status, collect.n, err.message);
        }
        collect_free(&collect);
    }
}

void emulate_without_memory(const char *name, const char *settings)
{
    size_t live = failing_memory_live();
    enum bsim_status status = BSIM_E_MEMORY;
    for (size_t n = 0; status != BSIM_OK; n++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        failing_memory_fail_after(n);
        status = emulate(name, settings, &sink, &err);
        bool refused = failing_memory_refused() > 0;
        failing_memory_heal();
        collect_free(&collect);
        if (status != (refused ? BSIM_E_MEMORY : BSIM_OK) || failing_memory_live() != live) {
            fail_msg("%s, allocation %zu fails: status %d, '%s', %zu blocks are left", name, n + 1,
                     (int)status, err.message, failing_memory_live() - live);
        }
    }
}
