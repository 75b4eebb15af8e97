/* pointed.c - what a kernel's name says that its parameters point to: k(float const*, int) of _Z1kPKfi. */
#include "ptx/pointed.h"

#include "base/mangled.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *vector;
    char kind;
    uint32_t bytes;
    bool is_bfloat;
} types[] = {
    {"float", "float", 'f', 4, false},
    {"double", "double", 'f', 8, false},
    {"__half", "half", 'f', 2, false},
    {"__half2", "", 'f', 2, false},
    {"__nv_bfloat16", "", 'f', 2, true},
    {"__nv_bfloat162", "", 'f', 2, true},
    {"bool", "", 'i', 1, false},
    {"char", "char", 'i', 1, false},
    {"signed char", "", 'i', 1, false},
    {"unsigned char", "uchar", 'i', 1, false},
    {"short", "short", 'i', 2, false},
    {"unsigned short", "ushort", 'i', 2, false},
    {"int", "int", 'i', 4, false},
    {"unsigned int", "uint", 'i', 4, false},
    {"long", "long", 'i', 8, false},
    {"unsigned long", "ulong", 'i', 8, false},
    {"long long", "longlong", 'i', 8, false},
    {"unsigned long long", "ulonglong", 'i', 8, false},
};

/* Whether text[0..length) is the type, or a vector of it: float, float4. */
static bool is_type(size_t i, const char *text, size_t length)
{
    size_t n = strlen(types[i].vector);
    bool is_plain = strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0;
    bool is_vector = n > 0 && length == n + 1 && memcmp(types[i].vector, text, n) == 0 &&
                     strchr("1234", text[n]) != NULL;
    return is_plain || is_vector;
}

bool bsim_ptx_find_pointed(const char *mangled, size_t k, struct bsim_ptx_pointed *pointed)
{
    static const char constant[] = " const";
    char signature[BSIM_MANGLED_BYTES];
    size_t length;
    if (!bsim_mangled_signature(mangled, signature, sizeof signature)) {
        return false;
    }
    const char *text = bsim_mangled_parameter(signature, k, &length);
    if (text == NULL || text[--length] != '*') {
        return false;
    }
    if (length > sizeof constant - 1 && memcmp(text + length - sizeof constant + 1, constant, sizeof constant - 1) == 0) {
        length -= sizeof constant - 1;
    }
    *pointed = (struct bsim_ptx_pointed){.kind = '\0'};
    snprintf(pointed->text, sizeof pointed->text, "%.*s", (int)length, text);
    for (size_t i = 0; i < sizeof types / sizeof *types && pointed->kind == '\0'; i++) {
        if (is_type(i, text, length)) {
            pointed->kind = types[i].kind;
            pointed->bytes = types[i].bytes;
            pointed->is_bfloat = types[i].is_bfloat;
        }
    }
    return true;
}
