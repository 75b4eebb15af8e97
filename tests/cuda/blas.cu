/* cuBLAS, computed on the host: products of small whole numbers against loops, which are exact in any
 * order; rows as columns, parts of larger matrices, many at once, halves; vectors with steps. */
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

enum { M = 7, N = 5, K = 6, ROWS = 9, SIZE = ROWS * ROWS * 2 };

static float a[SIZE], b[SIZE], c[SIZE], expected[SIZE];
static float *on_a, *on_b, *on_c;
static cublasHandle_t handle;

static void fill(float *array, int seed)
{
    for (int i = 0; i < SIZE; i++) {
        array[i] = (float)((i * 7 + seed) % 11 - 5);
    }
}

static float at(const float *matrix, bool is_transposed, int row, int column)
{
    return is_transposed ? matrix[column + row * ROWS] : matrix[row + column * ROWS];
}

static void expect(bool a_turned, bool b_turned, float alpha, float beta, int from)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < M; i++) {
            float sum = 0, *to = &expected[from + i + j * ROWS];
            for (int l = 0; l < K; l++) {
                sum += at(a + from, a_turned, i, l) * at(b + from, b_turned, l, j);
            }
            *to = alpha * sum + (beta == 0 ? 0 : beta * *to);
        }
    }
}

static void begin()
{
    fill(a, 1);
    fill(b, 2);
    fill(expected, 3);
    cublasSetVector(SIZE, sizeof *a, a, 1, on_a, 1);
    cublasSetVector(SIZE, sizeof *b, b, 1, on_b, 1);
    cublasSetVector(SIZE, sizeof *c, expected, 1, on_c, 1);
}

static void end(const char *what, cublasStatus_t status)
{
    int wrong = 0;
    cublasGetMatrix(ROWS, SIZE / ROWS, sizeof *c, on_c, ROWS, c, ROWS);
    for (int i = 0; i < SIZE; i++) {
        wrong += c[i] != expected[i];
    }
    printf("%s: %d wrong, %s\n", what, wrong, cublasGetStatusString(status));
}

__global__ void to_halves(const float *from, half *to)
{
    to[threadIdx.x] = __float2half(from[threadIdx.x]);
}

int main()
{
    float one = 1, two = 2, none = 0, three = 3;
    cudaMalloc(&on_a, sizeof a);
    cudaMalloc(&on_b, sizeof b);
    cudaMalloc(&on_c, sizeof c);
    cublasCreate(&handle);
    for (int turned = 0; turned < 4; turned++) {
        begin();
        expect(turned & 1, turned & 2, 2, 3, 0);
        end("product", cublasSgemm(handle, turned & 1 ? CUBLAS_OP_T : CUBLAS_OP_N,
                                   turned & 2 ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, K, &two, on_a,
                                   ROWS, on_b, ROWS, &three, on_c, ROWS));
    }
    begin();
    expect(false, false, 1, 0, 0);
    expect(false, false, 1, 0, SIZE / 2);
    end("two",
        cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, on_a, ROWS,
                                  SIZE / 2, on_b, ROWS, SIZE / 2, &none, on_c, ROWS, SIZE / 2, 2));
    half *half_a, *half_b;
    cudaMalloc(&half_a, sizeof a);
    cudaMalloc(&half_b, sizeof b);
    begin();
    to_halves<<<1, SIZE>>>(on_a, half_a);
    to_halves<<<1, SIZE>>>(on_b, half_b);
    expect(false, true, 2, 1, 0);
    end("halves", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &two, half_a, CUDA_R_16F,
                               ROWS, half_b, CUDA_R_16F, ROWS, &one, on_c, CUDA_R_32F, ROWS,
                               CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    begin();
    for (int i = 0; i < M; i++) {
        float sum = 0;
        for (int l = 0; l < K; l++) {
            sum += at(a, false, i, l) * b[3 * l];
        }
        expected[2 * i] = 2 * sum + expected[2 * i];
    }
    end("matrix by vector",
        cublasSgemv(handle, CUBLAS_OP_N, M, K, &two, on_a, ROWS, on_b, 3, &one, on_c, 2));
    begin();
    for (int i = 0; i < 10; i++) {
        expected[2 * (9 - i)] += 3 * a[i];
    }
    end("backwards", cublasSaxpy(handle, 10, &three, on_a, 1, on_c, -2));
    float dot = 0, sum = 0, root = 0;
    int most = 0;
    fill(a, 1);
    cublasSdot(handle, 8, on_a, 1, on_b, 2, &dot);
    cublasSasum(handle, 8, on_a, 1, &sum);
    cublasSnrm2(handle, 8, on_a, 1, &root);
    cublasIsamax(handle, 8, on_a, 1, &most);
    float dot_expected = 0, sum_expected = 0, square = 0;
    for (int i = 0; i < 8; i++) {
        dot_expected += a[i] * b[2 * i];
        sum_expected += a[i] < 0 ? -a[i] : a[i];
        square += a[i] * a[i];
    }
    printf("%d %d %d %d\n", dot == dot_expected, sum == sum_expected,
           root * root > square - 0.01 && root * root < square + 0.01, most);
    cublasDestroy(handle);
    return 0;
}
