# Which loads of 16 bits ptxas makes one of, by what is done with them: 8 of half are two of 64 bits, as SASS of nvcc 13.0.88
# has them (LDS.64), and so are those of shorts that become floats; of bfloat16 and of shorts that are added they stay LDS.U16.
cat >"$TMP/k.cu" <<'EOF'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define SUM(name, T, V)                                  \
    __global__ void name(float *out, const T *in)        \
    {                                                    \
        __shared__ T s[256];                             \
        int t = threadIdx.x;                             \
        s[t] = in[t];                                    \
        __syncthreads();                                 \
        V sum = 0;                                       \
        for (int i = 0; i < 8; i++)                      \
            sum += (V)s[8 * (t & 31) + i];               \
        out[t] = sum;                                    \
    }
SUM(halves, half, float)
SUM(minus, half, half)
SUM(shorts, unsigned short, float)
SUM(scaled, short, float)
SUM(bfloats, __nv_bfloat16, float)
SUM(added, unsigned short, int)
__global__ void through(float *out, const short *in)
{
    __shared__ short s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; i++) {
        int value = s[8 * (t & 31) + i];
        sum += value;
    }
    out[t] = sum;
}
__global__ void pairs(half2 *out, const half *in)
{
    __shared__ half s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    t = 4 * (t & 31);
    out[t] = __hadd2(__halves2half2(s[t], -s[t + 1]), __halves2half2(s[t + 2], s[t + 3]));
}
EOF
for k in halves minus shorts scaled through bfloats added pairs; do
    banksim check "$TMP/k.cu" "$k<<<1, 256>>>(float[512], short[256] = iota)" 2>/dev/null |
        awk -v k=$k '/^load/ && $NF == "-" { print k ": " $(NF - 8) " requests of eight warps, " $(NF - 9) " bytes a lane" }'
done
