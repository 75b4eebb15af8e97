/* source.c - errors with their place; see source.h. */
#include "expr/source.h"

#include <stdarg.h>
#include <stdio.h>

uint64_t bsim_source_line(const struct bsim_source *source, size_t at)
{
    uint64_t line = source->line;
    for (size_t i = 0; i < at && line > 0; i++) {
        line += source->text[i] == '\n';
    }
    return line;
}

size_t bsim_source_line_begin(const struct bsim_source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n') {
        at--;
    }
    return at;
}

/* The end of the line that begins at `begin`, without the blanks that end it. */
static size_t line_end(const struct bsim_source *source, size_t begin)
{
    size_t end = begin;
    while (end < source->length && source->text[end] != '\n') {
        end++;
    }
    while (end > begin && (source->text[end - 1] == ' ' || source->text[end - 1] == '\r')) {
        end--;
    }
    return end;
}

enum bsim_status bsim_source_error(const struct bsim_source *source, size_t at,
                                   struct bsim_error *err, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    size_t begin = bsim_source_line_begin(source, at);
    bsim_error_place(err, source->name, bsim_source_line(source, at), (uint32_t)(at - begin + 1),
                     source->text + begin, line_end(source, begin) - begin);
    return BSIM_E_INPUT;
}
