#include "../../../h100/verdicts/verdict.cuh"

// Runs of equal bytes in a thread's row of 32 made pairs of a byte and a length, and the next thread's pairs made a row again.
template <int SPARE> __device__ float rle(int rounds)
{
    constexpr int PITCH = 32 + SPARE, WIDE = 64 + SPARE;
    __shared__ unsigned char row[128 * PITCH], code[128 * WIDE];
    __shared__ int length[128];
    int t = threadIdx.x, other = (t + 1) & 127;
    for (int i = 0; i < 32; i++) row[t * PITCH + i] = i / (2 + t % 5) & 3;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        int n = 0, run = 1;
        unsigned char v = row[t * PITCH];
#pragma unroll 1
        for (int i = 1; i < 32; i++) {
            unsigned char w = row[t * PITCH + i];
            if (w == v) {
                run++;
            } else {
                code[t * WIDE + n] = v;
                code[t * WIDE + n + 1] = run;
                n += 2;
                v = w;
                run = 1;
            }
        }
        code[t * WIDE + n] = v;
        code[t * WIDE + n + 1] = run;
        length[t] = n + 2;
        sum += n;
        __syncthreads();
        int m = length[other], at = 0;
        for (int i = 0; i < m; i += 2) {
            unsigned char b = code[other * WIDE + i];
            int times = code[other * WIDE + i + 1];
#pragma unroll 1
            for (int k = 0; k < times; k++) row[t * PITCH + at++] = b;
        }
        row[t * PITCH + ((r * 7 + t) & 31)] = (t + r) & 3;
        __syncthreads();
    }
    return sum + row[t * PITCH + 5];
}
PAIR(rle, 0, 4, 128)

// Products of bit matrices of 32 x 32 by tables of four rows' sums (four Russians), a matrix a warp: a sum's eight groups side by side, or a group's 16 sums.
template <int BY_GROUP> __device__ float russians(int rounds)
{
    __shared__ unsigned matrix[4][32], table[4][128];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
#define SUM(g, m) table[warp][BY_GROUP ? (g) * 16 + (m) : (m) * 8 + (g)]
    unsigned own = t * 2654435761u ^ 0x9e3779b9u;
    matrix[warp][lane] = 1u << lane ^ (t * 40503u << 7);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int e = i * 32 + lane, g = e >> 4, m = e & 15;
            unsigned sum = 0;
#pragma unroll
            for (int b = 0; b < 4; b++)
                if (m >> b & 1) sum ^= matrix[warp][g * 4 + b];
            SUM(g, m) = sum;
        }
        __syncthreads();
        unsigned product = 0;
#pragma unroll
        for (int g = 0; g < 8; g++) product ^= SUM(g, own >> 4 * g & 15);
        matrix[(warp + 1) & 3][lane] = product;
        own = own * 1664525u + (product | 1);
        __syncthreads();
    }
    return own ^ matrix[warp][lane];
#undef SUM
}
PAIR(russians, 0, 1, 128)

__device__ inline int spread(int v)
{
    v = (v | v << 4) & 0x10f;
    v = (v | v << 2) & 0x133;
    return (v | v << 1) & 0x155;
}

// 32 x 32 whole numbers in Morton's order by 32 x 16 threads: rows written, quads' means taken, columns read; swizzled or not.
template <int SWIZZLED> __device__ float morton(int rounds)
{
    __shared__ int tile[1024];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
#define AT(i) ((i) ^ (SWIZZLED ? (i) >> 5 : 0))
    int row[2], column[2], quad[4];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        row[i] = AT(spread(x) | spread(y + 16 * i) << 1);
        column[i] = AT(spread(y + 16 * i) | spread(x) << 1);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) quad[i] = AT((t & 255) * 4 + i);
    int v[2] = {t * 37 & 1023, t * 53 & 1023}, mean = 0;
    for (int r = 0; r < rounds; r++) {
        tile[row[0]] = v[0];
        tile[row[1]] = v[1];
        __syncthreads();
        if (t < 256) mean = (tile[quad[0]] + tile[quad[1]] + tile[quad[2]] + tile[quad[3]]) / 4;
        v[0] = (tile[column[0]] * 5 + r) & 0xffff;
        v[1] = (tile[column[1]] + mean) & 0xffff;
        __syncthreads();
    }
    return v[0] + v[1];
#undef AT
}
PAIR(morton, 0, 1, 512)

// Random numbers by Lehmer, shuffled by a table of 32 of each thread (Bays and Durham): a thread's table in a row, or turned.
template <int TURNED> __device__ float bays(int rounds)
{
    __shared__ unsigned table[32 * 160];
    int t = threadIdx.x;
#define TABLE(i) table[TURNED ? (i) * 160 + t : t * 32 + (i)]
    unsigned seed = t * 7919u + 1, last = 0, sum = 0;
    for (int i = 39; i >= 0; i--) {
        seed = (unsigned)((unsigned long long)seed * 16807u % 2147483647u);
        if (i < 32) TABLE(i) = seed;
    }
    last = TABLE(0);
    for (int r = 0; r < rounds; r++) {
        seed = (unsigned)((unsigned long long)seed * 16807u % 2147483647u);
        int i = last >> 26;
        last = TABLE(i);
        TABLE(i) = seed;
        sum += last >> 8;
    }
    return sum & 0xffffff;
#undef TABLE
}
PAIR(bays, 0, 1, 160)

__constant__ unsigned long long keccak_constant[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull, 0x0000000080000001ull,
    0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
    0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull,
    0x000000000000800aull, 0x800000008000000aull, 0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

// Keccak's rounds, 25 words of 64 bits of each thread of one warp, in rows of 32 or of 25.
template <int PITCH> __device__ float keccak(int rounds)
{
    __shared__ unsigned long long states[32 * PITCH];
    constexpr int to[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
    constexpr int by[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
    int t = threadIdx.x;
    unsigned long long *s = states + t * PITCH;
#define TURN(v, n) ((v) << (n) | (v) >> (64 - (n)))
    for (int i = 0; i < 25; i++) s[i] = (t * 25 + i) * 0x9e3779b97f4a7c15ull;
    __syncwarp();
    for (int r = 0; r < rounds; r++) {
        unsigned long long column[5];
#pragma unroll
        for (int i = 0; i < 5; i++) column[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
#pragma unroll
        for (int i = 0; i < 5; i++) {
            unsigned long long both = column[(i + 4) % 5] ^ TURN(column[(i + 1) % 5], 1);
#pragma unroll
            for (int j = 0; j < 25; j += 5) s[j + i] ^= both;
        }
        __syncwarp();
        unsigned long long moved = s[1];
#pragma unroll
        for (int i = 0; i < 24; i++) {
            unsigned long long next = s[to[i]];
            s[to[i]] = TURN(moved, by[i]);
            moved = next;
        }
        __syncwarp();
#pragma unroll 1
        for (int j = 0; j < 25; j += 5) {
            unsigned long long row[5];
#pragma unroll
            for (int i = 0; i < 5; i++) row[i] = s[j + i];
#pragma unroll
            for (int i = 0; i < 5; i++) s[j + i] = row[i] ^ (~row[(i + 1) % 5] & row[(i + 2) % 5]);
        }
        s[0] ^= keccak_constant[r % 24];
        __syncwarp();
    }
    return (float)(s[0] >> 40) + (float)(s[24] >> 44);
#undef TURN
}
PAIR(keccak, 32, 25, 32)
