/* event.c - what every source and sink does with an event: start one, ask for its addresses. */
#include <banksim/event.h>

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

void bsim_event_addresses(const struct bsim_event *event, uint64_t out[BSIM_WARP_LANES])
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t address =
            event->affine ? event->base + lane * (uint64_t)event->stride : event->address[lane];
        out[lane] = lanes >> lane & 1 ? address : 0;
    }
}

/* ---- batches -------------------------------------------------------------------------------- */
