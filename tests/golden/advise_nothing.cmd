# Nothing to do; nothing that helps; nothing that was tried helps; not all that would be ideal.
banksim advise --shared 'float s[32]' --load 's[lane]'
banksim advise --shared 'int h[32]' --atomic add 'h[lane / 8], v'
banksim advise --block 32,32 --shared 'float tile[32][33]' \
    --load 'tile[threadIdx.x][threadIdx.y]' \
    --load 'tile[lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]'
banksim advise --block 32,32 --shared 'float tile[32][32]' \
    --load 'tile[threadIdx.x][threadIdx.y]' \
    --load 'tile[lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]' --best 2
