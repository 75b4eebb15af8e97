# c = a b^T of 128 x 256 halves of small whole numbers: (3 m + 5 k) % 7 - 3 and (2 n + k) % 5 - 2. One warp loads, four multiply.
halves() { awk "BEGIN { split(\"\\\\000\\\\302 \\\\000\\\\300 \\\\000\\\\274 \\\\000\\\\000 \\\\000\\\\074 \\\\000\\\\100 \\\\000\\\\102\", h, \" \")
    for (i = 0; i < 128; i++) for (k = 0; k < 256; k++) printf \"%s\", h[$1 + 4] }"; }
printf "$(halves '(3 * i + 5 * k) % 7 - 3')" >$TMP/a; printf "$(halves '(2 * i + k) % 5 - 2')" >$TMP/b
map='tensormap half 256x128 box=64x64 swizzle=128B'
banksim launch tests/ptx/wgmma.ptx "gemm<<<dim3(2, 2), 160, 32768>>>($map = \"$TMP/a\", $map = \"$TMP/b\", float[16384], 128, 4)" \
    --dump 2=$TMP/c -o $TMP/k.trace
od -An -v -w4 -tf4 $TMP/c | awk '{ m = int((NR - 1) / 128); n = (NR - 1) % 128; key = m % 7 " " n % 5
    if (!(key in sum)) for (k = 0; k < 256; k++) sum[key] += ((3 * m + 5 * k) % 7 - 3) * ((2 * n + k) % 5 - 2)
    wrong += $1 != sum[key]; if (NR < 4) print $1 } END { print NR, wrong + 0 }'
grep '^site.*\(wgmma\|bulk\)' $TMP/k.trace | cut -d' ' -f3,4
grep '^w[0-9]* .*\(start\|arrive\|await\|wait\)' $TMP/k.trace | sed -n '1,19p'
banksim run $TMP/k.trace 2>&1 | grep -E '^(wgmma|TMA|cycles|held|No)'
# One wgmma of bytes in each block: D is what was there, and 32 products of 3 and -2.
banksim launch tests/ptx/wgmma.ptx 'of_s8<<<2, 128>>>(char[4096] = 3, char[512] = -2, int[1024] = iota, 1)' --dump 2=$TMP/d --cycles never --format csv 2>/dev/null | cut -d, -f1-4
od -An -td4 -j 4080 $TMP/d
