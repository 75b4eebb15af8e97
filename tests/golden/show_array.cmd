# Below a request of a check its arrays, with the bank in each cell and a mark at what the lanes ask for.
# tile[y][3 ^ y & 7 << 2]: a row's banks by hand are x ^ (y & 7) * 4; the column 0 of 8 rows is in 8 banks.
tile() { banksim show --shared 'float tile[8][32] row-xor 3,2,0' --load 'tile[lane % 8][0]' "$@"; }
COLUMNS=40 tile | sed -n '/^tile/,$p'
echo; echo '== 16 columns of halves, in pairs; wide'
COLUMNS=300 banksim show --shared 'half a[2][80]' --load 'a[lane / 16][lane % 16]' | sed -n '/^a\[/,$p'
echo; echo '== in colours: bank 0 and 1 of the first row'
tile --style colour | grep '^y    0' | cut -c 1-60 | sed 's/\x1b/ESC/g'
echo; echo '== as a figure: cells, frames, the hue of bank 0 and the lanes of a cell'
tile --format svg -o $TMP/a.svg
grep -c '<g><rect.*fill="#[0-9a-f]*" stroke="none"' $TMP/a.svg
grep -c '<g><rect.*stroke="#111" stroke-width="2"' $TMP/a.svg
grep -o 'fill="#ff6666".*lanes 0.*</title>' $TMP/a.svg
grep -o 'tile\[8\]\[32\] row-xor.*<' $TMP/a.svg
