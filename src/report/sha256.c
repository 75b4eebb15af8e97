/* sha256.c - SHA-256 (FIPS 180-4) and base64 (RFC 4648).
 *
 * A page that runs only the script whose digest it names cannot be made to run another one by what
 * a trace calls its kernels, should an escape ever be forgotten. It is no safeguard against anybody
 * who can change the file itself.
 */
#include "report/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK_BYTES = 64, DIGEST_BYTES = 32, N_ROUNDS = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[N_ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

static void expand(const unsigned char block[BLOCK_BYTES], uint32_t word[N_ROUNDS])
{
    for (int i = 0; i < 16; i++) {
        const unsigned char *byte = block + (size_t)4 * (size_t)i;
        word[i] =
            (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
    }
    for (int i = 16; i < N_ROUNDS; i++) {
        uint32_t a = word[i - 15];
        uint32_t b = word[i - 2];
        word[i] = word[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + word[i - 7] +
                  (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t state[8], const unsigned char block[BLOCK_BYTES])
{
    uint32_t word[N_ROUNDS];
    uint32_t s[8];
    expand(block, word);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < N_ROUNDS; i++) {
        uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constant[i] + word[i];
        uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

/* The end: a bit, zeros, the length in bits. */
static void add_rest(uint32_t state[8], const char *rest, size_t size_bytes, uint64_t total_bytes)
{
    unsigned char block[2 * BLOCK_BYTES] = {0};
    size_t end = size_bytes < BLOCK_BYTES - 8 ? BLOCK_BYTES : (size_t)2 * BLOCK_BYTES;
    memcpy(block, rest, size_bytes);
    block[size_bytes] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        block[end - 1 - i] = (unsigned char)(total_bytes * 8 >> 8 * i);
    }
    for (size_t at = 0; at < end; at += BLOCK_BYTES) {
        add_block(state, block + at);
    }
}

static void digest(const char *data, size_t size_bytes, unsigned char out[DIGEST_BYTES])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t at = 0;
    for (; at + BLOCK_BYTES <= size_bytes; at += BLOCK_BYTES) {
        add_block(state, (const unsigned char *)data + at);
    }
    add_rest(state, data + at, size_bytes - at, size_bytes);
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

const char *bsim_sha256_base64(const char *data, size_t size_bytes,
                               char text[BSIM_SHA256_TEXT_SIZE])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char byte[DIGEST_BYTES + 1] = {0}; /* 33 is a multiple of 3 */
    digest(data, size_bytes, byte);
    char *at = text;
    for (size_t i = 0; i < sizeof byte; i += 3) {
        uint32_t three = (uint32_t)byte[i] << 16 | (uint32_t)byte[i + 1] << 8 | byte[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) {
            *at++ = letters[three >> shift & 63];
        }
    }
    text[BSIM_SHA256_TEXT_SIZE - 2] = '=';
    text[BSIM_SHA256_TEXT_SIZE - 1] = '\0';
    return text;
}
