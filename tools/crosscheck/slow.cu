/* slow.cu - clocks of divisions, reciprocals and square roots that are rounded, by their operands' exponents: ptxas
 * puts a way for operands whose quotient its short one may get wrong beside that one, and a warp takes each that one of its lanes takes.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -o slow slow.cu
 *     ./slow                 clocks of a turn, by how many lanes have such operands
 *     ./slow exponents       of each exponent of a the exponents of b whose quotient goes the short way, of the others the one of b */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cstdint>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s at line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)
enum { TURNS = 8 };

struct div32 { typedef float T; static __device__ float of(float a, float b) { return __fdiv_rn(a, b); } };
struct rcp32 { typedef float T; static __device__ float of(float a, float b) { return __frcp_rn(b); } };
struct sqrt32 { typedef float T; static __device__ float of(float a, float b) { return __fsqrt_rn(b); } };
struct div64 { typedef double T; static __device__ double of(double a, double b) { return __ddiv_rn(a, b); } };
struct rcp64 { typedef double T; static __device__ double of(double a, double b) { return __drcp_rn(b); } };
struct sqrt64 { typedef double T; static __device__ double of(double a, double b) { return __dsqrt_rn(b); } };

__device__ float make(uint32_t exponent, uint32_t mantissa, float) { return __uint_as_float(exponent << 23 | (mantissa & 0x7fffff)); }
__device__ double make(uint32_t exponent, uint32_t mantissa, double) { return __longlong_as_double((long long)exponent << 52 | (long long)(mantissa & 0xfffff) << 32 | mantissa); }
__device__ uint32_t low(float x) { return __float_as_uint(x); }
__device__ uint32_t low(double x) { return (uint32_t)__double_as_longlong(x); }

/* Clocks of a turn that waits for the one before; masks are 0. */
template <class F> __device__ uint32_t chain(typename F::T a, typename F::T b, int turns, uint32_t mask, typename F::T *keep)
{
    typename F::T q = 0;
    long long began = clock64();
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
        uint32_t none = low(q) & mask;
        typename F::T x = none ? q : a, y = none ? a : b;
        q = F::of(x, y);
    }
    uint32_t none = low(q) & mask;
    long long ended = clock64() + none;
    *keep = q;
    return (uint32_t)((ended - began) / turns);
}

template <class F> __global__ void matrix(int exponents, int ma, int mb, uint32_t mask, uint16_t *clocks, typename F::T *keep)
{
    typename F::T k;
    chain<F>(make(exponents / 2, ma, k = 0), make(exponents / 2, mb, k), TURNS, mask, &k);
    for (int i = blockIdx.x; i < exponents * exponents; i += gridDim.x) {
        uint32_t c = chain<F>(make(i / exponents, ma, k), make(i % exponents, mb, k), TURNS, mask, &k);
        if (threadIdx.x == 0) clocks[i] = c;
        keep[threadIdx.x] = k;
    }
}

/* Of the lanes below n the operands are others. */
template <class F> __global__ void lanes(int ea, int eb, int ma, int mb, int sa, int sb, int msa, int msb, int n, uint32_t mask, uint32_t *clocks, typename F::T *keep)
{
    typename F::T k = 0;
    bool is = threadIdx.x % 32 < n;
    typename F::T a = is ? make(sa, msa, k) : make(ea, ma, k), b = is ? make(sb, msb, k) : make(eb, mb, k);
    chain<F>(a, b, 64, mask, &k);
    __syncthreads();
    uint32_t c = chain<F>(a, b, 256, mask, &k);
    if (threadIdx.x == 0) *clocks = c;
    keep[threadIdx.x] = k;
}

template <class F> void run_lanes(const char *name, const char *what, int sa, int msa, int sb, int msb)
{
    uint32_t *clocks, c;
    typename F::T *keep;
    int mid = sizeof(typename F::T) == 4 ? 127 : 1023;
    CHECK(cudaMalloc(&clocks, 4)); CHECK(cudaMalloc(&keep, 16384));
    for (int warps = 1; warps <= 32; warps *= 4)
        for (int n : {0, 1, 16, 31, 32}) {
            lanes<F><<<1, 32 * warps>>>(mid, mid, 12345, 54321, sa, sb, msa, msb, n, 0, clocks, keep);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(&c, clocks, 4, cudaMemcpyDeviceToHost));
            printf("%s,%s,%d,%d,%u\n", name, what, warps, n, c);
        }
}

template <class F> void run_matrix(const char *name, int exponents, int ma, int mb, bool is_of_one)
{
    uint16_t *clocks;
    typename F::T *keep;
    int n = exponents * exponents;
    CHECK(cudaMalloc(&clocks, n * 2));
    CHECK(cudaMalloc(&keep, 16384));
    matrix<F><<<132, 32>>>(exponents, ma, mb, 0, clocks, keep);
    CHECK(cudaDeviceSynchronize());
    std::vector<uint16_t> all(n);
    CHECK(cudaMemcpy(all.data(), clocks, n * 2, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(clocks));
    CHECK(cudaFree(keep));
    int fast = all[exponents / 2 * exponents + exponents / 2];
    for (int a = is_of_one ? exponents / 2 : 0; a < (is_of_one ? exponents / 2 + 1 : exponents); a++) {
        int first = -1, last = -1, count = 0;
        for (int b = 0; b < exponents; b++) {
            if (all[a * exponents + b] < fast + 30) {
                first = first < 0 ? b : first;
                last = b;
                count++;
            }
        }
        if (count > 0) printf("%s,%d,%d,%d,%d,%d,%d\n", name, ma, mb, is_of_one ? 0 : a, first, last, count);
    }
}

static void run_exponents()
{
    printf("operation,mantissa_a,mantissa_b,exponent_a,first_b,last_b,count\n");
    for (int m = 0; m < 2; m++) {
        int ma = m * 0x2abcde, mb = m * 0x155555;
        run_matrix<div32>("div.rn.f32", 256, ma, mb, false);
        run_matrix<rcp32>("rcp.rn.f32", 256, ma, mb, true);
        run_matrix<sqrt32>("sqrt.rn.f32", 256, ma, mb, true);
        run_matrix<div64>("div.rn.f64", 2048, ma, mb, false);
        run_matrix<rcp64>("rcp.rn.f64", 2048, ma, mb, true);
        run_matrix<sqrt64>("sqrt.rn.f64", 2048, ma, mb, true);
    }
}

int main(int argc, char **)
{
    if (argc > 1) {
        run_exponents();
        return 0;
    }
    printf("operation,of,warps,lanes,clocks\n");
    run_lanes<div32>("div.rn.f32", "zero", 0, 0, 127, 54321);
    run_lanes<div32>("div.rn.f32", "denormal by", 0, 54321, 127, 54321);
    run_lanes<div32>("div.rn.f32", "by denormal", 127, 54321, 0, 54321);
    run_lanes<div32>("div.rn.f32", "by great", 127, 54321, 253, 54321);
    run_lanes<div32>("div.rn.f32", "infinite", 255, 0, 127, 54321);
    run_lanes<div32>("div.rn.f32", "by zero", 127, 0, 0, 0);
    run_lanes<div32>("div.rn.f32", "small result", 20, 54321, 150, 54321);
    run_lanes<div32>("div.rn.f32", "denormal result", 5, 54321, 140, 54321);
    run_lanes<div32>("div.rn.f32", "great result", 250, 54321, 20, 54321);
    run_lanes<rcp32>("rcp.rn.f32", "zero", 127, 0, 0, 0);
    run_lanes<rcp32>("rcp.rn.f32", "denormal", 127, 0, 0, 54321);
    run_lanes<rcp32>("rcp.rn.f32", "great", 127, 0, 253, 54321);
    run_lanes<rcp32>("rcp.rn.f32", "infinite", 127, 0, 255, 0);
    run_lanes<sqrt32>("sqrt.rn.f32", "zero", 127, 0, 0, 0);
    run_lanes<sqrt32>("sqrt.rn.f32", "denormal", 127, 0, 0, 54321);
    run_lanes<sqrt32>("sqrt.rn.f32", "small", 127, 0, 10, 54321);
    run_lanes<sqrt32>("sqrt.rn.f32", "infinite", 127, 0, 255, 0);
    run_lanes<div64>("div.rn.f64", "zero", 0, 0, 1023, 54321);
    run_lanes<div64>("div.rn.f64", "small", 100, 0, 1023, 54321);
    run_lanes<div64>("div.rn.f64", "by zero", 1023, 0, 0, 0);
    run_lanes<div64>("div.rn.f64", "infinite", 2047, 0, 1023, 54321);
    run_lanes<rcp64>("rcp.rn.f64", "zero", 1023, 0, 0, 0);
    run_lanes<rcp64>("rcp.rn.f64", "great", 1023, 0, 2045, 0);
    run_lanes<sqrt64>("sqrt.rn.f64", "zero", 1023, 0, 0, 0);
    run_lanes<sqrt64>("sqrt.rn.f64", "small", 1023, 0, 20, 0);
    return 0;
}
