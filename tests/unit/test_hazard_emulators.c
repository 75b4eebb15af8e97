/* test_hazard_emulators.c - the documents' kernels have no race and no barrier fault, and nearly
 * all of them have a race once one of their barriers is taken away. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

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

static void print_race(void *context, const struct bsim_race *race)
{
    if (*(const bool *)context) {
        print_error("%s: block %" PRIu32 ", byte %" PRIu32 ": warp %" PRIu32 " at %s:%" PRIu32
                    ", warp %" PRIu32 " at %s:%" PRIu32 "\n",
                    race->kernel, race->block.x, race->address, race->access[0].warp,
                    race->access[0].site->file, race->access[0].site->line, race->access[1].warp,
                    race->access[1].site->file, race->access[1].site->line);
    }
}

enum { MAX_SETTINGS = 3, SETTING_SIZE = 32 };

/* By how much the sizes of inputs are smaller than a kernel's initial ones; the races stay. */
static const struct {
    const char *key;
    uint32_t divisor;
} sizes[MAX_SETTINGS] = {{"n", 64}, {"nx", 8}, {"ny", 8}};

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
    struct bsim_hazard_counts counts;
    uint32_t n_barriers; /* of a block, at most */
    bool shares;
};

static struct view look(const struct bsim_emulator *emulator, uint32_t dropped, bool is_shown)
{
    struct bsim_hazard_options options = {.context = &is_shown, .on_race = print_race};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    struct bsim_error err = {.status = BSIM_OK};
    char text[MAX_SETTINGS][SETTING_SIZE];
    const char *settings[MAX_SETTINGS] = {text[0], text[1], text[2]};
    size_t n_settings = choose_sizes(emulator, text);
    assert_non_null(hazards);
    struct filter filter = {.sink = bsim_hazards_sink(hazards), .dropped = dropped};
    struct bsim_sink sink = {.push = pass_on, .context = &filter};
    if (bsim_emulator_run(emulator, settings, n_settings, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", emulator->name, err.message);
    }
    struct view view = {bsim_hazards_count(hazards), filter.most, filter.shares};
    bsim_hazards_free(hazards);
    return view;
}

/* The one kernel that is made to fail: its launch ends with the error of its barrier. */
static bool is_broken(const struct bsim_emulator *emulator)
{
    return strcmp(emulator->name, "divergent_barrier") == 0;
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
        struct bsim_hazard_counts counts = look(emulator, UINT32_MAX, true).counts;
        if (counts.races != 0 || counts.barrier_faults != 0) {
            fail_msg("%s: %" PRIu64 " races, %" PRIu64 " barrier faults", emulator->name,
                     counts.races, counts.barrier_faults);
        }
    }
    assert_true(n > 0);
}

/* Kernels, by a part of the name, whose barriers order nothing that counts as a race: each thread
 * or warp reads what it stored itself, or (histogram_shared) a plain access meets atomics of other warps. */
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
        if (look(emulator, k, false).counts.races > 0) {
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
        cmocka_unit_test(a_missing_barrier_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
