/* mangled.c - names of C++ functions as their sources have them, as far as kernels' names go:
 *
 *     _Z9transposePKfPfii     transpose            _ZN2ns4scanILj16EfEEvPT0_i     ns::scan<16, float>
 *
 * By the Itanium C++ ABI, which nvcc, clang and gcc follow. Of a template's arguments whole numbers
 * and plain types are told; where others stand the name is left as it is.
 */
#include "base/mangled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    const char *at; /* of what is mangled */
    char text[BSIM_MANGLED_BYTES];
    size_t used;
    bool failed;
};

static void add(struct name *name, const char *text, size_t length)
{
    if (name->used + length >= sizeof name->text) {
        name->failed = true;
        return;
    }
    memcpy(name->text + name->used, text, length);
    name->used += length;
    name->text[name->used] = '\0';
}

static void add_text(struct name *name, const char *text)
{
    add(name, text, strlen(text));
}

static bool accept(struct name *name, char c)
{
    bool is = *name->at == c;
    name->at += is;
    return is;
}

/* 9transpose */
static void add_word(struct name *name)
{
    char *end;
    unsigned long n = strtoul(name->at, &end, 10);
    if (*name->at < '1' || *name->at > '9' || n > strlen(end)) {
        name->failed = true;
        return;
    }
    add(name, end, n);
    name->at = end + n;
}

/* j16E behind its L: of a type, a number, negative with an n. */
static void add_literal(struct name *name)
{
    char type = *name->at;
    name->failed = name->failed || type == '\0' || strchr("bcahstijlmxy", type) == NULL;
    name->at += !name->failed;
    if (accept(name, 'n')) {
        add_text(name, "-");
    }
    size_t digits = strspn(name->at, "0123456789");
    if (type == 'b' && digits == 1) {
        add_text(name, *name->at == '1' ? "true" : "false");
    } else {
        add(name, name->at, digits);
    }
    name->at += digits;
    name->failed = name->failed || digits == 0 || !accept(name, 'E');
}

static void add_type(struct name *name)
{
    static const struct {
        char code;
        const char *text;
    } types[] = {{'b', "bool"},          {'c', "char"},      {'a', "signed char"},
                 {'h', "unsigned char"}, {'s', "short"},     {'t', "unsigned short"},
                 {'i', "int"},           {'j', "unsigned"},  {'l', "long"},
                 {'m', "unsigned long"}, {'x', "long long"}, {'y', "unsigned long long"},
                 {'f', "float"},         {'d', "double"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (accept(name, types[i].code)) {
            add_text(name, types[i].text);
            return;
        }
    }
    add_word(name);
}

/* Behind its I: arguments up to the E. */
static void add_arguments(struct name *name)
{
    add_text(name, "<");
    for (bool is_first = true; !name->failed && !accept(name, 'E'); is_first = false) {
        add_text(name, is_first ? "" : ", ");
        if (accept(name, 'L')) {
            add_literal(name);
        } else {
            add_type(name);
        }
    }
    add_text(name, ">");
}

/* What stands before the function's parameters. */
static void add_name(struct name *name)
{
    bool is_nested = accept(name, 'N');
    add_word(name);
    while (!name->failed && is_nested && !accept(name, 'E')) {
        if (accept(name, 'I')) {
            add_arguments(name);
        } else {
            add_text(name, "::");
            add_word(name);
        }
    }
    if (!name->failed && !is_nested && accept(name, 'I')) {
        add_arguments(name);
    }
}

bool bsim_mangled_name(const char *mangled, char *out, size_t size)
{
    struct name name = {.at = mangled + 2};
    if (strncmp(mangled, "_Z", 2) == 0) {
        add_name(&name);
    }
    bool is_known = name.used > 0 && !name.failed && name.used < size;
    if (is_known) {
        memcpy(out, name.text, name.used + 1);
    }
    return is_known;
}

/* ---- the other way ----------------------------------------------------------------------------- */

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
