banksim show --shared 'float a[32][32]' --shared 'float b[32][33]' \
    --load 'a[threadIdx.x][0]' --load 'b[threadIdx.x][0]'
printf '# a tile\n\nshared float s[64]\nfor i = 0:4\nload s[threadIdx.x * i %% 64]\n' >"$TMP/tile.check"
banksim show "$TMP/tile.check"
