banksim check --format csv --block 16,16 --shared 'float tile[16][16]' --shared 'float3 p[256]' \
    --for 'i=0:2' --let 't = threadIdx.y * 16 + threadIdx.x' \
    --load 'tile[threadIdx.x][(threadIdx.y + i) % 16]' --store 'p[t]' \
    --atomic add '&((int *)tile)[t % 4], v'
