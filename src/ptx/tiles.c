/* tiles.c - tiles that TMA wrote one way and a wgmma's descriptor reads another: what it multiplies is not the matrix.
 *
 *     cp.async.bulk.tensor.2d... [s], [map, {x, y}], [b];      the map has no swizzle: rows of 128 bytes as they are
 *     wgmma.mma_async... {...}, a, b;                          a's bits 62 and 63 are 1: chunks are looked for by 128B
 *
 * Each 16 bytes of shared memory know the box that they were last written by, so that row and chunk of it follow
 * from the address. A descriptor reads eight chunks together, of eight rows below each other (a core matrix, or eight
 * rows of a swizzle's span). They lie right if they are one chunk of eight rows of one box that follow each other:
 *
 *     map: none, descriptor: 128B       row of the box   0  1  2  3  4  5  6  7
 *     what is read for chunk 0          chunk            0  1  2  3  4  5  6  7      told
 *
 * Only what cannot be meant is told. Not: what threads or bulk copies wrote, boxes of one row, bytes of several boxes.
 * Without a swizzle a box may bring what lies in global memory as the tensor cores want it: told is a box of rows as
 * long as the descriptor's span, or shorter, and of a descriptor without a swizzle, too, rows that are a part of the tensor's.
 */
#include "ptx/tiles.h"

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/wgmma.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 16, LINE = 128, ROWS = 8 /* that a descriptor reads together */ };

/* A box that was loaded to a place, the last one there. */
struct tile {
    const struct bsim_ptx_step *step;
    struct bsim_tma tma;
};

struct bsim_ptx_tiles {
    struct tile *tile; /* that begins at each multiple of 128 */
    uint16_t *of;      /* of each 16 bytes: the number of their tile, and 1; 0: none */
    uint32_t n_chunks;
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_tensor_load(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "cp") && bsim_ptx_has(from, BSIM_PTX_TENSOR) &&
           bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES);
}

struct bsim_ptx_tiles *bsim_ptx_tiles_new(const struct bsim_ptx_block *block)
{
    const struct bsim_ptx_program *program = block->program;
    bool loads = false, multiplies = false;
    for (uint32_t i = 0; i < program->n_steps && block->findings != NULL; i++) {
        const struct bsim_ptx_instruction *from = program->step[i].from;
        loads = loads || (from != NULL && is_tensor_load(from));
        multiplies = multiplies || (from != NULL && bsim_ptx_is_of_warps(from));
    }
    struct bsim_ptx_tiles *tiles = loads && multiplies ? bsim_mem_zeroed(1, sizeof *tiles) : NULL;
    if (tiles != NULL) {
        tiles->n_chunks = block->shared_bytes / CHUNK;
        tiles->of = bsim_mem_zeroed((size_t)tiles->n_chunks + 1, sizeof *tiles->of);
        tiles->tile = bsim_mem_zeroed((size_t)block->shared_bytes / LINE + 1, sizeof *tiles->tile);
        if (tiles->of == NULL || tiles->tile == NULL) {
            bsim_ptx_tiles_free(tiles);
            tiles = NULL;
        }
    }
    return tiles;
}

void bsim_ptx_tiles_free(struct bsim_ptx_tiles *tiles)
{
    if (tiles != NULL) {
        bsim_mem_free(tiles->of);
        bsim_mem_free(tiles->tile);
        bsim_mem_free(tiles);
    }
}

void bsim_ptx_tiles_start(struct bsim_ptx_block *block)
{
    if (block->tiles != NULL) {
        memset(block->tiles->of, 0, block->tiles->n_chunks * sizeof *block->tiles->of);
    }
}

/* ---- who wrote what -------------------------------------------------------------------------- */

void bsim_ptx_tiles_written(struct bsim_ptx_block *block, uint64_t at, uint32_t bytes)
{
    struct bsim_ptx_tiles *tiles = block->tiles;
    for (uint64_t i = at / CHUNK; tiles != NULL && i * CHUNK < at + bytes && i < tiles->n_chunks; i++) {
        tiles->of[i] = 0;
    }
}

void bsim_ptx_tiles_stored(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes)
{
    for (uint32_t left = warp->block->tiles != NULL ? warp->mask : 0; left != 0; left &= left - 1) {
        bsim_ptx_tiles_written(warp->block, address[bsim_bits_lowest(left)], bytes);
    }
}

/* Whether rows lie alike, so that what was known of one holds of the other. */
static bool lie_alike(const struct bsim_tma *a, const struct bsim_tma *b)
{
    return a->swizzle == b->swizzle && bsim_tma_span(a) == bsim_tma_span(b) &&
           bsim_tma_row_bytes(a) == bsim_tma_row_bytes(b) && bsim_tma_rows(a) == bsim_tma_rows(b);
}

void bsim_ptx_tiles_loaded(struct bsim_ptx_block *block, const struct bsim_ptx_step *step, const struct bsim_tma *tma)
{
    struct bsim_ptx_tiles *tiles = block->tiles;
    if (tiles == NULL) {
        return;
    }
    uint32_t number = tma->start / LINE + 1;
    struct tile *tile = &tiles->tile[number - 1];
    if (tile->step != NULL && !lie_alike(&tile->tma, tma)) { /* what is left of the one before is of none */
        for (uint32_t i = 0; i < tiles->n_chunks; i++) {
            tiles->of[i] = tiles->of[i] == number ? 0 : tiles->of[i];
        }
    }
    *tile = (struct tile){.step = step, .tma = *tma};
    for (uint32_t row = 0; row < bsim_tma_rows(tma); row++) {
        for (uint32_t byte = 0; byte < bsim_tma_row_bytes(tma); byte += CHUNK) {
            tiles->of[bsim_tma_address(tma, row, byte) / CHUNK] = (uint16_t)number;
        }
    }
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* The bytes from the tile's first one on that would lie there if it were not swizzled. */
static uint32_t offset_in(const struct tile *tile, uint32_t address)
{
    uint32_t mask = (UINT32_C(1) << tile->tma.swizzle) - 1;
    return (address ^ (address / LINE & mask) * CHUNK) - tile->tma.start;
}

/* The box of which the eight chunks are no eight rows; NULL if they are, or not all of one. */
static const struct tile *find_misread(const struct bsim_ptx_tiles *tiles, const uint32_t address[ROWS])
{
    uint32_t number = tiles->of[address[0] / CHUNK];
    const struct tile *tile = number > 0 ? &tiles->tile[number - 1] : NULL;
    bool are_rows = true;
    for (uint32_t j = 0; j < ROWS && tile != NULL; j++) {
        uint32_t at = offset_in(tile, address[j]), first = offset_in(tile, address[0]);
        tile = tiles->of[address[j] / CHUNK] == number ? tile : NULL;
        are_rows = are_rows && tile != NULL && at == first + j * bsim_tma_span(&tile->tma);
    }
    return are_rows ? NULL : tile;
}

static uint32_t span_of(const struct bsim_wgmma_descriptor *descriptor)
{
    static const uint8_t spans[] = {16, 128, 64, 32};
    return spans[descriptor->swizzle % 4];
}

/* Whether nobody can mean that. */
static bool is_certain(const struct tile *tile, const struct bsim_wgmma_descriptor *descriptor)
{
    const struct bsim_tma *tma = &tile->tma;
    uint32_t row = bsim_tma_row_bytes(tma);
    if (bsim_tma_rows(tma) == 1 || tma->swizzle != BSIM_TMA_NO_SWIZZLE) {
        return bsim_tma_rows(tma) > 1;
    }
    return descriptor->swizzle == BSIM_WGMMA_NO_SWIZZLE ? tma->pitch_bytes != row : row <= span_of(descriptor);
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* CUtensorMapSwizzle's number of the descriptor's, and back. */
static uint32_t swizzle_of(const struct bsim_wgmma_descriptor *descriptor)
{
    return (4 - (uint32_t)descriptor->swizzle) % 4;
}

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, const struct tile *tile,
                 const struct bsim_wgmma_descriptor *descriptor, const char *name)
{
    uint32_t is = tile->tma.swizzle, wants = swizzle_of(descriptor), line;
    const char *file = bsim_ptx_source(warp->block->program->module, tile->step->from, &line);
    const char *mode = bsim_tma_swizzle_name(wants);
    char text[300];
    int used = snprintf(text, sizeof text, "the rows of %s are mixed up: its tile came by a map with swizzle=%s (%s:%u), the descriptor has ",
                        name, bsim_tma_swizzle_name(is), file, (unsigned)line);
    if (used < 0 || (size_t)used >= sizeof text) {
        return;
    }
    char *rest = text + used;
    size_t size = sizeof text - (size_t)used;
    if (is == wants && is != BSIM_TMA_NO_SWIZZLE) {
        (void)snprintf(rest, size, "base offset %u: TMA swizzles addresses wherever a tile begins, which is base offset 0",
                       (unsigned)descriptor->base_offset);
    } else if (is == wants) {
        (void)snprintf(rest, size, "none, too, which reads rows that lie 16 bytes apart: load boxes of 16 bytes a row, or swizzle in both");
    } else if (is != BSIM_TMA_NO_SWIZZLE) {
        (void)snprintf(rest, size, "%s: let its bits 62 and 63 be %u", mode, (unsigned)((4 - is) % 4));
    } else {
        (void)snprintf(rest, size, "%s: make the map with CU_TENSOR_MAP_SWIZZLE_%s", mode, mode);
    }
    bsim_ptx_find_misread(warp, step, text);
}

void bsim_ptx_tiles_read(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         const struct bsim_wgmma_descriptor *descriptor, uint32_t element_bytes, const char *name,
                         uint32_t rows)
{
    const struct bsim_ptx_tiles *tiles = warp->block->tiles;
    uint32_t each = CHUNK / element_bytes, n_k = BSIM_WGMMA_K_BYTES / element_bytes;
    bool is_mn = descriptor->is_mn_major, told = false;
    uint32_t along = is_mn ? rows : n_k, across = is_mn ? n_k : rows;
    for (uint32_t x = 0; tiles != NULL && x < along; x += each) {
        for (uint32_t y = 0; y < across && !told; y += ROWS) {
            uint32_t address[ROWS];
            for (uint32_t j = 0; j < ROWS; j++) {
                address[j] = bsim_wgmma_address(descriptor, element_bytes, is_mn ? y + j : x, is_mn ? x : y + j);
            }
            const struct tile *tile = find_misread(tiles, address);
            told = tile != NULL && is_certain(tile, descriptor);
            if (told) {
                tell(warp, step, tile, descriptor, name);
            }
        }
    }
}
