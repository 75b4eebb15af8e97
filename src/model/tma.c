/* tma.c - copies by TMA: where they put each element, and what they take.
 *
 * A box of a tensor lies row by row, rows of higher dimensions counting through. Without a swizzle a row
 * follows the one before it; with one it takes the whole span that the mode is called by, 32, 64 or 128
 * bytes, and what a shorter row leaves of it stays as it was. Then the address, not the offset in the
 * tile, is swizzled: the number of the 16-byte chunk is exclusive-ored with that of the 128 bytes that
 * it lies in, as far as the mode has bits: 128B bits 4 to 6 by 7 to 9, 64B 4 and 5 by 7 and 8, 32B 4 by
 * 7. A box of rows of 32 halves at byte 0, its chunks by row and first element:
 *
 *     byte     +0     +16    +32    +48    +64    +80    +96    +112
 *        0     0,0    0,8    0,16   0,24   1,0    1,8    1,16   1,24      no swizzle; 64B
 *      128     2,0    2,8    2,16   2,24   3,0    3,8    3,16   3,24      no swizzle
 *      128     2,8    2,0    2,24   2,16   3,8    3,0    3,24   3,16      64B
 *      128     1,8    1,0    1,24   1,16   .      .      .      .         128B
 *
 * A copy does not pass the pipe of loads and stores and never conflicts with itself: shared memory reads
 * or writes as many words as it has, whatever the swizzle and the start. What it costs is rows and
 * sectors of 32 bytes. A row goes in pieces that lie in one line of 128 bytes on either side. Clocks from copy to copy, of one SM,
 * data in L2, whatever the number of dimensions:
 *
 *     load      66 to issue (44 where four copies follow each other), a clock a piece, 107.5 bytes a clock: whichever is
 *               longest. A piece of more than 16 bytes takes two where its 16 bytes change their place in a sector
 *     store     a clock a sector of each piece, and one for a piece with a sector that is not whole; at least 12.75 (bytes in
 *               a row: 10.12)
 *     reduce    a clock a sector of each piece and one a piece, whatever is done; at least 50.25 (in a row: 47.88)
 *
 *     a row of 128 bytes, that begins at byte ... of a line    0    16   32   48   64   80   96   112
 *     load                                                     1.2  3    2    4    2    4    2    3
 *     store                                                    4    7    4    7    4    7    4    7
 *
 * Yet a copy meets the block's own accesses in the memory's arrays, which are two: the first 128 KiB
 * and the rest. In its half a load takes 0.4 clocks a sector of shared memory from stores, a store or
 * reduction 0.5 from loads; a load takes nothing from loads, a store nothing from stores, and nobody
 * anything in the other half. The border is byte 131072 of the SM's shared memory, whatever its carve-out: of a block's where it
 * is the first there. The second of two of 112 KiB has it at its byte 16384; behind blocks that come and go it may be anywhere
 * (halves.csv of an H100).
 *
 * Bytes in a row (cp.async.bulk) are one such row; if the sides lie 16 bytes apart modulo 32, each 128 bytes touch five
 * sectors, not four. Loads of rows of 48, 80, 96, 112 bytes and more that are no lines, and of 64 with the sides 16 bytes apart, take
 * up to 1.6 times as long as their pieces say: why is not known, and of those the clocks are a least.
 *
 * What a box has beyond its tensor is zeros to a load, which takes as long as ever, and no fewer sectors come (rows beyond it take a
 * clock each). A store leaves it out, but each of its pieces takes a clock. A box of 32 elements of 4 bytes by 64 rows, of which
 * each row has 32, 24, 16, 8, 0 in the tensor, is stored in 256, 256, 192, 128, 64 clocks and 256, 192, 128, 64, 0 sectors
 * (beyond.csv of an H100).
 *
 * What a box may be is documented for cuTensorMapEncodeTiled (CUDA Driver API, tensor map object
 * management), what a bulk copy may be in the PTX ISA; that a box must begin at a multiple of 128 was
 * seen ("misaligned address" otherwise).
 *
 * Sources: an H200, 2026-11-22 (tests/measured/h200/async): 368 boxes mapped word by word, 692 offered to
 * the encoder, 176 copies timed, 577 pairs of places of them and the block's own accesses; 320 maps more
 * were predicted. An H100, 2026-11-26 (tests/measured/h100/async/boxes.csv): 921 boxes of one to five dimensions, rows off
 * sectors, all reductions. Of boxes with rows of 16 bytes, not of bytes in a row, those of f16, bf16 and f32 take half as long, which is not modelled. Not modelled:
 * interleave, element strides (a box takes what the rows that it keeps take), im2col, gather, multicast. Not measured: what loads
 * of short rows take from stores. All SMs at once are held up by L2: 75 to 87
 * bytes a clock and SM for loads of 32 KiB, 13 to 21 for stores.
 */
#include <banksim/tma.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16, SECTOR = 32, LINE = 128, MOST_PITCH_LOG2 = 40 };

/* ---- where ---------------------------------------------------------------------------------- */

uint32_t bsim_tma_rows(const struct bsim_tma *tma)
{
    uint32_t rows = 1;
    for (uint32_t d = 1; d < tma->n_dims; d++) {
        rows *= tma->box[d];
    }
    return rows;
}

uint32_t bsim_tma_row_bytes(const struct bsim_tma *tma)
{
    return tma->box[0] * tma->element_bytes;
}

uint32_t bsim_tma_span(const struct bsim_tma *tma)
{
    return tma->swizzle == BSIM_TMA_NO_SWIZZLE ? bsim_tma_row_bytes(tma)
                                               : (uint32_t)CHUNK << tma->swizzle;
}

uint32_t bsim_tma_pattern_bytes(const struct bsim_tma *tma)
{
    return (uint32_t)LINE << tma->swizzle;
}

uint32_t bsim_tma_address(const struct bsim_tma *tma, uint32_t row, uint32_t byte)
{
    uint32_t at = tma->start + row * bsim_tma_span(tma) + byte;
    uint32_t mask = (UINT32_C(1) << tma->swizzle) - 1;
    return at ^ (at / LINE & mask) * CHUNK;
}

bool bsim_tma_find(const struct bsim_tma *tma, uint32_t address, uint32_t *row, uint32_t *byte)
{
    uint32_t mask = (UINT32_C(1) << tma->swizzle) - 1, span = bsim_tma_span(tma);
    uint32_t at = (address ^ (address / LINE & mask) * CHUNK) - tma->start; /* modulo 2^32, if it lies before */
    if (at / span >= bsim_tma_rows(tma) || at % span >= bsim_tma_row_bytes(tma)) {
        return false;
    }
    *row = at / span;
    *byte = at % span;
    return true;
}

/* ---- how much ------------------------------------------------------------------------------- */

/* What a copy has to do with L2. */
struct touched {
    uint64_t sectors;
    uint64_t pieces;
    uint64_t clocks;   /* by its pieces */
    bool is_known;     /* or some rows were measured to take longer than their pieces */
};

static uint64_t sectors_of(uint64_t from, uint64_t bytes)
{
    return (from + bytes + SECTOR - 1) / SECTOR - from / SECTOR;
}

/* Clocks of bytes in a row that lie in one line of either side, `apart` bytes from one to the other. */
static uint64_t piece_clocks(enum bsim_tma_way way, uint64_t from, uint64_t bytes, uint64_t apart)
{
    bool is_whole = from % SECTOR == 0 && bytes % SECTOR == 0;
    if (way == BSIM_TMA_LOAD) {
        return apart % SECTOR != 0 && bytes > CHUNK ? 2 : 1;
    }
    return sectors_of(from, bytes) + (way == BSIM_TMA_REDUCE || !is_whole);
}

/* Bytes in a row of both sides, of which the first `inside` are copied. Only where in a line something begins counts, so that no address is too high
 * to be added to. */
static void touch(struct touched *touched, enum bsim_tma_way way, uint64_t from, uint64_t at, uint64_t bytes, uint64_t inside)
{
    uint64_t apart = (at - from) % LINE;
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        uint64_t left_here = LINE - (at + done) % LINE, left_there = LINE - (from + done) % LINE;
        piece = left_here < left_there ? left_here : left_there;
        uint64_t left = done < inside ? inside - done : bytes - done;
        piece = piece < left ? piece : left;
        touched->clocks += done < inside ? piece_clocks(way, from + done, piece, apart) : 1;
        touched->pieces++;
    }
    touched->is_known &= bytes % LINE == 0 || bytes <= SECTOR || (bytes == 2 * SECTOR && apart % SECTOR == 0);
}

/* Bytes of a row that come to the global side: whole chunks, also the one in which the tensor's row ends. */
static uint32_t inside_bytes(const struct bsim_tma *tma)
{
    uint32_t bytes = tma->inside * tma->element_bytes;
    return tma->inside > 0 && tma->way != BSIM_TMA_LOAD ? (bytes + CHUNK - 1) / CHUNK * CHUNK : bsim_tma_row_bytes(tma);
}

/* A box row by row; bytes in a row send a sector for each line of shared memory that it goes to. */
static struct touched touch_all(const struct bsim_tma *tma)
{
    struct touched touched = {.is_known = true};
    uint64_t from = tma->from % LINE, bytes = bsim_tma_row_bytes(tma), at = tma->start % LINE;
    if (tma->n_dims > 0) {
        for (uint32_t row = 0; row < bsim_tma_rows(tma); row++) {
            uint64_t there = (from + row * (tma->pitch_bytes % LINE)) % LINE;
            touch(&touched, tma->way, there, at + (uint64_t)row * bsim_tma_span(tma), bytes, inside_bytes(tma));
            touched.sectors += sectors_of(there, inside_bytes(tma));
        }
        return touched;
    }
    touch(&touched, tma->way, from, at, bytes, bytes);
    touched.is_known = true;
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        uint64_t left = LINE - (at + done) % LINE;
        piece = left < bytes - done ? left : bytes - done;
        touched.sectors += sectors_of(from + done, piece);
    }
    return touched;
}

/* How far the sides of bytes in a row lie apart, modulo a line. */
static uint32_t distance(const struct bsim_tma *tma)
{
    return (uint32_t)(tma->start - tma->from) % LINE;
}

static double cycles_of(const struct bsim_tma *tma, const struct touched *touched)
{
    static const double issue = 66, bytes_a_clock = 107.5;
    bool is_box = tma->n_dims > 0, is_load = tma->way == BSIM_TMA_LOAD;
    double least = is_load                         ? issue
                   : tma->way == BSIM_TMA_STORE    ? (is_box ? 12.75 : 10.12)
                                                   : (is_box ? 50.25 : 47.88);
    double bytes = is_load ? bsim_tma_rows(tma) * (bsim_tma_row_bytes(tma) / bytes_a_clock) : 0;
    double cycles = (double)touched->clocks > bytes ? (double)touched->clocks : bytes;
    return cycles > least ? cycles : least;
}

void bsim_tma_count(const struct bsim_tma *tma, struct bsim_tma_counts *counts)
{
    struct touched touched = touch_all(tma);
    counts->bytes = (uint64_t)bsim_tma_rows(tma) * bsim_tma_row_bytes(tma);
    counts->words = counts->bytes / 4;
    counts->sectors = touched.sectors;
    counts->pieces = touched.pieces;
    counts->cycles = cycles_of(tma, &touched);
    counts->is_timed = tma->way != BSIM_TMA_LOAD || touched.is_known;
}

/* Sectors of shared memory from `begin` on, as far as they lie in that half. */
static uint64_t sectors_in_half(uint64_t begin, uint64_t bytes, bool is_upper)
{
    uint64_t end = begin + bytes, border = BSIM_TMA_HALF_BYTES;
    begin = is_upper && begin < border ? border : begin;
    end = !is_upper && end > border ? border : end;
    return end > begin ? (end + SECTOR - 1) / SECTOR - begin / SECTOR : 0;
}

double bsim_tma_taken_cycles(const struct bsim_tma *tma, bool of_loads, uint32_t address)
{
    bool is_load = tma->way == BSIM_TMA_LOAD, is_upper = address >= BSIM_TMA_HALF_BYTES;
    uint64_t sectors = 0;
    for (uint32_t row = 0; row < bsim_tma_rows(tma) && is_load != of_loads; row++) {
        uint64_t begin = (uint64_t)tma->start + (uint64_t)row * bsim_tma_span(tma);
        sectors += sectors_in_half(begin, bsim_tma_row_bytes(tma), is_upper);
    }
    return (double)sectors * (is_load ? 0.4 : 0.5);
}

/* Whether it takes longer than with a global side that begins at lines, as far as rows let it. */
static bool is_across_lines(const struct bsim_tma *tma)
{
    struct bsim_tma_counts here, there;
    struct bsim_tma aligned = *tma;
    aligned.from = tma->n_dims > 0 ? 0 : tma->start;
    aligned.pitch_bytes = 0;
    bsim_tma_count(tma, &here);
    bsim_tma_count(&aligned, &there);
    return here.pieces > there.pieces && here.cycles > there.cycles;
}

uint32_t bsim_tma_warnings(const struct bsim_tma *tma)
{
    uint32_t found = 0, row = bsim_tma_row_bytes(tma), rows = bsim_tma_rows(tma);
    uint64_t needed = (uint64_t)rows * ((inside_bytes(tma) + SECTOR - 1) / SECTOR);
    bool may_be_apart = tma->n_dims > 0 || distance(tma) % SECTOR != 0;
    found |=
        tma->start % bsim_tma_pattern_bytes(tma) != 0 && tma->n_dims > 0 ? BSIM_TMA_OFF_PATTERN : 0;
    found |=
        rows > 1 && row < (tma->way == BSIM_TMA_LOAD ? LINE : SECTOR) ? BSIM_TMA_SHORT_ROWS : 0;
    found |= may_be_apart && touch_all(tma).sectors > needed ? BSIM_TMA_SIDES_APART : 0;
    found |= row < bsim_tma_span(tma) ? BSIM_TMA_GAPS : 0;
    found |= is_across_lines(tma) ? BSIM_TMA_ACROSS_LINES : 0;
    return found;
}

/* ---- what can be ---------------------------------------------------------------------------- */

static enum bsim_status check_box(const struct bsim_tma *tma, struct bsim_error *err)
{
    uint64_t row = (uint64_t)tma->box[0] * tma->element_bytes;
    for (uint32_t d = 0; d < tma->n_dims; d++) {
        if (tma->box[d] == 0 || tma->box[d] > BSIM_TMA_MAX_BOX) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "a box has 1 to 256 elements along each dimension, not %" PRIu32,
                                  tma->box[d]);
        }
    }
    if (row % CHUNK != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "the innermost dimension of the box has %" PRIu64
                              " bytes, and they must be a multiple of 16",
                              row);
    }
    if (tma->swizzle != BSIM_TMA_NO_SWIZZLE && row > bsim_tma_span(tma)) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "the innermost dimension of the box has %" PRIu64
                              " bytes, and swizzle=%" PRIu32 "B takes no more: several boxes side "
                              "by side%s",
                              row, bsim_tma_span(tma),
                              tma->swizzle == BSIM_TMA_128B ? "" : ", or a wider swizzle");
    }
    if (tma->inside > tma->box[0] || (tma->inside > 0 && tma->way == BSIM_TMA_LOAD)) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              tma->way == BSIM_TMA_LOAD
                                  ? "inside=%" PRIu32 ": a load is whole, with zeros for what the tensor does not have"
                                  : "inside=%" PRIu32 ": a row of the box has fewer elements",
                              tma->inside);
    }
    return BSIM_OK;
}

static enum bsim_status check_places(const struct bsim_tma *tma, struct bsim_error *err)
{
    if (tma->n_dims > 0 && tma->start % LINE != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "start=%" PRIu32
                              ": a box begins at a multiple of 128 bytes of shared memory "
                              "('misaligned address')",
                              tma->start);
    }
    if (tma->start % CHUNK != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "start=%" PRIu32 ": a bulk copy begins at a multiple of 16",
                              tma->start);
    }
    if (tma->from % CHUNK != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "from=%" PRIu64
                              ": in global memory a copy begins at a multiple of 16 bytes",
                              tma->from);
    }
    if (tma->pitch_bytes % CHUNK != 0 || tma->pitch_bytes >> MOST_PITCH_LOG2 != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "pitch=%" PRIu64
                              ": a tensor's strides are multiples of 16 bytes below 2^40",
                              tma->pitch_bytes);
    }
    return BSIM_OK;
}

static enum bsim_status check_size(const struct bsim_tma *tma, uint32_t window_bytes,
                                   struct bsim_error *err)
{
    uint64_t bytes = bsim_tma_span(tma);
    for (uint32_t d = 1; d < tma->n_dims; d++) {
        bytes *= tma->box[d];
    }
    if (bytes > window_bytes || tma->start > window_bytes - bytes) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%" PRIu64 " bytes from byte %" PRIu32 " on end behind the %" PRIu32
                              " of shared memory",
                              bytes, tma->start, window_bytes);
    }
    return BSIM_OK;
}

/* Bytes in a row. */
static enum bsim_status check_row(const struct bsim_tma *tma, struct bsim_error *err)
{
    if (tma->element_bytes != 1 || tma->swizzle != BSIM_TMA_NO_SWIZZLE || tma->pitch_bytes != 0 || tma->inside != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "a bulk copy is bytes in a row: it has no swizzle and no pitch, and no inside=");
    }
    if (tma->box[0] == 0 || tma->box[0] % CHUNK != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "bytes=%" PRIu32 ": a bulk copy has a multiple of 16 bytes",
                              tma->box[0]);
    }
    return BSIM_OK;
}

enum bsim_status bsim_tma_check(const struct bsim_tma *tma, uint32_t window_bytes,
                                struct bsim_error *err)
{
    uint32_t bytes = tma->element_bytes;
    if (tma->n_dims > BSIM_TMA_MAX_DIMS) {
        return bsim_error_set(err, BSIM_E_INPUT, "a tensor has 1 to 5 dimensions, not %" PRIu32,
                              tma->n_dims);
    }
    if (bytes == 0 || bytes > 8 || (bytes & (bytes - 1)) != 0) {
        return bsim_error_set(err, BSIM_E_INPUT, "an element has 1, 2, 4 or 8 bytes, not %" PRIu32,
                              bytes);
    }
    enum bsim_status status = tma->n_dims > 0 ? check_box(tma, err) : check_row(tma, err);
    status = status == BSIM_OK ? check_places(tma, err) : status;
    return status == BSIM_OK ? check_size(tma, window_bytes, err) : status;
}

/* ---- text ----------------------------------------------------------------------------------- */

enum { WORD = 48 };

/* Bytes of an element of that type: CUDA's and C's names, or a width, b16; 0: none. */
static uint32_t bytes_of(const char *type)
{
    static const struct {
        uint32_t bytes;
        const char *names;
    } known[] = {
        {1, " b8 u8 s8 uint8_t int8_t char e4m3 e5m2 __nv_fp8_e4m3 __nv_fp8_e5m2 "},
        {2, " b16 u16 s16 uint16_t int16_t short f16 half __half bf16 __nv_bfloat16 "},
        {4, " b32 u32 s32 uint32_t int32_t int unsigned f32 tf32 float "},
        {8, " b64 u64 s64 uint64_t int64_t f64 double "},
    };
    char name[WORD + 2];
    (void)snprintf(name, sizeof name, " %s ", type);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(known[i].names, name) != NULL) {
            return known[i].bytes;
        }
    }
    return 0;
}

static bool read_number(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *value <= most;
}

/* "64x64", the innermost dimension first. */
static bool read_box(const char *text, struct bsim_tma *tma)
{
    for (tma->n_dims = 0; tma->n_dims < BSIM_TMA_MAX_DIMS;) {
        char *end;
        unsigned long side = strtoul(text, &end, 10);
        if (end == text || text[0] < '0' || text[0] > '9' || side > UINT32_MAX) {
            return false;
        }
        tma->box[tma->n_dims++] = (uint32_t)side;
        if (*end != 'x') {
            return *end == '\0';
        }
        text = end + 1;
    }
    return false;
}

const char *bsim_tma_swizzle_name(enum bsim_tma_swizzle swizzle)
{
    static const char *const names[] = {"none", "32B", "64B", "128B"};
    return names[swizzle % 4];
}

static bool read_swizzle(const char *text, struct bsim_tma *tma)
{
    for (uint32_t i = 0; i < 4; i++) {
        enum bsim_tma_swizzle swizzle = (enum bsim_tma_swizzle)i;
        if (strcmp(text, bsim_tma_swizzle_name(swizzle)) == 0) {
            tma->swizzle = swizzle;
            return true;
        }
    }
    return false;
}

/* What was said, as bits: each may be said once. */
enum said {
    WAY = 1,
    TYPE = 2,
    BULK = 4,
    BOX = 8,
    BYTES = 16,
    SWIZZLE = 32,
    START = 64,
    FROM = 128,
    PITCH = 256,
    INSIDE = 512
};

/* "store", "half", "bulk" */
static uint32_t read_name(const char *word, struct bsim_tma *tma)
{
    static const char *const ways[] = {"load", "store", "reduce"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, ways[i]) == 0) {
            tma->way = (enum bsim_tma_way)i;
            return WAY;
        }
    }
    if (strcmp(word, "bulk") == 0) {
        tma->element_bytes = 1;
        return TYPE | BULK;
    }
    tma->element_bytes = bytes_of(word);
    return tma->element_bytes > 0 ? TYPE : 0;
}

/* "start=1024"; what it says, 0 if it is nothing that can be said. */
static uint32_t read_word(const char *word, struct bsim_tma *tma)
{
    const char *value = strchr(word, '=');
    uint64_t number = 0;
    if (value == NULL) {
        return read_name(word, tma);
    }
    size_t length = (size_t)(++value - word);
    if (strncmp(word, "box=", length) == 0) {
        return read_box(value, tma) ? BOX : 0;
    }
    if (strncmp(word, "swizzle=", length) == 0) {
        return read_swizzle(value, tma) ? SWIZZLE : 0;
    }
    if (strncmp(word, "from=", length) == 0) {
        return read_number(value, UINT64_MAX, &tma->from) ? FROM : 0;
    }
    if (strncmp(word, "pitch=", length) == 0) {
        return read_number(value, UINT64_MAX, &tma->pitch_bytes) ? PITCH : 0;
    }
    if (!read_number(value, UINT32_MAX, &number)) {
        return 0;
    }
    if (strncmp(word, "start=", length) == 0) {
        tma->start = (uint32_t)number;
        return START;
    }
    if (strncmp(word, "inside=", length) == 0) {
        tma->inside = (uint32_t)number;
        return INSIDE;
    }
    tma->box[0] = (uint32_t)number;
    return strncmp(word, "bytes=", length) == 0 ? BYTES : 0;
}

enum bsim_status bsim_tma_parse(const char *text, struct bsim_tma *tma, struct bsim_error *err)
{
    struct bsim_tma read = {.way = BSIM_TMA_LOAD};
    uint32_t said = 0;
    char word[WORD];
    for (size_t length; *(text += strspn(text, " ")) != '\0'; text += length) {
        length = strcspn(text, " ");
        (void)snprintf(word, sizeof word, "%.*s", length < WORD ? (int)length : WORD - 1, text);
        uint32_t says = read_word(word, &read);
        if (says == 0) {
            return bsim_error_set(
                err, BSIM_E_INPUT,
                "'%s' is none of load, store, reduce, a type such as half, bulk, "
                "box=64x64 (up to five sides), bytes=N, swizzle=none|32B|64B|128B, "
                "start=N, from=N, pitch=N and inside=N",
                word);
        }
        if ((said & says) != 0) {
            return bsim_error_set(err, BSIM_E_INPUT, "'%s' says again what was said", word);
        }
        said |= says;
    }
    if ((said & (TYPE | BULK | BOX | BYTES)) != (TYPE | BOX) &&
        (said & (TYPE | BULK | BOX | BYTES)) != (TYPE | BULK | BYTES)) {
        return bsim_error_set(
            err, BSIM_E_INPUT,
            "a copy is as in 'half box=64x64 swizzle=128B start=1024', a type and "
            "a box, or as in 'bulk bytes=4096'");
    }
    if ((said & INSIDE) != 0 && read.inside == 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "inside=0: a store of rows that have nothing inside of the tensor sends nothing, and there is nothing to "
                              "tell; inside=N is from 1 to the box's row, or left out where all of it lies inside");
    }
    *tma = read;
    return BSIM_OK;
}
