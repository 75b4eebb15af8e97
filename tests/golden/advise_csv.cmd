banksim advise --format csv --block 32,8 --shared 'float4 a[32][8], b[32][8]' \
    --load 'a[threadIdx.x][threadIdx.y]' --store 'b[threadIdx.x][threadIdx.y]' --best 2
