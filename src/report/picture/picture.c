/* picture.c - what is to be drawn of a request, worked out once for all renderers. */
#include "report/picture/picture.h"

#include "report/json.h"

#include <inttypes.h>
#include <string.h>

void bsim_drawing_make(const struct bsim_picture *picture, struct bsim_drawing *drawing)
{
    bool is_busy[BSIM_MAX_BANKS] = {false};
    memset(drawing, 0, sizeof *drawing);
    drawing->of = picture;
    bsim_request_schedule(&picture->device, &picture->request, &drawing->schedule);
    bsim_schedule_count(&picture->device, &picture->request, &drawing->schedule, &drawing->counts);
    for (uint32_t i = 0; i < drawing->schedule.n_grants; i++) {
        is_busy[drawing->schedule.grant[i].bank] = true;
    }
    for (uint32_t bank = 0; bank < picture->device.n_banks; bank++) {
        if (is_busy[bank]) {
            drawing->busy[drawing->n_busy++] = (uint8_t)bank;
        }
    }
    const struct bsim_pass *pass = drawing->schedule.pass;
    for (uint32_t p = 1; p < drawing->schedule.n_passes; p++) {
        drawing->turn[p] = pass[p].group == pass[p - 1].group ? drawing->turn[p - 1] + 1 : 0;
    }
}

const struct bsim_grant *bsim_drawing_grant(const struct bsim_drawing *drawing, uint32_t pass,
                                            uint32_t bank)
{
    const struct bsim_pass *at = &drawing->schedule.pass[pass];
    for (uint32_t i = 0; i < at->n_grants; i++) {
        const struct bsim_grant *grant = &drawing->schedule.grant[at->first_grant + i];
        if (grant->bank == bank) {
            return grant;
        }
    }
    return NULL;
}

/* "warp 3, from thread (0,3,0), i = 2" */
static void put_place(const struct bsim_check_contents *contents,
                      const struct bsim_check_request *request, struct bsim_buffer *out)
{
    const struct bsim_check_access *access = &contents->access[request->access];
    struct bsim_dim3 first =
        bsim_dim3_thread(contents->kernel->block, request->warp * BSIM_WARP_LANES);
    bsim_buffer_printf(out, "warp %" PRIu32 ", from thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                       request->warp, first.x, first.y, first.z);
    for (size_t i = 0; i < access->n_loops; i++) {
        bsim_buffer_printf(out, ", %s = %" PRId64, access->loop[i], request->loop[i]);
    }
}

enum bsim_status bsim_picture_of(const struct bsim_check *check, const struct bsim_device *device,
                                 const struct bsim_check_request *request,
                                 struct bsim_buffer *texts, struct bsim_picture *picture,
                                 struct bsim_error *err)
{
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    const struct bsim_check_access *access = &contents->access[request->access];
    bsim_buffer_printf(texts, "%s %s", access->op, access->text);
    size_t place = texts->size_bytes + 1;
    bsim_buffer_add(texts, "", 1);
    put_place(contents, request, texts);
    enum bsim_status status = bsim_buffer_status(texts, err);
    if (status == BSIM_OK) {
        *picture = (struct bsim_picture){.title = texts->data,
                                         .place = texts->data + place,
                                         .device = *device,
                                         .request = {.opcode = request->opcode,
                                                     .mask = request->mask,
                                                     .has_from = request->has_from},
                                         .check = check,
                                         .asked = *request};
        picture->asked.loop = NULL;
        memcpy(picture->request.address, request->address, sizeof picture->request.address);
        memcpy(picture->request.from, request->from, sizeof picture->request.from);
        bsim_check_addresses(check, request, picture->address);
    }
    return status;
}

uint32_t bsim_style_columns(const struct bsim_picture_style *style)
{
    enum { USUAL = 80, LEAST = 40 };
    if (style->columns == 0) {
        return USUAL;
    }
    return style->columns > LEAST ? style->columns : LEAST;
}

void bsim_drawing_busy(const struct bsim_drawing *drawing, struct bsim_buffer *out)
{
    uint32_t n_banks = drawing->of->device.n_banks;
    if (drawing->n_busy == n_banks && n_banks > 1) {
        bsim_buffer_printf(out, "all %" PRIu32 " banks busy", n_banks);
    } else {
        bsim_buffer_printf(out, "%" PRIu32 " bank%s busy, %" PRIu32 " idle", drawing->n_busy,
                           drawing->n_busy == 1 ? "" : "s", n_banks - drawing->n_busy);
    }
}

/* The two halves of a row of 8 bytes follow one another, but in Kepler's 4-byte mode, where the
 * second is the word n_banks words further on. */
uint32_t bsim_grant_word_address(const struct bsim_device *device, const struct bsim_grant *grant,
                                 uint32_t half)
{
    uint32_t row = grant->row * device->n_banks * device->bank_bytes;
    uint32_t step = device->stride_bytes == 4 ? 4 * device->n_banks : 4;
    return row + grant->bank * device->stride_bytes + half * step;
}

uint32_t bsim_grant_address(const struct bsim_device *device, const struct bsim_grant *grant)
{
    return bsim_grant_word_address(device, grant, (grant->halves & 1) != 0 ? 0 : 1);
}

void bsim_lanes_json(const char *name, uint32_t lanes, struct bsim_buffer *out)
{
    const char *separator = "";
    bsim_buffer_printf(out, "\"%s\": [", name);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            bsim_buffer_text(out, separator);
            bsim_json_number(lane, out);
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "]");
}

void bsim_addresses_json(const struct bsim_request *request,
                         const uint64_t address[BSIM_WARP_LANES], struct bsim_buffer *out)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    bsim_buffer_text(out, ", \"addresses\": [");
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bsim_buffer_text(out, lane > 0 ? ", " : "");
        if ((lanes >> lane & 1) != 0) {
            bsim_json_number(address[lane], out);
        } else {
            bsim_buffer_text(out, "null");
        }
    }
    bsim_buffer_text(out, "]");
}
