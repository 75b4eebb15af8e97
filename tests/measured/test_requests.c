/* test_requests.c - every request that the profiler counted on an H200, against the model.
 *
 * The 1,040 rows of h200/requests.csv: wavefronts and bank conflicts must be equal, row by row, and
 * the steady-state time must not be less than the wavefronts can take. The oracle of the property
 * tests is held to the same counts.
 */
#include "count_both.h"
#include "oracle.h"
#include "request_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CSV_PATH "tests/measured/h200/requests.csv"
#define CSV_HEAD "opcode,mask,addresses,wavefronts,bank_conflicts,cycles_per_request_16_warps"

enum { N_ROWS = 1040, MAX_LINE = 1024, N_FIELDS = 6 };

/* One wavefront takes one cycle. Stores are posted, so that the clock stops up to 1.6 cycles per
 * request before the last of them is through. */
#define POSTED_CYCLES 1.7

struct row {
    struct bsim_request request;
    uint32_t wavefronts, conflicts;
    double cycles;
    char line[MAX_LINE]; /* as in the file, for messages */
};

/* Cuts text at its commas; false if it has not N_FIELDS fields. */
static bool split(char *text, char *field[N_FIELDS])
{
    size_t n = 0;
    for (char *comma; n < N_FIELDS; text = comma + 1) {
        field[n++] = text;
        comma = strchr(text, ',');
        if (comma == NULL) {
            return n == N_FIELDS;
        }
        *comma = '\0';
    }
    return false;
}

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

static bool parse_row(struct row *row)
{
    char text[MAX_LINE], *field[N_FIELDS];
    memcpy(text, row->line, sizeof text);
    if (!split(text, field) || !parse_addresses(field[2], row->request.address) ||
        bsim_opcode_parse(field[0], strlen(field[0]), &row->request.opcode, NULL) != BSIM_OK) {
        return false;
    }
    row->request.mask = (uint32_t)strtoul(field[1], NULL, 16);
    hide_idle_lanes(&row->request);
    row->wavefronts = (uint32_t)strtoul(field[3], NULL, 10);
    row->conflicts = (uint32_t)strtoul(field[4], NULL, 10);
    row->cycles = strtod(field[5], NULL);
    return true;
}

/* Calls check for each row; returns how many there were. Skips the comments and the head. */
static uint32_t each_row(void (*check)(const struct bsim_device *device, const struct row *row))
{
    struct bsim_device device;
    struct row row;
    uint32_t n = 0;
    FILE *file = fopen(CSV_PATH, "r");
    assert_non_null(file);
    device_for_test("sm_90", 0, 0, &device);
    while (fgets(row.line, sizeof row.line, file) != NULL) {
        row.line[strcspn(row.line, "\r\n")] = '\0';
        if (row.line[0] == '#' || strcmp(row.line, CSV_HEAD) == 0) {
            continue;
        }
        if (!parse_row(&row)) {
            fail_msg("not a row: %s", row.line);
        }
        check(&device, &row);
        n++;
    }
    fclose(file);
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
