# A tile as TMA writes it, by either name of its layout, and all who read it by its own indices: a row, a column of 32 rows
# (eight chunks, so four rows in each: 4 wavefronts), 8x8 matrices (a chunk each: 1), 16 bytes of a row each, wgmma.
for name in tma swizzle; do
    banksim check --block 128 --shared "half A[64][64] $name 128B" --shared "half B[128][64] $name 128B" \
        --load 'A[warp][2 * lane]' --load 'A[lane][0]' --ldmatrix x4 'A[lane % 16][lane / 16 * 8]' \
        --load '*(float4 *)&A[lane][8]' --wgmma m64n128k16 'A[0][16], B[0][16]' >$TMP/$name
    echo "exit $?"
done
diff $TMP/tma $TMP/swizzle && cat $TMP/tma
banksim where 'A[5][9]' --shared 'half A[64][64] tma 128B' | head -3
banksim check --block 32 --shared 'half A[64][64] tma' --load 'A[lane][0]'
banksim check --block 32 --shared 'half A[64][128] tma 128B' --load 'A[lane][0]'
