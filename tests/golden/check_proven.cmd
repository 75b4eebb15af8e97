# A layout is told where the whole kernel was tried with it. Rows that are lanes', as t * 32 + i: nvcc makes one LDS.128
# of four neighbours, and 32 LDS.32 of 4 wavefronts each where the index is s[i ^ (i >> 3 & 28)] (nvcc 13.0, sm_90): 32
# and 128 wavefronts, fewer than 288, but 24 requests more and their indices. In rows of 36 words the eight LDS.128 stay, of 4
# wavefronts each: 32 and 32. Of structs of 8 bytes 32 stores of 2 wavefronts and a load of 32, or of 2.
cat >"$TMP/k.cu" <<'K'
__global__ void flat(const int *a, int *o)
{
    __shared__ int s[1024];
    int t = threadIdx.x, m = 0;
    for (int i = 0; i < 32; i++) s[i*32 + t] = a[i*32 + t];
    __syncwarp();
    for (int i = 0; i < 32; i++) m ^= s[t*32 + i];
    o[t] = m;
}
__global__ void rows(const int *a, int *o)
{
    __shared__ int s[32][32];
    int t = threadIdx.x, m = 0;
    for (int i = 0; i < 32; i++) s[i][t] = a[i*32 + t];
    __syncwarp();
    for (int i = 0; i < 32; i++) m ^= s[t][i];
    o[t] = m;
}
struct point { float x, y; };
__global__ void structs(const float *a, float *o)
{
    __shared__ point p[32][32];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++) { p[i][t].x = a[t]; p[i][t].y = a[t]; }
    __syncwarp();
    o[t] = p[t][0].x + p[t][0].y;
}
#define SQUARE(NAME) __shared__ int NAME[32][32]
__global__ void macro(const int *a, int *o)
{
    SQUARE(s);
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++) s[i][t] = a[i*32 + t];
    __syncwarp();
    o[t] = s[t][0];
}
K
cd "$TMP"
told() { banksim check k.cu "$@" | grep -e '^    [A-Z]'; }
told 'flat<<<1, 32>>>(int[1024] = iota, int[32])'
told 'rows<<<1, 32>>>(int[1024] = iota, int[32])'
told 'structs<<<1, 32>>>(float[32], float[32])'
echo '== not tried: it cannot be written; too many blocks; no CUDA C'
told 'macro<<<1, 32>>>(int[1024] = iota, int[32])'
told 'rows<<<4096, 32>>>(int[1024] = iota, int[32])'
cd "$OLDPWD"
banksim check tests/ptx/tile.ptx 'transpose<<<1, dim3(32, 8)>>>(float[16384], float[16384] = iota, 128, 128)' | grep -e '^    [A-Z]'
