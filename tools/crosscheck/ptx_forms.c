/* ptx_forms.c - the forms as templates: {a,b} stands for a and for b, \, for a comma in one of
 * them, <a, b> for a vector's braces. */
#include "ptx_forms.h"

#include <math.h>
#include <string.h>

static const struct {
    enum ptx_class operands;
    const char *text;
    double tolerance;
} templates[] = {
    /* whole numbers */
    {PTX_WHOLE, "{add,sub,min,max,mul.lo,mul.hi,div,rem}{.u16,.s16} %h0, %h1, %h2", 0},
    {PTX_WHOLE, "{add,sub,min,max,mul.lo,mul.hi,div,rem}{.u32,.s32} %r0, %r1, %r2", 0},
    {PTX_WHOLE, "{add,sub,min,max,mul.lo,mul.hi,div,rem}{.u64,.s64} %rd0, %rd1, %rd2", 0},
    {PTX_WHOLE, "mul.wide{.u16,.s16} %r0, %h1, %h2", 0},
    {PTX_WHOLE, "mul.wide{.u32,.s32} %rd0, %r1, %r2", 0},
    {PTX_WHOLE, "mad.wide{.u16,.s16} %r0, %h1, %h2, %r3", 0},
    {PTX_WHOLE, "mad.wide{.u32,.s32} %rd0, %r1, %r2, %rd3", 0},
    {PTX_WHOLE, "mad{.lo,.hi}{.u16,.s16} %h0, %h1, %h2, %h3", 0},
    {PTX_WHOLE, "mad{.lo,.hi}{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "mad{.lo,.hi}{.u64,.s64} %rd0, %rd1, %rd2, %rd3", 0},
    {PTX_WHOLE, "{add,sub}.sat.s32 %r0, %r1, %r2", 0},
    {PTX_WHOLE, "mad.hi.sat.s32 %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "{min,max}.relu.s32 %r0, %r1, %r2", 0},
    {PTX_WHOLE, "mul24{.lo,.hi}{.u32,.s32} %r0, %r1, %r2", 0},
    {PTX_WHOLE, "mad24{.lo,.hi}{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "mad24.hi.sat.s32 %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "sad{.u16,.s16} %h0, %h1, %h2, %h3", 0},
    {PTX_WHOLE, "sad{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "sad{.u64,.s64} %rd0, %rd1, %rd2, %rd3", 0},
    {PTX_WHOLE, "{abs,neg}.s16 %h0, %h1", 0},
    {PTX_WHOLE, "{abs,neg}.s32 %r0, %r1", 0},
    {PTX_WHOLE, "{abs,neg}.s64 %rd0, %rd1", 0},
    {PTX_WHOLE,
     "{add,sub}.cc.u32 %r4, %r1, %r2; {add,sub}c.cc.u32 %r5, %r3, %r1; addc.u32 %r0, %r2, %r5", 0},
    {PTX_WHOLE,
     "{add,sub}.cc.s64 %rd4, %rd1, %rd2; {add,sub}c.cc.u64 %rd5, %rd3, %rd1; subc.u64 %rd0, %rd2, "
     "%rd5",
     0},
    {PTX_WHOLE,
     "mad{.lo,.hi}.cc{.u32,.s32} %r4, %r1, %r2, %r3; madc{.lo,.hi}.cc{.u32,.s32} %r5, %r2, %r3, "
     "%r1; addc.u32 %r0, %r5, %r4",
     0},
    {PTX_WHOLE,
     "mad{.lo,.hi}.cc{.u64,.s64} %rd4, %rd1, %rd2, %rd3; madc{.lo,.hi}{.u64,.s64} %rd0, %rd2, "
     "%rd3, %rd4",
     0},
    {PTX_WHOLE, "{and,or,xor}.b16 %h0, %h1, %h2", 0},
    {PTX_WHOLE, "{and,or,xor}.b32 %r0, %r1, %r2", 0},
    {PTX_WHOLE, "{and,or,xor}.b64 %rd0, %rd1, %rd2", 0},
    {PTX_WHOLE, "{not,cnot}.b16 %h0, %h1", 0},
    {PTX_WHOLE, "{not,cnot,brev}.b32 %r0, %r1", 0},
    {PTX_WHOLE, "{not,cnot,brev}.b64 %rd0, %rd1", 0},
    {PTX_WHOLE, "{popc,clz}.b32 %r0, %r1", 0},
    {PTX_WHOLE, "{popc,clz}.b64 %r0, %rd1", 0},
    {PTX_WHOLE, "bfind{,.shiftamt}{.u32,.s32} %r0, %r1", 0},
    {PTX_WHOLE, "bfind{,.shiftamt}{.u64,.s64} %r0, %rd1", 0},
    {PTX_WHOLE, "dp4a{.u32,.s32}{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "dp2a{.lo,.hi}{.u32,.s32}{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE,
     "{vadd,vsub,vavrg,vabsdiff,vmin,vmax}{2,4}{.u32.u32.u32,.s32.s32.s32}{,.sat,.add} %r0, %r1, "
     "%r2, %r3",
     0},
    {PTX_WHOLE, "lop3.b32 %r0, %r1, %r2, %r3, {0x01,0x96,0xe8,0xca,0xf0,0xcc,0xaa,0x1b}", 0},
    {PTX_WHOLE, "prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "selp{.b32,.u32,.f32} %r0, %r1, %r2, %p2", 0},
    {PTX_WHOLE, "selp.f64 %rd0, %rd1, %rd2, %p2", 0},
    {PTX_WHOLE, "slct{.b32,.f32}.s32 %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "slct.u64.s32 %rd0, %rd1, %rd2, %r3", 0},
    {PTX_F32, "slct{,.ftz}.b32.f32 %r0, %r1, %r2, %r3", 0},
    {PTX_WHOLE, "setp{.eq,.ne,.lt,.le,.gt,.ge}{.s16,.u16} %p0|%p1, %h1, %h2", 0},
    /* shifts and fields */
    {PTX_SHIFT, "{shl.b16,shr.b16,shr.u16,shr.s16} %h0, %h1, %r2", 0},
    {PTX_SHIFT, "{shl.b32,shr.b32,shr.u32,shr.s32} %r0, %r1, %r2", 0},
    {PTX_SHIFT, "{shl.b64,shr.b64,shr.u64,shr.s64} %rd0, %rd1, %r2", 0},
    {PTX_SHIFT, "shf{.l,.r}{.wrap,.clamp}.b32 %r0, %r1, %r3, %r2", 0},
    {PTX_SHIFT, "bfe{.u32,.s32} %r0, %r1, %r2, %r3", 0},
    {PTX_SHIFT, "bfe{.u64,.s64} %rd0, %rd1, %r2, %r3", 0},
    {PTX_SHIFT, "bfi.b32 %r0, %r1, %r1, %r2, %r3", 0},
    {PTX_SHIFT, "not.b64 %rd4, %rd1; bfi.b64 %rd0, %rd1, %rd4, %r2, %r3", 0},
    {PTX_SHIFT, "szext{.clamp,.wrap}{.u32,.s32} %r0, %r1, %r2", 0},
    {PTX_SHIFT, "bmsk{.clamp,.wrap}.b32 %r0, %r2, %r3", 0},
    {PTX_SHIFT, "and.b32 %r2, %r2, 31; fns.b32 %r0, %r1, %r2, {1,3,-2,0}", 0},
    /* lanes */
    {PTX_SHIFT,
     "shfl.sync{.up,.down,.bfly,.idx}.b32 %r0|%p0, %r1, %r2, "
     "{0x1f,0x181f,0x1c1f,0,0x1800,0xf,0x1807}, -1",
     0},
    {PTX_WHOLE, "and.b32 %r1, %r1, {1,3,7}; match.any.sync.b32 %r0, %r1, -1", 0},
    {PTX_WHOLE, "match.all.sync.b32 %r0|%p0, %r1, -1", 0},
    {PTX_WHOLE, "redux.sync{.add,.min,.max}{.u32,.s32} %r0, %r1, -1", 0},
    {PTX_WHOLE, "redux.sync{.and,.or,.xor}.b32 %r0, %r1, -1", 0},
    {PTX_WHOLE, "vote.sync{.all,.any,.uni}.pred %p0, {,!}%p2, -1", 0},
    {PTX_WHOLE, "vote.sync.ballot.b32 %r0, {,!}%p2, -1", 0},
    /* comparisons */
    {PTX_WHOLE, "setp{.eq,.ne,.lt,.le,.gt,.ge}{.s32,.u32} %p0|%p1, %r1, %r2", 0},
    {PTX_WHOLE, "setp{.lo,.ls,.hi,.hs}{.and,.or,.xor}.u32 %p0|%p1, %r1, %r2, {,!}%p2", 0},
    {PTX_WHOLE, "setp{.eq,.ne,.lt,.le,.gt,.ge}{.s64,.u64} %p0|%p1, %rd1, %rd2", 0},
    {PTX_F32,
     "setp{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}{,.ftz}.f32 %p0|%p1, "
     "%r1, %r2",
     0},
    {PTX_F64,
     "setp{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}.f64 %p0|%p1, %rd1, "
     "%rd2",
     0},
    {PTX_F16, "setp{.eq,.ne,.lt,.ge,.equ,.neu,.gtu,.num,.nan}{,.ftz}.f16 %p0, %h1, %h2", 0},
    {PTX_F16, "setp{.eq,.lt,.neu,.nan}.f16x2 %p0|%p1, %r1, %r2", 0},
    {PTX_BF16, "setp{.eq,.lt,.neu,.nan}.bf16 %p0, %h1, %h2", 0},
    {PTX_F32, "set{.eq,.lt,.geu}{.u32,.s32,.f32}.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "set.lt.and{.u32,.f32}.f32 %r0, %r1, %r2, %p2", 0},
    {PTX_F32, "testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.f32 %p0, %r1", 0},
    {PTX_F64, "testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.f64 %p0, %rd1", 0},
    /* f32 */
    {PTX_F32, "{add,sub,mul}{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "fma{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 %r0, %r1, %r2, %r3", 0},
    {PTX_F32, "div{.rn,.rz,.rm,.rp}{,.ftz}.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "{rcp,sqrt}{.rn,.rz,.rm,.rp}{,.ftz}.f32 %r0, %r1", 0},
    {PTX_F32, "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "{abs,neg}{,.ftz}.f32 %r0, %r1", 0},
    {PTX_F32, "copysign.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "div{.approx,.full}{,.ftz}.f32 %r0, %r1, %r2", 0x1p-22},
    {PTX_F32, "{rcp,sqrt,rsqrt}.approx{,.ftz}.f32 %r0, %r1", 0x1p-22},
    {PTX_F32, "ex2.approx{,.ftz}.f32 %r0, %r1", 0x1p-21},
    {PTX_F32, "lg2.approx{,.ftz}.f32 %r0, %r1", 0x1p-21},
    {PTX_F32, "tanh.approx.f32 %r0, %r1", 0x1p-10},
    {PTX_ANGLE, "{sin,cos}.approx{,.ftz}.f32 %r0, %r1", 0x1p-20},
    /* f64 */
    {PTX_F64, "{add,sub,mul,div}{.rn,.rz,.rm,.rp}.f64 %rd0, %rd1, %rd2", 0},
    {PTX_F64, "fma{.rn,.rz,.rm,.rp}.f64 %rd0, %rd1, %rd2, %rd3", 0},
    {PTX_F64, "{rcp,sqrt}{.rn,.rz,.rm,.rp}.f64 %rd0, %rd1", 0},
    {PTX_F64, "{min,max}.f64 %rd0, %rd1, %rd2", 0},
    {PTX_F64, "{abs,neg}.f64 %rd0, %rd1", 0},
    {PTX_F64, "copysign.f64 %rd0, %rd1, %rd2", 0},
    {PTX_F64, "{rcp,rsqrt}.approx.ftz.f64 %rd0, %rd1", 0x1p-19},
    {PTX_F64, "rsqrt.approx.f64 %rd0, %rd1", 0x1p-49},
    /* f16, bf16 */
    {PTX_F16, "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16 %h0, %h1, %h2", 0},
    {PTX_F16, "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2 %r0, %r1, %r2", 0},
    {PTX_F16, "fma.rn{,.ftz}{,.sat,.relu}.f16 %h0, %h1, %h2, %h3", 0},
    {PTX_F16, "fma.rn{,.ftz}{,.sat,.relu}.f16x2 %r0, %r1, %r2, %r3", 0},
    {PTX_F16, "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16 %h0, %h1, %h2", 0},
    {PTX_F16, "{min,max}{,.ftz}{,.NaN}.f16x2 %r0, %r1, %r2", 0},
    {PTX_F16, "{abs,neg}{,.ftz}.f16 %h0, %h1", 0},
    {PTX_F16, "{abs,neg}{,.ftz}.f16x2 %r0, %r1", 0},
    {PTX_F16, "{ex2,tanh}.approx.f16 %h0, %h1", 0x1p-9},
    {PTX_BF16, "{add,sub,mul}{,.rn}.bf16 %h0, %h1, %h2", 0},
    {PTX_BF16, "{add,sub,mul}{,.rn}.bf16x2 %r0, %r1, %r2", 0},
    {PTX_BF16, "fma.rn{,.relu}.bf16 %h0, %h1, %h2, %h3", 0},
    {PTX_BF16, "fma.rn{,.relu}.bf16x2 %r0, %r1, %r2, %r3", 0},
    {PTX_BF16, "{min,max}{,.NaN}{,.xorsign.abs}.bf16 %h0, %h1, %h2", 0},
    {PTX_BF16, "{min,max}{,.NaN}.bf16x2 %r0, %r1, %r2", 0},
    {PTX_BF16, "{abs,neg}.bf16 %h0, %h1", 0},
    {PTX_BF16, "{abs,neg}.bf16x2 %r0, %r1", 0},
    /* conversions */
    {PTX_WHOLE, "cvt{.u32,.s32}{.u8,.s8} %r0, %r1", 0},
    {PTX_WHOLE, "cvt{.u8,.s8,.u16,.s16}{.u32,.s32} %r0, %r1", 0},
    {PTX_WHOLE, "cvt{.u16,.s16}{.u32,.s32} %h0, %r1", 0},
    {PTX_WHOLE, "cvt{.u32,.s32}{.u16,.s16} %r0, %h1", 0},
    {PTX_WHOLE, "cvt{.u64,.s64}{.u8,.s8,.u16,.s16,.u32,.s32} %rd0, %r1", 0},
    {PTX_WHOLE, "cvt{.u32,.s32}{.u64,.s64} %r0, %rd1", 0},
    {PTX_WHOLE, "cvt.sat{.u8,.s8,.u16,.s16}{.u32,.s32} %r0, %r1", 0},
    {PTX_WHOLE, "cvt.sat{.u8,.s8,.u16,.s16,.u32,.s32}{.u64,.s64} %r0, %rd1", 0},
    {PTX_WHOLE, "cvt.sat{.u32.s32,.s32.u32} %r0, %r1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz,.rm,.rp}.f32{.u8,.s8,.u16,.s16,.u32,.s32} %r0, %r1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz,.rm,.rp}.f32{.u64,.s64} %r0, %rd1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz,.rm,.rp}.f64{.u64,.s64} %rd0, %rd1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz}.f64{.u8,.s8,.u16,.s16,.u32,.s32} %rd0, %r1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz,.rm,.rp}.f16{.u8,.s8,.u16,.s16,.u32,.s32} %h0, %r1", 0},
    {PTX_WHOLE, "cvt{.rn,.rz}.f16{.u64,.s64} %h0, %rd1", 0},
    {PTX_F32, "cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{.u32,.s32,.u16,.s16,.u8,.s8}.f32 %r0, %r1", 0},
    {PTX_F32, "cvt{.rni,.rzi,.rmi,.rpi}{.u64,.s64}.f32 %rd0, %r1", 0},
    {PTX_F32, "cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.f32.f32 %r0, %r1", 0},
    {PTX_F32, "cvt{,.ftz}{,.sat}.f32.f32 %r0, %r1", 0},
    {PTX_F32, "cvt{,.ftz}.f64.f32 %rd0, %r1", 0},
    {PTX_F64, "cvt{.rni,.rzi,.rmi,.rpi}{.u32,.s32,.u16,.s16,.u8,.s8}.f64 %r0, %rd1", 0},
    {PTX_F64, "cvt{.rni,.rzi,.rmi,.rpi}{.u64,.s64}.f64 %rd0, %rd1", 0},
    {PTX_F64, "cvt{.rni,.rzi,.rmi,.rpi}.f64.f64 %rd0, %rd1", 0},
    {PTX_F64, "cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32.f64 %r0, %rd1", 0},
    {PTX_F64, "cvt{.rn,.rz,.rm,.rp}{,.sat}.f16.f64 %h0, %rd1", 0},
    {PTX_F32, "cvt{.rn,.rz,.rm,.rp}{,.sat}.f16.f32 %h0, %r1", 0},
    {PTX_F32, "cvt{.rn,.rz}{,.relu}.bf16.f32 %h0, %r1", 0},
    {PTX_F32, "cvt{.rn,.rz}{,.relu}.{f16x2,bf16x2}.f32 %r0, %r1, %r2", 0},
    {PTX_F32, "cvt{.rna,.rn,.rz,.rn.relu}.tf32.f32 %r0, %r1", 0},
    {PTX_F16, "cvt{,.ftz}{,.sat}.f32.f16 %r0, %h1", 0},
    {PTX_F16, "cvt.f64.f16 %rd0, %h1", 0},
    {PTX_F16, "cvt{.rni,.rzi,.rmi,.rpi}{.u32,.s32,.u16,.s16}.f16 %r0, %h1", 0},
    {PTX_F16, "cvt{.rni,.rzi,.rmi,.rpi}.f16.f16 %h0, %h1", 0},
    {PTX_BF16, "cvt.f32.bf16 %r0, %h1", 0},
    {PTX_BF16, "cvt{.rzi,.rni}{.u32,.s32}.bf16 %r0, %h1", 0},
    {PTX_BF16, "cvt{.rni,.rzi}.bf16.bf16 %h0, %h1", 0},
    /* conversions of several numbers */
    {PTX_F32, "cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2}.f32 %h0, %r1, %r2", 0},
    {PTX_F16, "cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2}.f16x2 %h0, %r1", 0},
    {PTX_WHOLE, "cvt.rn.f16x2{.e4m3x2,.e5m2x2} %r0, %h1", 0},
    {PTX_WHOLE, "cvt.pack.sat{.u16,.s16}.s32 %r0, %r1, %r2", 0},
    {PTX_WHOLE, "cvt.pack.sat{.u8,.s8,.u4,.s4,.u2,.s2}.s32.b32 %r0, %r1, %r2, %r3", 0},
    {PTX_F16, "{ex2,tanh}.approx.f16x2 %r0, %r1", 0x1p-9},
    {PTX_BF16, "{ex2.approx.ftz,tanh.approx}{.bf16 %h0\\, %h1,.bf16x2 %r0\\, %r1}", 0x1p-7},
    /* atomics of words that only one lane has */
    {PTX_WHOLE,
     "st.shared.b32 [%s], %r1; atom.shared{.add,.min,.max}{.u32,.s32} %r4, [%s], %r2; "
     "ld.shared.b32 %r0, [%s]",
     0},
    {PTX_WHOLE,
     "st.shared.b32 [%s], %r1; "
     "atom.shared{.inc.u32,.dec.u32,.and.b32,.or.b32,.xor.b32,.exch.b32} %r4, [%s], %r2; "
     "ld.shared.b32 %r0, [%s]",
     0},
    {PTX_WHOLE,
     "st.shared.b64 [%s], %rd1; "
     "atom.shared{.add.u64,.min.u64,.min.s64,.max.u64,.max.s64,.xor.b64,.exch.b64} %rd4, "
     "[%s], %rd2; ld.shared.b64 %rd0, [%s]",
     0},
    {PTX_WHOLE,
     "st.shared.b32 [%s], %r1; atom.shared.cas.b32 %r0, [%s], {%r1,%r3}, %r2; "
     "ld.shared.b32 %r4, [%s]; add.u32 %r0, %r0, %r4",
     0},
    {PTX_WHOLE,
     "st.shared.b32 [%s], %r1; atom.shared.cas.b16 %h0, [%s], {%h1,%h3}, %h2; "
     "ld.shared.b16 %h4, [%s]; add.u16 %h0, %h0, %h4",
     0},
    {PTX_F32,
     "st.shared.b32 [%s], %r1; atom.shared.add.f32 %r4, [%s], %r2; ld.shared.b32 %r0, [%s]", 0},
    {PTX_F64,
     "st.shared.b64 [%s], %rd1; atom.shared.add.f64 %rd4, [%s], %rd2; ld.shared.b64 %rd0, "
     "[%s]",
     0},
    {PTX_F16,
     "st.shared.b16 [%s], %h1; atom.shared.add.noftz.f16 %h4, [%s], %h2; ld.shared.b16 "
     "%h0, [%s]",
     0},
    {PTX_BF16,
     "st.shared.b16 [%s], %h1; atom.shared.add.noftz.bf16 %h4, [%s], %h2; ld.shared.b16 "
     "%h0, [%s]",
     0},
    {PTX_F32,
     "st.global.b32 [%x1], %r1; atom.global.add.f32 %r4, [%x1], %r2; ld.global.b32 %r0, "
     "[%x1]",
     0},
    {PTX_F64,
     "st.global.b64 [%x1], %rd1; atom.global.add.f64 %rd4, [%x1], %rd2; ld.global.b64 "
     "%rd0, [%x1]",
     0},
    {PTX_F16,
     "st.global.b16 [%x1], %h1; atom.global.add.noftz.f16 %h4, [%x1], %h2; ld.global.b16 "
     "%h0, [%x1]",
     0},
    {PTX_F16,
     "st.global.b32 [%x1], %r1; atom.global.add.noftz.f16x2 %r4, [%x1], %r2; ld.global.b32 "
     "%r0, [%x1]",
     0},
    {PTX_BF16,
     "st.global.b16 [%x1], %h1; atom.global.add.noftz.bf16 %h4, [%x1], %h2; ld.global.b16 "
     "%h0, [%x1]",
     0},
    {PTX_BF16,
     "st.global.b32 [%x1], %r1; atom.global.add.noftz.bf16x2 %r4, [%x1], %r2; "
     "ld.global.b32 %r0, [%x1]",
     0},
    {PTX_F32, "st.global.b32 [%x1], %r1; red.global.add.f32 [%x1], %r2; ld.global.b32 %r0, [%x1]",
     0},
    {PTX_F32,
     "st.global.v2.b32 [%x1], <%r3, %r1>; red.global.add.v2.f32 [%x1], <%r3, %r2>; "
     "ld.global.b32 %r0, [%x1+4]",
     0},
    {PTX_F16,
     "st.global.v2.b32 [%x1], <%r3, %r1>; red.global{.add,.min,.max}.noftz.v2.f16x2 [%x1], "
     "<%r3, %r2>; ld.global.b32 %r0, [%x1+4]",
     0},
    {PTX_F16,
     "st.global.v2.b32 [%x1], <%r3, %r1>; red.global{.add,.min,.max}.noftz.v4.f16 [%x1], "
     "<%h1, %h3, %h2, %h1>; ld.global.b32 %r0, [%x1+4]",
     0},
    {PTX_BF16,
     "st.global.v2.b32 [%x1], <%r3, %r1>; red.global{.add,.min,.max}.noftz.v2.bf16x2 "
     "[%x1], <%r3, %r2>; ld.global.b32 %r0, [%x1+4]",
     0},
    {PTX_BF16,
     "st.global.v2.b32 [%x1], <%r3, %r1>; red.global{.add,.min,.max}.noftz.v4.bf16 [%x1], "
     "<%h1, %h3, %h2, %h1>; ld.global.b32 %r0, [%x1+4]",
     0},
    /* matrices */
    {PTX_NEAR_F16,
     "cvt.f32.f16 %r4, %h3; cvt.f32.f16 %r5, %h2; "
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 <%r4, %r5, %r6, %r7>, <%r1, %r2, "
     "%r3, %r1>, <%r3, %r2>, <%r4, %r5, %r5, %r4>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_F16,
     "cvt.f32.f16 %r4, %h3; cvt.f32.f16 %r5, %h2; "
     "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 <%r4, %r5, %r6, %r7>, <%r1, %r2>, "
     "<%r3>, <%r4, %r5, %r5, %r4>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_BF16,
     "cvt.f32.bf16 %r4, %h3; cvt.f32.bf16 %r5, %h2; "
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 <%r4, %r5, %r6, %r7>, <%r1, %r2, "
     "%r3, %r1>, <%r3, %r2>, <%r4, %r5, %r5, %r4>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_BF16,
     "cvt.f32.bf16 %r4, %h3; cvt.f32.bf16 %r5, %h2; "
     "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 <%r4, %r5, %r6, %r7>, <%r1, %r2>, "
     "<%r3>, <%r4, %r5, %r5, %r4>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_F16,
     "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 <%r4, %r5>, <%r1, %r2, %r3, %r1>, "
     "<%r3, %r2>, <%r3, %r1>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_NEAR_F16,
     "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 <%r4, %r5>, <%r1, %r2>, <%r3>, "
     "<%r3, %r1>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_NEAR_F32,
     "cvt.rna.tf32.f32 %r4, %r1; cvt.rna.tf32.f32 %r5, %r2; cvt.rna.tf32.f32 %r6, %r3; "
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 <%r4, %r5, %r6, %r7>, <%r4, %r5, "
     "%r6, %r4>, <%r5, %r6>, <%r1, %r2, %r3, %r3>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_F32,
     "cvt.rna.tf32.f32 %r4, %r1; cvt.rna.tf32.f32 %r5, %r2; cvt.rna.tf32.f32 %r6, %r3; "
     "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 <%r4, %r5, %r6, %r7>, <%r4, %r5>, "
     "<%r6>, <%r1, %r2, %r3, %r3>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_NEAR_F64,
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 <%rd4, %rd5>, <%rd1>, <%rd2>, <%rd3, "
     "%rd1>; mov.b64 %rd0, {%rd4,%rd5}",
     0},
    {PTX_NEAR_F64,
     "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 <%rd4, %rd5, %rd6, %rd7>, <%rd1, "
     "%rd2>, <%rd2>, <%rd3, %rd1, %rd2, %rd3>; mov.b64 %rd0, {%rd4,%rd7}",
     0},
    {PTX_NEAR_F64,
     "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 <%rd4, %rd5, %rd6, %rd7>, <%rd1, "
     "%rd2, %rd3, %rd2>, <%rd2, %rd1>, <%rd3, %rd1, %rd2, %rd3>; mov.b64 %rd0, {%rd4,%rd7}",
     0},
    {PTX_NEAR_F64,
     "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 <%rd4, %rd5, %rd6, %rd7>, <%rd1, "
     "%rd2, %rd3, %rd2, %rd1, %rd3, %rd2, %rd1>, <%rd2, %rd1, %rd3, %rd3>, <%rd3, %rd1, "
     "%rd2, %rd3>; mov.b64 %rd0, {%rd4,%rd7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m8n8k16.row.col.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5>, <%r1>, <%r3>, "
     "<%r3, %r2>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k16.row.col.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2>, <%r3>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k32.row.col.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2, %r3, %r1>, <%r3, %r2>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m8n8k16.row.col.satfinite.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5>, "
     "<%r1>, <%r3>, <%r3, %r2>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k16.row.col.satfinite.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5, "
     "%r6, %r7>, <%r1, %r2>, <%r3>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k32.row.col.satfinite.s32{.s8,.u8}{.s8,.u8}.s32 <%r4, %r5, "
     "%r6, %r7>, <%r1, %r2, %r3, %r1>, <%r3, %r2>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, "
     "{%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m8n8k32.row.col.s32{.s4,.u4}{.s4,.u4}.s32 <%r4, %r5>, <%r1>, <%r3>, "
     "<%r3, %r2>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k32.row.col.s32{.s4,.u4}{.s4,.u4}.s32 <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2>, <%r3>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k64.row.col.s32{.s4,.u4}{.s4,.u4}.s32 <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2, %r3, %r1>, <%r3, %r2>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc <%r4, %r5>, <%r1>, <%r3>, "
     "<%r3, %r2>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2>, <%r3>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2, %r3, %r1>, <%r3, %r2>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc <%r4, %r5>, <%r1>, <%r3>, "
     "<%r3, %r2>; mov.b32 %r0, {%r4,%r5}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2>, <%r3>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    {PTX_WHOLE,
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc <%r4, %r5, %r6, %r7>, "
     "<%r1, %r2, %r3, %r1>, <%r3, %r2>, <%r1, %r2, %r3, %r2>; mov.b32 %r0, {%r4,%r7}",
     0},
    /* pairs; chains, which were drawn before, have none of these */
    {PTX_WHOLE, "{add,min,max}{.u16x2,.s16x2} %r0, %r1, %r2", 0},
    {PTX_WHOLE, "{min,max}.relu.s16x2 %r0, %r1, %r2", 0},
    {PTX_F16, "set{.eq,.lt,.geu,.nan}{,.ftz}{.u16,.s16,.f16}.f16 %h0, %h1, %h2", 0},
    {PTX_F16, "set{.ne,.gtu}{.u32,.s32}.f16 %r0, %h1, %h2", 0},
    {PTX_F16, "set{.eq,.lt,.geu,.nan}{,.ftz}{.u32,.s32,.f16x2}.f16x2 %r0, %r1, %r2", 0},
    {PTX_F16, "set{.le.and,.ne.xor}{.u32,.f16x2}.f16x2 %r0, %r1, %r2, {,!}%p2", 0},
    {PTX_BF16, "set{.eq,.lt,.geu,.nan}{.u16,.s16,.bf16}.bf16 %h0, %h1, %h2", 0},
    {PTX_BF16, "set{.eq,.lt,.geu,.nan}{.u32,.s32,.bf16x2}.bf16x2 %r0, %r1, %r2", 0},
};

/* ---- templates ------------------------------------------------------------------------------- */

struct forms {
    struct ptx_form *form;
    size_t n;
};

static char literal(char c)
{
    return c == '<' ? '{' : c == '>' ? '}' : c;
}

/* The length of an alternative, up to a ',' without a '\\' before it or the end. */
static size_t alternative(const char *at)
{
    size_t n = 0;
    while (at[n] != '}' && (at[n] != ',' || at[n - 1] == '\\')) {
        n++;
    }
    return n;
}

/* Appends what the rest of a template stands for to the `used` characters of text that are there.
 * */
static void expand(struct forms *forms, const struct ptx_form *like, char *text, size_t used,
                   const char *rest)
{
    while (*rest != '\0' && *rest != '{' && used + 1 < PTX_TEXT_SIZE) {
        text[used++] = literal(*rest++);
    }
    if (*rest == '\0') {
        struct ptx_form *form = &forms->form[forms->n++];
        *form = *like;
        memcpy(form->text, text, used);
        form->text[used] = '\0';
        return;
    }
    const char *end = strchr(rest, '}');
    for (const char *at = rest + 1; at <= end;) {
        size_t length = alternative(at), n = used;
        for (size_t i = 0; i < length; i++) {
            text[n] = at[i];
            n += at[i] != '\\';
        }
        expand(forms, like, text, n, end + 1);
        at += length + 1;
    }
}

size_t ptx_forms(struct ptx_form form[PTX_MAX_FORMS])
{
    struct forms forms = {.form = form};
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        struct ptx_form like = {.operands = templates[i].operands,
                                .tolerance = templates[i].tolerance};
        char text[PTX_TEXT_SIZE];
        expand(&forms, &like, text, 0, templates[i].text);
    }
    return forms.n;
}

/* ---- operands -------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t draw_whole(uint64_t *state)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT64_C(0x8000000000000000),
                                     UINT64_MAX,
                                     UINT64_MAX - 1};
    uint64_t which = next(state), value = next(state);
    return which % 4 == 0   ? edges[value % (sizeof edges / sizeof *edges)]
           : which % 4 == 1 ? value >> (which >> 8 & 63)
                            : value;
}

/* Bits of a number with a point: often an edge, often one whose exponent is near another's. */
static uint64_t draw_point(uint64_t *state, uint32_t bits, uint32_t fraction)
{
    uint64_t sign = UINT64_C(1) << (bits - 1), top = UINT64_C(1) << fraction,
             infinite = (sign - 1) & ~(top - 1), one = (infinite >> 1) & ~(top - 1);
    const uint64_t edges[] = {0,
                              1,
                              top - 1,
                              top,
                              infinite - 1,
                              infinite,
                              infinite + (top >> 1),
                              infinite + 1,
                              one,
                              one + 1,
                              one - 1,
                              one + top,
                              one + (top >> 1)};
    uint64_t which = next(state), value = next(state);
    uint64_t any = value & ((sign - 1) | sign);
    uint64_t near = (one - 12 * top) + (value >> 32) % 24 * top + (value & (top - 1));
    uint64_t edge = edges[value % (sizeof edges / sizeof *edges)];
    return (which % 4 == 0 ? edge : which % 4 == 1 ? any : near) | (which >> 8 & 1 ? sign : 0);
}

static uint64_t draw_pair(uint64_t *state, uint32_t fraction)
{
    uint64_t low = draw_point(state, 16, fraction);
    return draw_point(state, 16, fraction) << 16 | low;
}

/* Of either sign, from 2^-4 to 2^4; one in 16 is too small for an exponent of its own, or 0. */
static uint64_t draw_near(uint64_t *state, uint32_t bits, uint32_t fraction)
{
    uint64_t which = next(state), sign = UINT64_C(1) << (bits - 1), top = UINT64_C(1) << fraction;
    uint64_t one = ((sign - 1) >> 1) & ~(top - 1);
    uint64_t exponent = which >> 8 & 15 ? (one - 4 * top) + (which >> 32) % 8 * top : 0;
    uint64_t digits = which >> 12 & 15 ? next(state) & (top - 1) : 0;
    return exponent + digits + (which & 1 ? sign : 0);
}

static uint64_t draw_angle(uint64_t *state)
{
    float angle = (float)((double)(next(state) >> 11) * 0x1p-53 * 6.28 - 3.14);
    uint32_t bits;
    memcpy(&bits, &angle, sizeof bits);
    return bits;
}

static uint64_t draw(enum ptx_class operands, uint32_t place, uint64_t *state)
{
    switch (operands) {
    case PTX_SHIFT:
        return place == 0 ? draw_whole(state) : next(state) % 70;
    case PTX_F32:
        return draw_point(state, 32, 23);
    case PTX_F64:
        return draw_point(state, 64, 52);
    case PTX_F16:
        return draw_pair(state, 10);
    case PTX_BF16:
        return draw_pair(state, 7);
    case PTX_ANGLE:
        return draw_angle(state);
    case PTX_NEAR_F16:
        return draw_near(state, 16, 10) << 16 | draw_near(state, 16, 10);
    case PTX_NEAR_BF16:
        return draw_near(state, 16, 7) << 16 | draw_near(state, 16, 7);
    case PTX_NEAR_F32:
        return draw_near(state, 32, 23);
    case PTX_NEAR_F64:
        return draw_near(state, 64, 52);
    default:
        return draw_whole(state);
    }
}

void ptx_operands(uint64_t seed, struct ptx_operands *operands)
{
    uint64_t state = seed;
    for (uint32_t c = 0; c < PTX_CLASSES; c++) {
        for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
            for (uint32_t i = 0; i < 3; i++) {
                operands->of[c][lane][i] = draw((enum ptx_class)c, i, &state);
            }
        }
    }
}

static uint32_t sample(uint64_t i, double range)
{
    uint32_t bits = (uint32_t)i * UINT32_C(2654435761); /* odd, so each number comes once */
    float even = (float)((bits * 0x1p-31 - 1) * range);
    if (i % 2 == 0 || range < 8) {
        memcpy(&bits, &even, sizeof bits);
    }
    return bits;
}

void ptx_samples(uint64_t first, struct ptx_operands *operands)
{
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        uint64_t i = first + lane, other = i * UINT64_C(0x9e3779b97f4a7c15) >> 32;
        uint32_t low = sample(i, 8), high = sample(other, 8);
        for (uint32_t k = 0; k < 3; k++) {
            operands->of[PTX_F32][lane][k] = k == 0 ? low : high;
            operands->of[PTX_F64][lane][k] = (uint64_t)low << 32 | high;
            operands->of[PTX_F16][lane][k] = low >> 16;
            operands->of[PTX_BF16][lane][k] = low >> 16;
            operands->of[PTX_ANGLE][lane][k] = sample(i, 3.14159265);
        }
    }
}

/* ---- the module ------------------------------------------------------------------------------ */

static const char *result(const char *text)
{
    const char *d = strchr(text, ' ');
    const char *last = strrchr(text, ';');
    d = last != NULL ? strchr(last + 2, ' ') : d;
    return strncmp(d + 1, "%rd0", 4) == 0   ? ""
           : strncmp(d + 1, "%h0", 3) == 0  ? " cvt.u64.u16 %rd0, %h0;\n"
           : strncmp(d + 1, "%r0|", 4) == 0 ? " cvt.u64.u32 %rd0, %r0;\n @%p0 or.b64 %rd0, %rd0, "
                                              "0x100000000;\n"
           : strncmp(d + 1, "%r0", 3) == 0  ? " cvt.u64.u32 %rd0, %r0;\n"
                                            : " selp.u64 %rd0, 1, 0, %p0;\n @%p1 or.b64 %rd0, "
                                              "%rd0, 2;\n";
}

void ptx_write_module(FILE *file, const struct ptx_form *form, size_t n)
{
    fputs(".version 8.4\n.target sm_90\n.address_size 64\n", file);
    for (size_t i = 0; i < n; i++) {
        fprintf(file,
                ".visible .entry c%zu(.param .u64 in, .param .u64 out) {\n"
                " .reg .pred %%p<8>;\n .reg .b16 %%h<8>;\n .reg .b32 %%r<8>;\n .reg .b64 %%rd<8>;\n"
                " .reg .b32 %%t, %%s;\n .reg .b64 %%x<4>;\n .shared .align 16 .b8 s[512];\n"
                " ld.param.u64 %%x0, [in];\n ld.param.u64 %%x1, [out];\n mov.u32 %%t, %%tid.x;\n"
                " mov.u32 %%s, s;\n mad.lo.u32 %%s, %%t, 16, %%s;\n"
                " mad.wide.u32 %%x0, %%t, 24, %%x0;\n mad.wide.u32 %%x1, %%t, 8, %%x1;\n",
                i);
        for (uint32_t k = 0; k < 3; k++) {
            fprintf(file,
                    " ld.global.b64 %%rd%u, [%%x0+%u];\n cvt.u32.u64 %%r%u, %%rd%u;\n"
                    " cvt.u16.u32 %%h%u, %%r%u;\n",
                    k + 1, (unsigned)(form[i].operands * PTX_LANES * 24 + 8 * k), k + 1, k + 1,
                    k + 1, k + 1);
        }
        fprintf(file,
                " and.b32 %%t, %%t, 2;\n setp.ne.u32 %%p2, %%t, 0;\n setp.eq.u32 %%p3, %%t, 0;\n"
                " setp.ne.u32 %%p0, %%t, %%t;\n setp.ne.u32 %%p1, %%t, %%t;\n"
                " mov.b32 %%r0, 0;\n mov.b16 %%h0, 0;\n mov.b64 %%rd0, 0;\n"
                " %s;\n%s st.global.b64 [%%x1], %%rd0;\n ret;\n}\n",
                form[i].text, result(form[i].text));
    }
}
