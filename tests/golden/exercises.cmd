# Release only: what solutions cost; exercise_cheats takes the same ways.
# Each exercise is unsolved as it stands, and solutions of several kinds pass: `banksim lesson NAME FILE`.
solve() {
    name=$1
    shift
    banksim lesson $name traces/exercises/$name.check >/dev/null
    before=$?
    sed "$@" traces/exercises/$name.check >$TMP/solved
    cmp -s $TMP/solved traces/exercises/$name.check && echo "$name: nothing is changed"
    banksim lesson $name $TMP/solved >/dev/null
    echo "$name $before $?"
}
rewrite() {
    cat >$TMP/solved
    banksim lesson $1 $TMP/solved >/dev/null
    echo "$1 $?"
}
echo "two arrays, halves of one, swapped, a swizzle"
solve 01-complex -e 's/pairs\[64\]/re[32], im[32]/; s/pairs\[2 \* threadIdx.x + 1\]/im[lane]/; s/pairs\[2 .*/re[lane]/'
solve 01-complex -e 's/2 \* threadIdx.x + 1/threadIdx.x + 32/; s/2 \* threadIdx.x/threadIdx.x/'
solve 01-complex -e 's/2 \* threadIdx.x + 1/threadIdx.x/; s/2 \* threadIdx.x/32 + threadIdx.x/'
solve 01-complex -e 's/pairs\[2 \* threadIdx.x + 1\]/pairs[(2 * lane + 1) ^ lane \/ 16]/; s/pairs\[2 \* threadIdx.x\]/pairs[2 * lane ^ lane \/ 16]/'
echo "a padding, another array, a declared and a written swizzle, rotated rows, the store turned, C"
for name in 02-transpose 09-doubles; do
    solve $name -e 's/tile\[32\]\[32\]/tile[32][33]/'
    solve $name -e 's/tile\[32\]\[32\]/t[32][33]/; s/tile/t/'
    solve $name -e 's/tile\[32\]\[32\]/& row-xor 5,0,0/'
    solve $name -e '/^store\|^load/s/\[[^]]*\]$/[threadIdx.x ^ threadIdx.y]/'
    solve $name -e '/^store\|^load/s/\[[^]]*\]$/[(threadIdx.x + threadIdx.y) % 32]/'
    solve $name -e 's/tile\[32\]\[32\]/tile[32][33]/; s/store.*/store tile[threadIdx.x][threadIdx.y]/; s/load.*/load tile[threadIdx.y][threadIdx.x]/'
done
rewrite 02-transpose <<'EOF'
block 32,32
__shared__ float tile[32][33];
int x = threadIdx.x, y = threadIdx.y;
tile[y][x] = in[y * 32 + x];
__syncthreads();
out[y * 32 + x] = tile[x][y];
EOF
solve 03-rectangle -e 's/tile\[16\]\[32\]/tile[16][34]/'
solve 03-rectangle -e 's/tile\[16\]\[32\]/& row-xor 4,1,0/'
echo "halves, in C, and neighbours without moving"
solve 04-reduce -e 's/for int s.*/for int s = 64; s > 0; s \/= 2 {/; s/if .*/if threadIdx.x < s {/' -e '/load\|store/s/2 \* s \* //'
solve 04-reduce -e 's/if .*/if threadIdx.x % (2 * s) == 0 {/' -e '/load\|store/s/2 \* s \* //'
rewrite 04-reduce <<'EOF'
block 128
__shared__ float x[128];
unsigned t = threadIdx.x;
for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
        x[t] += x[t + s];
    }
    __syncthreads();
}
EOF
solve 05-histogram -e 's/sum\[4\]/sum[4][32]/; s/sum\[k \* lane % 4\]/&[lane]/'
solve 05-histogram -e 's/sum\[4\]/sum[128]/; s/sum\[k \* lane % 4\]/sum[k * lane % 4 * 32 + lane]/'
echo "turned, padded, summed the other way round"
solve 06-product -e 's/Bs\[threadIdx.x\]\[k\]/Bs[k][threadIdx.x]/'
solve 06-product -e 's/Bs\[16\]\[16\]/Bs[16][17]/'
solve 06-product -e 's/sum += .*/sum += Bs[15 - k][threadIdx.x] * As[threadIdx.y][15 - k];/'
echo "five floats, four arrays, one float4, rows of their own"
solve 07-points -e 's/z, w;/z, w, unused;/'
solve 07-points -e '/^struct/d; s/^shared.*/shared float x[32], y[32], z[32], w[32]/; s/p\[lane\]\.\(.\)/\1[lane]/'
solve 07-points -e '/^struct/d; s/^shared.*/shared float4 p[32]/; s/^load.*x$/load p[lane]/; /^load.*[yzw]$/d'
solve 07-points -e '/^struct/d; s/^shared.*/shared float p[4][32]/; s/^load.*x$/load p[0][lane]/; s/^load.*y$/load p[1][lane]/; s/^load.*z$/load p[2][lane]/; s/^load.*w$/load p[3][lane]/'
solve 08-float4 -e 's/\[8\]/[9]/'
solve 08-float4 -e 's/\[lane\]\[k\]/[lane][k ^ lane % 8]/'
solve 08-float4 -e 's/\[32\]\[8\]/[8][32]/; s/\[lane\]\[k\]/[k][lane]/'
for x in 32 64 128; do
    y=$((256 / x))
    solve 10-halo -e "s/^block.*/block $x,$y/; s/tile\[18\]\[18\]/tile[$((y + 2))][$((x + 2))]/"
done
solve 10-halo -e 's/tile\[18\]\[18\]/tile[18][48]/'
solve 11-ldmatrix -e 's/^shared.*/& swizzle 128B/'
solve 11-ldmatrix -e 's/16 \* k + lane \/ 16 \* 8/(2 * k + lane \/ 16 ^ lane % 8) * 8/'
for swap in s/x/x/ 's/\(tile\[threadIdx.\)x\]\(.*\)y/\1y]\2x/'; do
    solve 12-both -e 's/in\[threadIdx.x \* 1024 + threadIdx.y\]/in[threadIdx.y * 1024 + threadIdx.x]/' \
        -e 's/tile\[32\]\[32\]/tile[32][33]/; s/load tile.*/load tile[threadIdx.x][threadIdx.y]/'
done
echo "none of them"
solve 02-transpose -e 's/tile\[32\]\[32\]/tile[32][35]/' # too much memory
solve 03-rectangle -e 's/tile\[16\]\[32\]/tile[16][33]/' # one column is not enough
solve 07-points -e 's/z, w;/z, w, a, b, c;/'
solve 11-ldmatrix -e 's/a\[16\]\[64\]/a[16][72]/'
