/* utf8.h - somebody else's text, a character at a time. */
#ifndef BSIM_BASE_UTF8_H
#define BSIM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the UTF-8 character at text (1 for ASCII), or 0 if its first byte begins none. text is
 * terminated. */
size_t bsim_utf8_length(const char *text);

/* True if a character that bsim_utf8_length knows is a control character, which a terminal may
 * obey: U+0000 to U+001F, U+007F to U+009F. */
bool bsim_utf8_control(const char *text);

#endif
