/* access_body.h - loads, stores and (access_atomic.h) atomics: what they do to memory, and the event of each. What
 * access.c and access_avx2.c compile, each for its processor, with BSIM_PTX_ACCESSES as its name.
 *
 * All lanes' addresses are looked at before any lane reads or writes: an access that is out of
 * bounds, misaligned or in memory that was freed ends the launch with its place.
 *
 *     ld.shared.v2.f32 {%f1, %f2}, [%r4+8]    address of lane l: %r4[l] + 8; 8 bytes, aligned to 8
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "ptx/memory.h"
#include "ptx/push.h"
#include "ptx/view.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES };

/* What is done with memory; UPDATES: read and written. */
enum use { LOADS, STORES, UPDATES };

/* An access under way. Of lanes on a line the arrays are not filled: lane l's address is
 * base + l * stride. */
struct lanes {
    bool is_line;
    bool is_straight; /* memory is on the line, too; else memory[] is filled */
    uint64_t base;    /* as the trace has it */
    int64_t stride;
    unsigned char *first;         /* what lane 0's address leads to, though it may be off */
    uint64_t address[LANES];      /* as the trace has it */
    unsigned char *memory[LANES]; /* of the lanes that are on */
    enum bsim_space space;        /* of all lanes, unless is_mixed: then each has its own */
    bool is_mixed;                /* which lanes on a line are not */
    enum bsim_space each[LANES];
    const struct bsim_ptx_piece *piece; /* of global memory that all lanes lead to; NULL: nobody has looked */
};

static inline enum bsim_space space_of(const struct lanes *lanes, uint32_t l)
{
    return lanes->is_mixed ? lanes->each[l] : lanes->space;
}

static inline unsigned char *memory_of(const struct lanes *lanes, uint32_t l)
{
    return lanes->is_straight ? lanes->first + (int64_t)l * lanes->stride : lanes->memory[l];
}

/* Where the lane's access leads; NULL after a fault. */
static unsigned char *find_memory(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint32_t lane, uint64_t *address, enum bsim_space *space)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    uint64_t given = *address;
    unsigned char *p =
        bsim_ptx_locate(warp, step, lane, access->space, bytes, bytes, address, space);
    if (p != NULL && *space == BSIM_PEER) {
        *address = given & UINT32_MAX; /* with the block's number, as BSIM_PEER_BIT has it */
        *space = access->reaches_peers ? BSIM_PEER : BSIM_NO_SPACE;
    }
    return p;
}

/* Whether the lanes access one stretch of memory, lane behind lane. */
static bool is_dense(const struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                     const struct lanes *lanes)
{
    return lanes->is_line && lanes->stride == (int64_t)access->bytes * access->count &&
           warp->mask == BSIM_FULL_MASK;
}

static void fill_addresses(struct lanes *lanes)
{
    for (uint32_t l = 0; l < LANES && lanes->is_line; l++) {
        lanes->address[l] = lanes->base + l * (uint64_t)lanes->stride;
    }
}

static void look_for_findings(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                              struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    if (!is_dense(warp, access, lanes) ||
        !bsim_ptx_find_nothing(warp, step, lanes->base, LANES * bytes)) {
        fill_addresses(lanes);
        bsim_ptx_find_unwritten(warp, step, lanes->address);
    }
}

static void push(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, struct lanes *lanes)
{
    if (lanes->is_line && step->access->merged == 0) {
        bsim_ptx_push_line(warp, step, lanes->space, lanes->base, lanes->stride);
    } else {
        fill_addresses(lanes);
        bsim_ptx_push_event(warp, step, lanes->space, lanes->address);
    }
}

static void tell_one(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                     struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    if (lanes->space == BSIM_SHARED && bsim_ptx_looks_for_unwritten(warp->block)) {
        look_for_findings(warp, step, lanes);
    }
    if (!access->is_silent && lanes->space != BSIM_NO_SPACE) {
        push(warp, step, lanes);
    }
    if (warp->work != NULL && lanes->space != BSIM_NO_SPACE) {
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
        struct lanes own = {.space = lanes->each[bsim_bits_lowest(left)]};
        warp->mask = 0;
        for (uint32_t l = 0; l < LANES; l++) {
            if ((left >> l & 1) != 0 && lanes->each[l] == own.space) {
                warp->mask |= UINT32_C(1) << l;
                own.address[l] = lanes->address[l];
            }
        }
        tell_one(warp, step, &own);
        left &= ~warp->mask;
    }
    warp->mask = all;
}

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, struct lanes *lanes)
{
    if (lanes->is_mixed) {
        tell_each(warp, step, lanes);
    } else {
        tell_one(warp, step, lanes);
    }
}

/* ---- lanes on a line ------------------------------------------------------------------------- */

static bool find_full_line32(const union bsim_w32 *from, uint32_t offset, struct lanes *lanes)
{
    uint32_t first = from[0].u + offset, last = from[LANES - 1].u + offset;
    uint32_t stride = from[1].u - from[0].u, other = 0;
    for (uint32_t l = 0; l < LANES - 1; l++) {
        other |= (from[l + 1].u - from[l].u) ^ stride;
    }
    lanes->base = first;
    lanes->stride = (int32_t)stride;
    /* so it does in 64 bits, where no address wraps round */
    return other == 0 && (int64_t)first + (LANES - 1) * lanes->stride == last;
}

static bool find_full_line64(const union bsim_w64 *from, uint64_t offset, struct lanes *lanes)
{
    uint64_t stride = from[1].u - from[0].u, other = 0;
    for (uint32_t l = 0; l < LANES - 1; l++) {
        other |= (from[l + 1].u - from[l].u) ^ stride;
    }
    lanes->base = from[0].u + offset;
    lanes->stride = (int64_t)stride;
    return other == 0;
}

/* A lane's address; a register of 32 bits wraps round with its offset. */
static inline uint64_t address_of(const struct bsim_ptx_warp *warp,
                                  const struct bsim_ptx_step *step, uint32_t l)
{
    const struct bsim_ptx_access *access = step->access;
    uint64_t address = bsim_ptx_take(warp, step->a, access->is_64, l) + access->offset;
    return access->is_64 ? address : (uint32_t)address;
}

/* As bsim_event_find_line has it. */
static bool find_part_line(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           struct lanes *lanes)
{
    uint32_t first = bsim_bits_lowest(warp->mask), others = warp->mask & (warp->mask - 1);
    uint64_t start = address_of(warp, step, first);
    lanes->stride = 0;
    if (others != 0) {
        uint32_t second = bsim_bits_lowest(others);
        int64_t rise = (int64_t)(address_of(warp, step, second) - start);
        lanes->stride = rise / (int64_t)(second - first);
    }
    lanes->base = start - first * (uint64_t)lanes->stride;
    for (uint32_t left = others; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        uint64_t there = lanes->base + l * (uint64_t)lanes->stride;
        if (address_of(warp, step, l) != there) {
            return false;
        }
    }
    return true;
}

/* Sets the lanes' base and stride if they have any. */
static bool find_line(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      struct lanes *lanes)
{
    enum { MOST = 1 << 30 }; /* far from where 64 bits wrap round */
    const struct bsim_ptx_access *access = step->access;
    bool is_line =
        warp->mask != BSIM_FULL_MASK ? find_part_line(warp, step, lanes)
        : access->is_64
            ? find_full_line64(bsim_ptx_at64(warp, step->a), access->offset, lanes)
            : find_full_line32(bsim_ptx_at32(warp, step->a), (uint32_t)access->offset, lanes);
    return is_line && lanes->stride <= MOST && lanes->stride >= -MOST && (int64_t)lanes->base >= 0;
}

/* ---- lanes anywhere -------------------------------------------------------------------------- */

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
        lanes->address[l] = (uint32_t)(narrow[l].u + access->offset);
    }
    for (uint32_t l = 0; l < LANES && warp->mask != BSIM_FULL_MASK; l++) {
        lanes->address[l] = warp->mask >> l & 1 ? lanes->address[l] : 0;
    }
}

/* Memory that an access leads to: `size` bytes from `start` on, which the trace calls
 * start - window. */
struct stretch {
    uint64_t start, size, window;
    unsigned char *data;
    enum bsim_space space;
    const struct bsim_ptx_piece *piece; /* of global memory, or NULL */
};

static struct stretch shared_stretch(const struct bsim_ptx_warp *warp, uint64_t window)
{
    const struct bsim_ptx_block *block = warp->block;
    return (struct stretch){window, block->shared_bytes, window, block->shared, BSIM_SHARED, NULL};
}

/* What the first lane's address leads to, if that is not memory of each lane's own. */
static bool find_stretch(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         uint64_t first, struct stretch *stretch)
{
    enum bsim_ptx_space space = step->access->space;
    bool is_generic = space == BSIM_PTX_NO_SPACE;
    bool is_windowed = is_generic && first >= BSIM_PTX_PARAM_WINDOW;
    bool is_constant = space == BSIM_PTX_CONST;
    if (space == BSIM_PTX_SHARED) {
        *stretch = shared_stretch(warp, 0);
        return true;
    }
    if (is_windowed && first - BSIM_PTX_SHARED_WINDOW <= UINT32_MAX) {
        *stretch = shared_stretch(warp, BSIM_PTX_SHARED_WINDOW);
        return true;
    }
    if (space == BSIM_PTX_PARAM) {
        const struct bsim_ptx_block *block = warp->block;
        *stretch = (struct stretch){.size = block->program->kernel->parameter_bytes,
                                    .data = (unsigned char *)block->parameters,
                                    .space = BSIM_NO_SPACE};
        return true;
    }
    if (is_windowed || (!is_generic && !is_constant && space != BSIM_PTX_GLOBAL)) {
        return false;
    }
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, first);
    if (piece == NULL || piece->is_freed) {
        return false;
    }
    *stretch = (struct stretch){piece->start, piece->size, 0, piece->data,
                                is_constant ? BSIM_CONST : BSIM_GLOBAL, piece};
    return true;
}

/* The usual case: the lanes' addresses are on a line and in order, in shared memory or in one piece
 * of other memory. False: it is another one, or a fault. */
static bool find_on_line(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    uint64_t bytes = (uint64_t)access->bytes * access->count;
    struct stretch stretch;
    if (!find_line(warp, step, lanes)) {
        return false;
    }
    uint64_t first = lanes->base + bsim_bits_lowest(warp->mask) * (uint64_t)lanes->stride;
    uint64_t last = lanes->base + bsim_bits_highest(warp->mask) * (uint64_t)lanes->stride;
    if (!find_stretch(warp, step, first, &stretch) || stretch.size < bytes ||
        ((first | (uint64_t)lanes->stride) & (bytes - 1)) != 0 ||
        first - stretch.start > stretch.size - bytes ||
        last - stretch.start > stretch.size - bytes) {
        return false;
    }
    lanes->first = stretch.data + (int64_t)(lanes->base - stretch.start);
    lanes->base -= stretch.window;
    lanes->space = stretch.space;
    lanes->piece = stretch.piece;
    return (int64_t)lanes->base >= 0;
}

/* The next usual one: all addresses are in order, in shared memory or in one piece of other memory.
 * False: it is another one, or a fault. */
static bool find_at_once(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    uint64_t bytes = (uint64_t)access->bytes * access->count, any = 0, beyond = 0;
    struct stretch stretch;
    if (!find_stretch(warp, step, lanes->address[bsim_bits_lowest(warp->mask)], &stretch) ||
        stretch.size < bytes) {
        return false;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        uint64_t is_on = warp->mask >> l & 1;
        uint64_t offset = (lanes->address[l] - stretch.start) & (0 - is_on);
        any |= lanes->address[l];
        beyond |= offset | (stretch.size - bytes - offset); /* its highest bit, if one is below 0 */
    }
    if ((any & (bytes - 1)) != 0 || beyond >> 63 != 0) {
        return false;
    }
    lanes->space = stretch.space;
    lanes->piece = stretch.piece;
    for (uint32_t l = 0; l < LANES; l++) { /* of lanes that are off it leads nowhere */
        bool is_on = warp->mask >> l & 1;
        lanes->memory[l] = is_on ? stretch.data + (lanes->address[l] - stretch.start) : NULL;
        lanes->address[l] = is_on ? lanes->address[l] - stretch.window : 0;
    }
    return true;
}

static bool find_all(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                     struct lanes *lanes)
{
    uint32_t first = bsim_bits_lowest(warp->mask);
    lanes->is_mixed = false;
    lanes->piece = NULL;
    lanes->is_line = lanes->is_straight = find_on_line(warp, step, lanes);
    if (lanes->is_line) {
        return true;
    }
    find_addresses(warp, step, lanes);
    if (find_at_once(warp, step, lanes)) {
        return true;
    }
    for (uint32_t l = 0; l < LANES; l++) {
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

/* ---- ahead of one's turn --------------------------------------------------------------------- */

static unsigned char *see_bytes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                enum use use, uint64_t address, uint32_t bytes)
{
    struct bsim_ptx_view *view = warp->block->view;
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, address);
    uint64_t offset = address - piece->start;
    unsigned char *p = NULL;
    if (use != STORES) {
        p = bsim_ptx_view_read(view, piece, offset, bytes);
    }
    if (use == STORES || (use == UPDATES && p != NULL)) {
        p = bsim_ptx_view_write(view, piece, offset, bytes);
    }
    return p;
}

/* Lanes that have found global memory see it as the block's view has it. False: the block ends. */
static bool see_lanes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, enum use use,
                      struct lanes *lanes)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    if (!lanes->is_mixed && lanes->space != BSIM_GLOBAL) {
        return true;
    }
    if (is_dense(warp, access, lanes) && use != UPDATES) {
        lanes->first = see_bytes(warp, step, use, lanes->base, LANES * bytes);
        if (lanes->first != NULL) {
            return true;
        }
    }
    fill_addresses(lanes);
    lanes->is_straight = false;
    for (uint32_t l = 0; l < LANES; l++) {
        if ((warp->mask >> l & 1) && space_of(lanes, l) == BSIM_GLOBAL) {
            lanes->memory[l] = see_bytes(warp, step, use, lanes->address[l], bytes);
            if (lanes->memory[l] == NULL) {
                (void)bsim_ptx_gives_up(warp->block);
                return false;
            }
        }
    }
    return true;
}

/* Finds all lanes' memory; false if the block has ended, as after a fault. */
static bool find_lanes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, enum use use,
                       struct lanes *lanes)
{
    return find_all(warp, step, lanes) &&
           (warp->block->view == NULL || see_lanes(warp, step, use, lanes));
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* Lanes that are on a line no longer stand as one. */
static void unfold(const struct bsim_ptx_warp *warp, struct lanes *lanes)
{
    for (uint32_t l = 0; l < LANES && lanes->is_line; l++) {
        lanes->memory[l] = memory_of(lanes, l);
        lanes->address[l] = warp->mask >> l & 1 ? lanes->base + l * (uint64_t)lanes->stride : 0;
    }
    lanes->is_line = lanes->is_straight = false;
}

/* Tells an access that is two events, so many bytes apart. */
static void tell_halves(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        struct lanes *lanes, int64_t bytes)
{
    unfold(warp, lanes);
    tell(warp, step, lanes);
    for (uint32_t l = 0; l < LANES; l++) {
        lanes->address[l] += warp->mask >> l & 1 ? (uint64_t)bytes : 0;
    }
    tell(warp, step, lanes);
}

static void tell_access(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        struct lanes *lanes)
{
    if (step->access->bytes * step->access->count > 16) {
        tell_halves(warp, step, lanes, 16);
    } else if (step->access->again != 0) {
        tell_halves(warp, step, lanes, step->access->again);
    } else {
        tell(warp, step, lanes);
    }
}

/* ---- what nobody wrote ----------------------------------------------------------------------- */

/* Whether it may matter to know what of these was written: nobody asks of most memory. */
static inline bool has_notes(const struct bsim_ptx_warp *warp, const struct lanes *lanes)
{
    return lanes->is_mixed || (lanes->space == BSIM_LOCAL && warp->local_written != NULL) ||
           (lanes->space == BSIM_GLOBAL && (lanes->piece == NULL || lanes->piece->written != NULL));
}

/* A load may be of what nobody wrote; a store has written, or will when its turn comes (view.h). */
static void look_at_notes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          struct lanes *lanes, bool stores)
{
    const struct bsim_ptx_access *access = step->access;
    const struct bsim_ptx_piece *piece = lanes->piece;
    if (stores && piece != NULL && is_dense(warp, access, lanes) && warp->block->view == NULL) {
        uint32_t bytes = access->bytes * access->count;
        bsim_ptx_piece_wrote(piece, lanes->base - piece->start, LANES * bytes);
        return;
    }
    fill_addresses(lanes);
    bsim_ptx_find_by_chance(warp, step, lanes->address, lanes->is_mixed ? lanes->each : NULL,
                            lanes->space, stores);
}

/* ---- loads and stores ------------------------------------------------------------------------ */

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
static inline void move_on_line(const struct lanes *lanes, unsigned char *file, uint32_t offset,
                                uint32_t bytes, bool is_store)
{
    unsigned char *p = lanes->first + offset;
    int64_t stride = lanes->stride;
    if (stride == (int64_t)bytes) {
        memcpy(is_store ? p : file, is_store ? file : p, (size_t)LANES * bytes);
        return;
    }
    if (stride == 0 && !is_store) { /* a copy of its own: whatever is written to `file`, this stays */
        unsigned char value[8];
        memcpy(value, p, bytes);
        for (uint32_t l = 0; l < LANES; l++) {
            memcpy(file + l * bytes, value, bytes);
        }
        return;
    }
    for (uint32_t l = 0; l < LANES; l++, p += stride, file += bytes) {
        memcpy(is_store ? p : file, is_store ? file : p, bytes);
    }
}

static inline void move_whole(struct bsim_ptx_warp *warp, const struct lanes *lanes, uint32_t place,
                              uint32_t offset, uint32_t bytes, bool is_store)
{
    unsigned char *file = (unsigned char *)(warp->file + place);
    uint32_t mask = warp->mask;
    if (mask == BSIM_FULL_MASK && lanes->is_straight) {
        move_on_line(lanes, file, offset, bytes, is_store);
        return;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        unsigned char *p = memory_of(lanes, l) + offset, *r = file + l * bytes;
        memcpy(is_store ? p : r, is_store ? r : p, bytes);
    }
}

/* Numbers of 16 bytes. */
static void move_wide(struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                      const struct lanes *lanes, uint32_t i, bool is_store)
{
    for (uint32_t l = 0; l < LANES; l++) {
        unsigned char *r = (unsigned char *)(warp->file + access->value[i] + 4 * l);
        if (warp->mask >> l & 1) {
            unsigned char *p = memory_of(lanes, l) + 16 * i;
            memcpy(is_store ? p : r, is_store ? r : p, 16);
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
    } else if (access->bytes == 16) {
        move_wide(warp, access, lanes, i, is_store);
    }
    return access->bytes >= 4;
}

/* Registers are wider than what is loaded, or narrower than what is stored; `bytes` is known where this
 * is called. */
static inline void move_part(struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                             const struct lanes *lanes, uint32_t i, uint32_t bytes, bool is_store)
{
    uint32_t place = access->value[i], bits = access->register_bits[i];
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        unsigned char *p = memory_of(lanes, l) + i * bytes;
        if (is_store) {
            uint64_t value = bsim_ptx_take(warp, place, bits == 64, l);
            memcpy(p, &value, bytes);
        } else {
            bsim_ptx_put(warp, place, bits, l, load(p, bytes, access->is_signed));
        }
    }
}

static inline void move_element(struct bsim_ptx_warp *warp, const struct bsim_ptx_access *access,
                                const struct lanes *lanes, uint32_t i, bool is_store)
{
    if (access->value[i] == BSIM_PTX_NOWHERE || move_quickly(warp, access, lanes, i, is_store)) {
        return;
    }
    switch (access->bytes) {
    case 1:
        move_part(warp, access, lanes, i, 1, is_store);
        break;
    case 2:
        move_part(warp, access, lanes, i, 2, is_store);
        break;
    case 4:
        move_part(warp, access, lanes, i, 4, is_store);
        break;
    default:
        move_part(warp, access, lanes, i, 8, is_store);
        break;
    }
}

static void run_load(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct lanes lanes;
    if (!find_lanes(warp, step, LOADS, &lanes)) {
        return;
    }
    if (step->access->decides && has_notes(warp, &lanes)) {
        look_at_notes(warp, step, &lanes, false);
    }
    tell_access(warp, step, &lanes);
    for (uint32_t i = 0; i < step->access->count; i++) {
        move_element(warp, step->access, &lanes, i, false);
    }
}

/* Lanes that store to the same place name all of it, as an access is aligned to its size: so whichever
 * lane is last is last in each element. */
static void run_store(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    struct lanes lanes;
    if (!find_lanes(warp, step, STORES, &lanes)) {
        return;
    }
    if (has_notes(warp, &lanes)) {
        look_at_notes(warp, step, &lanes, true);
    }
    tell_access(warp, step, &lanes);
    for (uint32_t i = 0; i < access->count; i++) {
        move_element(warp, access, &lanes, i, true);
    }
    warp->block->n_changes += access->space != BSIM_PTX_LOCAL;
}

#include "ptx/access_atomic.h"

const struct bsim_ptx_accesses BSIM_PTX_ACCESSES = {run_load, run_store, run_atomic};
