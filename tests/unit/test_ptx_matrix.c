/* test_ptx_matrix.c - copies beside the threads, barriers in memory, fences, and matrices that a
 * warp holds together, in PTX. Matrices are small whole numbers: their products are exact in every
 * type, and are computed beside in plain loops. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
/* k(unsigned *out, unsigned *in): %rd0 is out + thread, %r0 the thread, %rd1 out, %rd2 in. */
#define BEGIN                                                                           \
    ".visible .entry k(.param .u64 p, .param .u64 q) {\n"                               \
    " .reg .pred %p<8>;\n .reg .b32 %r<64>;\n .reg .b64 %rd<16>;\n .reg .f32 %f<32>;\n" \
    " .shared .align 128 .b8 s[8192];\n"                                                \
    " ld.param.u64 %rd1, [p];\n ld.param.u64 %rd2, [q];\n mov.u32 %r0, %tid.x;\n"       \
    " mul.wide.u32 %rd3, %r0, 4;\n add.s64 %rd0, %rd1, %rd3;\n mov.u32 %r63, s;\n"
#define END " ret;\n}\n"

/* Lane t copies in[4 t ...] to s; odd lanes only its first 8 bytes. */
static void copies_fill_up_with_zeros(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " shl.b32 %r1, %r0, 4;\n add.u32 %r2, %r1, %r63;\n mul.wide.u32 %rd4, %r0, 16;\n"
                   " add.u64 %rd5, %rd4, %rd2;\n and.b32 %r3, %r0, 1;\n setp.eq.u32 %p0, %r3, 0;\n"
                   " selp.u32 %r4, 16, 8, %p0;\n"
                   " cp.async.cg.shared.global.L2::128B [%r2], [%rd5], 16, %r4;\n"
                   " cp.async.commit_group;\n cp.async.wait_group 0;\n bar.sync 0;\n"
                   " ld.shared.u32 %r5, [%r2+12];\n st.global.u32 [%rd0], %r5;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[128] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t % 2 == 0 ? 4 * t + 3 : 0);
    }
    assert_int_equal(
        ptx_count_events(&run, "cp.async.cg.shared.global.16 ffffffff 0+16 from=2:0+16"), 1);
    collect_free(&run.collect);
}

/* As nvcc writes s[63 - t]: the register is below the array, which begins at 0, the offset above
 * it. */
static void narrow_addresses_are_added_up_in_32_bits(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " shl.b32 %r1, %r0, 4;\n add.u32 %r2, %r1, %r63;\n sub.u32 %r2, %r2, 512;\n"
                   " mul.wide.u32 %rd4, %r0, 16;\n add.u64 %rd5, %rd4, %rd2;\n"
                   " cp.async.ca.shared.global [%r2+512], [%rd5], 16;\n"
                   " cp.async.wait_all;\n bar.sync 0;\n"
                   " ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2+512];\n"
                   " atom.shared.add.u32 %r7, [%r2+516], 1000;\n ld.shared.u32 %r8, [%r2+516];\n"
                   " add.u32 %r8, %r8, %r3;\n st.global.u32 [%rd0], %r8;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[128] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], 4 * t + 1 + 1000 + t);
    }
    collect_free(&run.collect);
}

/* Two warps arrive; who waits sees the other's store. */
static void barriers_in_memory_let_through(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " setp.ne.u32 %p0, %r0, 0;\n @%p0 bra READY;\n"
                   " mbarrier.init.shared::cta.b64 [s], 64;\nREADY:\n bar.sync 0;\n"
                   " shl.b32 %r1, %r0, 2;\n add.u32 %r2, %r1, %r63;\n"
                   " st.shared.u32 [%r2+16], %r0;\n"
                   " mbarrier.arrive.shared::cta.b64 %rd4, [s];\n"
                   "WAIT:\n mbarrier.try_wait.shared::cta.b64 %p1, [s], %rd4;\n @!%p1 bra WAIT;\n"
                   " xor.b32 %r1, %r1, 252;\n add.u32 %r2, %r1, %r63;\n"
                   " ld.shared.u32 %r5, [%r2+16];\n membar.gl;\n fence.acq_rel.cta;\n"
                   " st.global.u32 [%rd0], %r5;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64], int[1])");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], 63 - t);
    }
    assert_int_equal(ptx_count_events(&run, "membar.gl"), 2);
    assert_int_equal(ptx_count_events(&run, "fence.acq_rel.cta"), 2);
    collect_free(&run.collect);
}

/* One lane lets 256 bytes come to shared memory and says how many; all wait for them, and change
 * them; they go back the same way. */
static void many_bytes_are_copied_at_once(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " setp.ne.u32 %p0, %r0, 0;\n add.u32 %r1, %r63, 1024;\n mov.u32 %r2, 256;\n"
        " @%p0 bra READY;\n mbarrier.init.shared::cta.b64 [%r1], 1;\n"
        " fence.proxy.async;\n"
        " mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 256;\n"
        " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r63], [%rd2], "
        "%r2, [%r1];\n"
        "READY:\n bar.sync 0;\n"
        "WAIT:\n mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;\n"
        " @!%p1 bra WAIT;\n"
        " shl.b32 %r3, %r0, 2;\n add.u32 %r3, %r3, %r63;\n ld.shared.u32 %r4, [%r3];\n"
        " add.u32 %r4, %r4, 7;\n st.shared.u32 [%r3], %r4;\n bar.sync 0;\n"
        " @%p0 bra DONE;\n cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r63], %r2;\n"
        " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;\nDONE:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64], int[64] = iota)");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], t + 7);
    }
    collect_free(&run.collect);
}

static void bulk_copies_are_of_16_bytes(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r2, 24;\n"
                   " cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r63], %r2;\n" END;
    struct ptx_run run;
    char message[1024];
    ptx_run_launch(&run, text, "k<<<1, 1>>>(int[64], int[64])");
    assert_int_equal(run.status, BSIM_E_KERNEL);
    assert_non_null(strstr(bsim_error_text(&run.err, message, sizeof message),
                           "24 bytes are no multiple of 16"));
    collect_free(&run.collect);
}

/* Each lane adds (1, 2) as f16 and as bf16, and the least number to a float, which is flushed in
 * global memory alone. */
static void atomics_add_numbers_with_a_point(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 0x40003c00;\n mov.u32 %r2, 0x40003f80;\n mov.u32 %r3, 0;\n"
                   " setp.ne.u32 %p0, %r0, 0;\n @%p0 bra GO;\n st.shared.u32 [s], %r3;\n"
                   "GO:\n bar.sync 0;\n red.global.add.noftz.f16x2 [%rd1], %r1;\n"
                   " atom.global.add.noftz.bf16x2 %r4, [%rd1+4], %r2;\n mov.b32 %f1, 0x00000001;\n"
                   " red.global.add.f32 [%rd1+8], %f1;\n red.shared.add.f32 [s], %f1;\n"
                   " bar.sync 0;\n ld.shared.u32 %r5, [s];\n st.global.u32 [%rd1+12], %r5;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[4], int[1])");
    assert_int_equal(run.out[0], 0x54005000); /* 64 and 32 */
    assert_int_equal(run.out[1], 0x42804200);
    assert_int_equal(run.out[2], 0);
    assert_int_equal(run.out[3], 32);
    collect_free(&run.collect);
}

static void a_uniform_load_says_so(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " ldu.global.u32 %r1, [%rd2+4];\n st.global.u32 [%rd0], %r1;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[2] = iota)");
    assert_int_equal(run.out[31], 1);
    assert_int_equal(ptx_count_events(&run, "ldu.global.u32"), 1);
    collect_free(&run.collect);
}

static void a_trap_ends_the_launch(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " setp.ne.u32 %p0, %r0, 5;\n @%p0 bra DONE;\n trap;\nDONE:\n" END;
    struct ptx_run run;
    char message[1024];
    ptx_run_launch(&run, text, "k<<<1, 32>>>(int[1], int[1])");
    assert_int_equal(run.status, BSIM_E_KERNEL);
    assert_non_null(
        strstr(bsim_error_text(&run.err, message, sizeof message), "thread (5,0,0): trap"));
    collect_free(&run.collect);
}

/* What cooperative groups make of grid.sync(): a trap where there is nothing to meet by. */
static void a_trap_for_a_grid_names_its_launch(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " mov.u32 %r1, %envreg2;\n setp.ne.u32 %p0, %r1, 0;\n @%p0 bra DONE;\n trap;\nDONE:\n" END;
    struct ptx_run run;
    ptx_run_launch(&run, text, "k<<<1, 32>>>(int[1], int[1])");
    assert_int_not_equal(run.status, BSIM_OK);
    assert_non_null(
        strstr(run.err.message, "grid.sync() does: that takes cudaLaunchCooperativeKernel"));
    collect_free(&run.collect);
}

/* Rows of 8 numbers of 16 bits: s[row][column] = 8 row + column. */
#define FILL                                                                          \
    " mov.u32 %r1, %r0;\nFILL:\n mul.lo.u32 %r2, %r1, 2;\n add.u32 %r3, %r2, %r63;\n" \
    " cvt.u16.u32 %h0, %r1;\n st.shared.u16 [%r3], %h0;\n add.u32 %r1, %r1, 32;\n"    \
    " setp.lt.u32 %p0, %r1, 256;\n @%p0 bra FILL;\n bar.sync 0;\n"                    \
    " shl.b32 %r4, %r0, 4;\n add.u32 %r5, %r4, %r63;\n"

static void ldmatrix_deals_rows(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .reg .b16 %h<2>;\n" FILL
                   " ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];\n"
                   " ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r14, %r15}, [%r5];\n"
                   " stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r5+4096], {%r10};\n"
                   " mul.wide.u32 %rd4, %r0, 28;\n add.u64 %rd5, %rd4, %rd1;\n"
                   " ld.shared.u32 %r16, [%r5+4096];\n"
                   " st.global.u32 [%rd5], %r10;\n st.global.u32 [%rd5+4], %r13;\n"
                   " st.global.u32 [%rd5+8], %r14;\n st.global.u32 [%rd5+12], %r15;\n"
                   " st.global.u32 [%rd5+16], %r16;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[224], int[1])");
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t two = 2 * t; /* numbers of the first matrix in their order */
        uint32_t down = t % 4 * 2 * 8 + t / 4;
        assert_int_equal(run.out[7 * t], two | (two + 1) << 16);
        assert_int_equal(run.out[7 * t + 1], (192 + two) | (193 + two) << 16);
        assert_int_equal(run.out[7 * t + 2], down | (down + 8) << 16);
        assert_int_equal(run.out[7 * t + 3], (64 + down) | (72 + down) << 16);
        assert_int_equal(run.out[7 * t + 4], t < 8 ? t | (8 + t) << 16 : 0x7f7f7f7f);
    }
    assert_int_equal(ptx_count_events(&run, "ldmatrix.sync.aligned.m8n8.x4"), 1);
    assert_int_equal(ptx_count_events(&run, "ldmatrix.sync.aligned.m8n8.x2.trans"), 1);
    collect_free(&run.collect);
}

/* A and B of 16 x 16 small whole numbers in f16 at s and s + 512, D = A B + C in f32. */
static void wmma_multiplies(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " .reg .b16 %h<2>;\n mov.u32 %r1, %r0;\nFILL:\n rem.u32 %r2, %r1, 7;\n"
        " cvt.rn.f32.u32 %f0, %r2;\n cvt.rn.f16.f32 %h0, %f0;\n shl.b32 %r3, %r1, 1;\n"
        " add.u32 %r3, %r3, %r63;\n st.shared.b16 [%r3], %h0;\n add.u32 %r1, %r1, 32;\n"
        " setp.lt.u32 %p0, %r1, 512;\n @%p0 bra FILL;\n bar.sync 0;\n"
        " mov.u32 %r40, 16;\n add.u32 %r41, %r63, 512;\n mov.f32 %f0, 0f40400000;\n"
        " wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r5, %r6, "
        "%r7, %r8}, [%r63], %r40;\n"
        " wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {%r11, %r12, %r13, %r14, %r15, "
        "%r16, %r17, %r18}, [%r41], %r40;\n"
        " wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1, %f2, %f3, %f4, %f5, %f6, "
        "%f7, %f8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r11, %r12, %r13, %r14, "
        "%r15, %r16, %r17, %r18}, {%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0};\n"
        " wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1, %f2, %f3, %f4, "
        "%f5, %f6, %f7, %f8}, %r40;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(float[256], int[1])");
    for (uint32_t i = 0; i < 256; i++) {
        float sum = 3, got;
        for (uint32_t k = 0; k < 16; k++) {
            uint32_t a = i / 16 * 16 + k, b = 256 + i % 16 * 16 + k; /* B by columns */
            sum += (float)(a % 7 * (b % 7));
        }
        memcpy(&got, &run.out[i], sizeof got);
        assert_true(got == sum);
    }
    assert_int_equal(ptx_count_events(&run, "ldmatrix.sync.aligned.m8n8.x4"), 2);
    assert_int_equal(ptx_count_events(&run, "st.global"), 4);
    collect_free(&run.collect);
}

/* mma.m16n8k8 of tf32: A[row][k] = row + k, B[k][column] = k - column, from PTX ISA's figures. */
static void mma_multiplies(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " shr.u32 %r1, %r0, 2;\n and.b32 %r2, %r0, 3;\n add.u32 %r3, %r1, %r2;\n"
        " add.u32 %r4, %r3, 8;\n add.u32 %r5, %r3, 4;\n add.u32 %r6, %r3, 12;\n"
        " cvt.rn.f32.u32 %f1, %r3;\n cvt.rn.f32.u32 %f2, %r4;\n cvt.rn.f32.u32 %f3, %r5;\n"
        " cvt.rn.f32.u32 %f4, %r6;\n sub.s32 %r7, %r2, %r1;\n add.s32 %r8, %r7, 4;\n"
        " cvt.rn.f32.s32 %f5, %r7;\n cvt.rn.f32.s32 %f6, %r8;\n mov.f32 %f0, 0f00000000;\n"
        " mov.b32 %r11, %f1;\n mov.b32 %r12, %f2;\n mov.b32 %r13, %f3;\n"
        " mov.b32 %r14, %f4;\n mov.b32 %r15, %f5;\n mov.b32 %r16, %f6;\n"
        " mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f10, %f11, %f12, %f13}, "
        "{%r11, %r12, %r13, %r14}, {%r15, %r16}, {%f0, %f0, %f0, %f0};\n"
        " mul.wide.u32 %rd4, %r0, 16;\n add.u64 %rd5, %rd4, %rd1;\n"
        " st.global.v4.f32 [%rd5], {%f10, %f11, %f12, %f13};\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(float[128], int[1])");
    for (uint32_t i = 0; i < 128; i++) {
        int row = (int)(i / 16 + (i % 4 / 2) * 8), column = (int)(i / 4 % 4 * 2 + i % 2);
        float sum = 0, got;
        for (int k = 0; k < 8; k++) {
            sum += (float)((row + k) * (k - column));
        }
        memcpy(&got, &run.out[i], sizeof got);
        assert_true(got == sum);
    }
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_fill_up_with_zeros),
        cmocka_unit_test(many_bytes_are_copied_at_once),
        cmocka_unit_test(bulk_copies_are_of_16_bytes),
        cmocka_unit_test(narrow_addresses_are_added_up_in_32_bits),
        cmocka_unit_test(barriers_in_memory_let_through),
        cmocka_unit_test(atomics_add_numbers_with_a_point),
        cmocka_unit_test(a_uniform_load_says_so),
        cmocka_unit_test(a_trap_ends_the_launch),
        cmocka_unit_test(a_trap_for_a_grid_names_its_launch),
        cmocka_unit_test(ldmatrix_deals_rows),
        cmocka_unit_test(wmma_multiplies),
        cmocka_unit_test(mma_multiplies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
