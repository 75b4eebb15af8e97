# Where there are no lanes to draw, what to ask of the copies by TMA and the wgmmas, in commands that hold.
cat >$TMP/k.check <<'C'
block 128
mbarrier full: 1
shared half A[64][64] swizzle 128B, B[64][64]
global const half a[][4096], b[][64]
global half c[][64]
if (threadIdx.x == 0) {
    arrive full, sizeof(A) + sizeof(B)
    tma load A, a[0][0], full
    tma load B, b[0][0], full
}
wait full, 0
wgmma m64n64k16 A[0][0], A[0][16]
wgmma m64n64k16 registers, A[0][0] major=MN
wgmma commit_group
wgmma wait_group 0
if (threadIdx.x == 0) {
    tma store B, c[0][0]
    tma commit_group
    tma wait_group 0
}
C
banksim show $TMP/k.check
banksim show $TMP/k.check | sed 1d >$TMP/commands
sh $TMP/commands | grep '^TMA\|^wgmma\|^[AB]:'
banksim check $TMP/k.check --emit-trace $TMP/k.trace >$TMP/none
banksim show $TMP/k.trace | sed 1d | cmp - $TMP/commands; banksim show - <$TMP/k.trace | sed 1d | cmp - $TMP/commands
banksim show $TMP/k.trace --site 5
# bytes in a row, of a launch
banksim show tests/ptx/bulk.ptx 'scale<<<1, 256>>>(int[2048] = iota, int[2048] = iota, 3, 8)' --site 1
banksim show - --site 9 <$TMP/k.trace; echo "exit $?"
banksim show $TMP/k.check --format svg; echo "exit $?"
banksim show --global 'float *p' --if 'lane > 40' --load 'p[lane]'; echo "exit $?"
