/* batch.c - events in short form taken off, one by one. */
#include "event/batch.h"

#include <string.h>

/* The addresses of a list, whose lanes they are. Returns their number. */
static uint32_t pop_list(const struct bsim_packed *packed, uint32_t lanes, struct bsim_event *event)
{
    const uint32_t *offset = bsim_packed_more(packed);
    uint64_t base = packed->at.base;
    if (lanes == BSIM_FULL_MASK) {
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            event->address[lane] = base + offset[lane];
        }
        return BSIM_WARP_LANES;
    }
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            event->address[lane] = base + offset[n++];
        }
    }
    return n;
}

static void pack_groups(const struct bsim_event *event, struct bsim_packed *packed)
{
    bool waits = event->opcode.family == BSIM_COPIES_WAIT, for_all = event->groups == BSIM_ALL_COPIES;
    packed->instr = !waits ? BSIM_PACKED_COMMIT : for_all ? BSIM_PACKED_WAIT_ALL : BSIM_PACKED_WAIT_GROUP;
    packed->mask = packed->instr == BSIM_PACKED_WAIT_GROUP ? event->groups : 0;
    packed->at.base = 0;
}

static uint16_t pack_meeting(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_ARRIVE  ? BSIM_PACKED_ARRIVE
           : opcode->family == BSIM_AWAIT ? BSIM_PACKED_AWAIT
                                          : BSIM_PACKED_COPIES_ARRIVE;
}

_Static_assert((int)BSIM_PACKED_COMMIT == 10 && (int)BSIM_PACKED_LSU == 14, "binary traces have these numbers");

static uint16_t pack_class(uint32_t work_class)
{
    return (uint16_t)(work_class == BSIM_WORK_ANY   ? BSIM_PACKED_INSTRUCTIONS
                      : work_class == BSIM_WORK_LSU ? BSIM_PACKED_LSU
                                                    : BSIM_PACKED_CLASS + work_class - 1);
}

int32_t bsim_pack_reads(const struct bsim_reads *reads)
{
    return (int32_t)(reads->even | (uint32_t)reads->odd << 8 | (uint32_t)reads->reused_even << 16 |
                     (uint32_t)reads->reused_odd << 24);
}

struct bsim_reads bsim_pop_reads(int32_t stride)
{
    uint32_t bits = (uint32_t)stride;
    return (struct bsim_reads){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
}

bool bsim_pack_work(const struct bsim_event *event, struct bsim_packed *packed)
{
    bool is_work = event->opcode.family == BSIM_WORK;
    bool groups = bsim_opcode_groups(&event->opcode);
    if (!is_work && !groups && !bsim_opcode_meets(&event->opcode)) {
        return false;
    }
    packed->form = BSIM_PACKED_WORK;
    if (groups) {
        pack_groups(event, packed);
        return true;
    }
    packed->instr = is_work ? pack_class(event->opcode.operation) : pack_meeting(&event->opcode);
    packed->mask = is_work ? event->work_count : event->meeting;
    packed->at.base = 0;
    packed->at.step.base = is_work ? event->work_cycles : event->arrivals;
    packed->at.step.stride = is_work ? bsim_pack_reads(&event->reads) : 0;
    return true;
}

struct bsim_opcode bsim_pop_meeting(uint32_t which)
{
    return (struct bsim_opcode){.family = which == BSIM_PACKED_ARRIVE  ? BSIM_ARRIVE
                                          : which == BSIM_PACKED_AWAIT ? BSIM_AWAIT
                                                                       : BSIM_COPIES_ARRIVE};
}

void bsim_pop_groups(uint32_t which, uint32_t n, struct bsim_event *event)
{
    event->opcode = (struct bsim_opcode){
        .family = which == BSIM_PACKED_COMMIT ? BSIM_COPIES_COMMIT : BSIM_COPIES_WAIT};
    event->groups = which == BSIM_PACKED_WAIT_ALL ? BSIM_ALL_COPIES : n;
}

static void pop_work(const struct bsim_packed *packed, struct bsim_event *event)
{
    bool is_work = bsim_packed_is_work(packed->instr);
    event->opcode = is_work ? (struct bsim_opcode){.family = BSIM_WORK,
                                                   .operation = (uint8_t)bsim_packed_class(packed->instr)}
                            : bsim_pop_meeting(packed->instr);
    event->site = NULL;
    event->mask = BSIM_FULL_MASK;
    event->work_count = is_work ? packed->mask : 0;
    event->work_cycles = is_work ? packed->at.step.base : 0;
    event->reads = bsim_pop_reads(is_work ? packed->at.step.stride : 0);
    event->meeting = is_work ? 0 : packed->mask;
    event->arrivals = is_work ? 0 : packed->at.step.base;
    if (bsim_packed_groups(packed->instr)) {
        event->meeting = event->arrivals = 0;
        bsim_pop_groups(packed->instr, packed->mask, event);
    }
}

static void pop_instr(const struct bsim_packed *packed, const struct bsim_instr *instr,
                      struct bsim_event *event)
{
    event->opcode = instr->opcode;
    event->site = instr->site;
    event->mask = instr->opcode.family == BSIM_BAR ? BSIM_FULL_MASK : packed->mask;
    event->work_count = event->work_cycles = 0;
    event->reads = bsim_pop_reads(0);
    event->meeting = event->arrivals = 0;
}

void bsim_batch_pop(struct bsim_batch *batch, struct bsim_event *event)
{
    const struct bsim_packed *packed = batch->next;
    uint32_t n_more = 0;
    bool waits = packed->form == BSIM_PACKED_WAIT;
    event->wait = waits ? (int32_t)packed->mask : BSIM_ANY_COUNT;
    packed += waits;
    if (packed->form == BSIM_PACKED_WORK) {
        pop_work(packed, event);
    } else {
        pop_instr(packed, &batch->instr[packed->instr], event);
    }
    event->warp = packed->warp == BSIM_PACKED_ALL_WARPS ? BSIM_ALL_WARPS : packed->warp;
    event->affine = packed->form == BSIM_PACKED_STEP || packed->form == BSIM_PACKED_WIDE_STEP;
    event->base = event->affine ? bsim_packed_base(packed) : 0;
    event->stride = event->affine ? bsim_packed_stride(packed) : 0;
    if (packed->form == BSIM_PACKED_LIST) {
        n_more = pop_list(packed, bsim_opcode_lanes(&event->opcode, event->mask), event);
    } else if (packed->form == BSIM_PACKED_WIDE_STEP) {
        n_more = 2;
    }
    batch->next = bsim_packed_next(packed, n_more);
    batch->line += batch->line_step;
}

enum bsim_status bsim_sink_push_batch(const struct bsim_sink *sink, struct bsim_batch *batch,
                                      struct bsim_error *err)
{
    static const struct bsim_opcode none = {0};
    struct bsim_event event;
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    enum bsim_status status = BSIM_OK;
    if (sink->push_batch != NULL) {
        return sink->push_batch(sink->context, batch, err);
    }
    bsim_event_init(&event, &none);
    while (batch->next != batch->end && status == BSIM_OK) {
        bsim_batch_pop(batch, &event);
        record.line = batch->line;
        status = sink->push(sink->context, &record, err);
    }
    return status;
}
