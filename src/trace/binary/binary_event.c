/* binary_event.c - the records of a chunk of events, checked and pushed one by one; as for
 * definitions, no record reaches the sink that the text reader would have refused.
 */
#include "trace/binary/binary_decode.h"

#include "base/bits.h"

/* The shared part of the events that have an instruction: sets opcode, site, warp and mask, and *rule,
 * which is NULL after an error. */
static enum bsim_status take_head(struct bsim_binary *binary, const unsigned char *record,
                                  const struct bsim_binary_rule **rule)
{
    struct bsim_event *event = &binary->event;
    uint32_t instr = binary->instr_high | bsim_get16(record + 2);
    uint32_t warp = record[1];
    *rule = NULL;
    if (instr >= binary->n_instrs) {
        return bsim_binary_malformed(binary, record,
                                     "an event of a site or an opcode that is not defined");
    }
    event->opcode = binary->instr[instr].opcode;
    event->site = binary->instr[instr].site;
    event->mask = bsim_get32(record + 4);
    event->warp = warp == BSIM_BINARY_ALL_WARPS ? BSIM_ALL_WARPS : warp;
    if (warp != BSIM_BINARY_ALL_WARPS && warp >= binary->rules.stream.n_warps) {
        return bsim_binary_place(binary, record,
                                 bsim_rules_warp(&binary->rules, warp, binary->err));
    }
    *rule = &binary->rule[instr];
    return BSIM_OK;
}

static inline enum bsim_status push_event(struct bsim_binary *binary)
{
    struct bsim_event *event = &binary->event;
    struct bsim_record item = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    binary->counts.events++;
    enum bsim_status status = bsim_binary_push(binary, &item);
    if (binary->has_attributes) {
        binary->has_attributes = false;
        binary->instr_high = 0;
        event->wait = event->expect_wavefronts = event->expect_conflicts = BSIM_ANY_COUNT;
    }
    return status;
}

/* The lanes of an access, or 0 after an error in *status. */
static uint32_t take_access(struct bsim_binary *binary, const unsigned char *record,
                            const struct bsim_binary_rule **rule, enum bsim_status *status)
{
    *status = take_head(binary, record, rule);
    if (*rule == NULL) {
        return 0;
    }
    uint32_t mask = binary->event.mask;
    if (!(*rule)->is_access) {
        *status = bsim_binary_malformed(binary, record, "addresses for an opcode that has none");
        return 0;
    }
    if (mask == BSIM_FULL_MASK || (mask != 0 && (*rule)->rows == 0)) {
        return (*rule)->rows != 0 ? (*rule)->rows : mask;
    }
    *status = bsim_binary_place(binary, record,
                                bsim_rules_mask(&binary->event.opcode, mask, binary->err));
    return 0;
}

static enum bsim_status take_affine(struct bsim_binary *binary, const unsigned char *record,
                                    uint64_t base, int64_t stride)
{
    const struct bsim_binary_rule *rule;
    enum bsim_status status;
    uint32_t lanes = take_access(binary, record, &rule, &status);
    if (lanes == 0) {
        return status;
    }
    binary->event.affine = true;
    binary->event.base = base;
    binary->event.stride = stride;
    status = bsim_binary_place(
        binary, record,
        bsim_rules_affine(binary->kernel, &binary->event, lanes, &rule->window, binary->err));
    return status == BSIM_OK ? push_event(binary) : status;
}

/* Finds the address of event.address that the window does not allow. */
static enum bsim_status check_list(struct bsim_binary *binary, const unsigned char *record,
                                   const struct bsim_window *window, uint32_t lanes)
{
    const struct bsim_event *event = &binary->event;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) && !bsim_window_allows(window, event->address[lane])) {
            return bsim_binary_place(binary, record,
                                     bsim_window_refuse(binary->kernel, &event->opcode, lane,
                                                        event->address[lane], binary->err));
        }
    }
    return BSIM_OK;
}

/* Offsets of 32 bits, or addresses of 64, for the lanes; sums that pass 64 bits are refused. */
static enum bsim_status take_lanes(struct bsim_binary *binary, const unsigned char *record,
                                   const struct bsim_window *window, uint32_t lanes, uint64_t base,
                                   size_t each)
{
    struct bsim_event *event = &binary->event;
    const unsigned char *from = record + BSIM_BINARY_UNIT_BYTES;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            uint64_t offset = each == 4 ? bsim_get32(from) : bsim_get64(from);
            if (offset > UINT64_MAX - base) {
                return bsim_binary_malformed(binary, record, "an address that passes 64 bits");
            }
            event->address[lane] = base + offset;
            from += each;
        }
    }
    return check_list(binary, record, window, lanes);
}

/* A list with `each` bytes an address; sets *size to that of the record. */
static enum bsim_status take_list(struct bsim_binary *binary, const unsigned char *record,
                                  const unsigned char *end, size_t each, size_t *size)
{
    const struct bsim_binary_rule *rule;
    enum bsim_status status;
    uint32_t lanes = take_access(binary, record, &rule, &status);
    if (lanes == 0) {
        return status;
    }
    struct bsim_event *event = &binary->event;
    uint32_t n = lanes == BSIM_FULL_MASK ? BSIM_WARP_LANES : bsim_bits_population(lanes);
    uint64_t base = each == 4 ? bsim_get64(record + 8) : 0;
    *size = BSIM_BINARY_UNIT_BYTES + (n * each + BSIM_BINARY_UNIT_BYTES - 1) /
                                         BSIM_BINARY_UNIT_BYTES * BSIM_BINARY_UNIT_BYTES;
    if (*size > (size_t)(end - record)) {
        return bsim_binary_malformed(binary, record,
                                     "a list of addresses that passes the end of its chunk");
    }
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    status = take_lanes(binary, record, &rule->window, lanes, base, each);
    return status == BSIM_OK ? push_event(binary) : status;
}

/* A barrier or an exchange. */
static enum bsim_status take_plain(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_event *event = &binary->event;
    const struct bsim_binary_rule *rule;
    enum bsim_status status = take_head(binary, record, &rule);
    if (rule == NULL) {
        return status;
    }
    if (rule->is_access) {
        return bsim_binary_malformed(binary, record, "an access without its addresses");
    }
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    if (event->opcode.family == BSIM_BAR) {
        struct bsim_scan scan = {.file = binary->name, .number = binary->line + binary->step};
        event->mask = BSIM_FULL_MASK;
        status = bsim_rules_barrier(&binary->rules, event->warp, &scan, NULL, binary->err);
    } else {
        status = bsim_rules_mask(&event->opcode, event->mask, binary->err);
    }
    status = bsim_binary_place(binary, record, status);
    return status == BSIM_OK ? push_event(binary) : status;
}

static enum bsim_status take_work(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_event event;
    struct bsim_event *kept = &binary->event;
    static const struct bsim_opcode work = {.family = BSIM_WORK};
    uint32_t warp = record[1];
    bsim_event_init(&event, &work);
    event.warp = warp == BSIM_BINARY_ALL_WARPS ? BSIM_ALL_WARPS : warp;
    event.wait = kept->wait;
    event.work_count = bsim_get32(record + 4);
    event.work_cycles = bsim_get32(record + 8);
    if (warp != BSIM_BINARY_ALL_WARPS && warp >= binary->rules.stream.n_warps) {
        return bsim_binary_place(binary, record,
                                 bsim_rules_warp(&binary->rules, warp, binary->err));
    }
    if (event.work_count == 0) {
        return bsim_binary_malformed(binary, record, "work of no instructions");
    }
    *kept = event;
    enum bsim_status status = push_event(binary);
    kept->work_count = kept->work_cycles = 0;
    return status;
}

/* `next` is the event that they belong to. */
static enum bsim_status take_attributes(struct bsim_binary *binary, const unsigned char *record,
                                        const unsigned char *next, const unsigned char *end)
{
    struct bsim_event *event = &binary->event;
    if (next == end || next[0] < BSIM_BINARY_PLAIN || next[0] > BSIM_BINARY_WIDE_LIST) {
        return bsim_binary_malformed(binary, record, "attributes without an event");
    }
    binary->has_attributes = true;
    binary->instr_high = bsim_get16(record + 2) << 16;
    event->wait = (int32_t)bsim_get32(record + 4);
    event->expect_wavefronts = (int32_t)bsim_get32(record + 8);
    event->expect_conflicts = (int32_t)bsim_get32(record + 12);
    if (event->wait < BSIM_ANY_COUNT || event->expect_wavefronts < BSIM_ANY_COUNT ||
        event->expect_conflicts < BSIM_ANY_COUNT) {
        return bsim_binary_malformed(binary, record, "an attribute that is out of its range");
    }
    if (event->expect_wavefronts == BSIM_ANY_COUNT && event->expect_conflicts == BSIM_ANY_COUNT) {
        return BSIM_OK;
    }
    static const struct bsim_opcode work = {.family = BSIM_WORK};
    enum bsim_status status = BSIM_OK;
    const struct bsim_opcode *opcode = &work;
    if (next[0] != BSIM_BINARY_WORK) {
        const struct bsim_binary_rule *rule;
        status = take_head(binary, next, &rule);
        if (rule == NULL) {
            return status;
        }
        opcode = &event->opcode;
    }
    return bsim_binary_place(binary, record, bsim_rules_expects(opcode, "expect.", binary->err));
}

/* ---- what shapes the stream ------------------------------------------------------------------ */

static enum bsim_status take_block(struct bsim_binary *binary, const unsigned char *record)
{
    if (binary->chunk.flags & BSIM_CHUNK_CONTINUES) {
        return bsim_binary_malformed(binary, record, "a block in a chunk that continues one");
    }
    struct bsim_record item = {.kind = BSIM_RECORD_BLOCK, .u.block = bsim_get_dim3(record + 4)};
    enum bsim_status status = bsim_binary_place(
        binary, record, bsim_rules_may(&binary->rules, BSIM_RECORD_BLOCK, binary->err));
    if (status == BSIM_OK) {
        status = bsim_binary_close_block(binary, record);
    }
    if (status == BSIM_OK) {
        status = bsim_binary_place(binary, record,
                                   bsim_rules_place(&binary->rules, &item.u.block, binary->err));
    }
    if (status != BSIM_OK) {
        return status;
    }
    binary->counts.blocks++;
    return bsim_binary_push(binary, &item);
}

static enum bsim_status take_repeat(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {
        .kind = BSIM_RECORD_REPEAT,
        .u.repeat = {bsim_get32(record + 4), bsim_get32(record + 8), bsim_get32(record + 12)}};
    if (item.u.repeat.trips == 0) {
        return bsim_binary_malformed(binary, record, "a repeat of no turns");
    }
    enum bsim_status status = bsim_rules_may(&binary->rules, BSIM_RECORD_REPEAT, binary->err);
    if (status == BSIM_OK) {
        status = bsim_rules_trips(&binary->rules, item.u.repeat.trips, binary->err);
    }
    status = bsim_binary_place(binary, record, status);
    return status == BSIM_OK ? bsim_binary_push(binary, &item) : status;
}

static enum bsim_status take_done(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {.kind = BSIM_RECORD_DONE};
    enum bsim_status status = bsim_binary_place(
        binary, record, bsim_rules_may(&binary->rules, BSIM_RECORD_DONE, binary->err));
    return status == BSIM_OK ? bsim_binary_push(binary, &item) : status;
}

static enum bsim_status take_wide_affine(struct bsim_binary *binary, const unsigned char *record,
                                         const unsigned char *end)
{
    if (end - record < BSIM_BINARY_WIDE_AFFINE_BYTES) {
        return bsim_binary_malformed(binary, record,
                                     "an affine event that passes the end of its chunk");
    }
    return take_affine(binary, record, bsim_get64(record + 8), (int64_t)bsim_get64(record + 16));
}

/* Takes the record at p and sets *size, which is one unit's before. */
static enum bsim_status take_record(struct bsim_binary *binary, const unsigned char *p,
                                    const unsigned char *end, size_t *size)
{
    switch (p[0]) {
    case BSIM_BINARY_AFFINE:
        return take_affine(binary, p, bsim_get32(p + 8), (int32_t)bsim_get32(p + 12));
    case BSIM_BINARY_LIST:
        return take_list(binary, p, end, 4, size);
    case BSIM_BINARY_PLAIN:
        return take_plain(binary, p);
    case BSIM_BINARY_WORK:
        return take_work(binary, p);
    case BSIM_BINARY_WIDE_AFFINE:
        *size = BSIM_BINARY_WIDE_AFFINE_BYTES;
        return take_wide_affine(binary, p, end);
    case BSIM_BINARY_WIDE_LIST:
        return take_list(binary, p, end, 8, size);
    case BSIM_BINARY_ATTRIBUTES:
        return take_attributes(binary, p, p + BSIM_BINARY_UNIT_BYTES, end);
    case BSIM_BINARY_BLOCK:
        return take_block(binary, p);
    case BSIM_BINARY_REPEAT:
        return take_repeat(binary, p);
    case BSIM_BINARY_DONE:
        return take_done(binary, p);
    case BSIM_BINARY_LINE:
        return bsim_binary_line(binary, p);
    default:
        return bsim_binary_malformed(binary, p, "an unknown record among the events");
    }
}

/* A chunk begins with a block or continues one, as its head says. */
static enum bsim_status check_start(struct bsim_binary *binary)
{
    const unsigned char *p = binary->payload;
    bool continues = (binary->chunk.flags & BSIM_CHUNK_CONTINUES) != 0;
    if (continues ? !binary->rules.stream.in_block : p[0] != BSIM_BINARY_BLOCK) {
        return bsim_binary_malformed(binary, p,
                                     "a chunk of events that does not begin with a block");
    }
    return BSIM_OK;
}

enum bsim_status bsim_binary_events(struct bsim_binary *binary, const unsigned char *end)
{
    enum bsim_status status = check_start(binary);
    const unsigned char *p = binary->payload;
    while (p < end && status == BSIM_OK) {
        size_t size = BSIM_BINARY_UNIT_BYTES;
        status = bsim_binary_batch(binary, &p, end);
        if (status == BSIM_OK && p < end) {
            status = take_record(binary, p, end, &size);
            p += size;
        }
    }
    return status;
}
