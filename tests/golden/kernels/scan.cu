/* scan.cu - Blelloch's scan, whose indices go through a macro that is to pad them. */
#define PADDED(n) (n)
#define N 512

__global__ void scan(int *out, const int *in)
{
    __shared__ int t[N];
    int a = threadIdx.x, offset = 1;
    t[PADDED(2 * a)] = in[2 * a];
    t[PADDED(2 * a + 1)] = in[2 * a + 1];
    for (int d = N / 2; d > 0; d /= 2) {
        __syncthreads();
        if (a < d)
            t[PADDED(offset * (2 * a + 2) - 1)] += t[PADDED(offset * (2 * a + 1) - 1)];
        offset *= 2;
    }
    if (a == 0)
        t[PADDED(N - 1)] = 0;
    for (int d = 1; d < N; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (a < d) {
            int i = PADDED(offset * (2 * a + 1) - 1), k = PADDED(offset * (2 * a + 2) - 1);
            int left = t[i];
            t[i] = t[k];
            t[k] += left;
        }
    }
    __syncthreads();
    out[2 * a] = t[PADDED(2 * a)];
    out[2 * a + 1] = t[PADDED(2 * a + 1)];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, N * 4);
    cudaMalloc(&out, N * 4);
    scan<<<1, N / 2>>>(out, in);
}
