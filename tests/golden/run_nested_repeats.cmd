# There may be 2^40 turns: what needs no cycles plays none.
trace=tests/golden/traces/nested_repeat.trace
banksim run --cycles never --hazards --per request --format csv "$trace" | cut -d, -f 3,7,11
banksim run --cycles never --format html -o "$TMP/page.html" "$trace" && echo a page
banksim show "$trace" | tail -n 1
awk 'BEGIN {print "banksim-trace 1\nkernel deep block=64\nblock 0"
            for (i = 0; i < 8; i++) print "repeat 32"
            print "w0 ld.shared.u32 ffffffff 0+4\nw1 ld.shared.u32 ffffffff 0+128"
            for (i = 0; i < 8; i++) print "w" i % 2 " ld.shared.u32 ffffffff 0+" 4 * i "\ndone"
            print "end"}' >"$TMP/deep.trace"
banksim run --cycles never --hazards --per site - <"$TMP/deep.trace" | grep '^ *-'
