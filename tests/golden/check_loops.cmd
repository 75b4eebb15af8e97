banksim check --block 8,8 --shared 'float a[64][16]' --for 'i=0:2' --for 'j=1,4' \
    --if 'threadIdx.x < 6' --load 'a[threadIdx.y * j][threadIdx.x + i]'
