/* lanes.cu - lanes of a warp, barriers and branches; as whole.cu. */
#include <cstdint>

/* shuffles<<<1, 64>>>(int[64] = random(1), int[512]) */
extern "C" __global__ void shuffles(const int *a, int *out)
{
    int i = threadIdx.x, x = a[i];
    out[i] = __shfl_sync(~0u, x, (i * 7) & 31);
    out[64 + i] = __shfl_up_sync(~0u, x, 3);
    out[128 + i] = __shfl_down_sync(~0u, x, 5, 8);
    out[192 + i] = __shfl_xor_sync(~0u, x, 9, 16);
    int sum = x & 0xffff;
    for (int d = 1; d < 32; d *= 2) {
        int from = __shfl_up_sync(~0u, sum, d);
        sum += (i & 31) >= d ? from : 0;
    }
    out[256 + i] = sum;
    int there;
    asm volatile("{ .reg .pred p; .reg .b32 r; shfl.sync.down.b32 r|p, %1, 6, 0x1f, 0xffffffff; selp.b32 %0, r, -1, p; }" : "=r"(there) : "r"(x));
    out[320 + i] = there;
    out[384 + i] = (int)__shfl_xor_sync(~0u, (int64_t)x * 1000003, 1);
    out[448 + i] = __shfl_sync(~0u, x, out[i] & 31);
}

/* votes<<<1, 64>>>(int[64] = random(2), unsigned[640]) */
extern "C" __global__ void votes(const int *a, unsigned *out)
{
    int i = threadIdx.x, x = a[i] % 7, every;
    out[i] = __ballot_sync(~0u, x > 3);
    out[64 + i] = __any_sync(~0u, x == 6) + 2 * __all_sync(~0u, x < 7) + 4 * __all_sync(~0u, x < 6);
    out[128 + i] = __match_any_sync(~0u, x);
    unsigned alike = __match_all_sync(~0u, i >> 5, &every);
    out[192 + i] = alike + (unsigned)every;
    out[256 + i] = __reduce_add_sync(~0u, (unsigned)x) + 1000 * __reduce_max_sync(~0u, (unsigned)x);
    out[320 + i] = (unsigned)__reduce_min_sync(~0u, x - 4) ^ __reduce_xor_sync(~0u, (unsigned)a[i]);
    out[384 + i] = __reduce_and_sync(~0u, (unsigned)a[i] | 0xff) ^ __reduce_or_sync(~0u, (unsigned)a[i] & 0x5555);
    if (x > 2) {
        out[448 + i] = __activemask();
        out[512 + i] = __ballot_sync(__activemask(), x & 1);
    }
    out[576 + i] = (unsigned)__popc(__ballot_sync(~0u, x & 1) & ((1u << (i & 31)) - 1));
}

/* meetings<<<2, 96>>>(int[192] = random(3), int[768]) */
extern "C" __global__ void meetings(const int *a, int *out)
{
    __shared__ int s[96];
    int t = threadIdx.x, i = blockIdx.x * 96 + t, x = a[i] % 100;
    s[t] = x;
    out[i] = __syncthreads_count(x > 50);
    out[192 + i] = s[95 - t] + 2 * __syncthreads_or(x == 99) + __syncthreads_and(x < 100);
    if (t < 64) {
        s[t] += x;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[384 + i] = s[63 - t];
    }
    __syncthreads();
    if (t < 32) {
        s[t] = x;
        __syncwarp();
        out[576 + i] = s[(t * 5) & 31];
    }
}

/* ways<<<1, 64>>>(unsigned[64] = random(4), unsigned[256]) */
extern "C" __global__ void ways(const unsigned *a, unsigned *out)
{
    int i = threadIdx.x;
    unsigned x = a[i], n = 0;
    while (x > 1) { /* each lane as often as its number wants */
        x = (x & 1) ? x / 3 : x / 2;
        if (++n > 20) {
            break;
        }
    }
    out[i] = n;
    unsigned y = 0;
    for (unsigned k = 0; k < (a[i] & 7); k++) {
        for (unsigned m = 0; m < (a[63 - i] & 3) + k; m++) {
            y = y * 31 + m;
            if ((y & 15) == 3) {
                continue;
            }
            y ^= k;
        }
    }
    out[64 + i] = y;
    switch (a[i] % 9) {
    case 0: y = y * 3 + 1; break;
    case 1: y = y ^ 0x55; break;
    case 2: y = __brev(y); break;
    case 3: y += 17; /* and on */
    case 4: y /= 5; break;
    case 5: y = ~y; break;
    case 6: y = y << 3 | 1; break;
    default: y = 42;
    }
    out[128 + i] = y;
    if (a[i] % 5 == 0) {
        return;
    }
    out[192 + i] = y + n;
}

__device__ __noinline__ unsigned far_away(unsigned x, unsigned n)
{
    unsigned y = x;
    for (unsigned k = 0; k < n; k++) {
        y = y * 1103515245u + 12345u;
    }
    return y;
}

/* calls<<<1, 64>>>(unsigned[64] = random(5), unsigned[64]) */
extern "C" __global__ void calls(const unsigned *a, unsigned *out)
{
    int i = threadIdx.x;
    unsigned x = far_away(a[i], (unsigned)i & 3);
    if (i & 1) {
        x ^= far_away(x, 2);
    }
    out[i] = x;
}
