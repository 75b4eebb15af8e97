/* binary_decode.c - a chunk's records, checked and pushed.
 *
 * A chunk comes here when its sum is right, so a fault found now is a writer's. It is looked for
 * nevertheless: no record reaches the sink that the text reader would have refused. The rules are
 * rules.c's; what is checked here is the form of the bytes.
 */
#include "trace/binary.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- errors ---------------------------------------------------------------------------------- */

enum bsim_status bsim_binary_error(struct bsim_binary *binary, uint64_t offset, const char *format,
                                   ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(binary->err, BSIM_E_INPUT, "byte %" PRIu64 ": %s", offset, message);
    bsim_error_place(binary->err, binary->name, 0, 0, NULL, 0);
    return BSIM_E_INPUT;
}

enum bsim_status bsim_binary_missing(struct bsim_binary *binary, uint64_t offset)
{
    return bsim_binary_error(binary, offset, "chunks are missing here, or stand in another order");
}

/* Where a record of the chunk at hand stands in the input. */
static uint64_t offset_of(const struct bsim_binary *binary, const unsigned char *record)
{
    return binary->offset + BSIM_BINARY_HEAD_BYTES + (uint64_t)(record - binary->payload);
}

static enum bsim_status malformed(struct bsim_binary *binary, const unsigned char *record,
                                  const char *what)
{
    return bsim_binary_error(binary, offset_of(binary, record), "%s", what);
}

/* Gives an error of rules.h, whose status it returns, its place, unless it has one. */
static enum bsim_status place(struct bsim_binary *binary, const unsigned char *record,
                              enum bsim_status status)
{
    if (status == BSIM_OK || binary->err == NULL || binary->err->file[0] != '\0') {
        return status;
    }
    char message[BSIM_ERROR_MESSAGE_SIZE];
    memcpy(message, binary->err->message, sizeof message);
    return malformed(binary, record, message);
}

static enum bsim_status no_memory(struct bsim_binary *binary)
{
    (void)bsim_error_set(binary->err, BSIM_E_MEMORY, "out of memory");
    bsim_error_place(binary->err, binary->name, 0, 0, NULL, 0);
    return BSIM_E_MEMORY;
}

/* Hands a record to the sink; its failure stands at the line that the record was packed from. */
static enum bsim_status push(struct bsim_binary *binary, struct bsim_record *record)
{
    binary->line += binary->step;
    if (binary->is_muted && record->kind != BSIM_RECORD_KERNEL &&
        record->kind != BSIM_RECORD_SITE) {
        return BSIM_OK;
    }
    record->line = binary->line;
    enum bsim_status status = binary->sink->push(binary->sink->context, record, binary->err);
    if (status != BSIM_OK) {
        bsim_error_place(binary->err, binary->name, record->line, 0, NULL, 0);
    }
    return status;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* A record with strings: its size stands in its second word, and its strings, which hold no NUL,
 * fill it but for less than a unit. */
static bool holds(const unsigned char *record, const unsigned char *end, size_t fixed,
                  uint64_t strings)
{
    uint64_t size = bsim_get32(record + 4);
    return record[1] <= BSIM_BINARY_HAS_IT && size % BSIM_BINARY_UNIT_BYTES == 0 &&
           size <= (uint64_t)(end - record) &&
           strings <= BSIM_LINE_MAX_BYTES + BSIM_OPCODE_NAME_SIZE && fixed + strings <= size &&
           size - fixed - strings < BSIM_BINARY_UNIT_BYTES &&
           memchr(record + fixed, 0, (size_t)strings) == NULL;
}

/* Copies a string of n bytes from *from to *to, ends it, moves both, and returns it. */
static char *take_string(const unsigned char **from, char **to, size_t n)
{
    char *start = *to;
    memcpy(start, *from, n);
    start[n] = '\0';
    *from += n;
    *to += n + 1;
    return start;
}

static struct bsim_dim3 get_dim3(const unsigned char *p)
{
    return (struct bsim_dim3){bsim_get32(p), bsim_get32(p + 4), bsim_get32(p + 8)};
}

/* The kernel and its strings in one piece of memory. NULL when memory is short. */
static struct bsim_kernel *make_kernel(const unsigned char *record)
{
    size_t name = bsim_get32(record + 36);
    size_t device = bsim_get32(record + 40);
    size_t extras = bsim_get32(record + 44);
    struct bsim_kernel *kernel =
        bsim_mem_resize(NULL, sizeof *kernel + name + device + extras + 3, 1);
    if (kernel == NULL) {
        return NULL;
    }
    const unsigned char *from = record + BSIM_BINARY_KERNEL_BYTES;
    char *to = (char *)(kernel + 1);
    *kernel = (struct bsim_kernel){
        .grid = get_dim3(record + 8),
        .block = get_dim3(record + 20),
        .has_shared = record[1] == BSIM_BINARY_HAS_IT,
    };
    kernel->shared_bytes = kernel->has_shared ? bsim_get32(record + 32) : 0;
    kernel->name = take_string(&from, &to, name);
    char *device_text = take_string(&from, &to, device);
    kernel->device = device > 0 ? device_text : NULL;
    kernel->extras = take_string(&from, &to, extras);
    return kernel;
}

static enum bsim_status close_block(struct bsim_binary *binary, const unsigned char *record)
{
    return place(binary, record, bsim_rules_close_block(&binary->rules, binary->name, binary->err));
}

/* The kernel before and its sites are borrowed by the sink until this one is pushed. */
static enum bsim_status push_kernel(struct bsim_binary *binary, struct bsim_kernel *kernel)
{
    struct bsim_record item = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    enum bsim_status status = push(binary, &item);
    bsim_mem_free(binary->kernel);
    bsim_sites_clear(&binary->sites);
    binary->kernel = kernel;
    binary->n_what = 0;
    binary->counts.kernels++;
    bsim_rules_kernel(&binary->rules, kernel);
    return status;
}

static enum bsim_status take_kernel(struct bsim_binary *binary, const unsigned char *record,
                                    const unsigned char *end)
{
    if (record != binary->payload) {
        return malformed(binary, record, "a kernel that does not begin its chunk");
    }
    if (end - record < BSIM_BINARY_KERNEL_BYTES ||
        !holds(record, end, BSIM_BINARY_KERNEL_BYTES,
               (uint64_t)bsim_get32(record + 36) + bsim_get32(record + 40) +
                   bsim_get32(record + 44))) {
        return malformed(binary, record, "a kernel whose size is wrong");
    }
    enum bsim_status status = close_block(binary, record);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_kernel *kernel = make_kernel(record);
    if (kernel == NULL) {
        return no_memory(binary);
    }
    status = place(binary, record, bsim_rules_kernel_values(kernel, binary->err));
    if (status != BSIM_OK) {
        bsim_mem_free(kernel);
        return status;
    }
    return push_kernel(binary, kernel);
}

/* One more thing that events can name. */
static enum bsim_status add_what(struct bsim_binary *binary, const struct bsim_opcode *opcode,
                                 const struct bsim_site *site)
{
    if (binary->n_what == binary->what_capacity) {
        size_t more = binary->what_capacity > 0 ? 2 * binary->what_capacity : 64;
        struct bsim_binary_what *what = bsim_mem_resize(binary->what, more, sizeof *what);
        if (what == NULL) {
            return no_memory(binary);
        }
        binary->what = what;
        binary->what_capacity = more;
    }
    bool is_access = bsim_opcode_is_access(opcode);
    bool is_matrix = is_access && opcode->family >= BSIM_LDMATRIX;
    binary->what[binary->n_what++] = (struct bsim_binary_what){
        .opcode = *opcode,
        .is_access = is_access,
        .window = bsim_window_of(binary->kernel, opcode),
        .rows = is_matrix ? bsim_opcode_lanes(opcode, BSIM_FULL_MASK) : 0,
        .site = site,
    };
    return BSIM_OK;
}

/* The spelling of an opcode at `text`, of the length in the record's second half-word. */
static enum bsim_status get_opcode(struct bsim_binary *binary, const unsigned char *record,
                                   const unsigned char *text, struct bsim_opcode *opcode)
{
    return place(
        binary, record,
        bsim_opcode_parse((const char *)text, bsim_get16(record + 2), opcode, binary->err));
}

/* The site and its strings in one piece of memory. */
static struct bsim_site *make_site(const unsigned char *record, const struct bsim_opcode *opcode)
{
    size_t file = bsim_get32(record + 16);
    size_t text = bsim_get32(record + 20);
    struct bsim_site *site = bsim_mem_resize(NULL, sizeof *site + file + text + 2, 1);
    if (site == NULL) {
        return NULL;
    }
    const unsigned char *from = record + BSIM_BINARY_SITE_BYTES + bsim_get16(record + 2);
    char *to = (char *)(site + 1);
    *site = (struct bsim_site){
        .number = bsim_get32(record + 8),
        .opcode = *opcode,
        .line = file > 0 ? bsim_get32(record + 12) : 0,
    };
    char *file_text = take_string(&from, &to, file);
    char *source_text = take_string(&from, &to, text);
    site->file = file > 0 ? file_text : NULL;
    site->text = record[1] == BSIM_BINARY_HAS_IT ? source_text : NULL;
    return site;
}

static enum bsim_status check_site(struct bsim_binary *binary, const struct bsim_site *site)
{
    enum bsim_status status = bsim_rules_site_values(site, binary->err);
    if (status == BSIM_OK && bsim_sites_find(&binary->sites, site->number) != NULL) {
        status = bsim_rules_site_twice(site->number, binary->err);
    }
    return status;
}

static enum bsim_status add_site(struct bsim_binary *binary, const unsigned char *record,
                                 const struct bsim_opcode *opcode)
{
    struct bsim_site *site = make_site(record, opcode);
    if (site == NULL) {
        return no_memory(binary);
    }
    enum bsim_status status = place(binary, record, check_site(binary, site));
    if (status == BSIM_OK && !bsim_sites_add(&binary->sites, site)) {
        status = no_memory(binary);
    }
    if (status != BSIM_OK) {
        bsim_mem_free(site);
        return status;
    }
    struct bsim_record item = {.kind = BSIM_RECORD_SITE, .u.site = site};
    status = add_what(binary, opcode, site);
    return status == BSIM_OK ? push(binary, &item) : status;
}

static enum bsim_status take_site(struct bsim_binary *binary, const unsigned char *record,
                                  const unsigned char *end)
{
    struct bsim_opcode opcode;
    if (end - record < BSIM_BINARY_SITE_BYTES ||
        !holds(record, end, BSIM_BINARY_SITE_BYTES,
               (uint64_t)bsim_get16(record + 2) + bsim_get32(record + 16) +
                   bsim_get32(record + 20)) ||
        record[1] < (bsim_get32(record + 20) > 0)) {
        return malformed(binary, record, "a site whose size is wrong");
    }
    enum bsim_status status =
        place(binary, record, bsim_rules_may_site(&binary->rules, binary->err));
    if (status == BSIM_OK) {
        status = get_opcode(binary, record, record + BSIM_BINARY_SITE_BYTES, &opcode);
    }
    return status == BSIM_OK ? add_site(binary, record, &opcode) : status;
}

static enum bsim_status take_opcode(struct bsim_binary *binary, const unsigned char *record,
                                    const unsigned char *end)
{
    struct bsim_opcode opcode;
    if (!holds(record, end, BSIM_BINARY_UNIT_BYTES, bsim_get16(record + 2))) {
        return malformed(binary, record, "an opcode whose size is wrong");
    }
    if (binary->kernel == NULL) {
        return malformed(binary, record, "an opcode before the first kernel");
    }
    enum bsim_status status = get_opcode(binary, record, record + BSIM_BINARY_UNIT_BYTES, &opcode);
    return status == BSIM_OK ? add_what(binary, &opcode, NULL) : status;
}

static enum bsim_status take_line(struct bsim_binary *binary, const unsigned char *record)
{
    uint64_t line = bsim_get64(record + 8);
    if (record[1] > 1 || (line == 0) != (record[1] == 0)) {
        return malformed(binary, record, "a line whose number is wrong");
    }
    binary->step = record[1];
    binary->line = line - binary->step;
    return BSIM_OK;
}

static enum bsim_status decode_definitions(struct bsim_binary *binary, const unsigned char *end)
{
    enum bsim_status status = BSIM_OK;
    const unsigned char *p = binary->payload;
    while (p < end && status == BSIM_OK) {
        size_t size = p[0] == BSIM_BINARY_LINE ? BSIM_BINARY_UNIT_BYTES : bsim_get32(p + 4);
        switch (p[0]) {
        case BSIM_BINARY_KERNEL:
            status = take_kernel(binary, p, end);
            break;
        case BSIM_BINARY_SITE:
            status = take_site(binary, p, end);
            break;
        case BSIM_BINARY_OPCODE:
            status = take_opcode(binary, p, end);
            break;
        case BSIM_BINARY_LINE:
            status = take_line(binary, p);
            break;
        default:
            return malformed(binary, p, "an unknown record among the definitions");
        }
        p += size;
    }
    return status;
}

/* ---- events: almost all of a trace, so the hot part ------------------------------------------ */

/* The shared part of the events that have a `what`, which is returned: sets opcode, site, warp and
 * mask. NULL after an error, which is in *status. */
static inline const struct bsim_binary_what *take_head(struct bsim_binary *binary,
                                                       const unsigned char *record,
                                                       enum bsim_status *status)
{
    struct bsim_event *event = &binary->event;
    uint32_t what = binary->what_high | bsim_get16(record + 2);
    uint32_t warp = record[1];
    if (what >= binary->n_what) {
        *status = malformed(binary, record, "an event of a site or an opcode that is not defined");
        return NULL;
    }
    const struct bsim_binary_what *found = &binary->what[what];
    event->opcode = found->opcode;
    event->site = found->site;
    event->mask = bsim_get32(record + 4);
    event->warp = warp == BSIM_BINARY_ALL_WARPS ? BSIM_ALL_WARPS : warp;
    *status = BSIM_OK;
    if (warp != BSIM_BINARY_ALL_WARPS && warp >= binary->rules.n_warps) {
        *status = place(binary, record, bsim_rules_warp(&binary->rules, warp, binary->err));
        return NULL;
    }
    return found;
}

static inline enum bsim_status push_event(struct bsim_binary *binary)
{
    struct bsim_event *event = &binary->event;
    struct bsim_record item = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    binary->counts.events++;
    enum bsim_status status = push(binary, &item);
    if (binary->has_attributes) {
        binary->has_attributes = false;
        binary->what_high = 0;
        event->wait = event->expect_wavefronts = event->expect_conflicts = BSIM_ANY_COUNT;
    }
    return status;
}

/* The lanes of an access, or 0 after an error in *status. */
static inline uint32_t take_access(struct bsim_binary *binary, const unsigned char *record,
                                   const struct bsim_binary_what **what, enum bsim_status *status)
{
    *what = take_head(binary, record, status);
    if (*what == NULL) {
        return 0;
    }
    uint32_t mask = binary->event.mask;
    if (!(*what)->is_access) {
        *status = malformed(binary, record, "addresses for an opcode that has none");
        return 0;
    }
    if (mask == BSIM_FULL_MASK || (mask != 0 && (*what)->rows == 0)) {
        return (*what)->rows != 0 ? (*what)->rows : mask;
    }
    *status = place(binary, record, bsim_rules_mask(&(*what)->opcode, mask, binary->err));
    return 0;
}

static enum bsim_status take_affine(struct bsim_binary *binary, const unsigned char *record,
                                    uint64_t base, int64_t stride)
{
    const struct bsim_binary_what *what;
    enum bsim_status status;
    uint32_t lanes = take_access(binary, record, &what, &status);
    if (lanes == 0) {
        return status;
    }
    binary->event.affine = true;
    binary->event.base = base;
    binary->event.stride = stride;
    if (!bsim_window_holds(&what->window, base, stride)) {
        status = place(
            binary, record,
            bsim_rules_affine(binary->kernel, &binary->event, lanes, &what->window, binary->err));
    }
    return status == BSIM_OK ? push_event(binary) : status;
}

/* Finds the address of event.address that the window does not allow. */
static enum bsim_status check_list(struct bsim_binary *binary, const unsigned char *record,
                                   const struct bsim_window *window, uint32_t lanes)
{
    const struct bsim_event *event = &binary->event;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) && !bsim_window_allows(window, event->address[lane])) {
            return place(binary, record,
                         bsim_window_refuse(binary->kernel, &event->opcode, lane,
                                            event->address[lane], binary->err));
        }
    }
    return BSIM_OK;
}

/* All 32 lanes, by far the most usual list: no lane is looked at alone. False if the offsets are
 * not plainly right, and then nothing is known. */
static bool take_full_list(struct bsim_event *event, const unsigned char *record, uint64_t base,
                           const struct bsim_window *window)
{
    uint32_t offset[BSIM_WARP_LANES];
    uint64_t room = base <= window->last ? window->last - base : 0;
    uint32_t most = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    uint32_t bits = 0;
    uint32_t beyond = 0;
    bsim_get32s(record, offset, BSIM_WARP_LANES);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bits |= offset[lane];
    }
    /* None is more than all their bits together; mostly that is answer enough. */
    for (uint32_t lane = 0; bits > most && lane < BSIM_WARP_LANES; lane++) {
        beyond |= offset[lane] > most;
    }
    if (beyond != 0 || base > window->last || window->is_empty ||
        ((bits | base) & (window->bytes - 1)) != 0) {
        return false;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event->address[lane] = base + offset[lane];
    }
    return true;
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
                return malformed(binary, record, "an address that passes 64 bits");
            }
            event->address[lane] = base + offset;
            from += each;
        }
    }
    return check_list(binary, record, window, lanes);
}

static uint32_t count_lanes(uint32_t lanes)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        n++;
    }
    return n;
}

/* A list with `each` bytes an address; sets *size to that of the record. */
static enum bsim_status take_list(struct bsim_binary *binary, const unsigned char *record,
                                  const unsigned char *end, size_t each, size_t *size)
{
    const struct bsim_binary_what *what;
    enum bsim_status status;
    uint32_t lanes = take_access(binary, record, &what, &status);
    if (lanes == 0) {
        return status;
    }
    struct bsim_event *event = &binary->event;
    uint32_t n = lanes == BSIM_FULL_MASK ? BSIM_WARP_LANES : count_lanes(lanes);
    uint64_t base = each == 4 ? bsim_get64(record + 8) : 0;
    *size = BSIM_BINARY_UNIT_BYTES + (n * each + BSIM_BINARY_UNIT_BYTES - 1) /
                                         BSIM_BINARY_UNIT_BYTES * BSIM_BINARY_UNIT_BYTES;
    if (*size > (size_t)(end - record)) {
        return malformed(binary, record, "a list of addresses that passes the end of its chunk");
    }
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    bool is_done = each == 4 && n == BSIM_WARP_LANES &&
                   take_full_list(event, record + BSIM_BINARY_UNIT_BYTES, base, &what->window);
    if (!is_done) {
        status = take_lanes(binary, record, &what->window, lanes, base, each);
    }
    return status == BSIM_OK ? push_event(binary) : status;
}

/* A barrier or an exchange. */
static enum bsim_status take_plain(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_event *event = &binary->event;
    enum bsim_status status;
    const struct bsim_binary_what *what = take_head(binary, record, &status);
    if (what == NULL) {
        return status;
    }
    if (bsim_opcode_is_access(&what->opcode)) {
        return malformed(binary, record, "an access without its addresses");
    }
    event->affine = false;
    event->base = 0;
    event->stride = 0;
    if (what->opcode.family == BSIM_BAR) {
        struct bsim_scan scan = {.file = binary->name, .number = binary->line + binary->step};
        event->mask = BSIM_FULL_MASK;
        status = bsim_barriers_add(&binary->rules.barriers, event->warp, binary->rules.turns, &scan,
                                   NULL, binary->err);
    } else {
        status = bsim_rules_mask(&what->opcode, event->mask, binary->err);
    }
    status = place(binary, record, status);
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
    if (warp != BSIM_BINARY_ALL_WARPS && warp >= binary->rules.n_warps) {
        return place(binary, record, bsim_rules_warp(&binary->rules, warp, binary->err));
    }
    if (event.work_count == 0) {
        return malformed(binary, record, "work of no instructions");
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
        return malformed(binary, record, "attributes without an event");
    }
    binary->has_attributes = true;
    binary->what_high = bsim_get16(record + 2) << 16;
    event->wait = (int32_t)bsim_get32(record + 4);
    event->expect_wavefronts = (int32_t)bsim_get32(record + 8);
    event->expect_conflicts = (int32_t)bsim_get32(record + 12);
    if (event->wait < BSIM_ANY_COUNT || event->expect_wavefronts < BSIM_ANY_COUNT ||
        event->expect_conflicts < BSIM_ANY_COUNT) {
        return malformed(binary, record, "an attribute that is out of its range");
    }
    if (event->expect_wavefronts == BSIM_ANY_COUNT && event->expect_conflicts == BSIM_ANY_COUNT) {
        return BSIM_OK;
    }
    static const struct bsim_opcode work = {.family = BSIM_WORK};
    enum bsim_status status = BSIM_OK;
    const struct bsim_opcode *opcode = &work;
    if (next[0] != BSIM_BINARY_WORK) {
        const struct bsim_binary_what *what = take_head(binary, next, &status);
        if (what == NULL) {
            return status;
        }
        opcode = &what->opcode;
    }
    return place(binary, record, bsim_rules_expects(opcode, "expect.", binary->err));
}

/* ---- what shapes the stream ------------------------------------------------------------------ */

static enum bsim_status take_block(struct bsim_binary *binary, const unsigned char *record)
{
    if (binary->chunk.flags & BSIM_CHUNK_CONTINUES) {
        return malformed(binary, record, "a block in a chunk that continues one");
    }
    struct bsim_record item = {.kind = BSIM_RECORD_BLOCK, .u.block = get_dim3(record + 4)};
    enum bsim_status status =
        place(binary, record, bsim_rules_may_block(&binary->rules, binary->err));
    if (status == BSIM_OK) {
        status = close_block(binary, record);
    }
    if (status == BSIM_OK) {
        status =
            place(binary, record, bsim_rules_place(&binary->rules, &item.u.block, binary->err));
    }
    if (status != BSIM_OK) {
        return status;
    }
    uint64_t number = binary->counts.blocks++;
    binary->is_muted = number < binary->first_block || number >= binary->end_block;
    bsim_rules_block(&binary->rules);
    return push(binary, &item);
}

static enum bsim_status take_repeat(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {
        .kind = BSIM_RECORD_REPEAT,
        .u.repeat = {bsim_get32(record + 4), bsim_get32(record + 8), bsim_get32(record + 12)}};
    if (item.u.repeat.turns == 0) {
        return malformed(binary, record, "a repeat of no turns");
    }
    enum bsim_status status = place(binary, record,
                                    bsim_rules_repeat(&binary->rules, item.u.repeat.turns,
                                                      binary->line + binary->step, binary->err));
    return status == BSIM_OK ? push(binary, &item) : status;
}

static enum bsim_status take_done(struct bsim_binary *binary, const unsigned char *record)
{
    struct bsim_record item = {.kind = BSIM_RECORD_DONE};
    enum bsim_status status = place(binary, record, bsim_rules_done(&binary->rules, binary->err));
    return status == BSIM_OK ? push(binary, &item) : status;
}

static enum bsim_status take_wide_affine(struct bsim_binary *binary, const unsigned char *record,
                                         const unsigned char *end)
{
    if (end - record < BSIM_BINARY_WIDE_AFFINE_BYTES) {
        return malformed(binary, record, "an affine event that passes the end of its chunk");
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
        return take_line(binary, p);
    default:
        return malformed(binary, p, "an unknown record among the events");
    }
}

/* A chunk begins with a block or continues one, as its head says. */
static enum bsim_status check_start(struct bsim_binary *binary)
{
    const unsigned char *p = binary->payload;
    bool continues = (binary->chunk.flags & BSIM_CHUNK_CONTINUES) != 0;
    if (continues ? !binary->rules.in_block : p[0] != BSIM_BINARY_BLOCK) {
        return malformed(binary, p, "a chunk of events that does not begin with a block");
    }
    return BSIM_OK;
}

static enum bsim_status decode_events(struct bsim_binary *binary, const unsigned char *end)
{
    enum bsim_status status = check_start(binary);
    const unsigned char *p = binary->payload;
    while (p < end && status == BSIM_OK) {
        size_t size = BSIM_BINARY_UNIT_BYTES;
        status = take_record(binary, p, end, &size);
        p += size;
    }
    return status;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

enum bsim_status bsim_binary_head(struct bsim_binary *binary,
                                  const unsigned char head[BSIM_BINARY_HEAD_BYTES])
{
    static const struct bsim_opcode none = {0};
    uint32_t version = bsim_get32(head + BSIM_BINARY_MAGIC_BYTES);
    bsim_event_init(&binary->event, &none);
    if (memcmp(head, BSIM_BINARY_MAGIC, BSIM_BINARY_MAGIC_BYTES) != 0 ||
        bsim_get64(head + BSIM_BINARY_SUM_AT) != bsim_checksum(head, NULL, 0)) {
        return bsim_binary_error(binary, 0, "the file's head is damaged");
    }
    if (version != BSIM_BINARY_VERSION) {
        return bsim_binary_error(binary, BSIM_BINARY_MAGIC_BYTES,
                                 "version %" PRIu32
                                 " of the binary format is newer than this banksim, which reads "
                                 "version %d",
                                 version, BSIM_BINARY_VERSION);
    }
    return BSIM_OK;
}

enum bsim_status bsim_binary_chunk(struct bsim_binary *binary, uint64_t offset,
                                   const unsigned char head[BSIM_BINARY_HEAD_BYTES])
{
    struct bsim_chunk *chunk = &binary->chunk;
    bsim_chunk_get(head, chunk);
    binary->offset = offset;
    if (chunk->payload_bytes > BSIM_BINARY_PAYLOAD_MAX || chunk->payload_bytes == 0 ||
        chunk->payload_bytes % BSIM_BINARY_UNIT_BYTES != 0) {
        return bsim_binary_error(binary, offset, "the head of a chunk is damaged");
    }
    return BSIM_OK;
}

enum bsim_status bsim_binary_sum(struct bsim_binary *binary,
                                 const unsigned char head[BSIM_BINARY_HEAD_BYTES],
                                 const unsigned char *payload)
{
    binary->payload = payload;
    if (bsim_get64(head + BSIM_BINARY_SUM_AT) ==
        bsim_checksum(head, payload, binary->chunk.payload_bytes)) {
        return BSIM_OK;
    }
    return bsim_binary_error(binary, binary->offset,
                             "the chunk of %" PRIu32
                             " bytes is damaged: its checksum does not match",
                             binary->chunk.payload_bytes);
}

enum bsim_status bsim_binary_decode(struct bsim_binary *binary)
{
    const struct bsim_chunk *chunk = &binary->chunk;
    const unsigned char *end = binary->payload + chunk->payload_bytes;
    binary->line = chunk->line;
    binary->step = chunk->flags & BSIM_CHUNK_STEPS ? 1 : 0;
    return chunk->kind == BSIM_CHUNK_DEFINITIONS ? decode_definitions(binary, end)
                                                 : decode_events(binary, end);
}

enum bsim_status bsim_binary_seam(struct bsim_binary *binary, uint64_t offset)
{
    binary->offset = offset;
    return close_block(binary, binary->payload); /* the chunk's first record */
}

enum bsim_status bsim_binary_end(struct bsim_binary *binary)
{
    struct bsim_record item = {.kind = BSIM_RECORD_END};
    if (binary->is_muted) {
        bsim_rules_drop_block(&binary->rules); /* perhaps read in part */
    }
    enum bsim_status status = close_block(binary, binary->payload);
    binary->line = binary->chunk.line;
    binary->step = 0;
    binary->is_muted = false;
    return status == BSIM_OK ? push(binary, &item) : status;
}

void bsim_binary_clear(struct bsim_binary *binary)
{
    bsim_mem_free(binary->kernel);
    bsim_sites_clear(&binary->sites);
    bsim_mem_free(binary->what);
}
