/* What a loop counts up to a constant is compared with others in a turn: nvcc knows where it lies. Above each kernel a
 * launch; test_cuda_kernels holds them to nvcc's PTX, and its branches.
 *
 *     nvcc 13.0.88, 2026-11-28: nvcc -arch=compute_90 -lineinfo -ptx -o counted.ptx counted.cu
 */

/* above_all<<<2, 64>>>(float[128], 3) */
__global__ void above_all(float *out, int m)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float sum = 0;
    s[t] = t;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 3; j++) {
        if (j <= 2) sum += s[t + j];
        if (j == 3) sum *= s[t + 7] + s[t + m];
        if (4 < j) sum *= s[t + 8] + s[t + m];
        if (j < 0) sum *= s[t + 9] + s[t + m];
        s[t + 5] = sum;
    }
    out[t] = sum;
}

/* reflected<<<2, 64>>>(float[128], 5) */
__global__ void reflected(float *out, int rounds)
{
    __shared__ float s[64 * 17];
    int t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        s[t * 17 + i] = t * i & 7;
    for (int r = 0; r < rounds; r++)
#pragma unroll 1
        for (int j = 0; j < 3; j++) {
            float v[4], sum = 0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                v[i] = i >= j ? s[t * 17 + i * 4 + j] : 0.0f;
                sum += v[i] * v[i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                if (i == j) v[i] += sum;
                s[t * 17 + j * 4 + i] = v[i] * 0.5f;
            }
        }
    out[t] = s[t * 17 + 5];
}

/* below_all<<<2, 64>>>(float[128], 3) */
__global__ void below_all(float *out, int m)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float sum = 1;
    s[t] = t;
    __syncthreads();
#pragma unroll 1
    for (int j = 2; j < 12; j += 3) {
        if (j < 2) sum *= s[t + 9] + s[t + m];
        if (j != 1) sum += s[t + j];
        if (j > 7) sum *= s[t + 8] + s[t + m];
        s[t + 5] = sum;
    }
    out[t] = sum;
}
