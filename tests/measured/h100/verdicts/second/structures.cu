#include "../verdict.cuh"

struct quaternion {
    float w, x, y, z;
};

struct spinning {
    quaternion at, speed;
};

// Quaternions turned by their neighbours', each with its speed in a struct, or in arrays.
template <int ARRAYS> __device__ float turn(int rounds)
{
    __shared__ float q[4][128];
    __shared__ spinning s[128];
    int t = threadIdx.x, n = (t + 1) & 127;
    quaternion v = {1.0f, 0.01f * t, 0.02f, 0.03f};
    if (ARRAYS) {
        q[0][t] = v.w;
        q[1][t] = v.x;
        q[2][t] = v.y;
        q[3][t] = v.z;
    } else {
        s[t].at = v;
        s[t].speed = {0, 0, 0, 1};
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        quaternion a, b;
        if (ARRAYS) {
            a = {q[0][t], q[1][t], q[2][t], q[3][t]};
            b = {q[0][n], q[1][n], q[2][n], q[3][n]};
        } else {
            a = s[t].at;
            b = s[n].at;
        }
        quaternion c = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
        float scale = rsqrtf(c.w * c.w + c.x * c.x + c.y * c.y + c.z * c.z);
        __syncthreads();
        if (ARRAYS) {
            q[0][t] = c.w * scale;
            q[1][t] = c.x * scale;
            q[2][t] = c.y * scale;
            q[3][t] = c.z * scale;
        } else {
            s[t].at = {c.w * scale, c.x * scale, c.y * scale, c.z * scale};
        }
        __syncthreads();
    }
    return ARRAYS ? q[1][t] : s[t].at.x + s[n].speed.z;
}
PAIR(turn, 0, 1, 128)

// The four nearest of 64 points, a thread's list in shared memory kept in order.
template <int TURNED> __device__ float knn(int rounds)
{
    __shared__ float3 point[64];
    __shared__ float list[4 * 128];
    int t = threadIdx.x;
#define D(k) list[TURNED ? (k) * 128 + t : t * 4 + (k)]
    if (t < 64) point[t] = make_float3((t * 37) & 63, (t * 11) & 31, t & 15);
    __syncthreads();
    float3 own = make_float3(t & 31, t & 7, t & 3);
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < 4; k++) D(k) = 1e30f;
        for (int i = 0; i < 64; i++) {
            float dx = own.x - point[i].x, dy = own.y - point[i].y, dz = own.z - point[i].z;
            float d = dx * dx + dy * dy + dz * dz;
            if (d < D(3)) {
                int k = 3;
                while (k > 0 && D(k - 1) > d) {
                    D(k) = D(k - 1);
                    k--;
                }
                D(k) = d;
            }
        }
        sum += D(3);
        own.x += 0.37f;
    }
    return sum;
#undef D
}
PAIR(knn, 0, 1, 128)

// A tree of 255 nodes walked with a stack of each thread.
template <int TURNED> __device__ float walk(int rounds)
{
    __shared__ int stack[16 * 96];
    __shared__ float node[256];
    int t = threadIdx.x;
#define STACK(i) stack[TURNED ? (i) * 96 + t : t * 16 + (i)]
    for (int i = t; i < 256; i += 96) node[i] = (i * 53) & 127;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float least = (t * 5 + r * 3) & 63;
        int top = 0;
        STACK(top++) = 1;
        while (top > 0) {
            int n = STACK(--top);
            sum += node[n];
            if (n < 64 && node[n] >= least) {
                STACK(top++) = 2 * n;
                STACK(top++) = 2 * n + 1;
            }
        }
    }
    return sum;
#undef STACK
}
PAIR(walk, 0, 1, 96)

struct slot {
    unsigned key, value, more, used;
};

// Looking things up in a table of 512 slots by hashing: slots of four words, or keys and values apart.
template <int APART> __device__ float lookup(int rounds)
{
    __shared__ slot slots[512];
    unsigned *word = (unsigned *)slots;
    int t = threadIdx.x;
#define KEY(i) (APART ? word[i] : slots[i].key)
    for (int i = t; i < 512; i += 256) {
        unsigned key = i % 3 == 0 ? 0 : i * 2654435761u >> 20;
        if (APART) {
            word[i] = key;
            word[512 + i] = i;
        } else {
            slots[i].key = key;
            slots[i].value = i;
        }
    }
    __syncthreads();
    unsigned x = t * 747796405u + 1, sum = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned key = x >> 20, i = x >> 7 & 511;
        while (KEY(i) != 0 && KEY(i) != key) i = (i + 1) & 511;
        sum += APART ? word[512 + i] : slots[i].value;
        x = x * 1664525u + 1013904223u;
    }
    return sum;
#undef KEY
}
PAIR(lookup, 0, 1, 256)

// Springs between particles of ten floats each, or of eleven.
template <int WORDS> __device__ float springs(int rounds)
{
    __shared__ float s[128 * WORDS];
    int t = threadIdx.x, l = max(t - 1, 0), h = min(t + 1, 127);
    for (int k = 0; k < 10; k++) s[t * WORDS + k] = k < 3 ? t * (k + 1) * 1.01f : 0.0f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float force[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            float p = s[t * WORDS + k];
            force[k] = (s[l * WORDS + k] - p) + (s[h * WORDS + k] - p) - 0.1f * s[t * WORDS + 3 + k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 3; k++) {
            float v = s[t * WORDS + 3 + k] + 0.01f * force[k];
            s[t * WORDS + 3 + k] = v;
            s[t * WORDS + k] += 0.01f * v;
            s[t * WORDS + 6 + k] = force[k];
        }
        __syncthreads();
    }
    return s[t * WORDS] + s[t * WORDS + 6];
}
PAIR(springs, 8 + 2, 11, 128)

// Lagged Fibonacci numbers of doubles, 20 of state for each of 64 threads.
template <int TURNED> __device__ float lagged(int rounds)
{
    __shared__ double s[20 * 64];
    int t = threadIdx.x;
#define S(i) s[TURNED ? (i) * 64 + t : t * 20 + (i)]
    for (int i = 0; i < 20; i++) S(i) = ((t * 31 + i * 17) % 97) / 97.0;
    int i = 19, j = 6;
    double sum = 0;
    for (int r = 0; r < rounds; r++) {
        double x = S(i) - S(j);
        if (x < 0) x += 1.0;
        S(i) = x;
        i = i == 0 ? 19 : i - 1;
        j = j == 0 ? 19 : j - 1;
        sum += x;
    }
    return (float)sum;
#undef S
}
PAIR(lagged, 0, 1, 64)

// Message words as SHA-256 widens them, 16 of each thread in a ring.
template <int PITCH> __device__ float sha(int rounds)
{
    __shared__ unsigned w[96 * PITCH];
    int t = threadIdx.x;
    unsigned *m = w + t * PITCH;
    for (int i = 0; i < 16; i++) m[i] = t * 0x428a2f98u + i * 0x71374491u;
    unsigned a = 0x6a09e667u, e = 0x510e527fu;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int i = 0; i < 16; i++) {
            unsigned w1 = m[(i + 1) & 15], w14 = m[(i + 14) & 15];
            unsigned s0 = __funnelshift_r(w1, w1, 7) ^ __funnelshift_r(w1, w1, 18) ^ (w1 >> 3);
            unsigned s1 = __funnelshift_r(w14, w14, 17) ^ __funnelshift_r(w14, w14, 19) ^ (w14 >> 10);
            m[i] += s0 + m[(i + 9) & 15] + s1;
            unsigned ch = e & a ^ ~e & m[i];
            e = a + ch;
            a = __funnelshift_r(e, e, 6) ^ ch;
        }
    }
    return a + e;
}
PAIR(sha, 16, 17, 96)

// Float sums into cells that points fall upon, by atomics: cells of eight floats, or the count alone.
template <int WORDS> __device__ float deposit(int rounds)
{
    __shared__ float cell[256 * WORDS];
    int t = threadIdx.x;
    for (int i = t; i < 256 * WORDS; i += 128) cell[i] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int i = (t + r * 3) & 255;
        atomicAdd(&cell[i * WORDS], 0.75f);
        atomicAdd(&cell[((i + 1) & 255) * WORDS], 0.25f);
    }
    __syncthreads();
    return cell[t * WORDS];
}
PAIR(deposit, 8, 1, 128)

// 32 x 32 shorts turned by one warp.
template <int PITCH> __device__ float tr_short(int rounds)
{
    __shared__ short a[32][PITCH];
    int lane = threadIdx.x;
    for (int i = 0; i < 32; i++) a[i][lane] = i * 32 + lane;
    __syncwarp();
    for (int r = 0; r < rounds; r++) {
        for (int i = 1; i < 32; i++) {
            short u = 0, v = 0;
            if (lane < i) {
                u = a[i][lane];
                v = a[lane][i];
            }
            __syncwarp();
            if (lane < i) {
                a[i][lane] = v + 1;
                a[lane][i] = u;
            }
            __syncwarp();
        }
    }
    return a[lane][5];
}
PAIR(tr_short, 32, 34, 32)
