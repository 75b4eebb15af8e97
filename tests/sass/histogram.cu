/* histogram.cu - atomics in shared memory that ptxas makes loops of, in loops of the kernel's own, and with values that it knows. */
#include "words.cuh"

/* turns<<<1, 64>>>(float[128] = random(1), int[64] = random(2), float[64] = random(3), 9) */
extern "C" __global__ void turns(float *out, const int *index, const float *v, int n)
{
    BEGIN(float)
    for (int i = 0; i < n; i++) {
        atomicAdd(&words[(t * 16) & 127], v[i]);
        if (v[i] > 0.5f) {
            atomicAdd(&words[k + 3], v[i + 1]);
        }
    }
    END
}

/* rows<<<1, 64>>>(double[128] = random(1), int[64] = random(2), double[64] = random(3), 5) */
extern "C" __global__ void rows(double *out, const int *index, const double *v, int n)
{
    BEGIN(double)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < (index[i] & 3); j++) {
            atomicAdd(&words[(t & 7) * 16 + i], v[j]);
        }
        switch (index[i + 1] & 7) {
        case 0: atomicAdd(&words[k], v[i]); break;
        case 1: case 2: atomicAdd(&words[k * 2], v[i]); break;
        case 5: atomicAdd(&words[k + 1], v[i]); break;
        default: atomicAdd(&words[k * 2 + 1], v[t]);
        }
    }
    END
}

/* known<<<1, 64>>>(unsigned long[192] = random(1), int[64] = random(2), 7) */
extern "C" __global__ void known(unsigned long long *out, const int *index, int n)
{
    BEGIN(unsigned long long)
    atomicAdd(&words[k], 3ull);
    atomicAdd(&words[k + 1], 0xffffffffffffff00ull);
    atomicAdd(&words[k + 2], 5ull << 32);
    atomicAdd(&words[k + 3], (unsigned long long)(unsigned)index[t]);
    atomicAdd(&words[k + 4], (unsigned long long)index[t]);
    atomicAdd(&words[k + 5], (unsigned long long)(unsigned)index[t] << 32);
    atomicAdd(&words[k + 6], (unsigned long long)n);
    atomicAdd(&words[k + 7], (unsigned long long)index[t] * index[n] << 3);
    out[128 + t] = atomicAdd(&words[k + 8], 1ull);
    END
}

/* masks<<<1, 64>>>(unsigned long[192] = random(1), int[64] = random(2)) */
extern "C" __global__ void masks(unsigned long long *out, const int *index)
{
    BEGIN(unsigned long long)
    atomicXor(&words[k + 1], 1ull << 40);
    atomicXor(&words[k + 2], 3ull);
    atomicXor(&words[k + 3], ~0ull);
    atomicXor(&words[k + 4], (unsigned long long)(unsigned)index[t]);
    atomicOr(&words[k + 5], 1ull);
    atomicOr(&words[k + 6], 1ull << 63);
    atomicOr(&words[k + 7], ~0xffull);
    atomicOr(&words[k + 8], 1ull << (t & 63));
    atomicAnd(&words[k + 9], ~7ull);
    atomicAnd(&words[k + 10], 0xffffff00ull);
    atomicAnd(&words[k + 11], 0xfffffff00000000full);
    atomicAnd(&words[k + 12], 0xffffffff00000000ull);
    out[128 + t] = atomicAnd(&words[k + 13], (unsigned long long)(unsigned)index[t]);
    END
}

/* bounds<<<1, 64>>>(long[128] = random(1), int[64] = random(2)) */
extern "C" __global__ void bounds(long long *out, const int *index)
{
    BEGIN(long long)
    unsigned long long *same = (unsigned long long *)words;
    atomicMin(&words[k], 5ll);
    atomicMin(&words[k + 3], -5ll);
    atomicMax(&words[k + 6], -1ll);
    atomicMax(&words[k + 9], 1ll << 40);
    atomicMin(&words[k + 12], (long long)index[t]);
    atomicMax(&words[k + 15], (long long)index[t + 1 & 63] << 20);
    atomicMin(&same[k + 18], 0xffffffffull);
    atomicMax(&same[k + 21], 0x8000000000000000ull);
    atomicMin(&same[k + 24], (unsigned long long)(unsigned)index[t]);
    atomicMax(&same[k + 27], (unsigned long long)(unsigned)index[t] << 32);
    atomicMax(&words[k + 30], 0ll);
    END
}
