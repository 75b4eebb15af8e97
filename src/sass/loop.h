/* loop.h - loops of machine code that are one atomic of PTX. */
#ifndef BSIM_SASS_LOOP_H
#define BSIM_SASS_LOOP_H

#include "sass/follow.h"

/* What a loop adds, or compares with, or half of that: an operand of the instruction, or, where `operand` is 0, the number. */
struct bsim_sass_value {
    const struct bsim_sass_instruction *in;
    uint32_t operand, number;
    uint32_t shift; /* the operand, if there is one, by which it is shifted to the left; an upper half is what that shifts out, with the sign */
};

/* An atomic that ptxas made a loop of. */
struct bsim_sass_loop {
    uint32_t n;      /* instructions that it is: up to the branch back, and a BSYNC behind that where nobody else comes to */
    struct bsim_sass_control control; /* the counters that one of them awaits; what they themselves tell they have waited for */
    const char *operation, *type;     /* of PTX: "add", "f32" */
    bool is_wide;    /* of 64 bits */
    bool is_used;    /* what was there before, or what was made of it, is read behind it */
    bool may_leave;  /* before the trial, where this would change nothing */
    const struct bsim_sass_instruction *trial; /* it is told at its line, where a profiler has its conflicts */
    struct bsim_sass_value value[2];  /* of 64 whole bits each half */
    uint32_t condition;               /* P, which is true behind it */
    uint64_t again;                   /* a bit for each instruction that is said as it stands, for what it leaves in registers */
};

/* Finds the function's, whose leads are counted. False: memory is short. */
bool bsim_sass_find_loops(struct bsim_sass_function *f, struct bsim_sass_walk *walk, struct bsim_arena *arena);

#endif
