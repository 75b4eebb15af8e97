/* fault.c - what a kernel does that a GPU does not let pass. */
#include "ptx/push.h"

#include <stdarg.h>
#include <stdio.h>

void bsim_ptx_fault(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                    const char *format, ...)
{
    struct bsim_ptx_block *block = warp->block;
    bsim_ptx_play(block); /* what a sink says of events before the fault comes first */
    if (bsim_ptx_gives_up(block) || block->status != BSIM_OK) {
        return;
    }
    char message[BSIM_ERROR_MESSAGE_SIZE], place[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bsim_ptx_put_place(warp, step, lane, place, sizeof place);
    block->status = bsim_error_set(block->err, BSIM_E_KERNEL, "%s%s", place, message);
    bsim_error_place(block->err, block->program->module->name, step->from->line, 1,
                     step->from->text, step->from->text_length);
}
