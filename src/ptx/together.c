/* together.c - the blocks of a cooperative launch, or of a cluster: all of them are there at the same time, and
 * each runs for a while in its turn, so that one may wait for what another does. Cluster goes after cluster.
 *
 *     turns    block 0 | 1 | 2 | 0 | 1 | 2 | ...     until all have ended
 *     told     block 0's events, then 1's, then 2's: each block has a tape of its own
 *
 * So memory holds what all these blocks tell until the last one ends. How often a block looks whether the others
 * have come is chance on a GPU; here a turn is short, so that it is seldom.
 */
#include "ptx/blocks.h"
#include "ptx/cluster.h"
#include "ptx/idle.h"
#include "ptx/stuck.h"
#include "ptx/wait.h"

#include "base/memory.h"

struct together {
    struct bsim_ptx_look look;
    struct bsim_ptx_block **block;
    struct bsim_ptx_tape *tape;
    uint64_t n;         /* that run at the same time */
    uint64_t n_changes; /* that all have made to memory */
    enum bsim_status status;
};

static bool make_blocks(struct together *all, const struct bsim_ptx_launch *launch,
                        const struct bsim_ptx_block *like)
{
    all->n = launch->meeting != 0 ? like->n_blocks : like->n_ranks;
    all->block = bsim_mem_zeroed(all->n, sizeof(struct bsim_ptx_block *));
    all->tape = bsim_mem_zeroed(all->n, sizeof *all->tape);
    bool has_room = all->block != NULL && all->tape != NULL;
    for (uint64_t k = 0; k < all->n && has_room; k++) {
        uint32_t rank = (uint32_t)(k % like->n_ranks);
        struct bsim_ptx_block *block =
            bsim_ptx_block_new(launch, like->program, like->n_blocks, rank);
        all->block[k] = block;
        has_room = block != NULL && bsim_ptx_tape_open(&all->tape[k], like->stream);
        if (has_room) {
            block->stream = like->stream;
            block->tape = &all->tape[k];
            block->err = like->err;
            block->ranks = &all->block[k - rank];
        }
    }
    return has_room;
}

/* Ends the launch with a block that waits for others: rather one that keeps those at the cluster's barrier waiting. */
static enum bsim_status tell_stuck(const struct together *all)
{
    struct bsim_ptx_block *found = NULL;
    for (uint64_t k = 0; k < all->n; k++) {
        struct bsim_ptx_block *block = all->block[k];
        bool is_better = found == NULL ||
                         (bsim_ptx_waits_for_cluster(found) && !bsim_ptx_waits_for_cluster(block));
        found = block->n_alive > 0 && is_better ? block : found;
    }
    bsim_ptx_tell_stuck(found);
    return found->status;
}

/* Everybody rests: whether anybody goes on all the same. */
static bool wake(const struct together *all)
{
    bool goes_on = false;
    for (uint64_t k = 0; k < all->n && !goes_on; k++) {
        goes_on = bsim_ptx_has_idle(all->block[k]);
    }
    if (goes_on) {
        bsim_ptx_wake(all->block, all->n);
    }
    for (uint64_t k = 0; k < all->n && !goes_on; k++) {
        goes_on = bsim_ptx_release_without(all->block[k]);
    }
    return goes_on;
}

/* Each block has its turn; false: all have ended, or something went wrong. *rest: who has not, rests. */
static bool run_round(struct together *all, bool *rest)
{
    bool goes_on = false;
    *rest = true;
    for (uint64_t k = 0; k < all->n && all->status == BSIM_OK; k++) {
        struct bsim_ptx_block *block = all->block[k];
        block->n_changes = all->n_changes;
        bool goes = bsim_ptx_run_round(block);
        all->n_changes = block->n_changes;
        all->status = block->status;
        goes_on = goes_on || goes;
        *rest = *rest && (!goes || block->rests);
    }
    return goes_on && all->status == BSIM_OK;
}

static enum bsim_status run_rounds(struct together *all)
{
    bool rest;
    uint64_t n_steps = 0; /* of clusters before these */
    for (uint64_t k = 0; k < all->n; k++) {
        n_steps += all->block[k]->n_steps;
    }
    bsim_ptx_look_start(&all->look, n_steps);
    while (run_round(all, &rest)) {
        if (rest ? !wake(all) : bsim_ptx_look_on_all(&all->look, all->block, all->n)) {
            return tell_stuck(all);
        }
    }
    return all->status;
}

/* Those from block `first` on, of all that are run. */
static enum bsim_status run_some(struct together *all, struct bsim_ptx_block *block, uint64_t first)
{
    for (uint64_t k = 0; k < all->n; k++) {
        bsim_ptx_start_block(all->block[k], first + k);
    }
    enum bsim_status status = run_rounds(all);
    for (uint64_t k = 0; k < all->n && status == BSIM_OK; k++) {
        status = bsim_ptx_tape_play(&all->tape[k], block->stream, block->err);
    }
    return status;
}

static void free_blocks(struct together *all)
{
    for (uint64_t k = 0; k < all->n && all->block != NULL && all->tape != NULL; k++) {
        bsim_ptx_block_free(all->block[k]);
        bsim_ptx_tape_close(&all->tape[k]);
    }
    bsim_mem_free(all->block);
    bsim_mem_free(all->tape);
}

void bsim_ptx_run_together(const struct bsim_ptx_launch *launch, struct bsim_ptx_block *block)
{
    struct together all = {0};
    if (block->status != BSIM_OK) {
        return;
    }
    block->status = make_blocks(&all, launch, block)
                        ? BSIM_OK
                        : bsim_error_set(block->err, BSIM_E_MEMORY, "out of memory");
    for (uint64_t k = 0; k < block->n_blocks && block->status == BSIM_OK; k += all.n) {
        block->status = run_some(&all, block, k);
    }
    free_blocks(&all);
}
