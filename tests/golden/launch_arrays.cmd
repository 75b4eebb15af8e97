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
