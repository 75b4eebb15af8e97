/* shuffle.c - where a lane's value comes from in a warp shuffle.
 *
 * The PTX ISA's definition of shfl.sync, with the operands that CUDA's __shfl_*_sync pass. With
 * segments of `width` lanes, lane l's source is
 *
 *     idx    first + operand mod width       (first, last: the ends of l's segment)
 *     up     l - operand, or l itself if that lies before first
 *     down   l + operand, or l itself if that lies behind last
 *     xor    l ^ operand, or l itself if that lies behind last
 *
 * where up, down and xor take the low five bits of operand.
 */
#include <banksim/model.h>

uint32_t bsim_shuffle_source(enum bsim_operation operation, uint32_t lane, uint32_t operand,
                             uint32_t width)
{
    if (width == 0 || width > BSIM_WARP_LANES || (width & (width - 1)) != 0) {
        return BSIM_BAD_WIDTH;
    }
    uint32_t first = lane & ~(width - 1);
    uint32_t last = first + width - 1;
    uint32_t by = operand % BSIM_WARP_LANES;
    switch (operation) {
    case BSIM_UP:
        return lane >= first + by ? lane - by : lane;
    case BSIM_DOWN:
        return lane + by <= last ? lane + by : lane;
    case BSIM_BFLY:
        return (lane ^ by) <= last ? lane ^ by : lane;
    default: /* BSIM_IDX */
        return first + operand % width;
    }
}
