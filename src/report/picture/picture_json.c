/* picture_json.c - requests and their passes as json, for programs. */
#include "report/format.h"
#include "report/json.h"
#include "report/picture/picture.h"
#include "report/picture/traffic.h"

#include <banksim/banksim.h>

#include <inttypes.h>

static void add_lanes(const char *name, uint32_t lanes, struct bsim_buffer *out)
{
    const char *separator = "";
    bsim_buffer_printf(out, "\"%s\": [", name);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            bsim_buffer_printf(out, "%s%" PRIu32, separator, lane);
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "]");
}

static void add_text(const char *name, const char *text, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, ", \"%s\": ", name);
    if (text != NULL) {
        bsim_json_string(text, out);
    } else {
        bsim_buffer_text(out, "null");
    }
}

static void add_addresses(const struct bsim_request *request, struct bsim_buffer *out)
{
    uint32_t lanes = bsim_opcode_lanes(&request->opcode, request->mask);
    bsim_buffer_text(out, ", \"addresses\": [");
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bsim_buffer_text(out, lane > 0 ? ", " : "");
        if ((lanes >> lane & 1) != 0) {
            bsim_buffer_printf(out, "%" PRIu32, request->address[lane]);
        } else {
            bsim_buffer_text(out, "null");
        }
    }
    bsim_buffer_text(out, "]");
}

static void add_counts(const struct bsim_drawing *drawing, struct bsim_buffer *out)
{
    const struct bsim_counts *counts = &drawing->counts;
    struct bsim_buffer why = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(
        out,
        ",\n   \"wavefronts\": %" PRIu32 ", \"ideal\": %" PRIu32 ", \"excessive\": %" PRIu32
        ", \"ways\": %" PRIu32 ", \"broadcast\": %s, \"multicast\": %s, \"at_least\": %s",
        counts->wavefronts, counts->ideal, bsim_counts_excessive(counts), counts->ways,
        counts->broadcast ? "true" : "false", counts->multicast ? "true" : "false",
        bsim_rules_are_least(counts->rules) ? "true" : "false");
    bsim_request_why(&drawing->of->device, &drawing->of->request, &drawing->schedule, &why);
    add_text("why", why.data, out);
    out->failed = out->failed || why.failed;
    bsim_buffer_free(&why);
}

static void add_groups(const struct bsim_schedule *schedule, struct bsim_buffer *out)
{
    bsim_buffer_text(out, ",\n   \"groups\": [");
    for (uint32_t i = 0; i < schedule->n_groups; i++) {
        bsim_buffer_text(out, i > 0 ? ", {" : "{");
        add_lanes("lanes", schedule->group_lanes[i], out);
        bsim_buffer_printf(out, ", \"ways\": %" PRIu32 "}", schedule->group_ways[i]);
    }
    bsim_buffer_text(out, "]");
}

static void add_grant(const struct bsim_device *device, const struct bsim_grant *grant,
                      struct bsim_buffer *out)
{
    const char *separator = "";
    bsim_buffer_printf(
        out, "{\"bank\": %" PRIu8 ", \"row\": %" PRIu32 ", \"address\": %" PRIu32 ", \"words\": [",
        grant->bank, grant->row, bsim_grant_address(device, grant));
    for (uint32_t half = 0; half < 2; half++) {
        if ((grant->halves >> half & 1) != 0) {
            bsim_buffer_printf(out, "%s%" PRIu32, separator,
                               bsim_grant_word_address(device, grant, half));
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "], ");
    add_lanes("lanes", grant->lanes, out);
    bsim_buffer_text(out, ", ");
    add_lanes("receivers", grant->receivers, out);
    bsim_buffer_text(out, "}");
}

static void add_passes(const struct bsim_drawing *drawing, struct bsim_buffer *out)
{
    const struct bsim_schedule *schedule = &drawing->schedule;
    bsim_buffer_text(out, ",\n   \"passes\": [");
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        bsim_buffer_printf(out, "%s{\"group\": %" PRIu8 ", ", p > 0 ? ",\n    " : "\n    ",
                           pass->group);
        add_lanes("lanes", pass->lanes, out);
        bsim_buffer_text(out, ", \"grants\": [");
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            bsim_buffer_text(out, g > 0 ? ",\n     " : "\n     ");
            add_grant(&drawing->of->device, &schedule->grant[pass->first_grant + g], out);
        }
        bsim_buffer_text(out, "]}");
    }
    bsim_buffer_text(out, "]");
}

static void add_picture(const struct bsim_picture *picture, struct bsim_buffer *out)
{
    char opcode[BSIM_OPCODE_NAME_SIZE];
    struct bsim_drawing drawing;
    struct bsim_kernel_result basis = {.device = picture->device};
    bsim_drawing_make(picture, &drawing);
    basis.rules = drawing.schedule.rules;
    bsim_buffer_printf(out, "{\"opcode\": \"%s\"",
                       bsim_opcode_name(&picture->request.opcode, opcode));
    add_text("title", picture->title, out);
    add_text("place", picture->place, out);
    add_text("device", picture->device.name, out);
    bsim_buffer_printf(
        out,
        ", \"banks\": %" PRIu32 ", \"bank_bytes\": %" PRIu32 ", \"stride_bytes\": %" PRIu32
        ", \"bytes\": %" PRIu8 ", \"mask\": \"%08" PRIx32 "\"",
        picture->device.n_banks, picture->device.bank_bytes, picture->device.stride_bytes,
        picture->request.opcode.bytes, picture->request.mask);
    add_addresses(&picture->request, out);
    add_counts(&drawing, out);
    add_groups(&drawing.schedule, out);
    add_passes(&drawing, out);
    bsim_document_rests_on(
        &(struct bsim_document){.renderer = &bsim_json_renderer, .out = out, .separator = ", "},
        &basis, 0);
    bsim_buffer_text(out, "}");
}

/* Of other memory than shared. */
static void add_other(const struct bsim_picture *picture, struct bsim_buffer *out)
{
    char opcode[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(out, "{\"opcode\": \"%s\"",
                       bsim_opcode_name(&picture->request.opcode, opcode));
    add_text("title", picture->title, out);
    add_text("place", picture->place, out);
    add_text("device", picture->device.name, out);
    bsim_buffer_printf(out, ", \"bytes\": %" PRIu8 ", \"mask\": \"%08" PRIx32 "\"",
                       picture->request.opcode.bytes, picture->request.mask);
    bsim_traffic_json(picture, out);
    bsim_buffer_text(out, "}");
}

void bsim_picture_json(const struct bsim_picture *pictures, size_t n, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "{\"banksim\": \"%s\", \"requests\": [", bsim_version());
    for (size_t i = 0; i < n; i++) {
        bsim_buffer_text(out, i > 0 ? ",\n  " : "\n  ");
        (bsim_traffic_is(&pictures[i]) ? add_other : add_picture)(&pictures[i], out);
    }
    bsim_buffer_text(out, "]}\n");
}
