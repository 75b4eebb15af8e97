# A column of doubles: in 4-byte mode each takes two banks, in 8-byte mode one.
for width in 4 8; do
    banksim check --device k40 --bank-width $width --format csv --block 32,32 \
        --shared 'double a[32][32], b[32][33]' \
        --load 'a[threadIdx.x][threadIdx.y]' --load 'b[threadIdx.x][threadIdx.y]'
done
