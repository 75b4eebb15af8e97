# A transpose as it was run: by its array as the compiler names it, by rows and columns, by its name.
banksim launch tests/ptx/tile.ptx 'transpose<<<dim3(4,4), dim3(32,8)>>>(float[16384], float[16384], 128, 128)' -o $TMP/k.trace
banksim advise $TMP/k.trace
echo; echo '== rows and columns'
banksim advise $TMP/k.trace --kernel transpose --shared 'float tile[32][32]' --best 1 | sed -n '7,$p'
echo; echo '== json'
banksim advise $TMP/k.trace --best 1 --format json | head -4
echo; echo '== a pipe, packed, whose arrays have no names'
banksim emulate square_set_row_read_col | sed 's/ x-shared=[^ ]*//' | banksim pack -o $TMP/k.bin - && banksim advise - --best 1 <$TMP/k.bin | sed -n '8,$p'
echo; echo '== two kernels: the worse one, or the one that is named; launches together'
cat >$TMP/two.trace <<'T'
banksim-trace 1
kernel fine block=32 shared=4096
block 0
w0 ld.shared.f32 ffffffff 0+8
kernel bad block=32 shared=4096
block 0
w0 ld.shared.f32 ffffffff 0+128
kernel fine block=32 shared=4096 again=2
end
T
banksim advise $TMP/two.trace --best 1 2>&1 | sed "s,$TMP/,,; 6,\$d"
banksim advise $TMP/two.trace --best 1 --kernel fine | head -3
echo; echo '== an array that the trace does not know'
banksim advise $TMP/k.trace --kernel transpose --shared 'float t[32][32]' --best 1 | grep -E '^([0-9]|The trace)'
