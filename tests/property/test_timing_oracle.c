/* test_timing_oracle.c - the machine against a plain one that plays every clock and every wavefront
 * (tests/support/plain_machine.c): the same cycles, with conflicts and without, and books that hold
 * every warp's time, for seeded random programs and constants. */
#include "plain_machine.h"
#include "random_request.h"
#include "watched.h"

#include "timing/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_PROGRAMS = WATCHED(1000, 200), N_SITES = 3 };

static uint32_t between(struct random_source *source, uint32_t low, uint32_t high)
{
    return low + random_below(source, high - low + 1);
}

/* Constants of which wavefront by wavefront is what pipe.h says: a partition's wavefronts as far
 * apart as two of the SM's or no further than one, stores delayed by a clock at most. */
static void draw_timing(struct random_source *source, struct bsim_timing *timing)
{
    struct bsim_device device;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    bsim_timing_find(&device, timing);
    if (random_below(source, 3) == 0) {
        return;
    }
    timing->n_partitions = between(source, 1, BSIM_MAX_PARTITIONS);
    timing->work_interval = between(source, 1, 3);
    timing->chain_latency = between(source, 1, 5);
    timing->work_latency = between(source, 1, 4);
    timing->memory_interval = between(source, 1, 5);
    timing->branch_delay = between(source, 1, 3);
    timing->queue_slots = between(source, 1, 8);
    timing->pool_slots = between(source, 1, 24);
    timing->queue_latency = between(source, 0, 2);
    timing->pool_latency = between(source, 0, 3);
    timing->result_latency = between(source, 0, BSIM_MAX_LATENCY);
    timing->store_delay = between(source, 0, 1);
    timing->arrival_interval = between(source, 1, 3);
    timing->arrival_slots = between(source, 1, 5);
    timing->release_latency = between(source, 0, 14);
    timing->rejoin_delay = between(source, 0, 2);
    timing->barrier_latency = between(source, 0, timing->release_latency);
    timing->barrier_turns = between(source, 0, 3);
    timing->replays = random_below(source, 4) == 0;
    timing->fp32_pair = random_below(source, 2) == 0;
    for (uint32_t i = 1; i < BSIM_WORK_LSU; i++) {
        timing->work[i] = (struct bsim_work_rate){
            .interval = (uint8_t)between(source, 1, 9),
            .latency = (uint8_t)between(source, 1, 20),
            .issue = (uint8_t)between(source, 1, 3),
            .pipe = (uint8_t)between(source, 1, BSIM_WORK_LSU - 1),
        };
    }
    if (random_below(source, 2) == 0) {
        timing->turn_interval = between(source, 1, 3);
        timing->partition_turn = between(source, 1, timing->turn_interval);
    }
}

static uint16_t draw_turns(struct random_source *source)
{
    static const uint16_t turns[] = {1, 1, 1, 1, 2, 2, 3, 4, 5, 8, 16, 32};
    return turns[random_below(source, sizeof turns / sizeof turns[0])];
}

/* `reads`: works tell what they read of the banks of registers, so none is a product of matrices, and no barrier opens as
 * the last warp that did not come to it ends, as in no trace: the machine ends a warp when it takes its last work up,
 * which may have to wait for a bank. */
static struct bsim_op draw_work(struct random_source *source, const struct bsim_timing *timing, bool reads)
{
    uint32_t class = random_below(source, 2) * random_below(source, reads ? BSIM_WORK_TENSOR : BSIM_WORK_LSU);
    uint32_t count = random_below(source, 3) == 0 ? between(source, 1, 20) : 1;
    uint32_t cycles = random_below(source, 4) == 0 ? random_below(source, 20 * count) : 0;
    cycles = random_below(source, 2) == 0 ? random_below(source, 20) : cycles;
    struct bsim_op op;
    bsim_program_work(timing, class, count, cycles, &op);
    if (reads && class > BSIM_WORK_ANY) {
        op.reads.even = (uint8_t)random_below(source, 5);
        op.reads.odd = (uint8_t)random_below(source, 5);
        op.reads.reused_even = (uint8_t)random_below(source, op.reads.even + 1U);
        op.reads.reused_odd = (uint8_t)random_below(source, op.reads.odd + 1U);
    }
    return op;
}

static struct bsim_op draw_op(struct random_source *source, const struct bsim_timing *timing, bool reads)
{
    struct bsim_op op = {.kind = BSIM_OP_MEMORY, .wait = BSIM_NO_WAIT};
    if (random_below(source, 4) == 0) {
        op = draw_work(source, timing, reads);
    }
    if (random_below(source, 3) == 0) {
        op.wait = (uint16_t)random_below(source, 4);
    }
    if (op.kind != BSIM_OP_MEMORY) {
        return op;
    }
    op.is_read = random_below(source, 3) > 0;
    op.registers = (uint8_t)(op.is_read ? between(source, 1, 4) : 0);
    op.late = (uint8_t)(op.is_read ? random_below(source, 3) : 0);
    op.turns = draw_turns(source);
    op.ideal = (uint16_t)(random_below(source, 3) == 0 ? op.turns : 1);
    op.site = (uint16_t)random_below(source, N_SITES);
    return op;
}

static void add(struct bsim_program *program, uint32_t warp, struct bsim_op op)
{
    assert_true(bsim_program_add(program, warp, &op));
}

static void draw_ops(struct random_source *source, const struct bsim_timing *timing,
                     struct bsim_program *program, uint32_t n, bool reads)
{
    uint32_t barriers = random_below(source, 2) == 0 ? 0 : between(source, 2, 20);
    for (uint32_t i = 0; i < n; i++) {
        bool all = random_below(source, 4) == 0;
        uint32_t warp = all ? BSIM_ALL_WARPS : random_below(source, program->n_warps);
        add(program, warp, draw_op(source, timing, reads));
        if (barriers > 0 && random_below(source, barriers) == 0) {
            add(program, random_below(source, 8) == 0 && !reads ? warp : BSIM_ALL_WARPS,
                (struct bsim_op){.kind = BSIM_OP_BARRIER, .wait = BSIM_NO_WAIT});
        }
    }
}

static void draw_loop(struct random_source *source, const struct bsim_timing *timing,
                      struct bsim_program *program, bool reads)
{
    enum { NO_BRANCH, COUNTED_BY_THE_LOOP, COUNTED_BY_WORK, N_SORTS } sort = random_below(source, N_SORTS);
    add(program, BSIM_ALL_WARPS,
        (struct bsim_op){.kind = BSIM_OP_LOOP,
                         .wait = BSIM_NO_WAIT,
                         .count = between(source, 1, 12),
                         .cycles = sort == NO_BRANCH ? 0 : 20,
                         .control = sort == COUNTED_BY_THE_LOOP ? 2 : 0});
    draw_ops(source, timing, program, between(source, 1, 2 * program->n_warps), reads);
    if (random_below(source, 2) == 0) {
        struct bsim_op work;
        bsim_program_work(timing, BSIM_WORK_ANY, 1, 9, &work);
        add(program, BSIM_ALL_WARPS, work);
    }
    assert_true(bsim_program_done(program));
}

static void draw_program(struct random_source *source, const struct bsim_timing *timing,
                         struct bsim_program *program)
{
    static const uint32_t warps[] = {1, 2, 3, 4, 5, 8, 16, 16, 32};
    bool reads = random_below(source, 3) == 0;
    bsim_program_clear(program, warps[random_below(source, sizeof warps / sizeof warps[0])]);
    draw_ops(source, timing, program, between(source, 1, 30 * program->n_warps), reads);
    if (random_below(source, 3) == 0) {
        draw_loop(source, timing, program, reads);
        draw_ops(source, timing, program, between(source, 1, 8), reads);
    }
    assert_true(bsim_program_end(program));
}

static uint64_t booked_in(const uint64_t *sum)
{
    uint64_t booked = sum[BSIM_SUM_ISSUE] + sum[BSIM_SUM_BARRIER];
    for (size_t i = 0; i < N_SITES; i++) {
        const uint64_t *site = sum + BSIM_N_SUMS + i * BSIM_N_SITE_SUMS;
        booked += site[BSIM_SITE_PIPE] + site[BSIM_SITE_LATENCY];
    }
    return booked;
}

/* What the data pipe alone takes. */
static uint64_t bound(const uint64_t *sum, const struct bsim_timing *timing)
{
    uint64_t turns = 0;
    for (size_t i = 0; i < N_SITES; i++) {
        turns += sum[BSIM_N_SUMS + i * BSIM_N_SITE_SUMS + BSIM_SITE_TURNS];
    }
    return turns * timing->turn_interval;
}

/* As it is and without conflicts, side by side. */
static void check(struct bsim_machine *machine, const struct bsim_timing *timing,
                  const struct bsim_program *program, int number)
{
    uint64_t sum[2][BSIM_N_SUMS + N_SITES * BSIM_N_SITE_SUMS] = {{0}};
    struct bsim_run run[2];
    struct bsim_ran ran[2];
    for (int ideal = 0; ideal < 2; ideal++) {
        run[ideal] = (struct bsim_run){.timing = timing,
                                       .n_blocks = 1,
                                       .program = program,
                                       .n_sites = N_SITES,
                                       .sum = sum[ideal],
                                       .ideal_all = ideal,
                                       .ideal_site = BSIM_NO_SITE,
                                       .max_steps = UINT64_MAX};
    }
    assert_int_equal(bsim_machine_run(machine, 2, run, ran, NULL), BSIM_OK);
    for (int ideal = 0; ideal < 2; ideal++) {
        struct plain_times plain;
        uint64_t booked = booked_in(sum[ideal]);
        plain_machine_run(timing, program, ideal, &plain);
        assert_true(ran[ideal].cycles >= bound(sum[ideal], timing));
        if (ran[ideal].cycles != plain.cycles || booked != plain.warp_clocks) {
            fail_msg(
                "program %d%s: %llu cycles, plain %llu; %llu clocks of warps booked, plain %llu",
                number, ideal ? " without conflicts" : "", (unsigned long long)ran[ideal].cycles,
                (unsigned long long)plain.cycles, (unsigned long long)booked,
                (unsigned long long)plain.warp_clocks);
        }
    }
}

static void as_clock_by_clock(void **state)
{
    struct random_source source = {20261121};
    struct bsim_machine *machine = bsim_machine_new();
    struct bsim_program program = {0};
    (void)state;
    assert_non_null(machine);
    for (int i = 0; i < N_PROGRAMS; i++) {
        struct bsim_timing timing;
        draw_timing(&source, &timing);
        draw_program(&source, &timing, &program);
        check(machine, &timing, &program, i);
    }
    bsim_program_free(&program);
    bsim_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_clock_by_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
