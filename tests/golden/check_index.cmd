# Data decide which bin: what is told is what to expect, and nothing is fitted to a draw.
histogram="--index 'h: random(32)' --shared 'int hist[32]' --atomic min 'hist[h]'"
eval "banksim check $histogram --format csv" | cut -d, -f1-3,12-
banksim check --index 'h: random(32)' --shared 'int hist[32]' --atomic min 'hist[h]' |
    sed -n '/drawn/,/drawn$/p;/layout/p'
eval "banksim check $histogram --expect 'conflicts == 0'" 2>&1 >/dev/null; echo "exit $?"
eval "banksim advise $histogram" 2>&1; echo "exit $?"
# A table is no draw: its counts are exact.
banksim check --index 't: table(0, 0, 1, 1)' --shared 'int hist[32]' --atomic min 'hist[t]' \
    --format csv | cut -d, -f1-7
# An index that nothing uses is no reason to keep a hint back.
banksim check --index 'h: random(64)' --shared 'float t[32][32]' --load 't[threadIdx.x][0]' |
    grep -E 'Write|layout'
banksim advise --index 'h: random(64)' --shared 'float t[32][32]' --load 't[threadIdx.x][0]' |
    grep -E '^[12]'
