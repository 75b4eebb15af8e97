/* request.c - from a warp request to turns of the data pipe.
 *
 * A request takes as many turns as it has wavefronts, and at least as many as groups that its width
 * asks for: a 16-byte load whose only active lanes lie in one quarter-warp makes one wavefront and
 * still takes four turns, two under the pair rule (H200: 16 warps, any mask). Its result comes one
 * clock later for each of these groups after the first, as registers are written one after another.
 *
 * A compare-and-swap takes each of its turns twice, conflict or not.
 *
 * cp.async.cg takes the turns of a 16-byte store without conflicts: its wavefronts have nothing to do with
 * its cycles (H200: 32 of them in 16 cycles), which L2 decides. Those of cp.async.ca are copy.c's, if it says where it is
 * from. Waits for copies (cp.async.wait_group): issue.c, and async.c when they come.
 *
 * A kernel does the same over and over, so requests of lanes in step are kept with what they ask,
 * wherever their first lane is: as far as there is a closed form for them (affine.c of the model),
 * that has no part in it. A request has one place where it can be, and the last one that came has
 * it.
 *
 * Global and constant accesses, peers' and shuffles are an instruction of the warp and nothing else here:
 * one `work` without latency.
 */
#include "timing/request.h"

#include "model/atomic.h"
#include "model/count.h"
#include "model/family.h"
#include "model/fast.h"
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
    if (bsim_opcode_is_atomic(opcode) || bsim_opcode_is_matrix(opcode)) {
        return 1;
    }
    uint32_t groups = BSIM_WARP_LANES / bsim_wide_lanes(device, opcode->bytes);
    bool pairs = (rules >> BSIM_RULE_PAIR & 1) != 0;
    return pairs && device->has_pair_rule ? groups / 2 : groups;
}

static uint32_t registers_of(const struct bsim_opcode *opcode)
{
    if (!bsim_family_reads(opcode) && opcode->family != BSIM_ATOM) {
        return 0;
    }
    return bsim_opcode_is_matrix(opcode) ? opcode->count : at_least(opcode->bytes / 4, 1);
}

static uint32_t late_of(const struct bsim_timing *timing, const struct bsim_opcode *opcode,
                        uint32_t groups)
{
    return opcode->family == BSIM_ATOM ? timing->atomic_latency
                                       : (groups - 1) * timing->group_latency;
}

/* An atomic that is a loop (loop.c of the model) holds its warp until its last round is over:
 *
 *     LDS   FADD   ATOMS.CAST.SPIN   ISETP   BRA   (BSYNC)
 *     0      23         29             59     72     77      clocks, without conflicts; 89 to what comes next
 *
 * Measured: the profiler's waits at each, an H200, driver 580.159.04, CUDA 13.0, 2026-11-28 (deposit_f of tests/measured/h100/verdicts/second). Rounds
 * behind the first, for which lanes part, take more (fitted: deposit_c). More
 * wavefronts of a round's load, and of its swap, take two clocks each. A round is a wavefront of a load and two of a swap, and what conflicts are.
 * Those of 8 bytes are assumed to take as long. */
static uint16_t hold_of(const struct bsim_device *device, const struct bsim_opcode *opcode, uint32_t wavefronts, uint32_t conflicts)
{
    enum { ROUND_CLOCKS = 77, END_CLOCKS = 12, PART_CLOCKS = 10, CONFLICT_CLOCKS = 4, ROUND_WAVEFRONTS = 3 };
    uint32_t groups = BSIM_WARP_LANES / bsim_wide_lanes(device, opcode->bytes);
    uint32_t rounds = at_least((wavefronts - conflicts) / (ROUND_WAVEFRONTS * groups), 1);
    uint32_t clocks = rounds * ROUND_CLOCKS + (rounds - 1) * PART_CLOCKS + conflicts * CONFLICT_CLOCKS + END_CLOCKS;
    return (uint16_t)(clocks < UINT16_MAX ? clocks : UINT16_MAX);
}

static struct bsim_op op_of(const struct bsim_device *device, const struct bsim_timing *timing,
                            const struct bsim_opcode *opcode, const struct bsim_counts *counts)
{
    uint32_t groups = groups_asked(device, opcode, counts->rules);
    bool bypasses = opcode->path == BSIM_BYPASS, loops = bsim_opcode_loops(opcode) && counts->wavefronts > 0;
    return (struct bsim_op){
        .kind = BSIM_OP_MEMORY,
        .registers = (uint8_t)registers_of(opcode),
        .late = (uint8_t)(registers_of(opcode) > 0 ? late_of(timing, opcode, groups) : 0),
        .is_read = registers_of(opcode) > 0,
        .turns = (uint16_t)(bypasses ? groups : at_least(counts->wavefronts, groups)),
        .ideal = (uint16_t)(bypasses ? groups : at_least(counts->ideal, groups)),
        .out = loops ? hold_of(device, opcode, counts->wavefronts, counts->conflicts) : (uint16_t)0,
        .l2 = loops ? hold_of(device, opcode, counts->ideal, 0) : (uint16_t)0,
    };
}

/* A copy through L1 by both of its sides; what its side in global memory asks for it takes in any layout. */
static void take_copy_turns(const struct bsim_event *event, uint32_t groups, struct bsim_op *op)
{
    uint32_t least, turns = bsim_event_copy_turns(event, &least);
    op->turns = (uint16_t)at_least(turns, groups);
    op->ideal = (uint16_t)at_least(least, groups);
}

uint32_t bsim_timing_new_request(const struct bsim_device *device, const struct bsim_timing *timing,
                                 struct bsim_known_request *entry, size_t site,
                                 const struct bsim_event *event, struct bsim_op *op)
{
    struct bsim_counts counts;
    bool is_closed = event->affine && bsim_affine_count(device, event, &counts);
    if (!is_closed) {
        bsim_event_count(device, event, &counts);
    }
    *op = op_of(device, timing, &event->opcode, &counts);
    if (event->from != NULL && event->opcode.path != BSIM_BYPASS && device->n_banks == 32 && device->bank_bytes == 4) {
        take_copy_turns(event, groups_asked(device, &event->opcode, counts.rules), op);
    }
    if (is_closed) {
        *entry = (struct bsim_known_request){event->stride, event->mask, (uint32_t)site + 1, *op};
    }
    return counts.rules;
}

struct bsim_op bsim_timing_access(const struct bsim_timing *timing, const struct bsim_event *event)
{
    struct bsim_op op;
    bsim_program_work(timing, BSIM_WORK_ANY, 1, 0, &op);
    op.is_read = event->opcode.space == BSIM_GLOBAL && registers_of(&event->opcode) > 0;
    op.wait = bsim_timing_wait(event);
    return op;
}
