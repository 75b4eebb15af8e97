/* test_ptx_structs.c - structs that a launch writes: as the compiler of this test lays them out. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* Runs k(out, struct), which copies the struct's bytes to `out`, one each. */
static void expect_bytes(const char *value, const void *due, size_t n)
{
    char text[16384], launch[512];
    size_t used =
        (size_t)snprintf(text, sizeof text,
                         ".version 7.0\n.target sm_70\n.address_size 64\n"
                         ".visible .entry k(.param .u64 p, .param .align 16 .b8 s[%zu]) {\n"
                         ".reg .b16 %%rs<2>;\n.reg .b64 %%rd<2>;\n ld.param.u64 %%rd1, [p];\n",
                         n);
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "ld.param.u8 %%rs1, [s+%zu];\nst.global.u8 [%%rd1+%zu], %%rs1;\n",
                                 i, i);
    }
    snprintf(text + used, sizeof text - used, "ret;\n}\n");
    snprintf(launch, sizeof launch, "k<<<1, 1>>>(char[%zu], %s)", n, value);
    struct ptx_run run;
    ptx_expect_run(&run, text, launch);
    assert_memory_equal(run.out, due, n);
    collect_free(&run.collect);
}

static void members_lie_as_in_c(void **state)
{
    (void)state;
    struct {
        char a;
        short b;
        char c;
        double d;
        float e;
    } mixed = {0};
    mixed.a = -1, mixed.b = 300, mixed.c = 7, mixed.d = 2.5, mixed.e = 0.1f;
    expect_bytes("{char -1, short 300, char 7, 2.5, 0.1f}", &mixed, sizeof mixed);
    struct {
        int i;
        struct {
            char c;
            struct {
                long long l;
                char t;
            } inner;
        } in;
        int end;
    } nested = {0};
    nested.i = 1, nested.in.c = 2, nested.in.inner.l = -3, nested.in.inner.t = 4, nested.end = 5;
    expect_bytes("{1, {char 2, {long -3, char 4}}, 5}", &nested, sizeof nested);
}

/* A float4 is aligned to 16 bytes, a float3 to 4, a char2 to 2 (CUDA Programming Guide, built-in vector types). */
static void vectors_lie_as_in_cuda(void **state)
{
    (void)state;
    struct {
        int i;
        _Alignas(16) float v[4];
        char c;
        _Alignas(2) char two[2];
        float three[3];
    } vectors = {0};
    vectors.i = 9, vectors.c = 1, vectors.two[0] = 2, vectors.two[1] = 3;
    for (int i = 0; i < 4; i++) {
        vectors.v[i] = (float)i - 1;
    }
    for (int i = 0; i < 3; i++) {
        vectors.three[i] = (float)i + 0.5f;
    }
    expect_bytes("{9, float4 {-1, 0, 1, 2}, char 1, char2 {2, 3}, float3 {0.5, 1.5, 2.5}}",
                 &vectors, sizeof vectors);
}

/* A type before the braces is that of the numbers in them; arrays are at (i + 1) << 32, in their order. */
static void types_and_arrays(void **state)
{
    (void)state;
    struct described {
        uint64_t a, m;
        int64_t dims[2];
        float f;
        uint64_t b;
    } array = {UINT64_C(2) << 32, 4096, {32, 16}, 512, UINT64_C(3) << 32};
    unsigned char due[sizeof array] = {0};
    memcpy(due, &array, offsetof(struct described, f) + sizeof array.f);
    memcpy(due + offsetof(struct described, b), &array.b, sizeof array.b);
    expect_bytes("long {float[512], 4096, {32, 16}, float 512, int[1] = 4}", due, sizeof due);
    expect_bytes("{}", "", 1);
    expect_bytes("{char {}, {{}}}", "\0", 2);
}

/* Members of one struct are dumped by their path. */
static void an_array_has_a_path(void **state)
{
    (void)state;
    static const char text[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u32 n, .param .align 8 .b8 s[32]) { ret; }\n";
    static const char *const paths[] = {"1.0", "1.1.1", "1.1.2"}, *const others[] = {
                                                                      "0", "1", "1.1", "1.2", ""};
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    assert_int_equal(bsim_ptx_call_new("k.ptx", text, sizeof text - 1,
                                       "k<<<1, 1>>>(3, {int[1] = 5, {8, int[2] = 6, int[3] = 7}})",
                                       &call, &err),
                     BSIM_OK);
    for (uint32_t i = 0; i < 3; i++) {
        size_t size = 0;
        const int *array = bsim_ptx_call_array(call, paths[i], &size);
        assert_non_null(array);
        assert_int_equal(size, 4 * (i + 1));
        assert_int_equal(array[i], 5 + i);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t size = 0;
        assert_null(bsim_ptx_call_array(call, others[i], &size));
    }
    bsim_ptx_call_free(call);
}

/* A launch of a kernel that loads so from its struct of n bytes. */
static enum bsim_status read_call(size_t n, const char *load, const char *value,
                                  struct bsim_error *err)
{
    char text[1000], launch[200];
    struct bsim_ptx_call *call = NULL;
    int length =
        snprintf(text, sizeof text,
                 ".version 7.0\n.target sm_70\n.address_size 64\n"
                 ".visible .entry k(.param .align 8 .b8 s[%zu]) {\n.reg .b16 %%rs<5>;\n"
                 ".reg .b32 %%r<5>;\n.reg .f32 %%f<5>;\n.reg .b64 %%rd<5>;\n%s;\nret;\n}\n",
                 n, load);
    snprintf(launch, sizeof launch, "k<<<1, 1>>>(%s)", value);
    enum bsim_status status = bsim_ptx_call_new("k.ptx", text, (size_t)length, launch, &call, err);
    if (status == BSIM_OK) {
        bsim_ptx_call_free(call);
    }
    return status;
}

/* What nvcc 13 and clang 14 load of struct { double d; int i; char c; } and the like, at -O0 and -O3: members,
 * parts of them, and bytes of padding. */
static void values_are_as_wide_as_the_kernel_loads_them(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        const char *load, *value;
        uint64_t bytes, at; /* of the load that is refused, or 0 */
    } cases[] = {
        {16, "ld.param.u64 %rd1, [s+8]", "{double 1, long -4}", 0, 0},
        {16, "ld.param.u64 %rd1, [s+8]", "{double 1, int -4}", 8, 8}, /* and 4 bytes of padding */
        {16, "ld.param.u32 %r1, [s+8]", "{double 1, long -4}", 0, 0},
        {16, "ld.param.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [s+12]", "{1.0, 2, char 3}", 0, 0},
        {16, "ld.param.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [s+8]", "{1.0, 2, char 3}", 0, 0},
        {16, "ld.param.u32 %r1, [s+12]", "{1.0, 2, char 3}", 4, 12},
        {16, "ld.param.u32 %r1, [s+12]", "{1.0, 2}", 0, 0}, /* padding alone */
        {8, "ld.param.v2.u32 {%r1, %r2}, [s]", "{1, 2}", 0, 0},
        {8, "ld.param.u64 %rd1, [s]", "{1, 2}", 8, 0},            /* two values for one */
        {8, "ld.param.v2.u32 {%r1, %r2}, [s]", "{long 1}", 4, 4}, /* one value for two */
        {8, "ld.param.v2.u32 {%r1, %r2}, [s];\nld.param.u64 %rd1, [s]", "{long 1}", 0, 0},
        {8, "ld.param.u16 %rs1, [s];\nld.param.u8 %rs2, [s+2]", "{1, 2}", 1, 2}, /* short, char */
        {8, "ld.param.f32 %f1, [s+4]", "{1, 2f}", 0, 0},
        {8, "ld.param.s16 %rs1, [s+2]", "{char 1, short 2, 3}", 0, 0},
        {8, "ld.param.u32 %r1, [s+2]", "{char 1, short 2, 3}", 4, 2},
        {16, "ld.param.v2.u64 {%rd1, %rd2}, [s]", "{long 1, {char 3, 4}}", 8, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_error err = {.message = ""};
        char due[100];
        enum bsim_status status = read_call(cases[i].n, cases[i].load, cases[i].value, &err);
        snprintf(due, sizeof due, "the kernel loads %u bytes at byte %u of this struct, and",
                 (unsigned)cases[i].bytes, (unsigned)cases[i].at);
        if (cases[i].bytes == 0 ? status != BSIM_OK
                                : status != BSIM_E_USAGE || strstr(err.message, due) == NULL) {
            fail_msg("%zu: %s", i, err.message);
        }
    }
    struct bsim_error err;
    assert_int_equal(read_call(16, "ld.param.u64 %rd1, [s+8]", "{ }", &err), BSIM_E_USAGE);
    assert_non_null(strstr(err.message, "this struct has no members, its parameter 16 bytes"));
}

#define LLVM "//\n// Generated by LLVM NVPTX Back-End\n//\n"

/* k(out, parameter) stores the 4 bytes at `at` of its parameter, which the text loads to %r1 or %f1. */
static void run_loaded(struct ptx_run *run, const char *head, const char *parameter,
                       const char *load, const char *value)
{
    char text[1000], launch[200];
    snprintf(text, sizeof text,
             "%s.version 7.0\n.target sm_70\n.address_size 64\n"
             ".visible .entry k(.param .u64 p, .param %s) {\n.reg .b16 %%rs<5>;\n"
             ".reg .b32 %%r<5>;\n.reg .f32 %%f<5>;\n.reg .pred %%p<2>;\n.reg .b64 %%rd<5>;\n "
             "ld.param.u64 %%rd1, [p];\n"
             "%s;\nret;\n}\n",
             head, parameter, load);
    snprintf(launch, sizeof launch, "k<<<1, 1>>>(int[1], %s)", value);
    ptx_run_launch(run, text, launch);
}

static void expect_loaded(const char *head, const char *parameter, const char *load,
                          const char *value, uint32_t bits)
{
    struct ptx_run run;
    run_loaded(&run, head, parameter, load, value);
    if (run.status != BSIM_OK || run.out[0] != bits) {
        fail_msg("%s: 0x%08x, %s", value, (unsigned)run.out[0], run.err.message);
    }
    collect_free(&run.collect);
}

static void expect_refused(const char *head, const char *parameter, const char *load,
                           const char *value, const char *why)
{
    struct ptx_run run;
    run_loaded(&run, head, parameter, load, value);
    if (run.status != BSIM_E_USAGE || strstr(run.err.message, why) == NULL) {
        fail_msg("%s: %d, 0x%08x, %s", value, (int)run.status, (unsigned)run.out[0],
                 run.err.message);
    }
    collect_free(&run.collect);
}

#define STORE_F ";\nst.global.f32 [%rd1], %f1"
#define STORE_R ";\nst.global.b32 [%rd1], %r1"
#define PAIR ".align 4 .b8 s[8]"

/* A whole number without a type is what the kernel loads, 3.0f is 0x40400000; as in a call in C. */
static void whole_numbers_are_floats_where_the_kernel_loads_such(void **state)
{
    (void)state;
    static const char f[] = "ld.param.f32 %f1, [s+4]" STORE_F;
    static const char u[] = "ld.param.u32 %r1, [s+4]" STORE_R;
    static const char s32[] = "ld.param.b32 %r1, [s+4];\nadd.s32 %r2, %r1, 1" STORE_R;
    static const char f32[] = "ld.param.b32 %r1, [s+4];\nadd.f32 %r2, %r1, 0f3F800000" STORE_R;
    static const char vector[] = "ld.param.v2.f32 {%f2, %f1}, [s]" STORE_F;
    expect_loaded("", PAIR, f, "{3, 3}", 0x40400000);
    expect_loaded("", PAIR, f, "{3, -3}", 0xc0400000);
    expect_loaded("", PAIR, f, "{3, 4294967295}", 0x4f800000);
    expect_loaded("", PAIR, f, "{3, 3f}", 0x40400000);
    expect_loaded("", PAIR, vector, "{3, 3}", 0x40400000);
    expect_loaded("", PAIR, u, "{3, 3}", 3);
    expect_loaded("", PAIR, s32, "{3, -3}", 0xfffffffd);
    expect_loaded("", PAIR, f32, "{3, 3}", 0x40400000);
    expect_loaded("", ".f32 s", "ld.param.f32 %f1, [s]" STORE_F, "3", 0x40400000);
    expect_loaded("", ".b32 s", "ld.param.b32 %r1, [s];\nmul.f32 %r2, %r1, %r1" STORE_R, "3",
                  0x40400000);
    expect_loaded("", ".b32 s", "ld.param.b32 %r1, [s];\nsetp.eq.s32 %p1, %r1, 0" STORE_R, "3", 3);
    /* A type that was written stays what it is, and is held against the kernel's. */
    expect_loaded("", PAIR, f, "{3, float 3}", 0x40400000);
    expect_refused("", PAIR, f, "{3, int 3}",
                   "takes the 4 bytes at byte 4 of this argument for a float");
    expect_refused("", PAIR, u, "{3, 3f}", "for a whole number, and a float is written there");
}

/* clang copies floats by ld.param.u32; what only goes from place to place may be either. */
static void numbers_that_may_be_either_need_a_type(void **state)
{
    (void)state;
    static const char copy[] = "ld.param.u32 %r1, [s+4]" STORE_R;
    static const char bits[] = "ld.param.b32 %r1, [s+4]" STORE_R;
    static const char why[] = "a whole number or a float cannot be told from the kernel";
    expect_refused(LLVM, PAIR, copy, "{int 3, 3}", why);
    expect_refused("", PAIR, bits, "{int 3, 3}", why);
    expect_loaded(LLVM, PAIR, copy, "{int 3, int 3}", 3);
    expect_loaded(LLVM, PAIR, copy, "{int 3, float 3}", 0x40400000);
    expect_loaded("", PAIR, copy, "{3, 3}", 3);
}

/* struct { char a; short b; } loads 1 byte of a short that is written for it: the same number, or another
 * struct. */
static void numbers_go_into_what_is_loaded_of_them(void **state)
{
    (void)state;
    static const char load[] = "ld.param.s8 %r1, [s]" STORE_R;
    expect_loaded("", ".align 2 .b8 s[4]", load, "{short -3, short 2}", 0xfffffffd);
    expect_loaded("", ".align 2 .b8 s[4]", load, "{char 44, short 2}", 44);
    expect_refused("", ".align 2 .b8 s[4]", load, "{short 300, short 2}",
                   "loads 1 of the 2 bytes that are written at byte 0");
}

/* nvcc has no type for a __half: its two bytes are loaded as a whole number. 0x3e00 is 1.5. */
static void halves_are_two_bytes(void **state)
{
    (void)state;
    static const char half[] = ".align 2 .b8 s[2]";
    static const char convert[] = "ld.param.u16 %rs1, [s];\ncvt.f32.f16 %f1, %rs1" STORE_F;
    static const char copy[] = "ld.param.u16 %rs1, [s];\ncvt.u32.u16 %r1, %rs1" STORE_R;
    static const char whole[] = "ld.param.u16 %rs1, [s];\nst.global.u16 [%rd1], %rs1";
    expect_loaded("", half, convert, "half 1.5", 0x3fc00000);
    expect_loaded("", half, convert, "{half 1.5}", 0x3fc00000);
    expect_loaded("", half, copy, "{short 3}", 3);
    expect_loaded("", half, whole, "half 1.5", 0x3e00);
    expect_loaded("", half, whole, "short 3", 3);
    expect_refused("", half, convert, "{short 3}", "takes the 2 bytes at byte 0");
    expect_refused("", half, convert, "6", "may be a __half: write half 1.5");
}

/* Numbers as C writes them. */
static void numbers_may_have_suffixes(void **state)
{
    (void)state;
    static const char f[] = "ld.param.f32 %f1, [s+4]" STORE_F;
    static const char u[] = "ld.param.u32 %r1, [s+4]" STORE_R;
    static const char high[] = "ld.param.u64 %rd2, [s+8];\ncvt.u32.u64 %r1, %rd2" STORE_R;
    expect_loaded("", PAIR, f, "{3, 1.f}", 0x3f800000);
    expect_loaded("", PAIR, f, "{3, 1.5F}", 0x3fc00000);
    expect_loaded("", ".f32 s", "ld.param.f32 %f1, [s]" STORE_F, "2.", 0x40000000);
    expect_loaded("", PAIR, u, "{3, 1u}", 1);
    expect_loaded("", ".align 8 .b8 s[16]", high, "{3, 7ll}", 7);
    expect_loaded("", ".align 8 .b8 s[16]", high, "{3, 7ULL}", 7);
    expect_refused("", PAIR, f, "{3, 1u}",
                   "takes the 4 bytes at byte 4 of this argument for a float");
    expect_refused("", PAIR, f, "{3, 1ll}", "this struct has 16 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_lie_as_in_c),
        cmocka_unit_test(vectors_lie_as_in_cuda),
        cmocka_unit_test(types_and_arrays),
        cmocka_unit_test(an_array_has_a_path),
        cmocka_unit_test(values_are_as_wide_as_the_kernel_loads_them),
        cmocka_unit_test(whole_numbers_are_floats_where_the_kernel_loads_such),
        cmocka_unit_test(numbers_that_may_be_either_need_a_type),
        cmocka_unit_test(numbers_go_into_what_is_loaded_of_them),
        cmocka_unit_test(halves_are_two_bytes),
        cmocka_unit_test(numbers_may_have_suffixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
