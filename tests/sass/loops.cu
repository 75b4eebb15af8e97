/* loops.cu - atomics in shared memory that ptxas makes loops of (ATOMS.CAST.SPIN). */
#include "words.cuh"

/* floats<<<1, 64>>>(float[128] = random(1), int[64] = random(2), float[68] = random(3)) */
extern "C" __global__ void floats(float *out, const int *index, const float *v)
{
    BEGIN(float)
    atomicAdd(&words[k], v[t]);
    atomicAdd(&words[k + 1], -v[t + 1]);
    atomicAdd(&words[k + 32], 1.5f);
    if (v[t] > 0.5f) {
        atomicAdd(&words[k + 64], v[t] * v[t + 2]);
    } else {
        atomicAdd(&words[k * 2 + 1], v[t + 3]);
    }
    atomicAdd(&words[7], v[t]);
    for (int i = 0; i < 4; i++) {
        atomicAdd(&words[(t & 15) * 8 + i], v[t]);
    }
    END
}

/* given<<<1, 64>>>(float[320] = random(1), int[64] = random(2), float[64] = random(3)) */
extern "C" __global__ void given(float *out, const int *index, const float *v)
{
    BEGIN(float)
    float was = atomicAdd(&words[k], v[t]);
    out[128 + t] = was;
    out[192 + t] = was + v[t];
    out[256 + t] = atomicAdd(&words[9], was);
    END
}

/* pairs<<<1, 64>>>(double[192] = random(1), int[64] = random(2), double[65] = random(3)) */
extern "C" __global__ void pairs(double *out, const int *index, const double *v)
{
    BEGIN(double)
    atomicAdd(&words[k], v[t]);
    out[128 + t] = atomicAdd(&words[k + 1], v[t + 1]);
    atomicAdd(&words[3], 0.1);
    END
}

/* bits<<<1, 64>>>(unsigned long[192] = random(1), int[64] = random(2), unsigned long[68] = random(3)) */
extern "C" __global__ void bits(unsigned long long *out, const int *index, const unsigned long long *v)
{
    BEGIN(unsigned long long)
    atomicAdd(&words[k], v[t]);
    atomicAnd(&words[k + 32], v[t + 1]);
    atomicOr(&words[k + 64], v[t + 2]);
    out[128 + t] = atomicXor(&words[k + 1], v[t + 3]);
    END
}

/* orders<<<1, 64>>>(long[128] = random(1), int[64] = random(2), long[68] = random(3)) */
extern "C" __global__ void orders(long long *out, const int *index, const long long *v)
{
    BEGIN(long long)
    unsigned long long *same = (unsigned long long *)words;
    atomicMin(&words[k], v[t]);
    atomicMax(&words[k + 32], v[t + 1]);
    atomicMin(&same[k + 64], (unsigned long long)v[t + 2]);
    atomicMax(&same[k + 1], (unsigned long long)v[t + 3]);
    END
}
