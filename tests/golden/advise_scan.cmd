# One dimension: the index does what a declaration cannot.
banksim advise --block 256 --shared 'float s[512]' --for 'd=1,2,4,8,16,32' \
    --if 'threadIdx.x < 256 / d' \
    --load 's[(2 * threadIdx.x + 1) * d - 1]' --load 's[(2 * threadIdx.x + 2) * d - 1]'
