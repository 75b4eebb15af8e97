/* mangled.c - names of C++ functions as their sources have them, as far as kernels' names go:
 *
 *     _Z9transposePKfPfii     transpose            _ZN2ns4scanILj16EfEEvPT0_i     ns::scan<16, float>
 *     _Z3lamIZ4mainEUliE_EvT_i                     lam<main::{lambda(int)#1}>
 *
 * By the Itanium C++ ABI, which nvcc, clang and gcc follow. Of a template's arguments types, whole numbers
 * and addresses of functions are told; where other expressions stand the name is left as it is.
 *
 *     _ZN3cub6KernelINS_6PolicyEEEvT_      S_ is the first part that may be meant again: cub
 */
#include "base/mangled.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MOST_ARGUMENTS = 16, POOL_BYTES = 8 * BSIM_MANGLED_BYTES, MOST_DEPTH = 24 };

/* A part of a name that may be meant again, in the pool. */
struct part {
    size_t from, length;
};

struct name {
    const char *at; /* of what is mangled */
    char text[BSIM_MANGLED_BYTES];
    size_t used;
    bool failed;
    uint32_t depth; /* of types and functions in each other */
    char pool[POOL_BYTES];
    size_t pooled;
    struct part part[MOST_PARTS]; /* S_, S0_, ... */
    uint32_t n_parts;
    struct part argument[MOST_ARGUMENTS]; /* T_, T0_, ...: of the template that ended last */
    uint32_t n_arguments;
};

/* Forgets what was added since `used` was that. */
static void cut(struct name *name, size_t used)
{
    name->used = used;
    name->text[used] = '\0';
}

static void add(struct name *name, const char *text, size_t length)
{
    if (name->failed || name->used + length >= sizeof name->text) {
        name->failed = true;
        return;
    }
    memcpy(name->text + name->used, text, length);
    cut(name, name->used + length);
}

static void add_text(struct name *name, const char *text)
{
    add(name, text, strlen(text));
}

/* What was added since then, in the pool. */
static struct part keep(struct name *name, size_t from)
{
    struct part part = {name->pooled, name->used - from};
    if (name->failed || part.from + part.length > sizeof name->pool) {
        name->failed = true;
        return (struct part){0};
    }
    memcpy(name->pool + part.from, name->text + from, part.length);
    name->pooled += part.length;
    return part;
}

/* It may be meant again. */
static void remember(struct name *name, size_t from)
{
    struct part part = keep(name, from);
    name->failed = name->failed || name->n_parts == MOST_PARTS;
    if (!name->failed) {
        name->part[name->n_parts++] = part;
    }
}

static bool enter(struct name *name)
{
    name->failed = name->failed || ++name->depth > MOST_DEPTH;
    return !name->failed;
}

static bool accept(struct name *name, char c)
{
    bool is = *name->at == c;
    name->at += is;
    return is;
}

static bool accept_text(struct name *name, const char *text)
{
    size_t n = strlen(text);
    bool is = strncmp(name->at, text, n) == 0;
    name->at += is ? n : 0;
    return is;
}

/* "_" is 0, "0_" 1, "Z_" 36: of base 36, one less than it means. */
static uint32_t take_number(struct name *name, uint32_t base)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    uint32_t n = 0;
    if (accept(name, '_')) {
        return 0;
    }
    while (*name->at != '_' && *name->at != '\0' && n < MOST_PARTS) {
        const char *digit = strchr(digits, *name->at++);
        uint32_t value = digit != NULL ? (uint32_t)(digit - digits) : base;
        name->failed = name->failed || value >= base;
        n = n * base + value;
    }
    name->failed = name->failed || !accept(name, '_');
    return n + 1;
}

/* ---- parts of a name ------------------------------------------------------------------------- */

/* 9transpose */
static void add_word(struct name *name)
{
    static const char anonymous[] = "_GLOBAL__N_";
    char *end;
    unsigned long n = strtoul(name->at, &end, 10);
    if (*name->at < '1' || *name->at > '9' || n > strlen(end)) {
        name->failed = true;
        return;
    }
    if (strncmp(end, anonymous, sizeof anonymous - 1) == 0) {
        add_text(name, "(anonymous namespace)");
    } else {
        add(name, end, n);
    }
    name->at = end + n;
}

static void add_type(struct name *name);
static void add_name(struct name *name, bool is_type);

/* Up to the E, or the end of all; v alone: none. */
static void add_types(struct name *name)
{
    if (accept_text(name, "vE") || strcmp(name->at, "v") == 0) {
        return;
    }
    for (bool is_first = true; !name->failed && *name->at != '\0' && !accept(name, 'E');
         is_first = false) {
        add_text(name, is_first ? "" : ", ");
        add_type(name);
    }
}

/* Behind its Ul: iE_ */
static void add_lambda(struct name *name)
{
    char number[16];
    add_text(name, "{lambda(");
    add_types(name);
    (void)snprintf(number, sizeof number, ")#%u}", (unsigned)take_number(name, 10) + 1);
    add_text(name, number);
}

static void add_unqualified(struct name *name)
{
    if (accept_text(name, "Ul")) {
        add_lambda(name);
    } else if (accept_text(name, "cl")) {
        add_text(name, "operator()");
    } else {
        add_word(name);
    }
}

/* 4mainE, 3runIfEvT_E: a function that is a part of a name, up to the E, or without its parameters. */
static void add_function(struct name *name, bool has_parameters)
{
    if (!enter(name)) {
        return;
    }
    add_name(name, false);
    if (!accept(name, 'E') && !name->failed) {
        size_t used = name->used;
        if (name->text[used - 1] == '>') {
            add_type(name); /* what a template returns */
            cut(name, used);
        }
        add_text(name, "(");
        add_types(name);
        add_text(name, ")");
        cut(name, has_parameters ? name->used : used);
    }
    name->depth--;
}

/* Behind its Z: 4mainEUliE_, 4mainE1s_0 */
static void add_local(struct name *name, bool is_type)
{
    add_function(name, true);
    add_text(name, "::");
    add_name(name, is_type);
    if (*name->at == '_' && name->at[1] >= '0' && name->at[1] <= '9') {
        name->at += 2; /* one of several of that name */
    }
}

/* ---- a template's arguments ------------------------------------------------------------------ */

/* j16E behind its L: of a type, a number, negative with an n. Of an enum it is told with its type. */
static void add_literal(struct name *name)
{
    size_t used = name->used;
    bool is_bool = *name->at == 'b';
    bool is_plain = *name->at != '\0' && strchr("bcahstijlmxy", *name->at) != NULL;
    add_text(name, "(");
    add_type(name);
    add_text(name, ")");
    if (is_plain) {
        cut(name, used);
    }
    if (accept(name, 'n')) {
        add_text(name, "-");
    }
    size_t digits = strspn(name->at, "0123456789");
    if (is_bool && digits == 1) {
        add_text(name, *name->at == '1' ? "true" : "false");
    } else {
        add(name, name->at, digits);
    }
    name->at += digits;
    name->failed = name->failed || digits == 0 || !accept(name, 'E');
}

/* Behind its I or J: up to the E. What stands in a J counts as if it stood alone. */
static uint32_t add_arguments(struct name *name, struct part *list, uint32_t n)
{
    while (!name->failed && !accept(name, 'E')) {
        if (accept(name, 'J')) {
            n = add_arguments(name, list, n);
            continue;
        }
        add_text(name, n == 0 ? "" : ", ");
        size_t from = name->used;
        if (accept_text(name, "XadL_Z")) {
            add_text(name, "&");
            add_function(name, false);
            name->failed = name->failed || !accept(name, 'E');
        } else if (accept_text(name, "L_Z")) {
            add_function(name, false);
        } else if (accept(name, 'L')) {
            add_literal(name);
        } else {
            add_type(name);
        }
        struct part part = keep(name, from);
        name->failed = name->failed || n == MOST_ARGUMENTS;
        list[n < MOST_ARGUMENTS ? n++ : 0] = part;
    }
    return n;
}

/* Behind its I. */
static void add_template(struct name *name)
{
    struct part list[MOST_ARGUMENTS];
    if (!enter(name)) {
        return;
    }
    add_text(name, "<");
    uint32_t n = add_arguments(name, list, 0);
    add_text(name, ">");
    memcpy(name->argument, list, n * sizeof *list);
    name->n_arguments = n;
    name->depth--;
}

/* ---- what was there before ------------------------------------------------------------------- */

static void add_part(struct name *name, const struct part *list, uint32_t n, uint32_t i)
{
    name->failed = name->failed || i >= n;
    if (!name->failed) {
        add(name, name->pool + list[i].from, list[i].length);
    }
}

/* Behind its S, St alone excepted: a part that may be meant again, or one that all know. */
static void add_known(struct name *name)
{
    if (accept(name, 'a')) {
        add_text(name, "std::allocator");
    } else if (accept(name, 's')) {
        add_text(name, "std::string");
    } else {
        uint32_t i = take_number(name, 36);
        add_part(name, name->part, name->n_parts, i);
    }
}

/* Behind its T. */
static void add_argument(struct name *name)
{
    uint32_t i = take_number(name, 10);
    add_part(name, name->argument, name->n_arguments, i);
}

/* ---- names and types ------------------------------------------------------------------------- */

/* One of the parts behind an N; true if it may be meant again. */
static bool add_next(struct name *name, bool is_first)
{
    if (accept(name, 'I')) {
        add_template(name);
        return true;
    }
    add_text(name, is_first ? "" : "::");
    if (accept_text(name, "St")) {
        add_text(name, "std");
        return false;
    }
    if (accept(name, 'S')) {
        add_known(name);
        return false;
    }
    if (accept(name, 'T')) {
        add_argument(name);
    } else {
        add_unqualified(name);
    }
    return true;
}

/* What stands before a function's parameters; of a type all that may be meant again is remembered, of a
 * function all but itself. */
static void add_name(struct name *name, bool is_type)
{
    size_t from = name->used;
    if (accept(name, 'Z')) {
        add_local(name, is_type);
        return;
    }
    if (accept(name, 'N')) {
        name->at += strspn(name->at, "rVK");
        for (bool is_first = true; !name->failed && !accept(name, 'E'); is_first = false) {
            bool is_new = add_next(name, is_first);
            if (is_new && (is_type || *name->at != 'E')) {
                remember(name, from);
            }
        }
        return;
    }
    if (accept_text(name, "St")) {
        add_text(name, "std::");
    }
    add_unqualified(name);
    if (is_type || *name->at == 'I') {
        remember(name, from);
    }
    if (!name->failed && accept(name, 'I')) {
        add_template(name);
        if (is_type) {
            remember(name, from);
        }
    }
}

static bool add_builtin(struct name *name)
{
    static const struct {
        const char *code, *text;
    } types[] = {{"b", "bool"},          {"c", "char"},      {"a", "signed char"},
                 {"h", "unsigned char"}, {"s", "short"},     {"t", "unsigned short"},
                 {"i", "int"},           {"j", "unsigned"},  {"l", "long"},
                 {"m", "unsigned long"}, {"x", "long long"}, {"y", "unsigned long long"},
                 {"f", "float"},         {"d", "double"},    {"v", "void"},
                 {"n", "__int128"},      {"w", "wchar_t"},   {"Dn", "decltype(nullptr)"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (accept_text(name, types[i].code)) {
            add_text(name, types[i].text);
            return true;
        }
    }
    return false;
}

/* Behind its PF: ivE, a pointer to a function, which may be meant again without being one, too. */
static void add_function_pointer(struct name *name)
{
    size_t from = name->used;
    add_type(name);
    size_t result = name->used - from;
    add_text(name, " (");
    add_types(name);
    add_text(name, ")");
    remember(name, from);
    if (!name->failed) {
        struct part whole = name->part[name->n_parts - 1];
        cut(name, from + result);
        add_text(name, " (*)");
        add(name, name->pool + whole.from + result + 1, whole.length - result - 1);
        remember(name, from);
    }
}

/* Of a pointer, a reference, or what is qualified, with that behind it. */
static bool add_compound(struct name *name)
{
    static const struct {
        char code;
        const char *text;
    } marks[] = {{'P', "*"}, {'R', "&"}, {'O', "&&"}, {'K', " const"}, {'V', " volatile"}};
    size_t from = name->used;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (accept(name, marks[i].code)) {
            add_type(name);
            add_text(name, marks[i].text);
            remember(name, from);
            return true;
        }
    }
    return false;
}

static void add_type(struct name *name)
{
    size_t from = name->used;
    if (!enter(name)) {
        return;
    }
    if (accept_text(name, "PF")) {
        add_function_pointer(name);
    } else if (*name->at == 'S' && name->at[1] != 't') {
        name->at++;
        add_known(name);
        if (accept(name, 'I')) {
            add_template(name);
            remember(name, from);
        }
    } else if (accept(name, 'T')) {
        add_argument(name);
        remember(name, from);
    } else if (!add_builtin(name) && !add_compound(name)) {
        add_name(name, true);
    }
    name->depth--;
}

static bool hand_out(const struct name *name, char *out, size_t size)
{
    bool is_known = name->used > 0 && !name->failed && name->used < size;
    if (is_known) {
        memcpy(out, name->text, name->used + 1);
    }
    return is_known;
}

bool bsim_mangled_name(const char *mangled, char *out, size_t size)
{
    struct name name = {.at = mangled + 2};
    if (strncmp(mangled, "_Z", 2) == 0) {
        add_name(&name, false);
    }
    return hand_out(&name, out, size);
}

/* ---- names too long to be told ----------------------------------------------------------------- */

/* Behind the tags of a name, as Numba gives them: B2v1. */
static const char *skip_tags(const char *p)
{
    while (*p == 'B') {
        char *end;
        unsigned long n = strtoul(p + 1, &end, 10);
        if (end == p + 1 || n > strlen(end)) {
            return p;
        }
        p = end + n;
    }
    return p;
}

/* _ZN7cutlass13device_kernelINS_4gemm... up to the first template's arguments */
bool bsim_mangled_short(const char *mangled, char *out, size_t size)
{
    struct name name = {.at = mangled + 2};
    if (strncmp(mangled, "_Z", 2) != 0) {
        return false;
    }
    bool is_nested = accept(&name, 'N');
    do {
        add_text(&name, name.used > 0 ? "::" : "");
        add_word(&name);
        name.at = skip_tags(name.at);
    } while (is_nested && !name.failed && *name.at != 'I' && *name.at != 'E');
    add_text(&name, *name.at == 'I' ? "<...>" : "");
    return hand_out(&name, out, size);
}

bool bsim_mangled_signature(const char *mangled, char *out, size_t size)
{
    struct name name = {.at = mangled + 2};
    if (strncmp(mangled, "_Z", 2) == 0) {
        add_function(&name, true);
    }
    return hand_out(&name, out, size);
}

/* Behind the '(' of the last ')', which what a template is made with may have, too: k<(E)1>(void (*)(int), int). */
static const char *find_parameters(const char *signature)
{
    const char *end = strrchr(signature, ')');
    uint32_t depth = 0;
    for (const char *at = end; at != NULL && at >= signature; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

const char *bsim_mangled_parameter(const char *signature, size_t k, size_t *length)
{
    int depth = 0;
    const char *begin = find_parameters(signature);
    for (const char *at = begin; at != NULL && *at != '\0' && depth >= 0; at++) {
        bool ends = depth == 0 && (*at == ',' || *at == ')');
        depth += strchr("(<[{", *at) != NULL;
        depth -= strchr(")>]}", *at) != NULL;
        if (ends && k == 0) {
            *length = (size_t)(at - begin);
            return at > begin ? begin : NULL;
        }
        if (ends) {
            k--;
            begin = at + 1 + strspn(at + 1, " ");
        }
    }
    return NULL;
}

/* ---- the other way ----------------------------------------------------------------------------- */

/* Whether a mangled name is of a function whose last name is that: _Z9transposePfS_, _ZN2ns1kEv. */
static bool is_called(const char *mangled, const char *name, size_t length)
{
    if (strncmp(mangled, name, length) == 0 && mangled[length] == '\0') {
        return true;
    }
    if (strncmp(mangled, "_Z", 2) != 0) {
        return false;
    }
    const char *p = mangled + 2;
    bool is_nested = *p == 'N';
    p += is_nested;
    for (;;) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (end == p || n > strlen(end)) {
            return false;
        }
        p = skip_tags(end + n);
        if (!is_nested || *p == 'E' || *p == 'I') {
            return n == length && strncmp(end, name, length) == 0;
        }
    }
}

/* Whether what a name is in its source is that text, but for blanks. */
static bool is_spelled(const char *mangled, const char *text, size_t length)
{
    char plain[BSIM_MANGLED_BYTES];
    const char *p = plain, *end = text + length;
    if (!bsim_mangled_name(mangled, plain, sizeof plain)) {
        return false;
    }
    while (*p != '\0' || text < end) {
        if (*p == ' ') {
            p++;
        } else if (text < end && *text == ' ') {
            text++;
        } else if (text == end || *p++ != *text++) {
            return false;
        }
    }
    return true;
}

bool bsim_mangled_is(const char *mangled, const char *name, size_t length)
{
    return is_called(mangled, name, length) || is_spelled(mangled, name, length);
}
