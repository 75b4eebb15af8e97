/* pace.c - the pipes of instructions of machine code, compute capability 8.0 to 9.0.
 *
 * Each is as ../ptx/pace.c has it of the instruction of PTX that it is made of, where an H200's clocks of loops are the source. How long until the
 * result is there stands in the code itself, as the clocks until the next instruction; here is what a counter tells of alone (MUFU, S2R, LDC,
 * SHFL), and when registers have been read: measured, by the profiler's waits (H200, 336 kernels), 8 clocks behind LDS, 11 behind STS of up to 32
 * bits, 13 of 64, 17 of 128, 11 behind SHFL, 14 behind MUFU. Graded assumed: that others have as LDS, latencies of S2R, LDC, R2UR, and that uniform
 * instructions have no pipe that is short.
 */
#include "sass/pace.h"

#include <stddef.h>

static const struct known {
    const char *opcodes; /* each with a blank on both sides */
    struct bsim_sass_pace pace;
} known[] = {
    {" FADD FMUL FFMA IMAD HADD2 HMUL2 HFMA2 IDP ", {2, 0, 4, 8, 0, BSIM_SASS_PLAIN}},
    {" MUFU POPC FLO BREV F2I I2F F2F FRND UFLO UPOPC ", {2, 16, 17, 14, 0, BSIM_SASS_PLAIN}},
    {" DADD DMUL DFMA DSETP ", {4, 0, 8, 8, 0, BSIM_SASS_PLAIN}},
    {" HMMA IMMA ", {12, 0, 24, 8, 0, BSIM_SASS_PLAIN}},
    {" SHFL ", {2, 0, 24, 11, 0, BSIM_SASS_PLAIN}},
    {" REDUX ", {2, 0, 13, 8, 0, BSIM_SASS_PLAIN}},
    {" S2R ", {2, 0, 24, 8, 0, BSIM_SASS_PLAIN}},
    {" S2UR ", {2, 0, 34, 8, 0, BSIM_SASS_PLAIN}},
    {" LDC ULDC ", {2, 0, 26, 8, 0, BSIM_SASS_PLAIN}},
    {" FCHK ", {2, 0, 25, 8, 0, BSIM_SASS_PLAIN}},
    {" R2UR VOTEU B2R ", {2, 0, 12, 8, 0, BSIM_SASS_PLAIN}},
    {" BRA EXIT CALL RET ", {2, 0, 0, 8, 0, BSIM_SASS_BRANCH}},
    {" BSYNC ", {2, 0, 0, 8, 0, BSIM_SASS_MEETING}},
    {" BSSY BREAK NOP YIELD BMOV WARPSYNC BAR LDS LDG STG LD ST LDL STL ATOMS ATOMG ATOM RED LDSM LDGSTS LDGDEPBAR DEPBAR ",
     {2, 0, 0, 8, 0, BSIM_SASS_PLAIN}},
    {" STS ", {2, 0, 0, 11, 0, BSIM_SASS_PLAIN}},
};

struct bsim_sass_pace bsim_sass_find_pace(const struct bsim_sass_instruction *in)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (bsim_sass_is_in(known[i].opcodes, in->opcode)) {
            struct bsim_sass_pace pace = known[i].pace;
            for (uint32_t k = 0; k < in->n_modifiers && bsim_sass_is_in(" STS ", in->opcode); k++) {
                pace.reading = bsim_sass_same(in->modifier[k], "64") ? 13 : bsim_sass_same(in->modifier[k], "128") ? 17 : pace.reading;
            }
            return pace;
        }
    }
    bool is_uniform = in->opcode.length > 0 && in->opcode.text[0] == 'U';
    return (struct bsim_sass_pace){.issue = 2, .reading = 8, .is_alu = !is_uniform};
}
