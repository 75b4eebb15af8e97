/* wgmma.c - what wgmma reads of shared memory.
 *
 * One wgmma of m64nNk(32 bytes) reads B in N / 4 wavefronts of 128 bytes, and A, if it is in shared
 * memory, in 16 more. All 32 banks are at work in each: no layout, start or stride makes a conflict, not
 * even strides of 0 or starts off any boundary. The tensor cores take N / 2 clocks, so that shared
 * memory is what holds up N < 64 with A in it, and at N = 64 has no turn left for anybody else:
 *
 *     N                              8   16   32   64   96  128  192  256
 *     tensor cores, N / 2            4    8   16   32   48   64   96  128
 *     wavefronts, A in shared       18   20   24   32   40   48   64   80
 *     clocks, A in shared           18   20   24   32   48   64   96  128
 *
 * With A in registers N <= 40 takes longer than either says: what was measured stands in a table below,
 * why is not known. Of whole numbers N = 8 has its own. Two warpgroups take 13 clocks, or N / 2.
 *
 * Where element (k, i) lies, i being m of A or n of B: operands are cut into chunks of 16 bytes. A chunk
 * runs along k if the operand is K-major, along i if it is MN-major. Eight chunks that follow each other
 * in the other direction are a core matrix; without a swizzle they lie one behind the other:
 *
 *     K-major      chunk along k * LBO + i % 8 * 16 + i / 8 * SBO
 *     MN-major     k % 8 * 16 + k / 8 * LBO + chunk along i * SBO
 *
 * With one they lie in rows of span bytes (128, 64 or 32), as TMA stores them:
 *
 *     K-major      chunk along k * 16 + i % 8 * span + i / 8 * SBO                        LBO is unused
 *     MN-major     chunk in the span * 16 + k % 8 * span + k / 8 * SBO + span along i * LBO
 *
 * and then the address, not the offset in the tile, is swizzled: bits 4 to 6 ^= bits 7 to 9 less the
 * base offset (64B: 4 and 5 by 7 and 8, 32B: 4 by 7).
 *
 * Sources: an H200, 2026-11-22: 306 launches counted, 6,232 timed, 620 descriptors mapped element by
 * element (tests/measured/h200/async); 306, 5,244 and 620 more were predicted. An H100, 2026-11-27: every N up to 64, timed
 * (tests/measured/h100/async/wgmma_narrow.csv); with A in registers N = 16 and 32 take 1.1 and 1.4 clocks less there, in a
 * loop of another kind, and the table has the H200's. Not modelled: sparse forms; e4m3 and tf32 were counted and timed, not
 * mapped.
 */
#include <banksim/wgmma.h>

#include "event/async.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 16, CORE_ROWS = 8, A_WAVEFRONTS = 16, MOST_OFFSET = (1 << 18) - CHUNK };

/* ---- how much ------------------------------------------------------------------------------- */

uint32_t bsim_wgmma_wavefronts(const struct bsim_wgmma *wgmma)
{
    return wgmma->n / 4 + (wgmma->a_in_registers ? 0 : A_WAVEFRONTS);
}

double bsim_wgmma_cycles(const struct bsim_wgmma *wgmma, uint32_t n_warpgroups)
{
    static const struct {
        uint32_t most_n;
        double one, more;
    } registers[] = {{8, 13.78, 12.81}, {24, 15.75, 13.13}, {32, 19.94, 15.41}, {40, 21.58, 20}}, whole = {8, 14.13, 13.04};
    uint32_t tensor = wgmma->n / 2, wavefronts = bsim_wgmma_wavefronts(wgmma);
    if (wgmma->a_in_registers && wgmma->is_whole && wgmma->n <= whole.most_n) {
        return n_warpgroups > 1 ? whole.more : whole.one;
    }
    for (size_t i = 0; wgmma->a_in_registers && i < sizeof registers / sizeof *registers; i++) {
        if (wgmma->n <= registers[i].most_n) {
            return n_warpgroups > 1 ? registers[i].more : registers[i].one;
        }
    }
    return tensor > wavefronts ? tensor : wavefronts;
}

/* ---- where ---------------------------------------------------------------------------------- */

/* The bits of an address that a swizzle changes: 3, 2, 1 or none. */
static uint32_t swizzled_bits(enum bsim_wgmma_swizzle swizzle)
{
    static const uint8_t bits[] = {0, 3, 2, 1};
    return bits[swizzle % 4];
}

static uint32_t swizzle(const struct bsim_wgmma_descriptor *descriptor, uint32_t address)
{
    uint32_t mask = (UINT32_C(1) << swizzled_bits(descriptor->swizzle)) - 1;
    return address ^ (((address >> 7) - descriptor->base_offset) & mask) << 4;
}

uint32_t bsim_wgmma_address(const struct bsim_wgmma_descriptor *descriptor, uint32_t element_bytes,
                            uint32_t k, uint32_t i)
{
    bool has_swizzle = swizzled_bits(descriptor->swizzle) > 0;
    uint32_t span = CHUNK << swizzled_bits(descriptor->swizzle);
    uint32_t lbo = descriptor->leading_bytes, sbo = descriptor->stride_bytes;
    uint32_t along = (descriptor->is_mn_major ? i : k) * element_bytes, rest = along % CHUNK;
    uint32_t at = descriptor->start;
    if (!descriptor->is_mn_major) {
        at += i / CORE_ROWS * sbo;
        at += has_swizzle ? along / CHUNK * CHUNK + i % CORE_ROWS * span
                          : along / CHUNK * lbo + i % CORE_ROWS * CHUNK;
    } else if (!has_swizzle) {
        at += k % CORE_ROWS * CHUNK + k / CORE_ROWS * lbo + along / CHUNK * sbo;
    } else {
        at += along % span / CHUNK * CHUNK + k % CORE_ROWS * span + k / CORE_ROWS * sbo +
              along / span * lbo;
    }
    return swizzle(descriptor, at) + rest;
}

/* ---- what can be ---------------------------------------------------------------------------- */

static enum bsim_status check_field(const char *name, uint32_t value, struct bsim_error *err)
{
    if (value % CHUNK == 0 && value <= MOST_OFFSET) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%s=%" PRIu32 ": a descriptor has multiples of 16 up to %d", name, value,
                          MOST_OFFSET);
}

static enum bsim_status check_fields(const struct bsim_wgmma_descriptor *descriptor,
                                     uint32_t element_bytes, struct bsim_error *err)
{
    enum bsim_status status = check_field("start", descriptor->start, err);
    status = status == BSIM_OK ? check_field("lbo", descriptor->leading_bytes, err) : status;
    status = status == BSIM_OK ? check_field("sbo", descriptor->stride_bytes, err) : status;
    if (status == BSIM_OK && descriptor->base_offset > 7) {
        status = bsim_error_set(err, BSIM_E_INPUT, "base=%" PRIu32 ": a base offset is 0 to 7",
                                descriptor->base_offset);
    }
    if (status == BSIM_OK && descriptor->is_mn_major && element_bytes != 2) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "only operands of 16 bits may be MN-major: the others are K-major");
    }
    return status;
}

enum {
    MOST_CHUNKS = BSIM_WGMMA_MAX_N * BSIM_WGMMA_K_BYTES / CHUNK,
    SEEN_LOG2 = 10,
    N_SEEN = 1 << SEEN_LOG2, /* twice as many as there can be */
};

/* The chunks of an operand, one after another: what its first element is. */
struct chunk {
    uint32_t k, i, address;
};

static struct chunk chunk_at(const struct bsim_wgmma_descriptor *descriptor, uint32_t element_bytes,
                             uint32_t n_rows, uint32_t number)
{
    uint32_t each = CHUNK / element_bytes, n_k = BSIM_WGMMA_K_BYTES / element_bytes;
    uint32_t inner = (descriptor->is_mn_major ? n_rows : n_k) / each;
    uint32_t along = number % inner * each, across = number / inner;
    struct chunk chunk = {.k = descriptor->is_mn_major ? across : along,
                          .i = descriptor->is_mn_major ? along : across};
    chunk.address = bsim_wgmma_address(descriptor, element_bytes, chunk.k, chunk.i);
    return chunk;
}

/* The chunk among chunk[0..number) that lies where chunk[number] does, or `number`; seen[] has those
 * before by place, plus 1: 0 is none. */
static uint32_t find_same(const struct chunk *chunk, uint32_t number, uint16_t seen[N_SEEN])
{
    uint32_t place = chunk[number].address / CHUNK * 2654435761u >> (32 - SEEN_LOG2);
    while (seen[place] != 0 && chunk[seen[place] - 1].address != chunk[number].address) {
        place = (place + 1) % N_SEEN;
    }
    uint32_t found = seen[place];
    if (found == 0) {
        seen[place] = (uint16_t)(number + 1);
    }
    return found > 0 ? found - 1 : number;
}

enum bsim_status bsim_wgmma_check(const struct bsim_wgmma_descriptor *descriptor,
                                  uint32_t element_bytes, uint32_t n_rows, uint32_t window_bytes,
                                  struct bsim_error *err)
{
    struct chunk chunk[MOST_CHUNKS];
    uint16_t seen[N_SEEN] = {0};
    uint32_t n = n_rows * BSIM_WGMMA_K_BYTES / CHUNK;
    enum bsim_status status = check_fields(descriptor, element_bytes, err);
    for (uint32_t a = 0; a < n && status == BSIM_OK; a++) {
        chunk[a] = chunk_at(descriptor, element_bytes, n_rows, a);
        if (window_bytes < CHUNK || chunk[a].address > window_bytes - CHUNK) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "the element at k = %" PRIu32 ", row %" PRIu32
                                  " would be at byte %" PRIu32 ", behind the %" PRIu32
                                  " of shared memory",
                                  chunk[a].k, chunk[a].i, chunk[a].address, window_bytes);
        }
        uint32_t b = find_same(chunk, a, seen);
        if (b < a) {
            return bsim_error_set(
                err, BSIM_E_INPUT,
                "the elements at k = %" PRIu32 ", row %" PRIu32 " and at k = %" PRIu32
                ", row %" PRIu32 " would be the same, at byte %" PRIu32
                ": no tile lies so; see lbo= and sbo=",
                chunk[b].k, chunk[b].i, chunk[a].k, chunk[a].i, chunk[a].address);
        }
    }
    return status;
}

/* ---- names ---------------------------------------------------------------------------------- */

const char *bsim_wgmma_swizzle_name(enum bsim_wgmma_swizzle swizzle)
{
    static const char *const names[] = {"none", "128B", "64B", "32B"};
    return names[swizzle % 4];
}

/* Bytes of an element of that type, or 0. */
static uint32_t bytes_of(const char *type)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } known[] = {{"f16", 2},  {"bf16", 2}, {"tf32", 4}, {"e4m3", 1},
                 {"e5m2", 1}, {"s8", 1},   {"u8", 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(type, known[i].name) == 0) {
            return known[i].bytes;
        }
    }
    return 0;
}

enum bsim_status bsim_wgmma_parse(const char *text, struct bsim_wgmma *wgmma,
                                  struct bsim_error *err)
{
    unsigned n = 0, k = 0;
    char type[8] = "", rest = '\0';
    int found = sscanf(text, "m64n%3uk%2u %7s %c", &n, &k, type, &rest);
    uint32_t bytes = bytes_of(type);
    if (found != 3 || bytes == 0) {
        return bsim_error_set(
            err, BSIM_E_INPUT,
            "a wgmma is as in 'm64n128k16 f16', of f16, bf16, tf32, e4m3, e5m2, s8 "
            "or u8, not '%.60s'",
            text);
    }
    bool is_whole = strcmp(type, "s8") == 0 || strcmp(type, "u8") == 0;
    if (!bsim_async_has_columns(n, is_whole) || k != BSIM_WGMMA_K_BYTES / bytes) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "a wgmma of %s is m64nNk%" PRIu32
                              " with N a multiple of 8 up to 256%s, not '%.60s'",
                              type, BSIM_WGMMA_K_BYTES / bytes, is_whole ? ", beyond 32 of 16" : "", text);
    }
    *wgmma = (struct bsim_wgmma){.n = n, .element_bytes = bytes, .is_whole = is_whole};
    return BSIM_OK;
}
