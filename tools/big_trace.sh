#!/bin/sh
# big_trace.sh EVENTS [affine|lists] - writes a text trace of so many events, for measurements:
#
#     sh tools/big_trace.sh 100000000 | banksim pack -o big.bin
#     /usr/bin/time -v banksim run big.bin >/dev/null
#
# Blocks of 1000 loads and stores by 8 warps, each with a base and a stride (affine), or with 32
# addresses of its own (lists); pseudo-random, the same each time. The first 1000 blocks (of lists,
# 100) come again and again, which takes seconds where awk alone would take minutes; a run without
# options stops timing cycles before they come again.
set -eu

[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }

events=$1
form=${2:-affine}
case $form in
    affine | lists) ;;
    *) echo "big_trace.sh: '$form' is neither affine nor lists" >&2; exit 2 ;;
esac
period=1000000
[ "$form" = affine ] || period=100000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first $period events.
awk -v n="$((events < period ? events : period))" -v form="$form" '
    function random(below) {
        state = (state * 69069 + 1) % 4294967296
        return int(state / 65536) % below
    }
    BEGIN {
        for (i = 0; i < n; i++) {
            if (i % 1000 == 0) printf "block %d\n", i / 1000
            addresses = random(8192) * 4
            if (form == "affine") {
                addresses = addresses "+" random(33) * 4
            } else {
                for (l = 1; l < 32; l++) addresses = addresses "," random(12288) * 4
            }
            printf "w%d @%d ffffffff %s\n", random(8), 1 + random(2), addresses
        }
    }' >"$work/blocks"

cat <<EOF
banksim-trace 1
kernel big grid=$((events / 1000 + 1)) block=256 shared=49152
site 1 ld.shared.f32
site 2 st.shared.f32
EOF
left=$events
while [ "$left" -ge "$period" ]; do
    cat "$work/blocks"
    left=$((left - period))
done
head -n $((left + (left + 999) / 1000)) "$work/blocks"
echo end
