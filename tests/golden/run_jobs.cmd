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
awk 'BEGIN {
    print "banksim-trace 1"
    for (k = 0; k < 3; k++) {
        print "kernel k" k " grid=2000 block=64 shared=8192\nsite 1 ld.shared.u32 at=a.cu:1\nsite 2 st.shared.u64"
        for (b = 0; b < 1200; b++) {
            print "block " b
            for (i = 0; i < 4 + (b * 7 + k) % 9; i++)
                print "w" i % 2 " @" 1 + (b + i) % 2 " ffffffff " b % 50 * 8 "+" 8 * (1 + (b * i + k) % 20)
            if (b % 100 == 99) print "site " 100 + b " ld.shared.u8"
            if (b % 90 == 89) print "w0 @1 ffffffff 0+128 expect.wavefronts=" 32 - (b % 180 == 89)
            print "w* bar.sync"
        }
    }
    print "end"
}' >"$TMPDIR/big.trace"
banksim pack "$TMPDIR/big.trace" -o "$TMPDIR/big.bin"
awk 'BEGIN {
    for (k = 0; k < 3; k++) {
        print "-kernel name = k" k "\n-grid dim = (2000,1,1)\n-block dim = (64,1,1)\n-shmem = 8192"
        print "-binary version = 80\n-accelsim tracer version = 5\n\n#traces format = ...\n"
        for (b = 0; b < 1000; b++) {
            print "#BEGIN_TB\n\nthread block = " b ",0,0\n"
            for (w = 0; w < 2; w++) {
                n = 3 + (b * 7 + k) % 9
                print "\nwarp = " w "\ninsts = " n + 2
                for (i = 0; i < n; i++)
                    printf "%04x ffffffff 1 R1 LDS 1 R2 4 1 0x%x %d 0\n", 16 * i, b % 50 * 8, 8 * (1 + (b * i + k) % 20)
                printf "%04x ffffffff 1 R3 %s 0 0 0\n", 16 * i, b % 100 == 99 ? "FROB." b : "MOV"
                print b % 70 == 69 ? 1000 + b " ffffffff 0 STS.64 2 R4 R6 8 1 0x0 16 0" : "0400 ffffffff 0 EXIT 0 0 0"
            }
            print "#END_TB\n"
        }
    }
}' >"$TMPDIR/big.traceg"
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
cut -d: -f 2- "$TMPDIR/err.8"
{ # a file that is no trace, but has a block
    yes '# a comment' | head -n 6000
    echo 'block 0'
} >"$TMPDIR/headless.trace"
same banksim run "$TMPDIR/headless.trace"
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
for jobs in 1 2 3 8; do
    cat "$TMPDIR/big.trace" | banksim run --jobs $jobs --cycles never --format csv - 2>/dev/null | cksum
    cat "$TMPDIR/big.traceg" | banksim run --jobs $jobs --cycles never --format csv - 2>/dev/null | cksum
    cat "$TMPDIR/big.bin" | banksim run --jobs $jobs --cycles never --format csv - 2>/dev/null | cksum
done
banksim run --jobs 0 traces/cost.trace
banksim run --jobs 65 traces/cost.trace
banksim run --jobs two traces/cost.trace
banksim emulate square_set_row_read_col --run --jobs 2
