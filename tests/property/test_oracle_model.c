/* test_oracle_model.c - the model's counts against the oracle's, over seeded random requests.
 *
 * sm_90 gets 100,000 requests of each kind, one test per kind; each other device 2,500 of each
 * kind that it executes, which is 25,000 and more, one test per device.
 */
#include "count_both.h"
#include "oracle.h"
#include "random_request.h"
#include "request_text.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { REQUESTS_PER_KIND = WATCHED(100000, 10000), REQUESTS_PER_KIND_AND_DEVICE = WATCHED(2500, 500), MAX_WAYS = 32 };

/* ---- one request --------------------------------------------------------------------------- */

static bool agree(const struct bsim_counts *counts, const struct oracle_answer *answer)
{
    return counts->wavefronts == answer->wavefronts && counts->ideal == answer->ideal &&
           counts->conflicts == answer->conflicts && counts->ways == answer->ways &&
           counts->bytes_asked == answer->bytes_asked &&
           counts->bytes_served == answer->bytes_served &&
           counts->bytes_moved == answer->bytes_moved && counts->broadcast == answer->broadcast &&
           counts->multicast == answer->multicast;
}

static void fail_request(const struct bsim_device *device, const struct bsim_request *request,
                         const struct bsim_counts *counts, const struct oracle_answer *answer)
{
    char text[REQUEST_TEXT_SIZE];
    fail_msg("%s, %lu banks of %lu bytes: %s\n"
             "       wavefronts ideal conflicts ways asked served moved broadcast multicast\n"
             "model  %lu %lu %lu %lu %lu %lu %lu %d %d\n"
             "oracle %lu %lu %lu %lu %lu %lu %lu %d %d",
             device->name, (unsigned long)device->n_banks, (unsigned long)device->bank_bytes,
             request_format(request, text), (unsigned long)counts->wavefronts,
             (unsigned long)counts->ideal, (unsigned long)counts->conflicts,
             (unsigned long)counts->ways, (unsigned long)counts->bytes_asked,
             (unsigned long)counts->bytes_served, (unsigned long)counts->bytes_moved,
             counts->broadcast, counts->multicast, (unsigned long)answer->wavefronts,
             (unsigned long)answer->ideal, (unsigned long)answer->conflicts,
             (unsigned long)answer->ways, (unsigned long)answer->bytes_asked,
             (unsigned long)answer->bytes_served, (unsigned long)answer->bytes_moved,
             answer->broadcast, answer->multicast);
}

static void compare(const struct bsim_device *device, const struct bsim_request *request)
{
    struct bsim_counts counts;
    struct oracle_answer answer;
    count_both(device, request, &counts);
    oracle_ask(device, request, &answer);
    if (!agree(&counts, &answer)) {
        fail_request(device, request, &counts, &answer);
    }
}

static void compare_many(const struct bsim_device *device, enum request_kind kind, uint32_t n)
{
    struct random_source source = {1000 + (uint64_t)kind};
    struct bsim_request request;
    for (uint32_t i = 0; i < n; i++) {
        random_request(&source, kind, &request);
        compare(device, &request);
    }
}

/* ---- the devices --------------------------------------------------------------------------- */

struct device_case {
    const char *test, *name;
    uint32_t n_banks, bank_width;
};

static const struct device_case device_cases[] = {
    {"sm_35, 4-byte banks", "sm_35", 0, 4},
    {"sm_35, 8-byte banks", "sm_35", 0, 8},
    {"sm_52", "sm_52", 0, 0},
    {"sm_75", "sm_75", 0, 0},
    {"sm_80", "sm_80", 0, 0},
    {"1 bank of 4 bytes", "generic", 1, 4},
    {"1 bank of 8 bytes", "generic", 1, 8},
    {"5 banks of 4 bytes", "generic", 5, 4},
    {"5 banks of 8 bytes", "generic", 5, 8},
    {"16 banks of 4 bytes", "generic", 16, 4},
    {"16 banks of 8 bytes", "generic", 16, 8},
    {"32 banks of 4 bytes", "generic", 32, 4},
    {"32 banks of 8 bytes", "generic", 32, 8},
    {"64 banks of 4 bytes", "generic", 64, 4},
    {"64 banks of 8 bytes", "generic", 64, 8},
};
enum { N_DEVICE_CASES = sizeof device_cases / sizeof *device_cases };

static void other_device(void **state)
{
    const struct device_case *c = *state;
    struct bsim_device device;
    struct bsim_request request;
    struct random_source source = {(uint64_t)(c - device_cases)};
    device_for_test(c->name, c->n_banks, c->bank_width, &device);
    for (uint32_t i = 0; i < REQUESTS_PER_KIND_AND_DEVICE * REQUEST_N_KINDS; i++) {
        random_request(&source, i % REQUEST_N_KINDS, &request);
        if (bsim_device_executes(&device, &request.opcode)) {
            compare(&device, &request);
        }
    }
}

static void sm_90(void **state)
{
    const enum request_kind *kind = *state;
    struct bsim_device device;
    device_for_test("sm_90", 0, 0, &device);
    compare_many(&device, *kind, REQUESTS_PER_KIND);
}

/* ---- the generator ------------------------------------------------------------------------- */

/* Comparing proves nothing of what never comes up: each number of ways, both kinds of sharing, and
 * wide loads in as many groups as the pair rule leaves and as the width asks for. */
static void generator_reaches(void **state)
{
    struct bsim_device device;
    struct random_source source = {7};
    uint32_t ways[MAX_WAYS + 1] = {0}, groups[BSIM_MAX_GROUPS + 1] = {0};
    uint32_t broadcasts = 0, multicasts = 0;
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    for (uint32_t i = 0; i < 60000; i++) {
        struct bsim_request request;
        struct oracle_answer answer;
        random_request(&source, i % 2 ? REQUEST_LD4 : REQUEST_LD16, &request);
        oracle_ask(&device, &request, &answer);
        ways[answer.ways] += request.opcode.bytes == 4;
        groups[answer.n_groups] += request.opcode.bytes == 16 && request.mask == BSIM_FULL_MASK;
        broadcasts += answer.broadcast;
        multicasts += answer.multicast;
    }
    for (uint32_t w = 1; w <= MAX_WAYS; w++) {
        if (ways[w] == 0) {
            fail_msg("no load of 4 bytes with %lu ways", (unsigned long)w);
        }
    }
    assert_true(groups[2] >= 1000);
    assert_true(groups[4] >= 1000);
    assert_true(broadcasts >= 1000);
    assert_true(multicasts >= 1000);
}

int main(void)
{
    static enum request_kind kinds[REQUEST_N_KINDS];
    struct CMUnitTest tests[1 + REQUEST_N_KINDS + N_DEVICE_CASES] = {
        cmocka_unit_test(generator_reaches),
    };
    for (int k = 0; k < REQUEST_N_KINDS; k++) {
        kinds[k] = (enum request_kind)k;
        tests[1 + k] =
            (struct CMUnitTest){request_kind_name(kinds[k]), sm_90, NULL, NULL, &kinds[k]};
    }
    for (int d = 0; d < N_DEVICE_CASES; d++) {
        tests[1 + REQUEST_N_KINDS + d] = (struct CMUnitTest){
            device_cases[d].test, other_device, NULL, NULL, (void *)(uintptr_t)&device_cases[d]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
