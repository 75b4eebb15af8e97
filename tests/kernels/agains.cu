/* agains.cu - branches whose conditions were asked before; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o agains.ptx agains.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[128], q[128], r[128], w[128];                                               \
    int t = threadIdx.x;                                                                           \
    s[t] = in[t], s[t + 64] = in[t + 64], q[t] = in[t + 128], q[t + 64] = in[t + 192];             \
    r[t] = in[t + 256], r[t + 64] = in[t + 320], w[t] = in[t + 384], w[t + 64] = in[t + 448];      \
    __syncthreads()
#define END                                                                                        \
    __syncthreads();                                                                               \
    out[t + 128] = r[t] + r[t + 64] + w[t] + w[t + 64]

/* two_choices<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void two_choices(float *out, const float *in, int n)
{
    BEGIN;
    float a = t < n ? s[2*t] : 0;
    float b = t < n ? s[2*t+1] : 0;
    out[t] = a + b;
    END;
}

/* two_branches<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void two_branches(float *out, const float *in, int n)
{
    BEGIN;
    float a = 0, b = 0;
    if (t < n) a = s[2*t];
    if (t < n) b = s[2*t+1];
    out[t] = a + b;
    END;
}

/* turns_apart<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void turns_apart(float *out, const float *in, int n)
{
    BEGIN;
    float a = 0;
    for (int k = 0; k < 4; k++) if (t < n) a += s[4*(t&31)+k];
    out[t] = a;
    END;
}

/* turns_of_choices<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void turns_of_choices(float *out, const float *in, int n)
{
    BEGIN;
    float a[4];
    for (int k = 0; k < 4; k++) a[k] = t < n ? s[4*(t&31)+k] : 0;
    out[t] = a[0]*a[1]+a[2]*a[3];
    END;
}

/* turns_that_store<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void turns_that_store(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < 4; k++) r[4*(t&31)+k] = t < n ? s[4*(t&31)+k] : 0;
    END;
}

/* turns_guarded<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void turns_guarded(float *out, const float *in, int n)
{
    BEGIN;
    for (int k = 0; k < 4; k++) if (t < n) r[4*(t&31)+k] = s[4*(t&31)+k];
    END;
}

/* tiles<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void tiles(float *out, const float *in, int n)
{
    BEGIN;
    r[t] = t < n ? in[t] : 0;
    q[t] = t < n ? in[t+64] : 0;
    END;
}

/* tile_pairs<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void tile_pairs(float *out, const float *in, int n)
{
    BEGIN;
    r[2*t] = t < n ? in[2*t] : 0;
    r[2*t+1] = t < n ? in[2*t+1] : 0;
    END;
}

/* store_between<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void store_between(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) r[t] = s[2*t];
    w[t] = 3;
    if (t < n) r[t+64] = s[2*t+1];
    END;
}

/* choice_between<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void choice_between(float *out, const float *in, int n)
{
    BEGIN;
    bool c = t < n;
    float a = c ? s[2*t] : 0;
    if (!c) a = 5;
    float b = c ? s[2*t+1] : 0;
    out[t] = a + b;
    END;
}

/* turned_round<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void turned_round(float *out, const float *in, int n)
{
    BEGIN;
    if (t >= n) r[t] = s[t];
    if (t < n) w[t] = s[t+1];
    END;
}

/* by_value<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void by_value(float *out, const float *in, int n)
{
    BEGIN;
    if (s[t] > 0) r[t] = 1;
    if (s[t] > 0) w[t] = 2;
    END;
}

/* then_and<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void then_and(float *out, const float *in, int n)
{
    BEGIN;
    float v = 0;
    if (t < n) v = s[t];
    if (t < n && v > 0) out[t] = q[t];
    END;
}

/* and_then<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void and_then(float *out, const float *in, int n)
{
    BEGIN;
    float v = 0;
    if (t < n && s[t] > 0) v = q[t];
    if (t < n) out[t] = v;
    END;
}

/* barrier_between<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void barrier_between(float *out, const float *in, int n)
{
    BEGIN;
    float v = -1e30f;
    if (t < n) v = s[t];
    __syncthreads();
    if (t < n) r[t] = v + q[t];
    END;
}

/* in_a_loop<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void in_a_loop(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = t; i < n; i += 64) {
        float a = i < 50 ? s[i] : 0;
        float b = i < 50 ? q[i] : 0;
        r[i] = a * b;
    }
    END;
}

/* loads_again<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void loads_again(float *out, const float *in, int n)
{
    BEGIN;
    float a = t < n ? s[t] : 0;
    float b = t < n ? s[t] * 2 : 1;
    out[t] = a + b;
    END;
}

/* both_of_and<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void both_of_and(float *out, const float *in, int n)
{
    BEGIN;
    float a = (t > 0 && t < n) ? s[t - 1] : 0;
    float b = (t > 0 && t < n) ? s[t + 1] : 0;
    out[t] = a + b;
    END;
}

/* halo<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void halo(float *out, const float *in, int n)
{
    BEGIN;
    float l = t > 0 ? s[t - 1] : 0;
    float m = s[t];
    float h = t < 63 ? s[t + 1] : 0;
    out[t] = l + m + h;
    END;
}

/* halo_of_two<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void halo_of_two(float *out, const float *in, int n)
{
    BEGIN;
    float l = t > 0 ? s[t - 1] : 0;
    float l2 = t > 0 ? q[t - 1] : 0;
    float h = t < 63 ? s[t + 1] : 0;
    float h2 = t < 63 ? q[t + 1] : 0;
    out[t] = l + h + l2 + h2;
    END;
}

/* loads_of_global<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void loads_of_global(float *out, const float *in, int n)
{
    BEGIN;
    float a = 0, b = 0;
    int i = t + 64;
    if (i < n) {
        a = in[i];
    }
    s[t] = a;
    if (i < n) {
        b = in[i + 64];
    }
    q[t] = b;
    END;
}

/* in_bounds<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void in_bounds(float *out, const float *in, int n)
{
    BEGIN;
    int x = t & 7, y = t >> 3;
    bool ok = x < n && y < n;
    r[t] = ok ? in[y * n + x] : 0;
    w[t] = ok ? in[y * n + x + 512] : 0;
    END;
}

/* works_then_stores<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void works_then_stores(float *out, const float *in, int n)
{
    BEGIN;
    float a = 0;
    if (t < n) {
        a = s[t];
        a *= 2;
    }
    if (t < n) r[t] = a;
    else r[t] = 0;
    END;
}

/* by_flag<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void by_flag(float *out, const float *in, int n)
{
    BEGIN;
    int m = t < n ? 1 : 0;
    float a = m ? s[2*t] : 0;
    float b = m ? s[2*t+1] : 0;
    out[t] = a + b;
    END;
}

/* first_thread<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void first_thread(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 0) r[0] = s[0];
    if (t == 0) w[0] = q[0];
    END;
}

/* first_else<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void first_else(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 0) {
        r[0] = s[0];
    } else if (t < n) {
        r[t] = s[t] - s[t-1];
    }
    if (t < n) w[t] = s[t];
    END;
}

/* condition_loads<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void condition_loads(float *out, const float *in, int n)
{
    BEGIN;
    float v=0;
    if (s[t]<n) v = q[t];
    r[t] = v;
    if (s[t]<n) w[t] = q[t] + 1;
    out[t]=v;
    END;
}

/* else_if_and<<<1, 64>>>(float[256], float[1024] = iota, 40) */
__global__ void else_if_and(float *out, const float *in, int n)
{
    BEGIN;
    int c = t < n;
    if (c && s[t] > 1) r[t] = q[t];
    else if (c && s[t] < 0) w[t] = q[t];
    END;
}

/* else_if_and_else<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void else_if_and_else(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n && s[t] > q[t]) r[t] = 1;
    else if (t < n && s[t] == q[t]) r[t] = 2;
    else r[t] = 3;
    END;
}

/* returns<<<1, 64>>>(float[256], float[1024] = random(7), 40) */
__global__ void returns(float *out, const float *in, int n)
{
    BEGIN;
    if (s[t] == 1) {
        r[t] = s[t];
        return;
    }
    if (s[t] == 2) {
        r[t] = q[t];
        return;
    }
    r[t] = w[t];
    END;
}
