/* record.h - what kernels of a stream did to shared memory: each different request once. */
#ifndef BSIM_EXPR_RECORD_H
#define BSIM_EXPR_RECORD_H

#include "base/arena.h"
#include "base/table.h"
#include "event/stream.h"

#include <banksim/expr.h>

struct bsim_kept_site {
    uint32_t number; /* of the trace; 0: events that name none */
    struct bsim_opcode opcode;
    const char *file, *text; /* or NULL */
    uint32_t line;
    size_t n;       /* requests that are kept of it */
    uint32_t rarer; /* one of 2^rarer different ones */
};

struct bsim_kept_request {
    uint64_t times;
    uint64_t hash;
    uint64_t of_launch; /* times that `launch` made it */
    uint32_t launch;    /* the last one that did */
    uint32_t site;
    uint32_t mask;
    uint32_t address[BSIM_WARP_LANES]; /* 0 in lanes that have none */
    const uint64_t *from; /* of a copy, up to whole lines; NULL where that is not known */
};

/* Bytes of the window that TMA or wgmma goes to: its layout there is that of a map or a descriptor. */
struct bsim_kept_tile {
    uint64_t begin, end;
};

/* Launches of one kernel, of one shape. */
struct bsim_recording {
    struct bsim_recorded shown;
    struct bsim_kernel kernel;
    struct bsim_kept_site *site;
    size_t n_sites;
    struct bsim_kept_request *request;
    size_t n;
    struct bsim_table table;
    struct bsim_kept_tile *tile; /* none of which meets another */
    size_t n_tiles;
};

struct bsim_recorder {
    struct bsim_arena arena; /* of names and texts */
    struct bsim_stream stream;
    size_t most; /* different requests of a kernel */
    struct bsim_recording *recording;
    size_t n;
    size_t running;  /* the kernel at hand */
    uint32_t launch; /* its number, from 1 */
    struct bsim_launched {
        size_t recording;
        uint32_t launch; /* that did what this one did */
    } past[BSIM_AGAIN_MOST];
    uint32_t
        *site; /* of the kernel at hand, by index: its place in the recording, plus 1; 0: none */
    size_t n_sites;
};

/* Whether launches of the two are one kernel's: of one name, block and window. */
bool bsim_recording_is_of(const struct bsim_kernel *a, const struct bsim_kernel *b);

#endif
