/* source.h - whether a text is a file of C++. */
#ifndef BSIM_C_SOURCE_H
#define BSIM_C_SOURCE_H

#include <stdbool.h>

/* Whether the text is a file of C++, not a list of statements: it includes something, or has functions
 * or templates. */
bool bsim_c_is_source(const char *text);

#endif
