/* binary_write.c - the sink that writes the binary format.
 *
 * Two chunks are under construction: definitions, and the events that use them. They leave in this
 * order, so an opcode that is first met in the middle of a chunk of events is defined before it.
 * A chunk of events begins with a block and holds whole blocks, or it continues a block and holds
 * nothing else; so whoever starts at a chunk that does not continue starts at a block:
 *
 *     DEFS  EVTS: block 0, block 1, part of 2   EVTS: more of 2   EVTS: block 3 ...  INDX  LAST
 *
 * What is written is never changed later, so a pipe will do; the index follows what it lists, in
 * chunks of its own that are chained backwards, and memory does not grow with the trace.
 */
#include "trace/binary/binary.h"

#include "base/bits.h"
#include "base/memory.h"
#include "event/far.h"
#include "trace/write.h"

enum {
    CHUNK_BYTES =
        65536, /* a chunk that has so many is closed: it stays in the second-level cache */
    LARGEST_RECORD = 272, /* a list of 64-bit addresses */
    LARGEST_EVENT = 640,  /* LINE, FROM, a list, ATTRIBUTES, another list */
};

/* A chunk under construction. */
struct chunk {
    struct bsim_buffer payload;
    struct bsim_chunk head;
    struct bsim_binary_counts in; /* what it holds */
    uint64_t line, step;          /* of its last record */
};

/* The number by which events name an opcode without a site. */
struct known_opcode {
    struct bsim_opcode opcode;
    uint32_t what;
};

struct binary_writer {
    struct bsim_trace_writer base;
    struct bsim_output output;
    struct bsim_stream stream;
    enum bsim_status status; /* of the first failure: nothing is written after it */
    struct bsim_error *err;  /* of the record at hand */
    bool has_head;
    struct chunk definitions, events;
    bool continues;                   /* the next chunk of events continues a block */
    struct bsim_binary_counts before; /* in the chunks that have been written */
    uint64_t n_chunks;
    uint64_t offset; /* bytes written */

    uint32_t n_what;     /* sites and opcodes of the kernel */
    uint32_t *site_what; /* of the site with index i */
    struct known_opcode *opcode;
    size_t n_opcodes;
    size_t last_opcode; /* that was looked for */

    uint64_t index_offset; /* of the last chunk of the index */
    uint32_t n_entries;
    unsigned char entries[16 + BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];
};

/* ---- chunks leave ---------------------------------------------------------------------------- */

static void fail(struct binary_writer *writer, enum bsim_status status)
{
    writer->status = writer->status == BSIM_OK ? status : writer->status;
}

/* Where the error of what may fail is to be set: NULL after a failure. */
static struct bsim_error *err_of(const struct binary_writer *writer)
{
    return writer->status == BSIM_OK ? writer->err : NULL;
}

static void write_bytes(struct binary_writer *writer, const void *data, size_t size_bytes)
{
    const struct bsim_output *output = &writer->output;
    writer->offset += size_bytes;
    if (size_bytes > 0 && writer->status == BSIM_OK) {
        writer->status = output->write(output->context, data, size_bytes, writer->err);
    }
}

static void write_file_head(struct binary_writer *writer)
{
    unsigned char head[BSIM_BINARY_HEAD_BYTES] = {0};
    memcpy(head, BSIM_BINARY_MAGIC, BSIM_BINARY_MAGIC_BYTES);
    bsim_put32(head + BSIM_BINARY_MAGIC_BYTES, BSIM_BINARY_VERSION);
    bsim_put64(head + BSIM_BINARY_SUM_AT, bsim_checksum(head, NULL, 0));
    writer->has_head = true;
    write_bytes(writer, head, sizeof head);
}

static void write_chunk(struct binary_writer *writer, struct bsim_chunk *chunk, const void *payload)
{
    unsigned char head[BSIM_BINARY_HEAD_BYTES];
    chunk->number = writer->n_chunks++;
    chunk->before = writer->before;
    bsim_chunk_put(chunk, head, payload);
    write_bytes(writer, head, sizeof head);
    write_bytes(writer, payload, chunk->payload_bytes);
}

/* The rows gathered so far, behind the place of the index chunk before and their number. */
static void write_index(struct binary_writer *writer)
{
    struct bsim_chunk chunk = {
        .kind = BSIM_CHUNK_INDEX,
        .payload_bytes = 16 + writer->n_entries * BSIM_BINARY_ENTRY_BYTES,
    };
    uint64_t offset = writer->offset;
    bsim_put64(writer->entries, writer->index_offset);
    bsim_put64(writer->entries + 8, writer->n_entries);
    writer->index_offset = offset;
    writer->n_entries = 0;
    write_chunk(writer, &chunk, writer->entries);
}

static void add_entry(struct binary_writer *writer, const struct bsim_chunk *chunk)
{
    struct bsim_binary_entry entry = {writer->offset, writer->before, chunk->kind,
                                      chunk->payload_bytes, chunk->flags};
    size_t at = 16 + (size_t)writer->n_entries++ * BSIM_BINARY_ENTRY_BYTES;
    bsim_entry_put(&entry, writer->entries + at);
}

/* Writes a chunk of definitions or events, if there is anything in it, and empties it. */
static void flush_chunk(struct binary_writer *writer, struct chunk *chunk)
{
    fail(writer, bsim_buffer_status(&chunk->payload, err_of(writer)));
    if (writer->status != BSIM_OK || chunk->payload.size_bytes == 0) {
        return;
    }
    chunk->head.payload_bytes = (uint32_t)chunk->payload.size_bytes;
    add_entry(writer, &chunk->head);
    write_chunk(writer, &chunk->head, chunk->payload.data);
    writer->before.kernels += chunk->in.kernels;
    writer->before.blocks += chunk->in.blocks;
    writer->before.events += chunk->in.events;
    memset(&chunk->in, 0, sizeof chunk->in);
    bsim_buffer_clear(&chunk->payload);
    if (writer->n_entries == BSIM_BINARY_INDEX_ENTRIES) {
        write_index(writer);
    }
}

/* What is in the chunk of events stays in a block if more of it may follow. */
static void flush(struct binary_writer *writer, bool in_block)
{
    flush_chunk(writer, &writer->definitions);
    flush_chunk(writer, &writer->events);
    writer->continues = in_block;
}

/* ---- records into chunks --------------------------------------------------------------------- */

/* Says which line the next record of the chunk has, where it is not the one that is expected. */
static void put_line(struct chunk *chunk, uint64_t line)
{
    uint64_t step = line > 0;
    if (chunk->payload.size_bytes == 0) {
        chunk->head.line = line - step;
        chunk->head.flags |= step ? BSIM_CHUNK_STEPS : 0;
    } else if (line != chunk->line + chunk->step || step != chunk->step) {
        unsigned char unit[BSIM_BINARY_UNIT_BYTES] = {BSIM_BINARY_LINE, (unsigned char)step};
        bsim_put64(unit + 8, line);
        bsim_buffer_add(&chunk->payload, unit, sizeof unit);
    }
    chunk->line = line;
    chunk->step = step;
}

/* Adds a string's bytes. */
static void add_string(struct chunk *chunk, const char *text, size_t length)
{
    bsim_buffer_add(&chunk->payload, text, length);
}

/* Zeroes up to the next unit. */
static void pad(struct chunk *chunk)
{
    static const unsigned char zero[BSIM_BINARY_UNIT_BYTES];
    size_t over = chunk->payload.size_bytes % BSIM_BINARY_UNIT_BYTES;
    bsim_buffer_add(&chunk->payload, zero, over > 0 ? sizeof zero - over : 0);
}

static uint32_t padded(size_t size_bytes)
{
    return (uint32_t)((size_bytes + BSIM_BINARY_UNIT_BYTES - 1) / BSIM_BINARY_UNIT_BYTES *
                      BSIM_BINARY_UNIT_BYTES);
}

/* Starts the chunk of definitions if it is empty. */
static struct chunk *open_definitions(struct binary_writer *writer)
{
    struct chunk *chunk = &writer->definitions;
    if (chunk->payload.size_bytes == 0) {
        chunk->head = (struct bsim_chunk){.kind = BSIM_CHUNK_DEFINITIONS};
        chunk->line = chunk->step = 0;
    }
    return chunk;
}

static void put_kernel(struct binary_writer *writer, const struct bsim_record *record)
{
    const struct bsim_kernel *kernel = record->u.kernel;
    unsigned char unit[BSIM_BINARY_KERNEL_BYTES] = {BSIM_BINARY_KERNEL};
    size_t name = strlen(kernel->name);
    size_t device = kernel->device != NULL ? strlen(kernel->device) : 0;
    size_t extras = strlen(kernel->extras);
    fail(writer, bsim_rules_length(name + device + extras, err_of(writer)));
    if (writer->status != BSIM_OK) {
        return;
    }
    struct chunk *chunk = open_definitions(writer);
    unit[1] = kernel->has_shared ? BSIM_BINARY_HAS_IT : 0;
    bsim_put16(unit + 2, kernel->again);
    bsim_put32(unit + 4, padded(sizeof unit + name + device + extras));
    const struct bsim_dim3 *size[] = {&kernel->grid, &kernel->block};
    for (size_t i = 0; i < 2; i++) {
        bsim_put32(unit + 8 + 12 * i, size[i]->x);
        bsim_put32(unit + 12 + 12 * i, size[i]->y);
        bsim_put32(unit + 16 + 12 * i, size[i]->z);
    }
    bsim_put32(unit + 32, kernel->has_shared ? kernel->shared_bytes : 0);
    bsim_put32(unit + 36, (uint32_t)name);
    unit[BSIM_BINARY_REGISTERS_AT] = (unsigned char)kernel->registers;
    bsim_put32(unit + 40, (uint32_t)device);
    bsim_put32(unit + 44, (uint32_t)extras);
    put_line(chunk, record->line);
    bsim_buffer_add(&chunk->payload, unit, sizeof unit);
    add_string(chunk, kernel->name, name);
    add_string(chunk, kernel->device, device);
    add_string(chunk, kernel->extras, extras);
    pad(chunk);
    chunk->in.kernels++;
}

/* A kernel begins a chunk of definitions, and its sites and opcodes are numbered anew. */
static void take_kernel(struct binary_writer *writer, const struct bsim_record *record)
{
    fail(writer,
         bsim_rules_misuse(bsim_rules_kernel_values(record->u.kernel, writer->err), writer->err));
    flush(writer, false);
    writer->n_what = 0;
    writer->n_opcodes = 0;
    writer->last_opcode = 0;
    put_kernel(writer, record);
}

static void put_site(struct binary_writer *writer, const struct bsim_record *record,
                     const char *opcode, size_t file, size_t text)
{
    const struct bsim_site *site = record->u.site;
    struct chunk *chunk = open_definitions(writer);
    unsigned char unit[BSIM_BINARY_SITE_BYTES] = {BSIM_BINARY_SITE};
    size_t spelled = strlen(opcode);
    unit[1] = site->text != NULL ? BSIM_BINARY_HAS_IT : 0;
    bsim_put16(unit + 2, (uint32_t)spelled);
    bsim_put32(unit + 4, padded(sizeof unit + spelled + file + text));
    bsim_put32(unit + 8, site->number);
    bsim_put32(unit + 12, site->file != NULL ? site->line : 0);
    bsim_put32(unit + 16, (uint32_t)file);
    bsim_put32(unit + 20, (uint32_t)text);
    put_line(chunk, record->line);
    bsim_buffer_add(&chunk->payload, unit, sizeof unit);
    add_string(chunk, opcode, spelled);
    add_string(chunk, site->file, file);
    add_string(chunk, site->text, text);
    pad(chunk);
}

static void no_memory(struct binary_writer *writer)
{
    fail(writer, bsim_mem_short(err_of(writer)));
}

static void remember_site(struct binary_writer *writer)
{
    uint32_t index = writer->stream.n_sites;
    uint32_t *grown = bsim_mem_grow(writer->site_what, index, sizeof *grown);
    if (grown == NULL) {
        no_memory(writer);
        return;
    }
    writer->site_what = grown;
    writer->site_what[index] = writer->n_what++;
}

/* A site within a block cuts the chunk of events: what is before it must stay before it. */
static void take_site(struct binary_writer *writer, const struct bsim_record *record)
{
    const struct bsim_site *site = record->u.site;
    char opcode[BSIM_OPCODE_NAME_SIZE];
    size_t file = site->file != NULL ? strlen(site->file) : 0;
    size_t text = site->text != NULL ? strlen(site->text) : 0;
    bool has_events = writer->events.payload.size_bytes > 0;
    fail(writer, bsim_rules_misuse(bsim_rules_site_values(site, writer->err), writer->err));
    fail(writer, bsim_rules_length(file + text, err_of(writer)));
    if (has_events || writer->definitions.payload.size_bytes >= CHUNK_BYTES) {
        flush(writer, has_events || writer->continues);
    }
    remember_site(writer);
    if (writer->status == BSIM_OK) {
        put_site(writer, record, bsim_opcode_name(&site->opcode, opcode), file, text);
    }
}

static void define_opcode(struct binary_writer *writer, const struct bsim_opcode *opcode)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    struct known_opcode *grown = bsim_mem_grow(writer->opcode, writer->n_opcodes, sizeof *grown);
    if (grown == NULL) {
        no_memory(writer);
        return;
    }
    writer->opcode = grown;
    writer->opcode[writer->n_opcodes++] = (struct known_opcode){*opcode, writer->n_what++};
    struct chunk *chunk = open_definitions(writer);
    unsigned char unit[BSIM_BINARY_UNIT_BYTES] = {BSIM_BINARY_OPCODE};
    size_t spelled = strlen(bsim_opcode_name(opcode, name));
    bsim_put16(unit + 2, (uint32_t)spelled);
    bsim_put32(unit + 4, padded(sizeof unit + spelled));
    bsim_buffer_add(&chunk->payload, unit, sizeof unit);
    add_string(chunk, name, spelled);
    pad(chunk);
}

/* The number of an event's site or opcode; any after a failure. */
static uint32_t find_what(struct binary_writer *writer, const struct bsim_site *site,
                          const struct bsim_opcode *opcode)
{
    if (site != NULL) {
        return writer->site_what[site->index];
    }
    size_t i = writer->last_opcode;
    if (i >= writer->n_opcodes || !bsim_opcode_same(&writer->opcode[i].opcode, opcode)) {
        for (i = 0; i < writer->n_opcodes; i++) {
            if (bsim_opcode_same(&writer->opcode[i].opcode, opcode)) {
                break;
            }
        }
    }
    if (i == writer->n_opcodes) {
        define_opcode(writer, opcode);
    }
    writer->last_opcode = i;
    return i < writer->n_opcodes ? writer->opcode[i].what : 0;
}

/* Room in the chunk of events for what the next record may take, and its line. */
static void open_events(struct binary_writer *writer, bool is_block, uint64_t line)
{
    struct chunk *chunk = &writer->events;
    size_t size = chunk->payload.size_bytes;
    bool continues = (chunk->head.flags & BSIM_CHUNK_CONTINUES) != 0;
    if (size > 0 && (size >= CHUNK_BYTES - LARGEST_EVENT || (is_block && continues))) {
        flush(writer, !is_block);
    }
    if (chunk->payload.size_bytes == 0) {
        bool goes_on = writer->continues && !is_block;
        chunk->head = (struct bsim_chunk){.kind = BSIM_CHUNK_EVENTS,
                                          .flags = goes_on ? BSIM_CHUNK_CONTINUES : 0};
    }
    put_line(chunk, line);
}

static void take_block(struct binary_writer *writer, const struct bsim_record *record)
{
    unsigned char unit[BSIM_BINARY_UNIT_BYTES] = {BSIM_BINARY_BLOCK};
    open_events(writer, true, record->line);
    bsim_put32(unit + 4, record->u.block.x);
    bsim_put32(unit + 8, record->u.block.y);
    bsim_put32(unit + 12, record->u.block.z);
    bsim_buffer_add(&writer->events.payload, unit, sizeof unit);
    writer->events.in.blocks++;
}

/* REPEAT and DONE. */
static void take_trips(struct binary_writer *writer, const struct bsim_record *record)
{
    unsigned char unit[BSIM_BINARY_UNIT_BYTES] = {BSIM_BINARY_DONE};
    open_events(writer, false, record->line);
    if (record->kind == BSIM_RECORD_REPEAT) {
        unit[0] = BSIM_BINARY_REPEAT;
        bsim_put32(unit + 4, record->u.repeat.trips);
        bsim_put32(unit + 8, record->u.repeat.work_count);
        bsim_put32(unit + 12, record->u.repeat.work_cycles);
    }
    bsim_buffer_add(&writer->events.payload, unit, sizeof unit);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The active lanes' addresses, lowest lane first, and how many. */
static uint32_t pack_addresses(const struct bsim_event *event, uint32_t lanes,
                               uint64_t packed[BSIM_WARP_LANES])
{
    uint64_t address[BSIM_WARP_LANES];
    uint32_t n = 0;
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            packed[n++] = address[lane];
        }
    }
    return n;
}

/* A base that keeps the addresses' alignment, below all of them. */
static uint64_t base_of(const uint64_t *address, uint32_t n, uint64_t *highest)
{
    uint64_t least = UINT64_MAX;
    *highest = 0;
    for (uint32_t i = 0; i < n; i++) {
        least = address[i] < least ? address[i] : least;
        *highest = address[i] > *highest ? address[i] : *highest;
    }
    return *highest <= UINT32_MAX ? 0 : least & ~UINT64_C(15);
}

/* The event's bytes behind its first eight, and its kind. */
static size_t put_list(const struct bsim_event *event, uint32_t lanes, unsigned char *record)
{
    uint64_t address[BSIM_WARP_LANES];
    uint64_t highest;
    uint32_t n = pack_addresses(event, lanes, address);
    uint64_t base = base_of(address, n, &highest);
    unsigned char *to = record + BSIM_BINARY_UNIT_BYTES;
    if (highest - base > UINT32_MAX) {
        record[0] = BSIM_BINARY_WIDE_LIST;
        for (uint32_t i = 0; i < n; i++) {
            bsim_put64(to + 8 * (size_t)i, address[i]);
        }
        return BSIM_BINARY_UNIT_BYTES + padded(8 * (size_t)n);
    }
    record[0] = BSIM_BINARY_LIST;
    bsim_put64(record + 8, base);
    for (uint32_t i = 0; i < n; i++) {
        bsim_put32(to + 4 * (size_t)i, (uint32_t)(address[i] - base));
    }
    return BSIM_BINARY_UNIT_BYTES + padded(4 * (size_t)n);
}

static size_t put_affine(const struct bsim_event *event, unsigned char *record)
{
    if (event->base <= UINT32_MAX && event->stride >= INT32_MIN && event->stride <= INT32_MAX) {
        record[0] = BSIM_BINARY_AFFINE;
        bsim_put32(record + 8, (uint32_t)event->base);
        bsim_put32(record + 12, (uint32_t)event->stride);
        return BSIM_BINARY_UNIT_BYTES;
    }
    record[0] = BSIM_BINARY_WIDE_AFFINE;
    bsim_put64(record + 8, event->base);
    bsim_put64(record + 16, (uint64_t)event->stride);
    return BSIM_BINARY_WIDE_AFFINE_BYTES;
}

static size_t put_work(const struct bsim_packed *work, unsigned char *record)
{
    record[0] = BSIM_BINARY_WORK;
    bsim_put32(record + 4, work->mask);
    bsim_put32(record + 8, work->at.step.base);
    bsim_put32(record + 12, (uint32_t)work->at.step.stride);
    return BSIM_BINARY_UNIT_BYTES;
}

static size_t put_operands(const struct bsim_event *event, unsigned char *record)
{
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    if (bsim_opcode_is_async(&event->opcode)) {
        return bsim_binary_put_async(event, record);
    }
    bsim_put32(record + 4, event->opcode.family == BSIM_BAR ? BSIM_FULL_MASK : event->mask);
    if (lanes == 0) {
        record[0] = BSIM_BINARY_PLAIN;
        return BSIM_BINARY_UNIT_BYTES;
    }
    return bsim_rules_is_plain(event, lanes) ? put_affine(event, record)
                                             : put_list(event, lanes, record);
}

static void put_attributes(struct chunk *chunk, const struct bsim_event *event, uint32_t what)
{
    unsigned char unit[BSIM_BINARY_UNIT_BYTES] = {BSIM_BINARY_ATTRIBUTES};
    if (event->wait == BSIM_ANY_COUNT && event->expect_wavefronts == BSIM_ANY_COUNT &&
        event->expect_conflicts == BSIM_ANY_COUNT && what <= UINT16_MAX) {
        return;
    }
    bsim_put16(unit + 2, what >> 16);
    bsim_put32(unit + 4, (uint32_t)event->wait);
    bsim_put32(unit + 8, (uint32_t)event->expect_wavefronts);
    bsim_put32(unit + 12, (uint32_t)event->expect_conflicts);
    bsim_buffer_add(&chunk->payload, unit, sizeof unit);
}

/* Where the event copies from, in front of it. */
static void put_from(struct chunk *chunk, const struct bsim_event *event)
{
    unsigned char bytes[BSIM_BINARY_UNIT_BYTES + LARGEST_RECORD] = {BSIM_BINARY_FROM};
    struct bsim_event far;
    if (event->from != NULL) {
        bsim_event_far(event, &far);
        size_t size = put_operands(&far, bytes + BSIM_BINARY_UNIT_BYTES);
        bsim_buffer_add(&chunk->payload, bytes, BSIM_BINARY_UNIT_BYTES + size);
    }
}

static void take_event(struct binary_writer *writer, const struct bsim_record *record)
{
    const struct bsim_event *event = record->u.event;
    unsigned char bytes[LARGEST_RECORD] = {0};
    open_events(writer, false, record->line);
    struct bsim_packed work;
    bool is_work = bsim_pack_work(event, &work);
    uint32_t what = is_work ? work.instr : find_what(writer, event->site, &event->opcode);
    size_t size = is_work ? put_work(&work, bytes) : put_operands(event, bytes);
    bytes[1] = (unsigned char)(event->warp == BSIM_ALL_WARPS ? BSIM_BINARY_ALL_WARPS : event->warp);
    bsim_put16(bytes + 2, what);
    put_from(&writer->events, event);
    put_attributes(&writer->events, event, what);
    bsim_buffer_add(&writer->events.payload, bytes, size);
    writer->events.in.events++;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static void take_end(struct binary_writer *writer, const struct bsim_record *record)
{
    unsigned char payload[BSIM_BINARY_LAST_BYTES];
    flush(writer, false);
    if (writer->n_entries > 0) {
        write_index(writer);
    }
    struct bsim_binary_totals totals = {writer->index_offset, writer->before};
    struct bsim_chunk last = {
        .kind = BSIM_CHUNK_LAST, .payload_bytes = sizeof payload, .line = record->line};
    bsim_totals_put(&totals, payload);
    write_chunk(writer, &last, payload);
}

static void take(struct binary_writer *writer, const struct bsim_record *record)
{
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        take_kernel(writer, record);
        break;
    case BSIM_RECORD_SITE:
        take_site(writer, record);
        break;
    case BSIM_RECORD_BLOCK:
        take_block(writer, record);
        break;
    case BSIM_RECORD_EVENT:
        take_event(writer, record);
        break;
    case BSIM_RECORD_REPEAT:
    case BSIM_RECORD_DONE:
        take_trips(writer, record);
        break;
    case BSIM_RECORD_END:
        take_end(writer, record);
        break;
    }
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct binary_writer *writer = context;
    enum bsim_status status = bsim_stream_check(&writer->stream, record, err);
    if (status == BSIM_OK) {
        writer->err = err;
        if (!writer->has_head) {
            write_file_head(writer);
        }
        take(writer, record);
        status = writer->status;
    }
    return bsim_stream_pass(&writer->stream, record, status);
}

/* ---- batches --------------------------------------------------------------------------------- */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

enum { UNUSUAL = BSIM_WARP_LANES + 1 };

/* How many numbers stand behind the event; UNUSUAL where it is to be looked at closer, as a line that may
 * lead out of 64 bits. */
static uint32_t count_more(const struct bsim_packed *packed, const struct bsim_opcode *opcode)
{
    switch (packed->form) {
    case BSIM_PACKED_PLAIN:
    case BSIM_PACKED_WORK:
        return 0;
    case BSIM_PACKED_STEP:
        return packed->at.step.stride >= 0 ? 0 : UNUSUAL;
    case BSIM_PACKED_WIDE_STEP:
        return packed->at.base >> 62 == 0 && bsim_packed_more(packed)[1] == 0 ? 2 : UNUSUAL;
    case BSIM_PACKED_LIST:
        return bsim_bits_population(bsim_opcode_lanes(opcode, packed->mask));
    default:
        return UNUSUAL;
    }
}

static bool may_come(const struct bsim_stream *stream, const struct bsim_packed *packed,
                     const struct bsim_site *site)
{
    return (packed->warp == BSIM_PACKED_ALL_WARPS || packed->warp < stream->n_warps) &&
           (site == NULL || site->index < stream->n_sites);
}

/* The short form is the record, but for the instruction's number. False, and nothing else, if the batch's
 * next event is to be looked at closer. */
static bool copy_event(struct binary_writer *writer, struct bsim_batch *batch)
{
    bool waits = batch->next->form == BSIM_PACKED_WAIT;
    struct bsim_packed head = batch->next[waits];
    bool is_work = head.form == BSIM_PACKED_WORK;
    const struct bsim_instr *instr = &batch->instr[is_work ? 0 : head.instr];
    uint32_t n_more = count_more(batch->next + waits, &instr->opcode);
    if (n_more == UNUSUAL || writer->n_what >= UINT16_MAX ||
        !may_come(&writer->stream, &head, is_work ? NULL : instr->site)) {
        return false;
    }
    struct bsim_event wait = {.wait = waits ? (int32_t)batch->next->mask : BSIM_ANY_COUNT,
                              .expect_wavefronts = BSIM_ANY_COUNT,
                              .expect_conflicts = BSIM_ANY_COUNT};
    const void *more = bsim_packed_more(batch->next + waits);
    open_events(writer, false, 0);
    head.instr = is_work ? head.instr : (uint16_t)find_what(writer, instr->site, &instr->opcode);
    head.mask = !is_work && instr->opcode.family == BSIM_BAR ? BSIM_FULL_MASK : head.mask;
    put_attributes(&writer->events, &wait, 0);
    bsim_buffer_add(&writer->events.payload, &head, sizeof head);
    bsim_buffer_add(&writer->events.payload, more, padded(n_more * sizeof(uint32_t)));
    writer->events.in.events++;
    batch->next = bsim_packed_next(batch->next + waits, n_more);
    return true;
}

#else

static bool copy_event(struct binary_writer *writer, struct bsim_batch *batch)
{
    (void)writer, (void)batch;
    return false;
}

#endif

static enum bsim_status push_next(struct binary_writer *writer, struct bsim_batch *batch,
                                  struct bsim_event *event, struct bsim_error *err)
{
    bsim_batch_pop(batch, event);
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .line = batch->line, .u.event = event};
    return push(writer, &record, err);
}

/* Events with lines of their own are taken one by one. */
static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    static const struct bsim_opcode none = {0};
    struct binary_writer *writer = context;
    struct bsim_event event;
    enum bsim_status status = BSIM_OK;
    bsim_event_init(&event, &none);
    writer->err = err;
    while (batch->next != batch->end && status == BSIM_OK) {
        bool may = batch->line == 0 && batch->line_step == 0 && writer->stream.in_block &&
                   !writer->stream.is_closed;
        status = may && copy_event(writer, batch) ? writer->status
                                                  : push_next(writer, batch, &event, err);
        writer->stream.is_closed = writer->stream.is_closed || status != BSIM_OK;
    }
    return status;
}

/* A chunk is read where the head of the next follows, which an index of the chunks so far has. */
static enum bsim_status cut(struct bsim_trace_writer *base, struct bsim_error *err)
{
    struct binary_writer *writer = (struct binary_writer *)base;
    if (writer->stream.is_closed) {
        return BSIM_OK;
    }
    writer->err = err;
    writer->stream.is_closed = true;
    flush(writer, writer->stream.in_block);
    if (writer->n_entries > 0) {
        write_index(writer);
    }
    return writer->status;
}

static void free_writer(struct bsim_trace_writer *base)
{
    struct binary_writer *writer = (struct binary_writer *)base;
    bsim_buffer_free(&writer->definitions.payload);
    bsim_buffer_free(&writer->events.payload);
    bsim_mem_free(writer->site_what);
    bsim_mem_free(writer->opcode);
    bsim_mem_free(writer);
}

struct bsim_trace_writer *bsim_binary_writer_new(const struct bsim_output *output)
{
    struct binary_writer *writer = bsim_mem_zeroed(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    writer->base = (struct bsim_trace_writer){push, push_batch, cut, free_writer};
    writer->output = *output;
    return &writer->base;
}
