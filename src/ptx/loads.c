/* loads.c - see loads.h.
 *
 *     struct { int n; float f; }       {3, 3} is 3 and 3.0f, as a call in C would have it, ...
 *     ld.param.u32 %r1, [s];           ... because of what the kernel
 *     ld.param.f32 %f1, [s+4];         does with them
 *
 * nvcc loads each member by its type. clang copies by whole numbers what it does not compute with, and other
 * compilers load bits: then the first instruction that computes with the register tells.
 */
#include "ptx/loads.h"

#include "ptx/element.h"
#include "ptx/lower.h"
#include "ptx/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- loads ----------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 4 };

/* Where an element of what is loaded from the parameter lies, and the register that it goes to, or
 * BSIM_PTX_NOWHERE. */
struct loaded {
    uint64_t at, bytes;
    uint32_t number;
};

/* The instruction's elements of the parameter, at most four; 0: it is no load of it. */
static uint32_t find_loaded(const struct bsim_ptx_symbol *parameter,
                            const struct bsim_ptx_instruction *load,
                            struct loaded loaded[MOST_ELEMENTS])
{
    const struct bsim_ptx_operand *place = &load->operand[1], *to = &load->operand[0];
    if (!bsim_ptx_is_a(load, "ld") || place->n == 0 || load->n_types == 0 ||
        place->member[0].symbol != parameter) {
        return 0;
    }
    uint64_t bytes = bsim_ptx_type_bits(load->type[0]) / 8, at = place->bits;
    uint32_t n = to->n > 0 ? to->n : 1, n_there = 0;
    for (uint32_t k = 0;
         k < n && k < MOST_ELEMENTS && bytes > 0 && at + bytes <= parameter->size_bytes;
         k++, at += bytes) {
        const struct bsim_ptx_operand *value = to->n > 0 ? &to->member[k] : to;
        uint32_t number = value->kind == BSIM_PTX_REGISTER ? value->number : BSIM_PTX_NOWHERE;
        loaded[n_there++] = (struct loaded){at, bytes, number};
    }
    return n_there;
}

void bsim_ptx_tell_loads(const struct bsim_ptx_function *kernel,
                         const struct bsim_ptx_symbol *parameter, char *text, size_t size)
{
    uint64_t last = UINT64_MAX;
    bool is_first = true;
    for (;;) {
        const struct bsim_ptx_instruction *next = NULL;
        for (uint32_t i = 0; i < kernel->n_instructions; i++) {
            const struct bsim_ptx_instruction *from = &kernel->code[i];
            const struct bsim_ptx_operand *place = &from->operand[1];
            if (bsim_ptx_is_a(from, "ld") && place->n > 0 && from->n_types > 0 &&
                place->member[0].symbol == parameter && (is_first || place->bits > last) &&
                (next == NULL || place->bits < next->operand[1].bits)) {
                next = from;
            }
        }
        size_t used = strlen(text);
        if (next == NULL || used + 40 > size) {
            return;
        }
        uint32_t n = next->operand[0].n > 0 ? next->operand[0].n : 1;
        last = next->operand[1].bits;
        snprintf(text + used, size - used, "%s%" PRIu32 "%s at %" PRIu64,
                 is_first ? "; the kernel loads " : ", ", n * bsim_ptx_type_bits(next->type[0]) / 8,
                 is_first ? " bytes" : "", last);
        is_first = false;
    }
}

/* ---- widths ---------------------------------------------------------------------------------- */

/* How many bytes the value has that the byte is the first of. */
static uint64_t bytes_of(const struct bsim_ptx_written *written, uint64_t at)
{
    uint64_t to = at + 1;
    while (to < written->parameter->size_bytes && written->part[to] == BSIM_PTX_BEHIND) {
        to++;
    }
    return to - at;
}

/* Whether the bytes begin a value and do not go beyond it, or are padding. */
static bool is_begin(const unsigned char *part, uint64_t from, uint64_t bytes)
{
    bool is = part[from] != BSIM_PTX_BEHIND;
    for (uint64_t i = from + 1; i < from + bytes && is; i++) {
        is = part[i] == (part[from] != BSIM_PTX_PADDING ? BSIM_PTX_BEHIND : BSIM_PTX_PADDING);
    }
    return is;
}

/* Whether a load takes these bytes and no others. */
static bool is_loaded(const struct bsim_ptx_written *written, uint64_t at, uint64_t bytes)
{
    bool is = false;
    for (uint32_t i = 0; i < written->kernel->n_instructions && !is; i++) {
        struct loaded loaded[MOST_ELEMENTS];
        uint32_t n = find_loaded(written->parameter, &written->kernel->code[i], loaded);
        for (uint32_t k = 0; k < n; k++) {
            is = is || (loaded[k].at == at && loaded[k].bytes == bytes);
        }
    }
    return is;
}

/* Whether the value that the byte is in is loaded whole, too, or byte by byte, as a copy may be. */
static bool is_all_loaded(const struct bsim_ptx_written *written, uint64_t at)
{
    uint64_t from = at;
    bool is = true;
    while (from > 0 && written->part[from] == BSIM_PTX_BEHIND) {
        from--;
    }
    uint64_t bytes = bytes_of(written, from);
    for (uint64_t i = from; i < from + bytes && is; i++) {
        is = is_loaded(written, i, 1);
    }
    return is || is_loaded(written, from, bytes);
}

/* nvcc and clang load member by member, at any optimisation, or less of one where it needs no more: its
 * begin, or another part beside the whole. */
static bool has_width(const struct bsim_ptx_written *written, const struct loaded *loaded)
{
    const unsigned char *part = written->part;
    bool is_inside = part[loaded->at] == BSIM_PTX_BEHIND;
    for (uint64_t i = loaded->at + 1; i < loaded->at + loaded->bytes && is_inside; i++) {
        is_inside = part[i] == BSIM_PTX_BEHIND;
    }
    return is_begin(part, loaded->at, loaded->bytes) ||
           (is_inside && is_all_loaded(written, loaded->at));
}

/* Whether a whole number is the same of these bytes alone, with a sign or without: else another member may
 * be meant, a char where a short was written. */
static bool is_all_there(const struct bsim_ptx_written *written, const struct loaded *loaded)
{
    const unsigned char *p = written->room + loaded->at;
    uint64_t bytes = bytes_of(written, loaded->at);
    bool is_positive = true, is_negative = (p[loaded->bytes - 1] & 0x80) != 0;
    for (uint64_t i = loaded->bytes; i < bytes; i++) {
        is_positive = is_positive && p[i] == 0;
        is_negative = is_negative && p[i] == 0xff;
    }
    return is_positive || is_negative;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* What the instruction takes the register for as its operand k: 'f', 'i', or 0: it does not tell. */
static char kind_of_use(const struct bsim_ptx_instruction *from, uint32_t k)
{
    static const char *const moves[] = {"mov", "ld", "st", "selp", "shfl", "atom", "red"};
    char letter = from->n_types > 0 ? bsim_ptx_type_letter(from->type[from->n_types - 1]) : '\0';
    bool is_move = from->n_types == 0;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        is_move = is_move || bsim_ptx_is_a(from, moves[i]);
    }
    if (from->operand[k].kind == BSIM_PTX_ADDRESS) {
        return 'i';
    }
    return is_move ? '\0' : letter == 'f' ? 'f' : letter == 's' || letter == 'u' ? 'i' : '\0';
}

static bool mentions(const struct bsim_ptx_operand *operand, uint32_t number)
{
    bool does = operand->kind == BSIM_PTX_REGISTER && operand->number == number;
    for (uint32_t i = 0; i < operand->n && !does; i++) {
        does = mentions(&operand->member[i], number);
    }
    return does;
}

/* By the first instruction that tells. */
static char kind_of_register(const struct bsim_ptx_function *kernel, uint32_t number)
{
    char kind = bsim_ptx_type_letter(kernel->reg[number].type) == 'f' ? 'f' : '\0';
    for (uint32_t i = 0; i < kernel->n_instructions && kind == '\0'; i++) {
        const struct bsim_ptx_instruction *from = &kernel->code[i];
        for (uint32_t k = bsim_ptx_defines(from) ? 1 : 0; k < from->n_operands && kind == '\0';
             k++) {
            kind = mentions(&from->operand[k], number) ? kind_of_use(from, k) : '\0';
        }
    }
    return kind;
}

/* clang loads by whole numbers what it copies; nvcc does not. */
static bool is_by_llvm(const struct bsim_ptx_module *module)
{
    static const char line[] = "// Generated by LLVM NVPTX";
    enum { MOST_BYTES = 200, LENGTH = sizeof line - 1 };
    bool is = false;
    for (size_t i = 0; i < MOST_BYTES && i + LENGTH <= module->length && !is; i++) {
        is = memcmp(module->text + i, line, LENGTH) == 0;
    }
    return is;
}

/* As a struct's, PTX has the bytes of a parameter that it has no type for; a __half is one, and is loaded as
 * a whole number. */
static bool is_struct(const struct bsim_ptx_symbol *parameter)
{
    return bsim_ptx_type_bits(parameter->type) / 8 != parameter->size_bytes;
}

/* What the kernel takes the element for: 'f', 'i', or 0: nobody knows. */
static char kind_of(const struct bsim_ptx_written *written, const struct bsim_ptx_instruction *load,
                    const struct loaded *loaded)
{
    char letter = bsim_ptx_type_letter(load->type[0]);
    bool may_be_half = loaded->bytes == 2 && is_struct(written->parameter);
    bool is_whole = (letter == 's' || letter == 'u') && !is_by_llvm(written->module);
    if (letter == 'f' || (is_whole && !may_be_half)) {
        return letter == 'f' ? 'f' : 'i';
    }
    return loaded->number != BSIM_PTX_NOWHERE ? kind_of_register(written->kernel, loaded->number)
                                              : '\0';
}

/* An open number becomes a float of as many bytes. */
static void make_float(struct bsim_ptx_written *written, const struct loaded *loaded)
{
    unsigned char *p = written->room + loaded->at;
    const struct bsim_ptx_element type = {.kind = 'f', .bytes = (uint32_t)loaded->bytes};
    bool is_negative = written->part[loaded->at] == BSIM_PTX_OPEN_NEGATIVE;
    struct bsim_ptx_number number = {.whole = is_negative ? UINT64_MAX : 0};
    memcpy(&number.whole, p, loaded->bytes);
    number.real = is_negative ? (double)(int64_t)number.whole : (double)number.whole;
    bsim_ptx_put_number(p, &type, &number);
}

/* Settles what an open number is; false, with a sentence, if a value is not what the kernel takes it for. */
static bool has_kind(struct bsim_ptx_written *written, const struct bsim_ptx_instruction *load,
                     const struct loaded *loaded, char *why, size_t size)
{
    unsigned char *part = &written->part[loaded->at];
    char kind = kind_of(written, load, loaded);
    bool is_open = *part >= BSIM_PTX_OPEN;
    if (is_open && kind == '\0') {
        snprintf(why, size,
                 "whether the %" PRIu64 " bytes at byte %" PRIu64
                 " of this argument are a whole number or a float "
                 "cannot be told from the kernel: write a type before the number, as in int 3 and "
                 "float 3",
                 loaded->bytes, loaded->at);
        return false;
    }
    if ((kind == 'f' && *part == BSIM_PTX_WHOLE) || (kind == 'i' && *part == BSIM_PTX_REAL)) {
        snprintf(why, size,
                 "the kernel takes the %" PRIu64 " bytes at byte %" PRIu64
                 " of this argument for a %s, and "
                 "a %s is written there",
                 loaded->bytes, loaded->at, kind == 'f' ? "float" : "whole number",
                 kind == 'f' ? "whole number" : "float");
        return false;
    }
    if (is_open && kind == 'f') {
        make_float(written, loaded);
    }
    if (is_open) {
        *part = kind == 'f' ? BSIM_PTX_REAL : BSIM_PTX_WHOLE;
    }
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool fits(struct bsim_ptx_written *written, const struct bsim_ptx_instruction *load,
                 const struct loaded *loaded, char *why, size_t size)
{
    unsigned char part = written->part[loaded->at];
    if (!has_width(written, loaded)) {
        snprintf(
            why, size,
            "the kernel loads %" PRIu64 " bytes at byte %" PRIu64
            " of this struct, and what is written there has not this width. A number is an int or "
            "double if no type stands before it, as in long 64 and char -3",
            loaded->bytes, loaded->at);
        return false;
    }
    if (part == BSIM_PTX_PADDING || part == BSIM_PTX_BEHIND) {
        return true;
    }
    if (bytes_of(written, loaded->at) == loaded->bytes) {
        return has_kind(written, load, loaded, why, size);
    }
    if (part != BSIM_PTX_REAL && !is_all_there(written, loaded) &&
        !is_all_loaded(written, loaded->at)) {
        snprintf(
            why, size,
            "the kernel loads %" PRIu64 " of the %" PRIu64
            " bytes that are written at byte %" PRIu64
            " of this struct, into which the number does not go: is it a member of another type?",
            loaded->bytes, bytes_of(written, loaded->at), loaded->at);
        return false;
    }
    return true;
}

bool bsim_ptx_fit_loads(struct bsim_ptx_written *written, char *why, size_t size)
{
    const struct bsim_ptx_function *kernel = written->kernel;
    bool is = true;
    for (uint32_t i = 0; i < kernel->n_instructions && is; i++) {
        struct loaded loaded[MOST_ELEMENTS];
        uint32_t n = find_loaded(written->parameter, &kernel->code[i], loaded);
        for (uint32_t k = 0; k < n && is; k++) {
            is = fits(written, &kernel->code[i], &loaded[k], why, size);
        }
    }
    return is;
}
