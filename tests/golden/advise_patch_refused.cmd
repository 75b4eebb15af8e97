# What cannot be written, and why.
cd "$TMP"
try() {
    echo "== $1"
    printf '%s' "$3" >k.cu
    banksim advise k.cu "$2" | sed -n '/^   \(not written \)\{0,1\}in\(to\)\{0,1\} the file:/p; /^\(Plan [0-9]* was w\|No plan\)/,$p'
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
# The kernel of what stands in front of it.
macro() {
    try "$1" 'k<<<1, dim3(32, 32)>>>(int[1024])' "$2
__global__ void k(int *p)
{
    __shared__ int room[11264];
    __shared__ int s[32][32]; // with room, 48 KiB: a row more does not fit
    room[threadIdx.x] = 0;
    s[threadIdx.x][threadIdx.y] = threadIdx.x + 32 * threadIdx.y;
    __syncthreads();
    p[threadIdx.y * 32 + threadIdx.x] = $3 + room[threadIdx.y];
}
"
}
macro 'a macro that others use, too' '#define AT(y, x) s[y][x]
__device__ int f(const int (*s)[32]) { return AT(0, 0); }' 'AT(threadIdx.y, threadIdx.x)'
macro 'a macro of another macro' '#define AT(y, x) s[y][x]
#define TURNED AT(threadIdx.y, threadIdx.x)' 'TURNED'
macro 'a macro with an effect in an argument' '#define AT(y, x) s[y][x]' 'AT(threadIdx.y, threadIdx.x + 0 * room[0]++)'
macro 'a macro of several lines' '#define AT(y, x) s[y][\
x]' 'AT(threadIdx.y, threadIdx.x)'
macro 'a macro whose parameter has the name of the array' '#define AT(s, y, x) s[y][x]' 'AT(s, threadIdx.y, threadIdx.x)'
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
# A function, a macro, asm or a variable that steps on from the address of an element, each in place of LEADS.
leads() {
    try "$1" 'k<<<1, 32>>>(int[32])' "$2
__global__ void k(int *p)
{
    __shared__ __align__(16) int s[1024];
    for (int i = 0; i < 32; i++)
        s[32 * threadIdx.x + i] = i;
    __syncthreads();
    int v = 0;
    $3
    p[threadIdx.x] = v;
}
" | uniq
}
leads 'a function that steps' '__device__ int f(const int *q) { return q[1]; }' 'v = f(&s[32 * threadIdx.x]);'
leads 'one that hands it on to such a one' '__device__ int g(const int *q) { return *(q + 1); }
__device__ int f(const int *q) { return g(q); }' 'v = f(&s[32 * threadIdx.x]);'
leads 'one that is called again' '__device__ int f(const int *q, int n) { return n == 0 ? *q : f(q, n - 1); }' \
    'v = f(&s[32 * threadIdx.x], 0);'
leads 'one whose value is the address' '__device__ const int *f(const int *q) { return q; }' \
    'v = f(&s[32 * threadIdx.x])[1];'
leads 'a macro that steps' '#define F(q) ((q)[2])' 'v = F(&s[32 * threadIdx.x]);'
leads 'asm that steps' '__device__ int f(const int *q) { int v; unsigned at = __cvta_generic_to_shared(q);
    asm("ld.shared.u32 %0, [%1+4];" : "=r"(v) : "r"(at)); return v; }' 'v = f(&s[32 * threadIdx.x]);'
leads 'an operand that steps' '__device__ int f(const int *q) { int v; unsigned at = __cvta_generic_to_shared(q);
    asm("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + 4)); return v; }' 'v = f(&s[32 * threadIdx.x]);'
leads 'a variable that steps' '' 'int *q = &s[32 * threadIdx.x]; q++; v = *q;'
leads 'one that steps where it is read' '' 'int *q = &s[32 * threadIdx.x]; v = *q++;'
leads 'vectors by a variable' '' 'int4 *q = reinterpret_cast<int4 *>(&s[32 * threadIdx.x]); v = q[1].x;'
leads 'a cast behind the step' '' 'v = (int)(&s[32 * threadIdx.x])[1];'
leads 'vectors of no whole number of elements' '' 'v = reinterpret_cast<short *>(&s[32 * threadIdx.x])[1];'
leads 'a step with an effect' '' 'int i = 0; v = reinterpret_cast<int4 *>(&s[32 * threadIdx.x])[i++].x;'
leads 'one that is handed to a comparison' '' 'v = &s[32 * threadIdx.x] == s;'
