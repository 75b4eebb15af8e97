/* test_slow.c - which operands of divisions, reciprocals and roots go the long way, by an H200's clocks: h200/slow/exponents.csv
 * has the exponents of b, first to last, whose a / b went the short one (tools/crosscheck/slow.cu exponents). Of each row these two, and
 * the exponents beside them, are computed here, and how long that is told to take. */
#include "ptx_run.h"
#include "table.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* Clocks of the short way. */
static uint32_t short_way(const char *operation)
{
    static const struct {
        const char *operation;
        uint32_t clocks;
    } ways[] = {{"div.rn.f32", 57}, {"rcp.rn.f32", 77}, {"sqrt.rn.f32", 56}, {"div.rn.f64", 111}, {"rcp.rn.f64", 60}, {"sqrt.rn.f64", 79}};
    size_t i = 0;
    while (strcmp(ways[i].operation, operation) != 0) {
        i++;
    }
    return ways[i].clocks;
}

static bool goes_the_short_way(const char *operation, uint64_t a, uint64_t b)
{
    char text[1500];
    struct ptx_run run;
    bool is_double = strstr(operation, "64") != NULL, takes_two = operation[0] == 'd';
    char of = is_double ? 'd' : 'f';
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n .reg .b32 %%r<9>;\n"
             " .reg .f32 %%f<9>;\n .reg .f64 %%d<9>;\n .shared .align 8 .b8 tile[256];\n mov.u32 %%r8, tile;\n"
             " st.shared.u32 [%%r8], %%r0;\n mov.b%s %%%c0, 0x%llx;\n mov.b%s %%%c1, 0x%llx;\n %s %%%c2, %s%%%c1;\n"
             " st.shared.%c%s [%%r8+8], %%%c2;\n ret;\n}\n",
             is_double ? "64" : "32", of, (unsigned long long)a, is_double ? "64" : "32", of, (unsigned long long)b, operation, of,
             takes_two ? (is_double ? "%d0, " : "%f0, ") : "", of, 'f', is_double ? "64" : "32", of);
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    const struct bsim_event *work = collect_last(&run.collect, BSIM_WORK);
    assert_non_null(work);
    bool is_short = work->work_cycles == short_way(operation);
    assert_true(is_short || work->work_cycles > short_way(operation) + 50);
    collect_free(&run.collect);
    return is_short;
}

/* A number of that exponent, as slow.cu makes it. */
static uint64_t number(bool is_double, uint32_t exponent, uint32_t mantissa)
{
    return is_double ? (uint64_t)exponent << 52 | (uint64_t)(mantissa & 0xfffff) << 32 | mantissa
                     : (uint64_t)exponent << 23 | (mantissa & 0x7fffff);
}

static void exponents_go_their_ways(void **state)
{
    enum { EACH = IS_WATCHED ? 40 : 4 };
    (void)state;
    struct table table;
    uint32_t n = 0;
    assert_true(table_open(&table, "tests/measured/h200/slow", "exponents.csv"));
    while (table_next(&table)) {
        double mantissa_a, mantissa_b, exponent_a, first, last;
        const char *operation = table_field(&table, "operation");
        bool is_double = strstr(operation, "64") != NULL, is_of_one = operation[0] != 'd';
        assert_true(table_number(&table, "mantissa_a", &mantissa_a) && table_number(&table, "mantissa_b", &mantissa_b) &&
                    table_number(&table, "exponent_a", &exponent_a) && table_number(&table, "first_b", &first) &&
                    table_number(&table, "last_b", &last));
        if (n++ % EACH != 0 && !is_of_one) {
            continue;
        }
        uint64_t a = number(is_double, (uint32_t)exponent_a, (uint32_t)mantissa_a);
        for (int32_t k = 0; k < 4; k++) {
            uint32_t exponent = (uint32_t)(k < 2 ? first - k : last + k - 2);
            uint64_t b = number(is_double, exponent, (uint32_t)mantissa_b);
            if (goes_the_short_way(operation, a, b) != (k % 2 == 0)) {
                fail_msg("%s of exponents %.0f and %u", operation, exponent_a, (unsigned)exponent);
            }
        }
    }
    table_close(&table);
    assert_int_equal(n, 554);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exponents_go_their_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
