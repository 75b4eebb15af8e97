/* test_ptx_contract.c - which products are rounded only with their sum: what ptxas of CUDA 13.0
 * made of each of these, by its machine code for sm_90; the numbers are C's fma and two roundings.
 */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* %a to %f, of which a * b and c * d are rounded, by less than half a bit of the last place. */
static const float A = 0x1.001p0f, B = 0x1.003p0f, C = -0x1.004p0f, D = 0x1.007p0f, E = 0x1.0003p0f,
                   F = -0x1.005p0f;

static float mul(float x, float y)
{
    volatile float product = x * y;
    return product;
}

static float add(float x, float y)
{
    volatile float sum = x + y;
    return sum;
}

/* A kernel's middle, of %a to %f, that leaves %x and %y; what these are. */
struct contraction {
    const char *text;
    float x, y;
};

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void expect(const struct contraction *contraction, size_t n)
{
    static const char form[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        " .reg .f32 %%a,%%b,%%c,%%d,%%e,%%f,%%x,%%y,%%t,%%u,%%v,%%n;\n .reg .pred %%p,%%q;\n"
        " .reg .b32 %%i;\n .reg .b64 %%to;\n"
        " mov.f32 %%a, 0f%08x;\n mov.f32 %%b, 0f%08x;\n mov.f32 %%c, 0f%08x;\n"
        " mov.f32 %%d, 0f%08x;\n mov.f32 %%e, 0f%08x;\n mov.f32 %%f, 0f%08x;\n"
        " mov.f32 %%x, 0f00000000;\n mov.f32 %%y, 0f00000000;\n ld.param.u64 %%to, [p];\n"
        " mov.u32 %%i, %%tid.x;\n setp.eq.u32 %%p, %%i, 0;\n setp.ne.u32 %%q, %%i, 0;\n"
        " %s\n st.global.f32 [%%to], %%x;\n st.global.f32 [%%to+4], %%y;\n ret;\n}\n";
    for (size_t i = 0; i < n; i++) {
        char text[4096];
        struct ptx_run run;
        snprintf(text, sizeof text, form, bits_of(A), bits_of(B), bits_of(C), bits_of(D),
                 bits_of(E), bits_of(F), contraction[i].text);
        ptx_expect_run(&run, text, "k<<<1, 1>>>(float[4])");
        if (run.out[0] != bits_of(contraction[i].x) || run.out[1] != bits_of(contraction[i].y)) {
            fail_msg("%s\n%08x %08x, not %08x %08x", contraction[i].text, run.out[0], run.out[1],
                     bits_of(contraction[i].x), bits_of(contraction[i].y));
        }
        collect_free(&run.collect);
    }
}

#define EXPECT(...)                                       \
    do {                                                  \
        const struct contraction cases[] = {__VA_ARGS__}; \
        expect(cases, sizeof cases / sizeof *cases);      \
    } while (0)

static void a_product_is_rounded_with_its_sum(void **state)
{
    (void)state;
    assert_true(add(mul(A, B), C) != fmaf(A, B, C));
    assert_true(fmaf(A, B, mul(C, D)) != fmaf(C, D, mul(A, B)));
    EXPECT({"mul.f32 %t,%a,%b; add.f32 %x,%t,%c;", fmaf(A, B, C), 0},
           {"mul.f32 %t,%a,%b; add.f32 %x,%c,%t;", fmaf(A, B, C), 0},
           {"mul.f32 %t,%a,%b; sub.f32 %x,%t,%e;", fmaf(A, B, -E), 0},
           {"mul.f32 %t,%a,%b; sub.f32 %x,%e,%t;", fmaf(-A, B, E), 0},
           {"mul.f32 %t,%a,%b; neg.f32 %n,%t; add.f32 %x,%n,%e;", fmaf(-A, B, E), 0},
           {"mul.f32 %t,%a,%b; neg.f32 %n,%t; sub.f32 %x,%n,%c;", fmaf(-A, B, -C), 0},
           {"mul.f32 %t,%a,%b; neg.f32 %n,%t; sub.f32 %x,%c,%n;", fmaf(A, B, C), 0},
           {"mul.f32 %t,%a,%b; mov.f32 %n,%t; add.f32 %x,%n,%c;", fmaf(A, B, C), 0},
           {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; sub.f32 %y,%t,%e;", fmaf(A, B, C), fmaf(A, B, -E)},
           {"mul.f32 %t,%a,%b; add.f32 %u,%t,%c; mul.f32 %v,%u,%d; add.f32 %x,%v,%f;",
            fmaf(fmaf(A, B, C), D, F), 0},
           {"mul.f32 %t,%a,%b; @%p add.f32 %x,%t,%c; @%q add.f32 %y,%t,%c;", fmaf(A, B, C), 0});
}

static void what_else_is_wanted_of_a_product_is_rounded(void **state)
{
    (void)state;
    float t = mul(A, B);
    EXPECT(
        {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; mov.f32 %y,%t;", add(t, C), t},
        {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; mul.f32 %y,%t,%d;", add(t, C), mul(t, D)},
        {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; fma.rn.f32 %y,%c,%d,%t;", add(t, C), fmaf(C, D, t)},
        {"mul.f32 %t,%a,%b; add.f32 %x,%t,%t;", 2 * t, 0},
        {"mul.f32 %t,%a,%b; abs.f32 %n,%t; add.f32 %x,%n,%c;", add(t, C), 0},
        {"mul.f32 %t,%a,%b; selp.f32 %n,%t,%e,%p; add.f32 %x,%n,%c;", add(t, C), 0},
        {"mov.f32 %t,%e; @%p mul.f32 %t,%a,%b; add.f32 %x,%t,%c;", add(t, C), 0},
        {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; @%q mov.f32 %t,%e; add.f32 %y,%t,%f;", add(t, C),
         add(t, F)});
}

static void of_two_products_one_is_rounded(void **state)
{
    (void)state;
    float t = mul(A, B), u = mul(C, D), v = mul(E, F);
    EXPECT({"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; add.f32 %x,%t,%u;", fmaf(A, B, u), 0},
           {"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; add.f32 %x,%u,%t;", fmaf(C, D, t), 0},
           {"mul.f32 %u,%c,%d; mul.f32 %t,%a,%b; sub.f32 %x,%t,%u;", fmaf(A, B, -u), 0},
           {"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; add.f32 %x,%t,%u; sub.f32 %y,%u,%t;",
            fmaf(A, B, u), fmaf(-A, B, u)},
           /* %u is in two sums, %t in one */
           {"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; add.f32 %y,%u,%e; add.f32 %x,%u,%t;",
            fmaf(A, B, u), add(u, E)},
           /* each in two: the first sum takes its left one, and the second what is left to it */
           {"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; mul.f32 %v,%e,%f; add.f32 %x,%t,%u;"
            "add.f32 %n,%u,%v; add.f32 %y,%v,%t; add.rn.f32 %y,%y,%n;",
            fmaf(A, B, u), add(fmaf(E, F, t), fmaf(E, F, u))},
           /* three and two */
           {"mul.f32 %t,%a,%b; mul.f32 %u,%c,%d; add.f32 %n,%t,%e; add.f32 %x,%t,%u;"
            "add.f32 %v,%t,%f; sub.f32 %y,%e,%u; add.rn.f32 %n,%n,%v; add.rn.f32 %y,%y,%n;",
            fmaf(C, D, t), add(fmaf(-C, D, E), add(fmaf(A, B, E), add(t, F)))});
    assert_true(v != 0);
}

static void roundings_that_are_asked_for_are_done(void **state)
{
    (void)state;
    float t = mul(A, B);
    float within = fmaf(A, B, C);
    EXPECT({"mul.rn.f32 %t,%a,%b; add.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.f32 %t,%a,%b; add.rn.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.f32 %t,%a,%b; add.rn.f32 %x,%t,%c; add.f32 %y,%t,%f;", add(t, C), add(t, F)},
           {"mul.f32 %t,%a,%b; add.sat.f32 %x,%t,%c;", within > 0 ? within : 0, 0},
           {"mul.sat.f32 %t,%a,%b; add.f32 %x,%t,%c;", add(1, C), 0},
           {"mul.ftz.f32 %t,%a,%b; add.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.f32 %t,%a,%b; add.ftz.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.ftz.f32 %t,%a,%b; neg.ftz.f32 %n,%t; sub.ftz.f32 %x,%n,%c;", fmaf(-A, B, -C), 0},
           {"mul.ftz.f32 %t,%a,%b; neg.ftz.f32 %n,%t; sub.ftz.f32 %x,%c,%n;", add(t, C), 0});
}

static void sums_elsewhere_take_products_as_they_are(void **state)
{
    (void)state;
    float t = mul(A, B), fused = fmaf(A, B, C);
    EXPECT({"mul.f32 %t,%a,%b; @%q bra L; add.f32 %x,%t,%c; L:", add(t, C), 0},
           {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; @%q bra L; add.f32 %y,%t,%f; L:", add(t, C),
            add(t, F)},
           {"L: mul.f32 %t,%a,%b; add.f32 %x,%t,%c; @%q bra L;", fused, 0},
           {"mul.f32 %t,%a,%b; bar.sync 0; add.f32 %x,%t,%c;", fused, 0},
           {"mul.f32 %t,%a,%b; st.global.f32 [%to+8],%e; add.f32 %x,%t,%c;", fused, 0},
           {"mul.f32 %t,%a,%b; @%p st.global.f32 [%to+8],%e; add.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.f32 %t,%a,%b; div.u32 %i,%i,3; add.f32 %x,%t,%c;", fused, 0},
           {"mul.f32 %t,%a,%b; div.s32 %i,%i,3; add.f32 %x,%t,%c;", add(t, C), 0},
           {"mul.f32 %t,%a,%b; div.full.f32 %y,%e,%e; add.f32 %x,%t,%c;", fused, 1},
           {"mul.f32 %t,%a,%b; div.rn.f32 %y,%e,%e; add.f32 %x,%t,%c;", add(t, C), 1},
           {"mul.f32 %t,%a,%b; membar.cta; add.f32 %x,%t,%c;", add(t, C), 0},
           /* a quotient that is approximate is a product, too */
           {"div.full.f32 %u,%e,%e; mul.f32 %t,%a,%b; add.f32 %x,%u,%t;", add(1, t), 0},
           {"div.full.f32 %u,%e,%e; mul.f32 %t,%a,%b; add.f32 %x,%t,%u;", fmaf(A, B, 1), 0});
}

/* ptxas contracts these, too; here the operand is gone. */
static void operands_are_those_of_the_product(void **state)
{
    (void)state;
    EXPECT({"mul.f32 %t,%a,%b; mov.f32 %a,%e; add.f32 %x,%t,%c;", add(mul(A, B), C), 0},
           {"mul.f32 %a,%a,%b; add.f32 %x,%a,%c;", add(mul(A, B), C), 0},
           {"mul.f32 %t,%a,%b; add.f32 %x,%t,%c; mov.f32 %a,%e;", fmaf(A, B, C), 0});
}

/* (1 + 2^-k)^2 - (1 + 2^(1 - k)) is 2^-2k, or 0 if the square is rounded. */
static void every_type_with_a_point_is_contracted(void **state)
{
    static const char form[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        " .reg .b%s %%a,%%b,%%t,%%x;\n .reg .b64 %%to;\n ld.param.u64 %%to, [p];\n"
        " mov.b%s %%a, 0x%llx;\n mov.b%s %%b, 0x%llx;\n"
        " mul.%s %%t, %%a, %%a;\n sub.%s %%x, %%t, %%b;\n st.global.b%s [%%to], %%x;\n ret;\n}\n";
    static const struct {
        const char *type, *bits;
        unsigned long long a, b;
        uint32_t low, high;
    } types[] = {{"f64", "64", 0x3ff0000000400000, 0x3ff0000000800000, 0, 0x3c300000},
                 {"f16", "16", 0x3c10, 0x3c20, 0x0c00, 0},
                 {"f16x2", "32", 0x3c103c10, 0x3c203c20, 0x0c000c00, 0},
                 {"bf16", "16", 0x3f82, 0x3f84, 0x3980, 0},
                 {"bf16x2", "32", 0x3f823f82, 0x3f843f84, 0x39803980, 0},
                 {"ftz.f16", "16", 0x3c10, 0x3c20, 0x0c00, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[1024];
        struct ptx_run run;
        const char *bits = types[i].bits;
        snprintf(text, sizeof text, form, bits, bits, types[i].a, bits, types[i].b, types[i].type,
                 types[i].type, bits);
        ptx_expect_run(&run, text, "k<<<1, 1>>>(int[2])");
        if (run.out[0] != types[i].low || run.out[1] != types[i].high) {
            fail_msg("%s: %08x %08x", types[i].type, run.out[1], run.out[0]);
        }
        collect_free(&run.collect);
    }
}

/* In pairs the sums come as they stand; else those with a product of one use come first. */
static void pairs_are_contracted_from_the_start_on(void **state)
{
    static const char form[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        " .reg .b32 %%a,%%b,%%t,%%u,%%x,%%y;\n .reg .b64 %%to;\n ld.param.u64 %%to, [p];\n"
        " mov.b32 %%a, 0x%x;\n mov.b32 %%b, 0x%x;\n mul.%s %%t, %%a, %%a;\n mul.%s %%u, %%b, %%b;\n"
        " sub.%s %%x, %%t, %%b;\n sub.%s %%y, %%t, %%u;\n"
        " st.global.b32 [%%to], %%x;\n st.global.b32 [%%to+4], %%y;\n ret;\n}\n";
    static const struct {
        const char *type;
        uint32_t a, b, x;
    } types[] = {{"f16x2", 0x3c103c10, 0x3c203c20, 0x0c000c00}, {"f32", 0x3f800800, 0x3f801000, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[1024];
        struct ptx_run run;
        const char *type = types[i].type;
        snprintf(text, sizeof text, form, types[i].a, types[i].b, type, type, type, type);
        ptx_expect_run(&run, text, "k<<<1, 1>>>(int[2])");
        assert_int_equal(run.out[0], types[i].x);
        collect_free(&run.collect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_rounded_with_its_sum),
        cmocka_unit_test(what_else_is_wanted_of_a_product_is_rounded),
        cmocka_unit_test(of_two_products_one_is_rounded),
        cmocka_unit_test(roundings_that_are_asked_for_are_done),
        cmocka_unit_test(sums_elsewhere_take_products_as_they_are),
        cmocka_unit_test(operands_are_those_of_the_product),
        cmocka_unit_test(every_type_with_a_point_is_contracted),
        cmocka_unit_test(pairs_are_contracted_from_the_start_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
