/* tape.c - see tape.h. */
#include "ptx/tape.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#include "base/memory.h"
#include "ptx/machine.h"

#include <string.h>

enum mark_kind { MARK_BLOCK, MARK_SITE, MARK_EVENT, MARK_FOUND };

struct bsim_ptx_mark {
    enum mark_kind kind;
    uint32_t n_events; /* in front of it */
    size_t at;         /* units in front of it */
    union {
        struct bsim_dim3 block;
        uint32_t site;            /* number */
        struct bsim_event *event; /* its own */
        struct {
            uint32_t number, n;
        } found;
    } u;
};

/* ---- the stream ------------------------------------------------------------------------------ */

bool bsim_ptx_stream_open(struct bsim_ptx_stream *stream, const struct bsim_ptx_program *program,
                          const struct bsim_sink *sink)
{
    uint32_t n = program->n_sites;
    *stream = (struct bsim_ptx_stream){.sink = sink, .n_sites = n};
    stream->site = bsim_mem_resize(NULL, (size_t)n + 1, sizeof *stream->site);
    stream->instr = bsim_mem_resize(NULL, (size_t)n + 1, sizeof *stream->instr);
    if (stream->site == NULL || stream->instr == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        stream->site[i] = program->site[i];
        stream->site[i].index = BSIM_PTX_NOWHERE;
        stream->instr[i] = (struct bsim_instr){stream->site[i].opcode, &stream->site[i]};
    }
    stream->instr[n] = (struct bsim_instr){.opcode = {.family = BSIM_BAR}};
    return true;
}

void bsim_ptx_stream_close(struct bsim_ptx_stream *stream)
{
    bsim_mem_free(stream->site);
    bsim_mem_free(stream->instr);
}

/* ---- the tape -------------------------------------------------------------------------------- */

bool bsim_ptx_tape_open(struct bsim_ptx_tape *tape, const struct bsim_ptx_stream *stream)
{
    tape->stream = stream;
    tape->has_site = bsim_mem_zeroed((size_t)stream->n_sites + 1, 1);
    return tape->has_site != NULL;
}

void bsim_ptx_tape_clear(struct bsim_ptx_tape *tape)
{
    for (size_t i = 0; i < tape->n_marks; i++) {
        if (tape->mark[i].kind == MARK_EVENT) {
            bsim_mem_free(tape->mark[i].u.event);
        }
    }
    tape->n = tape->n_marks = 0;
    tape->n_events = 0;
    tape->failed = false;
    if (tape->has_site != NULL) {
        memset(tape->has_site, 0, tape->stream->n_sites);
    }
}

size_t bsim_ptx_tape_bytes(const struct bsim_ptx_tape *tape)
{
    return tape->n * sizeof *tape->unit + tape->n_marks * sizeof *tape->mark;
}

void bsim_ptx_tape_close(struct bsim_ptx_tape *tape)
{
    bsim_ptx_tape_clear(tape);
    bsim_mem_free(tape->unit);
    bsim_mem_free(tape->mark);
    bsim_mem_free(tape->has_site);
}

/* Twice the room of an array, at least for `more`; NULL when memory is short. */
static void *widen(struct bsim_ptx_tape *tape, void *array, size_t *room, size_t more, size_t each)
{
    size_t wanted = 2 * *room + more;
    void *grown = bsim_mem_resize(array, wanted, each);
    tape->failed = tape->failed || grown == NULL;
    *room = grown != NULL ? wanted : *room;
    return grown;
}

static struct bsim_ptx_mark *add_mark(struct bsim_ptx_tape *tape, enum mark_kind kind)
{
    if (tape->n_marks == tape->mark_room) {
        void *grown = widen(tape, tape->mark, &tape->mark_room, 64, sizeof *tape->mark);
        if (grown == NULL) {
            return NULL;
        }
        tape->mark = grown;
    }
    struct bsim_ptx_mark *mark = &tape->mark[tape->n_marks++];
    *mark = (struct bsim_ptx_mark){.kind = kind, .n_events = tape->n_events, .at = tape->n};
    return mark;
}

void bsim_ptx_tape_block(struct bsim_ptx_tape *tape, struct bsim_dim3 place)
{
    struct bsim_ptx_mark *mark = add_mark(tape, MARK_BLOCK);
    if (mark != NULL) {
        mark->u.block = place;
    }
}

static void add_site(struct bsim_ptx_tape *tape, uint32_t number)
{
    struct bsim_ptx_mark *mark = add_mark(tape, MARK_SITE);
    if (mark != NULL) {
        mark->u.site = number;
        tape->has_site[number - 1] = 1;
    }
}

/* An event that does not fit, with where it copies from, and what no lane has a part in. */
struct whole {
    struct bsim_event event;
    struct bsim_from from;
    struct bsim_async async;
};

static void add_whole(struct bsim_ptx_tape *tape, const struct bsim_event *event)
{
    struct whole *copy = bsim_mem_resize(NULL, 1, sizeof *copy);
    struct bsim_ptx_mark *mark = copy != NULL ? add_mark(tape, MARK_EVENT) : NULL;
    tape->failed = tape->failed || copy == NULL;
    if (mark == NULL) {
        bsim_mem_free(copy);
        return;
    }
    copy->event = *event;
    if (event->from != NULL) {
        copy->from = *event->from;
        copy->event.from = &copy->from;
    }
    if (event->async != NULL) {
        copy->async = *event->async;
        copy->event.async = &copy->async;
    }
    mark->u.event = &copy->event; /* the first member: freed as the whole */
}

void bsim_ptx_tape_found(struct bsim_ptx_tape *tape, uint32_t number)
{
    struct bsim_ptx_mark *last = tape->n_marks > 0 ? &tape->mark[tape->n_marks - 1] : NULL;
    if (last == NULL || last->kind != MARK_FOUND || last->u.found.number != number ||
        last->u.found.n == UINT32_MAX) {
        last = add_mark(tape, MARK_FOUND);
    }
    if (last != NULL) {
        last->u.found.number = number;
        last->u.found.n++;
    }
}

/* ---- packing --------------------------------------------------------------------------------- */

enum { MOST_UNITS = 2 + BSIM_WARP_LANES / 4 }; /* a wait, an event, its addresses */

/* Of all lanes, which differ in the lower 32 bits alone; false if they do not. */
static bool pack_full_list(const uint64_t address[BSIM_WARP_LANES], struct bsim_packed *packed)
{
    uint32_t *more = (uint32_t *)(void *)(packed + 1);
    uint64_t upper = 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        more[l] = (uint32_t)address[l];
        upper |= address[l] ^ address[0];
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        least = more[l] < least ? more[l] : least;
    }
    uint32_t base = address[0] <= UINT32_MAX ? 0 : least & ~UINT32_C(15);
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        more[l] -= base;
    }
    packed->form = BSIM_PACKED_LIST;
    packed->at.base = base | (address[0] & ~(uint64_t)UINT32_MAX);
    return upper <= UINT32_MAX;
}

/* The active lanes' offsets from a base, lowest lane first, as the binary trace has them. False if
 * they are too far apart. */
static bool pack_list(const struct bsim_event *event, uint32_t lanes, struct bsim_packed *packed,
                      uint32_t *n_more)
{
    uint32_t *more = (uint32_t *)(void *)(packed + 1);
    uint64_t least = UINT64_MAX, highest = 0;
    if (lanes == BSIM_FULL_MASK && pack_full_list(event->address, packed)) {
        *n_more = BSIM_WARP_LANES;
        return true;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (lanes >> l & 1) {
            least = event->address[l] < least ? event->address[l] : least;
            highest = event->address[l] > highest ? event->address[l] : highest;
        }
    }
    uint64_t base = highest <= UINT32_MAX ? 0 : least & ~UINT64_C(15);
    uint32_t n = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        more[n] = (uint32_t)(event->address[l] - base);
        n += lanes >> l & 1;
    }
    memset(more + n, 0, (4 - n % 4) % 4 * sizeof *more);
    packed->form = BSIM_PACKED_LIST;
    packed->at.base = base;
    *n_more = n;
    return highest - base <= UINT32_MAX;
}

static uint32_t pack_line(uint64_t base, int64_t stride, struct bsim_packed *packed)
{
    uint32_t *more = (uint32_t *)(void *)(packed + 1);
    if (base <= UINT32_MAX && stride >= INT32_MIN && stride <= INT32_MAX) {
        packed->form = BSIM_PACKED_STEP;
        packed->at.step.base = (uint32_t)base;
        packed->at.step.stride = (int32_t)stride;
        return 0;
    }
    packed->form = BSIM_PACKED_WIDE_STEP;
    packed->at.base = base;
    more[0] = (uint32_t)(uint64_t)stride;
    more[1] = (uint32_t)((uint64_t)stride >> 32);
    more[2] = more[3] = 0;
    return 2;
}

/* False if the event does not fit. */
static bool pack(const struct bsim_event *event, struct bsim_packed *packed, uint32_t *n_more)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    packed->at.base = 0;
    *n_more = 0;
    if (event->from != NULL || event->async != NULL) {
        return false;
    }
    if (bsim_pack_work(event, packed)) {
        return true;
    }
    if (lanes == 0) {
        packed->form = BSIM_PACKED_PLAIN;
    } else if (event->affine) {
        *n_more = pack_line(event->base, event->stride, packed);
    } else {
        return pack_list(event, lanes, packed, n_more);
    }
    return true;
}

static bool has_room(struct bsim_ptx_tape *tape)
{
    if (tape->room - tape->n >= MOST_UNITS) {
        return true;
    }
    void *grown = widen(tape, tape->unit, &tape->room, 256, sizeof *tape->unit);
    tape->unit = grown != NULL ? grown : tape->unit;
    return grown != NULL;
}

/* An event at the site begins: its first unit behind the wait's, or NULL when memory is short. */
static inline struct bsim_packed *begin(struct bsim_ptx_tape *tape, const struct bsim_event *event,
                                        uint32_t number)
{
    uint32_t instr = number > 0 ? number - 1 : tape->stream->n_sites;
    if (number > 0 && !tape->has_site[number - 1]) {
        add_site(tape, number);
    }
    if (!has_room(tape)) {
        return NULL;
    }
    struct bsim_packed *packed = tape->unit + tape->n;
    if (event->wait != BSIM_ANY_COUNT) {
        *packed++ = (struct bsim_packed){
            .form = BSIM_PACKED_WAIT, .mask = (uint32_t)event->wait, .at.base = UINT64_MAX};
    }
    packed->warp = (uint8_t)event->warp;
    packed->instr = (uint16_t)instr;
    packed->mask = event->mask;
    return packed;
}

static inline void end(struct bsim_ptx_tape *tape, const struct bsim_packed *packed,
                       uint32_t n_more)
{
    tape->n = (size_t)(bsim_packed_next(packed, n_more) - tape->unit);
    tape->n_events++;
}

void bsim_ptx_tape_event(struct bsim_ptx_tape *tape, const struct bsim_event *event,
                         uint32_t number)
{
    uint32_t n_more = 0;
    struct bsim_packed *packed = begin(tape, event, number);
    if (packed == NULL) {
        return;
    }
    if (tape->stream->n_sites <= UINT16_MAX && pack(event, packed, &n_more)) {
        end(tape, packed, n_more);
    } else {
        add_whole(tape, event);
    }
}

/* ---- playing --------------------------------------------------------------------------------- */

/* A tape that is played. */
struct playing {
    struct bsim_ptx_tape *tape;
    struct bsim_ptx_stream *stream;
    size_t at; /* units */
    uint32_t n_events;
};

static enum bsim_status push(const struct playing *playing, const struct bsim_record *record,
                             struct bsim_error *err)
{
    const struct bsim_sink *sink = playing->stream->sink;
    return sink->push(sink->context, record, err);
}

/* The events in front of the unit, of which all tape has so many. */
static enum bsim_status push_events(struct playing *playing, size_t to, uint32_t n_events,
                                    struct bsim_error *err)
{
    struct bsim_ptx_stream *stream = playing->stream;
    if (playing->at == to) {
        return BSIM_OK; /* an empty tape has no units to point at */
    }
    struct bsim_batch batch = {.next = playing->tape->unit + playing->at,
                               .end = playing->tape->unit + to,
                               .n_events = n_events - playing->n_events,
                               .instr = stream->instr,
                               .n_instrs = stream->n_sites + 1};
    playing->at = to;
    playing->n_events = n_events;
    return bsim_sink_push_batch(stream->sink, &batch, err);
}

/* Another tape may have had the site. */
static enum bsim_status push_site(const struct playing *playing, uint32_t number,
                                  struct bsim_error *err)
{
    struct bsim_site *site = &playing->stream->site[number - 1];
    if (site->index != BSIM_PTX_NOWHERE) {
        return BSIM_OK;
    }
    site->index = playing->stream->n_pushed++;
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    return push(playing, &record, err);
}

static enum bsim_status push_mark(const struct playing *playing, const struct bsim_ptx_mark *mark,
                                  struct bsim_error *err)
{
    if (mark->kind == MARK_SITE) {
        return push_site(playing, mark->u.site, err);
    }
    if (mark->kind == MARK_FOUND) {
        bsim_ptx_findings_count(playing->stream->findings, mark->u.found.number, mark->u.found.n);
        return BSIM_OK;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK, .u.block = mark->u.block};
    if (mark->kind == MARK_EVENT) {
        record.kind = BSIM_RECORD_EVENT;
        record.u.event = mark->u.event;
    }
    return push(playing, &record, err);
}

enum bsim_status bsim_ptx_tape_play(struct bsim_ptx_tape *tape, struct bsim_ptx_stream *stream,
                                    struct bsim_error *err)
{
    struct playing playing = {.tape = tape, .stream = stream};
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < tape->n_marks && status == BSIM_OK; i++) {
        const struct bsim_ptx_mark *mark = &tape->mark[i];
        status = push_events(&playing, mark->at, mark->n_events, err);
        status = status == BSIM_OK ? push_mark(&playing, mark, err) : status;
    }
    if (status == BSIM_OK) {
        status = push_events(&playing, tape->n, tape->n_events, err);
    }
    if (status == BSIM_OK && tape->failed) {
        status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    bsim_ptx_tape_clear(tape);
    return status;
}
