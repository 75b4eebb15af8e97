/* test_requests.c - every request that the profiler counted on an H200, against the model.
 *
 * The 1,040 rows of h200/requests.csv: wavefronts and bank conflicts must be equal, row by row, and
 * the steady-state time must not be less than the wavefronts can take. The oracle of the property
 * tests is held to the same counts.
 */
#include "count_both.h"
#include "oracle.h"
#include "request_text.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_ROWS = 1040 };

/* One wavefront takes one cycle. Stores are posted, so that the clock stops up to 1.6 cycles per
 * request before the last of them is through. */
#define POSTED_CYCLES 1.7

struct row {
    struct bsim_request request;
    uint32_t wavefronts, conflicts;
    double cycles;
    const char *line; /* as in the file, for messages */
};

/* What lanes that take no part get for an address: no answer may depend on it. */
#define NOBODYS_ADDRESS UINT32_C(0xdeadbeef)

/* The file has an address for each of the 32 lanes, whether it takes part or not. */
static bool parse_addresses(const char *text, uint32_t address[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        address[lane] = (uint32_t)strtoul(text, &end, 10);
        if (end == text) {
            return false;
        }
        text = end;
    }
    return *text == '\0';
}

/* The file's address of an idle lane is often that of its neighbour, as the pattern has it: a model
 * that looked there would not be found out. */
static void hide_idle_lanes(struct bsim_request *request)
{
    uint32_t lanes = oracle_lanes(request);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (!(lanes >> lane & 1)) {
            request->address[lane] = NOBODYS_ADDRESS;
        }
    }
}

static bool parse_row(const struct table *table, struct row *row)
{
    const char *opcode = table_field(table, "opcode");
    double wavefronts, conflicts;
    if (!parse_addresses(table_field(table, "addresses"), row->request.address) ||
        bsim_opcode_parse(opcode, strlen(opcode), &row->request.opcode, NULL) != BSIM_OK ||
        !table_number(table, "wavefronts", &wavefronts) ||
        !table_number(table, "bank_conflicts", &conflicts) ||
        !table_number(table, "cycles_per_request_16_warps", &row->cycles)) {
        return false;
    }
    row->request.mask = (uint32_t)strtoul(table_field(table, "mask"), NULL, 16);
    hide_idle_lanes(&row->request);
    row->wavefronts = (uint32_t)wavefronts;
    row->conflicts = (uint32_t)conflicts;
    row->line = table->line;
    return true;
}

/* Calls check for each row; returns how many there were. */
static uint32_t each_row(void (*check)(const struct bsim_device *device, const struct row *row))
{
    struct bsim_device device;
    struct table table;
    struct row row;
    uint32_t n = 0;
    assert_true(table_open(&table, "tests/measured/h200", "requests.csv"));
    device_for_test("sm_90", 0, 0, &device);
    for (; table_next(&table); n++) {
        if (!parse_row(&table, &row)) {
            fail_msg("not a row: %s", table.line);
        }
        check(&device, &row);
    }
    table_close(&table);
    return n;
}

static void check_model(const struct bsim_device *device, const struct row *row)
{
    struct bsim_counts counts;
    count_both(device, &row->request, &counts);
    if (counts.wavefronts != row->wavefronts || counts.conflicts != row->conflicts) {
        fail_msg("model: %lu wavefronts, %lu conflicts\n%s", (unsigned long)counts.wavefronts,
                 (unsigned long)counts.conflicts, row->line);
    }
}

static void check_oracle(const struct bsim_device *device, const struct row *row)
{
    struct oracle_answer answer;
    oracle_ask(device, &row->request, &answer);
    if (answer.wavefronts != row->wavefronts || answer.conflicts != row->conflicts) {
        fail_msg("oracle: %lu wavefronts, %lu conflicts\n%s", (unsigned long)answer.wavefronts,
                 (unsigned long)answer.conflicts, row->line);
    }
}

static void check_time(const struct bsim_device *device, const struct row *row)
{
    struct bsim_counts counts;
    count_both(device, &row->request, &counts);
    if (row->cycles < counts.wavefronts - POSTED_CYCLES) {
        fail_msg("%lu wavefronts do not fit\n%s", (unsigned long)counts.wavefronts, row->line);
    }
}

static void model_counts_what_the_profiler_counted(void **state)
{
    (void)state;
    assert_int_equal(each_row(check_model), N_ROWS);
}

static void oracle_counts_what_the_profiler_counted(void **state)
{
    (void)state;
    assert_int_equal(each_row(check_oracle), N_ROWS);
}

static void wavefronts_fit_the_time(void **state)
{
    (void)state;
    assert_int_equal(each_row(check_time), N_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_counts_what_the_profiler_counted),
        cmocka_unit_test(oracle_counts_what_the_profiler_counted),
        cmocka_unit_test(wavefronts_fit_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
