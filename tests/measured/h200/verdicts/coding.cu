#include "../../h100/verdicts/verdict.cuh"

// Reed and Solomon's check bytes, eight of them, by tables of logarithms and powers: whole words, or bytes.
template <typename ENTRY> __device__ float reed(int rounds)
{
    __shared__ ENTRY log_of[256], power[512];
    int t = threadIdx.x;
    if (t == 0) {
        unsigned x = 1;
        for (int i = 0; i < 255; i++) {
            power[i] = power[i + 255] = (ENTRY)x;
            log_of[x] = (ENTRY)i;
            x = x << 1 ^ (x & 128 ? 0x11d : 0);
        }
        log_of[0] = 0;
        power[510] = power[511] = 1;
    }
    __syncthreads();
    const int generator[8] = {175, 238, 208, 249, 173, 17, 72, 36};
    unsigned parity[9] = {}, data = t * 2654435761u;
    for (int r = 0; r < rounds; r++) {
        unsigned feedback = (data >> 24) ^ parity[0];
        if (feedback != 0) {
            int l = log_of[feedback];
#pragma unroll
            for (int i = 0; i < 8; i++) parity[i] = parity[i + 1] ^ power[l + generator[i]];
        } else {
#pragma unroll
            for (int i = 0; i < 8; i++) parity[i] = parity[i + 1];
        }
        data = data * 1664525u + 1013904223u;
    }
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) sum = sum * 3 + parity[i];
    return sum;
}
PAIR(reed, int, unsigned char, 128)

struct code_entry {
    int length, symbol;
};

// Huffman's codes of at most nine bits by a table of 512 entries: two words each, or a short.
template <int PACKED> __device__ float huffman(int rounds)
{
    __shared__ code_entry wide[PACKED ? 1 : 512];
    __shared__ unsigned short narrow[PACKED ? 512 : 1];
    __shared__ unsigned stream[16 * 128];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) {
        int ones = 0;
        while (ones < 7 && (i >> (8 - ones) & 1)) ones++;
        int length = min(ones + 3, 9), symbol = ones * 4 + (i >> (9 - length) & 3);
        if (PACKED) {
            narrow[i] = symbol << 4 | length;
        } else {
            wide[i].length = length;
            wide[i].symbol = symbol;
        }
    }
    for (int i = 0; i < 16; i++) stream[i * 128 + t] = (t * 16 + i) * 2654435761u ^ t << 7;
    __syncthreads();
    unsigned long long bits = 0;
    unsigned have = 0, at = 0, sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (have < 9) {
            bits |= (unsigned long long)stream[at * 128 + t] << (32 - have);
            have += 32;
            at = (at + 1) & 15;
        }
        int i = (int)(bits >> 55);
        unsigned length, symbol;
        if (PACKED) {
            unsigned e = narrow[i];
            length = e & 15;
            symbol = e >> 4;
        } else {
            length = wide[i].length;
            symbol = wide[i].symbol;
        }
        bits <<= length;
        have -= length;
        sum = sum * 31 + symbol;
    }
    return sum;
}
PAIR(huffman, 0, 1, 128)

// Copies within a thread's own window of 64 bytes (LZ77), as long for all of them, from as far back as each one's token says.
template <int PITCH> __device__ float lz(int rounds)
{
    __shared__ unsigned char windows[64 * PITCH];
    int t = threadIdx.x;
    unsigned char *window = windows + t * PITCH;
    for (int i = 0; i < 64; i++) window[i] = t * 7 + i * 13;
    unsigned token = t * 40503u + 99;
    int at = 0;
    for (int r = 0; r < rounds; r++) {
        int length = 3 + (r & 7), back = 1 + (token >> 20 & 31);
        for (int i = 0; i < length; i++) {
            window[at] = window[(at - back) & 63];
            at = (at + 1) & 63;
        }
        window[at] = token >> 24;
        at = (at + 1) & 63;
        token = token * 1664525u + 1013904223u;
    }
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += window[i] * i;
    return sum;
}
PAIR(lz, 64, 68, 64)

// Base 64: twelve bytes of each thread made 16 letters.
template <int PITCH> __device__ float base64(int rounds)
{
    __shared__ unsigned char in[128 * 12], out[128 * PITCH], letter[64];
    int t = threadIdx.x;
    if (t < 64) letter[t] = t < 26 ? 'A' + t : t < 52 ? 'a' + t - 26 : t < 62 ? '0' + t - 52 : t == 62 ? '+' : '/';
    for (int i = 0; i < 12; i++) in[t * 12 + i] = t * 31 + i * 17;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < 4; k++) {
            const unsigned char *from = in + t * 12 + k * 3;
            unsigned char *to = out + t * PITCH + k * 4;
            unsigned three = from[0] << 16 | from[1] << 8 | from[2];
            to[0] = letter[three >> 18];
            to[1] = letter[three >> 12 & 63];
            to[2] = letter[three >> 6 & 63];
            to[3] = letter[three & 63];
        }
        __syncthreads();
        int other = (t * 5 + r) & 127;
        for (int k = 0; k < 12; k++) in[t * 12 + k] = out[other * PITCH + k + 2] + k * r;
        __syncthreads();
    }
    return in[t * 12] + in[t * 12 + 7];
}
PAIR(base64, 16, 20, 128)

typedef unsigned long long word;
__device__ inline word times_mod(word a, word b)
{
    word low = a * b, high = __umul64hi(a, b);
    word top = high >> 32, middle = (high & 0xffffffffu) * 0xffffffffu;
    word rest = low - top;
    if (low < top) rest -= 0xffffffffu;
    word sum = rest + middle;
    if (sum < middle) sum += 0xffffffffu;
    return sum;
}

// A number theoretic transform of 512 points modulo 2^64 - 2^32 + 1, two butterflies of each of 128 threads.
template <int PAD> __device__ float ntt(int rounds)
{
    __shared__ word s[512 + 32], root[256];
    const word prime = 0xffffffff00000001ull;
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 16 : 0))
    for (int i = t; i < 256; i += 128) {
        word power = 1, square = 7, e = (prime - 1) / 512 * i;
        for (; e > 0; e >>= 1) {
            if (e & 1) power = times_mod(power, square);
            square = times_mod(square, square);
        }
        root[i] = power;
    }
    for (int i = t; i < 512; i += 128) s[AT(i)] = i * 1000003ull;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int half = 1, step = 256; half < 512; half *= 2, step /= 2) {
            for (int n = t; n < 256; n += 128) {
                int k = n & (half - 1), i = 2 * n - k, j = i + half;
                word a = s[AT(i)], b = times_mod(s[AT(j)], root[k * step]);
                word plus = a + b, minus = a - b;
                if (plus < a) plus += 0xffffffffu;
                if (a < b) minus -= 0xffffffffu;
                s[AT(i)] = plus;
                s[AT(j)] = minus;
            }
            __syncthreads();
        }
    }
    return (float)(s[AT(t)] >> 40);
#undef AT
}
PAIR(ntt, 0, 1, 128)

// Montgomery's products of numbers of eight words, a number a thread.
template <int PITCH> __device__ float montgomery(int rounds)
{
    __shared__ unsigned a[64 * PITCH], b[64 * PITCH], modulus[8];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        a[t * PITCH + i] = (t * 8 + i) * 2654435761u;
        b[t * PITCH + i] = (t * 8 + i) * 2246822519u;
    }
    if (t < 8) modulus[t] = t == 0 ? 0xfffffc2fu : t == 1 ? 0xfffffffeu : 0xffffffffu;
    __syncthreads();
    const unsigned inverse = 0xd2253531u;
    for (int r = 0; r < rounds; r++) {
        unsigned sum[10] = {};
#pragma unroll
        for (int i = 0; i < 8; i++) {
            unsigned long long carry = 0;
            unsigned f = b[t * PITCH + i];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                carry += (unsigned long long)a[t * PITCH + j] * f + sum[j];
                sum[j] = (unsigned)carry;
                carry >>= 32;
            }
            carry += sum[8];
            sum[8] = (unsigned)carry;
            sum[9] = (unsigned)(carry >> 32);
            unsigned q = sum[0] * inverse;
            carry = ((unsigned long long)q * modulus[0] + sum[0]) >> 32;
#pragma unroll
            for (int j = 1; j < 8; j++) {
                carry += (unsigned long long)q * modulus[j] + sum[j];
                sum[j - 1] = (unsigned)carry;
                carry >>= 32;
            }
            carry += sum[8];
            sum[7] = (unsigned)carry;
            sum[8] = sum[9] + (unsigned)(carry >> 32);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) a[t * PITCH + i] = sum[i];
        __syncwarp();
    }
    return a[t * PITCH] + a[t * PITCH + 7];
}
PAIR(montgomery, 8, 9, 64)

// Viterbi's decoder of 64 states: newest bits on the right of a state, or on the left of it.
template <int LEFT> __device__ float viterbi(int rounds)
{
    __shared__ int metric[2][64];
    __shared__ unsigned decided[2][64];
    int s = threadIdx.x;
    metric[0][s] = s == 0 ? 0 : 100;
    __syncthreads();
    unsigned received = 0x3ac5;
    for (int r = 0; r < rounds; r++) {
        const int *now = metric[r & 1];
        int first = LEFT ? (s << 1 & 63) : s >> 1, second = LEFT ? first + 1 : first + 32;
        unsigned sent = __popc((s << 1 | 1) & 0x5b) & 1, sent2 = __popc((s << 1 | 1) & 0x79) & 1;
        int cost = (sent ^ (received & 1)) + (sent2 ^ (received >> 1 & 1));
        int one = now[first] + cost, two = now[second] + 2 - cost;
        bool other = two < one;
        metric[(r & 1) ^ 1][s] = (other ? two : one) - (now[0] >> 1);
        unsigned bits = __ballot_sync(0xffffffffu, other);
        if (s % 32 == 0) decided[s / 32][r & 63] = bits;
        received = received * 1103515245u + 12345u;
        received ^= received >> 16;
        __syncthreads();
    }
    return metric[rounds & 1][s] + (int)(decided[s & 1][s / 2] & 255);
}
PAIR(viterbi, 1, 0, 64)

// 32 numbers of twelve bits of each thread out of twelve words, sums of them: a thread's words in a row, or turned.
template <int TURNED> __device__ float unpack(int rounds)
{
    __shared__ unsigned packed[12 * 128];
    int t = threadIdx.x;
#define WORD(i) packed[TURNED ? (i) * 128 + t : t * 12 + (i)]
    for (int i = 0; i < 12; i++) WORD(i) = (t * 12 + i) * 2654435761u;
    __syncthreads();
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int bit = 0; bit < 384; bit += 12) {
            int word = bit / 32, shift = bit % 32;
            unsigned v = WORD(word) >> shift;
            if (shift > 20) v |= WORD(word + 1) << (32 - shift);
            sum += (v & 0xfff) ^ (sum >> 3);
        }
        __syncthreads();
        WORD(r % 12) = sum;
        __syncthreads();
    }
    return sum;
#undef WORD
}
PAIR(unpack, 0, 1, 128)
