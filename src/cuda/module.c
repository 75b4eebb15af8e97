/* module.c - a file of CUDA C as a PTX module: which kernels, and the variables that they share. */
#include <banksim/cuda.h>

#include "base/nearest.h"
#include "cuda/compile.h"
#include "cuda/parse.h"
#include "cuda/prelude.h"
#include "cuda/preprocess.h"

#include <inttypes.h>

/* ---- variables ------------------------------------------------------------------------------- */

/* The bytes that a variable has at first. */
struct image {
    struct cu_file *file;
    unsigned char *byte;
};

static void put(struct image *image, const struct cu_type *type, const struct cu_node *value,
                uint64_t offset);

/* The values of a list go to the elements, or members, in order. */
static void put_list(struct image *image, const struct cu_type *type, const struct cu_node *value,
                     uint64_t offset)
{
    const struct cu_member *member = type->members;
    uint64_t i = 0;
    for (const struct cu_node *n = value->body; n != NULL; n = n->next, i++) {
        if (type->kind == CU_ARRAY) {
            put(image, type->of, n, offset + i * type->of->size);
        } else if (member != NULL) {
            put(image, member->type, n, offset + member->offset);
            member = member->next;
        }
    }
}

static void put(struct image *image, const struct cu_type *type, const struct cu_node *value,
                uint64_t offset)
{
    uint64_t bits = 0;
    double real = 0;
    if (value->kind == CU_LIST) {
        put_list(image, type, value, offset);
        return;
    }
    bool is_known = bsim_cu_is_floating(type) ? bsim_cu_real_constant(value, &real)
                                              : bsim_cu_constant(value, &bits);
    if (!is_known) {
        bsim_cu_fail(image->file, value->token, "this value is not known before a kernel runs");
        return;
    }
    float single = (float)real;
    if (type->kind == CU_FLOAT) {
        memcpy(&image->byte[offset], &single, sizeof single);
    } else if (type->kind == CU_DOUBLE) {
        memcpy(&image->byte[offset], &real, sizeof real);
    } else {
        for (uint64_t i = 0; i < type->size; i++) {
            image->byte[offset + i] = (unsigned char)(bits >> 8 * i);
        }
    }
}

static void print_image(struct cu_file *file, const struct cu_variable *v, struct bsim_buffer *out)
{
    struct image image = {file, bsim_cu_take_many(file, v->type->size, 1)};
    if (image.byte == NULL) {
        return;
    }
    put(&image, v->type, v->value, 0);
    bsim_buffer_text(out, " = {");
    for (uint64_t i = 0; i < v->type->size; i++) {
        bsim_buffer_printf(out, "%s%u", i > 0 ? "," : "", image.byte[i]);
    }
    bsim_buffer_text(out, "}");
}

/* Those of the GPU's memory, and shared memory whose size the launch says. */
static void print_variables(const struct cu_module *module, struct bsim_buffer *out)
{
    for (const struct cu_variable *v = module->variables; v != NULL; v = v->next) {
        uint32_t alignment = v->alignment > v->type->alignment ? v->alignment : v->type->alignment;
        if (!v->is_told || (v->storage == CU_SHARED && !v->is_extern)) {
            continue;
        }
        if (v->storage == CU_SHARED) {
            bsim_cu_print_elements(module->file, v, out);
            bsim_buffer_text(out, ".extern .shared");
            bsim_cu_print_declaration(v, out);
            bsim_buffer_text(out, ";\n");
            continue;
        }
        bsim_buffer_printf(out, ".%s .align %" PRIu32 " .b8 %s[%" PRIu64 "]",
                           v->storage == CU_CONSTANT ? "const" : "global", alignment, v->symbol,
                           v->type->size);
        if (v->value != NULL) {
            print_image(module->file, v, out);
        }
        bsim_buffer_text(out, ";\n");
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The body of the function and of those that it calls, and so on. */
static void read_bodies(struct cu_parser *p, struct cu_function *kernel)
{
    bool is_new = true;
    kernel->is_used = true;
    while (is_new && !bsim_cu_failed(p->file)) {
        is_new = false;
        for (struct cu_function *f = p->module->functions; f != NULL; f = f->next) {
            if (f->is_used && f->body == NULL && f->body_tokens != NULL) {
                bsim_cu_read_body(p, f);
                is_new = true;
            }
        }
    }
}

static bool is_named(const struct cu_function *function, const char *name)
{
    return function->is_kernel && function->body_tokens != NULL &&
           (name == NULL || strcmp(function->name, name) == 0 ||
            strcmp(function->symbol, name) == 0);
}

/* Why there is no kernel of that name. */
static void say_missing(struct cu_parser *p, const char *name)
{
    struct cu_token token = {.kind = CU_NAME, .text = name, .length = (uint32_t)strlen(name)};
    const struct cu_name *found = bsim_cu_find(p, &token);
    struct bsim_nearest nearest = bsim_nearest_start(name);
    if (found != NULL && found->kind == CU_NAME_UNREADABLE) {
        bsim_cu_fail(p->file, found->token, "%s cannot be read: %s", name, found->why);
        return;
    }
    for (const struct cu_function *f = p->module->functions; f != NULL; f = f->next) {
        if (is_named(f, NULL)) {
            bsim_nearest_try(&nearest, f->name);
        }
    }
    bsim_cu_fail(p->file, NULL, "%s has no kernel '%s'%s", p->file->source.name, name,
                 bsim_cu_meant(p->file, nearest.best, NULL));
}

/* "<int N, class T>", as the template is declared. */
static const char *parameters_of(struct cu_file *file, const struct cu_template *template)
{
    const char *text = "";
    for (const struct cu_token *t = template->parameters; t != template->begin && t->kind != CU_END; t = t->next) {
        text = bsim_cu_text(file, "%s%s%.*s", text, t->after_blank && text[0] != '\0' ? " " : "", bsim_cu_shown(t), t->text);
    }
    return text;
}

/* The launch says none of the template's arguments, n = 0, or others than it takes. */
static void refuse_arguments(struct cu_parser *p, const struct cu_name *name, const char *kernel, uint32_t n)
{
    const char *spelled = bsim_cu_spelled(p->file, name->token);
    const char *why = n == 0 && p->why != NULL ? bsim_cu_text(p->file, ": %s", p->why) : "";
    if (n == 0) {
        bsim_cu_fail(p->file, name->token, "%s is a template: say its arguments, as in %s<...><<<...>>>(...)%s", spelled,
                     spelled, why);
    } else {
        bsim_cu_fail(p->file, name->token, "'%s' does not fit the template %s", kernel, parameters_of(p->file, name->template));
    }
}

/* A template's kernel, with its arguments as the launch says them: k<32, float>. */
static bool make_kernel(struct cu_parser *p, const char *kernel)
{
    struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
    struct cu_node **none = NULL;
    p->token = bsim_cu_tokens_of(p->file, kernel, strlen(kernel), p->end);
    const struct cu_name *name = bsim_cu_resolve(p);
    if (name == NULL || name->kind != CU_NAME_TEMPLATE || name->template->is_struct) {
        p->token = p->end;
        return false;
    }
    const struct cu_token *at = name->token;
    for (const struct cu_token *t = p->token; t != NULL; t = t->next) {
        ((struct cu_token *)(uintptr_t)t)->at = at->at;
        ((struct cu_token *)(uintptr_t)t)->line = at->line;
        ((struct cu_token *)(uintptr_t)t)->source = at->source;
    }
    bsim_cu_advance(p);
    uint32_t n = bsim_cu_sees(p, "<") ? bsim_cu_read_arguments(p, argument) : 0;
    p->token = p->end;
    p->why = NULL;
    struct cu_function *made = bsim_cu_made_function(p, name->template, argument, n, none, 0);
    if (made == NULL && !bsim_cu_failed(p->file)) {
        bool is_unread = p->why != NULL && strstr(p->why, "cannot be told") == NULL;
        refuse_arguments(p, name, kernel, is_unread ? 0 : n);
        return true;
    }
    if (made != NULL && made->is_kernel && made->body_tokens != NULL) {
        made->name = kernel;
    }
    return false;
}

static void compile(struct cu_parser *p, const char *kernel, struct bsim_buffer *text)
{
    bool is_found = kernel != NULL && make_kernel(p, kernel);
    for (struct cu_function *f = p->module->functions; f != NULL && !bsim_cu_failed(p->file);
         f = f->next) {
        if (is_named(f, kernel)) {
            is_found = true;
            read_bodies(p, f);
            if (!bsim_cu_failed(p->file)) {
                bsim_cu_compile(p->module, f, text);
            }
        }
    }
    if (!is_found && !bsim_cu_failed(p->file)) {
        say_missing(p, kernel != NULL ? kernel : "");
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What stands before the file, in its outermost scope. */
static void read_prelude(struct cu_parser *p)
{
    static const struct cu_token nowhere = {.kind = CU_END, .text = "", .at = ""};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (const char *const *line = bsim_cu_prelude; *line != NULL; line++) {
        bsim_buffer_text(&text, *line);
    }
    char *kept = text.failed ? NULL : bsim_arena_text(&p->file->arena, text.data, text.size_bytes);
    if (kept == NULL) {
        bsim_cu_no_memory(p->file);
    } else {
        struct cu_token *tokens = bsim_cu_tokens_of(p->file, kept, text.size_bytes, &nowhere);
        p->token = bsim_cu_preprocess(p->file, tokens);
        bsim_cu_parse_file(p);
    }
    bsim_buffer_free(&text);
}

static void translate(struct cu_file *file, const char *kernel, struct bsim_buffer *ptx)
{
    struct bsim_buffer kernels = BSIM_BUFFER_EMPTY, variables = BSIM_BUFFER_EMPTY;
    struct cu_module module = {.file = file};
    struct cu_token *tokens = bsim_cu_preprocess(file, bsim_cu_tokens(file, &file->source));
    struct cu_parser p = {.file = file, .module = &module, .end = bsim_cu_last(tokens)};
    if (!bsim_cu_failed(file)) {
        read_prelude(&p);
        p.token = tokens;
        bsim_cu_parse_file(&p);
    }
    if (!bsim_cu_failed(file)) {
        compile(&p, kernel, &kernels);
    }
    print_variables(&module, &variables);
    if (!bsim_cu_failed(file)) {
        bsim_buffer_text(ptx, ".version 8.0\n.target sm_90\n.address_size 64\n\n");
        for (const struct cu_source *s = &file->source; s != NULL; s = s->next) {
            bsim_buffer_printf(ptx, ".file %" PRIu32 " \"%s\"\n", s->number, s->name);
        }
        bsim_buffer_add(ptx, variables.data, variables.size_bytes);
        bsim_buffer_add(ptx, kernels.data, kernels.size_bytes);
        ptx->failed = ptx->failed || variables.failed || kernels.failed;
    }
    bsim_buffer_free(&kernels);
    bsim_buffer_free(&variables);
}

enum bsim_status bsim_cuda_ptx(const char *name, const char *text, size_t length,
                               const struct bsim_cuda_headers *headers, const char *kernel,
                               struct bsim_buffer *ptx, struct bsim_error *err)
{
    struct cu_file file;
    size_t before = ptx->size_bytes;
    if (bsim_cu_begin(&file, name, text, length, headers, err)) {
        translate(&file, kernel, ptx);
    }
    return bsim_cu_finish(&file, ptx, before);
}
