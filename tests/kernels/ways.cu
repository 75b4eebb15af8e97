/* ways.cu - what nvcc loads before it knows whether to, what it makes one of on both ways of a branch, and what
 * it knows behind; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o ways.ptx ways.cu
 */
__device__ int row[64], column[8], total;

/* Some shared variables, of which one lane in each warp at most has the last say. */
#define SHARED                                                                                     \
    __shared__ int flag, s[64];                                                                    \
    __shared__ float f[64];                                                                        \
    int t = threadIdx.x;                                                                           \
    s[t] = in[t], f[t] = in[t];                                                                    \
    if (t == 5)                                                                                    \
        flag = in[3];                                                                              \
    __syncthreads()

/* tests<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void tests(const int *in, int *out)
{
    SHARED;
    if (t == 0 && flag)
        out[0] = 1;
    if (t == 0 && flag > 2 && s[3] > 2)
        out[1] = 1;
    if (t == 40 || s[4] > 5)
        out[64 + t] = 1;
    if (t < 40 && in[t] && !s[9])
        out[128 + t] = 1;
    if (t == 3) {
        if (s[5] != 4)
            out[2] = 7;
    }
    bool both = t == 0 && s[6];
    out[192 + t] = both;
    if (t == 0 && total)
        out[4] = 3;
}

/* stay<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void stay(const int *in, int *out)
{
    SHARED;
    if (t == 0 && s[40] + s[41] > 2)
        out[0] = 1;
    if (t == 0 && in[5])
        out[1] = 1;
    if (t < 20 && s[t])
        out[64 + t] = 1;
    int a = t == 0 ? s[0] + s[3] + s[6] + s[9] : 7, b = 7, c = 7, d = 7, e = 7;
    if (t == 0) {
        b = s[20];
        c = s[24];
        d = s[28];
        e = s[32];
    }
    out[128 + t] = a + b * c - d + e;
    out[192 + t] = t == 0 ? s[14] / s[15] : 7;
    for (int i = 0; i < 4; i++)
        if (i == t && s[i])
            out[256] = i;
}

/* choices<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void choices(const int *in, int *out)
{
    SHARED;
    out[t] = t == 0 ? s[0] + s[3] + s[6] : 7;
    out[t + 64] = t < 30 ? s[1] : s[4];
    float x = t == 0 ? f[0] * f[3] + f[6] : 7;
    if (t == 0)
        x += f[9];
    int y = 1, z = 2;
    if (t == 2) {
        y = s[10];
        z = s[11];
    }
    if (t == 1)
        y = s[13];
    else if (t < 5)
        z = s[12];
    out[t + 128] = x + y * z;
    out[t + 192] = t == 0 ? min(s[20], s[21]) : 7;
}

/* places<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void places(const int *in, int *out)
{
    SHARED;
    out[t] = t < 30 ? s[t] : s[63 - t];
    int x;
    if (t < 30)
        x = s[t];
    else
        x = s[63 - t];
    out[t + 64] = x;
    out[t + 128] = t < 30 ? in[t] : in[63 - t];
    out[t + 192] = t < 30 ? in[t] : s[63 - t];
    float y = t < 30 ? s[t] : f[63 - t];
    out[t + 256] = y;
    if (t < 30)
        out[t + 320] = s[t];
    else
        out[t + 320] = s[t ^ 1];
}

/* halo<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void halo(const int *in, int *out)
{
    SHARED;
    __shared__ float tile[8][10];
    int x = t & 7, y = t >> 3;
    if (x > 2)
        tile[y][x] = in[t - 3];
    else
        tile[y][x] = 0.0f;
    if (t < 30)
        out[(t ^ 1)] = s[t];
    else
        out[(t ^ 1)] = 0;
    if (t > 34)
        out[t + 64] = 0;
    else
        out[t + 64] = s[t];
    if (t < 17)
        out[(t ^ 3) + 128] = s[x];
    else
        out[(t ^ 3) + 128] = 5;
    __syncthreads();
    out[t + 256] = tile[y][x ^ 1];
}

/* known<<<1, 64>>>(int[64] = iota, int[512]) */
__global__ void known(const int *in, int *out)
{
    int t = threadIdx.x, r = t & 7;
    if (row[r] == 1)
        column[r] = 5;
    if (row[r] == 0 && column[t >> 3] == 0)
        out[t] = total;
    if (in[t] > 3)
        out[t + 64] = 1;
    if (in[t] < 2)
        out[t + 128] = 1;
}

/* first_of<<<1, 64>>>(int[64] = iota, int[512], 50) */
__global__ void first_of(const int *in, int *out, int n)
{
    int t = threadIdx.x, found = -1;
    for (int i = 0; i < n; i++) {
        if (in[i] >= in[t ^ 5]) {
            found = i;
            break;
        }
    }
    out[t] = found;
}

/* tiles<<<1, 64>>>(int[64] = iota, int[64], 20) */
__global__ void tiles(const int *in, int *out, int n)
{
    __shared__ float a[8][8], b[8][8];
    int x = threadIdx.x & 7, y = threadIdx.x >> 3;
    float sum = 0.0f;
    for (int i = 0; i < (n + 7) / 8; i++) {
        if (i * 8 + x < n && i * 8 + y < n)
            a[y][x] = in[i * 8 + x];
        else
            a[y][x] = 0.0f;
        if (x < n && i * 8 + y < n)
            b[y][x] = in[i * 8 + y];
        else
            b[y][x] = 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/* overrides<<<1, 64>>>(int[64] = iota, int[256]) */
__global__ void overrides(const int *in, int *out)
{
    __shared__ int s[64], z[64];
    int t = threadIdx.x, x = in[t];
    out[t] = x * 3;
    if (out[t] > 25)
        out[t] = 0;
    s[t] = 0;
    if (x < 30 && t > 3)
        s[t] = x * 3 + 1;
    __syncthreads();
    z[t] = x;
    if (t == 5)
        z[t] = 7;
    __syncthreads();
    out[t + 64] = s[63 - t] + z[t ^ 1];
    s[t] = 1;
    if (t < 9)
        s[t] = in[t + 3];
    z[t] = 2;
    out[t + 128] = 5;
    if (t < 9)
        z[t] = 8;
    __syncthreads();
    out[t + 192] = s[63 - t] + z[t ^ 1];
}

/* arms<<<1, 64>>>(int[64] = random, int[256], 4) */
__global__ void arms(const int *in, int *out, int k)
{
    __shared__ int s[64];
    int t = threadIdx.x, p = t ^ k;
    s[t] = in[t];
    __syncthreads();
    if ((t & k) == 0 ? s[t] > s[p] : s[t] < s[p]) {
        out[t] = 3;
    }
    out[64 + t] = (t & k) == 0 ? s[63 - t] + s[63 - p] : s[63 - t] * 7;
    out[128 + t] = t & 8 ? min(s[t ^ 16], s[p ^ 16]) : max(s[t ^ 16], s[p ^ 16]);
    out[192 + t] = t & 2 ? s[t ^ 32] / 3 + s[p ^ 32] : s[p ^ 32] / 5 - s[t ^ 32];
}

/* equals<<<1, 64>>>(int[64] = iota, int[64], 6) */
__global__ void equals(const int *in, int *out, int n)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned i = 32; i > 0; i /= 2) {
        if (t < i)
            s[t] += s[t + i];
        __syncthreads();
    }
    if (t == n) s[t] = 1; else s[t] = 2; /* in one line, as nvcc names none of both */
    __syncthreads();
    if (t == n)
        s[t + 1] = s[n + 2] + s[t + 2];
    __syncthreads();
    out[t] = s[t];
}
