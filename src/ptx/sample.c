/* sample.c - what a texture has at a place: the element that is there, or a mean of those around.
 *
 *     x = 2.8, nearest      element floor(2.8) = 2
 *     x = 2.8, filtered     elements lie at 0.5, 1.5, ...: 2.8 - 0.5 = 2 + 77/256: 179/256 of element 2,
 *                           77/256 of element 3
 *
 * That filtered places and weights are whole 256ths is documented ("Texture Fetching" in the CUDA guide).
 * How each of them is rounded was measured on an H200: 11,023 of 11,080 fetches are the same to the last
 * bit. The others are ties of weights in volumes, 8-bit signed means, and edges of a cube, which are not
 * known here.
 */
#include "ptx/texture.h"

#include "ptx/half.h"

#include <math.h>

enum { PARTS = 256 };

/* ---- elements -------------------------------------------------------------------------------- */

/* The channel's lowest bits as a register has them. */
static uint32_t extended(const struct bsim_ptx_texture *t, uint32_t value)
{
    uint32_t above = t->bits < 32 ? UINT32_MAX << t->bits : 0;
    bool is_negative = t->type == 's' && value >> (t->bits - 1) & 1;
    return is_negative ? value | above : value & ~above;
}

/* What is read as 1. */
static float largest(const struct bsim_ptx_texture *t)
{
    return (float)((UINT32_C(1) << (t->bits - (t->type == 's'))) - 1);
}

static float fraction(const struct bsim_ptx_texture *t, uint32_t value)
{
    uint32_t whole = extended(t, value);
    float f = (t->type == 's' ? (float)(int32_t)whole : (float)whole) / largest(t);
    return f < -1 ? -1 : f;
}

/* Channel c of the element at p. A channel that is not there is 0. */
static uint32_t channel(const struct bsim_ptx_texture *t, const unsigned char *p, uint32_t c)
{
    uint32_t bytes = t->bits / 8, value = 0;
    if (c >= t->n) {
        return 0;
    }
    memcpy(&value, p + c * bytes, bytes);
    if (t->type == 'f') {
        return bytes == 2 ? bsim_float_bits(bsim_float_from_half((uint16_t)value)) : value;
    }
    return t->reads_fractions ? bsim_float_bits(fraction(t, value)) : extended(t, value);
}

/* The border's colour as the texture's channels would hold it; of whole numbers its bits. */
static uint32_t border(const struct bsim_ptx_texture *t, uint32_t c)
{
    float colour = t->border[c], least = t->type == 's' ? -1 : 0;
    if (t->is_linear || c >= t->n) {
        return 0;
    }
    if (t->reads_fractions) {
        float most = largest(t), held = colour < least ? least : colour > 1 ? 1 : colour;
        return bsim_float_bits(ceilf(held * most - 0.5f) / most + 0.0f); /* not -0 */
    }
    if (t->type != 'f') {
        return extended(t, bsim_float_bits(colour));
    }
    return bsim_float_bits(t->bits == 16 ? bsim_float_from_half(bsim_half_from_float(colour))
                                         : colour);
}

/* ---- beyond the edges ------------------------------------------------------------------------ */

/* The element that stands for element i of n; -1: the border. */
static int64_t within(int64_t i, uint32_t n, enum bsim_ptx_edge edge)
{
    int64_t size = n, turn = 2 * size;
    if (i >= 0 && i < size) {
        return i;
    }
    if (edge == BSIM_PTX_EDGE_WRAP) {
        return (i % size + size) % size;
    }
    if (edge == BSIM_PTX_EDGE_MIRROR) {
        int64_t at = (i % turn + turn) % turn;
        return at < size ? at : turn - 1 - at;
    }
    return edge == BSIM_PTX_EDGE_BORDER ? -1 : i < 0 ? 0 : size - 1;
}

/* Wrapping and mirroring are for normalised coordinates alone: others clamp. */
static enum bsim_ptx_edge edge_of(const struct bsim_ptx_texture *t, uint32_t d)
{
    bool is_round = t->edge[d] == BSIM_PTX_EDGE_WRAP || t->edge[d] == BSIM_PTX_EDGE_MIRROR;
    return t->is_linear                    ? BSIM_PTX_EDGE_BORDER
           : is_round && !t->is_normalised ? BSIM_PTX_EDGE_CLAMP
                                           : (enum bsim_ptx_edge)t->edge[d];
}

/* Where a fetch begins, in elements. */
struct found {
    uint32_t n; /* dimensions */
    int64_t at[3];
    uint32_t part[3]; /* how far it is to the next element, in 256ths */
    int64_t layer;
};

/* Channel c of the element so many beyond what was found. */
static uint32_t element(const struct bsim_ptx_texture *t, const struct found *f,
                        const uint32_t beyond[3], uint32_t c)
{
    int64_t i[3] = {0, 0, f->layer};
    for (uint32_t d = 0; d < f->n; d++) {
        i[d] = within(f->at[d] + beyond[d], t->extent[d], edge_of(t, d));
        if (i[d] < 0) {
            return border(t, c);
        }
    }
    uint64_t offset = (uint64_t)i[2] * t->slice_bytes + (uint64_t)i[1] * t->row_bytes +
                      (uint64_t)i[0] * t->n * t->bits / 8;
    return channel(t, t->data + offset, c);
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t dimensions(enum bsim_ptx_geometry geometry)
{
    return geometry == BSIM_PTX_LINE || geometry == BSIM_PTX_LINES ? 1
           : geometry == BSIM_PTX_VOLUME                           ? 3
                                                                   : 2;
}

/* A coordinate in 256ths of an element. Normalised ones are cut to 2^-20, filtered ones rounded. */
static int64_t fixed(const struct bsim_ptx_texture *t, float at, uint32_t d, bool is_between)
{
    double x = (double)at;
    if (t->is_normalised) {
        x = floor(x * 0x1p20) * 0x1p-20 * t->extent[d];
    }
    x = floor(x * PARTS + (is_between ? 0.5 : 0));
    return isnan(x) ? 0 : x > 1e15 ? (int64_t)1e15 : x < -1e15 ? (int64_t)-1e15 : (int64_t)x;
}

/* Of a cube's six faces the one that a direction meets, and where: from 0 to 1. */
static int64_t find_face(const float from[3], float at[3])
{
    float x = from[0], y = from[1], z = from[2], ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float s = x, t = -y, most = az;
    int64_t face = z >= 0 ? 4 : 5;
    if (az >= ax && az >= ay) {
        s = z >= 0 ? x : -x;
    } else if (ay >= ax) {
        face = y >= 0 ? 2 : 3;
        t = y >= 0 ? z : -z;
        most = ay;
    } else {
        face = x >= 0 ? 0 : 1;
        s = x >= 0 ? -z : z;
        most = ax;
    }
    at[0] = (s / most + 1) / 2;
    at[1] = (t / most + 1) / 2;
    return face;
}

static int64_t find_layer(const struct bsim_ptx_texture *t,
                          const struct bsim_ptx_texture_place *place, float at[3])
{
    bool is_layered = place->geometry == BSIM_PTX_LINES || place->geometry == BSIM_PTX_PLANES;
    if (place->geometry == BSIM_PTX_CUBE) {
        return find_face(place->at, at);
    }
    uint32_t last = t->extent[2] - 1, layer = (uint32_t)place->layer; /* below 0 is the last, too */
    return is_layered ? layer < last ? layer : last : 0;
}

static struct found find(const struct bsim_ptx_texture *t,
                         const struct bsim_ptx_texture_place *place, bool is_between)
{
    struct found f = {.n = dimensions(place->geometry)};
    float at[3] = {place->at[0], place->at[1], place->at[2]};
    f.layer = find_layer(t, place, at);
    if (is_between && place->geometry == BSIM_PTX_LINE) { /* on the edge of a plane of height 1 */
        f.n = 2;
        at[1] = 0;
    }
    for (uint32_t d = 0; d < f.n; d++) {
        int64_t x =
            place->is_whole ? (int64_t)place->whole[d] * PARTS : fixed(t, at[d], d, is_between);
        x -= is_between ? PARTS / 2 : 0;
        f.at[d] = x >> 8; /* to the lower, of negative ones, too */
        f.part[d] = is_between ? (uint32_t)(x & (PARTS - 1)) : 0;
    }
    return f;
}

/* ---- filtering ------------------------------------------------------------------------------- */

/* What each of the 2, 4 or 8 elements weighs, in 256ths; bit d of its number: the next in dimension d.
 * What goes to the next is rounded, what is left stays. */
static void weigh(const struct found *f, uint32_t weight[8])
{
    static const uint8_t order[4][3] = {{0}, {0}, {0, 1}, {0, 2, 1}};
    weight[0] = PARTS;
    for (uint32_t k = 0, done = 0; k < f->n; k++) {
        uint32_t d = order[f->n][k];
        for (uint32_t i = 0; i < 8; i++) {
            if ((i & ~done) == 0) {
                uint32_t tie = i & 1; /* up or down, so that both together lose nothing */
                uint32_t next = (weight[i] * f->part[d] + PARTS / 2 - 1 + tie) / PARTS;
                weight[i | 1u << d] = next;
                weight[i] -= next;
            }
        }
        done |= 1u << d;
    }
}

/* The sum in as many bits as the hardware keeps: of whole numbers read as fractions 16, the sign in
 * them, of a half its own 11, of a float 24; ties go away from zero. */
static float rounded(const struct bsim_ptx_texture *t, double sum)
{
    if (t->reads_fractions) {
        double most = t->type == 's' ? INT16_MAX : UINT16_MAX;
        return (float)floor(sum * most + 0.5) / (float)most;
    }
    uint64_t bits, one = UINT64_C(1) << (t->bits == 16 ? 42 : 29);
    memcpy(&bits, &sum, sizeof bits);
    bits = (bits + one / 2) & ~(one - 1);
    memcpy(&sum, &bits, sizeof sum);
    return (float)sum;
}

static float mean(const struct bsim_ptx_texture *t, const struct found *f, uint32_t c)
{
    uint32_t weight[8];
    double sum = 0;
    weigh(f, weight);
    for (uint32_t i = 0; i < 1u << f->n; i++) {
        const uint32_t beyond[3] = {i & 1, i >> 1 & 1, i >> 2};
        if (weight[i] != 0) {
            sum += weight[i] / (double)PARTS * (double)bsim_bits_float(element(t, f, beyond, c));
        }
    }
    return rounded(t, sum);
}

static bool crosses_face(const struct bsim_ptx_texture *t, const struct found *f)
{
    for (uint32_t d = 0; d < 2; d++) {
        if (f->at[d] < 0 || f->at[d] + (f->part[d] > 0) >= t->extent[d]) {
            return true;
        }
    }
    return false;
}

bool bsim_ptx_texture_read(const struct bsim_ptx_texture *texture,
                           const struct bsim_ptx_texture_place *place, uint32_t result[4])
{
    static const uint32_t itself[3];
    bool is_float = texture->type == 'f' || texture->reads_fractions;
    bool is_between = texture->is_filtered && is_float && !place->is_whole;
    struct found f = find(texture, place, is_between);
    if (place->geometry == BSIM_PTX_CUBE && is_between && crosses_face(texture, &f)) {
        return false;
    }
    for (uint32_t c = 0; c < 4; c++) {
        result[c] =
            is_between ? bsim_float_bits(mean(texture, &f, c)) : element(texture, &f, itself, c);
    }
    return true;
}

void bsim_ptx_texture_gather(const struct bsim_ptx_texture *texture,
                             const struct bsim_ptx_texture_place *place, uint32_t c,
                             uint32_t result[4])
{
    static const uint32_t around[4][3] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct found f = find(texture, place, true);
    for (uint32_t i = 0; i < 4; i++) {
        result[i] = element(texture, &f, around[i], c);
    }
}
