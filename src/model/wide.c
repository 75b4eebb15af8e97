/* wide.c - 8- and 16-byte requests: half-warps, quarter-warps and the pair rule.
 *
 * All banks together deliver n_banks * bank_bytes per pass, 128 bytes on most devices. 32 lanes of
 * 4 bytes fit; 32 lanes of 8 or 16 bytes cannot, so such a request is split by lane number before
 * the banks are looked at, and lanes of different groups never meet in a pass:
 *
 *     lane       0 ............ 7 8 ........... 15 16 .......... 23 24 .......... 31
 *     4 bytes   |------------------------------- warp ------------------------------|
 *     8 bytes   |---------- half-warp -----------||---------- half-warp ------------|
 *     16 bytes  |--- quarter ---||--- quarter ---||--- quarter ----||--- quarter ---|
 *
 * Kepler's banks are twice as wide and its groups twice as large.
 *
 * The pair rule (loads only). If every active lane's neighbour lane^1 is inactive or has the same
 * address, two lanes' data come from one word and neighbouring groups go together: an 8-byte load
 * is one group, a 16-byte load two half-warps. The same if it holds for lane^2:
 *
 *     lane      0  1  2  3  4  5  ...            lane      0  1  2  3  4  5  6  7 ...
 *     address   0  0  8  8 16 16  ...  (^1)      address   0  8  0  8 16 24 16 24 ...  (^2)
 *
 * One of the two has to hold for the whole warp; ^1 in one half and ^2 in the other merges nothing.
 * Groups never merge beyond that: a 16-byte load of one single address still takes two passes.
 *
 * Sources: NVIDIA developer forum 260900 (the split) and 77228 (the pair rule, for 7.0 to 7.5);
 * wavefronts counted on an A100 (zhihu 690052715) and on an H200 (tests/measured/h200), there for
 * stores too, which have no pair rule. Per device: the table in device.c.
 */
#include "model/wide.h"

uint32_t bsim_wide_lanes(const struct bsim_device *device, uint32_t bytes)
{
    return bytes <= device->bank_bytes ? BSIM_WARP_LANES
                                       : BSIM_WARP_LANES * device->bank_bytes / bytes;
}

/* Every active lane's partner lane ^ distance is inactive or has the same address. */
static bool partners_agree(const struct bsim_request *request, uint32_t distance)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t partner = lane ^ distance;
        bool both = (request->mask >> lane & request->mask >> partner & 1) != 0;
        if (both && request->address[lane] != request->address[partner]) {
            return false;
        }
    }
    return true;
}

bool bsim_wide_pairs(const struct bsim_request *request)
{
    return request->opcode.family == BSIM_LD && request->opcode.bytes > 4 &&
           (partners_agree(request, 1) || partners_agree(request, 2));
}
