/* plain.c - names that come from a trace, made fit to be shown.
 *
 * A trace may name its kernels and quote its sources as it likes. On a terminal no byte of that may
 * act as a command, and in csv and json all of it has to be UTF-8. Every character counts as one
 * column wide, also those of East Asian scripts and combining ones.
 */
#include "report/plain.h"

#include "base/mangled.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t bsim_plain_columns(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; n++) {
        size_t length = (unsigned char)*text < 0x80 ? 1 : bsim_utf8_length(text);
        text += length > 0 ? length : 1;
    }
    return n;
}

const char *bsim_plain(const char *text, size_t columns, char *out, size_t size)
{
    static const char dots[] = "...";
    size_t n_plain = 0; /* most texts are these and nothing else */
    while (text[n_plain] >= ' ' && text[n_plain] <= '~') {
        n_plain++;
    }
    if (text[n_plain] == '\0' && n_plain <= columns && n_plain + sizeof dots <= size) {
        return memcpy(out, text, n_plain + 1);
    }
    bool cut = bsim_plain_columns(text) > columns;
    size_t room = cut ? columns - strlen(dots) : columns;
    size_t used = 0;
    for (size_t n = 0; *text != '\0' && n < room; n++) {
        const char *shown;
        size_t n_shown;
        text += bsim_utf8_shown(text, &shown, &n_shown);
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

const char *bsim_plain_kernel(const char *mangled, size_t columns, char *out, size_t size)
{
    char name[BSIM_MANGLED_BYTES];
    bool is_known =
        bsim_mangled_name(mangled, name, sizeof name) || bsim_mangled_short(mangled, name, sizeof name);
    return bsim_plain(is_known ? name : mangled, columns, out, size);
}
