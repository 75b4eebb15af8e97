/* pack.c - several registers as one, and back: mov.b64 %rd1, {%r1, %r2}; the first is the lowest
 * part. */
#include "ptx/machine.h"

#include <string.h>

/* Moves each lane's elements between registers of their own and one of 128 bits. */
static void move_wide(struct bsim_ptx_warp *warp, const uint32_t *more, uint32_t whole,
                      bool is_pack)
{
    uint32_t words = more[1] / 32;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        for (uint32_t i = 0; i < more[0] && (warp->mask >> l & 1); i++) {
            uint32_t *w = warp->file + whole + 4 * l + words * i;
            if (more[3 + i] != BSIM_PTX_NOWHERE) {
                uint32_t *part = warp->file + more[3 + i] + words * l;
                memmove(is_pack ? w : part, is_pack ? part : w, words * sizeof *w);
            }
        }
    }
}

/* more: {elements, bits of each, bits of the whole, places ...}. */
void bsim_ptx_run_pack(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const uint32_t *more = step->more;
    if (more[2] == 128) {
        move_wide(warp, more, step->d, true);
        return;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t whole = 0;
        for (uint32_t i = 0; i < more[0]; i++) {
            whole |= bsim_ptx_take(warp, more[3 + i], more[1] == 64, l) << i * more[1];
        }
        if (warp->mask >> l & 1) {
            bsim_ptx_put(warp, step->d, more[2], l, whole);
        }
    }
}

void bsim_ptx_run_unpack(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const uint32_t *more = step->more;
    if (more[2] == 128) {
        move_wide(warp, more, step->a, false);
        return;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t whole = bsim_ptx_take(warp, step->a, more[2] == 64, l);
        for (uint32_t i = 0; i < more[0] && (warp->mask >> l & 1); i++) {
            if (more[3 + i] != BSIM_PTX_NOWHERE) {
                bsim_ptx_put(warp, more[3 + i], more[1], l, whole >> i * more[1]);
            }
        }
    }
}
