# Registers and the carve-out in the blocks per SM: 128 registers of 256 threads leave 2 blocks of 65536,
# 16 KB leave 3 of 4 KB and the system's 1 KB.
for options in '' '--registers 128' '--carveout 5' '--registers 256'; do
    banksim advise --block 32,8 --shared 'float tile[32][32]' --load 'tile[threadIdx.x][threadIdx.y]' \
        $options 2>&1 | grep -E -m 1 '^ *(blocks|banksim)'
done
