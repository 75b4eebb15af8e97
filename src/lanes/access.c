/* access.c - the addresses of one warp's access become a site and an event.
 *
 * The macros hand over one host pointer per active lane. Each must lie in the block's shared window
 * or in an array of the launch, whole and aligned; the event has its offset there. Nothing has been
 * dereferenced until all lanes have passed. Lanes of one access may lie in several arrays, but not
 * in several spaces, as an instruction has one. Local memory is each thread's own.
 *
 *     LOAD(v[t], tile[threadIdx.x][0])   int tile[32][33], lanes 0, 1, 2, ...
 *     pointers  shared+0, shared+132, shared+264, ...   ->   ld.shared.u32 ffffffff 0+132
 */
#include "lanes/cta.h"

#include "base/memory.h"
#include "event/far.h"
#include "lanes/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXEL_BITS = 32 };

/* ---- opcodes and sites ---------------------------------------------------------------------- */

static uint32_t type_bits(uint32_t type)
{
    return type >> 8 & 0xff;
}

static uint32_t type_count(uint32_t type)
{
    return type & 0xff;
}

static uint32_t type_bytes(uint32_t type)
{
    return type_bits(type) / 8 * type_count(type);
}

/* The letter that nvcc writes for a C type: the sign matters to narrow loads, which extend it, and
 * to min and max; and, or, xor, exch and cas move bits. */
static char type_letter(const struct bsim_place *place)
{
    char letter = (char)(place->type >> 16);
    switch (place->operation) {
    case BSIM_MIN:
    case BSIM_MAX:
        return letter;
    case BSIM_AND:
    case BSIM_OR:
    case BSIM_XOR:
    case BSIM_EXCH:
    case BSIM_CAS:
        return 'b';
    default:
        return letter == 's' && type_bits(place->type) >= 32 ? 'u' : letter;
    }
}

static struct bsim_opcode place_opcode(const struct bsim_place *place, enum bsim_space space)
{
    struct bsim_opcode opcode = {
        .family = (uint8_t)place->family,
        .space = (uint8_t)space,
        .operation = (uint8_t)place->operation,
        .type = type_letter(place),
        .bits = (uint8_t)type_bits(place->type),
        .count = (uint8_t)type_count(place->type),
        .bytes = (uint8_t)type_bytes(place->type),
        .is_volatile = place->how == BSIM_AS_VOLATILE,
        .path = place->how == BSIM_AS_READ_ONLY ? BSIM_NC
                : place->how == BSIM_AS_UNIFORM ? BSIM_LDU
                                                : BSIM_USUAL_PATH,
    };
    if (place->family == BSIM_CP_ASYNC) {
        opcode.type = 'b';
        opcode.bits = 8;
        opcode.count = opcode.bytes;
        opcode.path = place->how == BSIM_PAST_L1 ? BSIM_BYPASS : BSIM_USUAL_PATH;
    }
    if (place->family == BSIM_SHFL) {
        opcode.type = 'b';
        opcode.bits = 32;
        opcode.count = 1;
        opcode.bytes = 0;
    }
    if (place->operation == BSIM_POPC_INC && space != BSIM_SHARED) {
        opcode.operation = BSIM_ADD; /* only shared memory merges */
    }
    return opcode;
}

/* A text that is too long ends in "...". */
static void copy_text(char *out, size_t size, const char *text)
{
    int length = snprintf(out, size, "%s", text);
    if (length >= 0 && (size_t)length >= size) {
        memcpy(out + size - 4, "...", 4);
    }
}

static struct bsim_site_node *add_site(struct bsim_cta *cta, const struct bsim_place *place,
                                       enum bsim_space space)
{
    struct bsim_cta_state *state = cta->state;
    struct bsim_site_node *node = bsim_mem_zeroed(1, sizeof *node);
    if (node == NULL) {
        (void)bsim_error_set(state->err, BSIM_E_MEMORY, "no memory for the sites of %s",
                             state->kernel.name);
        (void)bsim_cta_stop(cta, BSIM_E_MEMORY);
        return NULL;
    }
    copy_text(node->text, sizeof node->text, place->text);
    node->place = place;
    node->site = (struct bsim_site){
        .number = state->n_sites + 1,
        .index = state->n_sites,
        .opcode = place_opcode(place, space),
        .file = place->file,
        .line = place->line,
        .text = node->text,
    };
    node->next = state->last_site != NULL ? state->last_site->next : node;
    if (state->last_site != NULL) {
        state->last_site->next = node;
    }
    state->last_site = node;
    state->n_sites++;
    return node;
}

/* Kernels run through their sites in order: the one used last, or the next, is nearly always it. */
static struct bsim_site_node *find_site(const struct bsim_cta_state *state,
                                        const struct bsim_place *place, enum bsim_space space)
{
    struct bsim_site_node *node = state->site;
    for (uint32_t i = 0; i < state->n_sites; i++, node = node->next) {
        if (node->place == place && node->site.opcode.space == space) {
            return node;
        }
    }
    return NULL;
}

const struct bsim_site *bsim_cta_site(struct bsim_cta *cta, const struct bsim_place *place,
                                      enum bsim_space space)
{
    struct bsim_site_node *node = find_site(cta->state, place, space);
    if (node == NULL) {
        if (!bsim_cta_open(cta) || (node = add_site(cta, place, space)) == NULL) {
            return NULL;
        }
        struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = &node->site};
        if (!bsim_cta_push(cta, &record, place->file, place->line)) {
            return NULL;
        }
    }
    cta->state->site = node;
    return &node->site;
}

void bsim_cta_free_sites(struct bsim_cta_state *state)
{
    struct bsim_site_node *node = state->last_site;
    for (uint32_t i = 0; i < state->n_sites; i++) {
        struct bsim_site_node *next = node->next;
        bsim_mem_free(node);
        node = next;
    }
}

/* ---- what is wrong with an address ---------------------------------------------------------- */

/* "thread (1,0,0) of block (0,0,0) loads 4 bytes" */
static const char *describe_access(const struct bsim_cta *cta, const struct bsim_place *place,
                                   uint32_t t, char *out, size_t size)
{
    const char *verb = place->family == BSIM_LD         ? "loads"
                       : place->family == BSIM_ST       ? "stores"
                       : place->family == BSIM_CP_ASYNC ? "copies"
                                                        : "updates";
    struct bsim_dim3 thread = cta->thread[t];
    uint32_t bytes = type_bytes(place->type);
    (void)snprintf(out, size,
                   "thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") of block (%" PRIu32 ",%" PRIu32
                   ",%" PRIu32 ") %s %" PRIu32 " byte%s",
                   thread.x, thread.y, thread.z, cta->block.x, cta->block.y, cta->block.z, verb,
                   bytes, bytes == 1 ? "" : "s");
    return out;
}

static const char *describe_region(const struct bsim_cta_state *state,
                                   const struct bsim_region *region, char *out, size_t size)
{
    if (region->space == BSIM_SHARED) {
        (void)snprintf(out, size, "shared memory");
    } else if (region->space == BSIM_LOCAL) {
        (void)snprintf(out, size, "a local array");
    } else {
        (void)snprintf(out, size, "array %zu", (size_t)(region - state->region) - 1);
    }
    return out;
}

/* How far p lies from the region's bytes. */
static uintptr_t distance(const struct bsim_region *region, uintptr_t p)
{
    uintptr_t end = region->start + region->size_bytes;
    return p < region->start ? region->start - p : p < end ? 0 : p - end;
}

/* What a stray pointer was probably meant for: where the lanes before it went, or the nearest. */
static const struct bsim_region *guess_region(const struct bsim_cta_state *state,
                                              const struct bsim_region *before, uintptr_t p)
{
    const struct bsim_region *best = before != NULL ? before : &state->region[0];
    for (size_t i = 0; before == NULL && i < state->n_regions; i++) {
        if (distance(&state->region[i], p) < distance(best, p)) {
            best = &state->region[i];
        }
    }
    return best;
}

static bool fault_outside(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t,
                          const struct bsim_region *before, uintptr_t p)
{
    char access[160];
    char name[32];
    const struct bsim_region *region = guess_region(cta->state, before, p);
    (void)describe_access(cta, place, t, access, sizeof access);
    if (distance(region, p) > (uintptr_t)1 << 30) {
        return bsim_cta_fault(cta, place->file, place->line,
                              "%s outside shared memory and the launch's arrays: %s", access,
                              place->text);
    }
    intptr_t offset =
        p < region->start ? -(intptr_t)(region->start - p) : (intptr_t)(p - region->start);
    return bsim_cta_fault(cta, place->file, place->line,
                          "%s at byte %" PRIdPTR " of %s, which has %zu: %s", access, offset,
                          describe_region(cta->state, region, name, sizeof name),
                          region->size_bytes, place->text);
}

static bool fault_misaligned(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t,
                             const struct bsim_region *region, uint64_t offset)
{
    char access[160];
    char name[32];
    uint32_t bytes = type_bytes(place->type);
    (void)describe_access(cta, place, t, access, sizeof access);
    (void)describe_region(cta->state, region, name, sizeof name);
    if (offset % bytes == 0) {
        return bsim_cta_fault(cta, place->file, place->line,
                              "%s, but the host's memory of %s is not aligned to that: %s", access,
                              name, place->text);
    }
    return bsim_cta_fault(cta, place->file, place->line,
                          "%s at byte %" PRIu64 " of %s, which is not a multiple of %" PRIu32
                          ": %s",
                          access, offset, name, bytes, place->text);
}

static bool fault_spaces(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t)
{
    char access[160];
    return bsim_cta_fault(cta, place->file, place->line,
                          "%s in another memory space than the lanes before it: %s",
                          describe_access(cta, place, t, access, sizeof access), place->text);
}

static bool fault_read_space(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t,
                             const char *what)
{
    char access[160];
    return bsim_cta_fault(cta, place->file, place->line, "%s of %s: %s",
                          describe_access(cta, place, t, access, sizeof access), what, place->text);
}

static bool fault_other_thread(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t)
{
    char access[160];
    return bsim_cta_fault(cta, place->file, place->line, "%s of another thread's local memory: %s",
                          describe_access(cta, place, t, access, sizeof access), place->text);
}

static bool fault_read_only(struct bsim_cta *cta, const struct bsim_place *place, uint32_t t)
{
    char access[160];
    return bsim_cta_fault(cta, place->file, place->line,
                          "%s by a load that is global memory's alone: %s",
                          describe_access(cta, place, t, access, sizeof access), place->text);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static bool holds(const struct bsim_region *region, uintptr_t p, uint32_t bytes)
{
    uintptr_t offset = p - region->start;
    return offset < region->size_bytes && region->size_bytes - offset >= bytes;
}

static const struct bsim_region *find_region(struct bsim_cta_state *state, uintptr_t p,
                                             uint32_t bytes)
{
    for (size_t i = 0; i < state->n_regions; i++) {
        if (holds(&state->region[i], p, bytes)) {
            state->region_hit = i;
            return &state->region[i];
        }
    }
    return NULL;
}

/* Whether thread t may access the region there; false after a fault. */
static bool is_allowed(struct bsim_cta *cta, const struct bsim_place *place,
                       const struct bsim_region *region, uint32_t t, uint64_t offset)
{
    if (region->space == BSIM_CONST && place->family != BSIM_LD) {
        return fault_read_space(cta, place, t, "constant memory");
    }
    if (region->space == BSIM_LOCAL && offset / region->thread_bytes != t) {
        return fault_other_thread(cta, place, t);
    }
    if (region->space == BSIM_TEXTURE && (place->family != BSIM_LD || place->how != BSIM_PLAINLY)) {
        return fault_read_space(cta, place, t, "a texture, which is read by LOAD");
    }
    if (region->space == BSIM_TEXTURE && type_bits(place->type) > MOST_TEXEL_BITS) {
        return fault_read_space(cta, place, t, "a texture, whose components have 32 bits at most");
    }
    bool is_global = place->how == BSIM_AS_READ_ONLY || place->how == BSIM_AS_UNIFORM;
    if (is_global && region->space != BSIM_GLOBAL) {
        return fault_read_only(cta, place, t);
    }
    return true;
}

/* Fills the event's address list; the region that the lanes lie in, or NULL after a fault. */
static const struct bsim_region *resolve(struct bsim_cta *cta, const struct bsim_place *place,
                                         uint32_t warp)
{
    struct bsim_cta_state *state = cta->state;
    const struct bsim_region *region = &state->region[state->region_hit];
    const struct bsim_region *before = NULL;
    uint32_t bytes = type_bytes(place->type);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((cta->active[warp] >> lane & 1) == 0) {
            continue;
        }
        uint32_t t = warp * BSIM_WARP_LANES + lane;
        uintptr_t p = (uintptr_t)cta->pointer[lane];
        if (!holds(region, p, bytes)) {
            region = find_region(state, p, bytes);
            if (region == NULL) {
                (void)fault_outside(cta, place, t, before, p);
                return NULL;
            }
        }
        if (before != NULL && before->space != region->space) {
            (void)fault_spaces(cta, place, t);
            return NULL;
        }
        uint64_t offset = p - region->start;
        if (((p | offset) & (bytes - 1)) != 0) {
            (void)fault_misaligned(cta, place, t, region, offset);
            return NULL;
        }
        if (!is_allowed(cta, place, region, t, offset)) {
            return NULL;
        }
        before = region;
        state->event.address[lane] =
            region->address + (region->thread_bytes > 0 ? offset % region->thread_bytes : offset);
    }
    return region;
}

/* The region where all lanes are in the space of a copy's side, or NULL after a fault. */
static const struct bsim_region *resolve_side(struct bsim_cta *cta, const struct bsim_place *place,
                                              uint32_t warp, enum bsim_space space)
{
    const struct bsim_region *region = resolve(cta, place, warp);
    if (region != NULL && region->space != space) {
        (void)bsim_cta_fault(cta, place->file, place->line,
                             "a copy is from global to shared memory: %s", place->text);
        return NULL;
    }
    return region;
}

bool bsim_warp_from(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp)
{
    struct bsim_event *far = &cta->state->event;
    if (cta->active[warp] == 0 || !bsim_cta_open(cta) ||
        resolve_side(cta, place, warp, BSIM_GLOBAL) == NULL) {
        return false;
    }
    far->opcode = place_opcode(place, BSIM_GLOBAL);
    far->mask = cta->active[warp];
    bsim_event_find_line(far);
    bsim_from_of(far, &cta->state->from);
    return true;
}

bool bsim_cta_access(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp)
{
    if (cta->active[warp] == 0 || !bsim_cta_open(cta)) {
        return false;
    }
    bool copies = place->family == BSIM_CP_ASYNC;
    const struct bsim_region *region =
        copies ? resolve_side(cta, place, warp, BSIM_SHARED) : resolve(cta, place, warp);
    if (region == NULL) {
        return false;
    }
    const struct bsim_site *site = bsim_cta_site(cta, place, region->space);
    if (site == NULL) {
        return false;
    }
    struct bsim_event *event = &cta->state->event;
    event->opcode = site->opcode;
    event->site = site;
    event->from = copies ? &cta->state->from : NULL;
    event->warp = warp;
    event->mask = cta->active[warp];
    bsim_event_find_line(event);
    return bsim_cta_push_event(cta, event, place->file, place->line);
}
