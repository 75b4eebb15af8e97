/* lowest.cu - indices of which the bits that count are known; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o lowest.ptx lowest.cu
 */
#define LOWS(NAME, INDEX)                                                                          \
    __global__ void NAME(int *out, const int *in, int n)                                           \
    {                                                                                              \
        __shared__ int s[64][9];                                                                   \
        int t = threadIdx.x;                                                                       \
        for (int i = 0; i < 8; i++) s[t][i] = in[i * 8 + (t & 7)];                                 \
        __syncthreads();                                                                           \
        out[t + 512] = s[t][INDEX];                                                                \
        for (int i = 0; i < 8; i++) out[t * 8 + i] = s[t][i];                                      \
    }

/* of_a_sum_that_carries<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_a_sum_that_carries, (((n * 2 & 0xffff) * 2 + 1 & 0xffff) * 2 + 2) & 7)
/* of_a_product<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_a_product, (n * 8 + 3) * 5 & 7)
/* of_a_difference<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_a_difference, (13 - n * 4) & 3)
/* of_two_joined<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_two_joined, ((n * 4 + 3) ^ (t * 8 + 5)) & 3)
/* of_one_more<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_one_more, (n * 4 + 1) & 7)
/* of_nothing<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_nothing, ((n >> 0 << 0) - n) & 7)
/* of_itself<<<1, 64>>>(int[576], int[64] = random(7), 5) */
LOWS(of_itself, ((n ^ n) + 2) | (n & n & 1) - (n | n) + n & 1)
