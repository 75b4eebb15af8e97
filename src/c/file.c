/* file.c - memory, places and failures; see file.h. */
#include "c/file.h"

#include "base/memory.h"
#include "c/token.h"

#include <stdio.h>

void bsim_cu_no_memory(struct cu_file *file)
{
    if (!bsim_cu_failed(file)) {
        file->status = bsim_mem_short(file->err);
    }
}

void *bsim_cu_take(struct cu_file *file, size_t size)
{
    void *taken = bsim_arena_take(&file->arena, size);
    if (taken == NULL) {
        bsim_cu_no_memory(file);
        size = (size + 15) / 16 * 16;
        file->n_scratch = file->n_scratch + size > CU_SCRATCH ? 0 : file->n_scratch;
        taken = &file->scratch[file->n_scratch];
        file->n_scratch += size;
        memset(taken, 0, size);
    }
    return taken;
}

void *bsim_cu_take_many(struct cu_file *file, size_t n, size_t each)
{
    void *taken = n < SIZE_MAX / 2 / each ? bsim_arena_take(&file->arena, n * each + 1) : NULL;
    if (taken == NULL) {
        bsim_cu_no_memory(file);
    }
    return taken;
}

bool bsim_cu_grow(struct cu_file *file, void *array, size_t n, size_t each)
{
    if ((n & (n - 1)) != 0) {
        return true;
    }
    void *old, *larger = bsim_cu_take_many(file, n == 0 ? 1 : 2 * n, each);
    memcpy(&old, array, sizeof old); /* a pointer of any type */
    if (larger != NULL && n > 0) {
        memcpy(larger, old, n * each);
    }
    memcpy(array, larger != NULL ? &larger : &old, sizeof old);
    return larger != NULL;
}

const char *bsim_cu_text(struct cu_file *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : bsim_arena_take(&file->arena, (size_t)length + 1);
    if (text == NULL) {
        bsim_cu_no_memory(file);
        return "";
    }
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- places ---------------------------------------------------------------------------------- */

size_t bsim_cu_line_begin(const struct cu_source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n') {
        at--;
    }
    return at;
}

uint64_t bsim_cu_line(const struct cu_source *source, size_t at)
{
    uint64_t line = source->line;
    const char *p = source->text, *end = source->text + at;
    while (line > 0 && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        line++;
        p++;
    }
    return line;
}

uint32_t bsim_cu_column(const struct cu_token *token)
{
    size_t at = (size_t)(token->at - token->source->text);
    return (uint32_t)(at - bsim_cu_line_begin(token->source, at)) + 1;
}

/* Gives the error a place, with its line, but for the blanks that end that. */
static void place(struct bsim_error *err, const struct cu_source *source, size_t at)
{
    size_t begin = bsim_cu_line_begin(source, at);
    const char *end = memchr(source->text + begin, '\n', source->length - begin);
    size_t length = end != NULL ? (size_t)(end - source->text) - begin : source->length - begin;
    while (length > 0 && strchr(" \r", source->text[begin + length - 1]) != NULL) {
        length--;
    }
    bsim_error_place(err, source->name, bsim_cu_line(source, at), (uint32_t)(at - begin + 1),
                     source->text + begin, length);
}

/* "in OFFSET: ..." of what stands in that macro's body. */
static void say(struct bsim_error *err, const struct cu_token *maker, const char *format,
                va_list arguments)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    (void)vsnprintf(message, sizeof message, format, arguments);
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s%.*s%s%s", maker != NULL ? "in " : "",
                         maker != NULL ? bsim_cu_shown(maker) : 0, maker != NULL ? maker->text : "",
                         maker != NULL ? ": " : "", message);
}

enum bsim_status bsim_cu_error(const struct cu_source *source, size_t at, struct bsim_error *err,
                               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(err, NULL, format, arguments);
    va_end(arguments);
    place(err, source, at);
    return BSIM_E_INPUT;
}

void bsim_cu_fail(struct cu_file *file, const struct cu_token *token, const char *format, ...)
{
    if (bsim_cu_failed(file)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    say(file->err, token != NULL ? token->maker : NULL, format, arguments);
    va_end(arguments);
    file->status = BSIM_E_INPUT;
    if (token != NULL && token->source != NULL) {
        place(file->err, token->source, (size_t)(token->at - token->source->text));
    }
}
