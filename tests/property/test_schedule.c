/* test_schedule.c - a schedule must be true by itself, whatever the counts say.
 *
 * For seeded random requests, each schedule is checked as a plan that a memory could carry out:
 * every byte asked for is served, no bank serves two rows at once, nothing is served that nobody
 * asked for, and no plan could be shorter. Each demand is one function below; demands[] lists them.
 */
#include "count_both.h"
#include "model/atomic.h"
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

enum { REQUESTS_PER_KIND = WATCHED(10000, 2000), REQUESTS_PER_KIND_AND_DEVICE = WATCHED(1000, 200) };

struct plan {
    const struct bsim_device *device;
    const struct bsim_request *request;
    struct bsim_schedule schedule;
    struct bsim_counts counts;
};

static const struct bsim_grant *grant_of(const struct plan *plan, uint32_t pass, uint32_t i)
{
    const struct bsim_schedule *s = &plan->schedule;
    return &s->grant[s->pass[pass].first_grant + i];
}

/* Bit l for each lane of a request, n in all. */
static uint32_t n_lanes(uint32_t lanes)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        n++;
    }
    return n;
}

/* atom.cas reads, then writes: everything happens twice. */
static uint32_t times(const struct plan *plan)
{
    return oracle_is_cas(plan->request) ? 2 : 1;
}

/* True if the byte lies in the words that the grant touches. */
static bool covers(const struct plan *plan, const struct bsim_grant *grant, uint32_t byte)
{
    return oracle_bank(plan->device, byte) == grant->bank &&
           oracle_row(plan->device, byte) == grant->row &&
           (grant->halves >> oracle_half(plan->device, byte) & 1);
}

/* ---- the demands: each returns whether the plan fulfils it --------------------------------- */

/* Passes and grants are within bounds, and the passes cut the grants into consecutive pieces. */
static bool is_well_formed(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    uint32_t next = 0;
    if (s->n_passes > BSIM_MAX_PASSES || s->n_grants > BSIM_MAX_GRANTS ||
        s->n_groups > BSIM_MAX_GROUPS) {
        return false;
    }
    for (uint32_t p = 0; p < s->n_passes; p++) {
        if (s->pass[p].first_grant != next || s->pass[p].group >= s->n_groups) {
            return false;
        }
        next += s->pass[p].n_grants;
    }
    return next == s->n_grants;
}

static bool passes_go_group_by_group(const struct plan *plan)
{
    for (uint32_t p = 1; p < plan->schedule.n_passes; p++) {
        if (plan->schedule.pass[p].group < plan->schedule.pass[p - 1].group) {
            return false;
        }
    }
    return true;
}

static bool no_pass_is_empty(const struct plan *plan)
{
    for (uint32_t p = 0; p < plan->schedule.n_passes; p++) {
        const struct bsim_pass *pass = &plan->schedule.pass[p];
        if (pass->n_grants == 0 || pass->lanes == 0) {
            return false;
        }
    }
    return true;
}

/* Banks ascend strictly within a pass: sorted, and no bank serves two rows at once. */
static bool one_row_per_bank_and_pass(const struct plan *plan)
{
    for (uint32_t p = 0; p < plan->schedule.n_passes; p++) {
        for (uint32_t i = 0; i < plan->schedule.pass[p].n_grants; i++) {
            const struct bsim_grant *grant = grant_of(plan, p, i);
            if (grant->pass != p || grant->bank >= plan->device->n_banks ||
                (i > 0 && grant->bank <= grant_of(plan, p, i - 1)->bank)) {
                return false;
            }
        }
    }
    return true;
}

static bool pass_lanes_are_its_grants_lanes(const struct plan *plan)
{
    for (uint32_t p = 0; p < plan->schedule.n_passes; p++) {
        uint32_t lanes = 0;
        for (uint32_t i = 0; i < plan->schedule.pass[p].n_grants; i++) {
            lanes |= grant_of(plan, p, i)->lanes;
        }
        if (lanes != plan->schedule.pass[p].lanes) {
            return false;
        }
    }
    return true;
}

/* The groups share out the lanes of the request, and passes serve lanes of their group alone. */
static bool groups_part_the_lanes(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    uint32_t seen = 0;
    for (uint32_t g = 0; g < s->n_groups; g++) {
        if (s->group_lanes[g] == 0 || (s->group_lanes[g] & seen) != 0) {
            return false;
        }
        seen |= s->group_lanes[g];
    }
    for (uint32_t p = 0; p < s->n_passes; p++) {
        if ((s->pass[p].lanes & ~s->group_lanes[s->pass[p].group]) != 0) {
            return false;
        }
    }
    return seen == oracle_lanes(plan->request);
}

/* Every byte of every lane, once (cas: twice): none is forgotten, none is served over again. */
static bool every_byte_is_served(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    uint8_t served[BSIM_WARP_LANES][16] = {{0}};
    uint32_t asking = oracle_lanes(plan->request);
    for (uint32_t g = 0; g < s->n_grants; g++) {
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            bool granted = s->grant[g].lanes >> lane & 1;
            for (uint32_t i = 0; granted && i < plan->request->opcode.bytes; i++) {
                served[lane][i] += covers(plan, &s->grant[g], plan->request->address[lane] + i);
            }
        }
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint32_t i = 0; (asking >> lane & 1) && i < plan->request->opcode.bytes; i++) {
            if (served[lane][i] != times(plan)) {
                return false;
            }
        }
    }
    return true;
}

/* A grant names only lanes that want something of its row, and only halves that they touch. */
static bool nothing_is_served_unasked(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    for (uint32_t g = 0; g < s->n_grants; g++) {
        uint32_t halves = 0, lanes = 0;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            bool granted = s->grant[g].lanes >> lane & 1;
            for (uint32_t i = 0; granted && i < plan->request->opcode.bytes; i++) {
                uint32_t byte = plan->request->address[lane] + i;
                if (covers(plan, &s->grant[g], byte)) {
                    lanes |= UINT32_C(1) << lane;
                    halves |= UINT32_C(1) << oracle_half(plan->device, byte);
                }
            }
        }
        if (lanes == 0 || lanes != s->grant[g].lanes || halves != s->grant[g].halves) {
            return false;
        }
    }
    return true;
}

/* An atomic's turn is one lane's alone; anything else takes a row once for its whole group. */
static bool rows_are_shared_as_the_opcode_allows(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    for (uint32_t g = 0; g < s->n_grants; g++) {
        const struct bsim_grant *grant = &s->grant[g];
        if (oracle_is_atomic(plan->request)) {
            if (n_lanes(grant->lanes) != 1) {
                return false;
            }
            continue;
        }
        for (uint32_t h = 0; h < g; h++) {
            const struct bsim_grant *other = &s->grant[h];
            if (other->bank == grant->bank && other->row == grant->row &&
                s->pass[other->pass].group == s->pass[grant->pass].group) {
                return false;
            }
        }
    }
    return true;
}

static uint32_t busiest_bank(const struct plan *plan, uint32_t group)
{
    uint32_t grants[BSIM_MAX_BANKS] = {0}, most = 0;
    for (uint32_t g = 0; g < plan->schedule.n_grants; g++) {
        const struct bsim_grant *grant = &plan->schedule.grant[g];
        if (plan->schedule.pass[grant->pass].group == group && ++grants[grant->bank] > most) {
            most = grants[grant->bank];
        }
    }
    return most;
}

/* A bank serves one row per pass, so that a group takes at least as many passes as its busiest bank
 * has grants. It takes no more. */
static bool no_plan_is_shorter(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    for (uint32_t g = 0; g < s->n_groups; g++) {
        uint32_t passes = 0;
        for (uint32_t p = 0; p < s->n_passes; p++) {
            passes += s->pass[p].group == g;
        }
        if (passes != busiest_bank(plan, g) || passes != times(plan) * s->group_ways[g]) {
            return false;
        }
    }
    return true;
}

static bool groups_are_the_oracles(const struct plan *plan)
{
    struct oracle_answer answer;
    oracle_ask(plan->device, plan->request, &answer);
    if (answer.n_groups != plan->schedule.n_groups) {
        return false;
    }
    for (uint32_t g = 0; g < answer.n_groups; g++) {
        if (plan->schedule.group_lanes[g] != answer.group[g].lanes ||
            plan->schedule.group_ways[g] != answer.group[g].ways) {
            return false;
        }
    }
    return true;
}

/* Threads that hold a 4-byte word of a row of an 8x8 matrix: thread t has the elements 2*(t%4) and
 * 2*(t%4)+1 of row t/4, or with .trans the rows 2*(t%4) and 2*(t%4)+1 of element t/4. */
static uint32_t holders(bool is_transposed, uint32_t row, uint32_t word)
{
    uint32_t threads = 0;
    for (uint32_t t = 0; t < BSIM_WARP_LANES; t++) {
        bool is_plain_holder = t / 4 == row && t % 4 == word;
        bool is_other_holder = t % 4 == row / 2 && t / 4 / 2 == word;
        if (is_transposed ? is_other_holder : is_plain_holder) {
            threads |= UINT32_C(1) << t;
        }
    }
    return threads;
}

static uint32_t expected_receivers(const struct plan *plan, const struct bsim_grant *grant)
{
    uint32_t threads = 0;
    if (!oracle_is_matrix(plan->request)) {
        return grant->lanes;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        for (uint32_t word = 0; (grant->lanes >> lane & 1) && word < 4; word++) {
            if (covers(plan, grant, plan->request->address[lane] + 4 * word)) {
                threads |= holders(plan->request->opcode.is_transposed, lane % 8, word);
            }
        }
    }
    return threads;
}

static bool receivers_are_those_of_the_opcode(const struct plan *plan)
{
    for (uint32_t g = 0; g < plan->schedule.n_grants; g++) {
        const struct bsim_grant *grant = &plan->schedule.grant[g];
        if (grant->receivers != expected_receivers(plan, grant)) {
            return false;
        }
    }
    return true;
}

static bool counts_follow_from_the_schedule(const struct plan *plan)
{
    const struct bsim_schedule *s = &plan->schedule;
    const struct bsim_counts *c = &plan->counts;
    uint32_t passes = plan->request->opcode.operation == BSIM_CAS ? 2 : 1;
    uint32_t conflicts = 0, ways = 0;
    for (uint32_t g = 0; g < s->n_groups; g++) {
        conflicts += s->group_ways[g] - 1;
        ways = s->group_ways[g] > ways ? s->group_ways[g] : ways;
    }
    /* The schedule of a loop has its rounds, the counts what these take. */
    bool is_loop = bsim_opcode_loops(&plan->request->opcode);
    bool is_as_long = is_loop ? c->wavefronts >= c->ideal
                              : c->wavefronts == s->n_passes && c->ideal == s->n_groups * passes;
    return is_as_long && (is_loop || c->conflicts == conflicts) && c->ways == ways &&
           c->rules == s->rules;
}

static bool both_ways_of_counting_agree(const struct plan *plan)
{
    struct bsim_counts again;
    const struct bsim_counts *c = &plan->counts;
    bsim_schedule_count(plan->device, plan->request, &plan->schedule, &again);
    return c->wavefronts == again.wavefronts && c->ideal == again.ideal &&
           c->conflicts == again.conflicts && c->ways == again.ways &&
           c->bytes_asked == again.bytes_asked && c->bytes_served == again.bytes_served &&
           c->bytes_moved == again.bytes_moved && c->rules == again.rules &&
           c->broadcast == again.broadcast && c->multicast == again.multicast;
}

#define DEMAND(function)    \
    {                       \
#function, function \
    }

/* is_well_formed comes first: the others rely on it. */
static const struct {
    const char *name;
    bool (*is_met)(const struct plan *plan);
} demands[] = {
    DEMAND(is_well_formed),
    DEMAND(passes_go_group_by_group),
    DEMAND(no_pass_is_empty),
    DEMAND(one_row_per_bank_and_pass),
    DEMAND(pass_lanes_are_its_grants_lanes),
    DEMAND(groups_part_the_lanes),
    DEMAND(every_byte_is_served),
    DEMAND(nothing_is_served_unasked),
    DEMAND(rows_are_shared_as_the_opcode_allows),
    DEMAND(no_plan_is_shorter),
    DEMAND(groups_are_the_oracles),
    DEMAND(receivers_are_those_of_the_opcode),
    DEMAND(counts_follow_from_the_schedule),
    DEMAND(both_ways_of_counting_agree),
};

/* ---- many requests ------------------------------------------------------------------------- */

static void check(const struct bsim_device *device, const struct bsim_request *request)
{
    struct plan plan = {.device = device, .request = request};
    char text[REQUEST_TEXT_SIZE];
    bsim_request_schedule(device, request, &plan.schedule);
    count_both(device, request, &plan.counts);
    for (size_t d = 0; d < sizeof demands / sizeof *demands; d++) {
        if (!demands[d].is_met(&plan)) {
            fail_msg("%s does not hold on %s, %lu banks of %lu bytes: %s", demands[d].name,
                     device->name, (unsigned long)device->n_banks,
                     (unsigned long)device->bank_bytes, request_format(request, text));
        }
    }
}

struct device_case {
    const char *test, *name;
    uint32_t n_banks, bank_width, requests_per_kind;
};

static const struct device_case device_cases[] = {
    {"sm_90", "sm_90", 0, 0, REQUESTS_PER_KIND},
    {"sm_35, 4-byte banks", "sm_35", 0, 4, REQUESTS_PER_KIND_AND_DEVICE},
    {"sm_35, 8-byte banks", "sm_35", 0, 8, REQUESTS_PER_KIND_AND_DEVICE},
    {"sm_52", "sm_52", 0, 0, REQUESTS_PER_KIND_AND_DEVICE},
    {"sm_80", "sm_80", 0, 0, REQUESTS_PER_KIND_AND_DEVICE},
    {"1 bank of 4 bytes", "generic", 1, 4, REQUESTS_PER_KIND_AND_DEVICE},
    {"1 bank of 8 bytes", "generic", 1, 8, REQUESTS_PER_KIND_AND_DEVICE},
    {"5 banks of 4 bytes", "generic", 5, 4, REQUESTS_PER_KIND_AND_DEVICE},
    {"5 banks of 8 bytes", "generic", 5, 8, REQUESTS_PER_KIND_AND_DEVICE},
    {"64 banks of 4 bytes", "generic", 64, 4, REQUESTS_PER_KIND_AND_DEVICE},
    {"64 banks of 8 bytes", "generic", 64, 8, REQUESTS_PER_KIND_AND_DEVICE},
};
enum { N_DEVICE_CASES = sizeof device_cases / sizeof *device_cases };

static void schedules_are_true(void **state)
{
    const struct device_case *c = *state;
    struct bsim_device device;
    struct bsim_request request;
    struct random_source source = {500 + (uint64_t)(c - device_cases)};
    device_for_test(c->name, c->n_banks, c->bank_width, &device);
    for (uint32_t i = 0; i < c->requests_per_kind * REQUEST_N_KINDS; i++) {
        random_request(&source, i % REQUEST_N_KINDS, &request);
        if (bsim_device_executes(&device, &request.opcode)) {
            check(&device, &request);
        }
    }
}

/* The longest schedule there is: 32 lanes of 16 bytes, all different, on a single bank. */
static void longest_schedule_fits(void **state)
{
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_counts counts;
    (void)state;
    device_for_test("generic", 1, 4, &device);
    assert_true(request_parse("ld.shared.v4.u32", BSIM_FULL_MASK, "0+16", &request));
    count_both(&device, &request, &counts);
    assert_int_equal(counts.wavefronts, BSIM_MAX_PASSES);
    check(&device, &request);
    assert_true(request_parse("atom.shared.cas.b64", BSIM_FULL_MASK, "0+8", &request));
    count_both(&device, &request, &counts);
    assert_int_equal(counts.wavefronts, BSIM_MAX_PASSES);
    check(&device, &request);
}

int main(void)
{
    struct CMUnitTest tests[1 + N_DEVICE_CASES] = {cmocka_unit_test(longest_schedule_fits)};
    for (int d = 0; d < N_DEVICE_CASES; d++) {
        tests[1 + d] = (struct CMUnitTest){device_cases[d].test, schedules_are_true, NULL, NULL,
                                           (void *)(uintptr_t)&device_cases[d]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
