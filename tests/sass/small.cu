/* small.cu - one kernel, whose machine code is spoilt in several ways: ../golden/launch_sass_refused.cmd. */

/* turn<<<1, 32>>>(int[32] = iota, int[32], 3) */
/* turn<<<1, 32>>>(int[32] = iota, int[32] = random, 7) */
extern "C" __global__ void turn(const int *a, int *out, int n)
{
    __shared__ int s[32];
    int i = threadIdx.x;
    s[i] = a[i] * n;
    __syncthreads();
    int x = s[31 - i];
    if (n == 7) {
        x = (int)__brev(x ^ atomicExch(&out[i], 5));
    }
    out[i] = x;
}
