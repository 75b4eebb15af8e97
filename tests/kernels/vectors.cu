/* vectors.cu - neighbours in memory that one instruction loads or stores, by the alignment that their
 * object has or their address is known to have; pointers that lead nowhere else; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o vectors.ptx vectors.cu
 */
struct body {
    float mass;
    int id;
    int2 cell;
};
struct __align__(16) quad {
    float a, b, c, d;
};

/* members<<<2, 64>>>(float4[128] = random(3), float[128]) */
__global__ void members(const float4 *p, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = p[i].x * p[i].y;
    out[i] = s + p[i].z;
}
/* gap<<<2, 64>>>(float4[128] = random(5), uchar4[128] = iota, float[128]) */
__global__ void gap(const float4 *p, const uchar4 *colour, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = p[i].x + p[i].w;
    out[i] = s + colour[i].x +
             colour[i].z;
}
/* late<<<2, 64>>>(float4[128] = random(7), int4[128] = iota, float[128]) */
__global__ void late(const float4 *p, const int4 *q, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = p[i].y + p[i].z;
    out[i] = s + q[i].y + q[i].z + q[i].w;
}
/* structs<<<2, 64>>>(float4[128] = iota, float4[128] = random(11), float[128]) */
__global__ void structs(const body *p, const quad *q, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    quad one = q[i];
    out[i] = p[i].mass + one.b + one.a + p[i].id + p[i].cell.x;
}
/* stored<<<2, 64>>>(float4[128], uchar4[128], float[128] = random(2)) */
__global__ void stored(float4 *p, uchar4 *colour, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    p[i].x = v;
    p[i].y = v + 1;
    p[i].z = 2;
    p[i].w = v * 3;
    colour[i].x = 1;
    colour[i].y = 2;
}
/* between<<<2, 64>>>(float4[128] = random(4), float[512]) */
__global__ void between(float4 *p, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[3 * i] = p[i].x;
    out[3 * i + 1] = p[i].y;
}
extern __shared__ float dynamic[];
/* pairs<<<2, 32, 512>>>(float[64] = random(9), float[128]) */
__global__ void pairs(const float *in, float *out)
{
    int t = threadIdx.x;
    dynamic[2 * t] = in[t];
    dynamic[2 * t + 1] = in[t + 32];
    __syncthreads();
    float s = dynamic[(2 * t) ^ 2] - dynamic[((2 * t) ^ 2) + 1];
    out[blockIdx.x * 32 + t] = s + dynamic[5] + dynamic[6] + dynamic[7];
}
/* fixed<<<2, 32>>>(float[64] = random(9), float[64]) */
__global__ void fixed(const float *in, float *out)
{
    __shared__ float four[64];
    __shared__ __align__(16) float sixteen[64];
    int t = threadIdx.x;
    four[2 * t] = in[t];
    four[2 * t + 1] = in[t + 32];
    sixteen[2 * t] = in[t];
    sixteen[2 * t + 1] = in[t + 32];
    __syncthreads();
    float s = four[0] + four[1] + four[2];
    out[blockIdx.x * 32 + t] = s + sixteen[8] + sixteen[9] + sixteen[10] + sixteen[11] + sixteen[12];
}
/* pixels<<<1, 64>>>(uchar4[64] = iota, float[64]) */
__global__ void pixels(const uchar4 *in, float *out)
{
    __shared__ uchar4 s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    float v = s[63 - t].x;
    v += s[63 - t].y;
    v += s[63 - t].z;
    out[t] = v;
}
/* alone<<<2, 64>>>(float[128] = iota, float[128] = iota, float[128]) */
__global__ void alone(float *__restrict__ a, float *__restrict__ b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] + 1;
    c[i] = b[i] * 2;
    b[i] = a[i] + b[i];
}
__device__ float kept[128];
/* together<<<2, 64>>>(float[128] = iota, float[128] = iota, float[128]) */
__global__ void together(float *a, float *b, float *__restrict__ c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] + 1;
    kept[i] = 1;
    c[i] = b[i] * 2;
    a[i] += b[i];
}

/* divided<<<1, 64, 1024>>>(long[64] = iota, long[192]) */
__global__ void divided(const long *in, long *out)
{
    extern __shared__ long s[];
    int t = threadIdx.x, six = (threadIdx.x / 6) * 6, twelve = t / 12, eight = t / 8 * 8;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[six] ^ s[six + 1];
    out[t + 64] = s[twelve * 12] ^ s[twelve * 12 + 1] ^ twelve;
    out[t + 128] = s[eight] ^ s[eight + 1];
}

/* change_each<<<1, 32>>>(float[64]) */
__global__ void change_each(float *out)
{
    __shared__ float2 p[32];
    int t = threadIdx.x;
    p[t] = make_float2(t, 3 * t);
    __syncthreads();
    p[t ^ 1].x = p[t ^ 1].x * 2;
    p[t ^ 1].y = p[t ^ 1].y + 1;
    __syncthreads();
    out[2 * t] = p[t].x;
    out[2 * t + 1] = p[t].y;
}

/* change_all<<<1, 32>>>(float[64]) */
__global__ void change_all(float *out)
{
    __shared__ float4 p[32];
    int t = threadIdx.x;
    p[t] = make_float4(t, 3 * t, 1, 2);
    __syncthreads();
    float4 *q = &p[t ^ 1];
    q->x += 1;
    q->w = q->x;
    q->y *= 2;
    q->z -= 3;
    __syncthreads();
    out[2 * t] = p[t].x + p[t].w;
    out[2 * t + 1] = p[t].y - p[t].z;
}

/* change_others<<<1, 32>>>(float[64]) */
__global__ void change_others(float *out)
{
    __shared__ float4 p[32];
    int t = threadIdx.x;
    p[t] = make_float4(t, 3 * t, 1, 2);
    __syncthreads();
    float a = p[t ^ 1].x;
    p[t ^ 1].w = a + 1;
    float b = p[t ^ 1].y;
    p[t ^ 1].z = b + 2;
    __syncthreads();
    out[2 * t] = p[t].x + p[t].w;
    out[2 * t + 1] = p[t].y - p[t].z;
}

/* stores_past<<<1, 32>>>(float[64]) */
__global__ void stores_past(float *out)
{
    __shared__ float2 p[34];
    int t = threadIdx.x;
    p[t] = make_float2(t, 3 * t);
    __syncthreads();
    p[t].x = t + 2;
    float b = p[t + 1].x;
    p[t].y = b;
    __syncthreads();
    out[2 * t] = p[t].x;
    out[2 * t + 1] = p[t].y;
}

/* stores_past_own<<<1, 32>>>(float[64]) */
__global__ void stores_past_own(float *out)
{
    __shared__ float4 p[34];
    int t = threadIdx.x;
    p[t] = make_float4(t, 3 * t, 0, 1);
    __syncthreads();
    p[t].x = t + 2;
    float b = p[t].z;
    p[t].y = b;
    __syncthreads();
    out[2 * t] = p[t ^ 1].x;
    out[2 * t + 1] = p[t ^ 1].y;
}

/* mixed<<<1, 32>>>(float[64]) */
__global__ void mixed(float *out)
{
    __shared__ float4 p[32];
    int t = threadIdx.x;
    p[t].y = t;
    p[t].w = 2 * t;
    p[t].x = 3 * t;
    p[t].z = 4 * t;
    __syncthreads();
    out[2 * t] = p[t ^ 1].z
      + p[t ^ 1].y;
    out[2 * t + 1] = p[t ^ 1].x -
       p[t ^ 1].w;
}

/* stores_stay<<<1, 32>>>(float[64], 7) */
__global__ void stores_stay(float *out, int n)
{
    __shared__ float2 p[32];
    int t = threadIdx.x;
    p[t] = make_float2(t, 3 * t);
    __syncthreads();
    p[t].x = t + 2;
    float b = p[t & n].x;
    p[t].y = b;
    __syncthreads();
    out[2 * t] = p[t ^ 1].x;
    out[2 * t + 1] = p[t ^ 1].y;
}

/* four_times_a_float<<<1, 64>>>(int[64], float[64] = 1.3) */
__global__ void four_times_a_float(int *out, const float *in)
{
    __shared__ __align__(16) int s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int i = (int)(in[t] * 4.0f); /* no multiple of 4 */
    out[t] = s[i] + s[i + 1] * 3;
}
