/* show_check.c - the worst request of each access of a check. */
#include "cli/show.h"

#include <inttypes.h>
#include <string.h>

struct search {
    const struct bsim_check *check;
    const struct bsim_device *device;
    size_t access; /* that is looked for */
    bool found;
    uint32_t excessive; /* of other memory: how much the request takes */
    struct bsim_request request;
    uint64_t address[BSIM_WARP_LANES]; /* of other memory */
    struct bsim_buffer place;
};

/* "warp 3 of block (0,0,0), i = 2" */
static void put_place(struct search *search, const struct bsim_check_request *request)
{
    struct bsim_dim3 first = bsim_check_thread(search->check, request->warp, 0);
    bsim_buffer_clear(&search->place);
    bsim_buffer_printf(&search->place,
                       "warp %" PRIu32 ", from thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                       request->warp, first.x, first.y, first.z);
    for (size_t i = 0; i < bsim_check_n_loops(search->check, request->access); i++) {
        bsim_buffer_printf(&search->place, ", %s = %" PRId64,
                           bsim_check_loop(search->check, request->access, i), request->loop[i]);
    }
}

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct search *search = context;
    struct bsim_request plain = {.opcode = request->opcode, .mask = request->mask};
    struct bsim_counts counts;
    if (request->access != search->access) {
        return BSIM_OK;
    }
    enum bsim_status status =
        bsim_device_check_shared(search->device, bsim_cli_reach(request), err);
    if (status != BSIM_OK) {
        return status;
    }
    memcpy(plain.address, request->address, sizeof plain.address);
    bsim_request_count(search->device, &plain, &counts);
    if (search->found && bsim_counts_excessive(&counts) <= search->excessive) {
        return BSIM_OK;
    }
    search->found = true;
    search->excessive = bsim_counts_excessive(&counts);
    search->request = plain;
    put_place(search, request);
    return bsim_buffer_status(&search->place, err);
}

/* Of other memory: the request with the most sectors or passes. */
static enum bsim_status look_at_other(void *context, const struct bsim_check_request *request,
                                      struct bsim_error *err)
{
    struct search *search = context;
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    if (request->access != search->access) {
        return BSIM_OK;
    }
    bsim_check_addresses(search->check, request, address);
    bsim_global_count(search->device, &request->opcode, request->mask, address, &counts);
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
    put_place(search, request);
    return bsim_buffer_status(&search->place, err);
}

static enum bsim_status add_access(struct search *search, struct panels *panels,
                                   struct bsim_error *err)
{
    const struct bsim_check_access *access = bsim_check_access(search->check, search->access);
    struct bsim_buffer title = BSIM_BUFFER_EMPTY;
    bool is_other = access->opcode.space != BSIM_SHARED;
    enum bsim_status status = is_other
                                  ? bsim_check_each_other(search->check, look_at_other, search, err)
                                  : bsim_check_each(search->check, look, search, err);
    if (status == BSIM_OK && !search->found) {
        return BSIM_OK; /* no lane is active in it */
    }
    if (status == BSIM_OK && !bsim_device_executes(search->device, &search->request.opcode)) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s does not execute %s", search->device->name,
                              access->op);
    }
    if (status == BSIM_OK) {
        bsim_buffer_printf(&title, "%s %s", access->op, access->text);
        status = bsim_buffer_status(&title, err);
    }
    if (status == BSIM_OK) {
        status = is_other ? bsim_cli_panels_add_other(panels, search->device, &search->request,
                                                      search->address, title.data,
                                                      search->place.data, err)
                          : bsim_cli_panels_add(panels, search->device, &search->request,
                                                title.data, search->place.data, err);
    }
    bsim_buffer_free(&title);
    return status;
}

enum bsim_status bsim_cli_show_check(const struct bsim_check *check,
                                     const struct bsim_device *device, struct panels *panels,
                                     struct bsim_error *err)
{
    enum bsim_status status =
        bsim_device_check_shared(device, bsim_check_kernel(check)->shared_bytes, err);
    for (size_t i = 0; i < bsim_check_n_accesses(check) && status == BSIM_OK; i++) {
        struct search search = {
            .check = check, .device = device, .access = i, .place = BSIM_BUFFER_EMPTY};
        status = add_access(&search, panels, err);
        bsim_buffer_free(&search.place);
    }
    if (status == BSIM_OK && panels->n == 0) {
        return bsim_error_set(err, BSIM_E_INPUT, "nothing to draw: no access has an active lane");
    }
    return status;
}
