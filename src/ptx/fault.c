/* fault.c - what a kernel does that a GPU does not let pass. */
#include "ptx/push.h"
#include "ptx/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fail(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 enum bsim_ptx_wrong kind, const char *format, va_list arguments)
{
    struct bsim_ptx_block *block = warp->block;
    bsim_ptx_play(block); /* what a sink says of events before the fault comes first */
    if (bsim_ptx_gives_up(block) || block->status != BSIM_OK) {
        return;
    }
    char message[BSIM_ERROR_MESSAGE_SIZE], who[BSIM_ERROR_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    uint32_t line;
    const char *file = bsim_ptx_source(block->program->module, step->from, &line);
    bool is_known = bsim_ptx_is_known(block->program->module, file);
    bsim_ptx_put_place(warp, step, lane, !is_known, who, sizeof who);
    if (block->wrong != NULL) {
        *block->wrong = kind;
    }
    block->status = bsim_error_set(block->err, BSIM_E_KERNEL, "%s%s", who, message);
    bsim_ptx_place_error(block->err, block->program->module, step->from);
}

void bsim_ptx_fault(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(warp, step, lane, BSIM_PTX_STRAY, format, arguments);
    va_end(arguments);
}

void bsim_ptx_fault_as(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       enum bsim_ptx_wrong kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(warp, step, lane, kind, format, arguments);
    va_end(arguments);
}
