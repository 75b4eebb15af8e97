/* Products of matrices by a warp, of each type and shape, with rows or columns in a row, from shared memory: whole
 * numbers small enough to be exact, against products on the host. */
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <type_traits>

using namespace nvcuda;

template <typename T, typename kept, typename sum, int m, int n, int k, typename layout_a,
          typename layout_b>
__global__ void multiply(sum *out)
{
    constexpr bool a_rows = std::is_same<layout_a, wmma::row_major>::value;
    constexpr bool b_rows = std::is_same<layout_b, wmma::row_major>::value;
    constexpr int a_stride = a_rows ? k : m, b_stride = b_rows ? n : k;
    __shared__ __align__(32) kept a[m * k], b[k * n];
    __shared__ __align__(32) sum c[m * n];
    for (int i = threadIdx.x; i < m * k; i += 32) {
        int row = i / k, column = i % k;
        a[a_rows ? i : column * m + row] = (kept)(float)((row + 3 * column) % 7);
    }
    for (int i = threadIdx.x; i < k * n; i += 32) {
        int row = i / n, column = i % n;
        b[b_rows ? i : column * k + row] = (kept)(float)((5 * row + column) % 6);
    }
    for (int i = threadIdx.x; i < m * n; i += 32) {
        c[i] = (sum)(float)(i % 3);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, m, n, k, T, layout_a> left;
    wmma::fragment<wmma::matrix_b, m, n, k, T, layout_b> right;
    wmma::fragment<wmma::accumulator, m, n, k, sum> sums, twice;
    wmma::load_matrix_sync(left, a, a_stride);
    wmma::load_matrix_sync(right, b, b_stride);
    wmma::load_matrix_sync(sums, c, n, wmma::mem_row_major);
    wmma::fill_fragment(twice, (sum)0.f);
    wmma::mma_sync(twice, left, right, sums);
    for (int i = 0; i < twice.num_elements; i++) {
        twice.x[i] = twice.x[i] + twice.x[i];
    }
    wmma::store_matrix_sync(out, twice, m, wmma::mem_col_major);
}

template <typename T, typename kept, typename sum, int m, int n, int k, typename layout_a,
          typename layout_b>
void ask(const char *what)
{
    sum *on, out[m * n];
    int wrong = 0;
    cudaMalloc(&on, sizeof out);
    multiply<T, kept, sum, m, n, k, layout_a, layout_b><<<1, 32>>>(on);
    cudaMemcpy(out, on, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < m * n; i++) {
        int row = i / n, column = i % n, should = i % 3;
        for (int j = 0; j < k; j++) {
            should += (row + 3 * j) % 7 * ((5 * j + column) % 6);
        }
        wrong += (float)out[column * m + row] != 2 * should;
    }
    printf("%s: %d wrong\n", what, wrong);
    cudaFree(on);
}

#define ASK(T, kept, sum, m, n, k)                                                                \
    ask<T, kept, sum, m, n, k, wmma::row_major, wmma::col_major>(#T " " #sum " " #m "x" #n "x" #k \
                                                                    " rows, columns");            \
    ask<T, kept, sum, m, n, k, wmma::col_major, wmma::row_major>(#T " " #sum " " #m "x" #n "x" #k \
                                                                    " columns, rows");
#define ASK_SHAPE(m, n, k)                            \
    ASK(__half, __half, __half, m, n, k)              \
    ASK(__half, __half, float, m, n, k)               \
    ASK(__nv_bfloat16, __nv_bfloat16, float, m, n, k) \
    ASK(signed char, signed char, int, m, n, k)       \
    ASK(unsigned char, unsigned char, int, m, n, k)

int main()
{
    ASK_SHAPE(16, 16, 16)
    ASK_SHAPE(32, 8, 16)
    ASK_SHAPE(8, 32, 16)
    ASK(wmma::precision::tf32, float, float, 16, 16, 8)
    ASK(double, double, double, 8, 8, 4)
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
