/* pace.c - the pipes of instructions of machine code, compute capability 8.0 to 9.0.
 *
 * The pipes are those of ../timing, where an H200's clocks of loops are the source. How long until the result is there stands in the code itself, as the
 * clocks until the next instruction; here is what a counter tells of alone (MUFU, S2R, LDC, SHFL), and when registers have been read: measured, by the
 * profiler's waits (H200, 336 kernels), 8 clocks behind LDS, 11 behind STS of up to 32 bits, 13 of 64, 17 of 128, 11 behind SHFL, 14 behind MUFU. Graded
 * assumed: that others have as LDS, latencies of S2R, LDC, R2UR, and that uniform instructions have no pipe that is short.
 *
 * IMAD.WIDE and IMAD.HI take the pipe of products twice, and what comes behind one comes two clocks later than its stall says. Measured, by streams of
 * four between two reads of the clock (`tests/measured/h200/wide.csv`): with stalls of 2, 3, 4, 5 and 6 they take 4, 5, 6, 7 and 8 clocks each.
 */
#include "sass/pace.h"

#include <stddef.h>

static const struct known {
    const char *opcodes; /* each with a blank on both sides */
    struct bsim_sass_pace pace;
} known[] = {
    {" FADD FMUL FFMA ", {BSIM_WORK_FP32, 1, 0, 4, 8, BSIM_SASS_PLAIN}},
    {" IMAD IDP ", {BSIM_WORK_IMAD, 1, 0, 4, 8, BSIM_SASS_PLAIN}},
    {" HADD2 HMUL2 HFMA2 ", {BSIM_WORK_HALF, 1, 0, 4, 8, BSIM_SASS_PLAIN}},
    {" MUFU POPC FLO BREV F2I I2F F2F FRND UFLO UPOPC ", {BSIM_WORK_XU, 1, 0, 17, 14, BSIM_SASS_PLAIN}},
    {" DADD DMUL DFMA DSETP ", {BSIM_WORK_FP64, 1, 0, 8, 8, BSIM_SASS_PLAIN}},
    {" HMMA IMMA QMMA ", {BSIM_WORK_TENSOR, 1, 0, 24, 8, BSIM_SASS_PLAIN}},
    {" MOVM ", {BSIM_WORK_INT, 2, 0, 24, 8, BSIM_SASS_PLAIN}},
    {" REDUX ", {BSIM_WORK_FP32, 1, 0, 13, 8, BSIM_SASS_PLAIN}},
    {" S2R ", {BSIM_WORK_FP32, 1, 0, 24, 8, BSIM_SASS_PLAIN}},
    {" S2UR ", {BSIM_WORK_FP32, 1, 0, 34, 8, BSIM_SASS_PLAIN}},
    {" LDC ULDC ", {BSIM_WORK_FP32, 1, 0, 26, 8, BSIM_SASS_PLAIN}},
    {" FCHK ", {BSIM_WORK_FP32, 1, 0, 25, 8, BSIM_SASS_PLAIN}},
    {" R2UR VOTEU B2R ", {BSIM_WORK_FP32, 1, 0, 12, 8, BSIM_SASS_PLAIN}},
    {" BRA EXIT CALL RET ", {BSIM_WORK_FP32, 1, 0, 0, 8, BSIM_SASS_BRANCH}},
    {" BSYNC ", {BSIM_WORK_FP32, 1, 0, 0, 8, BSIM_SASS_MEETING}},
    {" BSSY BREAK NOP YIELD BMOV WARPSYNC LDGDEPBAR DEPBAR ", {BSIM_WORK_FP32, 1, 0, 0, 8, BSIM_SASS_PLAIN}},
    {" BAR LDS LDG STG LD ST LDL STL ATOMS ATOMG ATOM RED REDG LDSM LDGSTS ", {BSIM_WORK_ANY, 0, 0, 0, 8, BSIM_SASS_PLAIN}},
    {" SHFL ", {BSIM_WORK_ANY, 0, 0, 24, 11, BSIM_SASS_PLAIN}},
    {" STS STSM ", {BSIM_WORK_ANY, 0, 0, 0, 11, BSIM_SASS_PLAIN}},
};

/* What its modifiers change. */
static struct bsim_sass_pace modified(struct bsim_sass_pace pace, const struct bsim_sass_instruction *in)
{
    enum { WIDE_TAKES = 2, WIDE_CLOCKS = 2 };
    if (bsim_sass_is_in(" STS STSM ", in->opcode)) { /* STSM.16.M88.4 is of 4 words, too */
        pace.reading = bsim_sass_has_one(in, " 64 2 ") ? 13 : bsim_sass_has_one(in, " 128 4 ") ? 17 : pace.reading;
    }
    if (bsim_sass_is_in(" IMAD ", in->opcode) && bsim_sass_has_one(in, " WIDE HI ")) {
        pace.takes = WIDE_TAKES;
        pace.more = WIDE_CLOCKS;
    }
    return pace;
}

struct bsim_sass_pace bsim_sass_find_pace(const struct bsim_sass_instruction *in)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (bsim_sass_is_in(known[i].opcodes, in->opcode)) {
            return modified(known[i].pace, in);
        }
    }
    bool is_uniform = in->opcode.length > 0 && in->opcode.text[0] == 'U';
    return (struct bsim_sass_pace){.pipe = is_uniform ? BSIM_WORK_FP32 : BSIM_WORK_INT, .takes = 1, .reading = 8};
}
