/* program.h - one block's warps as the cycle model executes them; see program.c. */
#ifndef BSIM_TIMING_PROGRAM_H
#define BSIM_TIMING_PROGRAM_H

#include <banksim/model.h>

#include "base/table.h"

enum bsim_op_kind {
    BSIM_OP_MEMORY,
    BSIM_OP_BARRIER,
    BSIM_OP_BRANCH, /* ends the body of a loop with control */
    BSIM_OP_ARRIVE, /* comes to a meeting of some warps; late: with its copies by cp.async */
    BSIM_OP_AWAIT,
    BSIM_OP_WGMMA,
    BSIM_OP_BULK, /* a copy by TMA */
    BSIM_OP_COMMIT, /* ends a group of copies by cp.async */
    BSIM_OP_COPIES, /* waits for such groups */
    BSIM_OP_FENCE,
    BSIM_OP_WORK, /* of the first pipe; those of the others follow */
    BSIM_OP_LOOP = BSIM_OP_WORK + BSIM_WORK_LSU,
    BSIM_OP_DONE,
    BSIM_OP_END,
    BSIM_N_OP_KINDS,
};

enum {
    BSIM_NO_WAIT = UINT16_MAX,
    BSIM_NO_SITE = (1 << 24) - 1, /* a block has fewer sites */
};

/* No padding: programs are compared byte by byte. */
struct bsim_op {
    uint8_t kind; /* of work: BSIM_OP_WORK and its pipe's number */
    union {
        uint8_t registers; /* MEMORY: 4-byte values that each lane gets; 0: no result, posted */
        uint8_t interval;  /* WORK: clocks that its pipe takes for an instruction */
    };
    union {
        uint8_t late;  /* MEMORY: clocks that its result comes later than a plain load's; ARRIVE: 1 if when the
                           warp's copies have come */
        uint8_t pause; /* WORK: clocks between two of its instructions at least */
    };
    uint8_t is_read; /* MEMORY: no store or reduction; WORK, BRANCH: loads from global memory */
    uint16_t wait;   /* results that may be outstanding, or BSIM_NO_WAIT */
    uint16_t turns;  /* MEMORY: of the data pipe; WORK: clocks of issue that an instruction takes */
    uint16_t ideal;  /* MEMORY: turns without conflicts; WORK: the same as turns */
    uint8_t class;   /* WORK: an enum bsim_work_class; MEMORY: 1 in the upper half of shared memory, 0
                        in the lower; WGMMA, BULK: a bit for each half that they touch */
    uint8_t tail;    /* WORK: clocks from its last instruction to what follows at least; MEMORY: of a cp.async,
                        turns more where copies are waited for */
    /* WGMMA: turns as of MEMORY, cycles in parts of a clock (async.h). BULK: clocks taken from requests
       in the lower half (turns) and the upper (ideal), cycles in parts, tail an enum bsim_tma_way,
       is_read of a load, count the place of its meeting or BSIM_ASYNC_NO_MEETING, late the 128ths of
       its cycles that L2 takes for it when most SMs load, or 0. FENCE: late 1 if of the GPU's memory, tail the
       clocks until what is no work may follow. */
    uint32_t count;  /* MEMORY: 1 of a cp.async; COPIES: the last groups, which are not waited for, or
                        BSIM_ALL_COPIES; WORK, BRANCH: instructions; LOOP: turns; DONE: the place of its LOOP;
                        ARRIVE, AWAIT: place of the meeting in the block's list */
    uint32_t cycles; /* MEMORY: of a cp.async, parts of a clock that its bytes take to the SM; WORK, BRANCH: from the first of them to the next; LOOP: least per turn;
                        AWAIT: arrivals */
    union {
        uint32_t control; /* LOOP: instructions of its control */
        uint32_t site;    /* MEMORY: its place in the block's list */
    };
    /* MEMORY: clocks that it holds its warp more than others, and likewise without conflicts: of an atomic that is a loop. */
    uint16_t out; /* WORK: that stores to global memory beside copies: clocks of the SM's way out, in parts */
    uint16_t l2;  /* likewise of L2 when most SMs store, or 0 */
    struct bsim_reads reads; /* WORK: of each instruction, what it reads of the banks of registers, if that is known */
};

struct bsim_warp_program {
    struct bsim_op *op;
    size_t n_ops, capacity;
};

/* The block's number of a site of the kernel's, good in one block. */
struct bsim_block_site {
    uint64_t block;
    uint32_t number;
};

enum { BSIM_GROUP_WARPS = 4 }; /* of a warpgroup */

/* A meeting of some warps. */
struct bsim_program_meeting {
    uint32_t number, n_arrivals;
    uint32_t groups; /* bits: the warpgroups that await it */
};

struct bsim_program {
    uint32_t n_warps;
    bool conflicts; /* some request takes other turns than without conflicts */
    bool classed;   /* some work has a class */
    bool is_async;  /* it has a WGMMA or a BULK */
    bool awaits_copies; /* it has a COPIES, or an ARRIVE with copies */
    bool reads_global;  /* some instruction loads from global memory */
    bool multiplies;    /* some work is a product of matrices */
    bool tells_reads;   /* some work says what it reads of the banks of registers */
    bool has_others;    /* some op is neither a request nor work nor a barrier, nor the last of its warp */
    uint32_t *site; /* those that the block has, as they came: places in the kernel's list */
    size_t n_sites;
    uint64_t n_blocks;             /* so far */
    struct bsim_block_site *known; /* by place in the kernel's list */
    size_t n_known;
    struct bsim_program_meeting *meeting; /* of the block, as they came */
    struct bsim_table meetings;           /* by number */
    struct bsim_warp_program warp[BSIM_BLOCK_MAX_WARPS];
};

/* Empties the program for a block of n_warps warps, keeping its memory. */
void bsim_program_clear(struct bsim_program *program, uint32_t n_warps);
void bsim_program_free(struct bsim_program *program);

/* The block's own number of the site at that place in the kernel's list, counted from 0 as they
 * come up; BSIM_NO_SITE: memory is short, or the block has more than that many. So what a block
 * costs grows with the sites that it has and not with the kernel's, and blocks that do the same at
 * other sites are alike. */
uint32_t bsim_program_new_site(struct bsim_program *program, size_t place);
static inline uint32_t bsim_program_site(struct bsim_program *program, size_t place)
{
    bool is_known = place < program->n_known && program->known[place].block == program->n_blocks;
    return is_known ? program->known[place].number : bsim_program_new_site(program, place);
}

/* The block's own number of a meeting, counted from 0, to which n more warps come; BSIM_ALL_WARPS:
 * memory is short. */
uint32_t bsim_program_meet(struct bsim_program *program, uint32_t number, uint32_t n);

/* Writes work of so many instructions of the class, and so many clocks from the first to what follows;
 * wait is its own to set. */
void bsim_program_work(const struct bsim_timing *timing, uint32_t work_class, uint32_t count, uint32_t cycles,
                       struct bsim_op *op);

static inline bool bsim_op_is_work(uint8_t kind)
{
    return kind >= BSIM_OP_WORK && kind < BSIM_OP_LOOP;
}

/* Room for the next op of the warp, or of all for BSIM_ALL_WARPS, which is to be written there, each field, and then
 * noted: what is most of a program is copied nowhere. NULL: memory is short. */
struct bsim_op *bsim_program_more_room(struct bsim_warp_program *warp);
static inline struct bsim_op *bsim_program_room_of(struct bsim_warp_program *warp)
{
    return warp->n_ops < warp->capacity ? &warp->op[warp->n_ops] : bsim_program_more_room(warp);
}
static inline struct bsim_op *bsim_program_room(struct bsim_program *program, uint32_t number)
{
    return bsim_program_room_of(&program->warp[number == BSIM_ALL_WARPS ? 0 : number]);
}

/* The warp has it, or all have. False: memory is short. */
bool bsim_program_note_all(struct bsim_program *program);
void bsim_program_note_other(struct bsim_program *program, const struct bsim_op *op);
static inline bool bsim_program_note(struct bsim_program *program, uint32_t number)
{
    if (number == BSIM_ALL_WARPS) {
        return bsim_program_note_all(program);
    }
    const struct bsim_op *op = &program->warp[number].op[program->warp[number].n_ops++];
    if (op->kind == BSIM_OP_MEMORY) {
        program->conflicts |= op->turns != op->ideal;
    } else {
        bsim_program_note_other(program, op);
    }
    return true;
}

/* Adds op to the warp, or to all for BSIM_ALL_WARPS. False: memory is short. */
bool bsim_program_add(struct bsim_program *program, uint32_t warp, const struct bsim_op *op);

/* The end of the innermost open loop in all warps; one without events in it vanishes. */
bool bsim_program_done(struct bsim_program *program);

/* Ends every warp; the program is complete. Nobody awaits more arrivals than there are. */
bool bsim_program_end(struct bsim_program *program);

/* Operations of all warps. */
size_t bsim_program_n_ops(const struct bsim_program *program);

/* How often a warp waits for what it loads from global memory, if it does so once between two
 * barriers: of the warp that does most often. */
uint64_t bsim_program_waits(const struct bsim_program *program);

/* A number that differs between programs that differ, but for chance and for what works read of the banks of registers and store:
 * those with the same number are to be compared. */
uint64_t bsim_program_hash(const struct bsim_program *program);

#endif
