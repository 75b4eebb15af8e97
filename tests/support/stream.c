/* stream.c - hand-made streams; see stream.h. */
#include "stream.h"

#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

bool stream_simulate(struct stream *stream, const struct bsim_sim_options *options)
{
    static const struct bsim_sim_options none = {.device = NULL};
    memset(stream, 0, sizeof *stream);
    stream->sim = bsim_sim_new(options != NULL ? options : &none);
    if (stream->sim == NULL) {
        return false;
    }
    stream->sink = bsim_sim_sink(stream->sim);
    return true;
}

static enum bsim_status push(struct stream *stream, struct bsim_record record)
{
    record.line = ++stream->line;
    return stream->sink.push(stream->sink.context, &record, &stream->err);
}

/* A spelling that is not one is a mistake of the test. */
static struct bsim_opcode opcode_of(const char *spelling)
{
    struct bsim_opcode opcode = {.family = BSIM_WORK};
    if (strcmp(spelling, "work") != 0 &&
        bsim_opcode_parse(spelling, strlen(spelling), &opcode, NULL) != BSIM_OK) {
        abort();
    }
    return opcode;
}

enum bsim_status stream_kernel(struct stream *stream, const char *name, uint32_t threads,
                               const char *device)
{
    stream->kernel =
        (struct bsim_kernel){.name = name,
                             .grid = {stream->n_blocks > 0 ? stream->n_blocks : 1, 1, 1},
                             .block = {threads, 1, 1},
                             .device = device,
                             .extras = ""};
    stream->n_sites = 0;
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &stream->kernel};
    return push(stream, record);
}

enum bsim_status stream_site(struct stream *stream, uint32_t number, const char *opcode,
                             const char *file, uint32_t line, const char *text)
{
    struct bsim_site *site = &stream->site[stream->n_sites];
    *site = (struct bsim_site){number, stream->n_sites++, opcode_of(opcode), file, line, text};
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    return push(stream, record);
}

enum bsim_status stream_block(struct stream *stream, uint32_t x)
{
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK, .u.block = {x, 0, 0}};
    return push(stream, record);
}

enum bsim_status stream_repeat(struct stream *stream, uint32_t turns)
{
    struct bsim_record record = {.kind = BSIM_RECORD_REPEAT, .u.repeat = {turns, 0, 0}};
    return push(stream, record);
}

enum bsim_status stream_done(struct stream *stream)
{
    struct bsim_record record = {.kind = BSIM_RECORD_DONE};
    return push(stream, record);
}

enum bsim_status stream_end(struct stream *stream)
{
    struct bsim_record record = {.kind = BSIM_RECORD_END};
    return push(stream, record);
}

struct bsim_event stream_event(const char *opcode, uint32_t mask, uint64_t base, int64_t stride)
{
    struct bsim_opcode taken_apart = opcode_of(opcode);
    struct bsim_event event;
    bsim_event_init(&event, &taken_apart);
    event.mask = mask;
    event.affine = true;
    event.base = base;
    event.stride = stride;
    event.work_count = 1;
    return event;
}

enum bsim_status stream_push(struct stream *stream, uint32_t warp, struct bsim_event event)
{
    event.warp = warp;
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    return push(stream, record);
}

enum bsim_status stream_access(struct stream *stream, uint32_t warp, const char *opcode,
                               uint64_t base, int64_t stride)
{
    return stream_push(stream, warp, stream_event(opcode, BSIM_FULL_MASK, base, stride));
}

enum bsim_status stream_at_site(struct stream *stream, uint32_t warp, uint32_t index, uint64_t base,
                                int64_t stride)
{
    struct bsim_event event = stream_event("work", BSIM_FULL_MASK, base, stride);
    event.site = &stream->site[index];
    event.opcode = event.site->opcode;
    return stream_push(stream, warp, event);
}

enum bsim_status stream_finish(struct stream *stream, struct bsim_result *result)
{
    enum bsim_status status = stream_end(stream);
    if (status == BSIM_OK) {
        status = bsim_sim_result(stream->sim, result, &stream->err);
    }
    stream_drop(stream);
    return status;
}

void stream_drop(struct stream *stream)
{
    bsim_sim_free(stream->sim);
    stream->sim = NULL;
}
