/* cublasLt.h - of cuBLAS' lighter interface, what programs begin and end with: a handle. Products by it
 * are not here; programs that call for them do not compile. */
#ifndef BANKSIM_CUBLAS_LT_H
#define BANKSIM_CUBLAS_LT_H

#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t;

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
}

#endif
