/* curand.c - cuRAND's generators as the host calls them, computed on the host with other numbers: a
 * program that wants random ones runs, one that wants NVIDIA's very numbers does not get them. The first
 * numbers say so. What cuRAND's kernels would access is not counted.
 *
 * Numbers come from a 64-bit state that is multiplied and added to (Knuth's MMIX constants), mixed by
 * shifts; the same seed and offset give the same numbers everywhere.
 */
#include "cudart/state.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* kinds and orders of generators */
#endif

/* curandStatus_t */
enum { SUCCESS = 0, ALLOCATION_FAILED = 102 };

#define PI 3.14159265358979323846

struct generator {
    uint64_t seed, at; /* numbers that were given so far */
};

static void tell_once(void)
{
    static bool is_told;
    if (!is_told) {
        is_told = true;
        fflush(stdout);
        fputs("banksim: cuRAND's numbers are computed on the host, and are others than NVIDIA's\n",
              stderr);
    }
}

/* Of the header that clang has for kernels: told as the program begins. */
EXPORT int __banksimRandomIsOther(void)
{
    static bool is_told;
    if (!is_told) {
        is_told = true;
        fputs("banksim: random numbers of kernels are others than NVIDIA's, but for Philox's\n",
              stderr);
    }
    return 0;
}

/* ---- generators ------------------------------------------------------------------------------ */

EXPORT int curandCreateGenerator(struct generator **generator, int kind)
{
    *generator = bsim_mem_zeroed(1, sizeof **generator);
    return *generator != NULL ? SUCCESS : ALLOCATION_FAILED;
}

EXPORT int curandCreateGeneratorHost(struct generator **generator, int kind)
{
    return curandCreateGenerator(generator, kind);
}

EXPORT int curandDestroyGenerator(struct generator *generator)
{
    bsim_mem_free(generator);
    return SUCCESS;
}

EXPORT int curandSetPseudoRandomGeneratorSeed(struct generator *generator, unsigned long long seed)
{
    generator->seed = seed;
    generator->at = 0;
    return SUCCESS;
}

EXPORT int curandSetGeneratorOffset(struct generator *generator, unsigned long long offset)
{
    generator->at = offset;
    return SUCCESS;
}

EXPORT int curandSetGeneratorOrdering(struct generator *generator, int order)
{
    return SUCCESS;
}

EXPORT int curandSetQuasiRandomGeneratorDimensions(struct generator *generator, unsigned n)
{
    return SUCCESS;
}

EXPORT int curandSetStream(struct generator *generator, void *stream)
{
    return SUCCESS;
}

EXPORT int curandGenerateSeeds(struct generator *generator)
{
    return SUCCESS;
}

EXPORT int curandGetVersion(int *version)
{
    *version = 10400;
    return SUCCESS;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t next(struct generator *generator)
{
    uint64_t x = generator->seed * UINT64_C(0x9e3779b97f4a7c15) + ++generator->at;
    for (int i = 0; i < 3; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x ^= x >> 32;
    }
    return x;
}

/* Above 0, up to 1, as cuRAND has them. */
static double uniform(struct generator *generator)
{
    return (double)((next(generator) >> 11) + 1) * 0x1p-53;
}

/* Two uniform numbers, by Box and Muller. */
static double normal(struct generator *generator)
{
    double radius = sqrt(-2 * log(uniform(generator)));
    return radius * cos(2 * PI * uniform(generator));
}

/* A call that fills n numbers; `value` is the next one. */
#define FILL(value)                  \
    tell_once();                     \
    for (size_t i = 0; i < n; i++) { \
        at[i] = (value);             \
    }                                \
    return SUCCESS
#define FILLS(name, type, value)                                     \
    EXPORT int name(struct generator *generator, type *to, size_t n) \
    {                                                                \
        type *at = bsim_cuda_hand_out(to);                       \
        FILL((type)(value));                                         \
    }
#define FILLS_AROUND(name, type, value)                                                     \
    EXPORT int name(struct generator *generator, type *to, size_t n, type mean, type width) \
    {                                                                                       \
        type *at = bsim_cuda_hand_out(to);                                              \
        FILL((type)(value));                                                                \
    }

FILLS(curandGenerate, uint32_t, next(generator) >> 32)
FILLS(curandGenerateLongLong, uint64_t, next(generator))
FILLS(curandGenerateUniform, float, uniform(generator))
FILLS(curandGenerateUniformDouble, double, uniform(generator))
FILLS_AROUND(curandGenerateNormal, float, (double)mean + (double)width * normal(generator))
FILLS_AROUND(curandGenerateNormalDouble, double, mean + width * normal(generator))
FILLS_AROUND(curandGenerateLogNormal, float, exp((double)mean + (double)width * normal(generator)))
FILLS_AROUND(curandGenerateLogNormalDouble, double, exp(mean + width * normal(generator)))
