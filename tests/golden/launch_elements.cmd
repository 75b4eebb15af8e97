# What an argument is, and what the kernel's name says of its parameter: elements of another type are told of, a number is
# no pointer. Zeros of the same size, a file's bytes, vectors and types that a launch does not have are as they are.
cat >"$TMP/k.cu" <<'K'
struct S { float a; };
__global__ void k(float *o) { o[threadIdx.x] += 1; }
__global__ void d(const double *in, unsigned long long *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void v(float4 *o, const unsigned char *c) { o[threadIdx.x].x = c[threadIdx.x]; }
__global__ void s(S *o, void *p) { o[threadIdx.x].a = 1; }
template <class T> __global__ void t(T *o) { o[threadIdx.x] += 1; }
extern "C" __global__ void c(float *o) { o[threadIdx.x] += 1; }
K
printf '%0256d' 0 >"$TMP/bytes"
try() {
    echo "== $1"
    banksim launch "$TMP/k.cu" "$1" --cycles never --format csv 2>&1 >/dev/null |
        grep -e ^warning -e ^the -e '^  ' -e ' faults' -e 'is in no array'
}
try 'k<<<1, 32>>>(float[32] = iota)'
try 'k<<<1, 32>>>(int[32] = iota)'
try 'k<<<1, 32>>>(uint[32])'
try 'k<<<1, 32>>>(double[32])'
(cd "$TMP"; banksim launch k.cu 'k<<<1, 32>>>(char[256] = "bytes")' --format csv 2>&1 >/dev/null | grep warning)
try 'd<<<1, 32>>>(float[64] = iota, long[32])'
try 'd<<<1, 32>>>(double[32] = 1, double[32] = 1)'
try 'v<<<1, 32>>>(float[128] = iota, char[32] = iota)'
try 'v<<<1, 32>>>(float4[32], int[32] = iota)'
try 's<<<1, 32>>>(float[32] = iota, int[32] = iota)'
try 't<float><<<1, 32>>>(int[32] = iota)'
try 't<int><<<1, 32>>>(int[32] = iota)'
try 'c<<<1, 32>>>(int[32] = iota)'
try 'k<<<1, 32>>>(32)'
try 'v<<<1, 32>>>(7, uchar[32])'
try 's<<<1, 32>>>(7, 0)'
