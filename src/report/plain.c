/* plain.c - names that come from a trace, made fit to be shown.
 *
 * A trace may name its kernels and quote its sources as it likes. On a terminal no byte of that may
 * act as a command, and in csv and json all of it has to be UTF-8. Every character counts as one
 * column wide, also those of East Asian scripts and combining ones.
 */
#include "report/plain.h"

#include <stdbool.h>
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

size_t bsim_plain_columns(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; n++) {
        size_t length = bsim_utf8_length(text);
        text += length > 0 ? length : 1;
    }
    return n;
}

/* The character at text as it is shown, in *shown and *n_shown; returns how many bytes it takes up
 * in text. U+0080 to U+009F are control characters as well. */
static size_t show(const char *text, const char **shown, size_t *n_shown)
{
    size_t length = bsim_utf8_length(text);
    unsigned char c = (unsigned char)text[0];
    *shown = text;
    *n_shown = length;
    if (length == 0) {
        *shown = BSIM_REPLACEMENT;
        *n_shown = strlen(BSIM_REPLACEMENT);
        return 1;
    }
    if (c < 0x20 || c == 0x7f || (c == 0xc2 && (unsigned char)text[1] < 0xa0)) {
        *shown = "?";
        *n_shown = 1;
    }
    return length;
}

const char *bsim_plain(const char *text, size_t columns, char *out, size_t size)
{
    static const char dots[] = "...";
    bool cut = bsim_plain_columns(text) > columns;
    size_t room = cut ? columns - strlen(dots) : columns;
    size_t used = 0;
    for (size_t n = 0; *text != '\0' && n < room; n++) {
        const char *shown;
        size_t n_shown;
        text += show(text, &shown, &n_shown);
        if (used + n_shown + sizeof dots > size) {
            cut = true;
            break;
        }
        memcpy(out + used, shown, n_shown);
        used += n_shown;
    }
    memcpy(out + used, cut ? dots : "", cut ? sizeof dots : 1);
    return out;
}
