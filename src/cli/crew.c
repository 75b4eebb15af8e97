/* crew.c - several threads read one trace.
 *
 * Whoever has nothing to do cuts the next piece, one at a time, and reads it: so a piece is read by
 * the processor whose cache it was cut in, and nobody only hands out. Pieces wait in a ring of slots
 * until all before them have been joined, by whoever ends the last that was missing. So what is told
 * comes out in the order of the trace, whoever was first:
 *
 *     slots   | joined | done | being read | done | being read | free ... |
 *                ^ joined                                        ^ cut
 *
 * The bytes of a piece lie in memory of its worker's. The caller's thread is the first worker; the others are started as
 * pieces are cut, so that a short trace starts none.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    FIRST_BYTES =
        1 << 15, /* of a text, some 70 microseconds: about what it takes to start a thread */
    USUAL_BYTES = 1 << 18,
    MOST_BYTES = 1 << 22,
    ALL_BYTES = 24 << 20, /* of all workers, and of what is carried over */
    SLOTS_PER_WORKER = 2,
    MAX_SLOTS = SLOTS_PER_WORKER * MAX_JOBS + 1,
};

struct hand {
    struct gang *gang;
    uint32_t number;
    pthread_t thread;
    struct bsim_sink sink;
    struct bsim_piece_reader *reader;
    struct bsim_piece *memory; /* for the bytes of the piece at hand; has them when there is none */
    uint64_t at;               /* the piece at hand */
};

struct gang {
    const struct crew *crew;
    struct hand hand[MAX_JOBS];
    uint32_t n_slots;
    struct bsim_piece *piece[MAX_SLOTS];

    pthread_mutex_t cutting; /* for the splitter and for hiring */
    struct bsim_splitter *splitter;
    uint32_t n_hands;
    uint32_t n_threads; /* of all hands but the first, which is the caller's */
    bool is_full;       /* nobody else can be hired */

    pthread_mutex_t mutex; /* for what follows; may be taken while cutting */
    pthread_cond_t moved;  /* a piece has been joined, or it stops */
    bool is_done[MAX_SLOTS];
    uint64_t cut, joined; /* pieces, in order */
    bool stops;
    enum bsim_status status; /* what it stops with */
    struct bsim_error error;
};

static enum bsim_status no_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
}

/* Stops everybody; the first reason counts. The mutex is held. */
static void stop(struct gang *gang, enum bsim_status status, const struct bsim_error *error)
{
    if (gang->status == BSIM_OK && status != BSIM_OK) {
        gang->status = status;
        gang->error = *error;
    }
    gang->stops = true;
    (void)pthread_cond_broadcast(&gang->moved);
}

static void stop_cutting(struct gang *gang, enum bsim_status status, const struct bsim_error *error)
{
    (void)pthread_mutex_lock(&gang->mutex);
    stop(gang, status, error);
    (void)pthread_mutex_unlock(&gang->mutex);
}

/* Joins what can be joined. The mutex is held. */
static void join(struct gang *gang)
{
    uint64_t before = gang->joined;
    while (gang->joined < gang->cut && gang->status == BSIM_OK) {
        uint32_t slot = (uint32_t)(gang->joined % gang->n_slots);
        if (!gang->is_done[slot]) {
            break;
        }
        struct bsim_error error;
        gang->joined++;
        gang->crew->joined(gang->crew->context, slot);
        enum bsim_status status = bsim_piece_join(gang->splitter, gang->piece[slot], &error);
        if (status != BSIM_OK) {
            stop(gang, status, &error);
        }
    }
    if (gang->joined > before) {
        (void)pthread_cond_broadcast(&gang->moved);
    }
}

/* Waits for a free slot. False if it stops. */
static bool wait_for_slot(struct gang *gang)
{
    (void)pthread_mutex_lock(&gang->mutex);
    while (gang->cut - gang->joined == gang->n_slots && !gang->stops) {
        (void)pthread_cond_wait(&gang->moved, &gang->mutex);
    }
    bool goes_on = !gang->stops;
    (void)pthread_mutex_unlock(&gang->mutex);
    return goes_on;
}

static enum bsim_status cut_into(struct hand *hand, struct bsim_piece **piece, bool *found,
                                 struct bsim_error *err)
{
    *piece = *piece != NULL ? *piece : bsim_piece_new();
    if (*piece == NULL) {
        return no_memory(err);
    }
    bsim_piece_exchange(*piece, hand->memory);
    return bsim_splitter_next(hand->gang->splitter, *piece, found, err);
}

/* Cuts the hand's next piece. False behind the last, and if it stops. */
static bool cut(struct hand *hand)
{
    struct gang *gang = hand->gang;
    struct bsim_error error;
    bool found = false;
    if (!wait_for_slot(gang)) {
        return false;
    }
    hand->at = gang->cut;
    size_t slot = hand->at % gang->n_slots;
    enum bsim_status status = cut_into(hand, &gang->piece[slot], &found, &error);
    if (status != BSIM_OK || !found) {
        stop_cutting(gang, status, &error);
        return false;
    }
    (void)pthread_mutex_lock(&gang->mutex);
    gang->is_done[slot] = false;
    gang->cut++;
    (void)pthread_mutex_unlock(&gang->mutex);
    return true;
}

static void read_piece(struct hand *hand)
{
    struct gang *gang = hand->gang;
    uint32_t slot = (uint32_t)(hand->at % gang->n_slots);
    gang->crew->begin(gang->crew->context, hand->number, slot);
    bsim_piece_read(hand->reader, gang->piece[slot]);
    bsim_piece_exchange(gang->piece[slot], hand->memory);
    (void)pthread_mutex_lock(&gang->mutex);
    gang->is_done[slot] = true;
    join(gang);
    (void)pthread_mutex_unlock(&gang->mutex);
}

static void hire_another(struct gang *gang);

/* Cuts and reads pieces until there are no more. One that is open is read while nobody cuts. */
static void *work(void *argument)
{
    struct hand *hand = argument;
    struct gang *gang = hand->gang;
    bool found = true;
    while (found) {
        (void)pthread_mutex_lock(&gang->cutting);
        found = cut(hand);
        if (found && hand->at > 0) {
            hire_another(gang);
        }
        bool is_open = found && bsim_piece_is_open(gang->piece[hand->at % gang->n_slots]);
        if (is_open) {
            read_piece(hand);
        }
        (void)pthread_mutex_unlock(&gang->cutting);
        if (found && !is_open) {
            read_piece(hand);
        }
    }
    return NULL;
}

/* Makes one more worker, whose thread is not there yet. */
static enum bsim_status hire(struct gang *gang, struct bsim_error *err)
{
    struct hand *hand = &gang->hand[gang->n_hands];
    *hand = (struct hand){.gang = gang, .number = gang->n_hands};
    enum bsim_status status = gang->crew->hire(gang->crew->context, hand->number, &hand->sink, err);
    if (status != BSIM_OK) {
        return status;
    }
    hand->memory = bsim_piece_new();
    hand->reader = bsim_piece_reader_new(gang->splitter, &hand->sink);
    gang->n_hands++;
    return hand->memory != NULL && hand->reader != NULL ? BSIM_OK : no_memory(err);
}

/* One more worker, while there may be some. Where the system has no more threads, those that are
 * there do the work. */
static void hire_another(struct gang *gang)
{
    struct bsim_error error;
    struct hand *hand = &gang->hand[gang->n_hands];
    if (gang->is_full || gang->n_hands == gang->crew->n_workers) {
        bsim_splitter_has_all_readers(gang->splitter);
        return;
    }
    enum bsim_status status = hire(gang, &error);
    if (status != BSIM_OK) {
        stop_cutting(gang, status, &error);
    }
    gang->is_full = status != BSIM_OK || pthread_create(&hand->thread, NULL, work, hand) != 0;
    gang->n_threads += !gang->is_full;
}

/* The readers push what is behind the last piece, and END. */
static enum bsim_status end(struct gang *gang, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (uint32_t i = 0; i < gang->n_hands && status == BSIM_OK; i++) {
        status = bsim_piece_reader_end(gang->hand[i].reader, err);
    }
    if (status == BSIM_OK && gang->crew->content != NULL) {
        *gang->crew->content = bsim_splitter_content(gang->splitter);
    }
    return status;
}

/* The first worker is here; it returns when there is no more to cut, and so do the others. */
static enum bsim_status work_together(struct gang *gang, struct bsim_error *err)
{
    (void)work(&gang->hand[0]);
    for (uint32_t i = 1; i <= gang->n_threads; i++) {
        (void)pthread_join(gang->hand[i].thread, NULL);
    }
    if (gang->status != BSIM_OK && err != NULL) {
        *err = gang->error;
    }
    return gang->status;
}

static enum bsim_status run(struct gang *gang, const struct bsim_input *input,
                            struct bsim_error *err)
{
    size_t most = ALL_BYTES / (gang->crew->n_workers + 1);
    struct bsim_piece_sizes sizes = {FIRST_BYTES, USUAL_BYTES, MOST_BYTES};
    sizes.most = most < sizes.most ? most : sizes.most;
    sizes.usual = most < sizes.usual ? most : sizes.usual;
    enum bsim_status status =
        bsim_splitter_open(input, &sizes, gang->crew->shard, &gang->splitter, err);
    if (status == BSIM_OK) {
        status = hire(gang, err);
    }
    if (status == BSIM_OK) {
        status = work_together(gang, err);
    }
    if (status == BSIM_OK) {
        status = end(gang, err);
    }
    for (uint32_t i = 0; i < gang->n_hands; i++) {
        bsim_piece_reader_free(gang->hand[i].reader);
        bsim_piece_free(gang->hand[i].memory);
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
    (void)pthread_mutex_init(&gang->cutting, NULL);
    (void)pthread_mutex_init(&gang->mutex, NULL);
    (void)pthread_cond_init(&gang->moved, NULL);
    enum bsim_status status = run(gang, input, err);
    (void)pthread_cond_destroy(&gang->moved);
    (void)pthread_mutex_destroy(&gang->mutex);
    (void)pthread_mutex_destroy(&gang->cutting);
    free(gang);
    return status;
}
