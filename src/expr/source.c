/* source.c - errors with their place; see source.h. */
#include "expr/source.h"

#include <stdarg.h>
#include <stdio.h>

enum bsim_status bsim_source_error(const struct bsim_source *source, size_t at,
                                   struct bsim_error *err, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    bsim_error_place(err, source->name, source->line, (uint32_t)(at + 1), source->text,
                     source->length);
    return BSIM_E_INPUT;
}
