/* split_text.c - where the blocks of a text trace begin.
 *
 * Of a line only its first word is looked at. `block` may begin a piece; `kernel` and `site` are
 * what every reader must know; behind `end`, and from a line on that is too long, nothing is cut, and
 * the reader of the last piece finds out what is wrong there. */
#include "trace/split.h"

#include <string.h>

#if defined(__GNUC__) && defined(__SSE2__)
#define BSIM_SCAN_BLOCKS
#include <emmintrin.h>
#endif

enum { LINE_MOST = BSIM_LINE_MAX_BYTES + 2 };

/* Does the line begin with this word, alone? */
static bool begins(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - p) < length || memcmp(p, word, length) != 0) {
        return false;
    }
    p += length;
    return p == end || *p == ' ' || *p == '\t' || *p == '#' || *p == '\r';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p;
}

#ifdef BSIM_SCAN_BLOCKS

enum { BLOCK = 64, VECTOR = 16 };

/* Adds the line ends in the 64 bytes at p to *n, unless one of them is not followed by a 'w'. */
static bool block_of_events(const char *p, uint64_t *n)
{
    const __m128i line_end = _mm_set1_epi8('\n');
    const __m128i event = _mm_set1_epi8('w');
    __m128i ends = _mm_setzero_si128(); /* of each byte, as -1 */
    __m128i others = _mm_setzero_si128();
    for (int i = 0; i < BLOCK; i += VECTOR) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(p + i + 1));
        __m128i is_end = _mm_cmpeq_epi8(here, line_end);
        ends = _mm_add_epi8(ends, is_end);
        others = _mm_or_si128(others, _mm_andnot_si128(_mm_cmpeq_epi8(next, event), is_end));
    }
    if (_mm_movemask_epi8(others) != 0) {
        return false;
    }
    __m128i sums = _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), ends), _mm_setzero_si128());
    *n += (uint64_t)_mm_cvtsi128_si32(sums) + (uint64_t)_mm_extract_epi16(sums, 4);
    return true;
}

/* 64 bytes at once, as long as there are only lines of events in them: up to the line in which the
 * last of them ends. */
static void skip_blocks(struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
    const char *start = piece->data + splitter->at;
    const char *end = piece->data + piece->n;
    const char *p = start;
    uint64_t n = 0;
    while (end - p > BLOCK && block_of_events(p, &n)) {
        p += BLOCK;
    }
    while (n > 0 && p > start && p[-1] != '\n') {
        p--;
    }
    splitter->place += n;
    splitter->at += n > 0 ? (size_t)(p - start) : 0;
}

#else

static void skip_blocks(struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
    (void)splitter;
    (void)piece;
}

#endif

/* The usual lines are those of events: over with them, up to another or to the last, which may not be
 * whole. */
static void skip_events(struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
    if (splitter->at < piece->n && piece->data[splitter->at] == 'w') {
        skip_blocks(splitter, piece);
    }
    const char *p = piece->data + splitter->at;
    const char *end = piece->data + piece->n;
    const char *line_end;
    while (p < end && *p == 'w' && (line_end = memchr(p, '\n', (size_t)(end - p))) != NULL &&
           line_end - p <= LINE_MOST) {
        splitter->place++;
        p = line_end + 1;
    }
    splitter->at = (size_t)(p - piece->data);
}

/* The line from `at` up to end, behind which next is. */
static enum bsim_scanned take_line(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                   const char *end, const char *next)
{
    const char *line = piece->data + splitter->at;
    const char *p = skip_blanks(line, end);
    size_t n = (size_t)(next - line);
    enum bsim_scanned scanned = begins(p, end, "block") ? bsim_split_block(splitter, n)
                                : begins(p, end, "end") ? bsim_split_rest(splitter)
                                                        : BSIM_SCAN_MORE;
    if (scanned != BSIM_SCAN_MORE) {
        return scanned;
    }
    splitter->place++;
    splitter->at += n;
    if (begins(p, end, "kernel") || begins(p, end, "site")) {
        return bsim_split_define(splitter, splitter->place, line, n) ? BSIM_SCAN_MORE
                                                                     : BSIM_SCAN_NO_MEMORY;
    }
    return BSIM_SCAN_MORE;
}

enum bsim_scanned bsim_split_text(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    enum bsim_scanned scanned = BSIM_SCAN_MORE;
    while (scanned == BSIM_SCAN_MORE && !splitter->is_rest) {
        skip_events(splitter, piece);
        const char *line = piece->data + splitter->at;
        size_t left = piece->n - splitter->at;
        const char *end = left > 0 ? memchr(line, '\n', left) : NULL;
        bool is_whole = end != NULL || (splitter->at_end && left > 0);
        if (!is_whole && left <= LINE_MOST) {
            return BSIM_SCAN_MORE;
        }
        if (!is_whole || (end != NULL && end - line > LINE_MOST)) {
            scanned = bsim_split_rest(splitter);
        } else {
            const char *next = end != NULL ? end + 1 : line + left;
            scanned = take_line(splitter, piece, end != NULL ? end : next, next);
        }
    }
    return scanned;
}
