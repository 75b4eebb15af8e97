/* show_check.c - the worst request of each access of a check. */
#include "cli/show.h"

static enum bsim_status add_request(const struct bsim_check *check,
                                    const struct bsim_device *device,
                                    const struct bsim_check_request *request, struct panels *panels,
                                    struct bsim_error *err)
{
    struct bsim_picture picture;
    struct bsim_buffer texts = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_picture_of(check, device, request, &texts, &picture, err);
    if (status == BSIM_OK) {
        status = bsim_cli_panels_add(panels, device, &picture.request, picture.address,
                                     picture.title, picture.place, err);
    }
    if (status == BSIM_OK) {
        panels->picture[panels->n - 1].check = check;
        panels->picture[panels->n - 1].asked = picture.asked;
    }
    bsim_buffer_free(&texts);
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
    return status;
}
