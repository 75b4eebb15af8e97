# Nothing to do; nothing that helps; nothing that was tried helps; not all that would be ideal.
banksim advise --shared 'float s[32]' --load 's[lane]'
banksim advise --shared 'int h[32]' --atomic add 'h[lane / 8], v'
banksim advise --block 32,32 --shared 'float tile[32][33]' \
    --load 'tile[threadIdx.x][threadIdx.y]' \
    --load 'tile[lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]' | tail -2
# Rows, columns and diagonals of 6 by 6 in 6 banks.
banksim advise --banks 6 --block 6 --shared 'float t[6][7]' --for k=0:6 --load 't[lane][k]' \
    --load 't[k][lane]' --load 't[lane][(lane + k) % 6]'
banksim advise --block 32,32 --shared 'float tile[32][32]' \
    --load 'tile[threadIdx.x][threadIdx.y]' \
    --load 'tile[lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]' --best 2
