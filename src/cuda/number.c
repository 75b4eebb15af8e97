/* number.c - the values of integer constants and characters. */
#include "cuda/token.h"

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? (unsigned)(lower - 'a') + 10 : 255;
}

/* u, l, ll in either order and case. */
static bool read_suffix(const char *p, const char *end, bool *is_unsigned, bool *is_long)
{
    uint32_t n_u = 0, n_l = 0;
    for (; p < end; p++) {
        n_u += (*p | 0x20) == 'u';
        n_l += (*p | 0x20) == 'l';
        if ((*p | 0x20) != 'u' && (*p | 0x20) != 'l') {
            return false;
        }
    }
    *is_unsigned = n_u > 0;
    *is_long = n_l > 0;
    return n_u <= 1 && n_l <= 2;
}

/* The first of int, long that holds it, the unsigned ones in between unless it is decimal. */
static void choose_type(uint64_t value, bool is_decimal, bool *is_unsigned, bool *is_long)
{
    bool may_be_unsigned = *is_unsigned || !is_decimal;
    *is_long = *is_long || value > (may_be_unsigned ? UINT32_MAX : (uint64_t)INT32_MAX);
    *is_unsigned = *is_unsigned || value > (*is_long ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
}

static bool read_number(const struct cu_token *token, uint64_t *value, bool *is_unsigned,
                        bool *is_long)
{
    const char *p = token->text, *end = p + token->length;
    char second = token->length > 1 ? (char)(p[1] | 0x20) : '\0';
    unsigned base = *p != '0' ? 10 : second == 'x' ? 16 : second == 'b' ? 2 : 8;
    p += base == 16 || base == 2 ? 2 : 0;
    const char *digits = p;
    for (*value = 0; p < end && (digit_value(*p) < base || *p == '\''); p++) {
        unsigned digit = *p == '\'' ? 0 : digit_value(*p);
        if (*p != '\'' && *value > (UINT64_MAX - digit) / base) {
            return false;
        }
        *value = *p == '\'' ? *value : *value * base + digit;
    }
    if (p == digits || !read_suffix(p, end, is_unsigned, is_long)) {
        return false;
    }
    choose_type(*value, base == 10, is_unsigned, is_long);
    return true;
}

/* 'a', '\n', '\0', '\x41'. */
static bool read_character(const struct cu_token *token, uint64_t *value)
{
    static const char names[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"??";
    const char *p = token->text + 1, *end = token->text + token->length - 1;
    if (end - p == 1 && *p != '\\') {
        *value = (uint64_t)(int64_t)(signed char)*p;
        return true;
    }
    if (end - p < 2 || *p != '\\') {
        return false;
    }
    for (const char *name = names; *name != '\0' && end - p == 2; name += 2) {
        if (*name == p[1]) {
            *value = (uint64_t)name[1];
            return true;
        }
    }
    unsigned base = p[1] == 'x' ? 16 : 8;
    *value = 0;
    for (p += base == 16 ? 2 : 1; p < end; p++) {
        if (digit_value(*p) >= base || *value > 255) {
            return false;
        }
        *value = *value * base + digit_value(*p);
    }
    *value = (uint64_t)(int64_t)(signed char)*value;
    return true;
}

bool bsim_cu_read_integer(const struct cu_token *token, uint64_t *value, bool *is_unsigned,
                          bool *is_long)
{
    *is_unsigned = *is_long = false;
    return token->kind == CU_CHARACTER ? read_character(token, value)
                                       : read_number(token, value, is_unsigned, is_long);
}
