/* test_crosscheck.c - everything that tools/crosscheck counted and timed on an H200, against the
 * model and the emulators: every row of tests/measured/h200/crosscheck and seed99; and what an H100 counted of
 * requests of another seed (tests/measured/h100/crosscheck).
 *
 * tools/crosscheck/checks.c says what each file is compared with. The numbers of rows stand here,
 * so that a file cut short, or a row quietly skipped, is noticed.
 */
#include "checks.h"
#include "request_text.h"

#include "model/fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <banksim/banksim.h>

#define DIR "tests/measured/h200/crosscheck"

enum { MOST_SHOWN = 10, MOST_OPCODES = 128 };

/* ---- every row ------------------------------------------------------------------------------- */

struct expected {
    const char *file;
    unsigned long rows, skipped;
};

static const struct expected on_h200[] = {
    {"requests.csv", 1468, 0}, {"ideals.csv", 116, 0},   {"merges.csv", 480, 0},
    {"timed.csv", 26904, 0},   {"loops.csv", 0, 132},    {"increments.csv", 72, 0},
    {"copies.csv", 111, 133},  {"constant.csv", 104, 0}, {"global.csv", 330, 0},
    {"atomics.csv", 291, 0},   {"twins.csv", 315, 0},
};

/* No file of what does not hang on the seed. */
static const struct expected on_h100[] = {
    {"requests.csv", 1188, 0}, {"ideals.csv", 0, 0},     {"merges.csv", 0, 0},
    {"timed.csv", 0, 0},       {"loops.csv", 0, 132},    {"increments.csv", 72, 0},
    {"copies.csv", 111, 133},  {"constant.csv", 104, 0}, {"global.csv", 327, 0},
    {"atomics.csv", 291, 0},   {"twins.csv", 0, 0},
};

enum { N_FILES = sizeof on_h200 / sizeof on_h200[0] };

static void show_difference(void *context, const struct checks_difference *difference)
{
    unsigned long *n = context;
    if (++*n <= MOST_SHOWN) {
        print_error("%s: %s: simulated %s, counted %s\n    %s\n", difference->file,
                    difference->what, difference->simulated, difference->counted, difference->row);
    }
}

static void equals(const char *dir, const char *gpu, const struct expected expected[N_FILES])
{
    unsigned long n_differences = 0;
    struct bsim_device device;
    device_for_test(gpu, 0, 0, &device);
    struct checks checks = {
        .dir = dir, .device = &device, .context = &n_differences, .on_difference = show_difference};
    for (size_t i = 0; i < N_FILES; i++) {
        struct checks_tally tally;
        assert_string_equal(checks_file_at(i), expected[i].file);
        if (expected[i].rows + expected[i].skipped == 0) {
            continue;
        }
        assert_true(checks_run(&checks, i, &tally));
        if (tally.rows != expected[i].rows || tally.skipped != expected[i].skipped) {
            fail_msg("%s: %lu rows compared, %lu skipped; expected %lu, %lu", expected[i].file,
                     tally.rows, tally.skipped, expected[i].rows, expected[i].skipped);
        }
    }
    assert_null(checks_file_at(N_FILES));
    assert_int_equal(n_differences, 0);
}

static void model_and_emulators_equal_the_gpu(void **state)
{
    (void)state;
    equals(DIR, "h200", on_h200);
}

/* Seed 71, drawn when the model was finished. */
static void equals_another_gpu_on_a_seed_not_seen(void **state)
{
    (void)state;
    equals("tests/measured/h100/crosscheck", "h100", on_h100);
}

/* ---- every dealer ---------------------------------------------------------------------------- */

static void count_portable(const struct bsim_device *device, const struct bsim_event *event,
                           struct bsim_counts *counts)
{
    uint32_t address[BSIM_WARP_LANES];
    bsim_fast_list_portable(event, address);
    assert_true(bsim_fast_count_portable(device, &event->opcode, event->mask, address, counts));
}

#ifdef BSIM_HAS_X86
static void count_avx2(const struct bsim_device *device, const struct bsim_event *event,
                       struct bsim_counts *counts)
{
    uint32_t address[BSIM_WARP_LANES];
    bsim_fast_list_avx2(event, address);
    assert_true(bsim_fast_count_avx2(device, &event->opcode, event->mask, address, counts));
}

static void count_avx512(const struct bsim_device *device, const struct bsim_event *event,
                         struct bsim_counts *counts)
{
    uint32_t address[BSIM_WARP_LANES];
    bsim_fast_list_avx512(event, address);
    assert_true(bsim_fast_count_avx512(device, &event->opcode, event->mask, address, counts));
}
#endif

/* All files but twins.csv, the last: its kernels are simulated the usual way. */
static void check_with(void (*count)(const struct bsim_device *device,
                                     const struct bsim_event *event, struct bsim_counts *counts))
{
    unsigned long n_differences = 0;
    struct bsim_device device;
    device_for_test("h200", 0, 0, &device);
    struct checks checks = {.dir = DIR,
                            .device = &device,
                            .count = count,
                            .context = &n_differences,
                            .on_difference = show_difference};
    for (size_t i = 0; checks_file_at(i + 1) != NULL; i++) {
        struct checks_tally tally;
        assert_true(checks_run(&checks, i, &tally));
    }
    assert_int_equal(n_differences, 0);
}

/* The processor chooses one of them; here each has to answer. */
static void every_dealer_equals_the_gpu(void **state)
{
    (void)state;
    check_with(count_portable);
#ifdef BSIM_HAS_X86
    if (bsim_fast_has_avx2()) {
        check_with(count_avx2);
    }
    if (bsim_fast_has_avx512()) {
        check_with(count_avx512);
    }
#endif
}

/* ---- more, kept apart ------------------------------------------------------------------------ */

/* Requests of a seed that was drawn when the model was finished. */
static void equals_the_gpu_on_a_seed_not_seen(void **state)
{
    (void)state;
    unsigned long n_differences = 0;
    struct bsim_device device;
    struct checks_tally tally;
    device_for_test("h200", 0, 0, &device);
    struct checks checks = {.dir = "tests/measured/h200/seed99",
                            .device = &device,
                            .context = &n_differences,
                            .on_difference = show_difference};
    assert_true(checks_run(&checks, 0, &tally));
    assert_int_equal(tally.rows, 256);
    assert_int_equal(n_differences, 0);
}

static void read_global_row(const struct table *table, struct bsim_opcode *opcode, uint32_t *mask,
                            uint64_t address[BSIM_WARP_LANES])
{
    const char *name = table_field(table, "opcode");
    const char *text = table_field(table, "addresses");
    assert_int_equal(bsim_opcode_parse(name, strlen(name), opcode, NULL), BSIM_OK);
    *mask = (uint32_t)strtoul(table_field(table, "mask"), NULL, 16);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        address[lane] = strtoull(text, &end, 10);
        assert_ptr_not_equal(text, end);
        text = end;
    }
}

static void compare_sectors(const struct bsim_device *device, const struct table *table,
                            unsigned long *n_differences)
{
    struct bsim_opcode opcode;
    struct bsim_global_counts counts;
    uint32_t mask;
    uint64_t address[BSIM_WARP_LANES];
    double sectors;
    read_global_row(table, &opcode, &mask, address);
    bsim_global_count(device, &opcode, mask, address, &counts);
    assert_true(table_number(table, "sectors", &sectors));
    if (counts.sectors < sectors || counts.sectors > sectors) {
        char text[CHECKS_NUMBER_SIZE];
        snprintf(text, sizeof text, "%lu", (unsigned long)counts.sectors);
        show_difference(n_differences,
                        &(struct checks_difference){table->name, table->line, "sectors", text,
                                                    table_field(table, "sectors")});
    }
}

static void sectors_equal_the_gpu(const char *file, unsigned long n)
{
    unsigned long rows = 0, n_differences = 0;
    struct bsim_device device;
    struct table table;
    device_for_test("h200", 0, 0, &device);
    assert_true(table_open(&table, DIR, file));
    for (; table_next(&table); rows++) {
        compare_sectors(&device, &table, &n_differences);
    }
    table_close(&table);
    assert_int_equal(rows, n);
    assert_int_equal(n_differences, 0);
}

/* Global atomics whose lanes lie anywhere, up to 4 GiB apart. */
static void random_atomics_equal_the_gpu(void **state)
{
    (void)state;
    sectors_equal_the_gpu("random_atomics.csv", 814);
}

/* Local memory, textures, ld.global.nc and ldu.global. */
static void other_spaces_equal_the_gpu(void **state)
{
    (void)state;
    sectors_equal_the_gpu("spaces.csv", 480);
}

/* ---- of everything --------------------------------------------------------------------------- */

/* What the rows of one file are about, each once. */
struct subjects {
    const char *file;
    size_t n;
    char name[MOST_OPCODES][BSIM_OPCODE_NAME_SIZE];
};

static void take_subject(struct subjects *subjects, const char *name)
{
    for (size_t i = 0; i < subjects->n; i++) {
        if (strcmp(subjects->name[i], name) == 0) {
            return;
        }
    }
    assert_true(subjects->n < MOST_OPCODES && strlen(name) < BSIM_OPCODE_NAME_SIZE);
    memcpy(subjects->name[subjects->n++], name, strlen(name) + 1);
}

static struct subjects subjects_of(const char *file)
{
    struct subjects subjects = {.file = file};
    struct table table;
    assert_true(table_open(&table, DIR, file));
    while (table_next(&table)) {
        take_subject(&subjects, table.field[0]);
    }
    table_close(&table);
    return subjects;
}

/* The same instruction for the hardware: how wide, how many matrices, which operation. What the
 * bits mean, and whether they are one element or several, is the reader's alone. */
static bool is_alike(const struct bsim_opcode *a, const struct bsim_opcode *b)
{
    bool is_matrix = a->family == BSIM_LDMATRIX || a->family == BSIM_STMATRIX;
    return a->family == b->family && a->space == b->space && a->path == b->path &&
           a->operation == b->operation && a->bytes == b->bytes &&
           a->is_transposed == b->is_transposed && (!is_matrix || a->count == b->count);
}

static bool has_alike(const struct subjects *subjects, const struct bsim_opcode *opcode)
{
    for (size_t i = 0; i < subjects->n; i++) {
        struct bsim_opcode other;
        if (bsim_opcode_parse(subjects->name[i], strlen(subjects->name[i]), &other, NULL) ==
                BSIM_OK &&
            is_alike(&other, opcode)) {
            return true;
        }
    }
    return false;
}

/* Atomics of shared memory that no single instruction does: loops.csv has them. */
static bool is_loop(const struct bsim_opcode *opcode)
{
    bool is_atomic = opcode->family == BSIM_ATOM || opcode->family == BSIM_RED;
    bool is_single = opcode->operation == BSIM_CAS || opcode->operation == BSIM_EXCH;
    return is_atomic && (opcode->type == 'f' || (opcode->bytes == 8 && !is_single));
}

/* exch and cas whose result nobody uses: the format has them, PTX has not. */
static bool is_nowhere(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_RED &&
           (opcode->operation == BSIM_EXCH || opcode->operation == BSIM_CAS);
}

/* The merged increment has no spelling in PTX: increments.csv has what becomes of it. */
static bool is_in_requests(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_access(opcode) && opcode->space == BSIM_SHARED && !is_loop(opcode) &&
           !is_nowhere(opcode) && opcode->operation != BSIM_POPC_INC &&
           opcode->family != BSIM_CP_ASYNC;
}

static void check_all_opcodes(const char *file)
{
    struct subjects subjects = subjects_of(file);
    struct bsim_opcode opcode;
    for (size_t i = 0; bsim_opcode_at(i, &opcode); i++) {
        char name[BSIM_OPCODE_NAME_SIZE];
        if (is_in_requests(&opcode) && !has_alike(&subjects, &opcode)) {
            fail_msg("%s has nothing like %s", file, bsim_opcode_name(&opcode, name));
        }
    }
}

static void every_opcode_of_shared_memory_was_counted(void **state)
{
    (void)state;
    check_all_opcodes("requests.csv");
}

static void every_opcode_of_shared_memory_was_timed(void **state)
{
    (void)state;
    check_all_opcodes("timed.csv");
}

static void every_width_of_the_other_spaces_was_counted(void **state)
{
    (void)state;
    static const struct {
        const char *file, *opcode;
    } cases[] = {
        {"copies.csv", "cp.async.ca.shared.global.4"},
        {"copies.csv", "cp.async.ca.shared.global.8"},
        {"copies.csv", "cp.async.ca.shared.global.16"},
        {"constant.csv", "ld.const.u32"},
        {"constant.csv", "ld.const.u64"},
        {"constant.csv", "ld.const.v4.u32"},
        {"global.csv", "ld.global.u8"},
        {"global.csv", "ld.global.u16"},
        {"global.csv", "ld.global.u32"},
        {"global.csv", "ld.global.u64"},
        {"global.csv", "ld.global.v4.u32"},
        {"global.csv", "st.global.u8"},
        {"global.csv", "st.global.u16"},
        {"global.csv", "st.global.u32"},
        {"global.csv", "st.global.u64"},
        {"global.csv", "st.global.v4.u32"},
        {"spaces.csv", "ld.local.u8"},
        {"spaces.csv", "ld.local.u32"},
        {"spaces.csv", "ld.local.u64"},
        {"spaces.csv", "ld.local.v4.u32"},
        {"spaces.csv", "st.local.u8"},
        {"spaces.csv", "st.local.u32"},
        {"spaces.csv", "st.local.u64"},
        {"spaces.csv", "st.local.v4.u32"},
        {"spaces.csv", "ld.global.nc.u32"},
        {"spaces.csv", "ldu.global.u32"},
        {"spaces.csv", "tex.1d.u8"},
        {"spaces.csv", "tex.1d.u32"},
        {"spaces.csv", "tex.1d.v2.u32"},
        {"spaces.csv", "tex.1d.v4.u32"},
        {"atomics.csv", "atom.global.add.u32"},
        {"atomics.csv", "atom.global.add.u64"},
        {"atomics.csv", "atom.global.cas.b32"},
        {"atomics.csv", "atom.global.exch.b32"},
        {"atomics.csv", "red.global.add.u32"},
        {"atomics.csv", "atom.global.cas.b64"},
        {"atomics.csv", "red.global.add.u64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct subjects subjects = subjects_of(cases[i].file);
        struct bsim_opcode opcode;
        assert_int_equal(bsim_opcode_parse(cases[i].opcode, strlen(cases[i].opcode), &opcode, NULL),
                         BSIM_OK);
        if (!has_alike(&subjects, &opcode)) {
            fail_msg("%s has nothing like %s", cases[i].file, cases[i].opcode);
        }
    }
}

/* Every emulator has a twin, but for those whose kernel must not run: it reads what nobody wrote,
 * or hangs. */
static void every_emulator_has_a_twin(void **state)
{
    (void)state;
    struct subjects subjects = subjects_of("twins.csv");
    for (size_t i = 0; bsim_emulator_at(i) != NULL; i++) {
        const char *name = bsim_emulator_at(i)->name;
        size_t n = subjects.n;
        take_subject(&subjects, name);
        if (subjects.n != n) {
            fail_msg("%s has no twin", name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_and_emulators_equal_the_gpu),
        cmocka_unit_test(equals_another_gpu_on_a_seed_not_seen),
        cmocka_unit_test(every_dealer_equals_the_gpu),
        cmocka_unit_test(equals_the_gpu_on_a_seed_not_seen),
        cmocka_unit_test(random_atomics_equal_the_gpu),
        cmocka_unit_test(other_spaces_equal_the_gpu),
        cmocka_unit_test(every_opcode_of_shared_memory_was_counted),
        cmocka_unit_test(every_opcode_of_shared_memory_was_timed),
        cmocka_unit_test(every_width_of_the_other_spaces_was_counted),
        cmocka_unit_test(every_emulator_has_a_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
