/* bfloat16: host and device convert alike, all of them and what lies between; arithmetic. */
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

enum { N = 1 << 16 };

__global__ void convert(float *as_float, __nv_bfloat16 *between)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
    as_float[i] = x;
    between[i] = __float2bfloat16(x * 1.003f);
}

__global__ void compute(float *out)
{
    __nv_bfloat16 a = 1.5f, b = -2.25f;
    __nv_bfloat162 two =
        __hfma2(__halves2bfloat162(a, b), __float2bfloat162_rn(2.0f), __bfloat162bfloat162(a));
    float2 both = __bfloat1622float2(two + two);
    __nv_bfloat16 values[] = {a + b, a * b, a / b, __hfma(a, b, a), __hmax(a, b), __hneg(a), a};
    values[6] += __float2bfloat16(256.0f); /* 257.5, of which 258 is left */
    for (int i = 0; i < 7; i++) {
        out[i] = __bfloat162float(values[i]);
    }
    out[7] = both.x;
    out[8] = both.y;
    out[9] = a > b;
}

int main()
{
    std::vector<float> floats(N);
    std::vector<unsigned short> shorts(N);
    float *on_f, *on_out, out[10];
    __nv_bfloat16 *on_s;
    cudaMalloc(&on_f, N * sizeof(float));
    cudaMalloc(&on_s, N * sizeof(short));
    cudaMalloc(&on_out, sizeof out);
    convert<<<N / 256, 256>>>(on_f, on_s);
    compute<<<1, 1>>>(on_out);
    cudaMemcpy(floats.data(), on_f, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(shorts.data(), on_s, N * sizeof(short), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, on_out, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (unsigned i = 0; i < N; i++) {
        unsigned bits = i << 16;
        float x;
        memcpy(&x, &bits, sizeof x);
        __nv_bfloat16 between = __float2bfloat16(x * 1.003f);
        wrong += x == x && (x != floats[i] || memcmp(&between, &shorts[i], sizeof between) != 0);
    }
    printf("%d wrong\n", wrong);
    for (float x : out) {
        printf("%g ", x);
    }
    printf("\n%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
