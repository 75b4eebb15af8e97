/* checksum.h - the 64 bits that guard each piece of a binary trace. */
#ifndef BSIM_TRACE_CHECKSUM_H
#define BSIM_TRACE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { BSIM_CHECKSUM_HEAD_BYTES = 56 };

/* Of a payload, whose size is a multiple of 8, and the 56 bytes of head before the place where the
 * sum is stored. payload may be NULL if size_bytes is 0. */
uint64_t bsim_checksum(const unsigned char head[BSIM_CHECKSUM_HEAD_BYTES],
                       const unsigned char *payload, size_t size_bytes);

#endif
