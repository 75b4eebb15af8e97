/* declaration.c - a variable's declaration in PTX, with its dimensions: so a trace knows what an array's
 * elements are. */
#include "cuda/compile.h"

#include <inttypes.h>

/* Arrays within arrays, down to what they are of. */
static const struct cu_type *element_of(const struct cu_type *type)
{
    while (type->kind == CU_ARRAY) {
        type = type->of;
    }
    return type;
}

/* The type in PTX, ".v4 .f32" of a vector; NULL: it has none. */
static const char *word_of(const struct cu_type *type, uint32_t *n_vector)
{
    static const char *const words[] = {"u8",  "s8",  "u8",  "s16", "u16", "s32",
                                        "u32", "s64", "u64", "f32", "f64"};
    const struct cu_type *one = type->is_vector ? type->members->type : type;
    *n_vector = (uint32_t)(one->size > 0 ? type->size / one->size : 0);
    bool has_one =
        bsim_cu_is_arithmetic(one) && (*n_vector == 1 || *n_vector == 2 || *n_vector == 4);
    return has_one ? words[one->kind] : NULL;
}

uint32_t bsim_cu_alignment_of(const struct cu_variable *v)
{
    enum { OF_EXTERN = 16 }; /* nvcc 13's */
    uint32_t own = v->alignment > v->type->alignment ? v->alignment : v->type->alignment;
    return v->is_extern && v->storage == CU_SHARED && own < OF_EXTERN ? OF_EXTERN : own;
}

void bsim_cu_print_declaration(const struct cu_variable *v, struct bsim_buffer *out)
{
    uint32_t alignment = bsim_cu_alignment_of(v);
    uint32_t n_vector;
    const char *word = word_of(element_of(v->type), &n_vector);
    bool is_bytes = word == NULL || v->type->kind != CU_ARRAY;
    bsim_buffer_printf(out, " .align %" PRIu32, alignment);
    if (!is_bytes && n_vector > 1) {
        bsim_buffer_printf(out, " .v%" PRIu32, n_vector);
    }
    bsim_buffer_printf(out, " .%s %s", is_bytes ? "b8" : word, v->symbol);
    if (is_bytes && !v->is_extern) {
        bsim_buffer_printf(out, "[%" PRIu64 "]", v->type->size);
    } else if (is_bytes) {
        bsim_buffer_text(out, "[]");
    }
    for (const struct cu_type *type = v->type; !is_bytes && type->kind == CU_ARRAY;
         type = type->of) {
        if (type->count > 0) {
            bsim_buffer_printf(out, "[%" PRIu64 "]", type->count);
        } else {
            bsim_buffer_text(out, "[]");
        }
    }
}
