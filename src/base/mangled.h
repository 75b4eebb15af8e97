/* mangled.h - names of C++ functions as their sources have them; see mangled.c. */
#ifndef BSIM_BASE_MANGLED_H
#define BSIM_BASE_MANGLED_H

#include <stdbool.h>
#include <stddef.h>

enum { BSIM_MANGLED_BYTES = 1024 }; /* of the longest name that is told */

/* Writes the name into out[0..size), terminated: ns::scale<16, float>. False, and nothing written, for what is
 * in no usual form, or has no room. */
bool bsim_mangled_name(const char *mangled, char *out, size_t size);

/* The same without what a template is made with, of a name of any length: ns::scale<...>. */
bool bsim_mangled_short(const char *mangled, char *out, size_t size);

/* The same with the function's parameters, as clang and gcc write them: ns::scale<16, float>(float*, int). */
bool bsim_mangled_signature(const char *mangled, char *out, size_t size);

/* Parameter k, from 0, of such a signature: where in it, and its length; NULL: it has fewer. */
const char *bsim_mangled_parameter(const char *signature, size_t k, size_t *length);

/* Whether name[0..length) means the function: as it stands, by the last of its names in the source, or in full
 * as above, but for blanks. */
bool bsim_mangled_is(const char *mangled, const char *name, size_t length);

#endif
