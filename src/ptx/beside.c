/* beside.c - what goes on beside the threads that began it, and whom it is waited for by.
 *
 *     cp.async.bulk.global.shared::cta.bulk_group [p], [s], 64;    result 1, of the thread's group 0
 *     cp.async.bulk.commit_group;
 *     cp.async.bulk.global.shared::cta.bulk_group [q], [t], 64;    result 2, of its group 1
 *     cp.async.bulk.commit_group;
 *     cp.async.bulk.wait_group.read 1;                             waits for result 1
 *
 *     cp.async.bulk.shared::cluster.global... [s], [p], 64, [b];   64 bytes on their way
 *     ld.shared.u32 %r1, [s];                                      found
 *     mbarrier.try_wait.parity.shared.b64 %p1, [b], 0;             true: they have come, for all
 *
 * Where memory is short nothing is found, and nothing waited for.
 */
#include "ptx/beside.h"

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/proxy.h"
#include "ptx/push.h"
#include "ptx/tiles.h"
#include "ptx/work.h"

#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------- */

struct begun {
    uint32_t lane, group, result;
};

struct bsim_ptx_groups {
    struct begun *item;
    size_t n;
    uint32_t n_committed[BSIM_WARP_LANES];
    uint32_t n_waits;  /* that the other warps of four wait for, too, */
    uint32_t *meeting; /* numbers of the meetings that these are: the first warp has them */
    uint32_t n_meetings;
};

void bsim_ptx_groups_add(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t lane,
                         uint32_t result)
{
    struct bsim_ptx_groups **groups = &warp->groups[of];
    if (*groups == NULL) {
        *groups = bsim_mem_zeroed(1, sizeof **groups);
    }
    struct begun *grown =
        *groups != NULL ? bsim_mem_grow((*groups)->item, (*groups)->n, sizeof *grown) : NULL;
    if (grown != NULL) {
        (*groups)->item = grown;
        grown[(*groups)->n++] = (struct begun){lane, (*groups)->n_committed[lane], result};
    }
}

void bsim_ptx_groups_commit(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of)
{
    struct bsim_ptx_groups *groups = warp->groups[of];
    for (uint32_t left = groups != NULL ? warp->mask : 0; left != 0; left &= left - 1) {
        groups->n_committed[bsim_bits_lowest(left)]++;
    }
}

bool bsim_ptx_groups_wait(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t n_left)
{
    struct bsim_ptx_groups *groups = warp->groups[of];
    size_t n = 0, all = groups != NULL ? groups->n : 0;
    for (size_t i = 0; groups != NULL && i < groups->n; i++) {
        const struct begun *begun = &groups->item[i];
        uint64_t last = (uint64_t)begun->group + n_left;
        if ((warp->mask >> begun->lane & 1) != 0 && last < groups->n_committed[begun->lane]) {
            bsim_ptx_work_waited(warp, begun->result);
        } else {
            groups->item[n++] = *begun;
        }
    }
    if (groups != NULL) {
        groups->n = n;
    }
    return n < all;
}

/* The number of the nth wait; NULL when memory is short. */
static uint32_t *find_meeting(struct bsim_ptx_block *block, struct bsim_ptx_groups *first,
                              uint32_t nth)
{
    while (first->n_meetings <= nth) {
        uint32_t *grown = bsim_mem_grow(first->meeting, first->n_meetings, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        first->meeting = grown;
        grown[first->n_meetings++] = ++block->n_meetings;
    }
    return &first->meeting[nth];
}

void bsim_ptx_groups_meet(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of)
{
    struct bsim_ptx_warp *first = warp - warp->number % BSIM_WGMMA_WARPS;
    struct bsim_ptx_groups *groups = warp->groups[of];
    const uint32_t *number = warp->work != NULL && first->groups[of] != NULL
                                 ? find_meeting(warp->block, first->groups[of], groups->n_waits++)
                                 : NULL;
    if (number != NULL) {
        const struct bsim_ptx_meeting meeting = {.number = *number, .n_arrivals = 1};
        bsim_ptx_push_meeting(warp, warp == first ? BSIM_ARRIVE : BSIM_AWAIT, &meeting);
    }
}

void bsim_ptx_groups_clear(struct bsim_ptx_warp *warp)
{
    for (int of = 0; of < BSIM_PTX_GROUPS_OF; of++) {
        if (warp->groups[of] != NULL) {
            warp->groups[of]->n = 0;
            warp->groups[of]->n_waits = warp->groups[of]->n_meetings = 0;
            memset(warp->groups[of]->n_committed, 0, sizeof warp->groups[of]->n_committed);
        }
    }
}

void bsim_ptx_groups_free(struct bsim_ptx_warp *warp)
{
    for (int of = 0; of < BSIM_PTX_GROUPS_OF; of++) {
        if (warp->groups[of] != NULL) {
            bsim_mem_free(warp->groups[of]->item);
            bsim_mem_free(warp->groups[of]->meeting);
            bsim_mem_free(warp->groups[of]);
        }
    }
}

/* ---- bytes on their way to a barrier --------------------------------------------------------- */

struct bsim_ptx_coming {
    uint64_t barrier;
    uint32_t phase, start, bytes;
};

void bsim_ptx_coming_mark(struct bsim_ptx_block *block, uint32_t at, uint32_t bytes)
{
    struct bsim_ptx_findings *findings = block->findings;
    bsim_ptx_proxy_copied(block, at, bytes);
    bsim_ptx_tiles_written(block, at, bytes);
    if (findings != NULL) {
        memset(findings->written + at, BSIM_PTX_PENDING, bytes);
        findings->n_written = findings->n_written < at ? findings->n_written : at;
        findings->has_pending = true;
    }
}

static void arrive(struct bsim_ptx_block *block, const struct bsim_ptx_coming *coming)
{
    unsigned char *written = block->findings->written + coming->start;
    for (uint32_t i = 0; i < coming->bytes; i++) {
        written[i] = written[i] == BSIM_PTX_PENDING ? 1 : written[i];
    }
}

void bsim_ptx_coming_begin(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase,
                           uint32_t start, uint32_t bytes)
{
    struct bsim_ptx_coming coming = {barrier, phase, start, bytes};
    struct bsim_ptx_coming *grown =
        block->findings != NULL ? bsim_mem_grow(block->coming, block->n_coming, sizeof *grown) : NULL;
    if (grown != NULL) {
        block->coming = grown;
        grown[block->n_coming++] = coming;
    } else if (block->findings != NULL) {
        arrive(block, &coming);
    }
}

void bsim_ptx_coming_seen(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < block->n_coming; i++) {
        const struct bsim_ptx_coming *coming = &block->coming[i];
        if (coming->barrier == barrier && coming->phase != phase) {
            arrive(block, coming);
        } else {
            block->coming[n++] = *coming;
        }
    }
    block->n_coming = n;
}
