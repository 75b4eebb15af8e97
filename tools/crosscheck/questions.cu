/* questions.cu - what the model does not know yet: asynchronous copies, increments by one, constant
 * loads, global memory. Counted and timed like probe.cu's requests.
 */
#include "harness.cuh"

__constant__ __align__(16) uint32_t table[16384];

/* Plain C accesses, which the compiler knows to be in constant memory. */
#define CONST_LOAD(TYPE) (*(const TYPE *)((const char *)table + at))
#define CONST_32 return CONST_LOAD(uint32_t);
#define CONST_64                                                                                   \
    uint64_t a = CONST_LOAD(uint64_t);                                                             \
    return (uint32_t)a ^ (uint32_t)(a >> 32);
#define CONST_128                                                                                  \
    uint4 a = CONST_LOAD(uint4);                                                                   \
    return a.x ^ a.y ^ a.z ^ a.w;

#define COPY(PTX, BYTES)                                                                           \
    asm volatile(PTX " [%0], [%1], " BYTES ";" ::"r"(at), "l"(far));                               \
    return 0;

/* With the constant 1 the compiler may choose an instruction that counts lanes. */
#define ATOM_ONE(PTX)                                                                              \
    uint32_t a;                                                                                    \
    asm volatile(PTX " %0, [%1], 1;" : "=r"(a) : "r"(at));                                         \
    return a;
#define ATOM_ONE_UNUSED(PTX)                                                                       \
    asm volatile("{ .reg .u32 unused; " PTX " unused, [%0], 1; }" ::"r"(at));                      \
    return 0;
#define RED_ONE(PTX, OPERAND)                                                                      \
    asm volatile(PTX " [%0], " OPERAND ";" ::"r"(at));                                             \
    return 0;

#define FAR(ID, FORM, NAME) X(ID, NAME, GLOBAL, FORM(NAME, FAR_AT))

/* clang-format off */
#define OPERATIONS                                                                                 \
    X(copy_ca4, "cp.async.ca.shared.global.4", ASYNC, COPY("cp.async.ca.shared.global", "4"))      \
    X(copy_ca8, "cp.async.ca.shared.global.8", ASYNC, COPY("cp.async.ca.shared.global", "8"))      \
    X(copy_ca16, "cp.async.ca.shared.global.16", ASYNC, COPY("cp.async.ca.shared.global", "16"))   \
    X(copy_cg16, "cp.async.cg.shared.global.16", ASYNC, COPY("cp.async.cg.shared.global", "16"))   \
    X(atom_one, "atom.shared.add.u32 1", SHARED, ATOM_ONE("atom.shared.add.u32"))                  \
    X(atom_one_unused, "atom.shared.add.u32 1 unused", SHARED,                                     \
      ATOM_ONE_UNUSED("atom.shared.add.u32"))                                                      \
    X(red_one, "red.shared.add.u32 1", SHARED, RED_ONE("red.shared.add.u32", "1"))                 \
    X(red_minus_one, "red.shared.add.u32 -1", SHARED, RED_ONE("red.shared.add.u32", "0xffffffff")) \
    X(red_two, "red.shared.add.u32 2", SHARED, RED_ONE("red.shared.add.u32", "2"))                 \
    X(red_inc, "red.shared.inc.u32 max", SHARED, RED_ONE("red.shared.inc.u32", "0xffffffff"))      \
    X(const_32, "ld.const.u32", CONSTANT, CONST_32)                                                \
    X(const_64, "ld.const.u64", CONSTANT, CONST_64)                                                \
    X(const_128, "ld.const.v4.u32", CONSTANT, CONST_128)                                           \
    FAR(ldg_u8, LOAD_32, "ld.global.u8") FAR(ldg_u16, LOAD_32, "ld.global.u16")                    \
    FAR(ldg_u32, LOAD_32, "ld.global.u32") FAR(ldg_v2, LOAD_V2, "ld.global.v2.u32")                \
    FAR(ldg_v4, LOAD_V4, "ld.global.v4.u32")                                                       \
    FAR(stg_u8, STORE_32, "st.global.u8") FAR(stg_u16, STORE_32, "st.global.u16")                  \
    FAR(stg_u32, STORE_32, "st.global.u32") FAR(stg_v2, STORE_V2, "st.global.v2.u32")              \
    FAR(stg_v4, STORE_V4, "st.global.v4.u32")                                                      \
    FAR(atomg_add, ATOM_32, "atom.global.add.u32") FAR(redg_add, RED_32, "red.global.add.u32")     \
    FAR(atomg_cas, CAS_32, "atom.global.cas.b32") FAR(atomg_exch, ATOM_32, "atom.global.exch.b32") \
    FAR(atomg_add64, ATOM_64, "atom.global.add.u64") FAR(redg_add64, RED_64, "red.global.add.u64") \
    FAR(redg_f32, RED_F32, "red.global.add.f32") FAR(redg_f64, RED_F64, "red.global.add.f64")      \
    FAR(atomg_cas64, CAS_64, "atom.global.cas.b64")
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
