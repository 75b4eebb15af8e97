/* utf8.c - the form of UTF-8's characters. */
#include "base/utf8.h"

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

bool bsim_utf8_control(const char *text)
{
    unsigned char c = (unsigned char)text[0];
    return c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0);
}
