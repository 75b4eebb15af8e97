/* show_async.c - what to ask of copies by TMA and wgmmas, which have no lanes to draw: the tile of each is one of
 * `show --tma` and `show --wgmma`, and the command is told.
 */
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 8 };

struct asked {
    uint32_t site; /* of this number alone; 0: any */
    struct bsim_buffer *out;
    size_t n;
    struct {
        struct bsim_opcode opcode;
        uint32_t site;
    } told[MOST_TOLD];
};

/* ---- commands -------------------------------------------------------------------------------- */

static void add_copy(const struct bsim_tma *copy, struct bsim_buffer *out)
{
    static const char *const ways[] = {"", "store ", "reduce "};
    static const char *const swizzles[] = {"", " swizzle=32B", " swizzle=64B", " swizzle=128B"};
    bsim_buffer_printf(out, "--tma '%s", ways[copy->way]);
    if (copy->n_dims == 0) {
        bsim_buffer_printf(out, "bulk bytes=%" PRIu32, copy->box[0]);
    } else {
        bsim_buffer_printf(out, "b%" PRIu32 " box=", 8 * copy->element_bytes);
    }
    for (uint32_t d = 0; d < copy->n_dims; d++) {
        bsim_buffer_printf(out, "%s%" PRIu32, d > 0 ? "x" : "", copy->box[d]);
    }
    bsim_buffer_printf(out, "%s start=%" PRIu32, swizzles[copy->swizzle], copy->start);
    if (copy->from % 32 != 0) {
        bsim_buffer_printf(out, " from=%" PRIu64, copy->from % 32); /* sectors alone count */
    }
    if (copy->pitch_bytes > 0) {
        bsim_buffer_printf(out, " pitch=%" PRIu64, copy->pitch_bytes);
    }
    if (copy->inside > 0) {
        bsim_buffer_printf(out, " inside=%" PRIu32, copy->inside);
    }
    bsim_buffer_text(out, "'");
}

static void add_operand(char name, const struct bsim_wgmma_descriptor *at, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, " --%c 'start=%" PRIu32 " lbo=%" PRIu32 " sbo=%" PRIu32, name, at->start,
                       at->leading_bytes, at->stride_bytes);
    if (at->base_offset > 0) {
        bsim_buffer_printf(out, " base=%" PRIu32, at->base_offset);
    }
    bsim_buffer_printf(out, " swizzle=%s major=%s'", bsim_wgmma_swizzle_name(at->swizzle), at->is_mn_major ? "MN" : "K");
}

/* "wgmma.mma_async.sync.aligned.m64n128k16.f16" is --wgmma 'm64n128k16 f16'. */
static void add_wgmma(const struct bsim_opcode *opcode, const struct bsim_async *async, struct bsim_buffer *out)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    const char *shape = strstr(bsim_opcode_name(opcode, name), "m64");
    const char *type = strrchr(name, '.');
    bsim_buffer_printf(out, "--wgmma '%.*s %s'", (int)(type - shape), shape, type + 1);
    if (async->a_in_registers) {
        bsim_buffer_text(out, " --a registers");
    } else {
        add_operand('a', &async->a, out);
    }
    add_operand('b', &async->b, out);
}

/* ---- the stream ------------------------------------------------------------------------------ */

static bool is_told(struct asked *asked, const struct bsim_event *event, uint32_t site)
{
    size_t i = 0;
    while (i < asked->n && (asked->told[i].site != site || !bsim_opcode_same(&asked->told[i].opcode, &event->opcode))) {
        i++;
    }
    return i < asked->n;
}

static enum bsim_status look(void *context, const struct bsim_record *record, struct bsim_error *err)
{
    struct asked *asked = context;
    const struct bsim_event *event = record->kind == BSIM_RECORD_EVENT ? record->u.event : NULL;
    (void)err;
    if (event == NULL || !bsim_opcode_is_async(&event->opcode) || asked->n == MOST_TOLD) {
        return BSIM_OK;
    }
    uint32_t site = event->site != NULL ? event->site->number : 0;
    if ((asked->site > 0 && asked->site != site) || is_told(asked, event, site)) {
        return BSIM_OK;
    }
    asked->told[asked->n].opcode = event->opcode;
    asked->told[asked->n++].site = site;
    bsim_buffer_text(asked->out, "    banksim show ");
    if (event->opcode.family == BSIM_WGMMA) {
        add_wgmma(&event->opcode, event->async, asked->out);
    } else {
        add_copy(&event->async->copy, asked->out);
    }
    bsim_buffer_text(asked->out, "\n");
    return BSIM_OK;
}

enum bsim_status bsim_cli_show_async(const struct bsim_source *source, uint32_t site, struct bsim_buffer *out,
                                     struct bsim_error *err)
{
    struct bsim_buffer commands = BSIM_BUFFER_EMPTY;
    struct asked asked = {.site = site, .out = &commands};
    struct bsim_sink sink = {.push = look, .context = &asked};
    enum bsim_status status = source->push(source->context, &sink, err);
    if (status == BSIM_OK && asked.n > 0) {
        bsim_buffer_text(out, "Copies by TMA and wgmmas have no lanes to draw, and no bank conflicts. Where the elements of their "
                              "tiles lie:\n");
        bsim_buffer_add(out, commands.data, commands.size_bytes);
        out->failed = out->failed || commands.failed;
    }
    bsim_buffer_free(&commands);
    return status;
}
