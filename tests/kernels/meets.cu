/* meets.cu - what one way of a branch loads and what is behind it does again, and what both ways do alike to different
 * places; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o meets.ptx meets.cu
 */
#define HEAD                                                                                       \
    __shared__ int s[128];                                                                         \
    int t = threadIdx.x;                                                                           \
    s[t] = in[t], s[t + 64] = in[t + 64];                                                          \
    __syncthreads()

/* again<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) out[0] = s[t];
    int y = s[t];
    out[64 + t] = y * 3;
}

/* again_on_one<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_on_one(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) out[0] = s[t] + 4;
    else out[1] = 3;
    int y = s[t];
    out[64 + t] = y * 3;
}

/* again_past_store<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_past_store(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) out[0] = s[t] + 4;
    int y = s[t];
    s[t] = 0;
    __syncthreads();
    out[64 + t] = y * 3 + s[t ^ 1];
}

/* again_of_two<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_of_two(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) {
        out[0] = s[t] + 4;
        out[1] = s[t+1]/32;
    }
    int y = s[t];
    out[64 + t] = y * 3;
}

/* again_in_value<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_in_value(const int *in, int *out, int n)
{
    HEAD;
    int x = 0;
    if (t < n) x = s[t] + 4;
    int y = s[t];
    out[64 + t] = y * 3 + x;
}

/* again_behind_store<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_behind_store(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) {
        out[0] = 7;
        x = s[t];
        out[1] = x;
    } else out[2] = 4;
    x = s[t];
    out[t + 200] = x;
}

/* again_not_first<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_not_first(const int *in, int *out, int n)
{
    HEAD;
    int x, y = 0;
    if (t < n) {
        y = s[t + 2];
        out[1] = s[t];
    }
    x = s[t];
    out[t + 200] = x + y;
}

/* again_both<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void again_both(const int *in, int *out, int n)
{
    HEAD;
    int x, y = 0;
    if (t < n) {
        y = s[t + 2];
        out[1] = s[t];
    }
    x = s[t] + s[t + 2];
    out[t + 200] = x + y;
}

/* two_values<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void two_values(const int *in, int *out, int n)
{
    HEAD;
    int x, y;
    if (t < n) {
        x = s[t + 1];
        y = s[t];
    } else {
        x = s[t + 3];
        y = s[t + 9];
    }
    out[t] = x - y;
}

/* three_ways<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void three_ways(const int *in, int *out, int n)
{
    HEAD;
    int x, y;
    if (t < n) {
        x = s[t + 1];
        y = s[t];
    } else if (t == n) {
        x = s[t + 3];
        y = s[t + 9];
    } else {
        x = s[t + 5];
        y = s[t + 7];
    }
    out[t] = x - y;
}

/* two_spaces<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void two_spaces(const int *in, int *out, int n)
{
    HEAD;
    int x, y;
    if (t < n) {
        x = s[t + 1];
        y = in[t];
    } else {
        x = s[t + 3];
        y = in[t + 9];
    }
    out[t] = x - y;
}

/* stores<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void stores(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) {
        s[t + 1] = 5;
    } else {
        s[t + 3] = 6;
    }
    __syncthreads();
    out[t] = s[t];
}

/* made_alike<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void made_alike(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) {
        x = s[t + 1] * 5 + in[t];
    } else {
        x = s[t + 3] * 5 + in[t + 4];
    }
    out[t] = x;
}

/* instead<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void instead(const int *in, int *out, int n)
{
    HEAD;
    int x = s[t];
    if (t < n) x = s[t + 3];
    out[t] = x;
}

/* written_behind<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void written_behind(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) {
        x = s[t + 1];
        out[t] = 3;
    } else x = s[t + 3];
    out[t + 200] = x;
}

/* stored_behind<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void stored_behind(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) {
        x = s[t + 1];
        s[t] = 3;
    } else x = s[t + 3];
    out[t + 200] = x;
}

/* sums<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void sums(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) x = s[t + 1] + s[t + 2];
    else x = s[t + 3] + s[t + 4];
    out[t + 200] = x;
}

/* sums_of_constants<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void sums_of_constants(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) x = s[t + 1] + 5;
    else x = s[t + 3] + 6;
    out[t + 200] = x;
}

/* not_alike<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void not_alike(const int *in, int *out, int n)
{
    HEAD;
    int x;
    if (t < n) x = s[t + 1] + 5;
    else x = s[t + 3] - n;
    out[t + 200] = x;
}

/* products<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void products(const int *in, int *out, int n)
{
    HEAD;
    int x = t < n ? s[t + 1] * 2 : s[t + 3] * n;
    out[t + 200] = x;
}

/* stored_once<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void stored_once(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) out[t] = s[t + 1];
    else out[t] = s[t + 3];
}

/* stored_elsewhere<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void stored_elsewhere(const int *in, int *out, int n)
{
    HEAD;
    if (t < n) out[t] = s[t + 1];
    else out[t + 64] = s[t + 3];
}

/* in_other_order<<<1, 64>>>(int[256] = random(3), int[512], 17) */
__global__ void in_other_order(const int *in, int *out, int n)
{
    HEAD;
    int x, y;
    if (t < n) {
        x = s[t + 1];
        y = s[t + 1 + n];
    } else {
        y = s[t + 3];
        x = s[t + 9];
    }
    out[t] = x * y;
}
