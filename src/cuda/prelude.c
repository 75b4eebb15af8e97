/* prelude.c - what CUDA's headers declare and no table has, in CUDA C: shuffles of old, cooperative groups,
 * half and bfloat16, mathematics.
 *
 * It is read before each file, outside of its names; bodies are read where somebody calls them. Its lines are
 * no lines of the file's (0): what it becomes belongs to the line that calls it. One half is computed as the
 * lower of two, by instructions for both, as on the GPU.
 *
 * Mathematics, float: the sine, cosine, hyperbolic tangent and the powers and logarithms of two are rounded
 * right, by instructions of PTX that are exact here; what is made of these is off by an ulp or two, as nvcc's
 * are. Others are computed as double and rounded. Double: by Taylor's series after the usual reductions, off
 * by an ulp or two; of the power with an exponent that is none of -64 ... 64 by more, and so are the sine and
 * cosine beyond 10^5. So last bits may differ from nvcc's, and there are other instructions than its.
 */
#include "cuda/prelude.h"

/* clang-format off: a line of CUDA C is an element */
const char *const bsim_cu_prelude[] = {
    "#define CU __device__ inline\n",
    "#define ALL 0xffffffffu\n",
    "template <typename T> CU T __shfl(T v, int i, int w = 32) { return __shfl_sync(ALL, v, i, w); "
    "}\n",
    "template <typename T> CU T __shfl_up(T v, unsigned d, int w = 32) { return "
    "__shfl_up_sync(ALL, v, d, "
    "w); }\n",
    "template <typename T> CU T __shfl_down(T v, unsigned d, int w = 32) { return "
    "__shfl_down_sync(ALL, v, "
    "d, w); }\n",
    "template <typename T> CU T __shfl_xor(T v, int m, int w = 32) { return __shfl_xor_sync(ALL, "
    "v, m, w); }\n",
    "CU int __any(int c) { return __any_sync(ALL, c); }\n",
    "CU int __all(int c) { return __all_sync(ALL, c); }\n",
    "CU unsigned __ballot(int c) { return __ballot_sync(ALL, c); }\n",
    "namespace cooperative_groups {\n",
    "struct thread_block {\n",
    "CU static void sync() { __syncthreads(); }\n",
    "CU static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * "
    "blockDim.x + "
    "threadIdx.x; }\n",
    "CU static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }\n",
    "CU static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }\n",
    "CU static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }\n",
    "CU static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }\n",
    "CU static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }\n",
    "CU static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }\n",
    "};\n",
    "CU thread_block this_thread_block() { return thread_block(); }\n",
    "struct grid_group {\n",
    "CU static unsigned long long size() { return (unsigned long long)(gridDim.x * gridDim.y * "
    "gridDim.z) * "
    "thread_block::size(); }\n",
    "CU static unsigned long long thread_rank() { return (unsigned long long)((blockIdx.z * "
    "gridDim.y + "
    "blockIdx.y) * gridDim.x + blockIdx.x) * thread_block::size() + thread_block::thread_rank(); "
    "}\n",
    "CU static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }\n",
    "};\n",
    "CU grid_group this_grid() { return grid_group(); }\n",
    "template <unsigned int N> struct thread_block_tile {\n",
    "CU static unsigned lane() { unsigned l; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(l)); return l; "
    "}\n",
    "CU static unsigned mask() { return N == 32 ? ALL : ((1u << (N & 31)) - 1) << (lane() & ~(N - "
    "1)); }\n",
    "CU void sync() const { __syncwarp(mask()); }\n",
    "CU unsigned thread_rank() const { return lane() & (N - 1); }\n",
    "CU unsigned size() const { return N; }\n",
    "CU unsigned num_threads() const { return N; }\n",
    "CU unsigned meta_group_rank() const { return thread_block::thread_rank() / N; }\n",
    "CU unsigned meta_group_size() const { return (thread_block::size() + N - 1) / N; }\n",
    "template <typename T> CU T shfl(T v, int i) const { return __shfl_sync(mask(), v, i, N); }\n",
    "template <typename T> CU T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask(), v, "
    "d, N); }\n",
    "template <typename T> CU T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask(), "
    "v, d, N); "
    "}\n",
    "template <typename T> CU T shfl_xor(T v, unsigned m) const { return __shfl_xor_sync(mask(), "
    "v, m, N); }\n",
    "CU int any(int c) const { return __any_sync(mask(), c); }\n",
    "CU int all(int c) const { return __all_sync(mask(), c); }\n",
    "CU unsigned ballot(int c) const { return (__ballot_sync(mask(), c) & mask()) >> (lane() & ~(N "
    "- 1) & "
    "31); }\n",
    "};\n",
    "template <unsigned int N, typename G> CU thread_block_tile<N> tiled_partition(const G &g) { "
    "return "
    "thread_block_tile<N>(); }\n",
    "template <typename G> CU void sync(const G &g) { g.sync(); }\n",
    "template <typename T = int> struct plus { CU T operator()(T a, T b) const { return a + b; } "
    "};\n",
    "template <typename T = int> struct less { CU T operator()(T a, T b) const { return b < a ? b "
    ": a; } };\n",
    "template <typename T = int> struct greater { CU T operator()(T a, T b) const { return a < b ? "
    "b : a; } "
    "};\n",
    "template <typename T = int> struct bit_and { CU T operator()(T a, T b) const { return a & b; "
    "} };\n",
    "template <typename T = int> struct bit_or { CU T operator()(T a, T b) const { return a | b; } "
    "};\n",
    "template <typename T = int> struct bit_xor { CU T operator()(T a, T b) const { return a ^ b; "
    "} };\n",
    "template <unsigned int N, typename T, typename Op> CU T reduce(const thread_block_tile<N> &g, "
    "T v, Op "
    "op)\n",
    "{\n",
    "for (int d = N / 2; d > 0; d /= 2) v = op(v, g.shfl_xor(v, d));\n",
    "return v;\n",
    "}\n",
    "}\n",
    "#define TWO(name, op) CU unsigned name(unsigned a, unsigned b) { unsigned r; asm(op \" %0, "
    "%1, %2;\" : "
    "\"=r\"(r) : \"r\"(a), \"r\"(b)); return r; }\n",
    "#define THREE(name, op) CU unsigned name(unsigned a, unsigned b, unsigned c) { unsigned r; "
    "asm(op \" "
    "%0, %1, %2, %3;\" : \"=r\"(r) : \"r\"(a), \"r\"(b), \"r\"(c)); return r; }\n",
    "#define HALVES(H, H2, P, F, T, T2) \\\n",
    "TWO(P##add, \"add.\" T2) TWO(P##sub, \"sub.\" T2) TWO(P##mul, \"mul.\" T2) TWO(P##min, "
    "\"min.\" T2) "
    "TWO(P##max, \"max.\" T2) THREE(P##fma, \"fma.rn.\" T2) \\\n",
    "CU unsigned P##pack(float low, float high) { unsigned r; asm(\"cvt.rn.\" T2 \".f32 %0, %1, "
    "%2;\" : "
    "\"=r\"(r) : \"f\"(high), \"f\"(low)); return r; } \\\n",
    "CU float P##low(unsigned a) { float f; asm(\"{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.\" "
    "T \" %0, "
    "l;}\" : \"=f\"(f) : \"r\"(a)); return f; } \\\n",
    "struct H { unsigned short __x; \\\n",
    "CU H() {} \\\n",
    "CU H(float f) : __x(__low_of(P##pack(f, 0.0f))) {} \\\n",
    "CU H(double f) : __x((unsigned short)P##pack((float)f, 0.0f)) {} \\\n",
    "CU H(int i) : __x((unsigned short)P##pack((float)i, 0.0f)) {} \\\n",
    "CU operator float() const { return P##low(__x); } }; \\\n",
    "CU H P##made(unsigned x) { H h; h.__x = __low_of(x); return h; } \\\n",
    "union __align__(4) H2 { unsigned __u; struct { H x, y; }; \\\n",
    "CU H2() {} \\\n",
    "CU H2(const H &a, const H &b) { __u = a.__x | (unsigned)b.__x << 16; } }; \\\n",
    "CU H2 P##made2(unsigned x) { H2 h; h.__u = x; return h; } \\\n",
    "CU H operator+(const H &a, const H &b) { return P##made(P##add(a.__x, b.__x)); } \\\n",
    "CU H operator-(const H &a, const H &b) { return P##made(P##sub(a.__x, b.__x)); } \\\n",
    "CU H operator*(const H &a, const H &b) { return P##made(P##mul(a.__x, b.__x)); } \\\n",
    "CU H operator/(const H &a, const H &b) { return H((float)a / (float)b); } \\\n",
    "CU H operator-(const H &a) { return P##made(a.__x ^ 0x8000u); } \\\n",
    "CU H &operator+=(H &a, const H &b) { a = a + b; return a; } \\\n",
    "CU H &operator-=(H &a, const H &b) { a = a - b; return a; } \\\n",
    "CU H &operator*=(H &a, const H &b) { a = a * b; return a; } \\\n",
    "CU H &operator/=(H &a, const H &b) { a = a / b; return a; } \\\n",
    "CU bool operator<(const H &a, const H &b) { return (float)a < (float)b; } \\\n",
    "CU bool operator>(const H &a, const H &b) { return (float)a > (float)b; } \\\n",
    "CU bool operator<=(const H &a, const H &b) { return (float)a <= (float)b; } \\\n",
    "CU bool operator>=(const H &a, const H &b) { return (float)a >= (float)b; } \\\n",
    "CU bool operator==(const H &a, const H &b) { return (float)a == (float)b; } \\\n",
    "CU bool operator!=(const H &a, const H &b) { return (float)a != (float)b; } \\\n",
    "CU H2 operator+(const H2 &a, const H2 &b) { return P##made2(P##add(a.__u, b.__u)); } \\\n",
    "CU H2 operator-(const H2 &a, const H2 &b) { return P##made2(P##sub(a.__u, b.__u)); } \\\n",
    "CU H2 operator*(const H2 &a, const H2 &b) { return P##made2(P##mul(a.__u, b.__u)); } \\\n",
    "CU H2 &operator+=(H2 &a, const H2 &b) { a = a + b; return a; } \\\n",
    "CU H2 &operator*=(H2 &a, const H2 &b) { a = a * b; return a; } \\\n",
    "CU H __hadd(const H &a, const H &b) { return a + b; } \\\n",
    "CU H __hsub(const H &a, const H &b) { return a - b; } \\\n",
    "CU H __hmul(const H &a, const H &b) { return a * b; } \\\n",
    "CU H __hdiv(const H &a, const H &b) { return a / b; } \\\n",
    "CU H __hneg(const H &a) { return -a; } \\\n",
    "CU H __habs(const H &a) { return P##made(a.__x & 0x7fffu); } \\\n",
    "CU H __hfma(const H &a, const H &b, const H &c) { return P##made(P##fma(a.__x, b.__x, "
    "c.__x)); } \\\n",
    "CU H __hmin(const H &a, const H &b) { return P##made(P##min(a.__x, b.__x)); } \\\n",
    "CU H __hmax(const H &a, const H &b) { return P##made(P##max(a.__x, b.__x)); } \\\n",
    "CU bool __hlt(const H &a, const H &b) { return a < b; } \\\n",
    "CU bool __hgt(const H &a, const H &b) { return a > b; } \\\n",
    "CU bool __hle(const H &a, const H &b) { return a <= b; } \\\n",
    "CU bool __hge(const H &a, const H &b) { return a >= b; } \\\n",
    "CU bool __heq(const H &a, const H &b) { return a == b; } \\\n",
    "CU bool __hne(const H &a, const H &b) { return a != b; } \\\n",
    "CU H2 __hadd2(const H2 &a, const H2 &b) { return a + b; } \\\n",
    "CU H2 __hsub2(const H2 &a, const H2 &b) { return a - b; } \\\n",
    "CU H2 __hmul2(const H2 &a, const H2 &b) { return a * b; } \\\n",
    "CU H2 __hfma2(const H2 &a, const H2 &b, const H2 &c) { return P##made2(P##fma(a.__u, b.__u, "
    "c.__u)); } "
    "\\\n",
    "CU H2 __hmin2(const H2 &a, const H2 &b) { return P##made2(P##min(a.__u, b.__u)); } \\\n",
    "CU H2 __hmax2(const H2 &a, const H2 &b) { return P##made2(P##max(a.__u, b.__u)); } \\\n",
    "CU H __float2##F(float f) { return H(f); } \\\n",
    "CU H __float2##F##_rn(float f) { return H(f); } \\\n",
    "CU H __double2##F(double f) { return H(f); } \\\n",
    "CU H __int2##F##_rn(int i) { return H(i); } \\\n",
    "CU float __##F##2float(const H &a) { return (float)a; } \\\n",
    "CU unsigned short __##F##_as_ushort(const H &a) { return a.__x; } \\\n",
    "CU H __ushort_as_##F(unsigned short x) { return P##made(x); } \\\n",
    "CU H2 __float2##F##2_rn(float f) { return P##made2(P##pack(f, f)); } \\\n",
    "CU H2 __floats2##F##2_rn(float a, float b) { return P##made2(P##pack(a, b)); } \\\n",
    "CU H2 __float22##F##2_rn(float2 f) { return P##made2(P##pack(f.x, f.y)); } \\\n",
    "CU float __low2float(const H2 &a) { return P##low(a.__u & 0xffffu); } \\\n",
    "CU float __high2float(const H2 &a) { return P##low(a.__u >> 16); } \\\n",
    "CU H __low2##F(const H2 &a) { return P##made(a.__u); } \\\n",
    "CU H __high2##F(const H2 &a) { return P##made(a.__u >> 16); } \\\n",
    "CU float2 __##F##22float2(const H2 &a) { return make_float2(__low2float(a), __high2float(a)); "
    "} \\\n",
    "CU H2 __##F##2##F##2(const H &a) { return H2(a, a); } \\\n",
    "CU H2 __halves2##F##2(const H &a, const H &b) { return H2(a, b); } \\\n",
    "CU H2 make_##F##2(const H &a, const H &b) { return H2(a, b); } \\\n",
    "CU H hsqrt(const H &a) { return H(sqrtf((float)a)); } \\\n",
    "CU H hexp(const H &a) { return H(expf((float)a)); } \\\n",
    "CU H hlog(const H &a) { return H(logf((float)a)); } \\\n",
    "CU H hrcp(const H &a) { return H(1.0f / (float)a); }\n",
    "HALVES(__half, __half2, __h_, half, \"f16\", \"f16x2\")\n",
    "HALVES(__nv_bfloat16, __nv_bfloat162, __b_, bfloat16, \"bf16\", \"bf16x2\")\n",
    "typedef __half half;\n",
    "typedef __half2 half2;\n",
    "typedef __nv_bfloat16 nv_bfloat16;\n",
    "typedef __nv_bfloat162 nv_bfloat162;\n",
    "#define F1(f) CU float f(float x)\n",
    "#define D1(f) CU double f(double x)\n",
    "CU float round(float x) { return roundf(x); }\n",
    "CU float pow(float x, float y) { return powf(x, y); }\n",
    "CU float exp(float x) { return expf(x); }\n",
    "CU float log(float x) { return logf(x); }\n",
    "CU float sin(float x) { return sinf(x); }\n",
    "CU float cos(float x) { return cosf(x); }\n",
    "CU float tanh(float x) { return tanhf(x); }\n",
    "#define APPROX(name, op) F1(name) { __mathematics(); float r; asm(op \".approx.f32 %0, %1;\" : \"=f\"(r) : "
    "\"f\"(x)); "
    "return r; }\n",
    "APPROX(sinf, \"sin\") APPROX(cosf, \"cos\") APPROX(exp2f, \"ex2\") APPROX(log2f, \"lg2\") "
    "APPROX(tanhf, "
    "\"tanh\")\n",
    "APPROX(__exp2f, \"ex2\")\n",
    "F1(expf)\n",
    "{\n",
    "float n = fmaf(x, 0x1.715476p+0f, 12582912.0f) - 12582912.0f, k = n > 0 ? 1.0f : -1.0f;\n",
    "float r = fmaf(n, -0x1.62e400p-1f, x);\n",
    "r = fmaf(n, -0x1.7f7d1cp-20f, r);\n",
    "return x > 89.0f ? __int_as_float(0x7f800000) : x < -104.0f ? 0.0f : exp2f(r * "
    "0x1.715476p+0f) * "
    "exp2f(n - k) * exp2f(k);\n",
    "}\n",
    "F1(exp10f) { return expf(x * 2.3025851f); }\n",
    "F1(logf) { return log2f(x) * 0x1.62e43p-1f; }\n",
    "F1(log10f) { return log2f(x) * 0x1.344136p-2f; }\n",
    "F1(tanf) { return sinf(x) / cosf(x); }\n",
    "F1(__tanf) { return __fdividef(__sinf(x), __cosf(x)); }\n",
    "F1(__log10f) { return __log2f(x) * 0x1.344136p-2f; }\n",
    "F1(__exp10f) { return exp2f(x * 3.3219281f); }\n",
    "CU float __powf(float x, float y) { return exp2f(y * __log2f(x)); }\n",
    "CU void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }\n",
    "CU void __sincosf(float x, float *s, float *c) { *s = __sinf(x); *c = __cosf(x); }\n",
    "F1(sinhf) { return 0.5f * (expf(x) - expf(-x)); }\n",
    "F1(coshf) { return 0.5f * (expf(x) + expf(-x)); }\n",
    "F1(roundf) { return truncf(x + (x < 0 ? -0.49999997f : 0.49999997f)); }\n",
    "D1(round) { return trunc(x + (x < 0 ? -0.49999999999999994 : 0.49999999999999994)); }\n",
    "F1(nearbyintf) { return rintf(x); }\n",
    "F1(__saturatef) { return fminf(fmaxf(x, 0.0f), 1.0f); }\n",
    "F1(__frsqrt_rn) { return (float)(1.0 / sqrt((double)x)); }\n",
    "CU int lrintf(float x) { return __float2int_rn(x); }\n",
    "CU float copysignf(float x, float y) { return __int_as_float((__float_as_int(x) & 0x7fffffff) "
    "| "
    "(__float_as_int(y) & 0x80000000)); }\n",
    "CU float hypotf(float x, float y) { return (float)sqrt((double)x * x + (double)y * y); }\n",
    "CU float fdimf(float x, float y) { return x > y ? x - y : 0.0f; }\n",
    "CU float fmodf(float x, float y) { return (float)((double)x - trunc((double)x / (double)y) * "
    "(double)y); }\n",
    "CU bool isinf(float x) { return fabsf(x) == __int_as_float(0x7f800000); }\n",
    "CU bool isfinite(float x) { return fabsf(x) < __int_as_float(0x7f800000); }\n",
    "CU bool signbit(float x) { return __float_as_int(x) < 0; }\n",
    "D1(exp)\n",
    "{\n",
    "__mathematics();\n",
    "double n = rint(x * 0x1.71547652b82fep+0), r = fma(n, -0x1.62e42fefa39efp-1, x), p = 1.0 / "
    "6227020800.0;\n",
    "r = fma(n, -0x1.abc9e3b39803fp-56, r);\n",
    "p = fma(p, r, 1.0 / 479001600); p = fma(p, r, 1.0 / 39916800); p = fma(p, r, 1.0 / 3628800); "
    "p = fma(p, "
    "r, 1.0 / 362880);\n",
    "p = fma(p, r, 1.0 / 40320); p = fma(p, r, 1.0 / 5040); p = fma(p, r, 1.0 / 720); p = fma(p, "
    "r, 1.0 / "
    "120);\n",
    "p = fma(p, r, 1.0 / 24); p = fma(p, r, 1.0 / 6); p = fma(p, r, 0.5); p = fma(p, r, 1.0); p = "
    "fma(p, r, "
    "1.0);\n",
    "int k = (int)n, h = k / 2;\n",
    "double a = __longlong_as_double((long long)(1023 + h) << 52), b = __longlong_as_double((long "
    "long)(1023 "
    "+ k - h) << 52);\n",
    "return x > 709.8 ? __longlong_as_double(0x7ff0000000000000ll) : x < -745.2 ? 0.0 : p * a * "
    "b;\n",
    "}\n",
    "D1(log)\n",
    "{\n",
    "__mathematics();\n",
    "long long u = __double_as_longlong(x), e = (u >> 52) - 1023, m = (u & 0xfffffffffffffll) | "
    "0x3ff0000000000000ll;\n",
    "double f = __longlong_as_double(m);\n",
    "if (f > 1.4142135623730951) { f *= 0.5; e++; }\n",
    "double s = (f - 1.0) / (f + 1.0), z = s * s, p = 2.0 / 23;\n",
    "p = fma(p, z, 2.0 / 21); p = fma(p, z, 2.0 / 19); p = fma(p, z, 2.0 / 17); p = fma(p, z, 2.0 "
    "/ 15); p = "
    "fma(p, z, 2.0 / 13);\n",
    "p = fma(p, z, 2.0 / 11); p = fma(p, z, 2.0 / 9); p = fma(p, z, 2.0 / 7); p = fma(p, z, 2.0 / "
    "5); p = "
    "fma(p, z, 2.0 / 3);\n",
    "double r = fma((double)e, 0x1.62e42fefa39efp-1, fma((double)e, 0x1.abc9e3b39803fp-56, fma(p * "
    "z, s, 2.0 "
    "* s)));\n",
    "return x > 0 && u < 0x7ff0000000000000ll ? r : x == 0 ? "
    "-__longlong_as_double(0x7ff0000000000000ll)\n",
    ": x > 0 ? x : __longlong_as_double(0x7ff8000000000000ll);\n",
    "}\n",
    "D1(log2) { return log(x) * 0x1.71547652b82fep+0; }\n",
    "D1(log10) { return log(x) * 0x1.bcb7b1526e50ep-2; }\n",
    "D1(exp2) { return exp(x * 0x1.62e42fefa39efp-1); }\n",
    "CU double __turned(double x, int by)\n",
    "{\n",
    "__mathematics();\n",
    "double n = rint(x * 0x1.45f306dc9c883p-1), r = fma(n, -0x1.921fb54442d18p+0, x);\n",
    "r = fma(n, -0x1.1a62633145c07p-54, r);\n",
    "int q = (int)n + by;\n",
    "double z = r * r, s = -1.0 / 121645100408832000.0, c = 1.0 / 2432902008176640000.0;\n",
    "s = fma(s, z, 1.0 / 355687428096000.0); s = fma(s, z, -1.0 / 1307674368000.0); s = fma(s, z, "
    "1.0 / "
    "6227020800.0);\n",
    "s = fma(s, z, -1.0 / 39916800); s = fma(s, z, 1.0 / 362880); s = fma(s, z, -1.0 / 5040); s = "
    "fma(s, z, "
    "1.0 / 120); s = fma(s, z, -1.0 / 6);\n",
    "s = fma(s * z, r, r);\n",
    "c = fma(c, z, -1.0 / 6402373705728000.0); c = fma(c, z, 1.0 / 20922789888000.0); c = fma(c, "
    "z, -1.0 / "
    "87178291200.0);\n",
    "c = fma(c, z, 1.0 / 479001600); c = fma(c, z, -1.0 / 3628800); c = fma(c, z, 1.0 / 40320); c "
    "= fma(c, "
    "z, -1.0 / 720);\n",
    "c = fma(c, z, 1.0 / 24); c = fma(c, z, -0.5); c = fma(c, z, 1.0);\n",
    "double v = q & 1 ? c : s;\n",
    "return q & 2 ? -v : v;\n",
    "}\n",
    "D1(sin) { return __turned(x, 0); }\n",
    "D1(cos) { return __turned(x, 1); }\n",
    "D1(tan) { return sin(x) / cos(x); }\n",
    "CU double pow(double x, double y)\n",
    "{\n",
    "__mathematics();\n",
    "double n = trunc(y), a = fabs(x), r = 1.0;\n",
    "if (n == y && fabs(y) <= 64.0) {\n",
    "for (int k = (int)fabs(n); k > 0; k >>= 1) { if (k & 1) r *= x; x *= x; }\n",
    "return y < 0 ? 1.0 / r : r;\n",
    "}\n",
    "r = a == 1.0 ? 1.0 : exp(y * log(a));\n",
    "return x >= 0 ? r : n != y ? __longlong_as_double(0x7ff8000000000000ll) : (long long)n & 1 ? "
    "-r : r;\n",
    "}\n",
    "CU float powf(float x, float y) { return (float)pow((double)x, (double)y); }\n",
    "F1(cbrtf) { return copysignf(x == 0 ? 0.0f : (float)exp(log(fabs((double)x)) / 3.0), x); }\n",
    "D1(atan)\n",
    "{\n",
    "__mathematics();\n",
    "double a = fabs(x), b = 0, s = 1.0;\n",
    "if (a > 1.0) { a = -1.0 / a; b = 0x1.921fb54442d18p+0; }\n",
    "for (int i = 0; i < 3; i++) { a = a / (1.0 + sqrt(1.0 + a * a)); s *= 2.0; }\n",
    "double z = a * a, p = 1.0 / 21;\n",
    "p = fma(p, -z, 1.0 / 19); p = fma(p, -z, 1.0 / 17); p = fma(p, -z, 1.0 / 15); p = fma(p, -z, "
    "1.0 / 13); "
    "p = fma(p, -z, 1.0 / 11);\n",
    "p = fma(p, -z, 1.0 / 9); p = fma(p, -z, 1.0 / 7); p = fma(p, -z, 1.0 / 5); p = fma(p, -z, 1.0 "
    "/ 3); p = "
    "fma(p, -z, 1.0);\n",
    "b += s * a * p;\n",
    "return x < 0 ? -b : b;\n",
    "}\n",
    "CU double atan2(double y, double x)\n",
    "{\n",
    "const double pi = 0x1.921fb54442d18p+1;\n",
    "if (x == 0) return y > 0 ? pi / 2 : y < 0 ? -pi / 2 : 0.0;\n",
    "double a = atan(y / x);\n",
    "return x > 0 ? a : y < 0 ? a - pi : a + pi;\n",
    "}\n",
    "D1(asin) { return atan2(x, sqrt((1.0 - x) * (1.0 + x))); }\n",
    "D1(acos) { return atan2(sqrt((1.0 - x) * (1.0 + x)), x); }\n",
    "F1(atanf) { return (float)atan((double)x); }\n",
    "F1(asinf) { return (float)asin((double)x); }\n",
    "F1(acosf) { return (float)acos((double)x); }\n",
    "CU float atan2f(float y, float x) { return (float)atan2((double)y, (double)x); }\n",
    "F1(log1pf) { return (float)log(1.0 + (double)x); }\n",
    "F1(expm1f) { return (float)(exp((double)x) - 1.0); }\n",
    "D1(tanh) { double e = exp(2.0 * x); return x > 20.0 ? 1.0 : (e - 1.0) / (e + 1.0); }\n",
    NULL,
};
/* clang-format on */
