# y = 3 x + y of iota is 4 i; copies are records of the trace; and what each mistake is told as.
run() { banksim launch tests/ptx/bulk.ptx "$@"; }
run 'scale<<<1, 256>>>(int[2048] = iota, int[2048] = iota, 3, 8)' --dump 1=$TMP/y -o $TMP/k.trace
od -An -v -w4 -td4 $TMP/y | awk '$1 != 4 * (NR - 1) { wrong++ } END { print NR, wrong + 0 }'
grep -c '^w[0-9]* @[0-9]* bytes=1024' $TMP/k.trace; grep '^site.*bulk' $TMP/k.trace | cut -d' ' -f3,4 | sort -u
grep -E '^w(0|5) .*(arrive|await|bytes|wait)' $TMP/k.trace | head -16
run 'scale<<<1, 256>>>(int[2048] = iota, int[2048] = iota, 3, 8)' | grep -E '^(TMA|scale|held)'
banksim run $TMP/k.trace | grep -E '^(TMA|scale|held)'
run 'impatient<<<1, 256>>>(int[2048] = iota, int[2048])' --cycles never --format csv 2>&1 >$TMP/out
for mistake in '2048, 0, 0, 1024' '512, 0, 0, 1024' '1024, 1, 0, 1024' '1024, 0, 1, 1024' '1024, 0, 0, 1000' '1024, 0, 4, 1024'; do
    run "mistaken<<<1, 32>>>(int[256] = iota, int[256], $mistake)" --cycles never --format csv 2>&1 | sed -n 1p
done
