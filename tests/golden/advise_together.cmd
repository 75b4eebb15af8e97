# Arrays that meet in a request, or that move each other by less than a word: layouts that only help
# together. What `check` counts of a plan, declared as it says, is the same.
banksim advise --block 32 --shared 'half a[512]' --shared 'half b[576]' --best 1 \
    --load '(lane < 8 ? a[lane] : b[lane / 2])'
banksim advise --block 32 --shared 'double a[513]' --shared 'double b[515]' --best 1 \
    --load '(lane < 8 ? a[lane * 2 + 1] : b[lane])' --store 'a[lane * 2 + 1]' \
    --load '(lane < 8 ? a[lane * 4] : b[lane * 32 % 512])'
banksim advise --block 8,8 --shared 'char a[8][32]' --shared '__align__(2) half b[8][32]' \
    --for 'k=0:16' --best 1 --store 'b[(threadIdx.y * 5 + 7) % 8][threadIdx.x * 3 + 1]' \
    --store 'b[threadIdx.y % 2][k % 4]'
banksim check --block 32 --shared 'double a[513] pad 13 every 4 pad 2 every 34' \
    --shared 'double b[515] xor 5:4,6:3,7:8,8:1' --store 'a[lane * 2 + 1]' \
    --load '(lane < 8 ? a[lane * 2 + 1] : b[lane])' \
    --load '(lane < 8 ? a[lane * 4] : b[lane * 32 % 512])'
# Room behind an array that is swizzled.
banksim advise --block 32 --shared 'float a[513]' --shared 'float b[515]' --best 1 \
    --load '(lane < 8 ? a[lane % 4 * 16 + lane / 4] : b[lane * 4])' \
    --store 'a[lane % 4 * 16 + lane / 4]' --load '(lane & 4 ? a[lane * 3] : b[lane * 6])' \
    --load '(lane < 16 ? a[lane * 8] : b[lane * 32 % 512])'
banksim check --block 32 --shared 'float a[513] xor 3:4,4:12,5:10,6:2 1 more behind' \
    --shared 'float b[515] pad 4 every 1 pad 1 every 80' \
    --load '(lane < 8 ? a[lane % 4 * 16 + lane / 4] : b[lane * 4])' \
    --store 'a[lane % 4 * 16 + lane / 4]' --load '(lane & 4 ? a[lane * 3] : b[lane * 6])' \
    --load '(lane < 16 ? a[lane * 8] : b[lane * 32 % 512])'
