/* buffer.c - the growing text buffer. */
#include <banksim/status.h>

#include "base/memory.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

/* Room for `more` bytes and the NUL. */
static bool make_room(struct bsim_buffer *buffer, size_t more)
{
    size_t needed = buffer->size_bytes + more + 1;
    if (buffer->failed || needed < more) {
        buffer->failed = true;
        return false;
    }
    if (needed <= buffer->capacity_bytes) {
        return true;
    }
    size_t capacity = buffer->capacity_bytes > 0 ? buffer->capacity_bytes : FIRST_CAPACITY;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed : 2 * capacity;
    }
    char *data = bsim_mem_resize(buffer->data, capacity, 1);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity_bytes = capacity;
    return true;
}

void bsim_buffer_add(struct bsim_buffer *buffer, const void *data, size_t size_bytes)
{
    if (size_bytes > 0 && make_room(buffer, size_bytes)) {
        memcpy(buffer->data + buffer->size_bytes, data, size_bytes);
        buffer->size_bytes += size_bytes;
        buffer->data[buffer->size_bytes] = '\0';
    }
}

void bsim_buffer_text(struct bsim_buffer *buffer, const char *text)
{
    bsim_buffer_add(buffer, text, strlen(text));
}

/* Formats into the room that there is, which mostly is enough, and else again into more. */
void bsim_buffer_printf(struct bsim_buffer *buffer, const char *format, ...)
{
    size_t room = buffer->failed ? 0 : buffer->capacity_bytes - buffer->size_bytes;
    char *end = room > 0 ? buffer->data + buffer->size_bytes : NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(end, room, format, arguments);
    va_end(arguments);
    buffer->failed = buffer->failed || length < 0;
    if (length > 0 && (size_t)length >= room) {
        if (end != NULL) {
            *end = '\0'; /* what did not fit is no part of the text if there is no room for all of it */
        }
        if (!make_room(buffer, (size_t)length)) {
            return;
        }
        va_start(arguments, format);
        (void)vsnprintf(buffer->data + buffer->size_bytes, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    buffer->size_bytes += length > 0 ? (size_t)length : 0;
}

void bsim_buffer_plain(struct bsim_buffer *buffer, const char *text)
{
    while (*text != '\0') {
        const char *shown;
        size_t n_shown;
        text += bsim_utf8_shown(text, &shown, &n_shown);
        bsim_buffer_add(buffer, shown, n_shown);
    }
}

void bsim_buffer_clear(struct bsim_buffer *buffer)
{
    buffer->size_bytes = 0;
    if (buffer->data != NULL) {
        buffer->data[0] = '\0';
    }
}

enum bsim_status bsim_buffer_status(const struct bsim_buffer *buffer, struct bsim_error *err)
{
    return buffer->failed ? bsim_error_set(err, BSIM_E_MEMORY, "out of memory") : BSIM_OK;
}

void bsim_buffer_free(struct bsim_buffer *buffer)
{
    bsim_mem_free(buffer->data);
    *buffer = (struct bsim_buffer)BSIM_BUFFER_EMPTY;
}
