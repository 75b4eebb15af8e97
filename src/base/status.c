/* status.c - status words, and errors with their place. */
#include <banksim/status.h>

#include "base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Makes somebody else's text fit to be shown: '?' for each byte that a terminal might obey or that
 * is not UTF-8, also at the ends of what was cut out of a longer text. */
static void clean(char *text)
{
    while (*text != '\0') {
        size_t n = bsim_utf8_length(text);
        bool is_shown = n > 0 && !bsim_utf8_control(text);
        n = n > 0 ? n : 1;
        if (!is_shown) {
            memset(text, *text == '\t' ? ' ' : '?', n);
        }
        text += n;
    }
}

enum bsim_status bsim_error_set(struct bsim_error *err, enum bsim_status status, const char *format,
                                ...)
{
    if (err == NULL) {
        return status;
    }
    memset(err, 0, sizeof *err);
    err->status = status;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    clean(err->message);
    return status;
}

/* A long line is shown from a third of the window before the column, so that what led to the error
 * is seen:   ...cdefghijk      with column at 'f'
 *                 ^                                                                           */
static void place_excerpt(struct bsim_error *err, const char *text, size_t length)
{
    size_t window = BSIM_ERROR_EXCERPT_SIZE - 1;
    size_t at = err->column > 0 ? err->column - 1 : 0;
    size_t start = length > window && at > window / 3 ? at - window / 3 : 0;
    size_t n = length > start ? length - start : 0;
    n = n < window ? n : window;
    for (size_t i = 0; i < n; i++) { /* an instruction of PTX may go over several lines */
        char c = text[start + i];
        bool ends_line = c == '\n' || (c == '\r' && i + 1 < n && text[start + i + 1] == '\n');
        err->excerpt[i] = (char)(c == '\0' ? '?' : ends_line ? ' ' : c);
    }
    err->excerpt[n] = '\0';
    clean(err->excerpt);
    err->caret = (uint32_t)(at - start < n ? at - start : n);
}

void bsim_error_place(struct bsim_error *err, const char *file, uint64_t line, uint32_t column,
                      const char *text, size_t length)
{
    if (err == NULL || err->file[0] != '\0' || err->line != 0) {
        return;
    }
    (void)snprintf(err->file, sizeof err->file, "%s", file);
    err->line = line;
    err->column = column;
    if (text != NULL) {
        place_excerpt(err, text, length);
    }
}

/* Columns on the screen before the caret: UTF-8's continuation bytes take none. */
static int caret_columns(const struct bsim_error *err)
{
    int n = 0;
    for (uint32_t i = 0; i < err->caret; i++) {
        n += ((unsigned char)err->excerpt[i] & 0xc0) != 0x80;
    }
    return n;
}

const char *bsim_error_text(const struct bsim_error *err, char *out, size_t size)
{
    char place[BSIM_ERROR_FILE_SIZE + 48] = "";
    if (err->file[0] != '\0' && err->line != 0 && err->column != 0) {
        (void)snprintf(place, sizeof place, "%s:%" PRIu64 ":%" PRIu32 ": ", err->file, err->line,
                       err->column);
    } else if (err->file[0] != '\0' && err->line != 0) {
        (void)snprintf(place, sizeof place, "%s:%" PRIu64 ": ", err->file, err->line);
    } else if (err->file[0] != '\0' && err->column != 0) {
        (void)snprintf(place, sizeof place, "%s, column %" PRIu32 ": ", err->file, err->column);
    } else if (err->file[0] != '\0') {
        (void)snprintf(place, sizeof place, "%s: ", err->file);
    }
    clean(place);
    if (err->excerpt[0] != '\0' && err->column == 0) {
        (void)snprintf(out, size, "%s%s\n    %s\n", place, err->message, err->excerpt);
    } else if (err->excerpt[0] != '\0') {
        (void)snprintf(out, size, "%s%s\n    %s\n    %*s^\n", place, err->message, err->excerpt,
                       caret_columns(err), "");
    } else {
        (void)snprintf(out, size, "%s%s\n", place, err->message);
    }
    return out;
}
