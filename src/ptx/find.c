/* find.c - which file's function computes an instruction. */
#include "ptx/tables.h"

const struct bsim_ptx_accesses *bsim_ptx_find_accesses(void)
{
    return bsim_ptx_has_avx2() ? &bsim_ptx_accesses_avx2 : &bsim_ptx_accesses;
}

const struct bsim_ptx_alu *bsim_ptx_find_alu(const struct bsim_ptx_instruction *instruction)
{
    static bsim_ptx_finder *const finders[] = {bsim_ptx_find_integer, bsim_ptx_find_compare,
                                               bsim_ptx_find_float, bsim_ptx_find_video,
                                               bsim_ptx_find_narrow};
    bsim_ptx_finder *common =
        bsim_ptx_has_avx2() ? bsim_ptx_find_common_avx2 : bsim_ptx_find_common;
    const struct bsim_ptx_alu *alu = common(instruction);
    for (size_t i = 0; i < sizeof finders / sizeof *finders && alu == NULL; i++) {
        alu = finders[i](instruction);
    }
    return alu;
}
