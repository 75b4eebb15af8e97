/* access.c - loads, stores and atomics: what they do to memory, and the event of each.
 *
 * All lanes' addresses are looked at before any lane reads or writes: an access that is out of
 * bounds, misaligned or in memory that was freed ends the launch with its place.
 *
 *     ld.shared.v2.f32 {%f1, %f2}, [%r4+8]    address of lane l: %r4[l] + 8; 8 bytes, aligned to 8
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "ptx/half.h"
#include "ptx/memory.h"
#include "ptx/push.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

enum { LANES = BSIM_WARP_LANES };

/* An access under way. */
struct lanes {
    uint64_t address[LANES];      /* as the trace has it */
    unsigned char *memory[LANES]; /* of the lanes that are on */
    enum bsim_space space;        /* of all lanes, unless is_mixed: then each has its own */
    bool is_mixed;
    enum bsim_space each[LANES];
};

static enum bsim_space space_of(const struct lanes *lanes, uint32_t l)
{
    return lanes->is_mixed ? lanes->each[l] : lanes->space;
}

/* ---- what an address leads to ---------------------------------------------------------------- */

/* A generic address says by its window which space it means. */
static enum bsim_ptx_space find_space(uint64_t *address)
{
    static const struct {
        uint64_t window;
        enum bsim_ptx_space space;
    } windows[] = {{BSIM_PTX_SHARED_WINDOW, BSIM_PTX_SHARED},
                   {BSIM_PTX_LOCAL_WINDOW, BSIM_PTX_LOCAL},
                   {BSIM_PTX_PARAM_WINDOW, BSIM_PTX_PARAM}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (*address - windows[i].window <= UINT32_MAX) {
            *address -= windows[i].window;
            return windows[i].space;
        }
    }
    return BSIM_PTX_GLOBAL;
}

static unsigned char *within(unsigned char *start, uint64_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && size - offset >= bytes ? start + offset : NULL;
}

static unsigned char *find_global(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint32_t lane, uint64_t address, uint64_t bytes)
{
    const struct bsim_ptx_piece *piece = bsim_ptx_memory_at(warp->block->memory, address);
    if (piece == NULL) {
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in no array", address);
        return NULL;
    }
    const char *name = piece->name != NULL ? piece->name : "an allocation";
    if (piece->is_freed) {
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in %s, which was freed", address,
                       name);
        return NULL;
    }
    unsigned char *p = within(piece->data, piece->size, address - piece->start, bytes);
    if (p == NULL) {
        bsim_ptx_fault(warp, step, lane,
                       "%" PRIu64 " bytes at byte %" PRIu64 " of %s, which has %" PRIu64, bytes,
                       address - piece->start, name, piece->size);
    }
    return p;
}

unsigned char *bsim_ptx_locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                               uint32_t lane, enum bsim_ptx_space where, uint64_t bytes,
                               uint32_t alignment, uint64_t *address, enum bsim_space *space)
{
    const struct bsim_ptx_block *block = warp->block;
    uint32_t local_bytes = block->program->local_bytes;
    where = where == BSIM_PTX_NO_SPACE ? find_space(address) : where;
    if (*address % alignment != 0) {
        bsim_ptx_fault(warp, step, lane,
                       "address 0x%" PRIx64 " is no multiple of the %" PRIu32 " bytes accessed",
                       *address, alignment);
        return NULL;
    }
    unsigned char *p = NULL;
    switch (where) {
    case BSIM_PTX_SHARED:
        *space = BSIM_SHARED;
        p = within(block->shared, block->shared_bytes, *address, bytes);
        break;
    case BSIM_PTX_LOCAL:
        *space = BSIM_LOCAL;
        p = within(warp->local + (size_t)lane * local_bytes, local_bytes, *address, bytes);
        break;
    case BSIM_PTX_PARAM:
        *space = BSIM_NO_SPACE;
        p = within((unsigned char *)block->parameters, block->program->kernel->parameter_bytes,
                   *address, bytes);
        break;
    default:
        *space = where == BSIM_PTX_CONST ? BSIM_CONST : BSIM_GLOBAL;
        return find_global(warp, step, lane, *address, bytes);
    }
    if (p == NULL) {
        bsim_ptx_fault(warp, step, lane,
                       "%" PRIu64 " bytes at byte %" PRIu64 " of %s memory, which has %" PRIu32,
                       bytes, *address,
                       where == BSIM_PTX_SHARED  ? "the block's shared"
                       : where == BSIM_PTX_LOCAL ? "the thread's local"
                                                 : "the parameters'",
                       where == BSIM_PTX_SHARED  ? block->shared_bytes
                       : where == BSIM_PTX_LOCAL ? local_bytes
                                                 : block->program->kernel->parameter_bytes);
    }
    return p;
}

/* Where the lane's access leads; NULL after a fault. */
static unsigned char *find_memory(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint32_t lane, uint64_t *address, enum bsim_space *space)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    return bsim_ptx_locate(warp, step, lane, access->space, bytes, bytes, address, space);
}

static void tell_one(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                     enum bsim_space space, const uint64_t *address)
{
    const struct bsim_ptx_access *access = step->access;
    if (space == BSIM_SHARED && warp->block->findings != NULL) {
        bsim_ptx_find_unwritten(warp, step, address);
    }
    if (!access->is_silent && space != BSIM_NO_SPACE) {
        bsim_ptx_push_event(warp, step, space, address);
    }
    if (warp->work != NULL && space != BSIM_NO_SPACE) {
        bsim_ptx_work_loaded(warp, step);
    }
}

/* Where the generic addresses of a warp lead to several spaces, each of them sees the lanes that are
 * its own, one request after the other in the order of the lowest such lanes. */
static void tell_each(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      const struct lanes *lanes)
{
    uint32_t all = warp->mask, left = all;
    while (left != 0) {
        enum bsim_space space = lanes->each[bsim_bits_lowest(left)];
        uint64_t address[LANES] = {0};
        warp->mask = 0;
        for (uint32_t l = 0; l < LANES; l++) {
            if ((left >> l & 1) != 0 && lanes->each[l] == space) {
                warp->mask |= UINT32_C(1) << l;
                address[l] = lanes->address[l];
            }
        }
        tell_one(warp, step, space, address);
        left &= ~warp->mask;
    }
    warp->mask = all;
}

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                 const struct lanes *lanes)
{
    if (lanes->is_mixed) {
        tell_each(warp, step, lanes);
    } else {
        tell_one(warp, step, lanes->space, lanes->address);
    }
}

/* ---- loads and stores ------------------------------------------------------------------------ */

/* All lanes' addresses, 0 where a lane is off. */
static void find_addresses(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    const union bsim_w64 *wide = bsim_ptx_at64(warp, step->a);
    const union bsim_w32 *narrow = bsim_ptx_at32(warp, step->a);
    for (uint32_t l = 0; l < LANES && access->is_64; l++) {
        lanes->address[l] = wide[l].u + access->offset;
    }
    for (uint32_t l = 0; l < LANES && !access->is_64; l++) {
        lanes->address[l] = narrow[l].u + access->offset;
    }
    for (uint32_t l = 0; l < LANES && warp->mask != BSIM_FULL_MASK; l++) {
        lanes->address[l] = warp->mask >> l & 1 ? lanes->address[l] : 0;
    }
}

/* Memory that an access leads to: `size` bytes from `start` on. */
struct stretch {
    uint64_t start, size;
    unsigned char *data;
    enum bsim_space space;
};

/* What the first lane's address leads to, if that is shared or global memory. */
static bool find_stretch(const struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                         uint64_t first, struct stretch *stretch)
{
    if (access->space == BSIM_PTX_SHARED) {
        *stretch = (struct stretch){
            .size = warp->block->shared_bytes, .data = warp->block->shared, .space = BSIM_SHARED};
        return true;
    }
    bool is_global = access->space == BSIM_PTX_GLOBAL ||
                     (access->space == BSIM_PTX_NO_SPACE && first < BSIM_PTX_PARAM_WINDOW);
    const struct bsim_ptx_piece *piece =
        is_global ? bsim_ptx_memory_at(warp->block->memory, first) : NULL;
    if (piece == NULL || piece->is_freed) {
        return false;
    }
    *stretch = (struct stretch){piece->start, piece->size, piece->data, BSIM_GLOBAL};
    return true;
}

static bool is_within(const struct bsim_ptx_warp *warp, const struct lanes *lanes,
                      const struct stretch *stretch, uint64_t bytes)
{
    for (uint32_t l = 0; l < LANES; l++) {
        bool is_on = warp->mask >> l & 1;
        if (is_on && lanes->address[l] - stretch->start > stretch->size - bytes) {
            return false;
        }
    }
    return true;
}

/* The usual case: all addresses are in order, in shared memory or in one piece of global memory.
 * False: it is another one, or a fault. */
static bool find_at_once(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    uint64_t bytes = (uint64_t)access->bytes * access->count, any = 0, offsets = 0;
    struct stretch stretch;
    bool is_full = warp->mask == BSIM_FULL_MASK;
    if (!find_stretch(warp, access, lanes->address[bsim_bits_lowest(warp->mask)], &stretch) ||
        stretch.size < bytes) {
        return false;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        any |= lanes->address[l];
        offsets |= lanes->address[l] - stretch.start;
    }
    /* all bits of all offsets are an upper bound of each; if it is too high, one by one */
    bool is_bounded = is_full && offsets <= stretch.size - bytes;
    if (any % bytes != 0 || (!is_bounded && !is_within(warp, lanes, &stretch, bytes))) {
        return false;
    }
    lanes->space = stretch.space;
    for (uint32_t l = 0; l < LANES && is_full; l++) {
        lanes->memory[l] = stretch.data + (lanes->address[l] - stretch.start);
    }
    for (uint32_t l = 0; l < LANES && !is_full; l++) { /* of lanes that are off it leads nowhere */
        bool is_on = warp->mask >> l & 1;
        lanes->memory[l] = is_on ? stretch.data + (lanes->address[l] - stretch.start) : NULL;
    }
    return true;
}

/* Finds all lanes' memory; false after a fault. */
static bool find_lanes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                       struct lanes *lanes)
{
    uint32_t first = bsim_bits_lowest(warp->mask);
    lanes->is_mixed = false;
    find_addresses(warp, step, lanes);
    if (find_at_once(warp, step, lanes)) {
        return true;
    }
    for (uint32_t l = first; l < LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        lanes->memory[l] = find_memory(warp, step, l, &lanes->address[l], &lanes->each[l]);
        if (lanes->memory[l] == NULL) {
            return false;
        }
        lanes->is_mixed = lanes->is_mixed || lanes->each[l] != lanes->each[first];
    }
    lanes->space = lanes->each[first];
    return true;
}

static uint64_t load(const unsigned char *p, uint32_t bytes, bool is_signed)
{
    uint64_t value = 0;
    memcpy(&value, p, bytes);
    if (is_signed && bytes < 8 && value >> (8 * bytes - 1)) {
        value |= UINT64_MAX << 8 * bytes;
    }
    return value;
}

/* Element i of each lane between memory and a register of the same size, 4 or 8 bytes; `bytes` is
 * known where this is called, so that a copy is one instruction. */
static inline void move_whole(struct bsim_ptx_warp *warp, const struct lanes *lanes, uint32_t place,
                              uint32_t offset, uint32_t bytes, bool is_store)
{
    unsigned char *file = (unsigned char *)(warp->file + place);
    uint32_t mask = warp->mask;
    for (uint32_t l = 0; l < LANES; l++) {
        if (mask == BSIM_FULL_MASK || mask >> l & 1) {
            unsigned char *p = lanes->memory[l] + offset, *r = file + l * bytes;
            memcpy(is_store ? p : r, is_store ? r : p, bytes);
        }
    }
}

static bool move_quickly(struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                         const struct lanes *lanes, uint32_t i, bool is_store)
{
    if (access->register_bits[i] != 8 * access->bytes) {
        return false;
    }
    if (access->bytes == 4) {
        move_whole(warp, lanes, access->value[i], 4 * i, 4, is_store);
    } else if (access->bytes == 8) {
        move_whole(warp, lanes, access->value[i], 8 * i, 8, is_store);
    }
    return access->bytes >= 4;
}

static void load_element(struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                         const struct lanes *lanes, uint32_t i)
{
    if (access->value[i] == BSIM_PTX_NOWHERE || move_quickly(warp, access, lanes, i, false)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint64_t value =
                load(lanes->memory[l] + i * access->bytes, access->bytes, access->is_signed);
            bsim_ptx_put(warp, access->value[i], access->register_bits[i], l, value);
        }
    }
}

void bsim_ptx_run_load(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct lanes lanes;
    if (!find_lanes(warp, step, &lanes)) {
        return;
    }
    tell(warp, step, &lanes);
    for (uint32_t i = 0; i < step->access->count; i++) {
        load_element(warp, step->access, &lanes, i);
    }
}

static void store_lane(const struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                       const struct lanes *lanes, uint32_t l)
{
    for (uint32_t i = 0; i < access->count; i++) {
        uint64_t value = bsim_ptx_take(warp, access->value[i], access->register_bits[i] == 64, l);
        memcpy(lanes->memory[l] + i * access->bytes, &value, access->bytes);
    }
}

void bsim_ptx_run_store(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    struct lanes lanes;
    if (!find_lanes(warp, step, &lanes)) {
        return;
    }
    tell(warp, step, &lanes);
    if (access->count == 1 && move_quickly(warp, access, &lanes, 0, true)) {
        return;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            store_lane(warp, access, &lanes, l);
        }
    }
}

/* ---- atomics --------------------------------------------------------------------------------- */

/* An f16 or bf16, of a pair in half `shift`. */
static uint32_t add_halves(uint32_t a, uint32_t b, uint32_t shift, bool is_bfloat)
{
    uint16_t x = (uint16_t)(a >> shift), y = (uint16_t)(b >> shift);
    float sum = is_bfloat ? bsim_float_from_bfloat(x) + bsim_float_from_bfloat(y)
                          : bsim_float_from_half(x) + bsim_float_from_half(y);
    uint32_t bits = is_bfloat ? bsim_bfloat_from_float(sum) : bsim_half_from_float(sum);
    return (bits & 0xffff) << shift;
}

static float flush(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* In global memory f32 is flushed, as PTX has it. */
static uint64_t add_floats(const struct bsim_ptx_access *access, enum bsim_space space, uint64_t a,
                           uint64_t b)
{
    union bsim_w64 x = {.u = a}, y = {.u = b};
    uint32_t low_a = (uint32_t)a, low_b = (uint32_t)b;
    if (access->opcode.type != 'f') {
        bool is_bfloat = access->opcode.type == 'n';
        return add_halves(low_a, low_b, 0, is_bfloat) | add_halves(low_a, low_b, 16, is_bfloat);
    }
    if (access->bytes == 4) {
        float sum = space == BSIM_GLOBAL
                        ? flush(flush(bsim_bits_float(low_a)) + flush(bsim_bits_float(low_b)))
                        : bsim_bits_float(low_a) + bsim_bits_float(low_b);
        return isnan(sum) ? 0x7fffffff : bsim_float_bits(sum);
    }
    x.f += y.f;
    return x.u;
}

/* Whether a is below b, as numbers of the access's type; both are extended to 64 bits by it. */
static bool is_below(const struct bsim_ptx_access *access, uint64_t a, uint64_t b)
{
    uint64_t flip = access->is_signed ? UINT64_C(1) << (8 * access->bytes - 1) : 0;
    return (a ^ flip) < (b ^ flip);
}

/* What is in memory afterwards. */
static uint64_t update(const struct bsim_ptx_access *access, enum bsim_space space, uint64_t old,
                       uint64_t b, uint64_t c)
{
    switch (access->operation) {
    case BSIM_ADD:
        return access->is_float ? add_floats(access, space, old, b) : old + b;
    case BSIM_MIN:
        return is_below(access, b, old) ? b : old;
    case BSIM_MAX:
        return is_below(access, old, b) ? b : old;
    case BSIM_INC:
        return old >= b ? 0 : old + 1;
    case BSIM_DEC:
        return old == 0 || old > b ? b : old - 1;
    case BSIM_AND:
        return old & b;
    case BSIM_OR:
        return old | b;
    case BSIM_XOR:
        return old ^ b;
    case BSIM_EXCH:
        return b;
    default:
        return old == b ? c : old; /* cas */
    }
}

/* Lane after lane: the order is not defined, but it is the same in each run. */
void bsim_ptx_run_atomic(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    struct lanes lanes;
    if (!find_lanes(warp, step, &lanes)) {
        return;
    }
    tell(warp, step, &lanes);
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        uint64_t old = load(lanes.memory[l], access->bytes, false);
        uint64_t b = bsim_ptx_take(warp, step->b, access->bytes == 8, l);
        uint64_t c = bsim_ptx_take(warp, step->c, access->bytes == 8, l);
        uint64_t new = update(access, space_of(&lanes, l), old, b, c);
        memcpy(lanes.memory[l], &new, access->bytes);
        if (access->result != BSIM_PTX_NOWHERE) {
            bsim_ptx_put(warp, access->result, 8 * access->bytes, l, old);
        }
    }
}
