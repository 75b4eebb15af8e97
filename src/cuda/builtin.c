/* builtin.c - the table of what CUDA has built in.
 *
 * Instructions are those that nvcc 13 makes of each call without -use_fast_math. Functions that nvcc
 * takes from its library of device code (expf, sinf, pow) are prelude.c's: what they compute is not known
 * to the last bit.
 */
#include "cuda/builtin.h"

/* What is alike stands in one line. */
/* clang-format off */
static const struct cu_builtin builtins[] = {
    {"min", "iii", CU_INSTRUCTION, "min.s32"},
    {"min", "jjj", CU_INSTRUCTION, "min.u32"},
    {"min", "lll", CU_INSTRUCTION, "min.s64"},
    {"min", "mmm", CU_INSTRUCTION, "min.u64"},
    {"min", "fff", CU_INSTRUCTION, "min.f32"},
    {"min", "ddd", CU_INSTRUCTION, "min.f64"},
    {"max", "iii", CU_INSTRUCTION, "max.s32"},
    {"max", "jjj", CU_INSTRUCTION, "max.u32"},
    {"max", "lll", CU_INSTRUCTION, "max.s64"},
    {"max", "mmm", CU_INSTRUCTION, "max.u64"},
    {"max", "fff", CU_INSTRUCTION, "max.f32"},
    {"max", "ddd", CU_INSTRUCTION, "max.f64"},
    {"fminf", "fff", CU_INSTRUCTION, "min.f32"},
    {"fmaxf", "fff", CU_INSTRUCTION, "max.f32"},
    {"fmin", "ddd", CU_INSTRUCTION, "min.f64"},
    {"fmin", "fff", CU_INSTRUCTION, "min.f32"},
    {"fmax", "ddd", CU_INSTRUCTION, "max.f64"},
    {"fmax", "fff", CU_INSTRUCTION, "max.f32"},
    {"__lane", "j", CU_INSTRUCTION, "mov.u32 %laneid"},
    {"umin", "jjj", CU_INSTRUCTION, "min.u32"},
    {"umax", "jjj", CU_INSTRUCTION, "max.u32"},
    {"abs", "ii", CU_INSTRUCTION, "abs.s32"},
    {"abs", "ll", CU_INSTRUCTION, "abs.s64"},
    {"abs", "ff", CU_INSTRUCTION, "abs.f32"},
    {"abs", "dd", CU_INSTRUCTION, "abs.f64"},
    {"labs", "ll", CU_INSTRUCTION, "abs.s64"},
    {"llabs", "ll", CU_INSTRUCTION, "abs.s64"},
    {"fabsf", "ff", CU_INSTRUCTION, "abs.f32"},
    {"fabs", "dd", CU_INSTRUCTION, "abs.f64"},
    {"fabs", "ff", CU_INSTRUCTION, "abs.f32"},
    {"sqrtf", "ff", CU_INSTRUCTION, "sqrt.rn.f32"},
    {"sqrt", "dd", CU_INSTRUCTION, "sqrt.rn.f64"},
    {"sqrt", "ff", CU_INSTRUCTION, "sqrt.rn.f32"},
    {"rsqrtf", "ff", CU_INSTRUCTION, "rsqrt.approx.f32"},
    {"rsqrt", "ff", CU_INSTRUCTION, "rsqrt.approx.f32"},
    {"rsqrt", "dd", CU_CHAIN, "sqrt.rn.f64;rcp.rn.f64"},
    {"fmaf", "ffff", CU_INSTRUCTION, "fma.rn.f32"},
    {"fma", "dddd", CU_INSTRUCTION, "fma.rn.f64"},
    {"fma", "ffff", CU_INSTRUCTION, "fma.rn.f32"},
    {"floorf", "ff", CU_INSTRUCTION, "cvt.rmi.f32.f32"},
    {"floor", "dd", CU_INSTRUCTION, "cvt.rmi.f64.f64"},
    {"floor", "ff", CU_INSTRUCTION, "cvt.rmi.f32.f32"},
    {"ceilf", "ff", CU_INSTRUCTION, "cvt.rpi.f32.f32"},
    {"ceil", "dd", CU_INSTRUCTION, "cvt.rpi.f64.f64"},
    {"ceil", "ff", CU_INSTRUCTION, "cvt.rpi.f32.f32"},
    {"truncf", "ff", CU_INSTRUCTION, "cvt.rzi.f32.f32"},
    {"trunc", "dd", CU_INSTRUCTION, "cvt.rzi.f64.f64"},
    {"rintf", "ff", CU_INSTRUCTION, "cvt.rni.f32.f32"},
    {"rint", "dd", CU_INSTRUCTION, "cvt.rni.f64.f64"},

    {"__fadd_rn", "fff", CU_INSTRUCTION, "add.rn.f32"},
    {"__fsub_rn", "fff", CU_INSTRUCTION, "sub.rn.f32"},
    {"__fmul_rn", "fff", CU_INSTRUCTION, "mul.rn.f32"},
    {"__fdiv_rn", "fff", CU_INSTRUCTION, "div.rn.f32"},
    {"__fmaf_rn", "ffff", CU_INSTRUCTION, "fma.rn.f32"},
    {"__fsqrt_rn", "ff", CU_INSTRUCTION, "sqrt.rn.f32"},
    {"__frcp_rn", "ff", CU_INSTRUCTION, "rcp.rn.f32"},
    {"__ddiv_rn", "ddd", CU_INSTRUCTION, "div.rn.f64"},
    {"__drcp_rn", "dd", CU_INSTRUCTION, "rcp.rn.f64"},
    {"__dsub_rn", "ddd", CU_INSTRUCTION, "sub.rn.f64"},
    {"__dsqrt_rn", "dd", CU_INSTRUCTION, "sqrt.rn.f64"},
    {"__fma_rn", "dddd", CU_INSTRUCTION, "fma.rn.f64"},
    {"__dadd_rn", "ddd", CU_INSTRUCTION, "add.rn.f64"},
    {"__dmul_rn", "ddd", CU_INSTRUCTION, "mul.rn.f64"},
    {"fdividef", "fff", CU_INSTRUCTION, "div.rn.f32"},
    {"__fdividef", "fff", CU_INSTRUCTION, "div.approx.f32"},
    {"__sinf", "ff", CU_INSTRUCTION, "sin.approx.f32"},
    {"__cosf", "ff", CU_INSTRUCTION, "cos.approx.f32"},
    {"__log2f", "ff", CU_INSTRUCTION, "lg2.approx.f32"},
    {"__expf", "ff", CU_CHAIN, "mul.f32 0f3FB8AA3B;ex2.approx.f32"},
    {"__logf", "ff", CU_CHAIN, "lg2.approx.f32;mul.f32 0f3F317218"},

    {"__popc", "ij", CU_INSTRUCTION, "popc.b32"},
    {"__popcll", "im", CU_INSTRUCTION, "popc.b64"},
    {"__clz", "ii", CU_INSTRUCTION, "clz.b32"},
    {"__clzll", "il", CU_INSTRUCTION, "clz.b64"},
    {"__brev", "jj", CU_INSTRUCTION, "brev.b32"},
    {"__brevll", "mm", CU_INSTRUCTION, "brev.b64"},
    {"__ffs", "ii", CU_CALCULATED, "ffs"},
    {"__mul24", "iii", CU_INSTRUCTION, "mul24.lo.s32"},
    {"__umul24", "jjj", CU_INSTRUCTION, "mul24.lo.u32"},
    {"__mulhi", "iii", CU_INSTRUCTION, "mul.hi.s32"},
    {"__umulhi", "jjj", CU_INSTRUCTION, "mul.hi.u32"},
    {"__mul64hi", "lll", CU_INSTRUCTION, "mul.hi.s64"},
    {"__umul64hi", "mmm", CU_INSTRUCTION, "mul.hi.u64"},
    {"__byte_perm", "jjjj", CU_INSTRUCTION, "prmt.b32"},
    {"__dp4a", "iiii", CU_EACH_TIME, "dp4a.s32.s32"},
    {"__dp4a", "jjjj", CU_EACH_TIME, "dp4a.u32.u32"},
    {"__usad", "jjjj", CU_INSTRUCTION, "sad.u32"},
    {"__funnelshift_l", "jjjj", CU_EACH_TIME, "shf.l.wrap.b32"},
    {"__funnelshift_r", "jjjj", CU_EACH_TIME, "shf.r.wrap.b32"},
    {"__float_as_int", "if", CU_INSTRUCTION, "mov.b32"},
    {"__float_as_uint", "jf", CU_INSTRUCTION, "mov.b32"},
    {"__int_as_float", "fi", CU_INSTRUCTION, "mov.b32"},
    {"__uint_as_float", "fj", CU_INSTRUCTION, "mov.b32"},
    {"__double_as_longlong", "ld", CU_INSTRUCTION, "mov.b64"},
    {"__longlong_as_double", "dl", CU_INSTRUCTION, "mov.b64"},
    {"__float2int_rn", "if", CU_INSTRUCTION, "cvt.rni.s32.f32"},
    {"__float2int_rz", "if", CU_INSTRUCTION, "cvt.rzi.s32.f32"},
    {"__float2int_rd", "if", CU_INSTRUCTION, "cvt.rmi.s32.f32"},
    {"__float2int_ru", "if", CU_INSTRUCTION, "cvt.rpi.s32.f32"},
    {"__float2uint_rn", "jf", CU_INSTRUCTION, "cvt.rni.u32.f32"},
    {"__float2uint_rz", "jf", CU_INSTRUCTION, "cvt.rzi.u32.f32"},
    {"__float2uint_rd", "jf", CU_INSTRUCTION, "cvt.rmi.u32.f32"},
    {"__float2uint_ru", "jf", CU_INSTRUCTION, "cvt.rpi.u32.f32"},
    {"__float2ll_rn", "lf", CU_INSTRUCTION, "cvt.rni.s64.f32"},
    {"__float2ll_rz", "lf", CU_INSTRUCTION, "cvt.rzi.s64.f32"},
    {"__float2ll_rd", "lf", CU_INSTRUCTION, "cvt.rmi.s64.f32"},
    {"__float2ll_ru", "lf", CU_INSTRUCTION, "cvt.rpi.s64.f32"},
    {"__float2ull_rn", "mf", CU_INSTRUCTION, "cvt.rni.u64.f32"},
    {"__float2ull_rz", "mf", CU_INSTRUCTION, "cvt.rzi.u64.f32"},
    {"__float2ull_rd", "mf", CU_INSTRUCTION, "cvt.rmi.u64.f32"},
    {"__float2ull_ru", "mf", CU_INSTRUCTION, "cvt.rpi.u64.f32"},
    {"__int2float_rn", "fi", CU_INSTRUCTION, "cvt.rn.f32.s32"},
    {"__uint2float_rn", "fj", CU_INSTRUCTION, "cvt.rn.f32.u32"},
    {"clock", "l", CU_CALCULATED, "clock"},
    {"clock64", "l", CU_EACH_TIME, "mov.u64 %clock64"},

    {"__syncthreads", "v", CU_BARRIER, "bar.sync 0"},
    {"__syncwarp", "v", CU_BARRIER, "bar.warp.sync -1"},
    {"__syncwarp", "vj", CU_BARRIER, "bar.warp.sync"},
    {"__threadfence", "v", CU_BARRIER, "membar.gl"},
    {"__threadfence_block", "v", CU_BARRIER, "membar.cta"},
    {"__threadfence_system", "v", CU_BARRIER, "membar.sys"},
    {"__nanosleep", "vj", CU_BARRIER, "nanosleep.u32"},
    {"__syncthreads_count", "ii", CU_CALCULATED, "popc"},
    {"__syncthreads_and", "ii", CU_CALCULATED, "and"},
    {"__syncthreads_or", "ii", CU_CALCULATED, "or"},

    {"atomicAdd", "TpT", CU_ATOMIC, "add"},
    {"atomicSub", "TpT", CU_ATOMIC, "sub"},
    {"atomicMin", "TpT", CU_ATOMIC, "min"},
    {"atomicMax", "TpT", CU_ATOMIC, "max"},
    {"atomicAnd", "TpT", CU_ATOMIC, "and"},
    {"atomicOr", "TpT", CU_ATOMIC, "or"},
    {"atomicXor", "TpT", CU_ATOMIC, "xor"},
    {"atomicExch", "TpT", CU_ATOMIC, "exch"},
    {"atomicInc", "TpT", CU_ATOMIC, "inc"},
    {"atomicDec", "TpT", CU_ATOMIC, "dec"},
    {"atomicCAS", "TpTT", CU_ATOMIC, "cas"},
    {"atomicAdd_block", "TpT", CU_ATOMIC, "add"},
    {"atomicAdd_system", "TpT", CU_ATOMIC, "add"},

    {"__shfl_sync", "VjVi", CU_SHUFFLE, "idx"},
    {"__shfl_sync", "VjVii", CU_SHUFFLE, "idx"},
    {"__shfl_up_sync", "VjVj", CU_SHUFFLE, "up"},
    {"__shfl_up_sync", "VjVji", CU_SHUFFLE, "up"},
    {"__shfl_down_sync", "VjVj", CU_SHUFFLE, "down"},
    {"__shfl_down_sync", "VjVji", CU_SHUFFLE, "down"},
    {"__shfl_xor_sync", "VjVi", CU_SHUFFLE, "bfly"},
    {"__shfl_xor_sync", "VjVii", CU_SHUFFLE, "bfly"},
    {"__ballot_sync", "jji", CU_VOTE, "vote.sync.ballot.b32"},
    {"__any_sync", "iji", CU_VOTE, "vote.sync.any.pred"},
    {"__all_sync", "iji", CU_VOTE, "vote.sync.all.pred"},
    {"__activemask", "j", CU_EACH_TIME, "activemask.b32"},
    {"__reduce_and_sync", "jjj", CU_CALCULATED, "redux.sync.and.b32"},
    {"__reduce_or_sync", "jjj", CU_CALCULATED, "redux.sync.or.b32"},
    {"__reduce_xor_sync", "jjj", CU_CALCULATED, "redux.sync.xor.b32"},
    {"__reduce_add_sync", "jjj", CU_CALCULATED, "redux.sync.add.u32"},
    {"__reduce_min_sync", "jjj", CU_CALCULATED, "redux.sync.min.u32"},
    {"__reduce_max_sync", "jjj", CU_CALCULATED, "redux.sync.max.u32"},

    {"__ldg", "Tp", CU_LOAD, "nc"},
    {"__ldcg", "Tp", CU_LOAD, "cg"},
    {"__ldca", "Tp", CU_LOAD, "ca"},
    {"__ldcs", "Tp", CU_LOAD, "cs"},
    {"__cvta_generic_to_shared", "mp", CU_CALCULATED, "cvta"},
    {"__mathematics", "v", CU_CALCULATED, "mathematics"}, /* prelude.c's: last bits are its own from here */
    {"__low_of", "tj", CU_CALCULATED, "same"}, /* prelude.c's: the upper half is 0 */
    {"isnan", "bf", CU_CALCULATED, "nan"},
    {"isnan", "bd", CU_CALCULATED, "nan"},
};
/* clang-format on */

enum { N_BUILTINS = sizeof builtins / sizeof *builtins };

const struct cu_builtin *bsim_cu_find_builtin(const struct cu_token *name)
{
    for (size_t i = 0; i < N_BUILTINS; i++) {
        if (bsim_cu_is(name, builtins[i].name)) {
            return &builtins[i];
        }
    }
    return NULL;
}

const struct cu_builtin *bsim_cu_builtin(uint64_t number)
{
    return &builtins[number < N_BUILTINS ? number : 0];
}

uint64_t bsim_cu_builtin_number(const struct cu_builtin *builtin)
{
    return (uint64_t)(builtin - builtins);
}
