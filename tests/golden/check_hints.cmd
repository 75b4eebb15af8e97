# What is told of a conflict: the declaration that a swizzle needs beside it, and why nothing is told.
hint() { banksim check "$@" | grep -v -e '^ *bank' -e '^ *passes' -e '^ *warp' -e '^sm_90' -e '^$'; }
hint --shared 'half s[1000]' --load 's[threadIdx.x * 16]'
# 360 bytes of a would move b off its 16: that declaration is named, too.
hint --block 18 --shared 'float a[2][36]' --shared 'half b[64]' \
    --load 'a[lane % 2][lane / 2 + 4 - lane % 2 * 4]' --load '*(float4 *)&b[lane % 8 * 8]'
# Old and new index; a hash; atomics; two columns of which a padding mends either.
hint --block 64 --shared 'float t[2112]' --load 't[threadIdx.x * 32]' --load 't[threadIdx.x * 33]'
hint --shared 'float t[1024]' --load 't[threadIdx.x * 2654435761u >> 22]'
hint --shared 'int h[32]' --atomic add 'h[lane / 8], v'
hint --block 32,32 --shared 'float tile[32][33]' --load 'tile[threadIdx.x][threadIdx.y]' \
    --load 'tile[lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]'
# More requests than a quick search looks at, and than any does.
hint --block 32,32 --shared 'float tile[32][32][33]' --for 'k=0:32' \
    --load 'tile[k][threadIdx.x][threadIdx.y]' \
    --load 'tile[k][lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]'
hint --shared 'char s[100000]' --for 'k=0:65537' --load 's[lane % 2 * 128 + k]'
# Two of 16 words in 8 banks meet as often in any layout; no other access is to blame.
hint --banks 8 --shared 'float s[32]' --load 's[lane]' --for a=0:16 --for b=0:16 \
    --load 's[lane % 2 == 0 ? a : b]' | grep None
# Column 0 goes to the diagonal with a padding and with a swizzle: as it is written.
for after in 't[threadIdx.x * 32 ^ threadIdx.x]' 't[threadIdx.x * 33]'; do
    hint --shared 'float t[1024]' --load 't[threadIdx.x * 32]' --load "$after" | grep 'is this'
done
hint --shared 'float t[32][32]' --load 't[threadIdx.x][0]' --load 't[threadIdx.x][threadIdx.x ^ 0]' |
    grep 'is this'
