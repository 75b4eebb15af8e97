/* test_lecture.c - the kernels of the lecture's bank-conflict slides: requests and wavefronts that
 * follow from the rule "element i is in bank i mod 32". That the outputs are right is checked by
 * the emulators themselves, in every run here.
 */
#include "emulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- strides -------------------------------------------------------------------------------- */

/* Slide 26: stride 1, 2, 3, 4, 32. A stride of s words visits every gcd(s, 32)-th bank, each of
 * them gcd(s, 32) times. The array is filled by rows: one store for each 32 words, no conflict. */
static void strides_conflict_as_on_the_slide(void **state)
{
    static const struct emulate_case cases[] = {
        {"stride_shared", "", "v[t] = s[", 1, 1},
        {"stride_shared", "stride=2", "v[t] = s[", 1, 2},
        {"stride_shared", "stride=3", "v[t] = s[", 1, 1},
        {"stride_shared", "stride=4", "v[t] = s[", 1, 4},
        {"stride_shared", "stride=32", "v[t] = s[", 1, 32},
        {"stride_shared", "stride=33", "v[t] = s[", 1, 1},
        {"stride_shared", "stride=48", "v[t] = s[", 1, 16},
        {"stride_shared", "stride=256", "v[t] = s[", 1, 32},
        {"stride_shared", "stride=2", "s[i + threadIdx.x]", 2, 2},
        {"stride_shared", "stride=256", "s[i + threadIdx.x]", 256, 256},
        {"stride_padded", "", "v[t] = s[", 1, 1},
        {"stride_padded", "pad=0", "v[t] = s[", 1, 32},
        {"stride_padded", "pad=2", "v[t] = s[", 1, 2},
        {"stride_padded", "pad=4", "v[t] = s[", 1, 4},
        {"stride_padded", "pad=32", "v[t] = s[", 1, 32},
        {"stride_padded", "", "s[(32 + a->pad) * row", 32, 32},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* 32 distinct words over n / gcd(s, n) of n banks: the fullest has the quotient, rounded up. */
static uint32_t ways_of_stride(uint32_t stride, uint32_t n_banks)
{
    uint32_t n_used = n_banks / gcd(stride, n_banks);
    return (32 + n_used - 1) / n_used;
}

static void every_stride_on(const char *device, uint32_t device_banks, uint32_t n_banks)
{
    for (uint32_t stride = 1; stride <= 70; stride++) {
        char settings[32];
        (void)snprintf(settings, sizeof settings, "stride=%u", (unsigned)stride);
        struct emulate_case c = {"stride_shared", settings, "v[t] = s[", 1,
                                 ways_of_stride(stride, n_banks)};
        emulate_check(&c, 1, device, device_banks);
    }
}

static void every_stride_follows_the_rule(void **state)
{
    (void)state;
    every_stride_on("h200", 0, 32);
    every_stride_on("generic", 5, 5);
    every_stride_on("generic", 16, 16);
}

/* Thread i reads index 33 * i, byte 132 * i. */
static void padded_index_is_33_times_the_thread(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("stride_padded", "");
    const struct bsim_event *load = collect_event(&collect, 2, 0);
    assert_non_null(load);
    assert_true(load->affine);
    assert_int_equal(load->base, 0);
    assert_int_equal(load->stride, 132);
    collect_free(&collect);
}

/* ---- slide 25 ------------------------------------------------------------------------------- */

/* The words that the load of an irregular kernel reads. */
static void read_words(const char *name, uint64_t word[BSIM_WARP_LANES])
{
    struct collect collect = emulate_collected(name, "");
    const struct bsim_event *load = collect_event(&collect, 2, 0);
    assert_non_null(load);
    assert_int_equal(load->mask, BSIM_FULL_MASK);
    bsim_event_addresses(load, word);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        word[lane] /= 4;
    }
    collect_free(&collect);
}

static void the_permutation_uses_each_bank_once(void **state)
{
    (void)state;
    uint64_t word[BSIM_WARP_LANES];
    uint64_t seen = 0;
    uint32_t n_moved = 0;
    read_words("irregular_permutation", word);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        assert_true(word[lane] < 32);
        seen |= UINT64_C(1) << word[lane];
        n_moved += word[lane] != lane;
    }
    assert_int_equal(seen, 0xffffffff);
    assert_true(n_moved > 16);
}

static void five_threads_share_bank_5(void **state)
{
    (void)state;
    uint64_t word[BSIM_WARP_LANES];
    uint32_t sharers = 0;
    read_words("irregular_one_shared", word);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        sharers |= (uint32_t)(word[lane] == 5) << lane;
    }
    assert_int_equal(sharers, 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9);
}

static void all_threads_share_banks_12_and_20(void **state)
{
    (void)state;
    uint64_t word[BSIM_WARP_LANES];
    uint32_t n[2] = {0};
    read_words("irregular_two_shared", word);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        assert_true(word[lane] == 12 || word[lane] == 20);
        n[word[lane] == 20]++;
    }
    assert_true(n[0] > 0 && n[1] > 0);
}

static void irregular_accesses_do_not_conflict(void **state)
{
    static const struct emulate_case cases[] = {
        {"irregular_permutation", "", "v[t] = s[", 1, 1},
        {"irregular_one_shared", "", "v[t] = s[", 1, 1},
        {"irregular_two_shared", "", "v[t] = s[", 1, 1},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
    struct bsim_result result = emulate_counted("irregular_two_shared", "", "h200", 0);
    assert_int_equal(result.kernels[0].tally[BSIM_LOADS].multicasts, 1);
    bsim_result_free(&result);
}

/* ---- slide 20 ------------------------------------------------------------------------------- */

/* Counter b is in bank b mod 32. Lanes of one bank take turns, also on one address; where the
 * hardware merges increments, the first lane of each counter alone. */
static uint64_t turns_of_counting(uint32_t n, uint32_t seed, bool merges)
{
    uint64_t turns = 0;
    for (uint32_t first = 0; first < n; first += 32) {
        uint32_t in_bank[32] = {0};
        bool seen[256] = {false};
        uint32_t most = 0;
        for (uint32_t i = first; i < n && i < first + 32; i++) {
            seed = seed * 1664525u + 1013904223u;
            uint32_t bank = (seed >> 24) % 32;
            in_bank[bank] += !merges || !seen[seed >> 24];
            seen[seed >> 24] = true;
            most = in_bank[bank] > most ? in_bank[bank] : most;
        }
        turns += most;
    }
    return turns;
}

/* n bytes are ceil(n / 32) requests, each for one warp of the 256 threads; the last may be partial.
 * The counters are set to 0 before and copied out after that: 256 words, 8 warps, once. */
static void counting_in_shared_memory_takes_turns(void **state)
{
    static const struct {
        uint32_t n, seed;
    } sizes[] = {{4096, 1}, {4096, 2}, {1, 1}, {32, 7}, {33, 7}, {4999, 3}};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        uint32_t n = sizes[i].n;
        char settings[48];
        (void)snprintf(settings, sizeof settings, "n=%u seed=%u", (unsigned)n,
                       (unsigned)sizes[i].seed);
        uint64_t requests = (n + 31) / 32;
        const struct emulate_case cases[] = {
            {"histogram_shared", settings, "byte[t] = a->in[", requests, 0},
            {"histogram_shared", settings, "atomicAdd(&count[", requests,
             turns_of_counting(n, sizes[i].seed, true)},
            {"histogram_shared", settings, "count[threadIdx.x] = 0", 8, 8},
            {"histogram_shared", settings, "v[t] = count[", 8, 8},
            {"histogram_shared", settings, "a->out[threadIdx.x] = ", 8, 0},
            {"histogram_global", settings, "byte[t] = a->in[", requests, 0},
            {"histogram_global", settings, "atomicAdd(&a->out[", requests, 0},
        };
        emulate_check(cases, COUNT(cases), "h200", 0);
        const struct emulate_case volta[] = {
            {"histogram_shared", settings, "atomicAdd(&count[", requests,
             turns_of_counting(n, sizes[i].seed, false)},
        };
        emulate_check(volta, COUNT(volta), "v100", 0);
    }
}

static void atomics_have_no_result(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t site;
        enum bsim_space space;
        enum bsim_operation operation;
    } cases[] = {{"histogram_global", 2, BSIM_GLOBAL, BSIM_ADD},
                 {"histogram_shared", 3, BSIM_SHARED, BSIM_POPC_INC}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, "n=40");
        const struct bsim_event *event = collect_event(&collect, cases[i].site, 1);
        assert_non_null(event);
        assert_int_equal(event->opcode.family, BSIM_RED);
        assert_int_equal(event->opcode.operation, cases[i].operation);
        assert_int_equal(event->opcode.space, cases[i].space);
        assert_int_equal(event->mask, 0xff); /* 40 - 32 bytes */
        collect_free(&collect);
    }
}

static void the_histogram_needs_memory(void **state)
{
    (void)state;
    emulate_without_memory("histogram_shared", "n=100");
    emulate_without_memory("histogram_global", "n=100");
}

/* ---- slide 28 ------------------------------------------------------------------------------- */

/* 32 x 32 threads are 32 warps: that many loads and stores of the tile, and 32 times as many loads
 * on either side of the differences. A store down a column of 32 words is 32-way, of 33 not. */
static void the_tile_is_turned_on_one_side_or_the_other(void **state)
{
    static const struct emulate_case cases[] = {
        {"quadratic_uncoalesced_loads", "", "v[t] = a->in[threadIdx.x][threadIdx.y]", 32, 0},
        {"quadratic_uncoalesced_loads", "", "s[threadIdx.y][threadIdx.x] = ", 32, 32},
        {"quadratic_uncoalesced_loads", "", "one[t] = ", 1024, 1024},
        {"quadratic_uncoalesced_loads", "", "other[t] = ", 1024, 1024},
        {"quadratic_conflicting_stores", "", "v[t] = a->in[threadIdx.y][threadIdx.x]", 32, 0},
        {"quadratic_conflicting_stores", "", "s[threadIdx.x][threadIdx.y] = ", 32, 1024},
        {"quadratic_conflicting_stores", "", "one[t] = ", 1024, 1024},
        {"quadratic_conflicting_stores", "", "other[t] = ", 1024, 1024},
        {"quadratic_padded", "", "s[threadIdx.x][threadIdx.y] = ", 32, 32},
        {"quadratic_padded", "ipad=2", "s[threadIdx.x][threadIdx.y] = ", 32, 64},
        {"quadratic_padded", "", "one[t] = ", 1024, 1024},
        {"quadratic_padded", "", "other[t] = ", 1024, 1024},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

/* A row of 32 words is one line of 128 bytes: stride 4 stays in it, stride 128 has 32. */
static void one_variant_loads_32_lines(void **state)
{
    static const struct {
        const char *name;
        int64_t stride;
    } cases[] = {
        {"quadratic_uncoalesced_loads", 128},
        {"quadratic_conflicting_stores", 4},
        {"quadratic_padded", 4},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, "");
        const struct bsim_event *load = collect_event(&collect, 1, 3);
        assert_non_null(load);
        assert_int_equal(load->opcode.space, BSIM_GLOBAL);
        assert_true(load->affine);
        assert_int_equal(load->stride, cases[i].stride);
        collect_free(&collect);
    }
}

/* The loads of s[k][threadIdx.y] give one word to the whole warp. */
static void the_other_point_is_broadcast(void **state)
{
    (void)state;
    struct bsim_result result = emulate_counted("quadratic_padded", "", "h200", 0);
    assert_int_equal(emulate_site(&result, "other[t] = ")->tally.broadcasts, 1024);
    assert_int_equal(emulate_site(&result, "one[t] = ")->tally.broadcasts, 0);
    bsim_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_conflict_as_on_the_slide),
        cmocka_unit_test(every_stride_follows_the_rule),
        cmocka_unit_test(padded_index_is_33_times_the_thread),
        cmocka_unit_test(the_permutation_uses_each_bank_once),
        cmocka_unit_test(five_threads_share_bank_5),
        cmocka_unit_test(all_threads_share_banks_12_and_20),
        cmocka_unit_test(irregular_accesses_do_not_conflict),
        cmocka_unit_test(counting_in_shared_memory_takes_turns),
        cmocka_unit_test(atomics_have_no_result),
        cmocka_unit_test(the_histogram_needs_memory),
        cmocka_unit_test(the_tile_is_turned_on_one_side_or_the_other),
        cmocka_unit_test(one_variant_loads_32_lines),
        cmocka_unit_test(the_other_point_is_broadcast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
