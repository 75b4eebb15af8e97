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
    if (type->parameter > 0) {
        return bsim_cu_text(file, "%s%sT%u_", type->is_volatile ? "V" : "",
                            type->is_const ? "K" : "", type->parameter);
    }
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
        return bsim_cu_text(file, "%s%zu%s%s", qualifiers, strlen(type->name), type->name,
                            type->from != NULL
                                ? bsim_cu_mangled_arguments(file, type->argument, type->n_arguments)
                                : "");
    default:
        return bsim_cu_text(file, "%s%s", qualifiers, type->code);
    }
}

static const char *number_in_full(struct cu_file *file, const struct cu_argument *argument)
{
    bool is_negative = bsim_cu_is_signed(argument->type) && (int64_t)argument->number < 0;
    return bsim_cu_text(
        file, "L%s%s%lluE", argument->type->code, is_negative ? "n" : "",
        (unsigned long long)(is_negative ? 0 - argument->number : argument->number));
}

const char *bsim_cu_mangled_arguments(struct cu_file *file, const struct cu_argument *argument,
                                      uint32_t n)
{
    const char *text = "I";
    for (uint32_t i = 0; i < n; i++) {
        text = bsim_cu_text(file, "%s%s", text,
                            argument[i].is_number ? number_in_full(file, &argument[i])
                                                  : in_full(file, argument[i].type));
    }
    return bsim_cu_text(file, "%sE", text);
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

static void add_type(struct mangling *m, const struct cu_type *type);

/* I ... E; what stands in it is counted, too. */
static void add_arguments(struct mangling *m, const struct cu_argument *argument, uint32_t n)
{
    bsim_buffer_text(&m->name, "I");
    for (uint32_t i = 0; i < n; i++) {
        if (argument[i].is_number) {
            bsim_buffer_text(&m->name, number_in_full(m->file, &argument[i]));
        } else if (argument[i].type->is_function) {
            bsim_buffer_printf(&m->name, "XadL%sEE", argument[i].type->code);
        } else {
            add_type(m, argument[i].type);
        }
    }
    bsim_buffer_text(&m->name, "E");
}

static void add_struct(struct mangling *m, const struct cu_type *type)
{
    const char *own = bsim_cu_text(m->file, "%zu%s", strlen(type->name), type->name);
    if (type->from == NULL || !count_part(m, own)) {
        bsim_buffer_text(&m->name, own);
        if (type->from != NULL) {
            note(m, own);
        }
    }
    if (type->from != NULL) {
        add_arguments(m, type->argument, type->n_arguments);
    }
}

static void add_type(struct mangling *m, const struct cu_type *type)
{
    const char *full = in_full(m->file, type);
    bool is_qualified =
        (type->is_const || type->is_volatile || type->is_restrict) && type->kind != CU_ARRAY;
    if (type->kind < CU_POINTER && !is_qualified && type->parameter == 0) {
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
    } else if (type->parameter > 0) {
        bsim_buffer_printf(&m->name, type->parameter > 1 ? "T%u_" : "T_", type->parameter - 2);
    } else if (type->kind == CU_STRUCT) {
        add_struct(m, type);
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
    const struct cu_type *owner = function->owner;
    const char *space = owner != NULL ? in_full(file, owner) : function->space;
    const char *own = bsim_cu_text(file, "%zu%s", strlen(function->name), function->name);
    bsim_buffer_printf(&m.name, "_Z%s%s%s", space != NULL ? "N" : "", space != NULL ? space : "",
                       own);
    if (space != NULL) {
        note(&m, space);
    }
    if (function->argument != NULL) {
        note(&m, bsim_cu_text(file, "%s%s", space != NULL ? space : "", own));
        add_arguments(&m, function->argument, function->n_arguments);
    }
    bsim_buffer_text(&m.name, space != NULL ? "E" : "");
    if (function->argument != NULL || strcmp(function->name, "operator") == 0) {
        if (function->result != NULL) {
            add_type(&m, function->result);
        } else {
            bsim_buffer_text(&m.name, "Da");
        }
    }
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
