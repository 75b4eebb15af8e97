/* spool.c - records in memory, and beyond a limit in a temporary file. */
#include "base/spool.h"

#include <errno.h>
#include <string.h>

static bool has_failed(const struct bsim_spool *spool)
{
    return spool->buffer.failed || spool->error != 0;
}

/* The file's functions need not say why they failed. */
static void fail(struct bsim_spool *spool)
{
    spool->error = errno != 0 ? errno : EIO;
}

static void move_to_file(struct bsim_spool *spool)
{
    errno = 0;
    spool->file = spool->file != NULL ? spool->file : tmpfile();
    size_t n = spool->buffer.size_bytes;
    if (spool->file == NULL || fwrite(spool->buffer.data, 1, n, spool->file) != n) {
        fail(spool);
    }
    bsim_buffer_clear(&spool->buffer);
}

void bsim_spool_put(struct bsim_spool *spool, const void *data, uint32_t size_bytes)
{
    if (has_failed(spool)) {
        return;
    }
    bsim_buffer_add(&spool->buffer, &size_bytes, sizeof size_bytes);
    bsim_buffer_add(&spool->buffer, data, size_bytes);
    if (spool->limit_bytes > 0 && spool->buffer.size_bytes >= spool->limit_bytes) {
        move_to_file(spool);
    }
}

void bsim_spool_rewind(struct bsim_spool *spool)
{
    spool->at = 0;
    spool->is_file_read = spool->file == NULL;
    errno = 0;
    if (spool->file != NULL && fseek(spool->file, 0, SEEK_SET) != 0) {
        fail(spool);
    }
}

/* n bytes of a record that has begun, in the file or in the buffer. */
static bool take_bytes(struct bsim_spool *spool, void *data, size_t n)
{
    if (spool->is_file_read) {
        memcpy(data, spool->buffer.data + spool->at, n);
        spool->at += n;
        return true;
    }
    errno = 0;
    if (fread(data, 1, n, spool->file) != n) {
        fail(spool);
    }
    return spool->error == 0;
}

/* Whether there is a next record; moves on from the file to the buffer. */
static bool has_next(struct bsim_spool *spool)
{
    if (!spool->is_file_read) {
        int byte = getc(spool->file);
        spool->is_file_read = byte == EOF && !ferror(spool->file);
        if (byte != EOF && ungetc(byte, spool->file) == EOF) {
            fail(spool);
        }
    }
    return !spool->is_file_read || spool->at < spool->buffer.size_bytes;
}

bool bsim_spool_take(struct bsim_spool *spool, struct bsim_buffer *record)
{
    char part[4096];
    uint32_t left;
    bsim_buffer_clear(record);
    if (has_failed(spool) || !has_next(spool) || !take_bytes(spool, &left, sizeof left)) {
        return false;
    }
    while (left > 0) {
        size_t n = left < sizeof part ? left : sizeof part;
        if (!take_bytes(spool, part, n)) {
            return false;
        }
        bsim_buffer_add(record, part, n);
        left -= (uint32_t)n;
    }
    return !record->failed;
}

enum bsim_status bsim_spool_status(const struct bsim_spool *spool, struct bsim_error *err)
{
    if (spool->error != 0) {
        return bsim_error_set(err, BSIM_E_IO, "cannot keep rows in a temporary file: %s",
                              strerror(spool->error));
    }
    return bsim_buffer_status(&spool->buffer, err);
}

void bsim_spool_free(struct bsim_spool *spool)
{
    bsim_buffer_free(&spool->buffer);
    if (spool->file != NULL) {
        (void)fclose(spool->file);
    }
    spool->file = NULL;
}
