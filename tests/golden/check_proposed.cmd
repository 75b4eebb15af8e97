# What host code says of a launch, case by case: what is known of it, and what was chosen.
try() {
    printf '%s\n' "$2" >"$TMP/k.cu"
    echo "== $1"
    banksim check "$TMP/k.cu" 2>&1 | sed "s,$TMP/,,g" | grep -e '^    ' -e '^What' -e '^Not' -e 'no __global__'
}
try 'a macro, a shift, a cast' '#define N (1 << 12)
__global__ void k(int *p, unsigned long n) { }
void f(int *p) { k<<<(unsigned)(N / 256), 1 << 8>>>(p, N); }'
try 'dim3 in three ways; the launch of which most is known comes first' '__global__ void k(double *p) { }
void f(double *p, int n) { dim3 b = {8, 8, 2}; k<<<n, b>>>(p); auto g = dim3(3, 2); k<<<g, b>>>(p); }'
try 'a name of another function is none of this one, nor is a parameter' '__global__ void k(int *p, int n) { }
void g() { int n = 512; }
void f(int *p, int n) { k<<<1, 64>>>(p, n); }'
try 'the inner one of two of a name' '__global__ void k(int *p, int n) { }
const int n = 3;
void f(int *p) { { int n = 4; } if (p) { int n = 5; k<<<1, 64>>>(p, n); } }'
try 'a block that is closed hides nothing' '__global__ void k(int *p, int n) { }
const int n = 3;
void f(int *p) { { int n = 4; } k<<<1, 64>>>(p, n); }'
try 'an array that cudaMallocManaged makes; of a struct' 'struct P { float x, y; };
__global__ void k(P *p, const short *q) { }
int main() { short *q; cudaMallocManaged(&q, 96 * sizeof(short)); P *p; k<<<1, 64>>>(p, q); }'
try 'dynamic shared memory, said and not said' '__global__ void k(float *p) { extern __shared__ float s[]; }
__global__ void m(float *p) { extern __shared__ float s[]; }
int main() { float *p; k<<<1, 64, 64 * sizeof(float)>>>(p); }'
try 'a real number by its name, a typedef, launch bounds' 'typedef unsigned short half_word;
__global__ void __launch_bounds__(128) k(half_word *p, float a, double b) { }
int main() { half_word *p; float a = 2.5f; k<<<2, 128>>>(p, a, 1e-3); }'
try 'a template, as the host has it' 'template <int A, int B> __global__ void k(int *p) { }
int main() { int *p; k<4, 8><<<2, 32>>>(p); }'
try 'templates: what their arguments tell, what the host computes, what is chosen; defaults stay' 'template <typename T, int N> __global__ void k(T *p, const T *q, T f) { __shared__ T s[N]; }
template <class T> __global__ void d(T *p, int n) { }
template <int N, bool B, typename T = float> __global__ void e(T *p) { }
template <typename T, int N> void run(T *p) { k<T, N><<<1, 64>>>(p, p, 2); }
int main() { short *p; cudaMalloc(&p, 400); d<<<1, 100>>>(p, 3); const int M = 7; e<M * 2, M == 7><<<1, 32>>>(p); }
template <typename T, bool B> static __global__ void z(T *p) { }'
try 'no launch: a block for the tile, or for the row' '__global__ void k(float *p) { __shared__ float t[16][17]; t[threadIdx.y][threadIdx.x] = 0; }
__global__ void m(float *p) { __shared__ float t[128]; t[threadIdx.x] = 0; }'
try 'division by zero, a name that is itself, a ring of names' '__global__ void k(int *p, int a, int b, int c) { }
int z = 0, x = x, y = w, w = y;
int main() { int *p; k<<<1 / z, 32>>>(p, x, w, 5 % z); }'
try 'bounds with brackets in them; what has a byte is 1' 'template <int M, int N> __global__ void
__launch_bounds__((M * N) / (4 * 2), 1) k(int *p, bool on, const unsigned char c, int n) { }
int main() { int *p; k<16, 8><<<2, 128>>>(p, x(), y(), z()); }'
try 'a struct, of this file and of CUDA; one that has more in it is a number' 'typedef struct { int width, height; float *cell; } Grid;
struct S { Grid g; };
__global__ void k(Grid a, uint2 b, float3 c) { }
__global__ void m(S s) { }
int main() { Grid a; k<<<1, 32>>>(a, b, c); m<<<1, 32>>>(s); }'
try 'a type that is an index; what is known where it stands alone; bounds before __global__; bytes of a template' 'template <typename T, typename index_t> __global__ void k(T *p, index_t n) { }
template <class T> __device__ T *Shared() { extern __shared__ char s[]; return (T *)s; }
template <int N> __launch_bounds__(N) __global__ void m(float *p) { float *s = Shared<float>(); s[N] = *p; }
void f(float *p, int n) { k<<<1, 64>>>(p, g(n)); }
template <typename F> void h(F each, float *p) { m<each.value><<<1, 64, bytes(n)>>>(p); }'
try 'three numbers' '__global__ void k(float *p, int x, int y, int z) { }
int main() { k<<<1, 64>>>(p, 16, 50, 20); }'
try 'numbers of a template: sides of tiles, of what a thread has, a block; many numbers; a grid that comes to 0' 'template <int BM, int BN, int BK, int TM> __global__ void g(float *C, int M, int N, int K)
{ __shared__ float As[BM * BK]; __shared__ float Bs[BK][BN]; float sums[TM] = {0}; }
template <int SIDE> __global__ void s(float *p) { __shared__ float t[SIDE][SIDE + 1]; }
template <int THREADS> __global__ void r(float *p) { __shared__ float t[THREADS]; }
__global__ void b(float *p, int B, int T, int C, int H) { }
int main() { int n = 100; b<<<n / 256, 64>>>(p, B, T, C, H); }'
try 'a pointer into an array' '#define RADIUS 4
__global__ void k(const float *in, float *out, int *p, int *q) { }
int main() { float *a, *b; cudaMalloc(&a, (256 + 2 * RADIUS) * sizeof(float));
k<<<1, 256>>>(a + RADIUS, &b[RADIUS], p + n, q + 2000); }'
try 'a tile that a device function has' 'template <int SIDE> __device__ void tile(float *p) { __shared__ float t[SIDE][SIDE]; t[threadIdx.y][threadIdx.x] = *p; }
__device__ void row(float *p) { __shared__ float t[128]; t[threadIdx.x] = *p; }
__global__ void k(float *p) { tile<8>(p); }
__global__ void m(float *p) { row(p); }'
try 'what is passed as a product is no parameter, nor are those of functions that are closed' '__global__ void k(float *p, int n, int m) { }
const int m = 96;
template <int n> void g(int m) { }
void f(int m);
int main() { int n = 512; float *p, *h = (float *)malloc(sizeof(float) * n); size_t size = (size_t)4 * n;
printf("%d %d", 2 * n, size * n); if (size * n) { return 1; } for (int i = 0; i < h * n; i++) { } cudaMalloc(&p, 4 * n);
k<<<n / 128, 128>>>(p, n, m); }'
try 'a parameter behind a star, of a template and of a function hide what is outside' 'const int n = 512, m = 96;
__global__ void k(float *p, int n, int m) { }
template <int m, typename T> void f(T *n, float *p) { k<<<1, 128>>>(p, n, m); }'
try 'each launch once: other arguments of a template, another shape, another number' 'template <typename T, int N> __global__ void k(T *p, int n) { }
int main() { double *d; short *s; k<double, 16><<<2, 64>>>(d, 64); k<short, 24><<<2, 64>>>(s, 64);
k<short, 24><<<2, 64>>>(s, 64); k<short, 24><<<4, 64>>>(s, 64); k<short, 24><<<4, 64>>>(s, 65); }'
try 'eight at most, those that are known' '__global__ void k(int n) { }
int main(int c) { k<<<c, 32>>>(0); k<<<1, 32>>>(1); k<<<1, 32>>>(2); k<<<1, 32>>>(3); k<<<1, 32>>>(4);
k<<<1, 32>>>(5); k<<<1, 32>>>(6); k<<<1, 32>>>(7); k<<<1, 32>>>(8); }'
try 'the case of a switch that the value takes, behind others; of a value that is not known each' 'template <int N> __global__ void k(int n) { }
void f(int m) { int n = 128; switch (n) { case 512: k<512><<<1, 32>>>(n); break;
case 256: switch (m) { case 1: break; } { k<256><<<1, 32>>>(n); break; } case 64: case 128: case 32: k<128><<<1, 32>>>(n); }
switch (m) { case 1: k<1><<<1, 32>>>(n); break; default: k<2><<<1, 32>>>(n); } }'
try 'what is not read is not proposed: once for each list of a template, with the reason; others are' 'template <class T> __global__ void k(float *p) { p[0] = T::side; }
struct A { enum { side = 4 }; };
template <class T> void run(float *p) { k<T><<<1, 32>>>(p); k<T><<<2, 32>>>(p); }
__global__ void m(float *p) { missing(p); }
__global__ void n(float *p) { p[0] = 1; }
int main() { float *p; k<A><<<1, 64>>>(p); m<<<1, 32>>>(p); m<<<2, 32>>>(p); n<<<1, 32>>>(p); }'
try 'nothing of it is read' '__global__ void m(float *p) { missing(p); }'
try 'sizes of objects: *p, (*p), p[0], of what a pointer to pointers leads to' '__global__ void k(float *a, double *b, int *c, short **d) { }
int main() { float *a; double *b, *e; int *c; short **d; int n = 100; size_t bytes = n * sizeof *b;
cudaMalloc(&a, n * sizeof(*a)); cudaMalloc(&b, bytes); cudaMalloc((void **)&c, sizeof c[0] * n); cudaMalloc(&d, sizeof(*d) * 3);
k<<<1, 32>>>(a, b, c, d); }'
try 'bfloat16, as launches have it' '__global__ void k(__nv_bfloat16 *a, const nv_bfloat162 *b, const __half2 *c) { }
int main() { __nv_bfloat16 *a; cudaMalloc(&a, 64 * sizeof *a); k<<<1, 32>>>(a, b, c); }'
try 'turns of a loop, behind the launches that stand there; what follows from its variable; eight in all' '#define N 1024
__global__ void k(float *p, int n) { }
int main() { float *p; cudaMalloc(&p, 4 * N); for (int t = 32; t <= 256; t *= 2) { int b = N / t; dim3 g(b, 2); k<<<g, t>>>(p, b); }
k<<<16, 64>>>(p, 3); }
__global__ void m(int n) { }
void f() { for (unsigned i = 20; i > 0; --i) m<<<1, 32>>>(i); }'
try 'loops within one another, each by itself; steps of all kinds; one that changes nothing, one that nobody knows' '__global__ void a(int n, int m) { }
__global__ void b(int n) { }
__global__ void c(int n) { }
__global__ void d(int n) { }
__global__ void e(int n) { }
void f(int x) { for (int i = 1; i < 3; i++) for (int k = 7; k >= 5; k -= 1) if (k > 5) { a<<<1, 32>>>(i, k); }
for (int i = 1; i != 16; i <<= 2) { b<<<1, 32>>>(i); } for (int i = 9; i > 1; i = i / 2) b<<<1, 64>>>(i);
for (int i = 0; i < 1000000; i++) c<<<1, 32>>>(4); for (int i = 0; i < x; i++) d<<<1, 32>>>(i);
for (int i = x; i < 3; i++) d<<<1, 32>>>(2); for (int i = 0; i < 3; i += x) e<<<1, 32>>>(i); }'
try 'numbers that their types have not, signs that are not known, and floats: chosen' '__global__ void k(int *p, int n) { }
__global__ void m(float x) { }
int main() { int *p; unsigned u = -1, small = 1, big = 4294967295u; unsigned char c = 300; int i = -8; long l = -9; float f = 5;
k<<<1, u >> 26>>>(p, 1); k<<<1, 32>>>(p, c); k<<<1, 32>>>(p, i); k<<<1, 32>>>(p, i / 4); k<<<1, 32>>>(p, (unsigned)i); k<<<1, 32>>>(p, l);
k<<<1, 32>>>(p, (small - 64) >> 26); k<<<1, big >> 26>>>(p, 2); m<<<1, 32>>>(f / 2); }'
try 'no parameters; a quotation mark in the name of the file' '__global__ void k() { }
int main() { k<<<1, 1>>>(); }'
cp "$TMP/k.cu" "$TMP/it's.cu"; banksim check "$TMP/it's.cu" 2>&1 | sed "s,$TMP/,,g" | sed -n 2p
try 'declared, not defined' '#include "other.cuh"
__global__ void k(int *p);
int main() { k<<<1, 1>>>(0); }'
try 'cut short' '__global__ void k(int *p) { }
int main() { k<<<1, 32'
try 'the least of two, and the largest, by std:: and not, of a name that is then another; of what is not known it is not' '__global__ void k(int *p, int n) { }
int main(int c, char **v) { int n = 10000, b = (n + 255) / 256; b = min(b, 32); k<<<b, std::max<int>(64, 2 * 64)>>>(p, n);
  k<<<std::min(b, max(7, 5)), 32>>>(p, min(n, 9)); k<<<min(b, c), 32>>>(p, max(n, 2)); }'
