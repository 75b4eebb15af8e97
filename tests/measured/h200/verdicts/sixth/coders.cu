#include "../../../h100/verdicts/verdict.cuh"

__device__ inline void quarter(unsigned &a, unsigned &b, unsigned &c, unsigned &d)
{
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 16);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 12);
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 8);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 7);
}

// ChaCha20, a stream a thread, its state of 16 words loaded by fours and the key stream fed back: rows of 16, or of 20.
template <int PITCH> __device__ float chacha(int rounds)
{
    __shared__ __align__(16) unsigned states[128 * PITCH];
    int t = threadIdx.x;
    uint4 *own = (uint4 *)(states + t * PITCH);
    for (int i = 0; i < 4; i++) own[i] = make_uint4(t * 16 + i, t * 2654435761u + i, 0x61707865u + i * t, 0x3320646eu ^ t);
    for (int r = 0; r < rounds; r++) {
        unsigned s[16];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint4 v = own[i];
            s[i * 4] = v.x;
            s[i * 4 + 1] = v.y;
            s[i * 4 + 2] = v.z;
            s[i * 4 + 3] = v.w;
        }
#pragma unroll 1
        for (int n = 0; n < 10; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) quarter(s[i], s[i + 4], s[i + 8], s[i + 12]);
#pragma unroll
            for (int i = 0; i < 4; i++) quarter(s[i], s[4 + (i + 1) % 4], s[8 + (i + 2) % 4], s[12 + (i + 3) % 4]);
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint4 v = own[i];
            own[i] = make_uint4(v.x + s[i * 4] + (i == 3), v.y + s[i * 4 + 1], v.z + s[i * 4 + 2], v.w + s[i * 4 + 3]);
        }
    }
    uint4 v = own[0], w = own[3];
    return (v.x & 0xffff) + (v.w & 0xfff) + (w.y >> 20);
}
PAIR(chacha, 16, 20, 128)

// Tags of GCM (GHASH), four bits at a time by a table of 16 products, a stream a thread: products of 16 bytes, or four arrays of words.
template <int ARRAYS> __device__ float ghash(int rounds)
{
    __shared__ __align__(16) unsigned product[4 * 16];
    __shared__ unsigned rest[16];
    int t = threadIdx.x;
    if (t < 64) product[ARRAYS ? t % 4 * 16 + t / 4 : t] = t < 4 ? 0 : t * 2654435761u ^ t * t * 40503u;
    if (t < 16) rest[t] = t * 0x1c200000u;
    __syncthreads();
    unsigned z[4] = {t * 17u + 1, t * 2246822519u, 5, t ^ 0x5a5au};
    for (int r = 0; r < rounds; r++) {
        unsigned word[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            word[i] = z[i] ^ ((t * 4 + i) * 3266489917u + r);
            z[i] = 0;
        }
#pragma unroll
        for (int i = 3; i >= 0; i--)
#pragma unroll 4
            for (int n = 0; n < 32; n += 4) {
                unsigned four = word[i] >> n & 15, out = rest[z[3] & 15];
                uint4 by = ARRAYS ? make_uint4(product[four], product[16 + four], product[32 + four], product[48 + four]) : *(const uint4 *)&product[four * 4];
                z[3] = __funnelshift_r(z[3], z[2], 4) ^ by.w;
                z[2] = __funnelshift_r(z[2], z[1], 4) ^ by.z;
                z[1] = __funnelshift_r(z[1], z[0], 4) ^ by.y;
                z[0] = z[0] >> 4 ^ out ^ by.x;
            }
    }
    return (z[0] >> 12) + (z[3] & 0xffff);
}
PAIR(ghash, 0, 1, 128)

__device__ inline void stir(unsigned &a, unsigned &b, unsigned &c, unsigned &d, unsigned x, unsigned y)
{
    a += b + x;
    d = __funnelshift_r(d ^ a, d ^ a, 16);
    c += d;
    b = __funnelshift_r(b ^ c, b ^ c, 12);
    a += b + y;
    d = __funnelshift_r(d ^ a, d ^ a, 8);
    c += d;
    b = __funnelshift_r(b ^ c, b ^ c, 7);
}

// BLAKE2s, a message of 16 words of each thread, its words taken in an order that a table gives: rows of 16, or of 17.
template <int PITCH> __device__ float blake(int rounds)
{
    __shared__ unsigned messages[64 * PITCH];
    __shared__ unsigned char order[160];
    int t = threadIdx.x;
    unsigned *message = messages + t * PITCH, h[8];
    for (int k = 0; k < 16; k++) message[k] = (t * 16 + k) * 2654435761u;
    for (int i = t; i < 160; i += 64) order[i] = (i % 16 * (2 * (i / 16) + 1) + i / 16 * 5) & 15;
    for (int k = 0; k < 8; k++) h[k] = 0x6a09e667u + k * 0x3c6ef372u;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        unsigned v[16];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[k] = h[k];
            v[k + 8] = 0x510e527fu ^ k * 0x9b05688cu;
        }
        v[12] ^= r * 64;
#pragma unroll 1
        for (int n = 0; n < 10; n++) {
            const unsigned char *by = order + n * 16;
#pragma unroll
            for (int i = 0; i < 4; i++) stir(v[i], v[i + 4], v[i + 8], v[i + 12], message[by[i * 2]], message[by[i * 2 + 1]]);
#pragma unroll
            for (int i = 0; i < 4; i++)
                stir(v[i], v[4 + (i + 1) % 4], v[8 + (i + 2) % 4], v[12 + (i + 3) % 4], message[by[8 + i * 2]], message[by[9 + i * 2]]);
        }
#pragma unroll
        for (int k = 0; k < 8; k++) h[k] ^= v[k] ^ v[k + 8];
        message[r & 15] = h[3];
        message[(r + 7) & 15] ^= h[6];
    }
    return (h[0] >> 12) + (h[7] & 0xffff);
}
PAIR(blake, 16, 17, 64)

// Numbers of four bits out of a range coder with trees of adaptive chances (LZMA), four trees of 16 shorts of each thread: rows of 64, or of 66.
template <int PITCH> __device__ float lzma(int rounds)
{
    __shared__ unsigned short chances[64 * PITCH];
    int t = threadIdx.x;
    unsigned short *chance = chances + t * PITCH;
    unsigned seed = t * 2654435761u + 11, range = ~0u, code = seed >> 1, sum = 0;
    for (int k = 0; k < 64; k++) chance[k] = 1024;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int tree = 0; tree < 64; tree += 16) {
            int node = 1;
#pragma unroll
            for (int bit = 0; bit < 4; bit++) {
                unsigned p = chance[tree + node], bound = (range >> 11) * p;
                if (code < bound) {
                    range = bound;
                    chance[tree + node] = p + ((2048 - p) >> 5);
                    node = node * 2;
                } else {
                    range -= bound;
                    code -= bound;
                    chance[tree + node] = p - (p >> 5);
                    node = node * 2 + 1;
                }
                if (range < 1u << 24) {
                    seed = seed * 1664525u + 1013904223u;
                    range <<= 8;
                    code = code << 8 | seed >> 24;
                }
            }
            sum += node * (tree + 1);
        }
    }
    return sum + chance[1] * 0.01f + chance[40];
}
PAIR(lzma, 64, 66, 64)

// Moving to the front what was met last, a list of 32 letters of each thread (bytes): rows of 32, or of 36.
template <int PITCH> __device__ float mtf(int rounds)
{
    __shared__ unsigned char lists[64 * PITCH];
    int t = threadIdx.x, sum = 0;
    unsigned char *list = lists + t * PITCH;
    unsigned seed = t * 2246822519u + 13;
    for (int k = 0; k < 32; k++) list[k] = k;
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned char letter = (seed >> 27) & (seed >> 22), carried = list[0];
        int k = 0;
        while (carried != letter) {
            k++;
            unsigned char next = list[k];
            list[k] = carried;
            carried = next;
        }
        list[0] = letter;
        sum += k * (1 + (r & 7));
    }
    return sum + list[31];
}
PAIR(mtf, 32, 36, 64)
