/* push.c - the requests of a check as a stream of events, KERNEL to END. */
#include "expr/check.h"

#include "base/memory.h"
#include "event/far.h"
#include "expr/shuffle.h"
#include "lanes/line.h"
#include "layout/place.h"

#include <string.h>

struct push {
    const struct bsim_check *check;
    const struct bsim_sink *sink;
    struct bsim_site *site;
    struct bsim_event event;
    struct bsim_from from;        /* of the event, a copy */
    const struct bsim_laid *laid; /* or NULL: as declared */
    struct bsim_indices known;
};

static enum bsim_status push_record(const struct bsim_sink *sink, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    return sink->push(sink->context, record, err);
}

static enum bsim_status push_event(const struct push *push, const struct bsim_event *event,
                                   struct bsim_error *err)
{
    return push_record(push->sink,
                       &(struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = event}, err);
}

static enum bsim_status push_other(void *context, size_t site, const struct bsim_event *event,
                                   struct bsim_error *err)
{
    struct push *push = context;
    push->event = *event;
    push->event.site = site != BSIM_NO_SITE ? &push->site[site] : NULL;
    return push_event(push, &push->event, err);
}

static enum bsim_status push_index(struct push *push, const struct bsim_check_request *request,
                                   struct bsim_error *err)
{
    struct bsim_computed index = {
        .warp = request->warp, .lanes = request->lanes, .address = push->event.address};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && push->laid->operations != NULL; lane++) {
        uint32_t n =
            (request->lanes >> lane & 1) != 0 ? push->laid->operations[request->array[lane]] : 0;
        index.n_operations = n > index.n_operations ? n : index.n_operations;
    }
    return request->part == 0 ? bsim_check_push_index(push->sink, &push->known, &index, err)
                              : BSIM_OK;
}

/* Where the lanes' bytes lie in the other layouts. */
static enum bsim_status lay_out(const struct push *push, const struct bsim_check_request *request,
                                uint64_t *address, struct bsim_error *err)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t i = request->array[lane];
        uint32_t place;
        if ((request->lanes >> lane & 1) == 0) {
            continue;
        }
        if (!bsim_layout_map(&push->check->array[i], &push->laid->layout[i], request->offset[lane],
                             request->opcode.bytes, &place)) {
            return bsim_error_set(err, BSIM_E_INPUT, "a layout of %s takes an access apart",
                                  push->check->array[i].name);
        }
        address[lane] = (uint64_t)push->laid->begin[i] + place;
    }
    return BSIM_OK;
}

/* Where the event, a copy, is from. */
static void put_from(struct push *push, const struct bsim_check_request *request)
{
    struct bsim_event far;
    bsim_event_far(&push->event, &far);
    memcpy(far.address, request->from, sizeof far.address);
    bsim_event_find_line(&far);
    bsim_from_of(&far, &push->from);
    push->event.from = &push->from;
}

static enum bsim_status push_request(void *context, const struct bsim_check_request *request,
                                     struct bsim_error *err)
{
    struct push *push = context;
    struct bsim_event *event = &push->event;
    bsim_event_init(event, &request->opcode);
    event->warp = request->warp;
    event->mask = request->mask;
    event->site = &push->site[request->access];
    bsim_check_addresses(push->check, request, event->address);
    if (request->has_from) {
        put_from(push, request);
    }
    enum bsim_status status = BSIM_OK;
    if (push->laid != NULL && request->opcode.space == BSIM_SHARED) {
        status = push_index(push, request, err);
        status = status == BSIM_OK ? lay_out(push, request, event->address, err) : status;
    }
    bsim_event_find_line(event);
    return status == BSIM_OK ? push_event(push, event, err) : status;
}

static enum bsim_status push_repeat(void *context, uint32_t times, struct bsim_error *err)
{
    struct push *push = context;
    push->known.depth += times > 0 ? 1 : -1;
    struct bsim_record record = {
        .kind = times > 0 ? BSIM_RECORD_REPEAT : BSIM_RECORD_DONE,
        .u.repeat = {.trips = times},
    };
    return push_record(push->sink, &record, err);
}

static size_t n_sites(const struct bsim_check *check)
{
    return check->n_accesses + check->n_shuffles;
}

/* Of the accesses, and behind them of the shuffles. */
static void name_sites(const struct bsim_check *check, struct bsim_site *site)
{
    for (size_t i = 0; i < n_sites(check); i++) {
        const struct bsim_check_access *access =
            i < check->n_accesses ? &check->access[i].shown
                                  : &check->shuffle[i - check->n_accesses]->shown;
        site[i] = (struct bsim_site){.number = (uint32_t)i + 1,
                                     .index = (uint32_t)i,
                                     .opcode = access->opcode,
                                     .file = access->file,
                                     .line = access->line,
                                     .text = access->text};
    }
}

static enum bsim_status push_head(const struct bsim_check *check, const struct bsim_kernel *kernel,
                                  const struct push *push, struct bsim_error *err)
{
    enum bsim_status status = push_record(
        push->sink, &(struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel}, err);
    for (size_t i = 0; i < n_sites(check) && status == BSIM_OK; i++) {
        status = push_record(
            push->sink, &(struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &push->site[i]},
            err);
    }
    return status == BSIM_OK
               ? push_record(
                     push->sink,
                     &(struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = check->block}, err)
               : status;
}

static enum bsim_status push_all(struct push *push, const struct bsim_kernel *kernel,
                                 struct bsim_error *err)
{
    const struct bsim_check *check = push->check;
    if (!check->sealed) {
        return bsim_error_set(err, BSIM_E_USAGE, "a check must be sealed before it is evaluated");
    }
    push->site = bsim_mem_zeroed(n_sites(check), sizeof *push->site);
    if (push->site == NULL) {
        return bsim_mem_short(err);
    }
    name_sites(check, push->site);
    enum bsim_status status = push_head(check, kernel, push, err);
    if (status == BSIM_OK) {
        struct bsim_visitor visitor = {.request = push_request,
                                       .other = push_request,
                                       .event = push_other,
                                       .repeat = push_repeat,
                                       .context = push};
        status = bsim_check_walk(check, &visitor, err);
    }
    if (status == BSIM_OK) {
        status = push_record(push->sink, &(struct bsim_record){.kind = BSIM_RECORD_END}, err);
    }
    bsim_mem_free(push->site);
    return status;
}

enum bsim_status bsim_check_push(const struct bsim_check *check, const char *device,
                                 const struct bsim_sink *sink, struct bsim_error *err)
{
    if (check->recording != NULL) {
        return bsim_check_replay(check, NULL, sink, err);
    }
    struct push push = {.check = check, .sink = sink};
    struct bsim_kernel kernel = check->kernel;
    struct bsim_buffer extras = BSIM_BUFFER_EMPTY;
    bsim_check_put_declared(check, &extras);
    kernel.device = device;
    kernel.extras = extras.size_bytes > 0 ? extras.data : "";
    enum bsim_status status = bsim_buffer_status(&extras, err);
    status = status == BSIM_OK ? push_all(&push, &kernel, err) : status;
    bsim_buffer_free(&extras);
    return status;
}

enum bsim_status bsim_check_push_laid(const struct bsim_check *check, const struct bsim_laid *laid,
                                      const struct bsim_sink *sink, struct bsim_error *err)
{
    if (check->recording != NULL) {
        return bsim_check_replay(check, laid, sink, err);
    }
    struct push push = {.check = check, .sink = sink, .laid = laid};
    struct bsim_kernel kernel = check->kernel;
    kernel.has_shared = false; /* as large as it then is */
    return push_all(&push, &kernel, err);
}
