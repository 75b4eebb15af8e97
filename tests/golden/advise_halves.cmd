# Tiles of a matrix product: every kind of remedy has to keep 16 bytes together. As a file.
cat >"$TMP/tile.check" <<'END'
block 256
shared half a[128][64], b[64][128]
for k = 0:4 {
store *(float4 *)&a[k * 32 + threadIdx.x / 8][threadIdx.x % 8 * 8]
store *(float4 *)&b[k * 16 + threadIdx.x / 16][threadIdx.x % 16 * 8]
ldmatrix x4 &a[warp * 16 + lane % 16][k * 16 + lane / 16 * 8]
ldmatrix x4.trans &b[k * 16 + lane % 16][warp * 16 + lane / 16 * 8]
}
END
banksim advise "$TMP/tile.check"
