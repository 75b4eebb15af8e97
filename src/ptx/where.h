/* where.h - whether accesses of a launch hang on where its arrays lie in global memory. */
#ifndef BSIM_PTX_WHERE_H
#define BSIM_PTX_WHERE_H

#include "ptx/launch.h"
#include "ptx/machine.h"

/* What was found of a program. */
struct bsim_ptx_where {
    bool *
        is_address; /* of each word of 8 bytes of the parameters, in the last launch; NULL: none was */
    bool hangs; /* addresses or accesses do, on bits of these that do not say what they lead to */
};

/* Sets the program's `hangs` for the launch. False when memory is short. */
bool bsim_ptx_find_where(const struct bsim_ptx_launch *launch,
                         const struct bsim_ptx_program *program);

#endif
