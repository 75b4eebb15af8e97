/* utf8.c - the form of UTF-8's characters. */
#include "base/utf8.h"

#include <string.h>

/* Overlong forms, surrogates and what lies past U+10FFFF are broken too. */
size_t bsim_utf8_length(const char *text)
{
    static const struct {
        unsigned char first, last;  /* lead byte */
        unsigned char second, past; /* range of the byte after it */
        size_t length;
    } form[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *byte = (const unsigned char *)text;
    size_t i = 0;
    if (byte[0] < 0x80) {
        return 1;
    }
    while (i < sizeof form / sizeof form[0] &&
           (byte[0] < form[i].first || byte[0] > form[i].last)) {
        i++;
    }
    if (i == sizeof form / sizeof form[0] || byte[1] < form[i].second || byte[1] > form[i].past) {
        return 0;
    }
    for (size_t k = 2; k < form[i].length; k++) {
        if ((byte[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return form[i].length;
}

uint32_t bsim_utf8_code(const char *text, size_t length)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07}; /* what it has of the code */
    uint32_t code = (unsigned char)text[0] & first[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return code;
}

/* The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm let a text
 * stand there as another one; its separators end lines. */
bool bsim_utf8_control(const char *text)
{
    static const struct {
        uint32_t first, last;
    } control[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                   {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    uint32_t code = bsim_utf8_code(text, bsim_utf8_length(text));
    size_t i = 0;
    while (i < sizeof control / sizeof control[0] && code > control[i].last) {
        i++;
    }
    return i < sizeof control / sizeof control[0] && code >= control[i].first;
}

size_t bsim_utf8_shown(const char *text, const char **shown, size_t *n_shown)
{
    size_t length = bsim_utf8_length(text);
    *shown = length == 0 ? BSIM_REPLACEMENT : bsim_utf8_control(text) ? "?" : text;
    *n_shown = *shown == text ? length : strlen(*shown);
    return length > 0 ? length : 1;
}
