template <typename T, int N> struct Cell {
    T a[N];
    __device__ T &at(unsigned i) { return a[i % N]; }
};
template <int WHICH, typename T> __device__ T pick(T a, T b) { return WHICH ? a + b : a > b ? a : b; }

/* k0<<<2, dim3(64, 2)>>>(float[640] = random(0), unsigned char[256], 9) */
__global__ void k0(const float *in, unsigned char *out, int n)
{
    __shared__ Cell<unsigned char, 8> s[33];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) % 33].at(((unsigned)i) / 33) = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 33].at(((unsigned)(t)) / 33) = (unsigned char)(sum);
    __syncthreads();
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t >> 2))) % 33].at(((unsigned)((t >> 2))) / 33); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.y ^ (t % 5)))) % 33].at(((unsigned)((threadIdx.y ^ (t % 5)))) / 33); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum = pick<1>(sum, s[((unsigned)(((t % 3) * threadIdx.x))) % 33].at(((unsigned)(((t % 3) * threadIdx.x))) / 33));
    out[blockIdx.x * 128 + t] = sum;
}

/* k1<<<2, dim3(64, 2)>>>(float[640] = random(1), unsigned[256], 9) */
__global__ void k1(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[8][36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t % 3) * (threadIdx.x * 3)))) / 36 % 8][((unsigned)(((t % 3) * (threadIdx.x * 3)))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    if ((4 + (t % 7)) & 4) sum -= s[((unsigned)((threadIdx.x * threadIdx.x))) / 36 % 8][((unsigned)((threadIdx.x * threadIdx.x))) % 36]; else sum += s[((unsigned)((3 + t))) / 36 % 8][((unsigned)((3 + t))) % 36];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(threadIdx.y + k)) / 36 % 8][((unsigned)(threadIdx.y + k)) % 36];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t % 5) + k)) / 36 % 8][((unsigned)((t % 5) + k)) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k2<<<2, dim3(64, 2)>>>(float[640] = random(2), float[256], 9) */
__global__ void k2(const float *in, float *out, int n)
{
    __shared__ float s[8][16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) / 16 % 8][((unsigned)i) % 16] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    if ((t * (threadIdx.x * 5)) & 2) sum -= s[((unsigned)((0 * (t >> 0)))) / 16 % 8][((unsigned)((0 * (t >> 0)))) % 16]; else sum += s[((unsigned)((threadIdx.x * 3))) / 16 % 8][((unsigned)((threadIdx.x * 3))) % 16];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((7 * (t % 7)) + k)) / 16 % 8][((unsigned)((7 * (t % 7)) + k)) % 16];
    switch (t & 3) {
    case 0: sum += s[((unsigned)(t)) / 16 % 8][((unsigned)(t)) % 16]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k3<<<2, dim3(64, 2)>>>(float[640] = random(3), double[256], 9) */
__global__ void k3(const float *in, double *out, int n)
{
    __shared__ Cell<double, 8> s[36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * (t % 16)) + k)) % 36].at(((unsigned)((threadIdx.x * (t % 16)) + k)) / 36);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.y * (threadIdx.x * 3)) + k)) % 36].at(((unsigned)((threadIdx.y * (threadIdx.x * 3)) + k)) / 36);
    sum += s[((unsigned)((threadIdx.x ^ (threadIdx.x * 5)))) % 36].at(((unsigned)((threadIdx.x ^ (threadIdx.x * 5)))) / 36);
    if (((threadIdx.x * 2) ^ (t >> 0)) & 1) sum -= s[((unsigned)((threadIdx.x + (t >> 0)))) % 36].at(((unsigned)((threadIdx.x + (t >> 0)))) / 36); else sum += s[((unsigned)(threadIdx.y)) % 36].at(((unsigned)(threadIdx.y)) / 36);
    out[blockIdx.x * 128 + t] = sum;
}

/* k4<<<2, dim3(8, 8)>>>(float[640] = random(4), double[128], 9) */
__global__ void k4(const float *in, double *out, int n)
{
    __shared__ double s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)(threadIdx.y)) % 256];
    sum = pick<1>(sum, s[((unsigned)(((t >> 0) ^ (t >> 1)))) % 256]);
    out[blockIdx.x * 64 + t] = sum;
}

/* k5<<<2, dim3(8, 8)>>>(float[640] = random(5), float[128], 9) */
__global__ void k5(const float *in, float *out, int n)
{
    __shared__ float2 s[8][32];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) / 32 % 8][((unsigned)i) % 32] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((t ^ 7) + k * 2)) / 32 % 8][((unsigned)((t ^ 7) + k * 2)) % 32].x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k6<<<2, dim3(32, 8)>>>(float[640] = random(6), int[512], 9) */
__global__ void k6(const float *in, int *out, int n)
{
    __shared__ int s[16][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t ^ 5) * threadIdx.y) + k)) / 33 % 16][((unsigned)(((t ^ 5) * threadIdx.y) + k)) % 33];
    if ((t >> 1) & 1) sum -= s[((unsigned)((threadIdx.y + (t >> 0)))) / 33 % 16][((unsigned)((threadIdx.y + (t >> 0)))) % 33]; else sum += s[((unsigned)(((t % 5) ^ (t ^ 9)))) / 33 % 16][((unsigned)(((t % 5) ^ (t ^ 9)))) % 33];
    out[blockIdx.x * 256 + t] = sum;
}

/* k7<<<2, dim3(32, 8)>>>(float[640] = random(7), short[512], 9) */
__global__ void k7(const float *in, short *out, int n)
{
    __shared__ short s[16][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if ((threadIdx.x * 4) & 4) sum -= s[((unsigned)(threadIdx.x)) / 17 % 16][((unsigned)(threadIdx.x)) % 17]; else sum += s[((unsigned)((threadIdx.y + (threadIdx.x * 3)))) / 17 % 16][((unsigned)((threadIdx.y + (threadIdx.x * 3)))) % 17];
    out[blockIdx.x * 256 + t] = sum;
}

/* k8<<<2, dim3(16, 8)>>>(float[640] = random(8), double[256], 9) */
__global__ void k8(const float *in, double *out, int n)
{
    __shared__ double s[16][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)((t * (t % 5)))) / 32 % 16][((unsigned)((t * (t % 5)))) % 32];
    out[blockIdx.x * 128 + t] = sum;
}

/* k9<<<2, dim3(64, 2)>>>(float[640] = random(9), float[256], 9) */
__global__ void k9(const float *in, float *out, int n)
{
    __shared__ float4 s[16][36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x + (threadIdx.x * 5)))) / 36 % 16][((unsigned)((threadIdx.x + (threadIdx.x * 5)))) % 36].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((threadIdx.x + (t >> 1)) + k * 36)) / 36 % 16][((unsigned)((threadIdx.x + (t >> 1)) + k * 36)) % 36].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k10<<<2, dim3(32, 4)>>>(float[640] = random(10), float[256], 9) */
__global__ void k10(const float *in, float *out, int n)
{
    __shared__ float s[16][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 33 % 16][((unsigned)(t)) % 33] = (float)(sum);
    __syncthreads();
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 7))) / 33 % 16][((unsigned)((t % 7))) % 33]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k11<<<2, dim3(8, 8)>>>(float[640] = random(11), float[128], 9) */
__global__ void k11(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 16> s[36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((t + (threadIdx.x * 2)) + k * 1)) % 36].at(((unsigned)((t + (threadIdx.x * 2)) + k * 1)) / 36).x;
    sum += s[((unsigned)((3 + 4))) % 36].at(((unsigned)((3 + 4))) / 36).x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k12<<<2, dim3(16, 8)>>>(float[640] = random(12), float[256], 9) */
__global__ void k12(const float *in, float *out, int n)
{
    __shared__ float4 s[512];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) % 512] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if ((threadIdx.x + (t ^ 9)) & 2) sum -= s[((unsigned)(((t % 3) + (t % 3)))) % 512].x; else sum += s[((unsigned)(1)) % 512].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k13<<<2, dim3(16, 8)>>>(float[640] = random(13), float[256], 9) */
__global__ void k13(const float *in, float *out, int n)
{
    __shared__ Cell<float2, 8> s[32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(2)) % 32].at(((unsigned)(2)) / 32).x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t >> 0) + (t >> 1)) + k * 33)) % 32].at(((unsigned)(((t >> 0) + (t >> 1)) + k * 33)) / 32).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k14<<<2, dim3(64, 2)>>>(float[640] = random(14), int[256], 9) */
__global__ void k14(const float *in, int *out, int n)
{
    __shared__ Cell<int, 8> s[36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if (((t ^ 5) * threadIdx.y) & 4) sum -= s[((unsigned)((threadIdx.y + (t >> 2)))) % 36].at(((unsigned)((threadIdx.y + (t >> 2)))) / 36); else sum += s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t >> 1) + k)) % 36].at(((unsigned)((t >> 1) + k)) / 36);
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.y + threadIdx.y))) % 36].at(((unsigned)((threadIdx.y + threadIdx.y))) / 36); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k15<<<2, dim3(16, 8)>>>(float[640] = random(15), double[256], 9) */
__global__ void k15(const float *in, double *out, int n)
{
    __shared__ double s[8][16];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) / 16 % 8][((unsigned)i) % 16] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)((t ^ (threadIdx.x * 3)))) / 16 % 8][((unsigned)((t ^ (threadIdx.x * 3)))) % 16];
    out[blockIdx.x * 128 + t] = sum;
}

/* k16<<<2, dim3(64, 2)>>>(float[640] = random(16), short[256], 9) */
__global__ void k16(const float *in, short *out, int n)
{
    __shared__ short s[528];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 528] = (short)(sum);
    __syncthreads();
    sum += s[((unsigned)((threadIdx.x * 3))) % 528];
    out[blockIdx.x * 128 + t] = sum;
}

/* k17<<<2, dim3(64, 2)>>>(float[640] = random(17), unsigned char[256], 9) */
__global__ void k17(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[16][32];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum += s[((unsigned)((threadIdx.x ^ (threadIdx.x * 3)))) / 32 % 16][((unsigned)((threadIdx.x ^ (threadIdx.x * 3)))) % 32];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 5) * t) + k)) / 32 % 16][((unsigned)(((t ^ 5) * t) + k)) % 32];
    sum = pick<0>(sum, s[((unsigned)((t ^ 6))) / 32 % 16][((unsigned)((t ^ 6))) % 32]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k18<<<2, dim3(64, 2)>>>(float[640] = random(18), unsigned[256], 9) */
__global__ void k18(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[16][16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 16 % 16][((unsigned)(t)) % 16] = (unsigned)(sum);
    __syncthreads();
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(t + k)) / 16 % 16][((unsigned)(t + k)) % 16];
    out[blockIdx.x * 128 + t] = sum;
}

/* k19<<<2, dim3(32, 4)>>>(float[640] = random(19), float[256], 9) */
__global__ void k19(const float *in, float *out, int n)
{
    __shared__ float s[8][36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    if ((threadIdx.y * (t % 5)) & 4) sum -= s[((unsigned)((t >> 2))) / 36 % 8][((unsigned)((t >> 2))) % 36]; else sum += s[((unsigned)(((t >> 2) + threadIdx.y))) / 36 % 8][((unsigned)(((t >> 2) + threadIdx.y))) % 36];
    sum = pick<0>(sum, s[((unsigned)(6)) / 36 % 8][((unsigned)(6)) % 36]);
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * (t ^ 15)) + k)) / 36 % 8][((unsigned)((threadIdx.x * (t ^ 15)) + k)) % 36];
    sum += s[((unsigned)((threadIdx.x * (t >> 3)))) / 36 % 8][((unsigned)((threadIdx.x * (t >> 3)))) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k20<<<2, dim3(64, 2)>>>(float[640] = random(20), unsigned[256], 9) */
__global__ void k20(const float *in, unsigned *out, int n)
{
    __shared__ Cell<unsigned, 8> s[32];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum += s[((unsigned)(((threadIdx.x * 3) * (threadIdx.x * 4)))) % 32].at(((unsigned)(((threadIdx.x * 3) * (threadIdx.x * 4)))) / 32);
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = (unsigned)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k21<<<2, dim3(64, 2)>>>(float[640] = random(21), unsigned[256], 9) */
__global__ void k21(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[528];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 3))) % 528]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum = pick<1>(sum, s[((unsigned)((threadIdx.y * (t % 3)))) % 528]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k22<<<2, dim3(32, 4)>>>(float[640] = random(22), unsigned[256], 9) */
__global__ void k22(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[136];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 136] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 5) + (threadIdx.x * 4)) + k)) % 136];
    __syncthreads();
    s[((unsigned)(t)) % 136] = (unsigned)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k23<<<2, dim3(32, 4)>>>(float[640] = random(23), float[256], 9) */
__global__ void k23(const float *in, float *out, int n)
{
    __shared__ float2 s[128];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 128] = make_float2(sum, 1);
    __syncthreads();
    sum = pick<1>(sum, s[((unsigned)((t + threadIdx.y))) % 128].x);
    if (((t >> 2) * 4) & 1) sum -= s[((unsigned)((threadIdx.x ^ (t ^ 10)))) % 128].x; else sum += s[((unsigned)((t ^ 1))) % 128].x;
    if ((0 * (t >> 0)) & 2) sum -= s[((unsigned)(t)) % 128].x; else sum += s[((unsigned)(((threadIdx.x * 3) + (t % 16)))) % 128].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k24<<<2, dim3(16, 8)>>>(float[640] = random(24), unsigned char[256], 9) */
__global__ void k24(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[8][36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(t + k * 2)) / 36 % 8][((unsigned)(t + k * 2)) % 36];
    __syncthreads();
    s[((unsigned)(t)) / 36 % 8][((unsigned)(t)) % 36] = (unsigned char)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k25<<<2, dim3(64, 2)>>>(float[640] = random(25), unsigned char[256], 9) */
__global__ void k25(const float *in, unsigned char *out, int n)
{
    __shared__ Cell<unsigned char, 8> s[16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum += s[((unsigned)(((t >> 2) + 5))) % 16].at(((unsigned)(((t >> 2) + 5))) / 16);
    sum = pick<0>(sum, s[((unsigned)((threadIdx.y + threadIdx.y))) % 16].at(((unsigned)((threadIdx.y + threadIdx.y))) / 16));
    sum = pick<0>(sum, s[((unsigned)((threadIdx.y * (t % 3)))) % 16].at(((unsigned)((threadIdx.y * (t % 3)))) / 16));
    __syncthreads();
    s[((unsigned)(t)) % 16].at(((unsigned)(t)) / 16) = (unsigned char)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k26<<<2, dim3(32, 4)>>>(float[640] = random(26), double[256], 9) */
__global__ void k26(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((threadIdx.x + 2) + k * 17)) % 17].at(((unsigned)((threadIdx.x + 2) + k * 17)) / 17);
    out[blockIdx.x * 128 + t] = sum;
}

/* k27<<<2, dim3(16, 8)>>>(float[640] = random(27), float[256], 9) */
__global__ void k27(const float *in, float *out, int n)
{
    __shared__ float4 s[16][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if ((t ^ threadIdx.x) & 4) sum -= s[((unsigned)((t ^ 14))) / 32 % 16][((unsigned)((t ^ 14))) % 32].x; else sum += s[((unsigned)((7 + (t % 7)))) / 32 % 16][((unsigned)((7 + (t % 7)))) % 32].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k28<<<2, dim3(16, 8)>>>(float[640] = random(28), int[256], 9) */
__global__ void k28(const float *in, int *out, int n)
{
    __shared__ int s[8][17];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) / 17 % 8][((unsigned)i) % 17] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 5) + 3))) / 17 % 8][((unsigned)(((threadIdx.x * 5) + 3))) % 17]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)(((threadIdx.x * 4) * t))) / 17 % 8][((unsigned)(((threadIdx.x * 4) * t))) % 17];
    sum += s[((unsigned)((t >> 3))) / 17 % 8][((unsigned)((t >> 3))) % 17];
    sum += s[((unsigned)(((threadIdx.x * 5) * t))) / 17 % 8][((unsigned)(((threadIdx.x * 5) * t))) % 17];
    out[blockIdx.x * 128 + t] = sum;
}

/* k29<<<2, dim3(32, 8)>>>(float[640] = random(29), int[512], 9) */
__global__ void k29(const float *in, int *out, int n)
{
    __shared__ Cell<int, 16> s[32];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 512) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = (int)(sum);
    __syncthreads();
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = (int)(sum);
    __syncthreads();
    sum += s[((unsigned)(threadIdx.x)) % 32].at(((unsigned)(threadIdx.x)) / 32);
    out[blockIdx.x * 256 + t] = sum;
}

/* k30<<<2, dim3(32, 4)>>>(float[640] = random(30), float[256], 9) */
__global__ void k30(const float *in, float *out, int n)
{
    __shared__ Cell<float2, 8> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if (((t >> 1) * (t >> 1)) & 4) sum -= s[((unsigned)((threadIdx.x + threadIdx.x))) % 36].at(((unsigned)((threadIdx.x + threadIdx.x))) / 36).x; else sum += s[((unsigned)((threadIdx.y ^ threadIdx.y))) % 36].at(((unsigned)((threadIdx.y ^ threadIdx.y))) / 36).x;
    if (((t >> 1) + (t ^ 14)) & 4) sum -= s[((unsigned)(((t ^ 15) ^ (t % 5)))) % 36].at(((unsigned)(((t ^ 15) ^ (t % 5)))) / 36).x; else sum += s[((unsigned)((t * (t >> 3)))) % 36].at(((unsigned)((t * (t >> 3)))) / 36).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k31<<<2, dim3(8, 8)>>>(float[640] = random(31), float[128], 9) */
__global__ void k31(const float *in, float *out, int n)
{
    __shared__ float s[8][33];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 264) s[((unsigned)i) / 33 % 8][((unsigned)i) % 33] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(2 + k * 34)) / 33 % 8][((unsigned)(2 + k * 34)) % 33];
    out[blockIdx.x * 64 + t] = sum;
}

/* k32<<<2, dim3(64, 2)>>>(float[640] = random(32), int[256], 9) */
__global__ void k32(const float *in, int *out, int n)
{
    __shared__ Cell<int, 8> s[17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 17].at(((unsigned)(t)) / 17) = (int)(sum);
    __syncthreads();
    sum += s[((unsigned)((threadIdx.x * (t ^ 9)))) % 17].at(((unsigned)((threadIdx.x * (t ^ 9)))) / 17);
    out[blockIdx.x * 128 + t] = sum;
}

/* k33<<<2, dim3(8, 8)>>>(float[640] = random(33), unsigned[128], 9) */
__global__ void k33(const float *in, unsigned *out, int n)
{
    __shared__ Cell<unsigned, 16> s[17];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t % 7) * threadIdx.x) + k)) % 17].at(((unsigned)(((t % 7) * threadIdx.x) + k)) / 17);
    sum += s[((unsigned)(threadIdx.x)) % 17].at(((unsigned)(threadIdx.x)) / 17);
    out[blockIdx.x * 64 + t] = sum;
}

/* k34<<<2, dim3(16, 8)>>>(float[640] = random(34), short[256], 9) */
__global__ void k34(const float *in, short *out, int n)
{
    __shared__ short s[8][36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if (threadIdx.x & 1) sum -= s[((unsigned)(threadIdx.y)) / 36 % 8][((unsigned)(threadIdx.y)) % 36]; else sum += s[((unsigned)((t ^ 13))) / 36 % 8][((unsigned)((t ^ 13))) % 36];
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(t + k * 1)) / 36 % 8][((unsigned)(t + k * 1)) % 36];
    sum = pick<0>(sum, s[((unsigned)(((t % 5) * (t ^ 9)))) / 36 % 8][((unsigned)(((t % 5) * (t ^ 9)))) % 36]);
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 5))) / 36 % 8][((unsigned)((t % 5))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k35<<<2, dim3(16, 8)>>>(float[640] = random(35), short[256], 9) */
__global__ void k35(const float *in, short *out, int n)
{
    __shared__ short s[272];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 272] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if (t & 4) sum -= s[((unsigned)(threadIdx.x)) % 272]; else sum += s[((unsigned)((threadIdx.x + threadIdx.x))) % 272];
    sum += s[((unsigned)(t)) % 272];
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 16))) % 272]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    __syncthreads();
    s[((unsigned)(t)) % 272] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k36<<<2, dim3(64, 2)>>>(float[640] = random(36), short[256], 9) */
__global__ void k36(const float *in, short *out, int n)
{
    __shared__ short s[8][16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) / 16 % 8][((unsigned)i) % 16] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    sum = pick<0>(sum, s[((unsigned)((4 * (threadIdx.x * 3)))) / 16 % 8][((unsigned)((4 * (threadIdx.x * 3)))) % 16]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k37<<<2, dim3(64, 2)>>>(float[640] = random(37), int[256], 9) */
__global__ void k37(const float *in, int *out, int n)
{
    __shared__ int s[288];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t >> 3) + k)) % 288];
    out[blockIdx.x * 128 + t] = sum;
}

/* k38<<<2, dim3(32, 8)>>>(float[640] = random(38), unsigned char[512], 9) */
__global__ void k38(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[264];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 264) s[((unsigned)i) % 264] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    if (((t % 7) ^ (t % 5)) & 2) sum -= s[((unsigned)((threadIdx.x ^ (t % 16)))) % 264]; else sum += s[((unsigned)((t + t))) % 264];
    if (((threadIdx.x * 2) + threadIdx.y) & 2) sum -= s[((unsigned)((t + t))) % 264]; else sum += s[((unsigned)((threadIdx.x + t))) % 264];
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t >> 3) * (threadIdx.x * 5)) + k * 34)) % 264];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t % 3) ^ (t >> 0)) + k)) % 264];
    out[blockIdx.x * 256 + t] = sum;
}

/* k39<<<2, dim3(32, 8)>>>(float[640] = random(39), double[512], 9) */
__global__ void k39(const float *in, double *out, int n)
{
    __shared__ double s[16][32];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 32 % 16][((unsigned)(t)) % 32] = (double)(sum);
    __syncthreads();
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t >> 1) + (t ^ 7)) + k)) / 32 % 16][((unsigned)(((t >> 1) + (t ^ 7)) + k)) % 32];
    out[blockIdx.x * 256 + t] = sum;
}

/* k40<<<2, dim3(16, 8)>>>(float[640] = random(40), float[256], 9) */
__global__ void k40(const float *in, float *out, int n)
{
    __shared__ float4 s[288];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(((t >> 0) * threadIdx.x) + k * 2)) % 288].x;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(threadIdx.y)) % 288].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k41<<<2, dim3(16, 8)>>>(float[640] = random(41), unsigned char[256], 9) */
__global__ void k41(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[256];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum = pick<1>(sum, s[((unsigned)(((threadIdx.x * 2) + (t ^ 11)))) % 256]);
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x * t))) % 256]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)(((t >> 1) + (t >> 1)))) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k42<<<2, dim3(16, 8)>>>(float[640] = random(42), int[256], 9) */
__global__ void k42(const float *in, int *out, int n)
{
    __shared__ int s[16][16];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(threadIdx.y + k)) / 16 % 16][((unsigned)(threadIdx.y + k)) % 16];
    sum = pick<0>(sum, s[((unsigned)((6 + (threadIdx.x * 3)))) / 16 % 16][((unsigned)((6 + (threadIdx.x * 3)))) % 16]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k43<<<2, dim3(8, 8)>>>(float[640] = random(43), float[128], 9) */
__global__ void k43(const float *in, float *out, int n)
{
    __shared__ float s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 256] = (float)(sum);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

/* k44<<<2, dim3(16, 8)>>>(float[640] = random(44), unsigned char[256], 9) */
__global__ void k44(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[288];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    if ((t >> 0) & 2) sum -= s[((unsigned)(threadIdx.x)) % 288]; else sum += s[((unsigned)((t >> 3))) % 288];
    sum += s[((unsigned)(((t >> 2) + 2))) % 288];
    out[blockIdx.x * 128 + t] = sum;
}

/* k45<<<2, dim3(64, 2)>>>(float[640] = random(45), float[256], 9) */
__global__ void k45(const float *in, float *out, int n)
{
    __shared__ float2 s[16][33];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if ((t >> 2) & 2) sum -= s[((unsigned)((threadIdx.x ^ threadIdx.x))) / 33 % 16][((unsigned)((threadIdx.x ^ threadIdx.x))) % 33].x; else sum += s[((unsigned)((threadIdx.x * 2))) / 33 % 16][((unsigned)((threadIdx.x * 2))) % 33].x;
    if (((threadIdx.x * 5) + threadIdx.x) & 1) sum -= s[((unsigned)((threadIdx.x * 4))) / 33 % 16][((unsigned)((threadIdx.x * 4))) % 33].x; else sum += s[((unsigned)(threadIdx.x)) / 33 % 16][((unsigned)(threadIdx.x)) % 33].x;
    sum = pick<1>(sum, s[((unsigned)((threadIdx.x + (t ^ 11)))) / 33 % 16][((unsigned)((threadIdx.x + (t ^ 11)))) % 33].x);
    out[blockIdx.x * 128 + t] = sum;
}

/* k46<<<2, dim3(32, 4)>>>(float[640] = random(46), int[256], 9) */
__global__ void k46(const float *in, int *out, int n)
{
    __shared__ Cell<int, 8> s[33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) % 33].at(((unsigned)i) / 33) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + (t >> 0)) + k)) % 33].at(((unsigned)((threadIdx.x + (t >> 0)) + k)) / 33);
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((t % 16) + k * 34)) % 33].at(((unsigned)((t % 16) + k * 34)) / 33);
    out[blockIdx.x * 128 + t] = sum;
}

/* k47<<<2, dim3(32, 4)>>>(float[640] = random(47), short[256], 9) */
__global__ void k47(const float *in, short *out, int n)
{
    __shared__ short s[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if ((t ^ 10) & 1) sum -= s[((unsigned)(((threadIdx.x * 5) + (t >> 0)))) % 256]; else sum += s[((unsigned)((3 ^ (t ^ 13)))) % 256];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((7 ^ 4) + k)) % 256];
    if (((t % 7) * (t ^ 4)) & 4) sum -= s[((unsigned)((threadIdx.x * 2))) % 256]; else sum += s[((unsigned)((t >> 3))) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k48<<<2, dim3(32, 4)>>>(float[640] = random(48), short[256], 9) */
__global__ void k48(const float *in, short *out, int n)
{
    __shared__ short s[16][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(threadIdx.y + k * 1)) / 17 % 16][((unsigned)(threadIdx.y + k * 1)) % 17];
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = (short)(sum);
    __syncthreads();
    sum += s[((unsigned)((t ^ threadIdx.y))) / 17 % 16][((unsigned)((t ^ threadIdx.y))) % 17];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t ^ 4) + k)) / 17 % 16][((unsigned)((t ^ 4) + k)) % 17];
    out[blockIdx.x * 128 + t] = sum;
}

/* k49<<<2, dim3(32, 8)>>>(float[640] = random(49), int[512], 9) */
__global__ void k49(const float *in, int *out, int n)
{
    __shared__ int s[512];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 512) s[((unsigned)i) % 512] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t >> 3) ^ (t ^ 4)) + k)) % 512];
    out[blockIdx.x * 256 + t] = sum;
}

/* k50<<<2, dim3(16, 8)>>>(float[640] = random(50), float[256], 9) */
__global__ void k50(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 16> s[32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t ^ 4))) % 32].at(((unsigned)((t ^ 4))) / 32).x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)(((t ^ 4) * threadIdx.y))) % 32].at(((unsigned)(((t ^ 4) * threadIdx.y))) / 32).x;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(((t >> 0) * t) + k * 1)) % 32].at(((unsigned)(((t >> 0) * t) + k * 1)) / 32).x;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t % 3) + threadIdx.x))) % 32].at(((unsigned)(((t % 3) + threadIdx.x))) / 32).x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k51<<<2, dim3(16, 8)>>>(float[640] = random(51), double[256], 9) */
__global__ void k51(const float *in, double *out, int n)
{
    __shared__ double s[8][36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 4) * threadIdx.x))) / 36 % 8][((unsigned)(((threadIdx.x * 4) * threadIdx.x))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    __syncthreads();
    s[((unsigned)(t)) / 36 % 8][((unsigned)(t)) % 36] = (double)(sum);
    __syncthreads();
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 8) + (t % 5)) + k)) / 36 % 8][((unsigned)(((t ^ 8) + (t % 5)) + k)) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k52<<<2, dim3(64, 2)>>>(float[640] = random(52), float[256], 9) */
__global__ void k52(const float *in, float *out, int n)
{
    __shared__ float2 s[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((threadIdx.x * 2) * threadIdx.x) + k * 2)) % 256].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k53<<<2, dim3(32, 4)>>>(float[640] = random(53), double[256], 9) */
__global__ void k53(const float *in, double *out, int n)
{
    __shared__ double s[528];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + t) + k)) % 528];
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(t + k * 2)) % 528];
    sum += s[((unsigned)(((threadIdx.x * 3) * 5))) % 528];
    sum += s[((unsigned)(threadIdx.y)) % 528];
    out[blockIdx.x * 128 + t] = sum;
}

/* k54<<<2, dim3(8, 8)>>>(float[640] = random(54), unsigned[128], 9) */
__global__ void k54(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[528];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 528) s[((unsigned)i) % 528] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(((t ^ 12) * threadIdx.y) + k * 2)) % 528];
    sum += s[((unsigned)(((t >> 3) ^ (t >> 1)))) % 528];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * 3) + k)) % 528];
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((3 * (threadIdx.x * 4)) + k * 34)) % 528];
    out[blockIdx.x * 64 + t] = sum;
}

/* k55<<<2, dim3(64, 2)>>>(float[640] = random(55), int[256], 9) */
__global__ void k55(const float *in, int *out, int n)
{
    __shared__ int s[8][17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) / 17 % 8][((unsigned)i) % 17] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if ((t ^ 14) & 4) sum -= s[((unsigned)((threadIdx.y ^ (threadIdx.x * 3)))) / 17 % 8][((unsigned)((threadIdx.y ^ (threadIdx.x * 3)))) % 17]; else sum += s[((unsigned)(((t % 3) * 3))) / 17 % 8][((unsigned)(((t % 3) * 3))) % 17];
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((t % 5) ^ t) + k * 1)) / 17 % 8][((unsigned)(((t % 5) ^ t) + k * 1)) % 17];
    out[blockIdx.x * 128 + t] = sum;
}

/* k56<<<2, dim3(32, 4)>>>(float[640] = random(56), float[256], 9) */
__global__ void k56(const float *in, float *out, int n)
{
    __shared__ float s[528];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)((t ^ 11))) % 528];
    sum = pick<0>(sum, s[((unsigned)(threadIdx.x)) % 528]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k57<<<2, dim3(16, 8)>>>(float[640] = random(57), float[256], 9) */
__global__ void k57(const float *in, float *out, int n)
{
    __shared__ Cell<float, 8> s[32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = (float)(sum);
    __syncthreads();
    if ((t + 4) & 2) sum -= s[((unsigned)((threadIdx.x * 3))) % 32].at(((unsigned)((threadIdx.x * 3))) / 32); else sum += s[((unsigned)(threadIdx.y)) % 32].at(((unsigned)(threadIdx.y)) / 32);
    sum += s[((unsigned)(((t % 7) + (t % 7)))) % 32].at(((unsigned)(((t % 7) + (t % 7)))) / 32);
    out[blockIdx.x * 128 + t] = sum;
}

/* k58<<<2, dim3(32, 8)>>>(float[640] = random(58), double[512], 9) */
__global__ void k58(const float *in, double *out, int n)
{
    __shared__ double s[8][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 136) s[((unsigned)i) / 17 % 8][((unsigned)i) % 17] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 17 % 8][((unsigned)(t)) % 17] = (double)(sum);
    __syncthreads();
    if ((t >> 1) & 2) sum -= s[((unsigned)(((t >> 3) + threadIdx.x))) / 17 % 8][((unsigned)(((t >> 3) + threadIdx.x))) % 17]; else sum += s[((unsigned)((threadIdx.x * 3))) / 17 % 8][((unsigned)((threadIdx.x * 3))) % 17];
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((t ^ (t ^ 5)) + k * 18)) / 17 % 8][((unsigned)((t ^ (t ^ 5)) + k * 18)) % 17];
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((t % 16) ^ (t % 5)) + k * 1)) / 17 % 8][((unsigned)(((t % 16) ^ (t % 5)) + k * 1)) % 17];
    out[blockIdx.x * 256 + t] = sum;
}

/* k59<<<2, dim3(32, 8)>>>(float[640] = random(59), double[512], 9) */
__global__ void k59(const float *in, double *out, int n)
{
    __shared__ double s[16][16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x ^ t) + k)) / 16 % 16][((unsigned)((threadIdx.x ^ t) + k)) % 16];
    if (((t ^ 3) + (t % 3)) & 2) sum -= s[((unsigned)(threadIdx.y)) / 16 % 16][((unsigned)(threadIdx.y)) % 16]; else sum += s[((unsigned)((threadIdx.y * (t >> 0)))) / 16 % 16][((unsigned)((threadIdx.y * (t >> 0)))) % 16];
    switch (t & 3) {
    case 0: sum += s[((unsigned)(threadIdx.x)) / 16 % 16][((unsigned)(threadIdx.x)) % 16]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 256 + t] = sum;
}

/* k60<<<2, dim3(64, 2)>>>(float[640] = random(60), float[256], 9) */
__global__ void k60(const float *in, float *out, int n)
{
    __shared__ float2 s[8][32];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 32 % 8][((unsigned)i) % 32] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 32 % 8][((unsigned)(t)) % 32] = make_float2(sum, 1);
    __syncthreads();
    if ((4 + 1) & 2) sum -= s[((unsigned)(threadIdx.x)) / 32 % 8][((unsigned)(threadIdx.x)) % 32].x; else sum += s[((unsigned)((threadIdx.x + threadIdx.y))) / 32 % 8][((unsigned)((threadIdx.x + threadIdx.y))) % 32].x;
    sum += s[((unsigned)(threadIdx.y)) / 32 % 8][((unsigned)(threadIdx.y)) % 32].x;
    __syncthreads();
    s[((unsigned)(t)) / 32 % 8][((unsigned)(t)) % 32] = make_float2(sum, 1);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k61<<<2, dim3(64, 2)>>>(float[640] = random(61), float[256], 9) */
__global__ void k61(const float *in, float *out, int n)
{
    __shared__ float4 s[136];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 136] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x + (t ^ 11)))) % 136].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)(((threadIdx.x * 5) ^ (t % 7)))) % 136].x;
    __syncthreads();
    s[((unsigned)(t)) % 136] = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k62<<<2, dim3(8, 8)>>>(float[640] = random(62), unsigned[128], 9) */
__global__ void k62(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[128];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 64 + t;
        if (i < 128) s[((unsigned)i) % 128] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(t + k * 17)) % 128];
    sum = pick<0>(sum, s[((unsigned)(((t ^ 12) + (threadIdx.x * 5)))) % 128]);
    if (((t ^ 5) + (t ^ 9)) & 2) sum -= s[((unsigned)((t >> 1))) % 128]; else sum += s[((unsigned)(threadIdx.x)) % 128];
    out[blockIdx.x * 64 + t] = sum;
}

/* k63<<<2, dim3(64, 2)>>>(float[640] = random(63), float[256], 9) */
__global__ void k63(const float *in, float *out, int n)
{
    __shared__ float4 s[528];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 528] = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k64<<<2, dim3(32, 4)>>>(float[640] = random(64), float[256], 9) */
__global__ void k64(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 16> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(2 + k * 1)) % 16].at(((unsigned)(2 + k * 1)) / 16).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k65<<<2, dim3(32, 4)>>>(float[640] = random(65), unsigned char[256], 9) */
__global__ void k65(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[16][32];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 32 % 16][((unsigned)(t)) % 32] = (unsigned char)(sum);
    __syncthreads();
    sum = pick<1>(sum, s[((unsigned)((t ^ 2))) / 32 % 16][((unsigned)((t ^ 2))) % 32]);
    __syncthreads();
    s[((unsigned)(t)) / 32 % 16][((unsigned)(t)) % 32] = (unsigned char)(sum);
    __syncthreads();
    sum = pick<0>(sum, s[((unsigned)((t >> 1))) / 32 % 16][((unsigned)((t >> 1))) % 32]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k66<<<2, dim3(16, 8)>>>(float[640] = random(66), int[256], 9) */
__global__ void k66(const float *in, int *out, int n)
{
    __shared__ int s[512];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) % 512] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if (5 & 2) sum -= s[((unsigned)((threadIdx.y + (threadIdx.x * 2)))) % 512]; else sum += s[((unsigned)((t + (t ^ 4)))) % 512];
    if (((t >> 0) + (threadIdx.x * 3)) & 4) sum -= s[((unsigned)((threadIdx.x + (threadIdx.x * 4)))) % 512]; else sum += s[((unsigned)((2 ^ (t % 5)))) % 512];
    sum += s[((unsigned)((threadIdx.x * 5))) % 512];
    out[blockIdx.x * 128 + t] = sum;
}

/* k67<<<2, dim3(8, 8)>>>(float[640] = random(67), int[128], 9) */
__global__ void k67(const float *in, int *out, int n)
{
    __shared__ int s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    sum = pick<1>(sum, s[((unsigned)((t % 5))) % 256]);
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((t + (threadIdx.x * 2)) + k * 2)) % 256];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(threadIdx.x + k)) % 256];
    out[blockIdx.x * 64 + t] = sum;
}

/* k68<<<2, dim3(32, 4)>>>(float[640] = random(68), float[256], 9) */
__global__ void k68(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = make_float4(sum, 1, 2, 3);
    __syncthreads();
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k69<<<2, dim3(32, 8)>>>(float[640] = random(69), float[512], 9) */
__global__ void k69(const float *in, float *out, int n)
{
    __shared__ Cell<float, 8> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 128) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    if ((threadIdx.x * 4) & 1) sum -= s[((unsigned)(((threadIdx.x * 5) * t))) % 16].at(((unsigned)(((threadIdx.x * 5) * t))) / 16); else sum += s[((unsigned)(t)) % 16].at(((unsigned)(t)) / 16);
    sum += s[((unsigned)((t + (t ^ 1)))) % 16].at(((unsigned)((t + (t ^ 1)))) / 16);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t >> 2) + k)) % 16].at(((unsigned)((t >> 2) + k)) / 16);
    out[blockIdx.x * 256 + t] = sum;
}

/* k70<<<2, dim3(8, 8)>>>(float[640] = random(70), int[128], 9) */
__global__ void k70(const float *in, int *out, int n)
{
    __shared__ int s[16][32];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = k * 64 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    sum += s[((unsigned)(t)) / 32 % 16][((unsigned)(t)) % 32];
    sum += s[((unsigned)((t ^ 13))) / 32 % 16][((unsigned)((t ^ 13))) % 32];
    __syncthreads();
    s[((unsigned)(t)) / 32 % 16][((unsigned)(t)) % 32] = (int)(sum);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

/* k71<<<2, dim3(64, 2)>>>(float[640] = random(71), short[256], 9) */
__global__ void k71(const float *in, short *out, int n)
{
    __shared__ short s[8][36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if (((threadIdx.x * 2) + 5) & 2) sum -= s[((unsigned)((threadIdx.y ^ (t % 3)))) / 36 % 8][((unsigned)((threadIdx.y ^ (t % 3)))) % 36]; else sum += s[((unsigned)((t ^ 11))) / 36 % 8][((unsigned)((t ^ 11))) % 36];
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(threadIdx.x + k * 37)) / 36 % 8][((unsigned)(threadIdx.x + k * 37)) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k72<<<2, dim3(64, 2)>>>(float[640] = random(72), int[256], 9) */
__global__ void k72(const float *in, int *out, int n)
{
    __shared__ Cell<int, 8> s[36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if ((5 + (t >> 2)) & 1) sum -= s[((unsigned)((t + (t % 3)))) % 36].at(((unsigned)((t + (t % 3)))) / 36); else sum += s[((unsigned)((t ^ 15))) % 36].at(((unsigned)((t ^ 15))) / 36);
    sum += s[((unsigned)((t ^ 7))) % 36].at(((unsigned)((t ^ 7))) / 36);
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (int)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k73<<<2, dim3(32, 4)>>>(float[640] = random(73), float[256], 9) */
__global__ void k73(const float *in, float *out, int n)
{
    __shared__ float2 s[16][16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if ((t % 3) & 2) sum -= s[((unsigned)(threadIdx.y)) / 16 % 16][((unsigned)(threadIdx.y)) % 16].x; else sum += s[((unsigned)(((t >> 0) * t))) / 16 % 16][((unsigned)(((t >> 0) * t))) % 16].x;
    if (threadIdx.y & 1) sum -= s[((unsigned)(threadIdx.x)) / 16 % 16][((unsigned)(threadIdx.x)) % 16].x; else sum += s[((unsigned)((threadIdx.y * 5))) / 16 % 16][((unsigned)((threadIdx.y * 5))) % 16].x;
    if ((1 + (threadIdx.x * 3)) & 1) sum -= s[((unsigned)(((t % 7) * (t >> 0)))) / 16 % 16][((unsigned)(((t % 7) * (t >> 0)))) % 16].x; else sum += s[((unsigned)(threadIdx.y)) / 16 % 16][((unsigned)(threadIdx.y)) % 16].x;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(t)) / 16 % 16][((unsigned)(t)) % 16].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k74<<<2, dim3(64, 2)>>>(float[640] = random(74), int[256], 9) */
__global__ void k74(const float *in, int *out, int n)
{
    __shared__ int s[8][32];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 32 % 8][((unsigned)i) % 32] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if (((threadIdx.x * 5) + t) & 1) sum -= s[((unsigned)(threadIdx.y)) / 32 % 8][((unsigned)(threadIdx.y)) % 32]; else sum += s[((unsigned)((t >> 0))) / 32 % 8][((unsigned)((t >> 0))) % 32];
    sum += s[((unsigned)((threadIdx.y + (threadIdx.x * 2)))) / 32 % 8][((unsigned)((threadIdx.y + (threadIdx.x * 2)))) % 32];
    out[blockIdx.x * 128 + t] = sum;
}

/* k75<<<2, dim3(8, 8)>>>(float[640] = random(75), float[128], 9) */
__global__ void k75(const float *in, float *out, int n)
{
    __shared__ float4 s[16][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.y ^ (t % 16)) + k)) / 36 % 16][((unsigned)((threadIdx.y ^ (t % 16)) + k)) % 36].x;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t + (t >> 0)) + k)) / 36 % 16][((unsigned)((t + (t >> 0)) + k)) % 36].x;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((threadIdx.y + (t % 5)) + k * 37)) / 36 % 16][((unsigned)((threadIdx.y + (t % 5)) + k * 37)) % 36].x;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * threadIdx.x) + k)) / 36 % 16][((unsigned)((threadIdx.x * threadIdx.x) + k)) % 36].x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k76<<<2, dim3(16, 8)>>>(float[640] = random(76), short[256], 9) */
__global__ void k76(const float *in, short *out, int n)
{
    __shared__ short s[528];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 528] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k77<<<2, dim3(16, 8)>>>(float[640] = random(77), float[256], 9) */
__global__ void k77(const float *in, float *out, int n)
{
    __shared__ float2 s[8][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 32 % 8][((unsigned)i) % 32] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if (threadIdx.y & 1) sum -= s[((unsigned)((t % 7))) / 32 % 8][((unsigned)((t % 7))) % 32].x; else sum += s[((unsigned)((t % 5))) / 32 % 8][((unsigned)((t % 5))) % 32].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k78<<<2, dim3(64, 2)>>>(float[640] = random(78), double[256], 9) */
__global__ void k78(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)((t + 2))) % 16].at(((unsigned)((t + 2))) / 16);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(t + k)) % 16].at(((unsigned)(t + k)) / 16);
    __syncthreads();
    s[((unsigned)(t)) % 16].at(((unsigned)(t)) / 16) = (double)(sum);
    __syncthreads();
    if (((threadIdx.x * 2) + threadIdx.y) & 2) sum -= s[((unsigned)((t + threadIdx.y))) % 16].at(((unsigned)((t + threadIdx.y))) / 16); else sum += s[((unsigned)(((threadIdx.x * 3) ^ (t ^ 11)))) % 16].at(((unsigned)(((threadIdx.x * 3) ^ (t ^ 11)))) / 16);
    out[blockIdx.x * 128 + t] = sum;
}

/* k79<<<2, dim3(32, 4)>>>(float[640] = random(79), unsigned[256], 9) */
__global__ void k79(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[16][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((t * (t >> 3)) + k * 34)) / 33 % 16][((unsigned)((t * (t >> 3)) + k * 34)) % 33];
    sum += s[((unsigned)(((t >> 0) + (t % 16)))) / 33 % 16][((unsigned)(((t >> 0) + (t % 16)))) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k80<<<2, dim3(64, 2)>>>(float[640] = random(80), float[256], 9) */
__global__ void k80(const float *in, float *out, int n)
{
    __shared__ float2 s[528];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if ((threadIdx.x + (t ^ 4)) & 4) sum -= s[((unsigned)(threadIdx.x)) % 528].x; else sum += s[((unsigned)((t ^ 5))) % 528].x;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t % 7) + threadIdx.x) + k)) % 528].x;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t >> 3) * t) + k * 34)) % 528].x;
    __syncthreads();
    s[((unsigned)(t)) % 528] = make_float2(sum, 1);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k81<<<2, dim3(8, 8)>>>(float[640] = random(81), float[128], 9) */
__global__ void k81(const float *in, float *out, int n)
{
    __shared__ float4 s[16][32];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = k * 64 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(threadIdx.x + k * 2)) / 32 % 16][((unsigned)(threadIdx.x + k * 2)) % 32].x;
    sum = pick<0>(sum, s[((unsigned)(4)) / 32 % 16][((unsigned)(4)) % 32].x);
    out[blockIdx.x * 64 + t] = sum;
}

/* k82<<<2, dim3(16, 8)>>>(float[640] = random(82), unsigned[256], 9) */
__global__ void k82(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[16][33];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((threadIdx.x * 4) + k * 1)) / 33 % 16][((unsigned)((threadIdx.x * 4) + k * 1)) % 33];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t ^ 8) + k)) / 33 % 16][((unsigned)((t ^ 8) + k)) % 33];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x ^ threadIdx.x) + k)) / 33 % 16][((unsigned)((threadIdx.x ^ threadIdx.x) + k)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k83<<<2, dim3(16, 8)>>>(float[640] = random(83), float[256], 9) */
__global__ void k83(const float *in, float *out, int n)
{
    __shared__ float4 s[264];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) % 264] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)((3 ^ (t >> 3)))) % 264].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k84<<<2, dim3(32, 8)>>>(float[640] = random(84), float[512], 9) */
__global__ void k84(const float *in, float *out, int n)
{
    __shared__ Cell<float2, 16> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((7 ^ (t % 5)))) % 16].at(((unsigned)((7 ^ (t % 5)))) / 16).x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + 3) + k)) % 16].at(((unsigned)((threadIdx.x + 3) + k)) / 16).x;
    if ((threadIdx.x + (threadIdx.x * 4)) & 4) sum -= s[((unsigned)((threadIdx.y * threadIdx.x))) % 16].at(((unsigned)((threadIdx.y * threadIdx.x))) / 16).x; else sum += s[((unsigned)((t ^ 3))) % 16].at(((unsigned)((t ^ 3))) / 16).x;
    out[blockIdx.x * 256 + t] = sum;
}

/* k85<<<2, dim3(64, 2)>>>(float[640] = random(85), double[256], 9) */
__global__ void k85(const float *in, double *out, int n)
{
    __shared__ double s[8][36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 36 % 8][((unsigned)(t)) % 36] = (double)(sum);
    __syncthreads();
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t ^ 9) + threadIdx.x))) / 36 % 8][((unsigned)(((t ^ 9) + threadIdx.x))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k86<<<2, dim3(32, 8)>>>(float[640] = random(86), float[512], 9) */
__global__ void k86(const float *in, float *out, int n)
{
    __shared__ float s[16][36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x * 5))) / 36 % 16][((unsigned)((threadIdx.x * 5))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    switch (t & 3) {
    case 0: sum += s[((unsigned)(3)) / 36 % 16][((unsigned)(3)) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)(((t % 5) * (t ^ 13)))) / 36 % 16][((unsigned)(((t % 5) * (t ^ 13)))) % 36];
    out[blockIdx.x * 256 + t] = sum;
}

/* k87<<<2, dim3(64, 2)>>>(float[640] = random(87), unsigned[256], 9) */
__global__ void k87(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[136];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 136] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 7) + 4) + k)) % 136];
    sum += s[((unsigned)(((t >> 3) + (t % 3)))) % 136];
    if ((3 + threadIdx.x) & 1) sum -= s[((unsigned)(((t ^ 8) + threadIdx.x))) % 136]; else sum += s[((unsigned)(threadIdx.x)) % 136];
    out[blockIdx.x * 128 + t] = sum;
}

/* k88<<<2, dim3(16, 8)>>>(float[640] = random(88), unsigned char[256], 9) */
__global__ void k88(const float *in, unsigned char *out, int n)
{
    __shared__ Cell<unsigned char, 16> s[17];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum = pick<0>(sum, s[((unsigned)(((t ^ 4) * (threadIdx.x * 4)))) % 17].at(((unsigned)(((t ^ 4) * (threadIdx.x * 4)))) / 17));
    out[blockIdx.x * 128 + t] = sum;
}

/* k89<<<2, dim3(16, 8)>>>(float[640] = random(89), int[256], 9) */
__global__ void k89(const float *in, int *out, int n)
{
    __shared__ int s[576];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) % 576] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(((t ^ 12) + (t % 3)) + k * 36)) % 576];
    out[blockIdx.x * 128 + t] = sum;
}

/* k90<<<2, dim3(32, 4)>>>(float[640] = random(90), double[256], 9) */
__global__ void k90(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t % 7) + k)) % 16].at(((unsigned)((t % 7) + k)) / 16);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + threadIdx.x) + k)) % 16].at(((unsigned)((threadIdx.x + threadIdx.x) + k)) / 16);
    sum += s[((unsigned)(threadIdx.y)) % 16].at(((unsigned)(threadIdx.y)) / 16);
    out[blockIdx.x * 128 + t] = sum;
}

/* k91<<<2, dim3(16, 8)>>>(float[640] = random(91), int[256], 9) */
__global__ void k91(const float *in, int *out, int n)
{
    __shared__ int s[288];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 5))) % 288]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t ^ 13) + (t % 16)))) % 288]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t + threadIdx.x) + k)) % 288];
    sum = pick<1>(sum, s[((unsigned)(((threadIdx.x * 3) ^ (t % 3)))) % 288]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k92<<<2, dim3(32, 8)>>>(float[640] = random(92), unsigned char[512], 9) */
__global__ void k92(const float *in, unsigned char *out, int n)
{
    __shared__ Cell<unsigned char, 16> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t ^ 14) + t) + k * 2)) % 36].at(((unsigned)(((t ^ 14) + t) + k * 2)) / 36);
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t % 3))) % 36].at(((unsigned)((t % 3))) / 36); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((2 * (t >> 2)) + k * 36)) % 36].at(((unsigned)((2 * (t >> 2)) + k * 36)) / 36);
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (unsigned char)(sum);
    __syncthreads();
    out[blockIdx.x * 256 + t] = sum;
}

/* k93<<<2, dim3(32, 8)>>>(float[640] = random(93), float[512], 9) */
__global__ void k93(const float *in, float *out, int n)
{
    __shared__ float4 s[16][36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((threadIdx.x * 2) ^ (threadIdx.x * 3)) + k * 37)) / 36 % 16][((unsigned)(((threadIdx.x * 2) ^ (threadIdx.x * 3)) + k * 37)) % 36].x;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)((t >> 1) + k * 2)) / 36 % 16][((unsigned)((t >> 1) + k * 2)) % 36].x;
    sum = pick<0>(sum, s[((unsigned)((threadIdx.y + (threadIdx.x * 2)))) / 36 % 16][((unsigned)((threadIdx.y + (threadIdx.x * 2)))) % 36].x);
    out[blockIdx.x * 256 + t] = sum;
}

/* k94<<<2, dim3(64, 2)>>>(float[640] = random(94), unsigned[256], 9) */
__global__ void k94(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t ^ 10) * (t ^ 13)) + k)) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k95<<<2, dim3(16, 8)>>>(float[640] = random(95), unsigned[256], 9) */
__global__ void k95(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[8][33];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) / 33 % 8][((unsigned)i) % 33] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(0 + k)) / 33 % 8][((unsigned)(0 + k)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k96<<<2, dim3(16, 8)>>>(float[640] = random(96), short[256], 9) */
__global__ void k96(const float *in, short *out, int n)
{
    __shared__ short s[16][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(threadIdx.x)) / 32 % 16][((unsigned)(threadIdx.x)) % 32]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    if ((t + (threadIdx.x * 4)) & 2) sum -= s[((unsigned)(((t ^ 9) * (t % 7)))) / 32 % 16][((unsigned)(((t ^ 9) * (t % 7)))) % 32]; else sum += s[((unsigned)(threadIdx.x)) / 32 % 16][((unsigned)(threadIdx.x)) % 32];
    sum += s[((unsigned)(7)) / 32 % 16][((unsigned)(7)) % 32];
    out[blockIdx.x * 128 + t] = sum;
}

/* k97<<<2, dim3(32, 8)>>>(float[640] = random(97), double[512], 9) */
__global__ void k97(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 528) s[((unsigned)i) % 33].at(((unsigned)i) / 33) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum = pick<0>(sum, s[((unsigned)((threadIdx.x + (t ^ 3)))) % 33].at(((unsigned)((threadIdx.x + (t ^ 3)))) / 33));
    out[blockIdx.x * 256 + t] = sum;
}

/* k98<<<2, dim3(64, 2)>>>(float[640] = random(98), short[256], 9) */
__global__ void k98(const float *in, short *out, int n)
{
    __shared__ short s[288];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 288] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k99<<<2, dim3(32, 4)>>>(float[640] = random(99), unsigned char[256], 9) */
__global__ void k99(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[8][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) / 33 % 8][((unsigned)i) % 33] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(threadIdx.y + k * 2)) / 33 % 8][((unsigned)(threadIdx.y + k * 2)) % 33];
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t ^ 3) ^ threadIdx.y))) / 33 % 8][((unsigned)(((t ^ 3) ^ threadIdx.y))) % 33]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k100<<<2, dim3(16, 8)>>>(float[640] = random(100), unsigned[256], 9) */
__global__ void k100(const float *in, unsigned *out, int n)
{
    __shared__ Cell<unsigned, 16> s[33];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 33].at(((unsigned)i) / 33) = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * 5) + k)) % 33].at(((unsigned)((threadIdx.x * 5) + k)) / 33);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t ^ 14) + k)) % 33].at(((unsigned)((t ^ 14) + k)) / 33);
    if (((t ^ 7) * (t >> 3)) & 1) sum -= s[((unsigned)(((t ^ 7) * t))) % 33].at(((unsigned)(((t ^ 7) * t))) / 33); else sum += s[((unsigned)((t * t))) % 33].at(((unsigned)((t * t))) / 33);
    sum += s[((unsigned)(((t ^ 13) + (t >> 2)))) % 33].at(((unsigned)(((t ^ 13) + (t >> 2)))) / 33);
    out[blockIdx.x * 128 + t] = sum;
}

/* k101<<<2, dim3(8, 8)>>>(float[640] = random(101), double[128], 9) */
__global__ void k101(const float *in, double *out, int n)
{
    __shared__ double s[16][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum = pick<0>(sum, s[((unsigned)((t >> 1))) / 36 % 16][((unsigned)((t >> 1))) % 36]);
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t % 5) * (threadIdx.x * 5)) + k * 2)) / 36 % 16][((unsigned)(((t % 5) * (threadIdx.x * 5)) + k * 2)) % 36];
    out[blockIdx.x * 64 + t] = sum;
}

/* k102<<<2, dim3(16, 8)>>>(float[640] = random(102), unsigned[256], 9) */
__global__ void k102(const float *in, unsigned *out, int n)
{
    __shared__ Cell<unsigned, 16> s[36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (unsigned)(sum);
    __syncthreads();
    if ((1 * (threadIdx.x * 3)) & 4) sum -= s[((unsigned)((threadIdx.x * 5))) % 36].at(((unsigned)((threadIdx.x * 5))) / 36); else sum += s[((unsigned)((t + t))) % 36].at(((unsigned)((t + t))) / 36);
    out[blockIdx.x * 128 + t] = sum;
}

/* k103<<<2, dim3(32, 4)>>>(float[640] = random(103), float[256], 9) */
__global__ void k103(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t % 5) + k)) % 17].at(((unsigned)((t % 5) + k)) / 17).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k104<<<2, dim3(8, 8)>>>(float[640] = random(104), float[128], 9) */
__global__ void k104(const float *in, float *out, int n)
{
    __shared__ float s[136];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 64 + t;
        if (i < 136) s[((unsigned)i) % 136] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(threadIdx.x + k)) % 136];
    out[blockIdx.x * 64 + t] = sum;
}

/* k105<<<2, dim3(32, 8)>>>(float[640] = random(105), short[512], 9) */
__global__ void k105(const float *in, short *out, int n)
{
    __shared__ short s[288];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 288) s[((unsigned)i) % 288] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if (((t >> 3) + (t % 5)) & 1) sum -= s[((unsigned)((t ^ t))) % 288]; else sum += s[((unsigned)((2 + (t ^ 9)))) % 288];
    sum += s[((unsigned)(t)) % 288];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 11) + threadIdx.y) + k)) % 288];
    out[blockIdx.x * 256 + t] = sum;
}

/* k106<<<2, dim3(32, 8)>>>(float[640] = random(106), float[512], 9) */
__global__ void k106(const float *in, float *out, int n)
{
    __shared__ float4 s[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) % 256] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(((t ^ 12) ^ (t % 16)) + k * 16)) % 256].x;
    out[blockIdx.x * 256 + t] = sum;
}

/* k107<<<2, dim3(8, 8)>>>(float[640] = random(107), double[128], 9) */
__global__ void k107(const float *in, double *out, int n)
{
    __shared__ double s[576];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) % 576] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 576] = (double)(sum);
    __syncthreads();
    sum = pick<0>(sum, s[((unsigned)((t >> 0))) % 576]);
    out[blockIdx.x * 64 + t] = sum;
}

/* k108<<<2, dim3(64, 2)>>>(float[640] = random(108), unsigned[256], 9) */
__global__ void k108(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum += s[((unsigned)((t >> 1))) % 256];
    sum += s[((unsigned)(((threadIdx.x * 5) + (t % 5)))) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k109<<<2, dim3(8, 8)>>>(float[640] = random(109), float[128], 9) */
__global__ void k109(const float *in, float *out, int n)
{
    __shared__ Cell<float2, 16> s[17];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)((7 ^ (threadIdx.x * 4)))) % 17].at(((unsigned)((7 ^ (threadIdx.x * 4)))) / 17).x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k110<<<2, dim3(8, 8)>>>(float[640] = random(110), unsigned char[128], 9) */
__global__ void k110(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[288];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 288) s[((unsigned)i) % 288] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((threadIdx.x * 2) + (threadIdx.x * 4)) + k)) % 288];
    sum = pick<0>(sum, s[((unsigned)((threadIdx.x * 3))) % 288]);
    __syncthreads();
    s[((unsigned)(t)) % 288] = (unsigned char)(sum);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

/* k111<<<2, dim3(16, 8)>>>(float[640] = random(111), double[256], 9) */
__global__ void k111(const float *in, double *out, int n)
{
    __shared__ double s[512];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) % 512] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum = pick<0>(sum, s[((unsigned)((6 ^ (threadIdx.x * 2)))) % 512]);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t % 3) + k)) % 512];
    if ((7 * threadIdx.x) & 2) sum -= s[((unsigned)(((t % 3) ^ (t % 5)))) % 512]; else sum += s[((unsigned)(threadIdx.x)) % 512];
    sum += s[((unsigned)(((t % 3) ^ 3))) % 512];
    out[blockIdx.x * 128 + t] = sum;
}

/* k112<<<2, dim3(8, 8)>>>(float[640] = random(112), float[128], 9) */
__global__ void k112(const float *in, float *out, int n)
{
    __shared__ float4 s[576];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) % 576] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if ((t % 5) & 2) sum -= s[((unsigned)((7 ^ 3))) % 576].x; else sum += s[((unsigned)(((threadIdx.x * 2) ^ (threadIdx.x * 3)))) % 576].x;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(4 + k * 2)) % 576].x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k113<<<2, dim3(8, 8)>>>(float[640] = random(113), float[128], 9) */
__global__ void k113(const float *in, float *out, int n)
{
    __shared__ Cell<float, 8> s[32];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)((threadIdx.x ^ (threadIdx.x * 5)) + k * 32)) % 32].at(((unsigned)((threadIdx.x ^ (threadIdx.x * 5)) + k * 32)) / 32);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t ^ 10) + (t >> 2)) + k)) % 32].at(((unsigned)(((t ^ 10) + (t >> 2)) + k)) / 32);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(threadIdx.x + k)) % 32].at(((unsigned)(threadIdx.x + k)) / 32);
    out[blockIdx.x * 64 + t] = sum;
}

/* k114<<<2, dim3(64, 2)>>>(float[640] = random(114), double[256], 9) */
__global__ void k114(const float *in, double *out, int n)
{
    __shared__ Cell<double, 8> s[36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t + (t % 7)) + k)) % 36].at(((unsigned)((t + (t % 7)) + k)) / 36);
    sum = pick<1>(sum, s[((unsigned)(((t % 7) + threadIdx.y))) % 36].at(((unsigned)(((t % 7) + threadIdx.y))) / 36));
    out[blockIdx.x * 128 + t] = sum;
}

/* k115<<<2, dim3(32, 4)>>>(float[640] = random(115), float[256], 9) */
__global__ void k115(const float *in, float *out, int n)
{
    __shared__ float2 s[8][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) / 17 % 8][((unsigned)i) % 17] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t >> 2))) / 17 % 8][((unsigned)((t >> 2))) % 17].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    if (((t >> 1) + threadIdx.x) & 1) sum -= s[((unsigned)((t + (threadIdx.x * 4)))) / 17 % 8][((unsigned)((t + (threadIdx.x * 4)))) % 17].x; else sum += s[((unsigned)(((t >> 2) + (t % 16)))) / 17 % 8][((unsigned)(((t >> 2) + (t % 16)))) % 17].x;
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t >> 3) + threadIdx.x) + k * 1)) / 17 % 8][((unsigned)(((t >> 3) + threadIdx.x) + k * 1)) % 17].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k116<<<2, dim3(16, 8)>>>(float[640] = random(116), float[256], 9) */
__global__ void k116(const float *in, float *out, int n)
{
    __shared__ float2 s[128];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(((threadIdx.x * 2) ^ (t % 16)) + k * 2)) % 128].x;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t ^ (t ^ 7)) + k)) % 128].x;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t ^ 12) + k)) % 128].x;
    if ((t >> 0) & 2) sum -= s[((unsigned)(((t % 3) * (threadIdx.x * 4)))) % 128].x; else sum += s[((unsigned)(t)) % 128].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k117<<<2, dim3(16, 8)>>>(float[640] = random(117), double[256], 9) */
__global__ void k117(const float *in, double *out, int n)
{
    __shared__ double s[136];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 136] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum = pick<1>(sum, s[((unsigned)((threadIdx.y * threadIdx.y))) % 136]);
    sum += s[((unsigned)((t * (threadIdx.x * 2)))) % 136];
    out[blockIdx.x * 128 + t] = sum;
}

/* k118<<<2, dim3(64, 2)>>>(float[640] = random(118), unsigned[256], 9) */
__global__ void k118(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    if ((threadIdx.x + (t ^ 3)) & 2) sum -= s[((unsigned)(((t ^ 9) + 2))) % 256]; else sum += s[((unsigned)((t ^ 7))) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k119<<<2, dim3(32, 8)>>>(float[640] = random(119), float[512], 9) */
__global__ void k119(const float *in, float *out, int n)
{
    __shared__ float2 s[16][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t ^ (threadIdx.x * 3)) + k)) / 17 % 16][((unsigned)((t ^ (threadIdx.x * 3)) + k)) % 17].x;
    sum += s[((unsigned)(((t % 5) * (t % 3)))) / 17 % 16][((unsigned)(((t % 5) * (t % 3)))) % 17].x;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((t ^ 7) + 6) + k * 1)) / 17 % 16][((unsigned)(((t ^ 7) + 6) + k * 1)) % 17].x;
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = make_float2(sum, 1);
    __syncthreads();
    out[blockIdx.x * 256 + t] = sum;
}

/* k120<<<2, dim3(32, 8)>>>(float[640] = random(120), double[512], 9) */
__global__ void k120(const float *in, double *out, int n)
{
    __shared__ double s[272];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 272) s[((unsigned)i) % 272] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)((t ^ 2) + k * 17)) % 272];
    if ((t >> 3) & 4) sum -= s[((unsigned)((3 + threadIdx.x))) % 272]; else sum += s[((unsigned)(((threadIdx.x * 5) + t))) % 272];
    out[blockIdx.x * 256 + t] = sum;
}

/* k121<<<2, dim3(16, 8)>>>(float[640] = random(121), int[256], 9) */
__global__ void k121(const float *in, int *out, int n)
{
    __shared__ Cell<int, 16> s[17];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if (((threadIdx.x * 3) + (t ^ 1)) & 2) sum -= s[((unsigned)((t >> 3))) % 17].at(((unsigned)((t >> 3))) / 17); else sum += s[((unsigned)((threadIdx.x * 3))) % 17].at(((unsigned)((threadIdx.x * 3))) / 17);
    if ((2 + (t ^ 6)) & 4) sum -= s[((unsigned)(((t ^ 14) + t))) % 17].at(((unsigned)(((t ^ 14) + t))) / 17); else sum += s[((unsigned)(7)) % 17].at(((unsigned)(7)) / 17);
    out[blockIdx.x * 128 + t] = sum;
}

/* k122<<<2, dim3(32, 8)>>>(float[640] = random(122), double[512], 9) */
__global__ void k122(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((7 + (threadIdx.x * 4)))) % 36].at(((unsigned)((7 + (threadIdx.x * 4)))) / 36); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t % 16) * (t >> 0)))) % 36].at(((unsigned)(((t % 16) * (t >> 0)))) / 36); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (double)(sum);
    __syncthreads();
    out[blockIdx.x * 256 + t] = sum;
}

/* k123<<<2, dim3(8, 8)>>>(float[640] = random(123), float[128], 9) */
__global__ void k123(const float *in, float *out, int n)
{
    __shared__ float s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(threadIdx.x)) % 256]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 64 + t] = sum;
}

/* k124<<<2, dim3(16, 8)>>>(float[640] = random(124), float[256], 9) */
__global__ void k124(const float *in, float *out, int n)
{
    __shared__ float2 s[8][36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    if ((threadIdx.x * 5) & 4) sum -= s[((unsigned)(((t ^ 3) + (t % 3)))) / 36 % 8][((unsigned)(((t ^ 3) + (t % 3)))) % 36].x; else sum += s[((unsigned)(((threadIdx.x * 5) ^ (t >> 1)))) / 36 % 8][((unsigned)(((threadIdx.x * 5) ^ (t >> 1)))) % 36].x;
    __syncthreads();
    s[((unsigned)(t)) / 36 % 8][((unsigned)(t)) % 36] = make_float2(sum, 1);
    __syncthreads();
    switch (t & 3) {
    case 0: sum += s[((unsigned)((2 ^ (t % 3)))) / 36 % 8][((unsigned)((2 ^ (t % 3)))) % 36].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t % 3) * t) + k * 37)) / 36 % 8][((unsigned)(((t % 3) * t) + k * 37)) % 36].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k125<<<2, dim3(32, 4)>>>(float[640] = random(125), double[256], 9) */
__global__ void k125(const float *in, double *out, int n)
{
    __shared__ Cell<double, 16> s[17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    if (((t % 7) * 0) & 4) sum -= s[((unsigned)((t * threadIdx.y))) % 17].at(((unsigned)((t * threadIdx.y))) / 17); else sum += s[((unsigned)(((t % 3) + t))) % 17].at(((unsigned)(((t % 3) + t))) / 17);
    __syncthreads();
    s[((unsigned)(t)) % 17].at(((unsigned)(t)) / 17) = (double)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k126<<<2, dim3(16, 8)>>>(float[640] = random(126), float[256], 9) */
__global__ void k126(const float *in, float *out, int n)
{
    __shared__ Cell<float, 16> s[36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (float)(sum);
    __syncthreads();
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (float)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k127<<<2, dim3(32, 8)>>>(float[640] = random(127), float[512], 9) */
__global__ void k127(const float *in, float *out, int n)
{
    __shared__ float s[8][36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(4 + k * 1)) / 36 % 8][((unsigned)(4 + k * 1)) % 36];
    __syncthreads();
    s[((unsigned)(t)) / 36 % 8][((unsigned)(t)) % 36] = (float)(sum);
    __syncthreads();
    sum += s[((unsigned)((threadIdx.y ^ (threadIdx.x * 2)))) / 36 % 8][((unsigned)((threadIdx.y ^ (threadIdx.x * 2)))) % 36];
    out[blockIdx.x * 256 + t] = sum;
}

/* k128<<<2, dim3(16, 8)>>>(float[640] = random(128), double[256], 9) */
__global__ void k128(const float *in, double *out, int n)
{
    __shared__ double s[528];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)((t >> 0) + k * 33)) % 528];
    out[blockIdx.x * 128 + t] = sum;
}

/* k129<<<2, dim3(16, 8)>>>(float[640] = random(129), float[256], 9) */
__global__ void k129(const float *in, float *out, int n)
{
    __shared__ float2 s[256];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)((t * t))) % 256].x;
    __syncthreads();
    s[((unsigned)(t)) % 256] = make_float2(sum, 1);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k130<<<2, dim3(8, 8)>>>(float[640] = random(130), unsigned char[128], 9) */
__global__ void k130(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[16][32];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = k * 64 + t;
        if (i < 512) s[((unsigned)i) / 32 % 16][((unsigned)i) % 32] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(5 + k * 1)) / 32 % 16][((unsigned)(5 + k * 1)) % 32];
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t ^ 11))) / 32 % 16][((unsigned)((t ^ 11))) % 32]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((threadIdx.x * 3) ^ threadIdx.y) + k)) / 32 % 16][((unsigned)(((threadIdx.x * 3) ^ threadIdx.y) + k)) % 32];
    out[blockIdx.x * 64 + t] = sum;
}

/* k131<<<2, dim3(8, 8)>>>(float[640] = random(131), short[128], 9) */
__global__ void k131(const float *in, short *out, int n)
{
    __shared__ short s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 256] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

/* k132<<<2, dim3(32, 8)>>>(float[640] = random(132), unsigned char[512], 9) */
__global__ void k132(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[16][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    if (((t ^ 12) * t) & 2) sum -= s[((unsigned)((threadIdx.y + (threadIdx.x * 4)))) / 17 % 16][((unsigned)((threadIdx.y + (threadIdx.x * 4)))) % 17]; else sum += s[((unsigned)(((t ^ 9) + t))) / 17 % 16][((unsigned)(((t ^ 9) + t))) % 17];
    out[blockIdx.x * 256 + t] = sum;
}

/* k133<<<2, dim3(64, 2)>>>(float[640] = random(133), float[256], 9) */
__global__ void k133(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 16> s[32];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 128 + t;
        if (i < 512) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    sum = pick<0>(sum, s[((unsigned)(threadIdx.y)) % 32].at(((unsigned)(threadIdx.y)) / 32).x);
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = make_float4(sum, 1, 2, 3);
    __syncthreads();
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((t >> 0) + (t >> 1)) + k * 1)) % 32].at(((unsigned)(((t >> 0) + (t >> 1)) + k * 1)) / 32).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k134<<<2, dim3(32, 4)>>>(float[640] = random(134), float[256], 9) */
__global__ void k134(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)(((t % 5) * threadIdx.x))) % 36].at(((unsigned)(((t % 5) * threadIdx.x))) / 36).x;
    sum += s[((unsigned)((t >> 2))) % 36].at(((unsigned)((t >> 2))) / 36).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k135<<<2, dim3(8, 8)>>>(float[640] = random(135), short[128], 9) */
__global__ void k135(const float *in, short *out, int n)
{
    __shared__ short s[576];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) % 576] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 576] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

/* k136<<<2, dim3(8, 8)>>>(float[640] = random(136), unsigned char[128], 9) */
__global__ void k136(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[288];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 288) s[((unsigned)i) % 288] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 288] = (unsigned char)(sum);
    __syncthreads();
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(t + k)) % 288];
    out[blockIdx.x * 64 + t] = sum;
}

/* k137<<<2, dim3(64, 2)>>>(float[640] = random(137), int[256], 9) */
__global__ void k137(const float *in, int *out, int n)
{
    __shared__ int s[16][17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = (int)(sum);
    __syncthreads();
    if (threadIdx.x & 4) sum -= s[((unsigned)((threadIdx.x ^ threadIdx.x))) / 17 % 16][((unsigned)((threadIdx.x ^ threadIdx.x))) % 17]; else sum += s[((unsigned)(((t ^ 7) * (t ^ 12)))) / 17 % 16][((unsigned)(((t ^ 7) * (t ^ 12)))) % 17];
    out[blockIdx.x * 128 + t] = sum;
}

/* k138<<<2, dim3(64, 2)>>>(float[640] = random(138), double[256], 9) */
__global__ void k138(const float *in, double *out, int n)
{
    __shared__ double s[16][33];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((t * threadIdx.y) + k * 33)) / 33 % 16][((unsigned)((t * threadIdx.y) + k * 33)) % 33];
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((t + (threadIdx.x * 2)) + k * 1)) / 33 % 16][((unsigned)((t + (threadIdx.x * 2)) + k * 1)) % 33];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(0 + k)) / 33 % 16][((unsigned)(0 + k)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k139<<<2, dim3(32, 4)>>>(float[640] = random(139), float[256], 9) */
__global__ void k139(const float *in, float *out, int n)
{
    __shared__ float s[16][36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t >> 1) * t))) / 36 % 16][((unsigned)(((t >> 1) * t))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum = pick<1>(sum, s[((unsigned)((threadIdx.y ^ threadIdx.x))) / 36 % 16][((unsigned)((threadIdx.y ^ threadIdx.x))) % 36]);
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((threadIdx.x * 4) + threadIdx.y) + k)) / 36 % 16][((unsigned)(((threadIdx.x * 4) + threadIdx.y) + k)) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k140<<<2, dim3(32, 8)>>>(float[640] = random(140), int[512], 9) */
__global__ void k140(const float *in, int *out, int n)
{
    __shared__ Cell<int, 16> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + 3) + k)) % 16].at(((unsigned)((threadIdx.x + 3) + k)) / 16);
    out[blockIdx.x * 256 + t] = sum;
}

/* k141<<<2, dim3(16, 8)>>>(float[640] = random(141), float[256], 9) */
__global__ void k141(const float *in, float *out, int n)
{
    __shared__ Cell<float, 16> s[36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)(((t >> 2) * t))) % 36].at(((unsigned)(((t >> 2) * t))) / 36);
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (float)(sum);
    __syncthreads();
    sum = pick<1>(sum, s[((unsigned)(((t >> 2) + (t % 7)))) % 36].at(((unsigned)(((t >> 2) + (t % 7)))) / 36));
    sum += s[((unsigned)(((t ^ 7) * 4))) % 36].at(((unsigned)(((t ^ 7) * 4))) / 36);
    out[blockIdx.x * 128 + t] = sum;
}

/* k142<<<2, dim3(64, 2)>>>(float[640] = random(142), float[256], 9) */
__global__ void k142(const float *in, float *out, int n)
{
    __shared__ float4 s[272];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 272] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t >> 0) + (t % 7)))) % 272].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)((threadIdx.y * 5))) % 272].x;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t ^ 12) + k)) % 272].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k143<<<2, dim3(16, 8)>>>(float[640] = random(143), unsigned[256], 9) */
__global__ void k143(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[8][16];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) / 16 % 8][((unsigned)i) % 16] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum += s[((unsigned)(((threadIdx.x * 3) * threadIdx.y))) / 16 % 8][((unsigned)(((threadIdx.x * 3) * threadIdx.y))) % 16];
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t >> 3))) / 16 % 8][((unsigned)((t >> 3))) % 16]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k144<<<2, dim3(32, 8)>>>(float[640] = random(144), float[512], 9) */
__global__ void k144(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 16> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)))) % 16].at(((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)))) / 16).x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 4; k++) sum += s[((unsigned)((threadIdx.x * threadIdx.y) + k * 17)) % 16].at(((unsigned)((threadIdx.x * threadIdx.y) + k * 17)) / 16).x;
    out[blockIdx.x * 256 + t] = sum;
}

/* k145<<<2, dim3(8, 8)>>>(float[640] = random(145), unsigned char[128], 9) */
__global__ void k145(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[8][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 288) s[((unsigned)i) / 36 % 8][((unsigned)i) % 36] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t >> 2) * threadIdx.x) + k)) / 36 % 8][((unsigned)(((t >> 2) * threadIdx.x) + k)) % 36];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + threadIdx.x) + k)) / 36 % 8][((unsigned)((threadIdx.x + threadIdx.x) + k)) % 36];
    if ((threadIdx.x * 0) & 1) sum -= s[((unsigned)((threadIdx.x * 4))) / 36 % 8][((unsigned)((threadIdx.x * 4))) % 36]; else sum += s[((unsigned)((4 + 6))) / 36 % 8][((unsigned)((4 + 6))) % 36];
    out[blockIdx.x * 64 + t] = sum;
}

/* k146<<<2, dim3(32, 8)>>>(float[640] = random(146), unsigned[512], 9) */
__global__ void k146(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[16][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum += s[((unsigned)(((t ^ 11) * t))) / 17 % 16][((unsigned)(((t ^ 11) * t))) % 17];
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = (unsigned)(sum);
    __syncthreads();
    sum += s[((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 5)))) / 17 % 16][((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 5)))) % 17];
    out[blockIdx.x * 256 + t] = sum;
}

/* k147<<<2, dim3(32, 4)>>>(float[640] = random(147), unsigned[256], 9) */
__global__ void k147(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[528];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((threadIdx.x * 4) ^ (t ^ 4)) + k)) % 528];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t + (t >> 3)) + k)) % 528];
    out[blockIdx.x * 128 + t] = sum;
}

/* k148<<<2, dim3(64, 2)>>>(float[640] = random(148), unsigned char[256], 9) */
__global__ void k148(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum += s[((unsigned)(7)) % 256];
    sum = pick<0>(sum, s[((unsigned)(((threadIdx.x * 4) + threadIdx.y))) % 256]);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x * 5) + k)) % 256];
    out[blockIdx.x * 128 + t] = sum;
}

/* k149<<<2, dim3(8, 8)>>>(float[640] = random(149), int[128], 9) */
__global__ void k149(const float *in, int *out, int n)
{
    __shared__ int s[16][16];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    sum += s[((unsigned)(threadIdx.x)) / 16 % 16][((unsigned)(threadIdx.x)) % 16];
    sum += s[((unsigned)(7)) / 16 % 16][((unsigned)(7)) % 16];
    out[blockIdx.x * 64 + t] = sum;
}

/* k150<<<2, dim3(16, 8)>>>(float[640] = random(150), short[256], 9) */
__global__ void k150(const float *in, short *out, int n)
{
    __shared__ short s[264];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) % 264] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((threadIdx.x * 4) * threadIdx.x) + k * 33)) % 264];
    __syncthreads();
    s[((unsigned)(t)) % 264] = (short)(sum);
    __syncthreads();
    if (((t >> 2) + (t >> 2)) & 1) sum -= s[((unsigned)((t * (t % 3)))) % 264]; else sum += s[((unsigned)((t >> 1))) % 264];
    if (4 & 2) sum -= s[((unsigned)((t ^ 11))) % 264]; else sum += s[((unsigned)(t)) % 264];
    out[blockIdx.x * 128 + t] = sum;
}

/* k151<<<2, dim3(64, 2)>>>(float[640] = random(151), unsigned char[256], 9) */
__global__ void k151(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[272];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 272] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 272] = (unsigned char)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k152<<<2, dim3(16, 8)>>>(float[640] = random(152), unsigned char[256], 9) */
__global__ void k152(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[16][17];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum += s[((unsigned)((threadIdx.y + 1))) / 17 % 16][((unsigned)((threadIdx.y + 1))) % 17];
    out[blockIdx.x * 128 + t] = sum;
}

/* k153<<<2, dim3(64, 2)>>>(float[640] = random(153), float[256], 9) */
__global__ void k153(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    sum = pick<1>(sum, s[((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)))) % 16].at(((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)))) / 16).x);
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(threadIdx.x + k)) % 16].at(((unsigned)(threadIdx.x + k)) / 16).x;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((threadIdx.x * 3) + k * 16)) % 16].at(((unsigned)((threadIdx.x * 3) + k * 16)) / 16).x;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t * threadIdx.y) + k)) % 16].at(((unsigned)((t * threadIdx.y) + k)) / 16).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k154<<<2, dim3(16, 8)>>>(float[640] = random(154), double[256], 9) */
__global__ void k154(const float *in, double *out, int n)
{
    __shared__ double s[528];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 528] = (double)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k155<<<2, dim3(32, 4)>>>(float[640] = random(155), float[256], 9) */
__global__ void k155(const float *in, float *out, int n)
{
    __shared__ float2 s[528];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + 5) + k)) % 528].x;
    sum += s[((unsigned)((1 ^ (t % 3)))) % 528].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k156<<<2, dim3(64, 2)>>>(float[640] = random(156), float[256], 9) */
__global__ void k156(const float *in, float *out, int n)
{
    __shared__ float4 s[8][33];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) / 33 % 8][((unsigned)i) % 33] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((t % 3) + k * 1)) / 33 % 8][((unsigned)((t % 3) + k * 1)) % 33].x;
    __syncthreads();
    s[((unsigned)(t)) / 33 % 8][((unsigned)(t)) % 33] = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k157<<<2, dim3(32, 8)>>>(float[640] = random(157), float[512], 9) */
__global__ void k157(const float *in, float *out, int n)
{
    __shared__ float4 s[8][17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 136) s[((unsigned)i) / 17 % 8][((unsigned)i) % 17] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if (((t ^ 10) ^ (t ^ 9)) & 4) sum -= s[((unsigned)((5 + threadIdx.y))) / 17 % 8][((unsigned)((5 + threadIdx.y))) % 17].x; else sum += s[((unsigned)((threadIdx.x * 2))) / 17 % 8][((unsigned)((threadIdx.x * 2))) % 17].x;
    for (int k = 0; k < 4; k++) sum += s[((unsigned)(t + k * 17)) / 17 % 8][((unsigned)(t + k * 17)) % 17].x;
    __syncthreads();
    s[((unsigned)(t)) / 17 % 8][((unsigned)(t)) % 17] = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 256 + t] = sum;
}

/* k158<<<2, dim3(8, 8)>>>(float[640] = random(158), double[128], 9) */
__global__ void k158(const float *in, double *out, int n)
{
    __shared__ Cell<double, 8> s[16];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 64 + t;
        if (i < 128) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t % 3) + threadIdx.x))) % 16].at(((unsigned)(((t % 3) + threadIdx.x))) / 16); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    __syncthreads();
    s[((unsigned)(t)) % 16].at(((unsigned)(t)) / 16) = (double)(sum);
    __syncthreads();
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(threadIdx.y + k)) % 16].at(((unsigned)(threadIdx.y + k)) / 16);
    out[blockIdx.x * 64 + t] = sum;
}

/* k159<<<2, dim3(16, 8)>>>(float[640] = random(159), unsigned char[256], 9) */
__global__ void k159(const float *in, unsigned char *out, int n)
{
    __shared__ Cell<unsigned char, 16> s[17];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    sum = pick<0>(sum, s[((unsigned)((threadIdx.x + (t % 7)))) % 17].at(((unsigned)((threadIdx.x + (t % 7)))) / 17));
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((6 + (t ^ 4)) + k * 17)) % 17].at(((unsigned)((6 + (t ^ 4)) + k * 17)) / 17);
    out[blockIdx.x * 128 + t] = sum;
}

/* k160<<<2, dim3(8, 8)>>>(float[640] = random(160), int[128], 9) */
__global__ void k160(const float *in, int *out, int n)
{
    __shared__ int s[16][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(6 + k)) / 36 % 16][((unsigned)(6 + k)) % 36];
    for (int k = 0; k < 2; k++) sum += s[((unsigned)(((threadIdx.x * 4) ^ 0) + k * 2)) / 36 % 16][((unsigned)(((threadIdx.x * 4) ^ 0) + k * 2)) % 36];
    for (int k = 0; k < 3; k++) sum += s[((unsigned)(((threadIdx.x * 2) ^ threadIdx.x) + k * 37)) / 36 % 16][((unsigned)(((threadIdx.x * 2) ^ threadIdx.x) + k * 37)) % 36];
    out[blockIdx.x * 64 + t] = sum;
}

/* k161<<<2, dim3(16, 8)>>>(float[640] = random(161), double[256], 9) */
__global__ void k161(const float *in, double *out, int n)
{
    __shared__ Cell<double, 8> s[36];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)(((t % 16) + (t % 7)))) % 36].at(((unsigned)(((t % 16) + (t % 7)))) / 36);
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t % 7) * threadIdx.x) + k)) % 36].at(((unsigned)(((t % 7) * threadIdx.x) + k)) / 36);
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 5) + (t >> 2)))) % 36].at(((unsigned)(((threadIdx.x * 5) + (t >> 2)))) / 36); break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(0 + k * 36)) % 36].at(((unsigned)(0 + k * 36)) / 36);
    out[blockIdx.x * 128 + t] = sum;
}

/* k162<<<2, dim3(8, 8)>>>(float[640] = random(162), float[128], 9) */
__global__ void k162(const float *in, float *out, int n)
{
    __shared__ float s[136];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 64 + t;
        if (i < 136) s[((unsigned)i) % 136] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 136] = (float)(sum);
    __syncthreads();
    __syncthreads();
    s[((unsigned)(t)) % 136] = (float)(sum);
    __syncthreads();
    sum += s[((unsigned)((t + (t >> 1)))) % 136];
    out[blockIdx.x * 64 + t] = sum;
}

/* k163<<<2, dim3(8, 8)>>>(float[640] = random(163), float[128], 9) */
__global__ void k163(const float *in, float *out, int n)
{
    __shared__ float4 s[288];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 288) s[((unsigned)i) % 288] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if (((t ^ 6) + (t ^ 4)) & 1) sum -= s[((unsigned)((5 ^ t))) % 288].x; else sum += s[((unsigned)((t % 3))) % 288].x;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((threadIdx.x ^ (t ^ 14)) + k * 36)) % 288].x;
    out[blockIdx.x * 64 + t] = sum;
}

/* k164<<<2, dim3(8, 8)>>>(float[640] = random(164), int[128], 9) */
__global__ void k164(const float *in, int *out, int n)
{
    __shared__ int s[512];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int i = k * 64 + t;
        if (i < 512) s[((unsigned)i) % 512] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    sum += s[((unsigned)((threadIdx.y ^ threadIdx.y))) % 512];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + (t % 7)) + k)) % 512];
    sum += s[((unsigned)((0 + (threadIdx.x * 3)))) % 512];
    if (threadIdx.y & 4) sum -= s[((unsigned)((t * (t >> 2)))) % 512]; else sum += s[((unsigned)((t ^ 5))) % 512];
    out[blockIdx.x * 64 + t] = sum;
}

/* k165<<<2, dim3(32, 8)>>>(float[640] = random(165), float[512], 9) */
__global__ void k165(const float *in, float *out, int n)
{
    __shared__ float s[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 256) s[((unsigned)i) % 256] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(((t ^ 4) + (threadIdx.x * 5)) + k * 1)) % 256];
    __syncthreads();
    s[((unsigned)(t)) % 256] = (float)(sum);
    __syncthreads();
    out[blockIdx.x * 256 + t] = sum;
}

/* k166<<<2, dim3(8, 8)>>>(float[640] = random(166), unsigned[128], 9) */
__global__ void k166(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[16][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x * threadIdx.y))) / 36 % 16][((unsigned)((threadIdx.x * threadIdx.y))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    if ((threadIdx.y * (t ^ 4)) & 4) sum -= s[((unsigned)(7)) / 36 % 16][((unsigned)(7)) % 36]; else sum += s[((unsigned)((t ^ t))) / 36 % 16][((unsigned)((t ^ t))) % 36];
    if (((t % 3) + (threadIdx.x * 3)) & 1) sum -= s[((unsigned)(threadIdx.y)) / 36 % 16][((unsigned)(threadIdx.y)) % 36]; else sum += s[((unsigned)(((threadIdx.x * 2) + (t % 3)))) / 36 % 16][((unsigned)(((threadIdx.x * 2) + (t % 3)))) % 36];
    out[blockIdx.x * 64 + t] = sum;
}

/* k167<<<2, dim3(8, 8)>>>(float[640] = random(167), double[128], 9) */
__global__ void k167(const float *in, double *out, int n)
{
    __shared__ double s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.x + threadIdx.y))) % 256]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 64 + t] = sum;
}

/* k168<<<2, dim3(8, 8)>>>(float[640] = random(168), int[128], 9) */
__global__ void k168(const float *in, int *out, int n)
{
    __shared__ int s[16][36];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 9; k++) {
        int i = k * 64 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    sum = pick<0>(sum, s[((unsigned)((7 + (threadIdx.x * 3)))) / 36 % 16][((unsigned)((7 + (threadIdx.x * 3)))) % 36]);
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t >> 0) + (threadIdx.x * 5)))) / 36 % 16][((unsigned)(((t >> 0) + (threadIdx.x * 5)))) % 36]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 64 + t] = sum;
}

/* k169<<<2, dim3(32, 4)>>>(float[640] = random(169), float[256], 9) */
__global__ void k169(const float *in, float *out, int n)
{
    __shared__ Cell<float2, 8> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    sum = pick<1>(sum, s[((unsigned)((t >> 1))) % 36].at(((unsigned)((t >> 1))) / 36).x);
    out[blockIdx.x * 128 + t] = sum;
}

/* k170<<<2, dim3(64, 2)>>>(float[640] = random(170), short[256], 9) */
__global__ void k170(const float *in, short *out, int n)
{
    __shared__ short s[16][36];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) / 36 % 16][((unsigned)i) % 36] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if ((t ^ 9) & 1) sum -= s[((unsigned)(((t >> 1) ^ (t % 3)))) / 36 % 16][((unsigned)(((t >> 1) ^ (t % 3)))) % 36]; else sum += s[((unsigned)((t ^ threadIdx.x))) / 36 % 16][((unsigned)((t ^ threadIdx.x))) % 36];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.x + t) + k)) / 36 % 16][((unsigned)((threadIdx.x + t) + k)) % 36];
    out[blockIdx.x * 128 + t] = sum;
}

/* k171<<<2, dim3(32, 4)>>>(float[640] = random(171), unsigned char[256], 9) */
__global__ void k171(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[264];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) % 264] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 264] = (unsigned char)(sum);
    __syncthreads();
    if ((5 + (t >> 3)) & 4) sum -= s[((unsigned)(((t ^ 3) + 1))) % 264]; else sum += s[((unsigned)(((t ^ 12) * (threadIdx.x * 3)))) % 264];
    out[blockIdx.x * 128 + t] = sum;
}

/* k172<<<2, dim3(64, 2)>>>(float[640] = random(172), short[256], 9) */
__global__ void k172(const float *in, short *out, int n)
{
    __shared__ short s[136];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 136] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 136] = (short)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k173<<<2, dim3(16, 8)>>>(float[640] = random(173), short[256], 9) */
__global__ void k173(const float *in, short *out, int n)
{
    __shared__ short s[528];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) % 528] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if (threadIdx.x & 4) sum -= s[((unsigned)((threadIdx.x + threadIdx.x))) % 528]; else sum += s[((unsigned)((threadIdx.x * 4))) % 528];
    out[blockIdx.x * 128 + t] = sum;
}

/* k174<<<2, dim3(8, 8)>>>(float[640] = random(174), float[128], 9) */
__global__ void k174(const float *in, float *out, int n)
{
    __shared__ float s[264];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 64 + t;
        if (i < 264) s[((unsigned)i) % 264] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((threadIdx.y ^ (t ^ 9)) + k * 33)) % 264];
    out[blockIdx.x * 64 + t] = sum;
}

/* k175<<<2, dim3(32, 4)>>>(float[640] = random(175), float[256], 9) */
__global__ void k175(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if (((t ^ 12) + (t ^ 5)) & 1) sum -= s[((unsigned)((threadIdx.y + (t >> 3)))) % 17].at(((unsigned)((threadIdx.y + (t >> 3)))) / 17).x; else sum += s[((unsigned)(((t ^ 6) + threadIdx.x))) % 17].at(((unsigned)(((t ^ 6) + threadIdx.x))) / 17).x;
    if (((t ^ 14) ^ (threadIdx.x * 4)) & 2) sum -= s[((unsigned)((6 * t))) % 17].at(((unsigned)((6 * t))) / 17).x; else sum += s[((unsigned)((threadIdx.x * (t % 16)))) % 17].at(((unsigned)((threadIdx.x * (t % 16)))) / 17).x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k176<<<2, dim3(32, 8)>>>(float[640] = random(176), float[512], 9) */
__global__ void k176(const float *in, float *out, int n)
{
    __shared__ float s[128];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 128) s[((unsigned)i) % 128] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((threadIdx.y ^ (t ^ 12)) + k)) % 128];
    __syncthreads();
    s[((unsigned)(t)) % 128] = (float)(sum);
    __syncthreads();
    for (int k = 0; k < 8; k++) sum += s[((unsigned)(threadIdx.x + k * 16)) % 128];
    out[blockIdx.x * 256 + t] = sum;
}

/* k177<<<2, dim3(32, 4)>>>(float[640] = random(177), double[256], 9) */
__global__ void k177(const float *in, double *out, int n)
{
    __shared__ double s[16][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    sum += s[((unsigned)((threadIdx.x * 2))) / 33 % 16][((unsigned)((threadIdx.x * 2))) % 33];
    sum = pick<1>(sum, s[((unsigned)(((threadIdx.x * 5) + 4))) / 33 % 16][((unsigned)(((threadIdx.x * 5) + 4))) % 33]);
    for (int k = 0; k < 3; k++) sum += s[((unsigned)((t ^ 6) + k * 1)) / 33 % 16][((unsigned)((t ^ 6) + k * 1)) % 33];
    sum += s[((unsigned)(threadIdx.x)) / 33 % 16][((unsigned)(threadIdx.x)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k178<<<2, dim3(16, 8)>>>(float[640] = random(178), int[256], 9) */
__global__ void k178(const float *in, int *out, int n)
{
    __shared__ int s[576];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 576) s[((unsigned)i) % 576] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    if ((threadIdx.y + t) & 4) sum -= s[((unsigned)((t ^ (t % 16)))) % 576]; else sum += s[((unsigned)(threadIdx.y)) % 576];
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(5 + k)) % 576];
    __syncthreads();
    s[((unsigned)(t)) % 576] = (int)(sum);
    __syncthreads();
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((6 ^ (threadIdx.x * 5)) + k)) % 576];
    out[blockIdx.x * 128 + t] = sum;
}

/* k179<<<2, dim3(32, 8)>>>(float[640] = random(179), double[512], 9) */
__global__ void k179(const float *in, double *out, int n)
{
    __shared__ Cell<double, 8> s[16];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 128) s[((unsigned)i) % 16].at(((unsigned)i) / 16) = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 16].at(((unsigned)(t)) / 16) = (double)(sum);
    __syncthreads();
    sum += s[((unsigned)(((t >> 1) + (t ^ 3)))) % 16].at(((unsigned)(((t >> 1) + (t ^ 3)))) / 16);
    sum += s[((unsigned)(((t >> 0) + threadIdx.x))) % 16].at(((unsigned)(((t >> 0) + threadIdx.x))) / 16);
    out[blockIdx.x * 256 + t] = sum;
}

/* k180<<<2, dim3(32, 4)>>>(float[640] = random(180), unsigned[256], 9) */
__global__ void k180(const float *in, unsigned *out, int n)
{
    __shared__ unsigned s[128];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum = pick<1>(sum, s[((unsigned)(0)) % 128]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k181<<<2, dim3(64, 2)>>>(float[640] = random(181), int[256], 9) */
__global__ void k181(const float *in, int *out, int n)
{
    __shared__ int s[16][16];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 16 % 16][((unsigned)i) % 16] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((t ^ 8))) / 16 % 16][((unsigned)((t ^ 8))) % 16]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    sum += s[((unsigned)((threadIdx.x * (t ^ 4)))) / 16 % 16][((unsigned)((threadIdx.x * (t ^ 4)))) % 16];
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 3) * t))) / 16 % 16][((unsigned)(((threadIdx.x * 3) * t))) % 16]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k182<<<2, dim3(16, 8)>>>(float[640] = random(182), float[256], 9) */
__global__ void k182(const float *in, float *out, int n)
{
    __shared__ float4 s[256];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 256] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    if (((t ^ 7) * threadIdx.x) & 4) sum -= s[((unsigned)(threadIdx.y)) % 256].x; else sum += s[((unsigned)((5 + 0))) % 256].x;
    __syncthreads();
    s[((unsigned)(t)) % 256] = make_float4(sum, 1, 2, 3);
    __syncthreads();
    if (4 & 2) sum -= s[((unsigned)(((t ^ 15) * t))) % 256].x; else sum += s[((unsigned)((threadIdx.x + threadIdx.x))) % 256].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k183<<<2, dim3(64, 2)>>>(float[640] = random(183), int[256], 9) */
__global__ void k183(const float *in, int *out, int n)
{
    __shared__ int s[128];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)((threadIdx.y + threadIdx.x))) % 128]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    __syncthreads();
    s[((unsigned)(t)) % 128] = (int)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k184<<<2, dim3(64, 2)>>>(float[640] = random(184), float[256], 9) */
__global__ void k184(const float *in, float *out, int n)
{
    __shared__ float2 s[128];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = make_float2(in[i], 1);
    }
    __syncthreads();
    float sum = 0;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(7)) % 128].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 0; k < 2; k++) sum += s[((unsigned)((t ^ 13) + k * 16)) % 128].x;
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((threadIdx.x * 2) ^ (threadIdx.x * 3)))) % 128].x; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    out[blockIdx.x * 128 + t] = sum;
}

/* k185<<<2, dim3(64, 2)>>>(float[640] = random(185), int[256], 9) */
__global__ void k185(const float *in, int *out, int n)
{
    __shared__ Cell<int, 8> s[17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 136) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 17].at(((unsigned)(t)) / 17) = (int)(sum);
    __syncthreads();
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((t + 6) + k)) % 17].at(((unsigned)((t + 6) + k)) / 17);
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)) + k)) % 17].at(((unsigned)(((threadIdx.x * 3) + (threadIdx.x * 3)) + k)) / 17);
    sum += s[((unsigned)(((t % 5) * (t ^ 12)))) % 17].at(((unsigned)(((t % 5) * (t ^ 12)))) / 17);
    out[blockIdx.x * 128 + t] = sum;
}

/* k186<<<2, dim3(32, 8)>>>(float[640] = random(186), short[512], 9) */
__global__ void k186(const float *in, short *out, int n)
{
    __shared__ short s[528];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 528) s[((unsigned)i) % 528] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    sum += s[((unsigned)((5 * (t % 3)))) % 528];
    out[blockIdx.x * 256 + t] = sum;
}

/* k187<<<2, dim3(32, 4)>>>(float[640] = random(187), short[256], 9) */
__global__ void k187(const float *in, short *out, int n)
{
    __shared__ short s[8][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 264) s[((unsigned)i) / 33 % 8][((unsigned)i) % 33] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 33 % 8][((unsigned)(t)) % 33] = (short)(sum);
    __syncthreads();
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(t + k)) / 33 % 8][((unsigned)(t + k)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

/* k188<<<2, dim3(16, 8)>>>(float[640] = random(188), double[256], 9) */
__global__ void k188(const float *in, double *out, int n)
{
    __shared__ double s[8][32];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) / 32 % 8][((unsigned)i) % 32] = (double)(in[i]);
    }
    __syncthreads();
    double sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 32 % 8][((unsigned)(t)) % 32] = (double)(sum);
    __syncthreads();
    if ((t + 0) & 2) sum -= s[((unsigned)(((t ^ 2) * (t % 3)))) / 32 % 8][((unsigned)(((t ^ 2) * (t % 3)))) % 32]; else sum += s[((unsigned)((t ^ 9))) / 32 % 8][((unsigned)((t ^ 9))) % 32];
    sum = pick<0>(sum, s[((unsigned)((4 * threadIdx.x))) / 32 % 8][((unsigned)((4 * threadIdx.x))) % 32]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k189<<<2, dim3(32, 4)>>>(float[640] = random(189), float[256], 9) */
__global__ void k189(const float *in, float *out, int n)
{
    __shared__ Cell<float4, 8> s[32];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int i = k * 128 + t;
        if (i < 256) s[((unsigned)i) % 32].at(((unsigned)i) / 32) = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 32].at(((unsigned)(t)) / 32) = make_float4(sum, 1, 2, 3);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k190<<<2, dim3(64, 2)>>>(float[640] = random(190), int[256], 9) */
__global__ void k190(const float *in, int *out, int n)
{
    __shared__ int s[16][17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = (int)(sum);
    __syncthreads();
    __syncthreads();
    s[((unsigned)(t)) / 17 % 16][((unsigned)(t)) % 17] = (int)(sum);
    __syncthreads();
    out[blockIdx.x * 128 + t] = sum;
}

/* k191<<<2, dim3(32, 8)>>>(float[640] = random(191), unsigned[512], 9) */
__global__ void k191(const float *in, unsigned *out, int n)
{
    __shared__ Cell<unsigned, 16> s[33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 528) s[((unsigned)i) % 33].at(((unsigned)i) / 33) = (unsigned)(in[i]);
    }
    __syncthreads();
    unsigned sum = 0;
    sum += s[((unsigned)(((threadIdx.x * 4) + (t >> 2)))) % 33].at(((unsigned)(((threadIdx.x * 4) + (t >> 2)))) / 33);
    out[blockIdx.x * 256 + t] = sum;
}

/* k192<<<2, dim3(8, 8)>>>(float[640] = random(192), short[128], 9) */
__global__ void k192(const float *in, short *out, int n)
{
    __shared__ short s[256];
    const int t = threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = k * 64 + t;
        if (i < 256) s[((unsigned)i) % 256] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    if ((3 ^ threadIdx.y) & 2) sum -= s[((unsigned)(((threadIdx.x * 3) + t))) % 256]; else sum += s[((unsigned)((t >> 3))) % 256];
    if (5 & 2) sum -= s[((unsigned)((threadIdx.x * (t >> 0)))) % 256]; else sum += s[((unsigned)(((t ^ 9) * (t >> 2)))) % 256];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(t + k)) % 256];
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t % 16) ^ (t % 5)) + k)) % 256];
    out[blockIdx.x * 64 + t] = sum;
}

/* k193<<<2, dim3(32, 4)>>>(float[640] = random(193), float[256], 9) */
__global__ void k193(const float *in, float *out, int n)
{
    __shared__ float4 s[272];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) % 272] = make_float4(in[i], 1, 2, 3);
    }
    __syncthreads();
    float sum = 0;
    sum += s[((unsigned)(((t >> 3) * (t >> 2)))) % 272].x;
    if ((t ^ 14) & 4) sum -= s[((unsigned)((t + (t ^ 9)))) % 272].x; else sum += s[((unsigned)(t)) % 272].x;
    out[blockIdx.x * 128 + t] = sum;
}

/* k194<<<2, dim3(64, 2)>>>(float[640] = random(194), int[256], 9) */
__global__ void k194(const float *in, int *out, int n)
{
    __shared__ int s[288];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 288) s[((unsigned)i) % 288] = (int)(in[i]);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t % 3) * threadIdx.y) + k)) % 288];
    __syncthreads();
    s[((unsigned)(t)) % 288] = (int)(sum);
    __syncthreads();
    if ((t % 5) & 2) sum -= s[((unsigned)(threadIdx.y)) % 288]; else sum += s[((unsigned)((7 * (t >> 3)))) % 288];
    out[blockIdx.x * 128 + t] = sum;
}

/* k195<<<2, dim3(16, 8)>>>(float[640] = random(195), unsigned char[256], 9) */
__global__ void k195(const float *in, unsigned char *out, int n)
{
    __shared__ unsigned char s[128];
    const int t = threadIdx.y * 16 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 128 + t;
        if (i < 128) s[((unsigned)i) % 128] = (unsigned char)(in[i]);
    }
    __syncthreads();
    unsigned char sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)((5 + threadIdx.y) + k)) % 128];
    out[blockIdx.x * 128 + t] = sum;
}

/* k196<<<2, dim3(64, 2)>>>(float[640] = random(196), float[256], 9) */
__global__ void k196(const float *in, float *out, int n)
{
    __shared__ float s[16][17];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 128 + t;
        if (i < 272) s[((unsigned)i) / 17 % 16][((unsigned)i) % 17] = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)(((t >> 1) ^ (threadIdx.x * 4)) + k)) / 17 % 16][((unsigned)(((t >> 1) ^ (threadIdx.x * 4)) + k)) % 17];
    sum += s[((unsigned)((threadIdx.x * 3))) / 17 % 16][((unsigned)((threadIdx.x * 3))) % 17];
    sum = pick<0>(sum, s[((unsigned)((7 * threadIdx.y))) / 17 % 16][((unsigned)((7 * threadIdx.y))) % 17]);
    out[blockIdx.x * 128 + t] = sum;
}

/* k197<<<2, dim3(32, 8)>>>(float[640] = random(197), float[512], 9) */
__global__ void k197(const float *in, float *out, int n)
{
    __shared__ Cell<float, 8> s[17];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 1; k++) {
        int i = k * 256 + t;
        if (i < 136) s[((unsigned)i) % 17].at(((unsigned)i) / 17) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    sum = pick<0>(sum, s[((unsigned)((threadIdx.x + t))) % 17].at(((unsigned)((threadIdx.x + t))) / 17));
    if ((threadIdx.x * 4) & 4) sum -= s[((unsigned)((threadIdx.y + (t >> 2)))) % 17].at(((unsigned)((threadIdx.y + (t >> 2)))) / 17); else sum += s[((unsigned)((t ^ 15))) % 17].at(((unsigned)((t ^ 15))) / 17);
    out[blockIdx.x * 256 + t] = sum;
}

/* k198<<<2, dim3(32, 8)>>>(float[640] = random(198), float[512], 9) */
__global__ void k198(const float *in, float *out, int n)
{
    __shared__ Cell<float, 16> s[36];
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int i = k * 256 + t;
        if (i < 576) s[((unsigned)i) % 36].at(((unsigned)i) / 36) = (float)(in[i]);
    }
    __syncthreads();
    float sum = 0;
    __syncthreads();
    s[((unsigned)(t)) % 36].at(((unsigned)(t)) / 36) = (float)(sum);
    __syncthreads();
    sum += s[((unsigned)(((t >> 3) ^ (t >> 1)))) % 36].at(((unsigned)(((t >> 3) ^ (t >> 1)))) / 36);
    sum = pick<0>(sum, s[((unsigned)(((threadIdx.x * 3) * (t ^ 12)))) % 36].at(((unsigned)(((threadIdx.x * 3) * (t ^ 12)))) / 36));
    if ((1 * threadIdx.y) & 1) sum -= s[((unsigned)((1 + (t % 16)))) % 36].at(((unsigned)((1 + (t % 16)))) / 36); else sum += s[((unsigned)((threadIdx.y + (threadIdx.x * 3)))) % 36].at(((unsigned)((threadIdx.y + (threadIdx.x * 3)))) / 36);
    out[blockIdx.x * 256 + t] = sum;
}

/* k199<<<2, dim3(64, 2)>>>(float[640] = random(199), short[256], 9) */
__global__ void k199(const float *in, short *out, int n)
{
    __shared__ short s[16][33];
    const int t = threadIdx.y * 64 + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int i = k * 128 + t;
        if (i < 528) s[((unsigned)i) / 33 % 16][((unsigned)i) % 33] = (short)(in[i]);
    }
    __syncthreads();
    short sum = 0;
    for (int k = 2; k < n; k *= 2) sum += s[((unsigned)(((t >> 2) * (t % 16)) + k)) / 33 % 16][((unsigned)(((t >> 2) * (t % 16)) + k)) % 33];
    switch (t & 3) {
    case 0: sum += s[((unsigned)(((t ^ 13) ^ (t >> 0)))) / 33 % 16][((unsigned)(((t ^ 13) ^ (t >> 0)))) % 33]; break;
    case 1: sum -= 1;
    default: sum += 2;
    }
    for (int k = 1; k < n; k *= 2) sum += s[((unsigned)((t + threadIdx.x) + k)) / 33 % 16][((unsigned)((t + threadIdx.x) + k)) % 33];
    sum += s[((unsigned)(t)) / 33 % 16][((unsigned)(t)) % 33];
    out[blockIdx.x * 128 + t] = sum;
}

