# Where nobody launches a kernel, what is chosen is tried: fewer threads where the block leaves its arrays, larger arrays
# where it leaves an argument. What faults whatever is chosen is said to. Each line that is proposed runs.
cat >"$TMP/k.cu" <<'K'
#define R 3
// 134 words for 128 threads
__global__ void stencil(const int *in, int *out)
{
    __shared__ int temp[128 + 2 * R];
    int t = threadIdx.x;
    temp[t + R] = in[t];
    if (t < R) {
        temp[t] = 0;
        temp[t + R + blockDim.x] = 0;
    }
    __syncthreads();
    int sum = 0;
    for (int i = -R; i <= R; i++)
        sum += temp[t + R + i];
    out[t] = sum;
}
// a thread for two elements
__global__ void halves(float *data)
{
    __shared__ float s[512];
    s[threadIdx.x] = data[threadIdx.x];
    s[threadIdx.x + 256] = data[threadIdx.x + 256];
    __syncthreads();
    data[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 256];
}
// a row of 16 with a halo
__global__ void tile(const float *in, float *out)
{
    __shared__ float s[18][18];
    s[threadIdx.y + 1][threadIdx.x + 1] = in[threadIdx.y * blockDim.x + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * blockDim.x + threadIdx.x] = s[threadIdx.y + 1][threadIdx.x + 2];
}
// 40 elements for each thread
__global__ void far(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = p[threadIdx.x * 40];
    p[threadIdx.x] = s[31 - threadIdx.x];
}
// 64 bytes for each thread
__global__ void dynamic(int *p)
{
    extern __shared__ int d[];
    d[threadIdx.x * 16] = p[threadIdx.x];
    p[threadIdx.x] = d[threadIdx.x * 16];
}
// nothing that is chosen helps
__global__ void wild(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    p[threadIdx.x] = s[threadIdx.x + 4096];
}
// it does not end for as long as a trial takes
__global__ void endless(int *p)
{
    __shared__ int s[32];
    for (int i = 0; i >= 0; i++)
        s[threadIdx.x] += i;
    p[threadIdx.x] = s[threadIdx.x];
}
K
cd "$TMP"
banksim launch k.cu 2>&1
banksim launch k.cu 2>&1 | grep '^    banksim' | grep -v endless | while read -r line; do
    eval "$line --format csv" >out 2>err && echo fine || head -1 err
done
# Of what the file says itself nothing is tried.
sed -n '/^\/\/ a thread/,/^}/p' k.cu >said.cu
echo 'int main() { float *d; cudaMalloc(&d, 4096); halves<<<1, 512>>>(d); }' >>said.cu
banksim launch said.cu 2>&1
