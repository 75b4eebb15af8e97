/* objects.cu - which object is meant, who makes it, and parts of templates for numbers; above each a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o objects.ptx objects.cu
 */
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
