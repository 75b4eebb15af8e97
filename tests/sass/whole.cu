/* whole.cu - whole numbers and bits. Above each kernel stands its launch; ../unit/test_sass.c runs it from nvcc's PTX and from ptxas's machine code. */
#include <cstdint>

typedef unsigned __int128 wide;

/* carries<<<1, 64>>>(unsigned long[64] = random(3), unsigned long[64] = random(4), unsigned long[512]) */
extern "C" __global__ void carries(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    int i = threadIdx.x;
    uint64_t x = a[i] * 0x9e3779b97f4a7c15u, y = b[i] * 0xc2b2ae3d27d4eb4fu;
    wide sum = ((wide)x << 64 | y) + ((wide)y << 64 | x), less = ((wide)x << 64 | y) - ((wide)y << 64 | x);
    out[i] = x + y;
    out[64 + i] = x - y;
    out[128 + i] = (uint64_t)sum;
    out[192 + i] = (uint64_t)(sum >> 64);
    out[256 + i] = (uint64_t)less;
    out[320 + i] = (uint64_t)(less >> 64);
    out[384 + i] = x + (uint32_t)y + (y >> 63);
    out[448 + i] = (x + y < x) ? x - 1 : ~y + 2;
}

/* products<<<1, 64>>>(unsigned long[64] = random(5), unsigned long[64] = random(6), unsigned long[512]) */
extern "C" __global__ void products(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    int i = threadIdx.x;
    uint64_t x = a[i] * 0x9e3779b97f4a7c15u, y = b[i] * 0xc2b2ae3d27d4eb4fu;
    uint32_t u = (uint32_t)x, v = (uint32_t)(y >> 32);
    wide square = (wide)x * y;
    out[i] = (uint64_t)u * v;
    out[64 + i] = (uint64_t)((int64_t)(int32_t)u * (int32_t)v);
    out[128 + i] = x * y;
    out[192 + i] = __umul64hi(x, y);
    out[256 + i] = (uint64_t)__mul64hi((long long)x, (long long)y);
    out[320 + i] = (uint64_t)__umulhi(u, v) << 32 | (uint32_t)__mulhi((int)u, (int)v);
    out[384 + i] = (uint64_t)square ^ (uint64_t)(square >> 64);
    out[448 + i] = (uint64_t)__mul24((int)u, (int)v) << 32 | (uint32_t)(u * v + 12345);
}

/* places<<<2, dim3(8, 4)>>>(int[1024] = iota, long[64], 5, -3) */
extern "C" __global__ void places(const int *in, int64_t *out, int row, int64_t far)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * 32 + t;
    const short *half = (const short *)in + 8;
    out[i] = in[i * row + 3] + far * in[(i << 3) ^ 7] + half[i * 6] + in[(unsigned)i / 3 * 2 + (unsigned)i % 5];
}

/* shifts<<<1, 64>>>(unsigned long[64] = random(7), unsigned[64] = iota, unsigned long[640]) */
extern "C" __global__ void shifts(const uint64_t *a, const unsigned *by, uint64_t *out)
{
    int i = threadIdx.x;
    unsigned n = by[i];
    uint64_t x = a[i] * 0x9e3779b97f4a7c15u;
    uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32);
    out[i] = x << n;
    out[64 + i] = x >> n;
    out[128 + i] = (uint64_t)((int64_t)x >> n);
    out[192 + i] = __funnelshift_l(low, high, n);
    out[256 + i] = __funnelshift_r(low, high, n);
    out[320 + i] = __funnelshift_lc(low, high, n);
    out[384 + i] = __funnelshift_rc(low, high, n);
    uint32_t left, right, arithmetic; /* of 32 places and more: nothing is left, or the sign */
    asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(low), "r"(n));
    asm("shr.u32 %0, %1, %2;" : "=r"(right) : "r"(low), "r"(n));
    asm("shr.s32 %0, %1, %2;" : "=r"(arithmetic) : "r"(low), "r"(n));
    out[448 + i] = (uint64_t)left << 32 | right;
    out[512 + i] = (uint64_t)arithmetic << 32 | low << 7 | high >> 25;
    out[576 + i] = (x << 13) ^ (uint64_t)((int64_t)x >> 37) ^ (x >> 5);
}

/* bits<<<1, 64>>>(unsigned long[64] = random(8), unsigned[640]) */
extern "C" __global__ void bits(const uint64_t *a, unsigned *out)
{
    int i = threadIdx.x;
    uint64_t x = a[i] * 0x9e3779b97f4a7c15u;
    uint32_t u = (uint32_t)x, v = (uint32_t)(x >> 32), w = u * 77 + v;
    out[i] = (u & v) | (~u & w);
    out[64 + i] = (u & v) ^ (v & w) ^ (u & w);
    out[128 + i] = ((u & 0x18) != 0 ? v : w) + ((u & v & 0x77) == 0);
    out[192 + i] = __popc(u) + 100 * __clz(v >> (i & 31)) + 10000 * __ffs(w) + 1000000 * __popcll(x);
    out[256 + i] = __brev(u) ^ (uint32_t)__brevll(x);
    out[320 + i] = __byte_perm(u, v, w) ^ __byte_perm(u, v, 0x2637);
    out[384 + i] = (u >> 5 & 0x3ff) + (uint32_t)((int)(v << 9) >> 21) + (w & 0xff00ffu);
    out[448 + i] = (unsigned)__clzll((long long)(x >> i)) + (unsigned)(int8_t)u * 3 + (uint16_t)w;
    out[512 + i] = (unsigned)__dp4a((int)u, (int)v, (int)w) ^ __dp4a(u, v, w);
    out[576 + i] = (unsigned)max(min((int)u, (int)v), (int)w) ^ max(min(u, v), w) ^ (unsigned)abs((int)w);
}

/* orders<<<1, 64>>>(long[64] = random(9), long[64], unsigned[256]) */
extern "C" __global__ void orders(const int64_t *a, int64_t *mixed, unsigned *out)
{
    int i = threadIdx.x;
    int64_t x = a[i] * (int64_t)0x9e3779b97f4a7c15u, y = a[63 - i] * (int64_t)0x9e3779b97f4a7c15u;
    int64_t z = (i & 3) == 0 ? x : (i & 3) == 1 ? x ^ 1 : (i & 3) == 2 ? x ^ (1ll << 32) : y; /* alike in a half, or both */
    uint64_t u = (uint64_t)x, v = (uint64_t)z;
    out[i] = (x < z) | (x <= z) << 1 | (x > z) << 2 | (x >= z) << 3 | (x == z) << 4 | (x != z) << 5;
    out[64 + i] = (u < v) | (u <= v) << 1 | (u > v) << 2 | (u >= v) << 3;
    out[128 + i] = (x < z && u > v) | (x < z || u == v) << 1 | ((x > y) ^ (y > z)) << 2;
    out[192 + i] = (int)x < (int)z ? (unsigned)x : (unsigned)z + 1;
    mixed[i] = min(x, z) ^ max(u, v);
}

/* flags<<<1, 64>>>(int[64] = random(10), unsigned[128], 9) */
extern "C" __global__ void flags(const int *a, unsigned *out, int turns)
{
    int i = threadIdx.x;
    bool is[12];
    unsigned made = 0;
#pragma unroll
    for (int k = 0; k < 12; k++) { /* more conditions than there are registers for them, kept across a loop */
        is[k] = a[(i + 5 * k) & 63] % (k + 2) == 0;
    }
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int k = 0; k < 12; k++) {
            made = is[k] ? made * 3 + k : made ^ (unsigned)t;
            is[k] ^= is[(k + 1) % 12] && (made & 1);
        }
    }
    out[i] = made;
    out[64 + i] = (is[0] && is[3]) + 2 * (is[1] || !is[5]) + 4 * (is[2] ^ is[7]);
}

/* quotients<<<1, 64>>>(long[64] = random(11), long[256], int[256]) */
extern "C" __global__ void quotients(const int64_t *a, int64_t *out, int *small)
{
    int i = threadIdx.x;
    int64_t x = a[i] * (int64_t)0x9e3779b97f4a7c15u, y = (a[63 - i] * (int64_t)0xc2b2ae3d27d4eb4fu >> i) | 1;
    out[i] = x / y; /* a call, and without it where both are short */
    out[64 + i] = x % y;
    out[128 + i] = (int64_t)((uint64_t)x / (uint64_t)y);
    out[192 + i] = x / 1000003;
    small[i] = (int)x / ((int)y | 1);
    small[64 + i] = (int)x % ((int)y | 1);
    small[128 + i] = (int)((unsigned)x / ((unsigned)y | 1));
    small[192 + i] = (int)x / 7 + (int)((unsigned)x % 10);
}
