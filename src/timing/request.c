/* request.c - from a warp request to turns of the data pipe.
 *
 * A request takes as many turns as it has wavefronts, and at least as many as groups that its width
 * asks for: a 16-byte load whose only active lanes lie in one quarter-warp makes one wavefront and
 * still takes four turns, two under the pair rule (H200: 16 warps, any mask). Its result comes one
 * clock later for each of these groups after the first, as registers are written one after another.
 *
 * A compare-and-swap takes each of its turns twice, conflict or not.
 *
 * Global and constant accesses and shuffles are an instruction of the warp and nothing else here:
 * one `work` without latency.
 */
#include "timing/request.h"

#include "model/atomic.h"
#include "model/matrix.h"
#include "model/wide.h"

static uint32_t at_least(uint32_t value, uint32_t least)
{
    return value > least ? value : least;
}

/* Groups of lanes that a load or store goes in by its width, whichever lanes are active. rules are
 * its counts'. */
static uint32_t groups_asked(const struct bsim_device *device, const struct bsim_opcode *opcode,
                             uint32_t rules)
{
    if (bsim_atomic_is(opcode) || bsim_matrix_is(opcode)) {
        return 1;
    }
    uint32_t groups = BSIM_WARP_LANES / bsim_wide_lanes(device, opcode->bytes);
    bool pairs = (rules >> BSIM_RULE_PAIR & 1) != 0;
    return pairs && device->has_pair_rule ? groups / 2 : groups;
}

static uint32_t registers_of(const struct bsim_opcode *opcode)
{
    switch (opcode->family) {
    case BSIM_LD:
    case BSIM_ATOM:
        return at_least(opcode->bytes / 4, 1);
    case BSIM_LDMATRIX:
        return opcode->count;
    default:
        return 0;
    }
}

static uint32_t late_of(const struct bsim_timing *timing, const struct bsim_opcode *opcode,
                        uint32_t groups)
{
    return opcode->family == BSIM_ATOM ? timing->atomic_latency
                                       : (groups - 1) * timing->group_latency;
}

static struct bsim_op shared_request(const struct bsim_device *device,
                                     const struct bsim_timing *timing,
                                     const struct bsim_event *event, uint32_t *rules)
{
    const struct bsim_opcode *opcode = &event->opcode;
    struct bsim_counts counts;
    bsim_event_count(device, event, &counts);
    uint32_t groups = groups_asked(device, opcode, counts.rules);
    uint32_t passes = bsim_atomic_is(opcode) ? bsim_atomic_passes(opcode) : 1;
    *rules = counts.rules;
    return (struct bsim_op){
        .kind = BSIM_OP_MEMORY,
        .registers = (uint8_t)registers_of(opcode),
        .late = (uint8_t)late_of(timing, opcode, groups),
        .is_read = registers_of(opcode) > 0,
        .turns = (uint16_t)at_least(counts.wavefronts, groups),
        .ideal = (uint16_t)at_least(counts.ideal * passes, groups),
    };
}

struct bsim_op bsim_timing_request(const struct bsim_device *device,
                                   const struct bsim_timing *timing, const struct bsim_event *event,
                                   uint32_t *rules)
{
    struct bsim_op op = {.kind = BSIM_OP_WORK, .count = 1};
    *rules = 0;
    if (event->opcode.space == BSIM_SHARED) {
        op = shared_request(device, timing, event, rules);
    }
    int32_t wait = event->wait;
    op.wait = (uint16_t)(wait < 0 || wait > BSIM_NO_WAIT ? BSIM_NO_WAIT : wait);
    return op;
}
