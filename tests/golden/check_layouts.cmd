# Layouts in declarations: the indices stay, the addresses are those of the layout.
# A transpose without conflicts by a padding, by CuTe's swizzle and by the exclusive or of the row; two
# of 32 rows meet in each bank if the swizzle knows 4 bits of the row alone.
for layout in '' 'pad 1' 'swizzle<5,0,5>' 'row-xor 5,0,0' 'swizzle<4,0,5>'; do
    banksim check --block 32,32 --shared "float tile[32][32] $layout" --format csv \
        --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]' |
        cut -d, -f 5-10 | grep -v wavefronts | tr '\n' ' '
    echo "$layout"
done
banksim check --warp 0 --block 32,32 --shared 'float tile[32][32] swizzle<4,0,5>' \
    --load 'tile[threadIdx.x][threadIdx.y]' | sed -n 5,9p
# Rows of a tile that TMA wrote, and the same by name on elements of two bytes; short rows take 128 bytes.
for layout in '64]' '64] swizzle 128B' '64] swizzle<3,3,3>' '64] pad 8' '48] swizzle 128B' '48]'; do
    banksim check --shared "half a[16][$layout" --ldmatrix x4 '&a[lane % 16][lane / 16 * 8]' \
        --format csv | tail -n 1 | cut -d, -f 5-10 | tr '\n' ' '
    echo "[16][$layout"
done
# In a text, with others behind them; defines are numbers of a swizzle; the trace has the addresses.
cat >"$TMP/a.check" <<'END'
define B=2
block 8
__shared__ float a[32] pad 1 every 8, s[16] Swizzle<B, 0, -2>, t[8] xor 2:3;
a[4 * threadIdx.x] = s[threadIdx.x];
t[threadIdx.x] = 0;
END
banksim check "$TMP/a.check" --emit-trace - | grep -e ^kernel -e ^w
