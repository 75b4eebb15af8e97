try() {
    printf '%s\n' "$2" >"$TMP/k.cu"
    banksim launch "$TMP/k.cu" "${3:-k<<<1, 32>>>(int[32])}" --cycles never --format csv 2>&1 | sed "s,$TMP/,,g"
}
try base 'struct A { int a; }; struct B { int b; };
struct C : public A, B { int c; };
__global__ void k(int *p) { C c; p[0] = c.a; }'
try base 'struct A { int a; };
struct C : virtual A { int c; };
__global__ void k(int *p) { C c; p[0] = c.a; }'
try base 'struct A;
struct C : A { int c; };
__global__ void k(int *p) { C c; p[0] = c.c; }'
try base 'struct A { int a; };
struct C : A { float a; };
__global__ void k(int *p) { C c; p[0] = c.a; }'
try base 'struct A { int a; char b = 1; };
struct C : A { char c; };
__global__ void k(int *p) { C c; p[0] = c.c; }'
try base 'struct A { int a; __device__ A(int x) : a(x) {} };
struct C : A { };
__global__ void k(int *p) { C c(p[1]); p[0] = c.a; }'
try friend 'struct C { int a; friend int f(C c); };
__global__ void k(int *p) { C c; p[0] = c.a; }'
try constructor 'struct C { int a; __device__ C(int x) : a(x) {} };
__global__ void k(int *p) { C c(p[0], 1); p[0] = c.a; }'
try decltype '__global__ void k(int *p) { decltype(p[0]) x = p[1]; p[0] = x; }'
try condition '__global__ void k(int *p) { if (int q = p[1]) p[0] = q; }'
try range '__global__ void k(int *p) { for (int x : p) p[0] += x; }'
try parts '__global__ void k(int *p) { auto [a, b] = make_int2(1, 2); p[0] = a + b; }'
try virtual 'struct C { int a; __device__ virtual int f() { return a; } };
__global__ void k(int *p) { C c; p[0] = c.f(); }'
try destructor 'struct C { int a; __device__ ~C() { a = 1; } };
__global__ void k(int *p) { C c; p[0] = c.a; }'
try packed 'struct __attribute__((__packed__)) C { char a; int b; };
__global__ void k(int *p) { C c; p[0] = c.b; }'
try packed 'struct C { char a; int b; } __attribute__((packed));
__global__ void k(int *p) { C c; p[0] = c.b; }'
try attribute 'struct C { char a; int b; } __align__(8);
__global__ void k(int *p) { C c; p[0] = c.b; }'
try member 'struct C { static const int n = 3; static int z; };
__global__ void k(int *p) { p[0] = C::n + C::z; }'
try heap '__global__ void k(int *p) { int *q = new int[3]; p[0] = q[0]; }'
try heap '__global__ void k(int *p) { int *q = (int *)malloc(4); p[0] = q[0]; }'
try name '__global__ void k(int *p) { printf(__FILE__); }'
try deduced 'template <typename T> __device__ int size() { return sizeof(T); }
__global__ void k(int *p) { p[0] = size(); }'
try partial 'template <typename T, int N> struct S { int a; };
template <typename T, int N> struct S<T *, N> { int a, b; };
template <typename T> struct S<T, 4> { int b; };
__global__ void k(int *p) { p[0] = sizeof(S<int *, 4>); }'
try endless 'template <int N> struct S { static const int x = S<N + 1>::x; };
__global__ void k(int *p) { p[0] = S<0>::x; }'
try static 'struct C { int a; __device__ static int f() { return a; } };
__global__ void k(int *p) { p[0] = C::f(); }'
try variadic 'template <typename... T> __global__ void k(T... t) { }' 'k<int><<<1, 32>>>(1)'
try template 'template <int N> __global__ void k(int *p) { p[0] = N; }'
try asm '__global__ void k(int *p) { asm("mov.b16 %0, 1;" : "=h"(p[0])); }'
try goto '__global__ void k(int *p) { again: goto again; }'
try library '__global__ void k(int *p) { p[0] = (int)erfcinvf(p[1]); }'
try mistyped '__global__ void k(int *p) { __syncthread(); }'
try undeclared '__global__ void k(int *p) { p[threadIdx.x] = q; }'
try recursion '__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
__global__ void k(int *p) { p[0] = f(p[1]); }'
try pointer '__global__ void k(int *p) { float *q = p; q[0] = 1; }'
try const '__global__ void k(const int *p) { p[0] = 1; }'
try const '__global__ void k(const int *p) { int *q = p; q[0] = 1; }'
try const '__device__ void put(int &r) { r = 3; }
__global__ void k(const int *p) { put(p[0]); }'
try const 'struct S { int x; __device__ void set(int v) { x = v; } };
__global__ void k(int *p) { const S s = {1}; s.set(5); p[0] = s.x; }'
try macro '#define TWICE(a, b) a b
__global__ void k(int *p) { p[0] = TWICE(1); }'
try macro '#define OF(a) a[m]
__global__ void k(int *p) { p[0] = OF(p); }'
try number '__global__ void k(int *p) { p[0] = 0x; }'
try character '__global__ void k(int *p) { p[0] = @; }'
try comment '__global__ void k(int *p) { p[0] = /* 1; }'
try condition '#if 1 / 0
#endif
__global__ void k(int *p) { }'
try open '__global__ void k(int *p) { if (p[0]) {
}'
try none '__global__ void kernel(int *p) { }' 'kernels<<<1, 32>>>(int[32])'
try size '__global__ void k(int *p) { __shared__ int s[threadIdx.x]; }'
try case '__global__ void k(int *p) { switch (p[0]) { case 0: { case 1: p[1] = 0; } } }'
try empty 'struct E { };
__global__ void k(int *p) { E e[2] = {1}; p[0] = sizeof e; }'
try ring '__global__ void k(int *p) { if (p[1] == 0) { for (int i = 0; i < 8; i += 0) p[i] = 0; } p[2] = 1; }'
try raking '__global__ void k(int *p) { using B = cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING>;
__shared__ B::TempStorage s; p[0] = B(s).Sum(1); }'
try gaps 'struct S { int a; double b; };
__global__ void k(int *p) { S s = {p[0], 1}; s = __shfl_down(s, 1); p[0] = s.a; }'
try child '__global__ void child(int *p) { }
__global__ void k(int *p) { child<<<1, 32>>>(p); }' 'k<<<1, 32>>>(int[32])'
try child 'template <int N> __global__ void k(int *p) { if (p[0]) k<N - 1><<<1, 32>>>(p); }' 'k<3><<<1, 32>>>(int[32])'
try constant '__device__ int a[2] = {1, sizeof(int) / 0}; __global__ void k(int *p) { p[0] = a[p[1]]; }'
spaces='namespace a { const int N = 1; struct S { int x; }; template <typename T> struct P { T x; }; __device__ int f() { return 1; } }
namespace b { const int N = 2; struct S { float x; }; template <typename T> struct P { T x[2]; }; __device__ int f() { return 2; } }'
for word in 'b::N' 'sizeof(b::S)' 'sizeof(b::P<int>)' 'N' 'f()'; do
    try spaces "$spaces
using namespace a; using namespace b; __global__ void k(int *p) { p[0] = $word; }"
done
try semicolon '__global__ void k(int *p) { int x = 1
    p[threadIdx.x] = x; }'
try case '__global__ void k(int *p) { int sum = threadidx.x; p[0] = sun; }'
try name '__global__ void k(int *p) { int sum = threadIdx.x; p[0] = sun; }'
try lambda '__global__ void k(int *p) { auto f = [](auto x) { return x + 1; }; p[0] = f(1); }'
try lambda '__global__ void k(int *p) { auto f = [] { return 1; }; p[0] = f(); }'
try lambda '__global__ void k(int *p) { auto f = [=](int x) { return [=](int y) { return y; }(x); }; p[0] = f(1); }'
try lambda '__global__ void k(int *p) { auto f = [q](int x) { return x; }; p[0] = f(1); }'
try lambda '__constant__ int n = [](int x) { return x; }(1);
__global__ void k(int *p) { p[0] = n; }'
try list 'struct S { int a, b; }; __device__ int f(S s) { return s.b; }
__global__ void k(int *p) { p[0] = f({1, 2, 3}); }'
try list '__global__ void k(int *p) { __syncthreads({1}); }'
try constexpr 'constexpr int f(int n) { return n == 0 ? 0 : f(n + 1); }
__global__ void k(int *p) { __shared__ int s[f(1)]; p[0] = s[0]; }'
try constexpr 'constexpr int f(int n) { int m = n; return m; }
__global__ void k(int *p) { __shared__ int s[f(1)]; p[0] = s[0]; }'
try ruled 'template <typename T> __device__ int f(T t) { if constexpr (sizeof(T) == 4) { return t.x; } return 0; }
__global__ void k(int *p) { p[0] = f(p[0]); }'
try grid '__global__ void k(int *p) { auto g = cooperative_groups::this_grid();
    g.sync(); }'
try header '__global__ void k(int *p) { auto g = cooperative_groups::this_thread_block();
    p[0] = cooperative_groups::reduce(g, p[1], cooperative_groups::plus<int>()); }'
try result '__device__ auto f(int n);
__global__ void k(int *p) { p[0] = f(1); }'
try result '__device__ auto f(int n) { return n < 1 ? 0 : f(n - 1); }
__global__ void k(int *p) { p[0] = f(1); }'
try result '__device__ auto *f(int *p) { return p; }
__global__ void k(int *p) { p[0] = f(p)[1]; }'
try value '__device__ int f(int n) { return n; } __device__ float f(float n) { return n; }
template <typename F> __device__ int apply(F f) { return f(1); }
__global__ void k(int *p) { p[0] = apply(f); }'
try cub '__global__ void k(int *p) { __shared__ cub::BlockScan<int, 32>::TempStorage t; }'
try wmma '__global__ void k(int *p) { nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half> f; }'
try pointer '__device__ int f(int a) { return a; }
using F = int (*)(int);
__global__ void k(int *p) { F g = f; p[0] = g(1); }'
try function 'using F = int (*)(int);
template <F f> __global__ void k(int *p) { p[0] = f(1); }' 'k<3><<<1, 32>>>(int[32])'
try shape '__global__ void k(int *p) { }' 'k(int[32])'
try virtual 'struct C { int a; virtual __device__ int f() { return a; } };
__global__ void k(int *p) { C c; p[0] = c.f(); }'
try reference '__device__ int &f(int a) { return a + 1; }
__global__ void k(int *p) { f(p[0]) = 1; }'
try part 'template <int N, typename T> __device__ T f(T t) { return t; }
template <> __device__ int f<3>(int t) { return 2 * t; }
__global__ void k(int *p) { p[0] = f<3>(p[1]); }'
try text '__global__ void k(int *p) { char s[4] = "banks"; p[0] = s[p[1]]; }'
sized='template <int N, class T> __global__ void k(T *p) { p[0] = N; }'
for launch in 'k<float, float>' 'k<3, 4>' 'k<M>' 'k<1, 2, 3>' 'k<1, float>'; do
    try sized "$sized" "$launch<<<1, 32>>>(float[32])" | grep -v '^_Z'
done
