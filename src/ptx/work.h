/* work.h - how long instructions take (pace.c), and what stands between a warp's events, for cycles (work.c). */
#ifndef BSIM_PTX_WORK_H
#define BSIM_PTX_WORK_H

#include "ptx/machine.h"

enum {
    BSIM_PTX_MEMORY_CLOCKS = 4, /* between two memory instructions of a warp, in ptxas's eyes, too */
    BSIM_PTX_GUARD_CLOCKS = 8,  /* a predicate is there so much later for a condition (@p) than as an operand: after 13 clocks, not 4 */
    BSIM_PTX_LOAD_CLOCKS = 23,  /* from a load to its result, where nothing else has the data pipe (../timing) */
};

/* Instructions with a long way for some operands. */
enum bsim_ptx_slow {
    BSIM_PTX_NEVER_SLOW,
    BSIM_PTX_DIVIDES,
    BSIM_PTX_INVERTS,
    BSIM_PTX_TAKES_ROOT,
    BSIM_PTX_DIVIDES_DOUBLE,
    BSIM_PTX_INVERTS_DOUBLE,
    BSIM_PTX_TAKES_DOUBLE_ROOT,
};

/* How long an instruction takes: half clocks of issue, and clocks until its result is there; half clocks of the special
 * functions' pipe, beside which others issue; whether the pipe of whole numbers (ALU), which begins one in two clocks, is the only one that has it. */
struct bsim_ptx_pace {
    uint16_t issue, latency, special;
    bool is_alu;
    bool is_fma; /* the pipe of products and of single precision has it, whose results are there a clock later for ALU and for accesses */
    uint16_t slow; /* it has a long way for some operands: an enum bsim_ptx_slow */
};
const struct bsim_ptx_pace *bsim_ptx_find_pace(const struct bsim_ptx_instruction *instruction);

/* What an instruction whose pace is slow takes more for the values that these lanes have, before it computes; zeros: nothing (slow.c). */
struct bsim_ptx_pace bsim_ptx_find_slow(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lanes);

/* What those take that a branch leads by which ptxas does not have (skip.c): half clocks of issue, clocks in which each waits for the one
 * before, and how many accesses are among them. */
struct bsim_ptx_skip {
    uint16_t issue, clocks, accesses;
};

/* Work of a warp with n_words of registers; NULL when memory is short. NULL is fine to free. */
struct bsim_ptx_work *bsim_ptx_work_new(uint32_t n_words);
void bsim_ptx_work_free(struct bsim_ptx_work *work);

/* A block begins. */
void bsim_ptx_work_start(struct bsim_ptx_warp *warp);

/* The step is next, of these lanes of its group's; the access is on its way. The warp's work is wanted. */
void bsim_ptx_work_note(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lanes, uint32_t mask);
void bsim_ptx_work_loaded(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

/* All lanes of the group take the branch: what it leads by goes by them, if ptxas has no branch there. */
void bsim_ptx_work_skips(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

/* Accesses that nobody has done since the warp's last event; none any more. */
uint32_t bsim_ptx_work_take_nobodys(struct bsim_ptx_warp *warp);

/* Something that a later wait is for has begun, and is told: its number among the warp's results. Or the warp
 * has waited for it. */
uint32_t bsim_ptx_work_begun(struct bsim_ptx_warp *warp);

/* An arrival at an mbarrier has handed the phase to the register there; or a look for that phase is next. */
void bsim_ptx_work_came(struct bsim_ptx_warp *warp, uint32_t place);
void bsim_ptx_work_looks(struct bsim_ptx_warp *warp, uint32_t place);

/* A wgmma is pushed next; of its warp, wgmmas have been waited for. */
void bsim_ptx_work_multiplies(struct bsim_ptx_warp *warp);
void bsim_ptx_work_multiplied(struct bsim_ptx_warp *warp);
void bsim_ptx_work_waited(struct bsim_ptx_warp *warp, uint32_t number);

/* Part of what stands between the warp's last event and its next: n instructions of an enum bsim_work_class that wait for all but so
 * many results, and clocks from the first of them to what follows. The last one has no instructions, and what the event itself waits for. */
struct bsim_ptx_since {
    uint32_t n, cycles;
    int32_t wait;
    uint8_t work_class;
    bool is_last;
};

/* The next part; behind the last one the event is told, and the work begins anew. */
struct bsim_ptx_since bsim_ptx_work_take(struct bsim_ptx_warp *warp);

#endif
