/* test_lanes.c - the words of kernel.h that part the lanes of a warp or join them: masks, barriers,
 * repeats, atomics, shuffles, against CUDA's rules. */
#include <banksim/kernel.h>

#include "small_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static unsigned *const out = small_out;

/* ---- masks ---------------------------------------------------------------------------------- */

KERNEL(nested_where)
{
    WHERE (t < 16) {
        STORE(out[t], 1);
        WHERE (t % 2 == 0) {
            STORE(out[t], 2);
        }
        OTHERWISE {
            STORE(out[t], 3);
            WHERE (t > 20) {
                STORE(out[t], 99);
            }
        }
        STORE(out[t + 32], 4);
    }
    OTHERWISE {
        STORE(out[t], 5);
    }
    STORE(out[t + 64], 6);
}

static void where_nests(void **state)
{
    (void)state;
    static const char *const mask[] = {"0000ffff", "00005555", "0000aaaa",
                                       "0000ffff", "ffff0000", "ffffffff"};
    struct collect collect;
    small_run_threads(nested_where, 32, &collect);
    assert_int_equal(collect.n, 2 + 2 * COUNT(mask));
    for (size_t i = 0; i < COUNT(mask); i++) {
        assert_non_null(strstr(collect.item[3 + 2 * i].text, mask[i]));
    }
    for (size_t i = 0; i < 32; i++) {
        small_expect_value(i, i >= 16 ? 5 : i % 2 == 0 ? 2 : 3);
        small_expect_value(i + 32, i < 16 ? 4 : 0);
        small_expect_value(i + 64, 6);
    }
    collect_free(&collect);
}

KERNEL(collatz)
{
    PER_THREAD(unsigned, n);
    PER_THREAD(unsigned, steps);
    EACH_THREAD {
        n[t] = t + 1;
    }
    WHILE_ANY (n[t] != 1) {
        WHERE (n[t] % 2 == 0) {
            EACH_THREAD {
                n[t] /= 2;
            }
        }
        OTHERWISE {
            EACH_THREAD {
                n[t] = 3 * n[t] + 1;
            }
        }
        EACH_THREAD {
            steps[t]++;
        }
    }
    STORE(out[t], steps[t]);
}

/* https://oeis.org/A006577 */
static void each_thread_loops_as_long_as_it_must(void **state)
{
    (void)state;
    static const unsigned steps[] = {0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4};
    struct collect collect;
    small_run_threads(collatz, 16, &collect);
    small_expect_out(steps, COUNT(steps));
    collect_free(&collect);
}

KERNEL(leaving)
{
    EXIT_WHERE(t >= 40);
    STORE(out[t], 1);
    WHERE (t < 8) {
        EXIT_WHERE(t % 2 == 0);
        STORE(out[t], 2);
    }
    SYNCTHREADS();
    STORE(out[t + 64], 3);
    EXIT_WHERE(true);
    SYNCTHREADS();
    STORE(out[t], 4);
}

static void barriers_do_not_wait_for_who_left(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=64,1,1 shared=0", "block 0,0,0",
        "site 1 st.global.u32 out[t] = 1",           "w0 @1 st.global.u32 ffffffff 1:0+4",
        "w1 @1 st.global.u32 000000ff 1:128+4",      "site 2 st.global.u32 out[t] = 2",
        "w0 @2 st.global.u32 000000aa 1:0+4",        "w* bar.sync",
        "site 3 st.global.u32 out[t + 64] = 3",      "w0 @3 st.global.u32 ffffffaa 1:256+4",
        "w1 @3 st.global.u32 000000ff 1:384+4",
    };
    struct collect collect;
    small_run_threads(leaving, 64, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    small_expect_out((const unsigned[]){1, 2, 1, 2, 1, 2, 1, 2, 1}, 9);
}

KERNEL(leaving_in_between)
{
    WHERE (t == 0) {
        STORE(out[t], 1);
    }
    EXIT_WHERE(t == 1);
    OTHERWISE {
        STORE(out[t], 2);
    }
}

static void who_left_is_not_otherwise(void **state)
{
    (void)state;
    struct collect collect;
    small_run_threads(leaving_in_between, 3, &collect);
    small_expect_out((const unsigned[]){1, 0, 2}, 3);
    collect_free(&collect);
}

KERNEL(uniform_barrier)
{
    WHERE (blockDim.x == 8) {
        SYNCTHREADS();
    }
    WHERE (t < 4) {
        EXIT_WHERE(true);
        SYNCTHREADS(); /* nobody is left to reach it */
    }
    SYNCTHREADS();
}

static void a_condition_that_holds_for_all_is_no_divergence(void **state)
{
    (void)state;
    static const char *const line[] = {"kernel k grid=1,1,1 block=8,1,1 shared=0", "block 0,0,0",
                                       "w* bar.sync", "w* bar.sync"};
    struct collect collect;
    small_run_threads(uniform_barrier, 8, &collect);
    small_expect_lines(&collect, line, COUNT(line));
}

KERNEL(skipped)
{
    unsigned bodies = 0;
    WHERE (t > 100) {
        bodies++;
        REPEAT (3) {
            bodies++;
        }
    }
    OTHERWISE {
        bodies += 10;
    }
    WHILE_ANY (false) {
        bodies++;
    }
    REPEAT (0) {
        bodies++;
    }
    STORE(out[0], bodies);
}

static void a_body_for_nobody_is_skipped(void **state)
{
    (void)state;
    struct collect collect;
    small_run_threads(skipped, 4, &collect);
    small_expect_value(0, 10);
    assert_int_equal(collect.n, 4); /* KERNEL, BLOCK, SITE, EVENT: no REPEAT */
    collect_free(&collect);
}

/* ---- repeat and work ------------------------------------------------------------------------ */

KERNEL(loops)
{
    REPEAT (100) {
        STORE(out[t], 1);
        REPEAT_WORK (7, 2, 9) {
            WHERE (t >= 32) {
                WORK(3, 6);
            }
            SYNCTHREADS();
        }
        WORK(1, 0);
    }
}

static void repeat_and_work_are_records(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=33,1,1 shared=0",
        "block 0,0,0",
        "repeat 100 0:0",
        "site 1 st.global.u32 out[t] = 1",
        "w0 @1 st.global.u32 ffffffff 1:0+4",
        "w1 @1 st.global.u32 00000001 1:128+0",
        "repeat 7 2:9",
        "w1 work 3:6",
        "w* bar.sync",
        "done",
        "w0 work 1:0",
        "w1 work 1:0",
        "done",
    };
    struct collect collect;
    small_run_threads(loops, 33, &collect);
    small_expect_lines(&collect, line, COUNT(line));
}

/* ---- atomics -------------------------------------------------------------------------------- */

KERNEL(histogram)
{
    SHARED_1D(unsigned, bins, 4);
    PER_THREAD(unsigned, bin);
    PER_THREAD(unsigned, old);
    EACH_THREAD {
        bin[t] = t % 3;
    }
    WHERE (t < 4) {
        STORE(bins[t], 0);
    }
    SYNCTHREADS();
    ATOMIC_ADD(old[t], bins[bin[t]], 1);
    RED_ADD(bins[3], t);
    ATOMIC_ADD(bin[t], bins[bin[t]], 0); /* the index is gone once the value is there */
    STORE(out[t], old[t]);
    STORE(out[t + 32], bin[t]);
    WHERE (t == 0) {
        LOAD(old[t], bins[3]);
        STORE(out[100], old[t]);
    }
}

static void lanes_take_turns_at_an_atomic(void **state)
{
    (void)state;
    struct collect collect;
    small_run_threads(histogram, 8, &collect);
    small_expect_out((const unsigned[]){0, 0, 0, 1, 1, 1, 2, 2}, 8);
    for (size_t i = 0; i < 8; i++) {
        small_expect_value(32 + i, i % 3 == 2 ? 2 : 3); /* 0 3 6, 1 4 7, 2 5 */
    }
    small_expect_value(100, 28);
    assert_string_equal(collect.item[5].text,
                        "site 2 atom.shared.add.u32 old[t] = atomicAdd(&bins[bin[t]], 1)");
    assert_string_equal(collect.item[6].text, "w0 @2 atom.shared.add.u32 000000ff 0,4,8,0,4,8,0,4");
    assert_string_equal(collect.item[7].text, "site 3 red.shared.add.u32 atomicAdd(&bins[3], t)");
    assert_string_equal(collect.item[8].text, "w0 @3 red.shared.add.u32 000000ff 12+0");
    collect_free(&collect);
}

/* One thread; what each operation leaves and returns, from the CUDA Programming Guide's
 * definitions. */
static void atomics_compute_what_cuda_says(void **state)
{
    (void)state;
    static const struct {
        enum bsim_operation operation;
        unsigned before, value, compare, after;
    } cases[] = {
        {BSIM_ADD, 0xffffffff, 2, 0, 1},
        {BSIM_MIN, 5, 0x80000000, 0, 5},
        {BSIM_MAX, 5, 0x80000000, 0, 0x80000000},
        {BSIM_INC, 3, 4, 0, 4}, /* old >= value ? 0 : old + 1 */
        {BSIM_INC, 4, 4, 0, 0},
        {BSIM_DEC, 3, 4, 0, 2}, /* old == 0 || old > value ? value : old - 1 */
        {BSIM_DEC, 0, 4, 0, 4},
        {BSIM_DEC, 6, 4, 0, 4},
        {BSIM_AND, 12, 10, 0, 8},
        {BSIM_OR, 12, 10, 0, 14},
        {BSIM_XOR, 12, 10, 0, 6},
        {BSIM_EXCH, 12, 10, 0, 10},
        {BSIM_CAS, 12, 10, 12, 10},
        {BSIM_CAS, 12, 10, 11, 12},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsigned place = cases[i].before;
        unsigned old =
            bsim_atomic_uint(cases[i].operation, &place, cases[i].value, cases[i].compare);
        unsigned long long wide = cases[i].before;
        unsigned long long expected = i == 0 ? 0x100000001ull : cases[i].after;
        unsigned long long wide_old =
            bsim_atomic_ullong(cases[i].operation, &wide, cases[i].value, cases[i].compare);
        if (old != cases[i].before || place != cases[i].after || wide_old != cases[i].before ||
            wide != expected) {
            fail_msg("case %zu: old %u, then %u and %llu; expected %u, %u, %llu", i, old, place,
                     wide, cases[i].before, cases[i].after, expected);
        }
    }
}

static void signed_atomics_compare_signed(void **state)
{
    (void)state;
    int i = 5;
    long l = -5;
    long long ll = -5;
    unsigned long ul = 5;
    assert_int_equal(bsim_atomic_int(BSIM_MIN, &i, -1, 0), 5);
    assert_int_equal(i, -1);
    assert_int_equal(bsim_atomic_int(BSIM_MAX, &i, -2, 0), -1);
    assert_int_equal(i, -1);
    i = INT32_MAX;
    assert_int_equal(bsim_atomic_int(BSIM_ADD, &i, 1, 0), INT32_MAX);
    assert_int_equal(i, INT32_MIN);
    assert_int_equal(bsim_atomic_long(BSIM_MAX, &l, 3, 0), -5);
    assert_int_equal(l, 3);
    assert_int_equal(bsim_atomic_llong(BSIM_MIN, &ll, 3, 0), -5);
    assert_int_equal(ll, -5);
    assert_int_equal(bsim_atomic_ulong(BSIM_CAS, &ul, 9, 5), 5);
    assert_int_equal(ul, 9);
}

static void floating_atomics_add_and_exchange(void **state)
{
    (void)state;
    float f = 1.5F;
    double d = 1.5;
    assert_true(bsim_atomic_float(BSIM_ADD, &f, 2.25F, 0) == 1.5F && f == 3.75F);
    assert_true(bsim_atomic_float(BSIM_EXCH, &f, 2.25F, 0) == 3.75F && f == 2.25F);
    assert_true(bsim_atomic_double(BSIM_ADD, &d, 2.25, 0) == 1.5 && d == 3.75);
    assert_true(bsim_atomic_double(BSIM_EXCH, &d, 2.25, 0) == 3.75 && d == 2.25);
}

KERNEL(all_atomics)
{
    int *i = (int *)out;
    unsigned *u = out;
    float *f = (void *)out;
    unsigned long long *w = (unsigned long long *)(void *)out;
    PER_THREAD(int, x);
    PER_THREAD(unsigned, y);
    PER_THREAD(float, z);
    PER_THREAD(unsigned long long, q);
    ATOMIC_ADD(x[t], i[t], 1);
    ATOMIC_MIN(x[t], i[t], 1);
    ATOMIC_MAX(y[t], u[t], 1);
    ATOMIC_INC(y[t], u[t], 1);
    ATOMIC_DEC(y[t], u[t], 1);
    ATOMIC_AND(x[t], i[t], 1);
    ATOMIC_OR(x[t], i[t], 1);
    ATOMIC_XOR(x[t], i[t], 1);
    ATOMIC_EXCH(z[t], f[t], 1);
    ATOMIC_CAS(x[t], i[t], 1, 2);
    ATOMIC_ADD(z[t], f[t], 1);
    ATOMIC_CAS(q[t], w[t], 1, 2);
    RED_ADD(w[t], 1);
    RED_MIN(i[t], 1);
    RED_MAX(i[t], 1);
    RED_INC(u[t], 1);
    RED_DEC(u[t], 1);
    RED_AND(u[t], 1);
    RED_OR(u[t], 1);
    RED_XOR(u[t], 1);
}

static void atomics_have_their_opcodes(void **state)
{
    (void)state;
    static const char *const name[] = {
        "atom.global.add.u32",  "atom.global.min.s32", "atom.global.max.u32", "atom.global.inc.u32",
        "atom.global.dec.u32",  "atom.global.and.b32", "atom.global.or.b32",  "atom.global.xor.b32",
        "atom.global.exch.b32", "atom.global.cas.b32", "atom.global.add.f32", "atom.global.cas.b64",
        "red.global.add.u64",   "red.global.min.s32",  "red.global.max.s32",  "red.global.inc.u32",
        "red.global.dec.u32",   "red.global.and.b32",  "red.global.or.b32",   "red.global.xor.b32",
    };
    struct collect collect;
    small_run_threads(all_atomics, 1, &collect);
    for (uint32_t i = 0; i < COUNT(name); i++) {
        char got[BSIM_OPCODE_NAME_SIZE];
        const struct bsim_event *event = collect_event(&collect, i + 1, 0);
        assert_non_null(event);
        assert_string_equal(bsim_opcode_name(&event->opcode, got), name[i]);
    }
    collect_free(&collect);
}

/* ---- shuffles ------------------------------------------------------------------------------- */

enum shuffle { IDX, UP, DOWN, XOR };

struct shuffle_case {
    enum shuffle kind;
    unsigned operand, width;
};

KERNEL(shuffled)
{
    const struct shuffle_case *a = ARGUMENTS;
    PER_THREAD(unsigned, v);
    EACH_THREAD {
        v[t] = 100 + t;
    }
    switch (a->kind) {
    case IDX:
        SHFL_IDX(v[t], v[t], a->operand, a->width);
        break;
    case UP:
        SHFL_UP(v[t], v[t], a->operand, a->width);
        break;
    case DOWN:
        SHFL_DOWN(v[t], v[t], a->operand, a->width);
        break;
    case XOR:
        SHFL_XOR(v[t], v[t], a->operand, a->width);
        break;
    }
    STORE(out[t], v[t]);
}

/* CUDA's words: each segment of width lanes is a warp of its own, with ranks from 0. idx: rank
 * operand mod width. up, down: rank - operand, rank + operand, unchanged where there is none. xor:
 * lane ^ operand, which may be in an earlier segment, but unchanged if it is in a later one. */
static unsigned shuffle_by_the_guide(const struct shuffle_case *c, unsigned lane)
{
    unsigned segment = lane / c->width;
    unsigned rank = lane % c->width;
    unsigned other = lane ^ c->operand;
    switch (c->kind) {
    case IDX:
        return 100 + segment * c->width + c->operand % c->width;
    case UP:
        return c->operand <= rank ? 100 + lane - c->operand : 100 + lane;
    case DOWN:
        return rank + c->operand < c->width ? 100 + lane + c->operand : 100 + lane;
    default:
        return other / c->width > segment ? 100 + lane : 100 + other;
    }
}

static void shuffles_follow_cuda(void **state)
{
    (void)state;
    for (unsigned kind = IDX; kind <= XOR; kind++) {
        for (unsigned width = 1; width <= 32; width *= 2) {
            for (unsigned operand = 0; operand < 32; operand++) {
                struct shuffle_case c = {(enum shuffle)kind, operand, width};
                struct collect collect;
                struct bsim_launch launch = small_launch(shuffled, (struct bsim_dim3){1, 1, 1},
                                                         (struct bsim_dim3){32, 1, 1});
                launch.arguments = &c;
                small_run(&launch, &collect);
                for (unsigned lane = 0; lane < 32; lane++) {
                    if (out[lane] != shuffle_by_the_guide(&c, lane)) {
                        fail_msg("kind %u operand %u width %u: lane %u has %u", kind, operand,
                                 width, lane, out[lane]);
                    }
                }
                collect_free(&collect);
            }
        }
    }
}

/* Document 000: __shfl_sync(mask, x, 3, 16) gives lanes 0-15 the value of lane 3, and lanes 16-31
 * that of lane 19. */
static void the_documents_shuffle(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=32,1,1 shared=0",
        "block 0,0,0",
        "site 1 shfl.sync.idx.b32 v[t] = shfl(v[t], a->operand, a->width)",
        "w0 @1 shfl.sync.idx.b32 ffffffff -",
        "site 2 st.global.u32 out[t] = v[t]",
        "w0 @2 st.global.u32 ffffffff 1:0+4",
    };
    struct shuffle_case c = {IDX, 3, 16};
    struct collect collect;
    struct bsim_launch launch =
        small_launch(shuffled, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){32, 1, 1});
    launch.arguments = &c;
    small_run(&launch, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    for (size_t lane = 0; lane < 32; lane++) {
        small_expect_value(lane, lane < 16 ? 103 : 119);
    }
}

KERNEL(wide_shuffle)
{
    PER_THREAD(double, d);
    PER_THREAD(unsigned, from);
    PER_THREAD(unsigned, v);
    EACH_THREAD {
        d[t] = t;
        from[t] = 31 - t;
    }
    SHFL_IDX(d[t], d[t], 31 - t, 32);
    SHFL_IDX(from[t], t + 50, from[t], 32); /* the source is gone once the value is there */
    STORE(out[t], (unsigned)d[t]);
    STORE(out[t + 32], from[t]);
    WHERE (t < 4) {
        SHFL_DOWN(v[t], t, 2, 32);
        STORE(out[t + 64], v[t]);
    }
}

static void eight_bytes_are_two_shuffles(void **state)
{
    (void)state;
    struct collect collect;
    small_run_threads(wide_shuffle, 32, &collect);
    assert_int_equal(collect_count(&collect, 1), 2);
    assert_int_equal(collect_count(&collect, 2), 1);
    for (size_t lane = 0; lane < 32; lane++) {
        small_expect_value(lane, (unsigned)(31 - lane));
        small_expect_value(lane + 32, (unsigned)(31 - lane + 50));
    }
    collect_free(&collect);
}

static void who_is_not_there_brings_nothing(void **state)
{
    (void)state;
    struct collect collect;
    small_run_threads(wide_shuffle, 32, &collect);
    small_expect_value(64, 2);
    small_expect_value(65, 3);
    small_expect_value(66, 0x7f7f7f7f);
    small_expect_value(67, 0x7f7f7f7f);
    collect_free(&collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nests),
        cmocka_unit_test(each_thread_loops_as_long_as_it_must),
        cmocka_unit_test(barriers_do_not_wait_for_who_left),
        cmocka_unit_test(who_left_is_not_otherwise),
        cmocka_unit_test(a_condition_that_holds_for_all_is_no_divergence),
        cmocka_unit_test(a_body_for_nobody_is_skipped),
        cmocka_unit_test(repeat_and_work_are_records),
        cmocka_unit_test(lanes_take_turns_at_an_atomic),
        cmocka_unit_test(atomics_compute_what_cuda_says),
        cmocka_unit_test(signed_atomics_compare_signed),
        cmocka_unit_test(floating_atomics_add_and_exchange),
        cmocka_unit_test(atomics_have_their_opcodes),
        cmocka_unit_test(shuffles_follow_cuda),
        cmocka_unit_test(the_documents_shuffle),
        cmocka_unit_test(eight_bytes_are_two_shuffles),
        cmocka_unit_test(who_is_not_there_brings_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
