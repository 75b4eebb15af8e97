/* sinks.cu - what one way of a branch alone wants nvcc loads on that way, so that warps of which no lane goes there
 * make no request for it; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -std=c++17 -lineinfo -ptx -o sinks.ptx sinks.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[96], r[96];                                                                 \
    int t = threadIdx.x;                                                                           \
    s[t] = in[t] + 1;                                                                              \
    r[t] = t;                                                                                      \
    __syncthreads()

/* guarded<<<1, 96>>>(float[96] = iota, float[96]) */
__global__ void guarded(const float *in, float *out)
{
    int t = threadIdx.x;
    float x = in[t];
    if (t < 16)
        out[t] = x;
}

/* early<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void early(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1] * 3 + r[t ^ 2];
    if (t >= n)
        return;
    out[t] = x;
}

/* two_ways<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void two_ways(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1], y = s[t ^ 2];
    if (t < n)
        out[t] = x + y;
    else if (t < 40)
        out[95 - t] = x;
}

/* past_stores<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void past_stores(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1], y = r[t ^ 1], z = r[t ^ 2];
    s[t] = 5;
    if (t < n) {
        out[t] = x + s[t ^ 3];
        if (in[t] > 2)
            out[t + 32] = y * y + z;
    }
}

/* not_past_shuffles<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void not_past_shuffles(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1], y = __shfl_xor_sync(~0u, r[t], 1);
    if (t < n)
        out[t] = x + y;
}

/* before_loops<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void before_loops(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1], y = r[t ^ 1], z = r[t ^ 2];
    for (int i = t; i < n; i++) {
        y += x * in[i];
        out[i] = y;
    }
    if (n > 50)
        for (int i = 0; i < n; i++)
            out[i] += z;
}

/* spread<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void spread(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1], y = r[t ^ 2];
    if (t >= n)
        return;
    if (in[t] > 3)
        out[t] = x;
    else
        out[t + 1] = x * 2;
    if (in[t] > 5)
        out[t + 40] = y;
}

/* made_of_two<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void made_of_two(const float *in, float *out, int n)
{
    BEGIN;
    float x = s[t ^ 1] * r[t ^ 2];
    if (t < n)
        out[t] = x;
}

/* kept_for_two<<<1, 96>>>(float[96] = iota, float[96], 10) */
__global__ void kept_for_two(const float *in, float *out, int n)
{
    BEGIN;
    float x = r[t] * s[t ^ 3];
    if (t < n)
        out[t] = x;
}
/* same_in_turns<<<1, 64>>>(int[1024] = iota, int[256], 20, 5) */
__global__ void same_in_turns(const int *in, int *out, int n, int m)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int w = s[63 - t], v = s[t ^ 2];
    for (int c = t + 15; c < n; c += 32)
        out[c] = w * m + v + in[c];
}
/* same_in_inner_turns<<<1, 64>>>(int[1024] = iota, int[256], 20, 5) */
__global__ void same_in_inner_turns(const int *in, int *out, int n, int m)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    s[t] = in[t];
    __syncthreads();
    for (int a = 0; a < m; a++) {
        int w = s[t ^ a];
        for (int c = t + 15; c < n; c += 32)
            sum += in[c + w * 3];
    }
    out[t] = sum;
}
