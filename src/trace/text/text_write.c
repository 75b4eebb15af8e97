/* text_write.c - the sink that writes the text format.
 *
 * The text of a stream is one text: the same records give the same bytes. Numbers are decimal and
 * masks eight digits; an event of a site is written by the site's number; keys that hold their
 * initial value are left out. Text is gathered in a buffer and leaves in pieces. What the format
 * cannot hold (a name with a blank, a control character in a text) is refused, not replaced.
 */
#include "trace/write.h"

#include "base/memory.h"
#include "event/far.h"
#include "trace/rules.h"
#include "trace/text/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    PIECE_BYTES = 32768,
    NUMBER_SIZE = 20, /* digits of UINT64_MAX */
};

struct text_writer {
    struct bsim_trace_writer base;
    struct bsim_output output;
    struct bsim_buffer buffer;
    bool has_version;
    struct bsim_stream stream; /* if a record was lost, nothing after it may look whole */
};

/* ---- words -------------------------------------------------------------------------------- */

static void put_number(struct bsim_buffer *out, uint64_t value)
{
    char digits[NUMBER_SIZE];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    bsim_buffer_add(out, digits + at, sizeof digits - at);
}

/* " key=" and a number. */
static void put_key(struct bsim_buffer *out, const char *key, uint64_t value)
{
    bsim_buffer_text(out, key);
    put_number(out, value);
}

/* X[,Y[,Z]]: coordinates at their least value are left out from the end. */
static void put_dim3(struct bsim_buffer *out, const struct bsim_dim3 *dim, uint32_t least)
{
    put_number(out, dim->x);
    if (dim->y != least || dim->z != least) {
        put_key(out, ",", dim->y);
    }
    if (dim->z != least) {
        put_key(out, ",", dim->z);
    }
}

static void put_mask(struct bsim_buffer *out, uint32_t mask)
{
    char digits[8];
    for (size_t i = 0; i < sizeof digits; i++) {
        digits[i] = "0123456789abcdef"[mask >> (28 - 4 * i) & 15];
    }
    bsim_buffer_add(out, digits, sizeof digits);
}

static void put_opcode(struct bsim_buffer *out, const struct bsim_opcode *opcode)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_text(out, bsim_opcode_name(opcode, name));
}

static void put_work(struct bsim_buffer *out, uint32_t count, uint32_t cycles)
{
    put_number(out, count);
    if (cycles > 0) {
        put_key(out, ":", cycles);
    }
}

static void put_class(struct bsim_buffer *out, uint32_t work_class)
{
    if (work_class != BSIM_WORK_ANY) {
        bsim_buffer_text(out, " ");
        bsim_buffer_text(out, bsim_work_class_name(work_class));
    }
}

static void put_quoted(struct bsim_buffer *out, const char *text)
{
    bsim_buffer_text(out, "\"");
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\') {
            bsim_buffer_text(out, "\\");
        }
        bsim_buffer_add(out, p, 1);
    }
    bsim_buffer_text(out, "\"");
}

/* ---- records ------------------------------------------------------------------------------ */

static enum bsim_status put_kernel(struct bsim_buffer *out, const struct bsim_kernel *kernel,
                                   struct bsim_error *err)
{
    enum bsim_status status = bsim_rules_misuse(bsim_rules_kernel_values(kernel, err), err);
    if (status != BSIM_OK) {
        return status;
    }
    bsim_buffer_text(out, "kernel ");
    bsim_buffer_text(out, kernel->name);
    bsim_buffer_text(out, " grid=");
    put_dim3(out, &kernel->grid, 1);
    bsim_buffer_text(out, " block=");
    put_dim3(out, &kernel->block, 1);
    if (kernel->has_shared) {
        put_key(out, " shared=", kernel->shared_bytes);
    }
    if (kernel->registers > 0) {
        put_key(out, " registers=", kernel->registers);
    }
    if (kernel->device != NULL) {
        bsim_buffer_text(out, " device=");
        bsim_buffer_text(out, kernel->device);
    }
    if (kernel->again > 0) {
        put_key(out, " again=", kernel->again);
    }
    if (kernel->extras[0] != '\0') {
        bsim_buffer_text(out, " ");
        bsim_buffer_text(out, kernel->extras);
    }
    return BSIM_OK;
}

static enum bsim_status put_site(struct bsim_buffer *out, const struct bsim_site *site,
                                 struct bsim_error *err)
{
    enum bsim_status status = bsim_rules_misuse(bsim_rules_site_values(site, err), err);
    if (status != BSIM_OK) {
        return status;
    }
    put_key(out, "site ", site->number);
    bsim_buffer_text(out, " ");
    put_opcode(out, &site->opcode);
    if (site->file != NULL) {
        bsim_buffer_text(out, " at=");
        bsim_buffer_text(out, site->file);
        put_key(out, ":", site->line);
    }
    if (site->text != NULL) {
        bsim_buffer_text(out, " text=");
        put_quoted(out, site->text);
    }
    return BSIM_OK;
}

static void put_list(struct bsim_buffer *out, const struct bsim_event *event, uint32_t lanes)
{
    uint64_t address[BSIM_WARP_LANES];
    uint64_t packed[BSIM_WARP_LANES];
    size_t n = 0;
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            packed[n++] = address[lane];
        }
    }
    size_t run;
    for (size_t i = 0; i < n; i += run) {
        for (run = 1; i + run < n && packed[i + run] == packed[i]; run++) {
        }
        put_key(out, i > 0 ? "," : "", packed[i]);
        if (run > 1) {
            put_key(out, "*", run);
        }
    }
}

static void put_addresses(struct bsim_buffer *out, const struct bsim_event *event)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    if (lanes == 0) {
        bsim_buffer_text(out, "-");
    } else if (bsim_rules_is_plain(event, lanes)) {
        bool down = event->stride < 0;
        put_number(out, event->base);
        put_key(out, down ? "-" : "+",
                down ? 0 - (uint64_t)event->stride : (uint64_t)event->stride);
    } else {
        put_list(out, event, lanes);
    }
}

/* " from=" and the other side's addresses, of a copy that tells them. */
static void put_from(struct bsim_buffer *out, const struct bsim_event *event)
{
    struct bsim_event far;
    if (event->from != NULL) {
        bsim_event_far(event, &far);
        bsim_buffer_text(out, " from=");
        put_addresses(out, &far);
    }
}

static void put_banks(struct bsim_buffer *out, const char *key, uint32_t even, uint32_t odd)
{
    if (even > 0 || odd > 0) {
        put_key(out, key, even);
        put_key(out, "+", odd);
    }
}

static void put_attributes(struct bsim_buffer *out, const struct bsim_event *event)
{
    put_banks(out, " reads=", event->reads.even, event->reads.odd);
    put_banks(out, " reuse=", event->reads.reused_even, event->reads.reused_odd);
    if (event->wait != BSIM_ANY_COUNT) {
        put_key(out, " wait=", (uint64_t)event->wait);
    }
    if (event->expect_wavefronts != BSIM_ANY_COUNT) {
        put_key(out, " expect.wavefronts=", (uint64_t)event->expect_wavefronts);
    }
    if (event->expect_conflicts != BSIM_ANY_COUNT) {
        put_key(out, " expect.conflicts=", (uint64_t)event->expect_conflicts);
    }
}

static void put_event(struct bsim_buffer *out, const struct bsim_event *event)
{
    if (event->warp == BSIM_ALL_WARPS) {
        bsim_buffer_text(out, "w* ");
    } else {
        put_key(out, "w", event->warp);
        bsim_buffer_text(out, " ");
    }
    if (event->site != NULL) {
        put_key(out, "@", event->site->number);
    } else if (event->opcode.family == BSIM_COPIES_WAIT && event->groups == BSIM_ALL_COPIES) {
        bsim_buffer_text(out, "cp.async.wait_all");
    } else {
        put_opcode(out, &event->opcode);
    }
    if (event->opcode.family == BSIM_WORK) {
        bsim_buffer_text(out, " ");
        put_work(out, event->work_count, event->work_cycles);
        put_class(out, event->opcode.operation);
    } else if (bsim_opcode_meets(&event->opcode)) {
        bsim_buffer_text(out, " ");
        put_work(out, event->meeting, event->arrivals);
    } else if (bsim_opcode_groups(&event->opcode)) {
        if (event->opcode.family == BSIM_COPIES_WAIT && event->groups != BSIM_ALL_COPIES) {
            put_key(out, " ", event->groups);
        }
    } else if (bsim_opcode_is_async(&event->opcode)) {
        bsim_text_put_async(out, event);
    } else if (event->opcode.family != BSIM_BAR) {
        bsim_buffer_text(out, " ");
        put_mask(out, event->mask);
        bsim_buffer_text(out, " ");
        put_addresses(out, event);
        put_from(out, event);
    }
    put_attributes(out, event);
}

static void put_repeat(struct bsim_buffer *out, const struct bsim_repeat *repeat)
{
    put_key(out, "repeat ", repeat->trips);
    if (repeat->work_count > 0 || repeat->work_cycles > 0) {
        bsim_buffer_text(out, " work=");
        put_work(out, repeat->work_count, repeat->work_cycles);
    }
}

static enum bsim_status put_record(struct bsim_buffer *out, const struct bsim_record *record,
                                   struct bsim_error *err)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        return put_kernel(out, record->u.kernel, err);
    case BSIM_RECORD_SITE:
        return put_site(out, record->u.site, err);
    case BSIM_RECORD_BLOCK:
        bsim_buffer_text(out, "block ");
        put_dim3(out, &record->u.block, 0);
        return BSIM_OK;
    case BSIM_RECORD_EVENT:
        put_event(out, record->u.event);
        return BSIM_OK;
    case BSIM_RECORD_REPEAT:
        put_repeat(out, &record->u.repeat);
        return BSIM_OK;
    case BSIM_RECORD_DONE:
        bsim_buffer_text(out, "done");
        return BSIM_OK;
    case BSIM_RECORD_END:
        bsim_buffer_text(out, "end");
        break;
    }
    return BSIM_OK;
}

/* ---- the sink ----------------------------------------------------------------------------- */

static enum bsim_status put_line(struct text_writer *writer, const struct bsim_record *record,
                                 struct bsim_error *err)
{
    struct bsim_buffer *out = &writer->buffer;
    size_t start = out->size_bytes;
    enum bsim_status status = put_record(out, record, err);
    status = status == BSIM_OK ? bsim_rules_length(out->size_bytes - start, err) : status;
    bsim_buffer_text(out, "\n");
    return status == BSIM_OK ? bsim_buffer_status(out, err) : status;
}

static enum bsim_status write_piece(struct text_writer *writer, struct bsim_error *err)
{
    const struct bsim_output *output = &writer->output;
    enum bsim_status status =
        output->write(output->context, writer->buffer.data, writer->buffer.size_bytes, err);
    bsim_buffer_clear(&writer->buffer);
    return status;
}

static enum bsim_status take(struct text_writer *writer, const struct bsim_record *record,
                             struct bsim_error *err)
{
    if (!writer->has_version) {
        bsim_buffer_text(&writer->buffer, "banksim-trace 1\n");
        writer->has_version = true;
    }
    bool is_end = record->kind == BSIM_RECORD_END;
    enum bsim_status status = put_line(writer, record, err);
    return status == BSIM_OK && (is_end || writer->buffer.size_bytes >= PIECE_BYTES)
               ? write_piece(writer, err)
               : status;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct text_writer *writer = context;
    enum bsim_status status = bsim_stream_check(&writer->stream, record, err);
    status = status == BSIM_OK ? take(writer, record, err) : status;
    return bsim_stream_pass(&writer->stream, record, status);
}

/* A stream that was closed by a refused record has nothing that may look whole. */
static enum bsim_status cut(struct bsim_trace_writer *base, struct bsim_error *err)
{
    struct text_writer *writer = (struct text_writer *)base;
    bool has_text = !writer->stream.is_closed && writer->buffer.size_bytes > 0;
    writer->stream.is_closed = true;
    return has_text ? write_piece(writer, err) : BSIM_OK;
}

static void free_writer(struct bsim_trace_writer *base)
{
    struct text_writer *writer = (struct text_writer *)base;
    bsim_buffer_free(&writer->buffer);
    bsim_mem_free(writer);
}

struct bsim_trace_writer *bsim_text_writer_new(const struct bsim_output *output)
{
    struct text_writer *writer = bsim_mem_zeroed(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    writer->base = (struct bsim_trace_writer){.push = push, .cut = cut, .free = free_writer};
    writer->output = *output;
    return &writer->base;
}
