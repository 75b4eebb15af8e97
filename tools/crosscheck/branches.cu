/* branches.cu - clocks of turns with branches that ptxas keeps: whose way is taken by all lanes, by none, by half of them, or by other warps.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -o branches branches.cu && ./branches */
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s at line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)
enum { TURNS = 256 };
#define STEP(x) x = fmaf(x, a, b)
#define FOUR(x) STEP(x); STEP(x); STEP(x); STEP(x)

enum kind { PLAIN, BODY, EARLY, LATE, EARLY_ELSE, LATE_ELSE, UNIFORM, UNIFORM_ELSE, EARLY_SYNC, LATE_SYNC, PLAIN_SYNC, BODY_SYNC, LOOP_LANES, LOOP_UNIFORM, LOOP_BREAK, NESTED, TWO, KINDS };
static const char *const names[] = {"plain", "body", "early", "late", "early else", "late else", "uniform", "uniform else", "early sync", "late sync", "plain sync", "body sync", "loop of lanes", "loop uniform", "loop break", "nested", "two"};

__device__ __forceinline__ void body(float &x, float a, float b, float *s)
{
    *s = x; FOUR(x); FOUR(x); FOUR(x);
}
__device__ __forceinline__ void other(float &x, float a, float b, float *s)
{
    s[1024] = x; FOUR(x); STEP(x); STEP(x); FOUR(x); x -= a; STEP(x);
}

template <int K> __global__ void turns(float a, float b, float limit, int param, const int *flags, int *clocks, float *keep)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    int flag = flags[t];
    float x = flag ? 1.0f : -1.0f;   /* a = 1, b = 0: stays */
    __shared__ float z[32];
    *(volatile float *)(z + t % 32) = x; /* a request, so that cycles are estimated */
    float *at = s + t;
    for (int round = 0; round < 2; round++) {
        __syncthreads();
        long long began = clock64();
#pragma unroll 1
        for (int i = 0; i < TURNS; i++) {
            FOUR(x); FOUR(x);
            if (K == BODY || K == BODY_SYNC) body(x, a, b, at);
            if (K == EARLY || K == EARLY_SYNC) { if (flag) body(x, a, b, at); }
            if (K == LATE || K == LATE_SYNC) { if (x > limit) body(x, a, b, at); }
            if (K == EARLY_ELSE) { if (flag) body(x, a, b, at); else other(x, a, b, at); }
            if (K == LATE_ELSE) { if (x > limit) body(x, a, b, at); else other(x, a, b, at); }
            if (K == UNIFORM) { if (param > i) body(x, a, b, at); }
            if (K == UNIFORM_ELSE) { if (param > i) body(x, a, b, at); else other(x, a, b, at); }
            if (K == NESTED) { if (flag) { body(x, a, b, at); if (x > limit) { other(x, a, b, at); } } }
            if (K == TWO) { if (x > limit) body(x, a, b, at); STEP(x); if (x > limit) other(x, a, b, at); }
            if (K == LOOP_LANES) {
#pragma unroll 1
                for (int j = 0; j < flag; j++) { *at = x; FOUR(x); }
            }
            if (K == LOOP_UNIFORM) {
#pragma unroll 1
                for (int j = 0; j < param; j++) { *at = x; FOUR(x); }
            }
            if (K == LOOP_BREAK) {
#pragma unroll 1
                for (int j = 0; j < 100; j++) { *at = x; FOUR(x); if (j == flag) break; }
            }
            if (K == EARLY_SYNC || K == LATE_SYNC || K == PLAIN_SYNC || K == BODY_SYNC) __syncthreads();
        }
        long long ended = clock64();
        if (t % 32 == 0) clocks[t / 32] = ended - began;
    }
    keep[t] = x;
}

template <int K> void run(const char *mode, int warps, int param)
{
    static int *flags, *clocks;
    static float *keep;
    if (!flags) { CHECK(cudaMalloc(&flags, 4096)); CHECK(cudaMalloc(&clocks, 4096)); CHECK(cudaMalloc(&keep, 4096)); }
    int f[1024];
    int loops = K == LOOP_LANES || K == LOOP_BREAK, n = param;
    for (int t = 0; t < 1024; t++) {
        bool is = mode[0] == 'a' || (mode[0] == 'h' && t % 32 < 16) || (mode[0] == 'o' && t % 32 < 1) || (mode[0] == 'w' && t / 32 % 2 == 0) || (mode[0] == 'q' && t / 32 % 8 < 4);
        f[t] = is ? (loops ? n : 1) : 0;
    }
    CHECK(cudaMemcpy(flags, f, 4096, cudaMemcpyHostToDevice));
    turns<K><<<1, 32 * warps>>>(1.0f, 0.0f, 0.0f, K == UNIFORM || K == UNIFORM_ELSE ? (mode[0] == 'a' ? TURNS : 0) : n, flags, clocks, keep);
    CHECK(cudaDeviceSynchronize());
    int c[32], most = 0;
    CHECK(cudaMemcpy(c, clocks, 4 * warps, cudaMemcpyDeviceToHost));
    for (int i = 0; i < warps; i++) most = c[i] > most ? c[i] : most;
    printf("%s,%s,%d,%d,%.2f\n", names[K], mode, param, warps, (double)most / TURNS);
}

template <int K> void run_all()
{
    const bool loops = K == LOOP_LANES || K == LOOP_UNIFORM || K == LOOP_BREAK;
    for (const char *mode : {"all", "none", "half", "one", "warps", "quads"}) {
        if ((K == PLAIN || K == BODY || K == PLAIN_SYNC || K == BODY_SYNC || K == LOOP_UNIFORM) && mode[0] != 'a') continue;
        if ((K == UNIFORM || K == UNIFORM_ELSE) && mode[0] != 'a' && mode[0] != 'n') continue;
        for (int warps : {1, 4, 8, 16, 32})
            for (int n = 1; n <= (loops ? 9 : 1); n += 4) run<K>(mode, warps, n);
    }
}

int main()
{
    printf("kind,taken by,n,warps,clocks\n");
    run_all<PLAIN>(); run_all<BODY>(); run_all<EARLY>(); run_all<LATE>(); run_all<EARLY_ELSE>(); run_all<LATE_ELSE>(); run_all<UNIFORM>();
    run_all<UNIFORM_ELSE>(); run_all<EARLY_SYNC>(); run_all<LATE_SYNC>(); run_all<PLAIN_SYNC>(); run_all<BODY_SYNC>(); run_all<LOOP_LANES>();
    run_all<LOOP_UNIFORM>(); run_all<LOOP_BREAK>(); run_all<NESTED>(); run_all<TWO>();
    return 0;
}
