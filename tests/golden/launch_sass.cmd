# What the accesses are, with their places in the text, and what the kernel leaves.
banksim launch tests/sass/small.sass 'turn<<<1, 32>>>(int[32] = iota, int[32], 3)' --per site --dump 1="$TMP/out.bin" |
    awk '$2 ~ /^(ld|st)\./ { print $2, $3, $4; sub(/.*small/, "small"); print "    " $0 }'
od -An -tu4 -w64 "$TMP/out.bin"
