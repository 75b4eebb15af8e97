# What an if declares before its condition holds in both of its ways, and not behind it: of 32 threads 0 to 15 have
# t / 2 + 3, 16 to 23 have 5 + 10 * (t / 2), and the others -3; 1000 is added to all.
cat >"$TMP/k.cu" <<'K'
__device__ int half_of(int x) { return x / 2; }
__global__ void k(int *p)
{
    int t = threadIdx.x, n = 0;
    if (int t = half_of(threadIdx.x), u = 3; t < 8)
        n = t + u;
    else if (n = 5; t < 12)
        n += 10 * t;
    else
        n = -u;
    if constexpr (constexpr int side = 4; side > 3) n += 1000;
    p[t] = n;
}
K
banksim launch "$TMP/k.cu" 'k<<<1, 32>>>(int[32])' --dump "0=$TMP/out" >/dev/null && od -A d -t d4 "$TMP/out"
