/* crew.c - several threads read one trace, each into a simulator and a timer of its own.
 *
 * Whoever has nothing to do cuts the next piece, one at a time, and reads it: so a piece is read by
 * the processor whose cache it was cut in, and nobody only hands out. Pieces wait in a ring of
 * slots until all before them have been joined, by whoever ends the last that was missing. So what
 * is told comes out in the order of the trace, whoever was first:
 *
 *     slots   | joined | done | being read | done | being read | free ... |
 *                ^ joined                                        ^ cut
 *
 * The bytes of a piece lie in memory of its worker's. The caller's thread is the first worker; the
 * others are started as pieces are cut, so that a short trace starts none.
 *
 * A kernel's cycles are given up when all workers together have seen more of its events than it may
 * have; so the workers tell each other, or each would time as many. That only saves time: whether
 * cycles are left out is decided when they are merged.
 */
#define _POSIX_C_SOURCE 200809L

#include "run/crew.h"

#include "event/batch.h"
#include "base/memory.h"
#include "run/lane.h"
#include "base/thread.h"
#include "result/result.h"

#include <stdatomic.h>

enum {
    FIRST_BYTES =
        1 << 15, /* of a text, some 70 microseconds: about what it takes to start a thread */
    USUAL_BYTES = 1 << 18,
    MOST_BYTES = 1 << 22,
    ALL_BYTES = 24 << 20, /* of all workers, and of what is carried over */
    SLOTS_PER_WORKER = 2,
    MAX_SLOTS = SLOTS_PER_WORKER * BSIM_MAX_JOBS + 1,
    TELL_KERNELS = 64,
    EVENTS_PER_TELL = 4096,
};

/* A piece, and what a worker finds in it, told when its turn comes. Each event is counted here: two
 * workers' counts must not share a line of the caches, or each would wait for the other; failed[]
 * keeps them apart. */
struct slot {
    uint64_t events;
    uint32_t n_failed;
    struct bsim_expectation failed[BSIM_RUN_EXPECTATIONS]; /* the first of them */
    struct bsim_piece *piece;
    bool is_done;
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    struct bsim_lane lane;
    struct bsim_sink sink;
    struct bsim_piece_reader *reader;
    struct bsim_piece *memory; /* for the bytes of the piece at hand; has them when there is none */
    uint64_t at;               /* the piece at hand */
    struct slot *slot;         /* and where it is */
    uint64_t n_kernels;        /* so far */
    size_t n_collected;        /* of them, in the crew's sum */
    uint64_t told;             /* of the last one's events, to the others */
};

struct crew {
    struct bsim_running *run;
    uint32_t n_jobs;
    uint32_t n_slots;
    struct worker worker[BSIM_MAX_JOBS];
    struct slot slot[MAX_SLOTS];

    pthread_mutex_t cutting; /* for the splitter and for hiring */
    struct bsim_splitter *splitter;
    uint32_t n_threads; /* of all workers but the first, which is the caller's */
    bool is_full;       /* nobody else can be hired */

    pthread_mutex_t mutex; /* for what follows; may be taken while cutting */
    pthread_cond_t moved;  /* a piece has been joined, or it stops */
    uint32_t n_workers;
    uint64_t cut, joined; /* pieces, in order */
    bool stops;
    enum bsim_status status; /* what it stops with */
    struct bsim_error error;
    uint64_t kernel;           /* the last one that a worker has come to: 1, 2, ... */
    uint64_t events;           /* of it, as far as the workers have told */
    _Atomic uint64_t given_up; /* the last kernel that has too many; read without the mutex */
    struct bsim_result *sum;   /* of kernels that have ended for some worker */
    size_t n_told;             /* kernels in front of the sum's: they have ended for all */
};

/* ---- a worker's lane ------------------------------------------------------------------------- */

/* A block begins: tells the other workers how many events this one has seen, from time to time. */
static void tell_events(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct bsim_timer *timer = worker->lane.timer;
    uint64_t events = bsim_timer_events(timer);
    if (atomic_load_explicit(&crew->given_up, memory_order_relaxed) == worker->n_kernels) {
        bsim_timer_leave_out(timer);
    } else if (events - worker->told >= EVENTS_PER_TELL) {
        (void)pthread_mutex_lock(&crew->mutex);
        if (crew->kernel < worker->n_kernels) {
            crew->kernel = worker->n_kernels;
            crew->events = 0;
        }
        if (crew->kernel == worker->n_kernels) {
            crew->events += events - worker->told;
        }
        uint64_t most = crew->run->options->timing->max_events;
        if (most > 0 && crew->events > most) {
            atomic_store_explicit(&crew->given_up, crew->kernel, memory_order_relaxed);
        }
        (void)pthread_mutex_unlock(&crew->mutex);
        worker->told = events;
    }
}

/* Hands over the kernels that have ended for all workers, many at a time, since the others move up.
 * The mutex is held. */
static enum bsim_status tell_ended(struct crew *crew, struct bsim_error *err)
{
    size_t ended = crew->worker[0].n_collected;
    for (uint32_t i = 1; i < crew->n_workers; i++) {
        size_t its = crew->worker[i].n_collected;
        ended = its < ended ? its : ended;
    }
    size_t n = ended > crew->n_told ? ended - crew->n_told : 0;
    if (n < TELL_KERNELS || n < crew->sum->n_kernels / 2) {
        return BSIM_OK;
    }
    crew->n_told = ended;
    return bsim_running_hand_over(crew->run, crew->sum, n, err);
}

/* Drops kernels of the worker's that have been told: it was hired afterwards, for pieces behind
 * them, and has no blocks there. The mutex is held. */
static enum bsim_status drop_told(const struct worker *worker, struct bsim_result *part,
                                  struct bsim_error *err)
{
    struct bsim_result told = {0};
    size_t n_told = worker->crew->n_told;
    size_t before = n_told > worker->n_collected ? n_told - worker->n_collected : 0;
    size_t n = before < part->n_kernels ? before : part->n_kernels;
    enum bsim_status status = bsim_result_take(part, n, &told, err);
    bsim_result_free(&told);
    return status;
}

/* Puts kernels of the worker's to those of all. */
static enum bsim_status collect(struct worker *worker, struct bsim_result *part,
                                struct bsim_error *err)
{
    struct crew *crew = worker->crew;
    size_t n = part->n_kernels;
    (void)pthread_mutex_lock(&crew->mutex);
    size_t first = worker->n_collected > crew->n_told ? worker->n_collected - crew->n_told : 0;
    enum bsim_status status = drop_told(worker, part, err);
    worker->n_collected += n;
    if (status == BSIM_OK) {
        status = bsim_result_collect(crew->sum, first, part, err);
    }
    if (status == BSIM_OK && crew->run->options->on_kernel != NULL) {
        status = tell_ended(crew, err);
    }
    (void)pthread_mutex_unlock(&crew->mutex);
    return status;
}

/* Puts the kernels that have ended, or with `all` all that there is, to those of all workers:
 * together they have not more kernels than one alone would have. */
static enum bsim_status pass_on(struct worker *worker, bool all, struct bsim_error *err)
{
    struct bsim_result part = {0};
    enum bsim_status status = bsim_lane_result(&worker->lane, all, &part, err);
    if (status == BSIM_OK && (all || part.n_kernels > 0)) {
        status = collect(worker, &part, err);
    }
    bsim_result_free(&part);
    return status;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct worker *worker = context;
    if (record->kind == BSIM_RECORD_KERNEL) {
        worker->n_kernels++;
        worker->told = 0;
    } else if (record->kind == BSIM_RECORD_BLOCK && worker->lane.timer != NULL) {
        tell_events(worker);
    } else if (record->kind == BSIM_RECORD_EVENT) {
        worker->slot->events++;
    }
    enum bsim_status status = bsim_lane_push(&worker->lane, record, err);
    return status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL ? pass_on(worker, false, err)
                                                                   : status;
}

static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    struct worker *worker = context;
    worker->slot->events += batch->n_events;
    return bsim_lane_push_batch(&worker->lane, batch, err);
}

static void on_expectation(void *context, const struct bsim_expectation *failed)
{
    struct slot *slot = ((struct worker *)context)->slot;
    if (slot->n_failed < BSIM_RUN_EXPECTATIONS) {
        slot->failed[slot->n_failed++] = *failed;
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Stops everybody; the first reason counts. The mutex is held. */
static void stop(struct crew *crew, enum bsim_status status, const struct bsim_error *error)
{
    if (crew->status == BSIM_OK && status != BSIM_OK) {
        crew->status = status;
        crew->error = *error;
    }
    crew->stops = true;
    (void)pthread_cond_broadcast(&crew->moved);
}

static void stop_cutting(struct crew *crew, enum bsim_status status, const struct bsim_error *error)
{
    (void)pthread_mutex_lock(&crew->mutex);
    stop(crew, status, error);
    (void)pthread_mutex_unlock(&crew->mutex);
}

/* Tells what was found in a piece whose turn has come. The mutex is held. */
static void tell(struct crew *crew, const struct slot *slot)
{
    bsim_running_count(crew->run, slot->events);
    for (uint32_t i = 0; i < slot->n_failed; i++) {
        bsim_running_failed(crew->run, &slot->failed[i]);
    }
}

/* Joins what can be joined. The mutex is held. */
static void join(struct crew *crew)
{
    uint64_t before = crew->joined;
    while (crew->joined < crew->cut && crew->status == BSIM_OK) {
        struct slot *slot = &crew->slot[crew->joined % crew->n_slots];
        struct bsim_error error;
        if (!slot->is_done) {
            break;
        }
        crew->joined++;
        tell(crew, slot);
        enum bsim_status status = bsim_piece_join(crew->splitter, slot->piece, &error);
        if (status != BSIM_OK) {
            stop(crew, status, &error);
        }
    }
    if (crew->joined > before) {
        (void)pthread_cond_broadcast(&crew->moved);
    }
}

/* Waits for a free slot. False if it stops. */
static bool wait_for_slot(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->mutex);
    while (crew->cut - crew->joined == crew->n_slots && !crew->stops) {
        (void)pthread_cond_wait(&crew->moved, &crew->mutex);
    }
    bool goes_on = !crew->stops;
    (void)pthread_mutex_unlock(&crew->mutex);
    return goes_on;
}

static enum bsim_status cut_into(struct worker *worker, struct bsim_piece **piece, bool *found,
                                 struct bsim_error *err)
{
    *piece = *piece != NULL ? *piece : bsim_piece_new();
    if (*piece == NULL) {
        return bsim_mem_short(err);
    }
    bsim_piece_exchange(*piece, worker->memory);
    return bsim_splitter_next(worker->crew->splitter, *piece, found, err);
}

/* Cuts the worker's next piece. False behind the last, and if it stops. */
static bool cut(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct bsim_error error;
    bool found = false;
    if (!wait_for_slot(crew)) {
        return false;
    }
    worker->at = crew->cut;
    struct slot *slot = worker->slot = &crew->slot[worker->at % crew->n_slots];
    enum bsim_status status = cut_into(worker, &slot->piece, &found, &error);
    if (status != BSIM_OK || !found) {
        stop_cutting(crew, status, &error);
        return false;
    }
    (void)pthread_mutex_lock(&crew->mutex);
    slot->is_done = false;
    slot->events = slot->n_failed = 0;
    crew->cut++;
    (void)pthread_mutex_unlock(&crew->mutex);
    return true;
}

static void read_piece(struct worker *worker)
{
    struct crew *crew = worker->crew;
    bsim_piece_read(worker->reader, worker->slot->piece);
    bsim_piece_exchange(worker->slot->piece, worker->memory);
    (void)pthread_mutex_lock(&crew->mutex);
    worker->slot->is_done = true;
    join(crew);
    (void)pthread_mutex_unlock(&crew->mutex);
}

static void hire_another(struct crew *crew);

/* Cuts and reads pieces until there are no more. One that is open is read while nobody cuts. */
static void *work(void *argument)
{
    struct worker *worker = argument;
    struct crew *crew = worker->crew;
    bool found = true;
    while (found) {
        (void)pthread_mutex_lock(&crew->cutting);
        found = cut(worker);
        if (found && worker->at > 0) {
            hire_another(crew);
        }
        bool is_open = found && bsim_piece_is_open(worker->slot->piece);
        if (is_open) {
            read_piece(worker);
        }
        (void)pthread_mutex_unlock(&crew->cutting);
        if (found && !is_open) {
            read_piece(worker);
        }
    }
    return NULL;
}

/* Makes one more worker, whose thread is not there yet. */
static enum bsim_status hire(struct crew *crew, struct bsim_error *err)
{
    struct worker *worker = &crew->worker[crew->n_workers];
    struct bsim_sim_options sim = {
        .executed = crew->run->executed, .context = worker, .on_expectation = on_expectation};
    *worker = (struct worker){.crew = crew};
    worker->sink = (struct bsim_sink){.push = push, .context = worker, .push_batch = push_batch};
    (void)pthread_mutex_lock(&crew->mutex);
    crew->n_workers++;
    (void)pthread_mutex_unlock(&crew->mutex);
    enum bsim_status status = bsim_lane_open(&worker->lane, crew->run->options, &sim, err);
    if (status == BSIM_OK) {
        worker->memory = bsim_piece_new();
        worker->reader = bsim_piece_reader_new(crew->splitter, &worker->sink);
        status = worker->memory != NULL && worker->reader != NULL ? BSIM_OK : bsim_mem_short(err);
    }
    return status;
}

/* One more worker, while there may be some. Where the system has no more threads, those that are
 * there do the work. */
static void hire_another(struct crew *crew)
{
    struct bsim_error error;
    struct worker *worker = &crew->worker[crew->n_workers];
    if (crew->is_full || crew->n_workers == crew->n_jobs) {
        bsim_splitter_has_all_readers(crew->splitter);
        return;
    }
    enum bsim_status status = hire(crew, &error);
    if (status != BSIM_OK) {
        stop_cutting(crew, status, &error);
    }
    crew->is_full = status != BSIM_OK || pthread_create(&worker->thread, NULL, work, worker) != 0;
    crew->n_threads += !crew->is_full;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The first worker is here; it returns when there is no more to cut, and so do the others. Then the
 * readers push what is behind the last piece, and END. */
static enum bsim_status work_together(struct crew *crew, struct bsim_error *err)
{
    (void)work(&crew->worker[0]);
    for (uint32_t i = 1; i <= crew->n_threads; i++) {
        (void)pthread_join(crew->worker[i].thread, NULL);
    }
    if (crew->status != BSIM_OK && err != NULL) {
        *err = crew->error;
    }
    enum bsim_status status = crew->status;
    for (uint32_t i = 0; i < crew->n_workers && status == BSIM_OK; i++) {
        status = bsim_piece_reader_end(crew->worker[i].reader, err);
    }
    return status;
}

static enum bsim_status read_pieces(struct crew *crew, struct bsim_error *err)
{
    struct bsim_running *run = crew->run;
    size_t most = ALL_BYTES / (crew->n_jobs + 1);
    struct bsim_piece_sizes sizes = {FIRST_BYTES, USUAL_BYTES, MOST_BYTES};
    sizes.most = most < sizes.most ? most : sizes.most;
    sizes.usual = most < sizes.usual ? most : sizes.usual;
    enum bsim_status status = bsim_splitter_open(
        run->source->input, &sizes, run->shard.of > 0 ? &run->shard : NULL, &crew->splitter, err);
    if (status == BSIM_OK) {
        status = hire(crew, err);
    }
    if (status == BSIM_OK) {
        status = work_together(crew, err);
    }
    if (status == BSIM_OK && run->shard.of > 0) {
        run->content = bsim_splitter_content(crew->splitter);
    }
    return status;
}

/* Reads the trace once more, from its beginning, with one simulator. */
static enum bsim_status read_again(const struct bsim_running *run, struct bsim_error *err)
{
    struct bsim_sim_options silent = {.executed = run->executed};
    struct bsim_run_options counts = *run->options;
    struct bsim_lane lane = {0};
    struct bsim_input input = *run->source->input;
    counts.timing = NULL;
    input.remark = NULL;
    enum bsim_status status = bsim_lane_open(&lane, &counts, &silent, err);
    if (status == BSIM_OK) {
        status = bsim_trace_read(&input, &lane.sim_sink, err);
    }
    bsim_lane_close(&lane);
    return status;
}

/* Each worker keeps to the limit of warp instructions, which is one for all of them. If together
 * they are beyond it, or one that was stopped may have been stopped by it (an event has at most
 * 2^45), where a single simulator would have stopped is asked of one, if the input can be read
 * again. */
static enum bsim_status check_executed(const struct crew *crew, enum bsim_status status,
                                       struct bsim_error *err)
{
    const struct bsim_running *run = crew->run;
    const struct bsim_input *input = run->source->input;
    uint64_t n = run->executed;
    for (uint32_t i = 0; i < crew->n_workers; i++) {
        const struct bsim_sim *sim = crew->worker[i].lane.sim;
        n += sim != NULL ? bsim_sim_executed(sim) : 0;
    }
    if (n <= (status == BSIM_OK ? BSIM_MAX_EXECUTED : BSIM_MAX_EXECUTED / 2)) {
        return status;
    }
    bool restarts = input->restart != NULL && input->restart(input->context);
    enum bsim_status found = restarts ? read_again(run, err) : BSIM_OK;
    if (found == BSIM_OK && status == BSIM_OK) {
        found = bsim_error_set(err, BSIM_E_INPUT, "more than 2^47 warp instructions in all");
        bsim_error_place(err, input->name, 0, 0, NULL, 0);
    }
    return found != BSIM_OK ? found : status;
}

/* The trace has failed: keeps the kernels that had ended for all workers. Whoever failed has come to
 * the fewest, and all that stands before its piece has been read. */
static void keep_ended(struct crew *crew)
{
    struct bsim_result kept = {0};
    enum bsim_status status = BSIM_OK;
    size_t ended = SIZE_MAX;
    for (uint32_t i = 0; i < crew->n_workers && status == BSIM_OK; i++) {
        struct worker *worker = &crew->worker[i];
        status = worker->reader != NULL ? bsim_piece_reader_catch_up(worker->reader, NULL)
                                        : BSIM_E_MEMORY;
        ended = worker->n_collected < ended ? worker->n_collected : ended;
    }
    size_t n = status == BSIM_OK && ended > crew->n_told ? ended - crew->n_told : 0;
    n = n < crew->sum->n_kernels ? n : crew->sum->n_kernels;
    if (bsim_result_take(crew->sum, n, &kept, NULL) != BSIM_OK) {
        return;
    }
    bsim_result_free(crew->sum);
    *crew->sum = kept;
}

static void close_crew(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->n_workers; i++) {
        bsim_piece_reader_free(crew->worker[i].reader);
        bsim_piece_free(crew->worker[i].memory);
        bsim_lane_close(&crew->worker[i].lane);
    }
    for (uint32_t i = 0; i < crew->n_slots; i++) {
        bsim_piece_free(crew->slot[i].piece);
    }
    bsim_splitter_close(crew->splitter);
    (void)pthread_cond_destroy(&crew->moved);
    (void)pthread_mutex_destroy(&crew->mutex);
    (void)pthread_mutex_destroy(&crew->cutting);
    bsim_mem_free(crew);
}

enum bsim_status bsim_crew_read(struct bsim_running *run, struct bsim_result *sum,
                                struct bsim_error *err)
{
    struct crew *crew = bsim_mem_zeroed(1, sizeof *crew);
    if (crew == NULL) {
        return bsim_mem_short(err);
    }
    crew->run = run;
    crew->sum = sum;
    crew->n_jobs = run->options->jobs < BSIM_MAX_JOBS ? run->options->jobs : BSIM_MAX_JOBS;
    crew->n_jobs = crew->n_jobs > 0 ? crew->n_jobs : 1;
    crew->n_slots = SLOTS_PER_WORKER * crew->n_jobs + 1;
    (void)pthread_mutex_init(&crew->cutting, NULL);
    (void)pthread_mutex_init(&crew->mutex, NULL);
    (void)pthread_cond_init(&crew->moved, NULL);
    enum bsim_status status = read_pieces(crew, err);
    status = check_executed(crew, status, err);
    for (uint32_t i = 0; i < crew->n_workers && status == BSIM_OK; i++) {
        status = pass_on(&crew->worker[i], true, err);
    }
    if (status != BSIM_OK && run->options->keeps_ended) {
        keep_ended(crew);
    }
    close_crew(crew);
    return status;
}
