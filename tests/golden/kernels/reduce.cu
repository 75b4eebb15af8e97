// reduce.cu - a sum by interleaved pairs, whose stride doubles each time.
constexpr int THREADS = 256;

__global__ void sum(const int *in, int *out)
{
    __shared__ int part[THREADS];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned i = 2 * stride * t;
        if (i < blockDim.x) {
            part[i] += part[i + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

void run(const int *in, int *out, int n)
{
    sum<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out);
}
