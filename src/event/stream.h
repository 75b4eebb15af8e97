/* stream.h - how far a stream of records has come, and what may come next: event.h's contract,
 * checked here for every sink.
 *
 *     KERNEL SITE* BLOCK EVENT* REPEAT EVENT* DONE ... BLOCK ... KERNEL ... END
 *
 * A sink asks before it takes a record and says afterwards how that went, so that while it takes
 * one the stream still stands in front of it:
 *
 *     enum bsim_status status = bsim_stream_check(&sink->stream, record, err);
 *     status = status == BSIM_OK ? take(sink, record, err) : status;
 *     return bsim_stream_pass(&sink->stream, record, status);
 */
#ifndef BSIM_EVENT_STREAM_H
#define BSIM_EVENT_STREAM_H

#include <banksim/event.h>

/* The trace format's limit. */
#define BSIM_TRIPS_MAX (UINT64_C(1) << 40)

/* All zeroes is its start. */
struct bsim_stream {
    const struct bsim_kernel *kernel; /* the running one, the source's; NULL: none has begun */
    struct bsim_dim3 block;           /* the running one's place */
    uint32_t n_threads, n_warps;      /* of each block */
    uint32_t n_sites;                 /* of the kernel so far */
    uint32_t depth;                   /* of repeats */
    uint64_t trips[BSIM_REPEAT_MAX_DEPTH + 1]; /* trips[d]: product of the d outermost repeats */
    bool repeats_another;                      /* the kernel, and has nothing of its own */
    bool in_block;
    bool has_ended; /* and nothing was refused */
    bool is_closed; /* it has ended, or a record was refused: nothing may follow */
};

/* Whether a record of that kind may stand where the stream stands, whatever is in it. */
bool bsim_stream_may(const struct bsim_stream *stream, enum bsim_record_kind kind);

/* Whether the trips of one more repeat multiply with those around it to 1 to BSIM_TRIPS_MAX. */
bool bsim_stream_may_trip(const struct bsim_stream *stream, uint64_t trips);

/* Any record; see below. */
enum bsim_status bsim_stream_check_any(const struct bsim_stream *stream,
                                       const struct bsim_record *record, struct bsim_error *err);
enum bsim_status bsim_stream_pass_any(struct bsim_stream *stream, const struct bsim_record *record,
                                      enum bsim_status status);

static inline bool bsim_stream_allows(const struct bsim_stream *stream,
                                      const struct bsim_event *event)
{
    const struct bsim_site *site = event->site;
    return stream->in_block && !stream->is_closed &&
           (event->warp == BSIM_ALL_WARPS || event->warp < stream->n_warps) &&
           (stream->depth == 0 || !bsim_opcode_meets(&event->opcode)) &&
           (!bsim_opcode_is_async(&event->opcode) ||
            (event->async != NULL && (stream->depth == 0 || event->async->arrives == 0))) &&
           (site == NULL ||
            (site->index < stream->n_sites && bsim_opcode_same(&site->opcode, &event->opcode)));
}

/* BSIM_E_USAGE for a record out of order: a mistake of the source, whatever it reads. */
static inline enum bsim_status bsim_stream_check(const struct bsim_stream *stream,
                                                 const struct bsim_record *record,
                                                 struct bsim_error *err)
{
    return record->kind == BSIM_RECORD_EVENT && bsim_stream_allows(stream, record->u.event)
               ? BSIM_OK
               : bsim_stream_check_any(stream, record, err);
}

/* The sink took the record, or refused it with that status, which it returns. */
static inline enum bsim_status bsim_stream_pass(struct bsim_stream *stream,
                                                const struct bsim_record *record,
                                                enum bsim_status status)
{
    return record->kind == BSIM_RECORD_EVENT && status == BSIM_OK
               ? BSIM_OK
               : bsim_stream_pass_any(stream, record, status);
}

/* An event of a batch that bsim_stream_allows does not. */
enum bsim_status bsim_stream_refuse_event(struct bsim_error *err);

#endif
