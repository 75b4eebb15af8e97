banksim check --block 12,3,2 --shared 'float4 a[4096]' --load 'a[threadIdx.x * 3 + threadIdx.y * 64].y' \
    --store 'a[threadIdx.x * 4]' --device generic --banks 64
