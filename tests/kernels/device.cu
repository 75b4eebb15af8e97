/* device.cu - device functions, structs, vectors, atomics, what warps exchange; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o device.ptx device.cu
 */
struct Pair { float a; int b; };
struct __align__(16) Node { float4 v; int next; };
typedef unsigned int u32;
enum Mode { LOW = 2, MID, HIGH = 7 };
const int N = 32;
__constant__ float coef[8] = {1, 2, 3.5f, 4};
__device__ int counter;
__device__ float table[4] = {0.5f, 1, 2, 4};

__device__ __forceinline__ float poly(float x, const float *c, int n)
{
    float r = 0;
    for (int i = n - 1; i >= 0; i--) r = r * x + c[i];
    return r;
}
__device__ int clampi(int x, int lo, int hi)
{
    if (x < lo) return lo;
    if (x > hi) return hi;
    return x;
}
__device__ void minmax(int &a, int &b)
{
    if (a > b) { int t = a; a = b; b = t; }
}
__device__ void sincosish(float x, float *s, float *c) { *s = x * 2; *c = x + 1; }
__device__ Pair make(float a, int b) { Pair p; p.a = a; p.b = b; return p; }

/* device<<<2, 64>>>(float[128] = iota, int[128]) */
__global__ void device(float *f, int *o)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    float s, c;
    sincosish(f[i], &s, &c);
    int a = clampi(i - 20, LOW, HIGH * N), b = MID + i / 3;
    minmax(a, b);
    Pair p = make(s, a), q = p;
    q.b += b;
    f[i] = poly(c, coef, 4) + p.a + q.a + table[i & 3];
    o[i] = p.b * 3 - q.b;
    if (i % 32 == 0) atomicAdd(&counter, 1);
}

/* vec<<<1, 32>>>(float4[64] = iota, float4[32], float2[32]) */
__global__ void vec(const float4 *in, float4 *out, float2 *o2)
{
    __shared__ float4 s[32];
    __shared__ float2 h[32];
    int t = threadIdx.x;
    float4 a = in[t], b = in[t + 32];
    s[t] = make_float4(a.x + b.x, a.y * b.y, a.z, b.w);
    h[31 - t] = make_float2(a.w, b.z);
    __syncthreads();
    float4 c = s[t ^ 1];
    c.x += s[t].y;
    out[t] = c;
    float *p = reinterpret_cast<float *>(&s[0]);
    float y = h[(t + 5) % 32].x + p[t * 4 + 2];
    o2[t] = make_float2(h[t].y, y);
}

/* warp<<<2, 64>>>(int[128] = random(5), int[128], unsigned[4]) */
__global__ void warp(const int *in, int *out, unsigned *votes)
{
    int t = threadIdx.x, v = in[blockIdx.x * 64 + t] & 1023;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    int w = __shfl_sync(0xffffffffu, v, 0);
    w += __shfl_xor_sync(0xffffffff, w, 3, 8);
    unsigned b = __ballot_sync(0xffffffff, w > t * 500);
    __shared__ int part[2];
    if (t % 32 == 0) { part[t / 32] = v; votes[blockIdx.x * 2 + t / 32] = b; }
    __syncthreads();
    double dd = __shfl_up_sync(~0u, (double)t, 1);
    out[blockIdx.x * 64 + t] = part[0] + part[1] + w + __popc(b) + (int)dd + __ffs(v) + __any_sync(~0u, t == 3);
}

/* hist<<<2, 128>>>(unsigned char[1024] = random, unsigned[64]) */
__global__ void hist(const unsigned char *in, unsigned *out)
{
    __shared__ unsigned bins[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < 1024; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i] >> 2], 1u);
    __syncthreads();
    if (threadIdx.x < 64) { atomicAdd(&out[threadIdx.x], bins[threadIdx.x]); atomicMax(&bins[0], threadIdx.x); }
}

/* structs<<<1, 32>>>(float[512] = iota, float[128]) */
__global__ void structs(float *raw, float *out)
{
    __shared__ Node nodes[32];
    __shared__ struct { float x, y, z; } pts[32];
    Node *in = (Node *)raw;
    int t = threadIdx.x;
    if (t < 16) { nodes[t] = in[t]; nodes[t + 16].v = in[t].v; nodes[t + 16].next = t; }
    pts[t].x = t; pts[t].y = 2 * t; pts[t].z = raw[t];
    __syncthreads();
    Node n = nodes[(t * 7) % 32];
    out[t] = n.v.x + n.v.w + n.next;
    out[t + 32] = pts[t].x + pts[31 - t].z;
    out[t + 64] = nodes[t].v.y;
}

/* math<<<1, 64>>>(float[64] = random, float[256], double[64] = random(3)) */
__global__ void math(const float *in, float *out, double *d)
{
    int i = threadIdx.x;
    float x = in[i];
    out[i] = sqrtf(x) + fmaxf(x, 0.25f) / fabsf(x - 2) + floorf(x * 10) + __expf(-x);
    out[i + 64] = 1.0f / (1 + x) + rsqrtf(x + 1) + min(i, 7) + max(2u, 3u) + abs(-i);
    out[i + 128] = x * x + x * 3 - x / 7;
    out[i + 192] = (x > 0.5f) ? x * 2 - 1 : -x;
    d[i] = sqrt(d[i]) * 3 + fma(d[i], 2.0, 1.0) / 3;
}

/* lanes<<<1, 64>>>(unsigned[64], float[64] = iota) */
__global__ void lanes(unsigned *out, float *f)
{
    __shared__ float s[64];
    unsigned lane, address = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    float v = f[threadIdx.x] * 3, w;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("st.shared.f32 [%0], %1;" :: "r"(address), "f"(v) : "memory");
    __syncthreads();
    asm("ld.shared.f32 %0, [%1 + %2];\n\tadd.f32 %0, %0, %0;" : "=f"(w) : "r"(address ^ 4u), "n"(0));
    asm("add.u32 %0, %0, 7;" : "+r"(lane));
    out[threadIdx.x] = lane + (unsigned)s[63 - threadIdx.x];
    f[threadIdx.x] = w;
}
