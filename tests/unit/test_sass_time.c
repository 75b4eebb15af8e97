/* test_sass_time.c - machine code written by hand: an instruction issues as many clocks behind the one before as ptxas says, and not before the
 * counters that it awaits have fallen. One warp goes round in a loop; what a turn takes is added up by hand from the stalls, and from
 * what is known of an H200:
 *
 *     LDS R4, [R2]              stall 2, tells 0      23 clocks until counter 0 has fallen
 *     IADD3 R5, R4, 0x1, RZ     stall 5, awaits 0     5 to the next
 */
#include <banksim/sass.h>

#include "kernel_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

enum {
    NONE = 7,    /* no counter */
    LOAD = 23,   /* clocks from LDS to its result (src/ptx/work.h) */
    READ = 11,   /* from STS to where its registers may be made anew (src/sass/pace.c): measured, as the others */
    READ_64 = 13,
    READ_128 = 17,
    SPECIAL = 17, /* from MUFU to its result */
    BRANCH = 7,  /* from BRA to what comes next (src/ptx/work.c) ... */
    TAKEN = 10,  /* ... where it is taken */
    WIDE = 2,    /* clocks that what comes behind IMAD.WIDE is later than its stall says (tests/measured/h200/wide.csv) */
    COUNT = 5, COMPARE = 13, /* stalls of the loop's own instructions */
    LOOP = COUNT + COMPARE + TAKEN,
    TURNS = 64,
};

/* "LDS R4, [R3]", and what is written of when: stall, the counter that tells of its result, the one that tells of its reading, and a
 * bit for each counter that it awaits. */
struct code {
    const char *text;
    uint32_t stall, tells, reads, awaits;
};

static void add(struct bsim_buffer *dump, uint32_t *offset, const struct code *code)
{
    uint64_t control = (uint64_t)(code->awaits << 11 | code->reads << 8 | code->tells << 5 | 1u << 4 | code->stall) << 41;
    bsim_buffer_printf(dump, "/*%04" PRIx32 "*/ %s ; /* 0x0000000000000000 */\n/* 0x%016" PRIx64 " */\n", *offset, code->text, control);
    *offset += 16;
}

/* The dump of a kernel that goes round `body` so often, with 4 and 16 times a lane's number in R3 and R2. */
static struct bsim_buffer write_loop(const struct code *body, size_t n, uint32_t turns)
{
    struct bsim_buffer dump = BSIM_BUFFER_EMPTY;
    char text[64];
    uint32_t offset = 0;
    bsim_buffer_text(&dump, "64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0\n.nv.info.loop\n Attribute: EIATTR_PARAM_CBANK\n Value: 0xb 0x210 \n"
                            ".text.loop\nlmem=0 smem=8192\ncode for sm_90\nFunction : loop\n");
    snprintf(text, sizeof text, "MOV R0, 0x%" PRIx32, turns);
    add(&dump, &offset, &(struct code){"S2R R2, SR_TID.X", 1, 0, NONE, 0});
    add(&dump, &offset, &(struct code){"IMAD R3, R2, 0x4, RZ", 5, NONE, NONE, 1});
    add(&dump, &offset, &(struct code){"IADD3 R3, R3, 0x400, RZ", 5, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){"IMAD R2, R2, 0x10, RZ", 5, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){"IADD3 R2, R2, 0x400, RZ", 5, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){text, 5, NONE, NONE, 0});
    for (int k = 0; k < 4; k++) { /* so that all that is loaded was stored */
        snprintf(text, sizeof text, "STS [R2+0x%x], R0", (unsigned)k * 4);
        add(&dump, &offset, &(struct code){text, 5, NONE, NONE, 0});
    }
    uint32_t loop = offset; /* 0xa0 */
    for (size_t i = 0; i < n; i++) {
        add(&dump, &offset, &body[i]);
    }
    snprintf(text, sizeof text, "@P0 BRA 0x%" PRIx32, loop);
    add(&dump, &offset, &(struct code){"IADD3 R0, R0, -0x1, RZ", COUNT, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){"ISETP.NE.AND P0, PT, R0, RZ, PT", COMPARE, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){text, 5, NONE, NONE, 0});
    add(&dump, &offset, &(struct code){"STS [R2], R0", 5, NONE, NONE, 0}); /* what stands behind the last access is not timed */
    add(&dump, &offset, &(struct code){"EXIT", 5, NONE, NONE, 0x3f});
    return dump;
}

static uint64_t run_turns_of(const char *launch, const struct code *body, size_t n, uint32_t turns)
{
    struct bsim_buffer dump = write_loop(body, n, turns), ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    struct bsim_error err = {.message = ""};
    if (bsim_sass_ptx("loop.sass", dump.data, dump.size_bytes, &ptx, &err) != BSIM_OK) {
        fail_msg("line %d: %s", (int)err.line, err.message);
    }
    kernel_text_run(ptx.data, launch, &(struct bsim_ptx_options){.has_work = true}, &call, &result);
    uint64_t cycles = result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    bsim_buffer_free(&dump);
    return cycles;
}

static uint64_t run_turns(const struct code *body, size_t n, uint32_t turns)
{
    return run_turns_of("loop<<<1, 32>>>()", body, n, turns);
}

/* What a turn takes in the long run, in 64ths of a clock. */
static int turn_of(const struct code *body, size_t n)
{
    return (int)(run_turns(body, n, 2 * TURNS) - run_turns(body, n, TURNS));
}

static void expect_turn(const struct code *body, size_t n, uint32_t clocks)
{
    int turn = turn_of(body, n);
    if (turn != (int)clocks * TURNS) {
        fail_msg("%s: a turn takes %d/64 clocks, not %d", body[0].text, turn, (int)clocks);
    }
}

/* That the turn takes so many clocks more than the same one whose instructions await nothing. */
static void expect_wait(const struct code *body, size_t n, uint32_t clocks)
{
    struct code free[4];
    assert_true(n <= 4);
    for (size_t i = 0; i < n; i++) {
        free[i] = body[i];
        free[i].awaits = 0;
    }
    int waited = turn_of(body, n) - turn_of(free, n);
    if (waited != (int)clocks * TURNS) {
        fail_msg("%s: %s awaits %d/64 clocks, not %d", body[0].text, body[n - 1].text, waited, (int)clocks);
    }
}

#define EXPECT_TURN(body, clocks) expect_turn(body, sizeof(body) / sizeof(body)[0], clocks)
#define EXPECT_WAIT(body, clocks) expect_wait(body, sizeof(body) / sizeof(body)[0], clocks)

static void stalls_are_obeyed(void **state)
{
    (void)state;
    for (uint32_t stall = 2; stall <= 15; stall++) {
        const struct code one[] = {{"IADD3 R5, R2, 0x1, RZ", stall, NONE, NONE, 0}};
        const struct code two[] = {{"FADD R5, R2, R2", stall, NONE, NONE, 0}, {"IADD3 R6, R5, 0x1, RZ", 4, NONE, NONE, 0}};
        EXPECT_TURN(one, stall + LOOP);
        EXPECT_TURN(two, stall + 4 + LOOP);
    }
}

static void products_of_64_bits_take_more(void **state)
{
    (void)state;
    for (uint32_t stall = 2; stall <= 13; stall++) {
        const struct code wide[] = {{"IMAD.WIDE R6, R2, R2, RZ", stall, NONE, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
        const struct code hi[] = {{"IMAD.HI.U32 R6, R2, R2, RZ", stall, NONE, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
        const struct code plain[] = {{"IMAD R6, R2, R2, RZ", stall, NONE, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
        EXPECT_TURN(wide, stall + WIDE + 4 + LOOP);
        EXPECT_TURN(hi, stall + WIDE + 4 + LOOP);
        EXPECT_TURN(plain, stall + 4 + LOOP);
    }
}

static void results_of_loads_are_awaited(void **state)
{
    const struct code at_once[] = {{"LDS R4, [R3]", 2, 0, NONE, 0}, {"IADD3 R5, R4, 0x1, RZ", 5, NONE, NONE, 1}};
    const struct code other[] = {{"LDS R4, [R3]", 2, 0, NONE, 0}, {"IADD3 R5, R4, 0x1, RZ", 5, NONE, NONE, 2}}; /* ptxas would not: R4 may not be there */
    const struct code late[] = {{"LDS R4, [R3]", 2, 3, NONE, 0}, {"IADD3 R6, R2, 0x1, RZ", 14, NONE, NONE, 0}, {"IADD3 R5, R4, 0x1, RZ", 5, NONE, NONE, 8}};
    const struct code two[] = {{"LDS R4, [R3]", 4, 0, NONE, 0}, {"LDS R6, [R3+0x80]", 2, 1, NONE, 0}, {"IADD3 R5, R6, 0x1, RZ", 5, NONE, NONE, 2}};
    (void)state;
    EXPECT_TURN(at_once, LOAD + 5 + LOOP);
    EXPECT_TURN(other, 2 + 5 + LOOP);
    EXPECT_WAIT(at_once, LOAD - 2);
    EXPECT_WAIT(other, 0);
    EXPECT_WAIT(late, LOAD - 2 - 14); /* what stands between is hidden */
    EXPECT_WAIT(two, LOAD - 2);
}

static void registers_that_are_read_are_awaited(void **state)
{
    const struct code one[] = {{"STS [R3], R4", 2, NONE, 1, 0}, {"IADD3 R4, R2, 0x1, RZ", 5, NONE, NONE, 2}};
    const struct code two[] = {{"STS.64 [R2], R4", 2, NONE, 1, 0}, {"IADD3 R4, R2, 0x1, RZ", 5, NONE, NONE, 2}};
    const struct code four[] = {{"STS.128 [R2], R4", 2, NONE, 1, 0}, {"IADD3 R4, R2, 0x1, RZ", 5, NONE, NONE, 2}};
    const struct code late[] = {{"STS [R3], R4", 2, NONE, 1, 0}, {"IADD3 R6, R2, 0x1, RZ", 15, NONE, NONE, 0}, {"IADD3 R4, R2, 0x1, RZ", 5, NONE, NONE, 2}};
    (void)state;
    EXPECT_TURN(one, READ + 5 + LOOP);
    EXPECT_WAIT(one, READ - 2);
    EXPECT_WAIT(two, READ_64 - 2);
    EXPECT_WAIT(four, READ_128 - 2);
    EXPECT_WAIT(late, 0);
}

/* Each of the six is its own, and a bit of what is awaited. */
static void counters_are_apart(void **state)
{
    struct code body[] = {{"LDS R4, [R3]", 2, 0, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
    (void)state;
    for (uint32_t tells = 0; tells < 6; tells++) {
        body[0].tells = tells;
        for (uint32_t counter = 0; counter < 6; counter++) {
            body[1].awaits = 1u << counter;
            EXPECT_WAIT(body, counter == tells ? LOAD - 2 : 0);
        }
    }
}

/* What is behind a branch comes 10 clocks later if it is taken and 7 if not, or when ptxas says, if that is more. */
static void branches_take_their_time(void **state)
{
    (void)state;
    for (uint32_t stall = 1; stall <= 15; stall++) {
        const struct code next[] = {{"BRA 0xb0", stall, NONE, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
        const struct code never[] = {{"@!PT BRA 0xb0", stall, NONE, NONE, 0}, {"IADD3 R5, R2, 0x1, RZ", 4, NONE, NONE, 0}};
        EXPECT_TURN(next, (stall > TAKEN ? stall : TAKEN) + 4 + LOOP);
        EXPECT_TURN(never, (stall > BRANCH ? stall : BRANCH) + 4 + LOOP);
    }
}

/* A counter tells of special functions, too, and what stands between is hidden. */
static void special_functions_are_awaited(void **state)
{
    const struct code store = {"STS [R3], R4", 2, NONE, NONE, 0};
    const struct code at_once[] = {store, {"MUFU.RCP R5, R2", 1, 2, NONE, 0}, {"IADD3 R6, R5, 0x1, RZ", 5, NONE, NONE, 4}};
    const struct code late[] = {store, {"MUFU.RCP R5, R2", 1, 2, NONE, 0}, {"IADD3 R7, R2, 0x1, RZ", 10, NONE, NONE, 0}, {"IADD3 R6, R5, 0x1, RZ", 5, NONE, NONE, 4}};
    (void)state;
    EXPECT_TURN(at_once, 2 + SPECIAL + 5 + LOOP);
    EXPECT_TURN(late, 2 + SPECIAL + 5 + LOOP);
}

/* Sixteen whole numbers and as many FADD by turns: a warp alone takes their stalls, 32 clocks, and LOOP's, but two warps of a partition want its pipe of
 * whole numbers for 18 of each, IADD3 and ISETP of the loop among them: 72 clocks, or, where they come to the branch together, 64 and LOOP's. */
static void another_warp_finds_the_pipe_taken(void **state)
{
    enum { PAIRS = 16, ALONE = 2 * PAIRS + LOOP, BOTH = 2 * 2 * (PAIRS + 2), MOST = 2 * 2 * PAIRS + LOOP };
    struct code body[2 * PAIRS];
    (void)state;
    for (uint32_t i = 0; i < PAIRS; i++) {
        body[2 * i] = (struct code){"IADD3 R5, R2, 0x1, RZ", 1, NONE, NONE, 0};
        body[2 * i + 1] = (struct code){"FADD R6, R2, R2", 1, NONE, NONE, 0};
    }
    EXPECT_TURN(body, ALONE);
    const char *launch = "loop<<<1, 256>>>()";
    uint64_t both = run_turns_of(launch, body, 2 * PAIRS, 2 * TURNS) - run_turns_of(launch, body, 2 * PAIRS, TURNS);
    if (both < BOTH * TURNS || both > MOST * TURNS) {
        fail_msg("a turn of two warps takes %d/64 clocks, not %d to %d", (int)both, BOTH, MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stalls_are_obeyed),
        cmocka_unit_test(products_of_64_bits_take_more),
        cmocka_unit_test(results_of_loads_are_awaited),
        cmocka_unit_test(registers_that_are_read_are_awaited),
        cmocka_unit_test(counters_are_apart),
        cmocka_unit_test(branches_take_their_time),
        cmocka_unit_test(special_functions_are_awaited),
        cmocka_unit_test(another_warp_finds_the_pipe_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
