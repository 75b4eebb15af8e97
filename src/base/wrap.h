/* wrap.h - a paragraph in lines; see wrap.c. */
#ifndef BSIM_BASE_WRAP_H
#define BSIM_BASE_WRAP_H

#include <banksim/status.h>

/* Appends the n bytes of text in lines of at most `columns` bytes, each with its end; between words,
 * so that a longer word has a longer line. Blanks and line ends part words. */
void bsim_wrap(const char *text, size_t n, size_t columns, struct bsim_buffer *out);

#endif
