/* translate.c - machine code made a PTX module: what each instruction says (whole.c, point.c, memory.c, flow.c), and in front of it when it may
 * issue.
 *
 *     0060  @P0 BRA 0x880                    .loc 1 87 0
 *                                            .pragma "banksim issue 5 7 7 1 1 1 0 8 1";
 *                                            @%P0 bra L880;
 */
#include <banksim/sass.h>

#include "base/mangled.h"
#include "base/memory.h"
#include "sass/follow.h"
#include "sass/loop.h"
#include "sass/pace.h"
#include "sass/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ------------------------------------------------------------------------------- */

static void print_words(struct bsim_buffer *out, const struct bsim_sass_bytes *bytes)
{
    bsim_buffer_text(out, " = {");
    for (uint32_t i = 0; i < bytes->n; i++) {
        bsim_buffer_printf(out, "%s%" PRIu32, i > 0 ? ", " : "", bytes->word[i]);
    }
    bsim_buffer_text(out, "};\n");
}

static void print_constants(struct bsim_buffer *out, const char *name, const struct bsim_sass_bytes *bytes)
{
    if (bytes->n > 0) {
        bsim_buffer_printf(out, ".const .align 16 .b32 %s[%" PRIu32 "]", name, bytes->n);
        print_words(out, bytes);
    }
}

static uint32_t byte_of(const struct bsim_sass_bytes *bytes, uint32_t i)
{
    return i / 4 < bytes->n ? bytes->word[i / 4] >> i % 4 * 8 & 255 : 0;
}

/* A variable of .nv.global, which begins as zeros, or of .nv.global.init. */
static void print_variable(struct bsim_buffer *out, const struct bsim_sass_dump *dump, const struct bsim_sass_symbol *v)
{
    bsim_buffer_printf(out, ".global .align 16 .b8 %.*s[%" PRIu32 "]", (int)v->name.length, v->name.text, v->size);
    if (v->section == dump->section_global) {
        bsim_buffer_text(out, " = {");
        for (uint32_t i = 0; i < v->size; i++) {
            bsim_buffer_printf(out, "%s%" PRIu32, i > 0 ? ", " : "", byte_of(&dump->global, v->value + i));
        }
        bsim_buffer_text(out, "}");
    }
    bsim_buffer_text(out, ";\n");
}

static void print_variables(struct bsim_buffer *out, const struct bsim_sass_dump *dump)
{
    print_constants(out, "c3", &dump->bank3);
    for (const struct bsim_sass_symbol *v = dump->symbols; v != NULL; v = v->next) {
        bool is_variable = v->section != 0 && (v->section == dump->section_global || v->section == dump->section_zero);
        if (is_variable && v->size > 0) {
            print_variable(out, dump, v);
        }
    }
}

/* The source's files behind the text itself, which is number 1. */
static void print_files(struct bsim_buffer *out, const struct bsim_sass_dump *dump)
{
    for (const struct bsim_sass_file *f = dump->lines.files; f != NULL && !dump->lines.is_unknown; f = f->next) {
        bool is_apart = f->directory.length > 0 && f->name.length > 0 && f->name.text[0] != '/';
        bsim_buffer_printf(out, ".file %" PRIu32 " \"%.*s%s%.*s\"\n", f->number + 1, is_apart ? (int)f->directory.length : 0, f->directory.text,
                           is_apart ? "/" : "", (int)f->name.length, f->name.text);
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* What a number of that size is, as far as the kernel's name says it; bits, of any other. */
static const char *number_type(struct bsim_sass_word declared, uint32_t size)
{
    static const char *const bits[] = {[1] = "b8", [2] = "b16", [4] = "b32", [8] = "b64"};
    static const struct {
        const char *declared, *type;
    } known[] = {{"float", "f32"},        {"double", "f64"},       {"int", "s32"},           {"unsigned int", "u32"}, {"long", "s64"},
                 {"unsigned long", "u64"}, {"long long", "s64"},   {"unsigned long long", "u64"}, {"short", "s16"},   {"unsigned short", "u16"},
                 {"char", "s8"},          {"signed char", "s8"},   {"unsigned char", "u8"},  {"bool", "u8"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (bsim_sass_same(declared, known[i].declared)) {
            return known[i].type;
        }
    }
    return size < sizeof bits / sizeof *bits ? bits[size] : NULL;
}

/* Whether the declared type is a class's name: of 8 bytes a struct, which is written in braces, not a number, or a pointer. */
static bool is_class(struct bsim_sass_word declared)
{
    static const char *const others[] = {"*", "&", "(", "[", "$", "auto", "decltype"};
    char name[BSIM_MANGLED_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)declared.length, declared.text);
    bool is_other = declared.length == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        is_other = is_other || strstr(name, others[i]) != NULL;
    }
    return !is_other;
}

static void print_parameters(struct bsim_buffer *out, const struct bsim_sass_function *f)
{
    char mangled[BSIM_MANGLED_BYTES], signature[BSIM_MANGLED_BYTES];
    snprintf(mangled, sizeof mangled, "%.*s", (int)f->name.length, f->name.text);
    bool is_known = bsim_mangled_signature(mangled, signature, sizeof signature);
    for (uint32_t i = 0; i < f->n_parameters; i++) {
        uint32_t size = f->parameter[i].size;
        size_t length = 0;
        const char *declared = is_known ? bsim_mangled_parameter(signature, i, &length) : NULL;
        const struct bsim_sass_word said = {declared != NULL ? declared : "", (uint32_t)length};
        const char *type = number_type(said, size);
        type = type != NULL && type[0] == 'b' && size == sizeof(uint64_t) && is_class(said) ? NULL : type;
        bsim_buffer_text(out, i > 0 ? ",\n\t" : "\n\t");
        if (type != NULL) {
            bsim_buffer_printf(out, ".param .%s p%" PRIu32, type, i);
        } else {
            bsim_buffer_printf(out, ".param .align 8 .b8 p%" PRIu32 "[%" PRIu32 "]", i, size);
        }
    }
}

/* Shared memory of the kernel's own, without the system's. */
static uint32_t shared_bytes(const struct bsim_sass_dump *dump, const struct bsim_sass_function *f)
{
    enum { ALIGNMENT = 16 };
    uint32_t system = bsim_sass_system_bytes(dump);
    uint32_t own = f->shared > system ? f->shared - system : 0;
    return (own + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ATOMS.CAST of the function, which loops of additions are made of, where these are none that are one atomic. */
static uint32_t count_trials(const struct bsim_sass_function *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i += f->code[i].loop != NULL ? f->code[i].loop->n : 1) {
        const struct bsim_sass_instruction *in = &f->code[i];
        n += bsim_sass_same(in->opcode, "ATOMS") && in->n_modifiers > 0 && bsim_sass_same(in->modifier[0], "CAST");
    }
    return n;
}

static void print_head(struct bsim_buffer *out, const struct bsim_sass_dump *dump, const struct bsim_sass_function *f)
{
    bsim_buffer_printf(out, ".visible .entry %.*s(", (int)f->name.length, f->name.text);
    print_parameters(out, f);
    bsim_buffer_text(out, ")\n");
    if (f->threads[0] > 0) {
        bsim_buffer_printf(out, "%s %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\n", f->needs_threads ? ".reqntid" : ".maxntid", f->threads[0], f->threads[1],
                           f->threads[2]);
    }
    bsim_buffer_printf(out, "{\n\t.pragma \"banksim registers %" PRIu32 "\";\n\t.pragma \"banksim trials %" PRIu32 "\";\n", f->registers, count_trials(f));
    bsim_buffer_text(out, "\t.pragma \"banksim machine code\";\n\t.reg .b32 %R<255>, %UR<63>, %t<32>, %lost, %zero, %counted;\n\t.reg .b64 %d<32>;\n"
                          "\t.reg .b16 %h<2>;\n\t.reg .pred %P<7>, %UP<7>, %q<32>, %PT, %agreed;\n");
    if (f->local > 0) {
        bsim_buffer_printf(out, "\t.local .align 16 .b8 stack[%" PRIu32 "];\n\tmov.u32 %%lost, stack;\n", f->local);
    }
    uint32_t shared = shared_bytes(dump, f);
    if (shared > 0) {
        bsim_buffer_printf(out, "\t.shared .align 16 .b8 shared[%" PRIu32 "];\n\tmov.u32 %%lost, shared;\n", shared);
    }
    bsim_buffer_text(out, "\tmov.u32 %lost, dynamic;\n\tsetp.eq.u32 %PT, 0, 0;\n\tmov.b32 %zero, 0;\n");
}

/* "!P0" to "@!%P0 ". */
static void print_guard(struct bsim_sass_saying *s)
{
    struct bsim_sass_word name = bsim_sass_condition_of(s->in->guard);
    s->guard[0] = '\0';
    if (name.length > 0 && name.length < 8) {
        bool is_always = name.text[name.length - 1] == 'T';
        snprintf(s->guard, sizeof s->guard, "@%s%%%.*s ", name.length < s->in->guard.length ? "!" : "", (int)name.length, is_always ? "PT" : name.text);
    }
}

/* When it issues; why: what of it is not read, or "". */
static void print_issue(struct bsim_sass_saying *s, const char *why)
{
    const struct bsim_sass_control *c = s->in->loop != NULL ? &s->in->loop->control : &s->in->control;
    struct bsim_sass_pace pace = bsim_sass_find_pace(s->in);
    bsim_buffer_printf(s->out, "\t.pragma \"banksim issue %u %u %u %u %u %u %u %u %u%s%s\";\n", c->stall + pace.more, c->tells, c->reads, c->awaits, pace.pipe,
                       pace.takes, pace.latency, pace.reading, pace.kind, why[0] != '\0' ? ": " : "", why);
}

/* The call that was inlined comes first, so that it has its own; then the row, which has the text's line for a column, by which instructions
 * of one line are told apart and errors have their place. */
static void print_row(struct bsim_buffer *out, const struct bsim_sass_row *row, uint32_t column)
{
    enum { MOST_DEEP = 16 };
    const struct bsim_sass_row *chain[MOST_DEEP];
    uint32_t n = 0;
    for (chain[n++] = row; row->back > 0 && n < MOST_DEEP; chain[n++] = row) {
        row -= row->back;
    }
    for (uint32_t i = n; i-- > 0;) {
        bsim_buffer_printf(out, "\t.loc %" PRIu32 " %" PRIu32 " %" PRIu32, chain[i]->file + 1, chain[i]->line, i == 0 ? column : 0);
        if (i + 1 < n) {
            bsim_buffer_printf(out, ", inlined_at %" PRIu32 " %" PRIu32 " 0", chain[i + 1]->file + 1, chain[i + 1]->line);
        }
        bsim_buffer_text(out, "\n");
    }
}

/* The source's line, where -lineinfo tells it, or the text's; of a loop that is one atomic its trial's, where a profiler has its conflicts. */
static void print_place(struct bsim_sass_saying *s)
{
    const struct bsim_sass_instruction *at = s->in->loop != NULL ? s->in->loop->trial : s->in;
    if (at->source != NULL) {
        print_row(s->out, at->source, at->line);
    } else {
        bsim_buffer_printf(s->out, "\t.loc 1 %" PRIu32 " 0\n", at->line);
    }
}

/* What is not read refuses itself, at the text's line, where a launch comes to it. */
static void print_instruction(struct bsim_sass_saying *s)
{
    const struct bsim_sass_instruction *in = s->in;
    if (in->n_leads > 0) {
        bsim_buffer_printf(s->out, "L%" PRIx32 "_%" PRIu32 ":\n", in->offset, s->way);
    }
    print_place(s);
    size_t from = s->out->size_bytes;
    s->n_t = s->n_d = s->n_q = 0;
    s->unknown = NULL;
    print_guard(s);
    print_issue(s, "");
    if (s->function->is_open && in->offset == 0) {
        bsim_sass_refuse(s, "addresses of variables stand in its code, which are put in when it is loaded (-G, -rdc=true): this is not read here");
    }
    bool is_known = bsim_sass_say_loop(s) || bsim_sass_say_whole(s) || bsim_sass_say_point(s) || bsim_sass_say_memory(s) || bsim_sass_say_flow(s);
    if (!is_known || s->unknown != NULL) {
        s->out->size_bytes = from;
        bsim_buffer_printf(s->out, "\t.loc 1 %" PRIu32 " 0\n", in->line);
        print_issue(s, s->unknown != NULL ? s->unknown : "this opcode of machine code is not read here");
        bsim_buffer_text(s->out, "\tsass;\n");
    }
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* A way of a call: from where, and where it comes back to. */
struct way {
    uint32_t entry, back, back_way;
};

/* Marks what is come to from the instruction on, other than in calls, and a branch's goal. */
static void mark_reached(const struct bsim_sass_function *f, uint32_t from, struct bsim_sass_walk *walk)
{
    for (bsim_sass_begin(walk, f, from); walk->n > 0;) {
        bsim_sass_follow(walk, f, walk->stack[--walk->n]);
    }
}

/* The kernel's own way, and those of its calls, each as often as it is called. */
static void print_ways(struct bsim_sass_saying *s, struct bsim_sass_walk *walk)
{
    const struct bsim_sass_function *f = s->function;
    struct way way[BSIM_SASS_WAYS] = {{0, 0, 0}};
    for (s->way = 0; s->way <= s->n_ways && s->way < BSIM_SASS_WAYS; s->way++) {
        s->back = way[s->way].back;
        s->back_way = way[s->way].back_way;
        mark_reached(f, bsim_sass_index(f, way[s->way].entry), walk);
        for (uint32_t i = 0; i < f->n; i += f->code[i].loop != NULL ? f->code[i].loop->n : 1) {
            s->in = &f->code[i];
            uint32_t before = s->n_ways;
            if (walk->is_reached[i]) {
                print_instruction(s);
            }
            if (s->n_ways > before) {
                way[s->n_ways] = (struct way){s->new_entry, s->new_return, s->way};
            }
        }
    }
}

/* How deep functions go that call themselves is not told: they have what CUDA gives a thread. */
static void give_stack(struct bsim_sass_function *f)
{
    enum { CUDA_STACK_BYTES = 1024 };
    for (uint32_t i = 0; i < f->n; i++) {
        bool is_local = bsim_sass_same(f->code[i].opcode, "STL");
        f->local = is_local && f->local == 0 ? CUDA_STACK_BYTES : f->local;
    }
}

/* False: memory is short. */
static bool print_kernel(struct bsim_buffer *out, struct bsim_sass_dump *dump, struct bsim_sass_function *f, uint32_t number)
{
    struct bsim_sass_saying s = {.dump = dump, .function = f, .out = out, .number = number};
    char name[16];
    struct bsim_sass_walk walk = {.is_reached = bsim_arena_take(&dump->arena, f->n)};
    walk.stack = bsim_arena_take(&dump->arena, ((size_t)f->n + 1) * sizeof *walk.stack);
    if (walk.is_reached == NULL || walk.stack == NULL) {
        return false;
    }
    bsim_sass_count_leads(f);
    if (!bsim_sass_find_loops(f, &walk, &dump->arena)) {
        return false;
    }
    give_stack(f);
    snprintf(name, sizeof name, "c2_%" PRIu32, number);
    print_constants(out, name, &f->bank2);
    print_head(out, dump, f);
    print_ways(&s, &walk);
    bsim_buffer_text(out, "}\n");
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool is_line(const char *text, size_t length, const char *begins)
{
    size_t n = strlen(begins);
    return length >= n && memcmp(text, begins, n) == 0;
}

bool bsim_sass_is(const char *text, size_t length)
{
    enum { LOOKED_AT = 4096 };
    for (size_t i = 0; i < length && i < LOOKED_AT; i++) {
        if (is_line(text + i, length - i, "64-bit ELF: type=") || is_line(text + i, length - i, "code for sm_")) {
            return true;
        }
    }
    return false;
}

/* Whether a branch or call of the function leads to no instruction of it, or its last one goes on: part of the text is missing. */
static bool is_cut(const struct bsim_sass_function *f)
{
    const struct bsim_sass_instruction *last = &f->code[f->n - 1];
    bool ends = bsim_sass_same(last->opcode, "EXIT") || bsim_sass_same(last->opcode, "RET") || bsim_sass_same(last->opcode, "BRA") ||
                bsim_sass_same(last->opcode, "NOP");
    bool leads = true;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct bsim_sass_instruction *in = &f->code[i];
        bool is_branch = (bsim_sass_same(in->opcode, "CALL") || bsim_sass_same(in->opcode, "BRA")) && in->n_operands > 0;
        leads = leads && (!is_branch || in->operand[in->n_operands - 1].text[0] != '0' || bsim_sass_index(f, bsim_sass_target(in)) < f->n);
    }
    return !leads || !ends || last->guard.length > 0;
}

static enum bsim_status check(const char *name, const struct bsim_sass_dump *dump, struct bsim_error *err)
{
    enum { FIRST = 80, LAST = 90 };
    bool has_code = false, has_sizes = false;
    uint32_t module = 0;
    if (strpbrk(name, "\"\n") != NULL) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s: PTX has no way to write a file's name with '\"' or a line's end in it: rename it", name);
    }
    for (const struct bsim_sass_function *f = dump->functions; f != NULL; f = f->next) {
        if (f->n > 0 && is_cut(f)) {
            return bsim_error_set(err, BSIM_E_INPUT, "%s: the code of %.*s is not whole: write it anew with 'cuobjdump -elf -sass'", name, (int)f->name.length,
                                  f->name.text);
        }
        has_code |= f->n > 0;
        if (f->n > 0 && module != 0 && f->module != module) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "%s: kernels of several modules, each with variables of its own: dump one alone ('cuobjdump -xelf all FILE' has each)", name);
        }
        module = f->n > 0 ? f->module : module;
        has_sizes |= f->n > 0 && f->parameter_base > 0;
    }
    if (has_code && has_sizes && dump->architecture >= FIRST && dump->architecture <= LAST) {
        return BSIM_OK;
    }
    if (has_code && has_sizes && dump->architecture > 0) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s: code for sm_%" PRIu32 ": read is that for sm_%d to sm_%d (nvcc -arch=sm_90)", name, dump->architecture, FIRST, LAST);
    }
    return bsim_error_set(err, BSIM_E_INPUT, "%s: %s: write it with 'cuobjdump -elf -sass'", name,
                          has_code ? "the kernels' parameters are missing" : "no machine code");
}

enum bsim_status bsim_sass_ptx(const char *name, const char *text, size_t length, struct bsim_buffer *ptx, struct bsim_error *err)
{
    struct bsim_sass_dump dump;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_sass_read(name, text, length, &dump, err);
    status = status == BSIM_OK ? check(name, &dump, err) : status;
    if (status == BSIM_OK) {
        bsim_buffer_printf(&out, ".version 8.0\n.target sm_%" PRIu32 "\n.address_size 64\n.file 1 \"%s\"\n.extern .shared .align 16 .b8 dynamic[];\n",
                           dump.architecture, name);
        print_files(&out, &dump);
        print_variables(&out, &dump);
        uint32_t number = 0;
        for (struct bsim_sass_function *f = dump.functions; f != NULL; f = f->next) {
            if (status == BSIM_OK && f->n > 0 && !print_kernel(&out, &dump, f, number++)) {
                status = bsim_mem_short(err);
            }
        }
        status = status == BSIM_OK ? bsim_buffer_status(&out, err) : status;
    }
    if (status == BSIM_OK) {
        bsim_buffer_add(ptx, out.data, out.size_bytes);
        status = bsim_buffer_status(ptx, err);
    }
    bsim_buffer_free(&out);
    bsim_arena_free(&dump.arena);
    return status;
}
