/* trace_text.c - see trace_text.h. */
#define _POSIX_C_SOURCE 200809L /* scandir */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace_text.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading from memory ------------------------------------------------------------------- */

struct memory {
    const char *text;
    size_t size, piece_bytes;
};

static size_t read_memory(void *context, void *data, size_t size_bytes)
{
    struct memory *memory = context;
    size_t n = memory->size < size_bytes ? memory->size : size_bytes;
    n = n < memory->piece_bytes ? n : memory->piece_bytes;
    if (n > 0) {
        memcpy(data, memory->text, n);
        memory->text += n;
        memory->size -= n;
    }
    return n;
}

enum bsim_status trace_text_read(const char *text, size_t size, size_t piece_bytes,
                                 const struct bsim_sink *sink, struct bsim_error *err)
{
    struct memory memory = {text, size, piece_bytes > 0 ? piece_bytes : SIZE_MAX};
    struct bsim_input input = {.read = read_memory, .context = &memory, .name = "t.trace"};
    return bsim_trace_read(&input, sink, err);
}

/* ---- a stream as text ---------------------------------------------------------------------- */

static void log_kernel(struct bsim_buffer *log, const struct bsim_kernel *k)
{
    bsim_buffer_printf(log, "kernel %s grid %u,%u,%u block %u,%u,%u", k->name, k->grid.x, k->grid.y,
                       k->grid.z, k->block.x, k->block.y, k->block.z);
    if (k->has_shared) {
        bsim_buffer_printf(log, " shared %u", k->shared_bytes);
    }
    if (k->registers > 0) {
        bsim_buffer_printf(log, " registers %u", k->registers);
    }
    bsim_buffer_printf(log, " device %s extras '%s'", k->device != NULL ? k->device : "(none)",
                       k->extras);
}

static void log_site(struct bsim_buffer *log, const struct bsim_site *site)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(log, "site %u index %u %s", site->number, site->index,
                       bsim_opcode_name(&site->opcode, name));
    if (site->file != NULL) {
        bsim_buffer_printf(log, " at %s line %u", site->file, site->line);
    }
    if (site->text != NULL) {
        bsim_buffer_printf(log, " text '%s'", site->text);
    }
}

static void log_addresses(struct bsim_buffer *log, const struct bsim_event *event)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    if (lanes == 0) {
        return;
    }
    if (event->affine) {
        bsim_buffer_printf(log, " affine %" PRIu64 " %+" PRId64, event->base, event->stride);
        return;
    }
    bsim_buffer_text(log, " at");
    for (unsigned lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            bsim_buffer_printf(log, " %u:%" PRIu64, lane, event->address[lane]);
        }
    }
}

static void log_count(struct bsim_buffer *log, const char *name, int32_t count)
{
    if (count != BSIM_ANY_COUNT) {
        bsim_buffer_printf(log, " %s %" PRId32, name, count);
    }
}

static void log_event(struct bsim_buffer *log, const struct bsim_event *event)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    if (event->warp == BSIM_ALL_WARPS) {
        bsim_buffer_text(log, "event w*");
    } else {
        bsim_buffer_printf(log, "event w%u", event->warp);
    }
    if (event->site != NULL) {
        bsim_buffer_printf(log, " @%u", event->site->number);
    }
    bsim_buffer_printf(log, " %s mask %08x", bsim_opcode_name(&event->opcode, name), event->mask);
    log_addresses(log, event);
    if (event->meeting > 0) {
        bsim_buffer_printf(log, " meeting %u:%u", event->meeting, event->arrivals);
    }
    if (event->opcode.family == BSIM_COPIES_WAIT && event->groups == BSIM_ALL_COPIES) {
        bsim_buffer_text(log, " groups all");
    } else if (event->opcode.family == BSIM_COPIES_WAIT) {
        bsim_buffer_printf(log, " groups %u", event->groups);
    }
    if (event->work_count > 0 || event->work_cycles > 0) {
        bsim_buffer_printf(log, " work %u:%u", event->work_count, event->work_cycles);
        if (event->opcode.operation != 0) {
            bsim_buffer_printf(log, " of %s", bsim_work_class_name(event->opcode.operation));
        }
        if (event->reads.even > 0 || event->reads.odd > 0) {
            bsim_buffer_printf(log, " reads %u+%u less %u+%u", event->reads.even, event->reads.odd,
                               event->reads.reused_even, event->reads.reused_odd);
        }
    }
    log_count(log, "wait", event->wait);
    log_count(log, "wavefronts", event->expect_wavefronts);
    log_count(log, "conflicts", event->expect_conflicts);
}

static enum bsim_status log_record(void *context, const struct bsim_record *record,
                                   struct bsim_error *err)
{
    struct bsim_buffer *log = context;
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        log_kernel(log, record->u.kernel);
        break;
    case BSIM_RECORD_SITE:
        log_site(log, record->u.site);
        break;
    case BSIM_RECORD_BLOCK:
        bsim_buffer_printf(log, "block %u,%u,%u", record->u.block.x, record->u.block.y,
                           record->u.block.z);
        break;
    case BSIM_RECORD_EVENT:
        log_event(log, record->u.event);
        break;
    case BSIM_RECORD_REPEAT:
        bsim_buffer_printf(log, "repeat %u work %u:%u", record->u.repeat.trips,
                           record->u.repeat.work_count, record->u.repeat.work_cycles);
        break;
    case BSIM_RECORD_DONE:
        bsim_buffer_text(log, "done");
        break;
    case BSIM_RECORD_END:
        bsim_buffer_text(log, "end");
        break;
    }
    bsim_buffer_text(log, "\n");
    return bsim_buffer_status(log, err);
}

struct bsim_sink trace_text_log(struct bsim_buffer *log)
{
    return (struct bsim_sink){.push = log_record, .context = log};
}

struct bsim_buffer trace_text_describe(const char *text, size_t size, enum bsim_status *status,
                                       struct bsim_error *err)
{
    struct bsim_buffer log = BSIM_BUFFER_EMPTY;
    struct bsim_sink sink = trace_text_log(&log);
    *status = trace_text_read(text, size, 0, &sink, err);
    if (*status != BSIM_OK) {
        bsim_buffer_clear(&log);
    }
    bsim_buffer_text(&log, "");
    return log;
}

/* ---- files --------------------------------------------------------------------------------- */

struct bsim_buffer trace_text_load(const char *path)
{
    struct bsim_buffer all = BSIM_BUFFER_EMPTY;
    char piece[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot open %s (tests run in the repository's root)", path);
    }
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        bsim_buffer_add(&all, piece, n);
    }
    fclose(file);
    assert_false(all.failed);
    return all;
}

static int ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name);
    size_t m = strlen(suffix);
    return n >= m && strcmp(name + n - m, suffix) == 0;
}

void trace_text_each(const char *folder, const char *prefix, const char *suffix,
                     void (*visit)(const char *path, const char *text, size_t size))
{
    struct dirent **entry;
    size_t visited = 0;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        if (name[0] != '.' && strncmp(name, prefix, strlen(prefix)) == 0 &&
            ends_with(name, suffix)) {
            char path[512];
            (void)snprintf(path, sizeof path, "%s/%s", folder, name);
            struct bsim_buffer text = trace_text_load(path);
            visit(path, text.data != NULL ? text.data : "", text.size_bytes);
            bsim_buffer_free(&text);
            visited++;
        }
        free(entry[i]);
    }
    if (n >= 0) {
        free(entry);
    }
    if (visited == 0) {
        fail_msg("no file %s*%s in %s", prefix, suffix, folder);
    }
}
