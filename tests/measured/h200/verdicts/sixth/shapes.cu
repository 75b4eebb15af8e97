#include "../../../h100/verdicts/verdict.cuh"

// Cycles of a multigrid solver on a ring of 256 points, five coarser ones, red and black by turns: coarser points where they lie on the finest ring, or packed.
template <int PACKED> __device__ float multigrid(int rounds)
{
    __shared__ float u[6 * 256], f[6 * 256];
    int t = threadIdx.x;
    auto at = [](int level, int i) { return PACKED ? 512 - (512 >> level) + i : level * 256 + (i << level); };
    auto smooth = [&](int level) {
        int half = 128 >> level, n = half * 2;
        float over = 1.0f / (2.0f + 0.05f * (1 << 2 * level));
#pragma unroll
        for (int odd = 0; odd < 2; odd++) {
            int i = t * 2 + odd;
            if (t < half) u[at(level, i)] = over * (f[at(level, i)] + u[at(level, (i + 1) & (n - 1))] + u[at(level, (i - 1) & (n - 1))]);
            __syncthreads();
        }
    };
    for (int i = t; i < 256; i += 128) {
        u[at(0, i)] = 0.0f;
        f[at(0, i)] = ((i * 7) & 31) * 0.1f - 1.5f;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int level = 0; level < 5; level++) {
            int half = 128 >> level, n = half * 2, i = t * 2;
            smooth(level);
            if (t < half) {
                float middle = 2.0f + 0.05f * (1 << 2 * level);
                float left = f[at(level, i)] - middle * u[at(level, i)] + u[at(level, i + 1)] + u[at(level, (i - 1) & (n - 1))];
                f[at(level + 1, t)] = 2.0f * left;
                u[at(level + 1, t)] = 0.0f;
            }
            __syncthreads();
        }
        smooth(5);
        smooth(5);
#pragma unroll 1
        for (int level = 4; level >= 0; level--) {
            int half = 128 >> level, i = t * 2;
            if (t < half) {
                float here = u[at(level + 1, t)];
                u[at(level, i)] += here;
                u[at(level, i + 1)] += 0.5f * (here + u[at(level + 1, (t + 1) & (half - 1))]);
            }
            __syncthreads();
            smooth(level);
        }
        f[at(0, t * 2)] = 0.8f * f[at(0, t * 2)] + 0.1f * ((t + r) & 7);
        __syncthreads();
    }
    return u[at(0, t)] + 2.0f * u[at(0, t + 128)];
}
PAIR(multigrid, 0, 1, 128)

// Points of curves of eight corners (Bezier, de Casteljau's halvings in place), a curve a thread, and a corner moved there: rows of eight pairs, or of nine.
template <int PITCH> __device__ float bezier(int rounds)
{
    extern __shared__ float2 curves[];
    int t = threadIdx.y * 16 + threadIdx.x;
    float2 *corner = curves + t * PITCH, *work = curves + (128 + t) * PITCH, sum = make_float2(0, 0);
    for (int k = 0; k < 8; k++) corner[k] = make_float2(k + 0.1f * (t & 7), ((t * 3 + k * 5) & 15) * 0.2f);
    for (int r = 0; r < rounds; r++) {
        float part = ((r * 5 + t) & 31) * 0.03125f;
        float2 before = corner[0];
#pragma unroll 1
        for (int k = 1; k < 8; k++) {
            float2 v = corner[k];
            work[k - 1] = make_float2(before.x + part * (v.x - before.x), before.y + part * (v.y - before.y));
            before = v;
        }
#pragma unroll 1
        for (int n = 6; n > 0; n--) {
            before = work[0];
#pragma unroll 1
            for (int k = 0; k < n; k++) {
                float2 v = work[k + 1];
                work[k] = make_float2(before.x + part * (v.x - before.x), before.y + part * (v.y - before.y));
                before = v;
            }
        }
        float2 point = work[0];
        corner[r & 7] = make_float2(0.5f * (corner[r & 7].x + point.x), 0.6f * point.y + 0.1f * (r & 3));
        sum.x += point.x;
        sum.y += point.y;
    }
    return sum.x + 2.0f * sum.y;
}
PAIR(bezier, 8, 9, 128)

// Which of 128 boxes, turned any way, touch each other (separating axes), each thread's with another's a round: boxes of 16 numbers, or of 15.
template <int PITCH> __device__ float obb(int rounds)
{
    __shared__ float boxes[128 * PITCH];
    int t = threadIdx.x, touched = 0;
    float *own = boxes + t * PITCH, s, c;
    __sincosf(0.4f * t, &s, &c);
    float first[15] = {(t & 7) * 0.9f, (t >> 3 & 3) * 1.1f, (t >> 5) * 1.3f, c, s, 0, -s * 0.8f, c * 0.8f, 0.6f, s * 0.6f, -c * 0.6f, 0.8f, 0.9f, 0.7f, 0.5f};
    for (int k = 0; k < 15; k++) own[k] = first[k];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float *other = boxes + ((t + 1 + r * 5) & 127) * PITCH;
        float along[3][3], d[3], half[3], far[3];
        bool apart = false;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            d[i] = other[i] - own[i];
            half[i] = own[12 + i];
            far[i] = other[12 + i];
        }
#pragma unroll
        for (int i = 0; i < 3; i++) {
#pragma unroll
            for (int j = 0; j < 3; j++)
                along[i][j] = own[3 + i * 3] * other[3 + j * 3] + own[4 + i * 3] * other[4 + j * 3] + own[5 + i * 3] * other[5 + j * 3];
            float between = d[0] * own[3 + i * 3] + d[1] * own[4 + i * 3] + d[2] * own[5 + i * 3];
            apart |= fabsf(between) > half[i] + far[0] * fabsf(along[i][0]) + far[1] * fabsf(along[i][1]) + far[2] * fabsf(along[i][2]);
        }
#pragma unroll
        for (int j = 0; j < 3; j++) {
            float between = d[0] * other[3 + j * 3] + d[1] * other[4 + j * 3] + d[2] * other[5 + j * 3];
            apart |= fabsf(between) > far[j] + half[0] * fabsf(along[0][j]) + half[1] * fabsf(along[1][j]) + half[2] * fabsf(along[2][j]);
        }
        __syncthreads();
        if (!apart) {
            touched++;
#pragma unroll
            for (int i = 0; i < 3; i++) own[i] -= 0.05f * d[i];
        }
        __syncthreads();
    }
    return touched + own[0] + own[1] + own[2];
}
PAIR(obb, 16, 15, 128)

// Light by harmonics (nine numbers of three colours) of the one of 64 probes that four threads side by side are near to: probes of 32 numbers, or of 27.
template <int PITCH> __device__ float probes(int rounds)
{
    __shared__ float probe[64 * PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 27; i += 256) probe[i / 27 * PITCH + i % 27] = ((i * 7 + i / 27) & 31) * 0.02f - 0.2f + (i % 27 < 3 ? 0.5f : 0.0f);
    __syncthreads();
    float x = 0.5f - 0.1f * (t & 7), y = 0.3f, z = 0.6f, sum = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned near = ((t / 4 + r * 64) * 2654435761u) >> 26;
        const float *of = probe + near * PITCH;
        float by[9] = {0.282f, 0.489f * y, 0.489f * z, 0.489f * x, 1.093f * x * y, 1.093f * y * z, 0.946f * z * z - 0.315f, 1.093f * x * z, 0.546f * (x * x - y * y)};
        float light[3] = {};
#pragma unroll
        for (int k = 0; k < 9; k++)
#pragma unroll
            for (int c = 0; c < 3; c++) light[c] += by[k] * of[k * 3 + c];
        x += 0.3f * light[0] - 0.1f;
        y += 0.2f * light[1] - 0.05f;
        z += 0.1f * light[2];
        float scale = rsqrtf(x * x + y * y + z * z + 0.001f);
        x *= scale;
        y *= scale;
        z *= scale;
        sum += light[0] + light[1] + light[2];
    }
    return sum;
}
PAIR(probes, 32, 27, 256)

// Sudoku by trying and going back, a board of 81 bytes and 27 sets of digits (shorts) of each thread, its first line given: rows of 96 and 32, or of 84 and 30.
template <int BOARD, int SETS> __device__ float search_board(int rounds)
{
    __shared__ unsigned char boards[64 * BOARD];
    __shared__ unsigned short sets[64 * SETS];
    int t = threadIdx.x, at = 9, solved = 0, deepest = 0;
    unsigned char *board = boards + t * BOARD;
    unsigned short *set = sets + t * SETS;
    for (int i = 0; i < 81; i++) board[i] = 0;
    for (int i = 0; i < 27; i++) set[i] = 0;
    for (int x = 0; x < 9; x++) {
        int digit = (x * (t / 9 * 3 + 1) + t) % 9;
        board[x] = digit + 1;
        set[0] |= 1 << digit;
        set[9 + x] |= 1 << digit;
        set[18 + x / 3] |= 1 << digit;
    }
    for (int r = 0; r < rounds; r++) {
        int y = at / 9, x = at % 9, box = 18 + y / 3 * 3 + x / 3, digit = board[at];
        unsigned row = set[y], column = set[9 + x], block = set[box];
        if (digit) {
            unsigned gone = ~(1u << (digit - 1));
            row &= gone;
            column &= gone;
            block &= gone;
        }
        unsigned left = ~(row | column | block) & 0x1ff & ~0u << digit;
        if (left) {
            unsigned next = left & (~left + 1);
            row |= next;
            column |= next;
            block |= next;
            board[at] = __ffs(left);
            at++;
        } else {
            board[at] = 0;
            at--;
        }
        set[y] = row;
        set[9 + x] = column;
        set[box] = block;
        if (at == 81) {
            solved++;
            at = 80;
        }
        at = max(at, 9);
        deepest = max(deepest, at);
    }
    return solved * 100.0f + deepest + board[20] * 0.1f + at * 0.01f;
}
template <int CLOSE> __device__ float sudoku(int rounds) { return CLOSE ? search_board<84, 30>(rounds) : search_board<96, 32>(rounds); }
PAIR(sudoku, 0, 1, 64)
