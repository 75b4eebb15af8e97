/* merge.c - which neighbouring accesses of shared memory ptxas makes one of.
 *
 *     ld.shared.f32 %f1, [%r4];         of one address but for constants, 0, 4, 8, 12; %r4 is a
 *     ld.shared.f32 %f2, [%r4+8];       multiple of 16: ld.shared.v4.f32 [%r4], told by the first
 *     ld.shared.f32 %f3, [%r4+4];       of them in the code (of stores by the last); the others are
 *     ld.shared.f32 %f4, [%r4+12];      silent
 *
 * Elements are of 2, 4 or 8 bytes, alone or in vectors; up to four of them, or 16 bytes, become one
 * access, where its address is proved to be a multiple of its size (address.c). Volatile and
 * guarded accesses are left alone.
 *
 *   - Loads: also with one of four missing, which is read for nothing; pairs are whole. Who comes to
 *     the later ones has been at the first (paths.c): behind branches and where ways meet, too, but
 *     not behind its loop. On no way between them is a store, a barrier, an atomic, a fence or a
 *     call, be it of another array; a division is a call. What is loaded twice is loaded once.
 *   - Of a vector that nobody reads all elements of, those of 4 and 8 bytes that somebody does are loaded
 *     and merged as if each stood alone: of {x, _, _, w} two loads of 32 bits are left. What nvcc
 *     marks as such (.pragma "used_bytes_mask") stays whole with three of four, and a pair of it is
 *     merged with another pair alone.
 *   - Loads of 2 bytes stay alone if their instruction's zeros, or copies of the sign, are of use
 *     (extend.c); those with zeros are merged with such alone.
 *   - Stores: whole groups only, in one block, and while no access of shared memory leads elsewhere
 *     than into the group: As[0], Bs[0], As[1], Bs[1] stay four.
 *
 * Graded measured: each of these by what nvcc 13's ptxas makes of 1,003 kernels written for it
 * (tests/measured/h200/ptx/merges.txt), and all against the machine code of 1,465 kernels of public
 * programs (README.md). What it misses are loops that ptxas unrolls, to merge what is then
 * adjacent.
 */
#include "ptx/steps.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- what may be merged ---------------------------------------------------------------------- */

enum { MAX_BYTES = 16, MAX_ELEMENTS = 4 };

/* An access, or elements of one, that may become part of another. */
struct part {
    struct bsim_ptx_step *step;
    struct bsim_ptx_address address;
    uint32_t each, n; /* bytes of an element, elements */
    uint32_t element; /* the first of these, in the access */
    bool is_apart;    /* not all elements of the access are */
    bool is_marked;   /* as such in the code: a pair of them stays one */
    bool is_merged;
    uint32_t bytes;    /* of the event that is told of it; 0: it is told by another */
    int64_t start;     /* of that */
    uint32_t n_merged; /* accesses that it stands for; 0: itself alone */
    bool same_type;
    bool is_signed;  /* 2 bytes that are loaded with copies of their sign */
    uint32_t at;     /* instruction */
    uint32_t order;  /* of its block, from the start of the function */
    uint32_t root;   /* version of the address's root */
    uint32_t memory; /* version of shared memory; of stores, the run that they are of */
};

struct merging {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_step *step;
    struct bsim_ptx_addresses addresses;
    struct bsim_ptx_paths paths;
    uint8_t *wants;    /* of each register: what is above its lower 16 bits (extend.c) */
    bool *is_read;     /* of each register */
    uint8_t *n_events; /* of each instruction that is loaded in parts: those that it tells so far */
    bool *changes;     /* of each instruction: it parts loads before it from those behind */
    uint32_t *version; /* of shared memory before each instruction */
    uint32_t *moving;  /* of each access: its address's root, if several instructions set it */
    uint32_t *root;    /* of each access: the version of that */
    struct part *part;
    uint32_t n;
    bool is_store;
};

static bool is_shared_access(const struct bsim_ptx_step *step)
{
    return step->access != NULL && !step->access->is_silent &&
           step->access->space == BSIM_PTX_SHARED &&
           (step->access->opcode.family == BSIM_LD || step->access->opcode.family == BSIM_ST);
}

static const struct bsim_ptx_operand *value_of(const struct bsim_ptx_step *step)
{
    return &step->from->operand[step->access->opcode.family == BSIM_ST ? 1 : 0];
}

static const struct bsim_ptx_operand *base_of(const struct bsim_ptx_step *step)
{
    return &step->from->operand[step->access->opcode.family == BSIM_ST ? 0 : 1].member[0];
}

static bool is_signed(const struct bsim_ptx_step *step)
{
    return step->from->type[step->from->n_types - 1] == BSIM_PTX_S16;
}

/* Whether a load of 2 bytes does more than fill half a register. */
static bool extends(const struct merging *merging, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_operand *value = value_of(step);
    uint32_t by = is_signed(step) ? BSIM_PTX_SIGNS : BSIM_PTX_ZEROS;
    return value->kind == BSIM_PTX_REGISTER ? (merging->wants[value->number] & by) != 0
                                            : step->access->register_bits[0] != 16;
}

static bool may_merge(const struct merging *merging, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    return is_shared_access(step) && (access->opcode.family == BSIM_ST) == merging->is_store &&
           !step->has_guard && !access->opcode.is_volatile && access->bytes >= 2 &&
           access->bytes * access->count < MAX_BYTES &&
           (access->bytes > 2 || merging->is_store || !extends(merging, step));
}

/* The elements of a vector that is loaded which somebody reads, a bit each; 0: of what is not loaded in
 * parts, or all. Its address is a multiple of its size, as far as the constant says. */
static uint32_t elements_read(const struct merging *merging, uint32_t i)
{
    const struct bsim_ptx_step *step = &merging->step[i];
    const struct bsim_ptx_access *access = step->access;
    const struct bsim_ptx_operand *value = is_shared_access(step) ? value_of(step) : NULL;
    uint32_t mask = 0;
    if (value == NULL || access->opcode.family != BSIM_LD || access->count == 1 ||
        access->bytes < 4 || access->opcode.is_volatile ||
        access->bytes * access->count > MAX_BYTES ||
        access->offset % (access->bytes * access->count) != 0) {
        return 0;
    }
    for (uint32_t k = 0; k < access->count; k++) {
        const struct bsim_ptx_operand *member = &value->member[k];
        bool is_read = member->kind == BSIM_PTX_REGISTER && merging->is_read[member->number];
        mask |= (uint32_t)is_read << k;
    }
    bool is_whole = mask == (UINT32_C(1) << access->count) - 1 ||
                    (step->from->is_marked && bsim_bits_population(mask) == 3);
    return is_whole ? 0 : mask;
}

static struct part part_of(const struct merging *merging, uint32_t i)
{
    struct bsim_ptx_step *step = &merging->step[i];
    const struct bsim_ptx_access *access = step->access;
    uint32_t block = merging->paths.blocks.of[i];
    struct part part = {.step = step, .each = access->bytes, .n = access->count, .at = i};
    part.address = bsim_ptx_address_of(&merging->addresses, base_of(step), access->offset);
    part.bytes = access->bytes * access->count;
    part.start = part.address.offset;
    part.is_signed = part.each == 2 && !merging->is_store && is_signed(step);
    part.order = merging->paths.order[block];
    if (part.each == 2 && part.n > 1) { /* a vector of halves is merged as what is as wide */
        part.each = 4;
        part.n /= 2;
    }
    part.root = merging->root[i];
    return part;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The most that parts with elements like this one's become. */
static uint32_t most_bytes(const struct part *part)
{
    return part->each * MAX_ELEMENTS < MAX_BYTES ? part->each * MAX_ELEMENTS : MAX_BYTES;
}

static int64_t start_of(const struct part *part, uint32_t bytes)
{
    return part->address.offset & -(int64_t)bytes;
}

/* Whether addresses that the constant makes a multiple of so many bytes are one. */
static bool is_aligned(const struct part *part, uint32_t bytes)
{
    return part->address.root == BSIM_PTX_NOWHERE || part->address.zeros >= bsim_bits_lowest(bytes);
}

static int order_of(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* 0: parts of one group, if they are of one group. */
static int compare_groups(const struct part *a, const struct part *b)
{
    int order = order_of(a->address.root, b->address.root);
    order = order != 0 ? order : order_of(a->root, b->root);
    order = order != 0 ? order : order_of(a->memory, b->memory);
    order = order != 0 ? order : order_of(a->each, b->each);
    order = order != 0 ? order : a->is_signed - b->is_signed;
    return order != 0 ? order : order_of(start_of(a, most_bytes(a)), start_of(b, most_bytes(b)));
}

/* Groups one behind the other, in each those first that come before others. */
static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = compare_groups(x, y);
    order = order != 0 ? order : order_of(x->order, y->order);
    order = order != 0 ? order : order_of(x->at, y->at);
    return order != 0 ? order : order_of(x->element, y->element);
}

/* The elements that the part has of so many bytes; 0: none, or it is merged already. */
static uint32_t mask_in(const struct part *part, int64_t start, uint32_t bytes)
{
    int64_t within = part->address.offset - start;
    bool is_in = !part->is_merged && within >= 0 && within + part->each * (int64_t)part->n <= bytes;
    return is_in ? ((UINT32_C(1) << part->n) - 1) << within / part->each : 0;
}

/* Whether what is loaded there can be had here. */
static bool comes_before(const struct merging *merging, const struct part *a, const struct part *b)
{
    return bsim_ptx_precedes(&merging->paths, a->at, b->at) &&
           !bsim_ptx_leaves_loop(&merging->paths, a->at, b->at);
}

/* Whether the part is one of those that `first` becomes so many bytes with. Elements of one access are what is
 * aligned as it is. */
static bool goes_with(const struct merging *merging, const struct part *part,
                      const struct part *first, uint32_t bytes)
{
    return mask_in(part, start_of(first, bytes), bytes) != 0 &&
           (part->step == first->step ||
            (is_aligned(first, bytes) && comes_before(merging, first, part)));
}

/* Those of the parts that have a place in it, and that `first` comes before, become one access. */
static void merge(const struct merging *merging, struct part *first, struct part *end,
                  uint32_t bytes)
{
    int64_t start = start_of(first, bytes);
    struct part *leader = first;
    const struct bsim_ptx_step *last = NULL;
    bool same_type = true;
    uint32_t n = 0;
    for (struct part *part = first; part < end; part++) {
        if (goes_with(merging, part, first, bytes)) {
            same_type =
                same_type && part->step->access->opcode.type == first->step->access->opcode.type;
            leader = merging->is_store ? part : leader;
            n += part->step != last;
            last = part->step;
        }
    }
    for (struct part *part = first; part < end; part++) {
        if (goes_with(merging, part, first, bytes)) {
            part->is_merged = true;
            part->bytes = 0;
        }
    }
    leader->bytes = bytes;
    leader->start = start;
    leader->n_merged = n;
    leader->same_type = same_type;
}

/* Merges the part with those behind it to so many bytes, if there is enough of them. */
static void try_merge(const struct merging *merging, struct part *first, struct part *end,
                      uint32_t bytes)
{
    uint32_t n = bytes / first->each, mask = 0, n_parts = 0;
    bool has_twice = false, has_marked = false;
    for (const struct part *part = first; part < end && !first->is_merged; part++) {
        if (goes_with(merging, part, first, bytes)) {
            uint32_t more = mask_in(part, start_of(first, bytes), bytes);
            has_twice = has_twice || (mask & more) != 0;
            has_marked = has_marked || (part->is_marked && part->n > 1);
            mask |= more;
            n_parts++;
        }
    }
    uint32_t wanted = n == MAX_ELEMENTS && !merging->is_store && !has_marked ? n - 1 : n;
    if (n_parts > 1 && bsim_bits_population(mask) >= wanted && (!merging->is_store || !has_twice)) {
        merge(merging, first, end, bytes);
    }
}

/* Of stores: whether one of an element comes behind a first that is a vector. */
static bool begins_with_vector(const struct part *first, const struct part *end)
{
    bool has_single = false;
    for (const struct part *part = first; part < end; part++) {
        has_single = has_single || part->n == 1;
    }
    return first->n > 1 && has_single;
}

static void merge_group(const struct merging *merging, struct part *first, struct part *end)
{
    uint32_t least = merging->is_store ? 2 * first->each : first->each;
    if (merging->is_store && begins_with_vector(first, end)) {
        return;
    }
    for (uint32_t bytes = most_bytes(first); bytes >= least; bytes /= 2) {
        for (struct part *part = first; part < end; part++) {
            try_merge(merging, part, end, bytes);
        }
    }
}

/* What the access tells is the part's, or another part's. */
static void apply(struct merging *merging, const struct part *part)
{
    struct bsim_ptx_access *access = part->step->access;
    uint8_t *n_events = &merging->n_events[part->at];
    int64_t own = part->address.offset - (int64_t)part->element * part->each;
    if (part->bytes == 0) {
        access->is_silent = *n_events == 0;
        return;
    }
    ++*n_events;
    access->is_silent = false;
    if (*n_events > 1) { /* of two that differ the first is told, and a doubt */
        access->again = part->bytes == access->opcode.bytes ? part->start - own - access->first : 0;
        access->may_merge = access->may_merge || access->again == 0;
    } else if (part->n_merged > 0 || part->is_apart) {
        access->first = part->start - own;
        access->merged = part->n_merged > 0 ? part->n_merged : 1;
        access->opcode.count = (uint8_t)(part->bytes / part->each);
        access->opcode.bytes = (uint8_t)part->bytes;
        access->opcode.type = part->n_merged == 0 || part->same_type ? access->opcode.type : 'b';
    }
}

static void merge_all(struct merging *merging)
{
    qsort(merging->part, merging->n, sizeof *merging->part, compare_parts);
    for (uint32_t i = 0, end; i < merging->n; i = end) {
        end = i + 1;
        while (end < merging->n && compare_groups(&merging->part[i], &merging->part[end]) == 0) {
            end++;
        }
        if (end - i > 1) {
            merge_group(merging, &merging->part[i], &merging->part[end]);
        }
    }
    for (uint32_t i = 0; i < merging->n; i++) {
        apply(merging, &merging->part[i]);
    }
    merging->n = 0;
}

/* ---- what parts accesses --------------------------------------------------------------------- */

static bool is_any(const struct bsim_ptx_instruction *from, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bsim_ptx_is_a(from, names[i])) {
            return true;
        }
    }
    return false;
}

/* Whether ptxas makes a call of the instruction, or a branch around one. */
static bool is_called(const struct bsim_ptx_instruction *from)
{
    static const char *const whole[] = {"div", "rem"};
    static const char *const rounded[] = {"div", "rcp", "sqrt"};
    uint32_t type = from->n_types > 0 ? from->type[from->n_types - 1] : BSIM_PTX_NO_TYPE;
    bool is_float = type == BSIM_PTX_F32 || type == BSIM_PTX_F64;
    bool is_near = bsim_ptx_has(from, BSIM_PTX_APPROX) || bsim_ptx_has(from, BSIM_PTX_FULL);
    return is_float ? is_any(from, rounded, 3) && !is_near
                    : is_any(from, whole, 2) && bsim_ptx_type_bits(type) == 64;
}

bool bsim_ptx_parts_loads(const struct bsim_ptx_step *step)
{
    static const char *const others[] = {"bar",       "barrier", "membar",   "fence",
                                         "nanosleep", "call",    "mbarrier", "cp",
                                         "wgmma"};
    const struct bsim_ptx_access *access = step->access;
    bool is_memory = access != NULL &&
                     (access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_NO_SPACE) &&
                     access->opcode.family != BSIM_SHFL && access->opcode.family != BSIM_LD &&
                     access->opcode.family != BSIM_LDMATRIX;
    return is_memory || is_called(step->from) ||
           is_any(step->from, others, sizeof others / sizeof *others);
}

bool bsim_ptx_parts_stores(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    bool is_load = access != NULL && access->opcode.family == BSIM_LD &&
                   (access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_NO_SPACE);
    bool is_store =
        access != NULL && access->opcode.family == BSIM_ST && access->space == BSIM_PTX_SHARED;
    return is_load || (bsim_ptx_parts_loads(step) && !is_store) ||
           bsim_ptx_is_a(step->from, "div") || bsim_ptx_is_a(step->from, "rem");
}

/* ---- loads, stores --------------------------------------------------------------------------- */

/* The root of the access's address, if several instructions set it; else BSIM_PTX_NOWHERE. */
static uint32_t moving_root(const struct merging *merging, uint32_t i)
{
    const struct bsim_ptx_step *step = &merging->step[i];
    if (!is_shared_access(step)) {
        return BSIM_PTX_NOWHERE;
    }
    uint32_t root = bsim_ptx_address_of(&merging->addresses, base_of(step), step->access->offset).root;
    return root == BSIM_PTX_NOWHERE || bsim_ptx_is_settled(&merging->addresses, root) ? BSIM_PTX_NOWHERE : root;
}

/* Of each access the version of its address's root, where that is set more than once: it is the same behind branches
 * on whose ways nobody sets it. */
static void find_roots(struct merging *merging)
{
    uint32_t n = merging->function->n_instructions;
    for (uint32_t i = 0; i < n; i++) {
        merging->moving[i] = moving_root(merging, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = merging->moving[i];
        if (root == BSIM_PTX_NOWHERE || merging->root[i] != 0) {
            continue;
        }
        for (uint32_t k = 0; k < n; k++) {
            const struct bsim_ptx_instruction *from = &merging->function->code[k];
            merging->changes[k] = bsim_ptx_defines(from) && bsim_ptx_sets(&from->operand[0], root);
        }
        bsim_ptx_find_versions(&merging->paths, merging->changes, merging->version);
        for (uint32_t k = i; k < n; k++) {
            merging->root[k] = merging->moving[k] == root ? merging->version[k] : merging->root[k];
        }
    }
}

/* Takes the elements that are read of the instruction's vector, each as a part, or a pair that stays one.
 * What has a guard is merged with nothing else. */
static void take_elements(struct merging *merging, uint32_t i, uint32_t mask)
{
    const struct bsim_ptx_step *step = &merging->step[i];
    const struct part whole = part_of(merging, i);
    bool is_marked = step->from->is_marked;
    bool is_pair = is_marked && (mask == 0x3 || mask == 0xc);
    for (uint32_t k = 0; k < whole.n; k += is_pair ? 2 : 1) {
        if ((mask >> k & 1) == 0) {
            continue;
        }
        struct part *part = &merging->part[merging->n++];
        *part = whole;
        part->address.offset += (int64_t)k * whole.each;
        part->n = is_pair ? 2 : 1;
        part->bytes = part->n * whole.each;
        part->start = part->address.offset;
        part->element = k;
        part->is_apart = true;
        part->is_marked = is_marked;
        part->memory = merging->version[i];
        part->root = step->has_guard ? BSIM_PTX_NOWHERE - i : part->root;
    }
}

/* Takes the instruction's access, if it may be merged: its part, or NULL. */
static struct part *take(struct merging *merging, uint32_t i)
{
    struct part *part = NULL;
    uint32_t mask = merging->is_store ? 0 : elements_read(merging, i);
    if (mask != 0) {
        take_elements(merging, i, mask);
    } else if (may_merge(merging, &merging->step[i])) {
        part = &merging->part[merging->n++];
        *part = part_of(merging, i);
        part->memory = merging->version[i];
    }
    return part;
}

static void merge_loads(struct merging *merging)
{
    uint32_t n = merging->function->n_instructions;
    for (uint32_t i = 0; i < n; i++) {
        merging->changes[i] = bsim_ptx_parts_loads(&merging->step[i]);
    }
    bsim_ptx_find_versions(&merging->paths, merging->changes, merging->version);
    for (uint32_t i = 0; i < n; i++) {
        take(merging, i);
    }
    merge_all(merging);
}

/* Stores are merged while none goes elsewhere, and within a block: a run has a number. */
static void merge_stores(struct merging *merging)
{
    struct part last = {.step = NULL};
    uint32_t run = 0;
    merging->is_store = true;
    for (uint32_t i = 0; i < merging->function->n_instructions; i++) {
        const struct bsim_ptx_step *step = &merging->step[i];
        bool is_first = merging->paths.blocks.block[merging->paths.blocks.of[i]].first == i;
        run += is_first || bsim_ptx_parts_stores(step);
        struct part *part = take(merging, i);
        if (part != NULL) {
            part->memory = run;
            run += last.step == NULL || compare_groups(&last, part) != 0;
            part->memory = run;
            last = *part;
        } else {
            run += is_shared_access(step);
        }
    }
    merge_all(merging);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void note_read(struct merging *merging, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        merging->is_read[operand->number] = true;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        note_read(merging, &operand->member[k]);
    }
}

static void find_read(struct merging *merging)
{
    const struct bsim_ptx_function *function = merging->function;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        for (uint32_t k = bsim_ptx_defines(from) ? 1 : 0; k < from->n_operands; k++) {
            note_read(merging, &from->operand[k]);
        }
        if (from->has_guard) {
            merging->is_read[from->guard] = true;
        }
    }
}

/* Room for the function; false when memory is short. */
static bool start(struct merging *merging)
{
    size_t n = (size_t)merging->function->n_instructions + 1;
    size_t n_registers = (size_t)merging->function->n_registers + 1;
    merging->wants = bsim_mem_zeroed(n_registers, sizeof *merging->wants);
    merging->is_read = bsim_mem_zeroed(n_registers, sizeof *merging->is_read);
    merging->n_events = bsim_mem_zeroed(n, sizeof *merging->n_events);
    merging->moving = bsim_mem_zeroed(n, sizeof *merging->moving);
    merging->root = bsim_mem_zeroed(n, sizeof *merging->root);
    merging->changes = bsim_mem_zeroed(n, sizeof *merging->changes);
    merging->version = bsim_mem_zeroed(n, sizeof *merging->version);
    merging->part = bsim_mem_zeroed(MAX_ELEMENTS * n, sizeof *merging->part);
    bool has_addresses = bsim_ptx_addresses_new(merging->function, &merging->addresses);
    bool has_paths = bsim_ptx_paths_new(merging->function, &merging->paths);
    return has_addresses && has_paths && merging->wants != NULL && merging->is_read != NULL &&
           merging->n_events != NULL && merging->moving != NULL && merging->root != NULL &&
           merging->changes != NULL && merging->version != NULL && merging->part != NULL;
}

static void finish(struct merging *merging)
{
    bsim_ptx_addresses_free(&merging->addresses);
    bsim_ptx_paths_free(&merging->paths);
    bsim_mem_free(merging->wants);
    bsim_mem_free(merging->is_read);
    bsim_mem_free(merging->n_events);
    bsim_mem_free(merging->moving);
    bsim_mem_free(merging->root);
    bsim_mem_free(merging->changes);
    bsim_mem_free(merging->version);
    bsim_mem_free(merging->part);
}

bool bsim_ptx_merge(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct merging merging = {.function = function, .step = step};
    bool has_memory = start(&merging);
    if (has_memory && function->n_instructions > 0) {
        bsim_ptx_find_extended(function, &merging.addresses, merging.wants);
        find_read(&merging);
        find_roots(&merging);
        merge_loads(&merging);
        merge_stores(&merging);
    }
    finish(&merging);
    return has_memory;
}
