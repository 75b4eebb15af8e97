# mx and mn lie beside each other, and one thread stores to both: ptxas makes one STS.64 of that (nvcc 13.0, sm_90).
# No layout may part them; the array beside them gets its own.
cat >"$TMP/k.cu" <<'K'
__global__ void maxmin(const int *in, int *out)
{
    __shared__ int mx, mn;
    __shared__ int t[32][32];
    if (threadIdx.x == 0) { mx = -2147483647; mn = 2147483647; }
    __syncthreads();
    t[threadIdx.x][threadIdx.y] = in[threadIdx.x];
    atomicMax(&mx, in[threadIdx.x]);
    atomicMin(&mn, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = t[threadIdx.y][threadIdx.x] + mx - mn;
}
K
cd "$TMP"
launch='maxmin<<<1, dim3(32, 32)>>>(int[32] = iota, int[32])'
banksim check k.cu "$launch" | sed "/^cycles/,/^held/d"
banksim advise k.cu "$launch" --best 1
banksim show k.cu "$launch" | head -n 4
