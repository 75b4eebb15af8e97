/* loop.c - atomics that the compiler makes a loop of: additions of floats, and those of 8 bytes but
 * exch and cas.
 *
 *     again:  LDS old                    the lanes that are left
 *             new = old + v
 *             ATOMS.CAST.SPIN old, new   done, or again
 *
 * The swap lets one lane of each bank through and takes two wavefronts for each group of lanes,
 * whatever collides in it: lanes on one word fail because it has changed, lanes on other words of
 * that bank because it was busy. So a warp goes round as often as the fullest bank of a group has
 * lanes, and each time loads what is left:
 *
 *     32 lanes add a float to one word     32 rounds of 1 + 2 wavefronts: 96
 *     8 lanes, 8 words of one bank         loads of 8 + 7 + ... + 1, 8 swaps of 2: 52
 *
 * 8 bytes are swapped by half-warps and loaded as 8-byte loads are, pair rule included. min and max
 * of 8 bytes leave the loop in front of the swap if they would change nothing.
 *
 * Counted on an H200 (tests/measured/test_loops.c): this is exact for a warp alone, and what such a
 * loop takes at least: other warps at the same words add rounds, and so do lanes of both half-warps
 * on one word of 8 bytes that change it (the second half's swap comes too late). Of a min or max
 * that changes nothing there are only the loads, so they alone are certain.
 *
 * Not here: atomics of 2 bytes, whose loop is another one.
 */
#include "model/loop.h"

#include "model/bank.h"
#include "model/wide.h"

#include <string.h>

enum { SWAP_WAVEFRONTS = 2 };

_Static_assert(BSIM_MAX_BANKS <= 64, "the banks of a group are the bits of a word");

/* The banks of a lane's access, as bits. */
static uint64_t banks_of(const struct bsim_device *device, const struct bsim_request *request,
                         uint32_t lane)
{
    uint64_t banks = 0;
    uint32_t n_words = bsim_bank_words(device, request->opcode.bytes);
    for (uint32_t word = 0; word < n_words; word++) {
        banks |=
            UINT64_C(1)
            << bsim_bank_cell(device, request->address[lane], request->opcode.bytes, word).bank;
    }
    return banks;
}

/* The lanes of one group whose swap comes through: the lowest of each bank. */
static uint32_t winners_of(const struct bsim_device *device, const struct bsim_request *request,
                           uint32_t lanes)
{
    uint64_t busy = 0;
    uint32_t winners = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            uint64_t banks = banks_of(device, request, lane);
            winners |= (banks & busy) == 0 ? UINT32_C(1) << lane : 0;
            busy |= banks;
        }
    }
    return winners;
}

/* Those of all groups; *n_groups are at work. */
static uint32_t swap(const struct bsim_device *device, const struct bsim_request *request,
                     uint32_t lanes, uint32_t *n_groups)
{
    uint32_t size = bsim_wide_lanes(device, request->opcode.bytes);
    uint32_t group = BSIM_FULL_MASK >> (BSIM_WARP_LANES - size);
    uint32_t winners = 0;
    *n_groups = 0;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        *n_groups += (lanes & group << first) != 0;
        winners |= winners_of(device, request, lanes & group << first);
    }
    return winners;
}

/* Of the words of the winners' swaps, one in each of their banks. */
static uint32_t word_bytes(const struct bsim_device *device, const struct bsim_request *request,
                           uint32_t winners)
{
    uint32_t n_banks = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((winners >> lane & 1) != 0) {
            for (uint64_t banks = banks_of(device, request, lane); banks != 0; banks &= banks - 1) {
                n_banks++;
            }
        }
    }
    return n_banks * device->stride_bytes;
}

static bool may_leave_early(const struct bsim_opcode *opcode)
{
    return opcode->operation == BSIM_MIN || opcode->operation == BSIM_MAX;
}

void bsim_loop_count(const struct bsim_device *device, const struct bsim_request *request,
                     struct bsim_loop_counts *counts)
{
    struct bsim_request load = *request;
    struct bsim_counts of_load;
    uint32_t n_groups = 0;
    load.opcode = (struct bsim_opcode){.family = BSIM_LD,
                                       .space = BSIM_SHARED,
                                       .type = 'b',
                                       .bits = request->opcode.bits,
                                       .count = 1,
                                       .bytes = request->opcode.bytes};
    memset(counts, 0, sizeof *counts);
    for (uint32_t left = request->mask; left != 0;) {
        bool is_first = left == request->mask;
        load.mask = left;
        bsim_request_count(device, &load, &of_load);
        counts->loads += of_load.wavefronts;
        counts->conflicts += of_load.conflicts;
        counts->ideal += is_first ? of_load.ideal : 0;
        counts->bytes_served += of_load.bytes_served;
        if (may_leave_early(&request->opcode)) {
            return;
        }
        uint32_t winners = swap(device, request, left, &n_groups);
        left &= ~winners;
        counts->swaps += SWAP_WAVEFRONTS * n_groups;
        counts->ideal += is_first ? SWAP_WAVEFRONTS * n_groups : 0;
        counts->bytes_served += SWAP_WAVEFRONTS * word_bytes(device, request, winners);
    }
}
