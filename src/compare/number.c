/* number.c - numbers as Nsight Compute writes them, whatever the locale of this process.
 *
 *     number = digits ["." digits] [("e" | "E") ["+" | "-"] digits] [" (" anything]
 *     digits = ["-"] digit {digit | "," digit}
 */
#include "compare/number.h"

#include <string.h>

enum { MAX_EXPONENT = 300 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool bsim_ncu_count(const char **at, uint64_t *count)
{
    const char *text = *at;
    uint64_t sum = 0;
    for (; is_digit(*text); text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    if (text == *at) {
        return false;
    }
    *at = text;
    *count = sum;
    return true;
}

static bool is_missing(const char *text)
{
    static const char *const words[] = {"", "n/a", "nan", "-nan", "inf", "-inf", "(!) n/a"};
    char lower[8];
    size_t n = strlen(text);
    if (n >= sizeof lower) {
        return false;
    }
    for (size_t i = 0; i <= n; i++) {
        lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], lower) == 0) {
            return true;
        }
    }
    return false;
}

/* Digits with commas between groups of them. */
static const char *read_digits(const char *text, double *number)
{
    for (; is_digit(*text) || (*text == ',' && is_digit(text[1])); text++) {
        *number = *text == ',' ? *number : 10 * *number + (*text - '0');
    }
    return text;
}

static const char *read_fraction(const char *text, double *number)
{
    double digits = 0;
    double scale = 1;
    for (; is_digit(*text); text++) {
        if (scale < 1e15) {
            digits = 10 * digits + (*text - '0');
            scale *= 10;
        }
    }
    *number += digits / scale;
    return text;
}

/* Behind an "e"; NULL if there is no exponent, or one that no counter has. */
static const char *read_exponent(const char *text, double *number)
{
    bool is_negative = *text == '-';
    uint64_t exponent;
    text += *text == '-' || *text == '+';
    if (!bsim_ncu_count(&text, &exponent) || exponent > MAX_EXPONENT) {
        return NULL;
    }
    for (; exponent > 0; exponent--) {
        *number = is_negative ? *number / 10 : *number * 10;
    }
    return text;
}

bool bsim_ncu_number(const char *text, struct bsim_ncu_value *value)
{
    double number = 0;
    bool is_negative = *text == '-';
    if (is_missing(text)) {
        *value = (struct bsim_ncu_value){false, 0};
        return true;
    }
    text += is_negative;
    if (!is_digit(*text)) {
        return false;
    }
    text = read_digits(text, &number);
    if (*text == '.') {
        text = read_fraction(text + 1, &number);
    }
    if (*text == 'e' || *text == 'E') {
        text = read_exponent(text + 1, &number);
    }
    if (text == NULL || (*text != '\0' && strncmp(text, " (", 2) != 0) || number > 1e300) {
        return false;
    }
    *value = (struct bsim_ncu_value){true, is_negative ? -number : number};
    return true;
}
