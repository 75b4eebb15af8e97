/* meet.c - barriers of a part of a block in the stream: bar.sync with a count, bar.arrive, mbarrier.
 *
 *     bar.arrive 1, 64      w0 arrive 1                      goes on
 *     bar.sync 1, 64        w1 arrive 1, await 1:2           both, when the barrier lets its threads go
 *
 * Each use of a barrier, each phase of one in memory, is a meeting with a number of its own. What a warp's
 * lanes do there at once is one arrival.
 */
#include "ptx/meet.h"

#include "base/memory.h"
#include "ptx/push.h"

uint32_t bsim_ptx_meet_number(struct bsim_ptx_block *block, struct bsim_ptx_meeting *meeting)
{
    if (meeting->number == 0) {
        meeting->number = ++block->n_meetings;
    }
    meeting->n_arrivals++;
    return meeting->number;
}

void bsim_ptx_meet_arrive(struct bsim_ptx_warp *warp, struct bsim_ptx_meeting *meeting)
{
    (void)bsim_ptx_meet_number(warp->block, meeting);
    bsim_ptx_push_meeting(warp, BSIM_ARRIVE, meeting);
}

void bsim_ptx_meet_copies(struct bsim_ptx_warp *warp, struct bsim_ptx_meeting *meeting)
{
    (void)bsim_ptx_meet_number(warp->block, meeting);
    bsim_ptx_push_meeting(warp, BSIM_COPIES_ARRIVE, meeting);
}

void bsim_ptx_meet_await(struct bsim_ptx_warp *warp, const struct bsim_ptx_meeting *meeting)
{
    if (meeting->n_arrivals > 0) {
        bsim_ptx_push_meeting(warp, BSIM_AWAIT, meeting);
    }
}

/* A block has few of them. */
struct bsim_ptx_mbarrier *bsim_ptx_meet_mbarrier(struct bsim_ptx_block *block, uint64_t address)
{
    for (uint32_t i = 0; i < block->n_mbarriers; i++) {
        if (block->mbarrier[i].address == address) {
            return &block->mbarrier[i];
        }
    }
    uint32_t n = block->n_mbarriers;
    struct bsim_ptx_mbarrier *grown = bsim_mem_grow(block->mbarrier, n, sizeof *grown);
    if (grown == NULL) {
        block->status = bsim_mem_short(block->err);
        return NULL;
    }
    block->mbarrier = grown;
    block->n_mbarriers = n + 1;
    grown[n] = (struct bsim_ptx_mbarrier){.address = address};
    return &grown[n];
}

void bsim_ptx_meet_start(struct bsim_ptx_block *block)
{
    block->n_meetings = block->n_mbarriers = 0;
}

void bsim_ptx_meet_free(struct bsim_ptx_block *block)
{
    bsim_mem_free(block->mbarrier);
}
