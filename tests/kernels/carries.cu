/* carries.cu - loops whose conditions load what their turns load again; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o carries.ptx carries.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[512], q[512];                                                                 \
    int t = threadIdx.x, v = 0;                                                                    \
    s[t] = in[t], s[t + 256] = in[t + 256];                                                        \
    q[t] = in[t + 512], q[t + 256] = in[t + 768];                                                  \
    __syncthreads()

/* searches<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void searches(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 127;
    while (s[i] != 77) {
        if (s[i] == 90) {
            v = 1;
            break;
        }
        i++;
        if (i > 500) i = 0;
    }
    out[t] = v;
}

/* adds_until<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void adds_until(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 63;
    while (s[i] < 77) {
        v += s[i];
        i++;
    }
    out[t] = v;
}

/* walks_until<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void walks_until(int *out, const int *in, int n)
{
    BEGIN;
    for (int i = t & 63; s[i] < 77; i = (i * 5 + 1) & 511) v += s[i];
    out[t] = v;
}

/* finds_root<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void finds_root(int *out, const int *in, int n)
{
    BEGIN;
    int r = t;
    while (s[r] > 3) {
        int p = s[r];
        r = s[p >> 1];
        v++;
    }
    out[t] = v;
}

/* behind_first_turn<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void behind_first_turn(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 63;
    do {
        v += s[i];
        i++;
    }
    while (s[i] < 77);
    out[t] = v;
}

/* two_conditions<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void two_conditions(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 63;
    while (i < 100 && s[i] < 77) {
        v += s[i];
        i++;
    }
    out[t] = v;
}

/* two_apart<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void two_apart(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 63;
    while (s[i] < 77) {
        v += s[i] + s[i + 1];
        i+= 2;
    }
    out[t] = v;
}

/* while_rising<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void while_rising(int *out, const int *in, int n)
{
    BEGIN;
    int i = t & 63;
    while (s[i + 1] > s[i] && i < 200) {
        v += s[i];
        i++;
    }
    out[t] = v;
}

/* probes<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void probes(int *out, const int *in, int n)
{
    BEGIN;
    int h = t & 127;
    while (q[h] != 600) {
        if (q[h] == in[t]) {
            v = h;
            break;
        }
        h = (h + 1) & 511;
    }
    out[t] = v;
}

/* from_both_ends<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void from_both_ends(int *out, const int *in, int n)
{
    BEGIN;
    int l = 0, r = 511;
    while (l < r && s[l] < s[r]) {
        v += s[r] - s[l];
        l++;
        r--;
    }
    out[t] = v;
}

/* sorts<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void sorts(int *out, const int *in, int n)
{
    BEGIN;
    for (int i = 1; i < 64; i++) {
        int key = q[i + t];
        int j = i - 1;
        while (j >= 0 && q[j + t] > key) {
            v += q[j + t];
            j--;
        }
        v += j;
    }
    out[t] = v;
}

/* bisects<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void bisects(int *out, const int *in, int n)
{
    BEGIN;
    int l = 0, r = 255;
    while (l < r) {
        int m = (l + r) / 2;
        if (s[m] < t) l = m + 1;
        else r = m;
    }
    v = s[l];
    out[t] = v;
}

/* merges<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void merges(int *out, const int *in, int n)
{
    BEGIN;
    int a = t, b = t + 9;
    while (s[a] != s[b] && a < 200) {
        if (s[a] < s[b]) a++;
        else b--;
    }
    v = a + b;
    out[t] = v;
}

/* follows<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void follows(int *out, const int *in, int n)
{
    BEGIN;
    int p = t;
    while (s[p] > p && v < 20) {
        p = s[p] & 255;
        v++;
    }
    out[t] = v;
}

/* in_global<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void in_global(int *out, const int *in, int n)
{
    BEGIN;
    float x = in[t];
    int i = 0;
    while (in[i] < x) {
        i++;
        v += in[i];
    }
    out[t] = v;
}

/* stops_at_sum<<<1, 256>>>(int[256], int[2048] = iota, 40) */
__global__ void stops_at_sum(int *out, const int *in, int n)
{
    BEGIN;
    int c = 0;
    for (int i = t; i < 256; i += 32) {
        if (s[i] > 100) {
            c += s[i];
            if (c > 1000) break;
        }
    }
    v = c;
    out[t] = v;
}
