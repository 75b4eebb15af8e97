# Loops that newcomers write by a slip: one that comes to the same state again, with nothing in it, is told at its line;
# one that counts away from its end ends here after so many instructions of each warp, 256 million or --steps.
cd "$TMP"
cat >k.cu <<'K'
__global__ void same(float *o)
{
    __shared__ float s[32];
    s[threadIdx.x] = 1;
    for (int i = 0; i < 32; ) { }
    o[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void away(float *o, int n)
{
    __shared__ float s[32];
    s[threadIdx.x] = 1;
    for (int i = 0; i < n; i--) s[threadIdx.x] += 1;
    o[threadIdx.x] = s[31 - threadIdx.x];
}
K
banksim launch k.cu 'same<<<1, 32>>>(float[32])'; echo "exit code $?"
banksim launch k.cu 'away<<<1, 32>>>(float[32], 5)' --steps 1; echo "exit code $?"
banksim check k.cu 'away<<<8, 32>>>(float[32], 5)' --steps 2; echo "exit code $?"
banksim check k.cu 'away<<<1, 32>>>(float[32], -5)' --steps 1 >/dev/null; echo "exit code $?"
banksim check --shared 'int s[32]' --load 's[lane]' --steps 1; echo "exit code $?"
