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

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* A copy's ideal is what its side in global memory asks for. The profiler's bank conflicts are
 * wavefronts less groups of cp.async.ca all the same, and 0 for cp.async.cg
 * (tests/measured/h200/crosscheck/copies.csv). */
static void count_copy(const struct bsim_request *request, const struct bsim_schedule *schedule,
                       struct bsim_counts *counts)
{
    bool bypasses = request->opcode.path == BSIM_BYPASS;
    counts->conflicts = bypasses ? 0 : counts->conflicts;
    counts->ideal = counts->ways = 0;
    for (uint32_t i = 0; i < schedule->n_groups; i++) {
        uint32_t lanes = bypasses ? bsim_copy_writers(request) : schedule->group_lanes[i];
        uint32_t least = bsim_copy_least(request, lanes);
        uint32_t times = divide_up(schedule->group_ways[i], least);
        counts->ideal += least;
        counts->ways = times > counts->ways ? times : counts->ways;
    }
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
    if (bsim_copy_has_sides(device, request)) {
        count_copy(request, schedule, counts);
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
