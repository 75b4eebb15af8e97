/* Math functions beyond math.cu's: against the host's C library, and inverses against what they invert. */
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

enum { N = 128 };

/* name(x), what it should be, in units of 2^-52 of it, or of 1 below 1, that it may be off, from, to */
#define ALL(X)                                                                  \
    X(lgamma(x), lgamma(x), 32, -4.4, 30)                                       \
    X(tgamma(x), tgamma(x), 48, -5.3, 20)                                       \
    X(erfinv(x), erfinv_is(x), 48, -.995, .995)                                 \
    X(erfcinv(x), erfinv_is(1 - x), 48, .001, 1.999)                            \
    X(normcdfinv(x), 1.4142135623730951 * erfinv_is(2 * x - 1), 48, .001, .999) \
    X(erfcx(x), exp(x *x) * erfc(x), 32, -2, 5)                                 \
    X(rcbrt(x), 1 / cbrt(x), 8, .1, 99)                                         \
    X(norm3d(x, 2.0, 3.0), sqrt(x *x + 13), 8, -9, 9)                           \
    X(rhypot(x, 3.0), 1 / sqrt(x * x + 9), 8, -9, 9)                            \
    X(lrint(x), lrint(x), 0, -9.5, 9.5)                                         \
    X(llround(x), llround(x), 0, -9.5, 9.5)                                     \
    X(lroundf((float)x), lroundf((float)x), 0, -9.5, 9.5)                       \
    X(ilogb(x), ilogb(x), 0, -9, 9)                                             \
    X(logb(x), logb(x), 0, -9, 9)                                               \
    X(scalbn(x, -1030), scalbn(x, -1030), 0, -9, 9)                             \
    X(nextafter(x, 2.0), nextafter(x, 2.0), 0, -9, 9)                           \
    X(nextafterf((float)x, -2.f), nextafterf((float)x, -2.f), 0, -9, 9)         \
    X(remainder(x * 10, 3.0), remainder(x * 10, 3.0), 0, -90, 90)               \
    X(remquo_and(x, 0.75), remquo_and(x, 0.75), 0, -90, 90)                     \
    X((double)tgammaf((float)x), tgamma((double)(float)x), 0x1p31, .5, 9)       \
    X((double)lgammaf((float)x), lgamma((double)(float)x), 0x1p31, .5, 9)

/* By Newton's steps from the host's erf. */
static double erfinv_is(double y)
{
    double x = 0;
    for (int i = 0; i < 200; i++) {
        double step = (erf(x) - y) / (1.1283791670955126 * exp(-x * x));
        x -= fmax(-.1, fmin(.1, step));
    }
    return x;
}

__host__ __device__ double remquo_and(double x, double y)
{
    int quotient;
    double rest = remquo(x, y, &quotient);
    return rest + 100 * (quotient % 8);
}

#define COMPUTE(name, should, units, from, to)                         \
    {                                                                  \
        double x = (from) + ((to) - (from)) * (threadIdx.x + 0.5) / N; \
        out[threadIdx.x] = (double)(name);                             \
        out += N;                                                      \
    }
__global__ void compute(double *out)
{
    ALL(COMPUTE)
}

#define NAME(name, should, units, from, to) #name,
static const char *const names[] = {ALL(NAME)};
enum { COUNT = sizeof names / sizeof *names };

__global__ void edges(double *out)
{
    out[0] = tgamma(0.0);
    out[1] = tgamma(-1.0);
    out[2] = tgamma(200.0);
    out[3] = lgamma(-3.0);
    out[4] = erfinv(1.0);
    out[5] = erfcinv(2.0);
    out[6] = erfinv(-1.5);
    out[7] = nextafter(0.0, 1.0) > 0;
    out[8] = erfinv(1e-10) * 1e10;
    out[9] = logb(0.0);
}

int main()
{
    static double out[COUNT * N];
    double *on, *at = out;
    int i = 0;
    cudaMalloc(&on, sizeof out);
    compute<<<1, N>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
#define CHECK(name, should, units, from, to)                                          \
    {                                                                                 \
        double worst = 0;                                                             \
        for (int j = 0; j < N; j++) {                                                 \
            double x = (from) + ((to) - (from)) * (j + 0.5) / N, is = at[j];          \
            double exact = (double)(should);                                          \
            worst = fmax(worst, fabs(is - exact) / (fmax(1, fabs(exact)) * 0x1p-52)); \
        }                                                                             \
        if (worst <= (units)) {                                                       \
            printf("%s: fine\n", names[i]);                                           \
        } else {                                                                      \
            printf("%s: off by %g units\n", names[i], worst);                         \
        }                                                                             \
        at += N;                                                                      \
        i++;                                                                          \
    }
    ALL(CHECK)
    edges<<<1, 1>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    for (int j = 0; j < 10; j++) {
        printf(j == 8 ? "%.12g\n" : "%g\n", out[j] != out[j] ? NAN : out[j]);
    }
    puts(cudaGetErrorString(cudaGetLastError()));
}
