/* bases.cu - structs that begin with another one, whose members, functions and types are theirs, too, and where
 * their own members lie; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o bases.ptx bases.cu
 */
struct Shape {
    int n;
    float scale;
    __device__ int size() const { return n; }
    __device__ float at(const float *p, int i) const { return p[i % n] * scale; }
};
struct Row : public Shape {
    int stride;
    __device__ float next(const float *p, int i) const { return at(p, i + stride) + n; }
};
template <typename T, int N> class Tile {
protected:
    T *data;
    int last;
public:
    typedef T value;
    static constexpr int count = N;
    __device__ Tile(T *p) : data(p), last(N - 1) {}
    __device__ T &operator[](int i) { return data[i & last]; }
    __device__ int width() const { return N; }
};
template <typename T, int N> class Padded : public Tile<T, N> {
    int by;
public:
    __device__ Padded(T *p, int pad) : Tile<T, N>(p), by(pad) {}
    __device__ T get(int i) { return this->data[(i + by) & this->last]; }
    __device__ int width() const { return Tile<T, N>::width() + by; }
};
struct Empty {
    static __device__ int twice(int x) { return 2 * x; }
    __device__ int thrice(int x) const { return 3 * x; }
};
template <typename T> struct Kind {
    static constexpr int bits = 4;
};
template <> struct Kind<int> : Empty {
    static constexpr int bits = 9;
};
struct Op : Empty {
    int k;
    __device__ int operator()(int x) const { return thrice(x) + twice(k); }
};
__device__ float total(const Shape &s, const float *p) { return s.at(p, 5) + s.size(); }
__device__ void grow(Shape *s, int by) { s->n += by; s->scale *= 2; }
template <typename D> struct Base { /* which is told who has it as base */
    __device__ int run(int x) const { return static_cast<const D *>(this)->step(x) + 1; }
};
struct Step : Base<Step> {
    int k;
    __device__ int step(int x) const { return x * k; }
};

/* rows<<<1, 64>>>(float[256] = random, float[64], {7, 0.5f, 3}) */
__global__ void rows(const float *in, float *out, Row row)
{
    __shared__ Row s[64];
    int t = threadIdx.x;
    Row own = row;
    own.stride += t;
    grow(&own, 2);
    s[t] = own;
    __syncthreads();
    Row other = s[63 - t];
    Shape plain = other;
    out[t] = other.next(in, t) + total(other, in) + plain.scale + own.size();
}
/* tiles<<<1, 64>>>(int[64] = random, int[64]) */
__global__ void tiles(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Padded<int, 64> tile(s, 3);
    tile[t] = in[t];
    __syncthreads();
    Padded<int, 64>::value x = tile.get(t);
    out[t] = x + tile.width() + Padded<int, 64>::count;
}
/* ops<<<1, 32>>>(int[32] = iota, int[32]) */
__global__ void ops(const int *in, int *out)
{
    Op op = {{}, 4};
    Step step;
    step.k = 5;
    int t = threadIdx.x;
    out[t] = op(in[t]) + step.run(t) + Kind<int>::bits + Kind<int>::twice(t) * Kind<char>::bits;
}
struct Made {
    float x, y;
    __device__ Made() : x(1), y(2) {}
    __device__ Made(float a, float b) : x(a), y(b) {}
    __device__ float sum() const { return x + y; }
    __device__ bool operator<(const Made &m) const { return sum() < m.sum(); }
};
struct More : Made {
    float z;
    __device__ More() : z(3) {}
    __device__ More(float a) : z(a), Made(2 * a, a) {}
    __device__ float sum() const { return Made::sum() + z; }
};
template <typename T> __device__ float twice(const T &t) { return 2 * t.sum(); }
__device__ float plain(Made m) { return m.sum(); }
/* made<<<1, 64>>>(float[64] = random, float[64]) */
__global__ void made(const float *in, float *out)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    More a, b(in[t]);
    Made *p = t & 1 ? &a : &b;
    p->x += t;
    s[t] = a.sum() + twice(b);
    s[t + 64] = plain(b) + (a < b ? 1 : 0);
    __syncthreads();
    out[t] = s[127 - t] + s[63 - t];
}
/* Members begin behind the padding of what C has, too, and in that of others. */
struct Open {
    long long a;
    int b;
};
struct AfterOpen : Open {
    int c;
};
class Closed {
    long long a;
    int b;
};
struct AfterClosed : Closed {
    int c;
};
struct Built {
    long long a;
    short b;
    __device__ Built() {}
};
struct AfterBuilt : Built {
    char c;
};
struct AfterBoth : AfterBuilt {
    char d;
};
struct AfterEmpty : Empty {
    short s;
};
struct Ended {
    long long a;
    int b;
    ~Ended() { b = 0; }
    __device__ int get() const { return b; }
};
struct AfterEnded : Ended {
    int c;
};
struct __attribute__((unused)) Corner : float4 {
    int n;
};
/* sizes<<<1, 32>>>(int[32]) */
__global__ void sizes(int *out)
{
    const int size[9] = {sizeof(AfterOpen), sizeof(AfterClosed), sizeof(AfterBuilt), sizeof(AfterBoth),
                         sizeof(AfterEmpty), sizeof(Op), sizeof(Corner), sizeof(Padded<char, 8>),
                         sizeof(AfterEnded)};
    __shared__ AfterBoth s[32];
    s[threadIdx.x].d = threadIdx.x;
    __syncthreads();
    int sum = s[31 - threadIdx.x].d;
    for (int i = 0; i < 9; i++)
        sum = 2 * sum + size[i];
    out[threadIdx.x] = sum;
}
