/* texture.c - tex, tld4, suld, sust: what kernels read and write through textures and surfaces.
 *
 *     tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];     texture %rd1 at (%f5, %f6)
 *     sust.b.2d.v2.b32.zero [%rd1, {%r1, %r2}], {%r3, %r4};           byte %r1 of row %r2
 *
 * Their traffic goes by the texture units' way and is in no event: reports do not count it.
 */
#include "ptx/texture.h"

#include "base/bits.h"

#include <inttypes.h>

enum { LANES = BSIM_WARP_LANES };

static uint32_t take(const struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                     uint32_t i, uint32_t lane)
{
    return bsim_ptx_at32(warp, argument->place[i])[lane].u;
}

static bool geometry_of(const struct bsim_ptx_instruction *from, enum bsim_ptx_geometry *geometry)
{
    static const struct {
        uint8_t word, geometry, n; /* coordinates, as they stand in the braces */
    } known[] = {{BSIM_PTX_X1D, BSIM_PTX_LINE, 1},   {BSIM_PTX_X2D, BSIM_PTX_PLANE, 2},
                 {BSIM_PTX_X3D, BSIM_PTX_VOLUME, 4}, {BSIM_PTX_A1D, BSIM_PTX_LINES, 2},
                 {BSIM_PTX_A2D, BSIM_PTX_PLANES, 4}, {BSIM_PTX_CUBE_, BSIM_PTX_CUBE, 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (bsim_ptx_has(from, known[i].word)) {
            *geometry = (enum bsim_ptx_geometry)known[i].geometry;
            return true;
        }
    }
    return false;
}

/* The texture or surface that the lane names; NULL after a fault. */
static const struct bsim_ptx_texture *find_texture(struct bsim_ptx_warp *warp,
                                                   const struct bsim_ptx_step *step,
                                                   const struct bsim_ptx_argument *argument,
                                                   uint32_t lane, bool is_surface)
{
    uint64_t handle = bsim_ptx_at64(warp, argument->place[0])[lane].u;
    const struct bsim_ptx_memory *memory = warp->block->memory;
    const struct bsim_ptx_texture *texture = bsim_ptx_texture_at(memory, handle);
    if (texture == NULL || texture->is_surface != is_surface) {
        bsim_ptx_fault(warp, step, lane, "0x%" PRIx64 " is no %s object that is there", handle,
                       is_surface ? "surface" : "texture");
        return NULL;
    }
    /* What other blocks write there this one is to see, and they what it writes. */
    if ((is_surface || texture->address != 0) && bsim_ptx_gives_up(warp->block)) {
        return NULL;
    }
    const struct bsim_ptx_piece *piece =
        texture->address != 0 ? bsim_ptx_memory_at(memory, texture->address) : NULL;
    if (texture->address != 0 && (piece == NULL || piece->is_freed)) {
        bsim_ptx_fault(warp, step, lane, "the texture's memory at 0x%" PRIx64 " was freed",
                       texture->address);
        return NULL;
    }
    return texture;
}

/* ---- textures -------------------------------------------------------------------------------- */

static struct bsim_ptx_texture_place find_place(const struct bsim_ptx_warp *warp,
                                                const struct bsim_ptx_step *step,
                                                const struct bsim_ptx_argument *argument,
                                                uint32_t lane)
{
    struct bsim_ptx_texture_place place = {0};
    (void)geometry_of(step->from, &place.geometry);
    bool is_layered = place.geometry == BSIM_PTX_LINES || place.geometry == BSIM_PTX_PLANES;
    uint32_t first = 1 + is_layered;
    place.is_whole = bsim_ptx_type_letter(step->from->type[1]) != 'f';
    place.layer = is_layered ? (int32_t)take(warp, argument, 1, lane) : 0;
    for (uint32_t d = 0; d < 3 && first + d < argument->n; d++) {
        uint32_t bits = take(warp, argument, first + d, lane);
        union bsim_w32 value = {.u = bits};
        place.at[d] = place.is_whole ? 0 : value.f;
        place.whole[d] = value.s;
    }
    return place;
}

static uint32_t gathered_channel(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_G)   ? 1
           : bsim_ptx_has(from, BSIM_PTX_B) ? 2
           : bsim_ptx_has(from, BSIM_PTX_A) ? 3
                                            : 0;
}

static void run_texture(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_argument *to = &step->argument[0], *from = &step->argument[1];
    bool is_gather = bsim_ptx_is_a(step->from, "tld4");
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t result[4];
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        const struct bsim_ptx_texture *texture = find_texture(warp, step, from, l, false);
        struct bsim_ptx_texture_place place = find_place(warp, step, from, l);
        if (texture == NULL) {
            return;
        }
        if (is_gather) {
            bsim_ptx_texture_gather(texture, &place, gathered_channel(step->from), result);
        } else if (!bsim_ptx_texture_read(texture, &place, result)) {
            bsim_ptx_fault(warp, step, l,
                           "a cube is filtered across an edge: that is not known here");
            return;
        }
        for (uint32_t c = 0; c < to->n; c++) {
            if (to->place[c] != BSIM_PTX_NOWHERE) {
                bsim_ptx_put(warp, to->place[c], 32, l, result[c]);
            }
        }
    }
}

/* ---- surfaces -------------------------------------------------------------------------------- */

static uint32_t surface_bytes(const struct bsim_ptx_instruction *from)
{
    uint32_t n = bsim_ptx_has(from, BSIM_PTX_V4) ? 4 : bsim_ptx_has(from, BSIM_PTX_V2) ? 2 : 1;
    return n * bsim_ptx_type_bits(from->type[0]) / 8;
}

static int64_t clamp(int64_t i, int64_t last)
{
    return i < 0 ? 0 : i > last ? last : i;
}

/* Where the lane's access leads; NULL where it leads beyond the edges, which is a fault or not. */
static unsigned char *find_element(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                   const struct bsim_ptx_texture *surface,
                                   const struct bsim_ptx_argument *argument, uint32_t lane)
{
    enum bsim_ptx_geometry geometry = BSIM_PTX_PLANE;
    (void)geometry_of(step->from, &geometry);
    bool is_layered = geometry == BSIM_PTX_LINES || geometry == BSIM_PTX_PLANES;
    int64_t bytes = surface_bytes(step->from), at[3] = {0};
    int64_t width = (int64_t)surface->extent[0] * surface->n * surface->bits / 8;
    int64_t last[3] = {width - bytes, (int64_t)surface->extent[1] - 1,
                       (int64_t)surface->extent[2] - 1};
    uint32_t n = geometry == BSIM_PTX_VOLUME                               ? 3
                 : geometry == BSIM_PTX_LINE || geometry == BSIM_PTX_LINES ? 1
                                                                           : 2;
    bool is_outside = false;
    for (uint32_t d = 0; d < n; d++) {
        at[d] = (int32_t)take(warp, argument, 1 + is_layered + d, lane);
        is_outside = is_outside || at[d] < 0 || at[d] > last[d];
    }
    if (is_layered) {
        at[2] = (int32_t)take(warp, argument, 1, lane);
        is_outside = is_outside || at[2] < 0 || at[2] > last[2];
    }
    if (at[0] % bytes != 0) {
        bsim_ptx_fault(warp, step, lane,
                       "byte %" PRId64 " of a row is no multiple of the %" PRId64 " bytes accessed",
                       at[0], bytes);
        return NULL;
    }
    if (is_outside && bsim_ptx_has(step->from, BSIM_PTX_TRAP)) {
        bsim_ptx_fault(warp, step, lane,
                       "byte %" PRId64 ", row %" PRId64 ", slice %" PRId64
                       " of a surface of %" PRId64 " bytes, %" PRIu32 " rows, %" PRIu32 " slices",
                       at[0], at[1], at[2], width, surface->extent[1], surface->extent[2]);
        return NULL;
    }
    if (is_outside && !bsim_ptx_has(step->from, BSIM_PTX_CLAMP)) {
        return NULL;
    }
    return surface->data + (uint64_t)clamp(at[2], last[2]) * surface->slice_bytes +
           (uint64_t)clamp(at[1], last[1]) * surface->row_bytes + (uint64_t)clamp(at[0], last[0]);
}

/* Between the surface and the registers of the lane; p is NULL for what reads as zero. */
static void move(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                 const struct bsim_ptx_argument *value, unsigned char *p, uint32_t lane)
{
    bool is_load = bsim_ptx_is_a(step->from, "suld");
    uint32_t bits = bsim_ptx_type_bits(step->from->type[0]), bytes = bits / 8;
    for (uint32_t i = 0; i < value->n; i++) {
        uint64_t word = 0;
        bool is_64 = value->bytes[i] == 8;
        if (is_load && value->place[i] != BSIM_PTX_NOWHERE) {
            memcpy(&word, p != NULL ? p + i * bytes : (unsigned char *)&word, bytes);
            bsim_ptx_put(warp, value->place[i], is_64 ? 64 : 32, lane, word);
        } else if (!is_load && p != NULL) {
            word = bsim_ptx_take(warp, value->place[i], is_64, lane);
            memcpy(p + i * bytes, &word, bytes);
        }
    }
}

static void run_surface(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_load = bsim_ptx_is_a(step->from, "suld");
    const struct bsim_ptx_argument *at = &step->argument[is_load ? 1 : 0];
    const struct bsim_ptx_argument *value = &step->argument[is_load ? 0 : 1];
    for (uint32_t l = 0; l < LANES && warp->block->status == BSIM_OK; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        const struct bsim_ptx_texture *surface = find_texture(warp, step, at, l, true);
        if (surface == NULL) {
            return;
        }
        unsigned char *p = find_element(warp, step, surface, at, l);
        if (warp->block->status == BSIM_OK) {
            move(warp, step, value, p, l);
        }
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

/* Coordinates and what is read are of 32 bits; levels of detail are not here, but for the first. */
static bool has_texture_form(const struct bsim_ptx_instruction *from)
{
    enum bsim_ptx_geometry geometry;
    return from->n_operands == 2 && from->n_types == 2 && bsim_ptx_has(from, BSIM_PTX_V4) &&
           bsim_ptx_type_bits(from->type[0]) == 32 && bsim_ptx_type_bits(from->type[1]) == 32 &&
           from->operand[1].n == 2 && geometry_of(from, &geometry);
}

static bool has_surface_form(const struct bsim_ptx_instruction *from)
{
    enum bsim_ptx_geometry geometry;
    return from->n_operands == 2 && from->n_types == 1 && bsim_ptx_has(from, BSIM_PTX_B) &&
           from->operand[bsim_ptx_is_a(from, "suld") ? 1 : 0].n == 2 &&
           geometry_of(from, &geometry) && geometry != BSIM_PTX_CUBE;
}

const struct bsim_ptx_service *bsim_ptx_find_texture(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_service texture = {run_texture, NULL},
                                         surface = {run_surface, NULL};
    bool is_texture = bsim_ptx_is_a(instruction, "tex") || bsim_ptx_is_a(instruction, "tld4");
    bool is_surface = bsim_ptx_is_a(instruction, "suld") || bsim_ptx_is_a(instruction, "sust");
    return is_texture && has_texture_form(instruction)   ? &texture
           : is_surface && has_surface_form(instruction) ? &surface
                                                         : NULL;
}
