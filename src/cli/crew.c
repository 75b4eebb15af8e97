/* crew.c - several threads read one trace.
 *
 * The caller's thread cuts the trace into pieces and hands them out in a ring of slots; the workers
 * take them in order, whoever is free; the caller's thread joins them in order. So what is told comes
 * out in the order of the trace, whoever was first:
 *
 *     slots   | joined | done | being read | being read | handed out | free ... |
 *                ^ joined        ^ taken                   ^ cut
 *
 * Memory is bounded by the ring. Threads are started as pieces find nobody free, so that a short
 * trace starts one.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BYTES = 1 << 12,
    USUAL_BYTES = 1 << 18,
    MOST_BYTES = 1 << 22,
    ALL_BYTES = 24 << 20, /* of all slots */
    SLOTS_PER_WORKER = 2,
    MAX_SLOTS = SLOTS_PER_WORKER * MAX_JOBS + 1,
};

struct hand {
    struct gang *gang;
    uint32_t number;
    pthread_t thread;
    struct bsim_sink sink;
    struct bsim_piece_reader *reader;
};

struct gang {
    const struct crew *crew;
    struct bsim_splitter *splitter;
    struct hand hand[MAX_JOBS];
    uint32_t n_hands;
    uint32_t n_slots;
    struct bsim_piece *piece[MAX_SLOTS];
    bool is_done[MAX_SLOTS];
    pthread_mutex_t mutex;
    pthread_cond_t work;         /* a piece was handed out, or the end has come */
    pthread_cond_t done;         /* a piece has been read */
    uint64_t cut, taken, joined; /* pieces, in order */
    uint32_t n_idle;
    bool stops;
};

static void *work(void *argument)
{
    struct hand *hand = argument;
    struct gang *gang = hand->gang;
    (void)pthread_mutex_lock(&gang->mutex);
    for (;;) {
        gang->n_idle++;
        while (gang->taken == gang->cut && !gang->stops) {
            (void)pthread_cond_wait(&gang->work, &gang->mutex);
        }
        gang->n_idle--;
        if (gang->stops) {
            break;
        }
        uint32_t slot = (uint32_t)(gang->taken++ % gang->n_slots);
        (void)pthread_mutex_unlock(&gang->mutex);
        gang->crew->begin(gang->crew->context, hand->number, slot);
        bsim_piece_read(hand->reader, gang->piece[slot]);
        (void)pthread_mutex_lock(&gang->mutex);
        gang->is_done[slot] = true;
        (void)pthread_cond_signal(&gang->done);
    }
    (void)pthread_mutex_unlock(&gang->mutex);
    return NULL;
}

static enum bsim_status no_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
}

/* One more worker. */
static enum bsim_status hire(struct gang *gang, struct bsim_error *err)
{
    struct hand *hand = &gang->hand[gang->n_hands];
    *hand = (struct hand){.gang = gang, .number = gang->n_hands};
    enum bsim_status status = gang->crew->hire(gang->crew->context, hand->number, &hand->sink, err);
    if (status != BSIM_OK) {
        return status;
    }
    hand->reader = bsim_piece_reader_new(gang->splitter, &hand->sink);
    if (hand->reader == NULL) {
        return no_memory(err);
    }
    int error = pthread_create(&hand->thread, NULL, work, hand);
    if (error != 0) {
        bsim_piece_reader_free(hand->reader);
        return bsim_error_set(err, BSIM_E_MEMORY, "cannot start a thread: %s", strerror(error));
    }
    gang->n_hands++;
    return BSIM_OK;
}

/* Somebody must be there for the pieces that nobody has taken, unless all are. */
static enum bsim_status hire_for_work(struct gang *gang, struct bsim_error *err)
{
    (void)pthread_mutex_lock(&gang->mutex);
    bool is_short = gang->cut - gang->taken > gang->n_idle;
    (void)pthread_mutex_unlock(&gang->mutex);
    return is_short && gang->n_hands < gang->crew->n_workers ? hire(gang, err) : BSIM_OK;
}

/* Waits for the oldest piece. */
static enum bsim_status join_one(struct gang *gang, struct bsim_error *err)
{
    uint32_t slot = (uint32_t)(gang->joined % gang->n_slots);
    (void)pthread_mutex_lock(&gang->mutex);
    while (!gang->is_done[slot]) {
        (void)pthread_cond_wait(&gang->done, &gang->mutex);
    }
    (void)pthread_mutex_unlock(&gang->mutex);
    gang->joined++;
    gang->crew->joined(gang->crew->context, slot);
    return bsim_piece_join(gang->splitter, gang->piece[slot], err);
}

static enum bsim_status hand_out(struct gang *gang, bool *found, struct bsim_error *err)
{
    uint32_t slot = (uint32_t)(gang->cut % gang->n_slots);
    if (gang->piece[slot] == NULL) {
        gang->piece[slot] = bsim_piece_new();
    }
    if (gang->piece[slot] == NULL) {
        return no_memory(err);
    }
    enum bsim_status status = bsim_splitter_next(gang->splitter, gang->piece[slot], found, err);
    if (status != BSIM_OK || !*found) {
        return status;
    }
    bool is_open = bsim_piece_is_open(gang->piece[slot]);
    (void)pthread_mutex_lock(&gang->mutex);
    gang->is_done[slot] = false;
    gang->cut++;
    (void)pthread_cond_signal(&gang->work);
    (void)pthread_mutex_unlock(&gang->mutex);
    status = hire_for_work(gang, err);
    while (status == BSIM_OK && gang->joined < gang->cut && is_open) {
        status = join_one(gang, err);
    }
    return status;
}

static enum bsim_status read_all(struct gang *gang, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    bool found = true;
    while (status == BSIM_OK && (found || gang->joined < gang->cut)) {
        bool is_full = gang->cut - gang->joined == gang->n_slots;
        status = found && !is_full ? hand_out(gang, &found, err) : join_one(gang, err);
    }
    return status;
}

/* Sends everybody home. */
static void stop(struct gang *gang)
{
    (void)pthread_mutex_lock(&gang->mutex);
    gang->stops = true;
    (void)pthread_cond_broadcast(&gang->work);
    (void)pthread_mutex_unlock(&gang->mutex);
    for (uint32_t i = 0; i < gang->n_hands; i++) {
        (void)pthread_join(gang->hand[i].thread, NULL);
    }
}

static enum bsim_status run(struct gang *gang, const struct bsim_input *input,
                            struct bsim_error *err)
{
    size_t most = ALL_BYTES / gang->n_slots;
    struct bsim_piece_sizes sizes = {FIRST_BYTES, USUAL_BYTES, MOST_BYTES};
    sizes.most = most < sizes.most ? most : sizes.most;
    sizes.usual = most < sizes.usual ? most : sizes.usual;
    enum bsim_status status =
        bsim_splitter_open(input, &sizes, gang->crew->shard, &gang->splitter, err);
    if (status == BSIM_OK) {
        status = read_all(gang, err);
    }
    stop(gang);
    if (status == BSIM_OK && gang->crew->whole != NULL) {
        *gang->crew->whole = bsim_splitter_whole(gang->splitter);
    }
    for (uint32_t i = 0; i < gang->n_hands && status == BSIM_OK; i++) {
        status = bsim_piece_reader_end(gang->hand[i].reader, err);
    }
    for (uint32_t i = 0; i < gang->n_hands; i++) {
        bsim_piece_reader_free(gang->hand[i].reader);
    }
    for (uint32_t i = 0; i < gang->n_slots; i++) {
        bsim_piece_free(gang->piece[i]);
    }
    bsim_splitter_close(gang->splitter);
    return status;
}

uint32_t bsim_cli_crew_slots(uint32_t n_workers)
{
    return SLOTS_PER_WORKER * n_workers + 1;
}

enum bsim_status bsim_cli_crew_read(const struct crew *crew, const struct bsim_input *input,
                                    struct bsim_error *err)
{
    struct gang *gang = calloc(1, sizeof *gang);
    if (gang == NULL) {
        return no_memory(err);
    }
    gang->crew = crew;
    gang->n_slots = bsim_cli_crew_slots(crew->n_workers);
    (void)pthread_mutex_init(&gang->mutex, NULL);
    (void)pthread_cond_init(&gang->work, NULL);
    (void)pthread_cond_init(&gang->done, NULL);
    enum bsim_status status = run(gang, input, err);
    (void)pthread_cond_destroy(&gang->done);
    (void)pthread_cond_destroy(&gang->work);
    (void)pthread_mutex_destroy(&gang->mutex);
    free(gang);
    return status;
}
