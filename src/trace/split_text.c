/* split_text.c - where the blocks of a text trace begin.
 *
 * Of a line only its first word is looked at. `block` may begin a piece; `kernel` and `site` are
 * what every reader must know; behind `end`, and from a line on that is too long, nothing is cut, and
 * the reader of the last piece finds out what is wrong there. */
#include "trace/split.h"

#include <string.h>

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

/* The usual lines are those of events: over with them, up to another or to the last, which may not be
 * whole. */
static void skip_events(struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
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
