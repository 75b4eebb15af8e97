/* Halves: host and device convert alike, all of them and what lies between; arithmetic. */
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

enum { N = 1 << 16 };

__global__ void convert(float *as_float, unsigned short *between)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = __half2float(__ushort_as_half((unsigned short)i));
    as_float[i] = x;
    between[i] = __half_as_ushort(__float2half(x * 1.0003f));
}

__global__ void compute(half *out)
{
    half a = __float2half(1.5f), b = __float2half(-2.25f);
    half2 two = __hfma2(__halves2half2(a, b), __float2half2_rn(2.0f), __half2half2(a));
    half values[] = {__hadd(a, b),    a * b,           __hdiv(a, b),
                     __hfma(a, b, a), __low2half(two), __high2half(two),
                     __hmax(a, b),    __hneg(a),       __float2half(70000.0f)};
    for (int i = 0; i < 9; i++) {
        out[i] = values[i];
    }
}

int main()
{
    std::vector<float> floats(N);
    std::vector<unsigned short> shorts(N);
    float *on_f;
    unsigned short *on_s;
    half *on_h, out[9];
    cudaMalloc(&on_f, N * sizeof(float));
    cudaMalloc(&on_s, N * sizeof(short));
    cudaMalloc(&on_h, sizeof out);
    convert<<<N / 256, 256>>>(on_f, on_s);
    compute<<<1, 1>>>(on_h);
    cudaMemcpy(floats.data(), on_f, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(shorts.data(), on_s, N * sizeof(short), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, on_h, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        unsigned short bits = (unsigned short)i;
        half h;
        memcpy(&h, &bits, sizeof h);
        float x = __half2float(h);
        half between = __float2half(x * 1.0003f);
        wrong += x == x && (x != floats[i] || memcmp(&between, &shorts[i], sizeof between) != 0);
    }
    printf("%d wrong\n", wrong);
    for (half x : out) {
        printf("%g ", __half2float(x));
    }
    printf("\n%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
