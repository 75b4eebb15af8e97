/* mangle.c - names of functions in PTX, by the Itanium C++ ABI: the same that nvcc and clang give them.
 *
 *     void transpose(const float *in, float *out, int n)    _Z9transposePKfPfi
 *
 * What came before in a name is not spelled again but counted: S_ is the first part that may be
 * counted, S0_ the second one. Scalars are no such parts.
 */
#include "cuda/mangle.h"

enum { MAX_PARTS = 64 };

struct mangling {
    struct cu_file *file;
    struct bsim_buffer name;
    const char *part[MAX_PARTS];
    uint32_t n;
};

/* The type in full, as if nothing came before. */
static const char *in_full(struct cu_file *file, const struct cu_type *type)
{
    const char *qualifiers = bsim_cu_text(file, "%s%s%s", type->is_restrict ? "r" : "",
                                          type->is_volatile ? "V" : "", type->is_const ? "K" : "");
    switch (type->kind) {
    case CU_POINTER:
        return bsim_cu_text(file, "%sP%s", qualifiers, in_full(file, type->of));
    case CU_REFERENCE:
        return bsim_cu_text(file, "R%s", in_full(file, type->of));
    case CU_ARRAY:
        return bsim_cu_text(file, "A%llu_%s", (unsigned long long)type->count,
                            in_full(file, type->of));
    case CU_STRUCT:
        return bsim_cu_text(file, "%s%zu%s", qualifiers, strlen(type->name), type->name);
    default:
        return bsim_cu_text(file, "%s%s", qualifiers, type->code);
    }
}

/* Whether the part came before: then it is counted. Else it is noted by `note`. */
static bool count_part(struct mangling *m, const char *full)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (uint32_t i = 0; i < m->n; i++) {
        if (strcmp(m->part[i], full) == 0) {
            bsim_buffer_text(&m->name, "S");
            if (i > 0) {
                bsim_buffer_printf(&m->name, "%.*s%c", i > 36, &digits[(i - 1) / 36],
                                   digits[(i - 1) % 36]);
            }
            bsim_buffer_text(&m->name, "_");
            return true;
        }
    }
    return false;
}

static void note(struct mangling *m, const char *full)
{
    if (m->n < MAX_PARTS) {
        m->part[m->n++] = full;
    }
}

static void add_type(struct mangling *m, const struct cu_type *type)
{
    const char *full = in_full(m->file, type);
    bool is_qualified =
        (type->is_const || type->is_volatile || type->is_restrict) && type->kind != CU_ARRAY;
    if (type->kind < CU_POINTER && !is_qualified) {
        bsim_buffer_text(&m->name, type->code);
        return;
    }
    if (count_part(m, full)) {
        return;
    }
    if (is_qualified) {
        struct cu_type plain = *type;
        plain.is_const = plain.is_volatile = plain.is_restrict = false;
        bsim_buffer_printf(&m->name, "%s%s%s", type->is_restrict ? "r" : "",
                           type->is_volatile ? "V" : "", type->is_const ? "K" : "");
        add_type(m, &plain);
    } else if (type->kind == CU_STRUCT) {
        bsim_buffer_printf(&m->name, "%zu%s", strlen(type->name), type->name);
    } else {
        if (type->kind == CU_ARRAY) {
            bsim_buffer_printf(&m->name, "A%llu_", (unsigned long long)type->count);
        } else {
            bsim_buffer_text(&m->name, type->kind == CU_POINTER ? "P" : "R");
        }
        add_type(m, type->of);
    }
    note(m, full);
}

/* A parameter's own qualifiers are no part of the name, and arrays are pointers. */
static void add_parameter(struct mangling *m, const struct cu_type *type)
{
    struct cu_type plain = *type;
    plain.is_const = plain.is_volatile = plain.is_restrict = false;
    add_type(m, &plain);
}

const char *bsim_cu_mangle(struct cu_file *file, const struct cu_function *function)
{
    struct mangling m = {.file = file, .name = BSIM_BUFFER_EMPTY};
    bsim_buffer_printf(&m.name, "_Z%zu%s", strlen(function->name), function->name);
    for (const struct cu_variable *v = function->parameters; v != NULL; v = v->next) {
        add_parameter(&m, v->type);
    }
    if (function->parameters == NULL) {
        bsim_buffer_text(&m.name, "v");
    }
    if (m.name.failed) {
        bsim_cu_no_memory(file);
    }
    const char *name = bsim_cu_text(file, "%s", m.name.failed ? "" : m.name.data);
    bsim_buffer_free(&m.name);
    return name;
}
