/* fill.h - a page that shows something when it is opened. */
#ifndef BSIM_WEB_FILL_H
#define BSIM_WEB_FILL_H

#include <banksim/device.h>
#include <banksim/status.h>

/* What a page begins with. */
struct bsim_web_state {
    const char *text;   /* statements, as bsim_check_add_text takes them, or a kernel in CUDA C */
    const char *launch; /* of that kernel; NULL: it is statements */
    const char *device; /* NULL: the default, or the generic one if its options name banks */
    struct bsim_device_options device_options;
    uint32_t n_plans; /* at most, of advise; 0: as many as the page has by itself */
};

/* Appends the page, as tools/join_page.sh wrote it, with that state, and with the answers to what the
 * page asks first, so that it need not wait for its library. Fails with BSIM_E_INPUT for what is no such
 * page, and as bsim_web_answer does. */
enum bsim_status bsim_web_fill(const char *page, const struct bsim_web_state *state,
                               struct bsim_buffer *out, struct bsim_error *err);

#endif
