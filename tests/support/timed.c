/* timed.c - see timed.h. */
#include "timed.h"

#include "trace_text.h"

#include "timing/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { TURNS = 1024 };

void timed_trace(const char *text, size_t size, const struct bsim_timer_options *options,
                 struct bsim_result *cycles)
{
    const struct bsim_timer_options none = {.device = NULL};
    struct bsim_timer *timer = bsim_timer_new(options != NULL ? options : &none);
    struct bsim_error err = {.message = ""};
    assert_non_null(timer);
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = trace_text_read(text, size, 0, &sink, &err);
    status = status == BSIM_OK ? bsim_timer_result(timer, cycles, &err) : status;
    bsim_timer_free(timer);
    if (status != BSIM_OK) {
        fail_msg("%s\n%.*s", err.message, (int)size, text);
    }
}

void timed_body(const char *device, uint32_t n_warps, const char *body,
                const struct bsim_timer_options *options, struct bsim_result *cycles)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(&text, "banksim-trace 1\nkernel k grid=1 block=%lu%s%s\nblock 0\n%send\n",
                       (unsigned long)n_warps * BSIM_WARP_LANES, device != NULL ? " device=" : "",
                       device != NULL ? device : "", body);
    assert_int_equal(bsim_buffer_status(&text, NULL), BSIM_OK);
    timed_trace(text.data, text.size_bytes, options, cycles);
    bsim_buffer_free(&text);
}

static uint64_t loop_cycles(const char *device, uint32_t n_warps, const char *before,
                            const char *work, const char *body, unsigned turns)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result cycles;
    bsim_buffer_printf(&text, "%srepeat %u%s%s\n%sdone\n", before, turns,
                       work != NULL ? " work=" : "", work != NULL ? work : "", body);
    timed_body(device, n_warps, text.data, NULL, &cycles);
    uint64_t answer = cycles.kernels[0].timed.cycles;
    bsim_result_free(&cycles);
    bsim_buffer_free(&text);
    return answer;
}

double timed_turn(const char *device, uint32_t n_warps, const char *before, const char *work,
                  const char *body)
{
    uint64_t once = loop_cycles(device, n_warps, before, work, body, TURNS);
    uint64_t twice = loop_cycles(device, n_warps, before, work, body, 2 * TURNS);
    return (double)(twice - once) / TURNS;
}
