/* collect.c - see collect.h. Its memory is the C library's own: tests that fail allocations mean
 * the library under test. */
#include "collect.h"

#include "event/far.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    size_t length;
};

static void add_address(struct line *line, uint64_t address)
{
    size_t room = COLLECT_TEXT_SIZE - line->length;
    int n = address >> 32 == 0 ? snprintf(line->text + line->length, room, "%" PRIu64, address)
                               : snprintf(line->text + line->length, room, "%" PRIu64 ":%" PRIu32,
                                          address >> 32, (uint32_t)address);
    line->length += (size_t)n;
}

static void add_word(struct line *line, const char *word)
{
    size_t room = COLLECT_TEXT_SIZE - line->length;
    line->length += (size_t)snprintf(line->text + line->length, room, "%s", word);
}

static void add_addresses(struct line *line, const struct bsim_event *event)
{
    char stride[32];
    const char *comma = "";
    if (event->affine) {
        (void)snprintf(stride, sizeof stride, "%+" PRId64, event->stride);
        add_address(line, event->base);
        add_word(line, stride);
        return;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((event->mask >> lane & 1) != 0) {
            add_word(line, comma);
            add_address(line, event->address[lane]);
            comma = ",";
        }
    }
}

static void add_from(struct line *line, const struct bsim_event *event)
{
    struct bsim_event far;
    if (event->from != NULL) {
        bsim_event_far(event, &far);
        add_word(line, " from=");
        add_addresses(line, &far);
    }
}

/* What no lane has a part in: descriptors by where they begin. */
static void add_async(struct line *line, const struct bsim_event *event)
{
    const struct bsim_async *async = event->async;
    char text[64];
    if (event->opcode.family == BSIM_WGMMA) {
        (void)snprintf(text, sizeof text, "a=%" PRIu32 " b=%" PRIu32,
                       async->a_in_registers ? 0 : async->a.start, async->b.start);
        add_word(line, text);
        return;
    }
    for (uint32_t d = 0; d == 0 || d < async->copy.n_dims; d++) {
        (void)snprintf(text, sizeof text, "%s%" PRIu32, d > 0 ? "x" : "", async->copy.box[d]);
        add_word(line, text);
    }
    (void)snprintf(text, sizeof text, " start=%" PRIu32 " from=", async->copy.start);
    add_word(line, text);
    add_address(line, async->copy.from);
    if (async->copy.inside > 0) {
        (void)snprintf(text, sizeof text, " inside=%" PRIu32, async->copy.inside);
        add_word(line, text);
    }
    if (async->arrives > 0) {
        (void)snprintf(text, sizeof text, " arrive=%" PRIu32, async->arrives);
        add_word(line, text);
    }
}

static void write_event(char *text, const struct bsim_event *event)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    struct line line = {text, 0};
    (void)bsim_opcode_name(&event->opcode, name);
    if (event->opcode.family == BSIM_BAR) {
        (void)snprintf(text, COLLECT_TEXT_SIZE, "w%s %s", event->warp == BSIM_ALL_WARPS ? "*" : "?",
                       name);
    } else if (bsim_opcode_meets(&event->opcode)) {
        (void)snprintf(text, COLLECT_TEXT_SIZE, "w%" PRIu32 " %s %" PRIu32 ":%" PRIu32, event->warp,
                       name, event->meeting, event->arrivals);
    } else if (bsim_opcode_groups(&event->opcode)) {
        (void)snprintf(text, COLLECT_TEXT_SIZE, "w%" PRIu32 " %s %" PRIu32, event->warp, name, event->groups);
    } else if (event->opcode.family == BSIM_WORK) {
        (void)snprintf(text, COLLECT_TEXT_SIZE, "w%" PRIu32 " work %" PRIu32 ":%" PRIu32,
                       event->warp, event->work_count, event->work_cycles);
    } else {
        line.length = (size_t)snprintf(
            text, COLLECT_TEXT_SIZE, "w%" PRIu32 " @%" PRIu32 " %s %08" PRIx32 " ", event->warp,
            event->site != NULL ? event->site->number : 0, name, event->mask);
        if (bsim_opcode_is_access(&event->opcode)) {
            add_addresses(&line, event);
            add_from(&line, event);
        } else if (bsim_opcode_is_async(&event->opcode)) {
            add_async(&line, event);
        } else {
            add_word(&line, "-");
        }
    }
}

static void write_kernel(char *text, const struct bsim_kernel *kernel)
{
    struct bsim_dim3 g = kernel->grid;
    struct bsim_dim3 b = kernel->block;
    char shared[32] = "", again[24] = "";
    if (kernel->has_shared) {
        (void)snprintf(shared, sizeof shared, " shared=%" PRIu32, kernel->shared_bytes);
    }
    if (kernel->again > 0) {
        (void)snprintf(again, sizeof again, " again=%" PRIu32, kernel->again);
    }
    (void)snprintf(text, COLLECT_TEXT_SIZE,
                   "kernel %s grid=%" PRIu32 ",%" PRIu32 ",%" PRIu32 " block=%" PRIu32 ",%" PRIu32
                   ",%" PRIu32 "%s%s%s%s",
                   kernel->name, g.x, g.y, g.z, b.x, b.y, b.z, shared, again,
                   kernel->extras[0] != '\0' ? " " : "", kernel->extras);
}

static void keep_site(struct collect_item *item, const struct bsim_site *site)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    size_t length = strlen(site->file);
    size_t room = sizeof item->file - 1;
    item->number = site->number;
    item->line = site->line;
    (void)snprintf(item->file, sizeof item->file, "%s",
                   site->file + (length > room ? length - room : 0));
    (void)snprintf(item->text, COLLECT_TEXT_SIZE, "site %" PRIu32 " %s %s", site->number,
                   bsim_opcode_name(&site->opcode, name), site->text);
}

static void keep(struct collect_item *item, const struct bsim_record *record)
{
    item->kind = record->kind;
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        write_kernel(item->text, record->u.kernel);
        break;
    case BSIM_RECORD_SITE:
        keep_site(item, record->u.site);
        break;
    case BSIM_RECORD_BLOCK:
        (void)snprintf(item->text, COLLECT_TEXT_SIZE, "block %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                       record->u.block.x, record->u.block.y, record->u.block.z);
        break;
    case BSIM_RECORD_EVENT:
        write_event(item->text, record->u.event);
        item->event = *record->u.event;
        item->event.site = NULL;
        item->event.from = NULL;
        item->event.async = NULL;
        item->number = record->u.event->site != NULL ? record->u.event->site->number : 0;
        break;
    case BSIM_RECORD_REPEAT:
        (void)snprintf(item->text, COLLECT_TEXT_SIZE, "repeat %" PRIu32 " %" PRIu32 ":%" PRIu32,
                       record->u.repeat.trips, record->u.repeat.work_count,
                       record->u.repeat.work_cycles);
        break;
    case BSIM_RECORD_DONE:
        (void)snprintf(item->text, COLLECT_TEXT_SIZE, "done");
        break;
    case BSIM_RECORD_END:
        (void)snprintf(item->text, COLLECT_TEXT_SIZE, "end");
        break;
    }
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct collect *collect = context;
    if (collect->refuse > 0 && collect->n + 1 >= collect->refuse) {
        collect->n_after_refusal += collect->n + 1 > collect->refuse ? 1 : 0;
        collect->n = collect->refuse;
        return bsim_error_set(err, BSIM_E_IO, "refused record %zu", collect->refuse);
    }
    if (collect->n == collect->capacity) {
        size_t capacity = collect->capacity > 0 ? 2 * collect->capacity : 64;
        struct collect_item *item = realloc(collect->item, capacity * sizeof *item);
        if (item == NULL) {
            abort();
        }
        collect->item = item;
        collect->capacity = capacity;
    }
    if (collect->is_brief) {
        collect->n = 1;
        collect->item[0].kind = record->kind;
        return BSIM_OK;
    }
    struct collect_item *item = &collect->item[collect->n++];
    memset(item, 0, sizeof *item);
    keep(item, record);
    return BSIM_OK;
}

struct bsim_sink collect_sink(struct collect *collect)
{
    return (struct bsim_sink){.push = push, .context = collect};
}

void collect_free(struct collect *collect)
{
    free(collect->item);
    memset(collect, 0, sizeof *collect);
}

const char *collect_difference(const struct collect *collect, const char *const *line,
                               size_t n_lines, char *out, size_t size)
{
    size_t most = collect->n > n_lines ? collect->n : n_lines;
    for (size_t i = 0; i < most; i++) {
        const char *got = i < collect->n ? collect->item[i].text : "(nothing)";
        const char *wanted = i < n_lines ? line[i] : "(nothing)";
        if (strcmp(got, wanted) != 0) {
            (void)snprintf(out, size, "record %zu is\n    %s\nexpected\n    %s", i + 1, got,
                           wanted);
            return out;
        }
    }
    return NULL;
}

static bool is_at(const struct collect_item *item, uint32_t number)
{
    return item->kind == BSIM_RECORD_EVENT && item->number == number;
}

const struct bsim_event *collect_event(const struct collect *collect, uint32_t number, size_t index)
{
    for (size_t i = 0; i < collect->n; i++) {
        if (is_at(&collect->item[i], number) && index-- == 0) {
            return &collect->item[i].event;
        }
    }
    return NULL;
}

size_t collect_count(const struct collect *collect, uint32_t number)
{
    size_t n = 0;
    for (size_t i = 0; i < collect->n; i++) {
        n += is_at(&collect->item[i], number);
    }
    return n;
}

const struct bsim_event *collect_last(const struct collect *collect, enum bsim_family family)
{
    const struct bsim_event *last = NULL;
    for (size_t i = 0; i < collect->n; i++) {
        const struct collect_item *item = &collect->item[i];
        last = item->kind == BSIM_RECORD_EVENT && item->event.opcode.family == family ? &item->event : last;
    }
    return last;
}
