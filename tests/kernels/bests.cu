/* bests.cu - loops that keep the best of what they see, and where; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o bests.ptx bests.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[128], q[128];                                                               \
    int t = threadIdx.x, i = t, j = 0;                                                             \
    s[t] = in[t], s[t + 64] = in[t + 64], q[t] = in[t + 128], q[t + 64] = in[t + 192];             \
    float v = in[t + 7], u = in[t + 21], z = in[t + 9];                                            \
    __syncthreads()

/* squares<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void squares(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float d = s[k] - u;
        d = d * d; if (d < v) { v = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* planes<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void planes(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float dx = s[k] - u, dy = q[k] - z, d = dx * dx + dy * dy;
        if (d < v) { v = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* pairs<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void pairs(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float dx = s[2 * k] - u, dy = s[2 * k + 1] - z, d = dx * dx + dy * dy;
        if (d < v) { v = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* roots<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void roots(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float d = sqrtf(fabsf(s[k] - u));
        if (d < v) { v = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* largest<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void largest(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* at_most<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void at_most(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float d = s[k];
        if (v >= d) { v = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* numbers<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void numbers(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        int d = (int)s[k];
        if (d > j) { j = d; i = k; }
    }
    out[t] = v + i + u + j;
}

/* chosen<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void chosen(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        bool c = s[k] > v;
        v = c ? s[k] : v; i = c ? k : i;
    }
    out[t] = v + i + u + j;
}

/* marked<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void marked(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = 7; }
    }
    out[t] = v + i + u + j;
}

/* counted<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void counted(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i++; }
    }
    out[t] = v + i + u + j;
}

/* two_best<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void two_best(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { u = v; v = s[k]; }
    }
    out[t] = v + i + u + j;
}

/* three<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void three(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; j++; }
    }
    out[t] = v + i + u + j;
}

/* otherwise<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void otherwise(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; } else j = k;
    }
    out[t] = v + i + u + j;
}

/* both_ends<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void both_ends(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] < v) { v = s[k]; i = k; } if (s[k] > u) { u = s[k]; j = k; }
    }
    out[t] = v + i + u + j;
}

/* either<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void either(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float x = s[k];
        if (x > v || x > u) { v = x; i = k; }
    }
    out[t] = v + i + u + j;
}

/* within<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void within(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float x = s[k];
        if (x > v && x < z) { v = x; i = k; }
    }
    out[t] = v + i + u + j;
}

/* stored<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void stored(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float x = s[k];
        if (x > v) { v = x; i = k; out[128 + k] = v; }
    }
    out[t] = v + i + u + j;
}

/* last_one<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void last_one(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > u) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* by_number<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void by_number(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = 2; i = k; }
    }
    out[t] = v + i + u + j;
}

/* halved<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void halved(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = v * 0.5f; i = k; }
    }
    out[t] = v + i + u + j;
}

/* doubled<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void doubled(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k] * 2; i = k; }
    }
    out[t] = v + i + u + j;
}

/* apart<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void apart(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        i = s[k] > v ? k : i; v = fmaxf(v, s[k]);
    }
    out[t] = v + i + u + j;
}

/* one_alone<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void one_alone(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        if (s[k] > v) v = s[k];
    }
    out[t] = v + i + u + j;
}

/* ranked<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void ranked(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k++) {
        float x = s[k];
        if (x > v) { u = v; v = x; j = i; i = k; } else if (x > u) { u = x; j = k; }
    }
    out[t] = v + i + u + j;
}

/* asked<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void asked(float *out, const float *in, int n)
{
    BEGIN;
#pragma unroll 4
    for (int k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* from_one<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void from_one(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 1; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* by_two<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void by_two(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < n; k += 2) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* known<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void known(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < 128; k++) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* unsigned_ones<<<1, 64>>>(float[256], float[256] = random(1), 41) */
__global__ void unsigned_ones(float *out, const float *in, int n)
{
    BEGIN;
    for (unsigned k = 0; k < n; k++) {
        if (s[k] > v) { v = s[k]; i = k; }
    }
    out[t] = v + i + u + j;
}

/* few_live<<<1, 64>>>(float[2048], float[256] = random(1), 41) */
__global__ void few_live(float *out, const float *in, int n)
{
    BEGIN;
    float a0 = in[t + 64];
    float a1 = in[t + 65];
    float a2 = in[t + 66];
    for (int k = 0; k < n; k++) {
        if (s[k] > u) { v = s[k]; i = k; }
    }
    out[t] = v + i + u;
    out[t + 64] = a0;
    out[t + 128] = a1;
    out[t + 192] = a2;
}

/* many_live<<<1, 64>>>(float[2048], float[256] = random(1), 41) */
__global__ void many_live(float *out, const float *in, int n)
{
    BEGIN;
    float a0 = in[t + 64];
    float a1 = in[t + 65];
    float a2 = in[t + 66];
    float a3 = in[t + 67];
    float a4 = in[t + 68];
    float a5 = in[t + 69];
    float a6 = in[t + 70];
    float a7 = in[t + 71];
    float a8 = in[t + 72];
    float a9 = in[t + 73];
    float a10 = in[t + 74];
    float a11 = in[t + 75];
    float a12 = in[t + 76];
    float a13 = in[t + 77];
    for (int k = 0; k < n; k++) {
        if (s[k] > u) { v = s[k]; i = k; }
    }
    out[t] = v + i + u;
    out[t + 64] = a0;
    out[t + 128] = a1;
    out[t + 192] = a2;
    out[t + 256] = a3;
    out[t + 320] = a4;
    out[t + 384] = a5;
    out[t + 448] = a6;
    out[t + 512] = a7;
    out[t + 576] = a8;
    out[t + 640] = a9;
    out[t + 704] = a10;
    out[t + 768] = a11;
    out[t + 832] = a12;
    out[t + 896] = a13;
}

/* sums_few<<<1, 64>>>(float[2048], float[256] = random(1), 41) */
__global__ void sums_few(float *out, const float *in, int n)
{
    BEGIN;
    float a0 = in[t + 64];
    float a1 = in[t + 65];
    float a2 = in[t + 66];
    float a3 = in[t + 67];
    float a4 = in[t + 68];
    float a5 = in[t + 69];
    float a6 = in[t + 70];
    float a7 = in[t + 71];
    float a8 = in[t + 72];
    for (int k = 0; k < n; k++) {
        v += s[k]; i ^= k;
    }
    out[t] = v + i + u;
    out[t + 64] = a0;
    out[t + 128] = a1;
    out[t + 192] = a2;
    out[t + 256] = a3;
    out[t + 320] = a4;
    out[t + 384] = a5;
    out[t + 448] = a6;
    out[t + 512] = a7;
    out[t + 576] = a8;
}

/* sums_many<<<1, 64>>>(float[2048], float[256] = random(1), 41) */
__global__ void sums_many(float *out, const float *in, int n)
{
    BEGIN;
    float a0 = in[t + 64];
    float a1 = in[t + 65];
    float a2 = in[t + 66];
    float a3 = in[t + 67];
    float a4 = in[t + 68];
    float a5 = in[t + 69];
    float a6 = in[t + 70];
    float a7 = in[t + 71];
    float a8 = in[t + 72];
    float a9 = in[t + 73];
    float a10 = in[t + 74];
    float a11 = in[t + 75];
    float a12 = in[t + 76];
    float a13 = in[t + 77];
    float a14 = in[t + 78];
    float a15 = in[t + 79];
    float a16 = in[t + 80];
    float a17 = in[t + 81];
    float a18 = in[t + 82];
    float a19 = in[t + 83];
    float a20 = in[t + 84];
    float a21 = in[t + 85];
    float a22 = in[t + 86];
    float a23 = in[t + 87];
    for (int k = 0; k < n; k++) {
        v += s[k]; i ^= k;
    }
    out[t] = v + i + u;
    out[t + 64] = a0;
    out[t + 128] = a1;
    out[t + 192] = a2;
    out[t + 256] = a3;
    out[t + 320] = a4;
    out[t + 384] = a5;
    out[t + 448] = a6;
    out[t + 512] = a7;
    out[t + 576] = a8;
    out[t + 640] = a9;
    out[t + 704] = a10;
    out[t + 768] = a11;
    out[t + 832] = a12;
    out[t + 896] = a13;
    out[t + 960] = a14;
    out[t + 1024] = a15;
    out[t + 1088] = a16;
    out[t + 1152] = a17;
    out[t + 1216] = a18;
    out[t + 1280] = a19;
    out[t + 1344] = a20;
    out[t + 1408] = a21;
    out[t + 1472] = a22;
    out[t + 1536] = a23;
}
