/* test_ptx_tensor.c - copies by TMA of boxes of tensors in PTX, and the maps that a launch says. What must lie
 * where is computed beside in plain C, by what PTX ISA 9.0 says of tiles and swizzles.
 */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { WORDS = 2048, MOST_DIMS = 5 };

/* k(out, map): a tile of 8192 bytes at 0, a barrier of one arrival behind it. All threads store to the tile
 * first: their number in all, plus 1000. */
#define BEGIN(parameter)                                                                           \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 p, .param .align 64 .b8 m[" parameter "]) {\n"                  \
    " .reg .pred %%p<8>;\n .reg .b32 %%r<16>;\n .reg .b64 %%rd<8>;\n"                              \
    " .shared .align 1024 .b8 s[8192];\n .shared .align 8 .b64 b;\n"                               \
    " ld.param.u64 %%rd1, [p];\n mov.b64 %%rd2, m;\n cvta.param.u64 %%rd2, %%rd2;\n"               \
    " mov.u32 %%r0, %%tid.x;\n mov.u32 %%r1, s;\n mov.u32 %%r2, b;\n setp.ne.u32 %%p0, %%r0, 0;\n" \
    " @%%p0 bra READY;\n mbarrier.init.shared.b64 [b], 1;\nREADY:\n mov.u32 %%r3, %%r0;\nFILL:\n"  \
    " shl.b32 %%r4, %%r3, 2;\n add.u32 %%r4, %%r4, %%r1;\n add.u32 %%r5, %%r3, 1000;\n"            \
    " st.shared.u32 [%%r4], %%r5;\n add.u32 %%r3, %%r3, 32;\n setp.lt.u32 %%p1, %%r3, 2048;\n"     \
    " @%%p1 bra FILL;\n fence.proxy.async.shared::cta;\n bar.sync 0;\n"
#define OUT                                                                                        \
    " mov.u32 %%r3, %%r0;\nTELL:\n shl.b32 %%r4, %%r3, 2;\n add.u32 %%r4, %%r4, %%r1;\n"           \
    " ld.shared.u32 %%r5, [%%r4];\n mul.wide.u32 %%rd3, %%r3, 4;\n add.u64 %%rd3, %%rd3, %%rd1;\n" \
    " st.global.u32 [%%rd3], %%r5;\n add.u32 %%r3, %%r3, 32;\n setp.lt.u32 %%p1, %%r3, 2048;\n"    \
    " @%%p1 bra TELL;\n"
#define END " ret;\n}\n"
#define LOAD(dims) "cp.async.bulk.tensor." dims "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
#define ADD "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"

/* ---- loads ----------------------------------------------------------------------------------- */

struct copy {
    int side[MOST_DIMS], box[MOST_DIMS], corner[MOST_DIMS], n_dims;
    int swizzle; /* bytes, or 0 */
    int start;
};

static const struct copy copies[] = {
    {{64, 64}, {32, 8}, {0, 0}, 2, 128, 0},
    {{64, 64}, {32, 8}, {32, 60}, 2, 128, 128}, /* over the end of the last rows */
    {{64, 64}, {16, 16}, {-4, -3}, 2, 64, 256},
    {{64, 64}, {8, 16}, {60, 50}, 2, 32, 1024},
    {{64, 64}, {20, 5}, {52, 62}, 2, 0, 384},
    {{64, 64}, {8, 4}, {4, 4}, 2, 128, 512}, /* rows shorter than the swizzle's */
    {{48}, {48}, {8}, 1, 0, 0},
    {{32, 6, 5}, {8, 3, 2}, {4, 5, -1}, 3, 32, 512},
    {{32, 6, 5}, {32, 6, 5}, {0, 0, 0}, 3, 128, 0},
    {{16, 4, 3, 2}, {8, 2, 2, 2}, {8, 1, 2, 0}, 4, 64, 0},
    {{16, 4, 3, 2, 3}, {8, 2, 2, 2, 2}, {4, 1, 2, 0, 1}, 5, 0, 128},
};

/* Bits of the address: the 16 bytes of 128 that it is in, against the 128 bytes of 1024. */
static int swizzled(int swizzle, int address)
{
    int bits = swizzle == 128 ? 7 : swizzle == 64 ? 3 : swizzle == 32 ? 1 : 0;
    return address ^ ((address >> 7 & bits) << 4);
}

static int rows_of(const struct copy *copy)
{
    int rows = 1;
    for (int d = 1; d < copy->n_dims; d++) {
        rows *= copy->box[d];
    }
    return rows;
}

/* What the tensor, which counts its elements, has there, or 0 outside of it. */
static int element(const struct copy *copy, int row, int i)
{
    int factor = copy->side[0], x = copy->corner[0] + i, value = x;
    bool is_in = x >= 0 && x < copy->side[0];
    for (int d = 1; d < copy->n_dims; d++) {
        int at = copy->corner[d] + row % copy->box[d];
        row /= copy->box[d];
        is_in = is_in && at >= 0 && at < copy->side[d];
        value += at * factor;
        factor *= copy->side[d];
    }
    return is_in ? value : 0;
}

static void fill_expected(const struct copy *copy, int word[WORDS])
{
    int span = copy->swizzle > 0 ? copy->swizzle : 4 * copy->box[0];
    for (int i = 0; i < WORDS; i++) {
        word[i] = 1000 + i;
    }
    for (int row = 0; row < rows_of(copy); row++) {
        for (int i = 0; i < copy->box[0]; i++) {
            int address = copy->start + row * span + 4 * i;
            word[swizzled(copy->swizzle, address) / 4] = element(copy, row, i);
        }
    }
}

static int add_sides(char *text, size_t size, const char *before, const int *side, int n,
                     const char *between)
{
    int used = snprintf(text, size, "%s", before);
    for (int d = 0; d < n; d++) {
        used += snprintf(text + used, size - (size_t)used, "%s%d", d > 0 ? between : "", side[d]);
    }
    return used;
}

static void write_load(const struct copy *copy, char *text, size_t size)
{
    char corner[100];
    add_sides(corner, sizeof corner, "", copy->corner, copy->n_dims, ", ");
    (void)snprintf(text, size,
                   BEGIN("128") " @%%p0 bra W;\n"
                   " mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r2], %d;\n " LOAD("%d")
                   " [%%r1+%d], [%%rd2, {%s}], [%%r2];\nW:\n"
                   " mbarrier.try_wait.parity.shared::cta.b64 %%p2, [%%r2], 0;\n @!%%p2 bra W;\n" OUT END,
                   4 * rows_of(copy) * copy->box[0], copy->n_dims, copy->start, corner);
}

static void write_launch(const struct copy *copy, char *text, size_t size)
{
    char side[100], box[100], swizzle[20] = "none";
    add_sides(side, sizeof side, "", copy->side, copy->n_dims, "x");
    add_sides(box, sizeof box, "", copy->box, copy->n_dims, "x");
    if (copy->swizzle > 0) {
        (void)snprintf(swizzle, sizeof swizzle, "%dB", copy->swizzle);
    }
    (void)snprintf(text, size,
                   "k<<<1, 32>>>(int[2048], tensormap int %s box=%s swizzle=%s = iota)", side, box,
                   swizzle);
}

static void boxes_lie_where_their_swizzle_has_them(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof copies / sizeof *copies; c++) {
        const struct copy *copy = &copies[c];
        char text[4096], launch[300], event[100];
        int word[WORDS];
        struct ptx_run run;
        write_load(copy, text, sizeof text);
        write_launch(copy, launch, sizeof launch);
        fill_expected(copy, word);
        ptx_expect_run(&run, text, launch);
        for (int i = 0; i < WORDS; i++) {
            if ((int)run.out[i] != word[i]) {
                fail_msg("%s: word %d is %d, not %d", launch, i, (int)run.out[i], word[i]);
            }
        }
        (void)snprintf(event, sizeof event, "cp.async.bulk.tensor.%dd.shared.global", copy->n_dims);
        assert_int_equal(ptx_count_events(&run, event), 1);
        (void)snprintf(event, sizeof event, "start=%d from=", copy->start);
        assert_int_equal(ptx_count_events(&run, event), 1);
        assert_int_equal(ptx_count_events(&run, "arrive=1"), 1);
        collect_free(&run.collect);
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* What of a box of 8 by 4, 1000 and on, lies in a tensor of 14 by 8 with its corner at (12, 6): 16 words of its two
 * rows' last 16 bytes, though the side ends after two of four; rows 6 and 7. In an array of 126 words the last two
 * have no place. */
static void what_is_outside_is_not_stored(void **state)
{
    (void)state;
    static const char *const instructions[] = {STORE, ADD};
    for (int i = 0; i < 4; i++) {
        int adds = i % 2, words = i < 2 ? 128 : 126;
        char text[4096], launch[100];
        struct ptx_run run;
        (void)snprintf(text, sizeof text,
                       BEGIN("128") " @%%p0 bra D;\n %s [%%rd2, {12, 6}], [%%r1+128];\n"
                                    " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\nD:\n" END,
                       instructions[adds]);
        (void)snprintf(launch, sizeof launch,
                       "k<<<1, 32>>>(int[%d] = 5, tensormap int 14x8 box=8x4 pitch=64 of 0)", words);
        ptx_expect_run(&run, text, launch);
        for (int w = 0; w < words; w++) {
            int x = w % 16 - 12, y = w / 16 - 6;
            int box = x >= 0 && y >= 0 ? 1000 + 32 + 8 * y + x : 0;
            assert_int_equal((int)run.out[w], box == 0 ? 5 : box + (adds ? 5 : 0));
        }
        assert_int_equal(ptx_count_events(&run, adds ? "cp.reduce.async.bulk.tensor.2d.global.shared.add"
                                                     : "cp.async.bulk.tensor.2d.global.shared"),
                         1);
        assert_int_equal(ptx_count_events(&run, "8x2 start="), 1); /* rows 6 and 7 of 4 */
        assert_int_equal(ptx_count_events(&run, " inside=2"), 1); /* columns 12 and 13 of 8 */
        collect_free(&run.collect);
    }
}

/* No row of it, so that there is nothing to count; who waits for it goes on. */
static void a_store_behind_the_last_row_is_none(void **state)
{
    (void)state;
    char text[4096];
    struct ptx_run run;
    (void)snprintf(text, sizeof text,
                   BEGIN("128") " @%%p0 bra D;\n " STORE " [%%rd2, {0, 8}], [%%r1];\n"
                                " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\nD:\n" END);
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[128] = 5, tensormap int 16x8 box=8x4 of 0)");
    for (int w = 0; w < 128; w++) {
        assert_int_equal(run.out[w], 5);
    }
    assert_int_equal(ptx_count_events(&run, "cp.async.bulk.tensor"), 0);
    collect_free(&run.collect);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* Two maps and a number in one struct; rows of the second, of which four words are used, are 32 bytes apart. */
static void maps_are_members_and_have_pitches(void **state)
{
    (void)state;
    char text[4096];
    struct ptx_run run;
    (void)snprintf(text, sizeof text,
                   BEGIN("320") " @%%p0 bra W;\n ld.param.u32 %%r6, [m+256];\n"
                                " mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r2], 96;\n"
                                " add.u64 %%rd4, %%rd2, 128;\n " LOAD("2")
                                " [%%r1], [%%rd2, {%%r6, 0}], [%%r2];\n " LOAD("2")
                                " [%%r1+128], [%%rd2+128, {0, 1}], [%%r2];\nW:\n"
                                " mbarrier.try_wait.parity.shared::cta.b64 %%p2, [%%r2], 0;\n"
                                " @!%%p2 bra W;\n" OUT END);
    ptx_expect_run(&run, text,
                   "k<<<1, 32>>>(int[2048], {tensormap int 8x8 box=8x2 = 7, tensormap int 4x4 box=4x2 "
                   "pitch=32 = iota, int 4})");
    for (int i = 0; i < 16; i++) {
        assert_int_equal(run.out[i], i % 8 < 4 ? 7 : 0);
    }
    for (int i = 0; i < 8; i++) {
        assert_int_equal(run.out[32 + i], 8 + i / 4 * 8 + i % 4);
    }
    collect_free(&run.collect);
}

static void expect_end(const char *text, const char *launch, enum bsim_status status,
                       const char *message)
{
    struct ptx_run run;
    ptx_run_launch(&run, text, launch);
    if (run.status != status || strstr(run.err.message, message) == NULL) {
        fail_msg("%s: %d: %s, not %s", launch, (int)run.status, run.err.message, message);
    }
    collect_free(&run.collect);
}

static void maps_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *map, *message;
    } cases[] = {
        {"tensormap", "no type of elements known here"},
        {"tensormap half", "a tensor map is as in tensormap half 4096x1024 box=64x128"},
        {"tensormap half 64x64", "box= is missing"},
        {"tensormap float2 64x64 box=8x8", "a tensor has no vectors"},
        {"tensormap half 64x64 box=64", "box= has 1 sides, the tensor 2"},
        {"tensormap half 64x64 box=64x64 swizzle=96B", "'swizzle=96B' is none of"},
        {"tensormap half 64x64 box=64x64 from=16", "'from=16' is none of box=64x128"},
        {"tensormap half 64x64 box=64x257", "1 to 256 elements along each dimension, not 257"},
        {"tensormap half 64x64 box=4x64", "8 bytes, and they must be a multiple of 16"},
        {"tensormap half 64x64 box=64x64 swizzle=64B", "swizzle=64B takes no more"},
        {"tensormap half 60x64 box=32x8", "a stride of 120 bytes: a tensor's are multiples of 16"},
        {"tensormap half 64x64 box=32x8 pitch=64", "pitch=64: a row of the tensor has 128 bytes"},
        {"tensormap half 64x64 box=32x8 pitch=136", "a stride of 136 bytes"},
        {"tensormap half 64x0 box=32x8", "1 to 2^32 elements along each dimension, not 0"},
        {"tensormap half 64x4294967297 box=32x8", "1 to 2^32 elements"},
        {"tensormap half 64x64 box=32x8 of 3", "argument 3, counted from 0, is no array before"},
        {"tensormap half 64x65 box=32x8 of 0", "the tensor has 8320 bytes, the array that it is of 8192"},
        {"tensormap int 8x8 box=8x8 pitch=1099511627776", "a stride of 1099511627776 bytes"},
        {"tensormap int 65536x65536 box=32x8", "an array has 1 byte to 4 GiB"},
        {"{tensormap half 64x64 box=32x8, int 1}", "this struct has 192 bytes, its parameter 128"},
    };
    char text[4096], launch[300];
    (void)snprintf(text, sizeof text, BEGIN("128") END);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(launch, sizeof launch, "k<<<1, 32>>>(int[2048], %s)", cases[i].map);
        expect_end(text, launch, BSIM_E_USAGE, cases[i].message);
    }
}

static void copies_that_cannot_be_end_the_launch(void **state)
{
    (void)state;
    static const char map[] = "k<<<1, 32>>>(int[2048], tensormap int 64x64 box=32x8 swizzle=128B)";
    static const struct {
        const char *instruction, *launch, *message;
        enum bsim_status status;
    } cases[] = {
        {LOAD("2") " [%r1+64], [%rd2, {0, 0}], [%r2];", map,
         "start=64: a box begins at a multiple of 128 bytes", BSIM_E_KERNEL},
        {LOAD("2") " [%r1], [%rd2, {-3, 0}], [%r2];", map,
         "coordinate -3 is -12 bytes from the tensor's first element", BSIM_E_KERNEL},
        {STORE " [%rd2, {0, -1}], [%r1];", map, "coordinate -1 of dimension 1, counted from 0: a box may begin",
         BSIM_E_KERNEL},
        {ADD " [%rd2, {-4, 0}], [%r1];", map, "coordinate -4 of dimension 0, counted from 0: a box may begin",
         BSIM_E_KERNEL},
        {LOAD("2") " [%r1+7424], [%rd2, {0, 0}], [%r2];", map, "1024 bytes from byte 7424 on end behind",
         BSIM_E_KERNEL},
        {LOAD("3") " [%r1], [%rd2, {0, 0, 0}], [%r2];", map,
         "the tensor map has 2 dimensions, the instruction 3", BSIM_E_KERNEL},
        {LOAD("2") " [%r1], [%rd1, {0, 0}], [%r2];", map, "is no tensor map", BSIM_E_KERNEL},
        {LOAD("2") " [%r1], [%rd2+8, {0, 0}], [%r2];", map, "no multiple of the 64 bytes", BSIM_E_KERNEL},
        {LOAD("2") " [%r1], [%rd2, {0, 0}], [%r2+4];", map, "no multiple of the 8 bytes", BSIM_E_KERNEL},
        {LOAD("2") " [%r1], [%rd2, {0, 0, 0}], [%r2];", map, "'cp' is not known here, or not in this form",
         BSIM_E_INPUT},
        {LOAD("2") ".multicast::cluster [%r1], [%rd2, {0, 0}], [%r2], 3;", map,
         "a multicast to the blocks 0x3 of a cluster of 1", BSIM_E_KERNEL},
        {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd2, "
         "{0, 0, 0}], [%r2], {%rs1};",
         map, "'.im2col' is not known here", BSIM_E_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        (void)snprintf(text, sizeof text, BEGIN("128") " .reg .b16 %%rs<2>;\n %s\n" END,
                       cases[i].instruction);
        expect_end(text, cases[i].launch, cases[i].status, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_lie_where_their_swizzle_has_them),
        cmocka_unit_test(what_is_outside_is_not_stored),
        cmocka_unit_test(a_store_behind_the_last_row_is_none),
        cmocka_unit_test(maps_are_members_and_have_pitches),
        cmocka_unit_test(maps_that_cannot_be_are_refused),
        cmocka_unit_test(copies_that_cannot_be_end_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
