/* bytes.h - little-endian numbers in memory of any alignment. On a little-endian processor each is
 * one instruction. */
#ifndef BSIM_TRACE_BYTES_H
#define BSIM_TRACE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bsim_get16(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t bsim_get32(const unsigned char *p)
{
    return bsim_get16(p) | bsim_get16(p + 2) << 16;
}

static inline uint64_t bsim_get64(const unsigned char *p)
{
    return bsim_get32(p) | (uint64_t)bsim_get32(p + 4) << 32;
}

static inline void bsim_put16(unsigned char *p, uint32_t value)
{
    p[0] = (unsigned char)value;
    p[1] = (unsigned char)(value >> 8);
}

static inline void bsim_put32(unsigned char *p, uint32_t value)
{
    bsim_put16(p, value);
    bsim_put16(p + 2, value >> 16);
}

static inline void bsim_put64(unsigned char *p, uint64_t value)
{
    bsim_put32(p, (uint32_t)value);
    bsim_put32(p + 4, (uint32_t)(value >> 32));
}

/* n numbers of 32 bits. */
static inline void bsim_get32s(const unsigned char *p, uint32_t *out, uint32_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(out, p, (size_t)n * 4);
#else
    for (uint32_t i = 0; i < n; i++) {
        out[i] = bsim_get32(p + (size_t)i * 4);
    }
#endif
}

#endif
