/* test_result.c - results of parts: merging, appending, copies, and what does not fit together. */
#include "status_name.h"
#include "stream.h"

#include "result/result.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* Part i of a launch of two kernels: other blocks, each with its own mix of accesses and sites.
 * ended not NULL: the first kernel goes there, as soon as the second has begun. */
static struct bsim_result part_in_two(uint32_t i, struct bsim_result *ended)
{
    struct stream s;
    struct bsim_result result;
    struct bsim_event expects = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 8);
    expects.expect_wavefronts = 1; /* they are 2 */
    assert_true(stream_simulate(&s, NULL));
    assert_int_equal(stream_kernel(&s, "first", 64, NULL), BSIM_OK);
    assert_int_equal(stream_site(&s, 2, "ld.shared.u32", "a.cu", 5, "x"), BSIM_OK);
    assert_int_equal(stream_site(&s, 10 + i, "st.shared.u32", NULL, 0, NULL), BSIM_OK);
    assert_int_equal(stream_block(&s, i), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 0, 0, 4 << i), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 1, 1, 0, 4), BSIM_OK);
    assert_int_equal(stream_push(&s, 0, expects), BSIM_OK);
    assert_int_equal(stream_access(&s, BSIM_ALL_WARPS, i == 1 ? "ld.global.u32" : "bar.sync", 0, 4),
                     BSIM_OK);
    assert_int_equal(stream_kernel(&s, "second", 32, "k40"), BSIM_OK);
    if (ended != NULL) {
        assert_int_equal(bsim_sim_finished(s.sim, ended, NULL), BSIM_OK);
    }
    assert_int_equal(stream_block(&s, i), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "red.shared.add.u32", 0, 0), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "st.global.u32", 0, 4 << i), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.const.u32", 0, 4), BSIM_OK);
    assert_int_equal(stream_finish(&s, &result), BSIM_OK);
    return result;
}

static struct bsim_result part(uint32_t i)
{
    return part_in_two(i, NULL);
}

static bool same_string(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_site(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    return a->number == b->number && memcmp(&a->opcode, &b->opcode, sizeof a->opcode) == 0 &&
           same_string(a->file, b->file) && a->line == b->line && same_string(a->text, b->text) &&
           a->requests == b->requests && a->constant_passes == b->constant_passes &&
           memcmp(&a->tally, &b->tally, sizeof a->tally) == 0 &&
           memcmp(&a->global, &b->global, sizeof a->global) == 0;
}

static bool same_kernel(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    bool same =
        strcmp(a->name, b->name) == 0 && a->blocks == b->blocks && a->barriers == b->barriers &&
        a->shuffles == b->shuffles && a->other_requests == b->other_requests &&
        a->n_sites == b->n_sites && strcmp(a->device.name, b->device.name) == 0 &&
        a->constant_requests == b->constant_requests && a->constant_passes == b->constant_passes &&
        a->constant_first == b->constant_first && a->constant_end == b->constant_end &&
        a->rules == b->rules && memcmp(a->tally, b->tally, sizeof a->tally) == 0 &&
        memcmp(a->global, b->global, sizeof a->global) == 0;
    for (size_t i = 0; same && i < a->n_sites; i++) {
        same = same_site(&a->sites[i], &b->sites[i]);
    }
    return same;
}

static bool same_result(const struct bsim_result *a, const struct bsim_result *b)
{
    bool same = a->n_kernels == b->n_kernels && a->expectations == b->expectations &&
                a->expectations_failed == b->expectations_failed;
    for (size_t i = 0; same && i < a->n_kernels; i++) {
        same = same_kernel(&a->kernels[i], &b->kernels[i]);
    }
    return same;
}

static struct bsim_result merged(const uint32_t *order, size_t n)
{
    struct bsim_result sum = {0};
    for (size_t i = 0; i < n; i++) {
        struct bsim_result more = part(order[i]);
        assert_int_equal(bsim_result_merge(&sum, &more, NULL), BSIM_OK);
        bsim_result_free(&more);
    }
    return sum;
}

static void merging_into_nothing_copies(void **state)
{
    (void)state;
    struct bsim_result original = part(1);
    struct bsim_result again = part(1);
    struct bsim_result copy = {0};
    assert_int_equal(bsim_result_merge(&copy, &original, NULL), BSIM_OK);
    assert_true(same_result(&original, &again)); /* it was not touched */
    bsim_result_free(&original);
    assert_true(same_result(&copy, &again));
    bsim_result_free(&copy);
    bsim_result_free(&again);
}

/* Kernel by kernel, as they end, in any order of the parts: what merging gives. */
static void ended_kernels_are_collected(void **state)
{
    (void)state;
    static const uint32_t order[] = {2, 0, 1};
    struct bsim_result all = merged(order, 3), sum = {0}, rest[3];
    for (size_t i = 0; i < 3; i++) {
        struct bsim_result ended;
        rest[i] = part_in_two(order[i], &ended);
        assert_int_equal(ended.n_kernels, 1);
        assert_int_equal(rest[i].n_kernels, 1);
        assert_int_equal(bsim_result_collect(&sum, 0, &ended, NULL), BSIM_OK);
        assert_int_equal(ended.n_kernels, 0);
        bsim_result_free(&ended);
    }
    assert_int_equal(sum.n_kernels, 1);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(bsim_result_collect(&sum, 1, &rest[i], NULL), BSIM_OK);
        bsim_result_free(&rest[i]);
    }
    assert_true(same_result(&all, &sum));
    assert_int_equal(all.executed, sum.executed);
    bsim_result_free(&all);
    bsim_result_free(&sum);
}

static void the_first_kernels_are_taken(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 2; n++) {
        struct bsim_result all = part(1), first;
        assert_int_equal(bsim_result_take(&all, n, &first, NULL), BSIM_OK);
        assert_int_equal(first.n_kernels, n);
        assert_int_equal(all.n_kernels, 2 - n);
        assert_true(n == 0 || strcmp(first.kernels[0].name, "first") == 0);
        assert_true(n == 2 || strcmp(all.kernels[0].name, n == 0 ? "first" : "second") == 0);
        bsim_result_free(&all);
        bsim_result_free(&first);
    }
}

/* Whole parts, the second of which disagrees. */
static void what_is_collected_must_agree(void **state)
{
    (void)state;
    struct bsim_result sum = {0}, more = part(1), other = part(2);
    assert_int_equal(bsim_result_collect(&sum, 0, &more, NULL), BSIM_OK);
    other.kernels[1].shared_bytes = 4096;
    assert_int_equal(bsim_result_collect(&sum, 0, &other, NULL), BSIM_E_USAGE);
    bsim_result_free(&sum);
    bsim_result_free(&more);
    bsim_result_free(&other);
}

/* Parts 0, 1, 2 load with strides of 4, 8 and 16 bytes: 1, 2 and 4 wavefronts. */
static void parts_add_up(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1, 2};
    struct bsim_result sum = merged(order, 3);
    const struct bsim_kernel_result *first = &sum.kernels[0];
    assert_int_equal(first->blocks, 3);
    assert_int_equal(first->barriers, 4);       /* of two warps, in parts 0 and 2 */
    assert_int_equal(first->other_requests, 2); /* of two warps, in part 1 */
    assert_int_equal(first->tally[BSIM_LOADS].requests, 6);
    assert_int_equal(first->tally[BSIM_LOADS].wavefronts, (1 + 2 + 4) + 3 * 2);
    assert_int_equal(first->tally[BSIM_LOADS].conflicts, (0 + 1 + 3) + 3 * 1);
    assert_int_equal(first->tally[BSIM_LOADS].ways_min, 1);
    assert_int_equal(first->tally[BSIM_LOADS].ways_max, 4);
    assert_int_equal(first->tally[BSIM_STORES].requests, 3);
    assert_int_equal(sum.kernels[1].tally[BSIM_ATOMICS].wavefronts, 3 * 32);
    assert_int_equal(sum.kernels[1].tally[BSIM_ATOMICS].replays, 3 * 31);
    assert_int_equal(sum.expectations, 3);
    assert_int_equal(sum.expectations_failed, 3);
    static const uint32_t numbers[] = {2, 10, 11, 12, 0, 0};
    assert_int_equal(first->n_sites, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(first->sites[i].number, numbers[i]);
    }
    assert_int_equal(first->sites[0].requests, 3);
    assert_int_equal(first->sites[0].tally.wavefronts, 1 + 2 + 4);
    assert_int_equal(first->sites[4].opcode.space, BSIM_GLOBAL); /* "ld.g" before "ld.s" */
    bsim_result_free(&sum);
}

/* The second kernel of parts 0, 1, 2 stores with strides of 4, 8 and 16 bytes, 128, 256 and 512 in
 * all: 4, 8, 16 sectors of 32, 1, 2, 4 lines of 128, which are Kepler's transactions. Each loads 32
 * words of constant memory. Part 1 of the first kernel has two loads of 4 sectors. */
static void other_spaces_add_up(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1, 2};
    struct bsim_result sum = merged(order, 3);
    const struct bsim_kernel_result *first = &sum.kernels[0];
    const struct bsim_kernel_result *second = &sum.kernels[1];
    const struct bsim_global_tally loads = {2, 8, 2, 8, 256, 2, 0};
    const struct bsim_global_tally stores = {3,         4 + 8 + 16, 1 + 2 + 4,
                                             1 + 2 + 4, 3 * 128,    1 + 2 + 4, 0};
    assert_memory_equal(&first->global[BSIM_LOADS], &loads, sizeof loads);
    assert_memory_equal(&first->sites[4].global, &loads, sizeof loads);
    assert_memory_equal(&second->global[BSIM_STORES], &stores, sizeof stores);
    assert_int_equal(second->global[BSIM_LOADS].requests, 0);
    assert_int_equal(second->constant_requests, 3);
    assert_int_equal(second->constant_passes, 3 * 32);
    assert_int_equal(second->constant_first, 0);
    assert_int_equal(second->constant_end, 128);
    assert_int_equal(first->constant_end, 0);
    assert_int_equal(second->other_requests, 6);
    assert_int_equal(second->n_sites, 3); /* by name: ld.const, red.shared, st.global */
    assert_int_equal(second->sites[0].constant_passes, 3 * 32);
    assert_memory_equal(&second->sites[2].global, &stores, sizeof stores);
    /* only part 1 touches global memory in the first kernel */
    assert_true((first->rules >> BSIM_RULE_SECTORS & 1) != 0);
    assert_true((first->rules >> BSIM_RULE_CONSTANT & 1) == 0);
    assert_true((second->rules >> BSIM_RULE_CONSTANT & 1) != 0);
    bsim_result_free(&sum);
}

static void the_order_does_not_matter(void **state)
{
    (void)state;
    static const uint32_t orders[][4] = {
        {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}, {3, 0, 1, 2},
    };
    struct bsim_result first = merged(orders[0], 4);
    for (size_t i = 1; i < sizeof orders / sizeof orders[0]; i++) {
        struct bsim_result other = merged(orders[i], 4);
        if (!same_result(&first, &other)) {
            fail_msg("order %zu", i);
        }
        bsim_result_free(&other);
    }
    bsim_result_free(&first);
}

/* (0 + 1) + (2 + 3) as ((0 + 1) + 2) + 3. */
static void the_grouping_does_not_matter(void **state)
{
    (void)state;
    static const uint32_t all[] = {0, 1, 2, 3};
    struct bsim_result flat = merged(all, 4);
    struct bsim_result left = merged(all, 2);
    struct bsim_result right = merged(all + 2, 2);
    assert_int_equal(bsim_result_merge(&left, &right, NULL), BSIM_OK);
    assert_true(same_result(&flat, &left));
    bsim_result_free(&flat);
    bsim_result_free(&left);
    bsim_result_free(&right);
}

static void a_part_merges_with_itself(void **state)
{
    (void)state;
    static const uint32_t twice[] = {1, 1};
    struct bsim_result expected = merged(twice, 2);
    struct bsim_result self = part(1);
    assert_int_equal(bsim_result_merge(&self, &self, NULL), BSIM_OK);
    assert_true(same_result(&expected, &self));
    bsim_result_free(&expected);
    bsim_result_free(&self);
}

/* ---- what does not fit ---------------------------------------------------------------------- */

static void set_name(struct bsim_result *r)
{
    r->kernels[1].name[0] = 'S';
}

static void set_grid(struct bsim_result *r)
{
    r->kernels[0].grid.y = 2;
}

static void set_block(struct bsim_result *r)
{
    r->kernels[0].block.x = 96;
}

static void set_shared(struct bsim_result *r)
{
    r->kernels[0].shared_bytes = 4096;
}

static void set_device(struct bsim_result *r)
{
    assert_int_equal(bsim_device_find("sm_80", NULL, &r->kernels[0].device, NULL), BSIM_OK);
}

static void set_width(struct bsim_result *r)
{
    struct bsim_device_options wide = {.bank_width = 8};
    assert_int_equal(bsim_device_find("k40", &wide, &r->kernels[1].device, NULL), BSIM_OK);
}

static void set_site_opcode(struct bsim_result *r)
{
    r->kernels[0].sites[0].opcode.type = 'f';
}

static void set_site_line(struct bsim_result *r)
{
    r->kernels[0].sites[0].line = 6;
}

static void set_site_text(struct bsim_result *r)
{
    r->kernels[0].sites[0].text[0] = 'y';
}

static void disagreeing_parts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        void (*set)(struct bsim_result *r);
        const char *message;
    } cases[] = {
        {"name", set_name, "kernel 2 is second in one part and Second"},
        {"grid", set_grid, "kernel 1"},
        {"block", set_block, "kernel 1"},
        {"shared", set_shared, "kernel 1"},
        {"device", set_device, "kernel 1"},
        {"bank width", set_width, "kernel 2"},
        {"a site's opcode", set_site_opcode, "site 2 of kernel first"},
        {"a site's line", set_site_line, "site 2 of kernel first"},
        {"a site's text", set_site_text, "site 2 of kernel first"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_error err;
        struct bsim_result into = part(0);
        struct bsim_result before = part(0);
        struct bsim_result other = part(1);
        cases[i].set(&other);
        if (bsim_result_merge(&into, &other, &err) != BSIM_E_USAGE ||
            strstr(err.message, cases[i].message) == NULL || !same_result(&into, &before)) {
            fail_msg("%s: '%s'", cases[i].what, err.message);
        }
        bsim_result_free(&into);
        bsim_result_free(&before);
        bsim_result_free(&other);
    }
}

static void parts_have_the_same_number_of_kernels(void **state)
{
    (void)state;
    struct bsim_error err;
    struct bsim_result into = part(0);
    struct bsim_result other = {0};
    assert_int_equal(bsim_result_merge(&into, &other, &err), BSIM_E_USAGE);
    assert_non_null(strstr(err.message, "2 kernels"));
    bsim_result_free(&into);
}

/* ---- appending, freeing ---------------------------------------------------------------------- */

static void appending_moves_kernels(void **state)
{
    (void)state;
    struct bsim_result all = {0};
    for (uint32_t i = 0; i < 5; i++) {
        struct bsim_result more = part(i);
        assert_int_equal(bsim_result_append(&all, &more, NULL), BSIM_OK);
        assert_int_equal(more.n_kernels, 0);
        assert_null(more.kernels);
        assert_int_equal(all.n_kernels, 2 * (i + 1));
    }
    assert_int_equal(all.expectations, 5);
    for (uint32_t i = 0; i < 5; i++) {
        struct bsim_result expected = part(i);
        assert_true(same_kernel(&all.kernels[2 * i], &expected.kernels[0]));
        assert_true(same_kernel(&all.kernels[2 * i + 1], &expected.kernels[1]));
        bsim_result_free(&expected);
    }
    bsim_result_free(&all);
}

static void appending_nothing_changes_nothing(void **state)
{
    (void)state;
    struct bsim_result all = part(0);
    struct bsim_result expected = part(0);
    struct bsim_result nothing = {0};
    assert_int_equal(bsim_result_append(&all, &nothing, NULL), BSIM_OK);
    assert_true(same_result(&all, &expected));
    bsim_result_free(&all);
    bsim_result_free(&expected);
}

static void freeing_twice_is_fine(void **state)
{
    (void)state;
    struct bsim_result result = part(0);
    bsim_result_free(&result);
    assert_int_equal(result.n_kernels, 0);
    assert_null(result.kernels);
    bsim_result_free(&result);
}

/* The result of a stream can be taken once; what is left is empty. */
static void results_are_moved_out(void **state)
{
    (void)state;
    struct stream s;
    struct bsim_result result;
    assert_true(stream_simulate(&s, NULL));
    assert_int_equal(stream_kernel(&s, "k", 32, NULL), BSIM_OK);
    assert_int_equal(stream_end(&s), BSIM_OK);
    assert_int_equal(bsim_sim_result(s.sim, &result, NULL), BSIM_OK);
    stream_drop(&s);
    assert_string_equal(result.kernels[0].name, "k");
    bsim_result_free(&result);
}

static void tallies_keep_least_and_largest_ways(void **state)
{
    (void)state;
    static const struct {
        uint32_t a_min, a_max, b_min, b_max, min, max;
    } cases[] = {
        {0, 0, 0, 0, 0, 0}, {0, 0, 3, 5, 3, 5}, {3, 5, 0, 0, 3, 5},
        {2, 4, 3, 5, 2, 5}, {3, 5, 2, 4, 2, 5}, {1, 1, 32, 32, 1, 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_tally a = {.ways_min = cases[i].a_min, .ways_max = cases[i].a_max};
        struct bsim_tally b = {.ways_min = cases[i].b_min, .ways_max = cases[i].b_max};
        bsim_tally_add(&a, &b);
        if (a.ways_min != cases[i].min || a.ways_max != cases[i].max) {
            fail_msg("case %zu: %u to %u", i, (unsigned)a.ways_min, (unsigned)a.ways_max);
        }
    }
}

/* Every 64-bit sum of a kernel's and of a site's result: where it stands. */
#define OF_TALLY(type, member)                                                 \
    offsetof(type, member.requests), offsetof(type, member.wavefronts),        \
        offsetof(type, member.ideal), offsetof(type, member.conflicts),        \
        offsetof(type, member.replays), offsetof(type, member.broadcasts),     \
        offsetof(type, member.multicasts), offsetof(type, member.bytes_asked), \
        offsetof(type, member.bytes_served), offsetof(type, member.bytes_moved)
#define OF_GLOBAL(type, member)                                                                    \
    offsetof(type, member.requests), offsetof(type, member.sectors), offsetof(type, member.lines), \
        offsetof(type, member.transactions), offsetof(type, member.bytes_asked),                   \
        offsetof(type, member.wavefronts), offsetof(type, member.packets)

static const size_t of_kernel[] = {
    offsetof(struct bsim_kernel_result, blocks),
    offsetof(struct bsim_kernel_result, barriers),
    offsetof(struct bsim_kernel_result, shuffles),
    offsetof(struct bsim_kernel_result, other_requests),
    offsetof(struct bsim_kernel_result, constant_requests),
    offsetof(struct bsim_kernel_result, constant_passes),
    OF_TALLY(struct bsim_kernel_result, tally[0]),
    OF_TALLY(struct bsim_kernel_result, tally[1]),
    OF_TALLY(struct bsim_kernel_result, tally[2]),
    OF_GLOBAL(struct bsim_kernel_result, global[0]),
    OF_GLOBAL(struct bsim_kernel_result, global[1]),
    OF_GLOBAL(struct bsim_kernel_result, global[2]),
};

static const size_t of_site[] = {
    offsetof(struct bsim_site_result, requests),
    offsetof(struct bsim_site_result, constant_passes),
    OF_TALLY(struct bsim_site_result, tally),
    OF_GLOBAL(struct bsim_site_result, global),
};

static uint64_t *sum_at(struct bsim_result *result, size_t i)
{
    const size_t n_kernel = sizeof of_kernel / sizeof of_kernel[0];
    struct bsim_kernel_result *kernel = &result->kernels[0];
    char *base = i < n_kernel ? (char *)kernel : (char *)&kernel->sites[0];
    return (uint64_t *)(void *)(base + (i < n_kernel ? of_kernel[i] : of_site[i - n_kernel]));
}

static void expect_too_much(enum bsim_status status, const struct bsim_error *err, size_t which)
{
    if (status != BSIM_E_INPUT ||
        strcmp(err->message, "more than 2^47 warp instructions in all") != 0) {
        fail_msg("sum %zu wraps around: %s", which, status_name(status));
    }
}

/* The largest number fits beside 0, and with 1 more nothing changes. */
static void sums_never_wrap(void **state)
{
    (void)state;
    const size_t n = sizeof of_kernel / sizeof of_kernel[0] + sizeof of_site / sizeof of_site[0];
    for (size_t i = 0; i < n; i++) {
        struct bsim_result into = part(1), more = part(1);
        struct bsim_error err;
        *sum_at(&into, i) = UINT64_MAX;
        *sum_at(&more, i) = 1;
        memset(into.kernels[1].tally, 0, sizeof into.kernels[1].tally);
        memset(into.kernels[1].global, 0, sizeof into.kernels[1].global);
        expect_too_much(bsim_result_merge(&into, &more, &err), &err, i);
        assert_int_equal(*sum_at(&into, i), UINT64_MAX);
        bsim_result_free(&into);
        bsim_result_free(&more);
    }
}

/* What a report adds up is the classes and the kernels. */
static void totals_never_wrap(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bsim_result into = part(1), more = part(1);
        struct bsim_error err;
        into.kernels[0].tally[BSIM_LOADS].bytes_moved = UINT64_MAX / 2;
        more.kernels[i].tally[BSIM_STORES].bytes_moved = UINT64_MAX / 2;
        expect_too_much(bsim_result_merge(&into, &more, &err), &err, i);
        bsim_result_free(&into);
        bsim_result_free(&more);
    }
}

static void instructions_are_limited_together(void **state)
{
    (void)state;
    struct bsim_result into = part(1), more = part(1);
    struct bsim_error err;
    assert_true(into.executed > 0);
    uint64_t own = more.executed;
    into.executed = BSIM_MAX_EXECUTED - own + 1;
    expect_too_much(bsim_result_merge(&into, &more, &err), &err, 0);
    expect_too_much(bsim_result_append(&into, &more, &err), &err, 1);
    assert_int_equal(more.n_kernels, 2);
    into.executed = BSIM_MAX_EXECUTED - own;
    assert_int_equal(bsim_result_append(&into, &more, &err), BSIM_OK);
    assert_int_equal(into.executed, BSIM_MAX_EXECUTED);
    bsim_result_free(&into);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merging_into_nothing_copies),
        cmocka_unit_test(ended_kernels_are_collected),
        cmocka_unit_test(the_first_kernels_are_taken),
        cmocka_unit_test(what_is_collected_must_agree),
        cmocka_unit_test(sums_never_wrap),
        cmocka_unit_test(totals_never_wrap),
        cmocka_unit_test(instructions_are_limited_together),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(other_spaces_add_up),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(the_grouping_does_not_matter),
        cmocka_unit_test(a_part_merges_with_itself),
        cmocka_unit_test(disagreeing_parts_are_refused),
        cmocka_unit_test(parts_have_the_same_number_of_kernels),
        cmocka_unit_test(appending_moves_kernels),
        cmocka_unit_test(appending_nothing_changes_nothing),
        cmocka_unit_test(freeing_twice_is_fine),
        cmocka_unit_test(results_are_moved_out),
        cmocka_unit_test(tallies_keep_least_and_largest_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
