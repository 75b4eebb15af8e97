/* line.c - see line.h. */
#include "lanes/line.h"

#include "base/bits.h"

static bool is_on_line(const struct bsim_event *event, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t address = event->base + lane * (uint64_t)event->stride;
        if ((lanes >> lane & 1) != 0 && event->address[lane] != address) {
            return false;
        }
    }
    return true;
}

void bsim_event_find_line(struct bsim_event *event)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint32_t first = bsim_bits_lowest(lanes);
    uint32_t others = lanes & (lanes - 1);
    event->stride = 0;
    if (others != 0) {
        uint32_t second = bsim_bits_lowest(others);
        int64_t rise = (int64_t)(event->address[second] - event->address[first]);
        event->stride = rise / (int64_t)(second - first);
    }
    event->base = event->address[first] - first * (uint64_t)event->stride;
    event->affine = (int64_t)event->base >= 0 && is_on_line(event, others);
}
