/* lows.cu - what is masked to its lowest bits where it stands, and where it is a variable's value; and signs; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o lows.ptx lows.cu
 */
#define KERNEL(name, first, second)                                                                \
    __global__ void name(int *out, int n, int m)                                                   \
    {                                                                                              \
        int t = threadIdx.x, i = 4 * t + m;                                                        \
        out[t] = first;                                                                            \
        out[t + 64] = second;                                                                      \
    }

/* of_a_multiple<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_a_multiple, (4 * t + m) & 3, 0)

/* of_two_copies<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_two_copies, (4 * t + n) & 3, (4 * t + n) >> 2)

/* of_a_variable<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_a_variable, i & 3, i >> 2)

/* less_a_multiple<<<1, 64>>>(int[128], 7, 5) */
KERNEL(less_a_multiple, (m - 32 * t) & 31, 0)

/* of_an_unsigned_rest<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_an_unsigned_rest, (32 * t + m) % 32u, 0)

/* of_a_mask_within<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_a_mask_within, ((t & 255) + m) & 63, 0)

/* of_a_smaller_mask<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_a_smaller_mask, ((t & 31) + m) & 63, 0)

/* of_an_upper_bit<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_an_upper_bit, ((8 * t | m) ^ (n << 5)) & 7, 0)

/* no_ones_alone<<<1, 64>>>(int[128], 7, 5) */
KERNEL(no_ones_alone, (4 * t + m) & 5, 0)

/* halved<<<1, 64>>>(int[128], 7, 5) */
KERNEL(halved, (n - t) / 2, (n - t) % 2)

/* quartered<<<1, 64>>>(int[128], 7, 5) */
KERNEL(quartered, (n - t) / 4, (m - t) % 4)

/* of_the_sign<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_the_sign, (unsigned)(n - t >> 5) >> 31, (unsigned)(m - t >> 5) >> 30)

/* less_a_product<<<1, 64>>>(int[128], 7, 5) */
KERNEL(less_a_product, m - (t ^ n) * 74, m - (t ^ n) * 5 + (n - t) % 7)

/* less_a_product_that_is_wanted<<<1, 64>>>(int[128], 7, 5) */
KERNEL(less_a_product_that_is_wanted, m - (t ^ n) * 74, (t ^ n) * 74)

/* of_a_negative<<<1, 64>>>(int[128], 7, 5) */
KERNEL(of_a_negative, -(t ^ n) * 38 - (t ^ m) * 6, m - (t ^ n) * 4)
