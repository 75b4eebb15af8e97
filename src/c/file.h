/* file.h - a text of CUDA C while it is read: where everything lies, and how it fails.
 *
 * Everything is in the arena and lives until the text was read. The first failure stays: from then
 * on every answer is a harmless one, and nothing is told any more. So who reads asks for the status at
 * the end alone, and loops ask bsim_cu_failed.
 */
#ifndef BSIM_C_FILE_H
#define BSIM_C_FILE_H

#include "base/arena.h"

#include <banksim/status.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CU_SCRATCH = 1 << 16 };

/* A text that tokens are of: a file's, a header's, a statement's. */
struct cu_source {
    const char
        *name;     /* for messages: of the file, or what stands for a place without one: "--load" */
    uint64_t line; /* of the text's begin, 1-based; 0: not from a file */
    const char *text; /* terminated; whole lines, so that messages can show the one at fault */
    size_t length;
    uint32_t number, depth; /* in the PTX, from 1 on; how many headers deep */
    bool is_once;           /* #pragma once */
    struct cu_source *next;
};

struct bsim_cuda_headers;

struct cu_file {
    struct bsim_arena arena;
    struct cu_source source; /* its own, and behind it those of headers, the newest first */
    const struct bsim_cuda_headers *headers;
    const char *missing; /* headers that are not there; NULL: none */
    struct bsim_error own, *err;
    enum bsim_status status;
    /* What is handed out when memory is short: zeros that nobody looks at any more. */
    _Alignas(16) unsigned char scratch[CU_SCRATCH];
    size_t n_scratch; /* bytes handed out; behind the last ones it begins anew */
};

static inline bool bsim_cu_failed(const struct cu_file *file)
{
    return file->status != BSIM_OK;
}

/* size zero bytes, CU_SCRATCH at most; never NULL. */
void *bsim_cu_take(struct cu_file *file, size_t size);

/* n elements of zero bytes; NULL, and the file has failed: memory is short. */
void *bsim_cu_take_many(struct cu_file *file, size_t n, size_t each);

/* Makes room for one more element in *array, a pointer to n elements that grows by this alone. False, and the
 * file has failed: memory is short. */
bool bsim_cu_grow(struct cu_file *file, void *array, size_t n, size_t each);

/* A terminated text in the arena, never NULL. */
const char *bsim_cu_text(struct cu_file *file, const char *format, ...) BSIM_PRINTF(2, 3);

/* Fails with BSIM_E_MEMORY. */
void bsim_cu_no_memory(struct cu_file *file);

struct cu_token;

/* Fails with BSIM_E_INPUT and a message, placed at the token. */
void bsim_cu_fail(struct cu_file *file, const struct cu_token *token, const char *format, ...)
    BSIM_PRINTF(3, 4);

/* ---- places in a text ------------------------------------------------------------------------ */

/* Where the line of byte `at` begins, as an offset in the text. */
size_t bsim_cu_line_begin(const struct cu_source *source, size_t at);

/* The number of that line; 0 if the text is not from a file. */
uint64_t bsim_cu_line(const struct cu_source *source, size_t at);

/* BSIM_E_INPUT with a message, placed at byte `at` of the text; its line is shown. */
enum bsim_status bsim_cu_error(const struct cu_source *source, size_t at, struct bsim_error *err,
                               const char *format, ...) BSIM_PRINTF(4, 5);

#endif
