/* constant.c - constant memory: one different word per pass.
 *
 * The constant cache reads one word at a time and hands it to every lane that wants it. So a warp
 * whose lanes agree takes one pass, and lanes that disagree are served one after another:
 *
 *     coef[2] in every lane          1 pass
 *     coef[threadIdx.x % 4]          4 passes
 *     coef[threadIdx.x]             32 passes
 *
 * 8 bytes count as one word; 16 bytes are compiled into four loads of 4 bytes each.
 *
 * A constant that is an operand of the arithmetic, or is read by ULDC, is no request: traces do not
 * have it. An address in a register is LDC and a request, also where the compiler could know that
 * all lanes agree (a kernel argument, blockIdx, a loop's counter); one that is fixed in the machine
 * code can be any of the three.
 *
 * Source: CUDA C++ Best Practices Guide ("the cost scales linearly with the number of unique
 * addresses"); idc__requests counted on an H200 for 1 to 32 addresses, and for all those kinds of
 * read. Not modelled: the cache's misses.
 */
#include "model/segments.h"

#include <banksim/model.h>

uint32_t bsim_constant_passes(const struct bsim_opcode *opcode, uint32_t mask,
                              const uint64_t address[BSIM_WARP_LANES])
{
    uint32_t unit = opcode->bytes > 4 ? opcode->bytes : 4;
    uint32_t n = bsim_segments_count(address, bsim_opcode_lanes(opcode, mask), unit);
    return opcode->bytes > 8 ? n * (opcode->bytes / 4u) : n;
}
