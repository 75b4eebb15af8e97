# Release only: 84 runs of traces that are broken at one place or another; run_jobs has one of each.
same() { # COMMAND...: what it prints and its exit code do not depend on --jobs
    n=0
    for jobs in 1 2 3 8; do
        code=0
        "$@" --jobs "$jobs" >"$TMPDIR/out.$jobs" 2>"$TMPDIR/err.$jobs" || code=$?
        echo "exit $code" >>"$TMPDIR/out.$jobs"
        cmp "$TMPDIR/out.1" "$TMPDIR/out.$jobs" && cmp "$TMPDIR/err.1" "$TMPDIR/err.$jobs" && n=$((n + 1))
    done
    echo "$n of 4 the same"
}
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
awk -v blocks=1200 -f tests/golden/traces/blocks.awk >"$TMPDIR/big.trace"
awk -f tests/golden/traces/blocks_traceg.awk >"$TMPDIR/big.traceg"
banksim pack "$TMPDIR/big.trace" -o "$TMPDIR/big.bin"
for line in 10 5000 12345 20000 20001 30003; do
    sed "${line}s/ffffffff/fffffff/;${line}s/block /block 9/;${line}s/bar.sync/bar.sink/" \
        "$TMPDIR/big.trace" >"$TMPDIR/broken.trace"
    same banksim run "$TMPDIR/broken.trace"
done
for line in 10 5000 12345 20000 20001 30003 35017; do
    sed "${line}s/^/x/" "$TMPDIR/big.traceg" >"$TMPDIR/broken.traceg"
    same banksim run --cycles never "$TMPDIR/broken.traceg"
done
for byte in 3000 70000 300000 600001; do
    head -c "$byte" "$TMPDIR/big.bin" >"$TMPDIR/cut.bin"
    same banksim run "$TMPDIR/cut.bin"
    (cat "$TMPDIR/cut.bin"; printf X; tail -c +$((byte + 2)) "$TMPDIR/big.bin") >"$TMPDIR/broken.bin"
    same banksim run "$TMPDIR/broken.bin"
done
