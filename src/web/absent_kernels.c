/* absent_kernels.c - what the page's first module has not, and its second one, which runs kernels, does. */
#include "web/launch.h"

#include <banksim/trace.h>

enum bsim_status bsim_trace_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                 struct bsim_error *err)
{
    (void)input;
    (void)sink;
    return bsim_error_set(err, BSIM_E_USAGE, "a page reads no trace");
}

static enum bsim_status no_kernels(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_USAGE, "this module runs no kernel");
}

enum bsim_status bsim_web_record(const char *name, const char *text, size_t length,
                                 const char *launch, bool of_any_memory,
                                 struct bsim_web_recording *recording, struct bsim_check *check,
                                 struct bsim_error *err)
{
    (void)name, (void)text, (void)length, (void)launch, (void)of_any_memory;
    (void)recording, (void)check;
    return no_kernels(err);
}

enum bsim_status bsim_web_launches(const char *name, const char *text, size_t length,
                                   struct bsim_buffer *out, struct bsim_error *err)
{
    (void)name, (void)text, (void)length, (void)out;
    return no_kernels(err);
}

void bsim_web_recording_free(struct bsim_web_recording *recording)
{
    (void)recording;
}
