# A scan whose plans take fewer wavefronts, and more cycles for their indices, when they are written into the file: that is
# what is told of them, and why none was written.
cat >"$TMP/k.cu" <<'K'
__global__ void scan(const int *in, int *out)
{
    __shared__ int s[128];
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = in[i];
    s[threadIdx.x + blockDim.x] = in[i + blockDim.x];
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < 128)
            s[index] += s[index - stride];
    }
    for (int stride = 32; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < 128)
            s[index + stride] += s[index];
    }
    __syncthreads();
    out[i] = s[threadIdx.x];
    out[i + blockDim.x] = s[threadIdx.x + blockDim.x];
}
K
cd "$TMP"
banksim advise k.cu 'scan<<<2, 64>>>(int[256] = iota, int[256])' | grep -e '^   in the file' -e '^As it' -e '^Plan' -e '^No plan'
