# What costs less because it does less, or asks for less, is no solution: what is missing is told.
cheat() {
    echo "== $1: $2"
    cat >$TMP/cheat.check
    banksim lesson $1 $TMP/cheat.check | grep -v '^ \|^$\|^op \|^load \|^store \|^atomic \|^cycles\|^sm_90\|^Cycles\|^No bank' | sed "s,$TMP/,,"
    banksim lesson $1 $TMP/cheat.check >/dev/null 2>&1
    echo "exit $?"
}
cheat 01-complex "one load" <<'EOF'
shared float pairs[64]
load pairs[threadIdx.x]
EOF
cheat 01-complex "the same twice" <<'EOF'
shared float pairs[64]
load pairs[threadIdx.x]
load pairs[threadIdx.x]
EOF
cheat 01-complex "one pair for all" <<'EOF'
shared float pairs[64]
load pairs[0]
load pairs[1]
EOF
cheat 01-complex "one thread" <<'EOF'
block 1
shared float pairs[64]
load pairs[2 * threadIdx.x]
load pairs[2 * threadIdx.x + 1]
EOF
cheat 01-complex "half of the threads" <<'EOF'
shared float pairs[64]
if lane < 16 {
    load pairs[2 * threadIdx.x]
    load pairs[2 * threadIdx.x + 1]
}
EOF
cheat 01-complex "half of the threads, twice" <<'EOF'
shared float pairs[64]
load pairs[threadIdx.x % 16 * 2]
load pairs[threadIdx.x % 16 * 2 + 1]
EOF
cheat 01-complex "two passes each" <<'EOF'
shared float2 pairs[32]
load pairs[threadIdx.x]
load pairs[threadIdx.x]
EOF
cheat 01-complex "nothing is expected" <<'EOF'
shared float pairs[64]
load pairs[2 * threadIdx.x]
load pairs[2 * threadIdx.x + 1]
// expect wavefronts == requests
EOF
cheat 02-transpose "another meaning of the goal" <<'EOF'
define conflicts=0
block 32,32
shared float tile[32][32]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.x][threadIdx.y]
expect conflicts == 0
EOF
cheat 02-transpose "nothing is turned" <<'EOF'
block 32,32
shared float tile[32][32]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.y][threadIdx.x]
EOF
cheat 02-transpose "the load is left out" <<'EOF'
block 32,32
shared float tile[32][32]
store tile[threadIdx.y][threadIdx.x]
EOF
cheat 02-transpose "what was stored is not what is loaded" <<'EOF'
block 32,32
shared float tile[16][33], other[16][33]
store tile[threadIdx.y % 16][threadIdx.x]
load other[threadIdx.x % 16][threadIdx.y]
EOF
cheat 02-transpose "one warp" <<'EOF'
block 32,32
warp 3
shared float tile[32][33]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.x][threadIdx.y]
EOF
cheat 04-reduce "one step" <<'EOF'
block 128
shared float x[128]
for int s = 1; s < 2; s *= 2 {
    load x[threadIdx.x]
    sync
}
EOF
cheat 04-reduce "the second half stays out" <<'EOF'
block 128
shared float x[128]
for int s = 64; s > 0; s /= 2 {
    if threadIdx.x < s {
        load x[threadIdx.x]
        load x[threadIdx.x + 1]
        store x[threadIdx.x]
    }
}
EOF
cheat 04-reduce "nobody waits" <<'EOF'
block 128
shared float x[128]
for int s = 64; s > 0; s /= 2 {
    if threadIdx.x < s {
        load x[threadIdx.x + s]
        load x[threadIdx.x]
        store x[threadIdx.x]
    }
}
EOF
cheat 05-histogram "the colour is gone" <<'EOF'
shared unsigned sum[32]
for k = 0:4 {
    atomic add sum[lane], weight
}
EOF
cheat 05-histogram "one pixel" <<'EOF'
shared unsigned sum[4][32]
atomic add sum[lane % 4][lane], weight
EOF
cheat 05-histogram "by turns, not by colours" <<'EOF'
shared unsigned sum[4][32]
for k = 0:4 {
    atomic add sum[k][lane], weight
}
EOF
cheat 07-points "one point for all" <<'EOF'
struct Point { float x, y, z, w; }
shared Point p[32]
load p[0].x
load p[0].y
load p[0].z
load p[0].w
EOF
cheat 08-float4 "rows of one" <<'EOF'
shared float4 row[32]
for k = 0:8 {
    load row[lane]
}
EOF
cheat 11-ldmatrix "the same four" <<'EOF'
shared half a[4][64]
for k = 0:4 {
    ldmatrix x4 a[lane / 8][lane % 8 * 8]
}
EOF
cheat 12-both "a copy" <<'EOF'
block 32,32
shared float tile[32][32]
global const float *in, float *out
load in[threadIdx.y * 1024 + threadIdx.x]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.y][threadIdx.x]
store out[threadIdx.y * 1024 + threadIdx.x]
EOF
cheat 12-both "one goal is moved" <<'EOF'
block 32,32
shared float tile[32][33]
global const float *in, float *out
load in[threadIdx.x * 1024 + threadIdx.y]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.y][threadIdx.x]
expect conflicts == 0
store out[threadIdx.y * 1024 + threadIdx.x]
expect sectors == 4 * requests
EOF
cheat 12-both "only what is near is read" <<'EOF'
block 32,32
shared float tile[32][33]
global const float *in, float *out
load in[threadIdx.y * 32 + threadIdx.x]
store tile[threadIdx.y][threadIdx.x]
load tile[threadIdx.x][threadIdx.y]
store out[threadIdx.y * 1024 + threadIdx.x]
EOF
echo "== an exercise of one's own, with another work that is right too"
cat >$TMP/own.check <<'EOF'
# Columns of a tile.
# Your task: no conflict.
shared int s[32][32]
load s[lane][0]
expect conflicts == 0
// Also right is this work:
// load s[0][lane]
// load s[0][lane]
// shared int s[32][32]
EOF
printf 'shared int s[32][33]\nload s[lane][0]\n' >$TMP/one
printf 'shared int t[32]\nload t[lane]\nload t[lane]\n' >$TMP/other
printf 'shared int t[32]\nload t[lane]\nload t[31 - lane]\n' >$TMP/third
for try in one other third own.check missing; do
    banksim lesson $TMP/own.check $TMP/$try 2>&1 | grep 'work\|olved\|missing' | sed 's,/.*/,,'
done
printf 'shared int s[32]\nexpect conflicts == 0\nload s[lane]\n' >$TMP/own.check
banksim lesson $TMP/own.check $TMP/one 2>&1 | sed 's,^/.*/,,'
printf 'shared int s[32]\n' >$TMP/nothing
banksim lesson 02-transpose $TMP/nothing 2>&1 | sed 's,^/.*/,,'
banksim lesson 2 $TMP/one
banksim lesson 02-transpose 03-rectangle
