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
# What takes the place of TMA's need not begin where TMA's pattern does; what vectors and the source ask stays.
for array in '__align__(1024) half t[64][64] swizzle 128B' 'half t[64][32] swizzle 64B' \
    '__align__(1024) half t[64][32] swizzle 64B'; do
    banksim advise --block 32,32 --shared "$array" --best 1 \
        --load 't[threadIdx.x][threadIdx.y]' --load 't[threadIdx.y][threadIdx.x]' | grep __shared__
done
banksim advise --block 32,8 --shared 'float t[64][32] swizzle 128B' --best 1 \
    --load 't[threadIdx.x * 2][threadIdx.y]' --load '*(float2 *)&t[threadIdx.x][threadIdx.y * 2]' | grep __shared__
