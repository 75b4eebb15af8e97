# Where the arrays of shared memory lie goes with the trace: one of the kernel's own, and dynamic memory.
for call in 'transpose<<<1, dim3(32,8)>>>(float[1024], float[1024], 32, 32)' 'sum<<<1, 256, 1024>>>(int[256], int[1])'; do
    banksim launch tests/ptx/tile.ptx "$call" -o $TMP/k.trace && grep -o 'x-shared=[^ ]*' $TMP/k.trace
done
# A pointer into an array: its halo lies before and behind it, and all of it is dumped.
cat >$TMP/k.cu <<'END'
__global__ void k(const float *in, float *out)
{
    int i = threadIdx.x;
    out[i] = in[i - 4] + in[i + 4];
}
END
banksim launch $TMP/k.cu 'k<<<1, 32>>>(float[40] + 4 = iota, float[64] + 32)' --dump 1=$TMP/out --per site --format csv 2>/dev/null | cut -d, -f3,4,17
od -A d -t f4 -j 124 -N 16 $TMP/out
for array in 'float[40] + 3' 'float[40] + 41' 'float[40] +' 'float2[4] + 4'; do
    banksim launch $TMP/k.cu "k<<<1, 32>>>($array, float[64])" 2>&1 | sed "s,$TMP/,,g" | head -1
done
# Halfs and bfloats by CUDA's names: 1.5 is 0x3e00 and 0x3fc0, and 2, 3 are 0x4000, 0x4040.
cat >$TMP/k.cu <<'END'
__global__ void k(unsigned *out, const unsigned short *a, const unsigned short *b, const unsigned short *c)
{
    int i = threadIdx.x;
    out[i] = a[i] << 16 | b[i];
    out[i + 2] = c[2 * i + 2] << 16 | c[2 * i + 3];
}
END
banksim launch $TMP/k.cu 'k<<<1, 2>>>(uint[4], __half[2] = 1.5, __nv_bfloat16[2] = 1.5, __nv_bfloat162[3] = iota)' --dump 0=$TMP/out >/dev/null 2>&1
od -A d -t x4 $TMP/out
