# Launches that repeat others count as if they had been written out: 300 of two kernels, the first of
# each with blocks, then such as reach one and two launches back; in whole and in three shards.
a='kernel a block=32 shared=4096'
b='kernel b block=64 shared=512'
events_of() {
    case $1 in
    a) printf 'site 1 ld.shared.u32 at=a.cu:1\nblock 0\nw0 @1 ffffffff 0+8\nw0 ld.global.u32 ffffffff 0+8\n' ;;
    b) printf 'block 0\nw1 st.shared.u32 ffffffff 0+4\nw0 atom.shared.add.u32 ffffffff 0+0\n' ;;
    esac
}
write() { # write again|out
    echo 'banksim-trace 1'
    echo "$a"; events_of a
    echo "$b"; events_of b
    i=0
    while [ $i -lt 149 ]; do
        i=$((i + 1))
        case $1 in
        again) echo "$a again=2"; echo "$b again=$((i % 100 == 0 ? 256 - 56 : 2))" ;;
        out) echo "$a"; events_of a; echo "$b"; events_of b ;;
        esac
    done
    echo end
}
write again >"$TMP/again.trace"
write out >"$TMP/out.trace"
banksim pack "$TMP/again.trace" -o "$TMP/again.bin"
for options in '' '--per site' '--format json' '--format csv --per site' '--metrics ncu' '--jobs 2'; do
    banksim run $options "$TMP/out.trace" >"$TMP/expected"
    banksim run $options "$TMP/again.trace" | cmp - "$TMP/expected" && echo "same: run $options"
    banksim run $options "$TMP/again.bin" | cmp - "$TMP/expected" && echo "same, packed"
done
for k in 1 2 3; do banksim run --shard $k/3 -o "$TMP/part$k" "$TMP/again.trace"; done
banksim run "$TMP/out.trace" >"$TMP/expected"
banksim merge "$TMP/part1" "$TMP/part2" "$TMP/part3" | cmp - "$TMP/expected" && echo 'same: merge'
banksim convert "$TMP/again.bin" | grep -c again=
