# 360 bytes of a would move b off the 16 that its accesses need: that declaration is named, too.
for format in text csv; do
    banksim advise --block 18 --shared 'float a[2][36]' --shared 'half b[64]' --format $format \
        --load 'a[lane % 2][lane / 2 + 4 - lane % 2 * 4]' --load '*(float4 *)&b[lane % 8 * 8]'
done
# Half a warp in each of two arrays, which begin in bank 0: 2 wavefronts for each of two requests, 1 with 16
# words more between them. Four rows of 24 words, of which 16 are used, move what is behind them by 16 if they have 20.
banksim advise --block 64 --shared 'float a[64]' --shared 'float b[64]' --best 1 \
    --load '*(lane < 16 ? &a[lane] : &b[lane - 16])' | sed -n '/^1/,/^ *wave/p'
banksim advise --shared 'float a[4][24]' --shared 'float b[64]' --best 1 \
    --load '*(lane < 16 ? &a[0][lane] : &b[lane - 16])' | sed -n '/^1/,/^ *wave/p'
