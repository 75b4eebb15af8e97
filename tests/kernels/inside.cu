/* inside.cu - constants that nvcc leaves in an index, so that what was loaded may be another after a store, and such as it
 * takes out; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o inside.ptx inside.cu
 */
#define KERNEL(name, loaded, stored)                                                               \
    __global__ void name(int *out, const int *in, int n, int m)                                    \
    {                                                                                              \
        __shared__ int s[2048];                                                                    \
        int t = threadIdx.x, y = threadIdx.y;                                                      \
        unsigned un = n, um = m;                                                                   \
        for (int i = t; i < 2048; i += 32) s[i] = in[i];                                           \
        __syncthreads();                                                                           \
        int x = s[loaded];                                                                         \
        s[stored] = n;                                                                             \
        out[t] = x;                                                                                \
        out[t + 32] = s[loaded] + un + um + y;                                                     \
    }

/* quads<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(quads, (y * 4 + 1) * 17 + n, (y * 4 + 2) * 17 + n)

/* quads_of_quads<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(quads_of_quads, (y * 4 + 1) * 130 + t * 4, (y * 4 + 2) * 130 + t * 4)

/* whole_quads<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(whole_quads, (y * 4 + 8) * 130 + t * 4, (y * 4 + 4) * 130 + t * 4)

/* row_alone<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(row_alone, (n * 4 + 1) * 130, (n * 4 + 2) * 130)

/* column_outside<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(column_outside, (n * 4 + 1) * 130 + t + 1, (n * 4 + 1) * 130 + t)

/* number_last<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(number_last, m + (n + 1), m + (n + 2))

/* number_first<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(number_first, n + 1 + m, n + 2 + m)

/* number_outside<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(number_outside, n + m + 1, n + m + 2)

/* product<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(product, (n + 1) * 3 + m, (n + 2) * 3 + m)

/* product_alone<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(product_alone, (n + 1) * 3, (n + 2) * 3)

/* powers<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(powers, (n + 1) * 16 + m * 4, (n + 2) * 16 + m * 4)

/* both<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(both, (n + 1) * 16 + (t + 1), (n + 1) * 16 + (t + 2))

/* both_rows<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(both_rows, (n + 1) * 16 + (t + 1), (n + 2) * 16 + (t + 1))

/* one_of_both<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(one_of_both, (n + 1) * 16 + (t + 1), (n + 1) * 16 + t)

/* both_or_none<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(both_or_none, (m + 1) * 17 + (n + 1), m * 17 + n)

/* shifted<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(shifted, ((n * 4 + 1) << 5) + t, ((n * 4 + 2) << 5) + t)

/* even_column<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(even_column, n * 3 + (m * 4 + 1), n * 3 + (m * 4 + 2))

/* unsigned_first<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(unsigned_first, un + 1 + um, un + 2 + um)

/* unsigned_last<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(unsigned_last, um + (un + 1), um + (un + 2))

/* unsigned_product<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(unsigned_product, (un + 1) * 17 + um, (un + 2) * 17 + um)

/* unsigned_both<<<1, 32>>>(int[64], int[2048] = random(1), 3, 5) */
KERNEL(unsigned_both, (un + 1) * 16 + (um + 1), (un + 2) * 16 + (um + 1))
