/* pending.c - copies (cp.async) that threads have begun and not waited for. Their bytes are on their way: who
 * reads them is told of (finding.c).
 *
 *     cp.async.ca.shared.global [s], [p], 4;     4 bytes on their way
 *     cp.async.commit_group;                     ... in the thread's group 0
 *     ld.shared.u32 %r1, [s];                    found
 *     cp.async.wait_group 0;                     all groups but the last 0 have come
 *
 * A copy is over for all once its own thread has waited, or anybody has seen the phase of an mbarrier end that
 * counts it; whether another one reads behind a barrier is for `--hazards` to say. Where memory is short nothing
 * is found.
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

/* A warp's copies of one instruction. */
struct pending {
    uint32_t mask; /* lanes whose copy is on its way */
    uint32_t bytes;
    uint32_t counted;       /* lanes whose copy comes to an mbarrier: to which, and the phase under way */
    uint32_t phase;
    uint64_t barrier;
    uint32_t group[BSIM_WARP_LANES]; /* of the lane's, that it is in or will be */
    uint64_t address[BSIM_WARP_LANES];
};

struct bsim_ptx_pending {
    struct pending *item;
    size_t n;
    bool any_counted;
    uint32_t n_groups[BSIM_WARP_LANES]; /* that each lane has committed */
};

void bsim_ptx_pending_begin(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes)
{
    struct bsim_ptx_findings *findings = warp->block->findings;
    if (findings == NULL) {
        return;
    }
    if (warp->pending == NULL) {
        warp->pending = bsim_mem_zeroed(1, sizeof *warp->pending);
    }
    struct bsim_ptx_pending *all = warp->pending;
    struct pending *grown = all != NULL ? bsim_mem_grow(all->item, all->n, sizeof *grown) : NULL;
    if (grown == NULL) {
        return;
    }
    all->item = grown;
    struct pending *copy = &grown[all->n++];
    *copy = (struct pending){.mask = warp->mask, .bytes = bytes};
    memcpy(copy->group, all->n_groups, sizeof copy->group);
    memcpy(copy->address, address, sizeof copy->address);
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t at = (uint32_t)address[bsim_bits_lowest(left)];
        memset(findings->written + at, BSIM_PTX_PENDING, bytes);
        findings->n_written = findings->n_written < at ? findings->n_written : at;
    }
    findings->has_pending = true;
}

void bsim_ptx_pending_commit(struct bsim_ptx_warp *warp)
{
    for (uint32_t left = warp->pending != NULL ? warp->mask : 0; left != 0; left &= left - 1) {
        warp->pending->n_groups[bsim_bits_lowest(left)]++;
    }
}

/* What has been stored there meanwhile stays so. */
static void end_copy(unsigned char *written, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        written[i] = written[i] == BSIM_PTX_PENDING ? 1 : written[i];
    }
}

/* The lanes' copies are over; true if none of the item is left. */
static bool end_lanes(struct bsim_ptx_warp *warp, struct pending *copy, uint32_t lanes)
{
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        end_copy(warp->block->findings->written + copy->address[bsim_bits_lowest(left)], copy->bytes);
    }
    copy->mask &= ~lanes;
    copy->counted &= ~lanes;
    return copy->mask == 0;
}

void bsim_ptx_pending_end(struct bsim_ptx_warp *warp, uint32_t n_left)
{
    struct bsim_ptx_pending *all = warp->pending;
    size_t n = 0;
    for (size_t i = 0; all != NULL && i < all->n; i++) {
        struct pending *copy = &all->item[i];
        uint32_t over = 0;
        for (uint32_t left = copy->mask & warp->mask; left != 0; left &= left - 1) {
            uint32_t l = bsim_bits_lowest(left);
            bool is_over = n_left == BSIM_PTX_NO_COPY || copy->group[l] + n_left < all->n_groups[l];
            over |= (uint32_t)is_over << l;
        }
        if (!end_lanes(warp, copy, over)) {
            all->item[n++] = *copy;
        }
    }
    if (all != NULL) {
        all->n = n;
    }
}

/* Lanes of one instruction come to one mbarrier; of others, which kernels do not have, nothing is found too late. */
void bsim_ptx_pending_count(struct bsim_ptx_warp *warp, uint32_t lane, uint64_t barrier, uint32_t phase)
{
    struct bsim_ptx_pending *all = warp->pending;
    for (size_t i = 0; all != NULL && i < all->n; i++) {
        struct pending *copy = &all->item[i];
        if ((copy->mask & ~copy->counted) >> lane & 1) {
            bool is_first = copy->counted == 0;
            copy->barrier = is_first ? barrier : copy->barrier;
            copy->phase = is_first ? phase : copy->phase;
            copy->counted |= UINT32_C(1) << lane;
            all->any_counted = true;
        }
    }
}

static void see(struct bsim_ptx_warp *warp, uint64_t barrier, uint32_t phase)
{
    struct bsim_ptx_pending *all = warp->pending;
    size_t n = 0;
    for (size_t i = 0; all != NULL && all->any_counted && i < all->n; i++) {
        struct pending *copy = &all->item[i];
        bool is_over = copy->counted != 0 && copy->barrier == barrier && copy->phase != phase;
        if (!is_over || !end_lanes(warp, copy, copy->counted)) {
            all->item[n++] = *copy;
        }
    }
    if (all != NULL && all->any_counted) {
        all->n = n;
    }
}

void bsim_ptx_pending_seen(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        see(&block->warp[w], barrier, phase);
    }
}

void bsim_ptx_pending_clear(struct bsim_ptx_warp *warp)
{
    if (warp->pending != NULL) {
        warp->pending->n = 0;
        warp->pending->any_counted = false;
        memset(warp->pending->n_groups, 0, sizeof warp->pending->n_groups);
    }
}

void bsim_ptx_pending_free(struct bsim_ptx_warp *warp)
{
    if (warp->pending != NULL) {
        bsim_mem_free(warp->pending->item);
        bsim_mem_free(warp->pending);
    }
}
