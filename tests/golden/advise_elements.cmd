# Shared arrays of types that PTX has no word for keep them, or at least the bytes of one, and their dimensions: a
# column of 32 half2 is 32 words of one bank, 1024 wavefronts for 32 warps where 32 would do, until rows are 33 long; of
# halfs, of which a bank has two, 512 and 34; of structs of two floats, 32 requests of 256 bytes, 1024 and 64.
cd "$TMP"
kernel() { # FILE TYPE
    printf '%s\n' 'struct cpx { float re, im; };' "__global__ void turn(const $2 *in, $2 *out)" '{' \
        "    __shared__ $2 s[32][32];" '    int x = threadIdx.x, y = threadIdx.y;' \
        '    s[y][x] = in[y * 32 + x];' '    __syncthreads();' '    out[y * 32 + x] = s[x][y];' '}' >"$1"
}
counts() { banksim launch "$@" --cycles never --format csv 2>/dev/null | tail -n +2 | cut -d, -f2-4; }
try() { # TYPE ARGUMENT
    launch="turn<<<1, dim3(32, 32)>>>($2[1024] = iota, $2[1024])"
    kernel k.cu "$1"
    banksim launch k.cu "$launch" -o k.trace && grep -o 'x-shared=[^ ]*' k.trace
    banksim check k.cu "$launch" | grep -E '^ +(bank [0-9]+ has|Write|Declare)'
    counts k.cu "$launch" --dump 1=before
    banksim advise k.cu "$launch" --best 1 | tee advice | grep -E '^(1\.|   __shared|[-+] )'
    patch -s -p0 <advice && counts k.cu "$launch" --dump 1=after && cmp before after && echo 'same bytes'
}
try half2 half2
try half half
try __nv_bfloat16 short
try cpx float2
# What else has no word there: triples, pairs of bfloat16, structs of three words, and pointers; memory of the
# launch's size. A single struct is bytes, as ever.
cat >types.cu <<'K'
struct edge { int from, to; float weight; };
__global__ void types(int *out)
{
    __shared__ float3 a[2][3];
    __shared__ __nv_bfloat162 b[5];
    __shared__ edge c[2][4];
    __shared__ edge one;
    __shared__ const int *d[2];
    extern __shared__ half2 e[];
    int x = threadIdx.x;
    a[x % 2][x % 3].y = x;
    b[x % 5] = __float2bfloat162_rn(x);
    c[x % 2][x % 4].to = x;
    one.to = x;
    d[x % 2] = out;
    e[x] = __float2half2_rn(x);
    __syncthreads();
    out[x] = (int)a[0][1].y + (int)__low2float(b[1]) + c[1][2].to + one.to + *d[1] + (int)__low2float(e[31 - x]);
}
K
banksim launch types.cu 'types<<<1, 32, 128>>>(int[32])' -o types.trace 2>/dev/null
grep -o 'x-shared=[^ ]*' types.trace
