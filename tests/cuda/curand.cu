/* Random numbers in kernels: Philox's are NVIDIA's, by either compiler; XORWOW's are spread as they should be, and
 * are the same for the same seed. */
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

enum { N = 64, EACH = 256 };

__global__ void philox(unsigned *out)
{
    curandStatePhilox4_32_10_t state;
    curand_init(0x123456789abcull, threadIdx.x, 5 * threadIdx.x, &state);
    unsigned sum = 0;
    for (int i = 0; i < 9; i++) {
        sum = 31 * sum + curand(&state);
    }
    uint4 four = curand4(&state);
    skipahead(7, &state);
    sum = 31 * (31 * (31 * (31 * sum + four.x) + four.y) + four.z) + four.w;
    out[threadIdx.x] = 31 * sum + curand(&state) + (unsigned)(curand_uniform(&state) * 16777216.f);
}

/* Sums of powers, the least and the greatest. */
__global__ void spread(double *out, int kind, unsigned long long seed)
{
    curandState state;
    curand_init(seed, threadIdx.x, 3, &state);
    double first = 0, second = 0, fourth = 0;
    for (int i = 0; i < EACH; i++) {
        double x = kind == 0   ? curand_uniform(&state)
                   : kind == 1 ? curand_uniform_double(&state)
                   : kind == 2 ? curand_normal(&state)
                               : curand_normal_double(&state);
        first += x;
        second += x * x;
        fourth += x * x * x * x;
    }
    atomicAdd(&out[0], first / (N * EACH));
    atomicAdd(&out[1], second / (N * EACH));
    atomicAdd(&out[2], fourth / (N * EACH));
}

int main()
{
    unsigned *on_sums, sums[N], sum = 0;
    double *on, out[3], again[3];
    cudaMalloc(&on_sums, sizeof sums);
    cudaMalloc(&on, sizeof out);
    philox<<<1, N>>>(on_sums);
    cudaMemcpy(sums, on_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        sum = 31 * sum + sums[i];
    }
    printf("philox %u, %u, %u\n", sums[0], sums[1], sum);
    /* of uniform numbers 1/2, 1/3, 1/5; of normal ones 0, 1, 3 */
    for (int kind = 0; kind < 4; kind++) {
        double should[] = {kind < 2 ? 0.5 : 0, kind < 2 ? 1.0 / 3 : 1, kind < 2 ? 0.2 : 3};
        for (double *to : {out, again}) {
            cudaMemset(on, 0, sizeof out);
            spread<<<1, N>>>(on, kind, 1234);
            cudaMemcpy(to, on, sizeof out, cudaMemcpyDeviceToHost);
        }
        bool is_spread = true;
        for (int i = 0; i < 3; i++) {
            is_spread =
                is_spread && fabs(out[i] - should[i]) < (kind < 2 ? 0.01 : 0.05 * (1 + 3 * i));
        }
        printf("%s, %s\n", is_spread ? "as it should be" : "wrong",
               out[0] == again[0] && out[1] == again[1] ? "the same again" : "other numbers");
    }
    puts(cudaGetErrorString(cudaGetLastError()));
}
