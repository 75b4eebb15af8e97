/* lanes.c - sets of lanes in words. */
#include "report/lanes.h"

#include <banksim/event.h>

#include <inttypes.h>

void bsim_lanes_runs(uint32_t lanes, struct bsim_buffer *out)
{
    const char *separator = "";
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t first = lane;
        while (lane < BSIM_WARP_LANES && (lanes >> lane & 1) != 0) {
            lane++;
        }
        if (lane == first) {
            continue;
        }
        bsim_buffer_printf(out, "%s%" PRIu32, separator, first);
        if (lane - 1 > first) {
            bsim_buffer_printf(out, "-%" PRIu32, lane - 1);
        }
        separator = ",";
    }
}

void bsim_lanes_text(uint32_t lanes, struct bsim_buffer *out)
{
    bsim_buffer_text(out, (lanes & (lanes - 1)) == 0 ? "lane " : "lanes ");
    bsim_lanes_runs(lanes, out);
}
