/* Loops whose conditions count, of which turns become one: the condition is asked once for these, and what it does besides is
 * done in each. Above each kernel a launch; test_cuda_kernels holds them to nvcc's PTX.
 *
 *     nvcc 13.0.88, 2026-11-28: nvcc -arch=compute_90 -lineinfo -ptx -o falls.ptx falls.cu
 */

/* down<<<1, 64>>>(int[64], int[64]) */
__global__ void down(int *out, int *last)
{
    int t = threadIdx.x, v = t;
    unsigned i = 512;
    while (i--) v = v * 3 + (i == 0) + 5 * (i == 8) + 7 * (i == 511);
    out[t] = v;
    last[t] = (int)i;
}

/* bytes<<<1, 64>>>(int[64], int[64]) */
__global__ void bytes(int *out, int *last)
{
    int t = threadIdx.x, v = t;
    unsigned char i = 203;
    while (i-- > 0) v = v * 3 + (i == 0) + 5 * (i & 3);
    out[t] = v;
    last[t] = i;
}

/* behind<<<1, 64>>>(int[64], int[64]) */
__global__ void behind(int *out, int *last)
{
    int t = threadIdx.x, v = t, i = 600;
    do v = v * 3 + (i == 1) + 5 * (i == 597); while (--i);
    out[t] = v;
    last[t] = i;
}

/* below<<<1, 64>>>(int[64], int[64], 30) */
__global__ void below(int *out, int *last, int n)
{
    int t = threadIdx.x, v = t, i = n;
    while (--i > 0) v = v * 3 + i;
    out[t] = v;
    last[t] = i;
}

/* up<<<1, 64>>>(int[64], int[64], 28) */
__global__ void up(int *out, int *last, int n)
{
    int t = threadIdx.x, v = t, i = 0;
    while (++i < n) v = v * 3 + (i == 3) + 2 * i;
    out[t] = v;
    last[t] = i;
}

/* in_another<<<1, 64>>>(int[64], int[64], 7) */
__global__ void in_another(int *out, int *last, int n)
{
    int t = threadIdx.x, v = t, i = 0;
#pragma unroll 1
    for (int o = 0; o < n; o++) {
        i = o & 1;
        while ((i += 8) < 50 * n) v = v * 3 + i;
    }
    out[t] = v;
    last[t] = i;
}

/* of_both<<<1, 64>>>(int[64], int[64], int[64] = iota, 29) */
__global__ void of_both(int *out, int *last, const int *in, int n)
{
    int t = threadIdx.x, v = t, i = 0, m = 0;
    while ((m++, i++) < 100) v = v * 3 + in[i & 7] + m;
    while (n < (i -= 2)) v = v * 5 + i;
    out[t] = v + m;
    last[t] = i;
}
