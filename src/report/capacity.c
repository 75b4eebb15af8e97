/* capacity.c - what a block takes of an SM, in words. */
#include "report/capacity.h"

#include <banksim/device.h>

#include <inttypes.h>

/* CUDA C Programming Guide, compute capability 7.x and later: more than 48 KB a block is dynamic,
 * and has to be asked for. */
bool bsim_capacity_is_opt_in(uint64_t shared_bytes)
{
    return shared_bytes > BSIM_STATIC_SHARED_BYTES;
}

void bsim_capacity_opt_in(uint64_t shared_bytes, struct bsim_buffer *out)
{
    if (bsim_capacity_is_opt_in(shared_bytes)) {
        bsim_buffer_printf(out,
                           "%" PRIu64 " bytes of shared memory a block: beyond %d they are extern "
                           "__shared__, after\n    cudaFuncSetAttribute(kernel, "
                           "cudaFuncAttributeMaxDynamicSharedMemorySize, %" PRIu64 ");\n",
                           shared_bytes, BSIM_STATIC_SHARED_BYTES, shared_bytes);
    }
}
