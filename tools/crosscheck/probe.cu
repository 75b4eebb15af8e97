/* probe.cu - the requests of the model on a real GPU: every opcode on shared memory, with any mask
 * and any addresses. See harness.cuh for how, README.md for what is made of it.
 */
#include "harness.cuh"

#define LD(ID, FORM, TAIL) X(ld_##ID, "ld.shared." TAIL, SHARED, FORM("ld.shared." TAIL, SHARED_AT))
#define ST(ID, FORM, TAIL) X(st_##ID, "st.shared." TAIL, SHARED, FORM("st.shared." TAIL, SHARED_AT))
#define VOLATILE(ID, FORM, TAIL)                                                                   \
    X(ldv_##ID, "ld.volatile.shared." TAIL, SHARED, FORM("ld.volatile.shared." TAIL, SHARED_AT))
#define ATOM(ID, KIND, FORM, TAIL)                                                                 \
    X(atom_##ID, "atom.shared." TAIL, KIND, FORM("atom.shared." TAIL, SHARED_AT))
#define RED(ID, KIND, FORM, TAIL)                                                                  \
    X(red_##ID, "red.shared." TAIL, KIND, FORM("red.shared." TAIL, SHARED_AT))
#define LDMATRIX(ID, FORM, TAIL)                                                                   \
    X(ldmatrix_##ID, "ldmatrix.sync.aligned.m8n8." TAIL, SHARED,                                   \
      FORM("ldmatrix.sync.aligned.m8n8." TAIL, SHARED_AT))
#define STMATRIX(ID, FORM, TAIL)                                                                   \
    X(stmatrix_##ID, "stmatrix.sync.aligned.m8n8." TAIL, SHARED,                                   \
      FORM("stmatrix.sync.aligned.m8n8." TAIL, SHARED_AT))

/* clang-format off */
#define OPERATIONS                                                                                 \
    LD(u8, LOAD_32, "u8") LD(u16, LOAD_32, "u16") LD(u32, LOAD_32, "u32")                          \
    LD(b64, LOAD_64, "b64") LD(v2_u32, LOAD_V2, "v2.u32") LD(v4_u32, LOAD_V4, "v4.u32")            \
    LD(v2_b64, LOAD_V2_64, "v2.b64") LD(v2_u8, LOAD_V2, "v2.u8") LD(v4_u8, LOAD_V4, "v4.u8")       \
    LD(v2_u16, LOAD_V2, "v2.u16") LD(v4_u16, LOAD_V4, "v4.u16")                                    \
    VOLATILE(u32, LOAD_32, "u32") VOLATILE(v4_u32, LOAD_V4, "v4.u32")                              \
    ST(u8, STORE_32, "u8") ST(u16, STORE_32, "u16") ST(u32, STORE_32, "u32")                       \
    ST(b64, STORE_64, "b64") ST(v2_u32, STORE_V2, "v2.u32") ST(v4_u32, STORE_V4, "v4.u32")         \
    ST(v2_b64, STORE_V2_64, "v2.b64") ST(v2_u8, STORE_V2, "v2.u8") ST(v4_u8, STORE_V4, "v4.u8")    \
    ST(v2_u16, STORE_V2, "v2.u16") ST(v4_u16, STORE_V4, "v4.u16")                                  \
    ATOM(add_u32, SHARED, ATOM_32, "add.u32") ATOM(add_s32, SHARED, ATOM_32, "add.s32")            \
    ATOM(min_u32, SHARED, ATOM_32, "min.u32") ATOM(max_u32, SHARED, ATOM_32, "max.u32")            \
    ATOM(max_s32, SHARED, ATOM_32, "max.s32") ATOM(inc_u32, SHARED, ATOM_32, "inc.u32")            \
    ATOM(dec_u32, SHARED, ATOM_32, "dec.u32") ATOM(and_b32, SHARED, ATOM_32, "and.b32")            \
    ATOM(or_b32, SHARED, ATOM_32, "or.b32") ATOM(xor_b32, SHARED, ATOM_32, "xor.b32")              \
    ATOM(exch_b32, SHARED, ATOM_32, "exch.b32") ATOM(exch_b64, SHARED, ATOM_64, "exch.b64")        \
    ATOM(cas_b32, SHARED, CAS_32, "cas.b32") ATOM(cas_b64, SHARED, CAS_64, "cas.b64")              \
    RED(add_u32, SHARED, RED_32, "add.u32") RED(min_u32, SHARED, RED_32, "min.u32")                \
    RED(max_s32, SHARED, RED_32, "max.s32") RED(inc_u32, SHARED, RED_32, "inc.u32")                \
    RED(dec_u32, SHARED, RED_32, "dec.u32") RED(and_b32, SHARED, RED_32, "and.b32")                \
    RED(or_b32, SHARED, RED_32, "or.b32") RED(xor_b32, SHARED, RED_32, "xor.b32")                  \
    LDMATRIX(x1, LOAD_X1, "x1.shared.b16") LDMATRIX(x1t, LOAD_X1, "x1.trans.shared.b16")           \
    LDMATRIX(x2, LOAD_V2, "x2.shared.b16") LDMATRIX(x2t, LOAD_V2, "x2.trans.shared.b16")           \
    LDMATRIX(x4, LOAD_V4, "x4.shared.b16") LDMATRIX(x4t, LOAD_V4, "x4.trans.shared.b16")           \
    STMATRIX(x1, STORE_X1, "x1.shared.b16") STMATRIX(x1t, STORE_X1, "x1.trans.shared.b16")         \
    STMATRIX(x2, STORE_V2, "x2.shared.b16") STMATRIX(x2t, STORE_V2, "x2.trans.shared.b16")         \
    STMATRIX(x4, STORE_V4, "x4.shared.b16") STMATRIX(x4t, STORE_V4, "x4.trans.shared.b16")         \
    ATOM(add_u64, SHARED_LOOP, ATOM_64, "add.u64") ATOM(min_u64, SHARED_LOOP, ATOM_64, "min.u64")  \
    ATOM(max_s64, SHARED_LOOP, ATOM_64, "max.s64") ATOM(and_b64, SHARED_LOOP, ATOM_64, "and.b64")  \
    ATOM(add_f32, SHARED_LOOP, ATOM_F32, "add.f32") ATOM(add_f64, SHARED_LOOP, ATOM_F64, "add.f64")\
    ATOM(add_f16x2, SHARED_LOOP, ATOM_32, "add.noftz.f16x2")                                       \
    RED(add_u64, SHARED_LOOP, RED_64, "add.u64") RED(add_f32, SHARED_LOOP, RED_F32, "add.f32")     \
    RED(add_f64, SHARED_LOOP, RED_F64, "add.f64")                                                  \
    RED(add_f16x2, SHARED_LOOP, RED_32, "add.noftz.f16x2")
/* clang-format on */

#define X DEFINE_OPERATION
OPERATIONS
#undef X

#define X OPERATION_ROW
static const struct operation operations[] = {OPERATIONS};
#undef X

int main(int argc, char **argv)
{
    return run_program(argc, argv, operations, sizeof operations / sizeof *operations);
}
