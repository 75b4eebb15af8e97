/* picture_json.c - requests and their passes as json, for programs. */
#include "report/format.h"
#include "report/json.h"
#include "report/picture/picture.h"
#include "report/picture/traffic.h"

#include <banksim/banksim.h>

#include <inttypes.h>

static void add_text(const char *name, const char *text, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, ", \"%s\": ", name);
    if (text != NULL) {
        bsim_json_string(text, out);
    } else {
        bsim_buffer_text(out, "null");
    }
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
        bsim_lanes_json("lanes", schedule->group_lanes[i], out);
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
    bsim_lanes_json("lanes", grant->lanes, out);
    bsim_buffer_text(out, ", ");
    bsim_lanes_json("receivers", grant->receivers, out);
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
        bsim_lanes_json("lanes", pass->lanes, out);
        bsim_buffer_text(out, ", \"grants\": [");
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            bsim_buffer_text(out, g > 0 ? ",\n     " : "\n     ");
            add_grant(&drawing->of->device, &schedule->grant[pass->first_grant + g], out);
        }
        bsim_buffer_text(out, "]}");
    }
    bsim_buffer_text(out, "]");
}

static void add_known(struct bsim_row *row, const char *name, const char *text)
{
    if (text != NULL) {
        bsim_row_text(row, name, text);
    } else {
        bsim_row_known(row, name, false, 0);
    }
}

static void make_row(const struct bsim_picture *picture, struct bsim_row *row)
{
    const struct bsim_device *device = &picture->device;
    row->n = 0;
    bsim_row_opcode(row, &picture->request.opcode);
    add_known(row, "title", picture->title);
    add_known(row, "place", picture->place);
    bsim_row_text(row, "device", device->name);
    if (!bsim_traffic_is(picture)) {
        bsim_row_number(row, "banks", device->n_banks);
        bsim_row_number(row, "bank_bytes", device->bank_bytes);
        bsim_row_number(row, "stride_bytes", device->stride_bytes);
    }
    bsim_row_number(row, "bytes", picture->request.opcode.bytes);
    bsim_row_mask(row, picture->request.mask);
}

/* Of a request to shared memory. */
static void add_schedule(const struct bsim_picture *picture, struct bsim_document *doc)
{
    uint64_t address[BSIM_WARP_LANES];
    struct bsim_drawing drawing;
    struct bsim_kernel_result basis = {.device = picture->device};
    bsim_drawing_make(picture, &drawing);
    basis.rules = drawing.schedule.rules;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = picture->request.address[lane];
    }
    bsim_addresses_json(&picture->request, address, doc->out);
    add_counts(&drawing, doc->out);
    add_groups(&drawing.schedule, doc->out);
    add_passes(&drawing, doc->out);
    bsim_document_rests_on(doc, &basis, 0);
}

void bsim_json_pictures(const struct bsim_picture *pictures, size_t n,
                        const struct bsim_picture_style *style, struct bsim_document *doc)
{
    (void)style;
    bsim_document_table(doc, "requests", NULL, 0);
    for (size_t i = 0; i < n; i++) {
        struct bsim_row row;
        make_row(&pictures[i], &row);
        bsim_document_open(doc, NULL, &row);
        if (bsim_traffic_is(&pictures[i])) {
            bsim_traffic_json(&pictures[i], doc->out);
        } else {
            add_schedule(&pictures[i], doc);
        }
        bsim_document_close(doc);
    }
    bsim_document_table_end(doc);
}
