/* kept.cu - a place that a loop has in a register, at an index that was loaded itself,
 * or is a product; and one that both ways of a branch may have; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o kept.ptx kept.cu
 */
/* at_a_short<<<1, 64>>>(int[512], int[64] = random(7)) */
__global__ void at_a_short(int *out, const int *in)
{
    __shared__ int s[64][9];
    __shared__ short h[64][10];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) s[t][i] = 5;
    for (int i = 0; i < 8; i++) h[t][i] = t * 5 + i;
    for (int i = t; i < 192; i += 64) s[t][h[t][t & 7] & 7] = t;
    for (int i = 0; i < 8; i++) out[t * 8 + i] = s[t][i];
}
/* at_a_byte_of_it<<<1, 32>>>(int[64], 1) */
__global__ void at_a_byte_of_it(int *out, int n)
{
    __shared__ short h[64];
    __shared__ int s[64];
    int t = threadIdx.x;
    h[t] = t * 77 + 200;
    s[t] = t;
    __syncthreads();
    unsigned char v = t;
    for (int i = n - 1; i >= 0; i--) {
        v = h[t];
        s[(signed char)v & 31] = t;
    }
    __syncthreads();
    out[t] = s[t];
}
/* at_what_is_at_a_short<<<1, 64>>>(int[512], int[64] = random(7), 20) */
__global__ void at_what_is_at_a_short(int *out, const int *in, int n)
{
    __shared__ int s[64][9], r[64][9];
    __shared__ short h[64][10];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) s[t][i] = 5;
    for (int i = 0; i < 8; i++) r[t][i] = in[i * 8 + (t & 7)];
    for (int i = 0; i < 8; i++) h[t][i] = t * 3 + i;
#pragma unroll 1
    for (int i = 0; i < n; i++) s[t][r[t][h[t][t & 7] & 7] & 7] = t;
    for (int i = 0; i < 8; i++) out[t * 8 + i] = s[t][i];
}
/* at_a_product<<<1, 64>>>(int[640], 5) */
__global__ void at_a_product(int *out, int n)
{
    __shared__ int h[64][9];
    int t = threadIdx.x, v = -t;
    for (int i = 0; i < 8; i++) h[t][i] = t * 3 + i;
    for (int i = 0; i < n; i++) {
        int x = (v * 2) & 0xffff;
        h[t][(x * 2) & 7] = i;
    }
    out[t] = h[t][n & 4];
    out[512 + t] = v;
}
/* at_one_of_two<<<1, 64>>>(int[128], 5) */
__global__ void at_one_of_two(int *out, int n)
{
    __shared__ int s[128], h[66];
    int t = threadIdx.x;
    for (int i = t; i < 66; i += 64) h[i] = (i * 5 + n) & 63;
    s[t] = s[t + 64] = 1;
    __syncthreads();
    if (t < n) { int a = h[t], b = h[t + 1]; s[a + 64] = b; } else { int a = h[t], b = h[t + 1]; s[b + 64] = a; }
    __syncthreads();
    out[t] = s[t];
    out[t + 64] = s[t + 64];
}
/* behind_a_barrier<<<1, 64>>>(int[512], int[64] = random(7)) */
__global__ void behind_a_barrier(int *out, const int *in)
{
    __shared__ int s[64][9];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) s[t][i] = i + 70;
    for (int i = 1; i < 16; i *= 3) {
        __syncthreads();
        s[t][in[t] & 7] = t;
    }
    for (int i = 0; i < 8; i++) out[t * 8 + i] = s[t][i];
}
/* beside_another<<<1, 64>>>(int[1024]) */
__global__ void beside_another(int *out)
{
    __shared__ unsigned char c[64][12];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) c[t][i] = i;
    for (size_t i = 0; i < (size_t)12; i += 4) {
        int w = c[t][1];
        out[t * 16 + w] = t;
        c[t][t & 7] = 9;
    }
    for (int i = 0; i < 8; i++) out[t * 16 + 8 + (c[t][i] & 7)] = i;
}
