/* stays.cu - lowest bits of what turns add to that are the same in all turns, where these are one; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o stays.ptx stays.cu
 */
#define KERNEL(name, loop, index)                                                                  \
    __global__ void name(int *out, const int *in, int n, int m)                                    \
    {                                                                                              \
        __shared__ int s[1024];                                                                    \
        int t = threadIdx.x, y = threadIdx.y;                                                      \
        for (int i = y * 32 + t; i < 1024; i += 128) s[i] = in[i];                                 \
        __syncthreads();                                                                           \
        for loop {                                                                                 \
            s[(index) * 32 + t] += i;                                                              \
            s[i * 64 + 32 + t] = i;                                                                \
        }                                                                                          \
        __syncthreads();                                                                           \
        out[y * 32 + t] = s[y * 32 + t];                                                           \
    }

/* masked<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked, (int i = y; i < n; i += 4), i & 3)

/* masked_sum<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked_sum, (int i = y; i < n; i += 4), i + m & 7)

/* masked_sum_of_one<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked_sum_of_one, (int i = y; i < n; i++), i + m & 3)

/* masked_product<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked_product, (int i = y; i < n; i += 4), i * 5 + 3 & 3)

/* masked_difference<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked_difference, (int i = y; i < n; i += 4), m - i & 3)

/* masked_higher<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(masked_higher, (int i = y; i < n; i += 4), i & 31)

/* compared<<<1, dim3(32, 4)>>>(int[128], int[1024] = random(1), 13, 5) */
KERNEL(compared, (int i = y; i < n; i++), (i * 5 + m & 3) == (t & 3) ? 1 : 0)
