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
# A transpose of 24 x 24: 36 requests. Rows of 24 repeat in the banks after four; one padding of them
# leaves 48 wavefronts, as the best flips of bits do, and two of them none too many. As told, read back.
# 8 * 5 columns by 8 rows at a time, likewise: 100 requests.
for n in 24 40; do
    cat >"$TMP/odd.check" <<END
block $n,8
shared float t[$n][$n]
for j = 0:$n:8 {
store t[threadIdx.y + j][threadIdx.x]
load t[threadIdx.x][threadIdx.y + j]
}
END
    banksim advise "$TMP/odd.check" --best 1 | sed -n '/^1/,/^ *wave/p;/roven/p'
done
sed 's/40/24/g; s/^shared.*/& pad 4 every 96 pad 3 every 200/' "$TMP/odd.check" >"$TMP/laid.check"
banksim check "$TMP/laid.check" --format csv | cut -d, -f2,4-7
