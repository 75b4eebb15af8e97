/* cublas.c - the part of cuBLAS that programs check their own kernels with, computed on the host.
 *
 * NVIDIA's kernels are not to be had, so what they access is not counted; the first call says so. Sums
 * are made in double and rounded once, which is nearer the truth than any order of a GPU's. Matrices lie
 * by columns. Numbers are float, double, half and bfloat16; others are refused with the code for it.
 */
#include "cudart/state.h"

#include "base/memory.h"
#include "ptx/half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* hints: streams, algorithms */
#endif

/* cublasStatus_t */
enum status {
    SUCCESS = 0,
    NOT_INITIALISED = 1,
    NO_MEMORY = 3,
    INVALID_VALUE = 7,
    UNSUPPORTED = 15
};

/* cudaDataType: those that are known here. */
enum type { FLOAT = 0, DOUBLE = 1, HALF = 2, BFLOAT = 14 };

struct handle {
    void *stream;
    int pointer_mode, math_mode;
};

static void tell_once(void)
{
    static bool is_told;
    if (!is_told) {
        is_told = true;
        fflush(stdout);
        fputs("banksim: cuBLAS is computed on the host: what its kernels access is not counted\n",
              stderr);
    }
}

EXPORT int cublasCreate_v2(struct handle **handle)
{
    *handle = bsim_mem_zeroed(1, sizeof **handle);
    return *handle != NULL ? SUCCESS : NO_MEMORY;
}

EXPORT int cublasDestroy_v2(struct handle *handle)
{
    bsim_mem_free(handle);
    return SUCCESS;
}

/* Of the lighter interface the handle alone: programs make one beside what they do themselves. */
EXPORT int cublasLtCreate(struct handle **handle)
{
    return cublasCreate_v2(handle);
}

EXPORT int cublasLtDestroy(struct handle *handle)
{
    return cublasDestroy_v2(handle);
}

EXPORT int cublasGetVersion_v2(struct handle *handle, int *version)
{
    (void)handle;
    *version = 130000;
    return SUCCESS;
}

EXPORT const char *cublasGetStatusString(int status)
{
    return status == SUCCESS           ? "CUBLAS_STATUS_SUCCESS"
           : status == NOT_INITIALISED ? "CUBLAS_STATUS_NOT_INITIALIZED"
           : status == NO_MEMORY       ? "CUBLAS_STATUS_ALLOC_FAILED"
           : status == INVALID_VALUE   ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == UNSUPPORTED     ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                       : "unknown status";
}

EXPORT const char *cublasGetStatusName(int status)
{
    return cublasGetStatusString(status);
}

/* ---- what a handle keeps; everything is done when a call returns ----------------------------- */

#define KEPT(set, get, type, member)                   \
    EXPORT int set(struct handle *handle, type value)  \
    {                                                  \
        if (handle == NULL) {                          \
            return NOT_INITIALISED;                    \
        }                                              \
        handle->member = value;                        \
        return SUCCESS;                                \
    }                                                  \
    EXPORT int get(struct handle *handle, type *value) \
    {                                                  \
        if (handle == NULL) {                          \
            return NOT_INITIALISED;                    \
        }                                              \
        *value = handle->member;                       \
        return SUCCESS;                                \
    }

KEPT(cublasSetStream_v2, cublasGetStream_v2, void *, stream)
KEPT(cublasSetPointerMode_v2, cublasGetPointerMode_v2, int, pointer_mode)
KEPT(cublasSetMathMode, cublasGetMathMode, int, math_mode)

EXPORT int cublasSetWorkspace_v2(struct handle *handle, void *workspace, size_t size)
{
    (void)workspace, (void)size;
    return handle != NULL ? SUCCESS : NOT_INITIALISED;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t bytes_of(int type)
{
    return type == DOUBLE ? 8 : type == FLOAT ? 4 : 2;
}

static bool is_known(int type)
{
    return type == FLOAT || type == DOUBLE || type == HALF || type == BFLOAT;
}

static double load(const void *p, int type, size_t i)
{
    const unsigned char *at = (const unsigned char *)p + i * bytes_of(type);
    double d;
    float f;
    uint16_t h;
    switch (type) {
    case DOUBLE:
        memcpy(&d, at, sizeof d);
        return d;
    case FLOAT:
        memcpy(&f, at, sizeof f);
        return (double)f;
    default:
        memcpy(&h, at, sizeof h);
        return (double)(type == HALF ? bsim_float_from_half(h) : bsim_float_from_bfloat(h));
    }
}

static void store(void *p, int type, size_t i, double value)
{
    unsigned char *at = (unsigned char *)p + i * bytes_of(type);
    float f = (float)value;
    if (type == DOUBLE) {
        memcpy(at, &value, sizeof value);
    } else if (type == FLOAT) {
        memcpy(at, &f, sizeof f);
    } else {
        uint16_t h = type == HALF ? bsim_half_from_float(f) : bsim_bfloat_from_float(f);
        memcpy(at, &h, sizeof h);
    }
}

/* ---- vectors --------------------------------------------------------------------------------- */

struct vector {
    void *data;
    int type, step;
    size_t n;
};

/* A negative step goes from the end. */
static size_t place(const struct vector *v, size_t i)
{
    size_t step = (size_t)abs(v->step);
    return v->step < 0 ? (v->n - 1 - i) * step : i * step;
}

static double at(const struct vector *v, size_t i)
{
    return load(v->data, v->type, place(v, i));
}

static void put(const struct vector *v, size_t i, double value)
{
    store(v->data, v->type, place(v, i), value);
}

static struct vector vector_of(const void *p, int type, int n, int step)
{
    return (struct vector){bsim_cuda_hand_out(p), type, step, n > 0 ? (size_t)n : 0};
}

static double scalar(const void *p, int type)
{
    return load(bsim_cuda_hand_out(p), type, 0);
}

static int axpy(int n, double a, struct vector x, struct vector y)
{
    tell_once();
    for (int i = 0; i < n; i++) {
        put(&y, (size_t)i, a * at(&x, (size_t)i) + at(&y, (size_t)i));
    }
    return SUCCESS;
}

static int dot(struct vector x, struct vector y, void *result, int type)
{
    double sum = 0;
    tell_once();
    for (size_t i = 0; i < x.n; i++) {
        sum += at(&x, i) * at(&y, i);
    }
    store(bsim_cuda_hand_out(result), type, 0, sum);
    return SUCCESS;
}

static int scale(double a, struct vector x)
{
    tell_once();
    for (size_t i = 0; i < x.n; i++) {
        put(&x, i, a * at(&x, i));
    }
    return SUCCESS;
}

static int copy(struct vector x, struct vector y)
{
    tell_once();
    for (size_t i = 0; i < x.n; i++) {
        put(&y, i, at(&x, i));
    }
    return SUCCESS;
}

static int sum_sizes(struct vector x, void *result)
{
    double sum = 0;
    tell_once();
    for (size_t i = 0; i < x.n; i++) {
        sum += fabs(at(&x, i));
    }
    store(bsim_cuda_hand_out(result), x.type, 0, sum);
    return SUCCESS;
}

static int norm(struct vector x, void *result)
{
    double sum = 0;
    tell_once();
    for (size_t i = 0; i < x.n; i++) {
        sum += at(&x, i) * at(&x, i);
    }
    store(bsim_cuda_hand_out(result), x.type, 0, sqrt(sum));
    return SUCCESS;
}

/* The first of the largest (sign 1) or smallest (-1), counted from 1; 0 of none. */
static int extreme(struct vector x, double sign, int *result)
{
    size_t best = 0;
    tell_once();
    for (size_t i = 1; i < x.n; i++) {
        best = sign * fabs(at(&x, i)) > sign * fabs(at(&x, best)) ? i : best;
    }
    *(int *)bsim_cuda_hand_out(result) = x.n > 0 ? (int)best + 1 : 0;
    return SUCCESS;
}

/* What cuBLAS offers: a call, and what it does. */
#define CALL(name, answer, ...)                           \
    EXPORT int name(struct handle *handle, __VA_ARGS__)   \
    {                                                     \
        return handle == NULL ? NOT_INITIALISED : answer; \
    }

#define X_OF(number) vector_of(x, number, n, x_step)
#define Y_OF(number) vector_of(y, number, n, y_step)
#define VECTORS(S, s, type, number)                                                                \
    CALL(cublas##S##axpy_v2, axpy(n, scalar(a, number), X_OF(number), Y_OF(number)), int n,        \
         const type *a, const type *x, int x_step, type *y, int y_step)                            \
    CALL(cublas##S##dot_v2, dot(X_OF(number), Y_OF(number), result, number), int n, const type *x, \
         int x_step, const type *y, int y_step, type *result)                                      \
    CALL(cublas##S##scal_v2, scale(scalar(a, number), X_OF(number)), int n, const type *a,         \
         type *x, int x_step)                                                                      \
    CALL(cublas##S##copy_v2, copy(X_OF(number), Y_OF(number)), int n, const type *x, int x_step,   \
         type *y, int y_step)                                                                      \
    CALL(cublas##S##asum_v2, sum_sizes(X_OF(number), result), int n, const type *x, int x_step,    \
         type *result)                                                                             \
    CALL(cublas##S##nrm2_v2, norm(X_OF(number), result), int n, const type *x, int x_step,         \
         type *result)                                                                             \
    CALL(cublasI##s##amax_v2, extreme(X_OF(number), 1, result), int n, const type *x, int x_step,  \
         int *result)                                                                              \
    CALL(cublasI##s##amin_v2, extreme(X_OF(number), -1, result), int n, const type *x, int x_step, \
         int *result)

VECTORS(S, s, float, FLOAT)
VECTORS(D, d, double, DOUBLE)

CALL(cublasDotEx,
     !is_known(x_type) || !is_known(y_type) || !is_known(type)
         ? UNSUPPORTED
         : dot(vector_of(x, x_type, n, x_step), vector_of(y, y_type, n, y_step), result, type),
     int n, const void *x, int x_type, int x_step, const void *y, int y_type, int y_step,
     void *result, int type, int by)

/* ---- matrices -------------------------------------------------------------------------------- */

struct matrix {
    void *data;
    int type, rows_apart; /* elements from a column to the next */
    bool is_transposed;
};

static struct matrix matrix_of(const void *p, int type, int rows_apart, int operation)
{
    return (struct matrix){bsim_cuda_hand_out(p), type, rows_apart, operation != 0};
}

static size_t element(const struct matrix *m, size_t row, size_t column)
{
    size_t apart = (size_t)m->rows_apart;
    return m->is_transposed ? column + row * apart : row + column * apart;
}

/* n_rows x n_columns of it in double, by columns; NULL without memory. */
static double *unpack(const struct matrix *m, size_t n_rows, size_t n_columns)
{
    double *values = bsim_mem_zeroed(n_rows * n_columns + 1, sizeof *values);
    for (size_t j = 0; values != NULL && j < n_columns; j++) {
        for (size_t i = 0; i < n_rows; i++) {
            values[j * n_rows + i] = load(m->data, m->type, element(m, i, j));
        }
    }
    return values;
}

struct product {
    size_t m, n, k;
    double alpha, beta;
    struct matrix a, b, c;
};

/* Column j of the product, a column of a at a time. */
static void add_columns(const struct product *p, const double *a, const double *b, double *sums)
{
    for (size_t i = 0; i < p->m; i++) {
        sums[i] = 0;
    }
    for (size_t l = 0; l < p->k; l++) {
        for (size_t i = 0; i < p->m; i++) {
            sums[i] += a[l * p->m + i] * b[l];
        }
    }
}

/* Where beta is 0, c is not read: it may be no number. */
static void store_column(const struct product *p, size_t j, const double *sums)
{
    for (size_t i = 0; i < p->m; i++) {
        size_t where = element(&p->c, i, j);
        double before = p->beta == 0 ? 0 : p->beta * load(p->c.data, p->c.type, where);
        store(p->c.data, p->c.type, where, p->alpha * sums[i] + before);
    }
}

static int multiply(const struct product *p)
{
    double *a = unpack(&p->a, p->m, p->k), *b = unpack(&p->b, p->k, p->n),
           *sums = bsim_mem_zeroed(p->m + 1, sizeof *sums);
    bool has_memory = a != NULL && b != NULL && sums != NULL;
    for (size_t j = 0; has_memory && j < p->n; j++) {
        add_columns(p, a, b + j * p->k, sums);
        store_column(p, j, sums);
    }
    bsim_mem_free(a);
    bsim_mem_free(b);
    bsim_mem_free(sums);
    return has_memory ? SUCCESS : NO_MEMORY;
}

static bool is_valid(const struct product *p)
{
    bool has_types = is_known(p->a.type) && is_known(p->b.type) && is_known(p->c.type);
    bool has_sizes = p->m <= INT32_MAX && p->n <= INT32_MAX && p->k <= INT32_MAX;
    return has_types && has_sizes && p->a.rows_apart > 0 && p->b.rows_apart > 0 &&
           p->c.rows_apart > 0;
}

static struct product product_of(int m, int n, int k, const void *alpha, const void *beta, int type)
{
    return (struct product){.m = (size_t)m,
                            .n = (size_t)n,
                            .k = (size_t)k,
                            .alpha = scalar(alpha, type),
                            .beta = scalar(beta, type)};
}

/* The type of alpha and beta by cublasComputeType_t; -1: whole numbers. */
static int scalar_type(int compute)
{
    return compute == 64 || compute == 65   ? HALF
           : compute == 70 || compute == 71 ? DOUBLE
           : compute == 72 || compute == 73 ? -1
                                            : FLOAT;
}

/* A matrix as calls have it, and how many elements behind it the next of many is. */
struct operand {
    const void *p;
    int type, rows_apart, operation;
    long long stride;
};

static struct matrix nth(const struct operand *operand, int i)
{
    const char *p = operand->p;
    p += (long long)i * operand->stride * (long long)bytes_of(operand->type);
    return matrix_of(p, operand->type, operand->rows_apart, operand->operation);
}

static int multiply_all(struct product p, struct operand a, struct operand b, struct operand c,
                        int n)
{
    int status = SUCCESS;
    tell_once();
    for (int i = 0; i < n && status == SUCCESS; i++) {
        p.a = nth(&a, i);
        p.b = nth(&b, i);
        p.c = nth(&c, i);
        status = is_valid(&p) ? multiply(&p) : INVALID_VALUE;
    }
    return status;
}

#define SIZES_ int a_op, int b_op, int m, int n, int k

#define MATRICES(S, type, number)                                                                 \
    CALL(cublas##S##gemm_v2,                                                                      \
         multiply_all(product_of(m, n, k, alpha, beta, number),                                   \
                      (struct operand){a, number, a_rows, a_op, 0},                               \
                      (struct operand){b, number, b_rows, b_op, 0},                               \
                      (struct operand){c, number, c_rows, 0, 0}, 1),                              \
         SIZES_, const type *alpha, const type *a, int a_rows, const type *b, int b_rows,         \
         const type *beta, type *c, int c_rows)                                                   \
    CALL(cublas##S##gemmStridedBatched,                                                           \
         multiply_all(product_of(m, n, k, alpha, beta, number),                                   \
                      (struct operand){a, number, a_rows, a_op, a_stride},                        \
                      (struct operand){b, number, b_rows, b_op, b_stride},                        \
                      (struct operand){c, number, c_rows, 0, c_stride}, n_products),              \
         SIZES_, const type *alpha, const type *a, int a_rows, long long a_stride, const type *b, \
         int b_rows, long long b_stride, const type *beta, type *c, int c_rows,                   \
         long long c_stride, int n_products)                                                      \
    CALL(cublas##S##gemv_v2,                                                                      \
         multiply_all(product_of(op == 0 ? m : n, 1, op == 0 ? n : m, alpha, beta, number),       \
                      (struct operand){a, number, a_rows, op, 0},                                 \
                      (struct operand){x, number, x_step, 1, 0},                                  \
                      (struct operand){y, number, y_step, 1, 0}, 1),                              \
         int op, int m, int n, const type *alpha, const type *a, int a_rows, const type *x,       \
         int x_step, const type *beta, type *y, int y_step)

MATRICES(S, float, FLOAT)
MATRICES(D, double, DOUBLE)

CALL(cublasGemmStridedBatchedEx,
     scalar_type(compute) < 0
         ? UNSUPPORTED
         : multiply_all(product_of(m, n, k, alpha, beta, scalar_type(compute)),
                        (struct operand){a, a_type, a_rows, a_op, a_stride},
                        (struct operand){b, b_type, b_rows, b_op, b_stride},
                        (struct operand){c, c_type, c_rows, 0, c_stride}, n_products),
     SIZES_, const void *alpha, const void *a, int a_type, int a_rows, long long a_stride,
     const void *b, int b_type, int b_rows, long long b_stride, const void *beta, void *c,
     int c_type, int c_rows, long long c_stride, int n_products, int compute, int algorithm)

CALL(cublasGemmEx,
     cublasGemmStridedBatchedEx(handle, a_op, b_op, m, n, k, alpha, a, a_type, a_rows, 0, b, b_type,
                                b_rows, 0, beta, c, c_type, c_rows, 0, 1, compute, algorithm),
     SIZES_, const void *alpha, const void *a, int a_type, int a_rows, const void *b, int b_type,
     int b_rows, const void *beta, void *c, int c_type, int c_rows, int compute, int algorithm)

/* c = alpha * a + beta * b */
static int add(struct product p)
{
    tell_once();
    for (size_t j = 0; j < p.n; j++) {
        for (size_t i = 0; i < p.m; i++) {
            double a = p.alpha == 0 ? 0 : load(p.a.data, p.a.type, element(&p.a, i, j));
            double b = p.beta == 0 ? 0 : load(p.b.data, p.b.type, element(&p.b, i, j));
            store(p.c.data, p.c.type, element(&p.c, i, j), p.alpha * a + p.beta * b);
        }
    }
    return SUCCESS;
}

CALL(cublasSgeam,
     add((struct product){(size_t)m, (size_t)n, 0, scalar(alpha, FLOAT), scalar(beta, FLOAT),
                          matrix_of(a, FLOAT, a_rows, a_op), matrix_of(b, FLOAT, b_rows, b_op),
                          matrix_of(c, FLOAT, c_rows, 0)}),
     int a_op, int b_op, int m, int n, const float *alpha, const float *a, int a_rows,
     const float *beta, const float *b, int b_rows, float *c, int c_rows)

/* ---- to the device and back ------------------------------------------------------------------ */

EXPORT int cublasSetMatrix(int n_rows, int n_columns, int size, const void *from, int from_rows,
                           void *to, int to_rows)
{
    if (n_rows < 0 || n_columns < 0 || size <= 0 || from_rows <= 0 || to_rows <= 0) {
        return INVALID_VALUE;
    }
    for (size_t j = 0; j < (size_t)n_columns; j++) {
        memcpy((char *)bsim_cuda_hand_out(to) + j * (size_t)to_rows * (size_t)size,
               (const char *)bsim_cuda_hand_out(from) + j * (size_t)from_rows * (size_t)size,
               (size_t)n_rows * (size_t)size);
    }
    return SUCCESS;
}

EXPORT int cublasGetMatrix(int n_rows, int n_columns, int size, const void *from, int from_rows,
                           void *to, int to_rows)
{
    return cublasSetMatrix(n_rows, n_columns, size, from, from_rows, to, to_rows);
}

EXPORT int cublasSetMatrixAsync(int n_rows, int n_columns, int size, const void *from,
                                int from_rows, void *to, int to_rows, void *stream)
{
    (void)stream;
    return cublasSetMatrix(n_rows, n_columns, size, from, from_rows, to, to_rows);
}

EXPORT int cublasGetMatrixAsync(int n_rows, int n_columns, int size, const void *from,
                                int from_rows, void *to, int to_rows, void *stream)
{
    (void)stream;
    return cublasSetMatrix(n_rows, n_columns, size, from, from_rows, to, to_rows);
}

/* A vector is a matrix's row. */
EXPORT int cublasSetVector(int n, int size, const void *from, int from_step, void *to, int to_step)
{
    return cublasSetMatrix(1, n, size, from, from_step, to, to_step);
}

EXPORT int cublasGetVector(int n, int size, const void *from, int from_step, void *to, int to_step)
{
    return cublasSetMatrix(1, n, size, from, from_step, to, to_step);
}
