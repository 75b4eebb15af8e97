/* pack.c - several registers as one, and back: mov.b64 %rd1, {%r1, %r2}; the first is the lowest
 * part. */
#include "ptx/machine.h"

/* more: {elements, bits of each, bits of the whole, places ...}. */
void bsim_ptx_run_pack(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const uint32_t *more = step->more;
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
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t whole = bsim_ptx_take(warp, step->a, more[2] == 64, l);
        for (uint32_t i = 0; i < more[0] && (warp->mask >> l & 1); i++) {
            if (more[3 + i] != BSIM_PTX_NOWHERE) {
                bsim_ptx_put(warp, more[3 + i], more[1], l, whole >> i * more[1]);
            }
        }
    }
}
