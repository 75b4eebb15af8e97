#include "../verdict.cuh"

// The longest common subsequence of a thread's own two words of 32 letters, a line of shorts in shared memory.
template <int TURNED> __device__ float lcs(int rounds)
{
    __shared__ unsigned short line[64 * 32];
    int t = threadIdx.x;
#define LINE(j) line[TURNED ? (j) * 64 + t : t * 32 + (j)]
    unsigned a = t * 2654435761u, b = t * 40503u + 77;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 32; j++) LINE(j) = 0;
        for (int i = 0; i < 32; i++) {
            int diagonal = 0, left = 0;
            unsigned ca = (a >> i) & 1;
#pragma unroll 1
            for (int j = 0; j < 32; j++) {
                int up = LINE(j);
                int best = ca == ((b >> j) & 1) ? diagonal + 1 : max(up, left);
                diagonal = up;
                left = best;
                LINE(j) = best;
            }
        }
        sum += LINE(31);
        a = a * 5 + sum;
    }
    return sum;
#undef LINE
}
PAIR(lcs, 0, 1, 64)

// Needleman and Wunsch's tile of 16 x 16, four tiles to a block, along diagonals as Rodinia has it.
template <int PITCH> __device__ float nw(int rounds)
{
    __shared__ int all[4][17 * PITCH], reference[4][16 * 16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int *temp = all[ty], *ref = reference[ty];
    for (int i = 0; i < 16; i++) ref[i * 16 + tx] = ((i * 5 + tx * 3 + ty) % 9) - 4;
    for (int i = tx; i < 17 * PITCH; i += 16) temp[i] = -i;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int m = 0; m < 16; m++) {
            if (tx <= m) {
                int x = tx + 1, y = m - tx + 1;
                int best = temp[(y - 1) * PITCH + x - 1] + ref[(y - 1) * 16 + x - 1];
                best = max(best, temp[y * PITCH + x - 1] - 10);
                best = max(best, temp[(y - 1) * PITCH + x] - 10);
                temp[y * PITCH + x] = best;
            }
            __syncthreads();
        }
        for (int m = 14; m >= 0; m--) {
            if (tx <= m) {
                int x = tx + 16 - m, y = 16 - tx;
                int best = temp[(y - 1) * PITCH + x - 1] + ref[(y - 1) * 16 + x - 1];
                best = max(best, temp[y * PITCH + x - 1] - 10);
                best = max(best, temp[(y - 1) * PITCH + x] - 10);
                temp[y * PITCH + x] = best;
            }
            __syncthreads();
        }
        temp[tx + 1] = temp[16 * PITCH + tx + 1] - r;
        __syncthreads();
    }
    return temp[16 * PITCH + tx + 1];
}
PAIR(nw, 17, 18, 64)

// A word of four letters looked for in 4096: a thread has 32 letters in a row, or every 128th.
template <int STRIDED> __device__ float find_word(int rounds)
{
    __shared__ char text[4096 + 32];
    int t = threadIdx.x;
    for (int i = t; i < 4096 + 32; i += 128) text[i] = 'a' + ((i * 1103515245u + 12345u) >> 16) % 4;
    __syncthreads();
    int found = 0;
    for (int r = 0; r < rounds; r++) {
        char w0 = 'a' + (r & 3), w1 = 'a' + (r >> 2 & 3);
        for (int k = 0; k < 32; k++) {
            int i = STRIDED ? k * 128 + t : t * 32 + k;
            if (text[i] == w0 && text[i + 1] == w1 && text[i + 2] == w0 && text[i + 3] == 'c') found++;
        }
    }
    return found;
}
PAIR(find_word, 0, 1, 128)

// CRC-32 of a stream by bytes with a table of 256, or by nibbles with one of 16, which fits the banks.
template <int BITS> __device__ float crc(int rounds)
{
    __shared__ unsigned table[256];
    int t = threadIdx.x;
    if (t < 1 << BITS) {
        unsigned c = t;
        for (int i = 0; i < BITS; i++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[t] = c;
    }
    __syncthreads();
    unsigned sum = 0xffffffffu, data = t * 747796405u + 3;
    for (int r = 0; r < rounds; r++) {
        sum ^= data;
#pragma unroll
        for (int i = 0; i < 32 / BITS; i++) sum = table[sum & ((1 << BITS) - 1)] ^ (sum >> BITS);
        data = data * 5 + 1;
    }
    return ~sum;
}
PAIR(crc, 8, 4, 256)

// The distance of Levenshtein, a line of 16 ints and two words of 15 letters a thread.
template <int PITCH> __device__ float edit(int rounds)
{
    __shared__ int lines[96 * PITCH];
    int t = threadIdx.x;
    int *row = &lines[t * PITCH];
    unsigned a = t * 0x9e3779b9u, b = t * 0x85ebca6bu;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j <= 15; j++) row[j] = j;
        for (int i = 1; i <= 15; i++) {
            int before = row[0];
            row[0] = i;
#pragma unroll 1
            for (int j = 1; j <= 15; j++) {
                int cost = (a >> 2 * i & 3) != (b >> 2 * j & 3);
                int v = min(before + cost, min(row[j - 1], row[j]) + 1);
                before = row[j];
                row[j] = v;
            }
        }
        sum += row[15];
        b += sum;
    }
    return sum;
}
PAIR(edit, 16, 17, 96)
