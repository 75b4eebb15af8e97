#include "verdict.cuh"

// Words replaced by a table of 256, one for all, or one for each lane.
template <int COPIES> __device__ float sbox(int rounds)
{
    extern __shared__ unsigned table[];
    int t = threadIdx.x, lane = t % COPIES;
    for (int i = t; i < 256 * COPIES; i += 128) table[i] = (i / COPIES) * 0x9e3779b9u ^ (i / COPIES) << 7;
    __syncthreads();
    unsigned a = t * 0x85ebca6bu, b = t * 0xc2b2ae35u;
#define AT(i) table[(i) * COPIES + lane]
    for (int r = 0; r < rounds; r++) {
        unsigned c = AT(a & 255) ^ __funnelshift_l(AT(b >> 8 & 255), AT(b >> 8 & 255), 8) ^ (AT(a >> 16 & 255) << 3);
        unsigned d = AT(b & 255) ^ (AT(a >> 8 & 255) >> 5) ^ AT(b >> 24);
        a = c + r;
        b = d ^ a;
    }
    return a ^ b;
#undef AT
}
PAIR(sbox, 1, 32, 128)

// The nearest of 16 centres, points of eight coordinates.
template <int P> __device__ float kmeans(int rounds)
{
    __shared__ float p[256 * P], centre[16 * 8];
    int t = threadIdx.x;
    for (int d = 0; d < 8; d++) p[t * P + d] = (t * 7 + d * 3) & 31;
    if (t < 128) centre[t] = t & 15;
    __syncthreads();
    int near = 0;
    for (int r = 0; r < rounds; r++) {
        float best = 1e30f;
        for (int k = 0; k < 16; k++) {
            float sum = 0;
#pragma unroll
            for (int d = 0; d < 8; d++) {
                float e = p[t * P + d] - centre[k * 8 + d];
                sum += e * e;
            }
            if (sum < best) {
                best = sum;
                near = k;
            }
        }
        __syncthreads();
        p[t * P + (r & 7)] += near * 0.1f;
        __syncthreads();
    }
    return near + p[t * P];
}
PAIR(kmeans, 8, 9, 256)

// Softmax of rows of 64, a row a thread.
template <int P> __device__ float softmax(int rounds)
{
    __shared__ float s[64 * P];
    int t = threadIdx.x;
    for (int k = 0; k < 64; k++) s[t * P + k] = (t * k) & 7;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float *row = s + t * P;
        float most = -1e30f, sum = 0;
        for (int k = 0; k < 64; k++) most = fmaxf(most, row[k]);
        for (int k = 0; k < 64; k++) {
            float e = expf(row[k] - most);
            row[k] = e;
            sum += e;
        }
        float one = 1.0f / sum;
        for (int k = 0; k < 64; k++) row[k] *= one;
        __syncthreads();
    }
    return s[t];
}
PAIR(softmax, 64, 65, 64)

// Rows of 32 floats made of mean 0 and spread 1, in fours, a row a thread.
template <int P> __device__ float layernorm(int rounds)
{
    __shared__ float4 s[128 * P / 4];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) s[t * (P / 4) + k] = make_float4(t, k, t * k, 1);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float4 *row = s + t * (P / 4);
        float sum = 0, squares = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = row[k];
            sum += v.x + v.y + v.z + v.w;
            squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
        float mean = sum / 32, scale = rsqrtf(squares / 32 - mean * mean + 1e-5f);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = row[k];
            row[k] = make_float4((v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale, (v.w - mean) * scale);
        }
        __syncthreads();
    }
    return s[t].x;
}
PAIR(layernorm, 32, 36, 128)

struct body {
    float x, y, z, mass, vx, vy, vz, pad;
};

// Forces between all of 128 bodies, each thread beginning with its own: structs, or arrays.
template <int ARRAYS> __device__ float bodies(int rounds)
{
    __shared__ float s[128 * 8];
    int t = threadIdx.x;
#define AT(i, m) s[ARRAYS ? (m) * 128 + (i) : (i) * 8 + (m)]
    for (int m = 0; m < 8; m++) AT(t, m) = t * 0.1f + m;
    __syncthreads();
    float ax = 0, ay = 0, az = 0;
    for (int r = 0; r < rounds; r++) {
        float x = AT(t, 0), y = AT(t, 1), z = AT(t, 2);
#pragma unroll 4
        for (int k = 1; k < 128; k++) {
            int j = (t + k) & 127;
            float dx = AT(j, 0) - x, dy = AT(j, 1) - y, dz = AT(j, 2) - z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = AT(j, 3) * inv * inv * inv;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
        AT(t, 0) = x + ax * 0.001f;
        AT(t, 1) = y + ay * 0.001f;
        __syncthreads();
    }
    return ax + ay + az;
#undef AT
}
PAIR(bodies, 0, 1, 128)

// Random numbers (WELL512), 16 words of state a thread.
template <int TURNED> __device__ float well(int rounds)
{
    __shared__ unsigned s[16 * 128];
    int t = threadIdx.x;
#define AT(i) s[TURNED ? (i) * 128 + t : t * 16 + (i)]
    for (int i = 0; i < 16; i++) AT(i) = t * 2654435761u + i;
    unsigned index = 0, sum = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned a = AT(index), c = AT((index + 13) & 15);
        unsigned b = a ^ c ^ (a << 16) ^ (c << 15);
        c = AT((index + 9) & 15);
        c ^= c >> 11;
        a = b ^ c;
        AT(index) = a;
        unsigned d = a ^ ((a << 5) & 0xda442d24u);
        index = (index + 15) & 15;
        a = AT(index);
        a = a ^ b ^ d ^ (a << 2) ^ (b << 18) ^ (c << 28);
        AT(index) = a;
        sum += a;
    }
    return sum;
#undef AT
}
PAIR(well, 0, 1, 128)

// Polynomials of doubles, their eight coefficients by what the argument is near to.
template <int P> __device__ float polynomials(int rounds)
{
    __shared__ double c[64 * P];
    int t = threadIdx.x;
    if (t < 64)
        for (int d = 0; d < 8; d++) c[t * P + d] = 0.01 * (t + d);
    __syncthreads();
    double x = t * 0.007, sum = 0;
    for (int r = 0; r < rounds; r++) {
        int i = ((int)(x * 64) + 5 * t) & 63;
        double v = c[i * P + 7];
#pragma unroll
        for (int d = 6; d >= 0; d--) v = fma(v, x, c[i * P + d]);
        sum += v;
        x = x * 0.75 + 0.11;
    }
    return (float)sum;
}
PAIR(polynomials, 8, 9, 512)

// Bytes of a picture added up by columns, four at a time (dp4a), a row a thread.
template <int P> __device__ float bytes(int rounds)
{
    __shared__ int s[64 * P];
    int t = threadIdx.x;
    for (int k = 0; k < 32; k++) s[t * P + k] = t * 0x01020304 + k;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 8
        for (int k = 0; k < 32; k++) sum = __dp4a(s[t * P + k], 0x01010101, sum);
        __syncthreads();
        s[t * P + (r & 31)] = sum;
        __syncthreads();
    }
    return sum;
}
PAIR(bytes, 32, 33, 64)

// Logarithms and sines over records of eight floats: structs, or arrays.
template <int ARRAYS> __device__ float records(int rounds)
{
    __shared__ float s[256 * 8];
    int t = threadIdx.x;
#define AT(m) s[ARRAYS ? (m) * 256 + t : t * 8 + (m)]
    for (int m = 0; m < 8; m++) AT(m) = 1 + m + t % 5;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float a = AT(0), b = AT(3), c = AT(6);
        AT(0) = __logf(a + 2.0f) + __sinf(b);
        AT(3) = __expf(-c * c) + sqrtf(a + 3.0f);
        AT(6) = c * 0.5f + __cosf(a);
        __syncthreads();
    }
    return AT(0) + AT(3);
#undef AT
}
PAIR(records, 0, 1, 256)
