# _Pragma("unroll 1") is #pragma unroll 1, from a macro, too: four loads of one loop, which unrolled are one. Others are
# passed over, as #pragma has it.
try() {
    echo "== $1"
    cat >"$TMP/k.cu" <<K
#define STR(x) #x
#define UNROLL(n) _Pragma(STR(unroll n))
#define TEXT(x) STR(x)
#define TURNS 1
__global__ void k(float *o)
{
    __shared__ __align__(16) float s[128];
    float v = 0;
    s[threadIdx.x] = s[threadIdx.x + 32] = s[threadIdx.x + 64] = s[threadIdx.x + 96] = 1;
    __syncthreads();
    $1
    for (int i = 0; i < 4; i++)
        v += s[4 * threadIdx.x + i];
    o[threadIdx.x] = v;
}
K
    banksim launch "$TMP/k.cu" 'k<<<1, 32>>>(float[32])' --cycles never --per site --format csv 2>&1 |
        sed "s,$TMP/,,g" | grep -e ld.shared -e k.cu: | cut -d, -f3-5
}
try '#pragma unroll 1'
try '_Pragma("unroll 1")'
try '_Pragma("nounroll")'
try 'UNROLL(1)'
try 'UNROLL(TURNS)'
try '_Pragma(TEXT(unroll TURNS))'
try '_Pragma("unroll")'
try '_Pragma("nv_diag_suppress 177")'
try '_Pragma(TURNS)'
