/* utf8.h - somebody else's text, a character at a time. */
#ifndef BSIM_BASE_UTF8_H
#define BSIM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 character at text (1 for ASCII), or 0 if its first byte begins none. text is
 * terminated. */
size_t bsim_utf8_length(const char *text);

/* The code point of the character at text, whose length bsim_utf8_length has told. */
uint32_t bsim_utf8_code(const char *text, size_t length);

/* True if a character that bsim_utf8_length knows must not reach a reader as it is: a terminal may
 * obey it (U+0000 to U+001F, U+007F to U+009F), or what stands around it is shown in another order
 * or on another line (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069). */
bool bsim_utf8_control(const char *text);

#define BSIM_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8, what stands for a broken byte */

/* What is shown for the character or byte at text, n_shown bytes at *shown: itself, '?' for a
 * control character, U+FFFD for a byte that begins none. Returns how many bytes of text it takes
 * up. */
size_t bsim_utf8_shown(const char *text, const char **shown, size_t *n_shown);

#endif
