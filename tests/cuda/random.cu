/* random.cu - numbers of the host's generators of cuRAND: the same for the same seed, and spread as they
 * should be. */
#include <cstdio>

struct curandGenerator_st;
extern "C" int curandCreateGenerator(curandGenerator_st **generator, int kind);
extern "C" int curandDestroyGenerator(curandGenerator_st *generator);
extern "C" int curandSetPseudoRandomGeneratorSeed(curandGenerator_st *generator,
                                                  unsigned long long seed);
extern "C" int curandGenerateUniform(curandGenerator_st *generator, float *to, size_t n);
extern "C" int curandGenerateNormal(curandGenerator_st *generator, float *to, size_t n, float mean,
                                    float deviation);

enum { N = 1 << 14, BINS = 16 };

__global__ void count(const float *in, int *bins)
{
    __shared__ int s[BINS];
    if (threadIdx.x < BINS) {
        s[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        int bin = (int)(in[i] * BINS);
        atomicAdd(&s[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1], 1);
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        bins[threadIdx.x] = s[threadIdx.x];
    }
}

static bool is_even(const int *bins)
{
    bool is = true;
    for (int i = 0; i < BINS; i++) {
        is = is && bins[i] > N / BINS * 0.85 && bins[i] < N / BINS * 1.15;
    }
    return is;
}

int main()
{
    float *a, *b;
    int *bins;
    double sum = 0, squares = 0;
    curandGenerator_st *generator;
    cudaMallocManaged(&a, N * sizeof *a);
    cudaMallocManaged(&b, N * sizeof *b);
    cudaMallocManaged(&bins, BINS * sizeof *bins);
    curandCreateGenerator(&generator, 100);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandGenerateUniform(generator, a, N);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandGenerateUniform(generator, b, N);
    bool is_same = true, differs = false, is_within = true;
    for (int i = 0; i < N; i++) {
        is_same = is_same && a[i] == b[i];
        is_within = is_within && a[i] > 0 && a[i] <= 1;
    }
    curandSetPseudoRandomGeneratorSeed(generator, 1235);
    curandGenerateUniform(generator, b, N);
    for (int i = 0; i < N; i++) {
        differs = differs || a[i] != b[i];
    }
    count<<<1, 256>>>(a, bins);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", is_same, differs, is_within, is_even(bins));
    curandGenerateNormal(generator, a, N, 10, 2);
    for (int i = 0; i < N; i++) {
        sum += a[i];
        squares += (a[i] - 10) * (a[i] - 10);
    }
    printf("%.0f %.0f\n", sum / N, squares / N);
    curandDestroyGenerator(generator);
    return 0;
}
