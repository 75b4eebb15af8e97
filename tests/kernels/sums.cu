/* sums.cu - products that go into sums, and products that stay; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o sums.ptx sums.cu
 */
#define FIVE(T)                                                                                    \
    int t = threadIdx.x;                                                                           \
    T a = in[t], b = in[t + 32], c = in[t + 64], d = in[t + 96], e = in[t + 128]

/* uses<<<1, 32>>>(float[160] = random(7), float[512]) */
__global__ void uses(const float *in, float *out)
{
    FIVE(float);
    float p = a * b, q = b * c, r = c * d, s = d * e;
    out[t] = p + c;
    out[t + 32] = p - d;
    out[t + 64] = q + d;
    out[t + 96] = q + e;
    out[t + 128] = r + a;
    out[t + 160] = r * b;
    out[t + 192] = s;
    out[t + 224] = s + a;
    float five = a * e;
    out[t + 256] = five + b;
    out[t + 288] = five + c;
    out[t + 320] = five + d;
    out[t + 352] = five + 1.0f;
    out[t + 384] = five + 3.0f;
    float four = b * d;
    out[t + 416] = (four + a) * (four + c);
    out[t + 448] = (four + e) / (four + 7.0f);
}

/* pairs<<<1, 32>>>(double[160] = random(3), double[224]) */
__global__ void pairs(const double *in, double *out)
{
    FIVE(double);
    a /= 3, b /= 5, c /= 7, d /= 9, e /= 11; /* all bits of them are of weight */
    out[t] = a * b + c * d;
    out[t + 32] = c * e + a * b;
    out[t + 64] = a * c - b * d;
    out[t + 96] = a * d + b * c;
    out[t + 128] = a * e + b * d + c * c;
    out[t + 160] = (a * c + e) * b - (d * b + a);
    out[t + 192] = d * d + d * d;
}

/* constants<<<1, 32>>>(float[160] = random(5), float[384]) */
__global__ void constants(const float *in, float *out)
{
    FIVE(float);
    out[t] = a / 4.0f + b;
    out[t + 32] = b - c / 8.0f;
    out[t + 64] = a * b - 3.0f;
    out[t + 96] = d - a * 3.0f;
    out[t + 128] = 2.0f * (c * d) - e;
    out[t + 160] = b + a * -5.0f;
    out[t + 192] = a / 3.0f + c;
    float p = b * e;
    out[t + 224] = p * 2.0f;
    out[t + 256] = p + a;
    out[t + 288] = a - 2.0f * b + c;
    out[t + 320] = 1.0f - d * 7.0f;
    out[t + 352] = c / -16.0f + e;
}

/* negations<<<1, 32>>>(float[160] = random(11), float[224]) */
__global__ void negations(const float *in, float *out)
{
    FIVE(float);
    out[t] = -(a * b) + c;
    out[t + 32] = -a * c - b * d;
    out[t + 64] = -(a + b) * c + d;
    out[t + 96] = -a * -b + e;
    out[t + 128] = c - -(d * e);
    out[t + 160] = -(b * c + d);
    out[t + 192] = -a * 3.0f + b;
}

/* apart<<<1, 32>>>(float[160] = random(13), float[192]) */
__global__ void apart(const float *in, float *out)
{
    __shared__ float s[32];
    FIVE(float);
    float p = a * b, q = c * d, r = b * e;
    s[t] = a;
    if (t > 7) {
        __syncwarp(0xffffff00);
        out[t] = p + c;
        out[t + 32] = p + s[t ^ 1];
    }
    out[t + 64] = q + a;
    __syncthreads();
    if (c > 1.0f) {
        out[t + 96] = q + s[31 - t];
    }
    out[t + 128] = e > 0.5f ? r + c : r;
    out[t + 160] = d > 0.5f ? a * d + c : b;
}

/* butterfly<<<1, 32>>>(float2[64] = random(17), float2[64]) */
__global__ void butterfly(const float2 *in, float2 *out)
{
    int t = threadIdx.x;
    float2 x = in[t], y = in[t + 32], w = in[63 - t];
    float2 z = make_float2(y.x * w.x - y.y * w.y, y.x * w.y + y.y * w.x);
    out[t] = make_float2(x.x + z.x, x.y + z.y);
    out[t + 32] = make_float2(x.x - z.x, x.y - z.y);
}

/* relax<<<1, 32>>>(float[160] = random(19), float[32], 9) */
__global__ void relax(const float *in, float *out, int n)
{
    FIVE(float);
    float x = a, y = b, sum = 0.0f;
    for (int i = 0; i < n; i++) {
        x = x * c + e - y * d;
        y = x - y * 3.0f;
        sum -= x * y;
        sum += in[t + i] * in[t + i + 1];
    }
    out[t] = x * x + y * y + sum;
}

/* differences<<<1, 32>>>(float[160] = random(23), float[160]) */
__global__ void differences(const float *in, float *out)
{
    int t = threadIdx.x;
    float a = in[t], b = in[t + 32], c = in[t + 64], d = in[t + 96], e = in[t + 128];
    float x = e - a, y = b + c;
    out[t] = 1.387f * (c + d) - 0.541f * (a + b);
    out[t + 32] = 1.176f * x - 0.786f * b;
    out[t + 64] = d * 0.3f - a * 0.7f + b * 0.9f - c * 1.1f;
    out[t + 96] = y * 5.3f - x * 3.1f;
    out[t + 128] = x * 3.1f + y * 5.3f;
}
