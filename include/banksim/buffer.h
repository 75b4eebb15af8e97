/* buffer.h - a growing text buffer, the target of every renderer and writer.
 *
 * A failed allocation is sticky: later appends do nothing and bsim_buffer_status tells it once,
 * at the end, so that renderers stay free of error plumbing. Not shared between threads.
 */
#ifndef BANKSIM_BUFFER_H
#define BANKSIM_BUFFER_H

#include <banksim/status.h>

#include <stdbool.h>

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
