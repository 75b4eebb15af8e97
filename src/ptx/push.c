/* push.c - sites and events of a running block. */
#include "ptx/push.h"

#include "lanes/line.h"

static bool push(struct bsim_ptx_block *block, const struct bsim_record *record)
{
    block->status = block->sink->push(block->sink->context, record, block->err);
    return block->status == BSIM_OK;
}

static bool push_site(struct bsim_ptx_block *block, struct bsim_site *site)
{
    site->index = block->n_pushed++;
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    return push(block, &record);
}

/* Pushes the work since the warp's last event; returns what is left to wait for. */
static int32_t push_work(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_since since = bsim_ptx_work_take(warp);
    if (since.n == 0) {
        return since.wait;
    }
    struct bsim_opcode opcode = {.family = BSIM_WORK};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.work_count = since.n;
    event.work_cycles = since.cycles;
    event.wait = since.wait;
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    push(warp->block, &record);
    return BSIM_ANY_COUNT;
}

static void note_written(struct bsim_ptx_warp *warp, const struct bsim_event *event)
{
    uint32_t writes = BSIM_WRITES | BSIM_COPIES | BSIM_UPDATES;
    if ((bsim_family_does(event->opcode.family) & writes) != 0) {
        bsim_ptx_find_written(warp, event->address, event->opcode.bytes);
    }
}

void bsim_ptx_push_event(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         enum bsim_space space, const uint64_t *address)
{
    const struct bsim_ptx_access *access = step->access;
    struct bsim_site *site = &warp->block->site[bsim_ptx_site_number(access, space) - 1];
    if (site->index == BSIM_PTX_NOWHERE && !push_site(warp->block, site)) {
        return;
    }
    struct bsim_event event;
    bsim_event_init(&event, &site->opcode);
    event.site = site;
    event.wait = push_work(warp);
    event.warp = warp->number;
    event.mask = warp->mask;
    if (address != NULL) {
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            event.address[l] = address[l] + (uint64_t)access->first;
        }
        if (warp->block->findings != NULL && space == BSIM_SHARED) {
            note_written(warp, &event);
        }
        bsim_event_find_line(&event);
    }
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    push(warp->block, &record);
}

void bsim_ptx_push_barrier(struct bsim_ptx_warp *warp)
{
    struct bsim_opcode opcode = {.family = BSIM_BAR};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.warp = warp->number;
    event.wait = push_work(warp);
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    push(warp->block, &record);
}
