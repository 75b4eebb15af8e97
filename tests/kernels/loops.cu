/* loops.cu - loops whose turns the source does not count, with places that are the same in all
 * turns, and branches whose ways access the same; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o loops.ptx loops.cu
 */
/* accumulates<<<1, 64>>>(int[64] = iota, 10) */
__global__ void accumulates(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = 0; i < n; i++) {
        s[t] += p[i];
    }
    __syncthreads();
    p[t] = s[63 - t];
}
/* atomics<<<1, 64>>>(int[64] = random(3), 10) */
__global__ void atomics(int *p, int n)
{
    __shared__ int h[64];
    int t = threadIdx.x;
    h[t] = 0;
    __syncthreads();
    for (int i = 0; i < n; i++)
        atomicAdd(&h[p[t] & 7], i);
    __syncthreads();
    p[t] = h[t];
}
__constant__ int w[16];
/* constant<<<1, 64>>>(int[64] = iota, 10) */
__global__ void constant(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int v = 0;
    s[t] = p[t];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        v += w[3] * s[(t + i) & 63];
    }
    p[t] = v;
}
/* same_place<<<1, 64>>>(int[64] = iota, 10) */
__global__ void same_place(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int v = 0;
    s[t] = p[t];
    __syncthreads();
    for (int i = 0; i < n; i++) {
        v += s[7] * i;
    }
    p[t] = v;
}
/* reduces<<<1, 64>>>(float[128] = iota, float[64], 10) */
__global__ void reduces(const float *in, float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int i = t;
    s[t] = 0;
    while (i < n * 12) {
        s[t] += in[i];
        i += 64;
    }
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}
/* sometimes<<<1, 64>>>(int[64] = iota, 10) */
__global__ void sometimes(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    int v = 0;
    for (int i = 0; i < n; i++) {
        if (i & 1) {
            v += s[5];
        }
        v += s[(t * 3) & 63];
    }
    p[t] = v;
}
/* product<<<1, 64>>>(float[4096] = random, float[4096] = random, float[4096], 64) */
__global__ void product(float *A, float *B, float *C, int N)
{
    int r = threadIdx.x / 8, c = threadIdx.x % 8;
    C[r * N + c] = 0;
    for (int k = 0; k < N; k++)
        C[r * N + c] += A[r * N + k] * B[k * N + c];
}
/* two_places<<<1, 64>>>(int[64] = iota, 10) */
__global__ void two_places(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncwarp();
    for (int i = 0; i < n; i++) {
        p[t] = p[t] + s[i];
        s[t] = i;
    }
}
/* vectors<<<1, 64>>>(float4[64] = iota, float[64], 10) */
__global__ void vectors(const float4 *p, float *q, int n)
{
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    float v = 0;
    for (int i = 0; i < n; i++) {
        float4 a = s[t ^ 1];
        v += a.x * i + a.w;
    }
    q[t] = v;
}
/* at_end<<<1, 64>>>(int[64] = iota, 10) */
__global__ void at_end(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    int i = 0;
    do {
        s[t] += i * s[63];
        i++;
    } while (i < n);
    p[t] = s[t];
}
/* volatiles<<<1, 64>>>(int[64] = iota, 10) */
__global__ void volatiles(int *p, int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    for (int i = 0; i < n; i++) {
        s[t] += s[3];
    }
    p[t] = s[t];
}
__constant__ int cc[8];
__device__ int dd[64];
/* written<<<1, 64>>>(int[64] = iota, 10) */
__global__ void written(int *p, int n)
{
    int t = threadIdx.x;
    int v = 0;
    for (int i = 0; i < n; i++) {
        v += cc[i & 7] * dd[t] + cc[2];
        dd[t + 1 & 63] = v;
    }
    p[t] = v;
}
/* goes_on<<<1, 64>>>(int[128] = iota, 10) */
__global__ void goes_on(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    int v = 0;
    for (int i = 0; i < n; i++) {
        if (p[64] > 3)
            continue;
        v += s[t];
    }
    p[t] = v;
}
/* conditions<<<1, 64>>>(int[128] = iota, 10) */
__global__ void conditions(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    int v = 0;
    while (v < p[100] * n) {
        v += s[t ^ 1] + 40;
    }
    p[t] = v;
}
/* ways<<<1, 64>>>(int[64] = iota, int[128]) */
__global__ void ways(const int *p, int *q)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t & 1) {
        s[t] = p[t];
    } else {
        s[t] = 2 * p[t];
    }
    __syncthreads();
    q[t] = s[63 - t];
    if (s[t] > 20)
        q[t] += s[t ^ 2];
    else
        q[t + 64] = s[t ^ 2];
}
/* elsewhere<<<1, 64>>>(int[64] = iota, int[64], 10) */
__global__ void elsewhere(int *p, int *q, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        p[t] += i;
        q[t] = i;
    }
}
/* meets<<<1, 64>>>(int[64] = iota, 10) */
__global__ void meets(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        s[t] += i;
    }
    __syncthreads();
    p[t] = s[63 - t];
}

/* carried<<<1, 96>>>(float[96] = iota, float[300] = iota, float[288], 2) */
__global__ void carried(const float *in, const float *more, float *out, int n)
{
    __shared__ float s[96], r[96], u[96];
    int t = threadIdx.x;
    s[t] = 0;
    r[t] = in[t];
    u[t] = in[95 - t];
    for (int i = 0; i < n; i++) {
        int k = t + i * 96;
        if (k < 130)
            s[t] += more[k];
        if (k > 70)
            r[t] = r[t] * 2 - 1;
        if (k > 50)
            u[t] += k;
        u[k & 31] = 3;
    }
    __syncthreads();
    out[t] = s[t ^ 1];
    out[t + 96] = r[t ^ 2];
    out[t + 192] = u[t ^ 3];
}

/* zeroed<<<1, 64>>>(float[1024] = iota, float[64]) */
__global__ void zeroed(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = 0; i < 16; i++)
        s[t] += in[t + i * 64];
    __syncthreads();
    out[t] = s[t ^ 1];
}

/* zeroed_in_turns<<<1, 64>>>(float[1024] = iota, float[64], 9) */
__global__ void zeroed_in_turns(const float *in, float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        s[t] = 0;
        for (int k = 0; k < 3; k++)
            s[t] += in[t + i * 64 + k];
        __syncthreads();
        sum += s[t ^ 1];
        __syncthreads();
    }
    out[t] = sum;
}

/* read_once<<<1, 64>>>(float[1024] = iota, float[128]) */
__global__ void read_once(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            out[t + 64] = s[t ^ 3];
        s[t] += in[t + k];
    }
    __syncthreads();
    out[t] = s[t ^ 1];
}

/* zeroed_for_some<<<1, 32>>>(int[1024] = iota, int[32]) */
__global__ void zeroed_for_some(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x, v = 0;
    s[t] = 7;
    for (int k = 0; k < 1000; k++) {
        if (((k * k) & 255) == 0)
            s[t] = v;
        v ^= in[k];
        __syncwarp();
    }
    __syncthreads();
    out[t] = s[t ^ 1] + v;
}

/* forty_places<<<1, 64>>>(float[64], 7) */
__global__ void forty_places(float *out, int n)
{
    __shared__ float s[64 * 40];
    int t = threadIdx.x;
    float x = t;
    for (int i = 0; i < 40; i++)
        s[t * 40 + i] = i;
    for (int r = 0; r < n; r++)
        for (int i = 0; i < 40; i++) {
            x = s[t * 40 + i] * 0.5f + x;
            s[t * 40 + i] = x;
        }
    out[t] = x;
}

__device__ void put(float *p, float x)
{
    *p = x;
}

/* two_sweeps<<<1, 64>>>(float[64], 7) */
__global__ void two_sweeps(float *out, int n)
{
    __shared__ float c[64 * 32], d[64 * 32];
    int t = threadIdx.x;
    float x = t;
    for (int i = 0; i < 32; i++) d[t * 32 + i] = i;
    for (int r = 0; r < n; r++) {
        float p = 0.25f, q = x * 0.25f;
        c[t * 32] = p;
        for (int i = 1; i < 32; i++) {
            p = __fdividef(1.0f, 4.0f - p);
            q = (d[t * 32 + i] - q) * p;
            c[t * 32 + i] = p;
            put(&d[t * 32 + i], q);
        }
        x = q;
        for (int i = 31; i >= 0; i--) {
            x = d[t * 32 + i] - c[t * 32 + i] * x;
            put(&d[t * 32 + i], x);
        }
    }
    out[t] = x;
}

/* stores_of_what_was_there<<<1, 32>>>(float[320], float[320] = random(1), 5) */
__global__ void stores_of_what_was_there(float *out, const float *in, int n)
{
    __shared__ float s[256], q[32];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        sum += s[t * 8 + k];
        s[t * 8 + k] = sum;
    }
    float x = s[t * 8 + 7], y = out[t];
    q[t] = x;
    if (n > 3) s[t * 8 + 7] = x;
    out[t + 64] = sum;
    out[t] = y;
    __syncthreads();
    out[t + 128] = s[t] + q[31 - t];
}

/* stores_of_what_may_have_changed<<<1, 32>>>(float[320], float[320] = random(1), 5) */
__global__ void stores_of_what_may_have_changed(float *out, const float *in, int n)
{
    __shared__ float s[64], q[64];
    int t = threadIdx.x;
    s[t] = s[t + 32] = q[t] = in[t];
    q[t + 32] = in[t + 32];
    __syncthreads();
    float x = s[t], y = q[t], z = s[t + 32];
    s[(t + n) & 63] = y;
    s[t] = x;
    if (n > 3) q[t] = y + 1; else q[t] = y;
    __syncthreads();
    s[t + 32] = z;
    __syncthreads();
    out[t] = s[31 - t] + q[31 - t] + s[63 - t];
}

/* turns_that_store_what_was_there<<<1, 32>>>(float[320], float[320] = random(1), 7) */
__global__ void turns_that_store_what_was_there(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float x = s[t + i];
        sum += x * i;
        s[t + i] = x;
    }
    out[t] = sum;
}

#define LINES                                                                                      \
    __shared__ float s[32 * 33];                                                                   \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 32 * 33; i += 32) s[i] = in[i];                                            \
    __syncthreads()

/* sums_into_the_first<<<1, 32>>>(float[32], float[1056] = random(1), 13) */
__global__ void sums_into_the_first(float *out, const float *in, int n)
{
    LINES;
    for (int i = 1; i < n; i++) s[t * 33] += s[t * 33 + i];
    __syncthreads();
    out[t] = s[t * 31];
}

/* sums_that_clear<<<1, 32>>>(float[32], float[1056] = random(1), 13) */
__global__ void sums_that_clear(float *out, const float *in, int n)
{
    LINES;
    float *m = s + t * 33;
    for (int i = 1; i < n; i += 2) {
        m[0] += m[i];
        m[i] = 0;
    }
    __syncthreads();
    out[t] = s[t * 31];
}

/* sums_of_every_32nd<<<1, 32>>>(float[32], float[1056] = random(1), 13) */
__global__ void sums_of_every_32nd(float *out, const float *in, int n)
{
    LINES;
    for (int i = 1; i < n; i++) {
        s[t] += s[i * 32 + t];
        s[i * 32 + t] = 0;
    }
    __syncthreads();
    out[t] = s[t * 31];
}

/* sums_of_the_next<<<1, 32>>>(float[32], float[1056] = random(1), 13) */
__global__ void sums_of_the_next(float *out, const float *in, int n)
{
    LINES;
    for (int i = 0; i < n; i++) {
        s[t * 33] += s[t * 33 + i + 1];
        s[t * 33 + i + 1] = 0;
    }
    __syncthreads();
    out[t] = s[t * 31];
}

/* rows_of_distances<<<1, 32>>>(float[32], float[1056] = random(1), 13) */
__global__ void rows_of_distances(float *out, const float *in, int n)
{
    LINES;
    float *row = s + t * 33;
    row[0] = 0;
    for (int i = 1; i < n; i++) {
        float before = row[0];
        row[0] = i;
#pragma unroll 1
        for (int j = 1; j < n; j++) {
            float v = fminf(before + 1, row[j - 1] + row[j]);
            before = row[j];
            row[j] = v;
        }
    }
    __syncthreads();
    out[t] = s[t * 31];
}
