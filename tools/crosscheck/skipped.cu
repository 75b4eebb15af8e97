/* skipped.cu - what loads and stores take that no lane of a warp does, as a condition is put on them: clocks of a turn of 64, up to
 * the last warp's, by warps of the block and by those of them that do it.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -o skipped tools/crosscheck/skipped.cu && ./skipped >tests/measured/h100/skipped.csv */
#include <cstdio>
#include <cstdint>
#define BODY_CHAIN asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1]; add.u32 %1, %1, %0;}" : "+r"(v), "+r"(at) : "r"(on));
template <int KIND> __global__ void k(long long *out, int *sink, const uint32_t *ons)
{
    __shared__ uint32_t s[4096];
    int t = threadIdx.x;
    for (int i = t; i < 4096; i += blockDim.x) s[i] = 0;
    __syncthreads();
    uint32_t on = ons[t / 32] , v = 0, w = 0, x=0, y=0, at = (uint32_t)__cvta_generic_to_shared(s) + 4 * t;
    __syncthreads();
    long long a = clock64();
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
        if (KIND == 0) { BODY_CHAIN BODY_CHAIN BODY_CHAIN BODY_CHAIN }
        if (KIND == 1)
            asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.u32 %0, [%4]; @p ld.shared.u32 %1, [%4+2048]; @p ld.shared.u32 %2, [%4+4096];"
                         "@p ld.shared.u32 %3, [%4+8192];}" : "+r"(v), "+r"(w), "+r"(x), "+r"(y) : "r"(at), "r"(on));
        if (KIND == 2)
            asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%1], %0; @p st.shared.u32 [%1+2048], %0; @p st.shared.u32 [%1+4096], %0;"
                         "@p st.shared.u32 [%1+8192], %0;}" : : "r"(v), "r"(at), "r"(on) : "memory");
        if (KIND == 3) { /* a step of a tree */
            asm volatile("{.reg .pred p; .reg .u32 a, b; setp.ne.u32 p, %1, 0; @p ld.shared.u32 a, [%0]; @p ld.shared.u32 b, [%0+2048];"
                         "@p add.u32 a, a, b; @p st.shared.u32 [%0], a; bar.sync 0;}" : : "r"(at), "r"(on) : "memory");
        }
        if (KIND == 4) { /* the same by a branch, of which ptxas makes a condition */
            asm volatile("{.reg .pred p; .reg .u32 a, b; setp.eq.u32 p, %1, 0; @p bra Z%=; ld.shared.u32 a, [%0]; ld.shared.u32 b, [%0+2048];"
                         "add.u32 a, a, b; st.shared.u32 [%0], a; Z%=: bar.sync 0;}" : : "r"(at), "r"(on) : "memory");
        }
    }
    long long b = clock64();
    __syncthreads();
    if (t % 32 == 0) out[t / 32] = b - a;
    sink[t] = v + w + x + y + at;
}
template <int KIND> void run(const char *name)
{
    long long *out; int *sink; uint32_t *ons;
    cudaMallocManaged(&out, 256); cudaMallocManaged(&sink, 4096 * 4); cudaMallocManaged(&ons, 128);
    const int warps[] = {1, 4, 8, 32};
    for (int w : warps)
        for (int active : {0, 1, w / 2, w}) {
            for (int i = 0; i < 32; i++) ons[i] = i < active;
            double most = 0;
            for (int r = 0; r < 3; r++) {
                k<KIND><<<1, 32 * w>>>(out, sink, ons);
                if (cudaDeviceSynchronize() != cudaSuccess) { printf("failed\n"); return; }
                most = 0;
                for (int i = 0; i < w; i++) most = out[i] > most ? out[i] : most;
            }
            printf("%s,%d,%d,%.2f\n", name, w, active, most / 64);
        }
}
int main()
{
    printf("kind,warps,active,clocks\n");
    run<0>("chain of 4 loads"); run<1>("4 loads"); run<2>("4 stores"); run<3>("tree predicated"); run<4>("tree branch");
}
