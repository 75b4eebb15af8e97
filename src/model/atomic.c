/* atomic.c - atomics: every active lane takes its own turn at its bank.
 *
 * A load's lanes may share a row; an atomic's may not, since each lane reads what the one before it
 * wrote. So the same address serialises like different rows of one bank do:
 *
 *     lanes 0-3, atom.add on word 0 by all        lanes 0-3, ld of word 0 by all
 *     bank 0:  lane 0, lane 1, lane 2, lane 3     bank 0:  lanes 0 1 2 3
 *              4 passes                                    1 pass
 *
 * Different banks work side by side, so a request takes as many turns as the fullest bank has
 * lanes. 8-byte atomics go in half-warps as 8-byte loads do (wide.c), without a pair rule. A
 * compare-and-swap takes two passes per turn, but the profiler counts its conflicts once.
 *
 * The exception: adding the constant 1 without using the result, which the compiler turns into
 * SASS's ATOMS.POPC.INC.32 from compute capability 8.0 on (red.shared.popc.inc.u32 here). The lanes
 * of one word are counted first and their number is added at once, so they share a pass as loads
 * do; different words of one bank still conflict.
 *
 * Sources: all counted on an H200 (tests/measured/h200): every 4-byte operation with and without
 * result, cas and exch of 8 bytes, the merged increment. The other 8-byte atomics and those on
 * f32, f64, f16x2 and bf16x2 are compiled into a loop of a load and a cas: loop.c counts what it
 * takes at least.
 */
#include "model/atomic.h"

bool bsim_opcode_loops(const struct bsim_opcode *opcode)
{
    return opcode->space == BSIM_SHARED && bsim_opcode_is_atomic(opcode) &&
           bsim_atomic_rule(opcode) == BSIM_RULE_LOOP;
}

uint32_t bsim_atomic_passes(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_atomic(opcode) && opcode->operation == BSIM_CAS ? 2 : 1;
}

bool bsim_atomic_shares(const struct bsim_device *device, const struct bsim_opcode *opcode)
{
    return opcode->operation == BSIM_POPC_INC && device->has_popc_inc;
}

enum bsim_rule bsim_atomic_rule(const struct bsim_opcode *opcode)
{
    bool is_integer = opcode->type == 'u' || opcode->type == 's' || opcode->type == 'b';
    bool is_native = opcode->bytes == 4 && is_integer;
    switch (opcode->operation) {
    case BSIM_CAS:
        return BSIM_RULE_CAS;
    case BSIM_POPC_INC:
        return BSIM_RULE_INCREMENT;
    case BSIM_EXCH:
        return opcode->bytes == 8 ? BSIM_RULE_ATOMIC64 : BSIM_RULE_ATOMIC;
    default:
        return is_native ? BSIM_RULE_ATOMIC : BSIM_RULE_LOOP;
    }
}
