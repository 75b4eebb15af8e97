/* Math functions in kernels against the host's, over a range each; powers; edges; constants. */
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 256;
__constant__ double range[2]; /* a step and the first */

/* The larger of the errors of all, in units of 2^-52 and 2^-23 of the value (of 1 below 1). */
static double worst_d, worst_f;

static double error_of(double is, double should, double unit)
{
    double size = std::fabs(should) < 1 ? 1 : std::fabs(should);
    return is == should ? 0 : std::fabs(is - should) / (size * unit);
}

#define FUNCTION(name, from, to)                                                                  \
    __global__ void k_##name(double *d, float *f)                                                 \
    {                                                                                             \
        double x = threadIdx.x * range[0] + range[1];                                             \
        d[threadIdx.x] = name(x);                                                                 \
        f[threadIdx.x] = name##f((float)x);                                                       \
    }                                                                                             \
    static void check_##name()                                                                    \
    {                                                                                             \
        double steps[2] = {(double)((to) - (from)) / N, from}, d[N], *on_d;                       \
        float f[N], *on_f;                                                                        \
        cudaMemcpyToSymbol(range, steps, sizeof steps);                                           \
        cudaMalloc(&on_d, sizeof d);                                                              \
        cudaMalloc(&on_f, sizeof f);                                                              \
        k_##name<<<1, N>>>(on_d, on_f);                                                           \
        cudaMemcpy(d, on_d, sizeof d, cudaMemcpyDeviceToHost);                                    \
        cudaMemcpy(f, on_f, sizeof f, cudaMemcpyDeviceToHost);                                    \
        worst_d = worst_f = 0;                                                                    \
        for (int i = 0; i < N; i++) {                                                             \
            double x = i * steps[0] + steps[1];                                                   \
            worst_d = std::fmax(worst_d, error_of(d[i], name(x), 0x1p-52));                       \
            worst_f = std::fmax(worst_f, error_of(f[i], name((double)(float)x), 0x1p-23));        \
        }                                                                                         \
        bool is_fine = worst_d <= 8 && worst_f <= 4;                                              \
        printf(is_fine ? "%s: fine\n" : "%s: off by %g and %g units\n", #name, worst_d, worst_f); \
    }

#define ALL(X)                                                                                    \
    X(exp, -20, 30)                                                                               \
    X(exp2, -30, 30)                                                                              \
    X(expm1, -2, 3)                                                                               \
    X(log, 1e-6, 60) X(log2, .4, 20) X(log10, .4, 3000) X(log1p, -.9, 2) X(sin, -100, 100)        \
        X(cos, -100, 100) X(tan, -1.5, 1.5) X(asin, -1, 1) X(acos, -1, 1) X(atan, -40, 40)        \
            X(sinh, -9, 9) X(cosh, -9, 9) X(tanh, -5, 5) X(asinh, -9, 9) X(acosh, 1, 9)           \
                X(atanh, -.9, .9) X(cbrt, -99, 99) X(erf, -4, 4) X(erfc, -4, 4) X(sqrt, 0, 9)     \
                    X(floor, -9, 9) X(ceil, -9, 9) X(trunc, -9, 9) X(rint, -9, 9) X(round, -9, 9) \
                        X(fabs, -9, 9)

ALL(FUNCTION)

__global__ void powers(double *out)
{
    out[0] = pow(2.0, 10.0);
    out[1] = pow(-2.0, 3);
    out[2] = powf(2.0f, 0.5f) - sqrtf(2.0f);
    out[3] = pow(0.0, -1.0);
    out[4] = exp(1000.0);
    out[5] = log(0.0);
    out[6] = isnan(log(-1.0));
    out[7] = atan2(1.0, -1.0) * 4;
    out[8] = fmod(-7.5, 2.0);
    out[9] = hypot(3.0, 4.0);
    out[10] = std::abs(-2.5f) + abs(-3) + std::sqrt(16.0f) + max(3u, 4u) + fminf(1.0f, NAN);
    out[11] = rsqrtf(4.0f) + __fdividef(1.0f, 4.0f) + __saturatef(7.0f);
    out[12] = __clz(1) + __ffs(8) + __popcll(7ull) + __brev(1u) / 0x80000000u;
    out[13] = __byte_perm(0x33221100, 0x77665544, 0x7410);
    int e;
    out[15] = frexp(-96.0, &e) * 1000;
    out[15] += e + (double)umin(3u, 4u);
    out[14] = __float_as_int(1.0f) + __mulhi(1 << 20, 1 << 20);
}

int main()
{
#define CHECK(name, from, to) check_##name();
    ALL(CHECK)
    double out[16], *on;
    cudaMalloc(&on, sizeof out);
    powers<<<1, 1>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    for (double value : out) {
        printf("%.9g\n", value);
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
