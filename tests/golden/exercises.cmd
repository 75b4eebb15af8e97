# Each exercise fails as it stands, and a solution passes; none is solved by other expectations.
solve() {
    name=$1
    shift
    banksim check traces/exercises/$name.check >/dev/null 2>&1
    before=$?
    sed "$@" traces/exercises/$name.check >$TMP/solved
    banksim check $TMP/solved >/dev/null 2>&1
    echo "$name $before $?"
    grep '^expect' traces/exercises/$name.check >$TMP/wanted
    grep '^expect' $TMP/solved | cmp - $TMP/wanted
}
solve 01-complex -e 's/pairs\[64\]/re[32], im[32]/; s/pairs\[2 \* threadIdx.x + 1\]/im[lane]/; s/pairs\[2 .*/re[lane]/'
solve 02-transpose -e 's/tile\[32\]\[32\]/tile[32][33]/'
solve 03-rectangle -e 's/tile\[16\]\[32\]/tile[16][34]/'
solve 03-rectangle -e 's/tile\[16\]\[32\]/tile[16][33]/' # one column is not enough
solve 04-reduce -e 's/for int s.*/for int s = 64; s > 0; s \/= 2 {/; s/if .*/if threadIdx.x < s {/' -e '/load\|store/s/2 \* s \* //'
solve 05-histogram -e 's/sum\[4\]/sum[4][32]/; s/sum\[lane % 4\]/&[lane]/'
solve 06-product -e 's/Bs\[threadIdx.x\]\[k\]/Bs[k][threadIdx.x]/'
solve 06-product -e 's/Bs\[16\]\[16\]/Bs[16][17]/'
solve 07-points -e 's/z, w;/z, w, unused;/'
solve 08-float4 -e 's/\[8\]/[9]/'
solve 09-doubles -e 's/tile\[32\]\[32\]/tile[32][33]/'
solve 10-halo -e 's/^block.*/block 32,8/; s/tile\[18\]\[18\]/tile[10][34]/'
solve 11-ldmatrix -e 's/^shared.*/& swizzle 128B/'
solve 12-both -e 's/in\[threadIdx.x \* 1024 + threadIdx.y\]/in[threadIdx.y * 1024 + threadIdx.x]/' \
    -e 's/tile\[32\]\[32\]/tile[32][33]/; s/load tile.*/load tile[threadIdx.x][threadIdx.y]/'
# Memory alone is no solution.
solve 02-transpose -e 's/tile\[32\]\[32\]/tile[32][35]/'
solve 07-points -e 's/z, w;/z, w, a, b, c;/'
solve 11-ldmatrix -e 's/a\[16\]\[64\]/a[16][72]/'
