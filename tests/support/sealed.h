/* sealed.h - a check of statements, ready to be asked. */
#ifndef SEALED_H
#define SEALED_H

#include <banksim/expr.h>

/* Of the text of a file "t.check"; the test fails if it is refused. The caller frees it. */
struct bsim_check *sealed_check(const char *text);

#endif
