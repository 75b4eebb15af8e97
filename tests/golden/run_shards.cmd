work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v blocks=700 -f tests/golden/traces/blocks.awk >"$work/big.trace"
banksim pack "$work/big.trace" -o "$work/big.bin"
parts() { # N TRACE...: its parts, as part.1 to part.N
    rm -f "$work"/part.*
    n=$1
    shift
    for k in $(seq "$n"); do
        banksim run --shard "$k/$n" -o "$work/part.$k" "$@" 2>>"$work/failed" || echo "shard $k/$n: $?"
    done
}
same() { # TRACE...: the last part first
    for options in "" "--per site" "--per site --format json" "--format csv --metrics ncu"; do
        a=0; b=0
        banksim run $options "$@" >"$work/whole" 2>/dev/null || a=$?
        banksim merge $options $(ls "$work"/part.* | sort -r) >"$work/merged" 2>/dev/null || b=$?
        cmp "$work/whole" "$work/merged" && echo "the same, exit $a $b"
    done
}
for n in 1 2 3 8; do
    parts $n "$work/big.trace"; same "$work/big.trace"
    parts $n "$work/big.bin"; same "$work/big.bin"
done
for n in 1 2 5; do
    parts $n traces/example.traceg tests/golden/traces/remarks.traceg
    same traces/example.traceg tests/golden/traces/remarks.traceg
done
parts 5 traces/cost.trace traces/reduce_shared_mem.trace; same traces/cost.trace traces/reduce_shared_mem.trace
cat "$work/big.bin" | banksim run --shard 2/3 -o "$work/piped" - 2>/dev/null
parts 3 "$work/big.bin"
cmp "$work/piped" "$work/part.2" && echo "from a pipe the same"
cd "$work"
banksim merge part.1 part.3
banksim merge part.1 part.2 part.1 part.3
banksim run part.1; banksim pack -o packed part.2
banksim run --shard 2/4 -o other "$work/big.bin" 2>/dev/null; banksim merge part.1 other
banksim run --shard 2/3 -o other "$work/big.trace" 2>/dev/null; banksim merge part.1 other part.3
banksim run --shard 2/3 --device k40 -o other "$work/big.bin" 2>/dev/null; banksim merge part.1 other part.3
sed 's/ 0+128 / 0+64 /' big.trace >changed.trace; banksim run --shard 2/3 -o other changed.trace 2>/dev/null; banksim run --shard 1/3 -o part.t "$work/big.trace" 2>/dev/null; banksim merge part.t other
banksim pack changed.trace -o changed.bin; banksim run --shard 2/3 -o other changed.bin 2>/dev/null; banksim merge part.1 other
sed 's/^banksim-part 1 [^ ]*$/banksim-part 1 0.0.0/' part.1 >other; banksim merge other
sed 's/ 8192 / 8193 /' part.1 >other; banksim merge other
banksim merge big.trace
banksim merge nothing.here
banksim run --shard 3/2 x
banksim run --shard 1 x
banksim run --shard 0/2 x
banksim run --shard 1/2 --per site x
banksim merge
banksim merge --per request part.1
banksim merge part.1 part.2 part.3 -o report
banksim merge --help
# A block directly behind a header is a block of one shard as any other.
printf '%s\n' '-kernel name = a' '-grid dim = (3,1,1)' '-block dim = (32,1,1)' '#BEGIN_TB' 'thread block = 0,0,0' '#END_TB' \
    '#BEGIN_TB' 'thread block = 1,0,0' '#END_TB' >"$work/head.traceg"
parts 3 "$work/head.traceg" 2>/dev/null
banksim merge --format json "$work"/part.* | grep -o '"blocks": [0-9]*'
