/* blocks.c - blocks that run one after the other, with the warps that they share. */
#include "ptx/blocks.h"

#include "base/memory.h"
#include "ptx/beside.h"
#include "ptx/cluster.h"
#include "ptx/frame.h"
#include "ptx/meet.h"
#include "ptx/proxy.h"
#include "ptx/tiles.h"
#include "ptx/push.h"
#include "ptx/trail.h"
#include "ptx/work.h"

#include <string.h>

enum { POISON = 0x7f }; /* shared and local memory that nobody wrote */

/* What a device of sm_80 and later reserves of a block's shared memory, and what cooperative groups use of
 * it: zeros at first. An H200 has it at 0, and the kernel's own behind; here it lies behind the kernel's own,
 * in the same banks, for kernels that ask where it is. */
enum { RESERVED_BYTES = 1024, RESERVED_USED = 288, ROW_BYTES = 128 };

static uint32_t reserved_bytes(const struct bsim_ptx_program *program, uint32_t own_bytes)
{
    uint32_t gap = (ROW_BYTES - own_bytes % ROW_BYTES) % ROW_BYTES;
    for (uint32_t special = BSIM_PTX_RESERVED_BEGIN; special <= BSIM_PTX_RESERVED_1; special++) {
        if (program->special[special] != 0) {
            return gap + RESERVED_BYTES;
        }
    }
    return 0;
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* The same of those that tell of the block's cluster. */
static uint64_t cluster_value(const struct bsim_ptx_block *block, uint32_t special)
{
    struct bsim_dim3 grid = block->grid, place = block->place, size = block->cluster;
    struct bsim_dim3 within = bsim_dim3_thread(size, block->rank); /* as threads are in a block */
    switch (special) {
    case BSIM_PTX_CLUSTERID_X:
        return place.x / size.x;
    case BSIM_PTX_CLUSTERID_Y:
        return place.y / size.y;
    case BSIM_PTX_CLUSTERID_Z:
        return place.z / size.z;
    case BSIM_PTX_NCLUSTERID_X:
        return grid.x / size.x;
    case BSIM_PTX_NCLUSTERID_Y:
        return grid.y / size.y;
    case BSIM_PTX_NCLUSTERID_Z:
        return grid.z / size.z;
    case BSIM_PTX_CLUSTER_CTAID_X:
        return within.x;
    case BSIM_PTX_CLUSTER_CTAID_Y:
        return within.y;
    case BSIM_PTX_CLUSTER_CTAID_Z:
        return within.z;
    case BSIM_PTX_CLUSTER_NCTAID_X:
        return size.x;
    case BSIM_PTX_CLUSTER_NCTAID_Y:
        return size.y;
    case BSIM_PTX_CLUSTER_NCTAID_Z:
        return size.z;
    case BSIM_PTX_CLUSTER_CTARANK:
        return block->rank;
    case BSIM_PTX_CLUSTER_NCTARANK:
        return block->n_ranks;
    default:
        return 0;
    }
}

/* The value of a special register in a lane when a block begins. */
static uint64_t special_value(const struct bsim_ptx_warp *warp, uint32_t special, uint32_t lane)
{
    const struct bsim_ptx_block *block = warp->block;
    struct bsim_dim3 size = block->threads;
    uint32_t t = warp->number * BSIM_WARP_LANES + lane;
    switch (special) {
    case BSIM_PTX_TID_X:
        return t % size.x;
    case BSIM_PTX_TID_Y:
        return t / size.x % size.y;
    case BSIM_PTX_TID_Z:
        return t / size.x / size.y;
    case BSIM_PTX_NTID_X:
        return size.x;
    case BSIM_PTX_NTID_Y:
        return size.y;
    case BSIM_PTX_NTID_Z:
        return size.z;
    case BSIM_PTX_CTAID_X:
        return block->place.x;
    case BSIM_PTX_CTAID_Y:
        return block->place.y;
    case BSIM_PTX_CTAID_Z:
        return block->place.z;
    case BSIM_PTX_NCTAID_X:
        return block->grid.x;
    case BSIM_PTX_NCTAID_Y:
        return block->grid.y;
    case BSIM_PTX_NCTAID_Z:
        return block->grid.z;
    case BSIM_PTX_LANEID:
        return lane;
    case BSIM_PTX_WARPID:
        return warp->number;
    case BSIM_PTX_NWARPID:
        return block->n_warps;
    case BSIM_PTX_LANEMASK_EQ:
        return UINT32_C(1) << lane;
    case BSIM_PTX_LANEMASK_LE:
        return UINT32_MAX >> (31 - lane);
    case BSIM_PTX_LANEMASK_LT:
        return (UINT32_C(1) << lane) - 1;
    case BSIM_PTX_LANEMASK_GE:
        return UINT32_MAX << lane;
    case BSIM_PTX_LANEMASK_GT:
        return lane == 31 ? 0 : UINT32_MAX << (lane + 1);
    case BSIM_PTX_WARP_SIZE:
        return BSIM_WARP_LANES;
    case BSIM_PTX_DYNAMIC_SMEM_SIZE:
        return block->dynamic_bytes;
    case BSIM_PTX_TOTAL_SMEM_SIZE:
        return block->own_bytes;
    case BSIM_PTX_AGGR_SMEM_SIZE:
        return block->own_bytes + RESERVED_BYTES;
    case BSIM_PTX_RESERVED_BEGIN:
    case BSIM_PTX_RESERVED_0:
    case BSIM_PTX_RESERVED_1:
        return block->shared_bytes - RESERVED_BYTES;
    case BSIM_PTX_RESERVED_END:
        return block->shared_bytes - RESERVED_BYTES + RESERVED_USED;
    case BSIM_PTX_RESERVED_CAP:
        return RESERVED_BYTES;
    case BSIM_PTX_NSMID:
        return 1;
    case BSIM_PTX_ENVREG1: /* where cooperative groups look for what a grid meets by */
        return block->meeting >> 32;
    case BSIM_PTX_ENVREG2:
        return block->meeting & UINT32_MAX;
    default:
        return cluster_value(block, special);
    }
}

static void fill_specials(struct bsim_ptx_warp *warp)
{
    const struct bsim_ptx_program *program = warp->block->program;
    for (uint32_t special = 1; special <= BSIM_PTX_GRIDID; special++) {
        uint32_t place = program->special[special];
        for (uint32_t l = 0; l < BSIM_WARP_LANES && place != 0; l++) {
            bsim_ptx_put(warp, place, bsim_ptx_special_bits(special), l,
                         special_value(warp, special, l));
        }
    }
}

/* The special registers that are not the same in each block. */
static void fill_place(struct bsim_ptx_warp *warp)
{
    for (uint32_t special = BSIM_PTX_CTAID_X; special <= BSIM_PTX_CLUSTERID_Z; special++) {
        uint32_t place = warp->block->program->special[special];
        if (place != 0) {
            bsim_ptx_fill(warp, place, 32, special_value(warp, special, 0));
        }
    }
}

static bool make_warp(struct bsim_ptx_block *block, uint32_t number)
{
    const struct bsim_ptx_program *program = block->program;
    struct bsim_ptx_warp *warp = &block->warp[number];
    warp->block = block;
    warp->number = number;
    warp->file = bsim_mem_zeroed(program->n_words, sizeof *warp->file);
    warp->local_stride = program->local_bytes;
    warp->local = bsim_mem_zeroed(BSIM_WARP_LANES, program->local_bytes + 1);
    bool asks = program->asks_for_local && program->local_bytes > 0;
    warp->local_written = asks ? bsim_mem_zeroed(BSIM_WARP_LANES, program->local_bytes) : NULL;
    warp->work = block->has_work ? bsim_ptx_work_new(program->n_words) : NULL;
    if (warp->file == NULL || warp->local == NULL || (asks && warp->local_written == NULL) ||
        (block->has_work && warp->work == NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < program->n_constants; i++) {
        const struct bsim_ptx_constant *constant = &program->constant[i];
        bsim_ptx_fill(warp, constant->place, constant->is_64 ? 64 : 32, constant->bits);
    }
    fill_specials(warp);
    return true;
}

static void start_warp(struct bsim_ptx_warp *warp)
{
    const struct bsim_ptx_program *program = warp->block->program;
    uint32_t first = warp->number * BSIM_WARP_LANES;
    uint32_t n = warp->block->n_threads - first;
    warp->alive = n >= BSIM_WARP_LANES ? BSIM_FULL_MASK : (UINT32_C(1) << n) - 1;
    warp->n_groups = 1;
    warp->n_barriers = 0;
    warp->at_cluster = 0;
    warp->looks = false;
    warp->group[0] =
        (struct bsim_ptx_group){.mask = warp->alive,
                                .meet = -1,
                                .head = BSIM_PTX_NOWHERE,
                                .top = program->local_bytes};
    if (warp->n_meets > 0) { /* of lanes that were somewhere when a launch ended */
        memset(warp->meet, 0, sizeof warp->meet);
        warp->n_meets = 0;
    }
    bsim_ptx_frames_clear(warp);
    bsim_ptx_pending_clear(warp);
    bsim_ptx_groups_clear(warp);
    memset(warp->local, POISON, (size_t)BSIM_WARP_LANES * warp->local_stride);
    if (warp->local_written != NULL) {
        memset(warp->local_written, 0, (size_t)BSIM_WARP_LANES * warp->local_stride);
    }
    /* What a kernel reads of a register that it has not written is so the same in each block. */
    for (uint32_t i = 0; i < program->n_fresh; i++) {
        const struct bsim_ptx_words *fresh = &program->fresh[i];
        memset(warp->file + fresh->place, 0, fresh->n * sizeof *warp->file);
    }
    fill_place(warp);
    bsim_ptx_work_start(warp);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Of the n that are run, spread over the grid, number k's place. */
static struct bsim_dim3 place_of(struct bsim_dim3 grid, uint64_t k, uint64_t n)
{
    uint64_t all = (uint64_t)grid.x * grid.y * grid.z;
    uint64_t i = all / n * k + all % n * k / n; /* all * k / n, which may pass 64 bits */
    return (struct bsim_dim3){(uint32_t)(i % grid.x), (uint32_t)(i / grid.x % grid.y),
                              (uint32_t)(i / grid.x / grid.y)};
}

/* The same of block k, in the cluster that is number k / n_ranks.
 *
 *     clusters of 2,2 in a grid of 4,2      blocks 0 1 4 5
 *                                                  2 3 6 7
 */
static struct bsim_dim3 place_in_cluster(const struct bsim_ptx_block *block, uint64_t k)
{
    struct bsim_dim3 size = block->cluster, grid = block->grid;
    struct bsim_dim3 clusters = {grid.x / size.x, grid.y / size.y, grid.z / size.z};
    struct bsim_dim3 place = place_of(clusters, k / block->n_ranks, block->n_blocks / block->n_ranks);
    struct bsim_dim3 within = bsim_dim3_thread(size, block->rank);
    return (struct bsim_dim3){place.x * size.x + within.x, place.y * size.y + within.y,
                              place.z * size.z + within.z};
}

void bsim_ptx_start_block(struct bsim_ptx_block *block, uint64_t k)
{
    block->place = place_in_cluster(block, k);
    bsim_ptx_tape_block(block->tape, block->place);
    memset(block->shared, POISON, block->own_bytes);
    memset(block->shared + block->own_bytes, 0, block->shared_bytes - block->own_bytes);
    memset(block->barrier, 0, sizeof block->barrier);
    block->n_alive = block->n_threads;
    block->n_changes = 0;
    block->stalled_at = UINT64_MAX;
    bsim_ptx_meet_start(block);
    block->at_cluster = block->was_at_cluster = (struct bsim_ptx_meeting){0};
    block->n_coming = 0;
    bsim_ptx_proxy_start(block);
    bsim_ptx_tiles_start(block);
    if (block->findings != NULL) {
        block->findings->n_written = 0;
        memset(block->findings->written, 0, block->own_bytes);
        memset(block->findings->written + block->own_bytes, 1, block->shared_bytes - block->own_bytes);
    }
    for (uint32_t w = 0; w < block->n_warps; w++) {
        start_warp(&block->warp[w]);
    }
}

void bsim_ptx_run_blocks(struct bsim_ptx_block *block, uint64_t from, uint64_t to)
{
    for (uint64_t k = from; k < to && block->status == BSIM_OK; k++) {
        bsim_ptx_start_block(block, k);
        bsim_ptx_run_block(block);
    }
    bsim_ptx_play(block);
}

void bsim_ptx_block_free(struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; block != NULL && w < block->n_warps; w++) {
        bsim_mem_free(block->warp[w].file);
        bsim_mem_free(block->warp[w].local);
        bsim_mem_free(block->warp[w].local_written);
        bsim_ptx_frames_free(&block->warp[w]);
        bsim_ptx_pending_free(&block->warp[w]);
        bsim_ptx_groups_free(&block->warp[w]);
        bsim_ptx_work_free(block->warp[w].work);
    }
    if (block != NULL) {
        bsim_ptx_meet_free(block);
        bsim_mem_free(block->coming);
        bsim_ptx_proxy_free(block->proxy);
        bsim_ptx_tiles_free(block->tiles);
        bsim_ptx_trail_free(block);
        bsim_mem_free(block->shared);
        bsim_mem_free(block);
    }
}

struct bsim_ptx_block *bsim_ptx_block_new(const struct bsim_ptx_launch *launch,
                                          const struct bsim_ptx_program *program, uint64_t n_blocks,
                                          uint32_t rank)
{
    struct bsim_ptx_block *block = bsim_mem_zeroed(1, sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    block->program = program;
    block->findings = bsim_ptx_runs_together(launch) ? NULL : launch->findings; /* of those nothing is told */
    block->has_work = launch->has_work;
    block->memory = launch->memory;
    block->printer = launch->printer;
    block->wrong = launch->wrong;
    block->grid = launch->grid;
    block->n_blocks = n_blocks;
    block->last_step = launch->most_steps;
    block->threads = launch->block;
    block->n_threads = launch->block.x * launch->block.y * launch->block.z;
    block->n_warps = (block->n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    block->longest = launch->most_of_warp * block->n_warps;
    block->dynamic_bytes = launch->dynamic_bytes;
    block->own_bytes = program->shared_bytes + launch->dynamic_bytes;
    block->shared_bytes = block->own_bytes + reserved_bytes(program, block->own_bytes);
    block->parameters = launch->parameters;
    block->stack_bytes = launch->stack_bytes;
    block->heap_bytes = launch->heap_bytes;
    block->meeting = launch->meeting;
    block->is_together = bsim_ptx_runs_together(launch);
    block->cluster = bsim_ptx_launch_cluster(launch);
    block->n_ranks = block->cluster.x * block->cluster.y * block->cluster.z;
    block->rank = rank;
    block->shared = bsim_mem_zeroed(block->shared_bytes + 1, 1);
    bool has_memory = block->shared != NULL;
    block->proxy = bsim_ptx_proxy_new(block);
    block->tiles = bsim_ptx_tiles_new(block);
    for (uint32_t w = 0; w < block->n_warps && has_memory; w++) {
        has_memory = make_warp(block, w);
    }
    if (!has_memory) {
        bsim_ptx_block_free(block);
        return NULL;
    }
    return block;
}
