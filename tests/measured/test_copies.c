/* test_copies.c - every cp.async that the profiler counted on an H200 by both of its sides, against
 * the model: h200/async/copies.csv. Wavefronts, and of cp.async.cg the sectors from L2, must be equal,
 * row by row. The turns of cp.async.ca stand for the clocks that an H100 takes, h100/async/copies_time.csv: their mean error is
 * bounded, by width.
 */
#include "count_both.h"
#include "model/copy.h"
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

enum { N_ACCESS = 651, N_BYPASS = 1940 };

/* What lanes that take no part get for an address: no answer may depend on it. */
#define NOBODYS_ADDRESS UINT32_C(0xdeadbee0)

static uint32_t number(const struct table *table, const char *column)
{
    double value;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (uint32_t)value;
}

/* The file has an address for each lane, whether it takes part or not. */
static void parse_addresses(const struct table *table, const char *column, uint32_t mask,
                            uint64_t address[BSIM_WARP_LANES])
{
    const char *text = table_field(table, column);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        address[lane] = strtoull(text, &end, 10);
        if (end == text) {
            fail_msg("fewer than 32 addresses: %s", table->line);
        }
        address[lane] = (mask >> lane & 1) != 0 ? address[lane] : NOBODYS_ADDRESS;
        text = end;
    }
}

static void parse_row(const struct table *table, struct bsim_request *request)
{
    const char *opcode = table_field(table, "opcode");
    uint64_t address[BSIM_WARP_LANES];
    assert_int_equal(bsim_opcode_parse(opcode, strlen(opcode), &request->opcode, NULL), BSIM_OK);
    request->mask = (uint32_t)strtoul(table_field(table, "mask"), NULL, 16);
    request->has_from = true;
    parse_addresses(table, "global", request->mask, request->from);
    parse_addresses(table, "shared", request->mask, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] = (uint32_t)address[lane];
    }
}

/* Calls check for each row of cp.async.cg, or of the others; returns how many there were. */
static int each_row(bool bypasses,
                    void (*check)(const struct bsim_device *device,
                                  const struct bsim_request *request, const struct table *table))
{
    struct bsim_device device;
    struct bsim_request request;
    struct table table;
    int n = 0;
    assert_true(table_open(&table, "tests/measured/h200/async", "copies.csv"));
    device_for_test("sm_90", 0, 0, &device);
    while (table_next(&table)) {
        parse_row(&table, &request);
        if ((request.opcode.path == BSIM_BYPASS) == bypasses) {
            check(&device, &request, &table);
            n++;
        }
    }
    table_close(&table);
    return n;
}

static void check_wavefronts(const struct bsim_device *device, const struct bsim_request *request,
                             const struct table *table)
{
    struct bsim_counts counts;
    count_both(device, request, &counts);
    if (counts.wavefronts != number(table, "wavefronts")) {
        fail_msg("model: %lu wavefronts\n%s", (unsigned long)counts.wavefronts, table->line);
    }
}

static void check_sectors(const struct bsim_device *device, const struct bsim_request *request,
                          const struct table *table)
{
    struct bsim_global_counts counts;
    assert_true(bsim_copy_count(device, request, &counts));
    if (counts.sectors != number(table, "l2_sectors")) {
        fail_msg("model: %lu sectors\n%s", (unsigned long)counts.sectors, table->line);
    }
}

static void copies_through_l1_have_their_wavefronts(void **state)
{
    (void)state;
    assert_int_equal(each_row(false, check_wavefronts), N_ACCESS);
}

static void copies_past_l1_have_their_wavefronts(void **state)
{
    (void)state;
    assert_int_equal(each_row(true, check_wavefronts), N_BYPASS);
}

static void copies_past_l1_have_their_sectors(void **state)
{
    (void)state;
    assert_int_equal(each_row(true, check_sectors), N_BYPASS);
}

/* No request takes less than 2.1 clocks to issue. */
static void copies_through_l1_take_their_turns(void **state)
{
    static const double most[17] = {[4] = 10, [8] = 8.1, [16] = 3.8};
    double sum[17] = {0};
    int n[17] = {0};
    struct table table;
    (void)state;
    assert_true(table_open(&table, "tests/measured/h100/async", "copies_time.csv"));
    while (table_next(&table)) {
        struct bsim_request request;
        double clocks = 0;
        parse_row(&table, &request);
        assert_true(table_number(&table, "clocks_16", &clocks));
        double turns = bsim_copy_turns(&request), told = turns > 2 ? turns : 2.1;
        sum[request.opcode.bytes] += 100 * (told > clocks ? told - clocks : clocks - told) / clocks;
        n[request.opcode.bytes]++;
    }
    table_close(&table);
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
        print_message("# %d bytes: %.2f per cent off in the mean of %d\n", bytes, sum[bytes] / n[bytes], n[bytes]);
        assert_int_equal(n[bytes], 181);
        assert_true(sum[bytes] / n[bytes] < most[bytes]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_through_l1_have_their_wavefronts),
        cmocka_unit_test(copies_past_l1_have_their_wavefronts),
        cmocka_unit_test(copies_past_l1_have_their_sectors),
        cmocka_unit_test(copies_through_l1_take_their_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
