# Shuffles are counted below the accesses, and an index may depend on one. The trace has as many.
cat >"$TMP/warp.check" <<'END'
block 64
__shared__ int s[64];
int v = threadIdx.x;
for (int o = 16; o > 0; o >>= 1)
    v += __shfl_down_sync(0xffffffff, v, o);
if (lane == 0) s[warp] = v;
__syncthreads();
double d = 0;
d += __shfl_xor_sync(0xffffffff, d, 16);
int mine = __shfl_sync(0xffffffff, 2 * lane, 31 - lane);
s[mine] = 1;
END
banksim check "$TMP/warp.check" --emit-trace "$TMP/warp.trace"
banksim check "$TMP/warp.check" --format csv | cut -d, -f1-5
banksim run --per site --format csv "$TMP/warp.trace" | cut -d, -f2-4
