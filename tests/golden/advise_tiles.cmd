# A tile that TMA writes or wgmma reads keeps its layout, which is a map's or a descriptor's; arrays beside it get theirs.
cat >$TMP/k.check <<'C'
block 128
mbarrier full: 1
shared half A[64][64] swizzle 128B, B[128][64] swizzle 128B
shared float t[32][32]
global const half a[][4096], b[][4096]
if (threadIdx.x == 0) {
    arrive full, sizeof(A) + sizeof(B)
    tma load A, a[0][0], full
    tma load B, b[0][0], full
}
wait full, 0
ALSO
for i = 0:4
    wgmma m64n128k16 A[0][16 * i], B[0][16 * i]
wgmma commit_group
wgmma wait_group 0
C
sed 's/ALSO/load A[lane][0]; store t[lane][warp]; load t[warp][lane]/; s/; /\n/g' $TMP/k.check >$TMP/beside.check
sed '/ALSO/d' $TMP/k.check >$TMP/alone.check
banksim advise $TMP/beside.check --best 1
banksim check $TMP/beside.check | grep -e '^    Write' -e '^    A has'
# as a trace, whose arrays are named, and cut by what goes where
banksim check $TMP/beside.check --emit-trace $TMP/beside.trace >$TMP/none
banksim advise $TMP/beside.trace --best 1 | grep -e '^1\.' -e stay
sed 's/ x-shared=[^ ]*//' $TMP/beside.trace >$TMP/unnamed.trace
banksim advise $TMP/unnamed.trace --best 1 | grep -e '^1\.' -e stay
# without any access of lanes
for format in text csv json; do banksim advise $TMP/alone.check --format $format; done
banksim check $TMP/alone.check --emit-trace $TMP/alone.trace >$TMP/none
for format in text csv; do banksim advise $TMP/alone.trace --format $format; done
banksim advise --global 'float *p' --load 'p[lane]'
# a part of a tile, by a pointer: it may be any array
banksim advise --mbarrier 'full: 1' --shared '__align__(128) half A[64][64], C[64][64]' --global 'const half a[][64]' --if 'lane == 0' \
    --arrive 'full, 4096' --let 'half *p = A[32]' --tma load '*(half (*)[32][64])p, a[0][0], full' --end --wait 'full, 0' \
    --load 'A[lane][0]' --load 'C[lane][0]' | tail -n 3
# of a launch: what is stored by TMA is no array to pad
map='tensormap short 64x64 box=64x64 swizzle=128B'
banksim advise tests/ptx/tensor.ptx "transpose<<<1, 128>>>($map, $map)"
