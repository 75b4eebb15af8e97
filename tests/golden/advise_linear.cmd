# Layouts that are no padding and no one swizzle, as fewest: a bitonic sort, a radix-4 FFT on float2
# (ideal 2 for each of 320 requests) and a cube read along each axis; and float4s that stay whole.
cat >"$TMP/bitonic.check" <<'END'
block 128
shared float s[256]
for k = 2,4,8,16,32,64,128,256 {
for int j = k / 2; j > 0; j >>= 1 {
let i = 2 * threadIdx.x - (threadIdx.x & (j - 1))
load s[i]
load s[i + j]
}
}
END
cat >"$TMP/fft.check" <<'END'
block 256
shared float2 s[1024]
for n = 1,4,16,64,256 {
for q = 0:4 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 256]
store s[(threadIdx.x - r) * 4 + r + q * n]
}
}
END
cat >"$TMP/cube.check" <<'END'
block 64
shared float t[8][8][8]
for k = 0:8 {
load t[k][threadIdx.x / 8][threadIdx.x % 8]
load t[threadIdx.x / 8][k][threadIdx.x % 8]
load t[threadIdx.x / 8][threadIdx.x % 8][k]
}
END
cat >"$TMP/float4.check" <<'END'
shared float t[32][32]
for k = 0:8 {
store *(float4 *)&t[k * 4 + threadIdx.x / 8][threadIdx.x % 8 * 4]
}
for k = 0:32 {
load t[threadIdx.x][k]
}
END
for name in bitonic fft cube float4; do
    echo "== $name"
    banksim advise "$TMP/$name.check" --best 2 | grep -v -e '^sm_90' -e 'blocks per'
done
