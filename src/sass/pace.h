/* pace.h - which pipe of a partition an instruction of machine code wants, and for how long. */
#ifndef BSIM_SASS_PACE_H
#define BSIM_SASS_PACE_H

#include "sass/dump.h"

enum bsim_sass_kind { BSIM_SASS_PLAIN, BSIM_SASS_BRANCH, BSIM_SASS_MEETING };

struct bsim_sass_pace {
    uint16_t issue, special; /* half clocks: of issue, and of the pipe of special functions */
    uint16_t latency;        /* clocks until a counter tells that it is done */
    uint16_t reading;        /* clocks until one tells that it has read its registers */
    uint8_t is_alu;          /* it has the pipe of whole numbers alone, one in two clocks */
    uint8_t kind;
};

struct bsim_sass_pace bsim_sass_find_pace(const struct bsim_sass_instruction *in);

#endif
