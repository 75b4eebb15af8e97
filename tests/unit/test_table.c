/* test_table.c - items found by a hash: many, and many of one hash. */
#include "base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N_ITEMS = 5000 };

/* The items with that hash, added up: each is found once. */
static uint64_t sum_of(const struct bsim_table *table, uint32_t hash)
{
    uint64_t sum = 0;
    uint32_t at = hash, item;
    while ((item = bsim_table_next(table, hash, &at)) != 0) {
        sum += item;
    }
    return sum;
}

static void an_empty_one_has_nothing(void **state)
{
    (void)state;
    struct bsim_table table = {.n = 0};
    assert_int_equal(sum_of(&table, 0), 0);
    bsim_table_clear(&table);
}

/* Item i has the hash of i / 2, so two share each, and neighbours lie far apart. */
static void each_item_is_found_by_its_hash(void **state)
{
    (void)state;
    struct bsim_table table = {.n = 0};
    for (uint32_t i = 1; i <= N_ITEMS; i++) {
        assert_true(bsim_table_add(&table, bsim_table_hash(i / 2)));
        assert_int_equal(table.n, i);
    }
    for (uint32_t i = 1; i < N_ITEMS / 2; i++) {
        assert_int_equal(sum_of(&table, bsim_table_hash(i)), 4 * (uint64_t)i + 1);
    }
    assert_int_equal(sum_of(&table, bsim_table_hash(N_ITEMS)), 0);
    bsim_table_clear(&table);
    assert_int_equal(sum_of(&table, bsim_table_hash(1)), 0);
}

/* The worst that hashes can be, at the end of the slots, where the walk goes on at their
 * beginning. */
static void items_of_one_hash(void **state)
{
    (void)state;
    struct bsim_table table = {.n = 0};
    for (uint32_t i = 1; i <= 100; i++) {
        assert_true(bsim_table_add(&table, UINT32_MAX));
    }
    assert_int_equal(sum_of(&table, UINT32_MAX), 5050);
    assert_int_equal(sum_of(&table, UINT32_MAX - 1), 0);
    bsim_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_has_nothing),
        cmocka_unit_test(each_item_is_found_by_its_hash),
        cmocka_unit_test(items_of_one_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
