/* copied.c - what a cp.async takes wherever its bytes lie in shared memory.
 *
 * A copy's other side, in global memory, is not a layout's to move. By the rules of model/copy.c
 *
 * - a wavefront of cp.async.cg has pieces of 16 bytes from one line of 128 bytes, each once;
 * - lanes of cp.async.ca that want one bank of L1, or one place of shared memory, go one by one.
 *
 *     lane                        0    8   16   24
 *     to &s[0][lane], 16 bytes    0   16   32   48
 *     from &g[lane]               0   16   32   48     one line: 1 wavefront
 *     from nowhere that is told   0  128  256  384     four lines: 4, whatever the layout
 */
#include "advise/copied.h"

#include "base/bits.h"
#include "model/copy.h"

#include <string.h>

enum { LINE_BYTES = 128, WORD_BYTES = 4 };

static uint64_t from_of(const struct bsim_check_request *request, uint32_t lane)
{
    return request->has_from ? request->from[lane] : (uint64_t)lane * request->opcode.bytes;
}

static bool has_same_place(const struct bsim_check_request *request, uint32_t a, uint32_t b)
{
    return request->array[a] == request->array[b] && request->offset[a] == request->offset[b];
}

static bool meets(const struct bsim_check_request *request, uint32_t a, uint32_t b)
{
    uint32_t bytes = request->opcode.bytes;
    uint64_t apart = (from_of(request, a) ^ from_of(request, b)) % LINE_BYTES;
    return apart / bytes == 0 || has_same_place(request, a, b);
}

/* Those of the lanes for which that holds beside this one, itself included. */
static uint32_t lanes_like(const struct bsim_check_request *request, uint32_t lanes, uint32_t lane,
                           bool (*is_like)(const struct bsim_check_request *request, uint32_t a,
                                           uint32_t b))
{
    uint32_t like = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        uint32_t other = bsim_bits_lowest(rest);
        like |= (uint32_t)is_like(request, lane, other) << other;
    }
    return like;
}

static uint32_t least_by_lines(const struct bsim_check_request *request)
{
    struct bsim_request plain = {.opcode = request->opcode, .has_from = request->has_from};
    uint32_t writers = 0;
    for (uint32_t rest = request->lanes; rest != 0;) {
        uint32_t lane = bsim_bits_lowest(rest);
        writers |= UINT32_C(1) << lane;
        rest &= ~lanes_like(request, rest, lane, has_same_place);
    }
    memcpy(plain.from, request->from, sizeof plain.from);
    return bsim_copy_least(&plain, writers);
}

static uint32_t least_by_banks(const struct bsim_check_request *request)
{
    uint32_t bytes = request->opcode.bytes > WORD_BYTES ? request->opcode.bytes : WORD_BYTES;
    uint32_t size = LINE_BYTES / bytes;
    uint32_t least = 0;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        uint32_t group = request->lanes & BSIM_FULL_MASK >> (BSIM_WARP_LANES - size) << first;
        uint32_t most = 0;
        for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
            uint32_t n =
                bsim_bits_population(lanes_like(request, group, bsim_bits_lowest(rest), meets));
            most = n > most ? n : most;
        }
        least += most;
    }
    return least;
}

uint32_t bsim_copied_least(const struct bsim_check_request *request)
{
    return request->opcode.path == BSIM_BYPASS ? least_by_lines(request) : least_by_banks(request);
}
