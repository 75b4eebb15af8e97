/* plain.h - names that come from a trace, made fit to be shown; see plain.c. */
#ifndef BSIM_REPORT_PLAIN_H
#define BSIM_REPORT_PLAIN_H

#include <stddef.h>

/* Columns that text takes: one per character. */
size_t bsim_plain_columns(const char *text);

/* Writes text into out[0..size), control characters as '?', broken bytes as U+FFFD, and at most
 * `columns` (3 or more) characters: a longer text, or one that does not fit, ends in "...". size is
 * 4 at least. Returns out. */
const char *bsim_plain(const char *text, size_t columns, char *out, size_t size);

/* The same of a kernel's name as its source has it, where it is mangled by C++: ns::scale<16,
 * float>. What is in no usual form stays as it is. Functions of one name and other parameters look
 * alike. */
const char *bsim_plain_kernel(const char *name, size_t columns, char *out, size_t size);

#endif
