/* limits.c - between which numbers a whole number lies, as far as nvcc sees it where it compares it with a constant.
 *
 *     lane = t % 32;         -31 to 31, so that lane < 128 holds
 *     x = y & 60, y >> 27    up to 60, and up to 31
 *
 * Of sums of such numbers nothing is known but which bits are 0.
 *
 * Graded measured: nvcc 13.0, tests/kernels/alike.cu.
 */
#include "cuda/code.h"

static bool is_shift_by(const struct cu_code *code, const struct cu_value *value, bool is_signed, const struct cu_value *of, uint64_t *by)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    return from != NULL && from->op == CU_OP_SHR && from->is_signed == is_signed && bsim_cu_is_constant(&from->argument[1], by) &&
           (of == NULL || bsim_cu_same_value(&from->argument[0], of));
}

/* x - (x + (x >> 31 >>> 32 - n) & -2^n), which is x % 2^n (fold.c): 2^n; 0: the value is none. */
static uint64_t divisor_of_rest(const struct cu_code *code, const struct cu_value *value)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    uint64_t mask, by, width = 8 * bsim_cu_class_bytes(value->class);
    const struct cu_instruction *and = from != NULL && from->op == CU_OP_SUB ? bsim_cu_definition(code, &from->argument[1]) : NULL;
    if (and == NULL || and->op != CU_OP_AND || !bsim_cu_is_constant(&and->argument[1], &mask)) {
        return 0;
    }
    const struct cu_value *x = &from->argument[0];
    const struct cu_instruction *add = bsim_cu_definition(code, &and->argument[0]);
    if (add == NULL || add->op != CU_OP_ADD || !bsim_cu_same_value(&add->argument[0], x) ||
        !is_shift_by(code, &add->argument[1], false, NULL, &by)) {
        return 0;
    }
    struct cu_value more = bsim_cu_definition(code, &add->argument[1])->argument[0];
    uint64_t power = UINT64_C(1) << (width - by);
    bool is_rest = is_shift_by(code, &more, true, x, &by) && by == width - 1 && bsim_cu_as_signed(value->class, mask) == -(int64_t)power;
    return is_rest ? power : 0;
}

bool bsim_cu_limits_of(const struct cu_code *code, const struct cu_value *value, int64_t *low, int64_t *high)
{
    uint64_t width = 8 * bsim_cu_class_bytes(value->class), by;
    if (value->kind != CU_REGISTER || (value->class != CU_I32 && value->class != CU_I64)) {
        return false;
    }
    if (code->most[value->id] > 0) {
        *low = code->least[value->id] > 0 ? code->least[value->id] : 0;
        *high = code->most[value->id];
        return true;
    }
    uint64_t ones = ~bsim_cu_zeros(code, value), power = divisor_of_rest(code, value);
    if (power > 1) {
        *low = 1 - (int64_t)power;
        *high = (int64_t)power - 1;
        return true;
    }
    if (is_shift_by(code, value, true, NULL, &by) && by > 0 && by < width) {
        *high = (int64_t)((UINT64_C(1) << (width - 1 - by)) - 1);
        *low = -*high - 1;
        return true;
    }
    *low = 0;
    *high = (int64_t)ones;
    return ones >> (width - 1) == 0;
}
