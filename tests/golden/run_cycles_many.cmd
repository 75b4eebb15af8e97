# Release only: some 262,000 events in each run, as it is about their limit; other runs have few of the same.
awk 'BEGIN {print "banksim-trace 1\nkernel long grid=1 block=1024\nblock 0"
            for (i = 0; i < 8193; i++) print "w* ld.shared.u32 ffffffff 0+4"
            print "kernel short grid=1 block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+128\nend"}' >"$TMP/long.trace"
banksim run "$TMP/long.trace"
banksim run --format csv "$TMP/long.trace" | cut -d, -f1,48-
banksim run --format json "$TMP/long.trace" | grep -o '"timing": [{n][^ ]*'
sed '/kernel short/,/w0/d' "$TMP/long.trace" | banksim run - | grep cycles
banksim run --cycles always --per site "$TMP/long.trace" | grep -A 3 cycles:
# Work without end is no event without end: the limit holds for it too, whatever the parts.
awk 'BEGIN {print "banksim-trace 1\nkernel work grid=4 block=64"
            for (b = 0; b < 4; b++) print "block " b "\nw1 ld.shared.u32 ffffffff 0+4\nw* work " 1048532
            print "end"}' >"$TMP/work.trace"
sed 's/1048532/1048528/' "$TMP/work.trace" >"$TMP/less.trace"
for trace in work less; do
    banksim run "$TMP/$trace.trace" | grep cycles:
    for k in 1 2 3; do
        banksim run --shard $k/3 "$TMP/$trace.trace" -o "$TMP/part$k"
    done
    banksim merge "$TMP"/part[123] | grep cycles:
    banksim run --jobs 3 "$TMP/$trace.trace" | grep cycles:
done
# wgmma makes no request of shared memory, and its cycles are told, or told to be left out, as others are.
awk 'function d(x) {return x ".start=1024 " x ".lbo=16 " x ".sbo=1024 " x ".base=0 " x ".swizzle=128B " x ".major=K "}
     BEGIN {print "banksim-trace 1\nkernel mma block=128\nblock 0"; for (i = 0; i < 262145; i++)
            print "w0 wgmma.mma_async.sync.aligned.m64n8k16.f16 " d("a") d("b")
            print "w0 work 1 wait=0\nend"}' >"$TMP/mma.trace"
banksim run "$TMP/mma.trace" | grep cycles
banksim run --cycles never "$TMP/long.trace" | grep -ic "^cycles\|cycles:"
