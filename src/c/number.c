/* number.c - the values of integer constants and characters. */
#include "c/type.h"

#include "base/scan.h"

/* u, l, ll in either order and case; false if it is none of that. */
static bool read_suffix(const char *p, size_t length, bool *is_unsigned, bool *is_long)
{
    static const char *const suffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
    char lower[4] = "";
    for (size_t i = 0; i < length && i < sizeof lower; i++) {
        lower[i] = (char)(p[i] | 0x20);
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (length < sizeof lower && strcmp(suffixes[i], lower) == 0) {
            *is_unsigned = strchr(lower, 'u') != NULL;
            *is_long = strchr(lower, 'l') != NULL;
            return true;
        }
    }
    return false;
}

/* The first of int, long that holds it, the unsigned ones in between unless it is decimal. */
static void choose_type(uint64_t value, bool is_decimal, bool *is_unsigned, bool *is_long)
{
    bool may_be_unsigned = *is_unsigned || !is_decimal;
    *is_long = *is_long || value > (may_be_unsigned ? UINT32_MAX : (uint64_t)INT32_MAX);
    *is_unsigned = *is_unsigned || value > (*is_long ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
}

static const char *read_number(const struct cu_token *token, uint64_t *value, bool *is_unsigned,
                               bool *is_long)
{
    const char *p = token->text, *end = p + token->length;
    char second = token->length > 1 ? (char)(p[1] | 0x20) : '\0';
    unsigned base = *p != '0' ? 10 : second == 'x' ? 16 : second == 'b' ? 2 : 8;
    p += base == 16 || base == 2 ? 2 : 0;
    const char *digits = p;
    for (*value = 0; p < end && (bsim_scan_hex_value(*p) < base || *p == '\''); p++) {
        unsigned digit = *p == '\'' ? 0 : bsim_scan_hex_value(*p);
        if (*p != '\'' && *value > (UINT64_MAX - digit) / base) {
            return "passes 64 bits";
        }
        *value = *p == '\'' ? *value : *value * base + digit;
    }
    if (p == digits) {
        return "has no digits";
    }
    if (!read_suffix(p, (size_t)(end - p), is_unsigned, is_long)) {
        return "is no integer of C";
    }
    choose_type(*value, base == 10, is_unsigned, is_long);
    return NULL;
}

/* 'a', '\n', '\0', '\x41'. */
static const char *read_character(const struct cu_token *token, uint64_t *value)
{
    static const char none[] = "is no character of C";
    static const char names[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"??";
    const char *p = token->text + 1, *end = token->text + token->length - 1;
    if (end - p == 1 && *p != '\\') {
        *value = (uint64_t)(int64_t)(signed char)*p;
        return NULL;
    }
    if (end - p < 2 || *p != '\\') {
        return none;
    }
    for (const char *name = names; *name != '\0' && end - p == 2; name += 2) {
        if (*name == p[1]) {
            *value = (uint64_t)name[1];
            return NULL;
        }
    }
    unsigned base = p[1] == 'x' ? 16 : 8;
    *value = 0;
    for (p += base == 16 ? 2 : 1; p < end; p++) {
        if (bsim_scan_hex_value(*p) >= base || *value > 255) {
            return none;
        }
        *value = *value * base + bsim_scan_hex_value(*p);
    }
    *value = (uint64_t)(int64_t)(signed char)*value;
    return NULL;
}

bool bsim_cu_is_real(const struct cu_token *token)
{
    bool is_hexadecimal = token->length > 1 && (token->text[1] | 0x20) == 'x';
    for (size_t i = 0; token->kind == CU_NUMBER && i < token->length; i++) {
        char lower = (char)(token->text[i] | 0x20);
        if (token->text[i] == '.' || lower == 'p' ||
            (!is_hexadecimal && (lower == 'e' || lower == 'f'))) {
            return true;
        }
    }
    return false;
}

const char *bsim_cu_read_integer(const struct cu_token *token, uint64_t *value,
                                 const struct cu_type **type)
{
    bool is_unsigned = false, is_long = false, is_character = token->kind == CU_CHARACTER;
    const char *why = is_character ? read_character(token, value)
                                   : read_number(token, value, &is_unsigned, &is_long);
    *type = bsim_cu_scalar(is_character  ? CU_CHAR
                           : is_long     ? (is_unsigned ? CU_ULONG : CU_LONG)
                           : is_unsigned ? CU_UINT
                                         : CU_INT);
    return why;
}
