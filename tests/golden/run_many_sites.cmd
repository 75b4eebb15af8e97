# More sites with conflicts than are played one by one: the same whatever the threads, the shards and
# the order of merging. In most blocks sites 1 to 40 conflict, the same ones in none.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk 'BEGIN {
    print "banksim-trace 1\nkernel k grid=400 block=64"
    for (i = 1; i <= 60; i++) print "site " i " ld.shared.u32 at=a.cu:" i
    for (b = 0; b < 400; b++) {
        print "block " b
        for (i = 1; i <= 60; i++)
            if ((b + i) % 7) print "w" i % 2 " @" i " ffffffff 0+" (i > 40 ? 4 : i % 11 == 0 ? 32 : 8 + 8 * (b % 3))
    }
    print "end"
}' >"$work/trace"
for format in text csv json; do
    banksim run --jobs 1 --per site --format $format "$work/trace" >"$work/$format"
    for jobs in 2 3 8; do
        banksim run --jobs $jobs --per site --format $format "$work/trace" | cmp - "$work/$format"
    done
done
for n in 2 3 8; do
    for k in $(seq $n); do banksim run --shard $k/$n -o "$work/part.$n.$k" "$work/trace"; done
    for format in text csv json; do
        banksim merge --per site --format $format $(ls "$work/part.$n".* | sort -r) | cmp - "$work/$format"
    done
done
sed -n '4,5p; 14,15p; 41,46p; /^speed-up/,/^cycles/p' "$work/text"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
    { print $column["site"], $column["turns"], $column["cycles_ideal"], $column["speedup"] }' "$work/csv" |
    sed -n '1,4p; 11,13p; 40,43p'
grep -o '"sites_not_simulated": [0-9]*' "$work/json"
