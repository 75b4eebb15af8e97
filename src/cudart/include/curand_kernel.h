/* curand_kernel.h - random numbers in kernels: XORWOW (G. Marsaglia, Xorshift RNGs, 2003) and Philox 4x32-10
 * (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
 *
 * Philox gives NVIDIA's numbers. XORWOW begins elsewhere than NVIDIA's, which is not published: other numbers, as
 * good. States have NVIDIA's sizes.
 */
#ifndef BANKSIM_CURAND_KERNEL_H
#define BANKSIM_CURAND_KERNEL_H

#include "curand.h"

extern "C" int __banksimRandomIsOther();

__BANKSIM_CALLERS_LINES

/* ---- states ---------------------------------------------------------------------------------- */

/* The second of two normal numbers waits for its turn. */
struct __banksim_normals {
    int has_float, has_double;
    float left;
    double left_double;
};

struct curandStateXORWOW {
    unsigned d, v[5];
    __banksim_normals normals;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

/* The four numbers at `counter`, of which `used` were given. */
struct curandStatePhilox4_32_10 {
    uint4 counter, numbers;
    uint2 key;
    unsigned used;
    __banksim_normals normals;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* ---- XORWOW ---------------------------------------------------------------------------------- */

__BANKSIM_BOTH unsigned curand(curandStateXORWOW *state)
{
    unsigned last = state->v[4], t = state->v[0] ^ state->v[0] >> 2;
    for (int i = 0; i < 4; i++) {
        state->v[i] = state->v[i + 1];
    }
    state->v[4] = (last ^ last << 4) ^ (t ^ t << 1);
    state->d += 362437;
    return state->v[4] + state->d;
}

__BANKSIM_BOTH void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    for (; n > 0; n--) {
        curand(state);
    }
}

/* Of each seed and sequence the words of a generator of 64 bits that is mixed (splitmix64). */
__BANKSIM_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
                                unsigned long long offset, curandStateXORWOW *state)
{
    unsigned long long x = seed * 0x9e3779b97f4a7c15ull ^ sequence * 0xd1342543de82ef95ull;
    *state = {};
    for (int i = 0; i < 6; i++) {
        x += 0x9e3779b97f4a7c15ull;
        unsigned long long mixed = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
        *(i < 5 ? &state->v[i] : &state->d) = (unsigned)(mixed >> 32);
    }
    state->v[0] |= 1; /* all zeros would stay so */
    skipahead(offset, state);
}

/* ---- Philox ---------------------------------------------------------------------------------- */

__BANKSIM_BOTH uint4 __banksim_philox(uint4 c, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long x = (unsigned long long)0xd2511f53 * c.x;
        unsigned long long z = (unsigned long long)0xcd9e8d57 * c.z;
        c = {(unsigned)(z >> 32) ^ c.y ^ key.x, (unsigned)z, (unsigned)(x >> 32) ^ c.w ^ key.y,
             (unsigned)x};
        key = {key.x + 0x9e3779b9, key.y + 0xbb67ae85};
    }
    return c;
}

/* n fours on; the counter's upper half is the sequence. */
__BANKSIM_BOTH void __banksim_count(curandStatePhilox4_32_10 *state, unsigned long long n)
{
    unsigned long long low = state->counter.x | (unsigned long long)state->counter.y << 32;
    unsigned long long high = state->counter.z | (unsigned long long)state->counter.w << 32;
    high += low + n < low;
    low += n;
    state->counter = {(unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32)};
    state->numbers = __banksim_philox(state->counter, state->key);
}

__BANKSIM_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    state->used += (unsigned)(n % 4);
    __banksim_count(state, n / 4 + state->used / 4);
    state->used %= 4;
}

__BANKSIM_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
                                unsigned long long offset, curandStatePhilox4_32_10 *state)
{
    *state = {};
    state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
    state->counter.z = (unsigned)sequence;
    state->counter.w = (unsigned)(sequence >> 32);
    skipahead(offset, state);
}

__BANKSIM_BOTH unsigned curand(curandStatePhilox4_32_10 *state)
{
    uint4 four = state->numbers;
    unsigned number = state->used == 0   ? four.x
                      : state->used == 1 ? four.y
                      : state->used == 2 ? four.z
                                         : four.w;
    if (++state->used == 4) {
        __banksim_count(state, 1);
        state->used = 0;
    }
    return number;
}
__BANKSIM_BOTH uint4 curand4(curandStatePhilox4_32_10 *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state);
    return {x, y, z, curand(state)};
}

/* ---- distributions --------------------------------------------------------------------------- */

/* Above 0, up to 1. */
__BANKSIM_BOTH float __banksim_uniform(unsigned x)
{
    return __builtin_fmaf((float)x, 0x1p-32f, 0x1p-33f);
}
/* The radius and angle of Box and Muller. */
__BANKSIM_DEVICE float2 __banksim_normal(unsigned x, unsigned y)
{
    float radius = sqrtf(-2 * logf(__banksim_uniform(x))), sine, cosine;
    sincosf(6.2831853071795865f * __banksim_uniform(y), &sine, &cosine);
    return {radius * sine, radius * cosine};
}
__BANKSIM_DEVICE double2 __banksim_normal(double x, double y)
{
    double radius = sqrt(-2 * log(x)), sine, cosine;
    sincos(6.283185307179586 * y, &sine, &cosine);
    return {radius * sine, radius * cosine};
}

#define __BANKSIM_RANDOM(state_type)                                                         \
    __BANKSIM_BOTH float curand_uniform(state_type *state)                                   \
    {                                                                                        \
        return __banksim_uniform(curand(state));                                             \
    }                                                                                        \
    __BANKSIM_BOTH double curand_uniform_double(state_type *state)                           \
    {                                                                                        \
        unsigned x = curand(state), y = curand(state);                                       \
        return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;                \
    }                                                                                        \
    __BANKSIM_DEVICE float2 curand_normal2(state_type *state)                                \
    {                                                                                        \
        unsigned x = curand(state), y = curand(state);                                       \
        return __banksim_normal(x, y);                                                       \
    }                                                                                        \
    __BANKSIM_DEVICE double2 curand_normal2_double(state_type *state)                        \
    {                                                                                        \
        double x = curand_uniform_double(state);                                             \
        return __banksim_normal(x, curand_uniform_double(state));                            \
    }                                                                                        \
    __BANKSIM_DEVICE float curand_normal(state_type *state)                                  \
    {                                                                                        \
        __banksim_normals *normals = &state->normals;                                        \
        normals->has_float = !normals->has_float;                                            \
        if (!normals->has_float) {                                                           \
            return normals->left;                                                            \
        }                                                                                    \
        float2 two = curand_normal2(state);                                                  \
        normals->left = two.y;                                                               \
        return two.x;                                                                        \
    }                                                                                        \
    __BANKSIM_DEVICE double curand_normal_double(state_type *state)                          \
    {                                                                                        \
        __banksim_normals *normals = &state->normals;                                        \
        normals->has_double = !normals->has_double;                                          \
        if (!normals->has_double) {                                                          \
            return normals->left_double;                                                     \
        }                                                                                    \
        double2 two = curand_normal2_double(state);                                          \
        normals->left_double = two.y;                                                        \
        return two.x;                                                                        \
    }                                                                                        \
    __BANKSIM_DEVICE float curand_log_normal(state_type *state, float mean, float deviation) \
    {                                                                                        \
        return expf(mean + deviation * curand_normal(state));                                \
    }                                                                                        \
    __BANKSIM_DEVICE double curand_log_normal_double(state_type *state, double mean,         \
                                                     double deviation)                       \
    {                                                                                        \
        return exp(mean + deviation * curand_normal_double(state));                          \
    }
__BANKSIM_RANDOM(curandStateXORWOW)
__BANKSIM_RANDOM(curandStatePhilox4_32_10)

__BANKSIM_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    uint4 four = curand4(state);
    return {__banksim_uniform(four.x), __banksim_uniform(four.y), __banksim_uniform(four.z),
            __banksim_uniform(four.w)};
}
__BANKSIM_DEVICE float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return {a.x, a.y, b.x, b.y};
}

__BANKSIM_OWN_LINES

/* Says so before the program begins. */
static const int __banksim_random_is_other = __banksimRandomIsOther();

#endif
