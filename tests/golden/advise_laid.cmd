# Arrays that are declared with a layout: what advise calls now has it, a plan replaces it.
banksim advise --block 32,32 --shared 'float tile[32][32] swizzle<4,0,5>' --best 1 \
    --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'
banksim check --block 32,32 --shared 'float tile[32][32] swizzle<4,0,5>' \
    --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]' | grep Write
# The order of the elements is one, too.
banksim advise --shared 'float s[64] pad 31 every 1' --best 1 --load 's[lane]'
# One that nothing betters stays; an array that moves behind another keeps its own.
banksim advise --shared 'half a[16][64] swizzle 128B' --ldmatrix x4 '&a[lane % 16][lane / 16 * 8]' |
    tail -n 2
banksim check --block 18 --shared 'float a[2][36]; half b[64] pad 8 every 32' \
    --load 'a[lane % 2][lane / 2 + 4 - lane % 2 * 4]' --load '*(float4 *)&b[lane % 8 * 8]' |
    grep declare
