# Fences that a sketch lacks between lanes' stores and wgmma or TMA, which read them; nothing is said where each thread that stores
# has one, or one thread behind the barrier, nor of a tile that no lane stores to.
lacks() { echo "$1"; shift; banksim check "$@" 2>&1 >"$TMP/none" | sed "s|$TMP/||"; }
grep -v 'fence proxy' traces/mainloop.check >"$TMP/without.check"
sed 's/shared::cta/global/' traces/mainloop.check >"$TMP/global.check"
sed 's/\.shared::cta//' traces/mainloop.check >"$TMP/all.check"
lacks 'main loop' traces/mainloop.check
lacks 'main loop without' "$TMP/without.check"
lacks 'of global memory' "$TMP/global.check"
lacks 'of all memory' "$TMP/all.check"
# a tile that lanes transpose, and TMA stores
tile() {
    name=$1 before=$2 behind=$3 column=$4
    cat >"$TMP/tile.check" <<END
block 64
shared float tile[2][32][32]
global float out[][32]
store tile[0][lane][threadIdx.x / 32]
$before
sync
if (threadIdx.x == 0) {
    $behind
    tma store tile[$column], out[0][0]
    tma commit_group
    tma wait_group 0
}
END
    lacks "$name" "$TMP/tile.check"
}
tile 'tile' '' '' 0
tile 'tile, each thread' 'fence proxy.async.shared::cta' '' 0
tile 'tile, one behind the barrier' '' 'fence proxy.async' 0
tile 'tile, __threadfence' '__threadfence();' '' 0
tile 'the other tile' '' '' 1
# operands
multiply() {
    name=$1 fence=$2 to=$3
    cat >"$TMP/wgmma.check" <<END
block 128
shared half A[64][64] swizzle 128B, B[64][64] swizzle 128B
store $to
$fence
sync
wgmma m64n64k16 A[0][0], B[0][0]
wgmma commit_group
wgmma wait_group 0
END
    lacks "$name" "$TMP/wgmma.check"
}
multiply 'A' '' 'A[warp * 16 + lane / 2][lane % 2]'
multiply 'B' '' 'B[threadIdx.x % 64][15]'
multiply 'B, fenced' 'fence proxy.async.shared::cta' 'B[threadIdx.x % 64][15]'
multiply 'B, columns of the next one' '' 'B[threadIdx.x % 64][16]'
# without a file, with an expectation
banksim check --block 32 --shared 'float t[32][32]' --global 'float o[][32]' --store 't[0][lane]' --sync --if 'lane == 0' \
    --tma store 't, o[0][0]' --tma commit_group --tma 'wait_group 0' --end --expect 'conflicts == 0' >"$TMP/none"; echo "exit $?"
true
