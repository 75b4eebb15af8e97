/* cluster.c - blocks of a cluster, which run at the same time, see each other's shared memory, and meet.
 *
 *     mapa.shared::cluster.u32 %r2, %r1, 1;     %r2: where %r1 leads to in the block of rank 1
 *     ld.shared::cluster.u32 %r3, [%r2];
 *     barrier.cluster.arrive;                   goes on
 *     barrier.cluster.wait;                     until each thread of the cluster has come, or ended
 *     st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], %r3, [%r4];      4 bytes, counted at %r4
 *     red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], %r3, [%r4];
 *
 * Loads, stores and atomics of another block's memory are events of a space of their own, BSIM_PEER: they go by
 * sectors, not by banks (../model/peer.c, sector.c). Bulk copies there are none. To the stream the barrier is a meeting of each block's own warps.
 */
#include "ptx/cluster.h"

#include "base/bits.h"
#include "ptx/lower.h"
#include "ptx/mbarrier.h"
#include "ptx/meet.h"
#include "ptx/push.h"

#include <inttypes.h>
#include <string.h>

/* ---- launches -------------------------------------------------------------------------------- */

struct bsim_dim3 bsim_ptx_launch_cluster(const struct bsim_ptx_launch *launch)
{
    const uint32_t *own = launch->kernel->cluster;
    return launch->cluster.x != 0 ? launch->cluster
           : own[0] != 0
               ? (struct bsim_dim3){own[0], own[1] + (own[1] == 0), own[2] + (own[2] == 0)}
               : (struct bsim_dim3){1, 1, 1};
}

bool bsim_ptx_runs_together(const struct bsim_ptx_launch *launch)
{
    struct bsim_dim3 c = bsim_ptx_launch_cluster(launch);
    return launch->meeting != 0 || c.x > 1 || c.y > 1 || c.z > 1;
}

struct bsim_ptx_block *bsim_ptx_block_of_rank(struct bsim_ptx_block *block, uint32_t rank)
{
    return block->ranks != NULL ? block->ranks[rank] : block;
}

/* ---- the barrier ----------------------------------------------------------------------------- */

static bool is_there(const struct bsim_ptx_group *group)
{
    return group->is_waiting && group->barrier == BSIM_PTX_CLUSTER_BARRIER;
}

bool bsim_ptx_waits_for_cluster(const struct bsim_ptx_block *block)
{
    bool waits = false;
    for (uint32_t w = 0; w < block->n_warps && !waits; w++) {
        const struct bsim_ptx_warp *warp = &block->warp[w];
        for (uint32_t g = 0; g < warp->n_groups && !waits; g++) {
            waits = is_there(&warp->group[g]);
        }
    }
    return waits;
}

/* Whether all of the cluster have come that have not ended; nobody: no. */
static bool have_come(struct bsim_ptx_block *block)
{
    uint32_t come = 0, missing = 0;
    for (uint32_t r = 0; r < block->n_ranks; r++) {
        const struct bsim_ptx_block *other = bsim_ptx_block_of_rank(block, r);
        for (uint32_t w = 0; w < other->n_warps; w++) {
            come |= other->warp[w].at_cluster;
            missing |= other->warp[w].alive & ~other->warp[w].at_cluster;
        }
    }
    return come != 0 && missing == 0;
}

static void let_go(struct bsim_ptx_block *block)
{
    block->was_at_cluster = block->at_cluster;
    block->at_cluster = (struct bsim_ptx_meeting){0};
    for (uint32_t w = 0; w < block->n_warps; w++) {
        struct bsim_ptx_warp *warp = &block->warp[w];
        warp->at_cluster = 0;
        for (uint32_t g = 0; g < warp->n_groups; g++) {
            if (is_there(&warp->group[g])) {
                warp->group[g].is_waiting = false;
                bsim_ptx_meet_await(warp, &block->was_at_cluster);
            }
        }
    }
}

bool bsim_ptx_cluster_release(struct bsim_ptx_block *block)
{
    bool all = have_come(block);
    for (uint32_t r = 0; r < block->n_ranks && all; r++) {
        let_go(bsim_ptx_block_of_rank(block, r));
    }
    return all;
}

void bsim_ptx_cluster_arrive(struct bsim_ptx_warp *warp, uint32_t lanes)
{
    warp->at_cluster |= lanes;
    bsim_ptx_meet_arrive(warp, &warp->block->at_cluster);
    (void)bsim_ptx_cluster_release(warp->block);
}

bool bsim_ptx_cluster_wait(struct bsim_ptx_warp *warp, uint32_t g, uint32_t lanes)
{
    struct bsim_ptx_group *group = &warp->group[g];
    group->pc++;
    group->is_waiting = (warp->at_cluster & lanes) != 0;
    group->barrier = BSIM_PTX_CLUSTER_BARRIER;
    if (!group->is_waiting) {
        bsim_ptx_meet_await(warp, &warp->block->was_at_cluster);
    }
    return !group->is_waiting;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool is_generic(const struct bsim_ptx_instruction *from)
{
    return !bsim_ptx_has(from, BSIM_PTX_SHARED_CLUSTER);
}

/* An address in this block's memory, or by an earlier mapa in another's. */
static uint64_t take_address(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t lane)
{
    uint64_t address = bsim_ptx_take_argument(warp, &step->argument[1], lane);
    return address - (is_generic(step->from) ? BSIM_PTX_SHARED_WINDOW : 0);
}

static void run_mapa(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_block *block = warp->block;
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        uint64_t address = take_address(warp, step, l) & BSIM_PTX_MOST_OWN;
        uint32_t rank = (uint32_t)bsim_ptx_take_argument(warp, &step->argument[2], l);
        if (rank >= block->n_ranks) {
            bsim_ptx_fault_as(warp, step, l, BSIM_PTX_NO_PEER,
                              "rank %" PRIu32 " in a cluster of %" PRIu32
                              " block%s, counted from 0",
                              rank, block->n_ranks, block->n_ranks == 1 ? "" : "s");
            return;
        }
        address |= rank != block->rank ? (uint64_t)(rank + 1) << BSIM_PTX_RANK_BIT : 0;
        address += is_generic(step->from) ? BSIM_PTX_SHARED_WINDOW : 0;
        bsim_ptx_put_argument(warp, &step->argument[0], l, address);
    }
}

static void run_getctarank(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        uint64_t rank = take_address(warp, step, l) >> BSIM_PTX_RANK_BIT;
        bsim_ptx_put_argument(warp, &step->argument[0], l,
                              rank != 0 ? rank - 1 : warp->block->rank);
    }
}

bool bsim_ptx_cluster_ranks(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                            const struct bsim_ptx_argument *argument, uint32_t lane,
                            uint32_t *ranks)
{
    const struct bsim_ptx_block *block = warp->block;
    *ranks = (uint32_t)bsim_ptx_take_argument(warp, argument, lane) & 0xffff;
    if (*ranks >> block->n_ranks != 0) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ILLEGAL,
                          "a multicast to the blocks 0x%" PRIx32 " of a cluster of %" PRIu32,
                          *ranks, block->n_ranks);
    }
    return *ranks >> block->n_ranks == 0;
}

/* ---- st.async, red.async --------------------------------------------------------------------- */

/* What is there after the value has come, which is stored, or taken into what was there. */
static void put_element(const struct bsim_ptx_access *how, unsigned char *p, uint64_t value)
{
    uint64_t old = 0;
    memcpy(&old, p, how->bytes);
    value = bsim_ptx_update(how, BSIM_PEER, old, value, 0);
    memcpy(p, &value, how->bytes);
}

/* False after a fault. The address as the trace has it, and its space. */
static bool store_lane(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       uint64_t *given, enum bsim_space *space)
{
    const struct bsim_ptx_argument *value = &step->argument[1];
    struct bsim_ptx_access how = {.operation = bsim_ptx_operation_of(step->from),
                                  .is_signed = bsim_ptx_type_letter(step->from->type[0]) == 's',
                                  .bytes = bsim_ptx_type_bits(step->from->type[0]) / 8};
    uint32_t bytes = how.bytes * value->n;
    how.operation = bsim_ptx_is_a(step->from, "st") ? BSIM_EXCH : how.operation;
    uint64_t address = *given = bsim_ptx_take_address(warp, &step->argument[0], lane), barrier;
    unsigned char *p =
        bsim_ptx_locate(warp, step, lane, BSIM_PTX_SHARED, bytes, bytes, &address, space);
    struct bsim_ptx_block *there =
        p != NULL ? bsim_ptx_mbarrier_find(warp, step, &step->argument[2], lane, &barrier) : NULL;
    for (uint32_t i = 0; i < value->n && there != NULL; i++) {
        uint64_t bits = bsim_ptx_take(warp, value->place[i], value->bytes[i] == 8, lane);
        put_element(&how, p + i * how.bytes, bits);
    }
    if (there != NULL) {
        bsim_ptx_mbarrier_complete(there, barrier, bytes);
    }
    return there != NULL;
}

/* Lanes whose address is the block's own send nothing, and are not told. */
static void run_store(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint64_t address[BSIM_WARP_LANES] = {0};
    uint32_t all = warp->mask, left = all, far = 0;
    for (bool is_well = true; left != 0 && is_well; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        enum bsim_space space = BSIM_NO_SPACE;
        is_well = store_lane(warp, step, l, &address[l], &space);
        far |= is_well && space == BSIM_PEER ? UINT32_C(1) << l : 0;
    }
    warp->block->n_changes++;
    if (left == 0 && far != 0) {
        warp->mask = far;
        bsim_ptx_push_event(warp, step, BSIM_PEER, address);
        warp->mask = all;
    }
}

static enum bsim_ptx_space name_store(const struct bsim_ptx_instruction *from,
                                      struct bsim_opcode *opcode)
{
    bool is_red = bsim_ptx_is_a(from, "red");
    uint32_t bits = bsim_ptx_type_bits(from->type[0]);
    uint32_t count = bsim_ptx_has(from, BSIM_PTX_V4) ? 4 : bsim_ptx_has(from, BSIM_PTX_V2) ? 2 : 1;
    *opcode = (struct bsim_opcode){.family = is_red ? BSIM_RED : BSIM_ST,
                                   .space = BSIM_PEER,
                                   .operation = is_red ? (uint8_t)bsim_ptx_operation_of(from) : 0,
                                   .type = bsim_ptx_type_letter(from->type[0]),
                                   .bits = (uint8_t)bits,
                                   .count = (uint8_t)count,
                                   .bytes = (uint8_t)(count * bits / 8),
                                   .path = BSIM_TELLS};
    return BSIM_PTX_SHARED;
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_store(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "st") && bsim_ptx_has(from, BSIM_PTX_ASYNC) &&
           from->n_operands == 3 && bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES) &&
           from->n_types == 1;
}

/* Whole numbers of 4 bytes, and sums of 8 without a sign: PTX ISA 8.1. */
static bool is_reduction(const struct bsim_ptx_instruction *from)
{
    if (!bsim_ptx_is_a(from, "red") || !bsim_ptx_has(from, BSIM_PTX_ASYNC) || from->n_operands != 3 ||
        !bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES) || from->n_types != 1) {
        return false;
    }
    uint32_t type = from->type[0];
    char letter = bsim_ptx_type_letter(type);
    switch (bsim_ptx_operation_of(from)) {
    case BSIM_ADD:
        return type == BSIM_PTX_U32 || type == BSIM_PTX_S32 || type == BSIM_PTX_U64;
    case BSIM_MIN:
    case BSIM_MAX:
        return type == BSIM_PTX_U32 || type == BSIM_PTX_S32;
    case BSIM_INC:
    case BSIM_DEC:
        return type == BSIM_PTX_U32;
    case BSIM_AND:
    case BSIM_OR:
    case BSIM_XOR:
        return letter == 'b' && bsim_ptx_type_bits(type) == 32;
    default:
        return false;
    }
}

const struct bsim_ptx_service *bsim_ptx_find_cluster(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service mapa = {run_mapa, NULL},
                                         getctarank = {run_getctarank, NULL},
                                         store = {run_store, name_store};
    return bsim_ptx_is_a(from, "mapa") && from->n_operands == 3         ? &mapa
           : bsim_ptx_is_a(from, "getctarank") && from->n_operands == 2 ? &getctarank
           : is_store(from) || is_reduction(from)                       ? &store
                                                                        : NULL;
}
