/* templates.cu - templates, structs with functions, constructors and operators, namespaces; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o templates.ptx templates.cu
 */
typedef unsigned int uint;
__constant__ float c_Kernel[17] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1.5f};

#define KERNEL_RADIUS 8
template <int RESULT_STEPS, int HALO_STEPS>
__device__ inline void load_row(float *line, const float *src, int pitch)
{
#pragma unroll
    for (int i = 0; i < RESULT_STEPS + 2 * HALO_STEPS; i++) {
        line[threadIdx.x + i * 16] = src[(i * 16 + (int)threadIdx.x) % pitch];
    }
}

/* rows<4, 1><<<dim3(1, 2), dim3(16, 4)>>>(float[512], float[512] = random, 64) */
template <int STEPS, int HALO>
__global__ void rows(float *d_Dst, const float *d_Src, int pitch)
{
    __shared__ float s_Data[4][(STEPS + 2 * HALO) * 16];
    const int baseY = blockIdx.y * 4 + threadIdx.y;
    load_row<STEPS, HALO>(s_Data[threadIdx.y], d_Src + baseY * pitch, pitch);
    __syncthreads();
#pragma unroll
    for (int i = HALO; i < HALO + STEPS; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) {
            sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * 16 + j];
        }
        d_Dst[baseY * pitch + (i - HALO) * 16 + threadIdx.x] = sum;
    }
}

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}

/* bitonic<64><<<1, 32>>>(unsigned[64] = random, unsigned[64] = iota, 1) */
template <uint SIZE> __global__ void bitonic(uint *key, uint *value, uint dir)
{
    __shared__ uint s_key[SIZE], s_val[SIZE];
    s_key[threadIdx.x] = key[threadIdx.x];
    s_val[threadIdx.x] = value[threadIdx.x];
    s_key[threadIdx.x + SIZE / 2] = key[threadIdx.x + SIZE / 2];
    s_val[threadIdx.x + SIZE / 2] = value[threadIdx.x + SIZE / 2];
    for (uint size = 2; size < SIZE; size <<= 1) {
        uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    for (uint stride = SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], dir);
    }
    __syncthreads();
    key[threadIdx.x] = s_key[threadIdx.x];
    value[threadIdx.x] = s_val[threadIdx.x];
    key[threadIdx.x + SIZE / 2] = s_key[threadIdx.x + SIZE / 2];
    value[threadIdx.x + SIZE / 2] = s_val[threadIdx.x + SIZE / 2];
}

template <typename T> struct vec3 { typedef float Type; };
template <> struct vec3<float> { typedef float3 Type; };
template <> struct vec3<double> { typedef double3 Type; };
template <typename T> struct vec4 { using Type = float4; };
template <> struct vec4<double> { using Type = double4; };

template <typename T> struct Shared {
    __device__ inline operator T *()
    {
        extern __shared__ int __mem[];
        return (T *)__mem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __mem[];
        return (T *)__mem;
    }
};

template <typename T> __device__ T softening2() { return 0.5f; }
template <> __device__ double softening2<double>() { return 0.25; }
template <typename T> __device__ T rsqrt_T(T x) { return rsqrt(x); }
template <> __device__ float rsqrt_T<float>(float x) { return rsqrtf(x); }

template <typename T>
__device__ typename vec3<T>::Type interaction(typename vec3<T>::Type ai, typename vec4<T>::Type bi,
                                              typename vec4<T>::Type bj)
{
    typename vec3<T>::Type r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    T d = r.x * r.x + r.y * r.y + r.z * r.z;
    d += softening2<T>();
    T inv = rsqrt_T(d);
    T s = bj.w * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

/* bodies<float><<<2, 32, 512>>>(float4[64], float4[64] = random, 0.1f, 2) */
template <typename T>
__global__ void bodies(typename vec4<T>::Type *__restrict__ newPos,
                       typename vec4<T>::Type *__restrict__ oldPos, float dt, int numTiles)
{
    typename vec4<T>::Type *pos = Shared<typename vec4<T>::Type>();
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    typename vec4<T>::Type p = oldPos[index];
    typename vec3<T>::Type acc = {0, 0, 0};
    for (int tile = 0; tile < numTiles; tile++) {
        pos[threadIdx.x] = oldPos[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (unsigned int counter = 0; counter < 32; counter++) {
            acc = interaction<T>(acc, p, pos[counter]);
        }
        __syncthreads();
    }
    p.x += acc.x * dt;
    p.y += acc.y * dt;
    p.z += acc.z * dt;
    newPos[index] = p;
}

template <uint sortDir> static inline __device__ uint binarySearchInclusive(uint val, uint *data, uint L, uint stride)
{
    if (L == 0) return 0;
    uint pos = 0;
    for (; stride > 0; stride >>= 1) {
        uint newPos = umin(pos + stride, L);
        if ((sortDir && (data[newPos - 1] <= val)) || (!sortDir && (data[newPos - 1] >= val))) pos = newPos;
    }
    return pos;
}
template <uint sortDir> static inline __device__ uint binarySearchExclusive(uint val, uint *data, uint L, uint stride)
{
    if (L == 0) return 0;
    uint pos = 0;
    for (; stride > 0; stride >>= 1) {
        uint newPos = umin(pos + stride, L);
        if ((sortDir && (data[newPos - 1] < val)) || (!sortDir && (data[newPos - 1] > val))) pos = newPos;
    }
    return pos;
}

/* mergeSort<1><<<1, 64>>>(unsigned[128], unsigned[128] = random, 128) */
template <uint sortDir> __global__ void mergeSort(uint *d_Dst, uint *d_Src, uint arrayLength)
{
    __shared__ uint s_key[128];
    s_key[threadIdx.x] = d_Src[threadIdx.x];
    s_key[threadIdx.x + 64] = d_Src[threadIdx.x + 64];
    for (uint stride = 1; stride < arrayLength; stride <<= 1) {
        uint lPos = threadIdx.x & (stride - 1);
        uint *baseKey = s_key + 2 * (threadIdx.x - lPos);
        __syncthreads();
        uint keyA = baseKey[lPos + 0];
        uint keyB = baseKey[lPos + stride];
        uint posA = binarySearchExclusive<sortDir>(keyA, baseKey + stride, stride, stride) + lPos;
        uint posB = binarySearchInclusive<sortDir>(keyB, baseKey + 0, stride, stride) + lPos;
        __syncthreads();
        baseKey[posA] = keyA;
        baseKey[posB] = keyB;
    }
    __syncthreads();
    d_Dst[threadIdx.x] = s_key[threadIdx.x];
    d_Dst[threadIdx.x + 64] = s_key[threadIdx.x + 64];
}

struct Add { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Max { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };

template <typename T, typename Op, int N = 64> struct Scan {
    T *data;
    Op op;
    static constexpr int size = N;
    __device__ Scan(T *where) : data(where) {}
    __device__ T inclusive(T x, int i)
    {
        data[i] = x;
        __syncthreads();
        for (int d = 1; d < N; d *= 2) {
            T t = i >= d ? op(data[i - d], data[i]) : data[i];
            __syncthreads();
            data[i] = t;
            __syncthreads();
        }
        return data[i];
    }
};

/* scans<<<1, 64>>>(int[64] = random(3), int[64] = random(5)) */
__global__ void scans(int *sums, int *most)
{
    __shared__ int room[Scan<int, Add>::size];
    Scan<int, Add> add(room);
    int s = add.inclusive(sums[threadIdx.x], threadIdx.x);
    sums[threadIdx.x] = s;
    __syncthreads();
    Scan<int, Max, 64> top(room);
    most[threadIdx.x] = top.inclusive(most[threadIdx.x] % 7, threadIdx.x);
}

template <typename T, size_t N> __device__ T total(const T (&a)[N])
{
    T sum = T(0);
    for (size_t i = 0; i < N; i++) sum += a[i];
    return sum;
}
template <typename T> struct Matrix {
    T *p;
    int pitch;
    struct Row { T *q; __device__ T &operator[](int i) { return q[i]; } };
    __device__ Row operator[](int y) { return Row{p + y * pitch}; }
    __device__ T &at(int y, int x) const { return p[y * pitch + x]; }
};
namespace math {
namespace detail { __device__ float half_of(float x) { return 0.5f * x; } }
template <typename T> __device__ T clamp(T x, T lo = T(0), T hi = T(10)) { return min(max(x, lo), hi); }
enum Mode { NEAR, FAR = 4 };
struct Ref { float &r; __device__ Ref(float &x) : r(x) {} __device__ Ref &operator+=(float y) { r += y; return *this; } };
}

/* mixed<<<1, dim3(16, 4)>>>(float[64], float[64] = random) */
__global__ void mixed(float *out, float *in)
{
    Matrix<float> a{in, 16}, b = {out, 16};
    float tile[4];
    for (int i = 0; i < 4; i++) tile[i] = a[threadIdx.y][(threadIdx.x + i) & 15];
    float x = total(tile);
    math::Ref ref(x);
    ref += 2.0f;
    (ref += 1.0f) += math::detail::half_of(a.at(0, threadIdx.x));
    int mode = threadIdx.x & 1 ? math::FAR : math::Mode::NEAR;
    using namespace math;
    b[threadIdx.y][threadIdx.x] = clamp(x) + math::clamp<float>(x, 1, 2) + mode;
}

struct Pixel { unsigned char r, g, b; __host__ __device__ bool operator==(const Pixel &o) const { return r == o.r && g == o.g && b == o.b; } };
class Counter {
public:
    __device__ explicit Counter(int start = 0) : n(start) { }
    __device__ Counter &operator++() { ++n; return *this; }
    __device__ int operator++(int) { return n++; }
    __device__ operator int() const { return n; }
private:
    int n;
    int step = 1;
};

/* classes<<<1, 32>>>(int[32], unsigned char[96] = random) */
__global__ void classes(int *out, unsigned char *bytes)
{
    Pixel *p = reinterpret_cast<Pixel *>(bytes);
    Counter c, d(3);
    for (int i = 0; i < (threadIdx.x & 3); i++) ++c;
    int old = d++;
    out[threadIdx.x] = c + 10 * (int)d + 100 * old + 1000 * (p[threadIdx.x] == p[0]);
}

template __global__ void rows<4, 1>(float *, const float *, int);
template __global__ void bitonic<64u>(uint *, uint *, uint);
template __global__ void bodies<float>(float4 *__restrict__, float4 *__restrict__, float, int);
template __global__ void mergeSort<1u>(uint *, uint *, uint);

template <typename T> struct Size {
    static constexpr int value = 1;
};
template <typename T> struct Size<T *> {
    static constexpr int value = 2 + Size<T>::value;
};
template <typename T, typename U> struct Same {
    static constexpr bool value = false;
};
template <typename T> struct Same<T, T> {
    static constexpr bool value = true;
};
template <int N, typename T> struct Sum {
    __device__ static T of(const T *p) { return p[N - 1] + Sum<N - 1, T>::of(p); }
};
template <typename T> struct Sum<1, T> {
    __device__ static T of(const T *p) { return p[0]; }
};
template <typename T, int N, bool Even> struct Row {
    T x[N];
    template <typename U> __device__ Row &operator=(const U &) { return *this; }
    __device__ T get(int i) { return x[i % N]; }
};
template <typename T, int N> struct Row<T, N, true> {
    T x[N / 2];
    __device__ T get(int i) { return 2 * x[i % (N / 2)]; }
};
/* parts<<<1, 32>>>(int[64] = iota, int[128]) */
__global__ void parts(const int *in, int *out)
{
    __shared__ int s[40];
    int t = threadIdx.x;
    Row<int, 4, true> even;
    Row<int, 3, false> odd;
    for (int i = 0; i < 2; i++)
        even.x[i] = in[t + i];
    for (int i = 0; i < 3; i++)
        odd.x[i] = in[t + 10 + i];
    s[t] = even.get(3) + odd.get(4);
    __syncthreads();
    out[t + 96] = Sum<4, int>::of(s + (t & 15));
    out[t] = Size<int>::value + 10 * Size<int *>::value + 100 * Size<int **>::value;
    out[t + 32] = Same<int, int>::value + 2 * Same<int, unsigned>::value + 4 * Same<const int *, const int *>::value;
    out[t + 64] = s[31 - t] * sizeof(Row<double, 8, true>) + sizeof(Row<double, 8, false>);
}
template <typename T>
__device__ void least(T const *const in, T *const out, int const n)
{
    T found = in[0];
    for (int i = 1; i < n; i++)
        found = in[i] < found ? in[i] : found;
    out[0] = found;
}
/* lowest<float><<<1, 32>>>(float[64] = random, float[32]) */
template <typename T>
__global__ void lowest(T const *const in, T *out)
{
    least(in + threadIdx.x, out + threadIdx.x, 5);
}
template __global__ void lowest<float>(float const *const, float *);

__device__ int part(int x)
{
    return 1 + x;
}

namespace near {
__device__ int part(int x)
{
    return 10 + x;
}

template <int N> __device__ int times(int x)
{
    return part(x) * N + ::part(x);
}

namespace inner {
__device__ int part(int x)
{
    return 100 + x;
}

__device__ int both(int x)
{
    return part(x) + near::part(x);
}
}
}

namespace far {
template <int N> __device__ int times(int x)
{
    return part(x) * N + near::inner::part(x);
}
}

/* spaces<<<1, 32>>>(int[32]) */
__global__ void spaces(int *out)
{
    int t = threadIdx.x;
    auto sum = [&](int x) { return near::part(x) - part(x); };
    out[t] = near::times<2>(t) + 3 * far::times<5>(t) + 7 * near::inner::both(t) + 11 * sum(t);
}
