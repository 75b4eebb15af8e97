/* walk.h - a walk of all warps over a check's steps, by whichever file plays one. */
#ifndef BSIM_EXPR_WALK_H
#define BSIM_EXPR_WALK_H

#include "expr/eval.h"
#include "expr/flight.h"
#include "expr/meet.h"

enum { BSIM_WALK_TILES_LOG2 = 8 }; /* of each buffer of a ring there are up to 16 */

struct bsim_walk {
    const struct bsim_check *check;
    const struct bsim_visitor *visitor;
    struct bsim_eval eval;
    struct bsim_running_loop *running; /* the loops at hand, eval.loop */
    int64_t *loop;                     /* their values, for a request */
    uint32_t present;                  /* the warp's lanes that have a thread */
    uint32_t returned;                 /* of them, those that are done */
    uint64_t n_steps, n_requests;      /* steps since the last request */
    uint64_t n_syncs;                  /* barriers that this warp came to */
    struct arrivals {
        uint64_t n;   /* of each warp */
        bool is_gone; /* all its threads have returned */
    } arrivals[BSIM_BLOCK_MAX_WARPS];
    const struct bsim_step *barrier; /* the last that any came to; NULL: none */
    uint64_t n_turns;                /* of loops, that this warp has begun */
    struct bsim_check_request request;
    struct bsim_proxy *proxy; /* which fences are missing is asked, and nothing else; or NULL */
    struct bsim_meet *meet; /* whom warps wait for; NULL: for nobody, or nobody asks */
    bool is_noting;         /* it is being found: the visitor hears of nothing */
    struct bsim_flight flight; /* copies by cp.async, if check->awaits_copies */
    int32_t wait;           /* of the warp's next event, or BSIM_ANY_COUNT */
    uint64_t n_results;     /* that the warp's events have, so far */
    struct bsim_walk_groups {
        uint64_t n;                /* committed */
        bool is_open;              /* something has been begun since */
        uint64_t last;             /* results up to the last that was begun */
        uint64_t end[BSIM_GROUPS]; /* the same of the last groups, by their number */
        uint64_t waited;           /* results that have been waited for */
    } groups[BSIM_N_GROUPS_OF];
    struct bsim_walk_tile {
        uint64_t key; /* what it is of; 0: of nothing */
        struct bsim_wgmma_descriptor descriptor;
    } tile[1 << BSIM_WALK_TILES_LOG2]; /* that lie as they should */
};

/* ---- reach.c --------------------------------------------------------------------------------- */

/* Notes in the request at hand where the lane accesses: the array of that number, at a byte of it. */
enum bsim_status bsim_walk_lane(struct bsim_walk *walk, const struct bsim_access *access,
                                uint32_t lane, uint32_t index, uint64_t value);

/* The address of the bytes at the request's offset. */
enum bsim_status bsim_walk_locate(struct bsim_walk *walk, const struct bsim_access *access,
                                  uint32_t lane, uint32_t alignment);

/* ---- bulk.c: what goes on beside the threads, and what they wait for --------------------------- */

/* A warp begins, and has done all. */
void bsim_walk_begin(struct bsim_walk *walk);
enum bsim_status bsim_walk_end(struct bsim_walk *walk);

/* The warp does something by itself, which has n results: what has to come before it. `kind` is BSIM_MEET_SYNC of a
 * barrier of the block. */
enum bsim_status bsim_walk_own(struct bsim_walk *walk, enum bsim_meet_kind kind, uint64_t n_results);

/* Plays a step of the kinds from BSIM_STEP_ASYNC on. */
enum bsim_status bsim_walk_async(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask);

#endif
