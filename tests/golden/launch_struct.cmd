in='{float[1024] = iota, long 4096, long {32, 32}, long 1024}'
out='{float[1024], long 4096, long {32, 32}, long 1024}'
banksim launch tests/ptx/julia.ptx "turn<<<1, dim3(32, 32)>>>({long 0, 7}, $out, $in, 0.5)" --format csv --dump 1.0=$TMP/out -o $TMP/csv 2>/dev/null &&
    cut -d, -f1-8,34-36 $TMP/csv && od -An -tf4 -w16 $TMP/out | sed -n '1p;9p;256p'
for out in '{float[1024], 4096, {32, 32}, 1024}' 'float[1024]' '4096' '{float2 {1, 2, 3}}' '{{{{{{{{{1}}}}}}}}}' \
    '{float[1024], 4294967296}'
do
    banksim launch tests/ptx/julia.ptx "turn<<<1, dim3(32, 32)>>>({long 0, 7}, $out, $in, 0.5)"
    echo "exit $?"
done 2>&1
banksim launch tests/ptx/julia.ptx "turn<<<1, 32>>>({long 0, 7}, $in, $in, long 1)" 2>&1; echo "exit $?"
banksim launch tests/ptx/julia.ptx "turn<<<1, 32>>>({long 0, 7}, $in, $in, 0.5)" --dump 1=x 2>&1; echo "exit $?"
banksim launch tests/ptx/tile.ptx 'sum<<<1, 32, 128>>>(int[32], {int[1] = iota})' -o "$TMP/k.trace"; echo "exit $?"
for in in '{float[1020] = iota, long 4080, long {32, 32}, long 1024}' '{float[1024] = iota, long 4096, long {30000, 32}, long 1000000}'
do
    banksim launch tests/ptx/julia.ptx "turn<<<1, dim3(32, 32)>>>({long 0, 7}, {float[1024], long 4096, long {32, 32}, long 1024}, $in, 0.5)"
    echo "exit $?"
done 2>&1
