/* lambdas.cu - lambdas, lists as arguments, constexpr functions, ways that are ruled out, bounds with brackets in
 * them, results of auto, functions as values; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -std=c++17 -lineinfo -ptx -o lambdas.ptx lambdas.cu
 */
#define BOTH __host__ __device__
BOTH constexpr int log2of(int n) { return n <= 1 ? 0 : 1 + log2of(n / 2); }
BOTH constexpr int odd(int n)
{
    if (n % 2 == 0) {
        return n + 1;
    } else
        return n;
}
struct Pair {
    float m, d;
};
__device__ Pair join(Pair a, const Pair &b)
{
    return a.m > b.m ? Pair{a.m, a.d + b.d} : Pair{b.m, b.d + a.d};
}
template <typename F> __device__ float apply(F f, float x)
{
    return f(x);
}
/* captures<<<1, 32>>>(float[64] = iota, float[32]) */
__global__ void captures(const float *in, float *out)
{
    __shared__ float s[32][odd(32)];
    float k = 2.0f, j = 1.0f;
    auto scale = [=](float x) { return x * k + j; };
    auto move = [j, i = k + 1](float x) mutable { return x - j + i; };
    k = 3.0f;
    j = 5.0f;
    auto add = [&](float x) -> float { return x + k; };
    auto put = [&, k](int at, float x) { s[at][threadIdx.x] = x + k; };
    k = 4.0f;
    for (int i = 0; i < 32; i++)
        put(i, apply(scale, in[i]) + apply(add, in[i + 32]) + move(1.0f));
    __syncwarp();
    auto turned = [=](int i) { return s[threadIdx.x][i + (int)k & 31]; };
    k = 7.0f;
    out[threadIdx.x] = turned(3) + apply([](float x) { return x + 1; }, k) + [k]() { return k; }();
}
/* lists<<<1, 64>>>(float[128] = iota, float[64]) */
__global__ void lists(const float *in, float *out)
{
    __shared__ float r[1 << log2of(64)];
    Pair p = {0.0f, 0.0f};
    for (int i = threadIdx.x; i < 128; i += 64)
        p = join(p, {in[i], 1.0f});
    r[threadIdx.x] = join({p.m, 2.0f}, p).d + p.m;
    __syncthreads();
    out[threadIdx.x] = r[63 - threadIdx.x];
}
template <typename T> __device__ int words(T t)
{
    if constexpr (sizeof(T) == 4) {
        return 1;
    } else if constexpr (sizeof(T) == 8) {
        return 2;
    } else {
        return t.words();
    }
}
/* ruled<<<1, 32>>>(int[32]) */
__global__ void ruled(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = words(1.0f) + 10 * words(1.0) + threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
/* bounds<8, 4><<<1, 32>>>(int[32] = iota) */
template <const int M, const int N>
__global__ void __launch_bounds__((M * N) / (2 - 1), 1) bounds(int *p)
{
    __shared__ int s[M][N];
    s[threadIdx.x / N][threadIdx.x % N] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x % M][threadIdx.x / M];
}
template __global__ void bounds<8, 4>(int *);

__device__ auto half_of(int n)
{
    return n * 0.5;
}
template <typename T, typename U> __device__ auto product(T a, U b)
{
    return a * b;
}
struct Scaled {
    float by;
    __device__ auto at(unsigned char n) const { return n * by; }
    __device__ auto wide(unsigned char n) const { return n + n; }
};
__device__ auto put(float *to, double value)
{
    *to = value;
}
/* deduced<<<1, 32>>>(float[32] = random(3), double[32]) */
__global__ void deduced(float *a, double *b)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    Scaled by{a[t]};
    s[31 - t] = half_of(t) / 3;
    __syncwarp();
    b[t] = s[t] + product(t, 0.25f) + product(a[t], 2.0) + by.at(250) / by.wide(250);
    put(&a[t], half_of(2 * t + 1));
}

__device__ float larger(float a, float b)
{
    return a > b ? a : b;
}
template <typename T, typename F> __device__ T over_warp(T v, F f)
{
    for (int o = 16; o > 0; o /= 2)
        v = f(v, __shfl_xor_sync(~0u, v, o));
    return v;
}
/* functions<<<1, 64>>>(float[64] = random(3), float[192]) */
__global__ void functions(const float *x, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    auto most = larger;
    s[t] = x[63 - t];
    __syncthreads();
    out[t] = over_warp(x[t], larger);
    out[t + 64] = over_warp(s[t ^ 1], most);
    out[t + 128] = most(x[t], 0.5f);
}

using binary = float (*)(float, float);
typedef float (*unary)(float);
__device__ float doubled(float a)
{
    return 2 * a;
}
template <binary merge> __device__ float in_warp(float v, float first)
{
    for (int o = 16; o > 0; o /= 2)
        v = merge(v, __shfl_xor_sync(~0u, v, o));
    return merge(v, first);
}
template <binary merge> __device__ float in_warp(float v)
{
    return in_warp<merge>(v, -1);
}
template <float (*change)(float), unary other> __device__ float twice(float v)
{
    return other(change(v));
}
/* function_parameters<<<1, 64>>>(float[64] = random(3), float[64]) */
__global__ void function_parameters(const float *x, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = twice<doubled, doubled>(x[63 - t]);
    __syncthreads();
    out[t] = in_warp<larger>(s[t ^ 1]);
}
