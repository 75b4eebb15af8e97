/* A product of matrices as Hopper's libraries make it: TMA loads tiles by maps that the driver encodes, wgmma multiplies
 * them (tests/ptx/wgmma.cu). And maps that the driver refuses. */
#include "../ptx/wgmma.cu"

#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

typedef CUresult (*encode_t)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                             const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                             CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static encode_t encode;

/* Boxes of 64 x 64 halves. */
static CUresult make(CUtensorMap *map, __half *p, cuuint64_t columns, cuuint64_t rows, CUtensorMapSwizzle swizzle)
{
    const cuuint64_t side[] = {columns, rows}, stride[] = {columns * sizeof(__half)};
    const cuuint32_t box[] = {64, 64}, step[] = {1, 1};
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, side, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main()
{
    const int m = 128, n = 192, k = 320;
    __half *a, *b;
    float *c;
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaMallocManaged(&a, m * k * sizeof *a);
    cudaMallocManaged(&b, n * k * sizeof *b);
    cudaMallocManaged(&c, m * n * sizeof *c);
    for (int i = 0; i < m * k; i++)
        a[i] = i % 7 - 3;
    for (int i = 0; i < n * k; i++)
        b[i] = i % 11 - 5;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result) !=
            cudaSuccess || result != cudaDriverEntryPointSuccess)
        return 1;
    encode = (encode_t)entry;
    CUtensorMap as, bs, none;
    printf("%d %d\n", make(&as, a, k, m, CU_TENSOR_MAP_SWIZZLE_128B), make(&bs, b, k, n, CU_TENSOR_MAP_SWIZZLE_128B));
    gemm<<<dim3(n / 64, m / 64), 160, 2 * STAGES * 64 * KT * sizeof(__half)>>>(as, bs, c, n, k / KT);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int x = 0; x < k; x++)
            sum += __half2float(a[i / n * k + x]) * __half2float(b[i % n * k + x]);
        wrong += c[i] != sum;
    }
    printf("%d wrong\n", wrong);
    printf("%d\n", make(&none, a, k, m, CU_TENSOR_MAP_SWIZZLE_64B));
    printf("%d\n", make(&none, a, 60, m, CU_TENSOR_MAP_SWIZZLE_128B));
    cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &entry, 12000, cudaEnableDefault, &result);
    printf("%d %d\n", entry == nullptr, result == cudaDriverEntryPointSymbolNotFound);
    return 0;
}
