#include "../../../h100/verdicts/verdict.cuh"

// Steps of a matrix of eight diagonals (DIA) of 512 rows, a row a thread: a row's eight numbers together, or a diagonal's 512.
template <int TURNED> __device__ float dia(int rounds)
{
    __shared__ float value[512 * 8], x[2][48 + 512 + 16];
    constexpr int far[8] = {-48, -16, -3, -1, 0, 1, 3, 16};
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) value[TURNED ? k * 512 + t : t * 8 + k] = ((t * 3 + k * 7) & 15) * 0.01f + (k == 4 ? 0.2f : 0.0f);
    for (int i = t; i < 576; i += 512) x[0][i] = x[1][i] = (i & 7) * 0.1f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float *from = x[r & 1] + 48;
        float sum = 0.1f;
#pragma unroll
        for (int k = 0; k < 8; k++) sum += value[TURNED ? k * 512 + t : t * 8 + k] * from[t + far[k]];
        x[(r & 1) ^ 1][48 + t] = sum;
        __syncthreads();
    }
    return x[rounds & 1][48 + t];
}
PAIR(dia, 0, 1, 512)

// A sparse matrix by columns (CSC), eight numbers a column, a column a thread, summed into rows by atomics: columns of 8, or of 9.
template <int PITCH> __device__ float csc(int rounds)
{
    __shared__ float value[256 * PITCH], x[256], y[256];
    __shared__ int row[256 * PITCH];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        row[t * PITCH + k] = ((unsigned)(t * 8 + k) * 2654435761u) >> 24;
        value[t * PITCH + k] = 0.02f + 0.01f * ((t + k * 3) & 7);
    }
    x[t] = 1.0f + 0.1f * (t & 7);
    for (int r = 0; r < rounds; r++) {
        y[t] = 0.2f;
        __syncthreads();
        float own = x[t];
#pragma unroll
        for (int k = 0; k < 8; k++) atomicAdd(&y[row[t * PITCH + k]], value[t * PITCH + k] * own);
        __syncthreads();
        x[t] = y[t];
    }
    return x[t];
}
PAIR(csc, 8, 9, 256)

// Shortest paths between 32 vertices (Floyd, Warshall), a lane a row, a warp every eighth column: rows of 32, or of 33.
template <int PITCH> __device__ float floyd(int rounds)
{
    __shared__ int path[32 * PITCH];
    int i = threadIdx.x, warp = threadIdx.y;
    for (int j = warp; j < 32; j += 8) path[i * PITCH + j] = i == j ? 0 : 1 + ((i * 37 + j * 101) & 255);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int k = 0; k < 32; k++) {
            int first = path[i * PITCH + k];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                int j = warp + n * 8, through = first + path[k * PITCH + j];
                if (through < path[i * PITCH + j]) path[i * PITCH + j] = through;
            }
            __syncthreads();
        }
        for (int j = warp; j < 32; j += 8)
            if (i != j) path[i * PITCH + j] = 1 + ((path[i * PITCH + j] * 5 + i * 11 + j * 29 + r) & 255);
        __syncthreads();
    }
    return path[i * PITCH + warp] + 2.0f * path[i * PITCH + warp + 16];
}
PAIR(floyd, 32, 33, 256)

// Triangles at each of 128 vertices: its row of bits with each neighbour's, counted: rows of 4 words, or of 5.
template <int PITCH> __device__ float triads(int rounds)
{
    __shared__ unsigned bits[128 * PITCH];
    int v = threadIdx.x, sum = 0;
    for (int w = 0; w < 4; w++) {
        unsigned word = 0;
        for (int b = 0; b < 32; b++) {
            int u = w * 32 + b;
            if (u != v && (((unsigned)(min(u, v) * 128 + max(u, v)) * 2654435761u >> 15) & 7) < 2) word |= 1u << b;
        }
        bits[v * PITCH + w] = word;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int w = r & 3;
        unsigned rest = bits[v * PITCH + w] & ~(1u << ((v + r) & 31));
        while (rest) {
            int u = w * 32 + __ffs(rest) - 1;
            rest &= rest - 1;
#pragma unroll
            for (int k = 0; k < 4; k++) sum += __popc(bits[v * PITCH + k] & bits[u * PITCH + k]);
        }
    }
    return sum;
}
PAIR(triads, 4, 5, 128)
