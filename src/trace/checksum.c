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

enum { N_SUMS = 8, WORD = 8, ROUND = N_SUMS * WORD };

static inline uint64_t step(uint64_t h, uint64_t w)
{
    uint64_t product = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */
    return product << 29 | product >> 35;
}

uint64_t bsim_checksum(const unsigned char head[BSIM_CHECKSUM_HEAD_BYTES],
                       const unsigned char *payload, size_t size_bytes)
{
    uint64_t h[N_SUMS] = {0};
    size_t at = 0;
    for (; size_bytes - at >= ROUND; at += ROUND) {
        const unsigned char *p = payload + at;
        h[0] = step(h[0], bsim_get64(p));
        h[1] = step(h[1], bsim_get64(p + 8));
        h[2] = step(h[2], bsim_get64(p + 16));
        h[3] = step(h[3], bsim_get64(p + 24));
        h[4] = step(h[4], bsim_get64(p + 32));
        h[5] = step(h[5], bsim_get64(p + 40));
        h[6] = step(h[6], bsim_get64(p + 48));
        h[7] = step(h[7], bsim_get64(p + 56));
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
