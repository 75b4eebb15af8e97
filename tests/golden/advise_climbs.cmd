# Neither listed nor linear: an FFT of radix 5, 140 being the best of all paddings of two levels that a
# brute force tried; halves padded by less than a word; rows of 16 turned by 6 behind every two.
banksim advise --block 125 --shared 'float s[625]' --for 'n=5,25,125' --for 'q=0:5' --best 1 \
    --load 's[threadIdx.x + q * 125]' \
    --store 's[(threadIdx.x - threadIdx.x % n) * 5 + threadIdx.x % n + q * n]'
banksim advise --block 40,8 --shared 'half t[40][40]' --for 'j=0:40:8' --best 1 \
    --store 't[threadIdx.y + j][threadIdx.x]' --load 't[threadIdx.x][threadIdx.y + j]'
banksim advise --block 64 --shared '__align__(8) float a[32][16]' --best 1 \
    --load 'a[threadIdx.x % 16][threadIdx.x * 2 % 16]' \
    --load '*(float2 *)&a[threadIdx.x % 32][threadIdx.x % 8 * 2]' \
    --load 'a[threadIdx.x % 32][(threadIdx.x % 8 + threadIdx.x / 4) % 16]' \
    --load 'a[threadIdx.x % 4 + threadIdx.x / 4][threadIdx.x % 16]'
banksim check --block 64 --shared '__align__(8) float a[32][16] rotate 6 every 2' \
    --load 'a[threadIdx.x % 32][threadIdx.x % 8 + threadIdx.x / 4 % 8]'
# The bound is met by pad 36 every 192 pad 7 every 768, in the source's elements.
banksim advise --block 48,8 --shared 'half s[48][48]' --for 'k=0:48:8' --best 1 \
    --store 's[threadIdx.y + k][threadIdx.x]' --load 's[threadIdx.x][threadIdx.y + k]'
banksim check --block 48,8 --shared 'half s[48][48] pad 36 every 192 pad 7 every 912' \
    --for 'k=0:48:8' --store 's[threadIdx.y + k][threadIdx.x]' --load 's[threadIdx.x][threadIdx.y + k]'
# Replicas of a histogram of 10 bins: rows that are turned and padded, which check counts alike. Neither the
# best padding nor the best linear layout gets below 56.
cat >"$TMP/bins" <<'END'
store h[lane % 16][threadIdx.x * 7 % 10]
store h[lane % 16][5]
store h[lane % 16][threadIdx.x / 3 % 10]
if threadIdx.x < 10
for r = 0:16
load h[r][threadIdx.x]
END
(echo 'block 256; shared int h[16][10]' | tr ';' '\n'; cat "$TMP/bins") >"$TMP/bins.check"
banksim advise "$TMP/bins.check" --best 1 | sed -n '/^1/,/^ *wave/p'
(echo 'block 256; shared int h[16][10] rotate 8 rotate 5 every 8 pad 2' | tr ';' '\n'; cat "$TMP/bins") |
    banksim check - | sed '/^cycles/,$d'
