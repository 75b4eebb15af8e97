/* stream.c - the order of records; see stream.h. */
#include "event/stream.h"

static enum bsim_status out_of_order(struct bsim_error *err, const char *what)
{
    return bsim_error_set(err, BSIM_E_USAGE, "%s is out of order in the event stream", what);
}

enum bsim_status bsim_stream_refuse_event(struct bsim_error *err)
{
    return out_of_order(err, "an event, its warp or its site");
}

/* 0: too many, or none. */
static uint32_t count_threads(struct bsim_dim3 block)
{
    uint64_t area = (uint64_t)block.x * block.y;
    uint64_t n = area > BSIM_BLOCK_MAX_THREADS ? 0 : area * block.z;
    return n > BSIM_BLOCK_MAX_THREADS ? 0 : (uint32_t)n;
}

bool bsim_stream_may(const struct bsim_stream *stream, enum bsim_record_kind kind)
{
    bool has_kernel = stream->kernel != NULL && !stream->repeats_another;
    if (stream->is_closed) {
        return false;
    }
    switch (kind) {
    case BSIM_RECORD_KERNEL:
    case BSIM_RECORD_END:
        return stream->depth == 0;
    case BSIM_RECORD_SITE:
        return has_kernel;
    case BSIM_RECORD_BLOCK:
        return has_kernel && stream->depth == 0;
    case BSIM_RECORD_EVENT:
        return stream->in_block;
    case BSIM_RECORD_REPEAT:
        return stream->in_block && stream->depth < BSIM_REPEAT_MAX_DEPTH;
    case BSIM_RECORD_DONE:
        return stream->depth > 0;
    }
    return false;
}

bool bsim_stream_may_trip(const struct bsim_stream *stream, uint64_t trips)
{
    return trips > 0 && stream->trips[stream->depth] <= BSIM_TRIPS_MAX / trips;
}

/* A record that may stand here, as far as its kind goes. */
static enum bsim_status check_values(const struct bsim_stream *stream,
                                     const struct bsim_record *record, struct bsim_error *err)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return count_threads(record->u.kernel->block) > 0
                   ? BSIM_OK
                   : bsim_error_set(err, BSIM_E_USAGE, "a block has 1 to %d threads",
                                    BSIM_BLOCK_MAX_THREADS);
    case BSIM_RECORD_SITE:
        return record->u.site->index == stream->n_sites ? BSIM_OK : out_of_order(err, "a site");
    case BSIM_RECORD_EVENT:
        return bsim_stream_allows(stream, record->u.event) ? BSIM_OK
                                                           : bsim_stream_refuse_event(err);
    case BSIM_RECORD_REPEAT:
        return bsim_stream_may_trip(stream, record->u.repeat.trips)
                   ? BSIM_OK
                   : bsim_error_set(err, BSIM_E_USAGE, "repeats multiply to 1 to 2^40 turns");
    default:
        return BSIM_OK;
    }
}

enum bsim_status bsim_stream_check_any(const struct bsim_stream *stream,
                                       const struct bsim_record *record, struct bsim_error *err)
{
    static const char *const name[] = {
        [BSIM_RECORD_KERNEL] = "a kernel", [BSIM_RECORD_SITE] = "a site",
        [BSIM_RECORD_BLOCK] = "a block",   [BSIM_RECORD_EVENT] = "an event, its warp or its site",
        [BSIM_RECORD_REPEAT] = "a repeat", [BSIM_RECORD_DONE] = "done",
        [BSIM_RECORD_END] = "the end",
    };
    if (bsim_stream_may(stream, record->kind)) {
        return check_values(stream, record, err);
    }
    if (stream->is_closed) {
        return out_of_order(err, "a record after the end or after a refused one");
    }
    bool is_known = (unsigned)record->kind <= BSIM_RECORD_END;
    return out_of_order(err, is_known ? name[record->kind] : "an unknown record");
}

static void start_kernel(struct bsim_stream *stream, const struct bsim_kernel *kernel)
{
    stream->kernel = kernel;
    stream->n_threads = count_threads(kernel->block);
    stream->n_warps = (stream->n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    stream->n_sites = 0;
    stream->repeats_another = kernel->again > 0;
    stream->in_block = false;
}

enum bsim_status bsim_stream_pass_any(struct bsim_stream *stream, const struct bsim_record *record,
                                      enum bsim_status status)
{
    if (status != BSIM_OK) {
        stream->is_closed = true;
        stream->has_ended = false;
        return status;
    }
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        start_kernel(stream, record->u.kernel);
        break;
    case BSIM_RECORD_SITE:
        stream->n_sites++;
        break;
    case BSIM_RECORD_BLOCK:
        stream->block = record->u.block;
        stream->in_block = true;
        stream->trips[0] = 1;
        break;
    case BSIM_RECORD_REPEAT:
        stream->trips[stream->depth + 1] = stream->trips[stream->depth] * record->u.repeat.trips;
        stream->depth++;
        break;
    case BSIM_RECORD_DONE:
        stream->depth--;
        break;
    case BSIM_RECORD_EVENT:
        break;
    case BSIM_RECORD_END:
        stream->has_ended = stream->is_closed = true;
        break;
    }
    return BSIM_OK;
}
