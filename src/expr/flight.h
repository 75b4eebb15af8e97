/* flight.h - copies by cp.async of a sketch that waits for them, and who reads too soon; see flight.c. */
#ifndef BSIM_EXPR_FLIGHT_H
#define BSIM_EXPR_FLIGHT_H

#include "expr/check.h"

/* All zeroes but `check` is none. */
struct bsim_flight {
    const struct bsim_check *check;
    bool is_noting; /* the first of two walks that do the same: what it tells of copies, the second asks of reads */
    struct bsim_flight_copy *copy;
    size_t n_copies;
    uint32_t *first; /* of each 4 bytes of shared memory: the last copy to them, its number from 1 on */
    uint64_t n_steps, n_looks;
    size_t begin;      /* the running warp's first copy that is not over */
    uint32_t n_groups; /* that it has committed */
};

/* A warp begins. */
void bsim_flight_begin(struct bsim_flight *flight);

/* Its request at hand, with n_syncs barriers before it: of a copy, or of who reads. */
enum bsim_status bsim_flight_request(struct bsim_flight *flight, const struct bsim_check_request *request,
                                     uint64_t n_syncs, struct bsim_error *err);

/* It commits a group, waits for all but the last n, or BSIM_ALL_COPIES; has its copies arrive at an mbarrier, by a
 * number, and waits for that. */
void bsim_flight_commit(struct bsim_flight *flight);
void bsim_flight_wait(struct bsim_flight *flight, uint32_t n, uint64_t n_syncs);
void bsim_flight_arrive(struct bsim_flight *flight, uint64_t barrier);
void bsim_flight_see(struct bsim_flight *flight, uint64_t barrier, uint64_t n_syncs);

void bsim_flight_free(struct bsim_flight *flight);

#endif
