/* tile.c - a box that TMA has put into shared memory, and the descriptor by which wgmma reads it.
 *
 * Both swizzle addresses, so a descriptor of the box's swizzle finds its rows from any start; what it
 * must say besides is how far apart they lie, before the swizzle:
 *
 *     box of 128B, 64 halves a row      K-major     SBO = 8 rows                   LBO unused
 *                                       MN-major    SBO = 8 rows (of 8 k)          LBO = the next 64 m or n
 *     box of rows of 16 bytes, none     K-major     SBO = 8 rows                   LBO = the next 8 k
 *                                       MN-major    SBO = the next 8 m or n        LBO = 8 rows (of 8 k)
 *
 * What comes next along a row is in the next box: a third dimension of the box goes on where its rows end.
 */
#include <banksim/wgmma.h>

#include <inttypes.h>
#include <stdio.h>

enum { CHUNK = 16, CORE_ROWS = 8 };

/* A place in the tensor's corner that the box has: a row, and a byte of it. */
struct place {
    uint32_t row, byte;
};

static uint32_t rows_of(const struct bsim_tma *box)
{
    return box->n_dims > 1 ? box->box[1] : 1;
}

static uint32_t bytes_of(const struct bsim_tma *box)
{
    return bsim_tma_rows(box) / rows_of(box) * bsim_tma_row_bytes(box);
}

static bool find(const struct bsim_tma *box, uint32_t address, struct place *place)
{
    uint32_t row, byte;
    if (!bsim_tma_find(box, address, &row, &byte)) {
        return false;
    }
    *place = (struct place){row % rows_of(box),
                            row / rows_of(box) * bsim_tma_row_bytes(box) + byte};
    return true;
}

/* Where it lies before the swizzle. */
static uint32_t unswizzled(const struct bsim_tma *box, struct place place)
{
    uint32_t row_bytes = bsim_tma_row_bytes(box), next = place.byte / row_bytes;
    return box->start + (next * rows_of(box) + place.row) * bsim_tma_span(box) + place.byte % row_bytes;
}

static bool has(const struct bsim_tma *box, struct place place)
{
    return place.row < rows_of(box) && place.byte < bytes_of(box);
}

/* Where element (k, i) is if the first one is there. */
static struct place place_of(struct place first, bool is_mn_major, uint32_t element_bytes, uint32_t k,
                             uint32_t i)
{
    uint32_t along = (is_mn_major ? i : k) * element_bytes, across = is_mn_major ? k : i;
    return (struct place){first.row + across, first.byte + along};
}

static enum bsim_status refuse(const struct bsim_tma *box, uint32_t element_bytes, uint32_t k, uint32_t i,
                               uint32_t address, struct place wanted, struct bsim_error *err)
{
    struct place there;
    char what[96] = "where the box puts nothing", wants[96] = "which the box does not have";
    if (find(box, address, &there)) {
        (void)snprintf(what, sizeof what, "where the box has row %" PRIu32 ", element %" PRIu32, there.row,
                       there.byte / element_bytes);
    }
    if (has(box, wanted)) {
        uint32_t row_bytes = bsim_tma_row_bytes(box), row = wanted.byte / row_bytes * rows_of(box) + wanted.row;
        (void)snprintf(wants, sizeof wants, "which lies at byte %" PRIu32,
                       bsim_tma_address(box, row, wanted.byte % row_bytes));
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "k = %" PRIu32 ", row %" PRIu32 " is read at byte %" PRIu32 ", %s, not row %" PRIu32
                          ", element %" PRIu32 ", %s",
                          k, i, address, what, wanted.row, wanted.byte / element_bytes, wants);
}

enum bsim_status bsim_wgmma_check_box(const struct bsim_wgmma_descriptor *descriptor, uint32_t element_bytes,
                                      uint32_t n_rows, const struct bsim_tma *box, struct bsim_error *err)
{
    struct place first, there;
    uint32_t begin = bsim_wgmma_address(descriptor, element_bytes, 0, 0), each = CHUNK / element_bytes;
    uint32_t n_k = BSIM_WGMMA_K_BYTES / element_bytes;
    if (!find(box, begin, &first)) {
        return bsim_error_set(err, BSIM_E_INPUT, "its first element is read at byte %" PRIu32
                              ", where the box puts nothing", begin);
    }
    for (uint32_t i = 0; i < n_rows; i += descriptor->is_mn_major ? each : 1) {
        for (uint32_t k = 0; k < n_k; k += descriptor->is_mn_major ? 1 : each) {
            struct place wanted = place_of(first, descriptor->is_mn_major, element_bytes, k, i);
            uint32_t address = bsim_wgmma_address(descriptor, element_bytes, k, i);
            if (!find(box, address, &there) || there.row != wanted.row || there.byte != wanted.byte) {
                return refuse(box, element_bytes, k, i, address, wanted, err);
            }
        }
    }
    return BSIM_OK;
}

/* From one place to another before the swizzle; a descriptor's least where the box does not go so far. */
static uint32_t distance(const struct bsim_tma *box, struct place from, struct place to)
{
    return has(box, to) ? unswizzled(box, to) - unswizzled(box, from) : CHUNK;
}

bool bsim_wgmma_of_box(const struct bsim_tma *box, uint32_t row, uint32_t byte, uint32_t element_bytes,
                       uint32_t n_rows, bool is_mn_major, struct bsim_wgmma_descriptor *descriptor)
{
    static const enum bsim_wgmma_swizzle modes[] = {BSIM_WGMMA_NO_SWIZZLE, BSIM_WGMMA_32B, BSIM_WGMMA_64B,
                                                    BSIM_WGMMA_128B};
    struct place first = {row, byte};
    bool has_swizzle = box->swizzle != BSIM_TMA_NO_SWIZZLE;
    uint32_t down = distance(box, first, (struct place){row + CORE_ROWS, byte});
    uint32_t right = distance(box, first, (struct place){row, byte + (has_swizzle ? bsim_tma_span(box) : CHUNK)});
    bool is_sbo_right = is_mn_major && !has_swizzle;
    if (!has(box, first)) {
        return false;
    }
    *descriptor = (struct bsim_wgmma_descriptor){
        .start = unswizzled(box, first),
        .leading_bytes = is_sbo_right ? down : has_swizzle && !is_mn_major ? CHUNK : right,
        .stride_bytes = is_sbo_right ? right : down,
        .swizzle = modes[box->swizzle % 4],
        .is_mn_major = is_mn_major,
    };
    return bsim_wgmma_check(descriptor, element_bytes, n_rows, UINT32_MAX, NULL) == BSIM_OK &&
           bsim_wgmma_check_box(descriptor, element_bytes, n_rows, box, NULL) == BSIM_OK;
}

uint64_t bsim_wgmma_encode(const struct bsim_wgmma_descriptor *descriptor)
{
    return descriptor->start / CHUNK % (1 << 14) | (uint64_t)(descriptor->leading_bytes / CHUNK) << 16 |
           (uint64_t)(descriptor->stride_bytes / CHUNK) << 32 | (uint64_t)descriptor->base_offset << 49 |
           (uint64_t)descriptor->swizzle << 62;
}

void bsim_wgmma_decode(uint64_t bits, struct bsim_wgmma_descriptor *descriptor)
{
    descriptor->start = (uint32_t)(bits & 0x3fff) * CHUNK;
    descriptor->leading_bytes = (uint32_t)(bits >> 16 & 0x3fff) * CHUNK;
    descriptor->stride_bytes = (uint32_t)(bits >> 32 & 0x3fff) * CHUNK;
    descriptor->base_offset = (uint32_t)(bits >> 49 & 7);
    descriptor->swizzle = (enum bsim_wgmma_swizzle)(bits >> 62);
}
