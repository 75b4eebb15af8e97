/* spool.h - records that are written one by one and then read in that order, any number of times.
 *
 * A limit of bytes stays in memory; what is more goes to a temporary file, which has no name and is
 * gone when the program ends, however it does. A failure is sticky, as a buffer's is: later calls
 * do nothing, and bsim_spool_status tells it at the end. Not shared between threads.
 */
#ifndef BSIM_BASE_SPOOL_H
#define BSIM_BASE_SPOOL_H

#include <banksim/status.h>

#include <stdint.h>
#include <stdio.h>

/* Zeroed at first but for the limit; 0: nothing goes to a file. */
struct bsim_spool {
    size_t limit_bytes;
    struct bsim_buffer buffer; /* what is behind the file's records */
    FILE *file;                /* or NULL */
    size_t at;                 /* in the buffer, of the next record to be read */
    bool is_file_read;
    int error; /* errno of the file, or 0 */
};

/* Adds a record of any size. */
void bsim_spool_put(struct bsim_spool *spool, const void *data, uint32_t size_bytes);

/* The first record is the next to be taken. No more can be put afterwards. */
void bsim_spool_rewind(struct bsim_spool *spool);

/* The next record in place of what record holds. False: there is none, or something failed. */
bool bsim_spool_take(struct bsim_spool *spool, struct bsim_buffer *record);

/* BSIM_OK, BSIM_E_MEMORY, or BSIM_E_IO if the temporary file failed. */
enum bsim_status bsim_spool_status(const struct bsim_spool *spool, struct bsim_error *err);

/* Frees what the spool holds. */
void bsim_spool_free(struct bsim_spool *spool);

#endif
