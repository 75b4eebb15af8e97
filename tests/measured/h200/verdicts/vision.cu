#include "../../h100/verdicts/verdict.cuh"

// A bilateral filter of 5 x 5 on 16 x 16 pixels: rows as wide as the tile with its rim, or such that two rows don't meet.
template <int PITCH> __device__ float bilateral(int rounds)
{
    __shared__ float tile[20 * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 20; i += 16)
        for (int j = x; j < 20; j += 16) tile[i * PITCH + j] = ((i * 13 + j * 29) & 63) * 0.02f;
    __syncthreads();
    float v = 0;
    for (int r = 0; r < rounds; r++) {
        float centre = tile[(y + 2) * PITCH + x + 2], sum = 0, weights = 0;
        for (int dy = 0; dy < 5; dy++) {
#pragma unroll
            for (int dx = 0; dx < 5; dx++) {
                float p = tile[(y + dy) * PITCH + x + dx], d = p - centre;
                float w = __expf(-2.0f * d * d - 0.1f * ((dx - 2) * (dx - 2) + (dy - 2) * (dy - 2)));
                sum += w * p;
                weights += w;
            }
        }
        v = __fdividef(sum, weights);
        __syncthreads();
        tile[(y + 2) * PITCH + x + 2] = v + 0.001f * ((x ^ y ^ r) & 3);
        __syncthreads();
    }
    return v;
}
PAIR(bilateral, 20, 48, 256)

// Erosion and dilation by turns with five pixels of a row (shorts), a row a thread, window in registers.
template <int PITCH> __device__ float erode(int rounds)
{
    __shared__ short a[64 * PITCH], b[64 * PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 72; i += 64) a[i / 72 * PITCH + i % 72] = b[i / 72 * PITCH + i % 72] = (short)((i * 40503u >> 4) & 1023);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        const short *in = (r & 1 ? b : a) + t * PITCH;
        short *out = (r & 1 ? a : b) + t * PITCH;
        int v0 = in[0], v1 = in[1], v2 = in[2], v3 = in[3];
#pragma unroll 2
        for (int x = 4; x < 68; x++) {
            int v4 = in[x];
            int least = min(min(min(v0, v1), min(v2, v3)), v4), most = max(max(max(v0, v1), max(v2, v3)), v4);
            out[x - 2] = (short)(r & 1 ? most : least + (x & 1));
            v0 = v1;
            v1 = v2;
            v2 = v3;
            v3 = v4;
        }
        sum += v3;
        __syncthreads();
    }
    return sum;
}
PAIR(erode, 72, 74, 64)

// A picture of 128 x 32 made smaller by four each way and given back to the larger one (a pyramid's step).
template <int PAD> __device__ float pyramid(int rounds)
{
    __shared__ float big[34 * (130 + 5)];
    int x = threadIdx.x, y = threadIdx.y;
#define AT(row, col) big[(row) * (PAD ? 135 : 130) + (col) + (PAD ? (col) / 32 : 0)]
    for (int i = y; i < 34; i += 8)
        for (int j = x; j < 130; j += 32) AT(i, j) = (i * j) & 31;
    __syncthreads();
    float mean = 0;
    for (int r = 0; r < rounds; r++) {
        float sum = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) sum += AT(1 + y * 4 + i, 1 + x * 4 + j);
        mean = sum * 0.0625f;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) AT(1 + y * 4 + i, 1 + x * 4 + j) += 0.2f * (mean * (0.9f + 0.01f * (i + j)) + 0.5f - AT(1 + y * 4 + i, 1 + x * 4 + j));
        __syncthreads();
    }
    return mean;
#undef AT
}
PAIR(pyramid, 0, 1, 256)

// Pixels of four bytes of a picture of 64 x 64, turned by any angle, the nearest one taken.
template <int PITCH> __device__ float rotated(int rounds)
{
    __shared__ unsigned picture[64 * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 64; i += 8)
        for (int j = x; j < 64; j += 32) picture[i * PITCH + j] = (i * 64 + j) * 2654435761u;
    __syncthreads();
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
        float c = __cosf(0.05f * r), s = __sinf(0.05f * r);
        for (int i = y; i < 32; i += 8) {
            float fx = x - 15.5f, fy = i - 15.5f;
            int u = (int)(32.0f + c * fx - s * fy), v = (int)(32.0f + s * fx + c * fy);
            unsigned p = picture[(v & 63) * PITCH + (u & 63)];
            sum += (p & 0xff) + (p >> 8 & 0xff) * 3 + (p >> 16 & 0xff) * 5;
        }
    }
    return sum;
}
PAIR(rotated, 64, 65, 256)

// Colours from a sensor's mosaic (red, green, green, blue), a quad a thread: columns as they come, or even and odd ones apart.
template <int SPLIT> __device__ float demosaic(int rounds)
{
    __shared__ float raw[18][67];
    int x = threadIdx.x, y = threadIdx.y;
#define RAW(row, col) raw[row][SPLIT ? ((col) & 1) * 34 + (col) / 2 : (col)]
    for (int i = y; i < 18; i += 8)
        for (int j = x; j < 66; j += 32) RAW(i, j) = ((i * 31 + j * 17) & 127) * 0.01f;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int row = 2 * y + 1, col = 2 * x + 1;
        float red = RAW(row, col), green1 = RAW(row, col + 1), green2 = RAW(row + 1, col), blue = RAW(row + 1, col + 1);
        float up = RAW(row - 1, col), left = RAW(row, col - 1), right = RAW(row + 1, col + 2), down = RAW(row + 2, col + 1);
        float corner = RAW(row - 1, col - 1), last = RAW(row + 2, col + 2);
        float green = 0.25f * (green1 + green2 + up + left), green3 = 0.25f * (green1 + green2 + right + down);
        float red3 = 0.5f * (red + last), blue0 = 0.5f * (blue + corner);
        sum += 0.3f * (red + red3) + 0.59f * (green + green3) + 0.11f * (blue + blue0);
        __syncthreads();
        RAW(row, col) = 0.9f * red + 0.1f * green;
        RAW(row + 1, col + 1) = 0.9f * blue + 0.1f * green3;
        __syncthreads();
    }
    return sum;
#undef RAW
}
PAIR(demosaic, 0, 1, 256)

// Histograms of nine directions of eight pixels in a column, a histogram a thread: in rows of twelve, or turned.
template <int TURNED> __device__ float hog(int rounds)
{
    __shared__ float picture[10 * 130], histogram[12 * 128];
    int t = threadIdx.x;
#define BIN(i) histogram[TURNED ? (i) * 128 + t : t * 12 + (i)]
    for (int i = t; i < 10 * 130; i += 128) picture[i] = ((i * 2654435761u) >> 24) * 0.1f;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 9; i++) BIN(i) = 0.0f;
        for (int y = 1; y < 9; y++) {
            float gx = picture[y * 130 + t + 2] - picture[y * 130 + t], gy = picture[(y + 1) * 130 + t + 1] - picture[(y - 1) * 130 + t + 1];
            float slope = __fdividef(gy, fabsf(gx) + fabsf(gy) + 1e-3f);
            int bin = (int)((slope + 1.0f) * 4.4f);
            BIN(bin) += sqrtf(gx * gx + gy * gy);
        }
        float norm = 1e-3f;
        for (int i = 0; i < 9; i++) norm += BIN(i) * BIN(i);
        float scale = rsqrtf(norm);
        for (int i = 0; i < 9; i++) BIN(i) *= scale;
        sum += BIN(r % 9);
        __syncthreads();
        picture[(1 + (r & 7)) * 130 + t + 1] += sum * 0.01f - 0.05f;
        __syncthreads();
    }
    return sum;
#undef BIN
}
PAIR(hog, 0, 1, 128)

// Hough's lines: 64 directions, one a thread, 64 distances each, 16 points a round.
template <int PITCH> __device__ float hough(int rounds)
{
    __shared__ int votes[64 * PITCH];
    __shared__ float2 point[16];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++) votes[t * PITCH + i] = 0;
    if (t < 16) point[t] = make_float2((t * 7) & 31, (t * 13) & 31);
    float c = cospif(t / 64.0f), s = sinpif(t / 64.0f);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 16; i++) {
            float2 p = point[i];
            int rho = (int)(p.x * c * 0.6f + p.y * s * 0.6f + 32.0f) & 63;
            votes[t * PITCH + rho]++;
        }
        __syncthreads();
        if (t < 16) {
            point[t].x = (float)(((int)point[t].x * 5 + votes[t * PITCH + 32] + 1) & 31);
            point[t].y = (float)(((int)point[t].y + 3) & 31);
        }
        __syncthreads();
    }
    int best = 0;
    for (int i = 0; i < 64; i++) best = max(best, votes[t * PITCH + i]);
    return best;
}
PAIR(hough, 64, 65, 64)

// Colours by a cube of 16 x 16 x 16 between eight corners.
template <int PITCH> __device__ float grade(int rounds)
{
    __shared__ float cube[16 * 16 * PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 4096; i += 256) cube[i / 16 * PITCH + i % 16] = sqrtf((float)((i * 7) & 255));
    __syncthreads();
    float red = (t & 15) * 0.9f, green = (t & 31) * 0.46f, blue = t * 0.05f, sum = 0;
    for (int r = 0; r < rounds; r++) {
        int i = min((int)red, 14), j = min((int)green, 14), k = min((int)blue, 14);
        float x = red - i, y = green - j, z = blue - k;
        const float *p = cube + (k * 16 + j) * PITCH + i;
        float c00 = p[0] + x * (p[1] - p[0]), c01 = p[PITCH] + x * (p[PITCH + 1] - p[PITCH]);
        const float *q = p + 16 * PITCH;
        float c10 = q[0] + x * (q[1] - q[0]), c11 = q[PITCH] + x * (q[PITCH + 1] - q[PITCH]);
        float c0 = c00 + y * (c01 - c00), c1 = c10 + y * (c11 - c10);
        float v = c0 + z * (c1 - c0);
        sum += v;
        red += 0.31f + v * 0.01f;
        green += 0.17f;
        blue += 0.07f;
        if (red >= 15.0f) red -= 15.0f;
        if (green >= 15.0f) green -= 15.0f;
        if (blue >= 15.0f) blue -= 15.0f;
    }
    return sum;
}
PAIR(grade, 16, 17, 256)
