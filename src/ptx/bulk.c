/* bulk.c - copies by TMA of bytes in a row: cp.async.bulk, and cp.reduce.async.bulk, which adds or else.
 *
 *     cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [p], 4096, [b];
 *     cp.async.bulk.global.shared::cta.bulk_group [p], [s], 4096;
 *
 * Each lane that is on begins one. It is done when it is begun: its bytes are counted at the mbarrier then,
 * and who waits for its group finds it done. The stream has it as an event of its own, a load as an arrival
 * at the mbarrier's phase, a store as a result that waits are for. What reads a load's bytes before somebody
 * has seen the phase end is told of (finding.c).
 */
#include "ptx/bulk.h"

#include "base/bits.h"
#include "ptx/beside.h"
#include "ptx/cluster.h"
#include "ptx/lower.h"
#include "ptx/mbarrier.h"
#include "ptx/proxy.h"
#include "ptx/push.h"
#include "ptx/tensor.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES, UNIT = 16 };

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_shared_word(uint32_t word)
{
    return word == BSIM_PTX_SHARED_CLUSTER || word == BSIM_PTX_SHARED_CTA;
}

/* The nth space behind the dots: the target's is the first, the source's the second. */
static enum bsim_ptx_space space_behind(const struct bsim_ptx_instruction *from, uint32_t nth)
{
    for (uint32_t i = 0; i < from->n_words; i++) {
        bool is_global = from->word[i] == BSIM_PTX_GLOBAL_;
        if ((is_global || is_shared_word(from->word[i])) && nth-- == 0) {
            return is_global ? BSIM_PTX_GLOBAL : BSIM_PTX_SHARED;
        }
    }
    return BSIM_PTX_NO_SPACE;
}

static bool is_load(const struct bsim_ptx_instruction *from)
{
    return space_behind(from, 0) == BSIM_PTX_SHARED && space_behind(from, 1) == BSIM_PTX_GLOBAL;
}

static enum bsim_ptx_space name_bulk(const struct bsim_ptx_instruction *from,
                                     struct bsim_opcode *opcode)
{
    *opcode = (struct bsim_opcode){.family = BSIM_BULK,
                                   .operation = is_load(from)                        ? BSIM_TO_SHARED
                                                : bsim_ptx_has(from, BSIM_PTX_REDUCE)
                                                    ? (uint8_t)bsim_ptx_operation_of(from)
                                                                                     : BSIM_TO_GLOBAL};
    return BSIM_PTX_NO_SPACE;
}

/* ---- one copy -------------------------------------------------------------------------------- */

/* What one lane copies. */
struct bulk {
    uint32_t lane, bytes;
    uint64_t to, from, barrier; /* addresses, without windows */
    unsigned char *target;
    const unsigned char *source;
    bool has_barrier;
    struct bsim_ptx_block *there; /* that has the barrier */
    uint32_t ranks; /* of the cluster's blocks which get it at the same place: a bit for each; 0: `there` alone */
};

/* An end of the copy that is in shared memory is one of a box: 16 bytes, as on a GPU. */
static unsigned char *locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const struct bulk *bulk, enum bsim_ptx_space where, uint64_t *address)
{
    enum bsim_space space;
    if (*address % UNIT != 0) {
        bsim_ptx_fault_as(warp, step, bulk->lane, BSIM_PTX_MISALIGNED,
                          "address 0x%" PRIx64 " in %s memory is no multiple of 16, as a bulk copy "
                          "wants it on both sides",
                          *address, where == BSIM_PTX_SHARED ? "shared" : "global");
        return NULL;
    }
    return bsim_ptx_locate(warp, step, bulk->lane, where, bulk->bytes, UNIT, address, &space);
}

/* False after a fault. */
static bool find_ends(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      struct bulk *bulk)
{
    const struct bsim_ptx_argument *a = step->argument;
    bulk->to = bsim_ptx_take_address(warp, &a[0], bulk->lane);
    bulk->from = bsim_ptx_take_address(warp, &a[1], bulk->lane);
    bulk->bytes = (uint32_t)bsim_ptx_take_argument(warp, &a[2], bulk->lane);
    if (bulk->bytes % UNIT != 0) {
        bsim_ptx_fault(warp, step, bulk->lane,
                       "%" PRIu32 " bytes are no multiple of 16, of which a bulk copy is made",
                       bulk->bytes);
        return false;
    }
    if (bulk->has_barrier &&
        (bulk->there = bsim_ptx_mbarrier_find(warp, step, &a[3], bulk->lane, &bulk->barrier)) == NULL) {
        return false;
    }
    if (bsim_ptx_has(step->from, BSIM_PTX_MULTICAST_CLUSTER) &&
        !bsim_ptx_cluster_ranks(warp, step, &a[4], bulk->lane, &bulk->ranks)) {
        return false;
    }
    bulk->source = locate(warp, step, bulk, space_behind(step->from, 1), &bulk->from);
    bulk->target = bulk->source != NULL
                       ? locate(warp, step, bulk, space_behind(step->from, 0), &bulk->to)
                       : NULL;
    return bulk->target != NULL;
}

/* The stream's event; of bytes that stay in shared memory there is none. */
static void push(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                 const struct bulk *bulk, uint32_t meeting)
{
    bool loads = is_load(step->from);
    bool reduces = bsim_ptx_has(step->from, BSIM_PTX_REDUCE);
    struct bsim_async async = {
        .copy = {.way = loads ? BSIM_TMA_LOAD : reduces ? BSIM_TMA_REDUCE : BSIM_TMA_STORE,
                 .element_bytes = 1,
                 .box = {bulk->bytes},
                 .start = (uint32_t)(loads ? bulk->to : bulk->from),
                 .from = loads ? bulk->from : bulk->to},
        .arrives = meeting,
    };
    if (step->access == NULL || bulk->bytes == 0) {
        return;
    }
    bsim_ptx_push_async(warp, step, &async);
    if (!loads) {
        bsim_ptx_groups_add(warp, BSIM_PTX_OF_BULK, bulk->lane, bsim_ptx_work_begun(warp));
    }
}

/* The bytes come to the block, and are counted at its barrier. */
static void bring(struct bsim_ptx_block *there, const struct bulk *bulk, unsigned char *target,
                  uint32_t phase)
{
    memmove(target, bulk->source, bulk->bytes);
    bsim_ptx_coming_mark(there, (uint32_t)bulk->to, bulk->bytes);
    bsim_ptx_coming_begin(there, bulk->barrier, phase, (uint32_t)bulk->to, bulk->bytes);
    bsim_ptx_mbarrier_complete(there, bulk->barrier, bulk->bytes);
}

static void copy(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                 const struct bulk *bulk)
{
    uint32_t phase = 0;
    bool is_own = bulk->there == warp->block && (bulk->ranks == 0 || bulk->ranks >> warp->block->rank & 1);
    uint32_t meeting = is_own && bulk->bytes > 0
                           ? bsim_ptx_mbarrier_expect(warp, bulk->barrier, &phase)
                           : 0;
    push(warp, step, bulk, meeting);
    warp->block->n_changes++;
    if (space_behind(step->from, 0) == BSIM_PTX_GLOBAL) {
        (void)bsim_ptx_proxy_read(warp, step, (uint32_t)bulk->from, bulk->bytes);
    }
    if (bsim_ptx_has(step->from, BSIM_PTX_REDUCE)) {
        bsim_ptx_reduce(step->from->type[0], bsim_ptx_operation_of(step->from), bulk->target, bulk->source, bulk->bytes);
    } else if (!bulk->has_barrier) {
        memmove(bulk->target, bulk->source, bulk->bytes);
    } else if (bulk->ranks == 0) {
        bring(bulk->there, bulk, bulk->target, phase);
    }
    for (uint32_t left = bulk->ranks; left != 0; left &= left - 1) {
        struct bsim_ptx_block *there = bsim_ptx_block_of_rank(warp->block, bsim_bits_lowest(left));
        bring(there, bulk, there->shared + bulk->to, phase);
    }
}

static void run_bulk(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool has_barrier = bsim_ptx_has(step->from, BSIM_PTX_COMPLETE_TX_BYTES);
    for (uint32_t l = 0; l < LANES && warp->block->status == BSIM_OK; l++) {
        struct bulk bulk = {.lane = l, .has_barrier = has_barrier};
        if ((warp->mask >> l & 1) != 0 && find_ends(warp, step, &bulk)) {
            copy(warp, step, &bulk);
        }
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void run_commit(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    (void)step;
    bsim_ptx_groups_commit(warp, BSIM_PTX_OF_BULK);
}

/* With .read the sources alone are waited for: here likewise, 32 clocks more of cycles (timing/async.c). */
static void run_wait(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    (void)bsim_ptx_groups_wait(warp, BSIM_PTX_OF_BULK, (uint32_t)step->from->operand[0].bits);
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_reduction(const struct bsim_ptx_instruction *from)
{
    return from->n_types == 1 && bsim_ptx_can_reduce(from->type[0], bsim_ptx_operation_of(from)) &&
           space_behind(from, 0) == BSIM_PTX_GLOBAL;
}

const struct bsim_ptx_service *bsim_ptx_find_bulk(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service bulk = {run_bulk, name_bulk}, within = {run_bulk, NULL},
                                         commit = {run_commit, NULL}, wait = {run_wait, NULL};
    if (bsim_ptx_has(from, BSIM_PTX_COMMIT_GROUP)) {
        return &commit;
    }
    if (bsim_ptx_has(from, BSIM_PTX_WAIT_GROUP)) {
        return from->n_operands == 1 ? &wait : NULL;
    }
    if (bsim_ptx_has(from, BSIM_PTX_TENSOR)) {
        return bsim_ptx_find_tensor(from);
    }
    enum bsim_ptx_space to = space_behind(from, 0), source = space_behind(from, 1);
    bool has_barrier = bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES);
    bool is_form = source != BSIM_PTX_NO_SPACE &&
                   has_barrier == (to == BSIM_PTX_SHARED) &&
                   has_barrier != bsim_ptx_has(from, BSIM_PTX_BULK_GROUP) &&
                   from->n_operands >= (has_barrier ? 4 : 3) +
                                           bsim_ptx_has(from, BSIM_PTX_MULTICAST_CLUSTER);
    is_form = is_form && (!bsim_ptx_has(from, BSIM_PTX_REDUCE) || is_reduction(from));
    return !is_form ? NULL : to == source ? &within : &bulk;
}
