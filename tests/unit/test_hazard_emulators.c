/* test_hazard_emulators.c - the documents' kernels have no race and no barrier fault where they
 * are right, and nearly all of them have a race once one of their barriers is taken away. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Passes everything on but barrier number `dropped` of each block, counted as it stands in the
 * stream; UINT32_MAX: drops none. */
struct filter {
    struct bsim_sink sink;
    uint32_t dropped;
    uint32_t n_barriers; /* of the block so far */
    uint32_t most;       /* of any block */
    uint32_t n_threads;  /* of a block */
    bool shares;         /* several warps, and stores to shared memory */
};

static void look_at_event(struct filter *filter, const struct bsim_opcode *opcode)
{
    bool stores = opcode->family == BSIM_ST || opcode->family == BSIM_STMATRIX;
    if (stores && opcode->space == BSIM_SHARED && filter->n_threads > BSIM_WARP_LANES) {
        filter->shares = true;
    }
}

static enum bsim_status pass_on(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    struct filter *filter = context;
    if (record->kind == BSIM_RECORD_KERNEL) {
        struct bsim_dim3 block = record->u.kernel->block;
        filter->n_threads = block.x * block.y * block.z;
    } else if (record->kind == BSIM_RECORD_BLOCK) {
        filter->n_barriers = 0;
    } else if (record->kind == BSIM_RECORD_EVENT) {
        look_at_event(filter, &record->u.event->opcode);
    }
    if (record->kind == BSIM_RECORD_EVENT && record->u.event->opcode.family == BSIM_BAR) {
        uint32_t number = filter->n_barriers++;
        filter->most = filter->n_barriers > filter->most ? filter->n_barriers : filter->most;
        if (number == filter->dropped) {
            return BSIM_OK;
        }
    }
    return filter->sink.push(filter->sink.context, record, err);
}

/* What is found is counted by its kind. */
struct tally {
    bool is_shown;
    uint32_t n[BSIM_RACE_REQUEST + 1]; /* by enum bsim_race_kind */
    uint32_t n_shared;                 /* of warps, in shared memory */
};

static void take_race(void *context, const struct bsim_race *race)
{
    struct tally *tally = context;
    tally->n[race->kind]++;
    tally->n_shared += race->kind == BSIM_RACE_WARPS && race->access[0].opcode.space == BSIM_SHARED;
    if (tally->is_shown) {
        print_error("%s: block %" PRIu32 ", byte %" PRIu64 ": warp %" PRIu32 " at %s:%" PRIu32
                    ", warp %" PRIu32 " at %s:%" PRIu32 "\n",
                    race->kernel, race->block.x, race->address, race->access[0].warp,
                    race->access[0].site->file, race->access[0].site->line, race->access[1].warp,
                    race->access[1].site->file, race->access[1].site->line);
    }
}

enum { MAX_SETTINGS = 3, SETTING_SIZE = 32 };

/* By how much the sizes of inputs are smaller than a kernel's initial ones, under sanitizers more; the races stay. */
static const struct {
    const char *key;
    uint32_t divisor;
} sizes[MAX_SETTINGS] = {{"n", WATCHED(64, 256)}, {"nx", 8}, {"ny", 8}};

static size_t choose_sizes(const struct bsim_emulator *emulator,
                           char text[MAX_SETTINGS][SETTING_SIZE])
{
    size_t n = 0;
    for (size_t i = 0; i < emulator->n_parameters; i++) {
        const struct bsim_parameter *parameter = &emulator->parameters[i];
        for (size_t k = 0; k < MAX_SETTINGS; k++) {
            uint32_t value = parameter->initial / sizes[k].divisor;
            if (strcmp(parameter->key, sizes[k].key) == 0 && value >= parameter->least) {
                (void)snprintf(text[n++], SETTING_SIZE, "%s=%" PRIu32, parameter->key, value);
            }
        }
    }
    return n;
}

/* What a kernel shows without barrier `dropped`. */
struct view {
    struct tally tally;
    uint64_t barrier_faults;
    uint32_t n_barriers; /* of a block, at most */
    bool shares;
};

/* setting is one more, or NULL. */
static struct view look_at(const struct bsim_emulator *emulator, uint32_t dropped, bool is_shown,
                           const char *device_name, const char *setting)
{
    struct bsim_device device;
    assert_int_equal(bsim_device_find(device_name, NULL, &device, NULL), BSIM_OK);
    struct tally tally = {.is_shown = is_shown};
    struct bsim_hazard_options options = {
        .device = &device, .context = &tally, .on_race = take_race};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    struct bsim_error err = {.status = BSIM_OK};
    char text[MAX_SETTINGS][SETTING_SIZE];
    const char *settings[MAX_SETTINGS + 1] = {text[0], text[1], text[2]};
    size_t n_settings = choose_sizes(emulator, text);
    settings[n_settings] = setting;
    n_settings += setting != NULL;
    assert_non_null(hazards);
    struct filter filter = {.sink = bsim_hazards_sink(hazards), .dropped = dropped};
    struct bsim_sink sink = {.push = pass_on, .context = &filter};
    if (bsim_emulator_run(emulator, settings, n_settings, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", emulator->name, err.message);
    }
    struct view view = {tally, bsim_hazards_count(hazards).barrier_faults, filter.most,
                        filter.shares};
    bsim_hazards_free(hazards);
    return view;
}

static struct view look(const struct bsim_emulator *emulator, uint32_t dropped, bool is_shown)
{
    return look_at(emulator, dropped, is_shown, "sm_90", NULL);
}

/* The one kernel that is made to fail: its launch ends with the error of its barrier. */
static bool is_broken(const struct bsim_emulator *emulator)
{
    return strcmp(emulator->name, "divergent_barrier") == 0;
}

/* They add the last 64 elements in one warp, without barriers. */
static bool is_reduction(const struct bsim_emulator *emulator)
{
    return strncmp(emulator->name, "reduce_", strlen("reduce_")) == 0;
}

static void check_free(const struct bsim_emulator *emulator, const char *device,
                       const char *setting)
{
    struct view view = look_at(emulator, UINT32_MAX, true, device, setting);
    for (int kind = 0; kind <= BSIM_RACE_REQUEST; kind++) {
        if (view.tally.n[kind] != 0 || view.barrier_faults != 0) {
            fail_msg("%s on %s: %" PRIu32 " findings of kind %d, %" PRIu64 " barrier faults",
                     emulator->name, device, view.tally.n[kind], kind, view.barrier_faults);
        }
    }
}

/* The texts' reductions were right as long as the lanes of a warp ran in step, because of
 * volatile. */
static void reductions_need_volatile_or_syncwarp(void **state)
{
    (void)state;
    static const struct {
        const char *device, *setting;
        bool races;
    } cases[] = {
        {"k40", NULL, false},    {"k40", "volatile=0", true},    {"gt1030", "volatile=0", true},
        {"sm_70", NULL, true},   {"sm_90", NULL, true},          {"sm_90", "volatile=0", true},
        {"generic", NULL, true}, {"sm_70", "syncwarp=1", false},
    };
    const struct bsim_emulator *emulator;
    uint32_t n = 0;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        for (size_t c = 0; c < sizeof cases / sizeof cases[0] && is_reduction(emulator); c++) {
            struct view view =
                look_at(emulator, UINT32_MAX, false, cases[c].device, cases[c].setting);
            if ((view.tally.n[BSIM_RACE_LANES] > 0) != cases[c].races ||
                view.tally.n[BSIM_RACE_WARPS] != 0) {
                fail_msg("%s on %s, %s: %" PRIu32 " races of lanes", emulator->name,
                         cases[c].device, cases[c].setting != NULL ? cases[c].setting : "as it is",
                         view.tally.n[BSIM_RACE_LANES]);
            }
            n++;
        }
    }
    assert_int_equal(n, 7 * sizeof cases / sizeof cases[0]);
}

static void kernels_are_free_of_hazards(void **state)
{
    (void)state;
    const struct bsim_emulator *emulator;
    size_t n = 0;
    for (; (emulator = bsim_emulator_at(n)) != NULL; n++) {
        if (is_broken(emulator)) {
            continue;
        }
        check_free(emulator, "k40", NULL);
        check_free(emulator, "sm_90", is_reduction(emulator) ? "syncwarp=1" : NULL);
    }
    assert_true(n > 0);
}

/* Kernels, by a part of the name, whose barriers order nothing that counts as a race: each thread
 * or warp reads what it stored itself, or (histogram_shared) a plain access meets atomics of other
 * warps. */
static const char *const unshared[] = {"_set_row_read_row", "_set_col_read_col",
                                       "histogram_shared",  "loads_conflict_free",
                                       "loads_broadcast",   "loads_multicast"};

static bool is_unshared(const struct bsim_emulator *emulator)
{
    for (size_t i = 0; i < sizeof unshared / sizeof unshared[0]; i++) {
        if (strstr(emulator->name, unshared[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool some_barrier_is_missed(const struct bsim_emulator *emulator, uint32_t n_barriers)
{
    for (uint32_t k = 0; k < n_barriers; k++) {
        if (look(emulator, k, false).tally.n_shared > 0) {
            return true;
        }
    }
    return false;
}

/* Where a block has one warp, or stores nothing to shared memory, there is nothing to find. */
static void a_missing_barrier_is_found(void **state)
{
    (void)state;
    const struct bsim_emulator *emulator;
    size_t n_found = 0;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (is_broken(emulator)) {
            continue;
        }
        struct view whole = look(emulator, UINT32_MAX, false);
        bool races = some_barrier_is_missed(emulator, whole.n_barriers);
        bool expected = whole.n_barriers > 0 && whole.shares && !is_unshared(emulator);
        if (races != expected) {
            fail_msg("%s %s", emulator->name,
                     races ? "races without one of its barriers: it is not one of those unshared"
                           : "has no race without any one of its barriers: why?");
        }
        n_found += races;
    }
    assert_true(n_found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_free_of_hazards),
        cmocka_unit_test(reductions_need_volatile_or_syncwarp),
        cmocka_unit_test(a_missing_barrier_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
