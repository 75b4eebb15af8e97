#include "../../../h100/verdicts/verdict.cuh"

// Colours carried along the links of a lattice of 16 x 8 (SU(3), a matrix of complex numbers a link), by turns to the right and upwards: rows of a link of four numbers, or of three.
template <int ROW> __device__ float su3(int rounds)
{
    __shared__ float2 links[128 * 3 * ROW];
    __shared__ float2 colour[2][3 * 128];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    float2 *link = links + t * 3 * ROW;
    for (int k = 0; k < 9; k++) link[k / 3 * ROW + k % 3] = make_float2(((x * 7 + y + k * 5) & 15) * 0.1f - 0.7f, ((x * 3 + y * 5 + k * 11) & 15) * 0.1f - 0.8f);
    for (int c = 0; c < 3; c++) colour[0][c * 128 + t] = make_float2(0.1f * (t & 7), 0.2f + 0.1f * c);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float2 *from = colour[r & 1] + (r & 2 ? y * 16 + (x + 1) % 16 : (y + 1) % 8 * 16 + x);
        float2 *to = colour[(r & 1) ^ 1] + t, sum[3];
        float all = 0.01f;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            sum[i] = make_float2(0.02f, 0.01f * i);
#pragma unroll
            for (int j = 0; j < 3; j++) {
                float2 u = link[i * ROW + j], v = from[j * 128];
                sum[i].x += u.x * v.x - u.y * v.y;
                sum[i].y += u.x * v.y + u.y * v.x;
            }
            all += sum[i].x * sum[i].x + sum[i].y * sum[i].y;
        }
        float scale = rsqrtf(all);
#pragma unroll
        for (int i = 0; i < 3; i++) to[i * 128] = make_float2(sum[i].x * scale, sum[i].y * scale);
        __syncthreads();
    }
    float2 v = colour[rounds & 1][t];
    return v.x + 2.0f * v.y;
}
PAIR(su3, 4, 3, 128)

// Integrals between Gaussian orbitals (Boys' function of orders 3 to 0): a series from a table of 64 places of eight doubles, then downwards: rows of eight, or of nine.
template <int PITCH> __device__ float boys(int rounds)
{
    __shared__ double table[64 * PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 8; i += 64) {
        int m = i % 8;
        table[i / 8 * PITCH + m] = exp(-0.25 * (i / 8) * (2 * m + 1) / (2 * m + 3)) / (2 * m + 1);
    }
    __syncthreads();
    double x = 0.11 * t, sum = 0;
    for (int r = 0; r < rounds; r++) {
        int near = (int)(x * 4.0 + 0.5);
        const double *row = table + near * PITCH + 3;
        double far = 0.25 * near - x, e = exp(-x);
        double f3 = row[4] * far * 0.25 + row[3];
        f3 = f3 * far * (1.0 / 3) + row[2];
        f3 = f3 * far * 0.5 + row[1];
        f3 = f3 * far + row[0];
        double f2 = (2 * x * f3 + e) * 0.2, f1 = (2 * x * f2 + e) * (1.0 / 3), f0 = 2 * x * f1 + e;
        sum += f0 + f1 - f2;
        x = x * 1.7 + 0.9 + 0.1 * f0;
        x -= floor(x * (1 / 15.5)) * 15.5;
    }
    return sum;
}
PAIR(boys, 8, 9, 64)

struct reaction {
    float strength, energy;
    int first, second, made;
};

// Twelve reactions (Arrhenius) between ten kinds of matter one after the other, a mixture a thread: rows of ten, or of eleven.
template <int PITCH> __device__ float kinetics(int rounds)
{
    __shared__ float mixtures[64 * PITCH];
    __shared__ reaction reactions[12];
    int t = threadIdx.x;
    float *mixture = mixtures + t * PITCH, heat = 1.0f + 0.01f * t;
    for (int k = 0; k < 10; k++) mixture[k] = 0.5f + 0.1f * ((t + k * 3) & 7);
    if (t < 12) reactions[t] = {0.5f + 0.1f * t, 1.0f + 0.2f * (t % 5), t % 10, (t * 3 + 1) % 10, (t * 7 + 5) % 10};
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int n = 0; n < 12; n++) {
            reaction of = reactions[n];
            float a = mixture[of.first], b = mixture[of.second];
            float speed = 0.05f * expf(of.strength - of.energy / heat) * a * b;
            float part = fminf(speed, 0.4f * fminf(a, b));
            mixture[of.first] -= part;
            mixture[of.second] -= part;
            mixture[of.made] += 2.0f * part;
            heat += 0.1f * part;
        }
        heat = 0.9f * heat + 0.1f + 0.01f * (r & 3);
    }
    return mixture[0] + mixture[4] + 2.0f * mixture[9] + heat;
}
PAIR(kinetics, 10, 11, 64)

// Bonds of 128 atoms, two of each thread, forces summed as whole numbers by atomics: an atom's numbers together, or in arrays.
template <int ARRAYS> __device__ float bonds(int rounds)
{
    __shared__ float place[4 * 128];
    __shared__ int force[4 * 128];
    int t = threadIdx.x;
    auto at = [](int i, int k) { return ARRAYS ? k * 128 + i : i * 4 + k; };
    float speed[3] = {};
    for (int k = 0; k < 3; k++) {
        place[at(t, k)] = (t >> k * 2 & 3) * 0.8f + 0.1f * (t & 1);
        force[at(t, k)] = 0;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int n = 0; n < 2; n++) {
            int other = n == 0 ? (t + 1) & 127 : (t * 5 + 3) & 127;
            float d[3], square = 0.01f;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                d[k] = place[at(other, k)] - place[at(t, k)];
                square += d[k] * d[k];
            }
            float pull = 1.0f - (1.0f + 0.3f * n) * rsqrtf(square);
#pragma unroll
            for (int k = 0; k < 3; k++) {
                int fixed = __float2int_rn(fminf(fmaxf(pull * d[k], -8.0f), 8.0f) * 65536.0f);
                atomicAdd(&force[at(t, k)], fixed);
                atomicSub(&force[at(other, k)], fixed);
            }
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 3; k++) {
            speed[k] = 0.9f * speed[k] + 0.02f / 65536.0f * force[at(t, k)];
            place[at(t, k)] += speed[k] + 0.001f * (r & 1);
            force[at(t, k)] = 0;
        }
        __syncthreads();
    }
    return place[at(t, 0)] + 2.0f * place[at(t, 1)] + 3.0f * place[at(t, 2)];
}
PAIR(bonds, 0, 1, 128)

// Molecules of a thin gas (Bird's direct simulation), eight a cell, a cell a thread, pairs drawn and made to collide: a cell's numbers in a row, or turned.
template <int TURNED> __device__ float dsmc(int rounds)
{
    __shared__ float speeds[96 * 24];
    int t = threadIdx.x, hits = 0;
    auto at = [t](int i, int k) { return TURNED ? (i * 3 + k) * 96 + t : t * 24 + i * 3 + k; };
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) speeds[at(i, k)] = ((t * 7 + i * 5 + k * 11) & 31) * 0.1f - 1.5f;
    unsigned seed = t * 2654435761u + 9;
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        int i = seed >> 29, j = (i + 1 + (seed >> 20) % 7) & 7;
        float mean[3], square = 0;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            float a = speeds[at(i, k)], b = speeds[at(j, k)];
            mean[k] = 0.5f * (a + b);
            square += (a - b) * (a - b);
        }
        float fast = sqrtf(square);
        if (fast > (seed >> 12 & 255) * 0.016f) {
            float z = (seed >> 4 & 255) * (1.0f / 128) - 1.0f, flat = sqrtf(fmaxf(1.0f - z * z, 0.0f)), s, c;
            __sincosf((seed >> 8 & 1023) * 0.0061359f, &s, &c);
            float turned[3] = {0.5f * fast * flat * c, 0.5f * fast * flat * s, 0.5f * fast * z};
#pragma unroll
            for (int k = 0; k < 3; k++) {
                speeds[at(i, k)] = mean[k] + turned[k];
                speeds[at(j, k)] = mean[k] - turned[k];
            }
            hits++;
        }
    }
    return hits + speeds[at(0, 0)] + speeds[at(5, 2)];
}
PAIR(dsmc, 0, 1, 96)
