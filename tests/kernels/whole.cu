/* whole.cu - loops of as many turns as are known: which nvcc makes straight code, and of which some turns become one;
 * above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o whole.ptx whole.cu
 *
 * What nvcc weighs it says itself: cicc --Xopt -pass-remarks=loop-unroll.
 */
#define BEGIN                                                                                      \
    __shared__ int s[4096];                                                                        \
    int t = threadIdx.x, r = 0;                                                                    \
    for (int i = t; i < 4096; i += 32) s[i] = in[i] & 3;                                           \
    __syncthreads()

/* sum_100<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void sum_100(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 100; k++) r += s[t + k];
    for (int k = 0; k < 100; k++) r ^= s[t + k];
    out[t] = r;
}

/* sum_128<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void sum_128(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 128; k++) r += s[t * 32 + k];
    for (int k = 0; k < 128; k++) r ^= s[t * 32 + k];
    out[t] = r;
}

/* sum_96<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void sum_96(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 96; k++) r += s[t * 32 + k];
    out[t] = r;
}

/* sum_104<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void sum_104(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 104; k++) r += s[t * 32 + k];
    out[t] = r;
}

/* exps_48<<<1, 32>>>(float[32], int[4096] = random(1)) */
__global__ void exps_48(float *out, const int *in)
{
    BEGIN;
    float m = s[t], sum = 0;
    __shared__ float x[32][50];
    for (int k = 0; k < 48; k++) x[t][k] = s[t + k];
    for (int k = 0; k < 48; k++) sum += x[t][k] = __expf(x[t][k] - m);
    for (int k = 0; k < 48; k++) x[t][k] = x[t][k] * sum;
    out[t] = x[t][t] + x[31 - t][2];
}

/* exps_64<<<1, 32>>>(float[32], int[4096] = random(1)) */
__global__ void exps_64(float *out, const int *in)
{
    BEGIN;
    float m = s[t], sum = 0;
    __shared__ float x[32][65];
    for (int k = 0; k < 64; k++) x[t][k] = s[t + k];
    for (int k = 0; k < 64; k++) sum += x[t][k] = __expf(x[t][k] - m);
    for (int k = 0; k < 64; k++) x[t][k] = x[t][k] / sum;
    out[t] = x[t][t] + x[31 - t][2];
}

/* words_32<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void words_32(int *out, const int *in)
{
    BEGIN;
    int a = r & 3, b = t & 1;
    for (int k = 0; k < 32; k++) {
        int i = t * 32 + k;
        if (s[i] == a && s[i + 1] == b && s[i + 2] == a && s[i + 3] == 2) r++;
    }
    out[t] = r;
}

/* words_27<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void words_27(int *out, const int *in)
{
    BEGIN;
    int a = t >> 1 & 1, b = t & 1;
    for (int k = 0; k < 27; k++) {
        int i = t * 32 + k;
        if (s[i] == a && s[i + 1] == b && s[i + 2] == a) s[i] = b;
    }
    out[t] = s[t];
}

/* words_20<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void words_20(int *out, const int *in)
{
    BEGIN;
    int a = t >> 1 & 1, b = t & 1;
    for (int k = 0; k < 20; k++) {
        int i = t * 32 + k;
        if (s[i] == a && s[i + 1] == b && s[i + 2] == a && s[i + 3] == 2) s[i + 1024] = b;
    }
    out[t] = s[t];
}

/* stores_50<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void stores_50(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 50; k++)
        if (s[t * 32 + k] == 3) s[t * 32 + k + 64] = t;
    out[t] = s[t];
}

/* divides_24<<<1, 32>>>(float[32], int[4096] = random(1)) */
__global__ void divides_24(float *out, const int *in)
{
    __shared__ float x[2048];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < 2048; i += 32) x[i] = in[i] & 7;
    __syncthreads();
    for (int k = 0; k < 24; k++) {
        sum += x[t * 24 + k + 32];
        x[t * 24 + k + 1024] = sum / 33;
        sum -= x[t * 24 + k];
    }
    out[t] = x[t + 1024] + sum;
}

/* divides_40<<<1, 32>>>(float[32], int[4096] = random(1)) */
__global__ void divides_40(float *out, const int *in)
{
    __shared__ float x[4096];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < 4096; i += 32) x[i] = in[i] & 7;
    __syncthreads();
    for (int k = 0; k < 40; k++) {
        sum += x[t * 40 + k + 32];
        x[t * 40 + k + 2048] = sum / 33;
        sum -= x[t * 40 + k];
    }
    out[t] = x[t + 1024] + sum;
}

/* ring<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void ring(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 40; k++) {
        int left = (k + 63) % 64, right = (k + 2) % 64;
        r += s[t * 64 + left] * s[t * 64 + right] + s[t * 64 + k];
    }
    out[t] = r;
}

/* around_a_loop<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void around_a_loop(int *out, const int *in)
{
    BEGIN;
    for (int i = 1; i < 16; i++) {
        int before = i;
#pragma unroll 1
        for (int j = 1; j < 16; j++) {
            int v = min(before + ((i ^ j) & 1), min(s[t * 17 + j - 1], s[t * 17 + j]) + 1);
            before = s[t * 17 + j];
            s[t * 17 + j] = v;
        }
    }
    out[t] = s[t];
}

/* around_a_small_one<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void around_a_small_one(int *out, const int *in)
{
    BEGIN;
    for (int i = 0; i < 8; i++) {
#pragma unroll 1
        for (int j = 0; j < 16; j++) r += s[t * 17 + j + i];
        s[t * 17 + i] = r;
    }
    out[t] = s[t];
}

/* left<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void left(int *out, const int *in)
{
    BEGIN;
    for (int k = 0; k < 64; k++) {
        r += s[t * 33 + k] * s[t + k];
        if (s[t * 35 + 2 * k + 1] == r) break;
    }
    out[t] = r + s[t];
}

/* doubles<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void doubles(int *out, const int *in)
{
    BEGIN;
    for (int k = 1; k < 1024; k *= 2) {
        r += s[t + k] * s[t + 2 * k] + s[t + 3 * k] * s[t * k & 1023];
        s[t + k] = r;
        __syncthreads();
    }
    out[t] = r;
}

/* until<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void until(int *out, const int *in)
{
    BEGIN;
    int k = 0;
    do {
        r = r * 3 + s[t * 32 + k] * s[t * 32 + 2 * k];
        k++;
    } while (k < 48);
    out[t] = r;
}

/* halves<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void halves(int *out, const int *in)
{
    BEGIN;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 40; k++) r += s[t * 32 + k] * s[t + 40 * i + k] + s[t * 5 + k + i];
    out[t] = r;
}

/* stays<<<1, 32>>>(int[32], int[4096] = random(1), 5) */
__global__ void stays(int *out, const int *in, int n)
{
    BEGIN;
    for (int k = 0; k < 64; k++) r += s[t + k] * ((t * n + 77) * (t ^ n) + (n >> 3));
    for (int k = 0; k < 64; k++) r ^= s[t + k] - ((t * n + 76) * (t | n) + (n >> 2));
    out[t] = r;
}

/* quotients_50<<<1, 32>>>(int[32], int[4096] = random(1), 5) */
__global__ void quotients_50(int *out, const int *in, int n)
{
    BEGIN;
    for (int k = 0; k < 50; k++) r += s[t + k] / n;
    for (int k = 0; k < 50; k++) r ^= s[t + k] % n;
    out[t] = r;
}

/* unread<<<1, 32>>>(int[32], int[4096] = random(1), 5) */
__global__ void unread(int *out, const int *in, int n)
{
    BEGIN;
    __shared__ int d[256];
    for (int k = 0; k < 8; k++) d[t * 8 + k] = k * t + n;
    for (int k = 0; k < 8; k++) r += d[t * 8 + k] * s[t + k];
    out[t] = r;
}

/* median<<<1, 32>>>(float[32], float[4096] = random(1)) */
__global__ void median(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 32) s[i] = in[i];
    __syncthreads();
    float v[9];
    for (int k = 0; k < 9; k++) v[k] = s[t * 9 + k];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) { float x = v[i]; v[i] = v[j]; v[j] = x; }
    out[t] = v[4];
}

/* small_triangle<<<1, 32>>>(float[32], float[4096] = random(1)) */
__global__ void small_triangle(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 32) s[i] = in[i];
    __syncthreads();
    float v[4];
    for (int k = 0; k < 4; k++) v[k] = s[t * 4 + k];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) v[i] -= v[j] * s[i * 4 + j];
    out[t] = v[3];
}

/* large_triangle<<<1, 32>>>(float[32], float[4096] = random(1)) */
__global__ void large_triangle(float *out, const float *in)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 32) s[i] = in[i];
    __syncthreads();
    float v[12];
    for (int k = 0; k < 12; k++) v[k] = s[t * 12 + k];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++) v[i] -= v[j] * s[i * 12 + j];
    out[t] = v[11] + v[5];
}

/* alive_in_24<<<1, 32>>>(int[32], int[4096] = random(1), 5) */
__global__ void alive_in_24(int *out, const int *in, int n)
{
    BEGIN;
    __shared__ unsigned char c[2048];
    for (int k = 0; k < 24; k++) {
        int a = s[t + k], cell = a == 3 || (a == 2 && s[t + k + 64]);
        c[t * 64 + k] = cell;
        r += cell;
    }
    for (int k = 0; k < 24; k++) r = r * 3 + c[t * 64 + k];
    out[t] = r + c[t * 7];
}

/* around_32<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void around_32(int *out, const int *in)
{
    BEGIN;
    for (int i = 0; i < 32; i++) {
#pragma unroll 1
        for (int j = 0; j < 4; j++) r += s[t * 17 + j + i + 1];
        s[t * 17 + i] = r;
    }
    for (int i = 0; i < 32; i++) r = r * 3 + s[t * 17 + i];
    out[t] = r;
}

/* around_30<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void around_30(int *out, const int *in)
{
    BEGIN;
    for (int i = 0; i < 30; i++) {
#pragma unroll 1
        for (int j = 0; j < 4; j++) r += s[t * 17 + j + i];
        s[t * 17 + i + 64] = r;
    }
    for (int i = 0; i < 30; i++) r = r * 3 + s[t * 17 + i + 64];
    out[t] = r;
}

/* layer<<<1, dim3(32, 2)>>>(float[64], float[2048] = random(1)) */
__global__ void layer(float *out, const float *in)
{
    __shared__ float s[6 * 136], w[6 * 54];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
    float sum[6] = {};
    for (int i = t; i < 6 * 136; i += 64) s[i] = in[i];
    for (int i = t; i < 6 * 54; i += 64) w[i] = in[i + 1024];
    __syncthreads();
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) {
#pragma unroll 1
            for (int c = 0; c < 6; c++) {
                float v = s[c * 136 + (y + dy) * 34 + x + dx];
#pragma unroll
                for (int o = 0; o < 6; o++) sum[o] += v * w[((dy * 3 + dx) * 6 + c) * 6 + o];
            }
        }
    out[t] = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5];
}

/* as_long_as<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void as_long_as(int *out, const int *in)
{
    __shared__ int s[256], v[64];
    int t = threadIdx.x, k, sum = 0;
    for (int i = t; i < 256; i += 32) s[i] = in[i] & 255;
    v[t] = in[t + 256] & 255;
    v[t + 32] = in[t + 288] & 255;
    __syncthreads();
    for (k = 0; k < 3 && v[t + k] < 180; k++) sum += s[t * 4 + k] + 3;
    out[t] = k * sum;
}

/* makes_room<<<1, 32>>>(int[128], int[4096] = random(1)) */
__global__ void makes_room(int *out, const int *in)
{
    __shared__ int s[128];
    int t = threadIdx.x, k = 3, x = in[t + 128] & 255;
    for (int i = 0; i < 4; i++) s[i * 32 + t] = in[t + i] & 255;
    while (k > 0 && s[(k - 1) * 32 + t] > x) {
        s[k * 32 + t] = s[(k - 1) * 32 + t];
        k--;
    }
    s[k * 32 + t] = x;
    for (int i = 0; i < 4; i++) out[i * 32 + t] = s[i * 32 + t];
}

/* as_long_as_nothing<<<1, 32>>>(int[32], int[4096] = random(1)) */
__global__ void as_long_as_nothing(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x, found = -1;
    s[t] = in[t] & 63;
    s[t + 32] = in[t + 32] & 63;
    for (int k = 0; k < 4 && found < 0; k++)
        if (s[(t * 7 + k) & 63] > 40) found = k;
    out[t] = found;
}

/* tiles_of_the_last<<<2, 64>>>(int[128], int[1024] = random(3)) */
#define TILES(NAME, BEGIN_WITH)                                                                    \
    __global__ void NAME(int *out, const int *in)                                                  \
    {                                                                                              \
        __shared__ int a[64], b[64];                                                               \
        int t = threadIdx.x, v = t;                                                                \
        for (int i = 0; i < 3; i++) {                                                              \
            int c = BEGIN_WITH;                                                                    \
            for (int q = 0; q < 3; q++) {                                                          \
                a[t] = in[(q * 64 + t) & 1023] & 255;                                              \
                b[t] = in[(q * 16 + t * 3) & 1023] & 127;                                          \
                __syncthreads();                                                                   \
                for (int j = 0; j < 8; j++) c += a[(t & ~7) + j] * b[j * 8 + (t & 7)];             \
                __syncthreads();                                                                   \
            }                                                                                      \
            v = c;                                                                                 \
        }                                                                                          \
        out[blockIdx.x * 64 + t] = v;                                                              \
    }
TILES(tiles_of_the_last, 0)
/* tiles_of_all<<<2, 64>>>(int[128], int[1024] = random(3)) */
TILES(tiles_of_all, v)
