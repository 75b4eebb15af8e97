# In 8-byte mode a pad of 1 leaves conflicts behind, 2 do not.
for width in 4 8; do
    banksim advise --device k40 --bank-width $width --block 32,32 --shared 'float tile[32][32]' \
        --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'
done
