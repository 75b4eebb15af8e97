/* tensormap.c - maps of tensors: what they may be, as bytes, and as a launch by hand writes them.
 *
 *     map   = sides {word}
 *     sides = number {"x" number}                 the innermost dimension first, as cuTensorMapEncodeTiled has it
 *     word  = "box=" sides | "swizzle=" ("none" | "32B" | "64B" | "128B") | "pitch=" bytes | "of" argument
 *
 * Rows lie one behind the other, or `pitch` bytes apart; higher dimensions always without a gap.
 */
#include "ptx/tensormap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "tensormp"; /* without its NUL */

static uint32_t element_bytes(const struct bsim_ptx_tensormap *map)
{
    return bsim_ptx_type_bits(map->type) / 8;
}

/* Or so much that nothing has room for it. */
static uint64_t times(uint64_t a, uint64_t b)
{
    const uint64_t most = UINT64_C(1) << 48;
    return b != 0 && a > most / b ? most : a * b;
}

uint64_t bsim_ptx_tensormap_reach(const struct bsim_ptx_tensormap *map)
{
    uint64_t reach = element_bytes(map);
    for (uint32_t d = 0; d < map->n_dims; d++) {
        reach += times(map->side[d] - 1, map->stride[d]);
    }
    return reach;
}

/* ---- what can be ----------------------------------------------------------------------------- */

/* As CUDA's driver API has it for maps without interleave. */
enum bsim_status bsim_ptx_tensormap_check(const struct bsim_ptx_tensormap *map,
                                          struct bsim_error *err)
{
    enum { UNIT = 16 };
    const uint64_t most_side = UINT64_C(1) << 32, most_stride = UINT64_C(1) << 40;
    struct bsim_tma tma = {.n_dims = map->n_dims,
                           .element_bytes = element_bytes(map),
                           .swizzle = map->swizzle};
    memcpy(tma.box, map->box, sizeof tma.box);
    enum bsim_status status = bsim_tma_check(&tma, UINT32_MAX, err);
    for (uint32_t d = 0; d < map->n_dims && status == BSIM_OK; d++) {
        if (map->side[d] == 0 || map->side[d] > most_side) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "a tensor has 1 to 2^32 elements along each dimension, not %" PRIu64,
                                  map->side[d]);
        }
        if (d > 0 && (map->stride[d] % UNIT != 0 || map->stride[d] >= most_stride)) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "a stride of %" PRIu64
                                  " bytes: a tensor's are multiples of 16 below 2^40",
                                  map->stride[d]);
        }
    }
    if (status == BSIM_OK && map->address % UNIT != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "a tensor at address 0x%" PRIx64 ": it begins at a multiple of 16",
                              map->address);
    }
    return status;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Sides less one and strides in units of 16 bytes fit into 32 bits. */
struct packed {
    char magic[sizeof magic];
    uint64_t address;
    uint32_t last[BSIM_TMA_MAX_DIMS], stride[BSIM_TMA_MAX_DIMS];
    uint16_t box[BSIM_TMA_MAX_DIMS];
    uint8_t n_dims, type, swizzle, fills_nan;
};

void bsim_ptx_tensormap_put(const struct bsim_ptx_tensormap *map,
                            unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES])
{
    struct packed packed;
    memset(&packed, 0, sizeof packed);
    memcpy(packed.magic, magic, sizeof magic);
    packed.address = map->address;
    packed.n_dims = (uint8_t)map->n_dims;
    packed.type = (uint8_t)map->type;
    packed.swizzle = (uint8_t)map->swizzle;
    packed.fills_nan = map->fills_nan;
    for (uint32_t d = 0; d < map->n_dims; d++) {
        packed.last[d] = (uint32_t)(map->side[d] - 1);
        packed.stride[d] = (uint32_t)(map->stride[d] / 16);
        packed.box[d] = (uint16_t)map->box[d];
    }
    memset(bytes, 0, BSIM_PTX_TENSORMAP_BYTES);
    memcpy(bytes, &packed, sizeof packed);
}

bool bsim_ptx_tensormap_get(const unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES],
                            struct bsim_ptx_tensormap *map)
{
    struct packed packed;
    memcpy(&packed, bytes, sizeof packed);
    *map = (struct bsim_ptx_tensormap){.address = packed.address,
                                       .n_dims = packed.n_dims,
                                       .type = (enum bsim_ptx_type)packed.type,
                                       .swizzle = (enum bsim_tma_swizzle)packed.swizzle,
                                       .fills_nan = packed.fills_nan != 0};
    if (memcmp(packed.magic, magic, sizeof magic) != 0 || map->n_dims == 0 ||
        map->n_dims > BSIM_TMA_MAX_DIMS || packed.type >= BSIM_PTX_TYPES ||
        packed.swizzle > BSIM_TMA_128B) {
        return false;
    }
    for (uint32_t d = 0; d < map->n_dims; d++) {
        map->side[d] = (uint64_t)packed.last[d] + 1;
        map->stride[d] = d > 0 ? (uint64_t)packed.stride[d] * 16 : element_bytes(map);
        map->box[d] = packed.box[d];
    }
    return bsim_ptx_tensormap_check(map, NULL) == BSIM_OK;
}

/* The same two bytes for every type, on an H200. */
void bsim_ptx_tensormap_fill(const struct bsim_ptx_tensormap *map, unsigned char *p, uint32_t bytes)
{
    const uint16_t none = map->fills_nan ? 0x7ff7 : 0;
    for (uint32_t i = 0; i < bytes; i += sizeof none) {
        memcpy(p + i, &none, sizeof none);
    }
}

void bsim_ptx_tensormap_round(const struct bsim_ptx_tensormap *map, unsigned char *p, uint32_t bytes)
{
    const uint32_t infinite = 0x7f800000, kept = 0xffffe000;
    for (uint32_t i = 0; map->type == BSIM_PTX_TF32 && i < bytes; i += sizeof(uint32_t)) {
        uint32_t x;
        memcpy(&x, p + i, sizeof x);
        bool is_number = (x & ~(UINT32_C(1) << 31)) <= infinite;
        x = is_number ? (x + (~kept >> 1) + (x >> 13 & 1)) & kept : 0x7fffe000;
        memcpy(p + i, &x, sizeof x);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

enum { WORD = 64 };

/* The next word of the text, which moves on; false where none of the map's is left. */
static bool take_word(const char **text, char word[WORD])
{
    const char *from = *text + strspn(*text, " \t");
    size_t length = strcspn(from, " \t,(){}[]\"");
    if (length == 0 || *from == '=') {
        *text = from;
        return false;
    }
    (void)snprintf(word, WORD, "%.*s", length < WORD ? (int)length : WORD - 1, from);
    *text = from + length;
    return true;
}

static bool read_sides(const char *text, struct bsim_ptx_tensormap *map)
{
    for (map->n_dims = 0; map->n_dims < BSIM_TMA_MAX_DIMS;) {
        char *end;
        map->side[map->n_dims++] = strtoull(text, &end, 10);
        if (end == text || text[0] < '0' || text[0] > '9' || *end != 'x') {
            return end > text && text[0] >= '0' && text[0] <= '9' && *end == '\0';
        }
        text = end + 1;
    }
    return false;
}

/* box=, swizzle= and pitch= are those of `show --tma`. */
static enum bsim_status read_box(const char *words, struct bsim_ptx_tensormap *map,
                                 uint64_t *pitch, struct bsim_error *err)
{
    struct bsim_tma tma;
    char text[8 * WORD];
    (void)snprintf(text, sizeof text, "b%" PRIu32 "%s", 8 * element_bytes(map), words);
    enum bsim_status status = bsim_tma_parse(text, &tma, err);
    if (status == BSIM_OK && tma.n_dims != map->n_dims) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "box= has %" PRIu32 " sides, the tensor %" PRIu32, tma.n_dims,
                              map->n_dims);
    }
    if (status == BSIM_OK) {
        memcpy(map->box, tma.box, sizeof map->box);
        map->swizzle = tma.swizzle;
        *pitch = tma.pitch_bytes;
    }
    return status;
}

/* Whether it is one of `show --tma` that maps have, too, and has a value that it may have. */
static bool is_known(const char *word)
{
    static const char *const known[] = {"box=", "swizzle=", "pitch="};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(word, known[i], strlen(known[i])) == 0) {
            struct bsim_tma tma;
            char text[2 * WORD];
            (void)snprintf(text, sizeof text, "b8 %s%s", word, i == 0 ? "" : " box=16");
            return bsim_tma_parse(text, &tma, NULL) == BSIM_OK;
        }
    }
    return false;
}

static void set_strides(struct bsim_ptx_tensormap *map, uint64_t pitch)
{
    map->stride[0] = element_bytes(map);
    for (uint32_t d = 1; d < map->n_dims; d++) {
        map->stride[d] =
            d == 1 && pitch > 0 ? pitch : times(map->stride[d - 1], map->side[d - 1]);
    }
}

enum bsim_status bsim_ptx_tensormap_parse(const char *text, struct bsim_ptx_tensormap *map, char *of,
                                          size_t size, const char **behind,
                                          struct bsim_error *err)
{
    static const char form[] = "a tensor map is as in tensormap half 4096x1024 box=64x128 "
                               "swizzle=128B, the innermost dimension first";
    char word[WORD] = "", words[6 * WORD] = "";
    uint64_t pitch = 0;
    if (!take_word(&text, word) || !read_sides(word, map)) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s", form);
    }
    for (of[0] = '\0'; take_word(&text, word);) {
        if (strcmp(word, "of") == 0 && take_word(&text, word)) {
            (void)snprintf(of, size, "%s", word);
        } else if (is_known(word)) {
            size_t used = strlen(words);
            (void)snprintf(words + used, sizeof words - used, " %s", word);
        } else {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "'%s' is none of box=64x128, swizzle=none|32B|64B|128B, pitch=BYTES "
                                  "and of ARGUMENT",
                                  word);
        }
    }
    if (strstr(words, "box=") == NULL) {
        return bsim_error_set(err, BSIM_E_INPUT, "box= is missing: %s", form);
    }
    *behind = text;
    enum bsim_status status = read_box(words, map, &pitch, err);
    if (status == BSIM_OK) {
        set_strides(map, pitch);
        status = bsim_ptx_tensormap_check(map, err);
    }
    if (status == BSIM_OK && map->n_dims > 1 && map->stride[1] < times(map->side[0], map->stride[0])) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "pitch=%" PRIu64 ": a row of the tensor has %" PRIu64 " bytes",
                                pitch, times(map->side[0], map->stride[0]));
    }
    return status;
}
