/* rules.c - what every trace obeys, in whichever format; see rules.h. */
#include "trace/rules.h"

#include "base/bits.h"
#include "event/async.h"

#include <inttypes.h>
#include <string.h>

const struct bsim_dim3 bsim_grid_most = {BSIM_GRID_MAX_X, BSIM_GRID_MAX_YZ, BSIM_GRID_MAX_YZ};
const struct bsim_dim3 bsim_block_most = {BSIM_BLOCK_MAX_THREADS, BSIM_BLOCK_MAX_THREADS,
                                          BSIM_BLOCK_MAX_THREADS};

static enum bsim_status refuse(struct bsim_error *err, const char *message)
{
    return bsim_error_set(err, BSIM_E_INPUT, "%s", message);
}

/* ---- the stream ----------------------------------------------------------------------------- */

/* What is missing in front of a record of that kind. */
static enum bsim_status needs(const struct bsim_rules *rules, enum bsim_record_kind kind,
                              struct bsim_error *err)
{
    if (rules->stream.repeats_another) {
        return refuse(err, "a launch with again= has nothing of its own: it does what another did");
    }
    switch (kind) {
    case BSIM_RECORD_SITE:
        return refuse(err, "a site needs a kernel: a 'kernel' line must stand before it");
    case BSIM_RECORD_BLOCK:
        return refuse(err, "a block needs a kernel: a 'kernel' line must stand before it");
    case BSIM_RECORD_EVENT:
        return refuse(err, "an event needs a block: a 'block' line must stand before it");
    case BSIM_RECORD_REPEAT:
        return refuse(err, "a repeat needs a block: a 'block' line must stand before it");
    default:
        return refuse(err, "'done' without a 'repeat' that is open");
    }
}

enum bsim_status bsim_rules_may(const struct bsim_rules *rules, enum bsim_record_kind kind,
                                struct bsim_error *err)
{
    uint32_t depth = rules->stream.depth;
    if (bsim_stream_may(&rules->stream, kind)) {
        return BSIM_OK;
    }
    if (depth == 0) {
        return needs(rules, kind, err);
    }
    return kind == BSIM_RECORD_REPEAT
               ? bsim_error_set(err, BSIM_E_INPUT, "repeats nest up to %d deep",
                                BSIM_REPEAT_MAX_DEPTH)
               : bsim_error_set(err, BSIM_E_INPUT,
                                "the repeat of line %" PRIu64
                                " is still open: close it with 'done'",
                                rules->repeat_line[depth - 1]);
}

enum bsim_status bsim_rules_close_block(struct bsim_rules *rules, const char *file,
                                        struct bsim_error *err)
{
    enum bsim_status status = bsim_rules_may(rules, BSIM_RECORD_END, err);
    if (status != BSIM_OK || !rules->stream.in_block) {
        return status;
    }
    rules->stream.in_block = false;
    return bsim_barriers_check(&rules->barriers, file, err);
}

enum bsim_status bsim_rules_pass(struct bsim_rules *rules, const struct bsim_record *record,
                                 enum bsim_status status)
{
    if (record->kind == BSIM_RECORD_BLOCK) {
        bsim_barriers_start(&rules->barriers, rules->stream.n_warps);
    } else if (record->kind == BSIM_RECORD_REPEAT) {
        rules->repeat_line[rules->stream.depth] = record->line;
    }
    return bsim_stream_pass(&rules->stream, record, status);
}

/* ---- values --------------------------------------------------------------------------------- */

enum bsim_status bsim_rules_threads(const struct bsim_dim3 *block, struct bsim_error *err)
{
    uint32_t n = block->x * block->y * block->z;
    if (n > BSIM_BLOCK_MAX_THREADS) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "block= has %" PRIu32 " threads: a block has at most %d", n,
                              BSIM_BLOCK_MAX_THREADS);
    }
    return BSIM_OK;
}

static bool is_within(const struct bsim_dim3 *dim, uint32_t least, const struct bsim_dim3 *most)
{
    return dim->x >= least && dim->y >= least && dim->z >= least && dim->x <= most->x &&
           dim->y <= most->y && dim->z <= most->z;
}

static enum bsim_status cannot_hold(struct bsim_error *err, const char *what, const char *text,
                                    const char *why)
{
    return bsim_error_set(err, BSIM_E_INPUT, "a trace cannot hold the %s '%.80s': %s", what, text,
                          why);
}

static enum bsim_status check_word(const char *what, const char *word, struct bsim_error *err)
{
    size_t length = bsim_word_length(word);
    if (length == 0 || word[length] != '\0') {
        return cannot_hold(err, what, word, "it is not one word of printable ASCII without #");
    }
    return BSIM_OK;
}

/* The value of a key: a quotation mark at its start would be taken for that of a quoted value. */
static enum bsim_status check_value(const char *what, const char *value, struct bsim_error *err)
{
    if (value[0] == '"') {
        return cannot_hold(err, what, value, "it begins with a quotation mark");
    }
    return check_word(what, value, err);
}

/* Behind the x-key=value word at p, or NULL if there is none. */
static const char *skip_extra(const char *p)
{
    size_t length = bsim_word_length(p);
    const char *equals = memchr(p, '=', length);
    bool fits = strncmp(p, "x-", 2) == 0 && equals != NULL && equals > p + 2 && equals[1] != '"';
    return fits ? p + length : NULL;
}

/* Do the words at a and b have the same key, up to its '='? */
static bool same_key(const char *a, const char *b)
{
    while (*a == *b && *a != '=') {
        a++;
        b++;
    }
    return *a == '=' && *b == '=';
}

/* The extras are x-key=value words with one blank between, at most 64, no key twice. */
static enum bsim_status check_extras(const char *extras, struct bsim_error *err)
{
    const char *word[BSIM_EXTRAS_MAX];
    size_t n = 0;
    for (const char *p = extras; *p != '\0';) {
        const char *end = skip_extra(p);
        if (end == NULL || (*end != '\0' && (*end != ' ' || end[1] == '\0'))) {
            return cannot_hold(err, "extras", extras, "they are not x-key=value words");
        }
        for (size_t i = 0; i < n; i++) {
            if (same_key(word[i], p)) {
                return cannot_hold(err, "extras", extras, "a key stands twice");
            }
        }
        if (n == BSIM_EXTRAS_MAX) {
            return cannot_hold(err, "extras", extras, "a kernel has at most 64 x- keys");
        }
        word[n++] = p;
        p = *end == ' ' ? end + 1 : end;
    }
    return BSIM_OK;
}

enum bsim_status bsim_rules_kernel_values(const struct bsim_kernel *kernel, struct bsim_error *err)
{
    if (strchr(kernel->name, '=') != NULL) {
        return cannot_hold(err, "kernel name", kernel->name, "it has an '='");
    }
    enum bsim_status status = check_word("kernel name", kernel->name, err);
    if (status == BSIM_OK && kernel->device != NULL) {
        status = check_value("device", kernel->device, err);
    }
    if (status == BSIM_OK) {
        status = check_extras(kernel->extras, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    if (!is_within(&kernel->grid, 1, &bsim_grid_most)) {
        return refuse(err, "a size in grid= is outside of its range");
    }
    if (!is_within(&kernel->block, 1, &bsim_block_most)) {
        return refuse(err, "a size in block= is outside of its range");
    }
    if (kernel->has_shared && kernel->shared_bytes > BSIM_SHARED_MAX_BYTES) {
        return refuse(err, "shared= is outside of its range");
    }
    if (kernel->registers > BSIM_REGISTERS_MOST) {
        return refuse(err, "registers= is outside of its range");
    }
    if (kernel->again > BSIM_AGAIN_MOST) {
        return refuse(err, "again= is outside of its range");
    }
    return bsim_rules_threads(&kernel->block, err);
}

enum bsim_status bsim_rules_site_values(const struct bsim_site *site, struct bsim_error *err)
{
    if (site->number == 0) {
        return refuse(err, "a site's number is 1 or more");
    }
    if (site->file != NULL) {
        enum bsim_status status = check_value("file name", site->file, err);
        if (status != BSIM_OK) {
            return status;
        }
    }
    for (const char *p = site->text; p != NULL && *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            return cannot_hold(err, "text", site->text, "it has a control character");
        }
    }
    return BSIM_OK;
}

enum bsim_status bsim_rules_misuse(enum bsim_status status, struct bsim_error *err)
{
    if (status == BSIM_OK) {
        return BSIM_OK;
    }
    if (err != NULL) {
        err->status = BSIM_E_USAGE;
    }
    return BSIM_E_USAGE;
}

enum bsim_status bsim_rules_length(size_t size_bytes, struct bsim_error *err)
{
    return size_bytes <= BSIM_LINE_MAX_BYTES
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_USAGE,
                                "a trace cannot hold a record of more than %d bytes: its names or "
                                "texts are too long",
                                BSIM_LINE_MAX_BYTES);
}

enum bsim_status bsim_rules_site_twice(uint32_t number, struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_INPUT, "site %" PRIu32 " is defined already in this kernel",
                          number);
}

enum bsim_status bsim_rules_trips(const struct bsim_rules *rules, uint64_t trips,
                                  struct bsim_error *err)
{
    return bsim_stream_may_trip(&rules->stream, trips)
               ? BSIM_OK
               : refuse(err, "with the repeats around it the body runs more than 2^40 times");
}

enum bsim_status bsim_rules_place(const struct bsim_rules *rules, const struct bsim_dim3 *block,
                                  struct bsim_error *err)
{
    const struct bsim_dim3 *grid = &rules->stream.kernel->grid;
    struct bsim_dim3 most = {grid->x - 1, grid->y - 1, grid->z - 1};
    return is_within(block, 0, &most) ? BSIM_OK
                                      : refuse(err, "a block's place is outside of grid=");
}

/* ---- events --------------------------------------------------------------------------------- */

enum bsim_status bsim_rules_warp(const struct bsim_rules *rules, uint64_t warp,
                                 struct bsim_error *err)
{
    if (warp < rules->stream.n_warps) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "warp %" PRIu64 " is outside of block=, which has %" PRIu32
                          " warp%s (from 0)",
                          warp, rules->stream.n_warps, rules->stream.n_warps == 1 ? "" : "s");
}

enum bsim_status bsim_rules_barrier(struct bsim_rules *rules, uint32_t warp,
                                    const struct bsim_scan *scan, const char *where,
                                    struct bsim_error *err)
{
    uint64_t trips = rules->stream.trips[rules->stream.depth];
    return bsim_barriers_add(&rules->barriers, warp, trips, scan, where, err);
}

enum bsim_status bsim_rules_meeting(const struct bsim_rules *rules, struct bsim_error *err)
{
    return rules->stream.depth == 0
               ? BSIM_OK
               : refuse(err, "a meeting takes place once: it cannot stand within a repeat");
}

enum bsim_status bsim_rules_mask(const struct bsim_opcode *opcode, uint32_t mask,
                                 struct bsim_error *err)
{
    if (mask == 0) {
        return refuse(err, "the mask is 0: an event needs at least one active lane");
    }
    if (bsim_opcode_is_matrix(opcode) && mask != BSIM_FULL_MASK) {
        return refuse(err, "a matrix form is executed by the whole warp: its mask is ffffffff");
    }
    return BSIM_OK;
}

enum bsim_status bsim_rules_expects(const struct bsim_opcode *opcode, const char *key,
                                    struct bsim_error *err)
{
    if ((bsim_opcode_is_access(opcode) && opcode->space == BSIM_SHARED) ||
        opcode->family == BSIM_WGMMA) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT, "%s belongs to an event that accesses shared memory",
                          key);
}

/* A warpgroup is four warps in a row, from a multiple of four on. */
static enum bsim_status check_warpgroup(const struct bsim_rules *rules, uint32_t warp,
                                        struct bsim_error *err)
{
    if (warp % BSIM_WGMMA_WARPS == 0 && warp <= rules->stream.n_warps &&
        rules->stream.n_warps - warp >= BSIM_WGMMA_WARPS) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "a wgmma stands at the first of the four warps that execute it: a multiple of "
                          "4, and the block has the three behind it");
}

static enum bsim_status check_operand(const struct bsim_event *event, char name, uint32_t window,
                                      struct bsim_error *err)
{
    struct bsim_error wrong;
    struct bsim_wgmma wgmma = bsim_async_wgmma(event);
    const struct bsim_async *async = event->async;
    enum bsim_status status =
        name == 'a' ? bsim_wgmma_check(&async->a, wgmma.element_bytes, BSIM_WGMMA_M, window, &wrong)
                    : bsim_wgmma_check(&async->b, wgmma.element_bytes, wgmma.n, window, &wrong);
    return status == BSIM_OK
               ? BSIM_OK
               : bsim_error_set(err, status, "%c: %s", name == 'a' ? 'A' : 'B', wrong.message);
}

static enum bsim_status check_arrival(const struct bsim_rules *rules, const struct bsim_event *event,
                                      struct bsim_error *err)
{
    if (event->async->arrives == 0) {
        return BSIM_OK;
    }
    return event->opcode.operation == BSIM_TO_SHARED
               ? bsim_rules_meeting(rules, err)
               : refuse(err, "a store has no mbarrier to come to: its warp waits for it by wait=");
}

enum bsim_status bsim_rules_async(const struct bsim_rules *rules, const struct bsim_event *event,
                                  struct bsim_error *err)
{
    const struct bsim_kernel *kernel = rules->stream.kernel;
    uint32_t window = kernel->has_shared ? kernel->shared_bytes : UINT32_MAX;
    if (event->opcode.family == BSIM_BULK) {
        enum bsim_status status = bsim_tma_check(&event->async->copy, window, err);
        return status == BSIM_OK ? check_arrival(rules, event, err) : status;
    }
    enum bsim_status status = check_warpgroup(rules, event->warp, err);
    if (status == BSIM_OK && !event->async->a_in_registers) {
        status = check_operand(event, 'a', window, err);
    }
    return status == BSIM_OK ? check_operand(event, 'b', window, err) : status;
}

enum bsim_status bsim_rules_from(const struct bsim_opcode *opcode, struct bsim_error *err)
{
    return opcode->family == BSIM_CP_ASYNC
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_INPUT,
                                "from= belongs to a copy, cp.async: it says where in global memory "
                                "its lanes have their bytes from");
}

enum bsim_status bsim_rules_reads(const struct bsim_opcode *opcode, struct bsim_error *err)
{
    bool is_told = opcode->family == BSIM_WORK && opcode->operation >= BSIM_WORK_FP32 && opcode->operation <= BSIM_WORK_XU;
    return is_told ? BSIM_OK
                   : refuse(err, "reads= and reuse= belong to work of a class from fp32 to xu, whose registers they tell");
}

enum bsim_status bsim_rules_read(const struct bsim_reads *reads, struct bsim_error *err)
{
    if (reads->even > BSIM_MOST_READS || reads->odd > BSIM_MOST_READS) {
        return bsim_error_set(err, BSIM_E_INPUT, "an instruction reads at most %d registers of a bank", (int)BSIM_MOST_READS);
    }
    return reads->reused_even <= reads->even && reads->reused_odd <= reads->odd
               ? BSIM_OK
               : refuse(err, "reuse= counts some of the registers of reads=, not more than these");
}

struct bsim_window bsim_window_of(const struct bsim_kernel *kernel,
                                  const struct bsim_opcode *opcode)
{
    uint32_t bytes = opcode->bytes;
    uint64_t size = UINT64_C(1) << 32;
    if (opcode->space != BSIM_SHARED && opcode->space != BSIM_LOCAL && opcode->space != BSIM_PEER) {
        return (struct bsim_window){UINT64_MAX - bytes + 1, bytes, false};
    }
    if (opcode->space == BSIM_SHARED && kernel->has_shared) {
        size = kernel->shared_bytes;
    }
    return (struct bsim_window){size - bytes, bytes, size < bytes};
}

/* What an address belongs to, for messages. */
static const char *who(const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_matrix(opcode) ? "row" : "lane";
}

enum bsim_status bsim_window_refuse(const struct bsim_kernel *kernel,
                                    const struct bsim_opcode *opcode, uint32_t lane,
                                    uint64_t address, struct bsim_error *err)
{
    struct bsim_window window = bsim_window_of(kernel, opcode);
    uint32_t bytes = window.bytes;
    if (!window.is_empty && address <= window.last) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s %" PRIu32 ": address %" PRIu64 " is not a multiple of %" PRIu32
                              ", the bytes of one access",
                              who(opcode), lane, address, bytes);
    }
    if (opcode->space != BSIM_SHARED) {
        return bsim_error_set(
            err, BSIM_E_INPUT,
            "%s %" PRIu32 ": address %" PRIu64 " and its %" PRIu32 " bytes pass %s", who(opcode),
            lane, address, bytes,
            opcode->space == BSIM_LOCAL  ? "the thread's window of 32 bits"
            : opcode->space == BSIM_PEER ? "32 bits, 24 in a block's window and the block's number above"
                                         : "64 bits");
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%s %" PRIu32 ": address %" PRIu64 " and its %" PRIu32
                          " byte%s are outside of the block's %s of %" PRIu64 " bytes",
                          who(opcode), lane, address, bytes, bytes == 1 ? "" : "s",
                          kernel->has_shared ? "shared=" : "32-bit window",
                          kernel->has_shared ? kernel->shared_bytes : UINT64_C(1) << 32);
}

/* True if base + lane * stride stays within 64 bits, without wrapping. */
static bool lane_address(const struct bsim_event *event, uint32_t lane, uint64_t *address)
{
    bool down = event->stride < 0;
    uint64_t step = down ? 0 - (uint64_t)event->stride : (uint64_t)event->stride;
    if (lane > 0 && step > UINT64_MAX / lane) {
        return false;
    }
    uint64_t offset = step * lane;
    *address = down ? event->base - offset : event->base + offset;
    return down ? offset <= event->base : offset <= UINT64_MAX - event->base;
}

bool bsim_rules_is_plain(const struct bsim_event *event, uint32_t lanes)
{
    uint64_t address;
    return event->affine && event->stride != INT64_MIN &&
           lane_address(event, bsim_bits_highest(lanes), &address);
}

static enum bsim_status check_lane(const struct bsim_kernel *kernel, const struct bsim_event *event,
                                   uint32_t lane, const struct bsim_window *window,
                                   struct bsim_error *err)
{
    uint64_t address;
    if (!lane_address(event, lane, &address)) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s %" PRIu32 ": its address is %s",
                              who(&event->opcode), lane,
                              event->stride < 0 ? "negative" : "past 64 bits");
    }
    return bsim_window_allows(window, address)
               ? BSIM_OK
               : bsim_window_refuse(kernel, &event->opcode, lane, address, err);
}

/* The addresses lie on a line: if the first and the last are in the window, so are all. They are
 * aligned together if base and stride are; if not, each active lane is looked at. */
enum bsim_status bsim_rules_affine(const struct bsim_kernel *kernel, const struct bsim_event *event,
                                   uint32_t lanes, const struct bsim_window *window,
                                   struct bsim_error *err)
{
    if (bsim_window_holds(window, event->base, event->stride)) {
        return BSIM_OK;
    }
    uint32_t first = bsim_bits_lowest(lanes);
    uint32_t last = bsim_bits_highest(lanes);
    if (event->stride == INT64_MIN) {
        return refuse(err, "a stride is below 2^63");
    }
    enum bsim_status status = check_lane(kernel, event, first, window, err);
    if (status == BSIM_OK) {
        status = check_lane(kernel, event, last, window, err);
    }
    bool is_aligned = ((event->base | (uint64_t)event->stride) & (window->bytes - 1)) == 0;
    for (uint32_t lane = first; status == BSIM_OK && !is_aligned && lane < last; lane++) {
        if (lanes >> lane & 1) {
            status = check_lane(kernel, event, lane, window, err);
        }
    }
    return status;
}
