#!/bin/sh
# big_trace.sh EVENTS [affine|lists] - writes a text trace of so many events, for measurements:
#
#     sh tools/big_trace.sh 100000000 | banksim pack -o big.bin
#     /usr/bin/time -v banksim run big.bin >/dev/null
#
# Blocks of 1000 loads and stores by 8 warps, each with a base and a stride (affine), or with 32
# addresses of its own (lists); pseudo-random, the same each time.
set -eu

[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }

awk -v n="$1" -v form="${2:-affine}" '
    function random(below) {
        state = (state * 69069 + 1) % 4294967296
        return int(state / 65536) % below
    }
    BEGIN {
        print "banksim-trace 1"
        printf "kernel big grid=%d block=256 shared=49152\n", n / 1000 + 1
        print "site 1 ld.shared.f32"
        print "site 2 st.shared.f32"
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
        print "end"
    }'
