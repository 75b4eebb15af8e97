# A layout changes what stands in the brackets: where nothing does, none is told.
hint() { banksim check --block 32,32 --shared 'float t[32][32]' "$@" | grep -e "^    Write" -e "^    No "; }
hint --load 't[threadIdx.x][threadIdx.y]'
hint --load '((float *)t)[threadIdx.x * 32]'
hint --load 't[0][threadIdx.x * 32]'
hint --load 't[threadIdx.y / 2][threadIdx.x * 32 % 64]'
hint --load '(&t[0][0])[threadIdx.x * 32]'
hint --load 't[threadIdx.x][threadIdx.y]' --load '*(*t + threadIdx.x * 32)'
hint --let 'float *p = &t[0][0]' --load 'p[threadIdx.x * 32]'
hint --load 't[threadIdx.x][0]'
hint --load 'reinterpret_cast<float4 *>(t[threadIdx.x])[threadIdx.y % 8]'
banksim advise --block 32,32 --shared 'float t[32][32]' --load '((float *)t)[threadIdx.x * 32]'
