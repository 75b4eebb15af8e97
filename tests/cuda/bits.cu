/* Functions of integers and of the parts of a word. What is printed of each, a sum over pairs of edge values
 * and of random ones, is NVIDIA's own headers', which nvcc has compiled. */
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define UNARY(X) \
    X(__vabs2) X(__vabs4) X(__vneg2) X(__vneg4) X(__vabsss2) X(__vabsss4) X(__vnegss2) X(__vnegss4)
#define BINARY_OF(X, n)                                                                        \
    X(__vadd##n)                                                                               \
    X(__vsub##n) X(__vaddss##n) X(__vsubss##n) X(__vaddus##n) X(__vsubus##n) X(__vavgs##n)     \
        X(__vavgu##n) X(__vhaddu##n) X(__vmaxs##n) X(__vmins##n) X(__vmaxu##n) X(__vminu##n)   \
            X(__vabsdiffs##n) X(__vabsdiffu##n) X(__vsads##n) X(__vsadu##n) X(__vcmpeq##n)     \
                X(__vcmpne##n) X(__vcmpges##n) X(__vcmpgtu##n) X(__vcmples##n) X(__vcmpltu##n) \
                    X(__vseteq##n) X(__vsetgts##n) X(__vsetgeu##n) X(__vsetlts##n) X(__vsetleu##n)
#define BINARY(X) BINARY_OF(X, 2) BINARY_OF(X, 4) X(__uhadd) X(__urhadd) X(__vimax_s16x2_relu)
#define TERNARY(X)                                                                                 \
    X(__funnelshift_l)                                                                             \
    X(__funnelshift_r) X(__funnelshift_lc) X(__funnelshift_rc) X(__dp4a) X(__dp2a_lo) X(__dp2a_hi) \
        X(__vimax3_s32) X(__vimin3_u32) X(__viaddmax_s32) X(__viaddmin_u32) X(__vimax3_s16x2)      \
            X(__viaddmax_u16x2) X(__viaddmin_s16x2_relu)
#define SIGNED(X) X(__dp4a) X(__dp2a_lo) X(__dp2a_hi) X(__vimin_s32_relu)

#define NAME(name) #name,
static const char *const names[] = {UNARY(NAME) BINARY(NAME) TERNARY(NAME)};
enum { N = 256, COUNT = sizeof names / sizeof *names };

__global__ void compute(const unsigned *in, unsigned long long *sums)
{
    unsigned a = in[threadIdx.x], b = in[blockIdx.x], c = in[(threadIdx.x + 5 * blockIdx.x) % N];
    int i = 0;
#define DO_1(name) atomicAdd(&sums[i++], (threadIdx.x + 1ull) * (unsigned)name(a));
#define DO_2(name) atomicAdd(&sums[i++], (threadIdx.x + 1ull) * (unsigned)name(a, b));
#define DO_3(name) atomicAdd(&sums[i++], (threadIdx.x + 1ull) * (unsigned)name(a, b, c));
    UNARY(DO_1) BINARY(DO_2) TERNARY(DO_3)
}

int main()
{
    static const unsigned edges[] = {
        0,          1,          0x80, 0x7f,       0xff,       0x8000,     0x7fff,     0xffff,
        0x80000000, 0x7fffffff, ~0u,  0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x01ff8000};
    std::vector<unsigned> words(edges, edges + 16);
    for (unsigned word = 12345; words.size() < N; word = word * 1664525 + 1013904223) {
        words.push_back(word ^ word >> 15);
    }
    unsigned *in;
    unsigned long long *sums, all[COUNT];
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&sums, sizeof all);
    cudaMemset(sums, 0, sizeof all);
    cudaMemcpy(in, words.data(), N * sizeof *in, cudaMemcpyHostToDevice);
    compute<<<16, N>>>(in, sums);
    cudaMemcpy(all, sums, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        printf("%s %llu\n", names[i], all[i]);
    }
}
