/* product.cu - a product of matrices by tiles; b's is stored by columns. */
#define N 64
#define T 16

__global__ void product(const float *a, const float *b, float *c, int n, float scale)
{
    __shared__ float as[T][T], bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        as[ty][tx] = a[row * n + k + tx];
        bs[tx][ty] = b[(k + ty) * n + column];
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += as[ty][i] * bs[tx][i];
        __syncthreads();
    }
    c[row * n + column] = scale * sum;
}

int main(int argc, char **argv)
{
    float *a, *b, *c;
    int bytes = N * N * sizeof(*a);
    const float scale = 0.5f;
    cudaMalloc(&a, N * N * sizeof(float));
    cudaMalloc(&b, N * N * sizeof(float));
    cudaMalloc(&c, N * N * sizeof(float));
    product<<<{N / T, N / T}, dim3{T, T}>>>(a, b, c, N, scale);
    return bytes > 0;
}
