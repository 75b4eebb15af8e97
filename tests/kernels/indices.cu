/* Indices of 64 bits into shared memory, of which the lower halves are computed; and where the register of an address
 * that loops step lies between its accesses, so that ptxas knows less of what it is a multiple of; and indices that an if
 * leaves one value. */

/* wide<<<2, dim3(32, 2)>>>(float[1024] = random(1), float[128], 9) */
__global__ void wide(const float *in, float *out, int n)
{
    __shared__ float s[1024];
    size_t t = threadIdx.x, u = threadIdx.y;
    long b = blockIdx.x;
    for (size_t i = 32 * u + t; i < 1024; i += 64)
        s[i] = in[i];
    __syncthreads();
    float sum = 0;
    if (t < 20) {
        sum += s[2 * t];
        sum += s[2 * t + 1];
    }
    sum += s[(b & 15) * 4 + 1] * s[(b & 15) * 4 + 2];
    for (int i = 0; i < n; i++)
        sum += s[((t ^ 5) & 63) * 4 + i];
    for (long i = 0; i < 4; i++)
        sum += s[(255 - t) * 4 + i];
    out[b * 64 + u * 32 + t] = sum;
}

/* between<<<2, 64>>>(float[1024] = random(2), float[128], 13) */
__global__ void between(const float *in, float *out, int n)
{
    __shared__ float s[1024], r[64];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 64)
        s[i] = in[i];
    r[t] = in[t + 7];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += s[t * 4 + i] * r[i];
    for (int i = 0; i < n; i++)
        sum += s[t * 8 + i] - s[t * 8 + i + 16];
#pragma unroll 2
    for (int i = 0; i < n; i++)
        sum += s[t * 4 + 4 * i] - s[t * 4 + 4 * i + 2];
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += s[t * 4 + 4 * i] + s[t * 4 + 4 * i + 1] - s[t * 4 + 4 * i + 2];
    out[blockIdx.x * 64 + t] = sum;
}

/* pure<<<2, 64>>>(float[1024] = random(3), float[128], 13) */
__global__ void pure(const float *in, float *out, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 64)
        s[i] = in[i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += s[i];
    for (int i = 0; i < n; i++)
        sum += s[2 * i] * s[2 * i + 1];
    out[blockIdx.x * 64 + t] = sum;
}

/* alone<<<1, 64>>>(float[64] = random(4), float[64]) */
__global__ void alone(const float *in, float *out)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 1)
        s[t] = s[t] + s[t + 1];
    __syncthreads();
    if (t == 4)
        s[t] = s[t] * s[t + 1] - s[t + 2] + s[t + 3];
    __syncthreads();
    if (t != 8) {
        out[t] = s[t ^ 3];
    } else {
        out[t] = s[t + 4] + s[t + 5];
    }
}
