/* test_published.c - single requests whose cost somebody published, against the model.
 *
 * The rows of published.csv, each with its device and source: other people's counts and timings,
 * and NVIDIA's own examples, from Kepler to Blackwell. Our own measurements are in test_requests.c.
 */
#include "count_both.h"
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

enum { N_ROWS = 62 };

static bool is_number(const struct table *row, const char *column, uint32_t number)
{
    double published;
    return table_number(row, column, &published) && published == number;
}

static void check_row(const struct table *row)
{
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_counts counts;
    uint32_t mask = (uint32_t)strtoul(table_field(row, "mask"), NULL, 16);
    device_for_test(table_field(row, "device"), 0, 0, &device);
    if (!request_parse(table_field(row, "opcode"), mask, table_field(row, "addresses"), &request)) {
        fail_msg("not a request: %s", row->line);
    }
    count_both(&device, &request, &counts);
    if (!is_number(row, "wavefronts", counts.wavefronts) ||
        (strcmp(table_field(row, "conflicts"), "-") != 0 &&
         !is_number(row, "conflicts", counts.conflicts))) {
        fail_msg("model: %lu wavefronts, %lu conflicts; published:\n%s",
                 (unsigned long)counts.wavefronts, (unsigned long)counts.conflicts, row->line);
    }
}

static void model_agrees_with_published_counts(void **state)
{
    struct table table;
    uint32_t n = 0;
    (void)state;
    assert_true(table_open(&table, "tests/measured", "published.csv"));
    for (; table_next(&table); n++) {
        if (table.n_fields != table.n_columns) {
            fail_msg("not a row of %zu fields: %s", table.n_columns, table.line);
        }
        check_row(&table);
    }
    table_close(&table);
    assert_int_equal(n, N_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(model_agrees_with_published_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
