/* chance.c - loads of global and local memory that nobody wrote, where what is counted hangs on them.
 *
 *     written   | 1 1 1 0 0 0 0 1 |    a note for each word of a piece of global memory, and for each
 *     load            ^ ^ ^            byte of a thread's own: this one is told
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "ptx/memory.h"
#include "ptx/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of a thread's own memory. */
static bool has_local(const struct bsim_ptx_warp *warp, uint32_t lane, uint64_t address,
                      uint32_t bytes)
{
    const unsigned char *written = warp->local_written;
    return written == NULL ||
           memchr(written + (size_t)lane * warp->local_stride + address, 0, bytes) == NULL;
}

static bool is_written(const struct bsim_ptx_block *block, const struct bsim_ptx_piece *piece,
                       uint64_t address, uint32_t bytes)
{
    uint64_t offset = address - piece->start;
    return piece->written == NULL || bsim_ptx_piece_is_written(piece, offset, bytes) ||
           (block->view != NULL && bsim_ptx_view_is_written(block->view, piece, offset, bytes));
}

static void look_at_lane(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         enum bsim_space space, uint32_t lane, uint64_t address)
{
    uint32_t bytes = step->access->bytes * step->access->count;
    const struct bsim_ptx_piece *piece =
        space == BSIM_GLOBAL ? bsim_ptx_find_piece(warp, step, address) : NULL;
    char name[BSIM_PTX_MAX_PIECE_NAME], of[BSIM_PTX_MAX_PIECE_NAME + 40];
    if (space == BSIM_LOCAL && !has_local(warp, lane, address, bytes)) {
        bsim_ptx_find_chance(warp, step, lane, bytes, "of its local memory");
    } else if (piece != NULL && !is_written(warp->block, piece, address, bytes)) {
        bsim_ptx_name_piece(warp->block, piece, name);
        (void)snprintf(of, sizeof of, "at byte %" PRIu64 " of %s", address - piece->start, name);
        bsim_ptx_find_chance(warp, step, lane, bytes, of);
    }
}

/* What a block stores that runs ahead is noted when its turn comes. */
static void note_lane(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      enum bsim_space space, uint32_t lane, uint64_t address)
{
    uint32_t bytes = step->access->bytes * step->access->count;
    if (space == BSIM_LOCAL && warp->local_written != NULL) {
        memset(warp->local_written + (size_t)lane * warp->local_stride + address, 1, bytes);
    } else if (space == BSIM_GLOBAL && warp->block->view == NULL) {
        const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, address);
        if (piece->written != NULL) {
            bsim_ptx_piece_wrote(piece, address - piece->start, bytes);
        }
    }
}

void bsim_ptx_find_by_chance(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const uint64_t *address, const enum bsim_space *each,
                             enum bsim_space all, bool stores)
{
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        enum bsim_space space = each != NULL ? each[l] : all;
        if (stores) {
            note_lane(warp, step, space, l, address[l]);
        } else if (warp->block->findings != NULL) {
            look_at_lane(warp, step, space, l, address[l]);
        }
    }
}
