/* order.c - see order.h.
 *
 *         if (threadIdx.x == 0) s[0] = n;
 *         __syncthreads();
 *         int turns = s[0];              warp 0 reads it, goes on, and has written
 *         s[threadIdx.x] = x[i];         over it before another reads it: a race
 *         while (turns-- > 0) ...
 *
 * Where branches or addresses hang on memory that warps write, a block is run twice ahead of its turn: as
 * launches run, each warp up to its next barrier, and the last warp first in turns of a few instructions,
 * which is nearer to a GPU. Both are thrown away. Without a race, and without an atomic's answer that
 * decides, a warp does the same in any order, and both count the same.
 *
 * So is it with blocks: where branches or addresses hang on global memory that blocks write, as an atomic
 * tells who comes first, the first few are run one after the other, and the last of them first.
 *
 * That is a sample: a few blocks, of the launches 1, 2, 4, 8 ... of a kernel.
 */
#include "ptx/order.h"

#include "base/memory.h"
#include "ptx/blocks.h"
#include "ptx/cluster.h"
#include "ptx/view.h"

#include <banksim/model.h>

#include <string.h>

enum {
    BLOCKS_PER_TRY = 256, /* of the grid, for each that is tried */
    MOST_TRIES = 4,       /* of a launch */
    LEAST_TOGETHER = 4,   /* blocks of a launch whose order is tried, and one more for each */
    BLOCKS_PER_ONE = 64,  /* so many, up to */
    MOST_TOGETHER = 16,
    MOST_STEPS = 1 << 21,  /* of a block, or nothing is said of it: some tenth of a second */
    MOST_BYTES = 32 << 20, /* of a tape */
};

/* ---- counting -------------------------------------------------------------------------------- */

struct counter {
    struct bsim_device device;
    struct bsim_ptx_counted counted;
};

static enum bsim_status count(void *context, const struct bsim_record *record,
                              struct bsim_error *err)
{
    struct counter *counter = context;
    const struct bsim_event *event = record->u.event;
    uint64_t address[BSIM_WARP_LANES];
    (void)err;
    if (record->kind != BSIM_RECORD_EVENT || bsim_opcode_lanes(&event->opcode, event->mask) == 0) {
        return BSIM_OK;
    }
    bsim_event_addresses(event, address);
    if (event->opcode.space == BSIM_GLOBAL) {
        struct bsim_global_counts counts;
        bsim_global_count(&counter->device, &event->opcode, event->mask, address, &counts);
        counter->counted.sectors += counts.sectors;
    } else if (event->opcode.space == BSIM_SHARED) {
        struct bsim_request request = {
            .opcode = event->opcode, .mask = event->mask, .has_from = event->from != NULL};
        struct bsim_counts counts;
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            request.address[l] = (uint32_t)address[l];
        }
        bsim_event_from(event, request.from);
        bsim_request_count(&counter->device, &request, &counts);
        counter->counted.wavefronts += counts.wavefronts;
    }
    return BSIM_OK;
}

/* ---- trying ---------------------------------------------------------------------------------- */

/* A block that is tried, with what it tells and where that is counted. */
struct trial {
    struct bsim_ptx_block *block;
    struct bsim_ptx_tape tape;
    struct bsim_ptx_stream stream;
    struct counter counter;
    struct bsim_error err; /* which nobody sees */
};

enum way { AS_LAUNCHED, LAST_WARP_FIRST, LAST_BLOCK_FIRST };

/* Runs block k, which sees what others have left in the view, and counts it; false if it cannot be tried. */
static bool run_block(struct trial *trial, uint64_t k)
{
    struct bsim_ptx_block *block = trial->block;
    bsim_ptx_tape_clear(&trial->tape);
    memset(block->found, 0, sizeof block->found);
    block->status = BSIM_OK;
    block->most_steps = block->n_steps + MOST_STEPS;
    bsim_ptx_run_blocks(block, k, k + 1);
    return block->status == BSIM_OK &&
           bsim_ptx_tape_play(&trial->tape, &trial->stream, &trial->err) == BSIM_OK;
}

/* Runs n blocks from `first` on and counts them; false if they cannot be tried. */
static bool run_once(struct trial *trial, uint64_t first, uint64_t n, enum way way)
{
    bool goes_on = true;
    bsim_ptx_view_clear(trial->block->view);
    trial->counter.counted = (struct bsim_ptx_counted){0};
    trial->block->is_last_first = way == LAST_WARP_FIRST;
    for (uint64_t i = 0; i < n && goes_on; i++) {
        goes_on = run_block(trial, first + (way == LAST_BLOCK_FIRST ? n - 1 - i : i));
    }
    return goes_on;
}

/* What is found is kept; false if the blocks cannot be tried. */
static bool try_way(struct trial *trial, uint64_t first, uint64_t n, enum way way,
                    struct bsim_ptx_tried *tried)
{
    if (!run_once(trial, first, n, AS_LAUNCHED)) {
        return false;
    }
    struct bsim_ptx_counted here = trial->counter.counted;
    if (!run_once(trial, first, n, way)) {
        return false;
    }
    struct bsim_ptx_counted there = trial->counter.counted;
    if (here.wavefronts != there.wavefronts || here.sectors != there.sectors) {
        *tried = (struct bsim_ptx_tried){n, here, there};
    }
    return true;
}

/* Some blocks, each alone. */
static void try_warps(struct trial *trial, uint64_t n_blocks, struct bsim_ptx_tried *tried)
{
    uint64_t n = 1 + n_blocks / BLOCKS_PER_TRY;
    bool goes_on = true;
    n = n < MOST_TRIES ? n : MOST_TRIES;
    for (uint64_t i = 0; i < n && goes_on && tried->n_blocks == 0; i++) {
        goes_on = try_way(trial, n_blocks / n * i, 1, LAST_WARP_FIRST, tried);
    }
}

/* The first blocks together. */
static void try_blocks(struct trial *trial, uint64_t n_blocks, struct bsim_ptx_tried *tried)
{
    uint64_t n = LEAST_TOGETHER + n_blocks / BLOCKS_PER_ONE;
    n = n < MOST_TOGETHER ? n : MOST_TOGETHER;
    (void)try_way(trial, 0, n < n_blocks ? n : n_blocks, LAST_BLOCK_FIRST, tried);
}

static bool start(struct trial *trial, const struct bsim_ptx_launch *launch,
                  const struct bsim_ptx_program *program, uint64_t n_blocks,
                  const struct bsim_sink *sink)
{
    struct bsim_ptx_launch quiet = *launch;
    quiet.findings = NULL;
    quiet.has_work = false;
    trial->block = bsim_ptx_block_new(&quiet, program, n_blocks, 0);
    if (trial->block == NULL || !bsim_ptx_stream_open(&trial->stream, program, sink) ||
        !bsim_ptx_tape_open(&trial->tape, &trial->stream) ||
        (trial->block->view = bsim_ptx_view_new()) == NULL) {
        return false;
    }
    trial->block->stream = &trial->stream;
    trial->block->tape = &trial->tape;
    trial->block->most_bytes = MOST_BYTES;
    trial->block->err = &trial->err;
    return bsim_device_find(NULL, NULL, &trial->counter.device, &trial->err) == BSIM_OK;
}

static void stop(struct trial *trial)
{
    if (trial->block != NULL) {
        bsim_ptx_view_free(trial->block->view);
    }
    bsim_ptx_block_free(trial->block);
    bsim_ptx_tape_close(&trial->tape);
    bsim_ptx_stream_close(&trial->stream);
}

bool bsim_ptx_try_order(const struct bsim_ptx_launch *launch,
                        const struct bsim_ptx_program *program, uint64_t n_blocks)
{
    struct bsim_ptx_order *order = program->order;
    uint32_t n_threads = launch->block.x * launch->block.y * launch->block.z;
    uint64_t number = ++order->n_launches;
    bool is_due = !bsim_ptx_runs_together(launch) && (number & (number - 1)) == 0;
    bool warps_are = is_due && program->hangs_on_warps && n_threads > BSIM_WARP_LANES &&
                     order->warps.n_blocks == 0;
    bool blocks_are =
        is_due && program->hangs_on_blocks && n_blocks > 1 && order->blocks.n_blocks == 0;
    if (!warps_are && !blocks_are) {
        return true;
    }
    struct trial *trial = bsim_mem_zeroed(1, sizeof *trial);
    if (trial == NULL) {
        return false;
    }
    struct bsim_sink sink = {.push = count, .context = &trial->counter};
    bool has_memory = start(trial, launch, program, n_blocks, &sink);
    if (has_memory && warps_are) {
        try_warps(trial, n_blocks, &order->warps);
    }
    if (has_memory && blocks_are) {
        try_blocks(trial, n_blocks, &order->blocks);
    }
    stop(trial);
    bsim_mem_free(trial);
    return has_memory;
}
