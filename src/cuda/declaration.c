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

/* What traces call a type that PTX has none for: half2, float3; "": a struct of the file's own. */
static const char *name_of(struct cu_file *file, const struct cu_type *type)
{
    static const char *const halves[][2] = {{"__half", "half"}, {"__half2", "half2"}};
    struct cu_token token = {
        .kind = CU_NAME, .text = type->name, .length = (uint32_t)strlen(type->name), .at = ""};
    const struct cu_type *known = bsim_cu_half_named(file, &token);
    known = known == NULL ? bsim_cu_type_named(file, &token) : known;
    if (known == NULL || known->size != type->size || known->alignment != type->alignment) {
        return "";
    }
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        if (strcmp(type->name, halves[i][0]) == 0) {
            return halves[i][1];
        }
    }
    return type->name;
}

/* A shared array whose elements PTX has no type for: the bytes of one are its last dimension. */
static bool is_of_bytes(const struct cu_variable *v)
{
    uint32_t n_vector;
    const struct cu_type *element = element_of(v->type);
    return v->storage == CU_SHARED && v->type->kind == CU_ARRAY && element->size > 0 &&
           word_of(element, &n_vector) == NULL;
}

uint32_t bsim_cu_alignment_of(const struct cu_variable *v)
{
    enum { OF_EXTERN = 16 }; /* nvcc 13's */
    uint32_t own = v->alignment > v->type->alignment ? v->alignment : v->type->alignment;
    return v->is_extern && v->storage == CU_SHARED && own < OF_EXTERN ? OF_EXTERN : own;
}

static void print_dimensions(const struct cu_type *type, struct bsim_buffer *out)
{
    for (; type->kind == CU_ARRAY; type = type->of) {
        if (type->count > 0) {
            bsim_buffer_printf(out, "[%" PRIu64 "]", type->count);
        } else {
            bsim_buffer_text(out, "[]");
        }
    }
}

void bsim_cu_print_elements(struct cu_file *file, const struct cu_variable *v,
                            struct bsim_buffer *out)
{
    if (is_of_bytes(v)) {
        const char *name = name_of(file, element_of(v->type));
        bsim_buffer_printf(out, "\t.pragma \"banksim elements %s\";\n", name);
    }
}

void bsim_cu_print_declaration(const struct cu_variable *v, struct bsim_buffer *out)
{
    uint32_t alignment = bsim_cu_alignment_of(v);
    const struct cu_type *element = element_of(v->type);
    uint32_t n_vector;
    const char *word = word_of(element, &n_vector);
    bsim_buffer_printf(out, " .align %" PRIu32, alignment);
    if (is_of_bytes(v)) {
        bsim_buffer_printf(out, " .b8 %s", v->symbol);
        print_dimensions(v->type, out);
        bsim_buffer_printf(out, "[%" PRIu64 "]", element->size);
    } else if (word == NULL || v->type->kind != CU_ARRAY) {
        bsim_buffer_printf(out, " .b8 %s[", v->symbol);
        if (!v->is_extern) {
            bsim_buffer_printf(out, "%" PRIu64, v->type->size);
        }
        bsim_buffer_text(out, "]");
    } else {
        if (n_vector > 1) {
            bsim_buffer_printf(out, " .v%" PRIu32, n_vector);
        }
        bsim_buffer_printf(out, " .%s %s", word, v->symbol);
        print_dimensions(v->type, out);
    }
}
