/* cta.c - what every word of a kernel may do to its launch: push a record, and end it.
 *
 * Shared arrays are declared before anything is touched (arrays.c), so the size of the window is
 * known, and KERNEL is pushed, when the first block's first event (or its end) comes.
 */
#include "lanes/cta.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool bsim_cta_stop(struct bsim_cta *cta, enum bsim_status status)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status == BSIM_OK) {
        state->status = status;
    }
    memset(cta->active, 0, sizeof cta->active);
    memset(cta->exited, 0xff, sizeof cta->exited);
    return false;
}

bool bsim_cta_fault(struct bsim_cta *cta, const char *file, uint32_t line, const char *format, ...)
{
    struct bsim_cta_state *state = cta->state;
    char message[BSIM_ERROR_MESSAGE_SIZE];
    if (state->status != BSIM_OK) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(state->err, BSIM_E_KERNEL, "%s", message);
    bsim_error_place(state->err, file, line, 0, NULL, 0);
    return bsim_cta_stop(cta, BSIM_E_KERNEL);
}

static bool push(struct bsim_cta *cta, const struct bsim_record *record)
{
    const struct bsim_sink *sink = cta->state->sink;
    enum bsim_status status = sink->push(sink->context, record, cta->state->err);
    return status == BSIM_OK || bsim_cta_stop(cta, status);
}

static bool push_kernel(struct bsim_cta *cta)
{
    struct bsim_cta_state *state = cta->state;
    size_t dynamic = state->launch->dynamic_shared_bytes;
    size_t bytes = state->shared_static_bytes;
    if (dynamic > 0) {
        bytes = bsim_cta_dynamic_offset(state) + dynamic;
    }
    state->region[0].size_bytes = bytes;
    state->kernel.shared_bytes = (uint32_t)bytes;
    state->kernel_pushed = true;
    bsim_cta_put_arrays(state, &state->extras);
    if (bsim_buffer_status(&state->extras, state->err) != BSIM_OK) {
        return bsim_cta_stop(cta, BSIM_E_MEMORY);
    }
    if (state->extras.size_bytes > 0) {
        state->kernel.extras = state->extras.data;
    }
    return push(cta, &(struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = &state->kernel});
}

bool bsim_cta_open(struct bsim_cta *cta)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status != BSIM_OK || (!state->kernel_pushed && !push_kernel(cta))) {
        return false;
    }
    if (state->block_pushed) {
        return true;
    }
    state->block_pushed = true;
    return push(cta, &(struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = cta->block});
}

bool bsim_cta_push(struct bsim_cta *cta, const struct bsim_record *record, const char *file,
                   uint32_t line)
{
    if (!bsim_cta_open(cta)) {
        return false;
    }
    if (!push(cta, record)) {
        bsim_error_place(cta->state->err, file, line, 0, NULL, 0);
        return false;
    }
    return true;
}

bool bsim_cta_push_event(struct bsim_cta *cta, const struct bsim_event *event, const char *file,
                         uint32_t line)
{
    return bsim_cta_push(cta, &(struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = event},
                         file, line);
}
