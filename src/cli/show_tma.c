/* show_tma.c - banksim show --tma: where a copy by TMA puts each element, what it takes, and how those
 * fare that read the tile.
 *
 *     banksim show --tma 'half box=64x64 swizzle=128B start=1024'
 *
 * In the drawing (show_chunks.c) "r1 c8" is the chunk that begins with element 8 of row 1.
 */
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 16,
    SECTOR = 32,
    LINE = 128,
    MOST_SPAN = 128, /* of a swizzle, bytes */
    WINDOW = SHOWN_WINDOW,
    N_SWIZZLES = 4,
};

/* ---- what it takes -------------------------------------------------------------------------- */

/* The H200's were boxes of two dimensions whose rows begin at lines of 128 bytes, and bytes in a row
 * (tests/measured/h200/async/tma.csv); all others are an H100's (tests/measured/h100/async/boxes.csv). */
static bool has_h100_clocks(const struct bsim_tma *tma)
{
    bool is_off_lines = tma->from % LINE != 0 || tma->pitch_bytes % LINE != 0;
    return tma->n_dims > 0 && (tma->n_dims != 2 || is_off_lines);
}

static void tell_counts(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    struct bsim_tma_counts counts;
    bool is_load = tma->way == BSIM_TMA_LOAD;
    bsim_tma_count(tma, &counts);
    bsim_buffer_printf(out,
                       "%" PRIu64 " bytes%s: shared memory %s %" PRIu64
                       " words; no wavefront of the data pipe, never a bank conflict with itself\n"
                       "%" PRIu64 " sectors %s L2; ",
                       counts.bytes, is_load ? " (what the mbarrier expects)" : "",
                       is_load ? "writes" : "reads", counts.words, counts.sectors,
                       is_load ? "from" : "to");
    bsim_buffer_printf(
        out,
        counts.is_timed ? "%.4g clocks, one copy behind the other, of one SM, with its data in L2\n"
                        : "at least %.4g clocks: such rows take up to 1.6 times as long (an H100), why is not known\n",
        counts.cycles);
    if (tma->way == BSIM_TMA_REDUCE && tma->n_dims > 0 && bsim_tma_row_bytes(tma) == CHUNK) {
        bsim_buffer_text(out, "Sums of f16, bf16 and f32 take half of that in rows of 16 bytes (measured on an H100).\n");
    }
}

/* From whom the copy takes turns in the memory itself, by half. */
static void tell_beside(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    static const uint32_t halves[] = {0, BSIM_TMA_HALF_BYTES};
    bool of_loads = tma->way != BSIM_TMA_LOAD;
    for (int i = 0; i < 2; i++) {
        double taken = bsim_tma_taken_cycles(tma, of_loads, halves[i]);
        if (taken > 0) {
            bsim_buffer_printf(
                out,
                "It takes %.4g clocks from %s in bytes %s of shared memory, none from %s "
                "and in the other half.\n",
                taken, of_loads ? "ld.shared" : "st.shared", i == 0 ? "0 to 131071" : "131072 on",
                of_loads ? "st.shared" : "ld.shared");
        }
    }
    if (of_loads) {
        bsim_buffer_text(out,
                         "Beside wgmma, which goes first, keep what TMA stores in the half where "
                         "wgmma's operands are not.\n");
    }
}

static void tell_short_rows(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    uint32_t bytes = bsim_tma_row_bytes(tma);
    if (tma->way == BSIM_TMA_LOAD) {
        bsim_buffer_printf(out,
                           "Warning: each row takes a clock, and has %" PRIu32 " bytes: in rows of "
                           "128 the same bytes load faster.\n",
                           bytes);
    } else {
        bsim_buffer_printf(out,
                           "Warning: rows of %" PRIu32 " bytes go out as parts of sectors, which "
                           "take as long as whole ones, or longer.\n",
                           bytes);
    }
}

/* Of the same copy whose rows begin at lines of global memory, or whose bytes in a row begin where they do in one of
 * shared memory. */
static void count_aligned(const struct bsim_tma *tma, struct bsim_tma_counts *counts)
{
    struct bsim_tma aligned = *tma;
    aligned.from = tma->n_dims > 0 ? 0 : tma->start;
    aligned.pitch_bytes = 0;
    bsim_tma_count(&aligned, counts);
}

static void tell_apart(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    struct bsim_tma_counts here, whole;
    bsim_tma_count(tma, &here);
    count_aligned(tma, &whole);
    bsim_buffer_printf(out, "Warning: %s: %" PRIu64 " sectors where %" PRIu64 " would do.\n",
                       tma->n_dims > 0
                           ? "in global memory rows begin in the middle of a sector of 32 bytes"
                           : "the sides lie 16 bytes apart modulo a sector of 32",
                       here.sectors, whole.sectors);
}

/* Why it takes more clocks than sectors or bytes say. */
static void tell_across(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    struct bsim_tma_counts here, whole;
    bool is_load = tma->way == BSIM_TMA_LOAD, changes = (tma->start - tma->from) % SECTOR != 0 || tma->pitch_bytes % SECTOR != 0;
    bsim_tma_count(tma, &here);
    count_aligned(tma, &whole);
    bsim_buffer_printf(out,
                       "Warning: %s: %" PRIu64 " pieces that lie in one line of either side, not %" PRIu64
                       ".\n         Each takes %s: %.4g clocks, not %.4g.\n",
                       tma->n_dims > 0 ? "in global memory rows begin off a line of 128 bytes"
                                       : "the sides begin at other places of a line of 128 bytes",
                       here.pieces, whole.pieces,
                       is_load && changes               ? "a clock, or two where its 16 bytes change their place in a sector"
                       : is_load                        ? "a clock"
                       : tma->way == BSIM_TMA_STORE     ? "a clock a sector, and one more if a sector is not whole"
                                                        : "a clock a sector, and one more",
                       here.cycles, whole.cycles);
}

static void tell_warnings(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    uint32_t found = bsim_tma_warnings(tma);
    if ((found & BSIM_TMA_OFF_PATTERN) != 0 && tma->swizzle != BSIM_TMA_NO_SWIZZLE) {
        bsim_buffer_printf(out,
                           "Warning: start=%" PRIu32 " is no multiple of %" PRIu32
                           ", where the pattern begins. TMA swizzles addresses: who swizzles them "
                           "too finds\n         each element (wgmma, base offset 0); who swizzles "
                           "offsets in the tile, as a CuTe layout with Swizzle<%d,4,3> (of "
                           "bytes)\n         does, does not.\n",
                           tma->start, bsim_tma_pattern_bytes(tma), (int)tma->swizzle);
    }
    if ((found & BSIM_TMA_SHORT_ROWS) != 0) {
        tell_short_rows(tma, out);
    }
    if ((found & BSIM_TMA_SIDES_APART) != 0) {
        tell_apart(tma, out);
    }
    if ((found & BSIM_TMA_ACROSS_LINES) != 0) {
        tell_across(tma, out);
    }
    if ((found & BSIM_TMA_GAPS) != 0) {
        bsim_buffer_printf(out,
                           "Each row takes %" PRIu32 " bytes of shared memory; the %" PRIu32
                           " behind its own are left as they were.\n",
                           bsim_tma_span(tma), bsim_tma_span(tma) - bsim_tma_row_bytes(tma));
    }
}

/* ---- who reads it --------------------------------------------------------------------------- */

/* A request that reads the tile: lane l at element `column` of a row, or at the l-th piece of the rows. */
struct reader {
    const char *what;
    bool is_matrix;
    bool is_wide; /* pieces of 16 bytes, not elements */
    bool is_a_row_each;
};

static const struct reader readers[] = {
    {"ldmatrix, 16 bytes of each row", true, true, true},
    {"ld, lanes along a row", false, false, false},
    {"ld, a lane a row (a column)", false, false, true},
    {"ld of 16 bytes, lanes along a row", false, true, false},
    {"ld of 16 bytes, a lane a row", false, true, true},
};

enum { N_READERS = sizeof readers / sizeof *readers };

/* How many lanes, or rows of a matrix form, there is something for. */
static uint32_t lanes_of(const struct reader *reader, const struct bsim_tma *tma)
{
    uint32_t each = reader->is_wide ? CHUNK : tma->element_bytes;
    uint32_t pieces = bsim_tma_row_bytes(tma) / each, rows = bsim_tma_rows(tma);
    uint32_t n = reader->is_a_row_each || rows >= BSIM_WARP_LANES ? rows : rows * pieces;
    n = n < BSIM_WARP_LANES ? n : BSIM_WARP_LANES;
    return !reader->is_matrix ? n : n >= 32 ? 32 : n >= 16 ? 16 : n >= 8 ? 8 : 0;
}

static void name_opcode(const struct reader *reader, const struct bsim_tma *tma, uint32_t n,
                        char name[64])
{
    if (reader->is_matrix) {
        (void)snprintf(name, 64, "ldmatrix.sync.aligned.m8n8.x%" PRIu32 ".shared.b16", n / 8);
    } else if (reader->is_wide) {
        (void)snprintf(name, 64, "ld.shared.v4.b32");
    } else {
        (void)snprintf(name, 64, "ld.shared.b%" PRIu32, 8 * tma->element_bytes);
    }
}

/* false: the box has too few rows. */
static bool count_reader(const struct bsim_device *device, const struct reader *reader,
                         const struct bsim_tma *tma, struct bsim_counts *counts)
{
    struct bsim_request request = {.mask = 0};
    uint32_t n = lanes_of(reader, tma), each = reader->is_wide ? CHUNK : tma->element_bytes;
    uint32_t pieces = bsim_tma_row_bytes(tma) / each;
    char name[64];
    if (n == 0) {
        return false;
    }
    name_opcode(reader, tma, n, name);
    if (bsim_opcode_parse(name, strlen(name), &request.opcode, NULL) != BSIM_OK) {
        return false;
    }
    request.mask = reader->is_matrix || n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
    for (uint32_t lane = 0; lane < n; lane++) {
        uint32_t row = reader->is_a_row_each ? lane : lane / pieces;
        uint32_t piece = reader->is_a_row_each ? 0 : lane % pieces;
        request.address[lane] = bsim_tma_address(tma, row, piece * each);
    }
    bsim_request_count(device, &request, counts);
    return true;
}

/* In each swizzle that takes rows as long as these; false: the box has too few rows for it. */
static bool ask_reader(const struct bsim_device *device, const struct reader *reader, const struct bsim_tma *tma,
                       struct bsim_tma_reader *found)
{
    struct bsim_counts counts;
    struct bsim_tma other = *tma;
    if (!count_reader(device, reader, tma, &counts)) {
        return false;
    }
    *found = (struct bsim_tma_reader){.what = reader->what, .ideal = counts.ideal};
    for (int i = 0; i < N_SWIZZLES; i++) {
        other.swizzle = (enum bsim_tma_swizzle)i;
        bool fits = bsim_tma_check(&other, WINDOW, NULL) == BSIM_OK && count_reader(device, reader, &other, &counts);
        found->wavefronts[i] = fits ? counts.wavefronts : 0;
    }
    return true;
}

static void tell_reader(const struct bsim_tma_reader *reader, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%-34s%6" PRIu32, reader->what, reader->ideal);
    for (int i = 0; i < N_SWIZZLES; i++) {
        if (reader->wavefronts[i] > 0) {
            bsim_buffer_printf(out, "%7" PRIu32, reader->wavefronts[i]);
        } else {
            bsim_buffer_printf(out, "%7s", "-");
        }
    }
    bsim_buffer_text(out, "\n");
}

/* The swizzle by which some readers together take the fewest wavefronts, the first of equals, and how many. */
static int least_swizzle(const struct bsim_device *device, const struct bsim_tma *tma, int first, int end,
                         uint64_t *least)
{
    int best = 0;
    *least = UINT64_MAX;
    for (int i = 0; i < N_SWIZZLES; i++) {
        struct bsim_tma other = *tma;
        uint64_t sum = 0;
        other.swizzle = (enum bsim_tma_swizzle)i;
        for (int k = first; k < end; k++) {
            struct bsim_counts counts = {.wavefronts = 0};
            sum += count_reader(device, &readers[k], &other, &counts) ? counts.wavefronts : 0;
        }
        if (sum < *least && bsim_tma_check(&other, WINDOW, NULL) == BSIM_OK) {
            *least = sum;
            best = i;
        }
    }
    return best;
}

/* Whether a wgmma can read the box as it would lie with that swizzle: as few rows as B can have. */
static bool has_wgmma(const struct bsim_tma *tma, int swizzle)
{
    enum { LEAST_N = 8 };
    struct bsim_wgmma_descriptor at;
    struct bsim_tma other = *tma;
    other.swizzle = (enum bsim_tma_swizzle)swizzle;
    return bsim_wgmma_of_box(&other, 0, 0, tma->element_bytes, LEAST_N, false, &at) ||
           (tma->element_bytes == 2 &&
            bsim_wgmma_of_box(&other, 0, 0, tma->element_bytes, LEAST_N, true, &at));
}

/* Rows that no swizzle takes: it is boxes beside each other that can have one. */
static void tell_narrower(const struct bsim_tma *tma, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "Rows of %" PRIu32 " bytes are longer than the span of any swizzle: boxes of %" PRIu32
                            " elements along the row, side by side, can have 128B.\n",
                       bsim_tma_row_bytes(tma), MOST_SPAN / tma->element_bytes);
}

/* "All these take least with swizzle=128B", if each of them does: else their sum alone is told of. */
static void tell_least(const struct bsim_device *device, const struct bsim_tma *tma, struct bsim_buffer *out)
{
    uint64_t together, sum = 0;
    int best = least_swizzle(device, tma, 0, N_READERS, &together);
    for (int k = 0; k < N_READERS; k++) {
        uint64_t alone;
        (void)least_swizzle(device, tma, k, k + 1, &alone);
        sum += alone;
    }
    bsim_buffer_printf(out, "%s take least with swizzle=%s%s%s.\n",
                       sum == together ? "All these" : "Together these", bsim_tma_swizzle_name(best),
                       sum == together ? "" : ", though not each",
                       has_wgmma(tma, best) ? "; wgmma has no bank conflict with any, if its descriptor says the same"
                                            : "");
}

static void tell_readers(const struct bsim_device *device, const struct bsim_tma *tma,
                         struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "\n%-34s%6s", "wavefronts of who reads it", "ideal");
    for (int i = 0; i < N_SWIZZLES; i++) {
        bsim_buffer_printf(out, "%7s", bsim_tma_swizzle_name(i));
    }
    bsim_buffer_text(out, "\n");
    for (int i = 0; i < N_READERS; i++) {
        struct bsim_tma_reader found;
        if (ask_reader(device, &readers[i], tma, &found)) {
            tell_reader(&found, out);
        }
    }
    if (bsim_tma_row_bytes(tma) > MOST_SPAN) {
        tell_narrower(tma, out);
    } else {
        tell_least(device, tma, out);
    }
    bsim_buffer_text(out, "Declared for check, where and advise: ");
    for (uint32_t d = tma->n_dims; d-- > 0;) {
        bsim_buffer_printf(out, "[%" PRIu32 "]", tma->box[d]);
    }
    bsim_buffer_printf(out, tma->swizzle == BSIM_TMA_NO_SWIZZLE ? "\n" : " swizzle %s\n",
                       bsim_tma_swizzle_name(tma->swizzle));
}

/* ---- where ---------------------------------------------------------------------------------- */

static void draw(const struct bsim_tma *tma, bool all, struct bsim_buffer *out)
{
    struct chunk_label *label = calloc(SHOWN_CHUNKS, sizeof *label);
    uint32_t bytes = bsim_tma_row_bytes(tma);
    if (label == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t row = 0; row < bsim_tma_rows(tma); row++) {
        for (uint32_t byte = 0; byte < bytes; byte += CHUNK) {
            struct chunk_label *its = &label[bsim_tma_address(tma, row, byte) / CHUNK];
            (void)snprintf(its->text, sizeof its->text, "r%" PRIu32 " c%" PRIu32, row,
                           byte / tma->element_bytes);
        }
    }
    bsim_buffer_text(out, "\nchunks of 16 bytes by the row and the element that they begin with\n");
    bsim_cli_draw_chunks(label, all, out);
    free(label);
}

/* For programs. */
static void report(const struct options *options, const struct bsim_device *device, const struct bsim_tma *tma,
                   struct bsim_buffer *out)
{
    struct bsim_tma_reader found[N_READERS];
    size_t n = 0;
    for (int i = 0; i < N_READERS && tma->n_dims > 0; i++) {
        n += ask_reader(device, &readers[i], tma, &found[n]);
    }
    bsim_report_tma(device, tma, found, n, &options->report, out);
}

enum bsim_status bsim_cli_show_tma(const struct options *options, const struct bsim_device *device,
                                   struct bsim_buffer *out,
                                   struct bsim_error *err)
{
    struct bsim_error wrong;
    struct bsim_tma tma;
    enum bsim_status status = bsim_tma_parse(options->show.tma, &tma, &wrong);
    if (status != BSIM_OK) {
        return bsim_error_set(err, BSIM_E_USAGE, "--tma: %s", wrong.message);
    }
    status = bsim_tma_check(&tma, WINDOW, &wrong);
    if (status != BSIM_OK) {
        return bsim_error_set(err, BSIM_E_INPUT, "--tma: %s", wrong.message);
    }
    if (options->report.format != BSIM_TEXT) {
        report(options, device, &tma, out);
        return BSIM_OK;
    }
    bsim_buffer_printf(out, "TMA %s", options->show.tma);
    bsim_cli_tell_hopper(device, has_h100_clocks(&tma), out);
    tell_counts(&tma, out);
    tell_beside(&tma, out);
    tell_warnings(&tma, out);
    if (tma.n_dims > 0) {
        tell_readers(device, &tma, out);
        draw(&tma, options->all, out);
    }
    return BSIM_OK;
}
