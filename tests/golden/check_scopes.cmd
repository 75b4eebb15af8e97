# What holds for what: statements happen in their order, within their braces.
cd "$TMP"
cat >kernel.check <<'END'
block 32x8
__shared__ float t[32][32];
int x = threadIdx.x, y = threadIdx.y;
for (int j = 0; j < 32; j += 8)
    t[y + j][x] = in[(y + j) * n + x];
__syncthreads();
for (int j = 0; j < 32; j += 8) {
    out[(y + j) * n + x] = t[x][y + j];
}
END
banksim check kernel.check; echo "exit $?"
# A mistyped condition passes no test.
banksim check --shared 'float s[128]' --if 'threadIdx.x > 32' --load 's[threadIdx.x * 4]' \
    --expect 'conflicts == 0'; echo "exit $?"
# One by one: what was not closed holds for what follows.
banksim check --shared 'float s[128]' --load 's[threadIdx.x * 4]' \
    --if 'threadIdx.x < 16' --load 's[threadIdx.x]' --else --store 's[threadIdx.x * 2]' --end \
    --sync --for 'int k = 64; k > 0; k /= 2' --code 's[k] += s[k - 1] * w;' --format csv
banksim check --shared 'float s[4]' --load 's[0]' --if 'lane < 4'; echo "exit $?"
banksim check --shared 'float s[4]' --load 's[0]' --end=3; echo "exit $?"
