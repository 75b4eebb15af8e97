/* heavy.cu - what nvcc leaves to a branch, as it is a function or a division, and what it computes in any case; above each
 * kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o heavy.ptx heavy.cu
 */
#define REAL(name, value)                                                                          \
    __global__ void name(float *out, int n, int m, float f, float g)                               \
    {                                                                                              \
        int t = threadIdx.x;                                                                       \
        out[t] = t == n ? 4.0f : value;                                                            \
    }
#define WHOLE(name, value)                                                                         \
    __global__ void name(int *out, int n, int m, float f, float g)                                 \
    {                                                                                              \
        int t = threadIdx.x;                                                                       \
        out[t] = t == n ? 4 : value;                                                               \
    }

/* reciprocal<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(reciprocal, 1.0f / (m + t))

/* quotient<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(quotient, g / f)

/* root<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(root, sqrtf(f))

/* magnitude<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(magnitude, fabsf(f))

/* larger<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(larger, fmaxf(f, g))

/* fused<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(fused, fmaf(f, g, 2.0f))

/* sum<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(sum, (f + g) * f + 2)

/* five<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(five, ((f + g) * f + 2) * g + 3)

/* six<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(six, (((f + g) * f + 2) * g + 3) * f)

/* number<<<1, 32>>>(float[32], 3, 5, 2.0, 3.0) */
REAL(number, (float)(m + t))

/* divided<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(divided, n / m)

/* third<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(third, m / 3)

/* rest<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(rest, m % 3)

/* product<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(product, m * n)

/* cut<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(cut, (int)f)

/* least<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(least, max(0, min(m, t)))

/* upper<<<1, 32>>>(int[32], 3, 5, 2.0, 3.0) */
WHOLE(upper, __mulhi(m, t))
