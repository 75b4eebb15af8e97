/* drawn.c - see drawn.h. */
#include "drawn.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void drawn_wherever_memory_ends(void (*draw)(struct bsim_buffer *out))
{
    for (size_t n = 0;; n++) {
        struct bsim_buffer out = BSIM_BUFFER_EMPTY;
        failing_memory_fail_after(n);
        draw(&out);
        bool failed = failing_memory_refused() > 0;
        failing_memory_heal();
        assert_int_equal(bsim_buffer_status(&out, NULL), failed ? BSIM_E_MEMORY : BSIM_OK);
        bsim_buffer_free(&out);
        assert_int_equal(failing_memory_live(), 0);
        if (!failed) {
            assert_true(n > 3);
            return;
        }
    }
}
