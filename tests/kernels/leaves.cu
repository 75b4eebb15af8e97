/* leaves.cu - loops that are left by what memory says, besides by a count: made straight code where two branches stand in
 * them, not where there is one; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o leaves.ptx leaves.cu
 */
#define KERNEL(name, loop)                                                                         \
    __global__ void name(int *out, const int *in, int m)                                           \
    {                                                                                              \
        __shared__ int s[128];                                                                     \
        int t = threadIdx.x, f = 0, k = 0;                                                         \
        s[t] = in[t] & 63;                                                                         \
        s[t + 32] = in[t + 32] & 63;                                                               \
        s[t + 64] = in[t + 64] & 63;                                                               \
        s[t + 96] = in[t + 96] & 63;                                                               \
        __syncthreads();                                                                           \
        loop;                                                                                      \
        out[t] = f + k;                                                                            \
    }

/* eight<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(eight, while (k < 8 && s[t + k] != m) k++)

/* sixty<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(sixty, while (k < 60 && s[t + k] != m) k++)

/* both<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(both, for (; k < 6 && s[t + k] != m && s[t + k + 40] != m; k++) f += k)

/* found<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(found, for (; k < 4 && !f; k++) f = s[s[t * 2 + k]] == m)

/* found_first<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(found_first, for (; !f && k < 4; k++) f = s[s[t * 2 + k]] == m)

/* sum<<<1, 32>>>(int[32], int[128] = random(1), 70) */
KERNEL(sum, for (; k < 8 && f < m; k++) f += s[t + k])

/* continued<<<1, 32>>>(int[32], int[128] = random(1), 7) */
KERNEL(continued, for (; k < 5 && s[t + k] != m; k++) {
    if (s[t + k] & 1) continue;
    f += k;
})
