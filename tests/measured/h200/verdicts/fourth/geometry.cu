#include "../../../h100/verdicts/verdict.cuh"

struct box {
    float side[6];
    int id, next;
};

// A ray a round against 512 boxes by slabs, two boxes a thread, the nearest hit by an atomic minimum: structs of eight words, or arrays.
template <int ARRAYS> __device__ float rays(int rounds)
{
    __shared__ box boxes[ARRAYS ? 1 : 512];
    __shared__ float side[6][ARRAYS ? 512 : 1];
    __shared__ int id[ARRAYS ? 512 : 1];
    __shared__ unsigned nearest[2];
    int t = threadIdx.x;
#define SIDE(i, k) (ARRAYS ? side[k][ARRAYS ? (i) : 0] : boxes[ARRAYS ? 0 : (i)].side[k])
#define ID(i) (ARRAYS ? id[ARRAYS ? (i) : 0] : boxes[ARRAYS ? 0 : (i)].id)
    for (int i = t; i < 512; i += 256) {
        float at[3] = {(i & 7) * 3.0f + (i * 5 & 3) * 0.3f, (i >> 3 & 7) * 3.0f, (i >> 6) * 3.0f + (i * 3 & 1) * 0.5f};
#pragma unroll
        for (int k = 0; k < 3; k++) {
            SIDE(i, k) = at[k];
            SIDE(i, k + 3) = at[k] + 1.0f + (i % 5) * 0.4f;
        }
        ID(i) = i * 37 & 511;
    }
    if (t < 2) nearest[t] = 0xffffffffu;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        float from[3] = {-2.0f, (r * 7 & 31) * 0.7f, (r * 13 & 31) * 0.7f};
        float over[3] = {1.1f, 1.0f / (0.05f + 0.02f * (r & 15)), 1.0f / (0.21f - 0.02f * (r & 7))};
        for (int i = t; i < 512; i += 256) {
            float near = 0.0f, far = 1e30f;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                float a = (SIDE(i, k) - from[k]) * over[k], b = (SIDE(i, k + 3) - from[k]) * over[k];
                near = fmaxf(near, fminf(a, b));
                far = fminf(far, fmaxf(a, b));
            }
            if (near <= far) atomicMin(&nearest[r & 1], (__float_as_uint(near) & ~511u) | ID(i));
        }
        __syncthreads();
        unsigned hit = nearest[r & 1];
        if (t == 0) nearest[(r & 1) ^ 1] = 0xffffffffu;
        sum += hit & 511;
        if (hit != 0xffffffffu && t == (hit & 255)) SIDE(t, 3) += 0.01f;
        __syncthreads();
    }
    return sum + SIDE(t, 3);
#undef SIDE
#undef ID
}
PAIR(rays, 0, 1, 256)

// A quad of each thread clipped by the four sides of a window (Sutherland and Hodgman), then its area: a thread's corners in a row, or turned.
template <int TURNED> __device__ float clip(int rounds)
{
    extern __shared__ float2 corners[];
    int t = threadIdx.x;
#define CORNER(b, i) corners[(b) * 512 + (TURNED ? (i) * 64 + t : t * 8 + (i))]
    float area = 0;
    for (int r = 0; r < rounds; r++) {
        float x = ((t * 5 + r * 3) & 31) * 0.1f - 1.6f, y = ((t * 11 + r * 7) & 31) * 0.1f - 1.6f, s = 0.5f + ((t + r) & 7) * 0.15f;
        CORNER(0, 0) = make_float2(x - s, y - 0.4f * s);
        CORNER(0, 1) = make_float2(x + 0.3f * s, y - s);
        CORNER(0, 2) = make_float2(x + s, y + 0.5f * s);
        CORNER(0, 3) = make_float2(x - 0.2f * s, y + s);
        int n = 4, from = 0;
#pragma unroll 1
        for (int edge = 0; edge < 4; edge++) {
            float nx = edge == 0 ? 1.0f : edge == 1 ? -1.0f : 0.0f, ny = edge == 2 ? 1.0f : edge == 3 ? -1.0f : 0.0f;
            int m = 0;
            float2 a = CORNER(from, n > 0 ? n - 1 : 0);
            float da = 1.0f - nx * a.x - ny * a.y;
#pragma unroll 1
            for (int i = 0; i < n; i++) {
                float2 b = CORNER(from, i);
                float db = 1.0f - nx * b.x - ny * b.y;
                if ((da >= 0.0f) != (db >= 0.0f) && m < 8) {
                    float f = da / (da - db);
                    CORNER(from ^ 1, m) = make_float2(a.x + f * (b.x - a.x), a.y + f * (b.y - a.y));
                    m++;
                }
                if (db >= 0.0f && m < 8) {
                    CORNER(from ^ 1, m) = b;
                    m++;
                }
                a = b;
                da = db;
            }
            n = m;
            from ^= 1;
        }
        for (int i = 0; i < n; i++) {
            float2 a = CORNER(from, i), b = CORNER(from, i + 1 < n ? i + 1 : 0);
            area += 0.5f * (a.x * b.y - a.y * b.x);
        }
    }
    return area;
#undef CORNER
}
PAIR(clip, 0, 1, 64)

// A k-d tree of 127 splits in four dimensions, a thread's point looked up and moved: a thread's four coordinates in a row, or turned.
template <int TURNED> __device__ float kd(int rounds)
{
    __shared__ float split[127], point[4 * 128];
    __shared__ unsigned char axis[127];
    int t = threadIdx.x;
#define POINT(k) point[TURNED ? (k) * 128 + t : t * 4 + (k)]
    if (t < 127) {
        int depth = 31 - __clz(t + 1), among = t + 1 - (1 << depth);
        split[t] = (2 * among + 1) / (float)(2 << depth) * 0.5f + 0.25f;
        axis[t] = (depth + among * 3) & 3;
    }
    for (int k = 0; k < 4; k++) POINT(k) = ((t * (2 * k + 3) + k * 17) & 127) / 128.0f;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        int node = 0;
#pragma unroll 1
        for (int depth = 0; depth < 7; depth++) node = 2 * node + 1 + (POINT(axis[node]) > split[node]);
        int leaf = node - 127;
        float moved = POINT(leaf & 3) * 3.7f + leaf * 0.013f;
        POINT(leaf & 3) = moved - floorf(moved);
        sum = (sum * 3 + leaf) & 0xffff;
    }
    return sum + POINT(0);
#undef POINT
}
PAIR(kd, 0, 1, 128)

// 128 particles in a grid of 8 x 8 cells of up to eight (shorts), pushed apart by those of nine cells: a cell's slots in a row, or turned.
template <int TURNED> __device__ float grid(int rounds)
{
    __shared__ unsigned short slot[8 * 64];
    __shared__ int count[64];
    __shared__ unsigned cells[32];
    __shared__ float2 place[128];
    int t = threadIdx.x;
#define SLOT(c, k) slot[TURNED ? (k) * 64 + (c) : (c) * 8 + (k)]
    float2 own = make_float2((t * 37 & 127) / 16.0f + 0.01f, (t * 53 & 127) / 16.0f + 0.02f);
    for (int r = 0; r < rounds; r++) {
        int x = (int)own.x & 7, y = (int)own.y & 7;
        place[t] = own;
        ((unsigned char *)cells)[t] = y * 8 + x;
        __syncthreads();
        if (t < 64) {
            int n = 0;
#pragma unroll 1
            for (int i = 0; i < 32; i++) {
                unsigned four = cells[i];
#pragma unroll
                for (int b = 0; b < 4; b++)
                    if ((four >> 8 * b & 255) == t && n < 8) {
                        SLOT(t, n) = i * 4 + b;
                        n++;
                    }
            }
            count[t] = n;
        }
        __syncthreads();
        float fx = 0, fy = 0;
#pragma unroll 1
        for (int d = 0; d < 9; d++) {
            int c = ((y + d / 3 - 1) & 7) * 8 + ((x + d % 3 - 1) & 7), n = count[c];
#pragma unroll 1
            for (int k = 0; k < n; k++) {
                float2 other = place[SLOT(c, k)];
                float dx = own.x - other.x, dy = own.y - other.y;
                dx -= 8.0f * rintf(dx * 0.125f);
                dy -= 8.0f * rintf(dy * 0.125f);
                float square = dx * dx + dy * dy + 0.05f;
                if (square < 1.0f) {
                    float f = __fdividef(0.02f, square);
                    fx += dx * f;
                    fy += dy * f;
                }
            }
        }
        own.x += fx + 0.003f;
        own.y += fy;
        own.x -= 8.0f * floorf(own.x * 0.125f);
        own.y -= 8.0f * floorf(own.y * 0.125f);
        __syncthreads();
    }
    return own.x + own.y;
#undef SLOT
}
PAIR(grid, 0, 1, 128)
