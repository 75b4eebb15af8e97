#include "../../../h100/verdicts/verdict.cuh"

struct charge {
    float place[3], speed[3], rate, weight;
};

// Charges pushed by Boris's scheme through a field of waves, one of each thread: structs of eight floats, or arrays.
template <int ARRAYS> __device__ float boris(int rounds)
{
    __shared__ charge charges[ARRAYS ? 1 : 256];
    __shared__ float place[3][ARRAYS ? 256 : 1], speed[3][ARRAYS ? 256 : 1], rates[ARRAYS ? 256 : 1];
    int t = threadIdx.x;
    float *x[3], *v[3], *rate;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        x[k] = ARRAYS ? &place[k][ARRAYS ? t : 0] : &charges[ARRAYS ? 0 : t].place[k];
        v[k] = ARRAYS ? &speed[k][ARRAYS ? t : 0] : &charges[ARRAYS ? 0 : t].speed[k];
    }
    rate = ARRAYS ? &rates[ARRAYS ? t : 0] : &charges[ARRAYS ? 0 : t].rate;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        *x[k] = ((t * (5 + k) + k * 7) & 63) * 0.1f;
        *v[k] = ((t * (3 + k) + k) & 7) * 0.1f - 0.35f;
    }
    *rate = t & 1 ? 0.05f : -0.05f;
    for (int r = 0; r < rounds; r++) {
        float by = *rate, p[3], u[3], e[3], m[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            p[k] = *x[k];
            u[k] = *v[k];
        }
        e[0] = __sinf(p[1] - 0.1f * r);
        e[1] = __cosf(p[2]);
        e[2] = 0.2f * __sinf(p[0]);
        m[0] = by * 0.3f * __cosf(p[1]);
        m[1] = by * 0.5f;
        m[2] = by * (1.0f + 0.1f * p[0]);
#pragma unroll
        for (int k = 0; k < 3; k++) u[k] += by * e[k];
        float scale = 2.0f / (1.0f + m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), w[3], turned[3];
#pragma unroll
        for (int k = 0; k < 3; k++) w[k] = u[k] + u[(k + 1) % 3] * m[(k + 2) % 3] - u[(k + 2) % 3] * m[(k + 1) % 3];
#pragma unroll
        for (int k = 0; k < 3; k++) turned[k] = u[k] + scale * (w[(k + 1) % 3] * m[(k + 2) % 3] - w[(k + 2) % 3] * m[(k + 1) % 3]) + by * e[k];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            float to = p[k] + 0.1f * turned[k];
            *x[k] = to < 0.0f ? to + 6.4f : to >= 6.4f ? to - 6.4f : to;
            *v[k] = 0.999f * turned[k];
        }
        __syncwarp();
    }
    return *x[0] + 2.0f * *x[1] + 3.0f * *x[2];
}
PAIR(boris, 0, 1, 256)

// Waves carried along rows of 40 cells (WENO of the fifth order), a row a thread: rows of 40, or of 41.
template <int PITCH> __device__ float weno(int rounds)
{
    __shared__ float cells[64 * PITCH];
    int t = threadIdx.x;
    float *u = cells + t * PITCH;
    for (int i = 0; i < 40; i++) u[i] = 1.0f + 0.5f * (((i + t) & 15) < 6) + 0.01f * (t & 7);
    for (int r = 0; r < rounds; r++) {
        float a = u[35], b = u[36], c = u[37], d = u[38], e = u[39], before = 0;
#pragma unroll 1
        for (int i = -1; i < 38; i++) {
            float s0 = 1.0833333f * (a - 2 * b + c) * (a - 2 * b + c) + 0.25f * (a - 4 * b + 3 * c) * (a - 4 * b + 3 * c);
            float s1 = 1.0833333f * (b - 2 * c + d) * (b - 2 * c + d) + 0.25f * (b - d) * (b - d);
            float s2 = 1.0833333f * (c - 2 * d + e) * (c - 2 * d + e) + 0.25f * (3 * c - 4 * d + e) * (3 * c - 4 * d + e);
            float w0 = 0.1f / ((1e-4f + s0) * (1e-4f + s0)), w1 = 0.6f / ((1e-4f + s1) * (1e-4f + s1)), w2 = 0.3f / ((1e-4f + s2) * (1e-4f + s2));
            float flux = (w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)) / (6 * (w0 + w1 + w2));
            if (i >= 0) u[i] -= 0.3f * (flux - before);
            before = flux;
            a = b;
            b = c;
            c = d;
            d = e;
            e = u[i < 37 ? i + 3 : 0];
        }
        u[38] = u[37];
        u[39] = 0.5f * (u[0] + u[37]);
    }
    return u[0] + 2.0f * u[15] + 3.0f * u[30];
}
PAIR(weno, 40, 41, 64)

// Runge and Kutta's steps of Lorenz's ring of eight places, doubles, a ring of each thread: rows of 8, or of 9.
template <int PITCH> __device__ float runge(int rounds)
{
    __shared__ double states[64 * PITCH], stages[64 * PITCH], sums[64 * PITCH];
    double *y = states + threadIdx.x * PITCH, *now = stages + threadIdx.x * PITCH, *sum = sums + threadIdx.x * PITCH;
    for (int i = 0; i < 8; i++) y[i] = 1.0 + 0.01 * ((threadIdx.x * 3 + i * 5) & 7);
    const double step = 0.02, force = 2.0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 8; i++) {
            now[i] = y[i];
            sum[i] = y[i];
        }
#pragma unroll 1
        for (int stage = 0; stage < 4; stage++) {
            double weight = stage == 0 || stage == 3 ? step / 6 : step / 3, next = stage == 2 ? step : step / 2;
            double first = now[0], before2 = now[6], before = now[7], own = first;
#pragma unroll 1
            for (int i = 0; i < 8; i++) {
                double after = i < 7 ? now[i + 1] : first, k = (after - before2) * before - own + force;
                sum[i] += weight * k;
                now[i] = y[i] + next * k;
                before2 = before;
                before = own;
                own = after;
            }
        }
        for (int i = 0; i < 8; i++) y[i] = sum[i];
    }
    return (float)(y[0] + 2 * y[3] + 3 * y[7]);
}
PAIR(runge, 8, 9, 64)

// Paths of 32 steps of a price, one of each thread, then what looking back along it would have paid: a path's prices together, or a step's.
template <int TURNED> __device__ float lookback(int rounds)
{
    __shared__ float price[32 * 128];
    int t = threadIdx.x;
    auto at = [=](int n) { return TURNED ? n * 128 + t : t * 32 + n; };
    unsigned random = t * 2654435761u + 17;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float now = 100.0f;
#pragma unroll 1
        for (int n = 0; n < 32; n += 2) {
            random = random * 1664525u + 1013904223u;
            float u = ((random >> 8) + 0.5f) * (1.0f / 16777216), far = sqrtf(-2.0f * logf(u)), s, c;
            random = random * 1664525u + 1013904223u;
            sincospif((random >> 8) * (2.0f / 16777216), &s, &c);
            now *= expf(0.0002f + 0.02f * far * c);
            price[at(n)] = now;
            now *= expf(0.0002f + 0.02f * far * s);
            price[at(n + 1)] = now;
        }
        float most = 0, worth = 0;
#pragma unroll 4
        for (int n = 31; n >= 0; n--) {
            float p = price[at(n)];
            most = fmaxf(most, p);
            worth = fmaxf(0.999f * worth, most - p);
        }
        sum += worth;
    }
    return sum / rounds;
}
PAIR(lookback, 0, 1, 128)

// Sobol's points of 64 dimensions, one of each thread, and a product over those of a warp: directions by rows of 32, or of 33.
template <int PITCH> __device__ float sobol(int rounds)
{
    __shared__ unsigned direction[64 * PITCH];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++) {
        unsigned odd = i == 0 ? 1 : ((t * 2654435761u >> (i & 15)) | 1) & ((2u << i) - 1);
        direction[t * PITCH + i] = odd << (31 - i);
    }
    unsigned point = 0;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float all = 1.0f;
#pragma unroll 1
        for (int n = r * 4; n < r * 4 + 4; n++) {
            point ^= direction[t * PITCH + __ffs(~n) - 1];
            float x = (point >> 8) * (1.0f / 16777216);
            all *= (fabsf(4.0f * x - 2.0f) + 1.5f) * 0.4f;
        }
#pragma unroll
        for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
        sum += all;
    }
    return sum / rounds + point * 1e-10f;
}
PAIR(sobol, 32, 33, 64)

// Finite elements of four nodes, 16 x 8 of them, one of each thread, summed into their nodes by atomics: an element's matrix together, or a number's 128.
template <int TURNED> __device__ float elements(int rounds)
{
    __shared__ float stiff[16 * 128], u[17 * 9], force[17 * 9];
    int t = threadIdx.x, corner = t / 16 * 17 + t % 16;
    const int node[4] = {corner, corner + 1, corner + 18, corner + 17};
    auto at = [=](int i, int j) { return TURNED ? (i * 4 + j) * 128 + t : t * 16 + i * 4 + j; };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) stiff[at(i, j)] = (i == j ? 4.0f : (i ^ j) == 2 ? -2.0f : -1.0f) / 6 * (1.0f + 0.1f * (t & 3));
    for (int i = t; i < 153; i += 128) {
        u[i] = ((i * 7) & 15) * 0.1f;
        force[i] = 0.0f;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float own[4];
#pragma unroll
        for (int i = 0; i < 4; i++) own[i] = u[node[i]];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float sum = 0;
#pragma unroll
            for (int j = 0; j < 4; j++) sum += stiff[at(i, j)] * own[j];
            atomicAdd(&force[node[i]], sum);
        }
        __syncthreads();
        for (int i = t; i < 153; i += 128) {
            u[i] -= 0.15f * force[i] + 0.02f * (u[i] - 1.0f);
            force[i] = 0.0f;
        }
        __syncthreads();
    }
    return u[t] + u[t + 25];
}
PAIR(elements, 0, 1, 128)

struct triangle {
    float corner[3], one[3], two[3], normal[3];
    int id, group, next, spare;
};

// A ray a round against 256 triangles (Moller, Trumbore), one of each thread, the nearest by an atomic minimum: structs of 16 words, or arrays.
template <int ARRAYS> __device__ float tri_hit(int rounds)
{
    __shared__ triangle triangles[ARRAYS ? 1 : 256];
    __shared__ float side[9][ARRAYS ? 256 : 1];
    __shared__ unsigned nearest[2];
    int t = threadIdx.x;
#define SIDE(k) (ARRAYS ? side[k][ARRAYS ? t : 0] : (k) < 3 ? triangles[ARRAYS ? 0 : t].corner[(k) % 3] : (k) < 6 ? triangles[ARRAYS ? 0 : t].one[(k) % 3] : triangles[ARRAYS ? 0 : t].two[(k) % 3])
    float set[9] = {(t & 15) * 0.5f - 4.0f, (t >> 4) * 0.5f - 4.0f, 5.0f + (t * 7 & 15) * 0.3f, 1.2f, 0.1f * (t & 3), 0.3f, 0.1f, 1.3f, 0.2f * (t & 1)};
#pragma unroll
    for (int k = 0; k < 9; k++) {
        if (ARRAYS) side[k][ARRAYS ? t : 0] = set[k];
        else if (k < 3) triangles[ARRAYS ? 0 : t].corner[k] = set[k];
        else if (k < 6) triangles[ARRAYS ? 0 : t].one[k - 3] = set[k];
        else triangles[ARRAYS ? 0 : t].two[k - 6] = set[k];
    }
    if (t < 2) nearest[t] = 0x7f000000u;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float dx = ((r * 5 & 31) - 16) * 0.03f + 0.001f * sum, dy = ((r * 11 & 31) - 16) * 0.03f, dz = 1.0f, far = 1e30f;
        float ax = SIDE(3), ay = SIDE(4), az = SIDE(5), bx = SIDE(6), by = SIDE(7), bz = SIDE(8);
        float px = dy * bz - dz * by, py = dz * bx - dx * bz, pz = dx * by - dy * bx, det = ax * px + ay * py + az * pz;
        if (fabsf(det) > 1e-6f) {
            float over = 1.0f / det, ox = -SIDE(0), oy = -SIDE(1), oz = -SIDE(2), u = (ox * px + oy * py + oz * pz) * over;
            if (u >= 0.0f && u <= 1.0f) {
                float qx = oy * az - oz * ay, qy = oz * ax - ox * az, qz = ox * ay - oy * ax, v = (dx * qx + dy * qy + dz * qz) * over;
                if (v >= 0.0f && u + v <= 1.0f) far = (bx * qx + by * qy + bz * qz) * over;
            }
        }
        unsigned own = __reduce_min_sync(~0u, __float_as_uint(far > 0.0f ? far : 1e30f));
        if (t % 32 == 0 && own < 0x7f000000u) atomicMin(&nearest[r & 1], own);
        if (t == 0) nearest[(r & 1) ^ 1] = 0x7f000000u;
        __syncthreads();
        unsigned hit = nearest[r & 1];
        sum = hit == 0x7f000000u ? 0.9f * sum : 0.9f * sum + __uint_as_float(hit) * 0.1f;
        __syncthreads();
    }
#undef SIDE
    return sum;
}
PAIR(tri_hit, 0, 1, 256)

// A vertex of each thread moved by two of 64 bones (3 x 4 matrices), which turn: bones of 12 floats, or of 13.
template <int PITCH> __device__ float skinning(int rounds)
{
    __shared__ float bone[64 * PITCH];
    int t = threadIdx.x, first = t * 37 & 63, second = (t * 11 + 5) & 63;
    float weight = 0.3f + 0.05f * (t & 7), x = (t & 15) * 0.1f, y = (t >> 4) * 0.1f, z = 1.0f;
    for (int i = t; i < 64 * 12; i += 256) bone[i / 12 * PITCH + i % 12] = i % 12 % 5 == 0 ? 0.9f : ((i * 7) & 15) * 0.02f - 0.15f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float *a = bone + first * PITCH, *b = bone + second * PITCH;
        float moved[3];
#pragma unroll
        for (int i = 0; i < 3; i++) {
            float m[4];
#pragma unroll
            for (int j = 0; j < 4; j++) m[j] = weight * a[i * 4 + j] + (1.0f - weight) * b[i * 4 + j];
            moved[i] = m[0] * x + m[1] * y + m[2] * z + m[3];
        }
        float scale = rsqrtf(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2] + 0.01f);
        x = moved[0] * scale;
        y = moved[1] * scale;
        z = moved[2] * scale;
        first = (first * 5 + 3) & 63;
        second = (second * 13 + 7) & 63;
        __syncthreads();
        if (t < 64) {
            float *own = bone + t * PITCH, s = 0.05f, c = 0.99875f;
#pragma unroll
            for (int j = 0; j < 3; j++) {
                float up = own[j], right = own[4 + j];
                own[j] = c * up - s * right;
                own[4 + j] = s * up + c * right;
            }
        }
        __syncthreads();
    }
    return x + 2.0f * y + 3.0f * z;
}
PAIR(skinning, 12, 13, 256)
