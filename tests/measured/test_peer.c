/* test_peer.c - loads from and stores to a peer's shared memory on an H200 against the model:
 * h200/async/peer*.csv. Packets must be equal, clocks within 0.5 (loads) and 0.75 (stores), but for
 * those rows of 16-byte accesses that the model's head names.
 */
#include "table.h"

#include <banksim/peer.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIR "tests/measured/h200/async"

/* What lanes that take no part get for an address: no answer may depend on it. */
#define NOBODYS_ADDRESS UINT32_C(0xdeadbee0)

static double number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return value;
}

static void parse_row(const struct table *table, struct bsim_request *request)
{
    const char *opcode = table_field(table, "opcode"), *text = table_field(table, "addresses");
    *request =
        (struct bsim_request){.mask = (uint32_t)strtoul(table_field(table, "mask"), NULL, 16)};
    assert_int_equal(bsim_opcode_parse(opcode, strlen(opcode), &request->opcode, NULL), BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        uint32_t address = (uint32_t)strtoul(text, &end, 10);
        if (end == text) {
            fail_msg("fewer than 32 addresses: %s", table->line);
        }
        request->address[lane] = (request->mask >> lane & 1) != 0 ? address : NOBODYS_ADDRESS;
        text = end;
    }
}

static struct bsim_peer_counts count_row(const struct table *table, bool *is_store)
{
    struct bsim_request request;
    struct bsim_peer_counts counts;
    parse_row(table, &request);
    assert_true(bsim_peer_count(&request, &counts));
    *is_store = request.opcode.family == BSIM_ST;
    return counts;
}

/* A store's sectors and lines were counted of the load behind it. */
static void packets_are_counted(void **state)
{
    struct table table;
    int n_loads = 0, n_stores = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "peer.csv"));
    while (table_next(&table)) {
        bool is_store, is_equal;
        struct bsim_peer_counts counts = count_row(&table, &is_store);
        double n = number(&table, "requests"), closing = number(&table, "closing_loads");
        if (is_store) {
            is_equal = closing == 1 &&
                       n * counts.packets + counts.sectors == number(&table, "write_packets") &&
                       (n + 1) * counts.sectors == number(&table, "sectors") &&
                       (n + 1) * counts.lines == number(&table, "lines");
        } else {
            is_equal = n * counts.packets == number(&table, "packets") &&
                       n * counts.sectors == number(&table, "write_packets") &&
                       n * counts.sectors == number(&table, "sectors") &&
                       n * counts.lines == number(&table, "lines");
        }
        if (!is_equal) {
            fail_msg("%u packets, %u sectors, %u lines: %s", (unsigned)counts.packets,
                     (unsigned)counts.sectors, (unsigned)counts.lines, table.line);
        }
        n_loads += !is_store;
        n_stores += is_store;
    }
    table_close(&table);
    assert_int_equal(n_loads, 72);
    assert_int_equal(n_stores, 72);
}

/* What an event on a peer's memory is counted as. */
static struct bsim_global_counts count_event(const struct table *table, const struct bsim_device *device)
{
    struct bsim_request request;
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    parse_row(table, &request);
    request.opcode.space = BSIM_PEER;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = (UINT64_C(1) << BSIM_PEER_BIT) + request.address[lane];
    }
    bsim_global_count(device, &request.opcode, request.mask, address, &counts);
    return counts;
}

static void events_are_counted_alike(void **state)
{
    struct table table;
    struct bsim_device device;
    (void)state;
    assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
    assert_true(table_open(&table, DIR, "peer.csv"));
    while (table_next(&table)) {
        bool is_store;
        struct bsim_peer_counts counts = count_row(&table, &is_store);
        struct bsim_global_counts got = count_event(&table, &device);
        if (got.sectors != counts.sectors || got.lines != counts.lines ||
            got.packets != counts.packets || got.transactions != 0 || got.wavefronts != 0) {
            fail_msg("%u packets, %u sectors, %u lines: %s", (unsigned)got.packets,
                     (unsigned)got.sectors, (unsigned)got.lines, table.line);
        }
    }
    table_close(&table);
}

/* Of each row the sectors are equal, and the packets the least, but for `beside` a request and `factor`. Returns how many rows
 * have just these. */
static int least_packets(const char *file, double factor, double beside, int n_rows)
{
    struct table table;
    struct bsim_device device;
    int n = 0, n_equal = 0;
    assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
    assert_true(table_open(&table, DIR, file));
    while (table_next(&table)) {
        struct bsim_global_counts counts = count_event(&table, &device);
        double times = number(&table, "requests"), packets = number(&table, "packets");
        if (times * counts.sectors != number(&table, "sectors") || times * counts.packets > packets ||
            times * (factor * counts.packets + beside) < packets) {
            fail_msg("%u packets, %u sectors: %s", (unsigned)counts.packets, (unsigned)counts.sectors,
                     table.line);
        }
        n++;
        n_equal += times * counts.packets == packets;
    }
    table_close(&table);
    assert_int_equal(n, n_rows);
    return n_equal;
}

/* What is more is a pass of one lane beside longer ones (src/model/sector.c). */
static void atomics_are_counted(void **state)
{
    (void)state;
    assert_int_equal(least_packets("peer_atomics.csv", 1.37, 0, 333), 239);
}

/* What is more tells the mbarrier. */
static void what_tells_an_mbarrier_is_counted(void **state)
{
    (void)state;
    assert_int_equal(least_packets("peer_telling.csv", 1, 2, 194), 0);
}

static bool is_off(double cycles, double measured, double most)
{
    return cycles > measured + most || cycles < measured - most;
}

static void requests_are_timed(void **state)
{
    struct table table;
    int n_loads = 0, n_stores = 0, loads_off = 0, both_off = 0, stores_off = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "peer_time.csv"));
    while (table_next(&table)) {
        bool is_store;
        struct bsim_peer_counts counts = count_row(&table, &is_store);
        bool is_wide = strstr(table_field(&table, "opcode"), "v4") != NULL;
        bool off = is_off(counts.cycles, number(&table, "one_way"), is_store ? 0.75 : 0.5);
        if (off && !is_wide) {
            fail_msg("%.2f clocks: %s", counts.cycles, table.line);
        }
        n_loads += !is_store;
        n_stores += is_store;
        loads_off += off && !is_store;
        stores_off += off && is_store;
        both_off += !is_store && is_off(counts.cycles_both_ways, number(&table, "both_ways"), 0.5);
    }
    table_close(&table);
    assert_int_equal(n_loads, 480);
    assert_int_equal(n_stores, 480);
    assert_int_equal(loads_off, 1);
    assert_int_equal(both_off, 0);
    assert_int_equal(stores_off, 4);
}

static void other_requests_have_no_packets(void **state)
{
    static const char *const others[] = {"atom.shared.add.u32", "ld.global.b32",
                                         "ldmatrix.sync.aligned.m8n8.x4.shared.b16"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct bsim_request request = {.mask = UINT32_MAX};
        struct bsim_peer_counts counts;
        assert_int_equal(bsim_opcode_parse(others[i], strlen(others[i]), &request.opcode, NULL),
                         BSIM_OK);
        assert_false(bsim_peer_count(&request, &counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_counted),
        cmocka_unit_test(events_are_counted_alike),
        cmocka_unit_test(atomics_are_counted),
        cmocka_unit_test(what_tells_an_mbarrier_is_counted),
        cmocka_unit_test(requests_are_timed),
        cmocka_unit_test(other_requests_have_no_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
