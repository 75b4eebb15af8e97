/* push.c - sites and events of a running block. */
#include "ptx/push.h"

#include "event/far.h"
#include "lanes/line.h"
#include "ptx/proxy.h"
#include "ptx/steps.h"
#include "ptx/tiles.h"
#include "ptx/work.h"

#include <string.h>

enum { FULL_BYTES = 1 << 16 }; /* a tape that has so many is played: it stays in a cache */

void bsim_ptx_play(struct bsim_ptx_block *block)
{
    if (block->status == BSIM_OK && block->view == NULL && !block->is_together) {
        block->status = bsim_ptx_tape_play(block->tape, block->stream, block->err);
    }
}

static void put(struct bsim_ptx_block *block, const struct bsim_event *event, uint32_t number)
{
    bsim_ptx_tape_event(block->tape, event, number);
    size_t bytes = bsim_ptx_tape_bytes(block->tape);
    if (bytes >= FULL_BYTES && block->view == NULL) {
        bsim_ptx_play(block);
    } else if (block->view != NULL && bytes >= block->most_bytes) {
        (void)bsim_ptx_gives_up(block);
    }
}

/* Begins an event of the warp. Its addresses stay as they are: a line needs none. */
static void start_event(struct bsim_event *event, const struct bsim_ptx_warp *warp,
                        const struct bsim_opcode *opcode, const struct bsim_site *site)
{
    event->opcode = *opcode;
    event->warp = warp->number;
    event->mask = warp->mask;
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    event->site = site;
    event->from = NULL;
    event->async = NULL;
    event->work_count = event->work_cycles = 0;
    event->reads = (struct bsim_reads){0};
    event->expect_wavefronts = event->expect_conflicts = BSIM_ANY_COUNT;
}

static int32_t push_part(struct bsim_ptx_warp *warp, struct bsim_ptx_since since)
{
    const struct bsim_opcode opcode = {.family = BSIM_WORK, .operation = since.work_class};
    if (since.n == 0) {
        return since.wait;
    }
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.work_count = since.n;
    event.work_cycles = since.cycles;
    event.wait = since.wait;
    put(warp->block, &event, 0);
    return BSIM_ANY_COUNT;
}

static void push_nobodys(struct bsim_ptx_warp *warp, uint32_t n)
{
    static const struct bsim_opcode opcode = {.family = BSIM_WORK, .operation = BSIM_WORK_LSU};
    if (n > 0) {
        struct bsim_event event;
        bsim_event_init(&event, &opcode);
        event.warp = warp->number;
        event.work_count = n;
        put(warp->block, &event, 0);
    }
}

/* Pushes the work since the warp's last event; returns what is left to wait for. */
static int32_t push_work(struct bsim_ptx_warp *warp)
{
    push_nobodys(warp, bsim_ptx_work_take_nobodys(warp));
    struct bsim_ptx_since since;
    int32_t wait;
    do {
        since = bsim_ptx_work_take(warp);
        wait = push_part(warp, since);
    } while (!since.is_last);
    return wait;
}

/* Nobody is told of the work since the warp's last event. */
static void drop_work(struct bsim_ptx_warp *warp)
{
    while (!bsim_ptx_work_take(warp).is_last) {
    }
}

static void note_written(struct bsim_ptx_warp *warp, const struct bsim_event *event)
{
    uint32_t writes = BSIM_WRITES | BSIM_COPIES | BSIM_UPDATES;
    if ((bsim_family_does(event->opcode.family) & writes) != 0) {
        bsim_ptx_find_written(warp, event->address, event->opcode.bytes);
    }
}

/* What lanes write to shared memory, but for their copies. */
static void note_stored(struct bsim_ptx_warp *warp, const struct bsim_event *event)
{
    uint64_t address[BSIM_WARP_LANES];
    if ((bsim_family_does(event->opcode.family) & (BSIM_WRITES | BSIM_UPDATES)) != 0) {
        bsim_event_addresses(event, address);
        bsim_ptx_proxy_write(warp, address, event->opcode.bytes);
        bsim_ptx_tiles_stored(warp, address, event->opcode.bytes);
    }
}

/* from: of a copy, or NULL. */
static void push_event(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                       enum bsim_space space, const uint64_t *address, const struct bsim_from *from)
{
    struct bsim_ptx_block *block = warp->block;
    const struct bsim_ptx_access *access = step->access;
    uint32_t number = bsim_ptx_site_number(access, space);
    const struct bsim_site *site = &block->stream->site[number - 1];
    struct bsim_event event;
    start_event(&event, warp, &site->opcode, site);
    event.from = from;
    event.wait = warp->work != NULL ? push_work(warp) : BSIM_ANY_COUNT;
    if (address != NULL) {
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            event.address[l] = address[l] + (uint64_t)access->first;
        }
        if (space == BSIM_SHARED && bsim_ptx_looks_for_unwritten(block)) {
            note_written(warp, &event);
        }
        if (from != NULL) {
            bsim_ptx_tiles_stored(warp, event.address, event.opcode.bytes);
        }
        bsim_event_find_line(&event);
        if (space == BSIM_SHARED && block->proxy != NULL && from == NULL) {
            note_stored(warp, &event);
        }
    }
    put(block, &event, number);
}

void bsim_ptx_push_event(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         enum bsim_space space, const uint64_t *address)
{
    push_event(warp, step, space, address, NULL);
}

void bsim_ptx_push_copy(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        const uint64_t *to, const uint64_t *from)
{
    struct bsim_event copy, far;
    struct bsim_from its;
    start_event(&copy, warp, &step->access->opcode, NULL);
    bsim_event_far(&copy, &far);
    memcpy(far.address, from, sizeof far.address);
    bsim_event_find_line(&far);
    bsim_from_of(&far, &its);
    push_event(warp, step, BSIM_SHARED, to, &its);
}

void bsim_ptx_push_async(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         const struct bsim_async *async)
{
    uint32_t number = step->access->site;
    const struct bsim_site *site = &warp->block->stream->site[number - 1];
    struct bsim_event event;
    start_event(&event, warp, &site->opcode, site);
    event.mask = BSIM_FULL_MASK;
    event.async = async;
    event.wait = warp->work != NULL ? push_work(warp) : BSIM_ANY_COUNT;
    put(warp->block, &event, number);
}

void bsim_ptx_push_line(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        enum bsim_space space, uint64_t base, int64_t stride)
{
    struct bsim_ptx_block *block = warp->block;
    uint32_t number = bsim_ptx_site_number(step->access, space);
    const struct bsim_site *site = &block->stream->site[number - 1];
    struct bsim_event event;
    start_event(&event, warp, &site->opcode, site);
    event.wait = warp->work != NULL ? push_work(warp) : BSIM_ANY_COUNT;
    event.affine = true;
    event.base = base;
    event.stride = stride;
    if (space == BSIM_SHARED && block->proxy != NULL) {
        note_stored(warp, &event);
    }
    put(block, &event, number);
}

void bsim_ptx_push_barrier(struct bsim_ptx_warp *warp)
{
    static const struct bsim_opcode opcode = {.family = BSIM_BAR};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.wait = push_work(warp);
    put(warp->block, &event, 0);
}

void bsim_ptx_push_meeting(struct bsim_ptx_warp *warp, enum bsim_family family,
                           const struct bsim_ptx_meeting *meeting)
{
    const struct bsim_opcode opcode = {.family = (uint8_t)family};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.meeting = meeting->number;
    event.arrivals = family == BSIM_AWAIT ? meeting->n_arrivals : 0;
    event.wait = push_work(warp);
    put(warp->block, &event, 0);
}

void bsim_ptx_push_groups(struct bsim_ptx_warp *warp, enum bsim_family family, uint32_t n)
{
    const struct bsim_opcode opcode = {.family = (uint8_t)family};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.groups = n;
    event.wait = push_work(warp);
    put(warp->block, &event, 0);
}

void bsim_ptx_push_look(struct bsim_ptx_warp *warp)
{
    if (warp->looks) {
        drop_work(warp);
    } else if (warp->work != NULL) {
        (void)push_work(warp);
    }
    warp->looks = true;
}

void bsim_ptx_end_look(struct bsim_ptx_warp *warp)
{
    if (warp->looks) {
        drop_work(warp);
    }
    warp->looks = false;
}
