/* nests.cu - loops that stand in loops: of which of them nvcc steps the addresses, so that it knows less of what
 * they are multiples of, and what becomes of turns that four do not divide; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o nests.ptx nests.cu
 */
#define SHARED                                                                                     \
    __shared__ float s[4096];                                                                      \
    int t = threadIdx.x, y = threadIdx.y;                                                          \
    float sum = 0

/* tile<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 3) */
__global__ void tile(const float *in, float *out, int n)
{
    SHARED;
    for (int k = 0; k < n; k++) {
        for (int i = t + 16 * y; i < 4096; i += 256)
            s[i] = in[i] + k;
        __syncthreads();
        for (int d = 0; d < 256; d++)
            sum += s[t * 256 + d];
        __syncthreads();
    }
    out[16 * y + t] = sum;
}

/* second<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 5) */
__global__ void second(const float *in, float *out, int n)
{
    SHARED;
    s[16 * y + t] = in[16 * y + t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 128; d++)
            sum += s[t * 128 + d];
        __syncthreads();
        s[16 * y + t] = sum;
        __syncthreads();
        for (int d = 0; d < 128; d++)
            sum -= s[y * 128 + d];
    }
    out[16 * y + t] = sum;
}

/* rest<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 19) */
__global__ void rest(const float *in, float *out, int n)
{
    SHARED;
    for (int k = 0; k < n; k++) {
        s[16 * y + t] = in[16 * y + t];
        __syncthreads();
        for (int d = 0; d < n; d++)
            sum += s[t * 128 + d];
    }
    out[16 * y + t] = sum;
}

/* rest_once<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 19) */
__global__ void rest_once(const float *in, float *out, int n)
{
    SHARED;
    s[16 * y + t] = in[16 * y + t];
    __syncthreads();
    for (int d = 0; d < n; d++)
        sum += s[t * 128 + d];
    out[16 * y + t] = sum;
}

/* rest_first<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 30) */
__global__ void rest_first(const float *in, float *out, int n)
{
    SHARED;
    for (int k = 0; k < n; k++) {
        s[16 * y + t] = in[16 * y + t];
        __syncthreads();
        for (int d = y; d < n; d++)
            sum += s[t * 128 + d];
    }
    out[16 * y + t] = sum;
}

/* rest_of_three<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 17) */
__global__ void rest_of_three(const float *in, float *out, int n)
{
    SHARED;
    for (int k = 0; k < n; k++) {
        s[16 * y + t] = in[16 * y + t];
        __syncthreads();
#pragma unroll 3
        for (int d = 0; d < n; d++)
            sum += s[t * 128 + d];
    }
    out[16 * y + t] = sum;
}

/* rest_of_two<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 17) */
__global__ void rest_of_two(const float *in, float *out, int n)
{
    SHARED;
    s[16 * y + t] = in[16 * y + t];
    __syncthreads();
#pragma unroll 2
    for (int d = y; d < n; d++)
        sum += s[t * 128 + d];
    out[16 * y + t] = sum;
}

/* rest_waits<<<1, dim3(16, 16)>>>(float[4096] = iota, float[256], 7) */
__global__ void rest_waits(const float *in, float *out, int n)
{
    SHARED;
    for (int k = 0; k < n; k++) {
        s[16 * y + t] = in[16 * y + t];
        __syncthreads();
        for (int d = 0; d < n; d++) {
            sum += s[t * 128 + d];
            __syncthreads();
            s[16 * y + t] = sum;
            __syncthreads();
        }
    }
    out[16 * y + t] = sum;
}

/* rows_left<<<1, 32>>>(float[32], float[64] = random(1), 6) */
__global__ void rows_left(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t], s[t + 32] = in[t + 32];
    __syncthreads();
    float m = 0;
    for (int y = 0; y < 4; y++) {
        float a = 0;
        for (int k = 0; k < n; k++)
            a += s[(t & 7) * 8 + k] * y;
        m = fmaxf(m, a);
    }
    out[t] = m;
}

/* rows_kept<<<1, 32>>>(float[32], float[64] = random(1), 7) */
__global__ void rows_kept(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t], s[t + 32] = in[t + 32];
    __syncthreads();
    float row[4];
    for (int y = 0; y < 4; y++) {
        float a = 0;
        for (int k = 0; k < n; k++)
            a += s[y * 8 + k];
        row[y] = a;
    }
    out[t] = row[0] * row[1] + row[2] * row[3];
}

#define ROWS                                                                                       \
    __shared__ float s[32 * 17], q[32 * 17];                                                       \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 32 * 17; i += 32) s[i] = q[i] = in[i];                                     \
    __syncthreads()

/* rotations<<<1, 32>>>(float[32], float[544] = random(1)) */
__global__ void rotations(float *out, const float *in)
{
    ROWS;
    for (int p = 0; p < 11; p++) {
        for (int r = p + 1; r < 12; r++) {
            float x = s[t * 17 + p], y = s[t * 17 + r];
            s[t * 17 + p] = 0.8f * x - 0.6f * y;
            s[t * 17 + r] = 0.6f * x + 0.8f * y;
        }
    }
    __syncthreads();
    out[t] = s[t * 16];
}

/* neighbours_again<<<1, 32>>>(float[32], float[544] = random(1), 15) */
__global__ void neighbours_again(float *out, const float *in, int n)
{
    ROWS;
    float *m = s + t * 17;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) m[i] += m[i + 1] * k;
    __syncthreads();
    out[t] = s[t * 16];
}

/* selection<<<1, 32>>>(float[32], float[544] = random(1), 11) */
__global__ void selection(float *out, const float *in, int n)
{
    ROWS;
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            if (s[t * 17 + i] < s[t * 17 + k]) {
                float x = s[t * 17 + k];
                s[t * 17 + k] = s[t * 17 + i];
                s[t * 17 + i] = x;
            }
        }
    }
    __syncthreads();
    out[t] = s[t * 16];
}

/* into_another_array<<<1, 32>>>(float[32], float[544] = random(1), 11) */
__global__ void into_another_array(float *out, const float *in, int n)
{
    ROWS;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < k; i++) q[t * 17 + i] += s[t * 17 + i] * s[t * 17 + i + 1] * s[t * 17 + k];
    __syncthreads();
    out[t] = q[t * 16];
}

/* around_a_search<<<1, 32>>>(int[128], 96) */
__global__ void around_a_search(int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 32) {
        int ones = 0;
        while (ones < 7 && (i >> (6 - ones) & 1)) ones++;
        s[2 * i] = ones;
        s[2 * i + 1] = i + 3;
    }
    __syncthreads();
    for (int i = t; i < n; i += 32) out[i] = s[2 * i] + s[2 * i + 1];
}
