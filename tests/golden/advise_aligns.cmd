# 360 bytes of a would move b off the 16 that its accesses need: that declaration is named, too.
for format in text csv; do
    banksim advise --block 18 --shared 'float a[2][36]' --shared 'half b[64]' --format $format \
        --load 'a[lane % 2][lane / 2 + 4 - lane % 2 * 4]' --load '*(float4 *)&b[lane % 8 * 8]'
done
