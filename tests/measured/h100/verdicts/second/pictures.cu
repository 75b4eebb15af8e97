#include "../verdict.cuh"

#define TILE 16

// Sobel's edges of a tile of 16 x 16 pixels with a rim: in rows of 18 it is the usual order that collides.
template <int ROWS> __device__ float sobel(int rounds)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = ROWS ? ty : tx, col = ROWS ? tx : ty;
    for (int i = ty * TILE + tx; i < (TILE + 2) * (TILE + 2); i += TILE * TILE)
        tile[i / (TILE + 2)][i % (TILE + 2)] = (float)((i * 37) & 255);
    __syncthreads();
    float mag = 0.0f;
    for (int r = 0; r < rounds; r++) {
        float gx = tile[row][col + 2] + 2.0f * tile[row + 1][col + 2] + tile[row + 2][col + 2] -
                   tile[row][col] - 2.0f * tile[row + 1][col] - tile[row + 2][col];
        float gy = tile[row + 2][col] + 2.0f * tile[row + 2][col + 1] + tile[row + 2][col + 2] -
                   tile[row][col] - 2.0f * tile[row][col + 1] - tile[row][col + 2];
        mag = sqrtf(gx * gx + gy * gy);
        __syncthreads();
        tile[row + 1][col + 1] = fminf(mag, 255.0f);
        __syncthreads();
    }
    return mag;
}
PAIR(sobel, 1, 0, 256)

__device__ inline void order(int &a, int &b)
{
    int lo = min(a, b);
    b = max(a, b);
    a = lo;
}

// Median of nine, the picture stored by columns.
template <int PITCH> __device__ float median9(int rounds)
{
    __shared__ int img[34 * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y * 32 + x; i < 34 * PITCH; i += 128) img[i] = (i * 2654435761u) >> 24;
    __syncthreads();
    int m = 0;
    for (int r = 0; r < rounds; r++) {
        int v[9];
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) v[i * 3 + j] = img[(x + i) * PITCH + y + j];
        order(v[1], v[2]);
        order(v[4], v[5]);
        order(v[7], v[8]);
        order(v[0], v[1]);
        order(v[3], v[4]);
        order(v[6], v[7]);
        order(v[1], v[2]);
        order(v[4], v[5]);
        order(v[7], v[8]);
        order(v[0], v[3]);
        order(v[5], v[8]);
        order(v[4], v[7]);
        order(v[3], v[6]);
        order(v[1], v[4]);
        order(v[2], v[5]);
        order(v[4], v[7]);
        order(v[4], v[2]);
        order(v[6], v[4]);
        order(v[4], v[2]);
        m = v[4];
        __syncthreads();
        img[(x + 1) * PITCH + y + 1] = (m + r) & 255;
        __syncthreads();
    }
    return m;
}
PAIR(median9, 8, 7, 128)

// Conway's life on a torus of 64 x 64 cells, a byte each, a thread walks along a row.
template <int PITCH> __device__ float life(int rounds)
{
    __shared__ unsigned char a[64 * PITCH], b[64 * PITCH];
    int y = threadIdx.x;
    for (int x = 0; x < 64; x++) a[y * PITCH + x] = ((x * 7 + y * 13 + x * y) >> 2) & 1;
    __syncthreads();
    unsigned char *now = a, *next = b;
    int up = (y + 63) % 64, down = (y + 1) % 64, alive = 0;
    for (int r = 0; r < rounds; r++) {
        for (int x = 0; x < 64; x++) {
            int left = (x + 63) % 64, right = (x + 1) % 64;
            int n = now[up * PITCH + left] + now[up * PITCH + x] + now[up * PITCH + right] + now[y * PITCH + left] +
                    now[y * PITCH + right] + now[down * PITCH + left] + now[down * PITCH + x] + now[down * PITCH + right];
            int cell = n == 3 || (n == 2 && now[y * PITCH + x]);
            next[y * PITCH + x] = cell;
            alive += cell;
        }
        __syncthreads();
        unsigned char *swap = now;
        now = next;
        next = swap;
    }
    return alive;
}
PAIR(life, 64, 68, 64)

// Colours by a table of 256 entries for each channel: the channels of an entry side by side, or three tables.
template <int PLANAR> __device__ float lut_rgb(int rounds)
{
    __shared__ float lut[256 * 4];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        for (int c = 0; c < 4; c++) lut[PLANAR ? c * 256 + i : i * 4 + c] = powf(i / 255.0f, 0.4f + 0.1f * c);
    __syncthreads();
    unsigned pixel = threadIdx.x * 0x01030507u + 11;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int red = pixel & 255, green = pixel >> 8 & 255, blue = pixel >> 16 & 255;
        float f = lut[PLANAR ? red : red * 4] * 0.299f;
        f += lut[PLANAR ? 256 + green : green * 4 + 1] * 0.587f;
        f += lut[PLANAR ? 512 + blue : blue * 4 + 2] * 0.114f;
        sum += f;
        pixel = pixel * 1103515245u + 12345u;
        pixel ^= pixel >> 15;
    }
    return sum;
}
PAIR(lut_rgb, 0, 1, 256)

// Bilinear samples along turned lines of a picture of 64 x 64.
template <int PITCH> __device__ float bilinear(int rounds)
{
    __shared__ float img[64][PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 64; i += 128) img[i / 64][i % 64] = (i * 31) & 127;
    __syncthreads();
    float v = 0.25f * (t / 32), sum = 0;
    for (int r = 0; r < rounds; r++) {
        float fx = 3.0f + 0.11f * (r & 127) + v, fy = 1.0f + 1.5f * (t % 32);
        int ix = (int)fx, iy = (int)fy;
        float ax = fx - ix, ay = fy - iy;
        float top = img[iy][ix] * (1 - ax) + img[iy][ix + 1] * ax;
        float bottom = img[iy + 1][ix] * (1 - ax) + img[iy + 1][ix + 1] * ax;
        sum += top * (1 - ay) + bottom * ay;
    }
    return sum;
}
PAIR(bilinear, 64, 65, 128)

// Pixels of red, green, blue and nothing made YUV and dimmed; planes, or pixels of four words.
template <int PLANES> __device__ float yuv(int rounds)
{
    __shared__ int s[192 * 4];
    int t = threadIdx.x;
#define CH(c) s[PLANES ? (c) * 192 + t : t * 4 + (c)]
    CH(0) = t & 255;
    CH(1) = t * 3 & 255;
    CH(2) = t * 7 & 255;
    CH(3) = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int red = CH(0), green = CH(1), blue = CH(2);
        int y = (66 * red + 129 * green + 25 * blue + 128) >> 8;
        int u = ((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128;
        int v = ((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128;
        __syncthreads();
        CH(0) = y + 16;
        CH(1) = u;
        CH(2) = v;
        __syncthreads();
    }
    return CH(0) + CH(1) + CH(2);
#undef CH
}
PAIR(yuv, 0, 1, 192)

// An integral picture of 64 x 64: along the rows, a thread a row, then down the columns.
template <int PITCH> __device__ float integral(int rounds)
{
    __shared__ int s[64 * PITCH];
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++) s[i * PITCH + t] = (i ^ t) & 15;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int sum = 0;
        for (int x = 0; x < 64; x++) {
            sum += s[t * PITCH + x];
            s[t * PITCH + x] = sum;
        }
        __syncthreads();
        sum = 0;
        for (int y = 0; y < 64; y++) {
            sum += s[y * PITCH + t];
            s[y * PITCH + t] = sum & 255;
        }
        __syncthreads();
    }
    return s[t];
}
PAIR(integral, 64, 65, 64)

// A separable blur of five: the rows' pass writes turned, so that both passes can be the same code.
template <int PAD> __device__ float blur(int rounds)
{
    __shared__ float a[32][32 + PAD], b[32][32 + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = a[y + 16][x] = x * y;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int pass = 0; pass < 2; pass++) {
            float(*from)[32 + PAD] = pass ? b : a, (*to)[32 + PAD] = pass ? a : b;
            for (int i = y; i < 32; i += 16) {
                int l = max(x - 1, 0), ll = max(x - 2, 0), h = min(x + 1, 31), hh = min(x + 2, 31);
                to[x][i] = 0.0625f * (from[i][ll] + from[i][hh]) + 0.25f * (from[i][l] + from[i][h]) + 0.375f * from[i][x];
            }
            __syncthreads();
        }
    }
    return a[y][x];
}
PAIR(blur, 0, 1, 512)
