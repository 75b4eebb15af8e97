# Where SANITIZED is set two of four numbers of jobs are tried: they execute the same lines.
tried="1 2 3 8"
[ -z "${SANITIZED:-}" ] || tried="1 3"
same() { # COMMAND...: what it prints and its exit code do not depend on --jobs
    n=0
    for jobs in $tried; do
        code=0
        "$@" --jobs "$jobs" >"$TMPDIR/out.$jobs" 2>"$TMPDIR/err.$jobs" || code=$?
        echo "exit $code" >>"$TMPDIR/out.$jobs"
        cmp "$TMPDIR/out.1" "$TMPDIR/out.$jobs" && cmp "$TMPDIR/err.1" "$TMPDIR/err.$jobs" && n=$((n + 1))
    done
    [ "$n" -eq "$(echo "$tried" | wc -w)" ] && echo 'the same' || echo "$n of $tried jobs the same"
}
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
awk -v blocks=1200 -f tests/golden/traces/blocks.awk >"$TMPDIR/big.trace"
banksim pack "$TMPDIR/big.trace" -o "$TMPDIR/big.bin"
awk -f tests/golden/traces/blocks_traceg.awk >"$TMPDIR/big.traceg"
same banksim run "$TMPDIR/big.trace"
same banksim run --per site --cycles always "$TMPDIR/big.trace"
same banksim run --per site --format json "$TMPDIR/big.bin"
same banksim run --format csv --metrics ncu "$TMPDIR/big.bin" "$TMPDIR/big.trace"
same banksim run --per request --format csv "$TMPDIR/big.trace"
same banksim run --hazards "$TMPDIR/big.trace"
same banksim run --format html "$TMPDIR/big.bin"
same banksim run traces/*.trace traces/example.traceg
same banksim run --per site --cycles never --format csv "$TMPDIR/big.traceg" traces/example.traceg
same banksim run --per site --format json "$TMPDIR/big.traceg"
sed '$d' "$TMPDIR/big.trace" >"$TMPDIR/cut.trace"
same banksim run "$TMPDIR/cut.trace"
awk 'BEGIN {
    print "banksim-trace 1\nkernel k grid=9 block=64"
    for (b = 0; b < 4000; b++) {
        print "block " b % 9 "\nrepeat 1000000\n repeat 60000\n w0 ld.shared.u32 ffffffff 0+4\n done\ndone"
        for (i = 0; i < 5; i++) print "w1 ld.shared.u32 ffffffff 0+4"
    }
    print "end"
}' >"$TMPDIR/limit.trace"
same banksim run "$TMPDIR/limit.trace"
cut -d: -f 2- "$TMPDIR/err.3"
{ # a file that is no trace, but has a block
    yes '# a comment' | head -n 6000
    echo 'block 0'
} >"$TMPDIR/headless.trace"
same banksim run "$TMPDIR/headless.trace"
# One of each kind that run_jobs_broken has more of.
for line in 5000 12345 20001; do
    sed "${line}s/ffffffff/fffffff/;${line}s/block /block 9/;${line}s/bar.sync/bar.sink/" \
        "$TMPDIR/big.trace" >"$TMPDIR/broken.trace"
    same banksim run "$TMPDIR/broken.trace"
done
sed 12345s/^/x/ "$TMPDIR/big.traceg" >"$TMPDIR/broken.traceg"
same banksim run --cycles never "$TMPDIR/broken.traceg"
head -c 70000 "$TMPDIR/big.bin" >"$TMPDIR/cut.bin"
same banksim run "$TMPDIR/cut.bin"
(cat "$TMPDIR/cut.bin"; printf X; tail -c +70002 "$TMPDIR/big.bin") >"$TMPDIR/broken.bin"
same banksim run "$TMPDIR/broken.bin"
for file in big.trace big.traceg big.bin; do
    for jobs in $tried; do
        cat "$TMPDIR/$file" | banksim run --jobs $jobs --cycles never --format csv - 2>/dev/null | cksum
    done | sort -u
done
banksim run --jobs 0 traces/cost.trace
banksim run --jobs 65 traces/cost.trace
banksim run --jobs two traces/cost.trace
banksim emulate square_set_row_read_col --run --jobs 2
