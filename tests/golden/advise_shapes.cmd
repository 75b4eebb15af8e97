# What may stand for other data: a hash, alone and beside a column; the old and the new index.
banksim advise --shared 'float t[1024]' --load 't[threadIdx.x * 2654435761u >> 22]'
banksim advise --shared 'float t[32][32]' --load 't[threadIdx.x][0]' --best 2 \
    --load 't[threadIdx.x * 40503 / 8 % 32][threadIdx.x * 30011 / 16 % 32]'
banksim advise --shared 'float t[1056]' --load 't[threadIdx.x * 32]' --load 't[threadIdx.x * 33]'
