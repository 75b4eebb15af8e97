# A matrix is transposed tile by tile, with a box at each edge of a map that is no multiple of it; what the trace has of it.
run() { banksim launch tests/ptx/tensor.ptx "$@"; }
run 'transpose<<<dim3(2, 4), 128>>>(tensormap short 72x200 box=64x64 swizzle=128B = iota, tensormap short 200x72 box=64x64 swizzle=128B)' \
    --dump 1=$TMP/out -o $TMP/k.trace
od -An -v -w2 -td2 $TMP/out | awk '{ x = int((NR - 1) / 200); y = (NR - 1) % 200; wrong += $1 != 72 * y + x } END { print NR, wrong + 0 }'
grep '^w0 .*swizzle' $TMP/k.trace
banksim run $TMP/k.trace | grep -E '^(TMA|transpose)'
# Elements of 1 to 8 bytes; what a box leaves at the edge, of rows 128 bytes apart.
for type in char:1 short:2 int:4 long:8; do
    run "loaded<<<1, 64>>>(tensormap ${type%:*} 16x8 box=16x4 pitch=128 = iota, int[2048], 2, 0, 2, 0, $((64 * ${type#*:})), 0)" \
        --dump 1=$TMP/out --cycles never --format csv >$TMP/csv 2>&1 && od -An -v -td${type#*:} -j $((16 * ${type#*:})) -N 16 $TMP/out
done
run 'stored<<<1, 64>>>(tensormap int 30x8 box=8x8 pitch=128 = 9, 28, 4, 64, 0)' --dump 0=$TMP/out --cycles never --format csv >$TMP/csv 2>&1
od -An -v -w128 -td4 $TMP/out | sed -n '4,6p' | awk '{ print $25, $26, $27, $28, $29, $30, $31, $32 }'
for map in 'half 64x64' 'half 60x64 box=32x8' 'half 64x64 box=32x8 of 1' 'half 64x64 box=32x8 swizzle=32B'; do
    run "stored<<<1, 64>>>(tensormap $map, 0, 0, 64, 0)" 2>&1
done
run "stored<<<1, 64>>>(1, 0, 0, 64, 0)" 2>&1
true
