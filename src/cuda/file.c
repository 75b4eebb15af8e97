/* file.c - memory and failures of a file; see cuda.h. */
#include "cuda/cuda.h"

#include "base/memory.h"
#include "cuda/token.h"

#include <stdarg.h>
#include <stdio.h>

bool bsim_cu_begin(struct cu_file *file, const char *name, const char *text, size_t length,
                   const struct bsim_cuda_headers *headers, struct bsim_error *err)
{
    memset(file, 0, sizeof *file);
    file->err = err != NULL ? err : &file->own;
    file->headers = headers;
    file->source = (struct cu_source){.name = name,
                                      .text = bsim_arena_text(&file->arena, text, length),
                                      .length = length,
                                      .number = 1};
    if (file->source.text == NULL) {
        bsim_cu_no_memory(file);
    }
    return file->source.text != NULL;
}

enum bsim_status bsim_cu_finish(struct cu_file *file, struct bsim_buffer *out, size_t before)
{
    enum bsim_status status = file->status;
    bsim_arena_free(&file->arena);
    status = status == BSIM_OK ? bsim_buffer_status(out, file->err) : status;
    out->size_bytes = status == BSIM_OK || out->failed ? out->size_bytes : before;
    return status;
}

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

void *bsim_cu_grow(struct cu_file *file, void *array, size_t n, size_t each)
{
    if ((n & (n - 1)) != 0) {
        return array;
    }
    void *larger = bsim_cu_take_many(file, n == 0 ? 1 : 2 * n, each);
    if (larger != NULL && n > 0) {
        memcpy(larger, array, n * each);
    }
    return larger;
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

const char *bsim_cu_missing(struct cu_file *file)
{
    return file->missing != NULL
               ? bsim_cu_text(file, "; headers that are not there: %.120s", file->missing)
               : "";
}

/* ---- failures -------------------------------------------------------------------------------- */

uint32_t bsim_cu_column(const struct cu_token *token)
{
    const char *begin = token->at;
    while (begin > token->source->text && begin[-1] != '\n') {
        begin--;
    }
    return (uint32_t)(token->at - begin) + 1;
}

/* Gives the error the token's place, with its line. */
static void place(const struct cu_file *file, const struct cu_token *token)
{
    const char *begin = token->at + 1 - bsim_cu_column(token);
    bsim_error_place(file->err, token->source->name, token->line, bsim_cu_column(token), begin,
                     strcspn(begin, "\r\n"));
}

void bsim_cu_fail(struct cu_file *file, const struct cu_token *token, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    if (bsim_cu_failed(file)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    file->status = bsim_error_set(file->err, BSIM_E_INPUT, "%s", message);
    if (token != NULL && token->line > 0) {
        place(file, token);
    }
}
