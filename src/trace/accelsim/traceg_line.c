/* traceg_line.c - an instruction of an Accel-Sim trace: almost all lines, so the hot part.
 *
 *     [x y z warp] [line] PC mask ndst dst... opcode nsrc src... width [mode addresses] [imm]
 *
 * The four numbers in front stand in traces of tracers before version 3, the source line where the
 * header enables it. PC and mask are hexadecimal without 0x. width 0: no addresses; otherwise it is
 * not looked at, because the tracer takes it from the first number in the opcode, which is wrong for
 * LDSM.16.M88.4 and for S8: the opcode itself says it. Modes, for n active lanes:
 *
 *     0   n addresses                     0x400 0x404 0x408
 *     1   base and stride                 0x400 4            the active lanes are neighbours
 *     2   base and n-1 differences        0x400 4 4          each to the active lane before
 *
 * Addresses of shared memory are offsets in the block's window, or lie in the window's place in the
 * generic address space. From compute capability 9.0 on the window's first KiB is the system's (nvcc
 * 13.0 places a kernel's first array at 0x400 there, at 0 for sm_80), and bits 24 and up are the
 * block's rank in its cluster: both are taken off, so that the offsets count from the kernel's own
 * first byte. Neither changes a bank.
 */
#include "trace/accelsim/traceg.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_REGISTERS = 64,
    ZERO_REGISTER = 255, /* RZ: a result that nobody wants */
    MASK_DIGITS = 8,
    RANK_SHIFT = 24,
};

/* The windows of shared and of local memory in the generic address space. Headers put their bases
 * 2^25 bytes apart, in either order. */
#define WINDOW_BYTES (UINT64_C(1) << 25)

struct instruction {
    uint64_t line; /* of the source; 0 if not traced */
    uint32_t pc;
    uint32_t mask;
    bool is_unwanted; /* its result goes to RZ */
    bool has_addresses;
    bool is_affine;
    uint64_t base; /* of the lowest active lane */
    int64_t stride;
    int64_t immediate;
    struct bsim_traceg_opcode *opcode;
    const char *opcode_at;
    const char *addresses_at;
    uint64_t address[BSIM_WARP_LANES];
};

/* ---- words --------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    return p;
}

static bool ends_word(const struct bsim_traceg *traceg, const char *p)
{
    return p == traceg->scan.end || *p == ' ' || *p == '\t';
}

/* The error for the word at `where`, which is not `what` ("the mask, ..."). */
static enum bsim_status not_a(const struct bsim_traceg *traceg, const char *where, const char *what)
{
    const char *end = where;
    while (!ends_word(traceg, end)) {
        end++;
    }
    struct bsim_word word = {where, (size_t)(end - where)};
    if (word.length == 0) {
        return bsim_scan_error(&traceg->scan, where, traceg->err, "%s is missing", what);
    }
    return bsim_scan_error(&traceg->scan, where, traceg->err, "'%.*s' is not %s",
                           bsim_word_shown(&word), where, what);
}

/* Reads a number up to `most` and the blanks before it. */
static enum bsim_status read_number(struct bsim_traceg *traceg, const char *what, uint64_t most,
                                    uint64_t *value)
{
    const char *start = skip_blanks(traceg->scan.at);
    const char *p = start;
    if (!bsim_scan_number(&p, value) || !ends_word(traceg, p) || *value > most) {
        return not_a(traceg, start, what);
    }
    traceg->scan.at = p;
    return BSIM_OK;
}

/* The same with a sign; any 64 bits. */
static enum bsim_status read_signed(struct bsim_traceg *traceg, const char *what, int64_t *value)
{
    const char *start = skip_blanks(traceg->scan.at);
    bool is_negative = *start == '-';
    const char *p = start + is_negative;
    uint64_t size;
    if (!bsim_scan_number(&p, &size) || !ends_word(traceg, p) || size > INT64_MAX) {
        return not_a(traceg, start, what);
    }
    *value = is_negative ? -(int64_t)size : (int64_t)size;
    traceg->scan.at = p;
    return BSIM_OK;
}

/* One to eight hexadecimal digits without 0x. */
static enum bsim_status read_hex(struct bsim_traceg *traceg, const char *what, uint32_t *value)
{
    const char *start = skip_blanks(traceg->scan.at);
    const char *p = start;
    uint32_t sum = 0;
    for (unsigned digit; (digit = bsim_scan_hex_value(*p)) < 16 && p - start < MASK_DIGITS; p++) {
        sum = sum << 4 | digit;
    }
    if (p == start || !ends_word(traceg, p)) {
        return not_a(traceg, start, what);
    }
    *value = sum;
    traceg->scan.at = p;
    return BSIM_OK;
}

/* A count and as many registers, R0 to R255; *last is the last of them. */
static enum bsim_status read_registers(struct bsim_traceg *traceg, const char *what, uint64_t *n,
                                       uint64_t *last)
{
    enum bsim_status status = read_number(traceg, what, MAX_REGISTERS, n);
    for (uint64_t i = 0; i < *n && status == BSIM_OK; i++) {
        const char *start = skip_blanks(traceg->scan.at);
        const char *p = start + 1;
        if (*start != 'R' || !bsim_scan_number(&p, last) || !ends_word(traceg, p)) {
            return not_a(traceg, start, "a register, as in R12");
        }
        traceg->scan.at = p;
    }
    return status;
}

static enum bsim_status read_opcode(struct bsim_traceg *traceg, struct instruction *instruction)
{
    const char *start = skip_blanks(traceg->scan.at);
    const char *p = start;
    while (!ends_word(traceg, p)) {
        p++;
    }
    size_t length = (size_t)(p - start);
    if (length == 0 || *start < 'A' || *start > 'Z' || length >= BSIM_OPCODE_NAME_SIZE) {
        return not_a(traceg, start, "an opcode, as in LDS.128");
    }
    if (bsim_word_length(start) < length) {
        return not_a(traceg, start, "an opcode of printable ASCII");
    }
    instruction->opcode_at = start;
    traceg->scan.at = p;
    instruction->opcode = bsim_traceg_opcode(&traceg->opcodes, start, length, traceg->scan.number);
    return instruction->opcode != NULL ? BSIM_OK : bsim_traceg_no_memory(traceg);
}

/* ---- addresses ------------------------------------------------------------------------------------ */

static uint32_t lowest_lane(uint32_t mask)
{
    uint32_t lane = 0;
    while ((mask >> lane & 1) == 0) {
        lane++;
    }
    return lane;
}

/* Reads an address as the tracer writes them, one blank, 0x and up to 15 digits. False, and nothing
 * changed, for any other. */
static inline bool take_address(struct bsim_traceg *traceg, uint64_t *address)
{
    const char *p = traceg->scan.at;
    if (p[0] != ' ' || p[1] != '0' || p[2] != 'x') {
        return false;
    }
    const char *first = p + 3;
    uint64_t sum = 0;
    p = first;
    for (unsigned digit; (digit = bsim_scan_hex_value(*p)) < 16; p++) {
        sum = sum << 4 | digit;
    }
    if (p == first || p - first > 15 || !ends_word(traceg, p)) {
        return false;
    }
    *address = sum;
    traceg->scan.at = p;
    return true;
}

static enum bsim_status read_list(struct bsim_traceg *traceg, struct instruction *instruction)
{
    enum bsim_status status = BSIM_OK;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((instruction->mask >> lane & 1) && !take_address(traceg, &instruction->address[lane])) {
            status = read_number(traceg, "an address for each active lane", UINT64_MAX,
                                 &instruction->address[lane]);
        }
    }
    return status;
}

static enum bsim_status read_stride(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint32_t mask = instruction->mask;
    enum bsim_status status = read_signed(traceg, "the stride", &instruction->stride);
    if (status != BSIM_OK || mask == 0) {
        return status;
    }
    uint32_t first = lowest_lane(mask);
    uint64_t run = (uint64_t)(mask >> first) + 1;
    if ((run & (run - 1)) != 0) {
        return bsim_scan_error(
            &traceg->scan, instruction->addresses_at, traceg->err,
            "base and stride need active lanes side by side, which mask %08" PRIx32 " has not",
            mask);
    }
    instruction->is_affine = true;
    uint64_t address = instruction->base;
    for (uint32_t lane = first; lane < BSIM_WARP_LANES; lane++) {
        instruction->address[lane] = address;
        address += (uint64_t)instruction->stride;
    }
    return BSIM_OK;
}

static enum bsim_status read_differences(struct bsim_traceg *traceg,
                                         struct instruction *instruction)
{
    enum bsim_status status = BSIM_OK;
    uint64_t address = instruction->base;
    bool is_first = true;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((instruction->mask >> lane & 1) == 0) {
            continue;
        }
        int64_t difference = 0;
        if (!is_first) {
            status =
                read_signed(traceg, "a difference for each active lane but the first", &difference);
        }
        is_first = false;
        address += (uint64_t)difference;
        instruction->address[lane] = address;
    }
    return status;
}

static enum bsim_status read_addresses(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t mode;
    enum bsim_status status = read_number(
        traceg, "a form of addresses: 0 (list), 1 (base, stride), 2 (base, differences)", 2, &mode);
    if (status != BSIM_OK) {
        return status;
    }
    instruction->has_addresses = true;
    instruction->addresses_at = skip_blanks(traceg->scan.at);
    if (mode == 0) {
        return read_list(traceg, instruction);
    }
    status = read_number(traceg, "the first address", UINT64_MAX, &instruction->base);
    if (status != BSIM_OK) {
        return status;
    }
    return mode == 1 ? read_stride(traceg, instruction) : read_differences(traceg, instruction);
}

/* ---- from addresses to events ---------------------------------------------------------------------- */

static bool in_window(uint64_t address, uint64_t base, uint64_t other)
{
    uint64_t bytes = other > base && other - base < WINDOW_BYTES ? other - base : WINDOW_BYTES;
    return base != 0 && address >= base && address - base < bytes;
}

/* The offset in the block's own shared memory; false if the address is none. */
static bool shared_offset(const struct bsim_traceg_head *head, uint64_t address, uint64_t *offset)
{
    if (in_window(address, head->shared_base, head->local_base)) {
        address -= head->shared_base;
    } else if (address > UINT32_MAX) {
        return false;
    }
    if (head->binary_version >= BSIM_TRACEG_RESERVED_FROM) {
        address &= (UINT64_C(1) << RANK_SHIFT) - 1;
        if (address < BSIM_TRACEG_RESERVED_BYTES) {
            return false;
        }
        address -= BSIM_TRACEG_RESERVED_BYTES;
    }
    *offset = address;
    return true;
}

static enum bsim_status outside(struct bsim_traceg *traceg, const struct instruction *instruction,
                                uint32_t lane)
{
    return bsim_scan_error(&traceg->scan, instruction->addresses_at, traceg->err,
                           "lane %" PRIu32 ": 0x%" PRIx64
                           " is not an address of the block's shared memory",
                           lane, instruction->address[lane]);
}

/* Sets the event's address in `lanes`, one by one, and checks each. */
static enum bsim_status set_lanes(struct bsim_traceg *traceg, const struct instruction *instruction,
                                  uint32_t lanes)
{
    struct bsim_event *event = &traceg->event;
    struct bsim_window window = bsim_window_of(traceg->kernel, &event->opcode);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        uint64_t address = instruction->address[lane];
        if (event->opcode.space == BSIM_SHARED &&
            !shared_offset(&traceg->head, address, &address)) {
            return outside(traceg, instruction, lane);
        }
        if (!bsim_window_allows(&window, address)) {
            return bsim_traceg_place(
                traceg, instruction->addresses_at,
                bsim_window_refuse(traceg->kernel, &event->opcode, lane, address, traceg->err));
        }
        event->address[lane] = address;
    }
    return BSIM_OK;
}

/* Base and stride of the event, if its addresses can be written so: what they are in the window lies
 * on one line too, and lane 0's address would not be negative. */
static bool set_affine(struct bsim_traceg *traceg, const struct instruction *instruction,
                       uint32_t lanes)
{
    struct bsim_event *event = &traceg->event;
    uint32_t first = lowest_lane(lanes);
    uint64_t n = 0;
    for (uint32_t rest = lanes >> first; rest != 0; rest >>= 1) {
        n++;
    }
    uint64_t from = instruction->address[first];
    uint64_t to = instruction->address[first + n - 1];
    uint64_t distance = to - from;
    if (event->opcode.space == BSIM_SHARED &&
        (!shared_offset(&traceg->head, from, &from) || !shared_offset(&traceg->head, to, &to))) {
        return false;
    }
    int64_t stride = instruction->stride;
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (to - from != distance || step > INT64_MAX / BSIM_WARP_LANES) {
        return false;
    }
    if (stride < 0 ? from > UINT64_MAX - step * first : from < step * first) {
        return false;
    }
    event->affine = true;
    event->base = from - (uint64_t)stride * first;
    event->stride = stride;
    struct bsim_window window = bsim_window_of(traceg->kernel, &event->opcode);
    bool fits = bsim_rules_affine(traceg->kernel, event, lanes, &window, NULL) == BSIM_OK;
    event->affine = fits;
    return fits;
}

static enum bsim_status push_event(struct bsim_traceg *traceg)
{
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &traceg->event};
    return bsim_traceg_push(traceg, &record);
}

/* The access of the lanes in `mask` in that space. */
static enum bsim_status push_access(struct bsim_traceg *traceg,
                                    const struct instruction *instruction, uint8_t space,
                                    uint32_t mask)
{
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->opcode.space = space;
    bool has_red = event->opcode.operation != BSIM_EXCH && event->opcode.operation != BSIM_CAS;
    if (event->opcode.family == BSIM_ATOM && instruction->is_unwanted && has_red) {
        event->opcode.family = BSIM_RED;
    }
    event->warp = traceg->warp;
    event->mask = mask;
    enum bsim_status status = bsim_rules_mask(&event->opcode, mask, traceg->err);
    if (status != BSIM_OK) {
        return bsim_traceg_place(traceg, instruction->opcode_at, status);
    }
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, mask);
    bool is_whole = instruction->is_affine && mask == instruction->mask;
    if (!is_whole || !set_affine(traceg, instruction, lanes)) {
        status = set_lanes(traceg, instruction, lanes);
    }
    if (status == BSIM_OK) {
        status = bsim_traceg_site(traceg, instruction->pc, instruction->opcode, instruction->line);
    }
    return status == BSIM_OK ? push_event(traceg) : status;
}

/* The lanes of a generic access that go to shared, to global and to local memory are requests of
 * their own; local ones are left out, and so are all where the header does not place the windows. */
static enum bsim_status push_generic(struct bsim_traceg *traceg,
                                     const struct instruction *instruction)
{
    const struct bsim_traceg_head *head = &traceg->head;
    uint32_t shared = 0;
    uint32_t global = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t bit = instruction->mask & UINT32_C(1) << lane;
        uint64_t address = instruction->address[lane];
        if (in_window(address, head->shared_base, head->local_base)) {
            shared |= bit;
        } else if (!in_window(address, head->local_base, head->shared_base)) {
            global |= bit;
        }
    }
    if (head->shared_base == 0 || head->local_base == 0) {
        shared = global = 0;
    }
    instruction->opcode->skipped += (shared | global) != instruction->mask;
    enum bsim_status status = BSIM_OK;
    if (shared != 0) {
        status = push_access(traceg, instruction, BSIM_SHARED, shared);
    }
    if (status == BSIM_OK && global != 0) {
        status = push_access(traceg, instruction, BSIM_GLOBAL, global);
    }
    return status;
}

/* A barrier 0 of all warps. The immediate is the last operand of the instruction: the barrier's
 * number, or the number of threads that it waits for. Anything but 0 is a barrier of some warps, or
 * another one, of which a stream knows nothing. */
static enum bsim_status push_barrier(struct bsim_traceg *traceg,
                                     const struct instruction *instruction)
{
    if (instruction->immediate != 0) {
        instruction->opcode->skipped++;
        return BSIM_OK;
    }
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->warp = traceg->warp;
    enum bsim_status status = bsim_barriers_add(&traceg->rules.barriers, traceg->warp, 1,
                                                &traceg->scan, instruction->opcode_at, traceg->err);
    return status == BSIM_OK ? push_event(traceg) : status;
}

static enum bsim_status push_exchange(struct bsim_traceg *traceg,
                                      const struct instruction *instruction)
{
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->warp = traceg->warp;
    event->mask = instruction->mask;
    return push_event(traceg);
}

/* What an instruction with active lanes does. */
static enum bsim_status push_instruction(struct bsim_traceg *traceg,
                                         const struct instruction *instruction)
{
    const struct bsim_sass *sass = &instruction->opcode->sass;
    if (sass->opcode.family == BSIM_BAR) {
        return push_barrier(traceg, instruction);
    }
    if (sass->opcode.family == BSIM_SHFL) {
        return push_exchange(traceg, instruction);
    }
    if (!instruction->has_addresses && sass->may_lack_address) {
        return BSIM_OK;
    }
    if (!instruction->has_addresses) {
        return bsim_scan_error(&traceg->scan, instruction->opcode_at, traceg->err,
                               "%s without addresses", instruction->opcode->text);
    }
    traceg->n_halves += sass->is_half;
    return sass->kind == BSIM_SASS_GENERIC
               ? push_generic(traceg, instruction)
               : push_access(traceg, instruction, sass->opcode.space, instruction->mask);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* The block and warp that old tracers write in front of each instruction. */
static enum bsim_status read_place(struct bsim_traceg *traceg)
{
    const uint64_t expected[] = {traceg->place.x, traceg->place.y, traceg->place.z, traceg->warp};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *start = skip_blanks(traceg->scan.at);
        uint64_t value;
        enum bsim_status status =
            read_number(traceg, "the thread block and the warp", UINT32_MAX, &value);
        if (status != BSIM_OK) {
            return status;
        }
        if (value != expected[i]) {
            return bsim_scan_error(&traceg->scan, start, traceg->err,
                                   "%" PRIu64 " is not the thread block and warp above", value);
        }
    }
    return BSIM_OK;
}

/* Up to the opcode. */
static enum bsim_status read_front(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t n = 0;
    uint64_t last = 0;
    enum bsim_status status = BSIM_OK;
    if (traceg->head.tracer_version < 3) {
        status = read_place(traceg);
    }
    if (status == BSIM_OK && traceg->head.has_lines) {
        status = read_number(traceg, "the source line", UINT32_MAX, &instruction->line);
    }
    if (status == BSIM_OK) {
        status = read_hex(traceg, "the PC, hexadecimal digits without 0x", &instruction->pc);
    }
    if (status == BSIM_OK) {
        status =
            read_hex(traceg, "the mask, eight hexadecimal digits without 0x", &instruction->mask);
    }
    if (status == BSIM_OK) {
        status = read_registers(traceg, "the number of destination registers", &n, &last);
    }
    instruction->is_unwanted = n == 1 && last == ZERO_REGISTER;
    return status == BSIM_OK ? read_opcode(traceg, instruction) : status;
}

/* Behind the opcode. */
static enum bsim_status read_back(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t n;
    uint64_t last;
    uint64_t width = 0;
    enum bsim_status status = read_registers(traceg, "the number of source registers", &n, &last);
    if (status == BSIM_OK) {
        status = read_number(traceg, "the memory width", UINT32_MAX, &width);
    }
    if (status == BSIM_OK && width > 0) {
        status = read_addresses(traceg, instruction);
    }
    if (status != BSIM_OK) {
        return status;
    }
    traceg->scan.at = skip_blanks(traceg->scan.at);
    if (traceg->scan.at != traceg->scan.end) {
        status = read_signed(traceg, "the immediate, the last word", &instruction->immediate);
    }
    const char *rest = skip_blanks(traceg->scan.at);
    if (status == BSIM_OK && rest != traceg->scan.end) {
        status = bsim_scan_error(&traceg->scan, rest, traceg->err, "nothing follows the immediate");
    }
    return status;
}

static enum bsim_status one_less(struct bsim_traceg *traceg)
{
    if (!traceg->has_count) {
        return bsim_scan_error(&traceg->scan, traceg->scan.at, traceg->err,
                               "an instruction before 'insts =': ungrouped output of the tracer "
                               "goes through its post-traces-processing first");
    }
    if (traceg->insts_left == 0) {
        return bsim_scan_error(&traceg->scan, traceg->scan.at, traceg->err,
                               "warp %" PRIu32 " has more than its %" PRIu64 " instructions",
                               traceg->warp, traceg->insts);
    }
    traceg->insts_left--;
    return BSIM_OK;
}

static void note_exit(struct bsim_traceg *traceg, const struct instruction *instruction)
{
    uint32_t bit = UINT32_C(1) << traceg->warp;
    if (instruction->opcode->sass.kind == BSIM_SASS_EXIT) {
        traceg->warps_exited |= bit;
    } else {
        traceg->warps_exited &= ~bit;
    }
}

enum bsim_status bsim_traceg_instruction(struct bsim_traceg *traceg)
{
    struct instruction instruction;
    instruction.opcode = NULL;
    instruction.line = 0;
    instruction.has_addresses = instruction.is_affine = false;
    instruction.immediate = 0;
    enum bsim_status status = one_less(traceg);
    if (status == BSIM_OK) {
        status = read_front(traceg, &instruction);
    }
    if (status != BSIM_OK || instruction.opcode == NULL) {
        return status;
    }
    const struct bsim_sass *sass = &instruction.opcode->sass;
    if (sass->kind == BSIM_SASS_UNKNOWN || sass->has_other_operands) {
        instruction.opcode->skipped++;
        note_exit(traceg, &instruction);
        return BSIM_OK;
    }
    status = read_back(traceg, &instruction);
    if (status != BSIM_OK || instruction.mask == 0) {
        return status;
    }
    note_exit(traceg, &instruction);
    instruction.opcode->skipped += sass->kind == BSIM_SASS_LEFT_OUT;
    bool has_event = sass->kind == BSIM_SASS_EVENT || sass->kind == BSIM_SASS_GENERIC;
    return has_event ? push_instruction(traceg, &instruction) : BSIM_OK;
}
