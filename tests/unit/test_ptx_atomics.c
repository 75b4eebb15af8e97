/* test_ptx_atomics.c - accesses of 16 bytes and more in PTX, atomics of 2 bytes, of 16, and of
 * several numbers. What single atomics leave is in tests/measured/h200/ptx; here are those whose
 * operands no row of it can have. Values are small, and computed beside. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEAD ".version 8.4\n.target sm_90\n.address_size 64\n"
/* k(unsigned *out): %rd1 is out, %rd0 its 16 bytes of the thread %r0. */
#define BEGIN                                                                         \
    ".visible .entry k(.param .u64 p) {\n"                                            \
    " .reg .pred %p<4>;\n .reg .b16 %h<4>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<8>;\n" \
    " .reg .b128 %q<4>;\n .shared .align 16 .b8 s[1024];\n"                           \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 16;\n" \
    " add.s64 %rd0, %rd1, %rd2;\n mov.u32 %r15, s;\n mad.lo.u32 %r14, %r0, 16, %r15;\n"
#define END " ret;\n}\n"

/* Packed, stored, loaded, moved, taken apart: the halves change places. */
static void numbers_of_128_bits_are_moved(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " cvt.u64.u32 %rd3, %r0;\n mov.u64 %rd4, 0x1122334455667788;\n"
                   " mov.b128 %q0, {%rd3, %rd4};\n st.shared.b128 [%r14], %q0;\n"
                   " ld.shared.b128 %q1, [%r14];\n mov.b128 %q2, %q1;\n"
                   " mov.b128 {%rd5, %rd6}, %q2;\n mov.b128 %q3, {%rd6, %rd5};\n"
                   " st.global.b128 [%rd0], %q3;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[128])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[4 * t], 0x55667788);
        assert_int_equal(run.out[4 * t + 1], 0x11223344);
        assert_int_equal(run.out[4 * t + 2], t);
        assert_int_equal(run.out[4 * t + 3], 0);
    }
    assert_int_equal(ptx_count_events(&run, "st.shared.v2.b64"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.v2.b64"), 1);
    collect_free(&run.collect);
}

/* Only the even lanes hold what is compared; all get what was there. */
static void sixteen_bytes_are_exchanged_at_once(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " and.b32 %r1, %r0, 1;\n cvt.u64.u32 %rd3, %r1;\n mov.u64 %rd4, 7;\n"
                   " mov.b128 %q0, {%rd3, %rd4};\n st.global.b128 [%rd0], %q0;\n"
                   " mov.u64 %rd5, 0;\n mov.b128 %q1, {%rd5, %rd4};\n mov.u64 %rd6, 9;\n"
                   " mov.b128 %q2, {%rd6, %rd6};\n"
                   " atom.global.cas.b128 %q3, [%rd0], %q1, %q2;\n"
                   " st.shared.b128 [%r14], %q3;\n"
                   " atom.shared.exch.b128 %q3, [%r14], %q2;\n mov.b128 {%rd3, %rd4}, %q3;\n"
                   " st.global.u32 [%rd0+4], %rd3;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[128])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[4 * t], t % 2 == 0 ? 9 : 1);
        assert_int_equal(run.out[4 * t + 1], t % 2);
        assert_int_equal(run.out[4 * t + 2], t % 2 == 0 ? 9 : 7);
    }
    assert_int_equal(ptx_count_events(&run, "atom.global.cas.b64"), 2);
    assert_int_equal(ptx_count_events(&run, "atom.shared.exch.b64"), 2);
    collect_free(&run.collect);
}

/* All lanes count in one half of a word: each sees another number, the other half stays. */
static void half_a_word_is_compared(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " setp.ne.u32 %p0, %r0, 0;\n @%p0 bra GO;\n mov.u32 %r1, 0xabcd0000;\n"
                   " st.shared.u32 [%r15+4], %r1;\nGO:\n bar.sync 0;\n"
                   "AGAIN:\n ld.shared.u16 %h0, [%r15+4];\n add.u16 %h1, %h0, 1;\n"
                   " atom.shared.cas.b16 %h2, [%r15+4], %h0, %h1;\n setp.ne.u16 %p1, %h2, %h0;\n"
                   " @%p1 bra AGAIN;\n bar.sync 0;\n ld.shared.u32 %r2, [%r15+4];\n"
                   " st.global.u32 [%rd0], %r2;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[128])");
    assert_int_equal(run.out[0], 0xabcd0020);
    assert_int_equal(run.out[124], 0xabcd0020);
    assert_int_equal(ptx_count_events(&run, "atom.shared.cas.b32"), 32);
    collect_free(&run.collect);
}

/* 1.0 is added to (1.0, 2.0), and what was there comes back. */
static void several_numbers_are_added_at_once(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 0x3f800000;\n mov.u32 %r2, 0x40000000;\n"
                   " st.global.v4.b32 [%rd0], {%r1, %r2, %r1, %r2};\n"
                   " atom.global.add.v4.f32 {%r3, %r4, %r5, %r6}, [%rd0], {%r1, %r1, %r1, %r1};\n"
                   " st.global.u32 [%rd0], %r4;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[128])");
    assert_int_equal(run.out[4], 0x40000000);
    assert_int_equal(run.out[5], 0x40400000);
    assert_int_equal(run.out[6], 0x40000000);
    assert_int_equal(run.out[7], 0x40400000);
    assert_int_equal(ptx_count_events(&run, "atom.global.add.f64"), 2);
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_128_bits_are_moved),
                                       cmocka_unit_test(sixteen_bytes_are_exchanged_at_once),
                                       cmocka_unit_test(half_a_word_is_compared),
                                       cmocka_unit_test(several_numbers_are_added_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
