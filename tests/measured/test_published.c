/* test_published.c - single requests whose cost somebody published, against the model.
 *
 * The rows of published.csv, each with its device and source: other people's counts and timings,
 * and NVIDIA's own examples, from Kepler to Blackwell. Our own measurements are in test_requests.c.
 */
#include "count_both.h"
#include "request_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CSV_PATH "tests/measured/published.csv"
#define CSV_HEAD "device,opcode,mask,addresses,wavefronts,conflicts,pattern,source"

enum { N_ROWS = 62, MAX_LINE = 1024 };
enum { DEVICE, OPCODE, MASK, ADDRESSES, WAVEFRONTS, CONFLICTS, PATTERN, SOURCE, N_FIELDS };

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

static bool is_number(const char *text, uint32_t number)
{
    return strtoul(text, NULL, 10) == number;
}

static void check_row(char *field[N_FIELDS])
{
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_counts counts;
    uint32_t mask = (uint32_t)strtoul(field[MASK], NULL, 16);
    device_for_test(field[DEVICE], 0, 0, &device);
    if (!request_parse(field[OPCODE], mask, field[ADDRESSES], &request)) {
        fail_msg("not a request: %s %s %s", field[OPCODE], field[MASK], field[ADDRESSES]);
    }
    count_both(&device, &request, &counts);
    if (!is_number(field[WAVEFRONTS], counts.wavefronts) ||
        (strcmp(field[CONFLICTS], "-") != 0 && !is_number(field[CONFLICTS], counts.conflicts))) {
        fail_msg("%s %s %s (%s)\nmodel: %lu wavefronts, %lu conflicts; published: %s, %s\n%s",
                 field[DEVICE], field[OPCODE], field[MASK], field[PATTERN],
                 (unsigned long)counts.wavefronts, (unsigned long)counts.conflicts,
                 field[WAVEFRONTS], field[CONFLICTS], field[SOURCE]);
    }
}

static void model_agrees_with_published_counts(void **state)
{
    char line[MAX_LINE], *field[N_FIELDS];
    uint32_t n = 0;
    FILE *file = fopen(CSV_PATH, "r");
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || strcmp(line, CSV_HEAD) == 0) {
            continue;
        }
        if (!split(line, field)) {
            fail_msg("not a row of %d fields: %s", (int)N_FIELDS, line);
        }
        check_row(field);
        n++;
    }
    fclose(file);
    assert_int_equal(n, N_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(model_agrees_with_published_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
