/* idle.cu - branches of which nothing of use comes; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o idle.ptx idle.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[256];                                                                         \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 256; i += 64) s[i] = t * 7;                                                \
    __syncthreads()

/* asks_for_itself<<<1, 64>>>(int[64], 5) */
__global__ void asks_for_itself(int *out, int n)
{
    BEGIN;
    bool v = t;
    for (int i = 0; i < n; i++)
        if (v) v = s[(t + i) & 255] != 0;
    out[t] = s[t + n];
}

/* asks_in_a_switch<<<1, 64>>>(int[64], 5) */
__global__ void asks_in_a_switch(int *out, int n)
{
    BEGIN;
    int v = t & 3, x = 0;
    for (int i = 0; i < n; i++) {
        switch (v) {
        case 1: v = s[(t + i) & 255] & 3; break;
        case 2:
            x += s[t ^ i];
            if (x & 1) v = s[x & 255];
        }
    }
    out[t] = s[t + n];
}

/* asks_for_more<<<1, 64>>>(int[64], 5) */
__global__ void asks_for_more(int *out, int n)
{
    BEGIN;
    int v = t & 3, x = 0, w = 0;
    for (int i = 0; i < n; i++) {
        if (v) {
            v = s[(t + i) & 255] & 3;
            if (v == 1) w = s[t ^ i];
        } else {
            x += s[t + i];
        }
    }
    out[t] = w;
}

/* asks_and_waits<<<1, 64>>>(int[64], 5) */
__global__ void asks_and_waits(int *out, int n)
{
    BEGIN;
    int v = n;
    for (int i = 0; i < n; i++) {
        if (v > 1) {
            v = s[n + i] & 3;
            if (v & 1) __syncthreads();
        }
    }
    out[t] = s[t + n];
}

/* asks_how_long<<<1, 64>>>(int[64], 5) */
__global__ void asks_how_long(int *out, int n)
{
    BEGIN;
    int v = t & 3, k = t;
    while (k < n) {
        k += s[k] & 1 ? 1 : 2;
        if (v) v = s[k];
    }
    out[t] = k;
}

/* counts_for_nothing<<<1, 64>>>(int[64], 5) */
__global__ void counts_for_nothing(int *out, int n)
{
    BEGIN;
    int x = 0;
    for (int i = 0; i < s[t]; i++) x = x * 3 + i;
    out[t] = s[t + n];
}

/* leaves_for_nothing<<<1, 64>>>(int[64], 5) */
__global__ void leaves_for_nothing(int *out, int n)
{
    BEGIN;
    int x = 0, k = s[t];
    for (int i = 0; i < k; i++) {
        if (s[i & 255] == 7) break;
        x++;
    }
    out[t] = s[t + n];
}

/* may_never_end<<<1, 64>>>(int[64], 5) */
__global__ void may_never_end(int *out, int n)
{
    BEGIN;
    int x = 0, k = s[t];
    for (unsigned i = 0; i < k; i += 3) x = x * 3 + s[i & 255];
    out[t] = s[t + n];
}

/* counts_in_another<<<1, 64>>>(int[64], 5) */
__global__ void counts_in_another(int *out, int n)
{
    BEGIN;
    int x = 0, k = s[t];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < i; j++) x += s[j & 255];
    out[t] = s[t + n];
}

/* counts_and_stores<<<1, 64>>>(int[64], 5) */
__global__ void counts_and_stores(int *out, int n)
{
    BEGIN;
    int k = s[t] & 7;
    for (int i = 0; i < k; i++) {
        if (i == n) out[t] = 5;
    }
    s[t] = k;
}

/* counts_what_is_told<<<1, 64>>>(int[64], 5) */
__global__ void counts_what_is_told(int *out, int n)
{
    BEGIN;
    int x = 0, k = s[t];
    for (int i = n; i < k; i += 7) x += i ^ n;
    out[t] = x;
}
