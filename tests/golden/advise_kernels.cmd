# Release only: what the search finds for many kernels; the other commands search as well.
# What kernels do with shared memory, and the least that a layout makes of it: wavefronts now, with the
# best plan, and the bound. In all but two the best takes the ideal, one wavefront for each group of lanes
# that has to go by itself, which is what "any" proves. tr_f32x4 and tr_f16x8 keep vectors of 16 bytes whole,
# so that a column's words, or pairs of halves, have 8 banks: 4 wavefronts for each of 32 words.
of() {
    cat >"$TMP/set.check"
    banksim advise "$TMP/set.check" --best 1 --format csv >"$TMP/set.csv"
    echo "$1: $(sed -n 2p "$TMP/set.csv" | cut -d, -f2) -> $(tail -n 1 "$TMP/set.csv" | cut -d, -f2)," \
        "$(tail -n 1 "$TMP/set.csv" | rev | cut -d, -f2,3 | rev)"
}
of tr_f32 <<'END'
block 32,32
shared float t[32][32]
store t[threadIdx.y][threadIdx.x]
load t[threadIdx.x][threadIdx.y]
END
of tr_f16 <<'END'
block 32,32
shared half t[32][32]
store t[threadIdx.y][threadIdx.x]
load t[threadIdx.x][threadIdx.y]
END
of tr_f16_64 <<'END'
block 32,8
shared half t[64][64]
for j = 0:64:8 {
store *(half2 *)&t[threadIdx.y + j][threadIdx.x * 2]
}
for j = 0:64:8 {
for h = 0:2 {
load t[threadIdx.x + 32 * h][threadIdx.y + j]
}
}
END
of tr_f64 <<'END'
block 32,32
shared double t[32][32]
store t[threadIdx.y][threadIdx.x]
load t[threadIdx.x][threadIdx.y]
END
of tr_f32x4 <<'END'
block 32
shared float t[32][32]
for k = 0:8 {
store *(float4 *)&t[k * 4 + threadIdx.x / 8][threadIdx.x % 8 * 4]
}
for k = 0:32 {
load t[threadIdx.x][k]
}
END
of tr_float4 <<'END'
block 32,8
shared float4 t[32][32]
for j = 0:32:8 {
store t[threadIdx.y + j][threadIdx.x]
load t[threadIdx.x][threadIdx.y + j]
}
END
of tr_u8 <<'END'
block 32,32
shared unsigned char t[32][32]
store t[threadIdx.y][threadIdx.x]
load t[threadIdx.x][threadIdx.y]
END
of tr_u8_64 <<'END'
block 16,16
shared unsigned char t[64][64]
for j = 0:64:16 {
store *(uchar4 *)&t[threadIdx.y + j][threadIdx.x * 4]
}
for j = 0:4 {
for c = 0:4 {
load t[threadIdx.x * 4 + c][threadIdx.y + j * 16]
}
}
END
of tr_16x16 <<'END'
block 16,16
shared float t[16][16]
store t[threadIdx.y][threadIdx.x]
load t[threadIdx.x][threadIdx.y]
END
of tr_8x32 <<'END'
block 32
shared float t[8][32]
for k = 0:8 {
store t[k][lane]
load t[lane % 8][k * 4 + lane / 8]
}
END
of tr_64x64_4x4 <<'END'
block 16,16
shared float t[64][64]
for i = 0:4 {
store *(float4 *)&t[threadIdx.y * 4 + i][threadIdx.x * 4]
}
for i = 0:4 {
load *(float4 *)&t[threadIdx.x * 4 + i][threadIdx.y * 4]
}
END
of tr_48 <<'END'
block 16,16
shared float t[48][48]
for j = 0:48:16 {
for i = 0:48:16 {
store t[threadIdx.y + j][threadIdx.x + i]
load t[threadIdx.x + i][threadIdx.y + j]
}
}
END
of tr_f16x8 <<'END'
block 256
shared half t[64][64]
for j = 0:2 {
store *(uint4 *)&t[threadIdx.x / 8 + j * 32][threadIdx.x % 8 * 8]
}
for j = 0:16 {
load t[threadIdx.x % 64][threadIdx.x / 64 + j * 4]
}
END
of fft2_c64 <<'END'
block 512
shared float2 s[1024]
for n = 1,2,4,8,16,32,64,128,256,512 {
for q = 0:2 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 512]
store s[(threadIdx.x - r) * 2 + r + q * n]
}
}
END
of fft4_c64 <<'END'
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
of fft4_f32 <<'END'
block 256
shared float s[1024]
for n = 1,4,16,64,256 {
for q = 0:4 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 256]
store s[(threadIdx.x - r) * 4 + r + q * n]
}
}
END
of fft8_c64 <<'END'
block 64
shared float2 s[512]
for n = 1,8,64 {
for q = 0:8 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 64]
store s[(threadIdx.x - r) * 8 + r + q * n]
}
}
END
of fft16_c64 <<'END'
block 256
shared float2 s[4096]
for n = 1,16,256 {
for q = 0:16 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 256]
store s[(threadIdx.x - r) * 16 + r + q * n]
}
}
END
of fft_z128 <<'END'
block 64
shared double2 s[256]
for n = 1,4,16,64 {
for q = 0:4 {
let r = threadIdx.x & (n - 1)
load s[threadIdx.x + q * 64]
store s[(threadIdx.x - r) * 4 + r + q * n]
}
}
END
of fft8_2d <<'END'
block 64
shared float2 s[64][8]
for k = 0:8 {
store s[threadIdx.x][k]
load s[k * 8 + threadIdx.x / 8][threadIdx.x % 8]
}
END
of bitrev <<'END'
block 512
shared float s[1024]
for k = 0:2 {
let i = threadIdx.x + k * 512
store s[__brev(i) >> 22]
load s[i]
}
END
of bitonic1024 <<'END'
block 512
shared float s[1024]
for k = 2,4,8,16,32,64,128,256,512,1024 {
for (int j = k / 2; j > 0; j >>= 1) {
let i = 2 * threadIdx.x - (threadIdx.x & (j - 1))
load s[i]
load s[i + j]
}
}
END
of radix_count <<'END'
block 128
shared unsigned c[16][128]
for k = 0:16 {
store c[k][threadIdx.x]
}
for k = 0:16 {
load c[threadIdx.x % 16][threadIdx.x / 16 * 16 + k]
}
END
of blelloch <<'END'
block 512
shared float s[1024]
for d = 512,256,128,64,32,16,8,4,2,1 {
if (threadIdx.x < d) {
let o = 512 / d
load s[o * (2 * threadIdx.x + 1) - 1]
load s[o * (2 * threadIdx.x + 2) - 1]
store s[o * (2 * threadIdx.x + 2) - 1]
}
}
END
of scan_raking <<'END'
block 32
shared float s[1024]
for k = 0:32 {
store s[k * 32 + threadIdx.x]
load s[threadIdx.x * 32 + k]
}
END
of scan_4per <<'END'
block 256
shared float s[1024]
for k = 0:4 {
store s[k * 256 + threadIdx.x]
load s[threadIdx.x * 4 + k]
}
END
of scan_8per <<'END'
block 128
shared int s[1024]
for k = 0:8 {
store s[k * 128 + threadIdx.x]
load s[threadIdx.x * 8 + k]
}
END
of items12 <<'END'
block 128
shared int s[1536]
for k = 0:12 {
store s[k * 128 + threadIdx.x]
load s[threadIdx.x * 12 + k]
}
END
of strides <<'END'
block 32
shared float s[4096]
for m = 1,2,4,8,16,32,64,128 {
load s[threadIdx.x * m]
}
END
of sgemm128 <<'END'
block 256
shared float a[8][128], b[8][128]
for j = 0:4 {
store a[threadIdx.x % 2 * 4 + j][threadIdx.x / 2]
}
store *(float4 *)&b[threadIdx.x / 32][threadIdx.x % 32 * 4]
for k = 0:8 {
load *(float4 *)&a[k][threadIdx.x / 16 * 8]
load *(float4 *)&a[k][threadIdx.x / 16 * 8 + 4]
load *(float4 *)&b[k][threadIdx.x % 16 * 8]
load *(float4 *)&b[k][threadIdx.x % 16 * 8 + 4]
}
END
of sgemm128_warp <<'END'
block 256
shared float a[16][128]
for h = 0:2 {
for j = 0:4 {
store a[threadIdx.x % 4 * 4 + j][threadIdx.x / 4 + 64 * h]
}
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:16 {
load *(float4 *)&a[k][w % 4 * 32 + l / 8 * 4]
load *(float4 *)&a[k][w % 4 * 32 + l / 8 * 4 + 16]
}
END
of sgemm_at <<'END'
block 256
shared float a[128][8]
store *(float4 *)&a[threadIdx.x / 2][threadIdx.x % 2 * 4]
for k = 0:8 {
for i = 0:8 {
load a[threadIdx.x / 16 * 8 + i][k]
}
}
END
of sgemm_at64 <<'END'
block 64
shared float a[64][16]
for j = 0:4 {
store *(float4 *)&a[threadIdx.x / 4 + j * 16][threadIdx.x % 4 * 4]
}
for k = 0:16 {
for i = 0:8 {
load a[threadIdx.x % 8 * 8 + i][k]
}
}
END
of hgemm_16 <<'END'
block 128
shared half a[128][16]
for j = 0:2 {
let c = threadIdx.x + j * 128
cp_async ca:16 a[c / 2][c % 2 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:16:16 {
for i = 0:2 {
ldmatrix x4 a[w * 32 + i * 16 + l % 16][k + l / 16 * 8]
}
}
END
of hgemm_32 <<'END'
block 128
shared half a[128][32]
for j = 0:4 {
let c = threadIdx.x + j * 128
cp_async ca:16 a[c / 4][c % 4 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:32:16 {
for i = 0:2 {
ldmatrix x4 a[w * 32 + i * 16 + l % 16][k + l / 16 * 8]
}
}
END
of hgemm_64 <<'END'
block 128
shared half a[128][64]
for j = 0:8 {
let c = threadIdx.x + j * 128
cp_async ca:16 a[c / 8][c % 8 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:64:16 {
for i = 0:2 {
ldmatrix x4 a[w * 32 + i * 16 + l % 16][k + l / 16 * 8]
}
}
END
of hgemm_b_trans <<'END'
block 128
shared half b[32][128]
for j = 0:4 {
let c = threadIdx.x + j * 128
cp_async ca:16 b[c / 16][c % 16 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:32:16 {
for i = 0:2 {
ldmatrix x4.trans b[k + l % 16][w * 32 + i * 16 + l / 16 * 8]
}
}
END
of hgemm_b_48 <<'END'
block 96
shared half b[32][96]
for j = 0:4 {
let c = threadIdx.x + j * 96
cp_async ca:16 b[c / 12][c % 12 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:32:16 {
for i = 0:2 {
ldmatrix x4.trans b[k + l % 16][w * 32 + i * 16 + l / 16 * 8]
}
}
END
of hgemm_epilogue <<'END'
block 128
shared half c[64][64]
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for j = 0:8 {
for h = 0:2 {
store *(half2 *)&c[w * 16 + l / 4 + h * 8][j * 8 + l % 4 * 2]
}
}
for j = 0:4 {
let q = threadIdx.x + j * 128
load *(uint4 *)&c[q / 8][q % 8 * 8]
}
END
of sgemm_epilogue <<'END'
block 128
shared float c[64][64]
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for j = 0:8 {
for h = 0:2 {
store *(float2 *)&c[w * 16 + l / 4 + h * 8][j * 8 + l % 4 * 2]
}
}
for j = 0:8 {
let q = threadIdx.x + j * 128
load *(float4 *)&c[q / 16][q % 16 * 4]
}
END
of tf32_mma <<'END'
block 128
shared float a[64][32]
for j = 0:4 {
let c = threadIdx.x + j * 128
cp_async ca:16 a[c / 8][c % 8 * 4]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:32:8 {
for h = 0:2 {
load a[w * 16 + l / 4 + h * 8][k + l % 4]
load a[w * 16 + l / 4 + h * 8][k + l % 4 + 4]
}
}
END
of tf32_mma_b <<'END'
block 128
shared float b[32][64]
for j = 0:4 {
let c = threadIdx.x + j * 128
cp_async ca:16 b[c / 16][c % 16 * 4]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:32:8 {
for h = 0:2 {
load b[k + l % 4 + h * 4][w * 16 + l / 4]
load b[k + l % 4 + h * 4][w * 16 + l / 4 + 8]
}
}
END
of int8_gemm <<'END'
block 128
shared signed char a[64][64]
for j = 0:2 {
let c = threadIdx.x + j * 128
cp_async ca:16 a[c / 4][c % 4 * 16]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:64:32 {
ldmatrix x4 a[w * 16 + l % 16][k + l / 16 * 16]
}
END
of wmma_a <<'END'
block 128
shared half a[64][64]
for j = 0:4 {
let c = threadIdx.x + j * 128
store *(uint4 *)&a[c / 8][c % 8 * 8]
}
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for k = 0:64:16 {
load *(uint4 *)&a[w * 16 + l / 16 * 4 + l % 4 + l / 8 % 2 * 8][k]
load *(uint4 *)&a[w * 16 + l / 16 * 4 + l % 4 + l / 8 % 2 * 8][k + 8]
}
END
of attn_kv <<'END'
block 128
shared half k[64][64], v[64][64]
for j = 0:4 {
let c = threadIdx.x + j * 128
cp_async ca:16 k[c / 8][c % 8 * 8]
cp_async ca:16 v[c / 8][c % 8 * 8]
}
let l = threadIdx.x % 32
for n = 0:64:16 {
for d = 0:64:16 {
ldmatrix x4 k[n + l / 16 * 8 + l % 8][d + l / 8 % 2 * 8]
ldmatrix x4.trans v[n + l % 16][d + l / 16 * 8]
}
}
END
of attn_p <<'END'
block 128
shared half p[64][64]
let w = threadIdx.x / 32
let l = threadIdx.x % 32
for j = 0:8 {
for h = 0:2 {
store *(half2 *)&p[w * 16 + l / 4 + h * 8][j * 8 + l % 4 * 2]
}
}
for k = 0:64:16 {
ldmatrix x4 p[w * 16 + l % 16][k + l / 16 * 8]
}
END
of attn_f32 <<'END'
block 64
shared float q[64][64], k[64][64]
for i = 0:64 {
store q[i][threadIdx.x]
store k[i][threadIdx.x]
}
for d = 0:64 {
load q[threadIdx.x][d]
load k[d][threadIdx.x]
}
END
of attn_f32x4 <<'END'
block 64
shared float k[32][64]
for i = 0:8 {
let c = threadIdx.x + i * 64
store *(float4 *)&k[c / 16][c % 16 * 4]
}
for d = 0:64:4 {
load *(float4 *)&k[threadIdx.x % 32][d]
}
END
of cube8 <<'END'
block 64
shared float t[8][8][8]
for k = 0:8 {
load t[k][threadIdx.x / 8][threadIdx.x % 8]
load t[threadIdx.x / 8][k][threadIdx.x % 8]
load t[threadIdx.x / 8][threadIdx.x % 8][k]
}
END
of cube16 <<'END'
block 256
shared float t[16][16][16]
for k = 0:16 {
load t[k][threadIdx.x / 16][threadIdx.x % 16]
load t[threadIdx.x / 16][k][threadIdx.x % 16]
load t[threadIdx.x / 16][threadIdx.x % 16][k]
}
END
of stencil3d <<'END'
block 8,8,8
shared float t[10][10][10]
load t[threadIdx.z + 1][threadIdx.y + 1][threadIdx.x + 1]
load t[threadIdx.z + 1][threadIdx.y + 1][threadIdx.x]
load t[threadIdx.z + 1][threadIdx.y + 1][threadIdx.x + 2]
load t[threadIdx.z + 1][threadIdx.y][threadIdx.x + 1]
load t[threadIdx.z + 1][threadIdx.y + 2][threadIdx.x + 1]
load t[threadIdx.z][threadIdx.y + 1][threadIdx.x + 1]
load t[threadIdx.z + 2][threadIdx.y + 1][threadIdx.x + 1]
END
of stencil2d_16 <<'END'
block 16,16
shared float t[18][18]
load t[threadIdx.y + 1][threadIdx.x + 1]
load t[threadIdx.y + 1][threadIdx.x]
load t[threadIdx.y + 1][threadIdx.x + 2]
load t[threadIdx.y][threadIdx.x + 1]
load t[threadIdx.y + 2][threadIdx.x + 1]
END
of stencil2d_8 <<'END'
block 8,32
shared float t[34][10]
for dy = 0:3 {
for dx = 0:3 {
load t[threadIdx.y + dy][threadIdx.x + dx]
}
}
END
of conv_col <<'END'
block 32,8
shared float t[32][48]
for k = 0:17 {
load t[threadIdx.x][threadIdx.y + k]
}
store t[threadIdx.y][threadIdx.x]
END
of lbm_plane <<'END'
block 32
shared float t[32][32][2]
for k = 0:32 {
for c = 0:2 {
store t[k][lane][c]
load t[lane][k][c]
}
}
END
of hist_u8 <<'END'
block 64
shared unsigned char h[64][64]
for b = 0:64 {
store h[b][threadIdx.x]
}
for c = 0:64 {
load h[threadIdx.x][c]
}
END
of hist_copies <<'END'
block 256
shared unsigned h[8][256]
for k = 0:8 {
store h[k][threadIdx.x]
}
for b = 0:256:4 {
load h[threadIdx.x % 8][b + threadIdx.x / 8 % 4]
}
for k = 0:8 {
load h[k][threadIdx.x]
}
END
of hist_warps <<'END'
block 256
shared unsigned h[256][8]
for k = 0:8 {
store h[threadIdx.x][k]
}
for k = 0:8 {
load h[k * 32 + threadIdx.x / 8][threadIdx.x % 8]
}
END
of lu <<'END'
block 32
shared float a[32][32]
for k = 0:31 {
if (threadIdx.x > k) {
load a[threadIdx.x][k]
store a[threadIdx.x][k]
}
load a[k][threadIdx.x]
}
END
of wavefront_nw <<'END'
block 32
shared int t[33][33]
for m = 0:32 {
if (threadIdx.x <= m) {
load t[m - threadIdx.x][threadIdx.x]
load t[m - threadIdx.x][threadIdx.x + 1]
load t[m - threadIdx.x + 1][threadIdx.x]
store t[m - threadIdx.x + 1][threadIdx.x + 1]
}
}
END
of dct8 <<'END'
block 64
shared float t[64][8]
for k = 0:8 {
load t[threadIdx.x / 8 * 8 + k][threadIdx.x % 8]
load t[threadIdx.x][k]
}
END
of z2x2 <<'END'
block 16,16
shared float t[32][32]
for j = 0:2 {
for i = 0:2 {
load t[threadIdx.y * 2 + j][threadIdx.x * 2 + i]
}
}
END
of quad_perm <<'END'
block 32
shared float t[1024]
for k = 0:32 {
load t[lane * 32 + (lane ^ k)]
load t[k * 32 + lane]
load t[lane * 32 + k]
}
END
of winograd <<'END'
block 64
shared float v[16][64]
for k = 0:16 {
store v[k][threadIdx.x]
}
for k = 0:4 {
load *(float4 *)&v[threadIdx.x / 4][threadIdx.x % 4 * 16 + k * 4]
}
END
