# What cannot be written, and why.
cd "$TMP"
try() {
    echo "== $1"
    printf '%s' "$3" >k.cu
    banksim advise k.cu "$2" | sed -n '/^Plan [0-9]*\( is not\|, in\| was w\)/,$p'
}
try 'through a pointer, which would look elsewhere' 'k<<<1, dim3(32, 32)>>>(int[1024])' '__global__ void k(int *p)
{
    __shared__ int s[32][32];
    int *flat = &s[0][0]; // all values of a row are the same: a swizzle would not be seen
    s[threadIdx.x][threadIdx.y] = threadIdx.x;
    __syncthreads();
    p[threadIdx.y * 32 + threadIdx.x] = flat[threadIdx.y * 32 + threadIdx.x];
}
'
try 'a subscript with an effect, a use without one' 'k<<<1, 32>>>(int[32], 0)' '__global__ void k(int *p, int n)
{
    __shared__ int s[1024];
    s[32 * threadIdx.x + n++] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[32 * threadIdx.x] + *s;
}
'
try 'in a function of its own' 'k<<<1, dim3(32, 32)>>>(int[1024])' '__device__ int turn(int v)
{
    __shared__ int s[32][32];
    s[threadIdx.x][threadIdx.y] = v;
    __syncthreads();
    return s[threadIdx.y][threadIdx.x];
}
__global__ void k(int *p) { p[threadIdx.y * 32 + threadIdx.x] = turn(threadIdx.x); }
'
try 'a use in a macro keeps its place: rows may be longer, but no element moves' 'k<<<1, dim3(32, 32)>>>(int[1024])' '#define TURNED s[threadIdx.y][threadIdx.x]
__global__ void k(int *p)
{
    __shared__ int s[32][32];
    s[threadIdx.x][threadIdx.y] = threadIdx.x + 32 * threadIdx.y;
    __syncthreads();
    p[threadIdx.y * 32 + threadIdx.x] = TURNED;
}
'
try 'nothing to mend' 'k<<<1, 32>>>(int[32])' '__global__ void k(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[31 - threadIdx.x];
}
'
try 'a row as large as it is: other accesses hang on that' 'k<<<1, dim3(32, 32)>>>(int[1024], int[4096])' '__global__ void k(int *p, const int *zeros)
{
    __shared__ int s[32][32];
    s[threadIdx.x][threadIdx.y] = threadIdx.x;
    __syncthreads();
    p[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.y][threadIdx.x] + zeros[threadIdx.y * sizeof(s[0]) / 4 + threadIdx.x];
}
'
