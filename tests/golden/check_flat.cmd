# What stands in the brackets changes with a layout; an access that counts through all dimensions by itself has an
# index of its own.
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
hint --load 'reinterpret_cast<float4 *>(t[0])[threadIdx.x * 8]'
# a tile that is filled in order and read by columns: in rows of a power of two, and in others
ask() { banksim advise --block 32 "$@" | grep -e ' for ' -e '__shared__' -e '^   wave' -e '^Plan'; }
ask --shared 'float t[32][32]' --for k=0:32 --store '((float *)t)[lane+32*k]' --load 't[lane][k]' --end
ask --shared 'half t[32][24]' --store 't[lane/8][lane%8*4]' --load 't[lane][3]'
ask --shared 'float t[4][8][20]' --for k=0:20 --store 't[0][0][lane+32*k]' --load 't[lane/8][lane%8][k]' --end
