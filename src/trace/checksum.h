/* checksum.h - the 64 bits that guard each piece of a binary trace, and by which traces are told
 * apart. */
#ifndef BSIM_TRACE_CHECKSUM_H
#define BSIM_TRACE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { BSIM_CHECKSUM_HEAD_BYTES = 56, BSIM_CHECKSUM_SUMS = 8, BSIM_CHECKSUM_ROUND = 64 };

/* Of a payload, whose size is a multiple of 8, and the 56 bytes of head before the place where the
 * sum is stored. payload may be NULL if size_bytes is 0. */
uint64_t bsim_checksum(const unsigned char head[BSIM_CHECKSUM_HEAD_BYTES],
                       const unsigned char *payload, size_t size_bytes);

/* Of bytes that come in parts of any size, however they are cut. Zeroed, there are none yet. */
struct bsim_stream_sum {
    uint64_t h[BSIM_CHECKSUM_SUMS];
    uint64_t size_bytes;
    unsigned char begun[BSIM_CHECKSUM_ROUND];
};

void bsim_stream_sum_add(struct bsim_stream_sum *sum, const void *data, size_t size_bytes);

/* Of all bytes so far; more may follow. */
uint64_t bsim_stream_sum(const struct bsim_stream_sum *sum);

#endif
