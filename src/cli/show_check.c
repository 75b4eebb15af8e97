/* show_check.c - the worst request of each access of a check. */
#include "cli/show.h"

#include <inttypes.h>
#include <string.h>

/* "warp 3, from thread (0,3,0), i = 2" */
static void put_place(const struct bsim_check *check, const struct bsim_check_request *request,
                      struct bsim_buffer *place)
{
    const struct bsim_check_access *access = &bsim_check_contents(check)->access[request->access];
    struct bsim_dim3 first = bsim_dim3_thread(bsim_check_contents(check)->kernel->block,
                                              request->warp * BSIM_WARP_LANES);
    bsim_buffer_printf(place, "warp %" PRIu32 ", from thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                       request->warp, first.x, first.y, first.z);
    for (size_t i = 0; i < access->n_loops; i++) {
        bsim_buffer_printf(place, ", %s = %" PRId64, access->loop[i], request->loop[i]);
    }
}

static enum bsim_status add_request(const struct bsim_check *check,
                                    const struct bsim_device *device,
                                    const struct bsim_check_request *request, struct panels *panels,
                                    struct bsim_error *err)
{
    const struct bsim_check_access *access = &bsim_check_contents(check)->access[request->access];
    struct bsim_request plain = {.opcode = request->opcode, .mask = request->mask};
    struct bsim_buffer title = BSIM_BUFFER_EMPTY, place = BSIM_BUFFER_EMPTY;
    uint64_t address[BSIM_WARP_LANES];
    memcpy(plain.address, request->address, sizeof plain.address);
    bsim_check_addresses(check, request, address);
    bsim_buffer_printf(&title, "%s %s", access->op, access->text);
    put_place(check, request, &place);
    enum bsim_status status = bsim_buffer_status(&title, err);
    status = status == BSIM_OK ? bsim_buffer_status(&place, err) : status;
    if (status == BSIM_OK) {
        status = bsim_cli_panels_add(panels, device, &plain, address, title.data, place.data, err);
    }
    bsim_buffer_free(&title);
    bsim_buffer_free(&place);
    return status;
}

enum bsim_status bsim_cli_show_check(struct bsim_check *check, const struct bsim_device *device,
                                     struct panels *panels, struct bsim_error *err)
{
    struct bsim_ask ask = {.device = device};
    struct bsim_answer answer = {.n_accesses = 0};
    enum bsim_status status = bsim_answer(check, &ask, &answer, err);
    for (size_t i = 0; i < answer.n_accesses && status == BSIM_OK; i++) {
        if (answer.worst[i].is_known) { /* some lane is active in it */
            status = add_request(check, device, &answer.worst[i].request, panels, err);
        }
    }
    bsim_answer_free(&answer);
    return status == BSIM_OK && panels->n == 0
               ? bsim_error_set(err, BSIM_E_INPUT, "nothing to draw: no access has an active lane")
               : status;
}
