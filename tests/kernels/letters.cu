/* Bytes, of which the index counts what the address moves by: nvcc adds the counter to where they begin in each turn, and
 * where a way of a branch wants it alone there. Above each kernel a launch; test_cuda_kernels holds them to nvcc's PTX.
 *
 *     nvcc 13.0.88, 2026-11-28: nvcc -arch=compute_90 -lineinfo -ptx -o letters.ptx letters.cu
 */

/* ways<<<2, 64>>>(int[128], 13, 0x155) */
__global__ void ways(int *out, int n, unsigned k)
{
    __shared__ unsigned char s[2304];
    int t = threadIdx.x, sum = t;
    s[t] = t;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++)
        if (k >> i & 1) s[t * 32 + i] = sum;
        else sum = sum * 3 ^ s[t * 32 + i + 9];
    out[t] = sum;
}

/* from_one<<<2, 64>>>(int[128], 30) */
__global__ void from_one(int *out, int n)
{
    __shared__ unsigned char s[2304];
    int t = threadIdx.x, last = 0, run = 0;
    s[t] = t;
    __syncthreads();
#pragma unroll 1
    for (int i = 1; i < n; i++) {
        int c = s[t * 32 + i];
        if (c == last) run++;
        else s[t * 32 + i] = run;
        last = c;
    }
    out[t] = run;
}

/* beside_words<<<2, 64>>>(int[128], 30) */
__global__ void beside_words(int *out, int n)
{
    __shared__ unsigned char s[2304];
    __shared__ int w[2304];
    int t = threadIdx.x, sum = 0;
    s[t] = t;
    w[t] = t;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++)
        if (w[t * 32 + i] > sum) s[t * 32 + i] = 1;
        else sum = sum * 3 ^ s[t * 32 + i];
    out[t] = sum;
}
