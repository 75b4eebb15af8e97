/* split_lines.c - scans the lines of a trace for its blocks; see format.h.
 *
 * From a line on that is too long nothing is cut, and the reader of the last piece finds out what
 * is wrong there. */
#include "trace/format.h"

#include <string.h>

#if defined(__GNUC__) && defined(__SSE2__)
#define BSIM_SCAN_BLOCKS
#include <immintrin.h>
#endif

enum { LINE_MOST = BSIM_LINE_MAX_BYTES + 2 };

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p;
}

static bool is_usual(char c, signed char least)
{
    return (signed char)c >= least;
}

#ifdef BSIM_SCAN_BLOCKS

enum { BLOCK = 64, VECTOR = 16, TAIL = 128 };

/* 0xff for each of 16 bytes at which a line ends, and for those behind which no usual one
 * begins. */
struct ends {
    __m128i all, others;
};

static inline struct ends ends_at(const char *p, signed char least)
{
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
    __m128i is_end = _mm_cmpeq_epi8(here, _mm_set1_epi8('\n'));
    __m128i is_other = _mm_cmplt_epi8(next, _mm_set1_epi8(least));
    return (struct ends){is_end, _mm_and_si128(is_other, is_end)};
}

/* Of 64 bytes at p, up to the first line end behind which no usual line begins: adds the line ends
 * to *n and returns what is behind. There is such a line end. */
static const char *skip_to_other(const char *p, signed char least, uint64_t *n)
{
    for (;; p += VECTOR) {
        struct ends ends = ends_at(p, least);
        unsigned all = (unsigned)_mm_movemask_epi8(ends.all);
        unsigned others = (unsigned)_mm_movemask_epi8(ends.others);
        if (others != 0) {
            unsigned first = others & (0 - others);
            *n += (uint64_t)__builtin_popcount(all & (2 * first - 1));
            return p + __builtin_ctz(first) + 1;
        }
        *n += (uint64_t)__builtin_popcount(all);
    }
}

/* From p on over 64 bytes at once, as long as only usual lines begin in them or behind, but not
 * into the last 64 before end. Adds the line ends passed to *n. */
static const char *skip_blocks(const char *p, const char *end, signed char least, uint64_t *n)
{
    const __m128i none = _mm_setzero_si128();
    __m128i sum = none;
    for (; end - p > BLOCK; p += BLOCK) {
        struct ends a = ends_at(p, least);
        struct ends b = ends_at(p + VECTOR, least);
        struct ends c = ends_at(p + (size_t)2 * VECTOR, least);
        struct ends d = ends_at(p + (size_t)3 * VECTOR, least);
        __m128i others =
            _mm_or_si128(_mm_or_si128(a.others, b.others), _mm_or_si128(c.others, d.others));
        if (_mm_movemask_epi8(others) != 0) {
            break;
        }
        __m128i all = _mm_add_epi8(_mm_add_epi8(a.all, b.all), _mm_add_epi8(c.all, d.all));
        sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_sub_epi8(none, all), none));
    }
    uint64_t half[2];
    _mm_storeu_si128((__m128i *)(void *)half, sum);
    *n += half[0] + half[1];
    return p;
}

/* The same with vectors of 32 bytes, half the instructions; the last TAIL bytes before end are left
 * to the other, which so is in use on all processors. */
__attribute__((target("avx2"))) static const char *skip_wide(const char *p, const char *end,
                                                             signed char least, uint64_t *n)
{
    const __m256i none = _mm256_setzero_si256();
    const __m256i line_end = _mm256_set1_epi8('\n');
    const __m256i first = _mm256_set1_epi8(least);
    __m256i sum = none;
    for (; end - p > TAIL; p += BLOCK) {
        const __m256i *at = (const __m256i *)(const void *)p;
        const __m256i *next = (const __m256i *)(const void *)(p + 1);
        __m256i a = _mm256_cmpeq_epi8(_mm256_loadu_si256(at), line_end);
        __m256i b = _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 1), line_end);
        __m256i a_other = _mm256_cmpgt_epi8(first, _mm256_loadu_si256(next));
        __m256i b_other = _mm256_cmpgt_epi8(first, _mm256_loadu_si256(next + 1));
        __m256i others =
            _mm256_or_si256(_mm256_and_si256(a, a_other), _mm256_and_si256(b, b_other));
        if (!_mm256_testz_si256(others, others)) {
            break;
        }
        __m256i ends = _mm256_sub_epi8(none, _mm256_add_epi8(a, b));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(ends, none));
    }
    uint64_t quarter[4];
    _mm256_storeu_si256((__m256i *)(void *)quarter, sum);
    *n += quarter[0] + quarter[1] + quarter[2] + quarter[3];
    return p;
}

/* The same, and up to the first line that is not usual, if there is one. */
static const char *skip_many(const char *p, const char *end, signed char least, uint64_t *n)
{
    if (__builtin_cpu_supports("avx2")) {
        p = skip_wide(p, end, least, n);
    }
    p = skip_blocks(p, end, least, n);
    return end - p > BLOCK ? skip_to_other(p, least, n) : p;
}

#else

static const char *skip_many(const char *p, const char *end, signed char least, uint64_t *n)
{
    (void)end;
    (void)least;
    (void)n;
    return p;
}

#endif

/* Over with the usual lines, up to another or to the last, which may not be whole. */
static void skip_usual(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                       signed char least)
{
    const char *start = piece->data + splitter->at;
    const char *end = piece->data + piece->n;
    const char *p = start;
    const char *line_end;
    uint64_t n = 0;
    if (p < end && is_usual(*p, least)) {
        p = skip_many(p, end, least, &n);
    }
    while (p > start && p[-1] != '\n') {
        p--;
    }
    while (p < end && is_usual(*p, least) &&
           (line_end = memchr(p, '\n', (size_t)(end - p))) != NULL && line_end - p <= LINE_MOST) {
        n++;
        p = line_end + 1;
    }
    splitter->place += n;
    splitter->at = (size_t)(p - piece->data);
}

enum bsim_scanned bsim_split_lines(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                   signed char least, bsim_take_line *take)
{
    enum bsim_scanned scanned = BSIM_SCAN_MORE;
    while (scanned == BSIM_SCAN_MORE && !splitter->is_rest) {
        skip_usual(splitter, piece, least);
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
            const char *line_end = end != NULL ? end : next;
            scanned =
                take(splitter, line, skip_blanks(line, line_end), line_end, (size_t)(next - line));
        }
    }
    return scanned;
}
