/* cuda_pipeline_primitives.h - asynchronous copies of 4, 8 or 16 bytes to shared memory. */
#ifndef BANKSIM_CUDA_PIPELINE_PRIMITIVES_H
#define BANKSIM_CUDA_PIPELINE_PRIMITIVES_H

#include "banksim_cuda.h"

__BANKSIM_CALLERS_LINES
/* The last zeros bytes are not read, and zero. */
__BANKSIM_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                              size_t zeros = 0)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to), read = (unsigned)(size - zeros);
    size_t source = __cvta_generic_to_global(from);
    if (size == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read)
                     : "memory");
    } else if (size == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read)
                     : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read)
                     : "memory");
    }
}
__BANKSIM_DEVICE void __pipeline_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}
/* All but the last n commits; n is a constant after inlining, and from 0 to 7. */
__BANKSIM_DEVICE void __pipeline_wait_prior(size_t n)
{
    if (n == 0) {
        asm volatile("cp.async.wait_group 0;" : : : "memory");
    } else if (n == 1) {
        asm volatile("cp.async.wait_group 1;" : : : "memory");
    } else if (n == 2) {
        asm volatile("cp.async.wait_group 2;" : : : "memory");
    } else if (n == 3) {
        asm volatile("cp.async.wait_group 3;" : : : "memory");
    } else if (n == 4) {
        asm volatile("cp.async.wait_group 4;" : : : "memory");
    } else if (n == 5) {
        asm volatile("cp.async.wait_group 5;" : : : "memory");
    } else if (n == 6) {
        asm volatile("cp.async.wait_group 6;" : : : "memory");
    } else {
        asm volatile("cp.async.wait_group 7;" : : : "memory");
    }
}

__BANKSIM_OWN_LINES
#endif
