/* event.c - what every source and sink does with an event: start one, ask for its addresses. */
#include "event/far.h"

#include <string.h>

void bsim_event_init(struct bsim_event *event, const struct bsim_opcode *opcode)
{
    memset(event, 0, sizeof *event);
    event->opcode = *opcode;
    event->mask = BSIM_FULL_MASK;
    event->wait = BSIM_ANY_COUNT;
    event->expect_wavefronts = BSIM_ANY_COUNT;
    event->expect_conflicts = BSIM_ANY_COUNT;
}

static void fill(uint32_t lanes, bool affine, uint64_t base, int64_t stride,
                 const uint64_t list[BSIM_WARP_LANES], uint64_t out[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t address = affine ? base + lane * (uint64_t)stride : list[lane];
        out[lane] = lanes >> lane & 1 ? address : 0;
    }
}

void bsim_event_addresses(const struct bsim_event *event, uint64_t out[BSIM_WARP_LANES])
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    fill(lanes, event->affine, event->base, event->stride, event->address, out);
}

void bsim_event_from(const struct bsim_event *event, uint64_t out[BSIM_WARP_LANES])
{
    const struct bsim_from *from = event->from;
    uint32_t lanes = from != NULL ? bsim_opcode_lanes(&event->opcode, event->mask) : 0;
    if (lanes == 0) {
        memset(out, 0, BSIM_WARP_LANES * sizeof *out);
        return;
    }
    fill(lanes, from->affine, from->base, from->stride, from->address, out);
}

void bsim_event_far(const struct bsim_event *event, struct bsim_event *far)
{
    struct bsim_opcode load = event->opcode;
    load.family = BSIM_LD;
    load.space = BSIM_GLOBAL;
    load.path = BSIM_USUAL_PATH;
    bsim_event_init(far, &load);
    far->warp = event->warp;
    far->mask = event->mask;
    if (event->from != NULL) {
        far->affine = event->from->affine;
        far->base = event->from->base;
        far->stride = event->from->stride;
        memcpy(far->address, event->from->address, sizeof far->address);
    }
}

void bsim_from_of(const struct bsim_event *far, struct bsim_from *from)
{
    from->affine = far->affine;
    from->base = far->base;
    from->stride = far->stride;
    memcpy(from->address, far->address, sizeof from->address);
}
