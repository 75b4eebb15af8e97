/* status.h - what a banksim function answers when it can fail, and the text that others append to.
 *
 * Every fallible function returns enum bsim_status and takes, last, a struct bsim_error that
 * the caller owns (NULL: not interested). On failure the other outputs are untouched and the
 * error tells one cause with its place. Everything is thread-safe as long as two
 * threads do not share one struct; nothing but a buffer allocates.
 */
#ifndef BANKSIM_STATUS_H
#define BANKSIM_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks what the library offers. C++ is told that its functions are C's. */
#if defined(__cplusplus)
#define BSIM_C extern "C"
#else
#define BSIM_C
#endif
#if defined(__GNUC__)
#define BSIM_API BSIM_C __attribute__((visibility("default")))
#define BSIM_MUST_USE __attribute__((warn_unused_result))
#define BSIM_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define BSIM_API BSIM_C
#define BSIM_MUST_USE
#define BSIM_PRINTF(text, first)
#endif

enum bsim_status {
    BSIM_OK = 0,
    BSIM_E_USAGE,  /* an argument of the caller's: unknown kernel, device, key, range */
    BSIM_E_INPUT,  /* a trace or another input file breaks its format */
    BSIM_E_KERNEL, /* a kernel is at fault: divergent barrier, bad address, wrong result */
    BSIM_E_MEMORY, /* an allocation failed */
    BSIM_E_IO,     /* the system refused to open, read or write */
};

enum { BSIM_ERROR_FILE_SIZE = 256, BSIM_ERROR_MESSAGE_SIZE = 512, BSIM_ERROR_EXCERPT_SIZE = 121 };

struct bsim_error {
    enum bsim_status status;
    char file[BSIM_ERROR_FILE_SIZE];       /* "" where the error has no file; cut short if longer */
    uint64_t line;                         /* 1-based; 0: none */
    uint32_t column;                       /* 1-based byte column; 0: none */
    char message[BSIM_ERROR_MESSAGE_SIZE]; /* one sentence: what is wrong and what to do */
    char excerpt[BSIM_ERROR_EXCERPT_SIZE]; /* the source line, or the part of it around column */
    uint32_t caret;                        /* 0-based place in excerpt that column points at */
};

/* Fills *err (may be NULL) with status and a printf-formatted message, without a place, and
 * returns status, so that a failing function can `return bsim_error_set(...)`. A message over
 * the buffer's size is cut. */
BSIM_API enum bsim_status bsim_error_set(struct bsim_error *err, enum bsim_status status,
                                         const char *format, ...) BSIM_PRINTF(3, 4);

/* Adds a place to an error that has none yet (file and line both empty); no-op for err NULL.
 * text[0..length) is the source line, without its line end; a long one is cut to a window
 * around the column, tabs and line ends are shown as blanks, other control characters and what is
 * not UTF-8 as '?'. text may be NULL. */
BSIM_API void bsim_error_place(struct bsim_error *err, const char *file, uint64_t line,
                               uint32_t column, const char *text, size_t length);

/* Writes the error as people read it, into out[0..size), always terminated:
 *     FILE:LINE:COLUMN: message
 *     the line
 *         ^
 * with no line: "FILE, column COLUMN: message", for a text that is no file's; with no place: just
 * the message. Each line ends in '\n'. Returns out. */
BSIM_API const char *bsim_error_text(const struct bsim_error *err, char *out, size_t size);

/* ---- text ------------------------------------------------------------------------------------ */

/* A growing text, the target of every renderer and writer. A failed allocation is sticky: later
 * appends do nothing and bsim_buffer_status tells it once, at the end, so that renderers stay free
 * of error plumbing. */
struct bsim_buffer {
    char *data; /* size bytes, then a terminating NUL; NULL while empty */
    size_t size_bytes;
    size_t capacity_bytes;
    bool failed; /* an allocation failed; data holds what came before */
};

#define BSIM_BUFFER_EMPTY \
    {                     \
        NULL, 0, 0, false \
    }

/* Appends size_bytes bytes; a terminated string; printf-formatted text. */
BSIM_API void bsim_buffer_add(struct bsim_buffer *buffer, const void *data, size_t size_bytes);
BSIM_API void bsim_buffer_text(struct bsim_buffer *buffer, const char *text);
BSIM_API void bsim_buffer_printf(struct bsim_buffer *buffer, const char *format, ...)
    BSIM_PRINTF(2, 3);

/* Appends text fit to be shown: '?' for control characters and those that change the order of what
 * stands around them, U+FFFD for bytes that are not UTF-8. Line ends are control characters too. */
BSIM_API void bsim_buffer_plain(struct bsim_buffer *buffer, const char *text);

/* Forgets the contents, keeps the memory and the failed mark. */
BSIM_API void bsim_buffer_clear(struct bsim_buffer *buffer);

/* BSIM_OK, or BSIM_E_MEMORY if any append since the start failed. */
BSIM_API enum bsim_status bsim_buffer_status(const struct bsim_buffer *buffer,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* Frees the memory; the buffer is empty and usable again. NULL is fine. */
BSIM_API void bsim_buffer_free(struct bsim_buffer *buffer);

#endif
