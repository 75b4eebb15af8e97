/* shifts.cu - differences times powers of two, which nvcc multiplies out, and what it shifts inside of them. Above
 * each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o shifts.ptx shifts.cu
 */
__device__ void fill(float *s, const float *in)
{
    for (int i = 0; i < 8; i++) {
        s[(threadIdx.x + 32 * threadIdx.y + 256 * i) & 2047] = in[threadIdx.x + 32 * threadIdx.y + 64 * i];
    }
    __syncthreads();
}

/* times_four<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void times_four(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - t) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* shifted_by_two<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void shifted_by_two(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[((255 - t) << 2) + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* times_twelve<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void times_twelve(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[12 * t] + in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(63 - t) * 12 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* times_two_twice<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void times_two_twice(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t] + in[8 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(63 - t) * 4 * 2 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* sum_between<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void sum_between(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t] + in[8 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[((63 - t) * 4 + 8) * 2 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* product_within<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void product_within(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(100 - t * 2) * 2 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* constant_within<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void constant_within(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[1020 - (t + 5) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* of_parameter<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64], 70) */
__global__ void of_parameter(const float *in, float *out, int n)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(n - t) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* of_unsigned<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void of_unsigned(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(100u - threadIdx.x) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* minus_counter<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void minus_counter(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - t - i) * 4];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* negative<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void negative(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[-t * 4 + 252 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* negative_of_sum<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void negative_of_sum(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    int ly = threadIdx.y;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(ly - (t + ly)) * 4 + 1024 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* inverted<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void inverted(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[~t * 4 + 256 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* shifted_right<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void shifted_right(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - (t >> 1)) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* divided<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void divided(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - t / 4) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* masked<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void masked(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[1020 - (t & 15) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* mask_of_all<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void mask_of_all(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - (t & 15)) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* with_bit<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void with_bit(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - (t | 64)) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* with_bits_turned<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void with_bits_turned(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[1020 - (t ^ 5) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* times_three<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void times_three(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - t * 3) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* sum_found_again<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void sum_found_again(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    int ly = threadIdx.y;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[(255 - (ly * 32 + t)) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* wanted_itself<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void wanted_itself(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[r] + in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[r * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* wanted_as_number<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void wanted_as_number(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t] + r;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[r * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* wanted_as_condition<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void wanted_as_condition(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t];
    if (r > 240) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            acc += s[r * 4 + i];
        }
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* two_products<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void two_products(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[r * 4 + i] + s[r * 8 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* product_wanted_itself<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void product_wanted_itself(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = (255 - t) * 4;
    acc += in[4 * t] + r;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[r * 2 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* product_of_wanted<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void product_of_wanted(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t] + r;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += s[r * 2 * 2 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* on_both_ways<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void on_both_ways(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    int ly = threadIdx.y;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t];
    if (ly) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            acc += s[r * 4 + i];
        }
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            acc += s[r * 4 + 512 + i];
        }
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* on_two_ways<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void on_two_ways(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    int r = 255 - t;
    acc += in[4 * t];
    if (acc > 2) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            acc += s[r * 4 + i];
        }
    }
    if (acc > 1) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            acc += s[r * 4 + 512 + i];
        }
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* scale_of_address<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void scale_of_address(const float *in, float *out)
{
    __shared__ float s[8192];
    float (*m)[32] = (float (*)[32])s;
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += m[63 - t][i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* row_and_column<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void row_and_column(const float *in, float *out)
{
    __shared__ float s[8192];
    float (*m)[32] = (float (*)[32])s;
    int t = threadIdx.x;
    int ly = threadIdx.y;
    float acc = 0;
    fill(s, in);
    acc += in[4 * t] + in[8 * t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        acc += m[ly][(7 - (t >> 2 & 7)) * 4 + i];
    }
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* of_doubles<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void of_doubles(const float *in, float *out)
{
    __shared__ float s[8192];
    double *d = (double *)s;
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    acc += in[2 * t];
    acc += d[(63 - t) * 2] + d[(63 - t) * 2 + 1];
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* bytes_before<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void bytes_before(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
    const char *p = (const char *)s + 64;
    acc += p[-t] + p[-t + 1];
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

/* stored<<<1, dim3(32, 2)>>>(float[8192] = random(3), float[64]) */
__global__ void stored(const float *in, float *out)
{
    __shared__ float s[8192];
    int t = threadIdx.x;
    float acc = 0;
    fill(s, in);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        s[508 - t * 4 + i] = in[4 * t + i];
    }
    __syncthreads();
    acc += s[t];
    out[threadIdx.x + 32 * threadIdx.y] = acc;
}

