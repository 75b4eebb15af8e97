/* numbers.cu - divisions by constants, reciprocals and expf, whose instructions and bits are nvcc's. Above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o numbers.ptx numbers.cu
 */

/* exponential<<<4, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void exponential(const float *in, float *x)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    x[i] = expf(((int)i - 512) * 0.21f + in[i]);
}

/* saturated<<<4, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void saturated(const float *in, float *x)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    x[i] = __saturatef(in[i] * 3 - 1);
}

/* reciprocal<<<1, 256>>>(float[1024] = random(3), float[1024]) */
__global__ void reciprocal(const float *in, float *x)
{
    x[threadIdx.x] = 1 / in[threadIdx.x];
}

/* reciprocal_of_double<<<1, 256>>>(float[1024] = random(3), double[1024]) */
__global__ void reciprocal_of_double(const float *in, double *x)
{
    x[threadIdx.x] = 1 / (double)in[threadIdx.x];
}

/* divided<<<1, 64>>>(int[64] = random(3), int[256]) */
__global__ void divided(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x] - 40;
    __syncthreads();
    int x = s[63 - threadIdx.x];
    out[threadIdx.x] = x / 7;
    out[threadIdx.x + 64] = x % 7;
    out[threadIdx.x + 128] = s[threadIdx.x / 3] + s[threadIdx.x % 28];
    out[threadIdx.x + 192] = x / -5 + x % 1000;
}
