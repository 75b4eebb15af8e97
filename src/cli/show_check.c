/* show_check.c - the worst request of each access of a check. */
#include "cli/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One access. */
struct search {
    bool found;
    uint32_t excessive; /* of other memory: how much the request takes */
    struct bsim_request request;
    uint64_t address[BSIM_WARP_LANES]; /* of other memory */
    struct bsim_buffer place;
};

struct searches {
    const struct bsim_check *check;
    const struct bsim_device *device;
    struct search *item; /* by access */
};

/* "warp 3 of block (0,0,0), i = 2" */
static void put_place(const struct bsim_check *check, struct search *search,
                      const struct bsim_check_request *request)
{
    struct bsim_dim3 first = bsim_check_thread(check, request->warp, 0);
    bsim_buffer_clear(&search->place);
    bsim_buffer_printf(&search->place,
                       "warp %" PRIu32 ", from thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                       request->warp, first.x, first.y, first.z);
    for (size_t i = 0; i < bsim_check_contents(check)->access[request->access].n_loops; i++) {
        bsim_buffer_printf(&search->place, ", %s = %" PRId64,
                           bsim_check_contents(check)->access[request->access].loop[i],
                           request->loop[i]);
    }
}

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    const struct searches *searches = context;
    struct search *search = &searches->item[request->access];
    struct bsim_request plain = {.opcode = request->opcode, .mask = request->mask};
    struct bsim_counts counts;
    enum bsim_status status =
        bsim_device_check_shared(searches->device, bsim_cli_reach(request), err);
    if (status != BSIM_OK) {
        return status;
    }
    memcpy(plain.address, request->address, sizeof plain.address);
    bsim_request_count(searches->device, &plain, &counts);
    if (search->found && bsim_counts_excessive(&counts) <= search->excessive) {
        return BSIM_OK;
    }
    search->found = true;
    search->excessive = bsim_counts_excessive(&counts);
    search->request = plain;
    put_place(searches->check, search, request);
    return bsim_buffer_status(&search->place, err);
}

/* Of other memory: the request with the most sectors or passes. */
static enum bsim_status look_at_other(void *context, const struct bsim_check_request *request,
                                      struct bsim_error *err)
{
    const struct searches *searches = context;
    struct search *search = &searches->item[request->access];
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    bsim_check_addresses(searches->check, request, address);
    bsim_global_count(searches->device, &request->opcode, request->mask, address, &counts);
    uint32_t cost = request->opcode.space == BSIM_CONST
                        ? bsim_constant_passes(&request->opcode, request->mask, address)
                        : counts.sectors;
    if (search->found && cost <= search->excessive) {
        return BSIM_OK;
    }
    search->found = true;
    search->excessive = cost;
    search->request = (struct bsim_request){.opcode = request->opcode, .mask = request->mask};
    memcpy(search->address, address, sizeof address);
    put_place(searches->check, search, request);
    return bsim_buffer_status(&search->place, err);
}

static enum bsim_status add_access(const struct searches *searches, size_t index,
                                   struct panels *panels, struct bsim_error *err)
{
    const struct bsim_check_access *access = &bsim_check_contents(searches->check)->access[index];
    const struct search *search = &searches->item[index];
    struct bsim_buffer title = BSIM_BUFFER_EMPTY;
    if (!search->found) {
        return BSIM_OK; /* no lane is active in it */
    }
    if (!bsim_device_executes(searches->device, &search->request.opcode)) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s does not execute %s", searches->device->name,
                              access->op);
    }
    bsim_buffer_printf(&title, "%s %s", access->op, access->text);
    enum bsim_status status = bsim_buffer_status(&title, err);
    if (status == BSIM_OK) {
        status =
            access->opcode.space != BSIM_SHARED
                ? bsim_cli_panels_add_other(panels, searches->device, &search->request,
                                            search->address, title.data, search->place.data, err)
                : bsim_cli_panels_add(panels, searches->device, &search->request, title.data,
                                      search->place.data, err);
    }
    bsim_buffer_free(&title);
    return status;
}

static enum bsim_status show_all(struct searches *searches, struct panels *panels,
                                 struct bsim_error *err)
{
    struct bsim_check_visitor visitor = {
        .shared = look, .other = look_at_other, .context = searches};
    enum bsim_status status = bsim_check_each(searches->check, &visitor, err);
    for (size_t i = 0; i < bsim_check_contents(searches->check)->n_accesses && status == BSIM_OK;
         i++) {
        status = add_access(searches, i, panels, err);
    }
    return status;
}

enum bsim_status bsim_cli_show_check(const struct bsim_check *check,
                                     const struct bsim_device *device, struct panels *panels,
                                     struct bsim_error *err)
{
    size_t n = bsim_check_contents(check)->n_accesses;
    struct searches searches = {check, device, calloc(n, sizeof *searches.item)};
    enum bsim_status status =
        searches.item != NULL ? bsim_device_check_shared(
                                    device, bsim_check_contents(check)->kernel->shared_bytes, err)
                              : bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    if (status == BSIM_OK) {
        status = show_all(&searches, panels, err);
    }
    for (size_t i = 0; i < n && searches.item != NULL; i++) {
        bsim_buffer_free(&searches.item[i].place);
    }
    free(searches.item);
    return status == BSIM_OK && panels->n == 0
               ? bsim_error_set(err, BSIM_E_INPUT, "nothing to draw: no access has an active lane")
               : status;
}
