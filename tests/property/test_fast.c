/* test_fast.c - the counts without a schedule against those with one, bit for bit.
 *
 * Ten million seeded random requests and more: every opcode of shared memory, every kind of banks,
 * masks of all shapes (0 and partial ones for matrix forms too), addresses as programs make them
 * and as they should not: unaligned, at the end of 32 bits and around it, nearly in step, nearly
 * pairs. Each request goes to every dealer that this processor can run.
 */
#include "count_both.h"
#include "model/atomic.h"
#include "model/count.h"
#include "random_request.h"
#include "request_text.h"

#include "model/fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Unoptimised and watched programs take a sample. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
enum { SAMPLE = 1 };
#else
enum { SAMPLE = 20 };
#endif

enum { MANY = 2000000 / SAMPLE, FEW = 200000 / SAMPLE, N_OPCODES = 2000 };

/* ---- who is asked --------------------------------------------------------------------------- */

struct counter {
    const char *name;
    bsim_fast_counter *count;
    bsim_fast_lister *list;
    bsim_fast_summer *sum;
};

/* Those that this processor can run; returns how many. */
static size_t all_counters(struct counter counters[3])
{
    size_t n = 0;
    counters[n++] = (struct counter){"portable", bsim_fast_count_portable, bsim_fast_list_portable,
                                     bsim_fast_sum_portable};
#ifdef BSIM_HAS_X86
    if (bsim_fast_has_avx2()) {
        counters[n++] =
            (struct counter){"avx2", bsim_fast_count_avx2, bsim_fast_list_avx2, bsim_fast_sum_avx2};
    }
    if (bsim_fast_has_avx512()) {
        counters[n++] = (struct counter){"avx512", bsim_fast_count_avx512, bsim_fast_list_avx512,
                                         bsim_fast_sum_avx512};
    }
#endif
    return n;
}

/* What `times` requests come to that are counted like this; only the fields that are found
 * there. */
static bool sums_are(const struct bsim_fast_sums *sums, const struct bsim_device *device,
                     const struct bsim_request *request, const struct bsim_counts *counts,
                     uint64_t times)
{
    uint64_t bytes = request->opcode.bytes;
    uint64_t passes =
        bsim_opcode_is_atomic(&request->opcode) ? bsim_atomic_passes(&request->opcode) : 1;
    bool is_load = bsim_family_reads(&request->opcode);
    return sums->n == times && sums->turns * passes == times * counts->wavefronts &&
           sums->groups * passes == times * counts->ideal &&
           sums->words * bsim_fast_word_bytes(device, &request->opcode) ==
               times * counts->bytes_served &&
           sums->lanes * bytes == times * counts->bytes_asked &&
           sums->turns - sums->groups == times * counts->conflicts &&
           sums->turns * passes * device->n_banks * device->bank_bytes ==
               times * counts->bytes_moved &&
           (!is_load || sums->all == (counts->broadcast ? times : 0)) &&
           (!is_load || sums->some - sums->all == (counts->multicast ? times : 0)) &&
           sums->pairs == ((counts->rules >> BSIM_RULE_PAIR & 1) != 0 ? times : 0) &&
           sums->ways_min == counts->ways && sums->ways_max == counts->ways;
}

/* The request, three times and twice. */
static void compare_sums(const struct counter *counter, const struct bsim_device *device,
                         const struct bsim_request *request, const struct bsim_counts *plain)
{
    struct bsim_fast_plan plan;
    struct bsim_fast_sums sums = {.n = 0};
    if (request->mask == 0 || !bsim_fast_plan(device, &request->opcode, &plan)) {
        return;
    }
    counter->sum(&plan, request->mask, request->address, 3, &sums);
    counter->sum(&plan, request->mask, request->address, 2, &sums);
    if (!sums_are(&sums, device, request, plain, 5)) {
        counts_differ(counter->name, device, request, plain, plain);
    }
}

/* Nothing may be left of what the counts held before, nor be read beyond what was asked. */
static void compare(const struct bsim_device *device, const struct bsim_request *request)
{
    struct counter counters[3];
    struct bsim_counts plain, counts;
    size_t n = all_counters(counters);
    count_both(device, request, &plain);
    for (size_t i = 0; i < n; i++) {
        memset(&counts, 0xa5, sizeof counts);
        if (counters[i].count(device, &request->opcode, request->mask, request->address, &counts) &&
            !counts_equal(&counts, &plain)) {
            counts_differ(counters[i].name, device, request, &counts, &plain);
        }
        compare_sums(&counters[i], device, request, &plain);
    }
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Every spelling that accesses shared memory. */
static struct bsim_opcode opcodes[N_OPCODES];
static uint32_t n_opcodes;

static int find_opcodes(void **state)
{
    struct bsim_opcode opcode;
    (void)state;
    for (size_t i = 0; bsim_opcode_at(i, &opcode); i++) {
        if (bsim_opcode_is_access(&opcode) && opcode.space == BSIM_SHARED) {
            assert_true(n_opcodes < N_OPCODES);
            opcodes[n_opcodes++] = opcode;
        }
    }
    return 0;
}

/* Another spelling, as wide or not: what was made for one width is looked at with another. */
static void change_opcode(struct random_source *source, struct bsim_request *request)
{
    request->opcode = opcodes[random_below(source, n_opcodes)];
}

static void change_mask(struct random_source *source, struct bsim_request *request)
{
    static const uint32_t masks[] = {0,          1,          0x80000000, 0xffffffff,
                                     0x55555555, 0xaaaaaaaa, 0x33333333, 0x0000ffff,
                                     0x00ff00ff, 0xff00ff00, 0x80000001, 0x7fffffff};
    request->mask =
        random_below(source, 2) ? (uint32_t)random_next(source) : masks[random_below(source, 12)];
}

/* To the end of 32 bits and around it. */
static void move_up(struct random_source *source, struct bsim_request *request)
{
    uint32_t by = 0 - random_below(source, 8192);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] += by;
    }
}

/* A stride whose multiples meet again at 2^32, or nearly do. */
static void wrap(struct random_source *source, struct bsim_request *request)
{
    uint32_t stride = UINT32_C(1) << random_below(source, 32);
    uint32_t base = (uint32_t)random_next(source);
    stride += random_below(source, 2) ? 0 : 1 + random_below(source, 200);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] = base + lane * stride;
    }
}

/* One lane goes where another is, next to it, a row of banks on, or far off. */
static void move_one(struct random_source *source, struct bsim_request *request)
{
    static const uint32_t steps[] = {0, 0, 1, 2, 4, 8, 16, 64, 124, 128, 132, 256, 512, 1u << 31};
    uint32_t lane = random_below(source, BSIM_WARP_LANES);
    uint32_t other = random_below(source, 3) ? lane ^ 1u << random_below(source, 5)
                                             : random_below(source, BSIM_WARP_LANES);
    request->address[lane] = request->address[other] + steps[random_below(source, 14)];
}

/* Lanes of one bank, in a few of its rows. */
static void crowd(struct random_source *source, struct bsim_request *request)
{
    uint32_t rows = 1 + random_below(source, 40);
    uint32_t banks = 1 + random_below(source, 3);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] =
            128 * random_below(source, rows) + 16 * random_below(source, banks);
    }
}

static void unalign(struct random_source *source, struct bsim_request *request)
{
    request->address[random_below(source, BSIM_WARP_LANES)] += random_below(source, 16);
}

static void keep(struct random_source *source, struct bsim_request *request)
{
    (void)source;
    (void)request;
}

static void (*const changes[])(struct random_source *source, struct bsim_request *request) = {
    keep, change_opcode, change_mask, move_up, wrap, move_one, move_one, crowd, unalign,
};
enum { N_CHANGES = sizeof changes / sizeof *changes };

/* n requests: each generated one, and what becomes of it by three changes, one upon the other. */
static void compare_many(const struct bsim_device *device, uint64_t seed, uint32_t n)
{
    struct random_source source = {seed};
    struct bsim_request request;
    for (uint32_t i = 0; i < n; i++) {
        if (i % 4 == 0) {
            random_request(&source, i / 4 % REQUEST_N_KINDS, &request);
        } else {
            changes[random_below(&source, N_CHANGES)](&source, &request);
        }
        compare(device, &request);
    }
}

/* ---- the tests ------------------------------------------------------------------------------ */

struct device_case {
    const char *test, *name;
    uint32_t n_banks, bank_width;
};

static const struct device_case usual_case = {"sm_90", "sm_90", 0, 0};

static const struct device_case device_cases[] = {
    {"sm_35, 4-byte banks", "sm_35", 0, 4},
    {"sm_35, 8-byte banks", "sm_35", 0, 8},
    {"sm_52", "sm_52", 0, 0},
    {"sm_80", "sm_80", 0, 0},
    {"1 bank of 4 bytes", "generic", 1, 4},
    {"2 banks of 8 bytes", "generic", 2, 8},
    {"5 banks of 4 bytes", "generic", 5, 4},
    {"8 banks of 4 bytes", "generic", 8, 4},
    {"16 banks of 4 bytes", "generic", 16, 4},
    {"16 banks of 8 bytes", "generic", 16, 8},
    {"32 banks of 8 bytes", "generic", 32, 8},
    {"48 banks of 4 bytes", "generic", 48, 4},
    {"64 banks of 4 bytes", "generic", 64, 4},
    {"64 banks of 8 bytes", "generic", 64, 8},
};
enum { N_DEVICE_CASES = sizeof device_cases / sizeof *device_cases };

static void compare_case(const struct device_case *c, uint64_t seed, uint32_t n)
{
    struct bsim_device device;
    device_for_test(c->name, c->n_banks, c->bank_width, &device);
    compare_many(&device, seed, n);
}

static void usual_banks_1(void **state)
{
    (void)state;
    compare_case(&usual_case, 1, MANY);
}

static void usual_banks_2(void **state)
{
    (void)state;
    compare_case(&usual_case, 2, MANY);
}

static void usual_banks_3(void **state)
{
    (void)state;
    compare_case(&usual_case, 3, MANY);
}

static void usual_banks_4(void **state)
{
    (void)state;
    compare_case(&usual_case, 4, MANY);
}

static void other_banks(void **state)
{
    const struct device_case *c = *state;
    compare_case(c, 100 + (uint64_t)(c - device_cases), FEW);
}

/* No dealer leaves to the schedule what it should count. */
static void dealers_answer(void **state)
{
    struct counter counters[3];
    struct bsim_device device[4];
    struct bsim_counts counts;
    struct bsim_fast_plan plan;
    size_t n = all_counters(counters);
    (void)state;
    device_for_test("sm_90", 0, 0, &device[0]);
    device_for_test("sm_35", 0, 4, &device[1]);
    device_for_test("sm_35", 0, 8, &device[2]);
    device_for_test("generic", 64, 4, &device[3]);
    for (uint32_t i = 0; i < 4 * n_opcodes; i++) {
        const struct bsim_device *its = &device[i % 4];
        struct bsim_request request = {.opcode = opcodes[i / 4], .mask = 1};
        bool is_matrix = bsim_opcode_is_matrix(&request.opcode);
        bool answers = its->n_banks == 32 && !bsim_opcode_loops(&request.opcode) &&
                       request.opcode.path != BSIM_BYPASS;
        if (is_matrix && its->bank_bytes != 4) {
            continue; /* Kepler has none */
        }
        assert_int_equal(bsim_fast_plan(its, &request.opcode, &plan), answers);
        for (size_t c = 0; c < n; c++) {
            assert_int_equal(counters[c].count(its, &request.opcode, 1, request.address, &counts),
                             answers);
        }
    }
}

/* What no spelling says has an answer too: the plain one's. */
static void odd_opcodes(void **state)
{
    struct bsim_device device;
    struct random_source source = {9};
    struct bsim_request request;
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    for (uint32_t i = 0; i < 20000; i++) {
        random_request(&source, i % REQUEST_N_KINDS, &request);
        request.opcode.family = (uint8_t)random_below(&source, BSIM_STMATRIX + 2);
        request.opcode.count = (uint8_t)random_below(&source, 5);
        compare(&device, &request);
    }
}

/* ---- lanes in step -------------------------------------------------------------------------- */

static void compare_event(const struct bsim_device *device, const struct bsim_event *event)
{
    struct bsim_request request = {.opcode = event->opcode, .mask = event->mask};
    struct bsim_counts plain, counts;
    struct counter counters[3];
    size_t n = all_counters(counters);
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = (uint32_t)address[lane];
    }
    for (size_t c = 0; c < n; c++) {
        uint32_t listed[BSIM_WARP_LANES];
        memset(listed, 0xa5, sizeof listed);
        counters[c].list(event, listed);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            assert_true((lanes >> lane & 1) == 0 || listed[lane] == request.address[lane]);
        }
    }
    bsim_plain_count(device, &request, &plain);
    memset(&counts, 0xa5, sizeof counts);
    bsim_event_count(device, event, &counts);
    if (!counts_equal(&counts, &plain)) {
        counts_differ("bsim_event_count", device, &request, &counts, &plain);
    }
}

static int64_t random_stride(struct random_source *source, uint32_t bytes)
{
    switch (random_below(source, 6)) {
    case 0:
        return (int64_t)random_next(source);
    case 1:
        return (int64_t)random_below(source, 600) - 300;
    case 2:
        return (int64_t)(UINT64_C(1) << random_below(source, 33));
    case 3:
        return -(int64_t)(UINT64_C(3) << random_below(source, 32));
    default:
        return (int64_t)bytes * ((int64_t)random_below(source, 140) - 70);
    }
}

static void random_event(struct random_source *source, struct bsim_event *event)
{
    bsim_event_init(event, &opcodes[random_below(source, n_opcodes)]);
    struct bsim_request request = {.mask = BSIM_FULL_MASK >> random_below(source, 32)};
    if (random_below(source, 2)) {
        request.mask = BSIM_FULL_MASK << random_below(source, 32);
        change_mask(source, &request);
    }
    event->mask = request.mask;
    event->affine = random_below(source, 16) != 0;
    event->base = random_next(source) >> random_below(source, 64);
    event->stride = random_stride(source, event->opcode.bytes);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event->address[lane] = event->base + lane * (uint64_t)event->stride;
    }
}

static void events_in_step(void **state)
{
    static const struct device_case *const cases[] = {&usual_case, &device_cases[0],
                                                      &device_cases[1], &device_cases[8]};
    (void)state;
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct random_source source = {200 + c};
        struct bsim_device device;
        struct bsim_event event;
        device_for_test(cases[c]->name, cases[c]->n_banks, cases[c]->bank_width, &device);
        for (uint32_t i = 0; i < (c == 0 ? 4 * FEW : FEW); i++) {
            random_event(&source, &event);
            compare_event(&device, &event);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[7 + N_DEVICE_CASES] = {
        cmocka_unit_test(usual_banks_1),  cmocka_unit_test(usual_banks_2),
        cmocka_unit_test(usual_banks_3),  cmocka_unit_test(usual_banks_4),
        cmocka_unit_test(odd_opcodes),    cmocka_unit_test(dealers_answer),
        cmocka_unit_test(events_in_step),
    };
    for (int d = 0; d < N_DEVICE_CASES; d++) {
        tests[7 + d] = (struct CMUnitTest){device_cases[d].test, other_banks, NULL, NULL,
                                           (void *)(uintptr_t)&device_cases[d]};
    }
    return cmocka_run_group_tests(tests, find_opcodes, NULL);
}
