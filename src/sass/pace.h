/* pace.h - which pipe of a partition an instruction of machine code wants, and for how long. */
#ifndef BSIM_SASS_PACE_H
#define BSIM_SASS_PACE_H

#include <banksim/event.h>

#include "sass/dump.h"

enum bsim_sass_kind { BSIM_SASS_PLAIN, BSIM_SASS_BRANCH, BSIM_SASS_MEETING };

struct bsim_sass_pace {
    uint16_t pipe;    /* an enum bsim_work_class: FP32 stands for what any clock of issue has room for, ANY for what is told as an access */
    uint16_t takes;   /* instructions of the pipe that it is worth */
    uint16_t more;    /* clocks that what comes behind it is later than its stall says */
    uint16_t latency; /* clocks until a counter tells that it is done */
    uint16_t reading; /* clocks until one tells that it has read its registers */
    uint8_t kind;
};

struct bsim_sass_pace bsim_sass_find_pace(const struct bsim_sass_instruction *in);

#endif
