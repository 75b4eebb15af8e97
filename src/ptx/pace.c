/* pace.c - how long an instruction takes: clocks of its partition's issue, or of the pipe behind
 * it, and clocks until the next that wants its result. The pipe of special functions, which counts bits and
 * converts, too, takes 8 clocks for each, in which others issue (MUFU, POPC, FLO, F2I: `xu` in ../timing/README.md);
 * about it stand an instruction or three, by nvcc 13.0's machine code (FSETP FMUL MUFU.RSQ FMUL).
 *
 * The numbers are an H200's, from loops of one instruction (tests/measured/h200/ptx/latency.csv,
 * tools/crosscheck/ptx_latency.cu). ptxas makes several machine instructions of many; what it makes
 * of one beside others is not known here. Issue is in half clocks: additions of f32 take one clock,
 * those of whole numbers one or two, as ptxas deals them to two pipes: from one of those to the other a result takes 5 clocks, as
 * it does to an access, within one 4. That is what ptxas (nvcc 13.0, sm_90) writes at least in 288 kernels: 4 from FFMA to FFMA or LOP3 to LOP3, 5
 * from FMUL to FMNMX, LOP3 to IMAD, LEA to LDS, FADD to STS. Which pipe whole numbers get is not known here, so they take 5.
 */
#include "ptx/work.h"

enum pace {
    FREE, /* ptxas makes nothing of it, or part of another */
    WHOLE,
    LOGIC,
    BY_NUMBER, /* a shift to the left, which ptxas deals to two pipes; most are part of a sum (join.c) */
    WHOLE_64,
    SHIFT_64,
    ORDER_64,
    PRODUCT,
    HIGH_PRODUCT,
    PRODUCT_64,
    HIGH_PRODUCT_64,
    BITS,
    QUOTIENT,
    QUOTIENT_64,
    SINGLE,
    HALF,
    DOUBLE,
    ORDER_DOUBLE,
    FUNCTION,
    ANGLE,
    FUNCTION_WHOLE, /* with what is too small for an exponent of its own */
    RECIPROCAL_WHOLE,
    DIVIDED,
    DIVIDED_EXACTLY,
    RECIPROCAL_EXACTLY,
    ROOT_EXACTLY,
    DOUBLE_DIVIDED,
    DOUBLE_RECIPROCAL,
    DOUBLE_ROOT,
    FROM_WHOLE,
    CONVERTED,
    CONVERTED_64,
    TO_HALF,
    TO_HALVES,
    SHUFFLE,
    VOTE,
    MATCH,
    OVER_WARP,
    MATRIX,
};

static const struct bsim_ptx_pace paces[] = {
    [FREE] = {0, 0, 0},
    [WHOLE] = {2, 5},
    [LOGIC] = {2, 5, .is_alu = true},
    [BY_NUMBER] = {2, 5},
    [WHOLE_64] = {4, 4},
    [SHIFT_64] = {9, 6},
    [ORDER_64] = {17, 14},
    [PRODUCT] = {2, 4, .is_fma = true},
    [HIGH_PRODUCT] = {8, 9},
    [PRODUCT_64] = {16, 17},
    [HIGH_PRODUCT_64] = {34, 33},
    [BITS] = {2, 18, 16},
    [QUOTIENT] = {72, 115},
    [QUOTIENT_64] = {292, 308},
    [SINGLE] = {2, 4, .is_fma = true},
    [HALF] = {3, 6},
    [DOUBLE] = {4, 8},
    [ORDER_DOUBLE] = {12, 18},
    [FUNCTION] = {2, 17, 16},
    [ANGLE] = {4, 23, 16},
    [FUNCTION_WHOLE] = {8, 39, 16},
    [RECIPROCAL_WHOLE] = {8, 41, 18},
    [DIVIDED] = {22, 45, 16},
    [DIVIDED_EXACTLY] = {35, 57, 0, .slow = BSIM_PTX_DIVIDES},
    [RECIPROCAL_EXACTLY] = {41, 77, 0, .slow = BSIM_PTX_INVERTS},
    [ROOT_EXACTLY] = {34, 56, 0, .slow = BSIM_PTX_TAKES_ROOT},
    [DOUBLE_DIVIDED] = {62, 111, 0, .slow = BSIM_PTX_DIVIDES_DOUBLE},
    [DOUBLE_RECIPROCAL] = {33, 60, 0, .slow = BSIM_PTX_INVERTS_DOUBLE},
    [DOUBLE_ROOT] = {53, 79, 0, .slow = BSIM_PTX_TAKES_DOUBLE_ROOT},
    [FROM_WHOLE] = {2, 6, .is_alu = true},
    [CONVERTED] = {2, 17, 16},
    [CONVERTED_64] = {2, 18, 17},
    [TO_HALF] = {3, 5},
    [TO_HALVES] = {4, 4},
    [SHUFFLE] = {4, 24},
    [VOTE] = {4, 13},
    [MATCH] = {512, 369},
    [OVER_WARP] = {16, 44},
    [MATRIX] = {12, 24},
};

static bool is_in(const char *list, const char *mnemonic)
{
    size_t n = strlen(mnemonic);
    for (const char *at = strstr(list, mnemonic); at != NULL; at = strstr(at + 1, mnemonic)) {
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_point(uint32_t type)
{
    return bsim_ptx_type_letter(type) == 'f' || type == BSIM_PTX_BF16;
}

static enum pace pace_of_conversion(const struct bsim_ptx_instruction *from)
{
    uint32_t to = from->type[0], of = from->n_types > 1 ? from->type[1] : to;
    bool is_wide = bsim_ptx_type_bits(to) == 64 || bsim_ptx_type_bits(of) == 64;
    if (!is_point(to) && !is_point(of) && bsim_ptx_type_letter(to) != 'h') {
        return FREE;
    }
    if (is_wide) {
        return CONVERTED_64;
    }
    if ((to == BSIM_PTX_F16X2 || to == BSIM_PTX_BF16X2) && of == BSIM_PTX_F32) {
        return TO_HALVES;
    }
    bool is_between = is_point(to) && is_point(of);
    bool is_rounded = bsim_ptx_has(from, BSIM_PTX_RNI) || bsim_ptx_has(from, BSIM_PTX_RZI) ||
                      bsim_ptx_has(from, BSIM_PTX_RMI) || bsim_ptx_has(from, BSIM_PTX_RPI);
    return is_between && !is_rounded                       ? TO_HALF
           : !is_point(of) && bsim_ptx_type_bits(of) == 32 ? FROM_WHOLE
                                                           : CONVERTED;
}

static enum pace pace_of_single(const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    bool flushes = bsim_ptx_has(from, BSIM_PTX_FTZ);
    bool is_near = bsim_ptx_has(from, BSIM_PTX_APPROX) || bsim_ptx_has(from, BSIM_PTX_FULL);
    if (strcmp(m, "div") == 0) {
        return is_near ? DIVIDED : DIVIDED_EXACTLY;
    }
    if (strcmp(m, "rcp") == 0) {
        return !is_near ? RECIPROCAL_EXACTLY : flushes ? FUNCTION : RECIPROCAL_WHOLE;
    }
    if (strcmp(m, "sqrt") == 0 && !is_near) {
        return ROOT_EXACTLY;
    }
    return is_in("sqrt rsqrt lg2", m)        ? (flushes ? FUNCTION : FUNCTION_WHOLE)
           : is_in("sin cos", m)             ? ANGLE
           : is_in("ex2 tanh", m)            ? FUNCTION
           : is_in("add sub mul fma mad", m) ? SINGLE
                                             : LOGIC;
}

static enum pace pace_of_double(const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    return strcmp(m, "div") == 0             ? DOUBLE_DIVIDED
           : strcmp(m, "rcp") == 0           ? DOUBLE_RECIPROCAL
           : is_in("sqrt rsqrt", m)          ? DOUBLE_ROOT
           : is_in("add sub mul fma mad", m) ? DOUBLE
           : is_in("min max", m)             ? ORDER_DOUBLE
           : strcmp(m, "setp") == 0          ? DOUBLE
                                             : WHOLE_64;
}

static bool is_by_number(const struct bsim_ptx_instruction *from)
{
    return from->n_operands > 2 && from->operand[2].kind == BSIM_PTX_INTEGER;
}

/* Of 64 bits what lies in two registers: the upper one, or the lower one beside 0. */
static bool takes_a_half(const struct bsim_ptx_instruction *from)
{
    uint64_t number = is_by_number(from) ? from->operand[2].bits : 0;
    return (is_in("shl shr", from->mnemonic) && number == 32) || (strcmp(from->mnemonic, "and") == 0 && number == UINT32_MAX);
}

static enum pace pace_of_whole(const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    bool is_wide = from->n_types > 0 && bsim_ptx_type_bits(from->type[0]) == 64;
    bool is_high = bsim_ptx_has(from, BSIM_PTX_HI);
    if (is_in("mul mad madc mul24 mad24 dp2a dp4a", m)) {
        return bsim_ptx_has(from, BSIM_PTX_WIDE) ? PRODUCT
               : is_wide                         ? (is_high ? HIGH_PRODUCT_64 : PRODUCT_64)
               : is_high                         ? HIGH_PRODUCT
                                                 : PRODUCT;
    }
    if (is_in("div rem", m)) {
        return is_wide ? QUOTIENT_64 : QUOTIENT;
    }
    if (is_wide && takes_a_half(from)) {
        return FREE;
    }
    if (is_in("shl shr", m)) {
        return is_wide ? SHIFT_64 : is_by_number(from) && m[2] == 'l' ? BY_NUMBER : LOGIC;
    }
    return is_in("popc clz bfind brev fns", m) ? BITS
           : is_in("min max", m) && is_wide    ? ORDER_64
           : is_wide && strcmp(m, "selp") != 0 ? WHOLE_64
           : is_in("add sub neg addc subc", m) ? WHOLE
                                               : LOGIC;
}

static enum pace find_pace(const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    uint32_t type = from->n_types > 0 ? from->type[from->n_types - 1] : BSIM_PTX_NO_TYPE;
    if (is_in("mov cvta", m)) {
        return FREE;
    }
    if (strcmp(m, "cvt") == 0) {
        return pace_of_conversion(from);
    }
    return strcmp(m, "shfl") == 0                               ? SHUFFLE
           : is_in("vote activemask", m)                        ? VOTE
           : strcmp(m, "match") == 0                            ? MATCH
           : strcmp(m, "redux") == 0                            ? OVER_WARP
           : is_in("mma wmma", m)                               ? MATRIX
           : type == BSIM_PTX_F32                               ? pace_of_single(from)
           : type == BSIM_PTX_F64                               ? pace_of_double(from)
           : type != bsim_ptx_type_half(type) || is_point(type) ? HALF
                                                                : pace_of_whole(from);
}

const struct bsim_ptx_pace *bsim_ptx_find_pace(const struct bsim_ptx_instruction *instruction)
{
    return &paces[find_pace(instruction)];
}
