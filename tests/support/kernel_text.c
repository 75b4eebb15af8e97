/* kernel_text.c - see kernel_text.h. */
#include "kernel_text.h"

#include <banksim/cuda.h>
#include <banksim/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

const char *kernel_text_launch(const char *text, char *launch)
{
    for (const char *p = text; (p = strstr(p, "/* ")) != NULL; p++) {
        const char *end = strstr(p, " */");
        assert_non_null(end);
        size_t length = (size_t)(end - p - 3);
        if (length < KERNEL_MAX_LAUNCH && p[3] != ' ') {
            memcpy(launch, p + 3, length);
            launch[length] = '\0';
            if (strstr(launch, "<<<") != NULL) {
                return end;
            }
        }
    }
    return NULL;
}

void kernel_text_translate(const char *path, const char *text, const char *launch,
                           struct bsim_buffer *ptx)
{
    char name[KERNEL_MAX_LAUNCH];
    struct bsim_error err = {.message = ""};
    size_t length = (size_t)(strstr(launch, "<<<") - launch);
    memcpy(name, launch, length);
    name[length] = '\0';
    if (bsim_cuda_ptx(path, text, strlen(text), NULL, name, ptx, &err) != BSIM_OK) {
        fail_msg("%s:%d:%d: %s", path, (int)err.line, (int)err.column, err.message);
    }
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

void kernel_text_run(const char *ptx, const char *launch, const struct bsim_ptx_options *options,
                     struct bsim_ptx_call **call, struct bsim_result *result)
{
    struct bsim_error err = {.message = ""};
    const struct bsim_timer_options timing = {.max_events = 0};
    if (bsim_ptx_call_new("k.ptx", ptx, strlen(ptx), launch, call, &err) != BSIM_OK) {
        fail_msg("%s: line %d: %s", launch, (int)err.line, err.message);
    }
    if (options != NULL) {
        bsim_ptx_call_set(*call, options);
    }
    const struct bsim_source source = {.push = push, .context = *call};
    const struct bsim_run_options how = {.timing = options != NULL && options->has_work ? &timing : NULL};
    if (bsim_run(&source, &how, result, &err) != BSIM_OK) {
        fail_msg("%s: %s", launch, err.message);
    }
}
