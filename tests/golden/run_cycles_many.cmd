awk 'BEGIN {print "banksim-trace 1\nkernel long grid=1 block=1024\nblock 0"
            for (i = 0; i < 8193; i++) print "w* ld.shared.u32 ffffffff 0+4"
            print "kernel short grid=1 block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+128\nend"}' >"$TMP/long.trace"
banksim run "$TMP/long.trace"
banksim run --format csv "$TMP/long.trace" | cut -d, -f1,48-
banksim run --format json "$TMP/long.trace" | grep -o '"timing": [{n][^ ]*'
sed '/kernel short/,/w0/d' "$TMP/long.trace" | banksim run - | grep cycles
banksim run --cycles always --per site "$TMP/long.trace" | grep -A 3 cycles:
banksim run --cycles never "$TMP/long.trace" | grep -ic cycles
