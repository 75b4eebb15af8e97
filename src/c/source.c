/* source.c - whether a text that is no list of statements is a file of C++.
 *
 * Asked of a text that could not be read as statements, so that a wrong guess costs a better message and
 * no more. Comments are passed over; a string is looked at as code is.
 */
#include "c/source.h"

#include <ctype.h>
#include <string.h>

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *behind_blanks(const char *at)
{
    for (;;) {
        const char *end;
        at += strspn(at, " \t\r\n");
        if (strncmp(at, "//", 2) == 0) {
            at += strcspn(at, "\n");
        } else if (strncmp(at, "/*", 2) == 0 && (end = strstr(at + 2, "*/")) != NULL) {
            at = end + 2;
        } else {
            return at;
        }
    }
}

/* "#include <" or its kin at a line's beginning: '#' alone begins a comment of a list of statements. */
static bool is_directive(const char *at)
{
    static const char *const names[] = {"include", "pragma once", "ifndef", "ifdef"};
    at += 1 + strspn(at + 1, " \t");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        const char *behind = at + length + strspn(at + length, " \t");
        if (strncmp(at, names[i], length) == 0 && !is_word_part(at[length])) {
            return i > 0 || *behind == '<' || *behind == '"';
        }
    }
    return false;
}

/* Whether "( ... ) {" stands there. */
static bool has_body(const char *at)
{
    size_t depth = 0;
    for (; *at != '\0' && *at != ';'; at = behind_blanks(at + 1)) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0) {
            return *behind_blanks(at + 1) == '{';
        }
    }
    return false;
}

static bool is_one_of(const char *word, size_t length, const char *words)
{
    const char *at;
    for (at = words; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        if (strcspn(at, " ") == length && memcmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

bool bsim_c_is_source(const char *text)
{
    bool is_behind_word = false, is_line = true; /* int f: a type stands before */
    for (const char *at = behind_blanks(text); *at != '\0';) {
        size_t length = 0;
        while (is_word_part(at[length])) {
            length++;
        }
        if (is_line && *at == '#' && is_directive(at)) {
            return true;
        }
        if (*at == '#') {
            length = strcspn(at, "\n");
        } else if (is_one_of(at, length, "template namespace using class")) {
            return true;
        }
        const char *next = behind_blanks(at + (length > 0 ? length : 1));
        bool is_word = length > 0 && *at != '#';
        bool may_be_name = is_word && !is_one_of(at, length, "if for while switch");
        if (may_be_name && is_behind_word && *next == '(' && has_body(next)) {
            return true;
        }
        is_behind_word = is_word ? !is_one_of(at, length, "else return") : strchr("*&>", *at) != NULL;
        is_line = memchr(at, '\n', (size_t)(next - at)) != NULL;
        at = next;
    }
    return false;
}
