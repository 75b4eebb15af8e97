/* ptx_run.c - a kernel in PTX run by a launch, with what it told and what it left. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

static void run_launch(struct ptx_run *run, const char *text, const char *launch, bool is_brief, bool has_work)
{
    struct bsim_ptx_call *call = NULL;
    memset(run, 0, sizeof *run);
    run->collect.is_brief = is_brief;
    struct bsim_sink sink = collect_sink(&run->collect);
    run->status = bsim_ptx_call_new("k.ptx", text, strlen(text), launch, &call, &run->err);
    if (run->status == BSIM_OK) {
        size_t size = 0;
        bsim_ptx_call_set(call, &(struct bsim_ptx_options){.has_work = has_work});
        run->status = bsim_ptx_call_run(call, &sink, &run->err);
        const void *array = bsim_ptx_call_array(call, "0", &size);
        if (array != NULL) {
            memcpy(run->out, array, size < sizeof run->out ? size : sizeof run->out);
        }
    }
    bsim_ptx_call_free(call);
}

static void expect_success(const struct ptx_run *run)
{
    char message[1024];
    if (run->status != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&run->err, message, sizeof message));
    }
}

void ptx_run_launch(struct ptx_run *run, const char *text, const char *launch)
{
    run_launch(run, text, launch, false, false);
}

void ptx_expect_run(struct ptx_run *run, const char *text, const char *launch)
{
    run_launch(run, text, launch, false, false);
    expect_success(run);
}

void ptx_expect_work(struct ptx_run *run, const char *text, const char *launch)
{
    run_launch(run, text, launch, false, true);
    expect_success(run);
}

void ptx_run_briefly(struct ptx_run *run, const char *text, const char *launch)
{
    run_launch(run, text, launch, true, false);
}

void ptx_expect_end(struct ptx_run *run, const char *text, const char *launch)
{
    run_launch(run, text, launch, true, false);
    expect_success(run);
    assert_int_equal(run->collect.item[0].kind, BSIM_RECORD_END);
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
