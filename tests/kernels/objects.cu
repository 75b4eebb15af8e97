/* objects.cu - which object is meant, who makes it, and parts of templates for numbers; above each a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o objects.ptx objects.cu
 */
#include <cuda_fp16.h>

struct Vec {
    float x, y, z;
    __device__ float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    __device__ const float &operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    __device__ float sum() const { return x + y + z; }
};
template <typename T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
__device__ void add_to(int &x, int y) { x += y; }

/* chosen<<<1, 64>>>(int[128] = random, int[128]) */
__global__ void chosen(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, a = in[t], b = in[t + 64], c = 0, d = 0;
    int &r = a > b ? c : d;
    r = 7;
    (a & 1 ? c : d) += 100;
    int *p = &(b & 1 ? c : d);
    *p *= 3;
    s[0][t] = c;
    s[1][t] = d;
    __syncthreads();
    add_to(a & 2 ? s[0][63 - t] : s[1][63 - t], 5);
    __syncthreads();
    out[t] = s[0][t];
    out[t + 64] = larger(s[1][t], a & 0xff);
}

/* vectors<<<1, 32>>>(float[96] = random, float[96]) */
__global__ void vectors(const Vec *in, float *out)
{
    __shared__ Vec s[32];
    int t = threadIdx.x;
    Vec v = in[t];
    for (int i = 0; i < 3; i++) {
        v[i] += i + 1;
    }
    v[2] *= 2;
    s[t] = v;
    s[t][1] -= 4;
    __syncthreads();
    const Vec w = s[31 - t];
    out[t] = w[0] + v.sum();
    out[t + 32] = w[1] * w[2];
    out[t + 64] = (t & 1 ? v : w).sum();
}

struct Point {
    int x, y;
    __device__ Point(int a = 1, int b = 2) : x(a), y(b) {}
};
struct Pair {
    Point first;
    int n;
};
struct Line {
    int length = 9, twice;
    Point ends[2];
    __device__ Line() : twice(2 * length) {}
};
struct Setting {
    int a = 5, b{6};
    Point p = {7, 8};
    int c;
};

/* made<<<1, 32>>>(int[32] = iota, int[256]) */
__global__ void made(const int *in, int *out)
{
    int t = threadIdx.x;
    Point many[3], some[3] = {Point(in[t], 20), 30}, none[2][2] = {};
    Pair pair, zero = Pair(), given = {Point(in[t]), 4};
    Line line;
    Setting s, few = {40}, braces{};
    s.c = 1;
    out[t] = many[0].x + 10 * many[2].y + 100 * many[t % 3].y;
    out[t + 32] = some[0].x + some[1].y + some[2].x + none[1][1].y;
    out[t + 64] = pair.first.y + 10 * zero.first.x + 100 * zero.n;
    out[t + 96] = given.first.y + given.n;
    out[t + 128] = line.length + 100 * line.twice + 10000 * line.ends[1].y;
    out[t + 160] = s.a + 10 * s.b + 100 * s.p.y + s.c;
    out[t + 192] = few.a + few.b + few.p.x + few.c;
    out[t + 224] = braces.b + braces.c;
}

enum Mode { ADD, MULTIPLY };
template <bool B> struct Width { static constexpr int value = 1; };
template <> struct Width<true> { static constexpr int value = 4; };
template <typename T, unsigned N = 2> struct Deep { enum { value = N }; };
template <> struct Deep<float> { enum { value = 20 }; };
template <> struct Deep<double, 3> { enum { value = 33 }; };
template <Mode M> __device__ int apply(int a, int b) { return a + b; }
template <> __device__ int apply<MULTIPLY>(int a, int b) { return a * b; }
template <char C> __device__ int letter() { return 0; }
template <> __device__ int letter<'b'>() { return 1; }

/* parts<<<1, 32>>>(int[64] = iota, int[128]) */
__global__ void parts(const int *in, int *out)
{
    __shared__ int s[32 * Width<(sizeof(long) > 4)>::value];
    int t = threadIdx.x;
    s[t * Width<true>::value] = in[t];
    __syncwarp();
    out[t] = s[(t ^ 1) * Width<true>::value] + Width<false>::value;
    out[t + 32] = apply<ADD>(in[t], 3) + apply<MULTIPLY>(in[t], 5);
    out[t + 64] = Deep<float>::value + Deep<float, 3>::value + Deep<double, 3>::value;
    out[t + 96] = letter<'a'>() + 2 * letter<'b'>();
}

/* bytes<<<1, 64>>>(float[64] = random, unsigned char[64], unsigned short[64], int[128]) */
__global__ void bytes(const float *in, unsigned char *out, unsigned short *shorts, int *means)
{
    int t = threadIdx.x;
    float v = in[t] * 600 - 300;
    out[t] = v;
    shorts[t] = (unsigned short)(v * 500);
    means[t] = __hadd((int)v, t) + __rhadd((int)v, 2 * t);
    means[t + 64] = __uhadd((unsigned)t, 7u) + __urhadd((unsigned)t, 0xffffffffu) + (signed char)v;
}

struct Copied {
    int v, n;
    __device__ Copied(int a) : v(a), n(0) {}
    __device__ Copied(const Copied &o) : v(o.v), n(o.n + 1) {}
};
struct Usual {
    int v;
    __device__ Usual(int a) : v(a) {}
    Usual(const Usual &) = default;
    Usual &operator=(const Usual &) = default;
};
__device__ int by_value(Copied c) { return c.v + 1000 * c.n; }
__device__ int by_reference(const Copied &c) { return c.v + 1000 * c.n; }

/* copies<<<1, 32>>>(int[32] = iota, int[128]) */
__global__ void copies(const int *in, int *out)
{
    int t = threadIdx.x;
    Copied a(in[t]), b = a, c(b), list[2] = {a, Copied(7)};
    Usual u(t), w = u;
    u = Usual(3);
    out[t] = by_value(a) + by_reference(b);
    out[t + 32] = by_value(5) + by_value(Copied(6));
    out[t + 64] = c.n + 10 * list[0].n + 100 * list[1].n;
    out[t + 96] = u.v + 10 * w.v;
}

template <typename T, int N> __device__ int length_of(T (&)[N]) { return N; }
__device__ int area(dim3 size) { return size.x * size.y; }

/* arrays<<<1, dim3(32,8)>>>(float[1024] = iota, float[1024], int[128]) */
__global__ void arrays(const float *in, float *out, int *said)
{
    __shared__ float flat[32 * 33];
    float (*tile)[33] = reinterpret_cast<float (*)[33]>(flat);
    auto same = (float (*)[33])flat;
    int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        tile[y + j][x] = in[(y + j) * 32 + x];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        out[(y + j) * 32 + x] = same[x][y + j];
    }
    int pairs[2][3] = {{1, 2, 3}, {4, 5, 6}}, (&row)[3] = pairs[1];
    row[2] = x;
    char word[] = "b\x61nk\163\\";
    dim3 size = blockDim, place = threadIdx;
    if (y == 0) {
        said[x] = pairs[1][2] + 100 * length_of(pairs);
        said[x + 32] = word[x % 5] + 1000 * sizeof word;
        said[x + 64] = area(size) + area(blockDim) + place.x;
        said[x + 96] = __LINE__;
    }
}

/* lanes<<<1, 64>>>(int[64] = random, unsigned[256], float[64]) */
__global__ void lanes(const int *in, unsigned *out, float *halves)
{
    int t = threadIdx.x, v = in[t], all;
    out[t] = __match_any_sync(0xffffffffu, v & 3);
    out[t + 64] = __match_all_sync(0xffffffffu, v & (t & 32 ? 1 : 0), &all) + all;
    out[t + 128] = __reduce_or_sync(0xffffffffu, v & 0xff00) ^ __reduce_and_sync(0xffffffffu, v | 7) ^
                   __reduce_xor_sync(0xffffffffu, v);
    out[t + 192] = __ffsll((long long)v << 20) + __double2hiint(v * 1.5) +
                   (__hiloint2double(v & 0xfffff, t) < 1.0);
    half2 a = __floats2half2_rn(v & 31, -t), b = __lowhigh2highlow(a);
    b = __lows2half2(b, __highs2half2(a, __habs2(a)));
    b = __hadd2(b, __hneg2(__low2half2(__high2half2(a))));
    halves[t] = __low2float(b) + 100 * __high2float(b);
}

template <typename T> __device__ T &one_of(bool first, T &a, T &b) { return first ? a : b; }

/* changed<<<1, 64>>>(int[128] = random, int[256], 3) */
__global__ void changed(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, a = in[t] & 255, b = in[t + 64] & 255, c[3] = {1, 2, 3};
    s[t] = a;
    __syncthreads();
    const int &seen = t > 9 ? s[t] : s[63 - t], &more = larger(a, b), &of_c = t & 1 ? c[0] : c[2];
    int *to = &c[1];
    if (n > 2) {
        int inner = in[3];
        to = t > 5 ? &a : &b;
        c[1] += inner;
    }
    __syncthreads();
    s[t] += 1000;
    __syncthreads();
    *to = 700 + t;
    c[0] = 50;
    one_of(t < n, c[2], c[2]) += 4;
    one_of(a < b, a, b) += 10000;
    out[t] = seen + larger(b, 900);
    out[t + 64] = more;
    out[t + 128] = of_c + c[1] * 100;
    out[t + 192] = a + b * 3;
}

struct Few {
    float x, y;
    int k[2];
};
struct Both {
    Few p;
    float4 v;
};

/* listed<<<1, 32>>>(float[128], int[128]) */
__global__ void listed(float *out, int *whole)
{
    int t = threadIdx.x;
    float acc[4][4] = {0}, deep[2][2][2] = {1, 2, 3, 4, 5, 6, 7}, sum = acc[t & 3][3];
    int open[][2] = {1, 2, 3, 4, 5};
    Few pairs[2] = {1, 2, 3, 4, 5, 6, 7}, one = {9, 8, 7};
    Both both[3] = {one, make_float4(1, 2, 3, 4), {1, 2, {3, 4}}, 5, 6};
    float4 v[2] = {1, 2, 3, 4, make_float4(5, 6, 7, 8)};
    char text[2][4] = {"ab", 'c', 'd'};
    const int rows[2][3] = {{1}, 4, 5};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            sum = sum * 2 + deep[i][j][0] * 3 + deep[i][j][1];
        }
    }
    out[t] = sum;
    out[t + 32] = pairs[0].x + 10 * pairs[0].k[1] + 100 * pairs[1].x + 1000 * pairs[1].k[0] + pairs[1].k[1];
    out[t + 64] = both[0].p.x + 10 * both[0].v.w + 100 * both[1].p.k[0] + 1000 * both[2].p.y + both[1].v.x;
    out[t + 96] = v[0].w + 10 * v[1].y;
    whole[t] = sizeof open / sizeof open[0];
    whole[t + 32] = open[2][0] * 10 + open[2][1];
    whole[t + 64] = text[0][1] + text[0][3] + text[1][0] * 256 + text[1][1] * 65536 + text[1][2];
    whole[t + 96] = rows[0][0] + rows[0][1] * 10 + rows[1][0] * 100 + rows[1][1] * 1000 + rows[1][2] * 10000;
}

struct Three {
    float v[3];
};

__device__ float total(const float (&a)[4])
{
    float sum = 0;
    for (float v : a)
        sum += v;
    return sum;
}

/* ranges<<<1, 32>>>(float[32] = iota, float[32]) */
__global__ void ranges(const float *in, float *out)
{
    __shared__ float s[32], m[2][8];
    float a[4] = {1, 2, 3, 4}, sum = 0;
    Three three = {1, 2, 3};
    s[threadIdx.x] = in[threadIdx.x];
    for (auto &row : m)
        row[threadIdx.x % 8] = threadIdx.x;
    __syncthreads();
    for (auto &x : a)
        x *= 2;
    for (const float &x : s)
        sum += x;
    for (const auto &row : m)
        for (float x : row) {
            if (x > 30)
                break;
            if (x > 28)
                continue;
            sum += x;
        }
#pragma unroll 2
    for (float x : three.v)
        sum += x;
    out[threadIdx.x] = sum + total(a);
}

struct spot { float x, y, z; };
/* lists<<<1, 64>>>(float[192] = iota, float[64]) */
__global__ void lists(const float *in, float *out)
{
    __shared__ struct spot s[64];
    int t = threadIdx.x;
    s[t] = (struct spot){in[t], in[t + 64], in[t + 128]};
    __syncthreads();
    struct spot c = s[63 - t];
    out[t] = c.x * c.y + ((float2){c.z, 3}).y;
}
