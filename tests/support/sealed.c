/* sealed.c - see sealed.h. */
#include "sealed.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct bsim_check *sealed_check(const char *text)
{
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    assert_non_null(check);
    if (bsim_check_add_text(check, "t.check", text, strlen(text), &err) != BSIM_OK ||
        bsim_check_seal(check, &err) != BSIM_OK) {
        fail_msg("%s\n%s:%" PRIu64 ":%" PRIu32 ": %s", text, err.file, err.line, err.column,
                 err.message);
    }
    return check;
}
