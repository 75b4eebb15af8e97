/* binary_event.c - the records of a chunk of events, checked and pushed one by one; as for
 * definitions, no record reaches the sink that the text reader would have refused.
 */
#include "trace/binary/binary_decode.h"

#include "base/bits.h"
#include "event/far.h"

/* A warp's number; it fails for one that the block does not have. */
static void take_warp(struct bsim_binary *binary, const unsigned char *record,
                      struct bsim_event *event)
{
    uint32_t warp = record[1];
    event->warp = warp == BSIM_BINARY_ALL_WARPS ? BSIM_ALL_WARPS : warp;
    if (warp != BSIM_BINARY_ALL_WARPS && warp >= binary->rules.stream.n_warps) {
        bsim_binary_check(binary, record,
                          bsim_rules_warp(&binary->rules, warp, bsim_binary_err(binary)));
    }
}

/* Finds the address of event->address that the window does not allow. */
static void check_list(struct bsim_binary *binary, const unsigned char *record,
                       const struct bsim_event *event, const struct bsim_window *window,
                       uint32_t lanes)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) && !bsim_window_allows(window, event->address[lane])) {
            bsim_binary_check(binary, record,
                              bsim_window_refuse(binary->kernel, &event->opcode, lane,
                                                 event->address[lane], bsim_binary_err(binary)));
            return;
        }
    }
}

/* The addresses that came in front of the event are those of a copy, and right for it. */
static void check_from(struct bsim_binary *binary, const unsigned char *record)
{
    const struct bsim_event *event = &binary->event;
    struct bsim_event far;
    if (event->opcode.family != BSIM_CP_ASYNC || event->mask != binary->from_mask) {
        bsim_binary_malformed(binary, record, "addresses to copy from, for an event without them");
        return;
    }
    bsim_event_far(event, &far);
    struct bsim_window window = bsim_window_of(binary->kernel, &far.opcode);
    if (far.affine) {
        bsim_binary_check(binary, record,
                          bsim_rules_affine(binary->kernel, &far, far.mask, &window, binary->err));
    } else {
        check_list(binary, record, &far, &window, far.mask);
    }
}

/* The shared part of the events that have an instruction: sets opcode, site, warp and mask. Its
 * rule, or NULL after a failure. */
static const struct bsim_binary_rule *take_head(struct bsim_binary *binary,
                                                const unsigned char *record)
{
    struct bsim_event *event = &binary->event;
    uint32_t instr = binary->instr_high | bsim_get16(record + 2);
    if (instr >= binary->n_instrs) {
        bsim_binary_malformed(binary, record,
                              "an event of a site or an opcode that is not defined");
        return NULL;
    }
    event->opcode = binary->instr[instr].opcode;
    event->site = binary->instr[instr].site;
    event->mask = bsim_get32(record + 4);
    take_warp(binary, record, event);
    if (event->from != NULL) {
        check_from(binary, record);
    }
    return binary->status == BSIM_OK ? &binary->rule[instr] : NULL;
}

static inline void push_event(struct bsim_binary *binary)
{
    struct bsim_event *event = &binary->event;
    struct bsim_record item = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    binary->counts.events++;
    bsim_binary_push(binary, &item);
    event->from = NULL;
    if (binary->has_attributes) {
        binary->has_attributes = false;
        binary->instr_high = 0;
        event->wait = event->expect_wavefronts = event->expect_conflicts = BSIM_ANY_COUNT;
    }
}

/* The lanes of an access, or 0 after a failure. */
static uint32_t take_access(struct bsim_binary *binary, const unsigned char *record,
                            const struct bsim_binary_rule **rule)
{
    *rule = take_head(binary, record);
    if (*rule == NULL) {
        return 0;
    }
    uint32_t mask = binary->event.mask;
    if (!(*rule)->is_access) {
        bsim_binary_malformed(binary, record, "addresses for an opcode that has none");
        return 0;
    }
    if (mask == BSIM_FULL_MASK || (mask != 0 && (*rule)->rows == 0)) {
        return (*rule)->rows != 0 ? (*rule)->rows : mask;
    }
    bsim_binary_check(binary, record, bsim_rules_mask(&binary->event.opcode, mask, binary->err));
    return 0;
}

static void take_affine(struct bsim_binary *binary, const unsigned char *record, uint64_t base,
                        int64_t stride)
{
    const struct bsim_binary_rule *rule;
    uint32_t lanes = take_access(binary, record, &rule);
    if (lanes == 0) {
        return;
    }
    binary->event.affine = true;
    binary->event.base = base;
    binary->event.stride = stride;
    bsim_binary_check(
        binary, record,
        bsim_rules_affine(binary->kernel, &binary->event, lanes, &rule->window, binary->err));
    push_event(binary);
}

static void set_no_line(struct bsim_event *event)
{
    event->affine = false;
    event->base = 0;
    event->stride = 0;
}

/* Offsets of 32 bits, or addresses of 64, for the lanes; sums that pass 64 bits are refused. */
static void take_lanes(struct bsim_binary *binary, const unsigned char *record, uint32_t lanes,
                       uint64_t base, size_t each, uint64_t address[BSIM_WARP_LANES])
{
    const unsigned char *from = record + BSIM_BINARY_UNIT_BYTES;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (lanes >> lane & 1) {
            uint64_t offset = each == 4 ? bsim_get32(from) : bsim_get64(from);
            if (offset > UINT64_MAX - base) {
                bsim_binary_malformed(binary, record, "an address that passes 64 bits");
            }
            address[lane] = base + offset;
            from += each;
        }
    }
}

/* A record's list with `each` bytes an address; sets *size to that of the record. False for one that
 * is not whole. */
static bool take_listed(struct bsim_binary *binary, const unsigned char *record,
                        const unsigned char *end, uint32_t lanes, size_t each, size_t *size,
                        uint64_t address[BSIM_WARP_LANES])
{
    uint32_t n = lanes == BSIM_FULL_MASK ? BSIM_WARP_LANES : bsim_bits_population(lanes);
    uint64_t base = each == 4 ? bsim_get64(record + 8) : 0;
    *size = BSIM_BINARY_UNIT_BYTES + (n * each + BSIM_BINARY_UNIT_BYTES - 1) /
                                         BSIM_BINARY_UNIT_BYTES * BSIM_BINARY_UNIT_BYTES;
    if (*size > (size_t)(end - record)) {
        bsim_binary_malformed(binary, record,
                              "a list of addresses that passes the end of its chunk");
        return false;
    }
    take_lanes(binary, record, lanes, base, each, address);
    return true;
}

static void take_list(struct bsim_binary *binary, const unsigned char *record,
                      const unsigned char *end, size_t each, size_t *size)
{
    const struct bsim_binary_rule *rule;
    uint32_t lanes = take_access(binary, record, &rule);
    if (lanes == 0) {
        return;
    }
    set_no_line(&binary->event);
    if (!take_listed(binary, record, end, lanes, each, size, binary->event.address)) {
        return;
    }
    check_list(binary, record, &binary->event, &rule->window, lanes);
    push_event(binary);
}

/* A wgmma or a bulk copy, whose record goes up to `end` at most. */
static size_t take_async(struct bsim_binary *binary, const unsigned char *record,
                         const unsigned char *end)
{
    struct bsim_event *event = &binary->event;
    if (end - record < BSIM_BINARY_ASYNC_BYTES) {
        bsim_binary_malformed(binary, record, "a record that passes the end of its chunk");
    } else if (take_head(binary, record) != NULL) {
        set_no_line(event);
        bsim_binary_take_async(binary, record, event);
        push_event(binary);
        event->async = NULL;
    }
    return BSIM_BINARY_ASYNC_BYTES;
}

/* A barrier or an exchange. */
static void take_plain(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_event *event = &binary->event;
    const struct bsim_binary_rule *rule = take_head(binary, record);
    if (rule == NULL) {
        return;
    }
    if (rule->is_access || bsim_opcode_is_async(&event->opcode)) {
        bsim_binary_malformed(binary, record, "an access without its addresses");
        return;
    }
    set_no_line(event);
    enum bsim_status status;
    if (event->opcode.family == BSIM_BAR) {
        struct bsim_scan scan = {.file = binary->name, .number = binary->line + binary->step};
        event->mask = BSIM_FULL_MASK;
        status = bsim_rules_barrier(&binary->rules, event->warp, &scan, NULL, binary->err);
    } else {
        status = bsim_rules_mask(&event->opcode, event->mask, binary->err);
    }
    bsim_binary_check(binary, record, status);
    push_event(binary);
}

/* Who comes to a meeting, or waits for one. */
static void take_meeting(struct bsim_binary *binary, const unsigned char *record,
                         struct bsim_event *event)
{
    bool awaits = event->opcode.family == BSIM_AWAIT;
    event->meeting = bsim_get32(record + 4);
    event->arrivals = bsim_get32(record + 8);
    if (event->meeting == 0 || awaits != (event->arrivals > 0)) {
        bsim_binary_malformed(binary, record, "a meeting without its numbers");
    }
    bsim_binary_check(binary, record, bsim_rules_meeting(&binary->rules, bsim_binary_err(binary)));
}

static void take_groups(struct bsim_binary *binary, const unsigned char *record, uint32_t which,
                        struct bsim_event *event)
{
    uint32_t n = bsim_get32(record + 4);
    bsim_pop_groups(which, n, event);
    if (which == BSIM_PACKED_WAIT_GROUP ? n == BSIM_ALL_COPIES : n != 0) {
        bsim_binary_malformed(binary, record, "groups of copies with a number that is none");
    }
}

static void take_work(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_opcode opcode = {.family = BSIM_WORK};
    struct bsim_event event;
    struct bsim_event *kept = &binary->event;
    uint32_t which = bsim_get16(record + 2);
    bool is_work = bsim_packed_is_work(which);
    if (which >= BSIM_N_PACKED_WORKS) {
        bsim_binary_malformed(binary, record, "work of an unknown kind");
        return;
    }
    bool groups = bsim_packed_groups(which);
    if (is_work) {
        opcode.operation = (uint8_t)bsim_packed_class(which);
    } else if (!groups) {
        opcode = bsim_pop_meeting(which);
    }
    bsim_event_init(&event, &opcode);
    event.wait = kept->wait;
    take_warp(binary, record, &event);
    if (groups) {
        take_groups(binary, record, which, &event);
    } else if (!is_work) {
        take_meeting(binary, record, &event);
    } else {
        event.work_count = bsim_get32(record + 4);
        event.work_cycles = bsim_get32(record + 8);
        event.reads = bsim_pop_reads((int32_t)bsim_get32(record + 12));
        if (event.work_count == 0) {
            bsim_binary_malformed(binary, record, "work of no instructions");
        } else if (bsim_get32(record + 12) != 0 &&
                   (bsim_rules_reads(&opcode, NULL) != BSIM_OK || bsim_rules_read(&event.reads, NULL) != BSIM_OK)) {
            bsim_binary_malformed(binary, record, "work that reads registers as none does");
        }
    }
    *kept = event;
    push_event(binary);
    kept->work_count = kept->work_cycles = kept->meeting = kept->arrivals = 0;
    kept->reads = bsim_pop_reads(0);
}

/* The addresses in the record behind FROM, in the form of an event's. Returns the bytes of both. */
static size_t take_from(struct bsim_binary *binary, const unsigned char *record,
                        const unsigned char *end)
{
    const unsigned char *next = record + BSIM_BINARY_UNIT_BYTES;
    struct bsim_from *from = &binary->from;
    bool is_there = next < end && next[0] >= BSIM_BINARY_AFFINE && next[0] <= BSIM_BINARY_WIDE_LIST;
    bool is_wide = is_there && next[0] == BSIM_BINARY_WIDE_AFFINE;
    size_t size = is_wide ? BSIM_BINARY_WIDE_AFFINE_BYTES : BSIM_BINARY_UNIT_BYTES;
    if (!is_there || binary->has_attributes || binary->event.from != NULL ||
        size > (size_t)(end - next)) {
        bsim_binary_malformed(binary, record, "a copy's other side without its addresses");
        return BSIM_BINARY_UNIT_BYTES;
    }
    binary->event.from = from;
    binary->from_mask = bsim_get32(next + 4);
    from->affine = is_wide || next[0] == BSIM_BINARY_AFFINE;
    if (from->affine) {
        from->base = is_wide ? bsim_get64(next + 8) : bsim_get32(next + 8);
        from->stride = is_wide ? (int64_t)bsim_get64(next + 16) : (int32_t)bsim_get32(next + 12);
    } else {
        (void)take_listed(binary, next, end, binary->from_mask,
                          next[0] == BSIM_BINARY_LIST ? 4 : 8, &size, from->address);
    }
    return BSIM_BINARY_UNIT_BYTES + size;
}

/* A copy's other side stands in front of an event, with its attributes at most between. */
static void expect_event(struct bsim_binary *binary, const unsigned char *record, bool is_there)
{
    if (binary->event.from != NULL &&
        !(is_there && record[0] >= BSIM_BINARY_ATTRIBUTES && record[0] <= BSIM_BINARY_WIDE_LIST &&
          record[0] != BSIM_BINARY_WORK)) {
        bsim_binary_malformed(binary, record, "a copy's other side without the copy");
    }
}

/* `next` is the event that they belong to. */
static void take_attributes(struct bsim_binary *binary, const unsigned char *record,
                            const unsigned char *next, const unsigned char *end)
{
    static const struct bsim_opcode work = {.family = BSIM_WORK};
    struct bsim_event *event = &binary->event;
    bool is_event = next != end && (next[0] == BSIM_BINARY_ASYNC ||
                                    (next[0] >= BSIM_BINARY_PLAIN && next[0] <= BSIM_BINARY_WIDE_LIST));
    if (!is_event) {
        bsim_binary_malformed(binary, record, "attributes without an event");
        return;
    }
    binary->has_attributes = true;
    binary->instr_high = bsim_get16(record + 2) << 16;
    event->wait = (int32_t)bsim_get32(record + 4);
    event->expect_wavefronts = (int32_t)bsim_get32(record + 8);
    event->expect_conflicts = (int32_t)bsim_get32(record + 12);
    if (event->wait < BSIM_ANY_COUNT || event->expect_wavefronts < BSIM_ANY_COUNT ||
        event->expect_conflicts < BSIM_ANY_COUNT) {
        bsim_binary_malformed(binary, record, "an attribute that is out of its range");
    }
    if (event->expect_wavefronts == BSIM_ANY_COUNT && event->expect_conflicts == BSIM_ANY_COUNT) {
        return;
    }
    bool is_work = next[0] == BSIM_BINARY_WORK;
    if (is_work || take_head(binary, next) != NULL) {
        bsim_binary_check(binary, record,
                          bsim_rules_expects(is_work ? &work : &event->opcode, "expect.",
                                             bsim_binary_err(binary)));
    }
}

/* ---- what shapes the stream ------------------------------------------------------------------ */

static void take_block(struct bsim_binary *binary, const unsigned char *record)
{
    if (binary->chunk.flags & BSIM_CHUNK_CONTINUES) {
        bsim_binary_malformed(binary, record, "a block in a chunk that continues one");
    }
    struct bsim_record item = {.kind = BSIM_RECORD_BLOCK, .u.block = bsim_get_dim3(record + 4)};
    bsim_binary_may(binary, record, BSIM_RECORD_BLOCK);
    bsim_binary_close_block(binary, record);
    if (binary->status == BSIM_OK) {
        bsim_binary_check(binary, record,
                          bsim_rules_place(&binary->rules, &item.u.block, binary->err));
    }
    binary->counts.blocks++;
    bsim_binary_push(binary, &item);
}

static void take_repeat(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {
        .kind = BSIM_RECORD_REPEAT,
        .u.repeat = {bsim_get32(record + 4), bsim_get32(record + 8), bsim_get32(record + 12)}};
    if (item.u.repeat.trips == 0) {
        bsim_binary_malformed(binary, record, "a repeat of no turns");
        return;
    }
    bsim_binary_may(binary, record, BSIM_RECORD_REPEAT);
    bsim_binary_check(
        binary, record,
        bsim_rules_trips(&binary->rules, item.u.repeat.trips, bsim_binary_err(binary)));
    bsim_binary_push(binary, &item);
}

static void take_done(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {.kind = BSIM_RECORD_DONE};
    bsim_binary_may(binary, record, BSIM_RECORD_DONE);
    bsim_binary_push(binary, &item);
}

static void take_wide_affine(struct bsim_binary *binary, const unsigned char *record,
                             const unsigned char *end)
{
    if (end - record < BSIM_BINARY_WIDE_AFFINE_BYTES) {
        bsim_binary_malformed(binary, record, "an affine event that passes the end of its chunk");
        return;
    }
    take_affine(binary, record, bsim_get64(record + 8), (int64_t)bsim_get64(record + 16));
}

/* Takes the record at p, and returns what is behind it. */
static const unsigned char *take_record(struct bsim_binary *binary, const unsigned char *p,
                                        const unsigned char *end)
{
    size_t size = BSIM_BINARY_UNIT_BYTES;
    expect_event(binary, p, true);
    switch (p[0]) {
    case BSIM_BINARY_AFFINE:
        take_affine(binary, p, bsim_get32(p + 8), (int32_t)bsim_get32(p + 12));
        break;
    case BSIM_BINARY_LIST:
        take_list(binary, p, end, 4, &size);
        break;
    case BSIM_BINARY_PLAIN:
        take_plain(binary, p);
        break;
    case BSIM_BINARY_WORK:
        take_work(binary, p);
        break;
    case BSIM_BINARY_WIDE_AFFINE:
        size = BSIM_BINARY_WIDE_AFFINE_BYTES;
        take_wide_affine(binary, p, end);
        break;
    case BSIM_BINARY_WIDE_LIST:
        take_list(binary, p, end, 8, &size);
        break;
    case BSIM_BINARY_ATTRIBUTES:
        take_attributes(binary, p, p + BSIM_BINARY_UNIT_BYTES, end);
        break;
    case BSIM_BINARY_FROM:
        size = take_from(binary, p, end);
        break;
    case BSIM_BINARY_ASYNC:
        size = take_async(binary, p, end);
        break;
    case BSIM_BINARY_BLOCK:
        take_block(binary, p);
        break;
    case BSIM_BINARY_REPEAT:
        take_repeat(binary, p);
        break;
    case BSIM_BINARY_DONE:
        take_done(binary, p);
        break;
    case BSIM_BINARY_LINE:
        bsim_binary_line(binary, p);
        break;
    default:
        bsim_binary_malformed(binary, p, "an unknown record among the events");
        break;
    }
    return p + size;
}

void bsim_binary_events(struct bsim_binary *binary, const unsigned char *end)
{
    const unsigned char *p = binary->payload;
    bool continues = (binary->chunk.flags & BSIM_CHUNK_CONTINUES) != 0;
    if (continues ? !binary->rules.stream.in_block : p[0] != BSIM_BINARY_BLOCK) {
        bsim_binary_malformed(binary, p, "a chunk of events that does not begin with a block");
    }
    while (p < end && binary->status == BSIM_OK) {
        bsim_binary_batch(binary, &p, end);
        if (p < end && binary->status == BSIM_OK) {
            p = take_record(binary, p, end);
        }
    }
    expect_event(binary, p, false);
}
