/* traceg_line.c - an instruction of an Accel-Sim trace: almost all lines, so the hot part.
 *
 *     [x y z warp] [line] PC mask ndst dst... opcode nsrc src... width [mode addresses] [imm]
 *
 * The four numbers in front stand in traces of tracers before version 3, the source line where the
 * header enables it. PC and mask are hexadecimal without 0x. width 0: no addresses; otherwise it is
 * not looked at, because the tracer takes it from the first number in the opcode, which is wrong
 * for LDSM.16.M88.4 and for S8: the opcode itself says it. Modes, for n active lanes:
 *
 *     0   n addresses                     0x400 0x404 0x408
 *     1   base and stride                 0x400 4            the active lanes are neighbours
 *     2   base and n-1 differences        0x400 4 4          each to the active lane before
 *
 * Addresses of shared memory are offsets in the block's window, or lie in the window's place in the
 * generic address space. From compute capability 9.0 on the window's first KiB is the system's
 * (nvcc 13.0 places a kernel's first array at 0x400 there, at 0 for sm_80), and bits 24 and up are
 * the block's rank in its cluster: both are taken off, so that the offsets count from the kernel's
 * own first byte. Neither changes a bank.
 */
#include "trace/accelsim/traceg.h"

#include "base/bits.h"

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

/* ---- words ----------------------------------------------------------------------------------- */

static bool ends_word(const struct bsim_traceg *traceg, const char *p)
{
    return p == traceg->scan.end || *p == ' ' || *p == '\t';
}

/* The error for the word at `where`, which is not `what` ("the mask, ..."). */
static void not_a(struct bsim_traceg *traceg, const char *where, const char *what)
{
    const char *end = where;
    while (!ends_word(traceg, end)) {
        end++;
    }
    struct bsim_word word = {where, (size_t)(end - where)};
    if (word.length == 0) {
        bsim_scan_error(&traceg->scan, where, "%s is missing", what);
    } else {
        bsim_scan_error(&traceg->scan, where, "'%.*s' is not %s", bsim_word_shown(&word), where,
                        what);
    }
}

/* Goes behind the word from start to p, if it is right: false for one that is not `what`. */
static bool take(struct bsim_traceg *traceg, const char *start, const char *p, bool is_right,
                 const char *what)
{
    bool is_word = is_right && ends_word(traceg, p);
    if (is_word) {
        traceg->scan.at = p;
    } else {
        not_a(traceg, start, what);
    }
    return is_word;
}

/* Reads a number up to `most` and the blanks before it; 0 after a failure. */
static uint64_t read_number(struct bsim_traceg *traceg, const char *what, uint64_t most)
{
    const char *start = bsim_scan_next(&traceg->scan);
    const char *p = start;
    uint64_t value = 0;
    bool is_right = bsim_scan_number(&p, &value) && value <= most;
    return take(traceg, start, p, is_right, what) ? value : 0;
}

/* The same with a sign; any 64 bits. */
static int64_t read_signed(struct bsim_traceg *traceg, const char *what)
{
    const char *start = bsim_scan_next(&traceg->scan);
    bool is_negative = *start == '-';
    const char *p = start + is_negative;
    uint64_t size = 0;
    bool is_right = bsim_scan_number(&p, &size) && size <= INT64_MAX;
    if (!take(traceg, start, p, is_right, what)) {
        return 0;
    }
    return is_negative ? -(int64_t)size : (int64_t)size;
}

/* One to eight hexadecimal digits without 0x. */
static uint32_t read_hex(struct bsim_traceg *traceg, const char *what)
{
    const char *start = bsim_scan_next(&traceg->scan);
    const char *p = start;
    uint32_t sum = 0;
    for (unsigned digit; (digit = bsim_scan_hex_value(*p)) < 16 && p - start < MASK_DIGITS; p++) {
        sum = sum << 4 | digit;
    }
    return take(traceg, start, p, p != start, what) ? sum : 0;
}

/* A count and as many registers, R0 to R255; *last is the last of them. */
static uint64_t read_registers(struct bsim_traceg *traceg, const char *what, uint64_t *last)
{
    uint64_t n = read_number(traceg, what, MAX_REGISTERS);
    for (uint64_t i = 0; i < n; i++) {
        const char *start = bsim_scan_next(&traceg->scan);
        const char *p = start + 1;
        bool is_right = *start == 'R' && bsim_scan_number(&p, last);
        if (!take(traceg, start, p, is_right, "a register, as in R12")) {
            break;
        }
    }
    return n;
}

/* NULL after a failure. */
static struct bsim_traceg_opcode *read_opcode(struct bsim_traceg *traceg, const char **at)
{
    struct bsim_scan *scan = &traceg->scan;
    const char *start = *at = bsim_scan_next(scan);
    const char *p = start;
    while (!ends_word(traceg, p)) {
        p++;
    }
    size_t length = (size_t)(p - start);
    if (length == 0 || *start < 'A' || *start > 'Z' || length >= BSIM_OPCODE_NAME_SIZE) {
        not_a(traceg, start, "an opcode, as in LDS.128");
        return NULL;
    }
    if (bsim_word_length(start) < length) {
        not_a(traceg, start, "an opcode of printable ASCII");
        return NULL;
    }
    scan->at = p;
    struct bsim_traceg_opcode *opcode =
        bsim_traceg_opcode(&traceg->opcodes, start, length, scan->number);
    if (opcode == NULL) {
        bsim_scan_no_memory(scan);
    }
    return opcode;
}

/* ---- addresses ------------------------------------------------------------------------------- */

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

static void read_list(struct bsim_traceg *traceg, struct instruction *instruction)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((instruction->mask >> lane & 1) && !take_address(traceg, &instruction->address[lane])) {
            instruction->address[lane] =
                read_number(traceg, "an address for each active lane", UINT64_MAX);
        }
    }
}

static void read_stride(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint32_t mask = instruction->mask;
    instruction->stride = read_signed(traceg, "the stride");
    if (mask == 0) {
        return;
    }
    uint32_t first = bsim_bits_lowest(mask);
    uint64_t run = (uint64_t)(mask >> first) + 1;
    if ((run & (run - 1)) != 0) {
        bsim_scan_error(&traceg->scan, instruction->addresses_at,
                        "base and stride need active lanes side by side, which mask %08" PRIx32
                        " has not",
                        mask);
    }
    instruction->is_affine = true;
    uint64_t address = instruction->base;
    for (uint32_t lane = first; lane < BSIM_WARP_LANES; lane++) {
        instruction->address[lane] = address;
        address += (uint64_t)instruction->stride;
    }
}

static void read_differences(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t address = instruction->base;
    bool is_first = true;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((instruction->mask >> lane & 1) == 0) {
            continue;
        }
        if (!is_first) {
            address +=
                (uint64_t)read_signed(traceg, "a difference for each active lane but the first");
        }
        is_first = false;
        instruction->address[lane] = address;
    }
}

static void read_addresses(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t mode = read_number(
        traceg, "a form of addresses: 0 (list), 1 (base, stride), 2 (base, differences)", 2);
    instruction->has_addresses = true;
    instruction->addresses_at = bsim_skip_blanks(traceg->scan.at);
    if (mode == 0) {
        read_list(traceg, instruction);
        return;
    }
    instruction->base = read_number(traceg, "the first address", UINT64_MAX);
    if (mode == 1) {
        read_stride(traceg, instruction);
    } else {
        read_differences(traceg, instruction);
    }
}

/* ---- from addresses to events ---------------------------------------------------------------- */

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

/* Sets the event's address in `lanes`, one by one, and checks each. */
static void set_lanes(struct bsim_traceg *traceg, const struct instruction *instruction,
                      uint32_t lanes)
{
    struct bsim_scan *scan = &traceg->scan;
    struct bsim_event *event = &traceg->event;
    struct bsim_window window = bsim_window_of(traceg->kernel, &event->opcode);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        uint64_t address = instruction->address[lane];
        if (event->opcode.space == BSIM_SHARED &&
            !shared_offset(&traceg->head, address, &address)) {
            bsim_scan_error(scan, instruction->addresses_at,
                            "lane %" PRIu32 ": 0x%" PRIx64
                            " is not an address of the block's shared memory",
                            lane, instruction->address[lane]);
        } else if (!bsim_window_allows(&window, address)) {
            bsim_scan_check(scan, instruction->addresses_at,
                            bsim_window_refuse(traceg->kernel, &event->opcode, lane, address,
                                               bsim_scan_err(scan)));
        }
        event->address[lane] = address;
    }
}

/* Base and stride of the event, if its addresses can be written so: what they are in the window
 * lies on one line too, and lane 0's address would not be negative. */
static bool set_affine(struct bsim_traceg *traceg, const struct instruction *instruction,
                       uint32_t lanes)
{
    struct bsim_event *event = &traceg->event;
    uint32_t first = bsim_bits_lowest(lanes);
    uint64_t from = instruction->address[first];
    uint64_t to = instruction->address[bsim_bits_highest(lanes)];
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

static void push_event(struct bsim_traceg *traceg)
{
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &traceg->event};
    bsim_traceg_push(traceg, &record);
}

/* The access of the lanes in `mask` in that space. */
static void push_access(struct bsim_traceg *traceg, const struct instruction *instruction,
                        uint8_t space, uint32_t mask)
{
    struct bsim_scan *scan = &traceg->scan;
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->opcode.space = space;
    bool has_red = event->opcode.operation != BSIM_EXCH && event->opcode.operation != BSIM_CAS;
    if (event->opcode.family == BSIM_ATOM && instruction->is_unwanted && has_red) {
        event->opcode.family = BSIM_RED;
    }
    event->warp = traceg->warp;
    event->mask = mask;
    bsim_scan_check(scan, instruction->opcode_at,
                    bsim_rules_mask(&event->opcode, mask, bsim_scan_err(scan)));
    if (scan->status != BSIM_OK) {
        return;
    }
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, mask);
    bool is_whole = instruction->is_affine && mask == instruction->mask;
    if (!is_whole || !set_affine(traceg, instruction, lanes)) {
        set_lanes(traceg, instruction, lanes);
    }
    if (scan->status == BSIM_OK) {
        bsim_traceg_site(traceg, instruction->pc, instruction->opcode, instruction->line);
    }
    push_event(traceg);
}

/* The access of the lanes in `mask` to local memory. Its instructions have offsets in the thread's
 * window, generic ones addresses behind the window's base. What is neither is left out. */
static void push_local(struct bsim_traceg *traceg, const struct instruction *instruction,
                       uint32_t mask)
{
    const struct bsim_traceg_head *head = &traceg->head;
    struct instruction mine = *instruction;
    uint32_t generic = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t bit = mask & UINT32_C(1) << lane;
        if (bit != 0 && in_window(mine.address[lane], head->local_base, head->shared_base)) {
            mine.address[lane] -= head->local_base;
            generic |= bit;
        }
        if (bit != 0 && mine.address[lane] > UINT32_MAX) {
            instruction->opcode->skipped++;
            return;
        }
    }
    mine.is_affine = mine.is_affine && (generic == 0 || generic == mine.mask);
    push_access(traceg, &mine, BSIM_LOCAL, mask);
}

/* The lanes of a generic access that go to shared, to global and to local memory are requests of
 * their own; all are left out where the header does not place the windows. */
static void push_generic(struct bsim_traceg *traceg, const struct instruction *instruction)
{
    const struct bsim_traceg_head *head = &traceg->head;
    uint32_t shared = 0;
    uint32_t global = 0;
    uint32_t local = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t bit = instruction->mask & UINT32_C(1) << lane;
        uint64_t address = instruction->address[lane];
        if (in_window(address, head->shared_base, head->local_base)) {
            shared |= bit;
        } else if (in_window(address, head->local_base, head->shared_base)) {
            local |= bit;
        } else {
            global |= bit;
        }
    }
    if (head->shared_base == 0 || head->local_base == 0) {
        instruction->opcode->skipped++;
        return;
    }
    if (shared != 0) {
        push_access(traceg, instruction, BSIM_SHARED, shared);
    }
    if (global != 0) {
        push_access(traceg, instruction, BSIM_GLOBAL, global);
    }
    if (local != 0) {
        push_local(traceg, instruction, local);
    }
}

/* A barrier 0 of all warps. The immediate is the last operand of the instruction: the barrier's
 * number, or the number of threads that it waits for. Anything but 0 is a barrier of some warps, or
 * another one, of which a stream knows nothing. */
static void push_barrier(struct bsim_traceg *traceg, const struct instruction *instruction)
{
    struct bsim_scan *scan = &traceg->scan;
    if (instruction->immediate != 0) {
        instruction->opcode->skipped++;
        return;
    }
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->warp = traceg->warp;
    bsim_scan_check(scan, instruction->opcode_at,
                    bsim_rules_barrier(&traceg->rules, traceg->warp, scan, instruction->opcode_at,
                                       bsim_scan_err(scan)));
    push_event(traceg);
}

static void push_exchange(struct bsim_traceg *traceg, const struct instruction *instruction)
{
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &instruction->opcode->sass.opcode);
    event->warp = traceg->warp;
    event->mask = instruction->mask;
    push_event(traceg);
}

/* What an instruction with active lanes does. */
static void push_instruction(struct bsim_traceg *traceg, const struct instruction *instruction)
{
    const struct bsim_sass *sass = &instruction->opcode->sass;
    if (sass->opcode.family == BSIM_BAR) {
        push_barrier(traceg, instruction);
    } else if (sass->opcode.family == BSIM_SHFL) {
        push_exchange(traceg, instruction);
    } else if (instruction->has_addresses) {
        traceg->n_halves += sass->is_half;
        if (sass->kind == BSIM_SASS_GENERIC) {
            push_generic(traceg, instruction);
        } else if (sass->opcode.space == BSIM_LOCAL) {
            push_local(traceg, instruction, instruction->mask);
        } else {
            push_access(traceg, instruction, sass->opcode.space, instruction->mask);
        }
    } else if (!sass->may_lack_address) {
        bsim_scan_error(&traceg->scan, instruction->opcode_at, "%s without addresses",
                        instruction->opcode->text);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The block and warp that old tracers write in front of each instruction. */
static void read_place(struct bsim_traceg *traceg)
{
    const uint64_t expected[] = {traceg->place.x, traceg->place.y, traceg->place.z, traceg->warp};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *start = bsim_scan_next(&traceg->scan);
        uint64_t value = read_number(traceg, "the thread block and the warp", UINT32_MAX);
        if (value != expected[i]) {
            bsim_scan_error(&traceg->scan, start,
                            "%" PRIu64 " is not the thread block and warp above", value);
        }
    }
}

/* Up to the opcode, which is NULL after a failure. */
static void read_front(struct bsim_traceg *traceg, struct instruction *instruction)
{
    uint64_t last = 0;
    if (traceg->head.tracer_version < 3) {
        read_place(traceg);
    }
    instruction->line =
        traceg->head.has_lines ? read_number(traceg, "the source line", UINT32_MAX) : 0;
    instruction->pc = read_hex(traceg, "the PC, hexadecimal digits without 0x");
    instruction->mask = read_hex(traceg, "the mask, eight hexadecimal digits without 0x");
    uint64_t n = read_registers(traceg, "the number of destination registers", &last);
    instruction->is_unwanted = n == 1 && last == ZERO_REGISTER;
    instruction->opcode = read_opcode(traceg, &instruction->opcode_at);
}

/* Behind the opcode. */
static void read_back(struct bsim_traceg *traceg, struct instruction *instruction)
{
    struct bsim_scan *scan = &traceg->scan;
    uint64_t last;
    (void)read_registers(traceg, "the number of source registers", &last);
    instruction->has_addresses = instruction->is_affine = false;
    if (read_number(traceg, "the memory width", UINT32_MAX) > 0) {
        read_addresses(traceg, instruction);
    }
    (void)bsim_scan_next(scan);
    instruction->immediate =
        scan->at != scan->end ? read_signed(traceg, "the immediate, the last word") : 0;
    const char *rest = bsim_scan_next(scan);
    if (rest != scan->end) {
        bsim_scan_error(scan, rest, "nothing follows the immediate");
    }
}

static void one_less(struct bsim_traceg *traceg)
{
    struct bsim_scan *scan = &traceg->scan;
    if (!traceg->has_count) {
        bsim_scan_error(scan, scan->at,
                        "an instruction before 'insts =': ungrouped output of the tracer "
                        "goes through its post-traces-processing first");
    } else if (traceg->insts_left == 0) {
        bsim_scan_error(scan, scan->at,
                        "warp %" PRIu32 " has more than its %" PRIu64 " instructions", traceg->warp,
                        traceg->insts);
    }
    traceg->insts_left--;
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

void bsim_traceg_instruction(struct bsim_traceg *traceg)
{
    struct instruction instruction;
    one_less(traceg);
    read_front(traceg, &instruction);
    if (instruction.opcode == NULL) {
        return;
    }
    const struct bsim_sass *sass = &instruction.opcode->sass;
    if (sass->kind == BSIM_SASS_UNKNOWN || sass->has_other_operands) {
        instruction.opcode->skipped++;
        note_exit(traceg, &instruction);
        return;
    }
    read_back(traceg, &instruction);
    if (traceg->scan.status != BSIM_OK || instruction.mask == 0) {
        return;
    }
    note_exit(traceg, &instruction);
    instruction.opcode->skipped += sass->kind == BSIM_SASS_LEFT_OUT;
    if (sass->kind == BSIM_SASS_EVENT || sass->kind == BSIM_SASS_GENERIC) {
        push_instruction(traceg, &instruction);
    }
}
