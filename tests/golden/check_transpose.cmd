banksim check --block 32,32 --shared 'float tile[32][32]' \
    --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'
