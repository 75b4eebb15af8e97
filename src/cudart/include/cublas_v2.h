/* cublas_v2.h - the part of cuBLAS that libbanksim_cudart computes, on the host. */
#ifndef BANKSIM_CUBLAS_V2_H
#define BANKSIM_CUBLAS_V2_H

#include "banksim_cuda.h"

#include "library_types.h"

/* Programs have these types from here. */
#ifdef __CUDA__
#include "cuda_bf16.h"
#endif

typedef struct cublasContext *cublasHandle_t;

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
};
enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
};
enum cublasPointerMode_t {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1,
};
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
};
enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t size);

cublasStatus_t cublasSetVector(int n, int size, const void *from, int from_step, void *to,
                               int to_step);
cublasStatus_t cublasGetVector(int n, int size, const void *from, int from_step, void *to,
                               int to_step);
cublasStatus_t cublasSetMatrix(int n_rows, int n_columns, int size, const void *from, int from_rows,
                               void *to, int to_rows);
cublasStatus_t cublasGetMatrix(int n_rows, int n_columns, int size, const void *from, int from_rows,
                               void *to, int to_rows);
cublasStatus_t cublasSetMatrixAsync(int n_rows, int n_columns, int size, const void *from,
                                    int from_rows, void *to, int to_rows, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int n_rows, int n_columns, int size, const void *from,
                                    int from_rows, void *to, int to_rows, cudaStream_t stream);

/* Of float (S, s) and of double (D, d). */
#define __BANKSIM_BLAS(S, s, type)                                                                 \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const type *a, const type *x,  \
                                      int x_step, type *y, int y_step);                            \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const type *x, int x_step,      \
                                     const type *y, int y_step, type *result);                     \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const type *a, type *x,        \
                                      int x_step);                                                 \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const type *x, int x_step,     \
                                      type *y, int y_step);                                        \
    cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const type *x, int x_step,     \
                                      type *result);                                               \
    cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const type *x, int x_step,     \
                                      type *result);                                               \
    cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const type *x, int x_step,    \
                                       int *result);                                               \
    cublasStatus_t cublasI##s##amin_v2(cublasHandle_t handle, int n, const type *x, int x_step,    \
                                       int *result);                                               \
    cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t operation, int m,   \
                                      int n, const type *alpha, const type *a, int a_rows,         \
                                      const type *x, int x_step, const type *beta, type *y,        \
                                      int y_step);                                                 \
    cublasStatus_t cublas##S##gemm_v2(cublasHandle_t handle, cublasOperation_t a_operation,        \
                                      cublasOperation_t b_operation, int m, int n, int k,          \
                                      const type *alpha, const type *a, int a_rows, const type *b, \
                                      int b_rows, const type *beta, type *c, int c_rows);          \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation,       \
        int m, int n, int k, const type *alpha, const type *a, int a_rows, long long a_stride,     \
        const type *b, int b_rows, long long b_stride, const type *beta, type *c, int c_rows,      \
        long long c_stride, int n_products);

__BANKSIM_BLAS(S, s, float)
__BANKSIM_BLAS(D, d, double)

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t a_operation,
                           cublasOperation_t b_operation, int m, int n, const float *alpha,
                           const float *a, int a_rows, const float *beta, const float *b,
                           int b_rows, float *c, int c_rows);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                           int x_step, const void *y, cudaDataType y_type, int y_step, void *result,
                           cudaDataType type, cudaDataType by);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_operation,
                            cublasOperation_t b_operation, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType a_type, int a_rows, const void *b,
                            cudaDataType b_type, int b_rows, const void *beta, void *c,
                            cudaDataType c_type, int c_rows, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t a_operation,
                                          cublasOperation_t b_operation, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int a_rows, long long a_stride, const void *b,
                                          cudaDataType b_type, int b_rows, long long b_stride,
                                          const void *beta, void *c, cudaDataType c_type,
                                          int c_rows, long long c_stride, int n_products,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
}

/* Of before CUDA 11: computed in a type of data. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_operation,
                                          cublasOperation_t b_operation, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int a_rows, const void *b, cudaDataType b_type,
                                          int b_rows, const void *beta, void *c,
                                          cudaDataType c_type, int c_rows, cudaDataType compute,
                                          cublasGemmAlgo_t algorithm)
{
    cublasComputeType_t by = compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                             : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                             : compute == CUDA_R_32F ? CUBLAS_COMPUTE_32F
                                                     : CUBLAS_COMPUTE_32I;
    return cublasGemmEx(handle, a_operation, b_operation, m, n, k, alpha, a, a_type, a_rows, b,
                        b_type, b_rows, beta, c, c_type, c_rows, by, algorithm);
}

#define cublasSaxpy cublasSaxpy_v2
#define cublasSdot cublasSdot_v2
#define cublasSscal cublasSscal_v2
#define cublasScopy cublasScopy_v2
#define cublasSasum cublasSasum_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDdot cublasDdot_v2
#define cublasDscal cublasDscal_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDasum cublasDasum_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDgemm cublasDgemm_v2

#endif
