/* meet.h - where the warps of a check wait for each other: mbarriers, and the four warps of a wgmma. */
#ifndef BSIM_EXPR_MEET_H
#define BSIM_EXPR_MEET_H

#include "expr/check.h"

enum bsim_meet_kind {
    BSIM_MEET_OWN,    /* anything else that a warp does by itself, several in a row; a store by TMA begins one */
    BSIM_MEET_SYNC,   /* a barrier of the block */
    BSIM_MEET_ARRIVE, /* `n` threads come to the mbarrier, and expect `bytes` of its loads */
    BSIM_MEET_LOAD,   /* a copy that brings it `bytes` */
    BSIM_MEET_WAIT,   /* for its phase of parity `n` */
    BSIM_MEET_WGMMA,  /* `n` says which */
    BSIM_MEET_COMMIT, /* a group of them */
    BSIM_MEET_RETIRE, /* a wait for all groups but the last `n` */
};

/* What a warp does, and what becomes of it. */
struct bsim_meet_op {
    enum bsim_meet_kind kind;
    uint32_t array, element; /* the mbarrier */
    uint64_t n;
    int64_t bytes;
    uint32_t begin[2]; /* bytes of the window: of a copy the first and the one behind the last; of a wgmma A's and B's
                          first, UINT32_MAX of one in registers */
    struct bsim_wgmma_descriptor operand[2]; /* of a wgmma: A, unless it is in registers, and B */
    const struct bsim_step *step;
    /* What follows is found. */
    uint32_t phase;             /* of the mbarrier, that a load comes to */
    uint32_t meeting, arrivals; /* that it comes to or waits for; 0: none that the stream has */
    uint32_t follows;           /* meeting of the warpgroup that the warp waits for in front of it, or 0 */
    uint32_t lets;              /* meeting that the warpgroup's first warp comes to behind it, or 0 */
    bool is_silent;             /* the first warp's stands for it */
};

/* A request of a warp's lanes to shared memory: the first byte of it and the last, and which BSIM_MEET_OWN it is in. Without
 * an access it is a fence between proxies. */
struct bsim_meet_touch {
    const struct bsim_access *access;
    uint32_t first, last;
    size_t op;
};

/* All of a block's; zeroes are an empty one. */
struct bsim_meet {
    struct bsim_meet_list {
        struct bsim_meet_op *op;
        size_t n, next; /* the one that comes next, while they are played */
        struct bsim_meet_touch *touch;
        size_t n_touches, next_touch;
    } warp[BSIM_BLOCK_MAX_WARPS];
    uint32_t n_meetings;
    struct bsim_proxy *proxy; /* which fences are missing is asked, too; or NULL */
};

/* Appends what the warp does. BSIM_E_MEMORY. */
enum bsim_status bsim_meet_note(struct bsim_meet *meet, uint32_t warp, const struct bsim_meet_op *op,
                                struct bsim_error *err);

/* Appends such a request, behind the BSIM_MEET_OWN that it is in. BSIM_E_MEMORY. */
enum bsim_status bsim_meet_note_touch(struct bsim_meet *meet, uint32_t warp, const struct bsim_check_request *request,
                                      const struct bsim_access *access, struct bsim_error *err);

/* The same of a fence between proxies. */
enum bsim_status bsim_meet_note_fence(struct bsim_meet *meet, uint32_t warp, struct bsim_error *err);

/* All has been noted: finds who waits for whom. BSIM_E_INPUT, with its place, for a wait that never ends,
 * more arrivals than a phase takes, and a wgmma that some of four warps do not come to. */
enum bsim_status bsim_meet_settle(struct bsim_meet *meet, const struct bsim_check *check,
                                  struct bsim_error *err);

void bsim_meet_free(struct bsim_meet *meet);

#endif
