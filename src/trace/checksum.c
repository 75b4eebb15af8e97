/* checksum.c - a sum that memory is slower than, in plain C.
 *
 * The payload's 64-bit words go round eight sums, so that eight multiplications are under way at
 * once; then the eight sums and the words of the head go into one:
 *
 *     word   0 1 2 3 4 5 6 7 8 9 ...        step(h, w) = rotate((h ^ w) * odd, 29)
 *     sum    0 1 2 3 4 5 6 7 0 1 ...
 *
 * For a fixed w the step maps h one to one, and for a fixed h it maps w one to one. So two inputs
 * of the same size that differ within one word (any one flipped bit, and any burst up to it) never
 * have the same sum; for other differences chance decides, at one in 2^64. The rotation brings
 * the high bits, which a product alone would never spread, down to where the next one spreads
 * them.
 *
 * CRC-32C was the alternative: as sure for one bit, but fast only with instructions of its own,
 * chosen at run time, and a table for other processors that is slower than their memory.
 */
#include "trace/checksum.h"

#include "trace/bytes.h"

#include <string.h>

enum { N_SUMS = BSIM_CHECKSUM_SUMS, WORD = 8, ROUND = BSIM_CHECKSUM_ROUND };

static inline uint64_t step(uint64_t h, uint64_t w)
{
    uint64_t product = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */
    return product << 29 | product >> 35;
}

static inline void add_round(uint64_t h[BSIM_CHECKSUM_SUMS], const unsigned char *p)
{
    h[0] = step(h[0], bsim_get64(p));
    h[1] = step(h[1], bsim_get64(p + 8));
    h[2] = step(h[2], bsim_get64(p + 16));
    h[3] = step(h[3], bsim_get64(p + 24));
    h[4] = step(h[4], bsim_get64(p + 32));
    h[5] = step(h[5], bsim_get64(p + 40));
    h[6] = step(h[6], bsim_get64(p + 48));
    h[7] = step(h[7], bsim_get64(p + 56));
}

uint64_t bsim_checksum(const unsigned char head[BSIM_CHECKSUM_HEAD_BYTES],
                       const unsigned char *payload, size_t size_bytes)
{
    uint64_t h[N_SUMS] = {0};
    size_t at = 0;
    for (; size_bytes - at >= ROUND; at += ROUND) {
        add_round(h, payload + at);
    }
    for (size_t i = 0; at < size_bytes; i++, at += WORD) {
        h[i] = step(h[i], bsim_get64(payload + at));
    }
    uint64_t sum = size_bytes;
    for (size_t i = 0; i < N_SUMS; i++) {
        sum = step(sum, h[i]);
    }
    for (size_t i = 0; i < BSIM_CHECKSUM_HEAD_BYTES; i += WORD) {
        sum = step(sum, bsim_get64(head + i));
    }
    return sum;
}

/* The bytes of a round that has begun are kept until it is whole. */
void bsim_stream_sum_add(struct bsim_stream_sum *sum, const void *data, size_t size_bytes)
{
    const unsigned char *p = data, *end = p + size_bytes;
    size_t begun = (size_t)(sum->size_bytes % ROUND);
    sum->size_bytes += size_bytes;
    if (begun > 0) {
        size_t missing = ROUND - begun;
        size_t n = size_bytes < missing ? size_bytes : missing;
        memcpy(sum->begun + begun, p, n);
        p += n;
        if (n < missing) {
            return;
        }
        add_round(sum->h, sum->begun);
    }
    for (; end - p >= ROUND; p += ROUND) {
        add_round(sum->h, p);
    }
    if (p < end) {
        memcpy(sum->begun, p, (size_t)(end - p));
    }
}

uint64_t bsim_stream_sum(const struct bsim_stream_sum *sum)
{
    struct bsim_stream_sum last = *sum;
    size_t begun = (size_t)(sum->size_bytes % ROUND);
    uint64_t total = sum->size_bytes;
    if (begun > 0) {
        memset(last.begun + begun, 0, ROUND - begun);
        add_round(last.h, last.begun);
    }
    for (size_t i = 0; i < N_SUMS; i++) {
        total = step(total, last.h[i]);
    }
    return total;
}
