/* cuda.h - one file of CUDA C while it is made PTX: where everything lies, and how it fails.
 *
 *     token.c        the text as tokens
 *     preprocess.c   directives and macros
 *     type.c         types and their layout
 *     parse*.c       tokens to trees, by recursive descent; the grammar stands above each function
 *     lower*.c       trees to instructions in registers and blocks, loops unrolled, calls inlined
 *     print.c        these as the text of a PTX module
 *
 * Everything is in the arena and lives until the text is written. The first failure stays: from then
 * on there are no more tokens, every answer is a harmless one, and nothing is told any more. So who
 * reads asks for the status at the end alone, and loops ask bsim_cu_failed.
 */
#ifndef BSIM_CUDA_CUDA_H
#define BSIM_CUDA_CUDA_H

#include "base/arena.h"

#include <banksim/cuda.h>

#include <string.h>

enum { CU_SCRATCH = 1 << 16 };

/* A text that tokens are of: the file's own, or a header's. */
struct cu_source {
    const char *name; /* for messages */
    const char *text; /* terminated */
    size_t length;
    uint32_t number, depth; /* in the PTX, from 1 on; 0: the file itself */
    bool is_once;           /* #pragma once */
    struct cu_source *next;
};

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

/* Begins with the text. False: memory is short, as the error says. */
bool bsim_cu_begin(struct cu_file *file, const char *name, const char *text, size_t length,
                   const struct bsim_cuda_headers *headers, struct bsim_error *err);

/* Frees all, and answers the status; *out is then as long as before if that is a failure. */
enum bsim_status bsim_cu_finish(struct cu_file *file, struct bsim_buffer *out, size_t before);

/* size zero bytes, CU_SCRATCH at most; never NULL. */
void *bsim_cu_take(struct cu_file *file, size_t size);

/* n elements of zero bytes; NULL, and the file has failed: memory is short. */
void *bsim_cu_take_many(struct cu_file *file, size_t n, size_t each);

/* Room for one more element in an array of n that grows by this alone. NULL, and the file has failed:
 * memory is short. */
void *bsim_cu_grow(struct cu_file *file, void *array, size_t n, size_t each);

/* A terminated text in the arena, never NULL. */
const char *bsim_cu_text(struct cu_file *file, const char *format, ...) BSIM_PRINTF(2, 3);

struct cu_token;

/* "; headers that are not there: x.h", for who misses a declaration; "". */
const char *bsim_cu_missing(struct cu_file *file);

/* Fails with BSIM_E_MEMORY. */
void bsim_cu_no_memory(struct cu_file *file);

/* Fails with BSIM_E_INPUT and a message, placed at the token. */
void bsim_cu_fail(struct cu_file *file, const struct cu_token *token, const char *format, ...)
    BSIM_PRINTF(3, 4);

#endif
