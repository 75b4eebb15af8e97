/* test_ptx_values.c - single instructions of PTX: what each makes of given operands. What is
 * expected was worked out by hand from the text of PTX ISA 9.0, or by plain C beside it;
 * tests/measured has what an H200 made of random ones. */
#include <banksim/ptx.h>

#include "collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* An instruction of %r1 to %r3 or %rd1 to %rd3, %f and %h being other names of them, to %r0 or
 * %rd0; %p0 is true, %p1 false; %p2 as a result comes out as 1 or 0. */
struct value {
    const char *text;
    uint64_t a, b, c, expected;
};

static uint64_t run_one(const struct value *value)
{
    static const char form[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n .reg .pred %%p<8>;\n .reg .b16 %%h<4>;\n"
        " .reg .b32 %%r<8>;\n .reg .b64 %%rd<8>;\n"
        " setp.eq.u32 %%p0, 0, 0;\n setp.eq.u32 %%p1, 0, 1;\n setp.eq.u32 %%p2, 0, 1;\n"
        " setp.eq.u32 %%p3, 0, 1;\n"
        " mov.b64 %%rd1, 0x%llx;\n mov.b64 %%rd2, 0x%llx;\n mov.b64 %%rd3, 0x%llx;\n"
        " cvt.u32.u64 %%r1, %%rd1;\n cvt.u32.u64 %%r2, %%rd2;\n cvt.u32.u64 %%r3, %%rd3;\n"
        " cvt.u16.u32 %%h1, %%r1;\n cvt.u16.u32 %%h2, %%r2;\n cvt.u16.u32 %%h3, %%r3;\n"
        " mov.b32 %%r0, 0;\n mov.b16 %%h0, 0;\n mov.b64 %%rd0, 0;\n"
        " %s;\n"
        " ld.param.u64 %%rd5, [p];\n%s st.global.b64 [%%rd5], %%rd0;\n ret;\n}\n";
    const char *d = strstr(value->text, "%rd0") != NULL  ? ""
                    : strstr(value->text, "%h0") != NULL ? " cvt.u64.u16 %rd0, %h0;\n"
                    : strstr(value->text, "%r0") != NULL ? " cvt.u64.u32 %rd0, %r0;\n"
                                                         : " selp.u64 %rd0, 1, 0, %p2;\n"
                                                           " @%p3 add.u64 %rd0, %rd0, 2;\n";
    char text[4096], message[1024];
    snprintf(text, sizeof text, form, (unsigned long long)value->a, (unsigned long long)value->b,
             (unsigned long long)value->c, value->text, d);
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    enum bsim_status status =
        bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<1, 1>>>(long[1])", &call, &err);
    status = status == BSIM_OK ? bsim_ptx_call_run(call, &sink, &err) : status;
    if (status != BSIM_OK) {
        fail_msg("%s: %s", value->text, bsim_error_text(&err, message, sizeof message));
    }
    uint64_t out;
    size_t size;
    memcpy(&out, bsim_ptx_call_array(call, "0", &size), sizeof out);
    bsim_ptx_call_free(call);
    collect_free(&collect);
    return out;
}

static void expect_values(const struct value *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t got = run_one(&value[i]);
        if (got != value[i].expected) {
            fail_msg("%s of %llx, %llx, %llx: %llx, not %llx", value[i].text,
                     (unsigned long long)value[i].a, (unsigned long long)value[i].b,
                     (unsigned long long)value[i].c, (unsigned long long)got,
                     (unsigned long long)value[i].expected);
        }
    }
}

#define EXPECT(values) expect_values(values, sizeof(values) / sizeof *(values))

/* ---- whole numbers --------------------------------------------------------------------------- */

static void carries_go_on(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.cc.u32 %r4, %r1, %r2; addc.u32 %r0, %r3, 0", 0xffffffff, 1, 5, 6},
        {"add.cc.u32 %r4, %r1, %r2; addc.u32 %r0, %r3, 0", 0xfffffffe, 1, 5, 5},
        {"add.cc.u32 %r4, %r1, %r2; addc.cc.u32 %r4, %r3, 0; addc.u32 %r0, 0, 0", 0xffffffff, 1,
         0xffffffff, 1},
        {"sub.cc.u32 %r4, %r1, %r2; subc.u32 %r0, %r3, 0", 0, 1, 5, 4},
        {"sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r4, %r3, 0; subc.u32 %r0, 9, 0", 0, 1, 0, 8},
        {"sub.cc.u32 %r4, %r1, %r2; subc.u32 %r0, %r3, 0", 1, 1, 5, 5},
        {"mad.lo.cc.u32 %r4, %r1, %r2, %r3; madc.hi.u32 %r0, %r1, %r2, 0", 0xffffffff, 0xffffffff,
         0xffffffff, 0xffffffff},
        {"mad.lo.cc.u32 %r4, %r1, %r2, %r3; addc.u32 %r0, 0, 0", 0x10000, 0x10000, 7, 0},
        {"mad.hi.cc.s32 %r4, %r1, %r2, %r3; addc.u32 %r0, 0, 0", 0xffffffff, 1, 1, 1},
        {"add.cc.u64 %rd4, %rd1, %rd2; addc.u64 %rd0, %rd3, 0", UINT64_MAX, 1, 5, 6},
        {"mad.lo.cc.u64 %rd4, %rd1, %rd2, %rd3; madc.hi.u64 %rd0, %rd1, %rd2, 0", UINT64_MAX,
         UINT64_MAX, UINT64_MAX, UINT64_MAX},
    };
    EXPECT(values);
}

static void whole_numbers_saturate(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.sat.s32 %r0, %r1, %r2", 0x7fffffff, 1, 0, 0x7fffffff},
        {"add.sat.s32 %r0, %r1, %r2", 0x80000000, 0xffffffff, 0, 0x80000000},
        {"sub.sat.s32 %r0, %r1, %r2", 0x80000000, 1, 0, 0x80000000},
        {"sub.sat.s32 %r0, %r1, %r2", 0, 0x80000000, 0, 0x7fffffff},
        {"mad.hi.sat.s32 %r0, %r1, %r2, %r3", 0x40000000, 0x7fffffff, 0x7fffffff, 0x7fffffff},
        {"mul24.lo.u32 %r0, %r1, %r2", 0xff000003, 0x01000005, 0, 15},
        {"mul24.lo.s32 %r0, %r1, %r2", 0x00ffffff, 5, 0, 0xfffffffb},
        {"mul24.hi.u32 %r0, %r1, %r2", 0x00ffffff, 0x00ffffff, 0, 0xfffffe00},
        {"mad24.lo.u32 %r0, %r1, %r2, %r3", 3, 5, 2, 17},
        {"mad24.hi.s32 %r0, %r1, %r2, %r3", 0x00800000, 0x00800000, 1, 0x40000001},
    };
    EXPECT(values);
}

static void fields_and_bytes_move(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"bfi.b32 %r0, %r1, %r2, 8, 12", 0xabc, 0xffffffff, 0, 0xfffabcff},
        {"bfi.b32 %r0, %r1, %r2, 28, 12", 0xabc, 0, 0, 0xc0000000},
        {"bfi.b32 %r0, %r1, %r2, 4, 0", 0xabc, 0x1234, 0, 0x1234},
        {"bfi.b32 %r0, %r1, %r2, 40, 8", 0xabc, 0x1234, 0, 0x1234},
        {"bfi.b64 %rd0, %rd1, %rd2, 32, 32", 7, 9, 0, UINT64_C(0x700000009)},
        {"bfi.b64 %rd0, %rd1, %rd2, 0, 64", UINT64_MAX, 0, 0, UINT64_MAX},
        {"shf.l.wrap.b32 %r0, %r1, %r2, %r3", 0x80000001, 0x00000002, 1, 5},
        {"shf.l.wrap.b32 %r0, %r1, %r2, %r3", 1, 2, 32, 2},
        {"shf.l.clamp.b32 %r0, %r1, %r2, %r3", 1, 2, 33, 1},
        {"shf.r.wrap.b32 %r0, %r1, %r2, %r3", 2, 1, 1, 0x80000001},
        {"shf.r.clamp.b32 %r0, %r1, %r2, %r3", 1, 2, 40, 2},
        {"prmt.b32 %r0, %r1, %r2, %r3", 0x33221100, 0x77665544, 0x0123, 0x00112233},
        {"prmt.b32 %r0, %r1, %r2, %r3", 0x33221180, 0x77665544, 0x7658, 0x776655ff},
        {"prmt.b32.f4e %r0, %r1, %r2, %r3", 0x33221100, 0x77665544, 1, 0x44332211},
        {"prmt.b32.b4e %r0, %r1, %r2, %r3", 0x33221100, 0x77665544, 1, 0x66770011},
        {"prmt.b32.rc8 %r0, %r1, %r2, %r3", 0x33221100, 0, 2, 0x22222222},
        {"prmt.b32.ecl %r0, %r1, %r2, %r3", 0x33221100, 0, 2, 0x33222222},
        {"prmt.b32.ecr %r0, %r1, %r2, %r3", 0x33221100, 0, 1, 0x11111100},
        {"prmt.b32.rc16 %r0, %r1, %r2, %r3", 0x33221100, 0, 1, 0x33223322},
        {"lop3.b32 %r0, %r1, %r2, %r3, 0xe2", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0xe2e2e2e2},
        {"szext.clamp.s32 %r0, %r1, %r2", 0x80, 8, 0, 0xffffff80},
        {"szext.clamp.u32 %r0, %r1, %r2", 0xffffff80, 8, 0, 0x80},
        {"szext.wrap.s32 %r0, %r1, %r2", 0x80000001, 33, 0, 0xffffffff},
        {"bmsk.clamp.b32 %r0, %r1, %r2", 4, 8, 0, 0xff0},
        {"bmsk.wrap.b32 %r0, %r1, %r2", 36, 40, 0, 0xff0},
        {"fns.b32 %r0, %r1, %r2, %r3", 0xaaaaaaaa, 3, 1, 3},
        {"fns.b32 %r0, %r1, %r2, %r3", 0xaaaaaaaa, 3, 0xffffffff, 3},
        {"fns.b32 %r0, %r1, %r2, %r3", 0xaaaaaaaa, 3, 0xfffffffe, 1},
        {"fns.b32 %r0, %r1, %r2, %r3", 0xaaaaaaaa, 0, 0, 0xffffffff},
        {"fns.b32 %r0, %r1, %r2, %r3", 0xaaaaaaaa, 30, 2, 0xffffffff},
    };
    EXPECT(values);
}

static void parts_add_up(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"dp4a.u32.u32 %r0, %r1, %r2, %r3", 0x01020304, 0x01010101, 100, 110},
        {"dp4a.s32.s32 %r0, %r1, %r2, %r3", 0xff0000ff, 0x02000003, 0, 0xfffffffb},
        {"dp4a.u32.s32 %r0, %r1, %r2, %r3", 0x000000ff, 0x000000ff, 0, 0xffffff01},
        {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3", 0x00020003, 0x01010504, 1, 23},
        {"dp2a.hi.u32.u32 %r0, %r1, %r2, %r3", 0x00020003, 0x05040101, 1, 23},
        {"vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3", 0x00ff0a05, 0xff000c05, 1, 513},
        {"vadd4.u32.u32.u32.sat %r0, %r1, %r2, %r3", 0xff010203, 0x01010101, 0, 0xff020304},
        {"vsub2.s32.s32.s32 %r0, %r1, %r2, %r3", 0x00010005, 0x00020003, 0, 0xffff0002},
        {"sad.u16 %h0, %h1, %h2, %h3", 3, 10, 1, 8},
        {"sad.s16 %h0, %h1, %h2, %h3", 0x8000, 0x7fff, 0, 0xffff},
        {"sad.s64 %rd0, %rd1, %rd2, %rd3", UINT64_MAX, 1, 1, 3},
    };
    EXPECT(values);
}

/* ---- numbers with a point -------------------------------------------------------------------- */

/* 1 + 2^-24 lies in the middle of two floats, 1 + 2^-25 below it. */
static void f32_is_rounded_once(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.rn.f32 %r0, %r1, %r2", 0x3f800000, 0x33800000, 0, 0x3f800000},
        {"add.rz.f32 %r0, %r1, %r2", 0x3f800000, 0x33800001, 0, 0x3f800000},
        {"add.rp.f32 %r0, %r1, %r2", 0x3f800000, 0x00000001, 0, 0x3f800001},
        {"add.rm.f32 %r0, %r1, %r2", 0xbf800000, 0x80000001, 0, 0xbf800001},
        {"sub.rz.f32 %r0, %r1, %r2", 0x3f800000, 0x00000001, 0, 0x3f7fffff},
        {"mul.rp.f32 %r0, %r1, %r2", 0x00000001, 0x00000001, 0, 0x00000001},
        {"mul.rn.f32 %r0, %r1, %r2", 0x00000001, 0x00000001, 0, 0},
        {"mul.rz.f32 %r0, %r1, %r2", 0x7f7fffff, 0x40000000, 0, 0x7f7fffff},
        {"mul.rp.f32 %r0, %r1, %r2", 0x7f7fffff, 0x40000000, 0, 0x7f800000},
        {"mul.rp.f32 %r0, %r1, %r2", 0xff7fffff, 0x40000000, 0, 0xff7fffff},
        {"fma.rm.f32 %r0, %r1, %r2, %r3", 0x3f800000, 0x3f800000, 0x80000001, 0x3f7fffff},
        {"fma.rn.f32 %r0, %r1, %r2, %r3", 0x3f800001, 0x3f7fffff, 0xbf800000, 0x337ffffe},
        {"div.rz.f32 %r0, %r1, %r2", 0x3f800000, 0x40400000, 0, 0x3eaaaaaa},
        {"div.rp.f32 %r0, %r1, %r2", 0x3f800000, 0x40400000, 0, 0x3eaaaaab},
        {"div.rm.f32 %r0, %r1, %r2", 0xbf800000, 0x40400000, 0, 0xbeaaaaab},
        {"rcp.rm.f32 %r0, %r1", 0x40400000, 0, 0, 0x3eaaaaaa},
        {"sqrt.rz.f32 %r0, %r1", 0x40000000, 0, 0, 0x3fb504f3},
        {"sqrt.rp.f32 %r0, %r1", 0x40000000, 0, 0, 0x3fb504f4},
        {"sqrt.rn.f32 %r0, %r1", 0xbf800000, 0, 0, 0x7fffffff},
        {"add.rn.f32 %r0, %r1, %r2", 0x7f800000, 0xff800000, 0, 0x7fffffff},
        {"add.rz.f32 %r0, %r1, %r2", 0x7fc00001, 0x3f800000, 0, 0x7fffffff},
    };
    EXPECT(values);
}

static void f32_is_flushed_and_saturated(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.ftz.f32 %r0, %r1, %r2", 0x00000001, 0x80000001, 0, 0},
        {"add.ftz.f32 %r0, %r1, %r2", 0x807fffff, 0x80000001, 0, 0x80000000},
        {"mul.ftz.f32 %r0, %r1, %r2", 0x00800000, 0x3f000000, 0, 0},
        {"mul.f32 %r0, %r1, %r2", 0x00800000, 0x3f000000, 0, 0x00400000},
        {"mul.rz.ftz.f32 %r0, %r1, %r2", 0x80800000, 0x3f000000, 0, 0x80000000},
        {"fma.rn.ftz.f32 %r0, %r1, %r2, %r3", 0x007fffff, 0x7f000000, 0x3f800000, 0x3f800000},
        {"add.sat.f32 %r0, %r1, %r2", 0x3f800000, 0x3f800000, 0, 0x3f800000},
        {"add.sat.f32 %r0, %r1, %r2", 0xbf800000, 0xbf800000, 0, 0},
        {"add.sat.f32 %r0, %r1, %r2", 0x7fc00000, 0xbf800000, 0, 0},
        {"mul.ftz.sat.f32 %r0, %r1, %r2", 0x3f000000, 0x3f000000, 0, 0x3e800000},
        {"setp.lt.ftz.f32 %p2, %r1, %r2", 0, 0x00000001, 0, 0},
        {"setp.lt.f32 %p2, %r1, %r2", 0, 0x00000001, 0, 1},
        {"setp.nan.ftz.f32 %p2, %r1, %r2", 0x7fc00000, 1, 0, 1},
        {"abs.ftz.f32 %r0, %r1", 0x80000001, 0, 0, 0},
        {"neg.f32 %r0, %r1", 0x00000001, 0, 0, 0x80000001},
        {"min.NaN.f32 %r0, %r1, %r2", 0x7fc00000, 0x3f800000, 0, 0x7fffffff},
        {"min.f32 %r0, %r1, %r2", 0x7fc00000, 0x3f800000, 0, 0x3f800000},
        {"max.f32 %r0, %r1, %r2", 0x80000000, 0, 0, 0},
        {"min.f32 %r0, %r1, %r2", 0, 0x80000000, 0, 0x80000000},
        {"max.xorsign.abs.f32 %r0, %r1, %r2", 0xc0000000, 0x3f800000, 0, 0xc0000000},
        {"div.approx.f32 %r0, %r1, %r2", 0x7f7fffff, 0x7f000000, 0, 0},
    };
    EXPECT(values);
}

static void f64_is_rounded_as_asked(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.rp.f64 %rd0, %rd1, %rd2", UINT64_C(0x3ff0000000000000), 1, 0,
         UINT64_C(0x3ff0000000000001)},
        {"add.rn.f64 %rd0, %rd1, %rd2", UINT64_C(0x3ff0000000000000), 1, 0,
         UINT64_C(0x3ff0000000000000)},
        {"sub.rz.f64 %rd0, %rd1, %rd2", UINT64_C(0x3ff0000000000000), 1, 0,
         UINT64_C(0x3fefffffffffffff)},
        {"mul.rm.f64 %rd0, %rd1, %rd2", UINT64_C(0x8000000000000001), UINT64_C(0x0000000000000001),
         0, UINT64_C(0x8000000000000001)},
        {"fma.rm.f64 %rd0, %rd1, %rd2, %rd3", UINT64_C(0x3ff0000000000000),
         UINT64_C(0x3ff0000000000000), UINT64_C(0x8000000000000001), UINT64_C(0x3fefffffffffffff)},
        {"div.rz.f64 %rd0, %rd1, %rd2", UINT64_C(0x3ff0000000000000), UINT64_C(0x4008000000000000),
         0, UINT64_C(0x3fd5555555555555)},
        {"div.rp.f64 %rd0, %rd1, %rd2", UINT64_C(0x3ff0000000000000), UINT64_C(0x4008000000000000),
         0, UINT64_C(0x3fd5555555555556)},
        {"rcp.rp.f64 %rd0, %rd1", UINT64_C(0x4008000000000000), 0, 0, UINT64_C(0x3fd5555555555556)},
        {"sqrt.rz.f64 %rd0, %rd1", UINT64_C(0x4000000000000000), 0, 0,
         UINT64_C(0x3ff6a09e667f3bcc)},
        {"sqrt.rp.f64 %rd0, %rd1", UINT64_C(0x4000000000000000), 0, 0,
         UINT64_C(0x3ff6a09e667f3bcd)},
    };
    EXPECT(values);
}

/* In f16 1 is 3c00, its last bit 2^-10; in bf16 3f80 and 2^-7. */
static void halves_are_rounded_once(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"add.f16 %h0, %h1, %h2", 0x3c00, 0x1000, 0, 0x3c00}, /* 1 + 2^-11: to even */
        {"add.f16 %h0, %h1, %h2", 0x3c01, 0x1000, 0, 0x3c02},
        {"add.f16 %h0, %h1, %h2", 0x7bff, 0x7bff, 0, 0x7c00},
        {"mul.f16 %h0, %h1, %h2", 0x0001, 0x3800, 0, 0}, /* half of the least: to even */
        {"mul.ftz.f16 %h0, %h1, %h2", 0x0001, 0x4000, 0, 0},
        {"mul.f16 %h0, %h1, %h2", 0x0001, 0x4000, 0, 2},
        {"sub.sat.f16 %h0, %h1, %h2", 0x3c00, 0x4000, 0, 0},
        {"fma.rn.f16 %h0, %h1, %h2, %h3", 0x3c01, 0x3c01, 0xbc00, 0x1800},
        {"fma.rn.relu.f16 %h0, %h1, %h2, %h3", 0x3c00, 0x3c00, 0xc000, 0},
        /* 1.0078125 is 1 + 2^-7; its square's 2^-14 is a tie with 2^-8's alone, c decides */
        {"fma.rn.bf16 %h0, %h1, %h2, %h3", 0x3f80, 0x3b80, 0x3f80, 0x3f80},
        {"fma.rn.bf16 %h0, %h1, %h2, %h3", 0x3b81, 0x3f80, 0x3f80, 0x3f81},
        {"add.f16x2 %r0, %r1, %r2", 0x3c004000, 0x3c003c00, 0, 0x40004200},
        {"fma.rn.f16x2 %r0, %r1, %r2, %r3", 0x3c004000, 0x40004000, 0x3c003c00, 0x42004500},
        {"add.bf16x2 %r0, %r1, %r2", 0x3f804000, 0x3f803f80, 0, 0x40004040},
        {"max.NaN.f16 %h0, %h1, %h2", 0x7e00, 0x3c00, 0, 0x7fff},
        {"max.f16x2 %r0, %r1, %r2", 0x7e008000, 0x3c000000, 0, 0x3c000000},
        {"neg.f16x2 %r0, %r1", 0x3c00bc00, 0, 0, 0xbc003c00},
        {"abs.bf16 %h0, %h1", 0xbf80, 0, 0, 0x3f80},
        {"ex2.approx.f16 %h0, %h1", 0x4200, 0, 0, 0x4800},
        {"tanh.approx.f16 %h0, %h1", 0, 0, 0, 0},
        {"setp.lt.f16 %p2, %h1, %h2", 0xbc00, 0x3c00, 0, 1},
        {"setp.gtu.bf16 %p2, %h1, %h2", 0x7fc0, 0x3f80, 0, 1},
        {"setp.lt.f16x2 %p2|%p3, %r1, %r2", 0x3c004000, 0x40003c00, 0, 2},
    };
    EXPECT(values);
}

static void comparisons_give_numbers(void **state)
{
    (void)state;
    static const struct value values[] = {
        {"set.lt.u32.s32 %r0, %r1, %r2", 0xffffffff, 0, 0, 0xffffffff},
        {"set.lt.u32.u32 %r0, %r1, %r2", 0xffffffff, 0, 0, 0},
        {"set.ge.f32.f64 %r0, %rd1, %rd2", 0, UINT64_C(0x8000000000000000), 0, 0x3f800000},
        {"set.eq.and.u32.u32 %r0, %r1, %r2, !%p0", 1, 1, 0, 0},
        {"set.gt.xor.u32.u16 %r0, %h1, %h2, %p0", 1, 2, 0, 0xffffffff},
        {"setp.lt.and.u32 %p2, %r1, %r2, %p1", 1, 2, 0, 0},
        {"setp.lt.or.u32 %p2, %r1, %r2, !%p1", 3, 2, 0, 1},
        {"slct.u32.s32 %r0, %r1, %r2, %r3", 7, 9, 0x80000000, 9},
        {"slct.f32.f32 %r0, %r1, %r2, %r3", 7, 9, 0x80000000, 7},
        {"slct.ftz.u64.f32 %rd0, %rd1, %rd2, %r3", 7, 9, 0x80000001, 7},
        {"slct.u64.f32 %rd0, %rd1, %rd2, %r3", 7, 9, 0x7fc00000, 9},
        {"testp.subnormal.f32 %p2, %r1", 1, 0, 0, 1},
        {"testp.normal.f32 %p2, %r1", 0x00800000, 0, 0, 1},
        {"testp.finite.f64 %p2, %rd1", UINT64_C(0x7ff0000000000000), 0, 0, 0},
        {"testp.notanumber.f32 %p2, %r1", 0x7f800001, 0, 0, 1},
        {"copysign.f32 %r0, %r1, %r2", 0x80000000, 0x3f800000, 0, 0xbf800000},
    };
    EXPECT(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_go_on),
        cmocka_unit_test(whole_numbers_saturate),
        cmocka_unit_test(fields_and_bytes_move),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(f32_is_rounded_once),
        cmocka_unit_test(f32_is_flushed_and_saturated),
        cmocka_unit_test(f64_is_rounded_as_asked),
        cmocka_unit_test(halves_are_rounded_once),
        cmocka_unit_test(comparisons_give_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
