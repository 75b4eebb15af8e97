/* bits.cu - neighbours that |, ^, & and % lead to: what nvcc sees to be a sum with a constant. Above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o bits.ptx bits.cu
 */
__device__ void fill(float *s, const float *in)
{
    for (int i = 0; i < 8; i++) {
        s[threadIdx.x + 64 * i] = in[threadIdx.x + 64 * i];
    }
    __syncthreads();
}

/* or_below<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_below(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = threadIdx.x << 2;
    out[threadIdx.x] = s[b] + s[b | 1] + s[b | 2] + s[b | 3];
}

/* xor_below<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void xor_below(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = threadIdx.x << 2;
    out[threadIdx.x] = s[b ^ 3] + s[b ^ 1] + s[b] + s[b ^ 2];
}

/* or_more<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_more(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = (threadIdx.x & 7) * 16;
    out[threadIdx.x] = s[b | 1] + s[b + 3] + s[b | (8 + 4)] + s[(b | 2) + 1];
}

/* or_between<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_between(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = (threadIdx.x & 31);
    out[threadIdx.x] = s[b | 32] + s[b | 64] + s[b ^ 128] + s[b + 96];
}

/* or_unknown<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_unknown(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = threadIdx.x;
    out[threadIdx.x] = s[b | 1] + s[b | 3] + s[b ^ 1] + s[b ^ 2] + s[b];
}

/* or_disjoint<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_disjoint(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = (threadIdx.x & 7) * 16, c = threadIdx.x / 16u & 15;
    out[threadIdx.x] = s[b + c] + s[b | c] + s[(b ^ c) + 1];
}

/* or_of_parts<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_of_parts(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    out[threadIdx.x] = s[w << 5 | lane] + s[(w << 5) + lane + 1] + s[((w << 5) | lane) + 2];
}

/* or_in_sum<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_in_sum(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = (threadIdx.x & 7) * 16;
    out[threadIdx.x] = s[(b | 4) + threadIdx.x / 16] + s[(b | 5) + threadIdx.x / 16];
}

/* or_global<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void or_global(const float *in, float *out)
{
    int b = threadIdx.x << 2;
    out[threadIdx.x] = in[b] + in[b | 1] + in[b | 2] + in[b ^ 3];
}

/* mask_mod<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_mod(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[b % 512] + s[(b + 1) % 512] + s[(b + 2) % 512] + s[(b + 3) % 512];
}

/* mask_more<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_more(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 5) % 512] + s[(b + 7) % 512] + s[(b + 6) % 512] + s[(b + 4) % 512];
}

/* mask_less<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_less(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b - 1) % 512] + s[(b - 3) % 512] + s[(b + 1) % 512];
}

/* mask_int<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_int(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) & 511] + s[(b + 3) & 511] + s[(b | 1) & 255] + s[(b | 2) & 255];
}

/* mask_signed<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_signed(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) % 512] + s[(b + 3) % 512];
}

/* mask_known<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_known(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int b = (threadIdx.x & 63) * 4;
    out[threadIdx.x] = s[b % 512] + s[(b + 1) % 512] + s[(b + 2) % 512] + s[(b + 3) % 512];
}

/* mask_holes<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_holes(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) & 0x1f5] + s[(b + 3) & 0x1f7] + s[b & 0x1f4];
}

/* mask_upper<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_upper(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) & 510] + s[(b + 3) & 510] + s[b & 508];
}

/* mask_twice<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_twice(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) % 256 * 2] + s[(b + 3) % 256 * 2];
}

/* mask_global<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void mask_global(const float *in, float *out)
{
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = in[b % 512] + in[(b + 1) % 512] + in[(b + 2) % 512] + in[(b + 3) % 512];
}

/* halved<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void halved(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    unsigned b = threadIdx.x * 4;
    out[threadIdx.x] = s[(b + 1) % 512 / 2] + s[(b + 3) % 512 / 2] + s[(b + 2) % 512 / 2];
}

/* divided<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void divided(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int u = threadIdx.x & 63;
    out[threadIdx.x] = s[u / 8 * 8 + u % 8] + s[u % 8 + u / 32] + s[(u + 8) / 8] + s[(u - 1) / 2 + 1];
}

/* mask_halves<<<1, 64>>>(short[256] = random(3), int[64]) */
__global__ void mask_halves(const short *in, int *out)
{
    __shared__ short s[256];
    for (int i = 0; i < 4; i++) {
        s[threadIdx.x + 64 * i] = in[threadIdx.x + 64 * i];
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += s[(threadIdx.x * 4 + i) & 255] * (i + 1);
    }
    out[threadIdx.x] = sum;
}

/* mask_stores<<<1, 64>>>(float[128] = random(3), float[64]) */
__global__ void mask_stores(const float *in, float *out)
{
    __shared__ float s[512];
    int b = threadIdx.x * 4;
    s[(b + 1) & 511] = in[threadIdx.x];
    s[(b + 3) & 511] = in[threadIdx.x + 1];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x / 2 * 2 + 1];
}

/* upper_bits<<<1, 64>>>(float[512] = random(3), float[64]) */
__global__ void upper_bits(const float *in, float *out)
{
    __shared__ float s[512];
    fill(s, in);
    int t = threadIdx.x;
    out[t] = s[(t + 33) & 31] + s[(t + 65) & 31] * 2 + s[(t + 1) & 31] * 3;
}

/* counters_remainders<<<1, 64>>>(float[512] = random(3), float[64], 13) */
__global__ void counters_remainders(const float *in, float *out, int n)
{
    __shared__ float s[512];
    fill(s, in);
    int t = threadIdx.x;
    float y = 0;
    for (int i = 0; i < n; i++) y += s[t * 7 + (i + 1) % 8] - s[t * 7 + i % 8];
    out[t] = y;
}

/* counters_quotients<<<1, 64>>>(float[512] = random(3), float[64], 13) */
__global__ void counters_quotients(const float *in, float *out, int n)
{
    __shared__ float s[512];
    fill(s, in);
    int t = threadIdx.x;
    float y = 0;
    for (int i = 0; i < n; i++) {
        float *p = s + i / 2 * 4 + t * 4;
        y += p[0] + p[1] * 2 + p[2] * 3 + p[3] * i;
    }
    out[t] = y;
}

/* turns_of_a_ring<<<1, 32>>>(float[512] = random(3), float[64]) */
__global__ void turns_of_a_ring(const float *in, float *out)
{
    __shared__ float s[512];
    for (int i = threadIdx.x; i < 512; i += 32) s[i] = in[i];
    __syncthreads();
    int t = threadIdx.x;
    float *m = s + t * 16;
#pragma unroll 4
    for (int i = 0; i < 16; i++) m[i] += m[(i + 15) & 15];
    __syncthreads();
    out[t] = s[t * 15];
}

/* words_of_a_ring<<<1, 32>>>(float[512] = random(3), unsigned[64]) */
__global__ void words_of_a_ring(const float *in, unsigned *out)
{
    __shared__ unsigned w[512];
    int t = threadIdx.x;
    unsigned *m = w + t * 16, a = t, e = 5;
    for (int i = 0; i < 16; i++) m[i] = t * 0x428a2f98u + i * 0x71374491u;
#pragma unroll 4
    for (int i = 0; i < 16; i++) {
        unsigned w1 = m[(i + 1) & 15], w14 = m[(i + 14) & 15];
        m[i] += __funnelshift_r(w1, w1, 7) + m[(i + 9) & 15] + __funnelshift_r(w14, w14, 17);
        e = a + (e & a ^ ~e & m[i]);
        a = __funnelshift_r(e, e, 6);
    }
    out[t] = a + e;
}

/* masks_of_later_turns<<<1, 32>>>(float[512] = random(3), float[64]) */
__global__ void masks_of_later_turns(const float *in, float *out)
{
    __shared__ float s[512];
    for (int i = threadIdx.x; i < 512; i += 32) s[i] = in[i];
    __syncthreads();
    int t = threadIdx.x;
    float *m = s + t * 16, y = 0;
#pragma unroll 1
    for (int i = 0; i < 12; i += 4) y += m[(i + 4) & 15] * m[(i + 5) & 15] + m[(i + 6) & 15] * i;
    out[t] = y;
}

/* odd_turns<<<1, 64>>>(float[64], 5) */
__global__ void odd_turns(float *out, int n)
{
    __shared__ float a[64 * 4], b[64 * 4];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 64) a[i] = b[i] = i;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < n; r++) {
        const float *p = r & 1 ? a : b;
        sum = sum * 3 + p[t * 4] + p[t * 4 + 1];
    }
    out[t] = sum;
}

/* every_fourth_turn<<<1, 64>>>(float[64], 5) */
__global__ void every_fourth_turn(float *out, int n)
{
    __shared__ float a[64 * 4];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 64) a[i] = i;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < n; r++) {
        sum += a[t * 4 + (r & 3)];
        if (r % 4 == 3) sum *= 2;
    }
    out[t] = sum;
}
