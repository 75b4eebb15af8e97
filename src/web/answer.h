/* answer.h - the library as a page asks it: a question in, an answer out. */
#ifndef BSIM_WEB_ANSWER_H
#define BSIM_WEB_ANSWER_H

#include <banksim/status.h>

/* Appends the answer to the question words[0..size_bytes), whose words answer.c lists; each ends with its
 * NUL. Fails as the library does, and with BSIM_E_USAGE for a word that no question has; what was
 * appended then is no answer. */
enum bsim_status bsim_web_answer(const char *words, size_t size_bytes, struct bsim_buffer *out,
                                 struct bsim_error *err);

#endif
