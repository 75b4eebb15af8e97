banksim show --shared 'float a[32][32]' --shared 'float b[32][33]' \
    --load 'a[threadIdx.x][0]' --load 'b[threadIdx.x][0]'
printf '# a tile\n\nshared float s[64]\nfor i = 0:4\nload s[threadIdx.x * i %% 64]\n' >"$TMP/tile.check"
banksim show "$TMP/tile.check"
# A kernel's body has more than a few accesses: each once, at its worst.
for i in 0 1 2 3 4 5 6 7 8 9; do echo "load s[threadIdx.x * $i]"; done |
    (echo 'shared float s[320]'; cat) >"$TMP/ten.check"
banksim show "$TMP/ten.check" | grep -E '^load|^ *warp|wavefronts,'
