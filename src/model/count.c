/* count.c - what is reported of a request, read off its schedule. */
#include "base/bits.h"
#include "model/atomic.h"
#include "model/copy.h"
#include "model/fast.h"
#include "model/loop.h"

#include <string.h>

/* A load is a broadcast if each row that it touches goes to its whole group, a multicast if some
 * row goes to several lanes. */
static void count_sharing(const struct bsim_schedule *schedule, struct bsim_counts *counts)
{
    bool all = true;
    bool some = false;
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        const struct bsim_grant *grant = &schedule->grant[i];
        all = all && grant->lanes == schedule->group_lanes[schedule->pass[grant->pass].group];
        some = some || bsim_bits_population(grant->lanes) > 1;
    }
    counts->broadcast = some && all;
    counts->multicast = some && !all;
}

/* The words that banks hand out or take: of a Kepler bank in its 4-byte mode one half or both. */
static uint32_t bytes_of_grants(const struct bsim_device *device,
                                const struct bsim_schedule *schedule)
{
    uint32_t n_words = schedule->n_grants;
    if (device->bank_bytes > device->stride_bytes) {
        n_words = 0;
        for (uint32_t i = 0; i < schedule->n_grants; i++) {
            n_words += bsim_bits_population(schedule->grant[i].halves);
        }
    }
    return n_words * device->stride_bytes;
}

/* The schedule of a loop has its rounds alone. */
static void count_loop(const struct bsim_device *device, const struct bsim_request *request,
                       struct bsim_counts *counts)
{
    struct bsim_loop_counts loop;
    bsim_loop_count(device, request, &loop);
    counts->wavefronts = loop.loads + loop.swaps;
    counts->conflicts = loop.conflicts;
    counts->ideal = loop.ideal;
    counts->bytes_served = loop.bytes_served;
}

/* A wavefront of cp.async.cg has 8 pieces, of one line, at most. The profiler's counter of bank
 * conflicts stays 0 for it (tests/measured/h200/crosscheck/copies.csv). */
static void count_pieces(const struct bsim_request *request, struct bsim_counts *counts)
{
    const uint32_t most = 8;
    uint32_t pieces = bsim_bits_population(bsim_copy_writers(request));
    counts->ideal = (pieces + most - 1) / most;
    counts->ways = counts->ideal > 0 ? (counts->wavefronts + counts->ideal - 1) / counts->ideal : 0;
    counts->conflicts = 0;
}

void bsim_schedule_count(const struct bsim_device *device, const struct bsim_request *request,
                         const struct bsim_schedule *schedule, struct bsim_counts *counts)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    memset(counts, 0, sizeof *counts);
    counts->wavefronts = schedule->n_passes;
    counts->ideal = schedule->n_groups * bsim_atomic_passes(&request->opcode);
    for (uint32_t i = 0; i < schedule->n_groups; i++) {
        uint32_t ways = schedule->group_ways[i];
        counts->conflicts += ways - 1;
        counts->ways = ways > counts->ways ? ways : counts->ways;
    }
    counts->bytes_asked = bsim_bits_population(lanes) * request->opcode.bytes;
    counts->bytes_served = bytes_of_grants(device, schedule);
    if (bsim_opcode_loops(&request->opcode)) {
        count_loop(device, request, counts);
    }
    if (request->opcode.path == BSIM_BYPASS && bsim_copy_has_sides(device, request)) {
        count_pieces(request, counts);
    }
    counts->bytes_moved = counts->wavefronts * device->n_banks * device->bank_bytes;
    counts->rules = schedule->rules;
    if (bsim_family_reads(&request->opcode)) {
        count_sharing(schedule, counts);
    }
}

void bsim_plain_count(const struct bsim_device *device, const struct bsim_request *request,
                      struct bsim_counts *counts)
{
    struct bsim_schedule schedule;
    bsim_request_schedule(device, request, &schedule);
    bsim_schedule_count(device, request, &schedule, counts);
}
