/* ptx_run.c - a kernel in PTX run by a launch, with what it told and what it left. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

void ptx_run_launch(struct ptx_run *run, const char *text, const char *launch)
{
    struct bsim_ptx_call *call = NULL;
    memset(run, 0, sizeof *run);
    struct bsim_sink sink = collect_sink(&run->collect);
    run->status = bsim_ptx_call_new("k.ptx", text, strlen(text), launch, &call, &run->err);
    if (run->status == BSIM_OK) {
        size_t size = 0;
        run->status = bsim_ptx_call_run(call, &sink, &run->err);
        const void *array = bsim_ptx_call_array(call, "0", &size);
        if (array != NULL) {
            memcpy(run->out, array, size < sizeof run->out ? size : sizeof run->out);
        }
    }
    bsim_ptx_call_free(call);
}

void ptx_expect_run(struct ptx_run *run, const char *text, const char *launch)
{
    char message[1024];
    ptx_run_launch(run, text, launch);
    if (run->status != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&run->err, message, sizeof message));
    }
}

size_t ptx_count_events(const struct ptx_run *run, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i < run->collect.n; i++) {
        n += run->collect.item[i].kind == BSIM_RECORD_EVENT &&
             strstr(run->collect.item[i].text, part) != NULL;
    }
    return n;
}
