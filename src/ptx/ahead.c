/* ahead.c - several threads run a launch's blocks, and what comes of it is what one thread makes of them
 * in their order, to the last byte.
 *
 *     round    | batch 0 | batch 1 | batch 2 | batch 3 |     each some blocks, in their order
 *     run      thread A    B         A         B             each sees memory as it was before the round
 *     turns    0, 1, 2, 3: what each has written is written, what it told is told
 *
 * A batch runs ahead of its turn and sees global memory through a view (view.h). When its turn comes it is
 * right if no batch before it has written what it has read since the round began: a block's steps depend
 * on the kernel, on its place and on what it reads from memory, and on nothing else, as registers, shared
 * and local memory begin the same in each block. If it is not right, the view and the tape are thrown
 * away, its blocks run in their turn, by the first thread alone, and the batches behind begin again. So
 * it goes too with what cannot be taken back or seen through a view: printf, malloc and free, textures
 * of memory, a finding, a fault; and a batch whose tape grows too long ends, so that one which waits for
 * another's flag does not wait for ever: it tells each look at it.
 *
 * Which batches turn out right, how long they are and who runs them is chance. What they leave is not.
 *
 * Where batches turn out wrong again and again more and more blocks run in their turn before it is tried
 * anew. While a round runs the first thread pushes what the round before has told.
 */
#include "ptx/blocks.h"

#include "base/memory.h"
#include "base/thread.h"
#include "ptx/view.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MOST_JOBS = 64,
    BATCHES_PER_JOB = 4,
    BATCH_STEPS = 50000,   /* some half a millisecond: a thread starts in a tenth of it */
    TAPE_BYTES = 256 << 20, /* of a round's batches together */
    MOST_FAILURES = 12,    /* doublings of what runs in its turn */
};

struct batch {
    uint64_t from, to; /* blocks */
    struct bsim_ptx_view *view;
    struct bsim_ptx_tape tape[2]; /* by turns: one round's is pushed while the next one runs */
    bool is_right;
};

struct worker {
    struct ahead *ahead;
    pthread_t thread;
    struct bsim_ptx_block *block;
    struct bsim_ptx_findings findings;
    struct bsim_error err; /* of what runs again; nobody sees it */
};

struct ahead {
    struct bsim_ptx_block *own; /* for blocks in their turn */
    struct worker worker[MOST_JOBS];
    uint32_t n_workers, n_threads; /* the first worker is the caller */
    struct batch *batch;
    uint32_t n_batches;
    uint32_t tape; /* which of them */
    struct bsim_ptx_view *changed;
    uint64_t next, n; /* the first block whose turn has not come; blocks */
    uint32_t n_failures;
    uint64_t n_alone; /* batches that run in their turn before the next round */

    _Atomic uint32_t taken; /* batches of the round */
    uint32_t n_used;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t moved;
    uint64_t round;
    uint32_t n_busy; /* threads, in this round */
    bool has_ended;
};

/* ---- a batch --------------------------------------------------------------------------------- */

static void run_batch(struct worker *worker, uint32_t i)
{
    struct ahead *ahead = worker->ahead;
    struct batch *batch = &ahead->batch[i];
    struct bsim_ptx_block *block = worker->block;
    bsim_ptx_view_clear(batch->view);
    block->view = batch->view;
    block->tape = &batch->tape[ahead->tape];
    bsim_ptx_tape_clear(block->tape);
    block->status = BSIM_OK;
    memset(block->found, 0, sizeof block->found);
    bsim_ptx_run_blocks(block, batch->from, batch->to);
    batch->is_right = block->status == BSIM_OK && !block->tape->failed;
}

static void run_batches(struct worker *worker)
{
    struct ahead *ahead = worker->ahead;
    uint32_t i = atomic_fetch_add(&ahead->taken, 1);
    while (i < ahead->n_used) {
        run_batch(worker, i);
        i = atomic_fetch_add(&ahead->taken, 1);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct ahead *ahead = worker->ahead;
    uint64_t round = 0;
    (void)pthread_mutex_lock(&ahead->mutex);
    while (!ahead->has_ended) {
        if (ahead->round == round) {
            (void)pthread_cond_wait(&ahead->moved, &ahead->mutex);
            continue;
        }
        round = ahead->round;
        (void)pthread_mutex_unlock(&ahead->mutex);
        run_batches(worker);
        (void)pthread_mutex_lock(&ahead->mutex);
        if (--ahead->n_busy == 0) {
            (void)pthread_cond_broadcast(&ahead->moved);
        }
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* How many blocks a batch has, by what those before took. */
static uint64_t batch_blocks(const struct ahead *ahead)
{
    uint64_t steps = ahead->own->n_steps;
    for (uint32_t i = 0; i < ahead->n_workers; i++) {
        steps += ahead->worker[i].block->n_steps;
    }
    uint64_t each = ahead->next > 0 ? steps / ahead->next + 1 : BATCH_STEPS;
    uint64_t n = BATCH_STEPS / each, left = (ahead->n - ahead->next) / ahead->n_batches;
    n = n < left ? n : left;
    return n > 0 ? n : 1;
}

static void start_round(struct ahead *ahead)
{
    uint64_t n = batch_blocks(ahead), from = ahead->next;
    (void)pthread_mutex_lock(&ahead->mutex);
    for (ahead->n_used = 0; ahead->n_used < ahead->n_batches && from < ahead->n; ahead->n_used++) {
        struct batch *batch = &ahead->batch[ahead->n_used];
        batch->from = from;
        batch->to = ahead->n - from < n ? ahead->n : from + n;
        from = batch->to;
    }
    atomic_store(&ahead->taken, 0);
    ahead->n_busy = ahead->n_threads;
    ahead->round++;
    (void)pthread_cond_broadcast(&ahead->moved);
    (void)pthread_mutex_unlock(&ahead->mutex);
}

static void wait_for_round(struct ahead *ahead)
{
    run_batches(&ahead->worker[0]);
    (void)pthread_mutex_lock(&ahead->mutex);
    while (ahead->n_busy > 0) {
        (void)pthread_cond_wait(&ahead->moved, &ahead->mutex);
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
}

/* Makes the writes of batches in their order, up to the first that is not right; returns how many. */
static uint32_t commit(struct ahead *ahead)
{
    uint32_t n = 0;
    bool goes_on = true;
    bsim_ptx_view_clear(ahead->changed);
    while (n < ahead->n_used && goes_on) {
        const struct batch *batch = &ahead->batch[n];
        if (!batch->is_right || bsim_ptx_view_is_stale(batch->view, ahead->changed)) {
            break;
        }
        goes_on = bsim_ptx_view_commit(batch->view, ahead->changed);
        n++;
    }
    return n;
}

/* Pushes the first n tapes of a round. */
static void play(struct ahead *ahead, uint32_t tape, uint32_t n)
{
    struct bsim_ptx_block *own = ahead->own;
    for (uint32_t i = 0; i < n && own->status == BSIM_OK; i++) {
        own->status = bsim_ptx_tape_play(&ahead->batch[i].tape[tape], own->stream, own->err);
    }
}

/* Runs so many blocks in their turn. */
static void run_in_turn(struct ahead *ahead, uint64_t n)
{
    uint64_t to = ahead->n - ahead->next < n ? ahead->n : ahead->next + n;
    if (ahead->own->status == BSIM_OK) {
        memset(ahead->own->found, 0, sizeof ahead->own->found);
        bsim_ptx_run_blocks(ahead->own, ahead->next, to);
        ahead->next = to;
    }
}

/* A batch that was not right runs in its turn; then, the more often that was so, others that might not be
 * either. */
static void recover(struct ahead *ahead, const struct batch *batch)
{
    ahead->n_failures += ahead->n_failures < MOST_FAILURES;
    ahead->n_alone = (uint64_t)ahead->n_batches << ahead->n_failures;
    run_in_turn(ahead, batch->to - batch->from);
}

/* All rounds. The tapes of one are pushed while the next one runs. */
static void run_rounds(struct ahead *ahead)
{
    uint32_t n_told = 0; /* tapes of the other kind that are still to be pushed */
    while (ahead->next < ahead->n && ahead->own->status == BSIM_OK) {
        if (ahead->n_alone > 0) {
            ahead->n_alone--;
            run_in_turn(ahead, batch_blocks(ahead));
            continue;
        }
        start_round(ahead);
        play(ahead, !ahead->tape, n_told);
        wait_for_round(ahead);
        n_told = commit(ahead);
        ahead->next = n_told > 0 ? ahead->batch[n_told - 1].to : ahead->next;
        if (n_told == ahead->n_used) {
            ahead->n_failures -= ahead->n_failures > 0;
            ahead->tape = !ahead->tape;
        } else {
            play(ahead, ahead->tape, n_told);
            recover(ahead, &ahead->batch[n_told]);
            n_told = 0;
        }
    }
    play(ahead, !ahead->tape, n_told);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A worker needs its own of what a block changes while it runs. */
static bool hire(struct ahead *ahead, const struct bsim_ptx_launch *launch)
{
    const struct bsim_ptx_block *own = ahead->own;
    struct worker *worker = &ahead->worker[ahead->n_workers++];
    worker->ahead = ahead;
    worker->block = bsim_ptx_block_new(launch, own->program, own->n_blocks, 0);
    if (worker->block == NULL) {
        return false;
    }
    worker->block->stream = own->stream;
    worker->block->err = &worker->err;
    worker->block->most_bytes = TAPE_BYTES / ahead->n_batches;
    if (own->findings != NULL) {
        worker->findings.number = own->findings->number; /* which it only reads */
        worker->findings.written = bsim_mem_zeroed((size_t)own->shared_bytes + 1, 1);
        worker->block->findings = &worker->findings;
    }
    return own->findings == NULL || worker->findings.written != NULL;
}

static bool make_batches(struct ahead *ahead, uint32_t n_jobs)
{
    ahead->n_batches = n_jobs * BATCHES_PER_JOB;
    ahead->changed = bsim_ptx_view_new();
    ahead->batch = bsim_mem_zeroed(ahead->n_batches, sizeof *ahead->batch);
    bool has_memory = ahead->changed != NULL && ahead->batch != NULL;
    for (uint32_t i = 0; i < ahead->n_batches && has_memory; i++) {
        struct batch *batch = &ahead->batch[i];
        batch->view = bsim_ptx_view_new();
        has_memory = batch->view != NULL &&
                     bsim_ptx_tape_open(&batch->tape[0], ahead->own->stream) &&
                     bsim_ptx_tape_open(&batch->tape[1], ahead->own->stream);
    }
    return has_memory;
}

/* Where the system has no more threads, those that are there do the work. */
static void start_threads(struct ahead *ahead)
{
    while (ahead->n_threads + 1 < ahead->n_workers) {
        struct worker *worker = &ahead->worker[ahead->n_threads + 1];
        if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
            return;
        }
        ahead->n_threads++;
    }
}

static void end_threads(struct ahead *ahead)
{
    (void)pthread_mutex_lock(&ahead->mutex);
    ahead->has_ended = true;
    (void)pthread_cond_broadcast(&ahead->moved);
    (void)pthread_mutex_unlock(&ahead->mutex);
    for (uint32_t i = 1; i <= ahead->n_threads; i++) {
        (void)pthread_join(ahead->worker[i].thread, NULL);
    }
}

static void free_ahead(struct ahead *ahead)
{
    for (uint32_t i = 0; i < ahead->n_workers; i++) {
        bsim_ptx_block_free(ahead->worker[i].block);
        bsim_mem_free(ahead->worker[i].findings.written);
    }
    for (uint32_t i = 0; ahead->batch != NULL && i < ahead->n_batches; i++) {
        bsim_ptx_view_free(ahead->batch[i].view);
        bsim_ptx_tape_close(&ahead->batch[i].tape[0]);
        bsim_ptx_tape_close(&ahead->batch[i].tape[1]);
    }
    bsim_ptx_view_free(ahead->changed);
    bsim_mem_free(ahead->batch);
    bsim_mem_free(ahead);
}

/* What is left of the blocks; false, and none has run, when memory is short. */
static bool run_together(const struct bsim_ptx_launch *launch, struct bsim_ptx_block *block,
                         uint64_t next)
{
    struct ahead *ahead = bsim_mem_zeroed(1, sizeof *ahead);
    uint32_t n_jobs = launch->jobs < MOST_JOBS ? launch->jobs : MOST_JOBS;
    bool has_memory = ahead != NULL;
    if (!has_memory) {
        return false;
    }
    ahead->own = block;
    ahead->next = next;
    ahead->n = block->n_blocks;
    has_memory = make_batches(ahead, n_jobs);
    for (uint32_t i = 0; i < n_jobs && has_memory; i++) {
        has_memory = hire(ahead, launch);
    }
    if (has_memory) {
        (void)pthread_mutex_init(&ahead->mutex, NULL);
        (void)pthread_cond_init(&ahead->moved, NULL);
        start_threads(ahead);
        run_rounds(ahead);
        end_threads(ahead);
        (void)pthread_cond_destroy(&ahead->moved);
        (void)pthread_mutex_destroy(&ahead->mutex);
    }
    free_ahead(ahead);
    return has_memory;
}

void bsim_ptx_run_ahead(const struct bsim_ptx_launch *launch, struct bsim_ptx_block *block)
{
    uint64_t next = 0;
    /* A launch that is as short as this is not worth threads; and so it is known what blocks take. */
    while (next < block->n_blocks && block->n_steps < BATCH_STEPS && block->status == BSIM_OK) {
        bsim_ptx_run_blocks(block, next, next + 1);
        next++;
    }
    bool is_long = block->n_blocks - next > 1 && block->status == BSIM_OK;
    if (!is_long || !run_together(launch, block, next)) {
        bsim_ptx_run_blocks(block, next, block->n_blocks);
    }
}
